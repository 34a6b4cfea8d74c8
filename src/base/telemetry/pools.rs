//! Counters of pools.

use std::time::Duration;

use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use super::counts::Pairs;

/// The upper bounds of the buckets of waits but the last, in seconds: up to a week.
const BOUNDS: [f64; 12] = [2.0, 5.0, 10.0, 20.0, 40.0, 60.0, 120.0, 300.0, 600.0, 3600.0, 86_400.0, 604_800.0];

/// The metrics of all pools.
#[derive(Debug)]
pub struct PoolCounts {
    waiting: Family<Pairs, Gauge>,
    waits: Family<Pairs, Histogram, fn() -> Histogram>,
}

/// The metrics of one pool.
#[derive(Clone, Debug)]
pub struct PoolCounter {
    waiting: Gauge,
    waits: Histogram,
}

impl PoolCounts {
    pub(super) fn register(registry: &mut Registry) -> PoolCounts {
        let waiting = Family::default();
        let waits = Family::new_with_constructor((|| Histogram::new(BOUNDS)) as fn() -> Histogram);
        registry.register("pool_tickets", "Tickets that wait, where this instance pairs them", waiting.clone());
        registry.register("pool_wait_seconds", "Waits of players who were paired", waits.clone());
        PoolCounts { waiting, waits }
    }

    /// The metrics of a pool, at nought.
    pub fn of(&self, pool: &str) -> PoolCounter {
        let labels = vec![("pool", pool.to_owned())];
        PoolCounter {
            waiting: self.waiting.get_or_create_owned(&labels),
            waits: self.waits.get_or_create_owned(&labels),
        }
    }
}

impl PoolCounter {
    /// Notes the number of tickets that wait: 0 where another instance pairs them.
    pub fn wait(&self, tickets: usize) {
        self.waiting.set(i64::try_from(tickets).unwrap_or(i64::MAX));
    }

    /// Counts a player who was paired after this wait.
    pub fn paired(&self, waited: Duration) {
        self.waits.observe(waited.as_secs_f64());
    }
}
