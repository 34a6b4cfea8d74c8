//! One vocabulary: what moves, events and views name is an id of the board or of the glossary, whichever game it is.
//!
//! The law: each string in a move, an event, a view or an answer to a question is
//! - a word of its own type's, where the schema lists them all (a colour, a phase);
//! - text for people, where the schema says so (`format: text`);
//! - ids joined by hyphens, where it says that (`format: notation`);
//! - and everywhere else an id: of a place, of a side, of an entry of the glossary, or the digest of an edition.
//!
//! Numbers count or measure. A number that names something (the number of a ring) is on the board, with its place.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use serde_json::Value;

use crate::{Board, Game, Part, Prompt, PromptSource, WireUnion};

/// The format of a string that is words for people.
const TEXT: &str = "text";
/// The format of a string that is the move of a piece in notation.
const NOTATION: &str = "notation";

/// The kind of a decision's entry.
const DECISION: &str = "decision";

/// The ids that a game may name, and the schemas of its texts.
pub(super) struct Names {
    ids: HashSet<String>,
    places: HashSet<String>,
    entries: HashSet<(String, String)>,
    /// Schemas by name: those that others refer to.
    shapes: HashMap<String, Value>,
    moves: HashMap<&'static str, Value>,
    events: HashMap<&'static str, Value>,
    view: Value,
}

impl Names {
    pub(crate) fn of<G: Game>(game: &G) -> Names {
        let mut shapes = HashMap::new();
        let mut shape = |part: Part| {
            let nested = part.nested.iter().map(|(name, schema)| (name.clone(), json(schema)));
            shapes.extend(nested);
            (part.tag, json(&part.schema))
        };
        let moves = G::Move::parts().into_iter().map(&mut shape).collect();
        let events = G::Event::parts().into_iter().map(&mut shape).collect();
        let (_, view) = shape(Part::of::<G::View>(G::INFO.id));
        let places = game.boards().into_iter().flat_map(|board| board.places).map(|place| place.id).collect();
        let entries = game.glossaries().into_iter().flat_map(|glossary| glossary.entries);
        let entries = entries.map(|entry| (entry.kind, entry.id)).collect();
        Names { ids: ids(game), places, entries, shapes, moves, events, view }
    }

    pub(crate) fn check_move(&self, mv: &impl Serialize) {
        self.check_part(&self.moves, &json(mv));
    }

    pub(crate) fn check_event(&self, event: &impl Serialize) {
        self.check_part(&self.events, &json(event));
    }

    pub(crate) fn check_view(&self, view: &impl Serialize) {
        self.check(&self.view, &json(view));
    }

    /// Prompts have an entry each, and their sources exist. A game without a glossary prompts for moves only.
    pub(crate) fn check_prompt(&self, Prompt { kind, text, source }: &Prompt) {
        let has = |kind: &str, id: &str| self.entries.contains(&(kind.to_owned(), id.to_owned()));
        let is_plain = *kind == Prompt::MOVE && !self.entries.iter().any(|(kind, _)| kind == DECISION);
        assert!(is_plain || has(DECISION, kind), "vocabulary: the decision {kind} is not in the glossary");
        assert!(text.ends_with(['.', '?']), "{text:?} is no sentence");
        if let Some(PromptSource { kind, id }) = source {
            let known = if kind == PromptSource::PLACE { self.places.contains(id) } else { has(kind, id) };
            assert!(known, "vocabulary: {kind} {id} asks, but is not there");
        }
    }

    fn check_part(&self, parts: &HashMap<&'static str, Value>, value: &Value) {
        let tag = value["type"].as_str().unwrap_or_default();
        let shape = parts.get(tag).unwrap_or_else(|| panic!("{value} has a type that is not in the document"));
        let mut rest = value.clone();
        rest.as_object_mut().unwrap().remove("type");
        self.check(shape, &rest);
    }

    fn check(&self, shape: &Value, value: &Value) {
        if let Err(stranger) = self.judge(shape, value) {
            panic!("vocabulary: {stranger} is no id of the board or the glossary, in {value}");
        }
    }

    /// The first string that is neither a word, nor text, nor an id.
    fn judge(&self, shape: &Value, value: &Value) -> Result<(), String> {
        if let Some(name) = shape["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            return self.judge(&self.shapes[name], value);
        }
        let branches = ["oneOf", "anyOf"].iter().filter_map(|word| shape[word].as_array()).flatten();
        let mut last = None;
        for branch in branches {
            match self.judge(branch, value) {
                Ok(()) => return Ok(()),
                Err(stranger) => last = Some(stranger),
            }
        }
        if let Some(stranger) = last {
            return Err(stranger);
        }
        match value {
            Value::String(text) => self.judge_text(shape, text),
            Value::Array(items) => items.iter().try_for_each(|item| self.judge(&shape["items"], item)),
            Value::Object(fields) => fields.iter().try_for_each(|(name, field)| self.judge(&of(shape, name), field)),
            Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
        }
    }

    fn judge_text(&self, shape: &Value, text: &str) -> Result<(), String> {
        let listed = match (&shape["enum"], &shape["const"]) {
            (Value::Array(words), _) => Some(words.iter().any(|word| word == text)),
            (_, Value::String(word)) => Some(word == text),
            _ => None,
        };
        let known = listed.unwrap_or_else(|| match shape["format"].as_str() {
            Some(TEXT) => true,
            Some(NOTATION) => text.split('-').all(|part| self.ids.contains(part)),
            _ => self.ids.contains(text),
        });
        if known { Ok(()) } else { Err(format!("{text:?}")) }
    }
}

/// The schema of a property; of the tag of a union within, nothing but what it is.
fn of(shape: &Value, name: &str) -> Value {
    let own = &shape["properties"][name];
    if !own.is_null() {
        return own.clone();
    }
    let parts = shape["allOf"].as_array().into_iter().flatten();
    let found = parts.map(|part| of(part, name)).find(|found| !found.is_null());
    found.unwrap_or_else(|| shape["additionalProperties"].clone())
}

fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

/// Every id there is, in whichever edition.
fn ids<G: Game>(game: &G) -> HashSet<String> {
    let mut ids = HashSet::new();
    for Board { edition, side, places, .. } in game.boards() {
        ids.extend(places.into_iter().map(|place| place.id));
        ids.extend(side);
        ids.extend(edition.map(|edition| edition.digest));
    }
    for glossary in game.glossaries() {
        ids.extend(glossary.entries.into_iter().map(|entry| entry.id));
    }
    ids
}
