//! Moderation of ratings by operators: annulling a match, and resetting a player's ratings.

use super::contention::{ATTEMPTS, busy};
use super::entry::Entry;
use super::rater::Ratings;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_matches::rated_result::RatingJob;
use sarsen_store::StoreError;

/// The match is in no log of ratings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the match is not rated")]
pub struct NotRated;

impl Ratings {
    /// Annuls a match, which need not be there any more, and orders that the ratings or results of its categories are computed
    /// again without it.
    ///
    /// # Errors
    /// If the store is away or damaged; asking again does the rest. [`NotRated`].
    pub async fn annul(&self, id: &MatchId) -> Result<Result<(), NotRated>, StoreError> {
        let mut annulled = Err(NotRated);
        for category in self.store.rating_categories().await? {
            if self.annul_in(&category, id).await? {
                annulled = Ok(());
            }
        }
        Ok(annulled)
    }

    /// Annuls a match in a category. Returns false if it is not there.
    async fn annul_in(&self, category: &str, id: &MatchId) -> Result<bool, StoreError> {
        for _ in 0..ATTEMPTS {
            let found = self.store.ratings(category, &[], Some(id)).await?;
            let Some(entry) = found.entry else { return Ok(false) };
            let annulled = Entry::Annulled { match_id: id.clone(), entry, at: self.now() };
            let entries = vec![(annulled.encode()?, Some(id.clone()))];
            // Of one that is annulled already the job may not have been ordered.
            let annuls = !matches!(self.entry(category, entry).await?, Entry::Annulled { .. });
            if !annuls || self.store.change_ratings(category, found.length, entries, Vec::new()).await? {
                // A match is in one category, and with it in that of a month.
                let part = category.rsplit('.').next().unwrap_or_default();
                let job = RatingJob::Rebuild(category.to_owned());
                return self.order(format!("rebuild:{id}:{part}"), &job).await.map(|()| true);
            }
        }
        Err(busy())
    }

    /// Resets a player's ratings in every category. Returns the categories in which they had one.
    ///
    /// # Errors
    /// If the store is away or damaged; asking again does the rest.
    pub(crate) async fn unrank(&self, player: &PlayerId) -> Result<Vec<String>, StoreError> {
        let mut had = Vec::new();
        for category in self.store.rating_categories().await? {
            let (at, mut any) = (self.now(), false);
            for row in self.rows_with(&category, player).await? {
                let anew = |before| Some(Entry::Unranked { player: row.clone(), before, at });
                any |= self.remove(&category, &row, anew).await?.is_some();
            }
            if any {
                had.push(category);
            }
        }
        Ok(had)
    }
}
