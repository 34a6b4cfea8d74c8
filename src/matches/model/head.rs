//! The answer's head, as it is kept beside a live match: what an answer says of a match and seldom changes.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::value::RawValue;

use crate::ambient::Timestamp;
use crate::ids::MatchId;
use crate::matches::model::bots::SeatBot;
use crate::matches::model::clock::ClockTerms;
use crate::matches::model::fairness::ServerSeed;
use crate::matches::model::fork::ForkedFrom;
use crate::matches::model::seated::Seated;
use crate::matches::model::table_terms::Spectators;
use crate::matches::model::terms::{StartMode, UndoTerms, Visibility};

/// The facts of a head.
pub struct HeadFacts {
    /// The match's id.
    pub id: MatchId,
    /// The game's id.
    pub game: String,
    /// The version of the game's rules.
    pub rules_version: u32,
    /// The game's options.
    pub options: Box<RawValue>,
    /// Who may find and read it.
    pub visibility: Visibility,
    /// Its seats, in order.
    pub seats: Vec<HeadSeat>,
    /// Who made it, under the name that is shown.
    pub creator: Seated,
    /// When it starts.
    pub start: StartMode,
    /// Seconds that a seat has for each decision.
    pub move_time_seconds: Option<u32>,
    /// How much time seats have, where the service sees to it.
    pub clock: Option<ClockTerms>,
    /// Whether players may ask for hints.
    pub hints: bool,
    /// What can be undone.
    pub undo: UndoTerms,
    /// Whether its creator sits on every seat that is given to nobody else.
    pub hotseat: bool,
    /// The match that it was forked from, and the version.
    pub forked_from: Option<ForkedFrom>,
    /// Who may watch it.
    pub spectators: Spectators,
    /// When it is called off unless it has started by then.
    pub expires_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it started.
    pub started_at: Option<Timestamp>,
    /// The published commitment to the seed.
    pub commitment: String,
    /// What `commitment` was made of, and the id.
    pub(in crate::matches) seed: ServerSeed,
}

/// The facts of a seat.
#[derive(PartialEq)]
pub struct HeadSeat {
    /// Who sits there, under the name that is shown.
    pub player: Option<Seated>,
    /// For whom the seat is kept, under the name that is shown.
    pub reserved_for: Option<Seated>,
    /// The bot that plays there.
    pub bot: Option<SeatBot>,
    /// Whether they have left a match that went on.
    pub resigned: bool,
    /// Whether they have given entropy.
    pub entropy_given: bool,
    /// Whether they have taken the seat over from another, or a bot plays for them.
    pub substituted: bool,
}

/// What was written of a match's facts, in parts.
#[derive(Default)]
pub struct HeadText {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl HeadText {
    /// Where the next part is written.
    pub fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Ends a part.
    pub fn end_part(&mut self) {
        self.ends.push(self.bytes.len());
    }
}

/// A head.
pub struct Head {
    pub(in crate::matches) facts: HeadFacts,
    pub(in crate::matches) text: HeadText,
    pub(in crate::matches) room: AtomicUsize,
}

impl Head {
    /// A part, in the order in which they were written; empty where there is none.
    pub fn part(&self, index: usize) -> &[u8] {
        let begin = index.checked_sub(1).and_then(|before| self.text.ends.get(before)).copied().unwrap_or_default();
        let part = self.text.ends.get(index).and_then(|end| self.text.bytes.get(begin..*end));
        part.unwrap_or_default()
    }

    /// How many bytes the last answer about this match took, whoever asked; 0 before the first.
    pub fn room(&self) -> usize {
        self.room.load(Ordering::Relaxed)
    }

    /// Remembers how many bytes an answer has taken.
    pub fn took(&self, bytes: usize) {
        self.room.store(bytes, Ordering::Relaxed);
    }
}

/// Where a live match keeps its head; a copy of the match has it too.
#[derive(Default)]
pub(in crate::matches) struct KeptHead(Mutex<Option<Arc<Head>>>);

impl KeptHead {
    pub(in crate::matches) fn get(&self) -> Option<Arc<Head>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(in crate::matches) fn put(&self, head: &Arc<Head>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(head));
    }
}

impl Clone for KeptHead {
    fn clone(&self) -> KeptHead {
        KeptHead(Mutex::new(self.get()))
    }
}
