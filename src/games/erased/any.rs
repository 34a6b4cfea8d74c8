//! A game, a state and a move of whichever kind, as the rest of the service sees them.
//!
//! Invariant: what is stored is [`RawValue`], and written once. What may be long and is answered at once (views, lists of
//! moves) is appended straight to the caller's buffer.

use std::any::Any;

use serde_json::Value;
use serde_json::value::RawValue;

use super::event::GameEvent;
use super::json::Corrupt;
use super::observation::SeatObservation;
use super::picture::{NotDrawn, Sitting};
use crate::pictures::{Ask, Svg};
use sarsen_rules::{
    Board, Dice, GameInfo, Glossary, MalformedOptions, Part, Prompt, Refusal, Rulebook, Seat, SeatCount, Signal,
    Status, Viewer,
};

/// The reason why options were not accepted.
#[derive(Debug, thiserror::Error)]
pub enum OptionsError {
    /// Not of the options' schema.
    #[error(transparent)]
    Malformed(#[from] MalformedOptions),
    /// The rules refuse the combination.
    #[error(transparent)]
    Refused(Refusal),
}

/// A move that could not be read.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{detail}")]
pub struct MalformedMove {
    /// One sentence.
    pub detail: String,
    /// The property of the JSON that is at fault, if it is one.
    pub field: Option<String>,
    /// The rule that the notation or the JSON breaks, where one does.
    pub refusal: Option<Box<Refusal>>,
}

/// A move as it arrives.
#[derive(Clone, PartialEq, Debug)]
pub enum MoveInput {
    /// As JSON, tagged by `type`.
    Json(Value),
    /// In the game's notation.
    Notation(String),
}

/// A move that was read, of whichever game.
pub struct AnyMove {
    /// True if the move belongs to a turn.
    pub needs_turn: bool,
    pub(super) inner: Box<dyn Any + Send + Sync>,
}

/// A move as it was read from notation, without a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadNotation {
    /// The same as the game writes it.
    pub notation: String,
    /// True if the move belongs to a turn.
    pub needs_turn: bool,
}

/// A move as it is stored and shown.
#[derive(Clone, Debug)]
pub struct MoveJson {
    /// The move, tagged by `type`.
    pub json: Box<RawValue>,
    /// The same in notation.
    pub notation: String,
}

/// The effects of a move. Unredacted.
#[derive(Debug)]
pub struct PlayedJson {
    /// The move as made.
    pub mv: MoveJson,
    /// The game's events in order.
    pub events: Vec<GameEvent>,
    /// True if a chance step was carried out or, after a rehearsal, is due.
    pub chance: bool,
}

/// The form of a list of legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListForm {
    /// As JSON objects.
    Full,
    /// As notation.
    Notation,
}

/// A seat's legal moves, to be written.
pub trait AnyList {
    /// Returns how many there are.
    fn count(&self) -> usize;
    /// Returns whether nothing was left out.
    fn complete(&self) -> bool;
    /// Appends them to `into` as a JSON array of texts that can be read aloud. The options are those of the match.
    ///
    /// # Errors
    /// Options that are not of the game; something may then have been written.
    fn write_texts(&self, options: &RawValue, into: &mut Vec<u8>) -> Result<(), Corrupt>;
    /// Appends them to `into` as a JSON array of moves or of notations.
    ///
    /// # Errors
    /// A move that has no JSON form; something may then have been written.
    fn write(&self, form: ListForm, into: &mut Vec<u8>) -> Result<(), Corrupt>;
}

/// A seat's legal moves, written.
#[derive(Debug)]
pub struct LegalJson {
    /// A JSON array of moves or of notations.
    pub moves: Box<RawValue>,
    /// The number of moves listed.
    pub count: usize,
    /// True if nothing was left out.
    pub complete: bool,
}

/// The reason why a move was not made.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The rules refuse it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The result could not be written, or the move is of another game.
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
}

/// A game without its types.
pub trait AnyGame: Send + Sync {
    /// The fixed facts.
    fn info(&self) -> &GameInfo;
    /// Reads options (`null` means all defaults) and answers them complete with defaults.
    ///
    /// # Errors
    /// The first fault, with its place, or the rule that the options break.
    fn options(&self, options: &Value, seats: SeatCount) -> Result<Box<RawValue>, OptionsError>;
    /// A new state with its chance steps carried out, and the events of the set-up. Options come from
    /// [`AnyGame::options`].
    ///
    /// # Errors
    /// Options that were not checked.
    fn setup(&self, options: &RawValue, seats: SeatCount, dice: &mut Dice) -> Result<SetUp, Corrupt>;
    /// Reads a stored state, of this version or an older one.
    ///
    /// # Errors
    /// Anything that is not a state of this game, or of a version that nothing brings up.
    fn load(&self, state_version: u16, state: &RawValue) -> Result<Box<dyn AnyState>, Corrupt>;
    /// States that `viewer` could be looking at, one for each of the dice, given JSON that may be a view, with or without
    /// the tag that names the game; what the viewer does not know is drawn. `None` where no state shows it.
    fn imagine(&self, view: &Value, viewer: Viewer, dice: &mut [Dice]) -> Option<Vec<Box<dyn AnyState>>>;
    /// Reads a move, without a state.
    ///
    /// # Errors
    /// Anything that is not a move, with the rule that says so.
    fn read_move(&self, input: &MoveInput) -> Result<AnyMove, MalformedMove>;
    /// Reads a move in notation, to be compared with others: two of the same move are written alike.
    ///
    /// # Errors
    /// Anything that is not a move, with the rule that says so.
    fn read_notation(&self, text: &str) -> Result<ReadNotation, MalformedMove>;
    /// Returns whether a move of this JSON is the one that this notation is read as.
    fn is_noted_as(&self, mv: &RawValue, notation: &str) -> bool;
    /// Returns what `viewer` may know of a stored event.
    ///
    /// # Errors
    /// Anything that is not an event of this game.
    fn redact(&self, event: &RawValue, viewer: Viewer) -> Result<Option<Box<RawValue>>, Corrupt>;
    /// Returns what `viewer` may know of a stored move by `by`.
    ///
    /// # Errors
    /// Anything that is not a move of this game.
    fn redact_move(&self, mv: &RawValue, by: Seat, viewer: Viewer) -> Result<Option<MoveJson>, Corrupt>;
    /// Returns what a match with these stored options needs and is not here, in a sentence for operators.
    fn missing_components(&self, options: &RawValue) -> Option<String>;
    /// A move in words that can be read aloud. The options are those of the match.
    ///
    /// # Errors
    /// Anything that is not a move of this game.
    fn move_text(&self, mv: &RawValue, options: &RawValue) -> Result<String, Corrupt>;
    /// A move that was made, in words. `effect` is the event that followed it at once, as the viewer may know it.
    ///
    /// # Errors
    /// Anything that is not a move, or not an event, of this game.
    fn made_text(&self, mv: &RawValue, effect: Option<&RawValue>, options: &RawValue) -> Result<String, Corrupt>;
    /// An event in words that can be read aloud: as much of it as `event` says, which may be redacted.
    ///
    /// # Errors
    /// Anything that is not an event of this game.
    fn event_text(&self, event: &RawValue, options: &RawValue) -> Result<String, Corrupt>;
    /// Returns whether everybody may know all of every move.
    fn moves_are_open(&self) -> bool;
    /// The score of a seat in a match that was given up; `None` for none.
    fn given_up_score(&self) -> Option<i32>;
    /// The sets of options with which matches are ranked, by name, with their JSON: the defaults, and those that the game
    /// marks.
    fn ranked_options(&self) -> Vec<(&'static str, &'static str)>;
    /// The name of the ranked set that these options are, which come from [`AnyGame::options`].
    fn ranked(&self, options: &RawValue, seats: SeatCount) -> Option<&'static str> {
        let is = |set: &str| {
            let set = serde_json::from_str(set).ok().and_then(|set| self.options(&set, seats).ok());
            set.is_some_and(|set| set.get() == options.get())
        };
        self.ranked_options().into_iter().find(|(_, set)| is(set)).map(|(name, _)| name)
    }
    /// The board of new matches.
    fn board(&self) -> Board;
    /// The boards, one for each edition and side.
    fn boards(&self) -> Vec<Board>;
    /// Draws one of its boards without any pieces.
    ///
    /// # Errors
    /// A space to point out that the board has not.
    fn draw_empty(&self, board: &Board, ask: &Ask) -> Result<Svg, NotDrawn>;
    /// The board of a match with this number of seats and these options, which come from
    /// [`AnyGame::options`].
    ///
    /// # Errors
    /// Options that were not checked.
    fn board_for(&self, options: &RawValue, seats: SeatCount) -> Result<Board, Corrupt>;
    /// The components in words, an entry for each edition.
    fn glossaries(&self) -> Vec<Glossary>;
    /// The complete rules.
    fn rulebook(&self) -> &Rulebook;
    /// The moves that need no turn.
    fn signals(&self) -> &'static [Signal];
    /// The parts of the move union.
    fn move_parts(&self) -> Vec<Part>;
    /// The parts of the event union.
    fn event_parts(&self) -> Vec<Part>;
    /// The view, tagged with the game's id.
    fn view_part(&self) -> Part;
    /// The options, tagged with the game's id, with the defaults of this game value.
    fn options_part(&self) -> Part;
}

/// A new match of a game.
pub struct SetUp {
    /// The state before the first decision.
    pub state: Box<dyn AnyState>,
    /// The game's events of the set-up.
    pub events: Vec<GameEvent>,
}

/// A decoded state of whichever game.
pub trait AnyState: Send + Sync {
    /// Returns how many seats the match has.
    fn seat_count(&self) -> SeatCount;
    /// Returns whether a match with these options can have this state, as far as the state keeps them.
    ///
    /// # Errors
    /// Options that are not of the game.
    fn has_options(&self, options: &RawValue) -> Result<bool, Corrupt>;
    /// Returns what happens next.
    fn status(&self) -> Status;
    /// Checks and makes a move, chance included. Unchanged on a refusal.
    ///
    /// # Errors
    /// The refusal, or that what came of the move has no JSON form.
    fn play(&mut self, seat: Seat, mv: AnyMove, dice: &mut Dice) -> Result<PlayedJson, PlayError>;
    /// Checks and makes a move up to the first chance step. Unchanged on a refusal.
    ///
    /// # Errors
    /// The refusal, or that what came of the move has no JSON form.
    fn rehearse(&mut self, seat: Seat, mv: AnyMove) -> Result<PlayedJson, PlayError>;
    /// Returns whether the rules let `seat`, which is to act if the move needs a turn, make it; of another game's they do
    /// not.
    fn accepts(&self, seat: Seat, mv: &AnyMove) -> bool;
    /// Returns whether a move, which is legal, shows anybody by itself what was hidden from them; of another game's
    /// nobody knows.
    fn reveals(&self, seat: Seat, mv: &AnyMove) -> bool;
    /// The legal moves of `seat`, to be written.
    fn list(&self, seat: Seat) -> Box<dyn AnyList + '_>;
    /// The view and the legal moves of `seat`, for a bot.
    fn observe(&self, seat: Seat) -> SeatObservation;
    /// Move `index` of the legal moves of `seat`.
    ///
    /// # Errors
    /// The number of legal moves, if there is no move of this index.
    fn listed_move(&self, seat: Seat, index: usize) -> Result<AnyMove, usize>;
    /// Appends to `into` what `viewer` may know, tagged with the game's id.
    ///
    /// # Errors
    /// A view that has no JSON form; something may then have been written.
    fn write_view(&self, viewer: Viewer, into: &mut Vec<u8>) -> Result<(), Corrupt>;
    /// Writes the view of a match that is over though its game is not: everything, and nothing that is due.
    ///
    /// # Errors
    /// A view that has no JSON form; something may then have been written.
    fn write_ended_view(&self, into: &mut Vec<u8>) -> Result<(), Corrupt>;
    /// The prompt for a seat that is to act.
    fn prompt(&self, seat: Seat) -> Prompt;
    /// Returns what [`AnyState::list`] writes, as a value of its own.
    ///
    /// # Errors
    /// A list that has no JSON form.
    fn legal_moves(&self, seat: Seat, form: ListForm) -> Result<LegalJson, Corrupt>;
    /// Returns what [`AnyState::write_view`] writes, as a value of its own.
    ///
    /// # Errors
    /// A view that has no JSON form.
    fn view(&self, viewer: Viewer) -> Result<Box<RawValue>, Corrupt>;
    /// Draws what the one who looks may know. The marks of legal and last moves in `ask` are filled in here.
    ///
    /// # Errors
    /// A space to point out that the board has not, or a last move that is none of this game.
    fn draw(&self, sitting: &Sitting<'_>, ask: Ask) -> Result<Svg, NotDrawn>;
    /// The position as lines of text, as the viewer may know it, where the game has such a drawing.
    fn draw_plain(&self, viewer: Viewer) -> Option<String>;
    /// The move that is made for a seat whose player is away.
    fn absent_move(&self, seat: Seat, dice: &mut Dice) -> Option<AnyMove>;
    /// The state as stored, in the present `state_version`.
    ///
    /// # Errors
    /// A state that has no JSON form.
    fn store(&self) -> Result<Box<RawValue>, Corrupt>;
    /// Appends the same to `into`.
    ///
    /// # Errors
    /// A state that has no JSON form.
    fn write_stored(&self, into: &mut Vec<u8>) -> Result<(), Corrupt>;
    /// A copy, to rehearse on.
    fn duplicate(&self) -> Box<dyn AnyState>;
}
