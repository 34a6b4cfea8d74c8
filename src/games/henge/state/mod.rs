//! A match of Henge between two moves.
//!
//! Invariants: every card, chit, druid and stone is in one place; the stack is empty before the first turn and after
//! the last, and otherwise has a decision or a chance step on top. Indices belong to the match's component set.

mod bare;
mod cards;
mod counts;
mod equipment;
mod frames;
mod seating;
mod stored;

pub use cards::{CardSet, MOST_CARDS};
pub use counts::limited;
pub use equipment::{Equipment, StoredEquipment};
pub use frames::{Act, EndStep, Frame, Uses};
pub use seating::Seating;

use serde::{Deserialize, Serialize};

use crate::games::henge::components::{
    AREAS, Area, BonusCard, BotCard, LuckCard, Pool, Privilege, Slot, SlotRow, Step, StoneCard, Tile,
};
use crate::rules::{Seat, SeatCount, Seats};

/// A place at the table, in turn order from 0; a person or a Hengebot sits there.
pub type Place = u8;

/// How far a match has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// All people choose a Spring card.
    Spring,
    /// The people choose upgrades, the last one first.
    Upgrade {
        /// Who is next.
        seat: Seat,
    },
    /// Turns are taken.
    Play,
    /// It is over.
    Over,
}

/// What brought the end about.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Trigger {
    /// In this round; one more is played.
    pub round: u16,
    /// By what.
    pub cause: EndCause,
}

/// An uninstalled stone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Held {
    /// The card.
    #[serde(rename = "s")]
    pub stone: StoneCard,
    /// Steps along its track.
    #[serde(rename = "a")]
    pub at: u8,
    /// Whether it is carved.
    #[serde(rename = "c")]
    pub carved: bool,
}

/// A stone that stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Built {
    /// Who built it.
    #[serde(rename = "p")]
    pub place: Place,
    /// The card.
    #[serde(rename = "s")]
    pub stone: StoneCard,
}

/// What a person has.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Person {
    /// Coins.
    pub coins: u16,
    /// Travel tokens.
    pub tokens: u8,
    /// Points scored in play.
    pub vp: u16,
    /// Levels of the privileges, 0 at the start.
    pub levels: [u8; 5],
    /// Steps on the Luck track.
    pub luck_steps: u8,
    /// Luck cards in hand.
    pub hand: CardSet,
    /// Spring cards to choose from.
    pub offer: CardSet,
    /// The Spring card chosen.
    pub spring: Option<BonusCard>,
    /// Marks on it.
    pub marks: u8,
    /// Spring cards refused.
    pub refused: CardSet,
    /// End-of-game cards held.
    pub eog: CardSet,
    /// End-of-game cards dropped since the last reshuffle.
    pub drops: CardSet,
    /// Own drops that the last reshuffle brought back into the deck; the owner remembers them.
    pub returned: CardSet,
    /// End-of-game cards drawn since the last reshuffle.
    pub eog_drawn: u8,
    /// Uninstalled stones, in the order of gaining them.
    pub stones: Vec<Held>,
    /// Installed stones, in order.
    pub installed: Vec<StoneCard>,
}

impl Person {
    /// The level of a privilege, 0 at the start.
    pub fn level(&self, privilege: Privilege) -> u8 {
        self.levels[privilege.index()]
    }

    /// The uninstalled stone of this card.
    pub fn held(&self, stone: StoneCard) -> Option<&Held> {
        self.stones.iter().find(|held| held.stone == stone)
    }
}

/// A pool of reward chits.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Chits {
    /// The stack.
    pub stack: CardSet,
    /// Face up, oldest first.
    pub face_up: Vec<Tile>,
    /// Used, in order; they come back when the stack is empty.
    pub used: Vec<Tile>,
}

/// The Luck cards that are in nobody's hand.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LuckPiles {
    /// The deck.
    pub deck: CardSet,
    /// Discarded in earlier turns, in order.
    pub discards: Vec<LuckCard>,
    /// Played and discarded in this turn, in order (H-22).
    pub spent: Vec<LuckCard>,
    /// In hands since the last reshuffle: everybody saw that they were not shuffled.
    pub held: CardSet,
}

/// The cards that Hengebots draw.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct BotPiles {
    /// The deck.
    pub deck: CardSet,
    /// The discards, in order.
    pub discards: Vec<BotCard>,
    /// By place, whether the Carve token lies face up.
    pub carve_up: Vec<bool>,
}

/// Everything there is to know. How it is read is in [`stored`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State<R = Equipment> {
    /// The component set and what the number of players makes of it.
    #[serde(rename = "rules")]
    pub equipment: R,
    /// Who sits where: the seat of a person, `None` for a Hengebot.
    pub places: Vec<Option<Seat>>,
    /// How far the match has come.
    pub stage: Stage,
    /// The round, from 1; 0 before the first.
    pub round: u16,
    /// Whose turn it is.
    pub turn: Place,
    /// Where the pawn stands.
    pub pawn: Step,
    /// Set once the end has been triggered.
    pub trigger: Option<Trigger>,
    /// By seat.
    pub people: Vec<Person>,
    /// By slot.
    pub slots: Vec<Option<Built>>,
    /// By area, who has druids on the path, from the lowest space on.
    pub paths: [Vec<Place>; AREAS],
    /// By position.
    pub quarry: Vec<Option<StoneCard>>,
    /// The stone deck.
    pub stone_deck: CardSet,
    /// The Luck cards.
    pub luck: LuckPiles,
    /// The deck of end-of-game cards.
    pub eog_deck: CardSet,
    /// Spring cards dropped in play.
    pub spring_dropped: Vec<BonusCard>,
    /// Pools A and B.
    pub chits: [Chits; 2],
    /// Travel tokens in the supply.
    pub travel_supply: u8,
    /// The Hengebots' cards and tokens.
    pub bots: BotPiles,
    /// First Upgrades still there.
    pub upgrades: Vec<Privilege>,
    /// What is being decided.
    pub stack: Vec<Frame>,
}

/// Index of a pool in [`State::chits`].
pub fn pool_index(pool: Pool) -> usize {
    match pool {
        Pool::A => 0,
        Pool::B => 1,
    }
}

impl State {
    /// How many people play.
    pub fn count(&self) -> SeatCount {
        SeatCount::new(self.people.len() as u8).unwrap_or(SeatCount::ONE)
    }

    /// The place of a seat.
    pub fn place_of(&self, seat: Seat) -> Place {
        self.places.iter().position(|place| *place == Some(seat)).unwrap_or(0) as Place
    }

    /// The seat at a place; `None` for a Hengebot.
    pub fn seat_at(&self, place: Place) -> Option<Seat> {
        self.places.get(usize::from(place)).copied().flatten()
    }

    /// The person whose turn it is.
    pub fn mover(&self) -> Option<Seat> {
        self.seat_at(self.turn)
    }

    /// What a seat has.
    pub fn person(&self, seat: Seat) -> &Person {
        &self.people[seat.index()]
    }

    /// What a seat has, to change it.
    pub fn person_mut(&mut self, seat: Seat) -> &mut Person {
        &mut self.people[seat.index()]
    }

    /// Seats that have not chosen a Spring card.
    pub fn undecided(&self) -> Seats {
        self.count().seats().filter(|seat| self.person(*seat).spring.is_none()).collect()
    }

    /// The area of the pawn's step.
    pub fn local(&self) -> Area {
        self.equipment.area_of(self.pawn)
    }

    /// How many druids stand on an area's path.
    pub fn druids_on(&self, area: Area) -> usize {
        self.paths[area.index()].len()
    }

    /// How many druids a place has on all paths.
    pub fn placed(&self, place: Place) -> u8 {
        self.paths.iter().flatten().filter(|owner| **owner == place).count() as u8
    }

    /// How many of its druids a place still has.
    pub fn druids_left(&self, place: Place) -> u8 {
        self.equipment.set().params.druids_per_player.saturating_sub(self.placed(place))
    }

    /// Coins for a druid on the lowest free space of an area; `None` if the path is full (H-28).
    pub fn druid_price(&self, area: Area) -> Option<u16> {
        self.equipment.side().paths[area.index()].get(self.druids_on(area))?.cost
    }

    /// What is built in a slot.
    pub fn built(&self, slot: Slot) -> Option<Built> {
        self.slots.get(slot.index()).copied().flatten()
    }

    /// Whether a lintel's uprights stand, whoever built them (H-31). Other slots need none.
    pub fn uprights_stand(&self, row: &SlotRow) -> bool {
        row.on.iter().all(|upright| self.built(*upright).is_some())
    }

    /// Whether the end has been triggered in an earlier round: this is the last one.
    pub fn is_last_round(&self) -> bool {
        self.trigger.is_some_and(|trigger| self.round > trigger.round)
    }

    /// The frame on top.
    pub fn top(&self) -> Option<&Frame> {
        self.stack.last()
    }

    /// The chits of a pool.
    pub fn pool(&self, pool: Pool) -> &Chits {
        &self.chits[pool_index(pool)]
    }

    /// All end-of-game cards dropped since the last reshuffle.
    pub fn eog_discards(&self) -> CardSet {
        self.people.iter().fold(CardSet::default(), |all, person| all.union(person.drops))
    }
}
