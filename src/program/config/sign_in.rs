//! Settings of signing in: codes, outside issuers, and where the service itself may ask.

use std::fs;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::bounds::at_once;
use super::wrong::{WrongSetting, wrong};
use sarsen_accounts::outside::IssuerTerms;
use sarsen_service::outbound::OutboundRules;
use sarsen_store::Allowance;

/// The players who may play rated matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum RatedPlayers {
    /// Those with a linked identity, and their bot accounts.
    Linked,
    /// All.
    Any,
}

/// The settings of signing in as written.
#[derive(Args, Clone, Debug)]
pub struct SignInFlags {
    /// Wrong pairing codes and recovery keys that one address may send, per minute and on each instance (1 to 1000000), or
    /// `off`.
    #[arg(long, env = "SARSEN_CODES_PER_MINUTE", default_value = "10", value_name = "NUMBER|off")]
    pub codes_per_minute: String,
    /// Outside tokens that do not count which one address may send, per minute and on each instance (1 to 1000000), or
    /// `off`.
    #[arg(long, env = "SARSEN_EXCHANGES_PER_MINUTE", default_value = "20", value_name = "NUMBER|off")]
    pub exchanges_per_minute: String,
    /// File with the outside issuers whose tokens players may exchange for a session: a JSON list (OPERATIONS, "Outside
    /// issuers").
    #[arg(long, env = "SARSEN_ISSUERS", value_name = "FILE")]
    pub issuers: Option<PathBuf>,
    /// The players who may play rated matches: those who have linked an account of an outside issuer, or any; `linked` if left
    /// out and there are --issuers.
    #[arg(long, env = "SARSEN_RATED_REQUIRES", value_name = "WHO", value_enum)]
    pub rated_requires: Option<RatedPlayers>,
    /// Lets the service ask others over plain http too: for development.
    #[arg(long, env = "SARSEN_OUTBOUND_ALLOW_HTTP")]
    pub outbound_allow_http: bool,
    /// Networks that the service may ask though they are not globally routable, separated by commas, such as 10.0.0.0/8.
    #[arg(
        long,
        env = "SARSEN_OUTBOUND_ALLOW_NETWORKS",
        default_value = "",
        hide_default_value = true,
        value_name = "NETWORKS"
    )]
    pub outbound_allow_networks: String,
}

impl SignInFlags {
    /// Returns the rate limit of wrong codes from one address.
    pub(super) fn codes(&self) -> Result<Option<Allowance>, WrongSetting> {
        at_once("codes-per-minute", &self.codes_per_minute)
    }

    /// Returns the rate limit of outside tokens that do not count from one address.
    pub(super) fn exchanges(&self) -> Result<Option<Allowance>, WrongSetting> {
        at_once("exchanges-per-minute", &self.exchanges_per_minute)
    }

    /// Returns the outside issuers of the file.
    pub(super) fn issuers(&self) -> Result<Vec<IssuerTerms>, WrongSetting> {
        let Some(path) = &self.issuers else { return Ok(Vec::new()) };
        let text = fs::read_to_string(path)
            .map_err(|error| wrong("issuers", format!("cannot be read: {}: {error}", path.display())))?;
        IssuerTerms::read_list(&text).map_err(|error| wrong("issuers", error.to_string()))
    }

    /// Returns true if only players with a linked identity play rated matches.
    pub(super) fn rated_requires_link(&self) -> bool {
        self.rated_requires.map_or(self.issuers.is_some(), |who| who == RatedPlayers::Linked)
    }

    /// Returns the rules by which the service asks others.
    pub(super) fn outbound(&self) -> Result<OutboundRules, WrongSetting> {
        let named = self.outbound_allow_networks.split(',').map(str::trim).filter(|network| !network.is_empty());
        let networks = named.map(|network| {
            network.parse().map_err(|error| wrong("outbound-allow-networks", format!("has {network:?}, {error}")))
        });
        Ok(OutboundRules { allow_http: self.outbound_allow_http, allow_networks: networks.collect::<Result<_, _>>()? })
    }
}
