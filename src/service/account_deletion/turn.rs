//! One look at one player who leaves, and when the next one is due.
//!
//! Invariant: a turn sets the time of the next look before it does anything. So a turn that fails, even because its
//! instance dies, neither delays other players nor is the last.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;

use super::{AccountDeletion, PERIOD, later};
use crate::notifications::NotificationRefused;
use crate::pools;
use sarsen_accounts::player_status::DELETED;
use sarsen_accounts::players::PlayersError;
use sarsen_base::ids::PlayerId;
use sarsen_matches::{Refused, Stage};
use sarsen_store::{Deletion, StoreError};

/// The lease of a look: the time for which it belongs to the instance that began it. If that instance dies, the
/// deletion waits this long; two looks at once do no harm.
const LEASE: Duration = Duration::from_secs(20);

/// The time from a look at which something failed to the next.
const RETRY: Duration = Duration::from_secs(60);

/// The time after the last step during which an instance looks every [`PERIOD`], since lists may be behind. Then it
/// looks once more, at the end.
const CLOSELY: Duration = Duration::from_secs(10);

/// The reason why a look at a player who leaves failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotYet {
    #[error(transparent)]
    Matches(#[from] Refused),
    #[error(transparent)]
    Players(#[from] PlayersError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("it panicked")]
    Panicked,
}

/// The result of a look.
#[derive(Default)]
struct Seen {
    /// Indicates whether there was anything to do.
    busy: bool,
    /// The first thing that failed.
    failure: Option<NotYet>,
}

impl Seen {
    fn note(&mut self, outcome: Result<bool, impl Into<NotYet>>) {
        match outcome {
            Ok(busy) => self.busy |= busy,
            Err(error) => {
                self.failure.get_or_insert_with(|| error.into());
            }
        }
    }
}

impl AccountDeletion {
    /// Does what is left to do for a player, unless another instance does. `caught_up`: lists follow what is done. Answers
    /// what has failed of it.
    ///
    /// # Errors
    /// Only that the next look could not be put off.
    pub(super) async fn turn(&self, found: Deletion, caught_up: bool) -> Result<Option<NotYet>, StoreError> {
        let begun = self.parts.ambient.now();
        let leased = Deletion { look_at: later(begun, LEASE), ..found.clone() };
        if !self.parts.store.put_off(&found, leased.look_at, leased.quiet_since).await? {
            return Ok(None);
        }
        let turn = AssertUnwindSafe(self.see_off(&leased.player)).catch_unwind().await;
        let seen = turn.unwrap_or(Seen { busy: false, failure: Some(NotYet::Panicked) });
        let now = self.parts.ambient.now();
        let quiet_since = if seen.busy || seen.failure.is_some() { now } else { leased.quiet_since };
        if caught_up && self.is_quiet(quiet_since, begun) {
            if let Some(notifications) = &self.parts.notifications {
                match notifications.tell_deleted(&leased.player).await {
                    // The next look tells it.
                    Err(NotificationRefused::Store(error @ StoreError::Unavailable(_))) => {
                        return Ok(Some(error.into()));
                    }
                    Err(error) => tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "the operators' webhooks learn of no deletion"
                    ),
                    Ok(()) => {}
                }
            }
            if self.parts.store.end_deletion(&leased).await? {
                tracing::info!(player = %leased.player, "a player has left");
            }
            return Ok(None);
        }
        let look_at = if seen.failure.is_some() {
            later(now, RETRY)
        } else if now < later(quiet_since, CLOSELY) {
            later(now, PERIOD)
        } else {
            later(quiet_since, self.quiet()).max(later(now, PERIOD))
        };
        // Where it does not stand any more, another instance has looked since, and decides.
        self.parts.store.put_off(&leased, look_at, quiet_since).await?;
        Ok(seen.failure)
    }

    /// Has the bot accounts of a player leave too. Answers whether one of them still had to.
    async fn leave_with_bots(&self, player: &PlayerId) -> Result<bool, PlayersError> {
        let mut any = false;
        for bot in self.parts.players.bot_ids(player).await? {
            if !self.parts.known.is_gone(&bot) {
                self.leave(&bot).await?;
                any = true;
            }
        }
        Ok(any)
    }

    /// Does all that can be done.
    async fn see_off(&self, player: &PlayerId) -> Seen {
        let mut seen = Seen::default();
        seen.note(self.parts.players.end_sessions(player).await);
        let bots = self.leave_with_bots(player).await;
        // The list of the bots stays until all of them leave.
        if bots.is_ok() {
            seen.note(self.parts.players.remove_items(player).await);
        }
        seen.note(bots);
        seen.note(self.parts.players.rewrite_name(player, DELETED).await);
        for stage in [Stage::Open, Stage::Playing] {
            match self.parts.matches.ids_of(player, Some(stage)).await {
                Ok(ids) => {
                    for id in ids {
                        seen.note(self.parts.matches.see_off(player, &id).await);
                    }
                }
                Err(error) => seen.note(Err(error)),
            }
        }
        seen.note(self.parts.ratings.forget(player).await);
        seen.note(pools::forget(&*self.parts.store, player).await);
        seen
    }
}
