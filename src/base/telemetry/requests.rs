//! Rate, errors and duration of requests, and what stays open behind an answer.

use std::collections::HashMap;
use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

use super::counts::{Counts, OTHER, Pairs};
use super::tally::Tally;
use super::timings::Timings;

/// Status classes, and last refusals for want of room: any client can ask for more work than an instance takes on, so
/// those 503 tell of no failure.
const STATUSES: [&str; 6] = ["1xx", "2xx", "3xx", "4xx", "5xx", "busy"];

/// Counters of one operation.
#[derive(Debug)]
struct Operation {
    answers: [Counter; STATUSES.len()],
    seconds: Timings,
}

/// Counters of requests.
#[derive(Debug)]
pub struct RequestCounts {
    operations: HashMap<String, Operation>,
    other: Operation,
    /// Requests that have no answer yet.
    pub in_flight: Tally,
    /// Problems answered, by code.
    pub problems: Counts,
    /// Streams of server-sent events.
    pub server_sent_streams: Tally,
    /// Streams of JSON lines.
    pub json_lines_streams: Tally,
    /// Requests that wait for a first event.
    pub long_polls: Tally,
}

impl RequestCounts {
    pub(super) fn register(registry: &mut Registry, operations: &[&str], problems: &[&str]) -> RequestCounts {
        let requests = Family::<Pairs, Counter>::default();
        let seconds = Family::<Pairs, Timings>::default();
        let streams = Family::<Pairs, prometheus_client::metrics::gauge::Gauge>::default();
        let (in_flight, long_polls) = (Tally::default(), Tally::default());
        registry.register("http_requests", "Requests answered", requests.clone());
        registry.register("http_request_seconds", "Time to the head of the answer", seconds.clone());
        registry.register("http_requests_in_flight", "Requests that have no answer yet", in_flight.0.clone());
        registry.register("streams", "Event streams that are open", streams.clone());
        registry.register("long_polls", "Requests that wait for a first event", long_polls.0.clone());
        let operation = |name: &str| {
            let labels = |more: Option<&str>| {
                let operation = ("operation", name.to_owned());
                [Some(operation), more.map(|status| ("status", status.to_owned()))].into_iter().flatten().collect()
            };
            Operation {
                answers: STATUSES.map(|status| requests.get_or_create_owned(&labels(Some(status)))),
                seconds: seconds.get_or_create_owned(&labels(None)),
            }
        };
        let stream = |kind: &str| Tally(streams.get_or_create_owned(&vec![("kind", kind.to_owned())]));
        RequestCounts {
            operations: operations.iter().map(|name| ((*name).to_owned(), operation(name))).collect(),
            other: operation(OTHER),
            in_flight,
            problems: Counts::register(registry, "problems", "Problems answered", "code", problems.iter().copied()),
            server_sent_streams: stream("server_sent_events"),
            json_lines_streams: stream("json_lines"),
            long_polls,
        }
    }

    /// Counts a request that has been answered; `is_busy` if it was refused for want of room.
    pub fn answered(&self, operation: &str, status: u16, is_busy: bool, took: Duration) {
        let operation = self.operations.get(operation).unwrap_or(&self.other);
        let place = if is_busy { STATUSES.len() - 1 } else { usize::from(status / 100).saturating_sub(1) };
        if let Some(answers) = operation.answers.get(place) {
            answers.inc();
        }
        operation.seconds.observe(took);
    }
}
