//! What an answer says of a match and seldom changes, written once and kept beside the live match.
//!
//! Invariants:
//! - A head is answered only for the very facts that it was written from. Whoever writes it is given those facts and nothing
//!   else, and they are compared each time, so no step and no mark can leave an old one behind.
//! - It holds what everybody who may see the match is told. What only some are told (the invite code, a seat of one's own)
//!   or what is told only later (the seed) is no fact of it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::value::RawValue;

use super::ViewedMatch;
use super::bots::SeatBot;
use super::clock::ClockTerms;
use super::fairness::ServerSeed;
use super::forking::ForkedFrom;
use super::reserving::Spectators;
use super::stored::StoredSeat;
use super::terms::{Seated, StartMode, UndoTerms, Visibility};
use crate::ambient::Timestamp;
use crate::ids::MatchId;
use crate::rules::Seat;

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
    seed: ServerSeed,
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

impl HeadFacts {
    fn of(viewed: &ViewedMatch) -> HeadFacts {
        let stored = &viewed.live.stored;
        let terms = &stored.terms;
        let seat = |(index, seat): (usize, &StoredSeat)| HeadSeat {
            bot: Seat::new(index as u8).and_then(|seat| viewed.live.bot(seat)),
            player: seat.player.as_ref().map(|player| viewed.shown(player).clone()),
            reserved_for: seat.reserved.as_ref().map(|player| viewed.shown(player).clone()),
            resigned: seat.resigned,
            entropy_given: seat.entropy.is_some(),
            substituted: seat.substituted || seat.takeover.is_some(),
        };
        HeadFacts {
            id: stored.id.clone(),
            game: terms.game.clone(),
            rules_version: terms.rules_version,
            options: terms.options.clone(),
            visibility: terms.visibility,
            seats: stored.seats.iter().enumerate().map(seat).collect(),
            creator: viewed.shown(&stored.creator).clone(),
            start: terms.start,
            move_time_seconds: terms.move_time_seconds,
            clock: terms.clock,
            hints: viewed.live.gives_hints(),
            undo: viewed.live.undo_terms(),
            hotseat: terms.table.hotseat,
            forked_from: terms.table.forked_from.clone(),
            spectators: terms.table.spectators(),
            expires_at: viewed.live.expires_at(),
            created_at: stored.created_at,
            started_at: stored.started_at,
            commitment: stored.seed.commitment(&stored.id),
            seed: stored.seed,
        }
    }

    /// Whether these are still the facts. Each is named, so that none that is added is left out.
    fn hold(&self, viewed: &ViewedMatch) -> bool {
        let HeadFacts {
            id,
            game,
            rules_version,
            options,
            visibility,
            seats,
            creator,
            start,
            move_time_seconds,
            clock,
            hints,
            undo,
            hotseat,
            forked_from,
            spectators,
            expires_at,
            created_at,
            started_at,
            commitment: _,
            seed,
        } = self;
        let stored = &viewed.live.stored;
        let terms = &stored.terms;
        let same_seat = |(index, (head, seat)): (usize, (&HeadSeat, &StoredSeat))| {
            head.resigned == seat.resigned
                && head.substituted == (seat.substituted || seat.takeover.is_some())
                && head.bot == Seat::new(index as u8).and_then(|seat| viewed.live.bot(seat))
                && head.entropy_given == seat.entropy.is_some()
                && head.player.as_ref() == seat.player.as_ref().map(|player| viewed.shown(player))
                && head.reserved_for.as_ref() == seat.reserved.as_ref().map(|player| viewed.shown(player))
        };
        *id == stored.id
            && *seed == stored.seed
            && *game == terms.game
            && *rules_version == terms.rules_version
            && options.get() == terms.options.get()
            && *visibility == terms.visibility
            && *start == terms.start
            && *move_time_seconds == terms.move_time_seconds
            && *clock == terms.clock
            && *hints == viewed.live.gives_hints()
            && *undo == viewed.live.undo_terms()
            && *hotseat == terms.table.hotseat
            && *forked_from == terms.table.forked_from
            && *spectators == terms.table.spectators()
            && *expires_at == viewed.live.expires_at()
            && (*created_at, *started_at) == (stored.created_at, stored.started_at)
            && seats.len() == stored.seats.len()
            && seats.iter().zip(&stored.seats).enumerate().all(same_seat)
            && creator == viewed.shown(&stored.creator)
    }
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
    facts: HeadFacts,
    text: HeadText,
    room: AtomicUsize,
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
pub(super) struct KeptHead(Mutex<Option<Arc<Head>>>);

impl KeptHead {
    fn get(&self) -> Option<Arc<Head>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn put(&self, head: &Arc<Head>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(head));
    }
}

impl Clone for KeptHead {
    fn clone(&self) -> KeptHead {
        KeptHead(Mutex::new(self.get()))
    }
}

impl ViewedMatch {
    /// The head of the match, which `write` writes if that of these facts is not there yet.
    ///
    /// # Errors
    /// Those of `write`.
    pub fn head<E>(&self, write: impl FnOnce(&HeadFacts) -> Result<HeadText, E>) -> Result<Arc<Head>, E> {
        let kept = self.live.head.get();
        if let Some(kept) = kept.as_ref().filter(|kept| kept.facts.hold(self)) {
            return Ok(Arc::clone(kept));
        }
        let facts = HeadFacts::of(self);
        let text = write(&facts)?;
        let room = AtomicUsize::new(kept.map_or(0, |kept| kept.room()));
        let head = Arc::new(Head { facts, text, room });
        self.live.head.put(&head);
        Ok(head)
    }
}
