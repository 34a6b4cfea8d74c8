//! Counters of one name and one label, whose values are known beforehand.

use std::collections::HashMap;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

/// Counters under label values that are not known beforehand.
pub(crate) const OTHER: &str = "other";

/// A counter for each value of a label.
#[derive(Debug)]
pub struct Counts {
    of: HashMap<String, Counter>,
    other: Counter,
}

/// The pairs of a label set, as the registry takes them.
pub(super) type Pairs = Vec<(&'static str, String)>;

impl Counts {
    /// Registers a counter `name` (without `_total`) with a label `label` of these values. Anything else is counted as
    /// `other`.
    pub(crate) fn register<'a>(
        registry: &mut Registry,
        name: &str,
        help: &str,
        label: &'static str,
        values: impl IntoIterator<Item = &'a str>,
    ) -> Counts {
        let family = Family::<Pairs, Counter>::default();
        registry.register(name, help, family.clone());
        let of = |value: &str| family.get_or_create_owned(&vec![(label, value.to_owned())]);
        Counts { of: values.into_iter().map(|value| (value.to_owned(), of(value))).collect(), other: of(OTHER) }
    }

    /// Counts one more of this value.
    pub fn count(&self, value: &str) {
        self.of.get(value).unwrap_or(&self.other).inc();
    }
}
