//! The traits of a game.
//!
//! Invariant: a game is a value, and every function is pure: the same value and arguments give the same answer on every
//! platform and release that has the same `rules_version`.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::audience::Audience;
use super::board::Board;
use super::dice::Dice;
use super::glossary::Glossary;
use super::legal::Legal;
use super::outcome::Outcome;
use super::prompt::Prompt;
use super::refusal::Refusal;
use super::seat::{Seat, SeatCount, Seats, Viewer};
use super::union::WireUnion;
use super::wire::{MalformedOptions, Wire};

/// The relation of the seats: alone, together or against each other. More may come: ignore one that you do not know.
///
/// - `solo`: One seat against the game.
/// - `cooperative`: All win or all lose.
/// - `competitive`: Seats play against each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Mode {
    Solo,
    Cooperative,
    Competitive,
}

/// The part of chance in the game. More may come: ignore one that you do not know.
///
/// - `none`: Nowhere.
/// - `set_up`: Only before the first decision.
/// - `during_play`: During play too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Chance {
    None,
    SetUp,
    DuringPlay,
}

/// The fixed facts of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// Stable id, such as `contiguity`.
    pub id: &'static str,
    /// Title for people.
    pub title: &'static str,
    /// The designer.
    pub designer: &'static str,
    /// The fewest seats.
    pub min_seats: u8,
    /// The most seats.
    pub max_seats: u8,
    /// The relation of the seats: alone, together or against each other.
    pub mode: Mode,
    /// True if anything is hidden from any viewer: a hand, or a pile's order even from everyone.
    pub hidden_information: bool,
    /// The part of chance in the game.
    pub chance: Chance,
    /// True if seats may agree on a draw.
    pub draws: bool,
    /// Version of the rules as coded; pinned in each match. It goes up when the same moves and seed would no longer
    /// give the same match. Of a game's [`Catalogue::INFO`] it is the newest: see [`Catalogue::rules_version`].
    pub rules_version: u32,
    /// Version of the stored form of the state; see [`Rules::upgrade`].
    pub state_version: u16,
    /// The notation of moves, in a few lines.
    pub notation: &'static str,
    /// The rules in short, in Markdown.
    pub summary: &'static str,
    /// The complete rules in our own words, in Markdown, as [`Rulebook`](super::Rulebook) reads them.
    pub rules: &'static str,
    /// The endings that this game's outcomes name.
    pub endings: &'static [&'static str],
    /// The types of those moves of which [`Secrets::reveals`] says, at least now and then, that they reveal something.
    pub undo_barriers: &'static [&'static str],
}

impl GameInfo {
    /// Returns whether everybody knows all of every state and the effects of each move: nothing is hidden, and
    /// nothing is left to chance once the first decision is open. In such a game lines of play can be tried out, and
    /// planned, without revealing anything.
    pub const fn open_information(&self) -> bool {
        !self.hidden_information && matches!(self.chance, Chance::None | Chance::SetUp)
    }
}

/// A kind of move that needs no turn, as the catalogue describes it: its meaning, its values and its limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Signal {
    /// The move's `type`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Its meaning for the other players.
    pub meaning: &'static str,
    /// An example in the game's notation.
    pub notation: &'static str,
    /// The values that it may have, one entry a property of the move.
    pub values: &'static [SignalValues],
    /// The most that each seat may send within `limit_scope`.
    #[schema(minimum = 1)]
    pub limit: u8,
    /// The scope of the limit.
    pub limit_scope: &'static str,
}

/// The values of one property of a signal: words to choose from, or integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct SignalValues {
    /// The property of the move.
    pub field: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
    /// The words to choose from; empty where it holds integers.
    pub words: &'static [&'static str],
    /// The smallest integer; null where it holds words.
    #[schema(required, maximum = 99)]
    pub minimum: Option<u8>,
    /// The greatest integer; null where it holds words.
    #[schema(required, maximum = 99)]
    pub maximum: Option<u8>,
    /// The least number of values. Where `most` is more than one, the property is a list of different values.
    #[schema(maximum = 99)]
    pub fewest: u8,
    /// The greatest number of values.
    #[schema(minimum = 1, maximum = 99)]
    pub most: u8,
}

/// The next thing to happen in a state.
#[derive(Clone, PartialEq, Debug)]
pub enum Status {
    /// These seats have a decision each. Never empty.
    ToAct(Seats),
    /// A chance step is due: [`Rules::resolve`]. Never seen outside the rules layer but in a dry run.
    Chance,
    /// The match is over.
    Over(Outcome),
}

/// A seat's legal moves.
#[derive(Clone, PartialEq, Debug)]
pub struct LegalMoves<M> {
    /// Without duplicates, in a fixed order.
    pub moves: Vec<M>,
    /// False where a documented bound has cut the list; [`Rules::check`] then accepts more than is listed.
    pub complete: bool,
}

/// A game. The value itself holds what an instance plays the game with, such as replaceable components; most games hold
/// nothing. Implement the five traits; this one follows.
///
/// The laws that bind the functions together are in `rules::conformance`, which every game's tests run.
pub trait Game: Rules + Secrets + Notation + Words + Catalogue {}

impl<G: Rules + Secrets + Notation + Words + Catalogue> Game for G {}

/// The rules: set-up, turns, legal moves, and the results of moves and chance.
pub trait Rules: Send + Sync + Sized + 'static {
    /// The options that the creator of a match may choose, complete with defaults.
    type Options: Serialize + ToSchema + PartialEq + Clone + Debug + Send + Sync + 'static;
    /// A move, tagged by `type`.
    type Move: WireUnion + PartialEq;
    /// Something that happened, tagged by `type`, with all that is secret in it.
    type Event: WireUnion + PartialEq;
    /// Everything. Never leaves the server.
    type State: Serialize + Clone + PartialEq + Debug + Send + Sync + 'static;

    /// Reads options; null or a property left out is the default of this game value. Unknown properties are refused.
    /// The result is read back from its own JSON as the same value.
    ///
    /// # Errors
    /// The first fault, with its place.
    fn options(&self, json: &serde_json::Value) -> Result<Self::Options, MalformedOptions>;

    /// Refuses options that do not fit each other or the number of seats.
    ///
    /// # Errors
    /// The rule that they break.
    fn check_options(&self, options: &Self::Options, seats: SeatCount) -> Result<(), Refusal>;

    /// The state before the first decision, and what happened up to there. Options were checked. The result may
    /// still have chance steps due.
    fn setup(&self, options: &Self::Options, seats: SeatCount, dice: &mut Dice) -> (Self::State, Vec<Self::Event>);

    /// Reads a state of the present `state_version` from its JSON.
    ///
    /// # Errors
    /// A state that cannot be read, or that does not fit this game value: it may name components that are not here.
    fn load(&self, state: &RawValue) -> Result<Self::State, serde_json::Error>;

    /// Returns whether a match with these options can have this state, as far as the state keeps them: a fork begins with
    /// a state and names options beside it.
    fn has_options(&self, state: &Self::State, options: &Self::Options) -> bool;

    /// Returns how many seats the match has.
    fn seat_count(&self, state: &Self::State) -> SeatCount;

    /// Returns what happens next.
    fn status(&self, state: &Self::State) -> Status;

    /// Replaces the content of `moves` by the moves of `seat`'s open decision: none unless the seat is to act, at least
    /// one if it is. Moves that need no turn are not listed. Returns false where a documented bound has cut the list.
    /// Searches list millions in the same room.
    fn legal_moves_into(&self, state: &Self::State, seat: Seat, moves: &mut Vec<Self::Move>) -> bool;

    /// The moves that [`Rules::legal_moves_into`] lists.
    fn legal_moves(&self, state: &Self::State, seat: Seat) -> LegalMoves<Self::Move> {
        let mut moves = Vec::new();
        let complete = self.legal_moves_into(state, seat, &mut moves);
        LegalMoves { moves, complete }
    }

    /// Returns a legal move of `seat` as its list has it, where that is more than the move itself (its cost, its target);
    /// otherwise `None`. A move that is read may have these further properties too; they are ignored.
    fn listed(&self, _state: &Self::State, _seat: Seat, _mv: &Self::Move) -> Option<impl Serialize> {
        None::<()>
    }

    /// Returns whether `seat` may make `mv` now. Agrees with [`Rules::legal_moves`]; a refusal names the rule and says
    /// nothing that the seat's view does not show. For a move that needs a turn the seat is known to be to act.
    ///
    /// # Errors
    /// The refusal.
    fn check(&self, state: &Self::State, seat: Seat, mv: &Self::Move) -> Result<(), Refusal>;

    /// Makes the move, up to the first chance step, and tells its events; a search does not listen. Reads nothing that
    /// the mover cannot know, not even at the match's end: a reveal takes a chance step.
    fn apply(&self, state: &mut Self::State, mv: &Legal<Self::Move>, events: &mut impl Audience<Self::Event>);

    /// Carries out one chance step, and tells its events; [`Status::Chance`] holds before. It covers draws, reveals and
    /// their effects up to the next decision or chance step. Games without chance after set-up never reach it.
    fn resolve(&self, state: &mut Self::State, dice: &mut Dice, events: &mut impl Audience<Self::Event>);

    /// Returns whether the move belongs to a turn. Moves that need none (signals) close no decision.
    fn needs_turn(&self, _mv: &Self::Move) -> bool {
        true
    }

    /// The move that is made for a seat to act whose player is away, in a match that goes on: one of those listed, each
    /// equally likely, so that it tells the others nothing of what else could have been done. `dice` are the match's own.
    /// A game whose rules name a move for this, such as a pass, answers that; it is chosen from what the seat can see.
    fn absent_move(&self, state: &Self::State, seat: Seat, dice: &mut Dice) -> Option<Self::Move> {
        dice.one_of(self.legal_moves(state, seat).moves)
    }

    /// Brings a stored state of an older `state_version` up by one version; `None` if there is no such version.
    fn upgrade(&self, _from: u16, _state: serde_json::Value) -> Option<serde_json::Value> {
        None
    }
}

/// The knowledge of each viewer: views, redacted events and moves, and states imagined from a view.
pub trait Secrets: Rules {
    /// The part of a state that one viewer may know.
    type View: Wire + PartialEq;

    /// Returns the part of `state` that `viewer` may know; all of it once the match is over. No default: secrecy is
    /// written by hand.
    fn view(&self, state: &Self::State, viewer: Viewer) -> Self::View;

    /// Returns the part of an event that `viewer` may know; `None` leaves the event out.
    fn redact(&self, event: &Self::Event, viewer: Viewer) -> Option<Self::Event>;

    /// Returns whether everybody may know all of an event, so that it need not be redacted, nor be written for each
    /// viewer. A game may always say no; if it says yes, [`Secrets::redact`] leaves the event as it is for every viewer.
    fn is_open(&self, _event: &Self::Event) -> bool {
        false
    }

    /// Returns the part that `viewer` may know of a move that `by` made: by default the whole where
    /// [`Secrets::moves_are_open`], otherwise nothing.
    fn redact_move(&self, mv: &Self::Move, _by: Seat, _viewer: Viewer) -> Option<Self::Move> {
        self.moves_are_open().then(|| mv.clone())
    }

    /// Returns whether everybody may know all of every move, so that none need be redacted. A game may always say no; if
    /// it says yes, [`Secrets::redact_move`] leaves moves as they are.
    fn moves_are_open(&self) -> bool {
        false
    }

    /// The omniscient `view` of a match that is over though the game is not, because it was given up or called off:
    /// nothing in it says any more that something is due. That of a game that is over is left as it is.
    fn ended(&self, view: Self::View) -> Self::View {
        view
    }

    /// Returns a full state that fits the view of `viewer`; hidden parts are drawn.
    fn imagine(&self, view: &Self::View, viewer: Viewer, dice: &mut Dice) -> Self::State;

    /// Returns whether a view that a client made up can be handed to [`Secrets::imagine`]: its lists are not longer and
    /// its numbers not greater than those of any real one, as far as imagining, and playing on from there, rely on it.
    /// Every real view passes; what else passes is judged by the state that is imagined of it
    /// ([`imagined`](super::imagined())).
    fn is_plausible(&self, _view: &Self::View) -> bool {
        true
    }

    /// Returns whether the legal move `mv` of `seat` shows anybody, by itself, something that was hidden from them: a
    /// card out of a hand, a look at a pile, a word about what one holds (a signal, which cannot be unsaid), or what one
    /// holds by its being legal at all. Made from what everybody can see, or it would tell a secret itself. What chance
    /// shows afterwards does not count, for the match knows of each chance step. No default: what was
    /// revealed can never be taken back.
    fn reveals(&self, state: &Self::State, seat: Seat, mv: &Self::Move) -> bool;
}

/// Moves as text and as JSON.
pub trait Notation: Rules {
    /// The move as text, in the game's notation.
    fn notation(&self, mv: &Self::Move) -> String;

    /// Reads a move from its notation. Input is forgiving (case, order of sets); output is not.
    ///
    /// # Errors
    /// Anything that is not a move, by the rule on notation that it breaks.
    fn parse(&self, text: &str) -> Result<Self::Move, Refusal>;

    /// The move as JSON, where the game has it ready: exactly what `Serialize` writes. For games with long lists.
    fn written(&self, _mv: &Self::Move) -> Option<&'static RawValue> {
        None
    }

    /// The rule that a JSON object breaks which is no move, for the problem to name: the ruling on what a move of its
    /// `type` may hold, if there is one. Reads nothing but the JSON.
    fn malformed_rule(&self, _json: &serde_json::Value) -> Option<&'static str> {
        None
    }
}

/// Decisions, moves and events in words for people.
pub trait Words: Notation {
    /// The prompt for `seat`, which is to act. Its word is an entry of the kind `decision` of the glossary.
    fn prompt(&self, _state: &Self::State, _seat: Seat) -> Prompt {
        Prompt::of(Prompt::MOVE, "Make a move.")
    }

    /// The move in words that can be read aloud, as an order to make it. Made from the move alone; the options name the
    /// components.
    fn move_text(&self, mv: &Self::Move, _options: &Self::Options) -> String {
        format!("{}.", self.notation(mv))
    }

    /// A move of a list of legal moves in words, where the state says more than the move: the words of an alternative
    /// that the move names by its number.
    fn listed_text(&self, _state: &Self::State, _seat: Seat, mv: &Self::Move, options: &Self::Options) -> String {
        self.move_text(mv, options)
    }

    /// A move that was made in words, with the event of its step that comes first: it may say what the move names by its
    /// number.
    fn made_text(&self, mv: &Self::Move, _effect: Option<&Self::Event>, options: &Self::Options) -> String {
        self.move_text(mv, options)
    }

    /// Returns the event in words that can be read aloud. They are made from the redacted event alone, so that a listener
    /// learns no more than a reader.
    fn event_text(&self, event: &Self::Event, _options: &Self::Options) -> String {
        let json = serde_json::to_value(event).unwrap_or_default();
        format!("{}.", json["type"].as_str().unwrap_or_default().replace('_', " "))
    }
}

/// The fixed facts of a game and the components it is played with.
pub trait Catalogue: Send + Sync + Sized + 'static {
    /// The fixed facts.
    const INFO: GameInfo;

    /// The version of the rules that this value plays by.
    fn rules_version(&self) -> u32 {
        Self::INFO.rules_version
    }

    /// This game by each of the earlier versions of its rules that matches may still be played by. They share everything
    /// with it but what a version has changed; states, moves, events and views are of the same types. Only the newest is
    /// offered for new matches, and it alone is what bots know.
    fn earlier(&self) -> Vec<Self> {
        Vec::new()
    }

    /// The score of a seat in a match that was given up, in games that score every result.
    fn given_up_score(&self) -> Option<i32> {
        None
    }

    /// The sets of options beside the defaults with which matches are rated and stand on boards of results: of each its name
    /// (lower-case letters, digits and hyphens, at most 16) and its options as JSON.
    fn ranked_options(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The moves that need no turn, in the words of the catalogue.
    fn signals(&self) -> &'static [Signal] {
        &[]
    }

    /// The board of new matches, on the side that the fewest players have. What moves, events, views and decisions name
    /// are ids of its places and of the glossary: a law of `rules::conformance`.
    fn board(&self) -> Board;

    /// A board for each edition that matches may have, and in it for each side; that of new matches among them. One of no
    /// edition for games whose components cannot be replaced.
    fn boards(&self) -> Vec<Board> {
        vec![self.board()]
    }

    /// The components in words, one for each edition that matches may have; none for games that name nothing but
    /// places.
    fn glossaries(&self) -> Vec<Glossary> {
        Vec::new()
    }

    /// Returns what a match with these options, as they are stored, is played with and this game value has not, in a
    /// sentence for operators; for games whose components can be replaced. Called where a state cannot be read or made.
    fn missing_components(&self, _options: &serde_json::Value) -> Option<String> {
        None
    }
}
