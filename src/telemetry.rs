//! Logs and metrics.
//!
//! Invariants: a log line never holds a query string, a body, a token or an invite code. The labels of a metric come
//! from the document's operations, so their number is bounded.

use std::collections::HashMap;
use std::io::IsTerminal;
use std::sync::atomic::AtomicI64;
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use tracing_subscriber::EnvFilter;

/// How log lines are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum LogFormat {
    /// For people.
    Human,
    /// One JSON object a line.
    Json,
}

/// Starts logging to standard error, for the rest of the process; panics are logged too.
///
/// # Errors
/// If the filter cannot be read, or logging has been started before.
pub fn start_logging(format: LogFormat, filter: &str) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let builder = tracing_subscriber::fmt().with_env_filter(EnvFilter::try_new(filter)?).with_writer(std::io::stderr);
    let builder = builder.with_ansi(std::io::stderr().is_terminal());
    match format {
        LogFormat::Human => builder.try_init()?,
        LogFormat::Json => builder.json().with_span_list(false).flatten_event(true).try_init()?,
    }
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let message = panic.payload_as_str().unwrap_or("no message");
        tracing::error!(place, message, "panicked");
    }));
    Ok(())
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct RequestLabels {
    operation: String,
    status: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct OperationLabels {
    operation: String,
}

/// What is counted of one operation.
struct Operation {
    answers: [Counter; 5],
    seconds: Histogram,
}

/// The counters of one instance.
pub struct Metrics {
    registry: Registry,
    operations: HashMap<String, Operation>,
    other: Operation,
    in_flight: Gauge<i64, AtomicI64>,
}

const STATUS_CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];
const SECONDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

impl Metrics {
    /// Counters for these operations; everything else is counted as `other`.
    pub fn new<'a>(operations: impl IntoIterator<Item = &'a str>) -> Metrics {
        let mut registry = Registry::with_prefix("sarsen");
        let requests = Family::<RequestLabels, Counter>::default();
        let seconds = Family::<OperationLabels, Histogram>::new_with_constructor(|| Histogram::new(SECONDS));
        let in_flight = Gauge::default();
        registry.register("http_requests", "Requests answered", requests.clone());
        registry.register("http_request_seconds", "Time to the head of the answer", seconds.clone());
        registry.register("http_requests_in_flight", "Requests that have no answer yet", in_flight.clone());
        let operation = |name: &str| Operation {
            answers: STATUS_CLASSES
                .map(|status| requests.get_or_create_owned(&RequestLabels { operation: name.to_owned(), status })),
            seconds: seconds.get_or_create_owned(&OperationLabels { operation: name.to_owned() }),
        };
        let other = operation("other");
        let operations = operations.into_iter().map(|name| (name.to_owned(), operation(name))).collect();
        Metrics { registry, operations, other, in_flight }
    }

    /// Counts a request that has come in.
    pub fn started(&self) {
        self.in_flight.inc();
    }

    /// Counts a request that has been answered, or given up by its client (`None`).
    pub fn ended(&self, operation: Option<&str>, status: Option<u16>, took: Duration) {
        self.in_flight.dec();
        let operation = operation.and_then(|name| self.operations.get(name)).unwrap_or(&self.other);
        let Some(status) = status else { return };
        if let Some(answers) = operation.answers.get(usize::from(status / 100).saturating_sub(1)) {
            answers.inc();
        }
        operation.seconds.observe(took.as_secs_f64());
    }

    /// The counters in the OpenMetrics text format.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn encode(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        text::encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_operation_and_class() {
        let metrics = Metrics::new(["get_game"]);
        metrics.started();
        metrics.ended(Some("get_game"), Some(404), Duration::from_millis(2));
        metrics.started();
        metrics.ended(Some("/evil/path"), Some(200), Duration::ZERO);
        metrics.started();
        let text = metrics.encode().unwrap();
        assert!(text.contains(r#"sarsen_http_requests_total{operation="get_game",status="4xx"} 1"#), "{text}");
        assert!(text.contains(r#"sarsen_http_requests_total{operation="other",status="2xx"} 1"#));
        assert!(text.contains("sarsen_http_requests_in_flight 1"));
        assert!(!text.contains("evil"));
    }
}
