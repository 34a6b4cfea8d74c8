//! Live messages: changes in the store, for those who wait for them.

use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{InstanceId, MatchId, PlayerId, SessionId};

use crate::ItemOwner;

/// A message among instances on the players who have streams open. The store does not keep it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StreamsMessage {
    /// The instance that sends it.
    pub by: InstanceId,
    /// True for a question which of these players stream from another instance; false for the answer that these do.
    pub asks: bool,
    /// The players.
    pub players: Vec<PlayerId>,
}

/// A change that has just happened in the store, on any instance. Messages may be lost (a broken connection) or
/// repeated; a listener reads the store to learn the truth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Live {
    /// The match has reached this version.
    Match(MatchId, u64),
    /// The player has new notices.
    Inbox(PlayerId),
    /// The session was revoked; its access tokens are refused until they would have expired by themselves.
    Revoked(SessionId, Timestamp),
    /// A further session of the player has begun.
    Joined(PlayerId),
    /// The player status of the player has this revision now.
    Marked(PlayerId, u64),
    /// The owner has webhooks or push subscriptions now, or none any more.
    Listener(ItemOwner),
    /// An instance asks or tells who streams.
    Streams(StreamsMessage),
    /// The connection to the store is lost, and with it the messages up to the next [`Live::Resync`].
    Interrupted,
    /// Messages may have been lost just now: waiters should read the store.
    Resync,
}
