//! Exclusive matches: as one of them starts, those that wait for players and that one of its players has made for themselves
//! are called off.
//!
//! Invariant: the step that starts a match orders a job, so this happens whoever dies; doing it twice changes nothing. A
//! match that was made after the start stays.

use serde::{Deserialize, Serialize};

use crate::model::events::AbortReason;
use crate::model::log::Action;
use crate::model::unreadable::Unreadable;
use crate::table::live_match::LiveMatch;
use crate::{Matches, Refused, Stage};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;
use sarsen_store::{Job, JobKind};

/// The start of an exclusive match.
#[derive(Serialize, Deserialize)]
struct Started {
    /// The moment.
    #[serde(rename = "t")]
    at: Timestamp,
    /// The players at the table.
    #[serde(rename = "p")]
    players: Vec<PlayerId>,
}

/// The job that the step orders which has started an exclusive match.
pub(super) fn call_off_job(before: Option<&LiveMatch>, live: &LiveMatch) -> Result<Option<Job>, Unreadable> {
    let stored = &live.stored;
    let was_open = before.is_none_or(|before| before.stored.stage == Stage::Open);
    let Some(at) = stored.started_at.filter(|_| was_open && stored.terms.table.exclusive) else { return Ok(None) };
    let players = stored.seats.iter().filter_map(|seat| Some(seat.player.as_ref()?.id.clone())).collect();
    let body = serde_json::to_vec(&Started { at, players })?;
    Ok(Some(Job { kind: JobKind::CallOff, id: stored.id.to_string(), at, body }))
}

impl Matches {
    /// Calls off the other exclusive matches of those who sit at one that has started, as its job says.
    ///
    /// # Errors
    /// Those of the store, that the job or a match cannot be read, and [`Refused::Busy`]; asking again does the rest.
    pub async fn call_off_others(&self, job: &Job) -> Result<(), Refused> {
        let Started { at, players } = serde_json::from_slice(&job.body).map_err(Unreadable::from)?;
        for player in players {
            for id in self.ids_of(&player, Some(Stage::Open)).await? {
                for _ in 0..crate::ATTEMPTS_MAX {
                    let Some(loaded) = self.store.load_match(&id, None).await? else { break };
                    let live = self.opened(&id, &loaded)?;
                    let reason = AbortReason::StartedElsewhere;
                    if !live.waits_only_for(&player, at)
                        || self.act_on(&live, Action::CallOff { reason }, self.now()).await?
                    {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}

impl LiveMatch {
    /// Returns true if it is exclusive, has not started, and was made before this moment by `player`, who sits there.
    fn waits_only_for(&self, player: &PlayerId, moment: Timestamp) -> bool {
        let stored = &self.stored;
        let own = stored.is_made_by(player) && self.seat_of(player).is_some();
        own && stored.stage == Stage::Open && stored.terms.table.exclusive && stored.created_at < moment
    }
}
