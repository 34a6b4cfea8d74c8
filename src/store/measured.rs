//! A store of any backend whose operations are timed and whose failures are counted.
//!
//! Invariant: it changes nothing of what its store does. An operation that is given up (its request has gone) is timed
//! up to then. An operation costs two reads of the clock, two atomic additions and one small allocation.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::broadcast;
use tokio::time::Instant;

use super::*;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{InstanceId, MatchId, PlayerId, SessionId};
use sarsen_base::telemetry::{OperationCounts, StoreCounts};

/// A store that is measured.
pub struct Measured {
    store: Arc<dyn Store>,
    operations: Operations,
}

impl Measured {
    /// Measures this store with these counters.
    pub fn new(store: Arc<dyn Store>, counts: &StoreCounts) -> Measured {
        Measured { store, operations: Operations::of(counts) }
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

async fn measured<T>(counts: &OperationCounts, operation: impl Future<Output = Result<T>>) -> Result<T> {
    let _watch = Watch { counts, begun: Instant::now() };
    let outcome = operation.await;
    match &outcome {
        Ok(_) => {}
        Err(StoreError::Unavailable(_)) => counts.unavailable(),
        Err(StoreError::Corrupt(_)) => counts.corrupt(),
    }
    outcome
}

macro_rules! measured {
    ($($concern:ident { $($name:ident($($given:ident: $kind:ty),*) -> $answer:ty;)+ })+) => {
        /// The counters of each operation.
        struct Operations {
            $($($name: OperationCounts,)+)+
            hear: OperationCounts,
            ready: OperationCounts,
            used: OperationCounts,
        }

        impl Operations {
            fn of(counts: &StoreCounts) -> Operations {
                Operations {
                    $($($name: counts.operation(stringify!($name)),)+)+
                    hear: counts.operation("hear"),
                    ready: counts.operation("ready"),
                    used: counts.operation("used"),
                }
            }
        }

        $(#[async_trait]
        impl $concern for Measured {
            $(async fn $name(&self, $($given: $kind),*) -> Result<$answer> {
                measured(&self.operations.$name, self.store.$name($($given),*)).await
            })+
        })+
    };
}

crate::store_operations!(measured);

#[async_trait]
impl Subscriptions for Measured {
    fn is_subscribed(&self, topic: &Topic) -> bool {
        self.store.is_subscribed(topic)
    }

    async fn subscribe(&self, topics: &[Topic]) -> Result<()> {
        measured(&self.operations.hear, self.store.subscribe(topics)).await
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
        measured(&self.operations.used, self.store.used()).await
    }

    async fn ready(&self) -> Result<()> {
        measured(&self.operations.ready, self.store.ready()).await
    }

    // The duration of a backup follows from the size of the store and says nothing of its health.
    async fn back_up(&self) -> Result<Backup, BackupError> {
        self.store.back_up().await
    }

    async fn close(&self) {
        self.store.close().await;
    }
}
