//! From a typed [`Game`] to `dyn AnyGame`: the only place where types are erased.
//!
//! Invariant: a state is decoded once a request and all questions are put to the decoded one. A stored value that does
//! not decode is [`Corrupt`], never a panic.

mod any;
mod event;
mod json;
mod list;
mod observation;
mod picture;

use std::sync::Arc;

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

pub use any::{
    AnyGame, AnyMove, AnyState, ListForm, MalformedMove, MoveInput, MoveJson, OptionsError, PlayError, PlayedJson,
};
pub(crate) use any::{AnyList, LegalJson, ReadNotation, SetUp};
pub use event::GameEvent;
pub use json::{Corrupt, unquoted};
pub use observation::SeatObservation;
pub use picture::{MoveMade, NotDrawn, Sitting};

use event::made;
use json::{append, append_tagged, corrupt, options_of, write, written};
use list::List;

use crate::pictures::{Ask, Picture, Svg};
use sarsen_rules::reading::read_without;
use sarsen_rules::{
    Board, Dice, Game, GameInfo, Glossary, MalformedOptions, Part, Prompt, Refusal, Rulebook, Seat, SeatCount, Signal,
    Status, Viewer, WireUnion, imagined, play, rehearse, settle,
};

/// The erased form of a game of type `G`.
pub struct Erased<G> {
    game: Arc<G>,
    /// With the version of the rules that this game value plays by.
    info: GameInfo,
    rulebook: Rulebook,
}

impl<G: Game> Erased<G> {
    /// The erased form of `game`.
    pub fn new(game: G) -> Erased<G> {
        Erased::of(Arc::new(game))
    }

    /// The erased form of a shared game.
    pub(crate) fn of(game: Arc<G>) -> Erased<G> {
        let info = GameInfo { rules_version: game.rules_version(), ..G::INFO };
        Erased { game, info, rulebook: Rulebook::read(G::INFO.rules) }
    }

    fn read_event(event: &RawValue) -> Result<G::Event, Corrupt> {
        serde_json::from_str(event.get()).map_err(corrupt::<G, _>("event"))
    }
}

impl<G: Picture> Erased<G> {
    fn read_options(&self, options: &RawValue) -> Result<G::Options, Corrupt> {
        options_of(&*self.game, options)
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

fn write_move<G: Game>(game: &G, mv: &G::Move) -> Result<MoveJson, Corrupt> {
    let json = match game.written(mv) {
        Some(ready) => ready.to_owned(),
        None => write::<G>("move", mv)?,
    };
    Ok(MoveJson { json, notation: game.notation(mv) })
}

/// A notation that is no move.
fn misspelt(refusal: Refusal) -> MalformedMove {
    MalformedMove { detail: refusal.detail.clone().into_owned(), field: None, refusal: Some(Box::new(refusal)) }
}

fn any_move<G: Game>(game: &G, mv: G::Move) -> AnyMove {
    AnyMove { needs_turn: game.needs_turn(&mv), inner: Box::new(mv) }
}

fn tagged_part<T: ToSchema, G: Game>() -> Part {
    Part::of::<T>(G::INFO.id)
}

impl<G: Picture> AnyGame for Erased<G> {
    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn options(&self, options: &Value, seats: SeatCount) -> Result<Box<RawValue>, OptionsError> {
        let typed = self.game.options(options)?;
        self.game.check_options(&typed, seats).map_err(OptionsError::Refused)?;
        to_raw_value(&typed).map_err(|error| OptionsError::Malformed(MalformedOptions::at(".", error)))
    }

    fn setup(&self, options: &RawValue, seats: SeatCount, dice: &mut Dice) -> Result<SetUp, Corrupt> {
        let options = self.read_options(options)?;
        let (mut state, mut events) = self.game.setup(&options, seats, dice);
        settle(&*self.game, &mut state, dice, &mut events);
        Ok(SetUp { state: self.loaded(state), events: made(&self.game, events) })
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

    fn imagine(&self, view: &Value, viewer: Viewer, dice: &mut [Dice]) -> Option<Vec<Box<dyn AnyState>>> {
        let view = view.as_object()?;
        if view.get("game").is_some_and(|game| game != G::INFO.id) {
            return None;
        }
        let view: G::View = read_without(view, "game").ok()?;
        let imagine = |dice| imagined(&*self.game, &view, viewer, dice).map(|state| self.loaded(state));
        dice.iter_mut().map(imagine).collect()
    }

    fn read_move(&self, input: &MoveInput) -> Result<AnyMove, MalformedMove> {
        let mv: G::Move = match input {
            MoveInput::Json(json) => G::Move::read(json).map_err(|fault| {
                let detail = fault.to_string();
                let rule = self.game.malformed_rule(json);
                let refusal = rule.map(|rule| Refusal::new("not_of_the_schema", rule, None, detail.clone()));
                let field = fault.property().map(str::to_owned);
                MalformedMove { detail, field, refusal: refusal.map(Box::new) }
            })?,
            MoveInput::Notation(text) => self.game.parse(text).map_err(misspelt)?,
        };
        Ok(any_move(&*self.game, mv))
    }

    fn read_notation(&self, text: &str) -> Result<ReadNotation, MalformedMove> {
        let mv = self.game.parse(text).map_err(misspelt)?;
        Ok(ReadNotation { notation: self.game.notation(&mv), needs_turn: self.game.needs_turn(&mv) })
    }

    fn is_noted_as(&self, mv: &RawValue, notation: &str) -> bool {
        let read = self.game.parse(notation).ok();
        read.is_some_and(|read| match self.game.written(&read) {
            Some(ready) => ready.get() == mv.get(),
            None => serde_json::to_string(&read).is_ok_and(|written| written == mv.get()),
        })
    }

    fn redact(&self, event: &RawValue, viewer: Viewer) -> Result<Option<Box<RawValue>>, Corrupt> {
        if !G::INFO.hidden_information {
            return Ok(Some(event.to_owned()));
        }
        let event = Self::read_event(event)?;
        self.game.redact(&event, viewer).map(|event| write::<G>("event", &event)).transpose()
    }

    fn redact_move(&self, mv: &RawValue, by: Seat, viewer: Viewer) -> Result<Option<MoveJson>, Corrupt> {
        let mv: G::Move = serde_json::from_str(mv.get()).map_err(corrupt::<G, _>("move"))?;
        self.game.redact_move(&mv, by, viewer).map(|mv| write_move(&*self.game, &mv)).transpose()
    }

    fn missing_components(&self, options: &RawValue) -> Option<String> {
        let options: Value = serde_json::from_str(options.get()).ok()?;
        self.game.missing_components(&options)
    }

    fn move_text(&self, mv: &RawValue, options: &RawValue) -> Result<String, Corrupt> {
        let mv: G::Move = serde_json::from_str(mv.get()).map_err(corrupt::<G, _>("move"))?;
        Ok(self.game.move_text(&mv, &self.read_options(options)?))
    }

    fn made_text(&self, mv: &RawValue, effect: Option<&RawValue>, options: &RawValue) -> Result<String, Corrupt> {
        let mv: G::Move = serde_json::from_str(mv.get()).map_err(corrupt::<G, _>("move"))?;
        let effect = effect.map(Self::read_event).transpose()?;
        Ok(self.game.made_text(&mv, effect.as_ref(), &self.read_options(options)?))
    }

    fn event_text(&self, event: &RawValue, options: &RawValue) -> Result<String, Corrupt> {
        Ok(self.game.event_text(&Self::read_event(event)?, &self.read_options(options)?))
    }

    fn moves_are_open(&self) -> bool {
        !G::INFO.hidden_information || self.game.moves_are_open()
    }

    fn given_up_score(&self) -> Option<i32> {
        self.game.given_up_score()
    }

    fn ranked_options(&self) -> Vec<(&'static str, &'static str)> {
        [("default", "null")].into_iter().chain(self.game.ranked_options().iter().copied()).collect()
    }

    fn board(&self) -> Board {
        self.game.board()
    }

    fn boards(&self) -> Vec<Board> {
        self.game.boards()
    }

    fn draw_empty(&self, board: &Board, ask: &Ask) -> Result<Svg, NotDrawn> {
        picture::draw_empty(&*self.game, board, ask)
    }

    fn board_for(&self, options: &RawValue, seats: SeatCount) -> Result<Board, Corrupt> {
        let options: Value = serde_json::from_str(options.get()).map_err(corrupt::<G, _>("options"))?;
        let options = self.game.options(&options).map_err(corrupt::<G, _>("options"))?;
        Ok(self.game.board_for(&options, seats))
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
                // A default that is an object pins what this build offers, and generators of Go write it as no value.
                let default = defaults.get(name).filter(|default| !default.is_object()).cloned();
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
    fn any_move(&self, mv: G::Move) -> AnyMove {
        any_move(&*self.game, mv)
    }

    fn typed(mv: AnyMove) -> Result<G::Move, Corrupt> {
        match mv.inner.downcast::<G::Move>() {
            Ok(mv) => Ok(*mv),
            Err(_) => Err(Corrupt { what: "move of another game", game: G::INFO.id, source: None }),
        }
    }
}

impl<G: Picture> AnyState for Loaded<G> {
    fn seat_count(&self) -> SeatCount {
        self.game.seat_count(&self.state)
    }

    fn has_options(&self, options: &RawValue) -> Result<bool, Corrupt> {
        Ok(self.game.has_options(&self.state, &options_of(&*self.game, options)?))
    }

    fn status(&self) -> Status {
        self.game.status(&self.state)
    }

    fn play(&mut self, seat: Seat, mv: AnyMove, dice: &mut Dice) -> Result<PlayedJson, PlayError> {
        let played = play(&*self.game, &mut self.state, seat, Self::typed(mv)?, dice)?;
        Ok(PlayedJson {
            mv: write_move(&*self.game, &played.mv)?,
            events: made(&self.game, played.events),
            chance: played.chance,
        })
    }

    fn rehearse(&mut self, seat: Seat, mv: AnyMove) -> Result<PlayedJson, PlayError> {
        let rehearsed = rehearse(&*self.game, &mut self.state, seat, Self::typed(mv)?)?;
        Ok(PlayedJson {
            mv: write_move(&*self.game, &rehearsed.mv)?,
            events: made(&self.game, rehearsed.events),
            chance: rehearsed.chance_pending,
        })
    }

    fn accepts(&self, seat: Seat, mv: &AnyMove) -> bool {
        mv.inner.downcast_ref::<G::Move>().is_some_and(|mv| self.game.check(&self.state, seat, mv).is_ok())
    }

    fn reveals(&self, seat: Seat, mv: &AnyMove) -> bool {
        mv.inner.downcast_ref::<G::Move>().is_none_or(|mv| self.game.reveals(&self.state, seat, mv))
    }

    fn list(&self, seat: Seat) -> Box<dyn AnyList + '_> {
        Box::new(List { game: &*self.game, state: &self.state, seat, legal: self.game.legal_moves(&self.state, seat) })
    }

    fn observe(&self, seat: Seat) -> SeatObservation {
        SeatObservation::of(&*self.game, &self.state, seat)
    }

    fn listed_move(&self, seat: Seat, index: usize) -> Result<AnyMove, usize> {
        let mut moves = Vec::new();
        self.game.legal_moves_into(&self.state, seat, &mut moves);
        if index >= moves.len() {
            return Err(moves.len());
        }
        Ok(self.any_move(moves.swap_remove(index)))
    }

    fn absent_move(&self, seat: Seat, dice: &mut Dice) -> Option<AnyMove> {
        Some(self.any_move(self.game.absent_move(&self.state, seat, dice)?))
    }

    fn write_view(&self, viewer: Viewer, into: &mut Vec<u8>) -> Result<(), Corrupt> {
        append_tagged::<G>("view", &self.game.view(&self.state, viewer), into)
    }

    fn write_ended_view(&self, into: &mut Vec<u8>) -> Result<(), Corrupt> {
        let view = self.game.ended(self.game.view(&self.state, Viewer::Omniscient));
        append_tagged::<G>("view", &view, into)
    }

    fn prompt(&self, seat: Seat) -> Prompt {
        self.game.prompt(&self.state, seat)
    }

    fn legal_moves(&self, seat: Seat, form: ListForm) -> Result<LegalJson, Corrupt> {
        let list = self.list(seat);
        let moves = written::<G>("legal moves", |into| list.write(form, into))?;
        Ok(LegalJson { moves, count: list.count(), complete: list.complete() })
    }

    fn view(&self, viewer: Viewer) -> Result<Box<RawValue>, Corrupt> {
        written::<G>("view", |into| self.write_view(viewer, into))
    }

    fn store(&self) -> Result<Box<RawValue>, Corrupt> {
        write::<G>("state", &self.state)
    }

    fn write_stored(&self, into: &mut Vec<u8>) -> Result<(), Corrupt> {
        append::<G>("state", &self.state, into)
    }

    fn draw(&self, sitting: &Sitting<'_>, ask: Ask) -> Result<Svg, NotDrawn> {
        picture::drawn(&*self.game, &self.state, sitting, ask)
    }

    fn draw_plain(&self, viewer: Viewer) -> Option<String> {
        self.game.draw_plain(&self.game.view(&self.state, viewer))
    }

    fn duplicate(&self) -> Box<dyn AnyState> {
        Box::new(Loaded { game: Arc::clone(&self.game), state: self.state.clone() })
    }
}
