//! Henge by Rick Holzgrafe: one to five people, with Hengebots three to five players. Which cards there are, and what
//! they do, is data ([`components`]).
//!
//! A turn is several decisions; what is open and what follows is a stack of frames in the [`state`], which the
//! [`course`] works off.
//!
//! The rooms, each of which knows only those before it: [`components`] (the cards, tracks and slots as data), [`state`]
//! (what a match is between two moves), [`moves`] and [`options`], [`seen`] (views and events, and what each viewer may
//! know of them), [`machine`] (carries out), [`legality`] (says what may be done), [`course`] (what comes next).
//!
//! Invariant: [`Henge`] follows its rules (`rules.md`), which its refusals cite.

mod asked;
pub mod board;
pub mod components;
mod course;
mod guide;
mod legality;
mod machine;
pub mod moves;
mod notation;
mod options;
mod picture;
mod seen;
mod spoken;
mod state;
#[cfg(test)]
mod tests;

pub use components::ComponentSets;
pub use moves::Move;
pub use options::Options;
pub use seen::events::{self, Event};
pub use seen::{
    HengeActionFrame, HengeAreaScore, HengeBonusDeck, HengeBonusDrawsFrame, HengeBuilt, HengeCardScore,
    HengeChooseFrame, HengeDeck, HengeDiscardFrame, HengeDropFrame, HengeEffectsFrame, HengeEnd, HengeEndOfTurnFrame,
    HengeFrame, HengeHeld, HengeLevelFrame, HengeLevels, HengeLuckDrawsFrame, HengeMat, HengeMoveFrame, HengePath,
    HengePlayer, HengeRevealed, HengeRewardFrame, HengeRewards, HengeScore, HengeScoringFrame, HengeSource, HengeStage,
    HengeTrackFrame, HengeView, HengebotFrame, SourceKind,
};
pub use state::{Chair, EndStep, Seating, State, Who};

use components::words::glossary;
use components::{Components, SetId};
use machine::{Machine, scoring, setup};
use seen::{imagine, redact};
use spoken::Narrator;
use state::StoredEquipment;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use sarsen_rules::{
    Asked, Board, Chance, Dice, Game, GameInfo, Glossary, Legal, LegalMoves, MalformedOptions, Mode, Refusal, Seat,
    SeatCount, Status, Viewer, WireUnion,
};

/// The game, with the component sets that it is played with.
#[derive(Clone, Debug, Default)]
pub struct Henge {
    sets: ComponentSets,
}

impl Henge {
    /// The game with these sets.
    pub fn new(sets: ComponentSets) -> Henge {
        Henge { sets }
    }

    fn boards_of(&self, set: &Components) -> Vec<Board> {
        board::boards(set, &self.sets.edition(set))
    }
}

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
        rules: include_str!("rules.md"),
        endings: &[scoring::DECK_EMPTIED, scoring::ROUND_LIMIT],
        undo_barriers: &[
            "rondel", "travel", "luck", "income", "draw", "arrive", "quarry", "carve", "druid", "install", "done",
            "discard", "track",
        ],
    };

    type Options = Options;
    type Move = Move;
    type Event = Event;
    type View = HengeView;
    type State = State;

    fn options(&self, json: &Value) -> Result<Options, MalformedOptions> {
        Options::read(json, &self.sets)
    }

    fn check_options(&self, options: &Options, seats: SeatCount) -> Result<(), Refusal> {
        options.check(seats)
    }

    fn setup(&self, options: &Options, seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
        let (seating, equipment) = options.played(seats);
        setup::set_up(&seating, equipment, dice)
    }

    fn load(&self, state: &RawValue) -> Result<State, serde_json::Error> {
        let stored: State<StoredEquipment> = serde_json::from_str(state.get())?;
        stored.open(&self.sets)
    }

    fn seat_count(&self, state: &State) -> SeatCount {
        state.count()
    }

    fn status(&self, state: &State) -> Status {
        state.status()
    }

    fn legal_moves(&self, state: &State, seat: Seat) -> LegalMoves<Move> {
        LegalMoves::all(state.legal(seat))
    }

    fn listed(&self, state: &State, seat: Seat, mv: &Move) -> Option<impl Serialize> {
        state.listed(seat, mv)
    }

    fn check(&self, state: &State, seat: Seat, mv: &Move) -> Result<(), Refusal> {
        state.check(seat, mv)
    }

    fn apply(&self, state: &mut State, mv: &Legal<Move>) -> Vec<Event> {
        let mut run = Machine::new(state);
        run.act(mv.seat(), mv.mv());
        run.advance();
        run.events
    }

    fn resolve(&self, state: &mut State, dice: &mut Dice) -> Vec<Event> {
        let mut run = Machine::new(state);
        run.resolve(dice);
        run.events
    }

    fn advance(&self, state: &mut State, mv: &Legal<Move>) {
        let mut run = Machine::silent(state);
        run.act(mv.seat(), mv.mv());
        run.advance();
    }

    fn advance_chance(&self, state: &mut State, dice: &mut Dice) {
        Machine::silent(state).resolve(dice);
    }

    fn view(&self, state: &State, viewer: Viewer) -> HengeView {
        state.view(viewer)
    }

    fn redact(&self, event: &Event, viewer: Viewer) -> Option<Event> {
        Some(redact::event(event, viewer))
    }

    fn is_open(&self, event: &Event) -> bool {
        redact::is_open(event)
    }

    fn redact_move(&self, mv: &Move, by: Seat, viewer: Viewer) -> Option<Move> {
        redact::redact_move(mv, by, viewer)
    }

    fn asked(&self, state: &State, seat: Seat) -> Asked {
        state.asked(seat)
    }

    fn ended(&self, view: HengeView) -> HengeView {
        HengeView { stage: HengeStage::Over, upgrading: None, stack: Vec::new(), ..view }
    }

    fn imagine(&self, view: &HengeView, _viewer: Viewer, dice: &mut Dice) -> State {
        imagine::imagine(view, &self.sets, dice)
    }

    fn is_plausible(&self, view: &HengeView) -> bool {
        view.is_plausible()
    }

    fn notation(&self, mv: &Move) -> String {
        notation::write(mv)
    }

    fn move_text(&self, mv: &Move, options: &Options) -> String {
        Narrator(&options.set).mv(mv)
    }

    fn event_text(&self, event: &Event, options: &Options) -> String {
        Narrator(&options.set).event(event)
    }

    fn parse(&self, text: &str) -> Result<Move, Refusal> {
        notation::read(text, &self.sets)
    }

    fn reveals(&self, state: &State, seat: Seat, mv: &Move) -> bool {
        state.reveals(seat, mv)
    }

    /// The table of section 8.2 says what each move holds.
    fn malformed_rule(&self, json: &Value) -> Option<&'static str> {
        let kind = json["type"].as_str()?;
        Move::parts().iter().any(|part| part.tag == kind).then_some("8.2")
    }

    /// Ends what may be ended (section 9.2). Otherwise a move is drawn.
    fn absent_move(&self, state: &State, seat: Seat, dice: &mut Dice) -> Option<Move> {
        let moves = state.legal(seat);
        let done = moves.iter().find(|mv| matches!(mv, Move::Done(_))).copied();
        done.or_else(|| dice.one_of(moves))
    }

    fn missing_components(&self, options: &Value) -> Option<String> {
        let set: SetId = serde_json::from_value(options.get("set")?.clone()).ok()?;
        self.sets.find(&set).err().map(|missing| missing.to_string())
    }

    /// That for the fewest players: the default table.
    fn board(&self) -> Board {
        self.boards_of(&self.sets.offered()).swap_remove(0)
    }

    fn boards(&self) -> Vec<Board> {
        self.sets.all().flat_map(|set| self.boards_of(set)).collect()
    }

    fn glossaries(&self) -> Vec<Glossary> {
        self.sets.all().map(|set| glossary(set, self.sets.edition(set))).collect()
    }
}
