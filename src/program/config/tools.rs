//! The command line of the tools that work on what is kept, and around it.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::wrong::wrong;
use super::{ComponentFlags, StoreFlags, StoreKind, StoreSettings, WrongSetting};
use sarsen_base::ambient::Timestamp;
use sarsen_store::redis::{RedisConfig, RedisMode};

/// The tools.
#[derive(Subcommand, Debug)]
pub enum ToolCommand {
    /// Write everything that a store keeps into a directory: players, sessions, inboxes, matches with their logs. It holds
    /// secrets. An embedded store must be stopped, on Redis a service may go on.
    Export {
        /// The directory, which is made, or is there and empty.
        #[arg(long, value_name = "DIRECTORY")]
        out: PathBuf,
        /// Leave out matches that have not changed since this moment: RFC 3339, such as 2026-01-31T12:00:00Z.
        #[arg(long, value_name = "TIME", value_parser = moment)]
        since: Option<Timestamp>,
        /// The store.
        #[command(flatten)]
        place: StoreFlags,
    },
    /// Write what an export holds into a store, which may hold other or older things. Doing it twice is doing it once. Once a
    /// service has worked on the store, players whom it has already are given nothing back that they have not any more.
    Import {
        /// The directory that `export` has made.
        directory: PathBuf,
        /// The store.
        #[command(flatten)]
        place: StoreFlags,
    },
    /// Carry everything from one store to another, as export and import would. A service on the first must be stopped for
    /// good, or what it does meanwhile is left behind.
    Migrate {
        /// From where: `embedded:DIRECTORY`, `redis` for what the --redis-… settings name, or the URL of one server,
        /// redis://host:port/database; rediss:// for TLS.
        #[arg(long, value_name = "STORE", env = "SARSEN_FROM", hide_env_values = true)]
        from: String,
        /// To where, likewise.
        #[arg(long, value_name = "STORE", env = "SARSEN_TO", hide_env_values = true)]
        to: String,
        /// The store that `redis` means.
        #[command(flatten)]
        place: StoreFlags,
    },
    /// Examine everything that a store keeps: that each match is what its log makes, that lists and the due index agree
    /// with matches and that inboxes name steps that exist. A fault is a line; the exit code is 1 if any is left. An
    /// embedded store must be stopped, on Redis a service may go on.
    Check {
        /// Put lists, the due index, the directory and ratings right, and remove damaged tickets of pools. Matches are never
        /// changed.
        #[arg(long)]
        fix: bool,
        /// The store.
        #[command(flatten)]
        place: StoreFlags,
        /// The component sets of the games.
        #[command(flatten)]
        components: ComponentFlags,
    },
    /// Copy an embedded store into a new file: a stopped one itself, one that is served with --url. The copy is a store:
    /// to restore it, put it in an empty data directory as sarsen.redb.
    Backup(BackupFlags),
    /// Work on ratings.
    #[command(subcommand)]
    Ratings(RatingsCommand),
    /// Make keys.
    #[command(subcommand)]
    Keys(KeysCommand),
    /// Ask a service on this machine whether it is ready: exit code 0 if it answers 200 within 2 seconds, otherwise 1.
    Healthcheck(HealthcheckFlags),
}

/// The store to back up, and the destination.
#[derive(Args, Clone, Debug)]
pub struct BackupFlags {
    /// The file, which must not be there yet.
    pub file: PathBuf,
    /// Directory of the embedded store, also of one that is served.
    #[arg(long, env = "SARSEN_DATA_DIR", default_value = "./sarsen-data", value_name = "DIRECTORY")]
    pub data_dir: PathBuf,
    /// The service that uses the store, http://host:port, if one does: it makes the backup, in its data directory, which
    /// must be on this machine to be copied from. It needs a token with the scope admin:operate, from --token-file or the
    /// environment variable SARSEN_ADMIN_TOKEN.
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// File that holds the token.
    #[arg(long, value_name = "FILE", requires = "url")]
    pub token_file: Option<PathBuf>,
}

/// The operator's token of the environment variable SARSEN_ADMIN_TOKEN. It is no flag, since everybody on a machine sees
/// the arguments of its programs.
#[expect(clippy::disallowed_methods, reason = "the one setting that must not be a flag")]
pub fn admin_token() -> Option<String> {
    std::env::var("SARSEN_ADMIN_TOKEN").ok()
}

/// The work on ratings.
#[derive(Subcommand, Debug)]
pub enum RatingsCommand {
    /// Compute ratings and boards again from their logs, without the matches that were annulled. An embedded store must be
    /// stopped, on Redis a service may go on.
    Rebuild {
        /// Only this category, such as contiguity.2.live.
        #[arg(long, value_name = "CATEGORY")]
        category: Option<String>,
        /// The store.
        #[command(flatten)]
        place: StoreFlags,
    },
}

/// The keys to make.
#[derive(Subcommand, Debug)]
pub enum KeysCommand {
    /// Print a new key for --token-keys (SARSEN_TOKEN_KEYS). It is a secret.
    New,
    /// Print a new key for --vapid-key (SARSEN_VAPID_KEY). It is a secret.
    Vapid,
}

/// The address to ask.
#[derive(Args, Clone, Debug)]
pub struct HealthcheckFlags {
    /// URL to ask, http://host:port, with a path for another address than /readyz, such as /healthz.
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// Address on which the service listens, if no URL is given: its port is asked on this machine.
    #[arg(long, env = "SARSEN_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT")]
    pub listen: SocketAddr,
}

pub(super) fn moment(text: &str) -> Result<Timestamp, &'static str> {
    Timestamp::from_rfc3339(text).ok_or("it is no moment in RFC 3339, such as 2026-01-31T12:00:00Z")
}

/// A store that a tool works on.
#[derive(Clone, Debug)]
pub struct StorePlace {
    /// The kind of store, and its settings.
    pub store: StoreSettings,
    /// The directory of an embedded one.
    pub data_dir: PathBuf,
}

impl StoreFlags {
    /// The store that the flags name.
    ///
    /// # Errors
    /// The first setting that cannot be.
    pub fn place(&self) -> Result<StorePlace, WrongSetting> {
        Ok(StorePlace { store: self.settings()?, data_dir: self.data_dir.clone() })
    }

    /// The store that one end of a migration names; `flag` is for errors.
    ///
    /// # Errors
    /// If the text is none, or what it refers to cannot be.
    pub fn end_of_migration(&self, flag: &'static str, text: &str) -> Result<StorePlace, WrongSetting> {
        if let Some(directory) = text.strip_prefix("embedded:").filter(|directory| !directory.is_empty()) {
            return Ok(StorePlace { store: StoreSettings::Embedded, data_dir: directory.into() });
        }
        let on_redis = StoreFlags { store: StoreKind::Redis, ..self.clone() };
        if text == "redis" {
            return on_redis.place();
        }
        if !text.starts_with("redis://") && !text.starts_with("rediss://") {
            return Err(wrong(flag, "is neither embedded:DIRECTORY nor redis nor a URL that starts with redis://"));
        }
        let StoreSettings::Redis(config) = on_redis.settings()? else {
            return Err(wrong(flag, "is no Redis"));
        };
        let config = RedisConfig { urls: vec![text.to_owned()], mode: RedisMode::Single, ..*config };
        Ok(StorePlace { store: StoreSettings::Redis(Box::new(config)), data_dir: self.data_dir.clone() })
    }
}

impl StorePlace {
    /// Returns true if the other is the same store, as far as the settings tell.
    pub fn is(&self, other: &StorePlace) -> bool {
        match (&self.store, &other.store) {
            (StoreSettings::Embedded, StoreSettings::Embedded) => {
                let real = |directory: &PathBuf| std::fs::canonicalize(directory).unwrap_or_else(|_| directory.clone());
                real(&self.data_dir) == real(&other.data_dir)
            }
            (StoreSettings::Redis(one), StoreSettings::Redis(two)) => one.urls == two.urls && one.prefix == two.prefix,
            _ => false,
        }
    }
}
