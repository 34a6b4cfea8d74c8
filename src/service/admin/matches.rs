//! Matches: seen whole, called off, deleted.

use super::{Administration, Audited};
use crate::ratings::NotRated;
use sarsen_base::ids::MatchId;
use sarsen_matches::{Refused, ViewedMatch};
use sarsen_store::StoreError;

impl Administration {
    /// Annuls a rated match, which need not be there any more, and has the ratings of its category computed again.
    ///
    /// # Errors
    /// [`NotRated`], or that the store is away; asking again does the rest.
    pub async fn annul_match(&self, _: &Audited, id: &MatchId) -> Result<Result<(), NotRated>, StoreError> {
        self.ratings.annul(id).await
    }

    /// A match with everything in its game.
    ///
    /// # Errors
    /// Those of [`sarsen_matches::Matches::read_whole`].
    pub async fn read_match(&self, _: &Audited, id: &MatchId) -> Result<ViewedMatch, Refused> {
        self.matches.read_whole(id).await
    }

    /// Deletes a match at any stage for good.
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
