//! The command line of operators.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{WrongSetting, wrong};
use crate::auth::{HOURS_MAX, OperatorLabel, Scopes, SigningKeys, TokenScope};

/// What operators do on the command line.
#[derive(Subcommand, Debug)]
pub enum AdminCommand {
    /// Make a token for /v1/admin and print it. Nothing is stored, so this works while the service runs; it needs the keys
    /// that the service signs with.
    Token(AdminTokenFlags),
}

/// Which token to make.
#[derive(Args, Clone)]
pub struct AdminTokenFlags {
    /// What the token allows, separated by commas: admin:read, admin:moderate, admin:operate. None follows from another.
    #[arg(long, value_name = "SCOPES")]
    pub scopes: Scopes,
    /// How long it counts, in hours (1 to 720).
    #[arg(long, default_value_t = 12, value_name = "HOURS",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(HOURS_MAX)))]
    pub expires_in_hours: u32,
    /// Whose it is, for the audit: 1 to 64 letters, digits or any of ._@- and spaces between them.
    #[arg(long, default_value = "operator", value_name = "TEXT")]
    pub label: OperatorLabel,
    /// Keys that the service signs with, as id:secret[,id:secret…]; the data directory's if left out.
    #[arg(long, env = "SARSEN_TOKEN_KEYS", hide_env_values = true, value_name = "KEYS")]
    pub token_keys: Option<String>,
    /// Directory of the embedded store, which holds the key that it made.
    #[arg(long, env = "SARSEN_DATA_DIR", default_value = "./sarsen-data", value_name = "DIRECTORY")]
    pub data_dir: PathBuf,
    /// Issuer of the service's tokens (iss).
    #[arg(long, env = "SARSEN_TOKEN_ISSUER", default_value = "sarsen", value_name = "TEXT")]
    pub token_issuer: String,
    /// Audience of the service's tokens (aud).
    #[arg(long, env = "SARSEN_TOKEN_AUDIENCE", default_value = "sarsen", value_name = "TEXT")]
    pub token_audience: String,
}

/// Without the keys.
impl std::fmt::Debug for AdminTokenFlags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AdminTokenFlags").field("scopes", &self.scopes).finish_non_exhaustive()
    }
}

impl AdminTokenFlags {
    /// The keys that are given, and for whom tokens are made.
    ///
    /// # Errors
    /// A setting that cannot be.
    pub fn signing(&self) -> Result<(Option<SigningKeys>, TokenScope), WrongSetting> {
        let keys = self.token_keys.as_deref().map(SigningKeys::parse).transpose();
        let keys = keys.map_err(|error| wrong("token-keys", format!("cannot be used: {error}")))?;
        Ok((keys, TokenScope { issuer: self.token_issuer.clone(), audience: self.token_audience.clone() }))
    }
}
