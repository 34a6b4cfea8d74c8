//! Operators on ratings: annulling a match, and having a player begin anew.

use super::contention::{ATTEMPTS, busy};
use super::entry::{Entry, encode};
use super::rater::Ratings;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_matches::rated_result::RatingJob;
use sarsen_store::StoreError;

/// The match is in no log of ratings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the match is not rated")]
pub struct NotRated;

impl Ratings {
    /// Annuls a match, which need not be there any more, and orders that the ratings of its category are computed again
    /// without it.
    ///
    /// # Errors
    /// If the store is away or damaged; asking again does the rest. [`NotRated`].
    pub async fn annul(&self, id: &MatchId) -> Result<Result<(), NotRated>, StoreError> {
        for _ in 0..ATTEMPTS {
            let Some((category, entry)) = self.place_of(id).await? else { return Ok(Err(NotRated)) };
            let length = self.store.ratings(&category, &[], Some(id)).await?.length;
            let annulled = Entry::Annulled { match_id: id.clone(), entry, at: self.now() };
            let entries = vec![(encode(&annulled)?, Some(id.clone()))];
            // Of one that is annulled already the job may not have been ordered.
            let annuls = matches!(self.entry(&category, entry).await?, Entry::Match(_));
            if !annuls || self.store.change_ratings(&category, length, entries, Vec::new()).await? {
                return self.order(format!("rebuild:{id}"), &RatingJob::Rebuild(category)).await.map(Ok);
            }
        }
        Err(busy())
    }

    /// Has a player begin anew in every category. Answers the categories in which they had a rating.
    ///
    /// # Errors
    /// If the store is away or damaged; asking again does the rest.
    pub async fn unrank(&self, player: &PlayerId) -> Result<Vec<String>, StoreError> {
        let mut had = Vec::new();
        for category in self.store.rating_categories().await? {
            let at = self.now();
            let anew = |before| Some(Entry::Unranked { player: player.clone(), before, at });
            if self.remove(&category, player, anew).await?.is_some() {
                had.push(category);
            }
        }
        Ok(had)
    }
}
