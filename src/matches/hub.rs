//! Waiting for something to happen, on whichever instance it happens.
//!
//! Invariants: a wait that began before a commit was published ends; a lost message delays a waiter, never blinds it,
//! because every resynchronisation wakes all and waiters look again by themselves now and then. To miss nothing: watch
//! first, then read, then wait.
//!
//! What it deliberately lacks: any content. A wake-up says "look"; what is seen comes from the store. What concerns
//! sessions, and is rare, is only passed on, so that a move wakes one task of an instance and not two.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};
use tokio_util::sync::CancellationToken;

use super::cache::MatchCache;
use crate::ids::{MatchId, PlayerId};
use crate::store::Live;

/// What can be waited for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Topic {
    /// New versions of a match.
    Match(MatchId),
    /// New notices of a player.
    Inbox(PlayerId),
}

/// Wakes waiters of this instance.
#[derive(Default)]
pub struct Hub {
    topics: Mutex<HashMap<Topic, watch::Sender<u64>>>,
    /// What this instance keeps of matches, which gets old when others go on.
    kept: OnceLock<Arc<MatchCache>>,
}

/// A wait that has begun.
pub struct Watch {
    hub: Arc<Hub>,
    topic: Topic,
    changes: Option<watch::Receiver<u64>>,
}

impl Hub {
    /// Tells these kept matches from now on which versions there are. A hub serves one instance: the first it is given.
    pub(super) fn tell(&self, kept: Arc<MatchCache>) {
        self.kept.get_or_init(|| kept);
    }

    /// Begins to watch.
    pub fn watch(self: &Arc<Hub>, topic: Topic) -> Watch {
        let mut topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = topics.entry(topic.clone()).or_insert_with(|| watch::channel(0).0);
        let changes = Some(sender.subscribe());
        drop(topics);
        Watch { hub: Arc::clone(self), topic, changes }
    }

    /// Passes on what the store tells, until cancelled: to those who wait, and to `sessions` what is said of
    /// revocations and marks, [`Live::Resync`] included.
    pub async fn run(
        self: Arc<Hub>,
        mut live: broadcast::Receiver<Live>,
        sessions: broadcast::Sender<Live>,
        cancel: CancellationToken,
    ) {
        // Nobody listens for sessions: nobody misses it.
        let pass_on = |message| drop(sessions.send(message));
        loop {
            let message = tokio::select! {
                () = cancel.cancelled() => return,
                message = live.recv() => message,
            };
            match message {
                Ok(Live::Match(id, version)) => {
                    if let Some(kept) = self.kept.get() {
                        kept.overtaken(&id, version);
                    }
                    self.wake(&Topic::Match(id));
                }
                Ok(Live::Inbox(player)) => self.wake(&Topic::Inbox(player)),
                Ok(message @ (Live::Revoked(..) | Live::Marked(..))) => pass_on(message),
                Ok(Live::Resync) | Err(RecvError::Lagged(_)) => {
                    self.wake_all();
                    pass_on(Live::Resync);
                }
                Err(RecvError::Closed) => return,
            }
        }
    }

    fn wake(&self, topic: &Topic) {
        let topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = topics.get(topic) {
            sender.send_modify(|count| *count += 1);
        }
    }

    fn wake_all(&self) {
        let topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        for sender in topics.values() {
            sender.send_modify(|count| *count += 1);
        }
    }
}

impl Watch {
    /// Waits until something may have happened since the watch began or was last waited for, `longest` at most.
    /// Answers whether something may have.
    pub async fn changed(&mut self, longest: std::time::Duration) -> bool {
        match &mut self.changes {
            Some(changes) => tokio::time::timeout(longest, changes.changed()).await.is_ok(),
            None => false,
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.changes = None;
        let mut topics = self.hub.topics.lock().unwrap_or_else(PoisonError::into_inner);
        if topics.get(&self.topic).is_some_and(|sender| sender.receiver_count() == 0) {
            topics.remove(&self.topic);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::ambient::Ambient;

    #[tokio::test]
    async fn a_watcher_is_woken_by_its_topic_and_leaves_nothing_behind() {
        let hub = Arc::new(Hub::default());
        let ambient = Ambient::fixed(0, 1);
        let (mine, other) = (MatchId::generate(&ambient), MatchId::generate(&ambient));
        let mut watch = hub.watch(Topic::Match(mine.clone()));
        hub.wake(&Topic::Match(other));
        assert!(!watch.changes.as_ref().unwrap().has_changed().unwrap());
        hub.wake(&Topic::Match(mine));
        assert!(watch.changed(Duration::from_secs(60)).await);
        hub.wake_all();
        assert!(watch.changed(Duration::from_secs(60)).await);
        drop(watch);
        assert!(hub.topics.lock().unwrap().is_empty());
    }
}
