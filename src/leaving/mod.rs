//! How a player leaves for good: their sessions end, open matches are left or called off, running ones resigned, and their
//! name is shown nowhere any more.
//!
//! Invariants: from the mark on nobody speaks as that player; the mark and the entry on the list of those to be seen off
//! are one write; the rest is done by whichever instance, again and again until nothing is left to do, so that an instance
//! may die at any moment.
//!
//! What it deliberately lacks: a way back, and a lease: two instances that see the same player off do each other no harm.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::ambient::{Ambient, Timestamp};
use crate::ids::PlayerId;
use crate::marks::{KnownMarks, Mark};
use crate::matches::{Matches, Refused, Stage};
use crate::players::{Players, PlayersError};
use crate::store::{PlayerMarks, StoreError};

/// From one look at who is to be seen off to the next.
const PERIOD: Duration = Duration::from_secs(5);

/// How many players are looked at at a time.
const AT_ONCE: usize = 16;

/// How long after the mark a player is looked after at least, in milliseconds: until then a request may have been under
/// way on an instance that had not heard, and a list of matches may have been behind.
const LOOKED_AFTER: i64 = 30_000;

/// Why somebody was not seen off this time.
#[derive(Debug, thiserror::Error)]
enum NotYet {
    #[error(transparent)]
    Matches(#[from] Refused),
    #[error(transparent)]
    Players(#[from] PlayersError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Sees players off.
pub struct Leaving {
    marks: Arc<dyn PlayerMarks>,
    known: Arc<KnownMarks>,
    matches: Matches,
    players: Players,
    ambient: Ambient,
    wake: Notify,
}

impl Leaving {
    /// From these matches; `known` are the marks that this instance goes by.
    pub fn new(
        marks: Arc<dyn PlayerMarks>,
        known: Arc<KnownMarks>,
        matches: Matches,
        players: Players,
        ambient: Ambient,
    ) -> Leaving {
        Leaving { marks, known, matches, players, ambient, wake: Notify::new() }
    }

    /// Marks a player as gone. Their tokens are refused from now on, here at once and everywhere within ten seconds; the
    /// rest follows.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn leave(&self, player: &PlayerId) -> Result<(), StoreError> {
        let gone = |mark: &mut Mark| *mark = Mark::of_leaving();
        let (mark, revision) = Mark::change(self.marks.as_ref(), player, true, gone).await?;
        self.known.insert(player.clone(), revision, mark);
        self.wake.notify_one();
        Ok(())
    }

    /// Sees off whoever is to be, until cancelled.
    pub async fn run(self: Arc<Leaving>, cancel: CancellationToken) {
        cancel.run_until_cancelled(self.work()).await;
    }

    async fn work(&self) {
        let mut failing = false;
        loop {
            let outcome = self.look().await;
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

    /// Looks at those who wait, the longest first. One who cannot be seen off does not keep the others.
    async fn look(&self) -> Result<(), NotYet> {
        let mut first = Ok(());
        for (player, since) in self.marks.leaving(AT_ONCE).await? {
            if let Err(error) = self.see_off(&player, since).await
                && first.is_ok()
            {
                first = Err(error);
            }
        }
        first
    }

    async fn see_off(&self, player: &PlayerId, since: Timestamp) -> Result<(), NotYet> {
        let mut busy = self.players.take_leave(player).await?;
        for stage in [Stage::Open, Stage::Playing] {
            for id in self.matches.ids_of(player, Some(stage)).await? {
                busy |= self.matches.see_off(player, &id).await?;
            }
        }
        if !busy && self.ambient.now().0 - since.0 >= LOOKED_AFTER {
            self.marks.seen_off(player).await?;
            tracing::info!(%player, "a player has left");
        }
        Ok(())
    }
}
