//! The outcome of a match, in one form for solo, cooperative and competitive games.
//!
//! Invariant: one standing a seat, in seat order. Figures of a single game go into `figures` by name, so that
//! the form never changes with a new game.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::{KnownFormat, Object, ObjectBuilder, SchemaFormat, Type};

use super::seat::{Seat, SeatCount, Seats};

/// The result of a finished match for one seat.
///
/// - `won`: Won, alone or together (a shared first place is won by each).
/// - `lost`: Lost.
/// - `drawn`: Nobody won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Verdict {
    Won,
    Lost,
    Drawn,
}

/// One seat's result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Standing {
    /// The seat whose result it is.
    pub seat: Seat,
    /// Won, lost or drawn.
    pub verdict: Verdict,
    /// Place, from 1; seats that are tied share a number.
    #[schema(minimum = 1, maximum = 5)]
    pub rank: u8,
    /// Points, in games that have them.
    #[schema(value_type = Option<i64>, required, minimum = -9007199254740991i64, maximum = 9007199254740991i64)]
    pub score: Option<i32>,
    /// Further figures of this seat, by name, explained in the game's summary; empty where the service ended the match.
    #[serde(default)]
    #[schema(schema_with = seat_figures, required)]
    pub figures: BTreeMap<Cow<'static, str>, i64>,
}

/// The result of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Outcome {
    /// Stable snake_case reason: one of the game's endings, or of the service's `resignation`, `abandoned`, `timeout`,
    /// `draw_agreed`, `adjudicated`.
    #[schema(value_type = String)]
    pub ending: Cow<'static, str>,
    /// One entry a seat, in seat order.
    pub standings: Vec<Standing>,
    /// Further figures of the whole match, by name, explained in the game's summary; empty where the service ended the
    /// match.
    #[serde(default)]
    #[schema(schema_with = match_figures, required)]
    pub figures: BTreeMap<Cow<'static, str>, i64>,
}

fn seat_figures() -> Object {
    figures(
        "Further figures of this seat, by name, explained in the game's summary; empty where the service ended the match.",
    )
}

fn match_figures() -> Object {
    figures(
        "Further figures of the whole match, by name, explained in the game's summary; empty where the service ended the match.",
    )
}

/// The schema of figures: integers that a double holds exactly.
pub(super) fn figures(description: &str) -> Object {
    const MOST: i64 = (1 << 53) - 1;
    let figure = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
        .minimum(Some(-MOST))
        .maximum(Some(MOST));
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .description(Some(description))
        .property_names(Some(ObjectBuilder::new().schema_type(Type::String)))
        .additional_properties(Some(figure))
        .build()
}

impl Outcome {
    /// Every seat shares `verdict` at rank 1: cooperative and solo results, and draws.
    pub fn shared(ending: &'static str, count: SeatCount, verdict: Verdict) -> Outcome {
        Outcome::by_rank(ending, count.seats().map(|_| (1, None)), verdict)
    }

    /// `winners` won, all others lost and share the place behind them.
    pub fn won_by(ending: &'static str, count: SeatCount, winners: Seats) -> Outcome {
        let behind = winners.len() as u8 + 1;
        let ranks = count.seats().map(|seat| (if winners.contains(seat) { 1 } else { behind }, None));
        Outcome::by_rank(ending, ranks, Verdict::Won)
    }

    /// Ranks and points in seat order. Rank 1 gets `first`, all others have lost.
    pub fn by_rank(ending: &'static str, ranks: impl Iterator<Item = (u8, Option<i32>)>, first: Verdict) -> Outcome {
        let standings = ranks
            .enumerate()
            .filter_map(|(index, (rank, score))| {
                Some(Standing {
                    seat: Seat::new(index as u8)?,
                    verdict: if rank == 1 { first } else { Verdict::Lost },
                    rank,
                    score,
                    figures: BTreeMap::new(),
                })
            })
            .collect();
        Outcome { ending: Cow::Borrowed(ending), standings, figures: BTreeMap::new() }
    }

    /// The same result with the `resigned` seats moved behind all others, on one shared place: the
    /// best of those who stayed gets the place and verdict of the best.
    #[must_use]
    pub fn with_resigned_last(mut self, resigned: Seats) -> Outcome {
        let stayed = self.standings.iter().filter(|standing| !resigned.contains(standing.seat)).count();
        if resigned.is_empty() || stayed == 0 || self.standings.iter().all(|s| s.verdict == Verdict::Lost) {
            return self;
        }
        let best = self.standings.iter().min_by_key(|standing| standing.rank).map(|standing| standing.verdict);
        let ranks: Vec<u8> = self
            .standings
            .iter()
            .filter(|standing| !resigned.contains(standing.seat))
            .map(|standing| standing.rank)
            .collect();
        for standing in &mut self.standings {
            if resigned.contains(standing.seat) {
                standing.rank = stayed as u8 + 1;
                standing.verdict = Verdict::Lost;
            } else {
                standing.rank = ranks.iter().filter(|rank| **rank < standing.rank).count() as u8 + 1;
                standing.verdict = if standing.rank == 1 { best.unwrap_or(Verdict::Lost) } else { Verdict::Lost };
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(numbers: &[u8]) -> Seats {
        numbers.iter().filter_map(|number| Seat::new(*number)).collect()
    }

    fn summary(outcome: &Outcome) -> Vec<(u8, Verdict)> {
        outcome.standings.iter().map(|standing| (standing.rank, standing.verdict)).collect()
    }

    #[test]
    fn those_who_resigned_rank_last() {
        let ranks = [(1, Some(9)), (2, Some(7)), (2, Some(7)), (4, Some(1))].into_iter();
        let outcome = Outcome::by_rank("deck_depleted", ranks, Verdict::Won).with_resigned_last(seats(&[0]));
        let expected = [(4, Verdict::Lost), (1, Verdict::Won), (1, Verdict::Won), (3, Verdict::Lost)];
        assert_eq!(summary(&outcome), expected);
    }

    #[test]
    fn a_common_loss_stays_a_common_loss() {
        let count = SeatCount::new(3).unwrap();
        let outcome = Outcome::shared("sacrificed", count, Verdict::Lost).with_resigned_last(seats(&[1]));
        assert_eq!(summary(&outcome), [(1, Verdict::Lost); 3]);
    }

    #[test]
    fn losers_share_the_place_behind_the_winners() {
        let outcome = Outcome::won_by("connected", SeatCount::new(2).unwrap(), seats(&[1]));
        assert_eq!(summary(&outcome), [(2, Verdict::Lost), (1, Verdict::Won)]);
    }
}
