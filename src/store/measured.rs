//! A store of any backend whose operations are timed and whose failures are counted.
//!
//! Invariant: it changes nothing of what its store does. An operation that is given up (its request has gone) is timed
//! up to then. An operation costs two reads of the clock, two atomic additions and one small allocation.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::broadcast;
use tokio::time::Instant;

use super::*;
use sarsen_base::ambient::Timestamp;
use sarsen_base::telemetry::{OperationCounts, StoreCounts};

/// The operations that belong to no `concern`.
const FURTHER: &[&str] = &["hear", "ready", "used"];

/// A store that is measured.
pub struct Measured {
    store: Arc<dyn Store>,
    operations: HashMap<&'static str, OperationCounts>,
}

impl Measured {
    /// Measures this store with these counters.
    pub fn new(store: Arc<dyn Store>, counts: &StoreCounts) -> Measured {
        let concerns = [
            matches::OPERATIONS,
            players::OPERATIONS,
            items::OPERATIONS,
            pools::OPERATIONS,
            expiring::OPERATIONS,
            audit::OPERATIONS,
            player_status::OPERATIONS,
            ratings::OPERATIONS,
            instances::OPERATIONS,
            due::OPERATIONS,
            jobs::OPERATIONS,
            inventory::OPERATIONS,
            FURTHER,
        ];
        let operations = concerns.into_iter().flatten().map(|name| (*name, counts.operation(name))).collect();
        Measured { store, operations }
    }
}

/// Times an operation until it is over or given up.
struct Watch<'a> {
    counts: &'a OperationCounts,
    begun: Instant,
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.counts.took(self.begun.elapsed());
    }
}

impl Wrapper for Measured {
    fn chosen(&self, _: &'static str) -> Result<Arc<dyn Store>> {
        Ok(Arc::clone(&self.store))
    }

    async fn accompanied<T: Send>(
        &self,
        operation: &'static str,
        work: impl Future<Output = Result<T>> + Send,
    ) -> Result<T> {
        let Some(counts) = self.operations.get(operation) else { return work.await };
        let _watch = Watch { counts, begun: Instant::now() };
        let outcome = work.await;
        match &outcome {
            Ok(_) => {}
            Err(StoreError::Unavailable(_)) => counts.unavailable(),
            Err(StoreError::Corrupt(_)) => counts.corrupt(),
        }
        outcome
    }
}

#[async_trait]
impl Subscriptions for Measured {
    fn is_subscribed(&self, topic: &Topic) -> bool {
        self.store.is_subscribed(topic)
    }

    async fn subscribe(&self, topics: &[Topic]) -> Result<()> {
        self.accompanied("hear", self.store.subscribe(topics)).await
    }
}

#[async_trait]
impl Store for Measured {
    fn live(&self) -> broadcast::Receiver<Live> {
        self.store.live()
    }

    fn now(&self) -> Timestamp {
        self.store.now()
    }

    async fn used(&self) -> Result<Option<f64>> {
        self.accompanied("used", self.store.used()).await
    }

    async fn ready(&self) -> Result<()> {
        self.accompanied("ready", self.store.ready()).await
    }

    // The duration of a backup follows from the size of the store and says nothing of its health.
    async fn back_up(&self) -> Result<Backup, BackupError> {
        self.store.back_up().await
    }

    async fn close(&self) {
        self.store.close().await;
    }
}
