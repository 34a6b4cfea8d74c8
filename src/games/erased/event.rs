//! An event of whichever game, as a step has just brought it about.
//!
//! Invariant: it is the whole event, secrets included. [`GameEvent::told`] redacts it for each viewer.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::json::{Corrupt, write};
use sarsen_rules::{Game, Viewer};

/// An event that a step of a game has just made, with all that is secret in it.
#[derive(Clone)]
pub struct GameEvent(Arc<dyn AnyEvent>);

impl GameEvent {
    /// Returns what `viewer` may know of it.
    ///
    /// # Errors
    /// An event that has no JSON form.
    pub fn told(&self, viewer: Viewer) -> Result<Option<Box<RawValue>>, Corrupt> {
        self.0.told(viewer)
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
        self.0.whole().map_err(S::Error::custom)?.serialize(serializer)
    }
}

/// An event without the type of its game.
trait AnyEvent: Send + Sync {
    /// The whole event, tagged by `type`.
    fn whole(&self) -> Result<&RawValue, Corrupt>;
    /// Returns what `viewer` may know of it.
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
    let made = |event| GameEvent(Arc::new(Made { game: Arc::clone(game), event, whole: OnceLock::new() }));
    events.into_iter().map(made).collect()
}
