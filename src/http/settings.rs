//! Settings of the server, as plain values.

use std::net::SocketAddr;
use std::time::Duration;

pub use sarsen_accounts::players::Allowances;

/// The web pages that may call the service from a browser.
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

/// The quotas of one holder: the most that it may have at a time, on each instance; `None` means no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Quotas {
    /// Connections of one address.
    pub connections_per_address: Option<u32>,
    /// Streams of one address.
    pub streams_per_address: Option<u32>,
    /// Streams of one player.
    pub streams_per_player: Option<u32>,
}

/// The availability of the playground.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Playground {
    /// Serves the playground where only this machine can reach it.
    #[default]
    Auto,
    /// Always.
    On,
    /// Never.
    Off,
}

/// The settings of the server.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Worker threads; `None` for one a core.
    pub workers: Option<usize>,
    /// The longest request body in bytes.
    pub body_limit: usize,
    /// The longest time to the head of an answer.
    pub request_timeout: Duration,
    /// The time that a connection stays open without a request. Whole seconds count.
    pub keep_alive: Duration,
    /// The address of a separate listener for `/metrics`; `None` for the service's own, if that is for this machine
    /// alone.
    pub metrics_listen: Option<SocketAddr>,
    /// The time to serve on after the order to stop, while the service reports that it is not ready.
    pub shutdown_delay: Duration,
    /// Over how long streams and long polls end then, each at a moment of its own.
    pub streams_end_over: Duration,
    /// The grace period of requests in flight after that. Whole seconds count.
    pub shutdown_grace: Duration,
    /// The web pages that may call the service.
    pub cors: Cors,
    /// The number of proxies in front that append to `X-Forwarded-For`. 0: the peer is the client.
    pub trusted_proxies: u8,
    /// The availability of the playground.
    pub playground: Playground,
    /// True if the service serves the tools for agents at `/mcp`.
    pub mcp: bool,
    /// The URL at which players accept invites, with `{code}` in place of the code.
    pub invite_url: Option<String>,
    /// The quotas of one holder.
    pub quotas: Quotas,
    /// The most connections at a time, over all workers; `None` for as many as the server takes by itself.
    pub connections_max: Option<usize>,
}

impl ServerConfig {
    /// 64 KiB.
    pub(crate) const DEFAULT_BODY_LIMIT: usize = 64 * 1024;
    /// 30 seconds.
    pub(crate) const DEFAULT_REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
    /// 75 seconds: longer than the 60 for which proxies keep theirs, so that it is the proxy that closes.
    pub const DEFAULT_KEEP_ALIVE: Duration = Duration::from_secs(75);
    /// 5 seconds: those who followed a stream here do not all come to another instance at once.
    pub const STREAMS_END_OVER: Duration = Duration::from_secs(5);

    /// Returns true if the service's own address serves the metrics: only where no stranger can reach it, so not behind
    /// a proxy.
    pub fn shows_metrics(&self) -> bool {
        self.metrics_listen.is_none() && self.is_for_this_machine()
    }

    /// Returns true if the service serves `/playground`.
    pub fn shows_playground(&self) -> bool {
        match self.playground {
            Playground::Auto => self.is_for_this_machine(),
            Playground::On => true,
            Playground::Off => false,
        }
    }

    /// Returns true if no stranger can reach the service, as far as the settings tell.
    fn is_for_this_machine(&self) -> bool {
        self.listen.ip().is_loopback() && self.trusted_proxies == 0
    }
}

impl Default for ServerConfig {
    /// A free port of the loopback interface, and streams that end at once: for tests.
    fn default() -> ServerConfig {
        ServerConfig {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            workers: None,
            body_limit: ServerConfig::DEFAULT_BODY_LIMIT,
            request_timeout: ServerConfig::DEFAULT_REQUEST_TIMEOUT,
            keep_alive: ServerConfig::DEFAULT_KEEP_ALIVE,
            metrics_listen: None,
            shutdown_delay: Duration::ZERO,
            streams_end_over: Duration::ZERO,
            shutdown_grace: Duration::from_secs(10),
            cors: Cors::Off,
            trusted_proxies: 0,
            playground: Playground::Auto,
            mcp: true,
            invite_url: None,
            quotas: Quotas::default(),
            connections_max: None,
        }
    }
}
