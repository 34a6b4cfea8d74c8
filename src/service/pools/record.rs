//! The record of a player in matchmaking: their tickets, and the matches that pools have made for them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::pairing::RatingRange;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_matches::model::fairness::{SeatEntropy, ServerSeed};
use sarsen_matches::model::seated::Seated;
use sarsen_store::{PoolChange, QueuePlace, StoreError};

/// The time for which a matched ticket tells of its match, in seconds.
const TOLD_SECONDS: u32 = 600;
/// The time from one look at whether a match of a pool is over to the next, in seconds.
const LOOK_SECONDS: u32 = 600;

/// A ticket that waits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Ticket {
    /// The time of its first request.
    pub(super) since: Timestamp,
    /// The time at which it lapses unless it is renewed.
    pub(super) keep_until: Timestamp,
    /// The player, with the name of the first request.
    pub(super) player: Seated,
    /// The player's rating.
    pub(super) rating: i32,
    /// The ratings of opponents that the player accepts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) range: Option<RatingRange>,
    /// The player's entropy for the dice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) entropy: Option<SeatEntropy>,
    /// The seed that a match has of which this is the oldest ticket, and its id, to which the commitment is bound.
    pub(super) seed: ServerSeed,
    pub(super) match_id: MatchId,
    /// The opponents of the player's last match of a pool, as far as it is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) last: Vec<PlayerId>,
}

/// A match that a pool has made for the player.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Matched {
    pub(super) pool: String,
    pub(super) match_id: MatchId,
    /// True if the match is live: until it is over the player is in no other live pool.
    pub(super) live: bool,
    /// The time at which the ticket was put in.
    pub(super) since: Timestamp,
    /// The time of the pairing.
    pub(super) at: Timestamp,
    /// The time of the next look at whether it is over.
    pub(super) look_at: Timestamp,
    /// The opponents.
    pub(super) with: Vec<PlayerId>,
}

impl Matched {
    /// Puts off the next look.
    pub(super) fn look_later(&mut self, now: Timestamp) {
        self.look_at = now.plus_seconds(LOOK_SECONDS);
    }

    /// Returns true if the ticket still tells of the match.
    pub(super) fn is_told(&self, now: Timestamp) -> bool {
        now < self.at.plus_seconds(TOLD_SECONDS)
    }
}

/// A player in matchmaking.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Record {
    /// The tickets that wait, by pool.
    #[serde(rename = "t", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) tickets: BTreeMap<String, Ticket>,
    /// The matches of pools that are not known to be over, at most one a pool.
    #[serde(rename = "m", default, skip_serializing_if = "Vec::is_empty")]
    pub(super) matched: Vec<Matched>,
}

/// The name of the queue of a pool's matches that are to be looked at.
pub(super) fn made_in(pool: &str) -> String {
    format!("~{pool}")
}

/// A record as it was found, to be changed.
pub(super) struct Found {
    pub(super) player: PlayerId,
    bytes: Option<Vec<u8>>,
    before: Record,
    pub(super) record: Record,
}

impl Found {
    /// Reads a record.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where it cannot be read.
    pub(super) fn read(player: PlayerId, bytes: Option<Vec<u8>>) -> Result<Found, StoreError> {
        let read = bytes.as_deref().map(serde_json::from_slice::<Record>).transpose();
        let before = read.map_err(|error| StoreError::Corrupt(format!("a record of pools: {error}")))?;
        let before = before.unwrap_or_default();
        Ok(Found { player, bytes, record: before.clone(), before })
    }

    /// Takes out tickets that have lapsed.
    pub(super) fn drop_lapsed(&mut self, now: Timestamp) {
        self.record.tickets.retain(|_, ticket| ticket.keep_until > now);
    }

    /// The change of the stored record to what it is now.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where it has no JSON form.
    pub(super) fn change(self) -> Result<PoolChange, StoreError> {
        let Found { player, bytes, before, record } = self;
        let gone = record.tickets.is_empty() && record.matched.is_empty();
        let written = serde_json::to_vec(&record).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        let (leaves, enters) = (before.places(), record.places());
        Ok(PoolChange { player, found: bytes, by: (!gone).then_some(written), leaves, enters })
    }
}

impl Record {
    fn places(&self) -> Vec<QueuePlace> {
        let waits = self.tickets.iter().map(|(pool, ticket)| (pool.clone(), ticket.since));
        let made = self.matched.iter().map(|matched| (made_in(&matched.pool), matched.look_at));
        waits.chain(made).map(|(queue, at)| QueuePlace { queue, at }).collect()
    }

    /// The match that `pool` has made.
    pub(super) fn matched_in(&self, pool: &str) -> Option<&Matched> {
        self.matched.iter().find(|matched| matched.pool == pool)
    }

    /// Takes a match off that is over or gone.
    pub(super) fn forget(&mut self, id: &MatchId) {
        self.matched.retain(|matched| matched.match_id != *id);
    }

    /// Replaces all tickets by a match.
    pub(super) fn pair(&mut self, matched: Matched) {
        self.tickets.clear();
        self.matched.retain(|other| other.pool != matched.pool);
        self.matched.push(matched);
    }
}
