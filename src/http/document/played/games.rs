//! The examples of the games resource: what it answers of the first game on offer, shortened.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;

use crate::games::game::GameBody;
use crate::games::glossary::GlossaryList;
use crate::games::list::{GameList, GameSummary};
use sarsen_games::{AnyGame, Games};
use sarsen_rules::{Glossary, GlossaryEntry};

/// The answer of each operation, by its id, with its content type. Empty where there is no game.
pub(crate) fn of(games: &Games) -> HashMap<&'static str, (&'static str, Value)> {
    let Some(game) = games.iter().next().map(|game| &**game) else { return HashMap::new() };
    let examples =
        [("listGames", list(game)), ("getGame", one(game)), ("getBoard", board(game)), ("getGlossary", glossary())];
    let examples = examples.into_iter().filter_map(|(operation, example)| Some((operation, (JSON, example?))));
    examples.chain([("getGameRules", ("text/markdown", rules(game)))]).collect()
}

const JSON: &str = "application/json";

fn to_json(of: &impl Serialize) -> Option<Value> {
    serde_json::to_value(of).ok()
}

fn list(game: &dyn AnyGame) -> Option<Value> {
    to_json(&GameList { items: vec![GameSummary::from(game.info())], next_cursor: None })
}

/// With two of the rulings.
fn one(game: &dyn AnyGame) -> Option<Value> {
    let mut game = GameBody::of(game).ok()?;
    game.rulings.truncate(2);
    to_json(&game)
}

/// Up to the first section.
fn rules(game: &dyn AnyGame) -> Value {
    let blocks = game.rulebook().text().split_inclusive("\n\n");
    Value::String(blocks.take_while(|block| !block.starts_with("## ")).collect())
}

/// With the first places, and the edges between them.
fn board(game: &dyn AnyGame) -> Option<Value> {
    let mut board = to_json(&game.board())?;
    let Some(places) = board.get_mut("places").and_then(Value::as_array_mut) else { return Some(board) };
    places.truncate(3);
    let kept: Vec<Value> = places.iter().map(|place| place["id"].clone()).collect();
    let zones: Vec<Value> = places.iter().map(|place| place["zone"].clone()).collect();
    if let Some(edges) = board.get_mut("edges").and_then(Value::as_array_mut) {
        edges.retain(|edge| kept.contains(&edge["from"]) && kept.contains(&edge["to"]));
    }
    if let Some(all) = board.get_mut("zones").and_then(Value::as_array_mut) {
        all.retain(|zone| zones.contains(&zone["id"]));
    }
    Some(board)
}

/// With one card: the first game may have nothing to explain.
fn glossary() -> Option<Value> {
    let text = "Play during any action. Gain 5 coins.".to_owned();
    let card = GlossaryEntry::new("luck_card", "L01".to_owned(), "Found Silver".to_owned(), text);
    let glossary = Glossary {
        name: "Reference set".to_owned(),
        version: "1.0".to_owned(),
        digest: "00c0ffee00c0ffee".to_owned(),
        offered: true,
        entries: vec![card.tags(["any"])],
    };
    to_json(&GlossaryList { items: vec![glossary], next_cursor: None })
}
