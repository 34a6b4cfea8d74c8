//! A repeated request is applied once and answered alike.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::tables::{Pair, WIN};
use crate::world::{World, cases};

cases!(
    a_key_belongs_to_one_body, a_body_that_is_read_alike_is_the_same_request,
        null_is_another_request_where_it_means_something, a_key_belongs_to_one_player_and_one_match,
        a_refusal_uses_no_key_up, a_key_is_visible_ascii, of_64_clients_with_a_key_each_one_moves,
        a_repetition_is_answered_alike_for_ever;
    on both stores: of_64_clients_with_one_key_one_moves, of_64_clients_without_keys_one_moves;
);

async fn a_repetition_is_answered_alike_for_ever(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let turn = pair.turn().await;
    let actor = pair.players[turn.seat].clone();
    let first = actor.play_keyed(&pair.id, &turn.decision, WIN[0], "k 1").await;
    assert_eq!((first.status, first.header("idempotent-replayed")), (201, None));
    let first = first.json();
    let again = async |actor: &crate::client::Client| {
        let again = actor.play_keyed(&pair.id, &turn.decision, WIN[0], "k 1").await;
        assert_eq!((again.status, again.header("idempotent-replayed")), (201, Some("true")), "{}", again.text());
        assert_eq!(again.json(), first);
    };
    again(&actor).await;
    pair.play_all(&WIN[1..3]).await;
    again(&actor).await;
    pair.play_all(&WIN[3..]).await;
    again(&actor).await;
    let (log, version) = (actor.events(&pair.id).await, pair.version().await);
    let newest = world.restart().await;
    let actor = actor.at(world.base(newest));
    again(&actor).await;
    assert_eq!(actor.events(&pair.id).await, log);
    assert_eq!(actor.read(&pair.id).await["match"]["version"], version);
}

async fn a_key_belongs_to_one_body(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let turn = pair.turn().await;
    let actor = &pair.players[turn.seat];
    actor.play_keyed(&pair.id, &turn.decision, WIN[0], "k").await.ok();
    let version = pair.version().await;
    for notation in ["29b-5b", WIN[1], "hello"] {
        let other = actor.play_keyed(&pair.id, &turn.decision, notation, "k").await;
        other.refused(422, "idempotency_key_reused");
    }
    assert_eq!(pair.version().await, version);
}

async fn a_key_belongs_to_one_player_and_one_match(world: &mut World) {
    let one = Pair::seated(world, json!({})).await;
    let two = Pair::of(one.players.clone(), json!({})).await;
    for pair in [&one, &two] {
        for notation in &WIN[..2] {
            let turn = pair.turn().await;
            let answer = pair.players[turn.seat].play_keyed(&pair.id, &turn.decision, notation, "k").await;
            assert_eq!((answer.status, answer.header("idempotent-replayed")), (201, None), "{}", answer.text());
        }
    }
}

async fn a_body_that_is_read_alike_is_the_same_request(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let turn = pair.turn().await;
    let actor = &pair.players[turn.seat];
    let send = async |body: String| {
        let request = actor.request(reqwest::Method::POST, &pair.path("/moves")).header("idempotency-key", "k");
        actor.send(request.header("content-type", "application/json").body(body)).await
    };
    let decision = &turn.decision;
    let made = send(format!(r#"{{"decision_id":"{decision}","notation":"{}"}}"#, WIN[0])).await;
    assert_eq!((made.status, made.header("idempotent-replayed")), (201, None), "{}", made.text());
    let again = send(format!(r#"{{ "notation": "{}", "move": null, "decision_id": "{decision}" }}"#, WIN[0])).await;
    assert_eq!((again.status, again.header("idempotent-replayed")), (201, Some("true")), "{}", again.text());
    assert_eq!(again.json(), made.json());
    send(format!(r#"{{"decision_id":"{decision}","notation":"{}"}}"#, WIN[1]))
        .await
        .refused(422, "idempotency_key_reused");
}

async fn null_is_another_request_where_it_means_something(world: &mut World) {
    let ann = world.guest("Ann").await;
    let made = ann.create(json!({"game": "contiguity"})).await;
    let like = made["match"]["id"].as_str().unwrap().to_owned();
    let with = |body: &Value, property: &str| {
        let mut with = body.clone();
        with[property] = Value::Null;
        with
    };
    let nothing = ["clock", "join", "hints", "seats", "expires_in_seconds"];
    let something = ["seat", "move_time_seconds"];
    let game = json!({"game": "contiguity", "visibility": "private"});
    let cases: [(Value, &[&str], &[&str]); 3] = [
        (game.clone(), &nothing, &something),
        (json!({"like": like}), &[], &nothing),
        (json!({"game": "contiguity", "preset": "live-5-5"}), &[], &["clock"]),
    ];
    for (body, nothing, something) in cases {
        for (path, wrapped) in [("/v1/matches", false), ("/v1/matches/bulk", true)] {
            let key = format!("{path} {body}");
            let send = async |body: Value| {
                let body = if wrapped { json!({"items": [body]}) } else { body };
                let request = ann.request(reqwest::Method::POST, path).header("idempotency-key", &key);
                ann.send(request.json(&body)).await
            };
            send(body.clone()).await.ok();
            for property in nothing {
                let again = send(with(&body, property)).await;
                assert_eq!(again.header("idempotent-replayed"), Some("true"), "{property}: {}", again.text());
            }
            for property in something {
                send(with(&body, property)).await.refused(422, "idempotency_key_reused");
            }
        }
    }
}

async fn a_refusal_uses_no_key_up(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let turn = pair.turn().await;
    let actor = &pair.players[turn.seat];
    actor.play_keyed(&pair.id, &turn.decision, "15a-16a", "k").await.refused(422, "illegal_move");
    actor.play_keyed(&pair.id, &turn.decision, "hello", "k").await.refused(422, "malformed_move");
    let made = actor.play_keyed(&pair.id, &turn.decision, WIN[0], "k").await;
    assert_eq!((made.status, made.header("idempotent-replayed")), (201, None));
}

async fn a_key_is_visible_ascii(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let turn = pair.turn().await;
    let actor = &pair.players[turn.seat];
    let long = "k".repeat(256);
    for key in ["", "é", long.as_str()] {
        let answer = actor.play_keyed(&pair.id, &turn.decision, WIN[0], key).await;
        answer.refused(400, "idempotency_key_invalid");
    }
    let body = json!({"decision_id": turn.decision, "notation": WIN[0]});
    let twice = actor.request(reqwest::Method::POST, &pair.path("/moves")).json(&body);
    let twice = twice.header("idempotency-key", "a").header("idempotency-key", "b");
    actor.send(twice).await.refused(400, "idempotency_key_invalid");
    actor.play_keyed(&pair.id, &turn.decision, WIN[0], &long[1..]).await.ok();
}

/// The number of times that each answer came: its status and whether it was a replay or, where refused, the code.
pub type Counts = BTreeMap<(u16, String), usize>;

/// Sends one move 64 times at once, by turns to these instances, each with the key that `key` gives it.
pub async fn storm(pair: &Pair, instances: &[String], key: impl Fn(usize) -> Option<String>) -> Counts {
    let turn = pair.turn().await;
    let before = pair.version().await;
    let tasks = (0..64).map(|number| {
        let actor = pair.players[turn.seat].at(instances[number % instances.len()].clone());
        let (id, decision) = (pair.id.clone(), turn.decision.clone());
        let key = key(number);
        tokio::spawn(async move {
            let answer = match key {
                Some(key) => actor.play_keyed(&id, &decision, WIN[0], &key).await,
                None => actor.play(&id, &decision, WIN[0]).await,
            };
            let what = match answer.header("idempotent-replayed") {
                Some(_) => "replayed".to_owned(),
                None if answer.status == 201 => "made".to_owned(),
                None => answer.json()["code"].as_str().unwrap().to_owned(),
            };
            ((answer.status, what), answer.json())
        })
    });
    let mut counts = BTreeMap::new();
    let mut made = Vec::new();
    for task in join_all(tasks.collect::<Vec<_>>()).await {
        let ((status, what), body) = task.unwrap();
        if status == 201 {
            made.push(body);
        }
        *counts.entry((status, what)).or_default() += 1;
    }
    assert!(made.windows(2).all(|two| two[0] == two[1]), "all that succeed are answered alike");
    assert_eq!(pair.version().await, before + 1, "exactly one application: {counts:?}");
    let log = pair.players[0].events(&pair.id).await;
    assert_eq!(crate::tables::kinds(&log).iter().filter(|kind| **kind == "move_made").count(), 1);
    counts
}

pub fn counted(counts: &Counts, status: u16, what: &str) -> usize {
    counts.get(&(status, what.to_owned())).copied().unwrap_or(0)
}

async fn of_64_clients_with_a_key_each_one_moves(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let counts = storm(&pair, &[world.base(0)], |number| Some(format!("k{number}"))).await;
    assert_eq!((counted(&counts, 201, "made"), counted(&counts, 409, "not_your_turn")), (1, 63), "{counts:?}");
}

async fn of_64_clients_with_one_key_one_moves(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let counts = storm(&pair, &[world.base(0)], |_| Some("k".to_owned())).await;
    assert_eq!((counted(&counts, 201, "made"), counted(&counts, 201, "replayed")), (1, 63), "{counts:?}");
}

async fn of_64_clients_without_keys_one_moves(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let counts = storm(&pair, &[world.base(0)], |_| None).await;
    assert_eq!((counted(&counts, 201, "made"), counted(&counts, 409, "not_your_turn")), (1, 63), "{counts:?}");
}
