//! Live messages: one subscription an instance, forwarded to all its receivers.
//!
//! Invariant: whenever messages may have been lost, [`Live::Interrupted`] comes at once, and [`Live::Resync`] follows. That
//! comes only after the subscription is established again, so that a receiver that reads the store then misses nothing.

use std::sync::Arc;
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{Msg, PushInfo, PushKind, RedisResult};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::{Instant, sleep};

use super::subscriptions::Asked;
use crate::{ItemOwner, Live, StreamsMessage};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;
use sarsen_redis::checks::ping;
use sarsen_redis::connector::Connector;
use sarsen_redis::limit::{HEARTBEAT, within};

/// The number of live messages that a slow receiver may lag behind before it has to read the store itself.
const LIVE_KEPT: usize = 8192;
const RETRY: Duration = Duration::from_millis(250);

/// The receivers of this instance.
pub(super) struct Listeners {
    pub(super) live: broadcast::Sender<Live>,
    pub(super) asked: Arc<Asked>,
}

/// Makes the channel, without receivers.
pub(super) fn channel() -> broadcast::Sender<Live> {
    broadcast::Sender::new(LIVE_KEPT)
}

/// The mark before a player of whom a further session has begun.
pub(super) const JOINED: char = '+';
/// The mark before an owner of webhooks or push subscriptions.
const LISTENER: char = '@';
/// The marks before an instance and players: of a question who streams, and of an answer.
const ASKS: char = '?';
const TELLS: char = '!';

/// Writes a message on an owner of webhooks or push subscriptions, as [`decode`] reads it.
pub(super) fn listener(owner: &ItemOwner) -> String {
    format!("{LISTENER}{}", owner.as_str())
}

/// Writes a message on streams, as [`decode`] reads it.
pub(super) fn encode(message: &StreamsMessage) -> String {
    let players: Vec<&str> = message.players.iter().map(PlayerId::as_str).collect();
    format!("{}{}:{}", if message.asks { ASKS } else { TELLS }, message.by, players.join(","))
}

/// Reads a message on streams behind its mark.
fn decode_streams(message: &str, asks: bool) -> Option<Live> {
    let (by, players) = message.split_once(':')?;
    let players = players.split(',').filter_map(|player| player.parse().ok()).collect();
    Some(Live::Streams(StreamsMessage { by: by.parse().ok()?, asks, players }))
}

/// Reads a message: a match and its version, a session and the end of its revocation, a player and the revision of
/// their status, a player with a further session, an owner of webhooks or push subscriptions, players whose inboxes
/// grew, or who streams. Unknown messages are ignored.
fn decode(message: &str) -> Vec<Live> {
    if let Some(player) = message.strip_prefix(JOINED) {
        return player.parse().ok().map(Live::Joined).into_iter().collect();
    }
    if let Some(owner) = message.strip_prefix(LISTENER) {
        return ItemOwner::parse(owner).map(Live::Listener).into_iter().collect();
    }
    if let Some(streams) = message.strip_prefix([ASKS, TELLS]) {
        return decode_streams(streams, message.starts_with(ASKS)).into_iter().collect();
    }
    let Some((name, number)) = message.split_once(':') else {
        return message.split(',').filter_map(|player| player.parse().ok()).map(Live::Inbox).collect();
    };
    let revoked = || Some(Live::Revoked(name.parse().ok()?, Timestamp(number.parse().ok()?)));
    let marked = || Some(Live::Marked(name.parse().ok()?, number.parse().ok()?));
    let told = match name.parse() {
        Ok(id) => number.parse().ok().map(|version| Live::Match(id, version)),
        Err(_) => revoked().or_else(marked),
    };
    told.into_iter().collect()
}

/// Receives and forwards messages, for ever. Sends on `ready` once the first subscription is established.
pub(super) async fn listen(
    connector: Arc<Connector>,
    channel: String,
    patience: Duration,
    listeners: Listeners,
    ready: oneshot::Sender<()>,
) {
    let mut ready = Some(ready);
    loop {
        if let Err(error) = listen_once(&connector, &channel, patience, &listeners, &mut ready).await {
            tracing::debug!(%error, "not subscribed to live messages");
        }
        sleep(RETRY).await;
    }
}

async fn listen_once(
    connector: &Connector,
    channel: &str,
    patience: Duration,
    listeners: &Listeners,
    ready: &mut Option<oneshot::Sender<()>>,
) -> RedisResult<()> {
    let (sender, events) = mpsc::unbounded_channel::<PushInfo>();
    let mut opened = connector.connect(sender).await?;
    let mut connection = opened.connection.clone();
    within(patience, connection.subscribe(channel)).await?;
    match ready.take() {
        Some(ready) => drop(ready.send(())),
        None => {
            // It may be another server, which does not know the subscriptions.
            listeners.asked.forget();
            drop(listeners.live.send(Live::Resync));
        }
    }
    let lost = forward(&connection, patience, listeners, events, opened.wrong()).await;
    drop(listeners.live.send(Live::Interrupted));
    lost
}

/// Forwards the messages of a subscription, until its connection is lost or of no use any more.
async fn forward(
    connection: &MultiplexedConnection,
    patience: Duration,
    listeners: &Listeners,
    mut events: mpsc::UnboundedReceiver<PushInfo>,
    wrong: impl Future<Output = ()>,
) -> RedisResult<()> {
    // One timer for many messages: on a busy connection, a timer for each would be most of the work.
    let heartbeat = sleep(HEARTBEAT);
    tokio::pin!(heartbeat, wrong);
    let mut quiet = true;
    loop {
        let event = tokio::select! {
            event = events.recv() => match event {
                Some(event) => event,
                None => return Ok(()),
            },
            // Later commits are published at another server.
            () = wrong.as_mut() => return Ok(()),
            () = heartbeat.as_mut() => {
                // A quiet connection may be a dead one.
                if std::mem::replace(&mut quiet, true) {
                    ping(connection, patience).await?;
                }
                heartbeat.as_mut().reset(Instant::now() + HEARTBEAT);
                continue;
            }
        };
        quiet = false;
        if event.kind == PushKind::Disconnection {
            return Ok(());
        }
        let message = Msg::from_push_info(event);
        let text = message.as_ref().and_then(|message| std::str::from_utf8(message.get_payload_bytes()).ok());
        for live in text.map(decode).unwrap_or_default() {
            // Without receivers nobody misses the message.
            let _ = listeners.live.send(live);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sarsen_base::ids::{InstanceId, MatchId, SessionId};

    #[test]
    fn messages_are_told_apart_by_the_prefixes_of_their_ids() {
        let (id, player, session) = (MatchId::from_number(1), PlayerId::from_number(2), SessionId::from_number(3));
        assert_eq!(decode(&format!("{id}:9")), [Live::Match(id, 9)]);
        let other = PlayerId::from_number(4);
        assert_eq!(decode(player.as_str()), [Live::Inbox(player.clone())]);
        assert_eq!(decode(&format!("{player},{other}")), [Live::Inbox(player), Live::Inbox(other)]);
        assert_eq!(decode(&format!("{session}:1700000000000")), [Live::Revoked(session, Timestamp(1_700_000_000_000))]);
        assert_eq!(decode(&format!("{}:7", PlayerId::from_number(2))), [Live::Marked(PlayerId::from_number(2), 7)]);
        assert_eq!(decode(&format!("+{}", PlayerId::from_number(2))), [Live::Joined(PlayerId::from_number(2))]);
        for owner in [ItemOwner::Player(PlayerId::from_number(2)), ItemOwner::Service] {
            assert_eq!(decode(&listener(&owner)), [Live::Listener(owner)]);
        }
        for (asks, players) in [(true, vec![PlayerId::from_number(2), PlayerId::from_number(4)]), (false, vec![])] {
            let message = StreamsMessage { by: InstanceId::from_number(5), asks, players };
            assert_eq!(decode(&encode(&message)), [Live::Streams(message)]);
        }
        for wrong in ["", "+", "+x", "@", "@x", "?", "!x:", "x", "m_1:2", "x:1", ","] {
            assert_eq!(decode(wrong), [], "{wrong}");
        }
    }
}
