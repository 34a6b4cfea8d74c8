//! Bots: the laws that they keep, and how strong they are.
//!
//! `tests/full.sh bots` plays all games of the table and prints what came of them; the ordinary tests play a few of each
//! row and see that they do not speak against it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first thing that is wrong")]

mod arena;
mod foreign;
mod laws;
mod opponents;
mod review;
mod table;

use test_kit::environment::STRENGTH;

#[test]
fn the_levels_are_as_strong_as_they_are_to_be() {
    let asked = STRENGTH.text();
    let whole = asked.is_some();
    let part = asked.filter(|text| text != "whole").unwrap_or_default();
    let rows: Vec<_> = table::rows().into_iter().filter(|row| row.name.starts_with(&part)).collect();
    assert!(!rows.is_empty(), "no row begins with {part}");
    let mut missed = Vec::new();
    for row in rows {
        let games = if whole { row.games } else { row.few };
        if games == 0 {
            continue;
        }
        let found = row.found(games);
        println!("{}", row.line(&found));
        if if whole { !row.is_met(&found) } else { row.is_refuted(&found) } {
            missed.push(row.name);
        }
    }
    arena::costs().iter().for_each(|line| println!("{line}"));
    assert!(missed.is_empty(), "{missed:#?}");
}
