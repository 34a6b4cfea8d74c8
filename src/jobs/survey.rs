//! The survey at the start: finds matches that should be in the due index and are not.
//!
//! They were made or moved on by a release that knows no index, brought by an import, or ended before this service was
//! told to archive or delete what has ended. Invariant: an entry is noted only where there is none, and decides
//! nothing; so it does not matter who surveys, or how often.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::Foundation;
use crate::ids::MatchId;
use crate::matches::Refused;
use crate::store::DueMatch;

/// The name of the moment at which every match had been looked at.
const SURVEYED: &str = "every match was looked at for what is due";
/// How long there is between two pages, so that requests are not held up.
const PAUSE: Duration = Duration::from_millis(20);
/// How long there is before it is tried again after a failure.
const RETRY: Duration = Duration::from_secs(10);

/// Surveys once.
pub(super) async fn survey(shared: Arc<Foundation>) {
    while let Err(error) = survey_all(&shared).await {
        tracing::debug!(%error, "the matches could not be surveyed; it is tried again");
        sleep(RETRY).await;
    }
}

async fn survey_all(shared: &Foundation) -> Result<(), Refused> {
    let mut noted = survey_open(shared).await?;
    // What has ended is on no list that all of it is on, so everything has to be looked at.
    if shared.matches.sees_to_finished() || shared.moments.moment(SURVEYED).await?.is_none() {
        noted += survey_every(shared).await?;
        shared.moments.first(SURVEYED).await?;
    }
    if noted > 0 {
        tracing::info!(matches = noted, "matches will be called off, archived or deleted that had no such time before");
    }
    Ok(())
}

/// The public matches that wait for players.
async fn survey_open(shared: &Foundation) -> Result<u64, Refused> {
    let mut noted = 0;
    let mut before: Option<MatchId> = None;
    loop {
        let (due, last) = shared.matches.open_and_due(before.as_ref()).await?;
        noted += shared.due.note_due(&due).await?;
        match last {
            Some(last) => before = Some(last),
            None => return Ok(noted),
        }
        sleep(PAUSE).await;
    }
}

/// Every match that there is.
async fn survey_every(shared: &Foundation) -> Result<u64, Refused> {
    let mut noted = 0;
    let mut from = None;
    loop {
        let page = shared.inventory.match_ids(from.as_ref()).await?;
        let mut due: Vec<DueMatch> = Vec::new();
        for id in page.items {
            due.extend(shared.matches.due_at(&id).await?.map(|at| DueMatch { id, at }));
        }
        noted += shared.due.note_due(&due).await?;
        match page.next {
            Some(next) => from = Some(next),
            None => return Ok(noted),
        }
        sleep(PAUSE).await;
    }
}
