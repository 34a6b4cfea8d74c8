//! Gauges that are looked up when the metrics are read, instead of being counted.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::counts::Pairs;
use super::process::tell;

/// A gauge of a real number.
type Real = Gauge<f64, AtomicU64>;

/// A queue.
#[derive(Clone, PartialEq, Debug)]
pub struct ObservedQueue {
    /// Its name.
    pub queue: &'static str,
    /// The number of waiting entries.
    pub length: u64,
    /// The age of the oldest of them in seconds; 0 if none waits.
    pub oldest_seconds: f64,
}

/// Gauges of one moment. A gauge that is `None` is left out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StoreObservation {
    /// True if the store can serve.
    pub store_up: bool,
    /// The lead of the store's clock over this machine's, in seconds.
    pub clock_offset_seconds: f64,
    /// The share of the disk, or of the memory that the store may take, that is in use: 0 to 1.
    pub store_used: Option<f64>,
    /// The queues that could be looked at.
    pub queues: Vec<ObservedQueue>,
    /// The number of times that work without a request has failed on this instance, by kind.
    pub jobs_failed: BTreeMap<String, u64>,
}

impl StoreObservation {
    pub(super) fn register(&self, registry: &mut Registry) {
        tell(registry, "store_up", "1 if the store can serve, else 0", f64::from(u8::from(self.store_up)));
        let help = "Lead of the store's clock over this machine's";
        tell(registry, "store_clock_offset_seconds", help, self.clock_offset_seconds);
        if let Some(used) = self.store_used {
            tell(registry, "store_used_ratio", "Used part of the store's disk or memory, 0 to 1", used);
        }
        let (lengths, oldest) = <[Family<Pairs, Real>; 2]>::default().into();
        for ObservedQueue { queue, length, oldest_seconds } in &self.queues {
            let queue = vec![("queue", (*queue).to_owned())];
            lengths.get_or_create(&queue).set(*length as f64);
            oldest.get_or_create(&queue).set(*oldest_seconds);
        }
        let failed = Family::<Pairs, Counter>::default();
        for (kind, times) in &self.jobs_failed {
            failed.get_or_create(&vec![("kind", kind.clone())]).inc_by(*times);
        }
        registry.register("jobs_failed", "Failures of work without a request", failed);
        registry.register("queue_length", "Entries that wait in a queue", lengths);
        registry.register("queue_oldest_seconds", "Waiting time of the first entry of a queue", oldest);
    }
}
