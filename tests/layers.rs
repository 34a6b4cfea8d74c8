//! Who may import whom: reads the imports of every module and fails on a breach of the layering.

#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What each top-level module may import, besides itself. `ambient` is open to everyone but the rules layer.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("rules", &[]),
    ("games", &["rules"]),
    ("ambient", &[]),
    ("text", &[]),
    ("ids", &["ambient"]),
    ("auth", &["ids", "ambient"]),
    ("store", &["ids", "ambient"]),
    ("matches", &["rules", "games", "store", "ids", "ambient"]),
    ("players", &["auth", "store", "ids", "text", "ambient"]),
    ("telemetry", &[]),
    ("http", &["matches", "players", "auth", "games", "rules", "store", "ids", "telemetry", "ambient"]),
    ("config", &["http", "auth", "store", "telemetry"]),
];

/// Crates that rules and games must not know: they are pure.
const IMPURE: &[&str] = &["actix_web", "tokio", "redis", "redb", "tracing", "time", "async_trait", "jsonwebtoken"];

/// Parts of the standard library that would make rules and games impure.
const IMPURE_STD: &[&str] = &["std::fs", "std::net", "std::time", "std::env", "std::thread", "std::process"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn files(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("a source directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file without comments and without its tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a source file");
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
    let uncommented = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    text.lines().map(uncommented).collect::<Vec<_>>().join("\n")
}

fn is_test(path: &Path) -> bool {
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let folder = path.components().any(|part| part.as_os_str() == "tests");
    folder || name.ends_with("tests") || ["conformance", "fixture", "laws", "fake_store"].contains(&name)
}

fn modules() -> impl Iterator<Item = (String, PathBuf)> {
    let mut found = Vec::new();
    files(&source(), &mut found);
    found.into_iter().filter(|path| !is_test(path)).map(|path| {
        let inner = path.strip_prefix(source()).expect("a file of the source");
        let top = inner.components().next().expect("a name").as_os_str().to_string_lossy();
        (top.trim_end_matches(".rs").to_owned(), path)
    })
}

/// The top-level modules that `code` names after `crate::`.
fn imports(code: &str) -> BTreeSet<String> {
    let name = |rest: &str| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    code.split("crate::").skip(1).map(name).filter(|name| !name.is_empty()).collect()
}

#[test]
fn modules_import_only_what_lies_below_them() {
    let mut breaches = Vec::new();
    for (module, path) in modules() {
        if ["lib", "main"].contains(&module.as_str()) {
            continue;
        }
        let (_, allowed) = MAY_IMPORT
            .iter()
            .find(|(name, _)| *name == module)
            .unwrap_or_else(|| panic!("the module {module} has no line in this test"));
        for import in imports(&code(&path)) {
            // Macros are exported at the top, whoever declares them.
            let macro_name = ["tagged_union", "game_request"].contains(&import.as_str());
            if import != module && !macro_name && !allowed.contains(&import.as_str()) {
                breaches.push(format!("{} imports {import}", path.display()));
            }
        }
    }
    assert!(breaches.is_empty(), "{breaches:#?}");
}

#[test]
fn rules_and_games_are_pure() {
    let mut breaches = Vec::new();
    for (module, path) in modules().filter(|(module, _)| ["rules", "games"].contains(&module.as_str())) {
        let code = code(&path);
        for name in IMPURE.iter().map(|name| format!("{name}::")).chain(IMPURE_STD.iter().map(|s| (*s).to_owned())) {
            let named = code
                .match_indices(&name)
                .any(|(at, _)| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':'));
            if named {
                breaches.push(format!("{module}: {} names {name}", path.display()));
            }
        }
    }
    assert!(breaches.is_empty(), "{breaches:#?}");
}

#[test]
fn source_files_stay_readable() {
    let long: Vec<String> = modules()
        .map(|(_, path)| (fs::read_to_string(&path).expect("a source file").lines().count(), path))
        .filter(|(lines, _)| *lines > 600)
        .map(|(lines, path)| format!("{} has {lines} lines", path.display()))
        .collect();
    assert!(long.is_empty(), "{long:#?}");
}
