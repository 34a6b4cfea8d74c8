//! The process by which a player leaves for good: their sessions end, open matches are left or called off, running ones
//! resigned, and their name is shown nowhere any more. Of their ratings only the log keeps the id.
//!
//! Invariants:
//! - Once a player's status is `gone`, nobody can act as that player. One write sets the status and puts the player on
//!   the list of pending deletions. Any instance does the rest, again and again until nothing is left to do, so an
//!   instance may die at any moment.
//! - A failing deletion delays no other player, and a failing match no other match: after a turn a player goes behind
//!   those who are due, and a failure ends only the step that failed.
//! - A deletion ends only after nothing was left to do, and nothing failed, for as long as a request may be under way
//!   on any instance, and after the lists have caught up.
//!
//! A way back is deliberately absent.

mod turn;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::notifications::Notifications;
use crate::ratings::Ratings;
use sarsen_accounts::player_status::{KnownStatuses, PlayerStatus};
use sarsen_accounts::players::Players;
use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_base::ids::PlayerId;
use sarsen_matches::Matches;
use sarsen_store::{Store, StoreError};

/// The time from one look at pending deletions to the next.
const PERIOD: Duration = Duration::from_secs(5);

/// The number of players that are read at a time.
const AT_ONCE: usize = 64;

/// The time until all instances know a status.
const HEARD_WITHIN: Duration = Duration::from_secs(10);

/// The time by which a write may outlive its request, and by which lists may be behind.
const MARGIN: Duration = Duration::from_secs(20);

/// The dependencies of the deletion of accounts.
pub struct AccountDeletionParts {
    /// The statuses of players, the backlog that lists follow by, and the tickets of pools.
    pub store: Arc<dyn Store>,
    /// The statuses that this instance goes by.
    pub known: Arc<KnownStatuses>,
    /// The matches that are left, called off or resigned.
    pub matches: Matches,
    /// The players.
    pub players: Players,
    /// The ratings that are taken off the boards.
    pub ratings: Ratings,
    /// Tells the operators' webhooks of everybody who has left.
    pub notifications: Option<Arc<Notifications>>,
    /// Clock and entropy.
    pub ambient: Ambient,
    /// The longest time that a request takes, on any instance.
    pub request_timeout: Duration,
}

/// Sees players off.
pub struct AccountDeletion {
    parts: AccountDeletionParts,
    wake: Notify,
}

impl AccountDeletion {
    /// The deletion of accounts with these parts.
    pub fn new(parts: AccountDeletionParts) -> AccountDeletion {
        AccountDeletion { parts, wake: Notify::new() }
    }

    /// Marks a player as gone. Their tokens are refused from now on, here at once and everywhere within ten seconds; the
    /// rest follows.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn leave(&self, player: &PlayerId) -> Result<(), StoreError> {
        let gone = |status: &mut PlayerStatus| *status = PlayerStatus::deleted();
        let (status, revision) = PlayerStatus::change(&*self.parts.store, player, true, gone).await?;
        self.parts.known.insert(player.clone(), revision, status);
        self.wake.notify_one();
        Ok(())
    }

    /// Sees players off, until cancelled.
    pub async fn run(self: Arc<AccountDeletion>, cancel: CancellationToken) {
        cancel.run_until_cancelled(self.work()).await;
    }

    async fn work(&self) {
        let mut failing = false;
        let mut stuck = HashSet::new();
        loop {
            let outcome = self.look(&mut stuck).await;
            match &outcome {
                // Said once an outage, and not at every look.
                Err(error) if !failing => {
                    tracing::warn!(error = error as &dyn std::error::Error, "players who leave have to wait");
                }
                Ok(()) if failing => tracing::info!("players who leave are seen off again"),
                _ => {}
            }
            failing = outcome.is_err();
            // Either is a reason to look.
            let _ = timeout(PERIOD, self.wake.notified()).await;
        }
    }

    /// Gives everybody a turn who is due, the earliest first, until nobody is. Each turn puts off the next. `stuck` are
    /// those whose last turn here failed, of whom that is said once.
    async fn look(&self, stuck: &mut HashSet<PlayerId>) -> Result<(), StoreError> {
        let mut first = Ok(());
        loop {
            let now = self.parts.ambient.now();
            let mut due = self.parts.store.deletions(AT_ONCE).await?;
            due.retain(|deletion| deletion.look_at <= now);
            if due.is_empty() {
                return first;
            }
            let ending = due.iter().any(|deletion| self.is_quiet(deletion.quiet_since, now));
            // Asked before the lists are read that it is about.
            let follow = if ending { self.lists_follow(now).await } else { Ok(false) };
            let caught_up = *follow.as_ref().unwrap_or(&false);
            first = first.and(follow.map(drop));
            for deletion in due {
                let player = deletion.player.clone();
                match self.turn(deletion, caught_up).await? {
                    Some(error) if stuck.insert(player.clone()) => {
                        tracing::warn!(%player, error = &error as &dyn std::error::Error, "a player cannot leave yet");
                    }
                    Some(_) => {}
                    None => {
                        stuck.remove(&player);
                    }
                }
            }
        }
    }

    /// The time for which there must have been nothing to do.
    fn quiet(&self) -> Duration {
        HEARD_WITHIN + self.parts.request_timeout + MARGIN
    }

    /// Returns true if there was nothing to do for long enough.
    fn is_quiet(&self, since: Timestamp, now: Timestamp) -> bool {
        now >= later(since, self.quiet())
    }

    /// Returns true if lists are behind by no more than the margin.
    async fn lists_follow(&self, now: Timestamp) -> Result<bool, StoreError> {
        let outbox = self.parts.store.backlog().await?.outbox;
        Ok(outbox.length == 0 || outbox.oldest.is_none_or(|since| now < later(since, MARGIN)))
    }
}

/// The moment so much later.
fn later(moment: Timestamp, by: Duration) -> Timestamp {
    Timestamp(moment.0.saturating_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX)))
}
