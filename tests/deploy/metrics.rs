//! Alerts and board name only what the service exports.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::deploy::exported::Exported;
use crate::deploy::expressions::named;
use crate::deploy::files::{deploy, read, yaml};

/// The number of alerts: each is one more thing that wakes somebody.
const ALERTS: usize = 10;
/// Labels that Prometheus itself adds to each sample of a target.
const OF_TARGETS: [&str; 2] = ["job", "instance"];
/// Metrics that Prometheus itself has of each target.
const OF_PROMETHEUS: [&str; 1] = ["up"];

/// The faults of an expression.
fn faults(exported: &Exported, expression: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let named = named(expression);
    let mut labels: BTreeSet<&str> = OF_TARGETS.into();
    for (metric, matchers) in &named.metrics {
        let own = OF_PROMETHEUS.contains(&metric.as_str());
        let Some(known) = exported.0.get(metric) else {
            if !own {
                faults.push(format!("nothing exports {metric}"));
            }
            continue;
        };
        labels.extend(known.keys().map(String::as_str));
        for matcher in matchers.iter().filter(|matcher| !OF_TARGETS.contains(&matcher.label.as_str())) {
            match known.get(&matcher.label) {
                None => faults.push(format!("{metric} has no label {}", matcher.label)),
                Some(values) => {
                    let listed = ["=", "!="].contains(&matcher.operator.as_str()) && !matcher.value.is_empty();
                    if listed && !values.contains(&matcher.value) {
                        faults.push(format!("{metric} has no {}=\"{}\"", matcher.label, matcher.value));
                    }
                }
            }
        }
    }
    let unknown = named.grouped_by.iter().filter(|label| !labels.contains(label.as_str()));
    faults.extend(unknown.map(|label| format!("nothing there has a label {label}")));
    if named.metrics.is_empty() {
        faults.push("it names no metric".to_owned());
    }
    faults.into_iter().map(|fault| format!("{fault}: {expression}")).collect()
}

#[tokio::test]
async fn alerts_and_board_name_only_what_is_exported() {
    let exported = Exported::now().await;
    let alerts = yaml(&deploy("prometheus/alerts.yaml")).remove(0);
    let rules: Vec<&Value> =
        alerts["groups"].as_array().unwrap().iter().flat_map(|group| group["rules"].as_array().unwrap()).collect();
    assert_eq!(rules.len(), ALERTS);
    let names: BTreeSet<&str> = rules.iter().map(|rule| rule["alert"].as_str().unwrap()).collect();
    assert_eq!(names.len(), ALERTS, "an alert has its name to itself");
    let mut expressions = Vec::new();
    for rule in rules {
        for (place, key) in [("labels", "severity"), ("annotations", "summary"), ("annotations", "description")] {
            assert!(rule[place][key].is_string(), "{} has no {key}", rule["alert"]);
        }
        // What stands in a sentence is a metric too.
        let sentence = rule["annotations"]["description"].as_str().unwrap();
        let words = sentence.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        for word in words.filter(|word| word.starts_with("sarsen_")) {
            assert!(exported.0.keys().any(|name| name.starts_with(word)), "{word}");
        }
        expressions.push(rule["expr"].as_str().unwrap().to_owned());
    }
    let board: Value = serde_json::from_str(&read(&deploy("grafana/sarsen.json"))).unwrap();
    let targets = board["panels"].as_array().unwrap().iter().filter_map(|panel| panel["targets"].as_array()).flatten();
    expressions.extend(targets.map(|target| target["expr"].as_str().unwrap().to_owned()));
    assert!(expressions.len() > 3 * ALERTS, "the board has been read");
    let found: Vec<String> = expressions.iter().flat_map(|expression| faults(&exported, expression)).collect();
    assert!(found.is_empty(), "{found:#?}");

    for wrong in [
        "sarsen_nothing > 1",
        r#"sarsen_http_requests_total{code="5xx"} > 1"#,
        r#"sarsen_http_requests_total{status="500"} > 1"#,
        "sum by (queue) (sarsen_moves_total)",
        "process_nothing",
        "1 > 0",
    ] {
        assert_eq!(faults(&exported, wrong).len(), 1, "{wrong}");
    }
}

/// All that is worth counting is worth a look.
#[tokio::test]
async fn the_board_shows_every_metric_of_the_service() {
    let exported = Exported::now().await;
    let board = read(&deploy("grafana/sarsen.json"));
    let family =
        |name: &str| name.trim_end_matches("_count").trim_end_matches("_sum").trim_end_matches("_bucket").to_owned();
    let families: BTreeSet<String> =
        exported.0.keys().filter(|name| name.starts_with("sarsen_")).map(|name| family(name)).collect();
    let missing: Vec<&String> = families.iter().filter(|name| !board.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn panels_have_an_id_and_a_place_of_their_own() {
    let board: Value = serde_json::from_str(&read(&deploy("grafana/sarsen.json"))).unwrap();
    let (mut ids, mut taken) = (BTreeSet::new(), BTreeSet::new());
    for panel in board["panels"].as_array().unwrap() {
        assert!(ids.insert(panel["id"].as_u64().unwrap()) && panel["title"].is_string(), "{panel}");
        let [x, y, w, h] = ["x", "y", "w", "h"].map(|key| panel["gridPos"][key].as_u64().unwrap());
        assert!(w > 0 && h > 0 && x + w <= 24, "{panel}");
        for (column, line) in (x..x + w).flat_map(|column| (y..y + h).map(move |line| (column, line))) {
            assert!(taken.insert((column, line)), "{} lies on another", panel["title"]);
        }
    }
}

#[test]
fn the_scrape_example_finds_alerts_and_port() {
    let example = yaml(&deploy("prometheus/prometheus.yaml")).remove(0);
    for file in example["rule_files"].as_array().unwrap() {
        assert!(deploy("prometheus").join(file.as_str().unwrap()).is_file(), "{file}");
    }
    let job = &example["scrape_configs"][0];
    assert_eq!(job["job_name"], "sarsen", "as the alerts take it to be");
    let image = read(&deploy("Containerfile"));
    for target in job["static_configs"][0]["targets"].as_array().unwrap() {
        let port = target.as_str().unwrap().rsplit_once(':').unwrap().1;
        assert!(image.contains(&format!("SARSEN_METRICS_LISTEN=0.0.0.0:{port}")), "{target}");
    }
}
