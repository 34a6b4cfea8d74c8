//! The task that keeps an instance's [`Revocations`] in step with the store.
//!
//! Guarantee: a session revoked anywhere is refused here within ten seconds, even if no live message ever arrives. Live
//! messages take effect at once; besides, the store is read every [`PERIOD`], a reading has [`DEADLINE`] to answer, and
//! a failed one is repeated after [`RETRY`]. A store that cannot be read for longer serves no request either.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use crate::auth::Revocations;
use sarsen_base::ambient::Ambient;
use sarsen_store::{Live, PlayerStore, StoreError};

/// The pause from the end of one reading to the start of the next.
const PERIOD: Duration = Duration::from_secs(5);

/// The time limit for a reading.
const DEADLINE: Duration = Duration::from_secs(2);

/// The pause from a failed reading to the next.
const RETRY: Duration = Duration::from_secs(1);

/// Reads all revocations from the store once. To be awaited before the first request is served, so that a fresh
/// instance accepts nothing that was revoked before its start.
///
/// # Errors
/// If the store is away.
pub async fn read(sessions: &dyn PlayerStore, revocations: &Revocations, ambient: &Ambient) -> Result<(), StoreError> {
    let revoked =
        timeout(DEADLINE, sessions.revocations()).await.map_err(|late| StoreError::Unavailable(late.into()))??;
    revocations.merge(revoked);
    revocations.forget_ended(ambient.now());
    Ok(())
}

/// Feeds `revocations` from `sessions` until cancelled. `live` brings at least the store's messages on sessions.
pub async fn run(
    sessions: Arc<dyn PlayerStore>,
    live: broadcast::Receiver<Live>,
    revocations: Arc<Revocations>,
    ambient: Ambient,
    cancel: CancellationToken,
) {
    cancel.run_until_cancelled(feed(sessions.as_ref(), live, &revocations, &ambient, PERIOD)).await;
}

async fn feed(
    sessions: &dyn PlayerStore,
    // Subscribed before the first reading, so that nothing falls between the two.
    live: broadcast::Receiver<Live>,
    revocations: &Revocations,
    ambient: &Ambient,
    period: Duration,
) {
    let mut live = Some(live);
    let mut failing = false;
    let due = sleep_until(Instant::now());
    tokio::pin!(due);
    loop {
        let message = tokio::select! {
            () = due.as_mut() => {
                let outcome = read(sessions, revocations, ambient).await;
                due.as_mut().reset(Instant::now() + if outcome.is_ok() { period } else { RETRY.min(period) });
                // Logged once an outage, and not every second of it.
                match &outcome {
                    Err(error) if !failing => {
                        tracing::warn!(error = error as &dyn std::error::Error, "revocations cannot be read");
                    }
                    Ok(()) if failing => tracing::info!("revocations can be read again"),
                    _ => {}
                }
                failing = outcome.is_err();
                continue;
            }
            message = async {
                match live.as_mut() {
                    Some(live) => live.recv().await,
                    None => std::future::pending().await,
                }
            } => message,
        };
        match message {
            Ok(Live::Revoked(session, until)) => revocations.insert(session, until),
            Ok(Live::Resync) | Err(RecvError::Lagged(_)) => due.as_mut().reset(Instant::now()),
            Ok(_) => {}
            Err(RecvError::Closed) => live = None,
        }
    }
}

#[cfg(test)]
#[path = "revocation_feed_tests.rs"]
mod tests;
