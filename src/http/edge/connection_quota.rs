//! Quotas of open connections by address, and of streams by address and player. A connection whose peer is gone is closed.
//!
//! Invariants:
//! - Each instance counts in memory alone, so a count costs no trip to the store.
//! - The instance answers a connection over the quota once (`guard` says 429) and closes it. It closes one far over the
//!   quota unanswered.
//! - A stream over the player's quota ends the player's oldest one instead: a phone that has lost its network leaves
//!   streams behind which nobody closes. The ended one stops counting at once, even while its connection is open.
//!
//! Behind trusted proxies this module counts no connections: they belong to the proxies, which bound their own clients.

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::net::{Shutdown, TcpStream};
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::dev::Extensions;
use actix_web::rt::net::TcpStream as AcceptedStream;
use socket2::{SockRef, TcpKeepalive};
use tokio_util::sync::CancellationToken;

use super::address::{client_address, network};
use super::quota::{Quota, Share};
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::settings::ServerConfig;
use sarsen_base::ids::PlayerId;

/// The `Retry-After` of a client over its quota, in seconds.
const RETRY_SECONDS: u64 = 5;

/// After how long without a sign of the peer a connection is closed. An event stream says something every 15 seconds, so
/// its connection ends within 45 seconds after the peer's network has.
#[cfg(target_os = "linux")]
const PEER_SILENCE: Duration = Duration::from_secs(30);
/// Probes of a peer to whom nothing has to be sent: the first after so long, the others so long after each other.
const PROBE_AFTER: Duration = Duration::from_secs(15);
const PROBE_EVERY: Duration = Duration::from_secs(5);
const PROBES: u32 = 3;

/// The connections and streams that addresses and players have open.
pub(crate) struct ConnectionQuota {
    /// `None` behind proxies.
    connections: Option<Quota<String>>,
    streams_of_address: Quota<String>,
    streams_of_player: usize,
    of_players: Arc<Mutex<PlayersStreams>>,
}

/// The streams of players, the oldest of each first.
#[derive(Default)]
struct PlayersStreams {
    opened: u64,
    of: HashMap<PlayerId, VecDeque<PlayersStream>>,
}

/// A stream of a player, in the count of its address.
struct PlayersStream {
    number: u64,
    of_address: Share<String>,
    displaced: CancellationToken,
    /// False for one of which others are not told.
    visible: bool,
}

/// A panic elsewhere leaves the streams as they were.
fn locked(streams: &Mutex<PlayersStreams>) -> MutexGuard<'_, PlayersStreams> {
    streams.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One connection in the count of its address.
pub(crate) type ConnectionShare = Share<String>;

/// One stream in the counts of its address and its player.
pub(crate) struct StreamShare(Counted);

enum Counted {
    /// Nobody's, in the count of its address.
    Anonymous {
        _of_address: Share<String>,
    },
    Players {
        player: PlayerId,
        number: u64,
        among: Arc<Mutex<PlayersStreams>>,
        displaced: CancellationToken,
    },
}

impl StreamShare {
    /// Waits until a newer stream of the same player has taken the place of this one.
    pub(crate) async fn displaced(&self) {
        match &self.0 {
            Counted::Anonymous { .. } => std::future::pending().await,
            Counted::Players { displaced, .. } => displaced.cancelled().await,
        }
    }
}

impl Drop for StreamShare {
    fn drop(&mut self) {
        let Counted::Players { player, number, among, .. } = &self.0 else { return };
        let mut among = locked(among);
        let Some(own) = among.of.get_mut(player) else { return };
        own.retain(|stream| stream.number != *number);
        if own.is_empty() {
            among.of.remove(player);
        }
    }
}

impl ConnectionQuota {
    /// Empty counts under the quotas of `config`.
    pub(crate) fn new(config: &ServerConfig) -> ConnectionQuota {
        let quotas = &config.quotas;
        ConnectionQuota {
            connections: (config.trusted_proxies == 0).then(|| Quota::of(quotas.connections_per_address)),
            streams_of_address: Quota::of(quotas.streams_per_address),
            streams_of_player: quotas.streams_per_player.map_or(usize::MAX, |most| most as usize),
            of_players: Arc::default(),
        }
    }

    /// Counts a new connection, and has it closed when its peer is gone; `kept` lives as long as it does.
    pub(crate) fn connected(&self, connection: &dyn Any, kept: &mut Extensions) {
        let Some(stream) = connection.downcast_ref::<AcceptedStream>() else { return };
        if let Err(error) = notice_absence(stream) {
            tracing::debug!(
                error = &error as &dyn std::error::Error,
                "the end of a connection's peer will go unnoticed"
            );
        }
        let (Some(connections), Ok(peer)) = (&self.connections, stream.peer_addr()) else { return };
        let share = connections.take(network(peer.ip()));
        if share.is_far_over() {
            close(stream);
        }
        kept.insert::<ConnectionShare>(share);
    }

    /// Counts a stream that this request opens. One over a quota takes the place of the player's oldest: of any where the
    /// player has too many, of one from the same address where the address has.
    ///
    /// # Errors
    /// `too_many_streams` where the address has too many and none of them is the player's.
    pub(crate) fn take_stream(
        &self,
        request: &HttpRequest,
        player: Option<&PlayerId>,
        visible: bool,
    ) -> Result<StreamShare, Problem> {
        let of_address = self.streams_of_address.take(client_address(request));
        let full = of_address.is_over();
        let Some(player) = player else {
            let counted = StreamShare(Counted::Anonymous { _of_address: of_address });
            return if full { Err(address_full()) } else { Ok(counted) };
        };
        let mut streams = locked(&self.of_players);
        let own = streams.of.get(player);
        let leaves = match own {
            Some(own) if full => own.iter().position(|stream| stream.of_address.is_of_the_same(&of_address)),
            Some(own) => (own.len() >= self.streams_of_player).then_some(0),
            None => None,
        };
        if full && leaves.is_none() {
            return Err(address_full());
        }
        streams.opened += 1;
        let (number, displaced) = (streams.opened, CancellationToken::new());
        let own = streams.of.entry(player.clone()).or_default();
        if let Some(oldest) = leaves.and_then(|place| own.remove(place)) {
            oldest.displaced.cancel();
        }
        own.push_back(PlayersStream { number, of_address, displaced: displaced.clone(), visible });
        let (player, among) = (player.clone(), Arc::clone(&self.of_players));
        Ok(StreamShare(Counted::Players { player, number, among, displaced }))
    }

    /// Returns true if the player has a stream open here that counts as presence.
    pub(crate) fn is_streaming(&self, player: &PlayerId) -> bool {
        locked(&self.of_players).of.get(player).is_some_and(|own| own.iter().any(|stream| stream.visible))
    }
}

fn address_full() -> Problem {
    let detail = "this address has as many streams open as are allowed";
    Problem::new(Code::TooManyStreams).retry_after_seconds(RETRY_SECONDS).detail(detail)
}

/// Has the system close the connection when its peer is gone: what it was sent is not acknowledged, or, where nothing is
/// sent, it answers no probe.
fn notice_absence(stream: &AcceptedStream) -> std::io::Result<()> {
    let socket = SockRef::from(stream);
    let probes = TcpKeepalive::new().with_time(PROBE_AFTER).with_interval(PROBE_EVERY).with_retries(PROBES);
    socket.set_tcp_keepalive(&probes)?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(PEER_SILENCE))?;
    Ok(())
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
    use actix_web::test::TestRequest;
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

    #[actix_web::test]
    async fn a_connection_ends_soon_after_its_peer_is_gone() {
        let connection_quota = ConnectionQuota::new(&ServerConfig::default());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let _client = AcceptedStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (accepted, _) = listener.accept().await.unwrap();
        connection_quota.connected(&accepted, &mut Extensions::new());
        let socket = SockRef::from(&accepted);
        assert!(socket.keepalive().unwrap());
        assert_eq!(socket.tcp_keepalive_time().unwrap(), PROBE_AFTER);
        #[cfg(target_os = "linux")]
        assert_eq!(socket.tcp_user_timeout().unwrap(), Some(PEER_SILENCE));
    }

    fn quota(streams_per_address: u32, streams_per_player: u32) -> ConnectionQuota {
        let quotas = Quotas {
            streams_per_address: Some(streams_per_address),
            streams_per_player: Some(streams_per_player),
            ..Quotas::default()
        };
        ConnectionQuota::new(&ServerConfig { quotas, ..ServerConfig::default() })
    }

    fn from(address: u8) -> HttpRequest {
        TestRequest::default().peer_addr(([10, 0, 0, address], 1).into()).to_http_request()
    }

    fn is_displaced(share: &StreamShare) -> bool {
        matches!(&share.0, Counted::Players { displaced, .. } if displaced.is_cancelled())
    }

    #[test]
    fn a_stream_over_the_players_quota_takes_the_place_of_the_oldest() {
        let quota = quota(100, 2);
        let player: PlayerId = "p_0190163d8694739ea2a3c9f1e7d1a444".parse().unwrap();
        let open = |address| quota.take_stream(&from(address), Some(&player), true).unwrap();
        let shares: Vec<StreamShare> = (1..=4).map(open).collect();
        assert_eq!(shares.iter().map(is_displaced).collect::<Vec<_>>(), [true, true, false, false]);
        // A displaced one counts no more, also when it goes late.
        drop(shares);
        assert!(locked(&quota.of_players).of.is_empty());
        let (one, two) = (open(1), open(1));
        assert!(!is_displaced(&one) && !is_displaced(&two));
    }

    #[test]
    fn a_player_is_there_while_a_visible_stream_is_open() {
        let quota = quota(100, 2);
        let player: PlayerId = "p_0190163d8694739ea2a3c9f1e7d1a444".parse().unwrap();
        let open = |visible| quota.take_stream(&from(1), Some(&player), visible).unwrap();
        let hidden = open(false);
        assert!(!quota.is_streaming(&player));
        let (one, two) = (open(true), open(true));
        drop(one);
        assert!(quota.is_streaming(&player));
        drop((two, hidden));
        assert!(!quota.is_streaming(&player));
    }

    #[test]
    fn a_full_address_takes_a_stream_only_in_place_of_the_players_own() {
        let quota = quota(2, 100);
        let [ann, ben] = ["p_0190163d8694739ea2a3c9f1e7d1a444", "p_0190163d8694739ea2a3c9f1e7d1a555"]
            .map(|player| player.parse::<PlayerId>().unwrap());
        let open = |address, player: Option<&PlayerId>| quota.take_stream(&from(address), player, true);
        let (elsewhere, first) = (open(2, Some(&ann)).unwrap(), open(1, Some(&ann)).unwrap());
        let _nobodys = open(1, None).unwrap();
        assert!(open(1, None).is_err() && open(1, Some(&ben)).is_err());
        let second = open(1, Some(&ann)).unwrap();
        assert!(is_displaced(&first) && !is_displaced(&elsewhere) && !is_displaced(&second));
        assert!(open(1, None).is_err(), "one went, one came");
        drop((first, second));
        assert!(open(1, Some(&ben)).is_ok());
    }
}
