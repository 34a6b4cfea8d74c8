//! The command line of operators.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::tools::moment;
use super::wrong::{WrongSetting, wrong};
use sarsen_accounts::auth::{HOURS_MAX, OperatorLabel, Scopes, SigningKeys, TokenScope};
use sarsen_accounts::player_status::BanFrom;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};

/// The commands of operators.
#[derive(Subcommand, Debug)]
pub enum AdminCommand {
    /// Make a token for /v1/admin and print it. Nothing is stored, so this works while the service runs; it needs the keys
    /// that the service signs with.
    Token(AdminTokenFlags),
    /// Ban a player, in place of any ban before.
    Ban(BanFlags),
    /// Call a match off, before its start or while it is played. It then has no result.
    Abort(AbortFlags),
}

/// The service that is asked, and by whose right.
#[derive(Args, Clone, Debug)]
pub struct AskedService {
    /// The service, http://host:port. It needs a token with the scope admin:moderate, from --token-file or the environment
    /// variable SARSEN_ADMIN_TOKEN.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub url: String,
    /// File that holds the token.
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
}

/// The player to ban, and the terms of the ban.
#[derive(Args, Clone, Debug)]
pub struct BanFlags {
    /// The player's id.
    pub player: PlayerId,
    /// Time at which the ban ends: RFC 3339, such as 2027-01-31T12:00:00Z; if left out, when somebody lifts it.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub until: Option<Timestamp>,
    /// Scope of the ban: `play` for creating, joining, starting and moving, `all` for everything that takes a token.
    #[arg(long, value_enum, default_value_t = BanFrom::Play)]
    pub from: BanFrom,
    /// Reason, for the audit: 1 to 500 characters. Players are not told.
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    /// The service.
    #[command(flatten)]
    pub service: AskedService,
}

/// The match to call off.
#[derive(Args, Clone, Debug)]
pub struct AbortFlags {
    /// The match's id.
    #[arg(value_name = "MATCH")]
    pub match_id: MatchId,
    /// Reason, for the audit: 1 to 500 characters. Players are not told.
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    /// The service.
    #[command(flatten)]
    pub service: AskedService,
}

/// The token to make.
#[derive(Args, Clone)]
pub struct AdminTokenFlags {
    /// Scopes of the token, separated by commas: admin:read, admin:moderate, admin:operate. None follows from another.
    #[arg(long, value_name = "SCOPES")]
    pub scopes: Scopes,
    /// Lifetime of the token, in hours (1 to 720).
    #[arg(long, default_value_t = 12, value_name = "HOURS",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(HOURS_MAX)))]
    pub expires_in_hours: u32,
    /// Name of the token's holder, for the audit: 1 to 64 letters, digits or any of ._@- and spaces between them.
    #[arg(long, default_value = "operator", value_name = "TEXT")]
    pub label: OperatorLabel,
    /// Keys that the service signs with, as id:secret[,id:secret…]; the data directory's if left out.
    #[arg(long, env = "SARSEN_TOKEN_KEYS", hide_env_values = true, allow_hyphen_values = true, value_name = "KEYS")]
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
