//! The rules of all games, as texts: they show every move as JSON and name every ending.

use super::laws::json_examples;
use super::{GameSettings, Games};
use serde_json::Value;

/// The endings that the service adds to those of a game. Nobody can claim a match for one; few games know draws.
fn service_endings(seats: u8, draws: bool) -> Vec<&'static str> {
    let abandoned = (seats > 1).then_some("abandoned");
    let agreed = draws.then_some("draw_agreed");
    ["resignation", "timeout"].into_iter().chain(abandoned).chain(agreed).collect()
}

#[test]
fn every_kind_of_move_has_an_example_of_its_json() {
    for game in Games::standard(GameSettings::default()).iter() {
        let shown: Vec<String> = json_examples(game.info().rules)
            .map(|example| serde_json::from_str::<Value>(example).unwrap()["type"].as_str().unwrap().to_owned())
            .collect();
        for part in game.move_parts() {
            assert!(shown.iter().any(|kind| kind == part.tag), "{} shows no {}", game.info().id, part.tag);
        }
    }
}

#[test]
fn the_rules_name_every_ending() {
    for game in Games::standard(GameSettings::default()).iter() {
        let info = game.info();
        let own = info.endings.iter().copied().chain(service_endings(info.max_seats, info.draws));
        for ending in own {
            assert!(info.rules.contains(&format!("`{ending}`")), "{} does not name {ending}", info.id);
        }
        for other in ["abandoned", "draw_agreed"] {
            let named = info.rules.contains(&format!("`{other}`"));
            assert_eq!(named, service_endings(info.max_seats, info.draws).contains(&other), "{} and {other}", info.id);
        }
    }
}

#[test]
fn the_rules_name_the_moves_that_no_undo_goes_behind() {
    for game in Games::standard(GameSettings::default()).iter() {
        let info = game.info();
        let (_, undo) = info.rules.split_once("Clocks, takeovers and undo").unwrap();
        let undo = undo.split("\n## ").next().unwrap();
        let named = |kind: &str| undo.contains(&format!("`{kind}`"));
        // Henge names the few moves that are no barriers instead.
        let barriers = info.undo_barriers.iter().filter(|kind| named(kind)).count();
        let expected = if info.id == "henge" { 0 } else { info.undo_barriers.len() };
        assert_eq!(barriers, expected, "{}", info.id);
    }
}
