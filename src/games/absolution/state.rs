//! A match of Absolution between two moves: cards, disks, trilithons, the Druid, and what is due.
//!
//! Invariants: the 65 cards are in the hands, the Field, the discards and the pile, each once; what a hand is known to
//! hold is in it; disks belong to coloured numbers and trilithons to black ones; there is a first seat exactly from the
//! end of the vote on.

use std::collections::BTreeMap;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use strum::{IntoStaticStr, VariantNames};
use utoipa::ToSchema;

use super::numbers::NumberSet;
use super::options::Options;
use super::talk::Talk;
use super::track::{Druid, Turn, is_black};
use crate::stonehenge::{CardSet, Number, Pile, packed};
use sarsen_rules::{Outcome, Seat, SeatCount, Seats, Status, Verdict};

/// The count of coloured numbers, each with a pair of disks.
pub(crate) const PAIRS: usize = 25;

/// The number of pairs that save the Druid (AB-18, AB-19).
pub(crate) const PAIRS_TO_WIN: usize = 13;

/// Returns how many cards each of `seats` is dealt.
pub(crate) const fn hand_size(seats: SeatCount) -> u8 {
    match seats.get() {
        0..=2 => 9,
        3 => 6,
        4 => 4,
        _ => 3,
    }
}

/// The ending of a match. More may come: ignore one that you do not know.
///
/// - `saved`: The Druid lives and 13 or more pairs of disks are on the inner ring: won.
/// - `sacrificed`: The Druid was left on the altar: lost.
/// - `too_few_pairs`: The Druid lives, but fewer than 13 pairs are on the inner ring: lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, IntoStaticStr, VariantNames, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schema(as = AbsolutionEnding)]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Ending {
    Saved,
    Sacrificed,
    TooFewPairs,
}

/// The step that the match is waiting for.
///
/// - `voting`: Nominations.
/// - `playing`: An exchange, a match or a pass.
/// - `drawing`: The draw after a match. Only a dry run shows it.
/// - `revealing`: Laying open what was hidden. Only a dry run shows it.
/// - `over`: Nothing: the match is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AbsolutionStep)]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Step {
    Voting,
    Playing,
    Drawing,
    Revealing,
    Over,
}

/// A seat's cards and what it has said.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// Its hand.
    #[serde(with = "packed")]
    pub hand: CardSet,
    /// The cards that it took from the Field and still holds, as everyone knows.
    #[serde(with = "packed")]
    pub(crate) taken: CardSet,
    #[serde(default)]
    pub(crate) talk: Talk,
}

/// Everything there is to know.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct State {
    /// As chosen by the creator.
    pub(crate) options: Options,
    /// The step that the match is waiting for.
    pub(crate) step: Step,
    /// The rounds of the vote, each with the seats nominated by each seat.
    pub(crate) votes: Vec<Vec<Option<Seat>>>,
    /// The seat that plays Day 1, once it is known.
    pub(crate) first: Option<Seat>,
    /// The turn being played; the last one played once the match is over.
    pub turn: Turn,
    /// True if the Field has been used in this turn.
    pub(crate) exchanged: bool,
    /// The place where the Druid stands.
    pub(crate) druid: Druid,
    /// Numbers whose day disk is on the outer ring.
    pub(crate) days_out: NumberSet,
    /// Numbers whose night disk is on the outer ring.
    pub(crate) nights_out: NumberSet,
    /// Black numbers with a trilithon.
    pub(crate) trilithons: NumberSet,
    /// The seats.
    pub players: Vec<Player>,
    #[serde(with = "packed")]
    pub(crate) field: CardSet,
    /// The cards played, in the order of play; the cards of one match are in board order.
    pub(crate) discards: Pile,
    pub(crate) pile: Pile,
}

impl State {
    /// Returns how many seats there are.
    pub fn seats(&self) -> SeatCount {
        u8::try_from(self.players.len()).ok().and_then(SeatCount::new).unwrap_or(SeatCount::ONE)
    }

    /// The seat whose turn on the track it is; `None` during the vote.
    pub(crate) fn on_turn(&self) -> Option<Seat> {
        let (first, seats) = (self.first?, self.seats().get());
        Seat::new((first.number() + self.turn.index()) % seats)
    }

    /// The number of the turn.
    pub(crate) fn number(&self) -> Number {
        self.turn.number()
    }

    /// Returns whether the Druid lies on the altar and may still be brought back in the turn being played (AB-22).
    pub(crate) fn rescue_pending(&self) -> bool {
        self.druid.on_altar() && matches!(self.step, Step::Playing | Step::Drawing)
    }

    /// Returns how many coloured numbers have both disks on the inner ring.
    pub(crate) fn inner_pairs(&self) -> usize {
        PAIRS - self.days_out.union(self.nights_out).len()
    }

    /// Returns how many coloured numbers have both disks on the outer ring.
    pub(crate) fn outer_pairs(&self) -> usize {
        self.days_out.common(self.nights_out).len()
    }

    /// Returns how many cards a match in this turn draws (AB-10, AB-15).
    pub(crate) fn due_to_draw(&self) -> usize {
        let due = if self.exchanged { 1 } else { 2 };
        self.pile.len().min(due)
    }

    /// Returns how the match has ended, once it has.
    pub(crate) fn ending(&self) -> Option<Ending> {
        match self.step {
            Step::Over | Step::Revealing if self.druid.on_altar() => Some(Ending::Sacrificed),
            Step::Over | Step::Revealing if self.inner_pairs() >= PAIRS_TO_WIN => Some(Ending::Saved),
            Step::Over | Step::Revealing => Some(Ending::TooFewPairs),
            Step::Voting | Step::Playing | Step::Drawing => None,
        }
    }

    /// Returns what happens next.
    pub(crate) fn status(&self) -> Status {
        match self.step {
            Step::Voting => Status::ToAct(self.undecided()),
            Step::Playing => Status::ToAct(self.on_turn().map_or(Seats::EMPTY, Seats::one)),
            Step::Drawing | Step::Revealing => Status::Chance,
            Step::Over => Status::Over(self.outcome()),
        }
    }

    /// The seats that have not nominated in this round of the vote.
    pub(crate) fn undecided(&self) -> Seats {
        let round = self.votes.last().into_iter().flatten();
        self.seats().seats().zip(round).filter(|(_, nominee)| nominee.is_none()).map(|(seat, _)| seat).collect()
    }

    /// The same for all seats (AB-39).
    fn outcome(&self) -> Outcome {
        let ending = self.ending().unwrap_or(Ending::TooFewPairs);
        let verdict = if ending == Ending::Saved { Verdict::Won } else { Verdict::Lost };
        let figures = [("inner_pairs", self.inner_pairs()), ("outer_pairs", self.outer_pairs())];
        Outcome {
            figures: BTreeMap::from(figures.map(|(name, pairs)| (name.into(), pairs as i64))),
            ..Outcome::shared(ending.into(), self.seats(), verdict)
        }
    }

    /// Returns what the invariants of this file demand; the fault in a few words.
    fn fault(&self) -> Option<&'static str> {
        let hands = self.players.iter().map(|player| player.hand);
        let sets: Vec<CardSet> = hands.chain([self.field, self.discards.set(), self.pile.set()]).collect();
        let all = sets.iter().fold(CardSet::EMPTY, |all, set| all.union(*set));
        let disks = self.days_out.union(self.nights_out);
        if !(2..=5).contains(&self.players.len()) {
            Some("two to five seats play")
        } else if all != CardSet::ALL || sets.iter().map(|set| set.len()).sum::<usize>() != all.len() {
            Some("the cards are not the deck")
        } else if self.players.iter().any(|player| !player.taken.is_within(player.hand)) {
            Some("a hand lacks a card that it took")
        } else if disks.iter().any(is_black) || !self.trilithons.iter().all(is_black) {
            Some("disks belong to coloured numbers, trilithons to black ones")
        } else if (self.step == Step::Voting) != self.first.is_none()
            || self.first.is_some_and(|first| !self.seats().contains(first))
        {
            Some("the first seat is found by the vote")
        } else if self.votes.iter().any(|round| round.len() != self.players.len())
            || self.step == Step::Voting && self.undecided().is_empty()
        {
            Some("each seat nominates once a round")
        } else {
            None
        }
    }
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        State::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<State, D::Error> {
        let state = State::deserialize(deserializer)?;
        match state.fault() {
            None => Ok(state),
            Some(fault) => Err(D::Error::custom(fault)),
        }
    }
}
