//! Matches played at random, to be drawn.

use sarsen::games::{AnyGame, AnyState, ListForm, MoveInput, MoveJson, MoveMade, Sitting};
use sarsen::pictures::{Ask, Svg};
use sarsen::rules::{Dice, DiceSeed, Seat, SeatCount, Status, Viewer};
use serde_json::Value;

/// A match that goes on.
pub struct Table<'a> {
    pub game: &'a dyn AnyGame,
    pub state: Box<dyn AnyState>,
    pub seats: SeatCount,
    pub last: Option<(Seat, MoveJson)>,
    dice: Dice,
    choice: Dice,
}

impl<'a> Table<'a> {
    /// A new match with `options`, whose chance and choices follow from `seed`.
    pub fn new(game: &'a dyn AnyGame, options: &Value, seats: u8, seed: u8) -> Table<'a> {
        let seats = SeatCount::new(seats).unwrap();
        let [mut dice, choice] = [0, 1].map(|other| Dice::new(DiceSeed([seed, other].repeat(16).try_into().unwrap())));
        let options = game.options(options, seats).unwrap();
        let state = game.setup(&options, seats, &mut dice).unwrap().state;
        Table { game, state, seats, last: None, dice, choice }
    }

    /// Makes a move; false where the match is over.
    pub fn step(&mut self) -> bool {
        let Status::ToAct(acting) = self.state.status() else { return false };
        let seat = acting.iter().nth(self.choice.index(acting.len()).unwrap()).unwrap();
        let list = self.state.legal_moves(seat, ListForm::Notation).unwrap();
        let notations: Vec<String> = serde_json::from_str(list.moves.get()).unwrap();
        let notation = notations[self.choice.index(notations.len()).unwrap()].clone();
        self.make(seat, notation);
        true
    }

    /// Makes this move.
    pub fn make(&mut self, seat: Seat, notation: String) {
        let mv = self.game.read_move(&MoveInput::Notation(notation)).unwrap();
        self.last = Some((seat, self.state.play(seat, mv, &mut self.dice).unwrap().mv));
    }

    /// Makes so many moves.
    pub fn steps(mut self, moves: usize) -> Table<'a> {
        for _ in 0..moves {
            assert!(self.step(), "the match is over");
        }
        self
    }

    /// Draws what `viewer` sees, with everything marked that can be.
    pub fn drawn(&self, viewer: Viewer, mut ask: Ask) -> Svg {
        let own = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator | Viewer::Omniscient => None,
        };
        ask.seat = ask.seat.or(own);
        if let Status::Over(outcome) = self.state.status() {
            ask.outcome = Some(outcome);
        }
        let last_move =
            self.last.as_ref().map(|(seat, mv)| MoveMade { seat: *seat, json: &mv.json, notation: &mv.notation });
        self.state.draw(&Sitting { viewer, legal_of: own, last_move, ended_early: false }, ask).unwrap()
    }

    /// Everyone who may look.
    pub fn viewers(&self) -> impl Iterator<Item = Viewer> + use<> {
        self.seats.seats().map(Viewer::Seat).chain([Viewer::Spectator, Viewer::Omniscient])
    }
}
