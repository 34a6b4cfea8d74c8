//! Counters of notifications on their way out.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

use super::counts::Pairs;

/// The ways of deliveries.
const WAYS: [&str; 2] = ["webhook", "push"];

/// The outcomes of attempts at deliveries.
const OUTCOMES: [&str; 4] = ["delivered", "retried", "failed", "superseded"];

/// Counters of attempts at deliveries, by way and outcome.
#[derive(Debug)]
pub struct DeliveryCounts(Vec<(&'static str, &'static str, Counter)>);

impl DeliveryCounts {
    pub(super) fn register(registry: &mut Registry) -> DeliveryCounts {
        let deliveries = Family::<Pairs, Counter>::default();
        registry.register("deliveries", "Attempts to deliver notifications", deliveries.clone());
        let pairs = WAYS.iter().flat_map(|way| OUTCOMES.iter().map(move |outcome| (*way, *outcome)));
        let counter = |(way, outcome): (&'static str, &'static str)| {
            let labels = vec![("way", way.to_owned()), ("outcome", outcome.to_owned())];
            (way, outcome, deliveries.get_or_create_owned(&labels))
        };
        DeliveryCounts(pairs.map(counter).collect())
    }

    /// Returns counters that are not exported: where there is no operator, as in a test.
    pub fn unseen() -> DeliveryCounts {
        DeliveryCounts::register(&mut Registry::default())
    }

    /// Counts an attempt on this way with this outcome.
    pub fn count(&self, way: &str, outcome: &str) {
        let known = self.0.iter().find(|(of, ended, _)| *of == way && *ended == outcome);
        if let Some((.., counter)) = known {
            counter.inc();
        }
    }
}
