//! Views with something changed in them: they are refused, or can be played on like any other.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::json;
use test_kit::environment::PROPTEST_CASES;

use super::*;

/// The number of changed views of each game that are tried, unless the environment says otherwise.
const CASES: u32 = 2000;
/// The number of moves that are made from a view that was accepted.
const MOVES: usize = 40;
/// One state of so many is looked at, in a match that is played at random.
const EVERY: usize = 7;

#[test]
fn whatever_is_sent_as_a_view_is_refused_or_played_on() {
    let sandbox = sandbox(5);
    let cases = PROPTEST_CASES.value().unwrap_or(CASES);
    for game in sandbox.games.ids() {
        let mut choice = Dice::new(DiceSeed([11; 32]));
        let seen = sample(&sandbox, game, &mut choice);
        let mut accepted = 0;
        for number in 0..cases {
            let (seat, view) = &seen[choice.index(seen.len()).unwrap()];
            let mut changed = view.clone();
            for _ in 0..=choice.below(3) {
                change(&mut changed, &mut choice);
            }
            // Now and then somebody else looks at it.
            let seat = if choice.below(8) == 0 { Seat::new(choice.below(5) as u8) } else { *seat };
            let tried = catch_unwind(AssertUnwindSafe(|| try_out(&sandbox, game, seat, &changed, number)));
            match tried {
                Ok(possible) => accepted += u32::from(possible),
                Err(_) => panic!("{game}: a panic over {seat:?} {changed}"),
            }
        }
        assert!(accepted < cases, "{game} accepts anything");
    }
}

#[test]
fn what_is_no_view_at_all_is_refused() {
    let sandbox = sandbox(5);
    let long = json!({"players": vec![json!({}); 50_000], "votes": vec![json!([]); 50_000]});
    let wrong = [json!(null), json!(0), json!("x"), json!([]), json!({}), json!({"game": "none"}), long];
    for (game, view) in sandbox.games.ids().into_iter().flat_map(|game| wrong.iter().map(move |view| (game, view))) {
        let order = ImagineOrder { game: game.to_owned(), view: view.clone(), seat: None, seed: None, count: 64 };
        assert!(sandbox.imagine(&order).is_err(), "{game} {view}");
    }
}

/// Returns true if the view was accepted. An accepted view is the one that is seen, and some moves are made from it.
fn try_out(sandbox: &Sandbox, game: &str, seat: Option<Seat>, view: &Value, number: u32) -> bool {
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&number.to_be_bytes());
    let seed = DiceSeed(seed);
    let order = ImagineOrder { game: game.to_owned(), view: view.clone(), seat, seed: Some(seed), count: 1 };
    let Ok(mut positions) = sandbox.imagine(&order) else { return false };
    let mut position = positions.remove(0);
    let mut choice = Dice::new(seed);
    for _ in 0..MOVES {
        views(&*position.state);
        let Some((seat, index, _)) = chosen(&*position.state, &mut choice) else { break };
        let text = sandbox.seal(&position).unwrap();
        let step = StepOrder { position: text, seat, choice: Choice::Index(index) };
        position = sandbox.step(&step, &mut KindHint::default()).unwrap().position;
    }
    true
}

/// Views of a match at every number of seats, by everybody.
fn sample(sandbox: &Sandbox, game: &str, choice: &mut Dice) -> Vec<(Option<Seat>, Value)> {
    let info = sandbox.game(game).unwrap().info();
    let mut seen = Vec::new();
    for seats in info.min_seats..=info.max_seats {
        let SandboxPosition { state: mut now, mut dice, .. } =
            first(sandbox, game, Some(seats), DiceSeed([seats; 32])).position;
        for length in 0..LONGEST {
            if length % EVERY == 0 {
                seen.extend(views(&*now));
            }
            let Some((seat, _, notation)) = chosen(&*now, choice) else { break };
            let mv = sandbox.game(game).unwrap().read_move(&MoveInput::Notation(notation)).unwrap();
            now.play(seat, mv, &mut dice).unwrap();
        }
        seen.extend(views(&*now));
    }
    seen
}

/// Changes one thing somewhere in it.
fn change(value: &mut Value, choice: &mut Dice) {
    let texts = texts_of(value);
    let places = count(value);
    let at = choice.below(places);
    let mut left = at;
    visit(value, &mut left, &mut |node| alter(node, &texts, choice));
}

fn count(value: &Value) -> u32 {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(object) => object.values().map(count).sum::<u32>(),
        _ => 0,
    }
}

/// Does something to the value of this number, counted from the root.
fn visit(value: &mut Value, left: &mut u32, act: &mut impl FnMut(&mut Value)) -> bool {
    if *left == 0 {
        act(value);
        return true;
    }
    *left -= 1;
    match value {
        Value::Array(items) => items.iter_mut().any(|item| visit(item, left, act)),
        Value::Object(object) => object.values_mut().any(|item| visit(item, left, act)),
        _ => false,
    }
}

fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(texts_of).collect(),
        Value::Object(object) => object.values().flat_map(texts_of).collect(),
        _ => Vec::new(),
    }
}

fn alter(node: &mut Value, texts: &[String], choice: &mut Dice) {
    let numbers =
        [0i64, 1, 2, 3, 5, 6, 9, 10, 29, 30, 59, 60, 64, 65, 99, 100, 127, 254, 255, 256, 65_535, -1, 1 << 53];
    match node {
        Value::Number(number) => {
            let near = number.as_i64().unwrap_or(0);
            *node = match choice.below(3) {
                0 => json!(near + 1),
                1 => json!(near - 1),
                _ => json!(numbers[choice.index(numbers.len()).unwrap()]),
            };
        }
        Value::String(_) if !texts.is_empty() => *node = json!(texts[choice.index(texts.len()).unwrap()]),
        Value::Bool(flag) => *node = json!(!*flag),
        Value::Array(items) => match (choice.below(6), items.len()) {
            (0, _) => items.clear(),
            (1, 1..) => drop(items.pop()),
            (2, 1..) => {
                let copy = items[choice.index(items.len()).unwrap()].clone();
                items.push(copy);
            }
            (3, 1..) => {
                let copy = items[0].clone();
                items.extend(std::iter::repeat_n(copy, 300));
            }
            (4, 2..) => items.reverse(),
            (5, 1..) => drop(items.remove(0)),
            _ => items.push(json!(texts.first())),
        },
        Value::Object(object) => {
            let names: Vec<String> = object.keys().cloned().collect();
            let Some(name) = choice.index(names.len()).map(|at| &names[at]) else { return };
            match choice.below(2) {
                0 => drop(object.insert(name.clone(), Value::Null)),
                _ => drop(object.remove(name)),
            }
        }
        Value::Null | Value::String(_) => {
            *node = match choice.below(4) {
                0 => json!(0),
                1 => json!([]),
                2 => json!(texts.first()),
                _ => json!({}),
            };
        }
    }
}
