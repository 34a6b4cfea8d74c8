//! A histogram of durations that is counted with two atomic additions.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use prometheus_client::encoding::{EncodeMetric, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::{MetricType, TypedMetric};

/// The upper bounds of the buckets but the last, in microseconds: 0.1 ms to 10 s.
const BOUNDS_MICROS: [u64; 16] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
    5_000_000, 10_000_000,
];

/// A histogram of durations, by bucket. Clones count together.
#[derive(Clone, Default)]
pub(crate) struct Timings(Arc<Buckets>);

#[derive(Default)]
struct Buckets {
    counts: [AtomicU64; BOUNDS_MICROS.len() + 1],
    nanos: AtomicU64,
}

impl Timings {
    /// Counts something that took so long.
    pub(crate) fn observe(&self, took: Duration) {
        let micros = took.as_nanos().div_ceil(1000);
        let bucket = BOUNDS_MICROS.partition_point(|bound| u128::from(*bound) < micros);
        if let Some(count) = self.0.counts.get(bucket) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.0.nanos.fetch_add(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

impl fmt::Debug for Timings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Timings")
    }
}

impl TypedMetric for Timings {
    const TYPE: MetricType = MetricType::Histogram;
}

impl EncodeMetric for Timings {
    fn encode(&self, mut encoder: MetricEncoder<'_>) -> fmt::Result {
        let bounds = BOUNDS_MICROS.iter().map(|micros| *micros as f64 / 1e6).chain([f64::INFINITY]);
        let counts = self.0.counts.iter().map(|count| count.load(Ordering::Relaxed));
        let buckets: Vec<(f64, u64)> = bounds.zip(counts).collect();
        let count = buckets.iter().map(|(_, count)| count).sum();
        let seconds = self.0.nanos.load(Ordering::Relaxed) as f64 / 1e9;
        encoder.encode_histogram::<NoLabelSet>(seconds, count, &buckets, None)
    }

    fn metric_type(&self) -> MetricType {
        Timings::TYPE
    }
}

#[cfg(test)]
mod tests {
    use prometheus_client::encoding::text;
    use prometheus_client::registry::Registry;

    use super::*;

    #[test]
    fn durations_are_counted_up_to_their_bound() {
        let timings = Timings::default();
        let mut registry = Registry::default();
        registry.register("t_seconds", "T", timings.clone());
        for micros in [0, 100, 101, 10_000_000, 10_000_001] {
            timings.observe(Duration::from_micros(micros));
        }
        timings.observe(Duration::from_nanos(100_001));
        let mut text = String::new();
        text::encode(&mut text, &registry).unwrap();
        for line in [
            r#"t_seconds_bucket{le="0.0001"} 2"#,
            r#"t_seconds_bucket{le="0.00025"} 4"#,
            r#"t_seconds_bucket{le="10.0"} 5"#,
            r#"t_seconds_bucket{le="+Inf"} 6"#,
            "t_seconds_count 6",
        ] {
            assert!(text.contains(line), "{line} in {text}");
        }
        assert!(text.contains("t_seconds_sum 20.00030"), "{text}");
    }
}
