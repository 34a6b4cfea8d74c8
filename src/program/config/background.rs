//! Settings of what happens without a request: whether this instance does such work, and how long matches are kept.

use clap::{Args, ValueEnum};

use super::WrongSetting;
use super::bounds::bound;

/// The state of a part that an instance may do without.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Switch {
    /// Switched on.
    On,
    /// Switched off.
    Off,
}

/// The settings as written.
#[derive(Args, Clone, Debug)]
pub struct BackgroundFlags {
    /// Do the work that needs no request on this instance, such as calling off matches that nobody joins. With `off` it
    /// only serves, and others on the same Redis have to do that work.
    #[arg(long, env = "SARSEN_BACKGROUND", default_value = "on", value_enum)]
    pub background: Switch,
    /// Matches that one player may have made with a seat of their own and that have not started (1 to 1000000), or `off`.
    #[arg(long, env = "SARSEN_OPEN_MATCHES_PER_PLAYER", default_value = "10", value_name = "NUMBER|off")]
    pub open_matches_per_player: String,
    /// Matches that one player may have made for others, without a seat of their own, and that have not started (1 to
    /// 1000000), or `off`.
    #[arg(long, env = "SARSEN_HOSTED_MATCHES_PER_PLAYER", default_value = "100", value_name = "NUMBER|off")]
    pub hosted_matches_per_player: String,
    /// Days after their end at which finished matches are deleted (1 to 1000000), or `off` for never. All instances
    /// should have the same value.
    #[arg(long, env = "SARSEN_EXPIRE_FINISHED_DAYS", default_value = "off", value_name = "DAYS|off")]
    pub expire_finished_days: String,
    /// Days after their end at which the logs of finished matches are archived (1 to 1000000), or `off` for never.
    /// Archived they take a small part of the space, and everything is read as before; only requests repeated under an
    /// idempotency key are not known any more. All instances should have the same value.
    #[arg(long, env = "SARSEN_ARCHIVE_AFTER_DAYS", default_value = "off", value_name = "DAYS|off")]
    pub archive_after_days: String,
    /// Days until a guest that nobody can use any more is deleted, from when that was found (1 to 1000000), or `off`
    /// for never. Such a guest has no session, linked identity, recovery key or token of a program, and no seat in a
    /// match that is not over.
    #[arg(long, env = "SARSEN_EXPIRE_GUESTS_DAYS", default_value = "180", value_name = "DAYS|off")]
    pub expire_guests_days: String,
}

/// The settings of the work without a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Background {
    /// Indicates whether this instance does such work.
    pub works: bool,
    /// The number of matches that have not started that one player may have made and sit in; `None` for any number.
    pub open_per_player: Option<u32>,
    /// The number of matches that they may have made for others; `None` for any number.
    pub hosted_per_player: Option<u32>,
    /// After how many days finished matches are deleted; `None` for never.
    pub expire_finished_days: Option<u32>,
    /// After how many days the logs of finished matches are archived; `None` for never.
    pub archive_after_days: Option<u32>,
    /// After how many days idle guests are deleted; `None` for never.
    pub expire_guests_days: Option<u32>,
}

impl Default for Background {
    /// With nothing bounded, archived or deleted.
    fn default() -> Background {
        Background {
            works: true,
            open_per_player: None,
            hosted_per_player: None,
            expire_finished_days: None,
            archive_after_days: None,
            expire_guests_days: None,
        }
    }
}

impl BackgroundFlags {
    /// Returns the settings that the flags mean.
    pub(super) fn background(&self) -> Result<Background, WrongSetting> {
        Ok(Background {
            works: self.background == Switch::On,
            open_per_player: bound("open-matches-per-player", &self.open_matches_per_player)?,
            hosted_per_player: bound("hosted-matches-per-player", &self.hosted_matches_per_player)?,
            expire_finished_days: bound("expire-finished-days", &self.expire_finished_days)?,
            archive_after_days: bound("archive-after-days", &self.archive_after_days)?,
            expire_guests_days: bound("expire-guests-days", &self.expire_guests_days)?,
        })
    }
}
