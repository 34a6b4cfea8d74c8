//! Henge by Rick Holzgrafe: one to five people, with Hengebots three to five players. Which cards there are, and what
//! they do, is data ([`components`]).
//!
//! A turn is several decisions; what is open and what follows is a stack of frames ([`state`]), worked off by one
//! machine ([`machine`]) that carries out effects in one place.
//!
//! Invariant: [`Henge`] follows its rulings ([`rulings`]), which its refusals name.

pub mod board;
pub mod components;
mod legality;
mod machine;
pub mod moves;
mod notation;
mod options;
mod rulings;
mod seen;
mod state;
#[cfg(test)]
mod tests;

pub use machine::scoring::{HengeAreaScore, HengeCardScore, HengeScore};
pub use moves::Move;
pub use options::{Options, Table};
pub use seen::events::{self, Event};
pub use seen::{
    HengeAct, HengeBuilt, HengeDeck, HengeEnd, HengeFrame, HengeHeld, HengeMat, HengePlace, HengeSource, HengeStage,
    HengeView, SourceKind,
};
pub use state::State;

use machine::{Run, scoring, setup};
use seen::{imagine, redact};

use crate::rules::{
    Board, Chance, Dice, Game, GameInfo, Glossary, Legal, LegalMoves, Mode, Refusal, Ruling, Seat, SeatCount, Status,
    Viewer, WireUnion,
};

/// The game.
pub struct Henge;

impl Game for Henge {
    const INFO: GameInfo = GameInfo {
        id: "henge",
        title: "Henge",
        designer: "Rick Holzgrafe",
        min_seats: 1,
        max_seats: 5,
        mode: Mode::Competitive,
        hidden_information: true,
        chance: Chance::DuringPlay,
        draws: false,
        rules_version: 1,
        state_version: 1,
        notation: notation::NOTATION,
        summary: include_str!("summary.md"),
        endings: &[scoring::DECK_EMPTIED, scoring::ROUND_LIMIT],
    };

    type Options = Options;
    type Move = Move;
    type Event = Event;
    type View = HengeView;
    type State = State;

    fn check_options(options: &Options, seats: SeatCount) -> Result<(), Refusal> {
        options.check(seats)
    }

    fn setup(options: &Options, seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
        let (table, rules) = options.played(seats);
        setup::set_up(&table, rules, dice)
    }

    fn status(state: &State) -> Status {
        state.status()
    }

    fn legal_moves(state: &State, seat: Seat) -> LegalMoves<Move> {
        LegalMoves::all(state.legal(seat))
    }

    fn check(state: &State, seat: Seat, mv: &Move) -> Result<(), Refusal> {
        state.check(seat, mv)
    }

    fn apply(state: &mut State, mv: &Legal<Move>) -> Vec<Event> {
        let mut run = Run::new(state);
        run.act(mv.seat(), mv.mv());
        run.advance();
        run.events
    }

    fn resolve(state: &mut State, dice: &mut Dice) -> Vec<Event> {
        let mut run = Run::new(state);
        run.resolve(dice);
        run.events
    }

    fn view(state: &State, viewer: Viewer) -> HengeView {
        state.view(viewer)
    }

    fn redact(event: &Event, viewer: Viewer) -> Option<Event> {
        Some(redact::event(event, viewer))
    }

    fn redact_move(mv: &Move, by: Seat, viewer: Viewer) -> Option<Move> {
        redact::redact_move(mv, by, viewer)
    }

    fn imagine(view: &HengeView, _viewer: Viewer, dice: &mut Dice) -> State {
        imagine::imagine(view, dice)
    }

    fn notation(mv: &Move) -> String {
        notation::write(mv)
    }

    fn parse(text: &str) -> Result<Move, Refusal> {
        notation::read(text)
    }

    /// The table of section 3 says what each move holds.
    fn malformed_rule(json: &serde_json::Value) -> Option<&'static str> {
        let kind = json["type"].as_str()?;
        Move::parts().iter().any(|part| part.tag == kind).then_some("3")
    }

    /// Ends what may be ended; otherwise the first move of the list.
    fn absent_move(state: &State, seat: Seat) -> Option<Move> {
        let moves = state.legal(seat);
        let done = moves.iter().find(|mv| matches!(mv, Move::Done(_)));
        done.or(moves.first()).copied()
    }

    fn board() -> Board {
        board::board(components::offered())
    }

    fn boards() -> Vec<Board> {
        components::registry::all().map(board::board).collect()
    }

    fn glossaries() -> Vec<Glossary> {
        components::registry::all().map(components::words::glossary).collect()
    }

    fn rulings() -> &'static [Ruling] {
        rulings::RULINGS
    }
}
