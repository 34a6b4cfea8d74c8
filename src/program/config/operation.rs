//! Settings for operators of the service: where its metrics are, and how it stops.

use std::net::SocketAddr;
use std::time::Duration;

use clap::Args;

use super::wrong::{WrongSetting, wrong};

/// The settings of operation as written.
#[derive(Args, Clone, Debug)]
pub struct OperationFlags {
    /// Address and port of a listener of its own for `/metrics`; port 0 takes a free one. If left out, the metrics are at
    /// --listen, and there only if that is a loopback address and no proxy is in front (--trusted-proxies 0): they are
    /// for operators and not for players.
    #[arg(long, env = "SARSEN_METRICS_LISTEN", value_name = "ADDRESS:PORT")]
    pub metrics_listen: Option<SocketAddr>,
    /// Time to go on serving after the order to stop, in seconds (0 to 3600): `/readyz` is 503 from the order on, so
    /// that nobody is sent here any more.
    #[arg(long, env = "SARSEN_SHUTDOWN_DELAY_SECONDS", default_value_t = 0, value_name = "SECONDS",
          value_parser = clap::value_parser!(u64).range(0..=3600))]
    pub shutdown_delay_seconds: u64,
    /// Longest time for requests in flight to finish at shutdown, in seconds (0 to 3600), after the delay and the 5 seconds
    /// over which event streams end.
    #[arg(long, env = "SARSEN_SHUTDOWN_GRACE_SECONDS", default_value_t = 30, value_name = "SECONDS",
          value_parser = clap::value_parser!(u64).range(0..=3600))]
    pub shutdown_grace_seconds: u64,
}

impl OperationFlags {
    /// Returns the address for the metrics, beside the service at `listen`.
    pub(super) fn metrics(&self, listen: SocketAddr) -> Result<Option<SocketAddr>, WrongSetting> {
        if self.metrics_listen.is_some_and(|metrics| metrics == listen && metrics.port() != 0) {
            return Err(wrong("metrics-listen", "is the service's own address; leave it out or take another"));
        }
        Ok(self.metrics_listen)
    }

    /// Returns the time to serve on after the order to stop.
    pub(super) fn delay(&self) -> Duration {
        Duration::from_secs(self.shutdown_delay_seconds)
    }

    /// Returns the grace period of requests in flight.
    pub(super) fn grace(&self) -> Duration {
        Duration::from_secs(self.shutdown_grace_seconds)
    }
}
