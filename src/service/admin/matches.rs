//! Matches: seen whole, called off, deleted.

use super::{Administration, Audited};
use sarsen_base::ids::MatchId;
use sarsen_matches::{Refused, ViewedMatch};

impl Administration {
    /// A match with everything in its game.
    ///
    /// # Errors
    /// Those of [`sarsen_matches::Matches::read_whole`].
    pub async fn read_match(&self, _: &Audited, id: &MatchId) -> Result<ViewedMatch, Refused> {
        self.matches.read_whole(id).await
    }

    /// Deletes a match for good, whatever its stage.
    ///
    /// # Errors
    /// Those of [`sarsen_matches::Matches::delete`].
    pub async fn delete_match(&self, _: &Audited, id: &MatchId) -> Result<(), Refused> {
        self.matches.delete(id).await
    }

    /// Calls a match off, also while it is played.
    ///
    /// # Errors
    /// Those of [`sarsen_matches::Matches::abort_whole`].
    pub async fn abort_match(&self, _: &Audited, id: &MatchId) -> Result<ViewedMatch, Refused> {
        self.matches.abort_whole(id).await
    }
}
