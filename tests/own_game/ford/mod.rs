//! Ford: a small game with hidden cards. Its rules are in `rules.md`, which its refusals cite.
//!
//! Invariant: nothing here names anything but `sarsen::rules` and `sarsen::pictures`, as a game of another crate would.

mod card;
mod knowledge;
mod notation;
mod state;
mod tests;
mod wire;

pub use card::Card;

use sarsen::pictures::Picture;
use sarsen::rules::{
    Audience, Board, Catalogue, Chance, Dice, Edge, GameInfo, Glossary, GlossaryEntry, Legal, MalformedOptions, Mode,
    Place, Refusal, Rules, Seat, SeatCount, Seats, Status, Words, Zone, read_options,
};
use serde_json::Value;
use serde_json::value::RawValue;

use state::{FAR_BANK, State};
use wire::{Drown, Event, FordOptions, Lay, Move};

/// The game.
pub struct Ford;

/// The complete rules.
pub const RULES: &str = include_str!("rules.md");

/// It is drawn as its board, without cards.
impl Picture for Ford {}

impl Catalogue for Ford {
    const INFO: GameInfo = GameInfo {
        id: "ford",
        title: "Ford",
        designer: "Sarsen",
        min_seats: 2,
        max_seats: 4,
        mode: Mode::Competitive,
        hidden_information: true,
        chance: Chance::DuringPlay,
        draws: false,
        rules_version: 1,
        state_version: 1,
        notation: "`lay F17` and `drown F4`.",
        summary: "Lay ever higher cards and be the first across the river, or drown one to begin again from below.",
        rules: RULES,
        endings: &[state::ACROSS, state::RIVER_ROSE],
        undo_barriers: &["lay"],
    };

    /// A row of places, by the numbers that views use.
    fn board(&self) -> Board {
        let place = |number: u8| Place {
            id: number.to_string(),
            zone: match number {
                0 => "near_bank".to_owned(),
                FAR_BANK => "far_bank".to_owned(),
                _ => "river".to_owned(),
            },
            kind: None,
            number: Some(number),
            colour: None,
            x: f64::from(number) / f64::from(FAR_BANK) * 2.0 - 1.0,
            y: 0.0,
        };
        let step = |from: u8| Edge { from: from.to_string(), to: (from + 1).to_string(), cost: None };
        Board {
            edition: None,
            side: None,
            zones: vec![
                Zone::of_board("near_bank", "Near bank"),
                Zone::of_board("river", "River"),
                Zone::of_board("far_bank", "Far bank"),
            ],
            places: (0..=FAR_BANK).map(place).collect(),
            edges: (0..FAR_BANK).map(step).collect(),
        }
    }

    /// The cards: what moves, events and views name beside places.
    fn glossaries(&self) -> Vec<Glossary> {
        let card = |card: Card| {
            let id = card.to_string();
            let text = "May be laid on a lower card.".to_owned();
            GlossaryEntry::new("card", &*id, format!("Ford card {id}"), text)
        };
        vec![Glossary::printed("Ford", Card::all().map(card).collect())]
    }
}

impl Rules for Ford {
    type Options = FordOptions;
    type Move = Move;
    type Event = Event;
    type State = State;

    fn options(&self, json: &Value) -> Result<FordOptions, MalformedOptions> {
        read_options(json)
    }

    fn check_options(&self, options: &FordOptions, _seats: SeatCount) -> Result<(), Refusal> {
        match options.hand {
            2..=5 => Ok(()),
            _ => Err(Refusal::of("hand_out_of_range", "FO-01", "hand", "a hand has two to five cards")),
        }
    }

    fn setup(&self, options: &FordOptions, seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
        State::set_up(options, seats, dice)
    }

    fn load(&self, state: &RawValue) -> Result<State, serde_json::Error> {
        serde_json::from_str(state.get())
    }

    fn has_options(&self, _state: &State, _options: &FordOptions) -> bool {
        // A state does not keep how large hands were.
        true
    }

    fn seat_count(&self, state: &State) -> SeatCount {
        state.count()
    }

    fn status(&self, state: &State) -> Status {
        state.status()
    }

    fn legal_moves_into(&self, state: &State, seat: Seat, moves: &mut Vec<Move>) -> bool {
        moves.clear();
        if state.status() == Status::ToAct(Seats::one(seat)) {
            let hand = || state.walker(seat).hand.iter().copied();
            moves.extend(hand().filter(|card| state.may_be_laid(*card)).map(|card| Move::Lay(Lay { card })));
            moves.extend(hand().map(|card| Move::Drown(Drown { card })));
        }
        true
    }

    fn check(&self, state: &State, seat: Seat, mv: &Move) -> Result<(), Refusal> {
        let (Move::Lay(Lay { card }) | Move::Drown(Drown { card })) = mv;
        if !state.walker(seat).hand.contains(card) {
            return Err(Refusal::of("not_in_hand", "2", "card", "the card is not in your hand"));
        }
        if matches!(mv, Move::Lay(_)) && !state.may_be_laid(*card) {
            return Err(Refusal::of("too_low", "2.1", "card", "the card has to be higher than the one on top"));
        }
        Ok(())
    }

    fn apply(&self, state: &mut State, mv: &Legal<Move>, events: &mut impl Audience<Event>) {
        let event = match mv.mv() {
            Move::Lay(Lay { card }) => state.lay(mv.seat(), *card),
            Move::Drown(Drown { card }) => state.drown(mv.seat(), *card),
        };
        events.tell(|| event);
    }

    fn resolve(&self, state: &mut State, _dice: &mut Dice, events: &mut impl Audience<Event>) {
        if let Some(drawn) = state.draw() {
            events.tell(|| drawn);
        }
    }
}

impl Words for Ford {}
