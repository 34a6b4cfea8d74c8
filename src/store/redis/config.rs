//! Where Redis is and how long to wait for it.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::StoreError;

/// How the servers are arranged.
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

/// How many replicas must have what is written before it is acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replication {
    /// So many replicas, at least 1. With Sentinels only all of them make a promise: a failover may promote any.
    pub replicas: u32,
    /// How long to wait for them; with fewer by then, what was asked may or may not have happened.
    pub patience: Duration,
}

/// Files in PEM for connections by TLS.
#[derive(Clone, Default)]
pub struct TlsFiles {
    /// The certificates of authorities to trust instead of those of this machine.
    pub ca: Option<PathBuf>,
    /// The certificate by which this program proves who it is, with what leads to its authority, and its key.
    pub client: Option<(PathBuf, PathBuf)>,
}

/// Settings of the Redis store.
#[derive(Clone)]
pub struct RedisConfig {
    /// `redis://` or, for TLS, `rediss://`; `[user[:password]@]host[:port][/database]`. At least one.
    pub urls: Vec<String>,
    /// How the servers are arranged.
    pub mode: RedisMode,
    /// Certificates of one's own; they need URLs with `rediss://`.
    pub tls: TlsFiles,
    /// The file that holds the password for the servers (with Sentinels, not for these), read again while the store is open.
    pub password_file: Option<PathBuf>,
    /// What all keys start with. No braces.
    pub prefix: String,
    /// How long an operation may take before it is given up.
    pub response_timeout: Duration,
    /// How long connecting to one server may take.
    pub connect_timeout: Duration,
    /// What is waited for before a write is acknowledged, besides the server's own answer.
    pub replication: Option<Replication>,
    /// The ids of the games whose lists are read. Without them a query for all games finds nothing.
    pub games: Arc<[String]>,
}

impl RedisConfig {
    /// One server with the defaults: prefix `sarsen`, a second for everything.
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
        let mode = match &self.mode {
            RedisMode::Single => "single",
            RedisMode::Sentinel { .. } => "sentinel",
            RedisMode::Cluster => "cluster",
        };
        f.debug_struct("RedisConfig")
            .field("urls", &self.urls.len())
            .field("mode", &mode)
            .field("prefix", &self.prefix)
            .field("response_timeout", &self.response_timeout)
            .field("connect_timeout", &self.connect_timeout)
            .field("replication", &self.replication)
            .finish()
    }
}

/// Why the store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The settings cannot be right.
    #[error("the Redis settings are wrong: {0}")]
    Settings(String),
    /// The settings do not lead to a server that answers.
    #[error("Redis does not answer")]
    Unreachable(#[source] redis::RedisError),
    /// The server lacks commands that are needed.
    #[error("Redis {0} is too old: 6.2 is the oldest that works")]
    TooOld(String),
    /// The server does not tell the time, by which all instances go.
    #[error("Redis does not tell the time")]
    Clock(#[source] StoreError),
}
