//! Settings that bound what one address or player may take of an instance.

use clap::Args;

use super::wrong::{WrongSetting, wrong};
use sarsen_http::sandbox::forms::STEPS_MAX;
use sarsen_http::settings::Quotas;
use sarsen_store::Allowance;

/// The largest value of a bound.
const MOST: u32 = 1_000_000;
/// As many steps as one request can have.
const STEPS_AT_ONCE: u32 = STEPS_MAX as u32;

/// The bounds as written.
#[derive(Args, Clone, Debug)]
pub struct BoundFlags {
    /// Connections that one address may have open, on each instance (1 to 1000000), or `off`. Not counted behind proxies
    /// of your own (--trusted-proxies), which have to bound them.
    #[arg(long, env = "SARSEN_CONNECTIONS_PER_ADDRESS", default_value = "256", value_name = "NUMBER|off")]
    pub connections_per_address: String,
    /// Event streams that one address may have open, on each instance (1 to 1000000), or `off`.
    #[arg(long, env = "SARSEN_STREAMS_PER_ADDRESS", default_value = "64", value_name = "NUMBER|off")]
    pub streams_per_address: String,
    /// Event streams that one player may have open, on each instance (1 to 1000000), or `off`. One more ends the player's
    /// oldest.
    #[arg(long, env = "SARSEN_STREAMS_PER_PLAYER", default_value = "16", value_name = "NUMBER|off")]
    pub streams_per_player: String,
    /// Changes that one program may make by its token, per minute (1 to 1000000), or `off`.
    #[arg(long, env = "SARSEN_PROGRAM_WRITES_PER_MINUTE", default_value = "600", value_name = "NUMBER|off")]
    pub program_writes_per_minute: String,
    /// Changes that one program may make at once (1 to 1000000).
    #[arg(long, env = "SARSEN_PROGRAM_WRITES_BURST", default_value_t = 200, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub program_writes_burst: u32,
    /// Reads that one player may make, or one address without a token, per minute and on each instance (1 to 1000000), or
    /// `off`. All of them may come at once.
    #[arg(long, env = "SARSEN_READS_PER_MINUTE", default_value = "1200", value_name = "NUMBER|off")]
    pub reads_per_minute: String,
    /// Public matches that one address may make, per minute (1 to 1000000), or `off`. All of them may come at once.
    #[arg(long, env = "SARSEN_TABLES_PER_MINUTE", default_value = "30", value_name = "NUMBER|off")]
    pub tables_per_minute: String,
    /// Steps in the sandbox that one player may take, per minute and on each instance (1 to 1000000), or `off`. All of them
    /// may come at once, and 256 in any case, as many as one request can have.
    #[arg(long, env = "SARSEN_SANDBOX_STEPS_PER_MINUTE", default_value = "60000", value_name = "NUMBER|off")]
    pub sandbox_steps_per_minute: String,
}

impl BoundFlags {
    /// Returns the quotas of one holder.
    pub(super) fn quotas(&self) -> Result<Quotas, WrongSetting> {
        Ok(Quotas {
            connections_per_address: bound("connections-per-address", &self.connections_per_address)?,
            streams_per_address: bound("streams-per-address", &self.streams_per_address)?,
            streams_per_player: bound("streams-per-player", &self.streams_per_player)?,
        })
    }

    /// Returns the rate limit of changes by one program.
    pub(super) fn program_writes(&self) -> Result<Option<Allowance>, WrongSetting> {
        allowance("program-writes-per-minute", &self.program_writes_per_minute, self.program_writes_burst)
    }

    /// Returns the rate limit of public matches for one address.
    pub(super) fn tables(&self) -> Result<Option<Allowance>, WrongSetting> {
        at_once("tables-per-minute", &self.tables_per_minute)
    }

    /// Returns the rate limit of reads for one player.
    pub(super) fn reads(&self) -> Result<Option<Allowance>, WrongSetting> {
        at_once("reads-per-minute", &self.reads_per_minute)
    }

    /// Returns the rate limit of sandbox steps for one player.
    pub(super) fn sandbox(&self) -> Result<Option<Allowance>, WrongSetting> {
        let steps = bound("sandbox-steps-per-minute", &self.sandbox_steps_per_minute)?;
        Ok(steps.map(|per_minute| Allowance { burst: per_minute.max(STEPS_AT_ONCE), per_minute }))
    }
}

/// An allowance of `per_minute` per minute, `burst` of which may come at once.
pub(super) fn allowance(flag: &'static str, per_minute: &str, burst: u32) -> Result<Option<Allowance>, WrongSetting> {
    Ok(bound(flag, per_minute)?.map(|per_minute| Allowance { burst, per_minute }))
}

/// An allowance of `per_minute` per minute, all of which may come at once.
pub(super) fn at_once(flag: &'static str, per_minute: &str) -> Result<Option<Allowance>, WrongSetting> {
    Ok(bound(flag, per_minute)?.map(|per_minute| Allowance { burst: per_minute, per_minute }))
}

/// A number, or nothing where there is no bound.
pub(super) fn bound(flag: &'static str, text: &str) -> Result<Option<u32>, WrongSetting> {
    if text == "off" {
        return Ok(None);
    }
    match text.parse() {
        Ok(number @ 1..=MOST) => Ok(Some(number)),
        _ => Err(wrong(flag, "is neither a number from 1 to 1000000 nor `off`")),
    }
}
