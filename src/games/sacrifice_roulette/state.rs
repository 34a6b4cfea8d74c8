//! A match of Sacrifice Roulette between two moves.
//!
//! Invariants: from the deal on, each of the 65 cards is in one hand, in the deck, on the discards or the marker; each
//! disk is in a pit, in a scoring pile or still to be placed; the boulder stands somewhere from the end of the set-up
//! on, and the deck is never empty when a seat is to act.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::track::Direction;
use crate::stonehenge::{Card, CardSet, Colour, Number, Pile, STONES, Stone, packed};
use sarsen_rules::{Outcome, Seat, SeatCount, Seats, Status, Verdict};

/// The number of cards that a hand has at first.
pub(crate) const HAND: u8 = 5;
/// The number of disks that a colour has.
pub(crate) const DISKS: u8 = 10;
/// The endings of matches.
pub(crate) const ENDING: &str = "deck_depleted";

/// The stage that a match has reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Stage {
    /// Sacrifices are due to be placed; after them, the boulder's card is due.
    Placing {
        /// The number cards that the set-up has not used.
        #[serde(with = "packed")]
        boulder_cards: CardSet,
    },
    /// Hands and first seat are due.
    Dealing,
    /// This seat is to play cards.
    Turn(Seat),
    /// The card for a fall is due in this seat's turn.
    Falling(Seat),
    /// This seat is to draw up to its hand limit.
    Drawing(Seat),
    /// It is over.
    Over,
}

/// The pits: each holds at most one disk, by its colour.
#[derive(Clone, PartialEq, Debug)]
pub struct Pits([Option<Colour>; STONES as usize]);

impl Pits {
    /// No disks.
    pub(crate) const EMPTY: Pits = Pits([None; STONES as usize]);

    /// The disk in `pit`.
    pub(crate) fn at(&self, pit: Stone) -> Option<Colour> {
        self.0[usize::from(pit.index())]
    }

    /// Puts a disk into `pit` or takes it out; answers what was there.
    pub(crate) fn set(&mut self, pit: Stone, disk: Option<Colour>) -> Option<Colour> {
        std::mem::replace(&mut self.0[usize::from(pit.index())], disk)
    }

    /// The occupied pits in board order.
    pub(crate) fn occupied(&self) -> impl Iterator<Item = (Stone, Colour)> + '_ {
        Stone::all().zip(self.0).filter_map(|(pit, disk)| Some((pit, disk?)))
    }

    /// Returns how many disks of `colour` there are.
    pub(crate) fn count(&self, colour: Colour) -> u8 {
        self.0.iter().map(|disk| u8::from(*disk == Some(colour))).sum()
    }
}

/// One letter a pit in board order, `.` for an empty one.
impl Serialize for Pits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text: String = self.0.iter().map(|disk| disk.map_or('.', Colour::letter)).collect();
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Pits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pits, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        let disk = |letter: char| match letter {
            '.' => Some(None),
            _ => Some(Some(Colour::PIECES.into_iter().find(|colour| colour.letter() == letter)?)),
        };
        let disks: Option<Vec<Option<Colour>>> = text.chars().map(disk).collect();
        let fault = || serde::de::Error::custom("pits are 60 letters");
        disks.and_then(|disks| disks.try_into().ok()).map(Pits).ok_or_else(fault)
    }
}

/// The state of one seat.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// The cards in hand.
    #[serde(with = "packed")]
    pub hand: CardSet,
    /// Those of them that everyone knows to be there.
    #[serde(with = "packed", default, skip_serializing_if = "is_empty")]
    pub(crate) known: CardSet,
    /// The number of disks still to be placed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) to_place: u8,
    /// The scoring pile: how many disks of each colour that pieces have.
    pub(crate) taken: [u8; Colour::PIECES.len()],
}

fn is_zero(number: &u8) -> bool {
    *number == 0
}

fn is_empty(cards: &CardSet) -> bool {
    cards.is_empty()
}

/// Everything there is to know.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct State {
    /// The stage that the match has reached.
    pub stage: Stage,
    /// The sacrifices on the board.
    pub(crate) pits: Pits,
    /// The place where the boulder stands; `None` in the set-up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boulder: Option<Number>,
    /// The trilithon card beside the discards: the boulder rolls counter-clockwise while there is one (SR-23).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) marker: Option<Card>,
    /// The number of times that the deck has been depleted.
    pub(crate) depletions: u8,
    /// The number of turns begun.
    pub(crate) turns: u8,
    /// The number of falls.
    pub(crate) falls: u8,
    pub(crate) deck: Pile,
    /// The discards, the last one on top.
    pub(crate) discards: Pile,
    /// The cards of the deck after each reshuffle.
    pub(crate) reshuffles: Vec<Reshuffle>,
    /// One entry a seat.
    pub players: Vec<Player>,
}

/// The cards that were shuffled into a new deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reshuffle(#[serde(with = "packed")] pub CardSet);

impl State {
    /// The number of seats.
    pub(crate) fn count(&self) -> SeatCount {
        u8::try_from(self.players.len()).ok().and_then(SeatCount::new).unwrap_or(SeatCount::ONE)
    }

    /// The colour of a seat's disks (SR-01).
    pub(crate) fn colour(seat: Seat) -> Colour {
        Colour::PIECES[seat.index()]
    }

    /// The seat whose disks have this colour; `None` for the neutral ones.
    pub(crate) fn owner(&self, disk: Colour) -> Option<Seat> {
        self.count().seats().find(|seat| State::colour(*seat) == disk)
    }

    /// Returns which way the boulder rolls.
    pub(crate) fn direction(&self) -> Direction {
        if self.marker.is_some() { Direction::CounterClockwise } else { Direction::Clockwise }
    }

    /// The depletion that ends the match (SR-31).
    pub(crate) fn last_depletion(&self) -> u8 {
        if self.players.len() == 5 { 3 } else { 2 }
    }

    /// Returns how many cards a seat draws up to (SR-27).
    pub(crate) fn hand_limit(&self, seat: Seat) -> u8 {
        HAND + self.players[seat.index()].taken[seat.index()]
    }

    /// Returns how many of a seat's own disks are on the board.
    pub(crate) fn on_board(&self, seat: Seat) -> u8 {
        self.pits.count(State::colour(seat))
    }

    /// Returns what a seat would score now: two for each own disk on the board, one for each in its scoring pile (SR-26,
    /// SR-36).
    pub(crate) fn points(&self, seat: Seat) -> u8 {
        2 * self.on_board(seat) + self.players[seat.index()].taken.iter().sum::<u8>()
    }

    /// The deck from which a card came that is in a hand or in the deck: 0 for the first one.
    pub(crate) fn deck_of(&self, card: Card) -> usize {
        self.reshuffles.iter().rposition(|reshuffle| reshuffle.0.contains(card)).map_or(0, |index| index + 1)
    }

    /// The one seat that has a decision. Sacrifices are placed in the order of the seats' own colours (SR-03).
    pub(crate) fn actor(&self) -> Option<Seat> {
        match self.stage {
            Stage::Placing { .. } => self.count().seats().find(|seat| self.players[seat.index()].to_place > 0),
            Stage::Turn(seat) => Some(seat),
            Stage::Dealing | Stage::Falling(_) | Stage::Drawing(_) | Stage::Over => None,
        }
    }

    /// Returns what happens next.
    pub(crate) fn status(&self) -> Status {
        match (self.stage, self.actor()) {
            (Stage::Over, _) => Status::Over(self.outcome()),
            (_, Some(seat)) => Status::ToAct(Seats::one(seat)),
            (_, None) => Status::Chance,
        }
    }

    /// Most points win; among equals who has more own disks on the board; still equal, they share the place (SR-35).
    fn outcome(&self) -> Outcome {
        let seats = || self.count().seats();
        let result = |seat| (self.points(seat), self.on_board(seat));
        let rank = |seat| seats().filter(|other| result(*other) > result(seat)).count() as u8 + 1;
        let ranks = seats().map(|seat| (rank(seat), Some(i32::from(self.points(seat)))));
        let mut outcome = Outcome::by_rank(ENDING, ranks, Verdict::Won);
        for standing in &mut outcome.standings {
            let seat = standing.seat;
            let pile: u8 = self.players[seat.index()].taken.iter().sum();
            let figures = [("on_board", self.on_board(seat)), ("taken", pile), ("hand_limit", self.hand_limit(seat))];
            standing.figures.extend(figures.map(|(name, figure)| (name.into(), i64::from(figure))));
        }
        let figures = [("turns", self.turns), ("falls", self.falls), ("depletions", self.depletions)];
        outcome.figures.extend(figures.map(|(name, figure)| (name.into(), i64::from(figure))));
        outcome
    }

    /// Returns whether cards and disks are complete and fit the stage.
    fn is_whole(&self) -> bool {
        let setting_up = matches!(self.stage, Stage::Placing { .. } | Stage::Dealing);
        let hands = self.players.iter().map(|player| player.hand);
        let places = hands.chain([self.deck.set(), self.discards.set(), self.marker.into_iter().collect()]);
        let (mut all, mut held) = (CardSet::EMPTY, 0);
        for place in places {
            all = all.union(place);
            held += place.len();
        }
        let cards = if setting_up { held == 0 } else { held == CardSet::ALL.len() && all == CardSet::ALL };
        let known = self.players.iter().all(|player| player.known.is_within(player.hand));
        let disks = Colour::PIECES.iter().enumerate().all(|(index, colour)| {
            let taken: u32 = self.players.iter().map(|player| u32::from(player.taken[index])).sum();
            let to_place = self.players.get(index).map_or(0, |player| u32::from(player.to_place));
            let plays = index < self.players.len() || (self.players.len() == 2 && index == 2);
            u32::from(self.pits.count(*colour)) + taken + to_place == if plays { u32::from(DISKS) } else { 0 }
        });
        let seated = match self.stage {
            Stage::Turn(seat) | Stage::Falling(seat) | Stage::Drawing(seat) => self.count().contains(seat),
            Stage::Placing { .. } | Stage::Dealing | Stage::Over => true,
        };
        let boulder = self.boulder.is_some() || matches!(self.stage, Stage::Placing { .. });
        (2..=5).contains(&self.players.len()) && cards && known && disks && seated && boulder
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<State, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Stored {
            stage: Stage,
            pits: Pits,
            #[serde(default)]
            boulder: Option<Number>,
            #[serde(default)]
            marker: Option<Card>,
            depletions: u8,
            turns: u8,
            falls: u8,
            deck: Pile,
            discards: Pile,
            reshuffles: Vec<Reshuffle>,
            players: Vec<Player>,
        }
        let stored = Stored::deserialize(deserializer)?;
        let state = State {
            stage: stored.stage,
            pits: stored.pits,
            boulder: stored.boulder,
            marker: stored.marker,
            depletions: stored.depletions,
            turns: stored.turns,
            falls: stored.falls,
            deck: stored.deck,
            discards: stored.discards,
            reshuffles: stored.reshuffles,
            players: stored.players,
        };
        let fault = || serde::de::Error::custom("cards or disks are missing, or one is in two places");
        if state.is_whole() { Ok(state) } else { Err(fault()) }
    }
}
