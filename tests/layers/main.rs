//! Laws that the compiler does not check: rings of files, purity of rules and games, and the size of files. Crates hold
//! the walls between the rooms.

#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

mod imports;

use std::collections::{BTreeMap, BTreeSet};

use imports::Sources;

/// Crates that rules and games must not know: they are pure.
const IMPURE: &[&str] = &["actix_web", "tokio", "redis", "redb", "tracing", "time", "async_trait", "jsonwebtoken"];

/// Parts of the standard library that would make rules and games impure.
const IMPURE_STD: &[&str] = &["std::fs", "std::net", "std::time", "std::env", "std::thread", "std::process"];

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

#[test]
fn no_files_import_each_other_in_a_ring_of_more_than_two() {
    let sources = Sources::read();
    let rings = rings(&sources.arrows());
    let large: Vec<_> = rings.iter().filter(|ring| ring.len() > 2).collect();
    assert!(large.is_empty(), "{large:#?}");
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
            rooms.entry(name).or_default().insert(source.crate_name());
        }
    }
    // A macro's `$name` is no name.
    rooms.retain(|name, rooms| !name.is_empty() && rooms.len() > 1 && !SHARED_NAMES.contains(&name.as_str()));
    assert!(rooms.is_empty(), "{rooms:#?}");
}

/// The modules that are taken from the standard library within braces, each as a path.
fn taken_together(code: &str) -> Vec<String> {
    let mut taken = Vec::new();
    for group in code.split("std::{").skip(1) {
        let (mut depth, mut name) = (0, String::from("std::"));
        for letter in group.chars().chain(['}']) {
            match letter {
                '{' => depth += 1,
                '}' | ',' if depth == 0 => taken.push(std::mem::replace(&mut name, String::from("std::"))),
                _ if depth == 0 && !letter.is_whitespace() => name.push(letter),
                _ => {}
            }
            match letter {
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                _ => {}
            }
        }
    }
    taken
}

/// The names in this code that would make it impure.
fn impurities(code: &str) -> Vec<String> {
    let named = |name: &String| {
        let stands = |(at, _)| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        code.match_indices(name).any(stands) || taken_together(code).iter().any(|taken| taken.starts_with(name))
    };
    let crates = IMPURE.iter().map(|name| format!("{name}::"));
    crates.chain(IMPURE_STD.iter().map(|name| (*name).to_owned())).filter(named).collect()
}

#[test]
fn rules_and_games_are_pure() {
    let mut found = Vec::new();
    let Sources(all) = Sources::read();
    for source in all.iter().filter(|source| ["rules", "games"].contains(&source.crate_name())) {
        // A bot's search may use several threads, and a law measures how soon a search ends.
        let searches = source.file.starts_with("games/bots/");
        for name in impurities(&source.code) {
            let allowed =
                searches && (name == "std::thread" || name == "std::time" && source.file.ends_with("/laws.rs"));
            if !allowed {
                found.push(format!("{} names {name}", source.file));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn an_impure_import_is_found() {
    assert_eq!(impurities("use std::fs::File;"), ["std::fs"]);
    assert_eq!(
        impurities("use std::{collections::{BTreeMap, BTreeSet}, fs, net::{Ipv4Addr}};"),
        ["std::fs", "std::net"]
    );
    assert_eq!(impurities("fn now() { tokio::time::Instant::now() }"), ["tokio::"]);
    assert_eq!(impurities("use std::{fmt, mem};\nuse crate::time::Turn;"), Vec::<String>::new());
}

/// Means to connect to others.
const CONNECTING: [&str; 11] = [
    "TcpStream::connect",
    "TcpSocket",
    "UdpSocket",
    "UnixStream",
    "socket2::Socket",
    "lookup_host",
    "to_socket_addrs",
    "process::Command",
    "hyper::",
    "reqwest::",
    "ureq::",
];
/// The outbound client, the connections to Redis, and commands that ask a running service.
const MAY_CONNECT: [&str; 3] = ["service/outbound/client.rs", "redis/", "program/commands/request.rs"];

#[test]
fn one_file_of_the_service_calls_out() {
    let Sources(all) = Sources::read();
    let connects = |code: &str| CONNECTING.iter().any(|means| code.contains(means));
    let found: Vec<&str> =
        all.iter().filter(|source| connects(&source.code)).map(|source| source.file.as_str()).collect();
    let stray: Vec<_> = found.iter().filter(|file| !MAY_CONNECT.iter().any(|known| file.starts_with(known))).collect();
    assert!(found.contains(&MAY_CONNECT[0]) && stray.is_empty(), "{stray:?}");
}

/// The laws of games, which stop at the first breach. The feature `testing` compiles them, also for games of other crates.
const LAWS: [&str; 3] = ["rules/conformance/", "games/laws.rs", "games/bots/laws.rs"];

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
const TEXTS: &[&str] = &["http/document/openapi.rs", "games/pictures/palette.rs"];

#[test]
fn lines_are_no_longer_than_a_page_is_wide() {
    let Sources(all) = Sources::read();
    let read = all.iter().filter(|source| !TEXTS.contains(&source.file.as_str()));
    let wide: Vec<String> =
        read.flat_map(|source| source.wide.iter().map(|line| format!("{}:{line}", source.file))).collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

/// Plural nouns behind a number. `sarsen_rules::phrases::counted` writes the number too, and so gets "1 card" right.
const COUNTED: [&str; 9] = ["cards", "coins", "entries", "matches", "people", "players", "points", "seconds", "turns"];
/// The placeholders before them that are no number, or one that is never 1.
const NOT_COUNTED: [&str; 5] = ["{kind} cards", "{seat} matches", "{stage} matches", "{most} turns", "{max} players"];

/// The numbers in texts whose noun would be a plural for 1 too.
fn bare_plurals(code: &str) -> Vec<String> {
    let plural = |(at, _): (usize, &str)| {
        let placeholder = &code[code[..at].rfind('{')?..=at];
        let (noun, rest) = COUNTED.into_iter().find_map(|noun| Some((noun, code[at + 2..].strip_prefix(noun)?)))?;
        let is_word = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '!');
        let has = |kind: fn(&char) -> bool| placeholder.chars().any(|c| kind(&c));
        let is_constant = has(char::is_ascii_uppercase) && !has(char::is_ascii_lowercase);
        Some(format!("{placeholder} {noun}"))
            .filter(|text| is_word && !is_constant && !NOT_COUNTED.contains(&text.as_str()))
    };
    code.match_indices("} ").filter_map(plural).collect()
}

#[test]
fn a_number_has_its_noun_from_the_phrases() {
    let Sources(all) = Sources::read();
    let found: Vec<String> = all
        .iter()
        .flat_map(|source| bare_plurals(&source.code).into_iter().map(|text| format!("{}: {text}", source.file)))
        .collect();
    assert!(found.is_empty(), "{found:#?}");
    let text = "\"{} coins, {left} seconds, {MOST} turns, {kind} cards, {} pointsman, {people} people, {} entries\"";
    assert_eq!(bare_plurals(text), ["{} coins", "{left} seconds", "{people} people", "{} entries"]);
}
