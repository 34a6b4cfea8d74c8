//! The walls of the house: who may import whom, and what else can be read off the text of `src`.

#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

mod imports;

use std::collections::{BTreeMap, BTreeSet};

use imports::{Source, Sources};

/// What each room at the top may import, besides itself.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("rules", &[]),
    ("ambient", &[]),
    ("text", &[]),
    ("telemetry", &[]),
    ("pictures", &["rules"]),
    ("games", &["pictures", "rules"]),
    ("bots", &["rules", "games"]),
    ("ids", &["ambient"]),
    ("auth", &["ids", "ambient"]),
    ("sandbox", &["rules", "games", "bots", "auth", "ambient"]),
    ("store", &["ids", "telemetry", "ambient"]),
    ("marks", &["store", "ids", "ambient"]),
    ("matches", &["rules", "pictures", "games", "bots", "marks", "store", "ids", "telemetry", "ambient"]),
    ("players", &["auth", "marks", "store", "ids", "text", "ambient"]),
    ("jobs", &["matches", "store", "ids", "ambient"]),
    ("leaving", &["matches", "players", "marks", "store", "ids", "ambient"]),
    ("admin", &["leaving", "matches", "players", "marks", "auth", "store", "ids", "text", "ambient"]),
    (
        "http",
        &[
            "sandbox",
            "admin",
            "leaving",
            "matches",
            "players",
            "marks",
            "auth",
            "games",
            "bots",
            "pictures",
            "rules",
            "ids",
            "telemetry",
            "ambient",
        ],
    ),
    ("config", &["http", "marks", "auth", "store", "telemetry", "ids", "ambient"]),
    (
        "app",
        &[
            "config",
            "http",
            "admin",
            "jobs",
            "leaving",
            "matches",
            "players",
            "marks",
            "auth",
            "sandbox",
            "bots",
            "games",
            "bots",
            "store",
            "telemetry",
            "ambient",
        ],
    ),
    ("upkeep", &["matches", "games", "store", "ids", "ambient"]),
    (
        "commands",
        &["app", "config", "http", "upkeep", "matches", "games", "bots", "auth", "store", "telemetry", "ambient"],
    ),
];

/// The floors inside `http`, from the ground up: what each of its rooms may import, besides itself.
const HTTP_MAY_IMPORT: &[(&str, &[&str])] = &[
    ("answer", &[]),
    ("settings", &[]),
    ("farewell", &[]),
    ("service", &["answer", "settings", "farewell"]),
    ("edge", &["answer", "settings", "farewell", "service"]),
    ("extract", &["answer", "settings", "service", "edge"]),
    ("health", &["answer", "settings", "service"]),
    ("scrape", &["answer", "service", "health"]),
    ("explanations", &["answer", "extract"]),
    ("docs", &["answer"]),
    ("playground", &["answer", "settings"]),
    ("games", &["answer", "extract"]),
    ("bots", &["answer", "service", "extract"]),
    ("players", &["answer", "service", "edge", "extract"]),
    ("summary", &["answer", "service", "extract"]),
    ("tickets", &["answer", "service", "extract"]),
    ("matches", &["answer", "settings", "service", "edge", "extract", "games"]),
    ("sandbox", &["answer", "settings", "service", "edge", "extract", "matches"]),
    ("admin", &["answer", "service", "edge", "extract", "players", "matches"]),
    ("events", &["answer", "farewell", "service", "edge", "extract", "matches"]),
    ("limits", &["answer", "settings", "service", "edge", "extract", "matches", "sandbox", "events"]),
    (
        "document",
        &[
            "answer",
            "edge",
            "extract",
            "health",
            "explanations",
            "games",
            "bots",
            "players",
            "summary",
            "tickets",
            "matches",
            "sandbox",
            "admin",
            "events",
            "limits",
        ],
    ),
    (
        "app",
        &[
            "answer",
            "settings",
            "service",
            "edge",
            "extract",
            "health",
            "games",
            "limits",
            "docs",
            "playground",
            "document",
        ],
    ),
];

/// Crates that rules and games must not know: they are pure.
const IMPURE: &[&str] = &["actix_web", "tokio", "redis", "redb", "tracing", "time", "async_trait", "jsonwebtoken"];

/// Parts of the standard library that would make rules and games impure.
const IMPURE_STD: &[&str] = &["std::fs", "std::net", "std::time", "std::env", "std::thread", "std::process"];

/// What stands on no floor: the crate's root, and the program over it.
const ROOTS: &[&str] = &["lib", "main"];

/// Breaches of `table` by `sources`; `room` finds a file's room, and the room that a path leads to.
fn breaches(table: &[(&str, &[&str])], sources: &[&Source], room: impl Fn(&[String]) -> Option<String>) -> Vec<String> {
    let mut found = Vec::new();
    for (floor, (name, allowed)) in table.iter().enumerate() {
        let below = |other: &&str| table[..floor].iter().any(|(name, _)| name == other);
        found.extend(allowed.iter().filter(|other| !below(other)).map(|other| format!("{name} stands below {other}")));
    }
    for source in sources {
        let Some(own) = room(&source.module) else { continue };
        let Some((_, allowed)) = table.iter().find(|(name, _)| *name == own) else {
            found.push(format!("{} is in no room of this test", source.file));
            continue;
        };
        let imports: BTreeSet<String> = source.imports().iter().filter_map(|path| room(path)).collect();
        let wrong = imports.into_iter().filter(|import| *import != own && !allowed.contains(&import.as_str()));
        found.extend(wrong.map(|import| format!("{} imports {import}", source.file)));
    }
    found
}

#[test]
fn rooms_import_only_what_lies_below_them() {
    let Sources(all) = Sources::read();
    let sources: Vec<&Source> = all.iter().filter(|source| !ROOTS.contains(&source.room())).collect();
    // Macros are exported at the top, whoever declares them.
    let room = |path: &[String]| path.first().filter(|name| *name != "tagged_union").cloned();
    let found = breaches(MAY_IMPORT, &sources, room);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn rooms_of_http_import_only_what_lies_below_them() {
    let Sources(all) = Sources::read();
    let sources: Vec<&Source> = all.iter().filter(|source| source.room() == "http").collect();
    let room = |path: &[String]| path.get(1).filter(|_| path[0] == "http").cloned();
    let found = breaches(HTTP_MAY_IMPORT, &sources, room);
    assert!(found.is_empty(), "{found:#?}");
}

/// Rings: files each of which imports all others of its ring, directly or not. Only those of two or more.
fn rings<'a>(arrows: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<BTreeSet<&'a str>> {
    let reach = |from: &'a str| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(file) = next.pop() {
            next.extend(arrows.get(file).into_iter().flatten().copied().filter(|target| seen.insert(*target)));
        }
        seen
    };
    let reached: BTreeMap<&str, BTreeSet<&str>> = arrows.keys().map(|&file| (file, reach(file))).collect();
    let leads = |from: &str, to: &str| reached.get(from).is_some_and(|reached| reached.contains(to));
    let ring =
        |file: &&'a str| arrows.keys().copied().filter(|other| leads(file, other) && leads(other, file)).collect();
    arrows.keys().map(ring).filter(|ring: &BTreeSet<&str>| ring.len() > 1).collect()
}

/// Where there still are rings of more than two files. Who opens one takes it off this list.
const RINGS: &[&str] = &[
    "admin/",
    "commands/",
    "config",
    "games/erased/",
    "games/henge/components/",
    "games/henge/picture/",
    "jobs/",
    "store/",
];

#[test]
fn no_files_import_each_other_in_a_ring_of_more_than_two() {
    let sources = Sources::read();
    let rings = rings(&sources.arrows());
    let large: Vec<_> = rings.iter().filter(|ring| ring.len() > 2).collect();
    let is_of = |ring: &BTreeSet<&str>, place: &str| ring.iter().all(|file| file.starts_with(place));
    let other: Vec<_> = large.iter().filter(|ring| !RINGS.iter().any(|place| is_of(ring, place))).collect();
    assert!(other.is_empty(), "{other:#?}");
    let opened: Vec<_> = RINGS.iter().filter(|place| !large.iter().any(|ring| is_of(ring, place))).collect();
    assert!(opened.is_empty(), "there are none any more in {opened:?}");
}

#[test]
fn a_ring_is_found() {
    let found = |pairs: &[(&'static str, &'static str)]| {
        let mut arrows: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (from, to) in pairs {
            arrows.entry(from).or_default().insert(to);
        }
        rings(&arrows)
    };
    assert_eq!(found(&[("a", "b"), ("b", "c"), ("d", "a")]), BTreeSet::new());
    let ring = BTreeSet::from(["a", "b", "c"]);
    assert_eq!(found(&[("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")]), BTreeSet::from([ring]));
}

/// Names that two rooms still give to different things, each to be renamed in one of them.
const SHARED_NAMES: &[&str] = &["Action", "InvalidId", "Place", "Player", "Stage"];

#[test]
fn a_public_type_has_its_name_to_itself() {
    let Sources(all) = Sources::read();
    let mut rooms: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for source in &all {
        for name in source.types() {
            rooms.entry(name).or_default().insert(source.room());
        }
    }
    // A macro's `$name` is no name.
    rooms.retain(|name, rooms| !name.is_empty() && rooms.len() > 1 && !SHARED_NAMES.contains(&name.as_str()));
    assert!(rooms.is_empty(), "{rooms:#?}");
}

#[test]
fn rules_and_games_are_pure() {
    let mut found = Vec::new();
    let Sources(all) = Sources::read();
    for source in all.iter().filter(|source| ["rules", "games"].contains(&source.room())) {
        let code = &source.code;
        for name in IMPURE.iter().map(|name| format!("{name}::")).chain(IMPURE_STD.iter().map(|s| (*s).to_owned())) {
            let named = code
                .match_indices(&name)
                .any(|(at, _)| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':'));
            if named {
                found.push(format!("{} names {name}", source.file));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// The laws of games, which stop at the first breach. They are compiled always, so that other crates can call them.
const LAWS: [&str; 2] = ["rules/conformance/", "games/laws.rs"];

#[test]
fn nothing_that_serves_calls_a_law() {
    let sources = Sources::read();
    let is_law = |file: &&str| LAWS.iter().any(|law| file.starts_with(law));
    let arrows = sources.arrows();
    let mut found = Vec::new();
    for (file, targets) in arrows.iter().filter(|(file, _)| !is_law(file)) {
        found.extend(targets.iter().copied().filter(is_law).map(|target| format!("{file} -> {target}")));
    }
    assert!(arrows.keys().filter(|file| is_law(file)).count() > LAWS.len() && found.is_empty(), "{found:#?}");
}

#[test]
fn source_files_stay_readable() {
    let Sources(all) = Sources::read();
    let long: Vec<String> = all
        .iter()
        .filter(|source| source.lines > 600)
        .map(|source| format!("{} has {} lines", source.file, source.lines))
        .collect();
    assert!(long.is_empty(), "{long:#?}");
}

/// Texts of several lines stand in these as they are sent.
const TEXTS: &[&str] = &["http/document/openapi.rs", "pictures/palette.rs"];

#[test]
fn lines_are_no_longer_than_a_page_is_wide() {
    let Sources(all) = Sources::read();
    let read = all.iter().filter(|source| !TEXTS.contains(&source.file.as_str()));
    let wide: Vec<String> =
        read.flat_map(|source| source.wide.iter().map(|line| format!("{}:{line}", source.file))).collect();
    assert!(wide.is_empty(), "{wide:#?}");
}
