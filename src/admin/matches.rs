//! Matches: seen whole, called off, deleted.

use super::{Administration, Audited};
use crate::ids::MatchId;
use crate::matches::{Refused, ViewedMatch};

impl Administration {
    /// A match with everything in its game.
    ///
    /// # Errors
    /// Those of [`crate::matches::Matches::read_whole`].
    pub async fn read_match(&self, _: &Audited, id: &MatchId) -> Result<ViewedMatch, Refused> {
        self.matches.read_whole(id).await
    }

    /// Deletes a match for good, whatever its stage.
    ///
    /// # Errors
    /// Those of [`crate::matches::Matches::delete`].
    pub async fn delete_match(&self, _: &Audited, id: &MatchId) -> Result<(), Refused> {
        self.matches.delete(id).await
    }

    /// Calls a match off, also while it is played.
    ///
    /// # Errors
    /// Those of [`crate::matches::Matches::abort_whole`].
    pub async fn abort_match(&self, _: &Audited, id: &MatchId) -> Result<ViewedMatch, Refused> {
        self.matches.abort_whole(id).await
    }
}
