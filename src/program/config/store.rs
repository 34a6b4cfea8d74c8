//! Settings that say where matches and players are kept.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::wrong::{WrongSetting, wrong};
use sarsen_store::redis::{RedisConfig, RedisMode, Replication, TlsFiles};

/// The store to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum StoreKind {
    /// In the data directory, for one process.
    Embedded,
    /// On Redis 6.2 or newer, or Valkey, shared by all instances.
    Redis,
}

/// The arrangement of the Redis servers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum RedisArrangement {
    /// One server.
    Single,
    /// Sentinels that know the master.
    Sentinel,
    /// A cluster.
    Cluster,
}

/// The store of matches and players, as written.
#[derive(Args, Clone)]
pub struct StoreFlags {
    /// Directory of the embedded store and of the token key it makes.
    #[arg(long, env = "SARSEN_DATA_DIR", default_value = "./sarsen-data", value_name = "DIRECTORY")]
    pub data_dir: PathBuf,
    /// Store of matches and players.
    #[arg(long, env = "SARSEN_STORE", default_value = "embedded", value_enum)]
    pub store: StoreKind,
    /// Redis URLs, separated by commas: the server, some of the Sentinels, or some nodes of the cluster.
    /// Each is redis://user:password@host:port/database, of which all but the host may be left out; rediss:// for TLS.
    #[arg(
        long,
        env = "SARSEN_REDIS_URL",
        default_value = "redis://127.0.0.1:6379",
        hide_env_values = true,
        value_name = "URLS"
    )]
    pub redis_url: String,
    /// Arrangement of the Redis servers.
    #[arg(long, env = "SARSEN_REDIS_MODE", default_value = "single", value_enum)]
    pub redis_mode: RedisArrangement,
    /// Name under which the Sentinels watch the master.
    #[arg(long, env = "SARSEN_REDIS_SENTINEL_MASTER", value_name = "NAME")]
    pub redis_sentinel_master: Option<String>,
    /// With Sentinels: user for the Redis servers themselves.
    #[arg(long, env = "SARSEN_REDIS_USERNAME", allow_hyphen_values = true, value_name = "NAME")]
    pub redis_username: Option<String>,
    /// With Sentinels: password for the Redis servers themselves.
    #[arg(
        long,
        env = "SARSEN_REDIS_PASSWORD",
        hide_env_values = true,
        allow_hyphen_values = true,
        value_name = "PASSWORD"
    )]
    pub redis_password: Option<String>,
    /// File with the password for the Redis servers themselves, in place of one in the URLs. It is read again every five
    /// seconds: connections sign in again with a changed one, so put the new password here once the servers take both.
    #[arg(long, env = "SARSEN_REDIS_PASSWORD_FILE", value_name = "FILE", conflicts_with = "redis_password")]
    pub redis_password_file: Option<PathBuf>,
    /// Certificates of the authorities that sign those of the Redis servers, in PEM; if left out, those that this machine
    /// trusts.
    #[arg(long, env = "SARSEN_REDIS_CA_FILE", value_name = "FILE")]
    pub redis_ca_file: Option<PathBuf>,
    /// Certificate by which the service proves to the Redis servers who it is, in PEM, with what leads to its authority.
    #[arg(long, env = "SARSEN_REDIS_CERTIFICATE_FILE", value_name = "FILE", requires = "redis_key_file")]
    pub redis_certificate_file: Option<PathBuf>,
    /// Key of that certificate, in PEM.
    #[arg(long, env = "SARSEN_REDIS_KEY_FILE", value_name = "FILE", requires = "redis_certificate_file")]
    pub redis_key_file: Option<PathBuf>,
    /// Prefix of all Redis keys.
    #[arg(long, env = "SARSEN_REDIS_KEY_PREFIX", default_value = "sarsen", value_name = "TEXT")]
    pub redis_key_prefix: String,
    /// Longest time for one Redis operation, in milliseconds (50 to 60000).
    #[arg(long, env = "SARSEN_REDIS_TIMEOUT_MILLISECONDS", default_value_t = 1000, value_name = "MILLISECONDS",
          value_parser = clap::value_parser!(u64).range(50..=60_000))]
    pub redis_timeout_milliseconds: u64,
    /// Number of Redis replicas that must have a change before it is acknowledged (0 to 16); with fewer in time the
    /// answer is 503. With Sentinels only all of them make a promise, in a cluster all of one master's.
    #[arg(long, env = "SARSEN_REDIS_WAIT_REPLICAS", default_value_t = 0, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(0..=16))]
    pub redis_wait_replicas: u32,
    /// Longest wait for these replicas, in milliseconds (10 to 60000).
    #[arg(long, env = "SARSEN_REDIS_WAIT_MILLISECONDS", default_value_t = 500, value_name = "MILLISECONDS",
          value_parser = clap::value_parser!(u64).range(10..=60_000))]
    pub redis_wait_milliseconds: u64,
}

/// Without what may hold secrets.
impl std::fmt::Debug for StoreFlags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoreFlags")
            .field("data_dir", &self.data_dir)
            .field("store", &self.store)
            .finish_non_exhaustive()
    }
}

/// The store of matches and players.
#[derive(Clone, Debug)]
pub enum StoreSettings {
    /// In the data directory.
    Embedded,
    /// On Redis.
    Redis(Box<RedisConfig>),
}

impl StoreFlags {
    /// Returns the settings that the flags mean.
    ///
    /// # Errors
    /// The first setting that cannot be, in one sentence.
    pub fn settings(&self) -> Result<StoreSettings, WrongSetting> {
        Ok(match self.store {
            StoreKind::Embedded => StoreSettings::Embedded,
            StoreKind::Redis => StoreSettings::Redis(Box::new(self.redis()?)),
        })
    }

    fn redis(&self) -> Result<RedisConfig, WrongSetting> {
        let urls: Vec<String> = self.redis_url.split(',').map(|url| url.trim().to_owned()).collect();
        if !urls.iter().all(|url| url.starts_with("redis://") || url.starts_with("rediss://")) {
            return Err(wrong("redis-url", "has an entry that does not start with redis:// or rediss://"));
        }
        let mode = match (self.redis_mode, &self.redis_sentinel_master) {
            (RedisArrangement::Single, _) if urls.len() > 1 => {
                return Err(wrong("redis-url", "has several entries, but --redis-mode is single"));
            }
            (RedisArrangement::Single, _) => RedisMode::Single,
            (RedisArrangement::Cluster, _) => RedisMode::Cluster,
            (RedisArrangement::Sentinel, None) => {
                return Err(wrong("redis-sentinel-master", "is required with --redis-mode sentinel"));
            }
            (RedisArrangement::Sentinel, Some(master)) => RedisMode::Sentinel {
                master: master.clone(),
                username: self.redis_username.clone(),
                password: self.redis_password.clone(),
            },
        };
        let prefix = &self.redis_key_prefix;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
        if prefix.is_empty() || prefix.len() > 64 || !prefix.bytes().all(plain) {
            return Err(wrong("redis-key-prefix", "is not 1 to 64 letters, digits or any of -_.:"));
        }
        let tls = TlsFiles {
            ca: self.redis_ca_file.clone(),
            client: self.redis_certificate_file.clone().zip(self.redis_key_file.clone()),
        };
        if (tls.ca.is_some() || tls.client.is_some()) && !urls.iter().all(|url| url.starts_with("rediss://")) {
            return Err(wrong("redis-url", "has an entry without TLS (rediss://), but there are certificates for it"));
        }
        let timeout = Duration::from_millis(self.redis_timeout_milliseconds);
        let replication = (self.redis_wait_replicas > 0).then(|| Replication {
            replicas: self.redis_wait_replicas,
            patience: Duration::from_millis(self.redis_wait_milliseconds),
        });
        let prefix = prefix.clone();
        let (response_timeout, connect_timeout) = (timeout, timeout);
        // The code that opens the store sets the games.
        let games = Arc::default();
        let password_file = self.redis_password_file.clone();
        Ok(RedisConfig {
            urls,
            mode,
            tls,
            password_file,
            prefix,
            response_timeout,
            connect_timeout,
            replication,
            games,
        })
    }
}
