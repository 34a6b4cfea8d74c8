//! The metrics of one instance, and their text.

use std::fmt;
use std::sync::Arc;

use prometheus_client::encoding::text;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

use super::bots::BotCounts;
use super::deliveries::DeliveryCounts;
use super::matches::MatchCounts;
use super::observation::StoreObservation;
use super::pools::PoolCounts;
use super::process;
use super::requests::RequestCounts;
use super::store::StoreCounts;

/// The commit that the program was built from, if the build passed it.
const COMMIT: Option<&str> = option_env!("SARSEN_BUILD_COMMIT");

/// The values of labels; all others are counted as `other`.
pub struct KnownLabels<'a> {
    /// The ids of the document's operations.
    pub operations: Vec<&'a str>,
    /// The codes of problems.
    pub problems: Vec<&'a str>,
    /// The ids of the games, each with its endings.
    pub games: Vec<(&'a str, Vec<&'a str>)>,
    /// The levels of bots.
    pub levels: Vec<&'a str>,
}

/// The metrics of one instance.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    /// Of requests.
    pub requests: RequestCounts,
    /// Of matches.
    pub matches: Arc<MatchCounts>,
    /// Of bots.
    pub bots: Arc<BotCounts>,
    /// Of deliveries of notifications.
    pub deliveries: Arc<DeliveryCounts>,
    /// Of pools.
    pub pools: PoolCounts,
    /// Of the store.
    pub store: StoreCounts,
}

impl Metrics {
    /// Metrics with these labels, all at nought.
    pub fn new(labels: &KnownLabels<'_>) -> Metrics {
        let mut registry = Registry::default();
        let ours = registry.sub_registry_with_prefix("sarsen");
        let build = [("version", env!("CARGO_PKG_VERSION")), ("commit", COMMIT.unwrap_or("unknown"))];
        ours.register("build", "The running build", Info::new(build));
        let requests = RequestCounts::register(ours, &labels.operations, &labels.problems);
        let matches = Arc::new(MatchCounts::register(ours, &labels.games));
        let games = labels.games.iter().map(|(game, _)| *game);
        let load = (requests.in_flight.clone(), requests.long_polls.clone());
        let bots = Arc::new(BotCounts::register(ours, games, &labels.levels, load));
        let deliveries = Arc::new(DeliveryCounts::register(ours));
        let pools = PoolCounts::register(ours);
        let store = StoreCounts::register(ours);
        Metrics { registry, requests, matches, bots, deliveries, pools, store }
    }

    /// The metrics in the OpenMetrics text format, with what has just been observed, and what the process takes. Asks the
    /// system, so it blocks for a moment.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn encode(&self, observed: &StoreObservation) -> Result<String, fmt::Error> {
        let mut now = Registry::default();
        observed.register(now.sub_registry_with_prefix("sarsen"));
        process::register(&mut now);
        let mut written = String::new();
        text::encode_registry(&mut written, &self.registry)?;
        text::encode_registry(&mut written, &now)?;
        text::encode_eof(&mut written)?;
        Ok(written)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use super::super::{CountedMove, ObservedQueue};
    use super::*;

    fn metrics() -> Metrics {
        Metrics::new(&KnownLabels {
            operations: vec!["getGame"],
            problems: vec!["not_found"],
            games: vec![("contiguity", vec!["connected"])],
            levels: vec!["easy"],
        })
    }

    fn text(metrics: &Metrics) -> String {
        metrics.encode(&StoreObservation::default()).unwrap()
    }

    fn holds(metrics: &Metrics, line: &str) {
        let text = text(metrics);
        assert!(text.lines().any(|found| found == line), "{line} in {text}");
    }

    #[test]
    fn requests_are_counted_by_operation_and_class() {
        let metrics = metrics();
        metrics.requests.answered("getGame", 404, false, Duration::from_millis(2));
        metrics.requests.answered("/evil/path", 200, false, Duration::ZERO);
        metrics.requests.problems.count("not_found");
        metrics.requests.problems.count("evil");
        let waiting = metrics.requests.long_polls.one_more();
        holds(&metrics, r#"sarsen_http_requests_total{operation="getGame",status="4xx"} 1"#);
        holds(&metrics, r#"sarsen_http_requests_total{operation="other",status="2xx"} 1"#);
        holds(&metrics, r#"sarsen_http_request_seconds_bucket{le="0.0025",operation="getGame"} 1"#);
        holds(&metrics, r#"sarsen_problems_total{code="not_found"} 1"#);
        holds(&metrics, r#"sarsen_problems_total{code="other"} 1"#);
        holds(&metrics, "sarsen_long_polls 1");
        drop(waiting);
        holds(&metrics, "sarsen_long_polls 0");
        assert!(!text(&metrics).contains("evil"));
    }

    #[test]
    fn matches_are_counted_by_game_and_everything_is_there_from_the_start() {
        let metrics = metrics();
        holds(&metrics, r#"sarsen_moves_total{game="contiguity",result="refused"} 0"#);
        holds(&metrics, r#"sarsen_matches_ended_total{game="contiguity",ending="connected"} 0"#);
        holds(&metrics, r#"sarsen_bot_moves_total{game="contiguity",level="easy"} 0"#);
        metrics.bots.moved("contiguity", "easy", false);
        metrics.bots.moved("mine", "easy", true);
        holds(&metrics, r#"sarsen_bot_moves_total{game="contiguity",level="easy"} 1"#);
        holds(&metrics, r#"sarsen_bot_moves_total{game="other",level="other"} 1"#);
        holds(&metrics, "sarsen_bot_searches_cut_total 1");
        let waits = metrics.bots.waits();
        holds(&metrics, "sarsen_bot_searches_waiting 1");
        drop(waits);
        holds(&metrics, "sarsen_bot_searches_waiting 0");
        metrics.matches.moved("contiguity", CountedMove::Refused);
        metrics.matches.moved("mine", CountedMove::Committed);
        metrics.matches.ended("contiguity", "evil");
        metrics.matches.conflicted();
        holds(&metrics, r#"sarsen_moves_total{game="contiguity",result="refused"} 1"#);
        holds(&metrics, r#"sarsen_moves_total{game="other",result="committed"} 1"#);
        holds(&metrics, r#"sarsen_matches_ended_total{game="contiguity",ending="other"} 1"#);
        holds(&metrics, "sarsen_commit_conflicts_total 1");
        let version = env!("CARGO_PKG_VERSION");
        assert!(text(&metrics).contains(&format!("sarsen_build_info{{version=\"{version}\",commit=\"")));
    }

    #[test]
    fn deliveries_are_counted_by_way_and_outcome() {
        let metrics = metrics();
        holds(&metrics, r#"sarsen_deliveries_total{way="push",outcome="superseded"} 0"#);
        metrics.deliveries.count("webhook", "retried");
        holds(&metrics, r#"sarsen_deliveries_total{way="webhook",outcome="retried"} 1"#);
    }

    #[test]
    fn tickets_and_waits_are_counted_by_pool() {
        let metrics = metrics();
        let pool = metrics.pools.of("duels");
        holds(&metrics, r#"sarsen_pool_tickets{pool="duels"} 0"#);
        pool.wait(7);
        pool.paired(Duration::from_secs(10));
        pool.paired(Duration::from_secs(11));
        holds(&metrics, r#"sarsen_pool_tickets{pool="duels"} 7"#);
        holds(&metrics, r#"sarsen_pool_wait_seconds_bucket{le="10.0",pool="duels"} 1"#);
        holds(&metrics, r#"sarsen_pool_wait_seconds_count{pool="duels"} 2"#);
    }

    #[test]
    fn what_is_looked_up_stands_beside_what_is_counted() {
        let metrics = metrics();
        let operation = metrics.store.operation("commit");
        operation.took(Duration::from_micros(300));
        operation.unavailable();
        holds(&metrics, r#"sarsen_store_seconds_bucket{le="0.0005",operation="commit"} 1"#);
        holds(&metrics, r#"sarsen_store_errors_total{operation="commit",kind="unavailable"} 1"#);
        let jobs_failed = BTreeMap::from([("due".to_owned(), 2)]);
        let queues = vec![ObservedQueue { queue: "outbox", length: 3, oldest_seconds: 1.5 }];
        let observed = StoreObservation {
            store_up: true,
            clock_offset_seconds: -0.25,
            store_used: Some(0.5),
            queues,
            jobs_failed,
        };
        let text = metrics.encode(&observed).unwrap();
        for line in [
            "sarsen_store_up 1.0",
            "sarsen_store_clock_offset_seconds -0.25",
            "sarsen_store_used_ratio 0.5",
            r#"sarsen_jobs_failed_total{kind="due"} 2"#,
            r#"sarsen_queue_length{queue="outbox"} 3.0"#,
            r#"sarsen_queue_oldest_seconds{queue="outbox"} 1.5"#,
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in {text}");
        }
        for name in ["cpu_seconds_total", "resident_memory_bytes", "open_fds", "max_fds", "start_time_seconds"] {
            assert!(text.contains(&format!("\nprocess_{name} ")), "{name} in {text}");
        }
        let unknown = metrics.encode(&StoreObservation::default()).unwrap();
        assert!(unknown.contains("sarsen_store_up 0.0") && !unknown.contains("sarsen_store_used_ratio"), "{unknown}");
    }
}
