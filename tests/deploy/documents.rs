//! Documents for people name only what is there: files that they link to, metrics, and the tests of promises.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::deploy::exported::Exported;
use crate::deploy::files::{deploy, read};

/// Every file below a folder that has this ending.
fn below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let skipped = ["target", "node_modules", ".git"].iter().any(|name| path.ends_with(name));
        if path.is_dir() && !skipped {
            found.extend(below(&path, ending));
        } else if path.extension().is_some_and(|it| it == ending) {
            found.push(path);
        }
    }
    found
}

#[test]
fn links_lead_to_files() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut dead = Vec::new();
    let mut links = 0;
    for document in below(top, "md") {
        let text = read(&document);
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let sources = text.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
        for target in targets.chain(sources).filter(|target| !target.contains("://") && !target.starts_with('#')) {
            links += 1;
            let file = target.split('#').next().unwrap();
            if !document.parent().unwrap().join(file).exists() {
                dead.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(links > 30 && dead.is_empty(), "{links} links, of which dead: {dead:#?}");
}

#[test]
fn the_readme_is_short() {
    let lines = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).lines().count();
    assert!(lines <= 200, "{lines} lines");
}

#[tokio::test]
async fn operations_describes_every_metric_and_no_other() {
    let exported = Exported::now().await;
    let text = read(&deploy("OPERATIONS.md"));
    let table = text.split("| Metric |").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap();
    let named = table.lines().filter_map(|row| row.split('|').nth(1)).flat_map(|cell| cell.split('`'));
    let named: BTreeSet<&str> = named.filter(|name| name.starts_with("sarsen_")).collect();
    let family = |name: &str| {
        ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name).to_owned()
    };
    let names: BTreeSet<String> =
        exported.0.keys().filter(|name| name.starts_with("sarsen_")).map(|name| family(name)).collect();
    assert_eq!(named, names.iter().map(String::as_str).collect());
}

#[test]
fn tests_that_durability_names_are_there() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = ["tests", "src"].map(|folder| below(&top.join(folder), "rs")).concat();
    let tests: String = files.iter().map(|file| read(file)).collect();
    let text = read(&deploy("DURABILITY.md"));
    let is_name = |word: &&str| word.matches('_').count() > 2 && word.chars().all(|c| c.is_lowercase() || c == '_');
    let named: Vec<&str> = text.split('`').filter(is_name).collect();
    assert!(named.len() >= 6, "{named:?}");
    for name in named {
        assert!(tests.contains(&format!("fn {name}(")), "{name} is no test");
    }
    let words = text.split(|c: char| c.is_whitespace() || "()`,;".contains(c));
    for file in words.filter(|word| word.starts_with("tests/")) {
        assert!(top.join(file).exists(), "{file}");
    }
}
