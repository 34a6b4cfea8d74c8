//! Both backends have the same floor plan: whoever knows where something is in one knows it in the other.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Concerns that each backend has a file for, as `src/store` itself has.
const CONCERNS: &[&str] = &[
    "audit",
    "due",
    "expiring",
    "instances",
    "inventory",
    "items",
    "jobs",
    "lists",
    "live",
    "matches",
    "player_status",
    "players",
    "pools",
    "ratings",
    "subscriptions",
];

fn files(folder: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store").join(folder);
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    names.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect()
}

#[test]
fn every_concern_has_a_file_of_its_name_in_each_backend() {
    for folder in ["", "embedded", "redis"] {
        let found = files(folder);
        let missing: Vec<_> = CONCERNS.iter().filter(|concern| !found.contains(**concern)).collect();
        assert!(missing.is_empty(), "src/store/{folder} lacks {missing:?}");
    }
    for backend in ["embedded", "redis"] {
        assert!(files(backend).contains("open"), "src/store/{backend}");
    }
}
