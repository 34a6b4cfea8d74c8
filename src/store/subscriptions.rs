//! Subscriptions of an instance to changes: the store reports at least those ([`super::Live`]).
//!
//! Invariant: reporting too much is allowed, reporting too late is not: after [`Subscriptions::subscribe`] has
//! returned, all changes of these topics are reported.
//!
//! Unsubscribing is deliberately absent: a subscription that is not renewed expires.

use async_trait::async_trait;

use super::Result;
use sarsen_base::ids::{MatchId, PlayerId};

/// A topic of a subscription.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Topic {
    /// New versions of a match.
    Match(MatchId),
    /// New notices of a player.
    Inbox(PlayerId),
}

/// Keeps the subscriptions of this instance.
#[async_trait]
pub trait Subscriptions: Send + Sync {
    /// Returns true if the subscription to the topic lasts for some minutes more, so that it need not be renewed yet.
    fn is_subscribed(&self, topic: &Topic) -> bool;

    /// Subscribes to these topics, for some minutes.
    ///
    /// # Errors
    /// If the store cannot be reached; then messages may be missing.
    async fn subscribe(&self, topics: &[Topic]) -> Result<()>;
}
