//! Environment variables have one list each: those of the service are the settings of `src/program/config.rs` and the bounds
//! of accounts, those of tests, benchmarks and fuzzing stand at the head of `tests/run.sh`. Nothing names another.

#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(path: PathBuf, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a directory") {
            files(entry.expect("an entry").path(), found);
        }
    } else {
        found.push(path);
    }
}

/// The variables that a text names.
fn named(text: &str) -> BTreeSet<&str> {
    let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let follows = |word: &str, first| word.strip_prefix(first).is_some_and(|rest| !rest.is_empty());
    let is_variable = |word: &&str| ["SARSEN_", "BENCH_", "PROPTEST_"].iter().any(|first| follows(word, *first));
    text.split(|c| !is_part(c)).filter(is_variable).collect()
}

/// The comment at the head of `tests/run.sh`.
fn head() -> String {
    let script = fs::read_to_string(top().join("tests/run.sh")).expect("the script");
    script.lines().take_while(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect()
}

#[test]
fn every_variable_is_listed_and_every_listed_one_is_read() {
    let head = head();
    let listed = named(&head);
    let bounds = "src/accounts/players/bounds.rs";
    let mut files_of_settings = vec![top().join("src/program/config.rs"), top().join(bounds)];
    files(top().join("src/program/config"), &mut files_of_settings);
    let config: String = files_of_settings.iter().map(|path| fs::read_to_string(path).expect("the settings")).collect();
    // Flags name theirs; a secret that must not be a flag is read by its name.
    let named_after = |mark: &'static str| config.split(mark).skip(1).filter_map(|rest| rest.split('"').next());
    let settings = named_after("env = \"").chain(named_after("env::var(\"")).collect::<BTreeSet<_>>();
    assert!(settings.contains("SARSEN_LISTEN") && settings.is_disjoint(&listed), "{settings:?}");

    let mut paths = Vec::new();
    for place in ["src", "tests", "deploy", "openapi/clients/README.md", ".ci", ".github", "README.md"] {
        files(top().join(place), &mut paths);
    }
    let (mut elsewhere, mut unread) = (Vec::new(), listed.clone());
    for path in paths.iter().filter(|path| **path != top().join("tests/run.sh")) {
        // What is no text names nothing.
        let Ok(text) = fs::read_to_string(path) else { continue };
        for name in named(&text) {
            unread.remove(name);
            if !listed.contains(name) && !settings.contains(name) {
                elsewhere.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(elsewhere.is_empty(), "neither settings nor listed in tests/run.sh: {elsewhere:#?}");
    assert!(unread.is_empty(), "listed in tests/run.sh, but nobody reads {unread:?}");
}
