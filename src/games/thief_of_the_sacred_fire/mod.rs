//! Thief of the Sacred Fire by Peter Cobcroft: one thief against five druids. Only the order of the deck is hidden.
//!
//! Invariant: [`ThiefOfTheSacredFire`] follows its rulings ([`rulings`]), which its refusals name. The druids' part of a
//! turn is a chance step; the service stops at the thief's decision.

mod detection;
mod events;
mod figures;
mod graph;
mod legal;
mod moves;
mod notation;
mod options;
mod patrol;
mod rulings;
mod space;
mod state;
#[cfg(test)]
mod tests;
mod turn;
mod view;

pub use detection::Reason;
pub use events::*;
pub use figures::{Druid, Figure};
pub use graph::{Reach, edges, range};
pub use moves::{ChooseStart, GoTo, Move, StayHere, TakeFire};
pub use options::Options;
pub use space::{Space, Spot};
pub use state::{Ending, State};
pub use view::{Phase, ThiefDruidView, ThiefFire, ThiefPawn, ThiefView};

use crate::rules::{
    Board, Chance, Dice, Game, GameInfo, Legal, LegalMoves, Mode, Refusal, Ruling, Seat, SeatCount, Status, Viewer,
};

/// The game.
pub struct ThiefOfTheSacredFire;

impl Game for ThiefOfTheSacredFire {
    const INFO: GameInfo = GameInfo {
        id: "thief_of_the_sacred_fire",
        title: "Thief of the Sacred Fire",
        designer: "Peter Cobcroft",
        min_seats: 1,
        max_seats: 1,
        mode: Mode::Solo,
        hidden_information: true,
        chance: Chance::DuringPlay,
        draws: false,
        rules_version: 1,
        state_version: 1,
        notation: notation::NOTATION,
        summary: include_str!("summary.md"),
        endings: &["fire_home", "caught", "dawn"],
    };

    type Options = Options;
    type Move = Move;
    type Event = Event;
    type View = ThiefView;
    type State = State;

    fn check_options(options: &Options, _seats: SeatCount) -> Result<(), Refusal> {
        options.check()
    }

    fn setup(options: &Options, _seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
        State::set_up(*options, dice)
    }

    fn status(state: &State) -> Status {
        state.status()
    }

    fn legal_moves(state: &State, seat: Seat) -> LegalMoves<Move> {
        if state.actor() != Some(seat) {
            return LegalMoves::none();
        }
        LegalMoves::all(legal::moves(state))
    }

    fn check(state: &State, _seat: Seat, mv: &Move) -> Result<(), Refusal> {
        legal::check(state, mv)
    }

    fn apply(state: &mut State, mv: &Legal<Move>) -> Vec<Event> {
        state.decide(*mv.mv())
    }

    fn resolve(state: &mut State, dice: &mut Dice) -> Vec<Event> {
        state.resolve(dice)
    }

    fn view(state: &State, viewer: Viewer) -> ThiefView {
        state.view(viewer)
    }

    /// Nothing that happens is hidden: the deck's order is told by no event before the last.
    fn redact(event: &Event, _viewer: Viewer) -> Option<Event> {
        Some(event.clone())
    }

    fn redact_move(mv: &Move, _by: Seat, _viewer: Viewer) -> Option<Move> {
        Some(*mv)
    }

    fn imagine(view: &ThiefView, _viewer: Viewer, dice: &mut Dice) -> State {
        State::imagined(view, dice)
    }

    fn notation(mv: &Move) -> String {
        notation::write(mv)
    }

    fn parse(text: &str) -> Result<Move, Refusal> {
        notation::read(text)
    }

    fn malformed_rule(json: &serde_json::Value) -> Option<&'static str> {
        notation::malformed_rule(json)
    }

    fn board() -> Board {
        graph::board()
    }

    fn rulings() -> &'static [Ruling] {
        rulings::RULINGS
    }
}
