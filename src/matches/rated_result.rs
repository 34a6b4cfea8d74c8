//! The result of a rated match: all that its players' ratings are computed from, so that the match itself may be deleted.
//! The commit that ends the match orders a job with it.

use serde::{Deserialize, Serialize};

use crate::board_match::BoardMatch;
use crate::model::clock::{SeatClock, Speed};
use crate::model::terms::{Terms, Visibility};
use crate::table::live_match::LiveMatch;
use sarsen_accounts::auth::PlayerKind;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_store::{Stage, Work};

/// The result of a rated match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RatedResult {
    /// The match.
    #[serde(rename = "m")]
    pub match_id: MatchId,
    /// Its version at the end.
    #[serde(rename = "v")]
    pub version: u64,
    /// The category: `<game>.<2|3-5>.<live|correspondence>`, with `.programs` behind it for bot accounts.
    #[serde(rename = "c")]
    pub category: String,
    /// The end of the match.
    #[serde(rename = "t")]
    pub at: Timestamp,
    /// The seats, in order.
    #[serde(rename = "s")]
    pub seats: Vec<RatedSeat>,
    /// True if the match is private: others than its players do not hear of its id.
    #[serde(rename = "x", default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
}

/// A job of the ratings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum RatingJob {
    /// Rates a match that has ended.
    #[serde(rename = "m")]
    Match(RatedResult),
    /// Notes on a board of results that a match has started, or how it ended.
    #[serde(rename = "o")]
    Board(BoardMatch),
    /// Computes the ratings of a category again.
    #[serde(rename = "b")]
    Rebuild(String),
    /// Takes those off the board of a category who have not played for long, or removes boards of months long past.
    #[serde(rename = "s")]
    Sweep(String),
}

impl Work for RatingJob {
    const NAME: &'static str = "job of ratings";
}

/// One seat of a rated match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RatedSeat {
    /// The player.
    #[serde(rename = "p")]
    pub player: PlayerId,
    /// The place, from 1; seats that are tied share one.
    #[serde(rename = "r")]
    pub rank: u8,
    /// True if the result counts for the player: all have made a move, or this player has left without one.
    #[serde(rename = "c")]
    pub counts: bool,
}

/// The name of the category of such matches.
pub fn category_of(game: &str, seats: usize, speed: Speed, kind: PlayerKind) -> String {
    let size = if seats == 2 { "2" } else { "3-5" };
    let programs = if kind.is_person() { "" } else { ".programs" };
    format!("{game}.{size}.{speed}{programs}")
}

impl LiveMatch {
    /// The category in which a player of this kind has the rating that counts here.
    pub fn category_for(&self, kind: PlayerKind) -> String {
        let Terms { game, clock, .. } = &*self.stored.terms;
        let speed = clock.map_or(Speed::Correspondence, |clock| clock.speed());
        category_of(game, self.stored.seats.len(), speed, kind)
    }

    /// The result for the ratings, once a rated match has finished.
    pub fn rated_result(&self) -> Option<RatedResult> {
        let stored = &self.stored;
        let outcome = stored.outcome.as_ref().filter(|_| stored.terms.is_rated() && stored.stage == Stage::Finished)?;
        let moved = |clock: &Option<SeatClock>| clock.as_ref().is_some_and(SeatClock::has_moved);
        let all_moved = stored.seats.iter().all(|seat| moved(&seat.clock));
        let mut kind = PlayerKind::Person;
        let seats = stored.seats.iter().zip(&outcome.standings).map(|(seat, standing)| {
            let player = seat.player.as_ref()?;
            if !player.kind.is_person() {
                kind = player.kind;
            }
            let counts = all_moved || (seat.resigned && !moved(&seat.clock));
            Some(RatedSeat { player: player.id.clone(), rank: standing.rank, counts })
        });
        let seats = seats.collect::<Option<_>>()?;
        let (category, private) = (self.category_for(kind), stored.terms.visibility == Visibility::Private);
        let (match_id, version) = (stored.id.clone(), stored.version);
        Some(RatedResult { match_id, version, category, at: stored.ended_at?, seats, private })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_category_has_game_size_speed_and_kind() {
        use Speed::{Correspondence, Live};
        let of = |seats, speed, kind| category_of("henge", seats, speed, kind);
        assert_eq!(of(2, Live, PlayerKind::Person), "henge.2.live");
        assert_eq!(of(3, Correspondence, PlayerKind::Person), "henge.3-5.correspondence");
        assert_eq!(of(5, Live, PlayerKind::Bot), "henge.3-5.live.programs");
    }
}
