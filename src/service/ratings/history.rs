//! The changes of ratings, by match and by player.

use super::category::has_two_seats;
use super::entry::{Entry, RatedMatch, RatedPlayer};
use super::formula::Rating;
use super::rater::Ratings;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_matches::rated_result::{RatedResult, RatingJob};
use sarsen_store::StoreError;

/// The effect of a match on the rating of one player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchRating {
    /// The player.
    pub player: PlayerId,
    /// The rating before.
    pub before: Rating,
    /// The rating after; the one before where the match has not counted.
    pub after: Rating,
    /// True if the rating after is provisional.
    pub provisional: bool,
    /// True if the match has counted for the player.
    pub counted: bool,
}

/// A change of a player's rating.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RatedChange {
    /// The match; `None` for a private one in which the reader did not play.
    pub match_id: Option<MatchId>,
    /// Its end.
    pub at: Timestamp,
    /// The effect on the player.
    pub change: MatchRating,
}

impl MatchRating {
    fn of(player: &RatedPlayer, two_seats: bool, annulled: bool) -> MatchRating {
        let RatedPlayer { seat, before, after, .. } = player;
        let after = after.filter(|_| !annulled);
        let provisional = after.unwrap_or(*before).is_provisional(two_seats);
        let (player, before) = (seat.player.clone(), *before);
        MatchRating { player, before, after: after.unwrap_or(before), provisional, counted: after.is_some() }
    }
}

impl Ratings {
    /// The effect of a match on each of its players, in the order of seats; `None` until it is rated, which is ordered again
    /// in case that the job was not carried along with the match.
    ///
    /// # Errors
    /// If the store is away or damaged.
    pub async fn of_match(&self, result: &RatedResult) -> Result<Option<Vec<MatchRating>>, StoreError> {
        let category = result.category.as_str();
        let found = self.store.ratings(category, &[], Some(&result.match_id)).await?;
        let Some(place) = found.entry else {
            self.order(result.match_id.to_string(), &RatingJob::Match(result.clone())).await?;
            return Ok(None);
        };
        let (RatedMatch { seats, .. }, annulled) = match self.entry(category, place).await? {
            Entry::Match(rated) => (rated, false),
            Entry::Annulled { entry, .. } => (self.rated(category, entry).await?, true),
            Entry::Result(_) | Entry::Unranked { .. } => return Err(no_match()),
        };
        let two_seats = has_two_seats(category);
        Ok(Some(seats.iter().map(|player| MatchRating::of(player, two_seats, annulled)).collect()))
    }

    async fn rated(&self, category: &str, place: u64) -> Result<RatedMatch, StoreError> {
        match self.entry(category, place).await? {
            Entry::Match(rated) => Ok(rated),
            _ => Err(no_match()),
        }
    }

    /// The changes of a player's rating in a category as this reader may see them, the newest first, with the cursor of the
    /// next page; `None` where the cursor is none of this player's.
    ///
    /// # Errors
    /// If the store is away or damaged.
    pub async fn history(
        &self,
        (category, reader): (&str, Option<&PlayerId>),
        player: &PlayerId,
        cursor: Option<u64>,
        limit: usize,
    ) -> Result<Option<(Vec<RatedChange>, Option<u64>)>, StoreError> {
        let mut next = match cursor {
            Some(place) => Some(place),
            None => self.rating(category, player).await?.map(|stored| stored.entry),
        };
        let (mut changes, two_seats) = (Vec::new(), has_two_seats(category));
        while let Some(place) = next.filter(|_| changes.len() < limit) {
            let Some(found) = self.store.rating_log(category, place, 1).await?.pop() else { return Ok(None) };
            let Entry::Match(rated) = Entry::decode(&found)? else { return Ok(None) };
            let RatedMatch { match_id, at, seats, private } = rated;
            let Some(own) = seats.iter().find(|seat| seat.seat.player == *player) else { return Ok(None) };
            // Each entry names the one before it.
            next = own.previous.filter(|previous| *previous < place);
            let last = self.store.ratings(category, &[], Some(&match_id)).await?.entry;
            let change = MatchRating::of(own, two_seats, last != Some(place));
            let told = !private || seats.iter().any(|seat| reader == Some(&seat.seat.player));
            changes.push(RatedChange { match_id: told.then_some(match_id), at, change });
        }
        Ok(Some((changes, next)))
    }
}

fn no_match() -> StoreError {
    StoreError::Corrupt("a log of ratings has no match where one is named".to_owned())
}
