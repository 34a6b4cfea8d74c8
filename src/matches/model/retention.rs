//! How long matches are kept.

/// How long a public match waits for its start unless its creator says otherwise, in seconds: seven days.
pub const EXPIRES_AFTER_SECONDS: u32 = 7 * 24 * 60 * 60;

/// How long matches are kept, and how many a player may have waiting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Retention {
    /// How many matches that have not started one player may have made and sit in; `None` for any number.
    pub open_per_player: Option<u32>,
    /// How many matches with bots that are not over one player may have made; `None` for any number.
    pub bots_per_player: Option<u32>,
    /// How many they may have made for others, without a seat of their own; `None` for any number.
    pub hosted_per_player: Option<u32>,
    /// After how many days finished matches are deleted; `None` for never.
    pub expire_finished_days: Option<u32>,
    /// After how many days the logs of finished matches are archived; `None` for never.
    pub archive_after_days: Option<u32>,
}
