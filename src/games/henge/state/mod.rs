//! A match of Henge between two moves.
//!
//! Invariants: every card, chit, druid and stone is in one place; the stack is empty before the first turn and after
//! the last, and otherwise has a decision or a chance step on top. Indices belong to the match's component set.

mod bare;
mod cards;
mod chair;
mod counts;
mod equipment;
mod frames;
mod person;
mod piles;
mod seating;
mod stored;

pub use cards::CardSet;
pub(crate) use cards::MOST_CARDS;
pub use chair::{Chair, Who};
pub(crate) use counts::limited;
pub(crate) use equipment::{Equipment, StoredEquipment};
pub(crate) use frames::{Act, EndStep, Frame, Uses};
pub(crate) use person::{Held, Person};
pub(crate) use piles::{BotPiles, Chits, LuckPiles, pool_index};
pub use seating::Seating;

use serde::{Deserialize, Serialize};
use serde_tuple::Serialize_tuple;

use crate::henge::components::{AREAS, Area, BonusCard, Pool, Privilege, Slot, SlotRow, Step, StoneCard};
use sarsen_rules::{Seat, SeatCount, Seats};

/// The stage that a match has reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// All people choose a Spring card.
    Spring,
    /// The people choose upgrades, the last one first.
    Upgrade {
        /// The seat that is next.
        seat: Seat,
    },
    /// Turns are taken.
    Play,
    /// It is over.
    Over,
}

/// The cause of the end.
///
/// - `deck`: The stone deck was emptied.
/// - `round_limit`: The round limit was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HengeEndCause)]
pub enum EndCause {
    /// The stone deck was emptied.
    Deck,
    /// The round limit was reached.
    RoundLimit,
}

/// The end has been triggered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize_tuple, Deserialize)]
pub(crate) struct Trigger {
    /// In this round; one more is played.
    pub(crate) round: u16,
    pub(crate) cause: EndCause,
}

/// A stone that stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize_tuple, Deserialize)]
pub(crate) struct Built {
    #[serde(rename = "p")]
    pub(crate) chair: Chair,
    #[serde(rename = "s")]
    pub(crate) stone: StoneCard,
}

/// Everything there is to know. How it is read is in [`stored`].
/// It is stored under short names, and piles, people, stones and actions by place, in the order of their fields: who adds or
/// moves one raises the `state_version`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State<R = Equipment> {
    /// The component set and what the number of players makes of it.
    #[serde(rename = "e")]
    pub(crate) equipment: R,
    /// The players by their chairs: the seat of a person, `None` for a Hengebot.
    #[serde(rename = "c")]
    pub(crate) chairs: Vec<Option<Seat>>,
    /// The stage that the match has reached.
    #[serde(rename = "st")]
    pub stage: Stage,
    /// The round, from 1; 0 before the first.
    #[serde(rename = "r")]
    pub(crate) round: u16,
    /// The seat whose turn it is.
    #[serde(rename = "t")]
    pub turn: Chair,
    /// The place where the pawn stands.
    #[serde(rename = "pw")]
    pub(crate) pawn: Step,
    /// Set once the end has been triggered.
    #[serde(rename = "tr")]
    pub(crate) trigger: Option<Trigger>,
    #[serde(rename = "p")]
    pub(crate) people: Vec<Person>,
    #[serde(rename = "s")]
    pub(crate) slots: Vec<Option<Built>>,
    /// By area, who has druids on the path, from the lowest space on.
    #[serde(rename = "pa")]
    pub(crate) paths: [Vec<Chair>; AREAS],
    #[serde(rename = "q")]
    pub(crate) quarry: Vec<Option<StoneCard>>,
    #[serde(rename = "sd")]
    pub(crate) stone_deck: CardSet,
    #[serde(rename = "l")]
    pub(crate) luck: LuckPiles,
    /// The deck of end-of-game cards.
    #[serde(rename = "ed")]
    pub(crate) end_of_game_deck: CardSet,
    /// Spring cards dropped in play.
    #[serde(rename = "dr")]
    pub(crate) spring_dropped: Vec<BonusCard>,
    /// Pools A and B.
    #[serde(rename = "ch")]
    pub(crate) chits: [Chits; 2],
    /// Travel tokens in the supply.
    #[serde(rename = "ts")]
    pub(crate) travel_supply: u8,
    /// The Hengebots' cards and tokens.
    #[serde(rename = "b")]
    pub(crate) bots: BotPiles,
    /// First Upgrades still there.
    #[serde(rename = "u")]
    pub(crate) upgrades: Vec<Privilege>,
    #[serde(rename = "k")]
    pub(crate) stack: Vec<Frame>,
}

impl State {
    /// Returns how many people play.
    pub(crate) fn count(&self) -> SeatCount {
        SeatCount::new(self.people.len() as u8).unwrap_or(SeatCount::ONE)
    }

    /// The chairs at the table, in turn order.
    pub(crate) fn table(&self) -> impl Iterator<Item = Chair> + use<> {
        Chair::all(self.equipment.total)
    }

    /// The chair of a seat.
    pub(crate) fn chair_of(&self, seat: Seat) -> Chair {
        self.table().zip(&self.chairs).find(|(_, at)| **at == Some(seat)).map_or(Chair::FIRST, |(chair, _)| chair)
    }

    /// A seat with its chair, as events name a person.
    pub(crate) fn who(&self, seat: Seat) -> Who {
        Who { chair: self.chair_of(seat), seat }
    }

    /// The seat of the person on a chair; `None` for a Hengebot.
    pub(crate) fn seat_at(&self, chair: Chair) -> Option<Seat> {
        self.chairs.get(chair.index()).copied().flatten()
    }

    /// The person whose turn it is.
    pub(crate) fn mover(&self) -> Option<Seat> {
        self.seat_at(self.turn)
    }

    /// Returns what a seat has.
    pub(crate) fn person(&self, seat: Seat) -> &Person {
        &self.people[seat.index()]
    }

    /// Returns what a seat has, to change it.
    pub(crate) fn person_mut(&mut self, seat: Seat) -> &mut Person {
        &mut self.people[seat.index()]
    }

    /// Seats that have not chosen a Spring card.
    pub(crate) fn undecided(&self) -> Seats {
        self.count().seats().filter(|seat| self.person(*seat).spring.is_none()).collect()
    }

    /// The area of the pawn's step.
    pub(crate) fn local(&self) -> Area {
        self.equipment.area_of(self.pawn)
    }

    /// Returns how many druids stand on an area's path.
    pub(crate) fn druids_on(&self, area: Area) -> usize {
        self.paths[area.index()].len()
    }

    /// Returns how many druids a player has on all paths.
    pub(crate) fn placed(&self, chair: Chair) -> u8 {
        self.paths.iter().flatten().filter(|owner| **owner == chair).count() as u8
    }

    /// Returns how many druids a player still has.
    pub(crate) fn druids_left(&self, chair: Chair) -> u8 {
        self.equipment.set().params.druids_per_player.saturating_sub(self.placed(chair))
    }

    /// Coins for a druid on the lowest free space of an area; `None` if the path is full (H-28).
    pub(crate) fn druid_price(&self, area: Area) -> Option<u16> {
        self.equipment.side().paths[area.index()].get(self.druids_on(area))?.cost
    }

    /// Returns what is built in a slot.
    pub(crate) fn built(&self, slot: Slot) -> Option<Built> {
        self.slots.get(slot.index()).copied().flatten()
    }

    /// Returns whether a lintel's uprights stand, no matter who built them (H-31). Other slots need none.
    pub(crate) fn uprights_stand(&self, row: &SlotRow) -> bool {
        row.on.iter().all(|upright| self.built(*upright).is_some())
    }

    /// Returns whether the end has been triggered in an earlier round: this is the last one.
    pub(crate) fn is_last_round(&self) -> bool {
        self.trigger.is_some_and(|trigger| self.round > trigger.round)
    }

    /// The frame on top.
    pub(crate) fn top(&self) -> Option<&Frame> {
        self.stack.last()
    }

    /// The chits of a pool.
    pub(crate) fn pool(&self, pool: Pool) -> &Chits {
        &self.chits[pool_index(pool)]
    }

    /// All end-of-game cards dropped since the last reshuffle.
    pub(crate) fn end_of_game_discards(&self) -> CardSet {
        self.people.iter().fold(CardSet::default(), |all, person| all.union(person.dropped))
    }
}
