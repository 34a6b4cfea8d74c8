//! The backfill at the start: finds finished matches that should be in the due index and are not.
//!
//! They ended before this service was told to archive or delete what has ended. Invariant: an entry is noted only where
//! there is none, and decides nothing; so it does not matter who runs it, or how often.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::Foundation;
use sarsen_matches::Refused;
use sarsen_store::DueMatch;

/// The pause between two pages, so that requests are not held up.
const PAUSE: Duration = Duration::from_millis(20);
/// The pause before another try after a failure.
const RETRY: Duration = Duration::from_secs(10);

/// Runs once, where finished matches are archived or deleted at all.
pub(super) async fn backfill(shared: Arc<Foundation>) {
    if !shared.matches.sees_to_finished() {
        return;
    }
    while let Err(error) = backfill_all(&shared).await {
        tracing::debug!(%error, "the matches could not be read through; it is tried again");
        sleep(RETRY).await;
    }
}

async fn backfill_all(shared: &Foundation) -> Result<(), Refused> {
    let mut noted = 0;
    let mut from = None;
    loop {
        let page = shared.inventory.match_ids(from.as_ref()).await?;
        let mut due: Vec<DueMatch> = Vec::new();
        for id in page.items {
            due.extend(shared.matches.due_at(&id).await?.map(|at| DueMatch { id, at }));
        }
        noted += shared.due.note_due(&due).await?;
        from = page.next;
        if from.is_none() {
            break;
        }
        sleep(PAUSE).await;
    }
    if noted > 0 {
        tracing::info!(matches = noted, "matches will be archived or deleted that ended before this was set");
    }
    Ok(())
}
