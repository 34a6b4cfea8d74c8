//! From a typed [`Game`] to `dyn AnyGame`: the only place where types are erased.
//!
//! Invariants: JSON goes in and comes out as [`RawValue`], written once; a state is decoded once a request and all
//! questions are put to the decoded one. A stored value that does not decode is [`Corrupt`], never a panic.

use std::any::Any;
use std::error::Error;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::rules::{
    Board, Dice, Game, GameInfo, Glossary, MalformedOptions, Part, Refusal, Rulebook, Seat, SeatCount, Signal, Status,
    Viewer, WireUnion, play, rehearse, settle,
};

/// A stored value that this release cannot read.
#[derive(Debug, thiserror::Error)]
#[error("stored {what} of {game} cannot be read")]
pub struct Corrupt {
    what: &'static str,
    game: &'static str,
    #[source]
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl Corrupt {
    /// A value of `game` that could not be written.
    pub fn unwritable(game: &'static str, source: serde_json::Error) -> Corrupt {
        Corrupt { what: "value that was to be", game, source: Some(source.into()) }
    }
}

/// Why options were not accepted.
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
    /// The rule that the notation or the JSON breaks, where one does.
    pub refusal: Option<Refusal>,
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
    /// Whether the move belongs to a turn.
    pub needs_turn: bool,
    inner: Box<dyn Any + Send + Sync>,
}

/// A move as it is stored and shown.
#[derive(Clone, Debug)]
pub struct MoveJson {
    /// The move, tagged by `type`.
    pub json: Box<RawValue>,
    /// The same in notation.
    pub notation: String,
}

/// What a move brought about. Unredacted.
#[derive(Debug)]
pub struct PlayedJson {
    /// The move as made.
    pub mv: MoveJson,
    /// The game's events in order, each tagged by `type`.
    pub events: Vec<Box<RawValue>>,
    /// Whether a chance step is due: only after a rehearsal.
    pub chance_pending: bool,
}

/// How legal moves are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListForm {
    /// As JSON objects.
    Full,
    /// As notation.
    Notation,
}

/// A seat's legal moves.
#[derive(Debug)]
pub struct LegalJson {
    /// A JSON array of moves or of notations.
    pub moves: Box<RawValue>,
    /// How many are listed.
    pub count: usize,
    /// Whether nothing was left out.
    pub complete: bool,
}

/// Why a move was not made.
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
    fn info(&self) -> &'static GameInfo;
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
    /// What is no state of this game, or of a version that nothing brings up.
    fn load(&self, state_version: u16, state: &RawValue) -> Result<Box<dyn AnyState>, Corrupt>;
    /// Reads a move, whatever the state.
    ///
    /// # Errors
    /// What is no move, with the rule that says so.
    fn read_move(&self, input: &MoveInput) -> Result<AnyMove, MalformedMove>;
    /// What `viewer` may know of a stored event.
    ///
    /// # Errors
    /// What is no event of this game.
    fn redact(&self, event: &RawValue, viewer: Viewer) -> Result<Option<Box<RawValue>>, Corrupt>;
    /// A stored or exported event of any age, as it would be written today.
    fn upgrade_event(&self, event: Value) -> Value;
    /// Names that figures of results once had, each with that of today.
    fn old_figures(&self) -> &'static [(&'static str, &'static str)];
    /// What `viewer` may know of a stored move by `by`.
    ///
    /// # Errors
    /// What is no move of this game.
    fn redact_move(&self, mv: &RawValue, by: Seat, viewer: Viewer) -> Result<Option<MoveJson>, Corrupt>;
    /// The board of new matches.
    fn board(&self) -> Board;
    /// The boards, one for each edition.
    fn boards(&self) -> Vec<Board>;
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
    pub events: Vec<Box<RawValue>>,
}

/// A decoded state of whichever game.
pub trait AnyState: Send + Sync {
    /// What happens next.
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
    /// The legal moves of `seat`.
    ///
    /// # Errors
    /// A list that has no JSON form.
    fn legal_moves(&self, seat: Seat, form: ListForm) -> Result<LegalJson, Corrupt>;
    /// The move that is made for a seat whose player has left.
    fn absent_move(&self, seat: Seat) -> Option<AnyMove>;
    /// What `viewer` may know, tagged with the game's id.
    ///
    /// # Errors
    /// A view that has no JSON form.
    fn view(&self, viewer: Viewer) -> Result<Box<RawValue>, Corrupt>;
    /// The state as stored, in the present `state_version`.
    ///
    /// # Errors
    /// A state that has no JSON form.
    fn store(&self) -> Result<Box<RawValue>, Corrupt>;
    /// A copy, to rehearse on.
    fn duplicate(&self) -> Box<dyn AnyState>;
}

/// The erased form of a game of type `G`.
pub struct Erased<G> {
    game: Arc<G>,
    rulebook: Rulebook,
}

impl<G: Game> Erased<G> {
    /// The erased form of `game`.
    pub fn new(game: G) -> Erased<G> {
        Erased::of(Arc::new(game))
    }

    /// The erased form of a shared game.
    pub fn of(game: Arc<G>) -> Erased<G> {
        Erased { game, rulebook: Rulebook::read(G::INFO.rules) }
    }

    fn read_event(&self, event: &RawValue) -> Result<G::Event, Corrupt> {
        if let Ok(event) = serde_json::from_str(event.get()) {
            return Ok(event);
        }
        let old: Value = serde_json::from_str(event.get()).map_err(corrupt::<G, _>("event"))?;
        serde_json::from_value(self.game.upgrade_event(old)).map_err(corrupt::<G, _>("event"))
    }

    fn loaded(&self, state: G::State) -> Box<dyn AnyState> {
        Box::new(Loaded { game: Arc::clone(&self.game), state })
    }
}

/// A state and a share of the game that it is of.
struct Loaded<G: Game> {
    game: Arc<G>,
    state: G::State,
}

#[derive(Serialize)]
struct TaggedView<'a, V> {
    game: &'static str,
    #[serde(flatten)]
    view: &'a V,
}

fn corrupt<G: Game, E: Into<Box<dyn Error + Send + Sync>>>(what: &'static str) -> impl FnOnce(E) -> Corrupt {
    move |source| Corrupt { what, game: G::INFO.id, source: Some(source.into()) }
}

fn write<G: Game>(what: &'static str, value: &impl Serialize) -> Result<Box<RawValue>, Corrupt> {
    to_raw_value(value).map_err(corrupt::<G, _>(what))
}

fn write_all<G: Game>(events: &[G::Event]) -> Result<Vec<Box<RawValue>>, Corrupt> {
    events.iter().map(|event| write::<G>("event", event)).collect()
}

fn write_move<G: Game>(game: &G, mv: &G::Move) -> Result<MoveJson, Corrupt> {
    let json = match game.written(mv) {
        Some(ready) => ready.to_owned(),
        None => write::<G>("move", mv)?,
    };
    Ok(MoveJson { json, notation: game.notation(mv) })
}

/// A move in a list.
struct Listed<'a, G: Game> {
    game: &'a G,
    mv: &'a G::Move,
}

impl<G: Game> Serialize for Listed<'_, G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.game.written(self.mv) {
            Some(ready) => ready.serialize(serializer),
            None => self.mv.serialize(serializer),
        }
    }
}

fn tagged_part<T: ToSchema, G: Game>() -> Part {
    Part::of::<T>(G::INFO.id)
}

impl<G: Game> AnyGame for Erased<G> {
    fn info(&self) -> &'static GameInfo {
        &G::INFO
    }

    fn options(&self, options: &Value, seats: SeatCount) -> Result<Box<RawValue>, OptionsError> {
        let typed = self.game.options(options)?;
        self.game.check_options(&typed, seats).map_err(OptionsError::Refused)?;
        to_raw_value(&typed).map_err(|error| OptionsError::Malformed(MalformedOptions::at(".", error)))
    }

    fn setup(&self, options: &RawValue, seats: SeatCount, dice: &mut Dice) -> Result<SetUp, Corrupt> {
        let options: Value = serde_json::from_str(options.get()).map_err(corrupt::<G, _>("options"))?;
        let options = self.game.options(&options).map_err(corrupt::<G, _>("options"))?;
        let (mut state, mut events) = self.game.setup(&options, seats, dice);
        settle(&*self.game, &mut state, dice, &mut events);
        Ok(SetUp { state: self.loaded(state), events: write_all::<G>(&events)? })
    }

    fn load(&self, state_version: u16, state: &RawValue) -> Result<Box<dyn AnyState>, Corrupt> {
        if state_version == G::INFO.state_version {
            return Ok(self.loaded(self.game.load(state).map_err(corrupt::<G, _>("state"))?));
        }
        let mut value: Value = serde_json::from_str(state.get()).map_err(corrupt::<G, _>("state"))?;
        for version in state_version..G::INFO.state_version {
            value = self.game.upgrade(version, value).ok_or(Corrupt {
                what: "state of an older version",
                game: G::INFO.id,
                source: None,
            })?;
        }
        if state_version > G::INFO.state_version {
            return Err(Corrupt { what: "state of a newer version", game: G::INFO.id, source: None });
        }
        let state = to_raw_value(&value).map_err(corrupt::<G, _>("state"))?;
        Ok(self.loaded(self.game.load(&state).map_err(corrupt::<G, _>("state"))?))
    }

    fn read_move(&self, input: &MoveInput) -> Result<AnyMove, MalformedMove> {
        let mv: G::Move = match input {
            MoveInput::Json(json) if !json.is_object() => {
                return Err(MalformedMove { detail: "a move is an object".to_owned(), refusal: None });
            }
            MoveInput::Json(json) => G::Move::deserialize(json).map_err(|error| {
                let detail = error.to_string();
                let refusal = self
                    .game
                    .malformed_rule(json)
                    .map(|rule| Refusal::new("not_of_the_schema", rule, None, detail.clone()));
                MalformedMove { detail, refusal }
            })?,
            MoveInput::Notation(text) => self.game.parse(text).map_err(|refusal| MalformedMove {
                detail: refusal.detail.clone().into_owned(),
                refusal: Some(refusal),
            })?,
        };
        Ok(AnyMove { needs_turn: self.game.needs_turn(&mv), inner: Box::new(mv) })
    }

    fn redact(&self, event: &RawValue, viewer: Viewer) -> Result<Option<Box<RawValue>>, Corrupt> {
        if !G::INFO.hidden_information {
            return Ok(Some(event.to_owned()));
        }
        let event = self.read_event(event)?;
        self.game.redact(&event, viewer).map(|event| write::<G>("event", &event)).transpose()
    }

    fn upgrade_event(&self, event: Value) -> Value {
        self.game.upgrade_event(event)
    }

    fn old_figures(&self) -> &'static [(&'static str, &'static str)] {
        self.game.old_figures()
    }

    fn redact_move(&self, mv: &RawValue, by: Seat, viewer: Viewer) -> Result<Option<MoveJson>, Corrupt> {
        let mv: G::Move = serde_json::from_str(mv.get()).map_err(corrupt::<G, _>("move"))?;
        self.game.redact_move(&mv, by, viewer).map(|mv| write_move(&*self.game, &mv)).transpose()
    }

    fn board(&self) -> Board {
        self.game.board()
    }

    fn boards(&self) -> Vec<Board> {
        self.game.boards()
    }

    fn glossaries(&self) -> Vec<Glossary> {
        self.game.glossaries()
    }

    fn rulebook(&self) -> &Rulebook {
        &self.rulebook
    }

    fn signals(&self) -> &'static [Signal] {
        self.game.signals()
    }

    fn move_parts(&self) -> Vec<Part> {
        G::Move::parts()
    }

    fn event_parts(&self) -> Vec<Part> {
        G::Event::parts()
    }

    fn view_part(&self) -> Part {
        tagged_part::<G::View, G>()
    }

    fn options_part(&self) -> Part {
        let mut part = tagged_part::<G::Options, G>();
        if let (RefOr::T(Schema::Object(options)), Ok(defaults)) = (&mut part.schema, self.game.options(&Value::Null)) {
            let defaults = serde_json::to_value(&defaults).unwrap_or_default();
            for (name, property) in &mut options.properties {
                let default = defaults.get(name).cloned();
                match property {
                    RefOr::Ref(named) => named.default = default,
                    RefOr::T(Schema::Object(plain)) => plain.default = default,
                    RefOr::T(_) => {}
                }
            }
        }
        part
    }
}

impl<G: Game> Loaded<G> {
    fn typed(mv: AnyMove) -> Result<G::Move, Corrupt> {
        match mv.inner.downcast::<G::Move>() {
            Ok(mv) => Ok(*mv),
            Err(_) => Err(Corrupt { what: "move of another game", game: G::INFO.id, source: None }),
        }
    }
}

impl<G: Game> AnyState for Loaded<G> {
    fn status(&self) -> Status {
        self.game.status(&self.state)
    }

    fn play(&mut self, seat: Seat, mv: AnyMove, dice: &mut Dice) -> Result<PlayedJson, PlayError> {
        let played = play(&*self.game, &mut self.state, seat, Self::typed(mv)?, dice)?;
        Ok(PlayedJson {
            mv: write_move(&*self.game, &played.mv)?,
            events: write_all::<G>(&played.events)?,
            chance_pending: false,
        })
    }

    fn rehearse(&mut self, seat: Seat, mv: AnyMove) -> Result<PlayedJson, PlayError> {
        let rehearsed = rehearse(&*self.game, &mut self.state, seat, Self::typed(mv)?)?;
        Ok(PlayedJson {
            mv: write_move(&*self.game, &rehearsed.mv)?,
            events: write_all::<G>(&rehearsed.events)?,
            chance_pending: rehearsed.chance_pending,
        })
    }

    fn legal_moves(&self, seat: Seat, form: ListForm) -> Result<LegalJson, Corrupt> {
        let legal = self.game.legal_moves(&self.state, seat);
        let moves = match form {
            ListForm::Full => write::<G>(
                "legal moves",
                &legal.moves.iter().map(|mv| Listed { game: &*self.game, mv }).collect::<Vec<_>>(),
            )?,
            ListForm::Notation => {
                let texts: Vec<String> = legal.moves.iter().map(|mv| self.game.notation(mv)).collect();
                write::<G>("legal moves", &texts)?
            }
        };
        Ok(LegalJson { moves, count: legal.moves.len(), complete: legal.complete })
    }

    fn absent_move(&self, seat: Seat) -> Option<AnyMove> {
        let mv = self.game.absent_move(&self.state, seat)?;
        Some(AnyMove { needs_turn: self.game.needs_turn(&mv), inner: Box::new(mv) })
    }

    fn view(&self, viewer: Viewer) -> Result<Box<RawValue>, Corrupt> {
        write::<G>("view", &TaggedView { game: G::INFO.id, view: &self.game.view(&self.state, viewer) })
    }

    fn store(&self) -> Result<Box<RawValue>, Corrupt> {
        write::<G>("state", &self.state)
    }

    fn duplicate(&self) -> Box<dyn AnyState> {
        Box::new(Loaded { game: Arc::clone(&self.game), state: self.state.clone() })
    }
}
