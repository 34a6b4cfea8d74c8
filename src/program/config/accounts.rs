//! Settings of what one player may have beside matches: sessions and identities, tokens and bot accounts, contacts and blocks.

use clap::Args;

use super::WrongSetting;
use super::bounds::bound;
use sarsen_accounts::people::PeopleBounds;
use sarsen_accounts::players::SignInBounds;
use sarsen_accounts::programs::ProgramBounds;
use sarsen_store::Allowance;

/// The bounds as written.
#[derive(Args, Clone, Debug)]
pub struct AccountFlags {
    /// Changes that one program may make by its token, per minute (1 to 1000000), or `off`.
    #[arg(long, env = "SARSEN_PROGRAM_WRITES_PER_MINUTE", default_value = "600", value_name = "NUMBER|off")]
    pub program_writes_per_minute: String,
    /// Changes that one program may make at once (1 to 1000000).
    #[arg(long, env = "SARSEN_PROGRAM_WRITES_BURST", default_value_t = 200, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub program_writes_burst: u32,
    /// Sessions that one player may have (1 to 1000); one more ends the one that was not used for longest.
    #[arg(long, env = "SARSEN_SESSIONS_PER_PLAYER", default_value_t = 100, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub sessions_per_player: u32,
    /// Linked identities that one player may have (1 to 1000).
    #[arg(long, env = "SARSEN_IDENTITIES_PER_PLAYER", default_value_t = 20, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub identities_per_player: u32,
    /// Tokens of programs that one player or bot account may have (1 to 1000).
    #[arg(long, env = "SARSEN_TOKENS_PER_PLAYER", default_value_t = 20, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub tokens_per_player: u32,
    /// Bot accounts that one player may have (1 to 1000).
    #[arg(long, env = "SARSEN_BOT_ACCOUNTS_PER_PLAYER", default_value_t = 10, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub bot_accounts_per_player: u32,
    /// Contacts that one player may have, and players that one may block (1 to 10000).
    #[arg(long, env = "SARSEN_CONTACTS_PER_PLAYER", default_value_t = 500, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub contacts_per_player: u32,
    /// Reports of other players that one player may make in 24 hours (1 to 1000).
    #[arg(long, env = "SARSEN_REPORTS_PER_DAY", default_value_t = 10, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub reports_per_day: u32,
}

impl AccountFlags {
    /// Returns the rate limit of changes by one program.
    pub(super) fn program_writes(&self) -> Result<Option<Allowance>, WrongSetting> {
        let per_minute = bound("program-writes-per-minute", &self.program_writes_per_minute)?;
        Ok(per_minute.map(|per_minute| Allowance { burst: self.program_writes_burst, per_minute }))
    }

    /// Returns the most sessions and identities of one player.
    pub(super) fn sign_in(&self) -> SignInBounds {
        SignInBounds { sessions: self.sessions_per_player, identities: self.identities_per_player }
    }

    /// Returns the most tokens and bot accounts of one player.
    pub(super) fn programs(&self) -> ProgramBounds {
        ProgramBounds { tokens: self.tokens_per_player, bots: self.bot_accounts_per_player }
    }

    /// Returns the most contacts, blocks and reports of one player.
    pub(super) fn people(&self) -> PeopleBounds {
        PeopleBounds { contacts: self.contacts_per_player, reports_per_day: self.reports_per_day }
    }
}
