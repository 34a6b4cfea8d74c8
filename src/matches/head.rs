//! What an answer says of a match and seldom changes, written once and kept beside the live match.
//!
//! Invariants:
//! - A head is answered only for the very facts that it was written from. Whoever writes it is given those facts and nothing
//!   else, and they are compared each time, so no step and no mark can leave an old one behind.
//! - It holds what everybody who may see the match is told. What only some are told (the invite code, a seat of one's own)
//!   or what is told only later (the seed) is no fact of it.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use crate::ViewedMatch;
pub use crate::model::head::{Head, HeadFacts, HeadSeat, HeadText};
use crate::model::stored::StoredSeat;
use sarsen_rules::Seat;

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
