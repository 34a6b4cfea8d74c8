//! Metrics that a service exports: the names of its samples, with the values of each label.

use std::collections::{BTreeMap, BTreeSet};

use sarsen::app;
use sarsen::config::Settings;
use sarsen::games::{GameSettings, Games};

/// For each sample its labels, and for each label its values.
pub struct Exported(pub BTreeMap<String, BTreeMap<String, BTreeSet<String>>>);

impl Exported {
    /// Returns the metrics that a service on the embedded store exports when it has just begun.
    pub async fn now() -> Exported {
        let dir = tempfile::tempdir().unwrap();
        let running = app::start(Settings::local(dir.path()), Games::standard(GameSettings::default())).await.unwrap();
        let address = running.metrics_addr.expect("metrics on the loopback interface");
        let text = reqwest::get(format!("http://{address}/metrics")).await.unwrap().text().await.unwrap();
        running.stop().await.unwrap();
        Exported::read(&text)
    }

    fn read(text: &str) -> Exported {
        let mut found: BTreeMap<String, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (sample, _) = line.rsplit_once(' ').unwrap();
            let (name, labels) = sample.split_once('{').unwrap_or((sample, "}"));
            let known = found.entry(name.to_owned()).or_default();
            // No value of ours holds a comma or a quotation mark.
            for pair in labels.trim_end_matches('}').split(',').filter(|pair| !pair.is_empty()) {
                let (label, value) = pair.split_once('=').unwrap();
                known.entry(label.to_owned()).or_default().insert(value.trim_matches('"').to_owned());
            }
        }
        Exported(found)
    }
}

#[test]
fn samples_are_read_with_their_labels() {
    let Exported(found) =
        Exported::read("# TYPE a counter\na_total{x=\"1\",y=\"2\"} 3\na_total{x=\"4\"} 5.0\nb 1\n# EOF\n");
    assert_eq!(found.keys().collect::<Vec<_>>(), ["a_total", "b"]);
    assert_eq!(found["a_total"]["x"], BTreeSet::from(["1".to_owned(), "4".to_owned()]));
    assert!(found["b"].is_empty());
}
