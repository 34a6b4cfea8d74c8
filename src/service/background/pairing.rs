//! The pairing of tickets: a round of all pools every two seconds.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::Foundation;

/// From one round to the next.
const PERIOD: Duration = Duration::from_secs(2);
/// The name of this work in the metrics.
pub const KIND: &str = "pairing";

/// Pairs tickets, for ever. Each change is one of the store, so it may stop anywhere.
pub(super) async fn pair_on(shared: Arc<Foundation>) {
    let Some(pools) = &shared.pools else { return };
    let mut failing = false;
    loop {
        let outcome = pools.round().await;
        if let Err(error) = &outcome {
            shared.failures.count(KIND);
            // Said once an outage, and not at every round.
            if !failing {
                tracing::warn!(error = error as &dyn std::error::Error, "tickets of pools have to wait");
            }
        }
        failing = outcome.is_err();
        sleep(PERIOD).await;
    }
}
