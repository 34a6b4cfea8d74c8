//! Contiguity by Rich Hutnik: two players, six pieces each, first to connect them all. Nothing is hidden.
//!
//! Invariant: [`Contiguity`] follows its rules (`rules.md`), which its refusals cite.

mod asked;
mod course;
mod events;
mod glossary;
mod guide;
mod legal;
mod lines;
mod moves;
mod notation;
mod options;
mod picture;
mod position;
mod spoken;
mod state;
#[cfg(test)]
mod tests;
mod trail;
mod view;

pub use events::{
    BidMade, BiddingPassed, ColoursDrawn, DisksSetUp, Event, OpeningBidderDrawn, OrderChosen, PieceMoved,
};
pub use lines::{Direction, Jump, Kind};
pub use moves::{Bid, BidTurns, ChooseOrder, Move, MovePiece, TurnOrder};
pub use options::Options;
pub use position::{Colour, Position};
pub use state::{Ending, State};
pub use view::{ContiguityBid, ContiguityView, Phase};

use serde_json::value::RawValue;
use strum::VariantNames;

use crate::stonehenge::printed_board;
use sarsen_rules::{
    Asked, Board, Chance, Dice, Game, GameInfo, Glossary, Legal, LegalMoves, MalformedOptions, Mode, Refusal, Seat,
    SeatCount, Status, Viewer, read_options,
};

/// The game.
pub struct Contiguity;

impl Game for Contiguity {
    const INFO: GameInfo = GameInfo {
        id: "contiguity",
        title: "Contiguity",
        designer: "Rich Hutnik",
        min_seats: 2,
        max_seats: 2,
        mode: Mode::Competitive,
        hidden_information: false,
        chance: Chance::SetUp,
        draws: true,
        rules_version: 1,
        state_version: 1,
        notation: notation::NOTATION,
        summary: include_str!("summary.md"),
        rules: include_str!("rules.md"),
        endings: <Ending as VariantNames>::VARIANTS,
        undo_barriers: &[],
    };

    type Options = Options;
    type Move = Move;
    type Event = Event;
    type View = ContiguityView;
    type State = State;

    fn options(&self, json: &serde_json::Value) -> Result<Options, MalformedOptions> {
        read_options(json)
    }

    fn check_options(&self, options: &Options, _seats: SeatCount) -> Result<(), Refusal> {
        options.check()
    }

    fn setup(&self, options: &Options, _seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
        course::set_up(*options, dice)
    }

    fn load(&self, state: &RawValue) -> Result<State, serde_json::Error> {
        serde_json::from_str(state.get())
    }

    fn seat_count(&self, _state: &State) -> SeatCount {
        state::TWO
    }

    fn status(&self, state: &State) -> Status {
        state.status()
    }

    fn legal_moves(&self, state: &State, seat: Seat) -> LegalMoves<Move> {
        legal::moves(state, seat)
    }

    fn check(&self, state: &State, seat: Seat, mv: &Move) -> Result<(), Refusal> {
        legal::check(state, seat, mv)
    }

    fn apply(&self, state: &mut State, mv: &Legal<Move>) -> Vec<Event> {
        course::apply(state, mv)
    }

    fn resolve(&self, _state: &mut State, _dice: &mut Dice) -> Vec<Event> {
        Vec::new()
    }

    fn legal_moves_into(&self, state: &State, seat: Seat, moves: &mut Vec<Move>) -> bool {
        legal::moves_into(state, seat, moves);
        true
    }

    fn advance(&self, state: &mut State, mv: &Legal<Move>) {
        course::advance(state, mv);
    }

    fn view(&self, state: &State, _viewer: Viewer) -> ContiguityView {
        state.view()
    }

    fn redact(&self, event: &Event, _viewer: Viewer) -> Option<Event> {
        Some(event.clone())
    }

    fn redact_move(&self, mv: &Move, _by: Seat, _viewer: Viewer) -> Option<Move> {
        Some(*mv)
    }

    fn moves_are_open(&self) -> bool {
        true
    }

    fn asked(&self, state: &State, _seat: Seat) -> Asked {
        asked::asked(state)
    }

    fn ended(&self, view: ContiguityView) -> ContiguityView {
        ContiguityView { phase: view::Phase::Over, ..view }
    }

    fn imagine(&self, view: &ContiguityView, _viewer: Viewer, _dice: &mut Dice) -> State {
        State::imagined(view)
    }

    fn is_plausible(&self, view: &ContiguityView) -> bool {
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

    fn written(&self, mv: &Move) -> Option<&'static RawValue> {
        moves::written(mv)
    }

    /// Nothing is hidden.
    fn reveals(&self, _state: &State, _seat: Seat, mv: &Move) -> bool {
        match mv {
            Move::Move(_) | Move::Bid(_) | Move::Pass(_) | Move::Choose(_) => false,
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
