//! What addresses and players hold of this instance: connections and streams.
//!
//! Invariant: it is counted in memory alone, so it costs no trip to the store, and each instance allows as much again. A
//! connection over the quota is answered once (`guard` says 429) and closed, one far over it is closed unanswered.
//!
//! Behind proxies of one's own the connections are the proxies', which have to bound their clients; they are not counted
//! here.

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

/// When a client should try again that has too much open, in seconds.
const RETRY_SECONDS: u64 = 5;

/// What addresses and players hold.
pub struct Holdings {
    /// `None` behind proxies.
    connections: Option<Quota<String>>,
    streams_of_address: Quota<String>,
    streams_of_player: Quota<PlayerId>,
}

/// A connection, as one of its address'.
pub type ConnectionShare = Share<String>;

/// A stream, as one of its address' and its player's.
pub struct StreamShare {
    _of_address: Share<String>,
    _of_player: Option<Share<PlayerId>>,
}

impl Holdings {
    /// Nothing held yet, under the quotas of `config`.
    pub fn new(config: &ServerConfig) -> Holdings {
        let quotas = &config.quotas;
        Holdings {
            connections: (config.trusted_proxies == 0).then(|| Quota::of(quotas.connections_per_address)),
            streams_of_address: Quota::of(quotas.streams_per_address),
            streams_of_player: Quota::of(quotas.streams_per_player),
        }
    }

    /// Counts a new connection; `kept` lives as long as it does.
    pub fn connected(&self, connection: &dyn Any, kept: &mut Extensions) {
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
    pub fn take_stream(&self, request: &HttpRequest, player: Option<&PlayerId>) -> Result<StreamShare, Problem> {
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

/// Refuses a request whose connection is one too many.
///
/// # Errors
/// `too_many_connections`.
pub fn check_connection(share: Option<&ConnectionShare>) -> Result<(), Problem> {
    if share.is_some_and(Share::is_over) {
        return Err(Problem::new(Code::TooManyConnections).retry_after_seconds(RETRY_SECONDS));
    }
    Ok(())
}

/// Ends a connection without a word. Its owner finds it ended when it first reads.
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
        let holdings = Holdings::new(&ServerConfig { quotas, ..ServerConfig::default() });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut open = Vec::new();
        for number in 1..=3 {
            let client = AcceptedStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let (accepted, _) = listener.accept().await.unwrap();
            let mut kept = Extensions::new();
            holdings.connected(&accepted, &mut kept);
            assert_eq!(check_connection(kept.get()).is_err(), number > 1);
            open.push((client, accepted, kept));
        }
        let (mut closed, _accepted, _) = open.pop().unwrap();
        assert_eq!(closed.read(&mut [0]).await.unwrap(), 0);
        drop(open);
        let mut kept = Extensions::new();
        let _client = AcceptedStream::connect(listener.local_addr().unwrap()).await.unwrap();
        holdings.connected(&listener.accept().await.unwrap().0, &mut kept);
        assert!(check_connection(kept.get()).is_ok());
    }
}
