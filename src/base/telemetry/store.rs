//! Counters of the store's operations.

use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

use super::counts::Pairs;
use super::timings::Timings;

/// Counters of the store's operations.
#[derive(Debug)]
pub struct StoreCounts {
    seconds: Family<Pairs, Timings>,
    errors: Family<Pairs, Counter>,
}

/// Counters of one operation.
#[derive(Debug)]
pub struct OperationCounts {
    seconds: Timings,
    unavailable: Counter,
    corrupt: Counter,
}

impl StoreCounts {
    pub(super) fn register(registry: &mut Registry) -> StoreCounts {
        let (seconds, errors) = Default::default();
        let counts = StoreCounts { seconds, errors };
        registry.register("store_seconds", "Time of the store's operations, given up ones too", counts.seconds.clone());
        registry.register("store_errors", "Operations of the store that failed", counts.errors.clone());
        counts
    }

    /// The counters of one operation: from a closed list of names, and at the start.
    pub fn operation(&self, name: &'static str) -> OperationCounts {
        let operation = || ("operation", name.to_owned());
        let errors = |kind: &str| self.errors.get_or_create_owned(&vec![operation(), ("kind", kind.to_owned())]);
        OperationCounts {
            seconds: self.seconds.get_or_create_owned(&vec![operation()]),
            unavailable: errors("unavailable"),
            corrupt: errors("corrupt"),
        }
    }
}

impl OperationCounts {
    /// Counts an operation that took so long.
    pub fn took(&self, took: Duration) {
        self.seconds.observe(took);
    }

    /// Counts one whose outcome is unknown.
    pub fn unavailable(&self) {
        self.unavailable.inc();
    }

    /// Counts one that found something unreadable.
    pub fn corrupt(&self) {
        self.corrupt.inc();
    }
}
