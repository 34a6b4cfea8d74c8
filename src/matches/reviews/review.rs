//! The review of a match: the judgement of each decision by what its player could know.
//!
//! Invariant: a review is a function of the record, the level and the version of the bots, in integers throughout, so it
//! is the same wherever it is made, and may be thrown away and made again.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use crate::export::Verbatim;
use sarsen_games::bots::{Assessment, Level};
use sarsen_rules::Seat;
use sarsen_store::Work;

/// The level of the bot that reviews.
///
/// - `medium`: Quick.
/// - `hard`: As well as the service can.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewLevel {
    /// Quick.
    Medium,
    /// As well as the service can.
    Hard,
}

impl ReviewLevel {
    /// Every level, the quickest first.
    pub const ALL: [ReviewLevel; 2] = [ReviewLevel::Medium, ReviewLevel::Hard];

    /// The level of the bot.
    pub(crate) fn level(self) -> Level {
        match self {
            ReviewLevel::Medium => Level::Medium,
            ReviewLevel::Hard => Level::Hard,
        }
    }

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        self.level().name()
    }
}

/// The verdict on a move, by its loss. More may come: ignore one that you do not know.
///
/// - `best`: A loss below 0.02.
/// - `good`: Below 0.05, or so little that it may be chance of the search.
/// - `inaccuracy`: Below 0.1.
/// - `mistake`: Below 0.2.
/// - `blunder`: More.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum MoveVerdict {
    Best,
    Good,
    Inaccuracy,
    Mistake,
    Blunder,
}

impl MoveVerdict {
    /// The verdict on a loss with this standard error, both in ten-thousandths. A loss of less than two standard errors
    /// is never worse than good.
    fn on(loss: i32, error: i32) -> MoveVerdict {
        let by_loss = match loss {
            ..200 => MoveVerdict::Best,
            200..500 => MoveVerdict::Good,
            500..1000 => MoveVerdict::Inaccuracy,
            1000..2000 => MoveVerdict::Mistake,
            _ => MoveVerdict::Blunder,
        };
        if loss < 2 * error { by_loss.min(MoveVerdict::Good) } else { by_loss }
    }
}

/// An expected result, or a difference of two, in ten-thousandths; a number from 0 to 1 on the wire.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ExpectedResult(pub i32);

impl Serialize for ExpectedResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.0) / 10_000.0)
    }
}

impl<'de> Deserialize<'de> for ExpectedResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ExpectedResult, D::Error> {
        f64::deserialize(deserializer).map(|share| ExpectedResult((share * 10_000.0).round() as i32))
    }
}

/// A move that the bot prefers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PreferredMove {
    /// The move in the game's notation.
    #[schema(examples("29b-5b"))]
    pub notation: String,
    /// The expected result of the seat after it, from 0 to 1.
    #[schema(value_type = f64, minimum = 0, maximum = 1)]
    pub value: ExpectedResult,
}

/// The review of one decision: of a move that was made where there was a choice.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ReviewItem {
    /// The version of the match that the move made. The decision was taken on the version before it.
    #[schema(minimum = 2)]
    pub version: u64,
    /// The seat that decided.
    pub seat: Seat,
    /// The move, as it was made.
    #[schema(value_type = Object)]
    pub r#move: Verbatim,
    /// The move in the game's notation.
    #[schema(examples("29b-5b"))]
    pub notation: String,
    /// The best moves, the best first, three at most. It is judged by what the seat could see, never by what turned up
    /// later. A move that the search cannot tell from the first has at most the first one's value.
    #[schema(min_items = 1, max_items = 3)]
    pub best: Vec<PreferredMove>,
    /// The expected result of the seat with the first of them: the chance to win, of the group in co-operative games; with
    /// more than two seats the share of the others that it beats, a tie half; alone as the game's bots value scores. Where
    /// the search ends before the match, the margins in the eyes of the bots stand in for the result.
    #[schema(value_type = f64, minimum = 0, maximum = 1)]
    pub value: ExpectedResult,
    /// The expected result that the move has cost: `value` less that of the move, by the same search of both.
    #[schema(value_type = f64, minimum = 0, maximum = 1)]
    pub loss: ExpectedResult,
    /// The verdict.
    pub verdict: MoveVerdict,
    /// The reason why the first of the best moves is good, in a sentence to the player who decided; null where the verdict
    /// is `best`, or the figures are all there is to say.
    #[schema(required)]
    pub reason: Option<String>,
}

impl ReviewItem {
    /// The item of a move that was assessed so.
    pub(crate) fn of(version: u64, seat: Seat, (mv, notation): (Verbatim, String), found: Assessment) -> ReviewItem {
        let Assessment { best, loss, error, reason } = found;
        let verdict = MoveVerdict::on(loss, error);
        let best: Vec<PreferredMove> = best
            .into_iter()
            .map(|(notation, value)| PreferredMove { notation, value: ExpectedResult(value) })
            .collect();
        ReviewItem {
            version,
            seat,
            r#move: mv,
            notation,
            value: best.first().map_or(ExpectedResult(0), |first| first.value),
            best,
            loss: ExpectedResult(loss),
            verdict,
            reason: reason.filter(|_| verdict != MoveVerdict::Best),
        }
    }
}

/// The review of one seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ReviewedSeat {
    /// The seat.
    pub seat: Seat,
    /// The number of its moves with the verdict `best`.
    pub best: u32,
    /// With the verdict `good`.
    pub good: u32,
    /// With the verdict `inaccuracy`.
    pub inaccuracies: u32,
    /// With the verdict `mistake`.
    pub mistakes: u32,
    /// With the verdict `blunder`.
    pub blunders: u32,
    /// The number of decisions with a single legal move, which are not judged.
    pub forced: u32,
    /// The mean loss of the moves that were judged; 0 where none was.
    #[schema(value_type = f64, minimum = 0, maximum = 1)]
    pub mean_loss: ExpectedResult,
}

/// A review, whole or as far as it has come.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Review {
    /// The version up to which the match has been looked at.
    #[serde(default, rename = "t")]
    pub reached: u64,
    /// The judged decisions, in the order of the match.
    #[serde(default, rename = "i")]
    pub items: Vec<ReviewItem>,
    /// The number of forced decisions by seat.
    #[serde(default, rename = "f")]
    pub(crate) forced: Vec<u32>,
}

impl Work for Review {
    const NAME: &'static str = "review";
}

impl Review {
    /// Counts a forced decision.
    pub(crate) fn count_forced(&mut self, seat: Seat) {
        let most = self.forced.len().max(seat.index() + 1);
        self.forced.resize(most, 0);
        self.forced[seat.index()] += 1;
    }

    /// The sums of these seats.
    pub fn seats(&self, seats: impl Iterator<Item = Seat>) -> Vec<ReviewedSeat> {
        let of = |seat: Seat| {
            let own: Vec<&ReviewItem> = self.items.iter().filter(|item| item.seat == seat).collect();
            let count = |verdict| own.iter().filter(|item| item.verdict == verdict).count() as u32;
            let lost: i32 = own.iter().map(|item| item.loss.0).sum();
            ReviewedSeat {
                seat,
                best: count(MoveVerdict::Best),
                good: count(MoveVerdict::Good),
                inaccuracies: count(MoveVerdict::Inaccuracy),
                mistakes: count(MoveVerdict::Mistake),
                blunders: count(MoveVerdict::Blunder),
                forced: self.forced.get(seat.index()).copied().unwrap_or(0),
                mean_loss: ExpectedResult(lost / own.len().max(1) as i32),
            }
        };
        seats.map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_follows_from_the_loss_unless_that_may_be_chance() {
        use MoveVerdict::{Best, Blunder, Good, Inaccuracy, Mistake};
        let by_loss = [0, 199, 200, 499, 500, 999, 1000, 1999, 2000, 10_000].map(|loss| MoveVerdict::on(loss, 0));
        assert_eq!(by_loss, [Best, Best, Good, Good, Inaccuracy, Inaccuracy, Mistake, Mistake, Blunder, Blunder]);
        assert_eq!(
            [(599, 300), (600, 300), (100, 300)].map(|(loss, error)| MoveVerdict::on(loss, error)),
            [Good, Inaccuracy, Best]
        );
    }

    #[test]
    fn a_result_is_the_same_after_any_number_of_readings() {
        for value in 0..=10_000 {
            let written = serde_json::to_string(&ExpectedResult(value)).unwrap();
            assert_eq!(serde_json::from_str::<ExpectedResult>(&written).unwrap(), ExpectedResult(value), "{written}");
        }
        assert_eq!(serde_json::to_string(&ExpectedResult(7100)).unwrap(), "0.71");
    }
}
