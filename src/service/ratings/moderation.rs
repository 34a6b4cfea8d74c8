//! Operators on ratings: annulling a match, and having a player begin anew.

use super::entry::{Entry, encode};
use super::{ATTEMPTS, Ratings, busy};
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_store::StoreError;

/// The match is in no log of ratings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the match is not rated")]
pub struct NotRated;

impl Ratings {
    /// Annuls a match, which need not be there any more: no rating follows from it after the next
    /// [`rebuild`](Ratings::rebuild). Answers its category, also where it is annulled already.
    ///
    /// # Errors
    /// If the store is away or damaged; [`NotRated`].
    pub async fn annul(&self, id: &MatchId) -> Result<Result<String, NotRated>, StoreError> {
        for _ in 0..ATTEMPTS {
            let Some((category, entry)) = self.place_of(id).await? else { return Ok(Err(NotRated)) };
            let length = self.store.ratings(&category, &[], Some(id)).await?.length;
            if !matches!(self.entry(&category, entry).await?, Entry::Match(_)) {
                return Ok(Ok(category));
            }
            let annulled = Entry::Annulled { match_id: id.clone(), entry, at: self.now() };
            let entries = vec![(encode(&annulled)?, Some(id.clone()))];
            if self.store.change_ratings(&category, length, entries, Vec::new()).await? {
                return Ok(Ok(category));
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
