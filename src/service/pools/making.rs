//! Making the matches that pairing has noted.

use std::collections::HashMap;
use std::error::Error;
use std::sync::PoisonError;

use serde::{Deserialize, Serialize};

use super::definition::PlayerPool;
use super::tickets::{PoolRefused, Pools};
use sarsen_base::ids::MatchId;
use sarsen_matches::model::fairness::ServerSeed;
use sarsen_matches::model::terms::PairedPlayer;
use sarsen_matches::{Refused, Stage};
use sarsen_rules::SeatCount;
use sarsen_store::upgrade::Formed;
use sarsen_store::{PairedMatch, StoreError};

/// The most matches that a round makes for instances that have died.
const MADE: usize = 50;

/// The time that a match which cannot be made waits for an instance that can make it, in milliseconds.
const UNMADE_MILLIS: i64 = 60_000;

/// All that a match of a pool is made of, but its id.
#[derive(Serialize, Deserialize)]
pub(super) struct Making {
    #[serde(rename = "v")]
    form: u16,
    pub(super) pool: String,
    pub(super) seed: ServerSeed,
    pub(super) players: Vec<PairedPlayer>,
}

sarsen_store::formed!(Making, "match of a pool", "v", &[]);

impl Making {
    /// A match of these players.
    pub(super) fn new(pool: &PlayerPool, seed: ServerSeed, players: Vec<PairedPlayer>) -> Making {
        Making { form: Making::FORMS.present(), pool: pool.id.clone(), seed, players }
    }

    /// The match with this id, as it is noted.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where it has no JSON form.
    pub(super) fn noted(&self, id: MatchId) -> Result<PairedMatch, StoreError> {
        Ok(PairedMatch { id, stored: self.encode()? })
    }
}

impl Pools {
    /// Makes a match that was noted, unless another instance has. One of a pool that this instance does not have, or of an
    /// earlier release that cannot be made any more, stays for others.
    ///
    /// # Errors
    /// If the store is away, or the match cannot be made.
    pub(super) async fn make(&self, noted: &PairedMatch) -> Result<(), PoolRefused> {
        let Making { pool, seed, players, .. } = Making::decode(&noted.stored)?;
        let pool: &PlayerPool = self.find(&pool)?;
        let seats = SeatCount::new(players.len() as u8).ok_or(PoolRefused::PoolNotFound)?;
        let mut new = pool.new_match(seats);
        new.table.no_programs = players.iter().all(|paired| paired.player.kind.is_person());
        self.parts.matches.create_paired(noted.id.clone(), new, players, seed).await?;
        Ok(self.parts.store.forget_paired_match(&noted.id).await?)
    }

    /// Returns true if a match of a pool is over or gone. One that is noted and not made yet is made first, so that a
    /// player who learns of it can read it.
    pub(super) async fn is_over(&self, id: &MatchId) -> Result<bool, PoolRefused> {
        if let Some(stage) = self.parts.matches.stage_of(id).await? {
            return Ok(stage.is_over());
        }
        let Some(noted) = self.parts.store.paired_match(id).await? else {
            // It may have been made and taken off between the two looks.
            return Ok(self.parts.matches.stage_of(id).await?.is_none_or(Stage::is_over));
        };
        match self.make(&noted).await {
            Err(error) if is_away(&error) => Err(error),
            // Where it cannot be made, its players wait until it is given up.
            _ => Ok(false),
        }
    }

    /// Makes the matches that were noted by instances that have died since. One that cannot be made keeps no other, and is
    /// given up after a minute: its players are free again.
    pub(super) async fn make_noted(&self) -> Result<(), PoolRefused> {
        let (noted, now) = (self.parts.store.paired_matches(MADE).await?, self.parts.ambient.now());
        let mut unmade = HashMap::new();
        for noted in noted {
            let Err(error) = self.make(&noted).await else { continue };
            if is_away(&error) {
                tracing::warn!(id = %noted.id, error = &error as &dyn Error, "a match of a pool has to wait");
                continue;
            }
            let known = self.unmade.lock().unwrap_or_else(PoisonError::into_inner).get(&noted.id).copied();
            let since = known.unwrap_or(now);
            if known.is_none() {
                tracing::error!(id = %noted.id, error = &error as &dyn Error, "a match of a pool cannot be made");
            }
            if now.0 - since.0 < UNMADE_MILLIS {
                unmade.insert(noted.id, since);
            } else {
                self.parts.store.forget_paired_match(&noted.id).await?;
            }
        }
        *self.unmade.lock().unwrap_or_else(PoisonError::into_inner) = unmade;
        Ok(())
    }
}

/// Returns true if only the store keeps the match from being made.
fn is_away(error: &PoolRefused) -> bool {
    let store = match error {
        PoolRefused::Store(error) | PoolRefused::Matches(Refused::Store(error)) => error,
        _ => return false,
    };
    !matches!(store, StoreError::Corrupt(_))
}
