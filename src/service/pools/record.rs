//! The record of a player in matchmaking: their tickets, and the matches that pools have made for them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::pairing::RatingRange;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_matches::model::fairness::{SeatEntropy, ServerSeed};
use sarsen_matches::model::seated::Seated;
use sarsen_store::upgrade::Formed;
use sarsen_store::{PoolChange, QueuePlace, StoreError};

/// The time for which a matched ticket tells of its match, in seconds.
const TOLD_SECONDS: u32 = 600;
/// The time from one look at whether a match of a pool is over to the next, in seconds.
const LOOK_SECONDS: u32 = 600;
/// The time for which the opponents of a live match are known that is over, in seconds.
const LIVE_KNOWN_SECONDS: u32 = 60 * 60;
/// The time for which those of another match are known after its ticket has stopped to tell of it, in seconds: a week.
const KNOWN_SECONDS: u32 = 7 * 24 * 60 * 60;
/// The time after which a look that nobody has taken is missed, as its pool is gone, in seconds: a day.
const MISSED_SECONDS: u32 = 24 * 60 * 60;
/// The queue of all records, by the moment from which on nothing in them is of use.
pub(super) const KEPT: &str = "~";

/// A ticket that waits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Ticket {
    /// The time of its first request.
    pub(super) since: Timestamp,
    /// The time at which it lapses unless it is renewed.
    pub(super) keep_until: Timestamp,
    /// The player, with the name of the first request.
    pub(super) player: Seated,
    /// The owner of a bot account, whose ban is one of the account too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) owner: Option<PlayerId>,
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
    pub(super) with: Vec<PlayerId>,
    /// True once the match keeps its player from nothing any more: then only its opponents are known, until `look_at`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) over: bool,
}

impl Matched {
    /// Notes that the match keeps its player from nothing any more.
    pub(super) fn end(&mut self, now: Timestamp) {
        self.over = true;
        self.look_at = now.plus_seconds(if self.live { LIVE_KNOWN_SECONDS } else { KNOWN_SECONDS });
    }

    /// The moment from which on it is of no use.
    fn kept_until(&self) -> Timestamp {
        if self.over { self.look_at } else { self.look_at.plus_seconds(MISSED_SECONDS) }
    }

    /// Puts off the next look.
    pub(super) fn look_later(&mut self, now: Timestamp) {
        self.look_at = now.plus_seconds(LOOK_SECONDS);
    }

    /// Returns true if the ticket still tells of the match.
    pub(super) fn is_told(&self, now: Timestamp) -> bool {
        !self.over && now < self.at.plus_seconds(TOLD_SECONDS)
    }
}

/// A player in matchmaking.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Record {
    #[serde(rename = "v")]
    form: u16,
    /// The tickets that wait, by pool.
    #[serde(rename = "t", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) tickets: BTreeMap<String, Ticket>,
    /// The last match of each pool, as long as anything of it is of use.
    #[serde(rename = "m", default, skip_serializing_if = "Vec::is_empty")]
    pub(super) matched: Vec<Matched>,
}

sarsen_store::formed!(Record, "record of pools", "v", &[]);

impl Default for Record {
    fn default() -> Record {
        Record { form: Record::FORMS.present(), tickets: BTreeMap::new(), matched: Vec::new() }
    }
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
        let before = bytes.as_deref().map(Record::decode).transpose()?.unwrap_or_default();
        Ok(Found { player, bytes, record: before.clone(), before })
    }

    /// Takes out tickets that have lapsed, and matches of which nothing is of use any more.
    pub(super) fn drop_lapsed(&mut self, now: Timestamp) {
        self.record.tickets.retain(|_, ticket| ticket.keep_until > now);
        self.record.matched.retain(|matched| matched.kept_until() > now);
    }

    /// The change of the stored record to what it is now.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where it has no JSON form.
    pub(super) fn change(self) -> Result<PoolChange, StoreError> {
        let Found { player, bytes, before, record } = self;
        let gone = record.tickets.is_empty() && record.matched.is_empty();
        let by = if gone { None } else { Some(record.encode()?) };
        let (leaves, enters) = (before.places(), record.places());
        Ok(PoolChange { player, found: bytes, by, leaves, enters })
    }
}

impl Record {
    /// The queues that the record is in.
    pub(super) fn places(&self) -> Vec<QueuePlace> {
        let waits = self.tickets.iter().map(|(pool, ticket)| (pool.clone(), ticket.since));
        let made = self.matched.iter().map(|matched| (made_in(&matched.pool), matched.look_at));
        let kept = self.tickets.values().map(|ticket| ticket.keep_until);
        let kept = kept.chain(self.matched.iter().map(Matched::kept_until)).max();
        let kept = kept.map(|at| (KEPT.to_owned(), at));
        waits.chain(made).chain(kept).map(|(queue, at)| QueuePlace { queue, at }).collect()
    }

    /// The match that `pool` has made.
    pub(super) fn matched_in(&self, pool: &str) -> Option<&Matched> {
        self.matched.iter().find(|matched| matched.pool == pool)
    }

    /// Notes that a match is over or gone.
    pub(super) fn end(&mut self, id: &MatchId, now: Timestamp) {
        self.matched.iter_mut().filter(|matched| matched.match_id == *id).for_each(|matched| matched.end(now));
    }

    /// Replaces all tickets by a match.
    pub(super) fn pair(&mut self, matched: Matched) {
        self.tickets.clear();
        self.matched.retain(|other| other.pool != matched.pool);
        self.matched.push(matched);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pools::making::Making;
    use sarsen_store::PairedMatch;

    /// As form 1 is written: a record, then a noted match. Never to be edited: a later form adds a step and a fixture of its
    /// own.
    const FORM_1: &str = include_str!("../../../tests/fixtures/pools_form_1.jsonl");

    #[test]
    fn form_1_is_read_for_good() {
        let (record, noted) = FORM_1.trim_end().split_once('\n').unwrap();
        let read = Record::decode(record.as_bytes()).unwrap();
        assert_eq!((read.tickets.len(), read.matched.len()), (1, 1));
        assert_eq!(serde_json::to_string(&read).unwrap(), record);
        let id = MatchId::from_number(1);
        let stored = PairedMatch { id: id.clone(), stored: noted.as_bytes().to_vec() };
        assert_eq!(Making::decode(&stored.stored).unwrap().noted(id).unwrap(), stored);
        assert!(Record::decode(record.replace("{\"v\":1", "{\"v\":2").as_bytes()).is_err());
    }
}
