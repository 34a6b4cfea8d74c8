//! Requests that may come twice: what an idempotency key has done before, and the answer that its request got.
//!
//! Invariants: a request is applied once under its key, and only what was committed is answered again, as it was then.
//! A key that comes with another request is refused before that is looked at. Only the player who has used a key learns
//! anything from it, so it also counts where that player may not see the match any more (who has left a private one).

use aws_lc_rs::digest;

use crate::model::unreadable::Unreadable;
use crate::{Refused, ViewedMatch};
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_store::{ReplayKey, Reservation};

/// An idempotency key and the fingerprint of the request that carries it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Idempotency {
    /// The key: 1 to 255 printable ASCII characters.
    pub key: String,
    /// A digest of the request, to tell a repetition from another request.
    pub fingerprint: String,
}

/// A match after a request that changes it.
pub struct Answered {
    /// The match, as the caller may see it.
    pub viewed: ViewedMatch,
    /// True if the request was made before, under the same idempotency key.
    pub replayed: bool,
}

impl Answered {
    /// The answer to a request that came for the first time.
    pub(super) fn now(viewed: ViewedMatch) -> Answered {
        Answered { viewed, replayed: false }
    }
}

impl Idempotency {
    /// The key as this player's.
    pub(super) fn of(&self, player: &PlayerId) -> ReplayKey {
        ReplayKey { player: player.clone(), key: self.key.clone() }
    }

    /// The key of one part of a request that asks for several things.
    #[must_use]
    pub fn part(&self, number: usize) -> Idempotency {
        let digest = hex::encode(digest::digest(&digest::SHA256, self.key.as_bytes()));
        Idempotency { key: format!("part {number} of {digest}"), fingerprint: self.fingerprint.clone() }
    }

    /// Refuses another request than the key's first one.
    pub(super) fn must_fit(&self, fingerprint: &str) -> Result<(), Refused> {
        if self.fingerprint == fingerprint { Ok(()) } else { Err(Refused::KeyReused) }
    }

    /// The id that is reserved for this very request.
    pub(super) fn reserved_id(&self, standing: &Reservation) -> Result<MatchId, Refused> {
        self.must_fit(&standing.fingerprint)?;
        Ok(standing.id.parse().map_err(|_| Unreadable::new("what is reserved is no match"))?)
    }
}
