//! What matches are played with and is not here: looked for at the start, and warned of.
//!
//! Such matches are answered with `components_missing` until the operator gives the components back. Invariant: nothing is
//! changed, so it does not matter who looks, or how often.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::Foundation;
use crate::matches::Refused;

/// How long there is between two pages, so that requests are not held up.
const PAUSE: Duration = Duration::from_millis(20);
/// How long there is before it is tried again after a failure.
const RETRY: Duration = Duration::from_secs(10);

/// Looks once at every match that has not ended.
pub(super) async fn look_for_missing(shared: Arc<Foundation>) {
    let missing = loop {
        match missing(&shared).await {
            Ok(missing) => break missing,
            Err(error) => {
                tracing::debug!(%error, "it could not be seen which components are missing; it is tried again")
            }
        }
        sleep(RETRY).await;
    };
    for (what, matches) in missing {
        tracing::warn!(matches, missing = what, "matches cannot be played on: what they are played with is not here");
    }
}

/// How many matches lack what.
async fn missing(shared: &Foundation) -> Result<BTreeMap<String, u64>, Refused> {
    let mut missing = BTreeMap::new();
    let mut from = None;
    loop {
        let page = shared.inventory.match_ids(from.as_ref()).await?;
        for id in page.items {
            if let Some(what) = shared.matches.lacks(&id).await? {
                *missing.entry(what).or_default() += 1;
            }
        }
        match page.next {
            Some(next) => from = Some(next),
            None => return Ok(missing),
        }
        sleep(PAUSE).await;
    }
}
