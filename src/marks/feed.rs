//! The task that keeps an instance's [`KnownMarks`] in step with the store, in the way of
//! `crate::players::revocation_feed`: live messages have the store read at once, and it is read every [`PERIOD`] besides,
//! so what is marked anywhere is known here within ten seconds even if no message ever arrives. A reading asks only for
//! what is newer than what is known; where messages may have been lost, the store may also have gone back, so everything
//! is read then.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::known::KnownMarks;
use super::stored::Mark;
use crate::ids::PlayerId;
use crate::store::{Live, PlayerMarks, StoreError};

/// From the end of one reading to the start of the next.
const PERIOD: Duration = Duration::from_secs(5);

/// How long one page may take.
const DEADLINE: Duration = Duration::from_secs(2);

/// From a failed reading to the next.
const RETRY: Duration = Duration::from_secs(1);

/// How many marks are read at a time.
const PAGE: usize = 1000;

/// Reads all marks once. To be awaited before the first request is served.
///
/// # Errors
/// If the store is away.
pub async fn read(marks: &dyn PlayerMarks, known: &KnownMarks) -> Result<(), StoreError> {
    let (all, newest) = pages(marks, 0).await?;
    known.replace(all, newest);
    Ok(())
}

async fn read_newer(marks: &dyn PlayerMarks, known: &KnownMarks) -> Result<(), StoreError> {
    let (newer, newest) = pages(marks, known.newest()).await?;
    known.extend(newer, newest);
    Ok(())
}

/// All marks after a revision, and up to which that is.
async fn pages(marks: &dyn PlayerMarks, mut after: u64) -> Result<(Vec<(PlayerId, u64, Mark)>, u64), StoreError> {
    let mut found = Vec::new();
    loop {
        let reading = timeout(DEADLINE, marks.marks_after(after, PAGE)).await;
        let page = reading.map_err(|late| StoreError::Unavailable(late.into()))??;
        let ended = page.len() < PAGE;
        for (player, mark) in page {
            after = after.max(mark.revision);
            match Mark::decode(&mark.stored) {
                Ok(read) => found.push((player, mark.revision, read)),
                // A newer release may share the store.
                Err(error) => {
                    tracing::error!(%player, error = &error as &dyn std::error::Error, "a mark cannot be read")
                }
            }
        }
        if ended {
            return Ok((found, after));
        }
    }
}

/// Feeds `known` until cancelled. `live` brings at least the store's messages on marks.
pub async fn run(
    marks: Arc<dyn PlayerMarks>,
    live: broadcast::Receiver<Live>,
    known: Arc<KnownMarks>,
    cancel: CancellationToken,
) {
    cancel.run_until_cancelled(feed(marks.as_ref(), live, &known)).await;
}

async fn feed(marks: &dyn PlayerMarks, live: broadcast::Receiver<Live>, known: &KnownMarks) {
    let mut live = Some(live);
    let mut failing = false;
    let mut everything = false;
    let due = sleep_until(Instant::now());
    tokio::pin!(due);
    loop {
        tokio::select! {
            () = due.as_mut() => {
                let outcome = if everything { read(marks, known).await } else { read_newer(marks, known).await };
                due.as_mut().reset(Instant::now() + if outcome.is_ok() { PERIOD } else { RETRY });
                everything &= outcome.is_err();
                // Said once an outage, and not every second of it.
                match &outcome {
                    Err(error) if !failing => {
                        tracing::warn!(error = error as &dyn std::error::Error, "marks cannot be read");
                    }
                    Ok(()) if failing => tracing::info!("marks can be read again"),
                    _ => {}
                }
                failing = outcome.is_err();
            }
            message = async {
                match live.as_mut() {
                    Some(live) => live.recv().await,
                    None => std::future::pending().await,
                }
            } => match message {
                Ok(Live::Marked(..)) => due.as_mut().reset(Instant::now()),
                Ok(Live::Resync) | Err(RecvError::Lagged(_)) => {
                    everything = true;
                    due.as_mut().reset(Instant::now());
                }
                Ok(_) => {}
                Err(RecvError::Closed) => live = None,
            }
        }
    }
}
