//! What an instance wants to hear of: the store tells it at least of that ([`super::Live`]).
//!
//! Invariant: telling too much is allowed, telling too late is not: from the moment that [`Subscriptions::subscribe`]
//! has answered, what happens to these topics is told.
//!
//! What it deliberately lacks: a way to hear no more. A store forgets by itself what it is not asked for again.

use async_trait::async_trait;

use super::Result;
use sarsen_base::ids::{MatchId, PlayerId};

/// What can be waited for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Topic {
    /// New versions of a match.
    Match(MatchId),
    /// New notices of a player.
    Inbox(PlayerId),
}

/// Says what this instance wants to be told.
#[async_trait]
pub trait Subscriptions: Send + Sync {
    /// Whether this is heard for some minutes yet without asking, so that only what is to be heard for longer need be
    /// asked for.
    fn is_subscribed(&self, topic: &Topic) -> bool;

    /// Asks to be told of these, for some minutes.
    ///
    /// # Errors
    /// That the store cannot be asked; then messages may be missing.
    async fn subscribe(&self, topics: &[Topic]) -> Result<()>;
}
