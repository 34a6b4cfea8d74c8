//! Missing component sets that matches are played with: a search at the start, and a warning.
//!
//! Such matches are answered with `components_missing` until the operator gives the components back. Invariant: nothing is
//! changed, so it does not matter who looks, or how often.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::Foundation;
use sarsen_base::ids::MatchId;
use sarsen_matches::Refused;
use sarsen_store::PageStart;

/// The pause between two pages, so that requests are not held up.
const PAUSE: Duration = Duration::from_millis(20);
/// The pause before another try after a failure.
const RETRY: Duration = Duration::from_secs(10);

/// Looks once at every match that has not ended, of games whose components can be replaced.
pub(super) async fn look_for_missing(shared: Arc<Foundation>) {
    let games = shared.matches.games_of_replaceable_components();
    if games.is_empty() {
        return;
    }
    let mut missing = BTreeMap::new();
    let mut from = None;
    loop {
        match page(&shared, &games, from.as_ref(), &mut missing).await {
            Ok(Some(next)) => {
                from = Some(next);
                sleep(PAUSE).await;
            }
            Ok(None) => break,
            Err(error) => {
                tracing::debug!(%error, "it could not be seen which components are missing; it is tried again");
                sleep(RETRY).await;
            }
        }
    }
    let mut matches = BTreeMap::<String, u64>::new();
    missing.into_values().for_each(|what| *matches.entry(what).or_default() += 1);
    for (what, matches) in matches {
        tracing::warn!(matches, missing = what, "matches cannot be played on: what they are played with is not here");
    }
}

/// Looks at a page of matches, and notes which of them lacks what; then where the next page begins.
async fn page(
    shared: &Foundation,
    games: &[&str],
    from: Option<&PageStart>,
    missing: &mut BTreeMap<MatchId, String>,
) -> Result<Option<PageStart>, Refused> {
    let page = shared.inventory.listings(from).await?;
    for (id, listing) in page.items {
        if !listing.stage.is_over()
            && games.contains(&listing.game.as_str())
            && let Some(what) = shared.matches.lacks(&id).await?
        {
            missing.insert(id, what);
        }
    }
    Ok(page.next)
}
