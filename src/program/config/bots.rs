//! Settings of bots: how many threads think for them, and how soon they answer.

use clap::Args;

use super::WrongSetting;
use super::bounds::{at_once, bound};
use sarsen_store::Allowance;

/// The settings as written.
#[derive(Args, Clone, Debug)]
pub struct BotFlags {
    /// Threads that think for bots and hints (0 to 1024); half of the cores if left out, at least one. With 0 this instance
    /// thinks for nobody, and others on the same Redis have to.
    #[arg(long, env = "SARSEN_BOT_THREADS", value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(0..=1024))]
    pub bot_threads: Option<u32>,
    /// Shortest time from the start of a bot's turn to its first move, in milliseconds (0 to 60000), for people to
    /// follow. With 0 each move is made as soon as it is found, which tells how much there was to think about.
    #[arg(long, env = "SARSEN_BOT_DELAY_MILLISECONDS", default_value_t = 600, value_name = "MILLISECONDS",
          value_parser = clap::value_parser!(u32).range(0..=60_000))]
    pub bot_delay_milliseconds: u32,
    /// Hints that one player may ask for, per minute (1 to 1000000), or `off`. All of them may come at once.
    #[arg(long, env = "SARSEN_HINTS_PER_MINUTE", default_value = "10", value_name = "NUMBER|off")]
    pub hints_per_minute: String,
    /// Matches with bots that one player may have made that are not over (1 to 1000000), or `off`.
    #[arg(long, env = "SARSEN_BOT_MATCHES_PER_PLAYER", default_value = "20", value_name = "NUMBER|off")]
    pub bot_matches_per_player: String,
    /// Reviews of finished matches that one player may order in 24 hours (1 to 1000000), or `off`.
    #[arg(long, env = "SARSEN_REVIEWS_PER_DAY", default_value = "10", value_name = "NUMBER|off")]
    pub reviews_per_day: String,
}

/// The settings of bots.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BotSettings {
    /// The number of threads; `None` for half of the cores.
    pub threads: Option<u32>,
    /// The shortest time from the start of a bot's turn to its first move, in milliseconds.
    pub delay_milliseconds: u32,
    /// The number of matches with bots that are not over that one player may have made; `None` for any number.
    pub matches_per_player: Option<u32>,
    /// The number of reviews that one player may order in 24 hours; `None` for any number.
    pub reviews_per_day: Option<u32>,
}

impl BotSettings {
    /// Returns the number of threads.
    pub fn thread_count(&self) -> usize {
        let half = || std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1));
        self.threads.map_or_else(half, |threads| threads as usize)
    }
}

impl BotFlags {
    /// Returns the rate limit of hints for one player.
    pub(super) fn hints(&self) -> Result<Option<Allowance>, WrongSetting> {
        at_once("hints-per-minute", &self.hints_per_minute)
    }

    /// Returns the settings that the flags mean.
    pub(super) fn bots(&self) -> Result<BotSettings, WrongSetting> {
        Ok(BotSettings {
            threads: self.bot_threads,
            delay_milliseconds: self.bot_delay_milliseconds,
            matches_per_player: bound("bot-matches-per-player", &self.bot_matches_per_player)?,
            reviews_per_day: bound("reviews-per-day", &self.reviews_per_day)?,
        })
    }
}
