//! Positions that travel with the client: who may use them, what is told of them, what is refused.

use std::collections::BTreeSet;

use sarsen::games::{GameSettings, Games};
use sarsen::http::settings::{Allowances, ServerConfig};
use sarsen::store::Allowance;
use serde_json::{Value, json};

use crate::client::Client;
use crate::metrics::Scraped;
use crate::world::{Backend, Settings, World};

const POSITIONS: &str = "/v1/sandbox/positions";
const STEP: &str = "/v1/sandbox/step";
const PLAYOUT: &str = "/v1/sandbox/playout";
const IMAGINE: &str = "/v1/sandbox/imagine";
const SEED: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

async fn world() -> World {
    World::start(Backend::Embedded).await
}

fn items(answer: &Value) -> &[Value] {
    answer["items"].as_array().unwrap()
}

/// The first position of the seed.
async fn first(client: &Client, game: &str, seats: Value) -> Value {
    let order = json!({"game": game, "seats": seats, "seed": SEED});
    client.post(POSITIONS, order).await.ok()["items"][0].take()
}

/// The item after the first move of the first seat that is to act.
async fn stepped(client: &Client, item: &Value, further: Value) -> Value {
    let step = json!({"position": item["position"], "seat": item["to_act"][0], "index": 0});
    let mut order = json!({"steps": [step]});
    order.as_object_mut().unwrap().extend(further.as_object().unwrap().clone());
    client.post(STEP, order).await.ok()["items"][0].take()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_game_is_stepped_through_and_imagined() {
    let mut world = world().await;
    let ann = world.guest("Ann").await;
    for game in Games::standard(GameSettings::default()).ids() {
        let mut item = first(&ann, game, Value::Null).await;
        let (mut length, mut kinds) = (0, BTreeSet::new());
        while item["terminal"] == false && length < 60 {
            let seat = &item["seats"][0];
            assert_eq!((&seat["seat"], &seat["view"]["game"]), (&item["to_act"][0], &json!(game)));
            let listed = seat["legal_moves"]["notations"].as_array().unwrap();
            assert_eq!(seat["legal_moves"]["count"], listed.len());
            let notation = &listed[length % listed.len()];
            let step = json!({"position": item["position"], "seat": seat["seat"], "notation": notation});
            let next = ann.post(STEP, json!({"steps": [step]})).await.ok()["items"][0].take();
            assert_eq!(next["problem"], Value::Null, "{next}");
            kinds.extend(next["events"].as_array().unwrap().iter().map(|event| event["type"].to_string()));

            let view = json!({"game": game, "view": seat["view"], "seat": seat["seat"], "count": 2});
            for imagined in items(&ann.post(IMAGINE, view).await.ok()) {
                assert_eq!(imagined["seats"][0], *seat, "{game}");
                assert_eq!((&imagined["to_act"], &imagined["events"]), (&item["to_act"], &json!([])));
            }
            (item, length) = (next, length + 1);
        }
        assert!(length > 0 && !kinds.is_empty(), "{game}");
        assert_eq!(item["terminal"] == true, item["outcome"].is_object(), "{game}");
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn views_and_lists_are_shown_as_asked() {
    let mut world = world().await;
    let ann = world.guest("Ann").await;
    let item = first(&ann, "contiguity", Value::Null).await;
    let full = stepped(&ann, &item, json!({"views": "all", "legal": "full"})).await;
    assert_eq!(items(&json!({"items": full["seats"]})).len(), 2);
    for seat in full["seats"].as_array().unwrap() {
        assert_eq!(seat["view"]["turns"], 1);
        assert_eq!(seat["legal_moves"]["moves"].is_array(), seat["seat"] == full["to_act"][0], "{seat}");
    }
    let counted = stepped(&ann, &item, json!({"views": "none", "legal": "count"})).await;
    let names: Vec<&str> = counted["seats"][0]["legal_moves"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!((names, &counted["seats"][0]["view"]), (vec!["complete", "count"], &Value::Null));
    let none = stepped(&ann, &item, json!({"views": "none", "legal": "none"})).await;
    assert_eq!(none["seats"], json!([{"seat": none["to_act"][0], "view": null, "legal_moves": null}]));
    world.stop().await;
}

/// All hands and piles that are shown somewhere in a value, under these names.
fn shown<'a>(value: &'a Value, names: &[&str], found: &mut Vec<&'a Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| shown(item, names, found)),
        Value::Object(object) => {
            for (name, inner) in object {
                if names.contains(&name.as_str()) && !inner.is_null() {
                    found.push(inner);
                }
                shown(inner, names, found);
            }
        }
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_asks_for_the_views_of_those_to_act_is_shown_no_other_hand() {
    let mut world = world().await;
    let ann = world.guest("Ann").await;
    for (game, seats) in [("absolution", 3), ("sacrifice_roulette", 3), ("henge", 3)] {
        let mut item = first(&ann, game, json!(seats)).await;
        let mut hands = 0;
        for _ in 0..40 {
            if item["terminal"] == true {
                break;
            }
            let acting = item["to_act"].as_array().unwrap();
            let seen: Vec<&Value> = item["seats"].as_array().unwrap().iter().map(|seat| &seat["seat"]).collect();
            assert_eq!(seen, acting.iter().collect::<Vec<_>>());
            // Each view shows one hand, its own, and no pile; events show no hand at all.
            for seat in item["seats"].as_array().unwrap() {
                let mut found = Vec::new();
                shown(&seat["view"], &["hand"], &mut found);
                assert!(found.len() <= 1, "{game}: {seat}");
                hands += found.len();
                found.clear();
                shown(&seat["view"], &["pile", "deck"], &mut found);
                assert!(found.is_empty(), "{game}: {seat}");
            }
            let kinds = ["hand_dealt", "hands_dealt", "replacements_drawn", "cards_drawn", "luck_cards_drawn"];
            for event in item["events"].as_array().unwrap() {
                if kinds.iter().any(|kind| event["type"].as_str().unwrap().ends_with(kind)) {
                    let mut found = Vec::new();
                    shown(event, &["cards"], &mut found);
                    assert!(found.is_empty(), "{game}: {event}");
                }
            }
            item = stepped(&ann, &item, json!({})).await;
        }
        assert!(hands > 5, "{game} shows no hands");
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_step_of_a_batch_is_judged_for_itself() {
    let mut world = world().await;
    let ann = world.guest("Ann").await;
    let item = first(&ann, "contiguity", Value::Null).await;
    let (position, seat) = (item["position"].as_str().unwrap(), item["to_act"][0].as_u64().unwrap());
    let good = json!({"position": position, "seat": seat, "index": 3});
    let mut tampered = position.to_owned();
    let last = if tampered.pop() == Some('A') { 'B' } else { 'A' };
    tampered.insert(20, last);
    let mut steps = vec![
        good.clone(),
        json!({"position": tampered, "seat": seat, "index": 0}),
        json!({"position": position, "seat": seat, "notation": "nonsense"}),
        json!({"position": position, "seat": seat, "move": {"type": "move", "from": "1a"}}),
        json!({"position": position, "seat": 4, "index": 0}),
        json!({"position": position, "seat": 1 - seat, "index": 0}),
        json!({"position": position, "seat": seat, "index": 9999}),
        json!({"position": position, "seat": seat, "notation": "10a-11a"}),
        good.clone(),
    ];
    let answer = ann.post(STEP, json!({"steps": steps})).await.ok();
    let codes: Vec<&str> =
        items(&answer).iter().map(|item| item["problem"]["code"].as_str().unwrap_or("none")).collect();
    let wanted = [
        "none",
        "position_invalid",
        "malformed_move",
        "malformed_move",
        "no_such_seat",
        "not_your_turn",
        "malformed_move",
        "illegal_move",
        "none",
    ];
    assert_eq!(codes, wanted);
    let refused = &items(&answer)[7];
    assert_eq!((&refused["position"], &refused["seats"], &refused["to_act"]), (&Value::Null, &json!([]), &json!([])));
    assert!(refused["problem"]["rule"].is_string() && refused["problem"]["status"] == 422, "{refused}");
    // A copy of the text is a copy of the position: the same step leads to the same, sealed anew.
    let (mut one, mut other) = (items(&answer)[0].clone(), items(&answer)[8].clone());
    assert_ne!(one["position"].take(), other["position"].take());
    assert_eq!(one, other);
    // As many as there may be, which are done elsewhere, and one more.
    steps = vec![good; 256];
    let full = ann.post(STEP, json!({"steps": steps})).await.ok();
    assert!(items(&full).len() == 256 && items(&full).iter().all(|item| item["problem"].is_null()));
    steps.push(steps[0].clone());
    let problem = ann.post(STEP, json!({"steps": steps})).await.refused(400, "invalid_request");
    assert_eq!(problem["path"], "steps");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_wrong_with_a_request_is_said() {
    let mut world = world().await;
    let (ann, nobody) = (world.guest("Ann").await, world.nobody());
    for path in [POSITIONS, STEP, IMAGINE] {
        nobody.post(path, json!({"wrong": 1})).await.refused(401, "unauthenticated");
        ann.post(path, json!({"wrong": 1})).await.refused(400, "invalid_request");
    }
    let wrong = [
        (POSITIONS, json!({"game": "chess"}), 404, "game_not_found"),
        (POSITIONS, json!({"game": "contiguity", "seats": 3}), 422, "invalid_options"),
        (POSITIONS, json!({"game": "contiguity", "options": {"turn_limit": 5}}), 422, "invalid_options"),
        (POSITIONS, json!({"game": "contiguity", "options": {"x": 5}}), 422, "invalid_options"),
        (POSITIONS, json!({"game": "contiguity", "seed": "00"}), 400, "invalid_request"),
        (POSITIONS, json!({"game": "contiguity", "count": 65}), 400, "invalid_request"),
        (POSITIONS, json!({"game": "contiguity", "count": 0}), 400, "invalid_request"),
        (STEP, json!({"steps": []}), 400, "invalid_request"),
        (STEP, json!({"steps": [{"position": "", "seat": 0}]}), 400, "invalid_request"),
        (STEP, json!({"steps": [{"position": "", "seat": 0, "index": 0, "notation": "x"}]}), 400, "invalid_request"),
        (STEP, json!({"steps": [{"position": "", "seat": 5, "index": 0}]}), 400, "invalid_request"),
        (IMAGINE, json!({"game": "chess", "view": {}}), 404, "game_not_found"),
        (IMAGINE, json!({"game": "contiguity", "view": {"game": "henge"}}), 422, "impossible_view"),
        (IMAGINE, json!({"game": "contiguity", "view": "x"}), 422, "impossible_view"),
        (IMAGINE, json!({"game": "henge", "view": {}, "count": 64}), 422, "impossible_view"),
    ];
    for (path, body, status, code) in wrong {
        ann.post(path, body.clone()).await.refused(status, code);
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_view_of_a_match_is_imagined_and_a_position_is_no_match() {
    let mut world = world().await;
    let ann = world.guest("Ann").await;
    let made = ann.create(json!({"game": "thief_of_the_sacred_fire"})).await;
    let id = made["match"]["id"].as_str().unwrap();
    let seen = ann.read(id).await;
    let order = json!({"game": "thief_of_the_sacred_fire", "view": seen["state"], "seat": 0, "views": "all"});
    let imagined = ann.post(IMAGINE, order).await.ok()["items"][0].take();
    assert_eq!(imagined["seats"][0]["view"], seen["state"]);
    let position = imagined["position"].as_str().unwrap();
    // Where a match, a token or a player is named, a position names nothing.
    ann.get(&format!("/v1/matches/{position}")).await.refused(404, "match_not_found");
    ann.get(&format!("/v1/players/{position}")).await.refused(404, "player_not_found");
    ann.with_token(position).get("/v1/me").await.refused(401, "token_invalid");
    let options = json!({"game": "thief_of_the_sacred_fire", "position": position});
    ann.post("/v1/matches", options).await.refused(400, "invalid_request");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn steps_are_counted_and_long_bodies_taken() {
    let allowances = Allowances { sandbox: Some(Allowance { burst: 300, per_minute: 60 }), ..Allowances::default() };
    let server = ServerConfig { body_limit: 4096, ..ServerConfig::default() };
    let settings = Settings { allowances, server, ..Settings::default() };
    let mut world = World::with(Backend::Embedded, settings).await;
    let ann = world.guest("Ann").await;
    // Too long for any other operation, and longer than what is read at once.
    let steps = vec![json!({"position": "x".repeat(3000), "seat": 0, "index": 0}); 200];
    let answer = ann.post(STEP, json!({"steps": steps})).await;
    assert_eq!(answer.header("ratelimit"), Some("\"sandbox\";r=100;t=0"));
    assert!(items(&answer.ok()).iter().all(|item| item["problem"]["code"] == "position_invalid"));
    // All or none: what is left is enough for fewer, but one is counted for asking.
    let refused = ann.post(STEP, json!({"steps": steps[..101]})).await;
    assert_eq!(refused.refused(429, "rate_limited")["retry_after_seconds"], 1);
    ann.post(STEP, json!({"steps": steps[..99]})).await.ok();
    ann.post(POSITIONS, json!({"game": "contiguity"})).await.refused(429, "rate_limited");
    world.clock.advance_seconds(10);
    ann.post(POSITIONS, json!({"game": "contiguity", "count": 10})).await.ok();
    let long = vec![json!({"position": "x".repeat(6000), "seat": 0, "index": 0}); 200];
    ann.post(STEP, json!({"steps": long})).await.refused(413, "payload_too_large");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_work_waits_for_threads_and_short_work_does_not() {
    let mut world = world().await;
    let ann = world.guest("Ann").await;
    let offload = &world.service().offload;
    let (go, gate) = std::sync::mpsc::channel::<()>();
    let gate = std::sync::Arc::new(std::sync::Mutex::new(gate));
    // As much as is taken on, and none of it goes on before it may.
    let mut waiting = Vec::new();
    loop {
        let gate = gate.clone();
        match offload.take(&ann.id.parse().unwrap(), move |_| gate.lock().unwrap().recv().is_ok()) {
            Ok(work) => waiting.push(work),
            Err(_) => break,
        }
    }
    let order = |count: u32| json!({"game": "contiguity", "count": count, "views": "none", "legal": "none"});
    let problem = ann.post(POSITIONS, order(9)).await.refused(503, "busy");
    assert_eq!(problem["retry_after_seconds"], 1);
    // The alert for failures counts `5xx`.
    let scraped = Scraped::of(&world.nobody()).await;
    let sample =
        |status: &str| format!("sarsen_http_requests_total{{operation=\"createPositions\",status=\"{status}\"}}");
    assert_eq!(["5xx", "busy"].map(|status| scraped.value(&sample(status))), [0.0, 1.0]);
    ann.post(POSITIONS, order(8)).await.ok();
    drop(go);
    for work in waiting {
        work.await.unwrap();
    }
    ann.post(POSITIONS, order(9)).await.ok();
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn playouts_end_with_results_and_are_paid_for() {
    let allowances = Allowances { sandbox: Some(Allowance { burst: 20_000, per_minute: 1 }), ..Allowances::default() };
    let mut world = World::with(Backend::Embedded, Settings { allowances, ..Settings::default() }).await;
    let ann = world.guest("Ann").await;
    let start = first(&ann, "contiguity", Value::Null).await;
    let order = json!({"positions": [start["position"]], "count": 20, "seed": SEED});
    let answer = ann.post(PLAYOUT, order.clone()).await.ok();
    let ends = items(&answer);
    assert_eq!(ends.len(), 20);
    for end in ends {
        assert_eq!((&end["terminal"], &end["to_act"], &end["seats"]), (&json!(true), &json!([]), &json!([])));
        assert!(end["moves"].as_u64().unwrap() > 0 && end["outcome"].is_object(), "{end}");
    }
    let results = |answer: &Value| -> Vec<Value> {
        items(answer).iter().map(|end| json!([end["moves"], end["outcome"]])).collect()
    };
    assert_eq!(results(&ann.post(PLAYOUT, order).await.ok()), results(&answer), "the same seed");
    let bots = json!({"positions": [start["position"], "sp1."], "moves": 3, "level": "easy", "views": "actor",
        "legal": "count"});
    let played = ann.post(PLAYOUT, bots).await.ok();
    let (end, refused) = (&items(&played)[0], &items(&played)[1]);
    assert_eq!(
        (&end["moves"], &end["terminal"], &refused["problem"]["code"]),
        (&json!(3), &json!(false), &json!("position_invalid"))
    );
    assert!(
        end["seats"][0]["view"].is_object() && end["seats"][0]["legal_moves"]["count"].as_u64().unwrap() > 0,
        "{end}"
    );
    for wrong in [json!([]), json!(vec!["sp1."; 65])] {
        ann.post(PLAYOUT, json!({"positions": wrong})).await.refused(400, "invalid_request");
    }
    ann.post(PLAYOUT, json!({"positions": vec!["sp1."; 33], "count": 2})).await.refused(400, "invalid_request");
    // What is left pays for some more, and then no longer.
    let more = json!({"positions": [start["position"]], "count": 64});
    let mut refused = ann.post(PLAYOUT, more.clone()).await;
    while refused.status == 200 {
        refused = ann.post(PLAYOUT, more.clone()).await;
    }
    refused.refused(429, "rate_limited");
    world.stop().await;
}
