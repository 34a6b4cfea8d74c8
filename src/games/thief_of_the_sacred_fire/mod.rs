//! Thief of the Sacred Fire by Peter Cobcroft: one thief against five druids. Only the order of the deck is hidden.
//!
//! Invariant: [`ThiefOfTheSacredFire`] follows its rules (`rules.md`), which its refusals cite. The druids' part of a
//! turn is a chance step; the service stops at the thief's decision.

mod asked;
mod course;
mod detection;
mod events;
mod figures;
mod glossary;
mod graph;
mod guide;
mod legal;
mod moves;
mod notation;
mod options;
mod patrol;
mod picture;
mod reach;
mod space;
mod space_set;
mod spoken;
mod state;
#[cfg(test)]
mod tests;
mod view;

pub use detection::Reason;
pub use events::*;
pub use figures::{Druid, Figure};
pub use graph::{edges, range};
pub use moves::{ChooseStart, GoTo, Move, StayHere, TakeFire};
pub use options::Options;
pub use reach::Reach;
pub use space::{Space, Spot};
pub use state::{Ending, State};
pub use view::{Phase, ThiefDruidView, ThiefFire, ThiefPawn, ThiefView};

use serde_json::value::RawValue;
use strum::VariantNames;

use sarsen_rules::{
    Asked, Board, Chance, Dice, Game, GameInfo, Glossary, Legal, LegalMoves, MalformedOptions, Mode, Nobody, Refusal,
    Seat, SeatCount, Status, Viewer, read_options,
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
        rules: include_str!("rules.md"),
        endings: <Ending as VariantNames>::VARIANTS,
        undo_barriers: &[],
    };

    type Options = Options;
    type Move = Move;
    type Event = Event;
    type View = ThiefView;
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
        SeatCount::ONE
    }

    fn status(&self, state: &State) -> Status {
        state.status()
    }

    fn legal_moves(&self, state: &State, seat: Seat) -> LegalMoves<Move> {
        legal::moves(state, seat)
    }

    fn legal_moves_into(&self, state: &State, seat: Seat, moves: &mut Vec<Move>) -> bool {
        legal::moves_into(state, seat, moves);
        true
    }

    fn check(&self, state: &State, _seat: Seat, mv: &Move) -> Result<(), Refusal> {
        legal::check(state, mv)
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

    fn view(&self, state: &State, viewer: Viewer) -> ThiefView {
        state.view(viewer)
    }

    /// Nothing that happens is hidden: the deck's order is told by no event before the last.
    fn redact(&self, event: &Event, _viewer: Viewer) -> Option<Event> {
        Some(event.clone())
    }

    fn is_open(&self, _event: &Event) -> bool {
        true
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

    fn ended(&self, view: ThiefView) -> ThiefView {
        ThiefView { phase: Phase::Over, ..view }
    }

    /// A loss counts 0, this one too.
    fn given_up_score(&self) -> Option<i32> {
        Some(0)
    }

    fn imagine(&self, view: &ThiefView, _viewer: Viewer, dice: &mut Dice) -> State {
        State::imagined(view, dice)
    }

    fn is_plausible(&self, view: &ThiefView) -> bool {
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

    /// Nothing but the deck is hidden, and only chance steps draw from it.
    fn reveals(&self, _state: &State, _seat: Seat, mv: &Move) -> bool {
        match mv {
            Move::Start(_) | Move::Go(_) | Move::Stay(_) | Move::Take(_) => false,
        }
    }

    fn malformed_rule(&self, json: &serde_json::Value) -> Option<&'static str> {
        notation::malformed_rule(json)
    }

    fn board(&self) -> Board {
        graph::board()
    }

    fn glossaries(&self) -> Vec<Glossary> {
        vec![glossary::glossary()]
    }
}
