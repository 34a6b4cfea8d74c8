//! Ratings: each rated match changes those of its players, and the boards show the order that follows.
//!
//! Invariants:
//! - A category has one log, and each change names the length that it was computed from: ratings are computed strictly in the
//!   order of the log, on whatever instance. A match is in the log once, however often its result is handed in.
//! - Ratings and boards are a fold of the log ([`rebuild`](Ratings::rebuild)); no match is read for them.
//! - The log has ids of players and never their names. Whoever has left for good is on no board, and has no rating.

mod board;
mod category;
mod entry;
mod fold;
mod formula;
mod history;
mod moderation;
mod rebuilding;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use sarsen_accounts::player_status::KnownStatuses;
use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_games::Games;
use sarsen_matches::rated_result::RatedResult;
use sarsen_store::{PutRating, RatingStore, StoreError};

pub use self::board::{BoardCursor, BoardPage, BoardRow, StaleCursor};
use self::board::{is_shown, key_of};
pub use self::category::Category;
use self::entry::{Entry, StoredRating, encode};
pub use self::formula::{Rating, shown};
pub use self::history::{MatchRating, RatedChange};
pub use self::moderation::NotRated;
pub use self::rebuilding::Rebuilt;

/// The most attempts at a change while others are quicker.
const ATTEMPTS: usize = 200;

/// The ratings of players.
#[derive(Clone)]
pub struct Ratings {
    store: Arc<dyn RatingStore>,
    known: Arc<KnownStatuses>,
    games: Arc<Games>,
    ambient: Ambient,
}

impl Ratings {
    /// The ratings in this store. `known` are the statuses of players that this instance goes by.
    pub fn new(store: Arc<dyn RatingStore>, known: Arc<KnownStatuses>, games: Arc<Games>, ambient: Ambient) -> Ratings {
        Ratings { store, known, games, ambient }
    }

    /// Rates a match, unless that was done before. Returns true if it was not.
    ///
    /// # Errors
    /// If the store is away or damaged; handing in the result again does the rest.
    pub async fn rate(&self, result: &RatedResult) -> Result<bool, StoreError> {
        let RatedResult { match_id, category, at, seats } = result;
        let players: Vec<PlayerId> = seats.iter().map(|seat| seat.player.clone()).collect();
        for _ in 0..ATTEMPTS {
            let found = self.store.ratings(category, &players, Some(match_id)).await?;
            if found.entry.is_some() {
                return Ok(false);
            }
            let stored = found.stored.iter().map(|stored| stored.as_deref().map(StoredRating::decode).transpose());
            let stored: Vec<_> = stored.collect::<Result<_, _>>()?;
            let (rated, changed) = fold::rate(match_id.clone(), *at, seats, &stored, found.length);
            let puts = changed.into_iter().map(|(player, stored)| self.put(category, player, &stored));
            let entry = vec![(encode(&Entry::Match(rated))?, Some(match_id.clone()))];
            let puts = puts.collect::<Result<_, _>>()?;
            if self.store.change_ratings(category, found.length, entry, puts).await? {
                return Ok(true);
            }
        }
        Err(busy())
    }

    /// The rating as it is written: none of whoever has left for good.
    fn put(&self, category: &str, player: PlayerId, stored: &StoredRating) -> Result<PutRating, StoreError> {
        if self.known.is_gone(&player) {
            return Ok(PutRating { player, stored: None, key: None });
        }
        let lately = stored.rating.at.is_some_and(|at| is_shown(at, self.now()));
        let listed = lately && !stored.rating.is_provisional(category::has_two_seats(category));
        let key = listed.then(|| key_of(&stored.rating));
        Ok(PutRating { player, stored: Some(encode(stored)?), key })
    }

    /// Removes the ratings of a player who leaves, everywhere. What others have won or lost against them stays.
    ///
    /// # Errors
    /// If the store is away; asking again does the rest.
    pub async fn forget(&self, player: &PlayerId) -> Result<bool, StoreError> {
        let mut had = false;
        for category in self.store.rating_categories().await? {
            had |= self.remove(&category, player, |_| None).await?.is_some();
        }
        Ok(had)
    }

    /// Removes the rating of a player in a category, with an entry that says so if there is to be one. Answers the rating.
    async fn remove(
        &self,
        category: &str,
        player: &PlayerId,
        entry: impl Fn(Rating) -> Option<Entry>,
    ) -> Result<Option<Rating>, StoreError> {
        for _ in 0..ATTEMPTS {
            let found = self.store.ratings(category, std::slice::from_ref(player), None).await?;
            let Some(stored) = found.stored.into_iter().flatten().next() else { return Ok(None) };
            let StoredRating { rating, .. } = StoredRating::decode(&stored)?;
            let entry = entry(rating).map(|entry| encode(&entry).map(|entry| (entry, None))).transpose()?;
            let none = PutRating { player: player.clone(), stored: None, key: None };
            let entries = entry.into_iter().collect();
            if self.store.change_ratings(category, found.length, entries, vec![none]).await? {
                return Ok(Some(rating));
            }
        }
        Err(busy())
    }

    /// The ratings of a player, by category.
    ///
    /// # Errors
    /// If the store is away or damaged.
    pub async fn of_player(&self, player: &PlayerId) -> Result<Vec<(Category, Rating)>, StoreError> {
        let mut all = Vec::new();
        for category in self.store.rating_categories().await? {
            let rating = self.rating(&category, player).await?;
            all.extend(Category::read(&category).zip(rating.map(|stored| stored.rating)));
        }
        Ok(all)
    }

    async fn rating(&self, category: &str, player: &PlayerId) -> Result<Option<StoredRating>, StoreError> {
        let found = self.store.ratings(category, std::slice::from_ref(player), None).await?;
        found.stored.into_iter().flatten().next().map(|stored| StoredRating::decode(&stored)).transpose()
    }

    /// The category in whose log a match is, with the place of its last entry there.
    async fn place_of(&self, id: &MatchId) -> Result<Option<(String, u64)>, StoreError> {
        for category in self.store.rating_categories().await? {
            if let Some(entry) = self.store.ratings(&category, &[], Some(id)).await?.entry {
                return Ok(Some((category, entry)));
            }
        }
        Ok(None)
    }

    /// The entry at a place of a log.
    async fn entry(&self, category: &str, place: u64) -> Result<Entry, StoreError> {
        let found = self.store.rating_log(category, place, 1).await?;
        let found = found.first().ok_or_else(|| StoreError::Corrupt("a log of ratings has a gap".to_owned()))?;
        Entry::decode(found)
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.ambient.now()
    }
}

fn busy() -> StoreError {
    StoreError::Unavailable("others keep changing these ratings".into())
}
