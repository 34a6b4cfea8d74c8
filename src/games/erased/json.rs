//! JSON of values of whichever game, and the error of a value that has none or does not read.
//!
//! Invariant: no error quotes what was read, for it may be secret.

use std::error::Error;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use sarsen_rules::Game;

/// The place of a fault in JSON. The value found is left out, since it may be secret.
#[derive(Debug, thiserror::Error)]
#[error("the JSON is not what it should be at line {line}, column {column}")]
struct WrongJson {
    line: usize,
    column: usize,
}

/// The error, unless it is one of JSON, whose text quotes what was read: of that nothing is left but where.
pub fn unquoted(error: Box<dyn Error + Send + Sync>) -> Box<dyn Error + Send + Sync> {
    match error.downcast_ref::<serde_json::Error>() {
        Some(json) => WrongJson { line: json.line(), column: json.column() }.into(),
        None => error,
    }
}

/// A stored value that this release cannot read.
#[derive(Debug, thiserror::Error)]
#[error("stored {what} of {game} cannot be read")]
pub struct Corrupt {
    pub(super) what: &'static str,
    pub(super) game: &'static str,
    #[source]
    pub(super) source: Option<Box<dyn Error + Send + Sync>>,
}

impl Corrupt {
    /// A value of `game` that could not be written.
    pub fn unwritable(game: &'static str, source: serde_json::Error) -> Corrupt {
        Corrupt { what: "value that was to be", game, source: Some(unquoted(source.into())) }
    }
}

pub(super) fn corrupt<G: Game, E: Into<Box<dyn Error + Send + Sync>>>(what: &'static str) -> impl FnOnce(E) -> Corrupt {
    move |source| Corrupt { what, game: G::INFO.id, source: Some(unquoted(source.into())) }
}

pub(super) fn write<G: Game>(what: &'static str, value: &impl Serialize) -> Result<Box<RawValue>, Corrupt> {
    to_raw_value(value).map_err(corrupt::<G, _>(what))
}

/// The options of a match of this game, as they are stored.
pub(super) fn options_of<G: Game>(game: &G, options: &RawValue) -> Result<G::Options, Corrupt> {
    let options: Value = serde_json::from_str(options.get()).map_err(corrupt::<G, _>("options"))?;
    game.options(&options).map_err(corrupt::<G, _>("options"))
}

/// Returns what `write` writes, as a value of its own.
pub(super) fn written<G: Game>(
    what: &'static str,
    write: impl FnOnce(&mut Vec<u8>) -> Result<(), Corrupt>,
) -> Result<Box<RawValue>, Corrupt> {
    let mut bytes = Vec::new();
    write(&mut bytes)?;
    let text = String::from_utf8(bytes).map_err(corrupt::<G, _>(what))?;
    RawValue::from_string(text).map_err(corrupt::<G, _>(what))
}

/// Appends `value` to `into`.
pub(super) fn append<G: Game>(what: &'static str, value: &impl Serialize, into: &mut Vec<u8>) -> Result<(), Corrupt> {
    serde_json::to_writer(into, value).map_err(corrupt::<G, _>(what))
}

/// Writes an object with a first property `game`, the game's id, which needs no escaping.
pub(super) fn append_tagged<G: Game>(
    what: &'static str,
    value: &impl Serialize,
    into: &mut Vec<u8>,
) -> Result<(), Corrupt> {
    into.extend_from_slice(b"{\"game\":\"");
    into.extend_from_slice(G::INFO.id.as_bytes());
    into.push(b'"');
    let rest = into.len();
    append::<G>(what, value, into)?;
    match into.get_mut(rest..) {
        // Of an object, only what follows its opening brace is kept.
        Some([b'{', b'}']) => drop(into.remove(rest)),
        Some([brace @ b'{', ..]) => *brace = b',',
        _ => return Err(Corrupt { what, game: G::INFO.id, source: Some("it is no object".into()) }),
    }
    Ok(())
}
