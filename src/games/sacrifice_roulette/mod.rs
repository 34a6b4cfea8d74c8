//! Sacrifice Roulette by Jason Bulmahn: two to five players roll a boulder over pits full of each other's sacrifices.
//! Hands and the deck's order are secret; falls and draws are left to chance.
//!
//! Invariant: [`SacrificeRoulette`] follows its rules (`rules.md`), which its refusals cite.

mod asked;
mod course;
mod events;
mod glossary;
mod guide;
mod legal;
mod moves;
mod notation;
mod options;
mod picture;
mod spoken;
mod state;
#[cfg(test)]
mod tests;
mod track;
mod view;

pub use events::{
    BoulderFell, BoulderRolled, BoulderSetUp, CardsDrawn, CardsRevealed, DeckDepleted, DeckReshuffled, Event,
    FallCardDrawn, Hand, HandsDealt, PitEmptied, SacrificePlaced, SacrificesSetUp, SeatSacrifices, TrilithonsPlayed,
    TurnBegun,
};
pub use moves::{Ending, Move, Place, Reverse, Roll};
pub use options::Options;
pub use state::{Pits, Player, Reshuffle, Stage, State};
pub use track::Direction;
pub use view::{Phase, Pit, PlayerView, SacrificeRouletteView, ScoringPile};

use serde_json::value::RawValue;

use crate::stonehenge::printed_board;
use sarsen_rules::{
    Asked, Board, Chance, Dice, Game, GameInfo, Glossary, Legal, LegalMoves, MalformedOptions, Mode, Nobody, Refusal,
    Seat, SeatCount, Status, Viewer, read_options,
};

/// The game.
pub struct SacrificeRoulette;

impl Game for SacrificeRoulette {
    const INFO: GameInfo = GameInfo {
        id: "sacrifice_roulette",
        title: "Sacrifice Roulette",
        designer: "Jason Bulmahn",
        min_seats: 2,
        max_seats: 5,
        mode: Mode::Competitive,
        hidden_information: true,
        chance: Chance::DuringPlay,
        draws: false,
        rules_version: 1,
        state_version: 1,
        notation: notation::NOTATION,
        summary: include_str!("summary.md"),
        rules: include_str!("rules.md"),
        endings: &[state::ENDING],
        undo_barriers: &["roll", "reverse"],
    };

    type Options = Options;
    type Move = Move;
    type Event = Event;
    type View = SacrificeRouletteView;
    type State = State;

    fn options(&self, json: &serde_json::Value) -> Result<Options, MalformedOptions> {
        read_options(json)
    }

    fn check_options(&self, _options: &Options, _seats: SeatCount) -> Result<(), Refusal> {
        Ok(())
    }

    fn setup(&self, _options: &Options, seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
        course::set_up(seats, dice)
    }

    fn load(&self, state: &RawValue) -> Result<State, serde_json::Error> {
        serde_json::from_str(state.get())
    }

    fn seat_count(&self, state: &State) -> SeatCount {
        state.count()
    }

    fn status(&self, state: &State) -> Status {
        state.status()
    }

    fn legal_moves(&self, state: &State, seat: Seat) -> LegalMoves<Move> {
        legal::moves(state, seat)
    }

    fn legal_moves_into(&self, state: &State, seat: Seat, moves: &mut Vec<Move>) -> bool {
        legal::moves_into(state, seat, moves)
    }

    fn check(&self, state: &State, seat: Seat, mv: &Move) -> Result<(), Refusal> {
        legal::check(state, seat, mv)
    }

    fn apply(&self, state: &mut State, mv: &Legal<Move>) -> Vec<Event> {
        let mut events = Vec::new();
        course::apply(state, mv, &mut events);
        events
    }

    fn resolve(&self, state: &mut State, dice: &mut Dice) -> Vec<Event> {
        let mut events = Vec::new();
        course::resolve(state, dice, &mut events);
        events
    }

    fn advance(&self, state: &mut State, mv: &Legal<Move>) {
        course::apply(state, mv, &mut Nobody);
    }

    fn advance_chance(&self, state: &mut State, dice: &mut Dice) {
        course::resolve(state, dice, &mut Nobody);
    }

    fn view(&self, state: &State, viewer: Viewer) -> SacrificeRouletteView {
        state.view(viewer)
    }

    fn redact(&self, event: &Event, viewer: Viewer) -> Option<Event> {
        Some(event.seen_by(viewer))
    }

    fn is_open(&self, event: &Event) -> bool {
        event.is_open()
    }

    /// Every card is laid openly.
    fn redact_move(&self, mv: &Move, _by: Seat, _viewer: Viewer) -> Option<Move> {
        Some(*mv)
    }

    fn moves_are_open(&self) -> bool {
        true
    }

    fn asked(&self, state: &State, _seat: Seat) -> Asked {
        asked::asked(state)
    }

    fn ended(&self, view: SacrificeRouletteView) -> SacrificeRouletteView {
        SacrificeRouletteView { phase: Phase::Over, seat: None, ..view }
    }

    fn imagine(&self, view: &SacrificeRouletteView, _viewer: Viewer, dice: &mut Dice) -> State {
        State::imagined(view, dice)
    }

    fn is_plausible(&self, view: &SacrificeRouletteView) -> bool {
        view.is_plausible()
    }

    fn notation(&self, mv: &Move) -> String {
        notation::write(mv)
    }

    fn move_text(&self, mv: &Move, _options: &Options) -> String {
        spoken::mv(mv)
    }

    fn event_text(&self, event: &Event, _options: &Options) -> String {
        spoken::event(event)
    }

    fn parse(&self, text: &str) -> Result<Move, Refusal> {
        notation::read(text)
    }

    /// Cards out of the hand.
    fn reveals(&self, _state: &State, _seat: Seat, mv: &Move) -> bool {
        match mv {
            Move::Roll(_) | Move::Reverse(_) => true,
            Move::Place(_) => false,
        }
    }

    fn malformed_rule(&self, json: &serde_json::Value) -> Option<&'static str> {
        notation::malformed_rule(json)
    }

    fn board(&self) -> Board {
        printed_board()
    }

    fn glossaries(&self) -> Vec<Glossary> {
        vec![glossary::glossary()]
    }
}
