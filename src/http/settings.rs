//! How to serve: plain values.

use std::net::SocketAddr;
use std::time::Duration;

pub use crate::players::Allowances;

/// Whose pages may call the service from a browser.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Cors {
    /// Nobody's.
    #[default]
    Off,
    /// Everybody's. Tokens travel in a header, never in a cookie, so this is safe.
    Any,
    /// These origins', such as `https://example.org`.
    Origins(Vec<String>),
}

/// How to serve.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// Where to listen; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Worker threads; `None` for one a core.
    pub workers: Option<usize>,
    /// The longest request body in bytes.
    pub body_limit: usize,
    /// The longest time to the head of an answer.
    pub request_timeout: Duration,
    /// How long requests in flight may take after the stop. Whole seconds count.
    pub shutdown_grace: Duration,
    /// Whose pages may call.
    pub cors: Cors,
    /// How many proxies in front append to `X-Forwarded-For`. 0: the peer is the client.
    pub trusted_proxies: u8,
}

impl ServerConfig {
    /// 64 KiB.
    pub const DEFAULT_BODY_LIMIT: usize = 64 * 1024;
    /// 30 seconds.
    pub const DEFAULT_REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
}

impl Default for ServerConfig {
    /// A free port of the loopback interface, for tests.
    fn default() -> ServerConfig {
        ServerConfig {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            workers: None,
            body_limit: ServerConfig::DEFAULT_BODY_LIMIT,
            request_timeout: ServerConfig::DEFAULT_REQUEST_TIMEOUT,
            shutdown_grace: Duration::from_secs(10),
            cors: Cors::Off,
            trusted_proxies: 0,
        }
    }
}
