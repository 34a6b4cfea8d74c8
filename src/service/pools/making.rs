//! Making the matches that pairing has noted.

use serde::{Deserialize, Serialize};

use super::definition::PlayerPool;
use super::tickets::{PoolRefused, Pools};
use sarsen_base::ids::MatchId;
use sarsen_matches::model::fairness::ServerSeed;
use sarsen_matches::model::terms::PairedPlayer;
use sarsen_matches::{Refused, Stage};
use sarsen_rules::SeatCount;
use sarsen_store::{PairedMatch, StoreError};

/// All that a match of a pool is made of, but its id.
#[derive(Serialize, Deserialize)]
pub(super) struct Making {
    pub(super) pool: String,
    pub(super) seed: ServerSeed,
    pub(super) players: Vec<PairedPlayer>,
}

impl Making {
    /// The match with this id, as it is noted.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where it has no JSON form.
    pub(super) fn noted(&self, id: MatchId) -> Result<PairedMatch, StoreError> {
        let stored = serde_json::to_vec(self).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        Ok(PairedMatch { id, stored })
    }
}

impl Pools {
    /// Makes a match that was noted, unless another instance has. One of a pool that this instance does not have, or of an
    /// earlier release that cannot be made any more, stays for others.
    ///
    /// # Errors
    /// If the store is away, or the match cannot be made.
    pub(super) async fn make(&self, noted: &PairedMatch) -> Result<(), PoolRefused> {
        let read: Result<Making, _> = serde_json::from_slice(&noted.stored);
        let Making { pool, seed, players } = read.map_err(|error| StoreError::Corrupt(error.to_string()))?;
        let pool: &PlayerPool = self.find(&pool)?;
        let seats = SeatCount::new(players.len() as u8).ok_or(PoolRefused::PoolNotFound)?;
        let mut new = pool.new_match(seats);
        new.table.no_programs = players.iter().all(|paired| paired.player.kind.is_person());
        self.parts.matches.create_paired(noted.id.clone(), new, players, seed).await?;
        Ok(self.parts.store.forget_paired_match(&noted.id).await?)
    }

    /// Returns true if a match of a pool is over or gone. One that is noted and not made yet is made first, so whoever is
    /// told of it can read it.
    pub(super) async fn is_over(&self, id: &MatchId) -> Result<bool, PoolRefused> {
        if let Some(stage) = self.parts.matches.stage_of(id).await? {
            return Ok(stage.is_over());
        }
        let Some(noted) = self.parts.store.paired_match(id).await? else {
            // It may have been made and taken off between the two looks.
            return Ok(self.parts.matches.stage_of(id).await?.is_none_or(Stage::is_over));
        };
        match self.make(&noted).await {
            Ok(()) => Ok(false),
            Err(PoolRefused::Store(error) | PoolRefused::Matches(Refused::Store(error))) => Err(error.into()),
            Err(error) => {
                tracing::error!(%id, error = &error as &dyn std::error::Error, "a match of a pool cannot be made");
                Ok(false)
            }
        }
    }
}
