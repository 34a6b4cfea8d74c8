//! All that there is to know of a match, and how it changes.
//!
//! Invariant: each card is in one place: laid, in a hand, drowned or in the deck.

use sarsen::rules::{Dice, Outcome, Seat, SeatCount, Seats, Status, Verdict};
use serde::{Deserialize, Serialize};

use super::card::Card;
use super::wire::{Event, FordCardDrawn, FordCardDrowned, FordCardLaid, FordHandDealt, FordOptions};

/// The number of the far bank; the near bank is 0, and between them lie the stones.
pub const FAR_BANK: u8 = 8;
/// A walker has crossed the river.
pub const ACROSS: &str = "across";
/// The walker on turn had no card left.
pub const RIVER_ROSE: &str = "river_rose";

/// Everything.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    pub turn: Seat,
    pub top: Option<Card>,
    pub laid: Vec<Card>,
    /// The top is the last.
    pub deck: Vec<Card>,
    pub walkers: Vec<Walker>,
    /// True if the seat on turn has made its move and must draw.
    pub drawing: bool,
}

/// A walker with its cards.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Walker {
    pub place: u8,
    /// Ascending.
    pub hand: Vec<Card>,
    pub drowned: Vec<Card>,
}

impl State {
    pub fn set_up(options: &FordOptions, seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
        let mut deck: Vec<Card> = Card::all().collect();
        dice.shuffle(&mut deck);
        let (mut walkers, mut events) = (Vec::new(), Vec::new());
        for seat in seats.seats() {
            let mut hand = deck.split_off(deck.len() - usize::from(options.hand));
            hand.sort_unstable();
            events.push(Event::HandDealt(FordHandDealt { seat, cards: Some(hand.clone()) }));
            walkers.push(Walker { place: 0, hand, drowned: Vec::new() });
        }
        let first = seats.seats().next().unwrap();
        (State { turn: first, top: None, laid: Vec::new(), deck, walkers, drawing: false }, events)
    }

    pub fn count(&self) -> SeatCount {
        SeatCount::new(self.walkers.len() as u8).unwrap()
    }

    pub fn walker(&self, seat: Seat) -> &Walker {
        &self.walkers[seat.index()]
    }

    pub fn status(&self) -> Status {
        let at =
            |place: u8| self.count().seats().filter(move |seat| self.walker(*seat).place == place).collect::<Seats>();
        let furthest = self.walkers.iter().map(|walker| walker.place).max().unwrap_or(0);
        if furthest == FAR_BANK {
            return Status::Over(Outcome::won_by(ACROSS, self.count(), at(FAR_BANK)));
        }
        if self.drawing {
            return Status::Chance;
        }
        if !self.walker(self.turn).hand.is_empty() {
            return Status::ToAct(Seats::one(self.turn));
        }
        match at(furthest) {
            all if all == Seats::all(self.count()) => {
                Status::Over(Outcome::shared(RIVER_ROSE, self.count(), Verdict::Drawn))
            }
            furthest => Status::Over(Outcome::won_by(RIVER_ROSE, self.count(), furthest)),
        }
    }

    pub fn may_be_laid(&self, card: Card) -> bool {
        self.top.is_none_or(|top| card > top)
    }

    pub fn lay(&mut self, seat: Seat, card: Card) -> Event {
        self.top = Some(card);
        self.laid.push(card);
        let walker = &mut self.walkers[seat.index()];
        walker.hand.retain(|own| *own != card);
        walker.place += 1;
        let place = walker.place;
        self.go_on();
        Event::CardLaid(FordCardLaid { seat, card, place })
    }

    pub fn drown(&mut self, seat: Seat, card: Card) -> Event {
        self.top = None;
        let walker = &mut self.walkers[seat.index()];
        walker.hand.retain(|own| *own != card);
        walker.drowned.push(card);
        self.go_on();
        Event::CardDrowned(FordCardDrowned { seat, card: Some(card) })
    }

    /// A card is drawn, if there is one, before the next walker is on turn.
    fn go_on(&mut self) {
        if self.walker(self.turn).place == FAR_BANK {
            return;
        }
        match self.deck.is_empty() {
            true => self.turn = self.turn.next(self.count()),
            false => self.drawing = true,
        }
    }

    /// Draws the card that the shuffling has put on top.
    pub fn draw(&mut self) -> Option<Event> {
        let (seat, card) = (self.turn, self.deck.pop());
        self.drawing = false;
        self.turn = seat.next(self.count());
        let hand = &mut self.walkers[seat.index()].hand;
        hand.extend(card);
        hand.sort_unstable();
        card.map(|card| Event::CardDrawn(FordCardDrawn { seat, card: Some(card) }))
    }
}
