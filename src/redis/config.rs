//! Settings of the Redis store: its servers and its time limits.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The arrangement of the servers.
#[derive(Clone, PartialEq, Eq)]
pub enum RedisMode {
    /// One server, the first of the URLs.
    Single,
    /// The URLs are those of Sentinels, which know the master of this name. User and password in the URLs are for the
    /// Sentinels; TLS and the database number hold for the servers too.
    Sentinel {
        /// The name under which the Sentinels watch the master.
        master: String,
        /// User for the servers.
        username: Option<String>,
        /// Password for the servers.
        password: Option<String>,
    },
    /// The URLs are those of some nodes of a cluster, with the credentials that hold for all.
    Cluster,
}

/// The wait for replicas before a write is acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replication {
    /// The number of replicas, at least 1. With Sentinels only all of them make a promise: a failover may promote any.
    pub replicas: u32,
    /// The time limit of the wait; with fewer replicas by then, the operation may or may not have happened.
    pub patience: Duration,
}

/// Files in PEM for connections by TLS.
#[derive(Clone, Default)]
pub struct TlsFiles {
    /// The certificates of authorities to trust instead of those of this machine.
    pub ca: Option<PathBuf>,
    /// The certificate of this program, with its chain to the authority, and its key.
    pub client: Option<(PathBuf, PathBuf)>,
}

/// Settings of the Redis store.
#[derive(Clone)]
pub struct RedisConfig {
    /// `redis://` or, for TLS, `rediss://`; `[user[:password]@]host[:port][/database]`. At least one.
    pub urls: Vec<String>,
    /// The arrangement of the servers.
    pub mode: RedisMode,
    /// Certificates for TLS; they need URLs with `rediss://`.
    pub tls: TlsFiles,
    /// The file with the password for the servers (with Sentinels, not for these), read again while the store is open.
    pub password_file: Option<PathBuf>,
    /// The beginning of all keys. No braces.
    pub prefix: String,
    /// The time limit of an operation.
    pub response_timeout: Duration,
    /// The time limit for connecting to one server.
    pub connect_timeout: Duration,
    /// The wait for replicas before a write is acknowledged, if any.
    pub replication: Option<Replication>,
    /// The ids of the games whose lists are read. Without them a query for all games finds nothing.
    pub games: Arc<[String]>,
}

impl RedisConfig {
    /// Returns settings for one server with the defaults: prefix `sarsen`, a second for each limit.
    pub fn single(url: impl Into<String>) -> RedisConfig {
        RedisConfig {
            urls: vec![url.into()],
            mode: RedisMode::Single,
            tls: TlsFiles::default(),
            password_file: None,
            prefix: "sarsen".to_owned(),
            response_timeout: Duration::from_secs(1),
            connect_timeout: Duration::from_secs(1),
            replication: None,
            games: Arc::default(),
        }
    }
}

/// Without the URLs, which may hold passwords.
impl fmt::Debug for RedisConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisConfig").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

/// The reason why the store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The settings cannot be right.
    #[error("the Redis settings are wrong: {0}")]
    Settings(String),
    /// The settings do not lead to a server that answers.
    #[error("Redis does not answer")]
    Unreachable(#[source] redis::RedisError),
    /// The server lacks commands that the store needs.
    #[error("Redis {0} is too old: 6.2 is the oldest that works")]
    TooOld(String),
    /// The server does not return its time, which all instances use.
    #[error("Redis does not tell the time")]
    Clock(#[source] Box<dyn std::error::Error + Send + Sync>),
}
