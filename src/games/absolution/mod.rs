//! Absolution by Nate Christensen: two to five players against the clock, all win or all lose. Hands and the order of
//! the pile are hidden.
//!
//! Invariant: [`Absolution`] follows its rules (`rules.md`), which its refusals cite.

mod asked;
mod course;
mod events;
mod glossary;
mod guide;
mod legal;
mod matching;
mod moves;
mod notation;
mod numbers;
mod options;
mod picture;
mod spoken;
mod state;
mod talk;
#[cfg(test)]
mod tests;
mod track;
mod view;

pub use events::{
    AbsolutionEnded, DoomedDruidMoved, Event, ExchangeFieldLaid, FieldCardExchanged, NominationsDiffered,
    NumberDiskMoved, NumberMatched, NumberMissed, NumberTrilithonPlaced, NumberTrilithonRemoved, OpeningHandDealt,
    ReadinessTold, ReplacementsDrawn, Ring, StarterFound, StarterNominated, TrackTurnBegun, WishTold,
};
pub use moves::{Exchange, Move, Nominate, Play};
pub use numbers::NumberSet;
pub use options::{FirstPlayer, Options};
pub use state::{Ending, Player, State, Step};
pub use talk::{Ready, Talk, Wish, WishColour, Word};
pub use track::{Druid, Phase, Turn};
pub use view::{AbsolutionView, Nomination, Round, SeatView, TurnView};

use serde_json::value::RawValue;
use strum::VariantNames;

use crate::stonehenge::printed_board;
use sarsen_rules::{
    Asked, Board, Chance, Dice, Edge, Game, GameInfo, Glossary, Legal, LegalMoves, MalformedOptions, Mode, Nobody,
    Refusal, Seat, SeatCount, Signal, Status, Viewer, read_options,
};

/// The game.
pub struct Absolution;

impl Game for Absolution {
    const INFO: GameInfo = GameInfo {
        id: "absolution",
        title: "Absolution",
        designer: "Nate Christensen",
        min_seats: 2,
        max_seats: 5,
        mode: Mode::Cooperative,
        hidden_information: true,
        chance: Chance::DuringPlay,
        draws: false,
        rules_version: 1,
        state_version: 1,
        notation: notation::NOTATION,
        summary: include_str!("summary.md"),
        rules: include_str!("rules.md"),
        endings: <Ending as VariantNames>::VARIANTS,
        undo_barriers: &["exchange", "play", "wish", "ready"],
    };

    type Options = Options;
    type Move = Move;
    type Event = Event;
    type View = AbsolutionView;
    type State = State;

    fn options(&self, json: &serde_json::Value) -> Result<Options, MalformedOptions> {
        read_options(json)
    }

    fn check_options(&self, options: &Options, seats: SeatCount) -> Result<(), Refusal> {
        options.check(seats)
    }

    fn setup(&self, options: &Options, seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
        course::set_up(*options, seats, dice)
    }

    fn load(&self, state: &RawValue) -> Result<State, serde_json::Error> {
        serde_json::from_str(state.get())
    }

    fn seat_count(&self, state: &State) -> SeatCount {
        state.seats()
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

    fn check(&self, state: &State, seat: Seat, mv: &Move) -> Result<(), Refusal> {
        legal::check(state, seat, mv)
    }

    fn apply(&self, state: &mut State, mv: &Legal<Move>) -> Vec<Event> {
        let mut events = Vec::new();
        course::apply(state, mv, &mut events);
        events
    }

    fn resolve(&self, state: &mut State, _dice: &mut Dice) -> Vec<Event> {
        let mut events = Vec::new();
        course::resolve(state, &mut events);
        events
    }

    fn advance(&self, state: &mut State, mv: &Legal<Move>) {
        course::apply(state, mv, &mut Nobody);
    }

    fn advance_chance(&self, state: &mut State, _dice: &mut Dice) {
        course::resolve(state, &mut Nobody);
    }

    fn view(&self, state: &State, viewer: Viewer) -> AbsolutionView {
        state.view(viewer)
    }

    fn redact(&self, event: &Event, viewer: Viewer) -> Option<Event> {
        Some(event.seen_by(viewer))
    }

    fn is_open(&self, event: &Event) -> bool {
        event.is_open()
    }

    /// Every move is made openly.
    fn redact_move(&self, mv: &Move, _by: Seat, _viewer: Viewer) -> Option<Move> {
        Some(mv.clone())
    }

    fn moves_are_open(&self) -> bool {
        true
    }

    fn asked(&self, state: &State, _seat: Seat) -> Asked {
        asked::asked(state)
    }

    fn ended(&self, view: AbsolutionView) -> AbsolutionView {
        AbsolutionView { step: Step::Over, rescue_pending: false, ..view }
    }

    fn imagine(&self, view: &AbsolutionView, _viewer: Viewer, dice: &mut Dice) -> State {
        State::imagined(view, dice)
    }

    fn is_plausible(&self, view: &AbsolutionView) -> bool {
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

    /// Cards out of the hand, and words about it.
    fn reveals(&self, _state: &State, _seat: Seat, mv: &Move) -> bool {
        match mv {
            Move::Exchange(_) | Move::Play(_) | Move::Wish(_) | Move::Ready(_) => true,
            Move::Nominate(_) | Move::Pass(_) => false,
        }
    }

    fn malformed_rule(&self, json: &serde_json::Value) -> Option<&'static str> {
        notation::malformed_rule(json)
    }

    fn needs_turn(&self, mv: &Move) -> bool {
        !matches!(mv, Move::Wish(_) | Move::Ready(_))
    }

    fn signals(&self) -> &'static [Signal] {
        talk::SIGNALS
    }

    /// The printed board, with the Druid's way joined up.
    fn board(&self) -> Board {
        let mut board = printed_board();
        board.edges.extend(Druid::way().filter(|druid| !druid.on_altar()).map(|druid| Edge {
            from: druid.to_string(),
            to: druid.on().to_string(),
            cost: None,
        }));
        board
    }

    fn glossaries(&self) -> Vec<Glossary> {
        vec![glossary::glossary()]
    }
}
