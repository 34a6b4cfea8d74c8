//! Quotas of open connections by address, and of streams by address and player.
//!
//! Invariant: each instance counts in memory alone, so a count costs no trip to the store. The instance answers a
//! connection over the quota once (`guard` says 429) and closes it. It closes one far over the quota unanswered.
//!
//! Behind trusted proxies this module counts no connections: they belong to the proxies, which bound their own clients.

use std::any::Any;
use std::net::{Shutdown, TcpStream};
use std::os::fd::AsFd;

use actix_web::HttpRequest;
use actix_web::dev::Extensions;
use actix_web::rt::net::TcpStream as AcceptedStream;

use super::address::{client_address, network};
use super::quota::{Quota, Share};
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::settings::ServerConfig;
use sarsen_base::ids::PlayerId;

/// The `Retry-After` of a client over its quota, in seconds.
const RETRY_SECONDS: u64 = 5;

/// The connections and streams that addresses and players have open.
pub(crate) struct ConnectionQuota {
    /// `None` behind proxies.
    connections: Option<Quota<String>>,
    streams_of_address: Quota<String>,
    streams_of_player: Quota<PlayerId>,
}

/// One connection in the count of its address.
pub(crate) type ConnectionShare = Share<String>;

/// One stream in the counts of its address and its player.
pub(crate) struct StreamShare {
    _of_address: Share<String>,
    _of_player: Option<Share<PlayerId>>,
}

impl ConnectionQuota {
    /// Empty counts under the quotas of `config`.
    pub(crate) fn new(config: &ServerConfig) -> ConnectionQuota {
        let quotas = &config.quotas;
        ConnectionQuota {
            connections: (config.trusted_proxies == 0).then(|| Quota::of(quotas.connections_per_address)),
            streams_of_address: Quota::of(quotas.streams_per_address),
            streams_of_player: Quota::of(quotas.streams_per_player),
        }
    }

    /// Counts a new connection; `kept` lives as long as it does.
    pub(crate) fn connected(&self, connection: &dyn Any, kept: &mut Extensions) {
        let Some(stream) = connection.downcast_ref::<AcceptedStream>() else { return };
        let (Some(connections), Ok(peer)) = (&self.connections, stream.peer_addr()) else { return };
        let share = connections.take(network(peer.ip()));
        if share.is_far_over() {
            close(stream);
        }
        kept.insert::<ConnectionShare>(share);
    }

    /// Counts a stream that this request opens.
    ///
    /// # Errors
    /// `too_many_streams`.
    pub(crate) fn take_stream(&self, request: &HttpRequest, player: Option<&PlayerId>) -> Result<StreamShare, Problem> {
        let of_address = self.streams_of_address.take(client_address(request));
        let of_player = player.map(|player| self.streams_of_player.take(player.clone()));
        let whose = match &of_player {
            Some(share) if share.is_over() => "this player",
            _ if of_address.is_over() => "this address",
            _ => return Ok(StreamShare { _of_address: of_address, _of_player: of_player }),
        };
        let detail = format!("{whose} has as many streams open as are allowed");
        Err(Problem::new(Code::TooManyStreams).retry_after_seconds(RETRY_SECONDS).detail(detail))
    }
}

/// Refuses a request on a connection over the quota.
///
/// # Errors
/// `too_many_connections`.
pub(crate) fn check_connection(share: Option<&ConnectionShare>) -> Result<(), Problem> {
    if share.is_some_and(Share::is_over) {
        return Err(Problem::new(Code::TooManyConnections).retry_after_seconds(RETRY_SECONDS));
    }
    Ok(())
}

/// Closes a connection unanswered. Its owner notices at the first read.
fn close(stream: &AcceptedStream) {
    let same = stream.as_fd().try_clone_to_owned().map(TcpStream::from);
    if let Err(error) = same.and_then(|same| same.shutdown(Shutdown::Both)) {
        tracing::debug!(error = &error as &dyn std::error::Error, "a connection too many is gone already");
    }
}

#[cfg(test)]
mod tests {
    use actix_web::rt::net::TcpListener;
    use tokio::io::AsyncReadExt;

    use super::*;
    use crate::settings::Quotas;

    #[actix_web::test]
    async fn a_connection_far_over_the_quota_is_closed_at_once() {
        let quotas = Quotas { connections_per_address: Some(1), ..Quotas::default() };
        let connection_quota = ConnectionQuota::new(&ServerConfig { quotas, ..ServerConfig::default() });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut open = Vec::new();
        for number in 1..=3 {
            let client = AcceptedStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let (accepted, _) = listener.accept().await.unwrap();
            let mut kept = Extensions::new();
            connection_quota.connected(&accepted, &mut kept);
            assert_eq!(check_connection(kept.get()).is_err(), number > 1);
            open.push((client, accepted, kept));
        }
        let (mut closed, _accepted, _) = open.pop().unwrap();
        assert_eq!(closed.read(&mut [0]).await.unwrap(), 0);
        drop(open);
        let mut kept = Extensions::new();
        let _client = AcceptedStream::connect(listener.local_addr().unwrap()).await.unwrap();
        connection_quota.connected(&listener.accept().await.unwrap().0, &mut kept);
        assert!(check_connection(kept.get()).is_ok());
    }
}
