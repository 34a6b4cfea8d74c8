//! The task that keeps an instance's [`KnownStatuses`] in step with the store, like `crate::players::revocation_feed`:
//! a live message makes it read the store at once, and it reads every [`PERIOD`] besides. So a status that is set
//! anywhere is known here within ten seconds even if no message ever arrives.
//!
//! A reading asks only for statuses newer than the known ones. After a failover the store may have gone back and give a
//! revision once more, to another status, which no such reading finds. So everything is read where messages may have
//! been lost, where a message names such a revision, and once in [`WHOLE_PERIOD`] in any case: statuses are few.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::known::KnownStatuses;
use super::stored::PlayerStatus;
use sarsen_base::ids::PlayerId;
use sarsen_store::{Live, PlayerStatusStore, StoreError};

/// The pause from the end of one reading to the start of the next.
const PERIOD: Duration = Duration::from_secs(5);

/// The pause from the end of one reading of everything to the next.
const WHOLE_PERIOD: Duration = Duration::from_secs(60);

/// The time limit for one page.
const DEADLINE: Duration = Duration::from_secs(2);

/// The pause from a failed reading to the next.
const RETRY: Duration = Duration::from_secs(1);

/// The number of statuses on a page.
const PAGE: usize = 1000;

/// Reads all statuses once. Await it before the first request is served.
///
/// # Errors
/// If the store is away.
pub async fn read(statuses: &dyn PlayerStatusStore, known: &KnownStatuses) -> Result<(), StoreError> {
    let insertions = known.insertions();
    let (all, newest) = pages(statuses, 0).await?;
    if known.replace(all, newest, insertions) {
        return Ok(());
    }
    Err(StoreError::Unavailable("statuses were made while all were read".into()))
}

async fn read_newer(statuses: &dyn PlayerStatusStore, known: &KnownStatuses) -> Result<(), StoreError> {
    let (newer, newest) = pages(statuses, known.newest()).await?;
    known.extend(newer, newest);
    Ok(())
}

/// Returns all statuses after a revision, and the newest revision.
async fn pages(
    statuses: &dyn PlayerStatusStore,
    mut after: u64,
) -> Result<(Vec<(PlayerId, u64, PlayerStatus)>, u64), StoreError> {
    let mut found = Vec::new();
    loop {
        let reading = timeout(DEADLINE, statuses.statuses_after(after, PAGE)).await;
        let page = reading.map_err(|late| StoreError::Unavailable(late.into()))??;
        let ended = page.len() < PAGE;
        for (player, status) in page {
            after = after.max(status.revision);
            match PlayerStatus::decode(&status.stored) {
                Ok(read) => found.push((player, status.revision, read)),
                // A newer release may share the store.
                Err(error) => {
                    tracing::error!(%player, error = &error as &dyn std::error::Error, "a status cannot be read")
                }
            }
        }
        if ended {
            return Ok((found, after));
        }
    }
}

/// Feeds `known` until cancelled. `live` brings at least the store's messages on statuses.
pub async fn run(
    statuses: Arc<dyn PlayerStatusStore>,
    live: broadcast::Receiver<Live>,
    known: Arc<KnownStatuses>,
    cancel: CancellationToken,
) {
    cancel.run_until_cancelled(feed(statuses.as_ref(), live, &known, WHOLE_PERIOD)).await;
}

async fn feed(
    statuses: &dyn PlayerStatusStore,
    live: broadcast::Receiver<Live>,
    known: &KnownStatuses,
    whole_period: Duration,
) {
    let mut live = Some(live);
    let mut failing = false;
    let mut everything = false;
    let mut whole_at = Instant::now();
    let due = sleep_until(Instant::now());
    tokio::pin!(due);
    loop {
        tokio::select! {
            () = due.as_mut() => {
                everything |= whole_at.elapsed() >= whole_period;
                let outcome = if everything { read(statuses, known).await } else { read_newer(statuses, known).await };
                due.as_mut().reset(Instant::now() + if outcome.is_ok() { PERIOD } else { RETRY });
                if everything && outcome.is_ok() {
                    everything = false;
                    whole_at = Instant::now();
                }
                // Logged once an outage, and not every second of it.
                match &outcome {
                    Err(error) if !failing => {
                        tracing::warn!(error = error as &dyn std::error::Error, "statuses cannot be read");
                    }
                    Ok(()) if failing => tracing::info!("statuses can be read again"),
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
                Ok(Live::Marked(player, revision)) => {
                    everything |= known.contradicts(&player, revision);
                    due.as_mut().reset(Instant::now());
                }
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use async_trait::async_trait;

    use super::*;
    use sarsen_base::ambient::Timestamp;
    use sarsen_store::{Deletion, Result, Revised};

    /// A store of statuses that can go back.
    #[derive(Default)]
    struct Statuses(Mutex<Vec<(PlayerId, Revised)>>);

    impl Statuses {
        fn hold(&self, number: u128, revision: u64, stored: &str) {
            let status = Revised { stored: stored.as_bytes().to_vec(), revision };
            *self.0.lock().unwrap() = vec![(player(number), status)];
        }
    }

    #[async_trait]
    impl PlayerStatusStore for Statuses {
        async fn status(&self, _: &PlayerId) -> Result<Option<Revised>> {
            Ok(None)
        }

        async fn put_status(&self, _: &PlayerId, _: u64, _: Vec<u8>, _: bool) -> Result<Option<u64>> {
            Ok(None)
        }

        async fn statuses_after(&self, after: u64, limit: usize) -> Result<Vec<(PlayerId, Revised)>> {
            let mut found = self.0.lock().unwrap().clone();
            found.retain(|(_, status)| status.revision > after);
            found.truncate(limit);
            Ok(found)
        }

        async fn deletions(&self, _: usize) -> Result<Vec<Deletion>> {
            Ok(Vec::new())
        }

        async fn put_off(&self, _: &Deletion, _: Timestamp, _: Timestamp) -> Result<bool> {
            Ok(false)
        }

        async fn end_deletion(&self, _: &Deletion) -> Result<bool> {
            Ok(false)
        }
    }

    const GONE: &str = r#"{"v":1,"gone":true}"#;

    fn player(number: u128) -> PlayerId {
        PlayerId::from_number(number)
    }

    /// A store that had one player's status, then went back and has another's of the same revision; and what was known
    /// before.
    async fn gone_back() -> (Statuses, KnownStatuses) {
        let (statuses, known) = (Statuses::default(), KnownStatuses::default());
        statuses.hold(1, 1, GONE);
        read(&statuses, &known).await.unwrap();
        statuses.hold(2, 1, GONE);
        (statuses, known)
    }

    /// Waits until it is known that the second player is gone and the first is not.
    async fn learnt(known: &KnownStatuses) {
        let learning = async {
            while !known.is_gone(&player(2)) || known.is_gone(&player(1)) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(4), learning).await.expect("before the second reading");
    }

    #[tokio::test]
    async fn a_revision_given_twice_has_everything_read() {
        let (statuses, known) = gone_back().await;
        let (live, heard) = broadcast::channel(8);
        live.send(Live::Marked(player(2), 1)).unwrap();
        tokio::select! {
            () = feed(&statuses, heard, &known, WHOLE_PERIOD) => unreachable!("it goes on"),
            () = learnt(&known) => {}
        }
    }

    #[tokio::test]
    async fn everything_is_read_now_and_then_though_nobody_tells() {
        let (statuses, known) = gone_back().await;
        read_newer(&statuses, &known).await.unwrap();
        assert!(!known.is_gone(&player(2)), "what is newer does not tell");
        let (_live, heard) = broadcast::channel(8);
        tokio::select! {
            () = feed(&statuses, heard, &known, Duration::ZERO) => unreachable!("it goes on"),
            () = learnt(&known) => {}
        }
    }
}
