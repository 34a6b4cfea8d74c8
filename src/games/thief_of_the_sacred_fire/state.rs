//! A match of Thief of the Sacred Fire.
//!
//! Invariants: druids stand on different spaces, inner ones on small stones, the High Druid on a bluestone; the thief
//! stands with no druid unless just caught; pile, dealt and discarded cards are the 60 number cards (so what is
//! discarded needs no storing). The pile's order is the game's one secret.

use serde::{Deserialize, Serialize};
use serde_tuple::Serialize_tuple;
use strum::{IntoStaticStr, VariantNames};
use utoipa::ToSchema;

use super::figures::{DRUIDS, Druid, Figure, points};
use super::options::Options;
use super::patrol::may_head;
use super::space::{Space, Spot, TRILITHONS};
use crate::stonehenge::{Card, CardSet, Pile};
use sarsen_rules::{Outcome, Seat, SeatCount, Seats, Status, Verdict};

/// The ending of a game. More may come: ignore one that you do not know.
///
/// - `fire_home`: The thief is back at the start with the fire; the match is won.
/// - `caught`: A druid met the thief or raised the alarm: lost.
/// - `dawn`: Dawn came: the turn limit was reached, and the match is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, IntoStaticStr, VariantNames, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schema(as = ThiefEnding)]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Ending {
    FireHome,
    Caught,
    Dawn,
}

/// The stage that a match has reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The choice of the thief's start is due.
    ChoosingStart,
    /// The trilithon card is due.
    RevealingFire,
    /// The deal of the next turn's cards is due.
    Dealing,
    /// The thief decides.
    Moving,
    /// The game is decided; the reveal of the deck is due.
    Ending(Ending),
    /// It is over.
    Over(Ending),
}

/// The facts that the trilithon card has revealed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize_tuple, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fire {
    /// The trilithon where it was lit.
    pub trilithon: Space,
    /// The druid that guards it, the High Druid.
    pub(crate) high_druid: Druid,
}

/// The thief, once the start is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize_tuple, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thief {
    /// The space where the fire has to be brought.
    pub start: Space,
    /// The place where the thief is.
    pub at: Space,
    /// Points spent on the capture, 0 to 3.
    pub progress: u8,
    /// True if the thief has the fire.
    pub has_fire: bool,
}

/// A card that lies open and the figure that it moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Dealt(pub Card, pub Figure);

/// Points that the capture needs.
pub(crate) const CAPTURE: u8 = 4;

/// Cards dealt a turn.
pub(crate) const HAND: usize = 6;

/// Disks of each colour.
pub(crate) const DISKS: u8 = 10;

/// Everything there is to know. It is stored under short names, and fire and thief by place, in the order of their fields:
/// who adds or moves one raises the `state_version`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub struct State {
    /// As chosen by the creator.
    #[serde(rename = "o")]
    pub(crate) options: Options,
    /// The stage that the match has reached.
    #[serde(rename = "st")]
    pub stage: Stage,
    /// The current turn, from 1; 0 before the first.
    #[serde(rename = "t")]
    pub turn: u16,
    /// The spaces of the druids, in their order.
    #[serde(rename = "d")]
    pub(crate) druids: [Space; DRUIDS],
    /// The disks in their piles.
    #[serde(rename = "a")]
    pub(crate) alertness: [u8; DRUIDS],
    /// True if the High Druid heads for B19.
    #[serde(rename = "out")]
    pub(crate) outbound: bool,
    /// The disks on T1 to T5.
    #[serde(rename = "c")]
    pub(crate) capstones: [Option<Druid>; TRILITHONS as usize],
    /// The place where the fire is, once that is known.
    #[serde(rename = "f")]
    pub fire: Option<Fire>,
    /// The thief, once there is one.
    #[serde(rename = "th")]
    pub thief: Option<Thief>,
    /// The cards of this turn in the order in which they were dealt.
    #[serde(rename = "de")]
    pub(crate) dealt: Vec<Dealt>,
    #[serde(rename = "p")]
    pub(crate) pile: Pile,
}

impl State {
    /// Number cards that neither lie open nor in the deck.
    pub(crate) fn discarded(&self) -> CardSet {
        let open: CardSet = self.dealt.iter().map(|dealt| dealt.0).collect();
        Card::numbers().collect::<CardSet>().minus(open).minus(self.pile.set())
    }

    /// The thief's movement points in this turn.
    pub(crate) fn points(&self) -> u8 {
        self.dealt.iter().find(|dealt| dealt.1 == Figure::Thief).map_or(0, |dealt| points(dealt.0))
    }

    /// Returns how it ended, once that is decided.
    pub const fn ending(&self) -> Option<Ending> {
        match self.stage {
            Stage::Ending(ending) | Stage::Over(ending) => Some(ending),
            _ => None,
        }
    }

    /// Returns whether the thief is where the fire burns and has yet to take it.
    pub(crate) fn at_fire(&self) -> bool {
        self.thief.zip(self.fire).is_some_and(|(thief, fire)| thief.at == fire.trilithon && !thief.has_fire)
    }

    /// The seat that has a decision.
    pub(crate) fn actor(&self) -> Option<Seat> {
        matches!(self.stage, Stage::ChoosingStart | Stage::Moving).then(|| Seat::new(0)).flatten()
    }

    /// Returns what happens next.
    pub(crate) fn status(&self) -> Status {
        match self.stage {
            Stage::ChoosingStart | Stage::Moving => Status::ToAct(Seats::all(SeatCount::ONE)),
            Stage::RevealingFire | Stage::Dealing | Stage::Ending(_) => Status::Chance,
            Stage::Over(ending) => Status::Over(self.outcome(ending)),
        }
    }

    fn outcome(&self, ending: Ending) -> Outcome {
        let disks: u8 = self.alertness.iter().sum();
        let (verdict, score) = match ending {
            Ending::FireHome => (Verdict::Won, score(self.turn, disks)),
            Ending::Caught | Ending::Dawn => (Verdict::Lost, 0),
        };
        let mut outcome = Outcome::by_rank(ending.into(), std::iter::once((1, Some(score))), verdict);
        let names = ["disks_white", "disks_blue", "disks_green", "disks_yellow", "disks_red"];
        let piles = names.into_iter().zip(self.alertness.map(i64::from));
        let sums = [("turns", i64::from(self.turn)), ("disks", i64::from(disks))];
        outcome.figures = piles.chain(sums).map(|(name, figure)| (name.into(), figure)).collect();
        outcome
    }
}

/// Returns what a won match counts, a rule of this service: one turn fewer outweighs any number of disks, more disks are
/// better among equal turns. At least 100 for every win; a loss counts 0.
pub(crate) fn score(turns: u16, disks: u8) -> i32 {
    const MOST_TURNS: i32 = super::options::TURN_LIMITS.highest as i32;
    (MOST_TURNS + 1 - i32::from(turns).min(MOST_TURNS)) * 100 + i32::from(disks)
}

/// A state as it was stored, before it is known to make sense.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    #[serde(rename = "o")]
    options: Options,
    #[serde(rename = "st")]
    stage: Stage,
    #[serde(rename = "t")]
    turn: u16,
    #[serde(rename = "d")]
    druids: [Space; DRUIDS],
    #[serde(rename = "a")]
    alertness: [u8; DRUIDS],
    #[serde(rename = "out")]
    outbound: bool,
    #[serde(rename = "c")]
    capstones: [Option<Druid>; TRILITHONS as usize],
    #[serde(rename = "f")]
    fire: Option<Fire>,
    #[serde(rename = "th")]
    thief: Option<Thief>,
    #[serde(rename = "de")]
    dealt: Vec<Dealt>,
    #[serde(rename = "p")]
    pile: Pile,
}

impl TryFrom<Stored> for State {
    type Error = &'static str;

    fn try_from(stored: Stored) -> Result<State, &'static str> {
        let Stored { options, stage, turn, druids, alertness, outbound, capstones, fire, thief, dealt, pile } = stored;
        let state = State { options, stage, turn, druids, alertness, outbound, capstones, fire, thief, dealt, pile };
        let fits = state.figures_fit() && state.cards_fit() && state.stage_fits();
        if fits { Ok(state) } else { Err("the state contradicts itself") }
    }
}

impl State {
    fn figures_fit(&self) -> bool {
        let high = self.fire.map(|fire| fire.high_druid);
        let stands = |druid: &Druid| {
            let at = self.druids[druid.index()];
            let fits = match at.spot() {
                Spot::Stone(_) => high != Some(*druid),
                Spot::Bluestone(_) => high == Some(*druid) && may_head(at, self.outbound),
                Spot::Ring(_) | Spot::Trilithon(_) => false,
            };
            fits && !self.druids[..druid.index()].contains(&at) && self.alertness[druid.index()] <= DISKS
        };
        let thief_fits = self.thief.is_none_or(|thief| {
            [Space::START_1, Space::START_30].contains(&thief.start)
                && thief.progress < CAPTURE
                && (thief.progress == 0 || self.at_fire())
        });
        let fire_fits = self.fire.is_none_or(|fire| matches!(fire.trilithon.spot(), Spot::Trilithon(_)));
        Druid::ALL.iter().all(stands) && thief_fits && fire_fits
    }

    fn cards_fit(&self) -> bool {
        let open: CardSet = self.dealt.iter().map(|dealt| dealt.0).collect();
        open.len() == self.dealt.len()
            && open.common(self.pile.set()).is_empty()
            && !open.union(self.pile.set()).iter().any(Card::is_trilithon)
            && self.pile.len().is_multiple_of(HAND)
    }

    /// The thief, the fire and the cards are there from their stage on.
    fn stage_fits(&self) -> bool {
        let known = (self.thief.is_some(), self.fire.is_some(), self.turn > 0, self.dealt.len());
        self.turn <= self.options.turn_limit
            && match self.stage {
                Stage::ChoosingStart => known == (false, false, false, 0),
                Stage::RevealingFire => known == (true, false, false, 0),
                Stage::Dealing => (known.0, known.1, known.3) == (true, true, 0),
                Stage::Moving | Stage::Ending(_) | Stage::Over(_) => known == (true, true, true, HAND),
            }
    }
}
