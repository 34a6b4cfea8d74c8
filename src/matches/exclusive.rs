//! Exclusive matches: when one of them starts, the service calls off the waiting exclusive matches that its players
//! have made and sit in.
//!
//! Invariant: the step that starts a match orders a job, so the death of an instance does not prevent this. The job is
//! idempotent. A match that was made after the start stays.

use serde::{Deserialize, Serialize};

use crate::table::live_match::LiveMatch;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;
use sarsen_store::{Job, JobKind, Stage, StoreError, Work};

/// The start of an exclusive match.
#[derive(Serialize, Deserialize)]
pub(super) struct ExclusiveStart {
    #[serde(rename = "t")]
    pub(super) at: Timestamp,
    /// The players at the table.
    #[serde(rename = "p")]
    pub(super) players: Vec<PlayerId>,
}

impl Work for ExclusiveStart {
    const NAME: &'static str = "start of an exclusive match";
}

/// The job that the step orders which has started an exclusive match.
pub(super) fn call_off_job(before: Option<&LiveMatch>, live: &LiveMatch) -> Result<Option<Job>, StoreError> {
    let stored = &live.stored;
    let was_open = before.is_none_or(|before| before.stored.stage == Stage::Open);
    let Some(at) = stored.started_at.filter(|_| was_open && stored.terms.table.exclusive) else { return Ok(None) };
    let players = stored.seats.iter().filter_map(|seat| Some(seat.player.as_ref()?.id.clone())).collect();
    let body = ExclusiveStart { at, players }.to_body()?;
    Ok(Some(Job { kind: JobKind::CallOff, id: stored.id.to_string(), at, body }))
}

impl LiveMatch {
    /// Returns true if it is exclusive, has not started, and was made before this moment by `player`, who sits there.
    pub(super) fn waits_only_for(&self, player: &PlayerId, moment: Timestamp) -> bool {
        let stored = &self.stored;
        let own = stored.is_made_by(player) && self.seat_of(player).is_some();
        own && stored.stage == Stage::Open && stored.terms.table.exclusive && stored.created_at < moment
    }
}
