//! An event of whichever game: as it was stored, or as a step has just brought it about.
//!
//! Invariant: both are the whole event, secrets included, and tell each viewer the same; but of one that was just made
//! nothing has to be read again to tell of it.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::ser::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::any::AnyGame;
use super::json::{Corrupt, write};
use sarsen_rules::{Game, Viewer};

/// An event of a game, with all that is secret in it.
#[derive(Clone)]
pub enum GameEvent {
    /// As it was stored, tagged by `type`.
    Stored(Box<RawValue>),
    /// As a step has just brought it about.
    Made(Arc<dyn AnyEvent>),
}

impl GameEvent {
    /// Returns what `viewer` may know of it. `game` is the one whose event it is.
    ///
    /// # Errors
    /// Anything that is not an event of this game, or has no JSON form.
    pub fn told(&self, game: &dyn AnyGame, viewer: Viewer) -> Result<Option<Box<RawValue>>, Corrupt> {
        match self {
            GameEvent::Stored(json) => game.redact(json, viewer),
            GameEvent::Made(event) => event.told(viewer),
        }
    }
}

/// Says nothing of what happened: it may be secret.
impl fmt::Debug for GameEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GameEvent")
    }
}

impl Serialize for GameEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            GameEvent::Stored(json) => json.serialize(serializer),
            GameEvent::Made(event) => event.whole().map_err(S::Error::custom)?.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for GameEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GameEvent, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(GameEvent::Stored)
    }
}

/// An event that was just made, of whichever game.
pub trait AnyEvent: Send + Sync {
    /// The whole event, tagged by `type`.
    ///
    /// # Errors
    /// An event that has no JSON form.
    fn whole(&self) -> Result<&RawValue, Corrupt>;
    /// Returns what `viewer` may know of it.
    ///
    /// # Errors
    /// An event that has no JSON form.
    fn told(&self, viewer: Viewer) -> Result<Option<Box<RawValue>>, Corrupt>;
}

struct Made<G: Game> {
    game: Arc<G>,
    event: G::Event,
    /// The whole event, once somebody has asked for it.
    whole: OnceLock<Box<RawValue>>,
}

impl<G: Game> AnyEvent for Made<G> {
    fn whole(&self) -> Result<&RawValue, Corrupt> {
        if let Some(whole) = self.whole.get() {
            return Ok(whole);
        }
        let whole = write::<G>("event", &self.event)?;
        Ok(self.whole.get_or_init(|| whole))
    }

    fn told(&self, viewer: Viewer) -> Result<Option<Box<RawValue>>, Corrupt> {
        if !G::INFO.hidden_information || self.game.is_open(&self.event) {
            return self.whole().map(|whole| Some(whole.to_owned()));
        }
        self.game.redact(&self.event, viewer).map(|event| write::<G>("event", &event)).transpose()
    }
}

/// These events, which a step of `game` has made.
pub(super) fn made<G: Game>(game: &Arc<G>, events: Vec<G::Event>) -> Vec<GameEvent> {
    let made = |event| GameEvent::Made(Arc::new(Made { game: Arc::clone(game), event, whole: OnceLock::new() }));
    events.into_iter().map(made).collect()
}
