//! Hints: who may have one, what it says, and who is told.

use sarsen::http::settings::Allowances;
use sarsen::store::Allowance;
use serde_json::{Value, json};

use crate::bots::replayed_bots;
use crate::client::{Answer, Client};
use crate::metrics::Scraped;
use crate::process::{Program, borrowed, on_embedded};
use crate::tables::kinds;
use crate::world::{Backend, Settings, World, cases};

cases!(
    a_hint_can_be_played_in_every_game, everybody_is_told_of_a_hint_before_it_is_answered,
        hints_are_for_those_who_are_to_decide, hints_are_off_among_people_unless_the_creator_says_otherwise,
        a_repeated_hint_is_told_of_once;
);

async fn hint(client: &Client, id: &str) -> Answer {
    client.post(&format!("/v1/matches/{id}/hint"), json!({"level": "easy"})).await
}

/// Waits until the caller has something to decide; `None` once the match is over.
async fn decision(world: &World, client: &Client, id: &str) -> Option<Value> {
    let is_over = |seen: &Value| seen["match"]["status"] == "finished";
    world
        .eventually(async || {
            let seen = client.read(id).await;
            is_over(&seen) || seen["decision"].is_object()
        })
        .await;
    let mut seen = client.read(id).await;
    (!is_over(&seen)).then(|| seen["decision"].take())
}

async fn a_hint_can_be_played_in_every_game(world: &mut World) {
    let ann = world.guest("Ann").await;
    let games = ann.get("/v1/games").await.ok();
    for game in games["items"].as_array().unwrap() {
        let (name, fewest) = (game["id"].as_str().unwrap(), game["min_seats"].as_u64().unwrap());
        let places: Vec<Value> = (1..fewest).map(|seat| json!({"seat": seat, "bot": "easy"})).collect();
        let made = ann.post("/v1/matches", json!({"game": name, "places": places})).await.ok();
        assert_eq!(made["match"]["hints"], true, "{name}");
        let id = made["match"]["id"].as_str().unwrap();
        let mut over = false;
        for _ in 0..3 {
            let Some(open) = decision(world, &ann, id).await else {
                over = true;
                break;
            };
            let hinted = hint(&ann, id).await.ok();
            let moves = open["legal_moves"]["moves"].as_array().unwrap();
            assert!(moves.contains(&hinted["move"]), "{name}: {hinted}");
            let others = hinted["alternatives"].as_array().unwrap();
            let scores: Vec<i64> =
                [&hinted].into_iter().chain(others).map(|mv| mv["score"].as_i64().unwrap()).collect();
            assert!(scores.windows(2).all(|two| two[0] >= two[1]), "{name}: not best first: {scores:?}");
            assert!(others.iter().all(|other| other["notation"] != hinted["notation"]), "{name}: {hinted}");
            let played = json!({"decision_id": open["id"], "move": hinted["move"]});
            let made = ann.post(&format!("/v1/matches/{id}/moves"), played).await.ok();
            assert_eq!(made["notation"], hinted["notation"], "{name}");
        }
        if !over && decision(world, &ann, id).await.is_some() {
            ann.act(id, "resign").await.ok();
        }
        let (record, _) = replayed_bots(&ann, id).await;
        assert_eq!(record.format, "sarsen/record/2", "{name}");
    }
}

async fn everybody_is_told_of_a_hint_before_it_is_answered(world: &mut World) {
    let (ann, nobody) = (world.guest("Ann").await, world.nobody());
    let made = ann.post("/v1/matches", json!({"game": "thief_of_the_sacred_fire"})).await.ok();
    let id = made["match"]["id"].as_str().unwrap();
    let hinted = hint(&ann, id).await.ok();
    let seen = nobody.read(id).await;
    assert_eq!((&seen["match"]["version"], &hinted["version"]), (&json!(2), &json!(2)));
    let log = nobody.events(id).await;
    assert_eq!(log.last().unwrap()["event"], json!({"type": "hint_used", "seat": 0}));
    // What was asked before is still asked.
    assert_eq!(ann.read(id).await["decision"]["id"], made["decision"]["id"]);
    assert_eq!(ann.read(id).await["last_move"], Value::Null);
    let then = ann.get(&format!("/v1/matches/{id}/history/2?view=then")).await.ok();
    assert_eq!(then["match"]["version"], 2);
}

async fn hints_are_for_those_who_are_to_decide(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let made = ann.create(json!({"hints": true})).await;
    let id = made["match"]["id"].as_str().unwrap();
    hint(&ann, id).await.refused(409, "match_not_playing");
    let path = format!("/v1/matches/{id}/hint");
    ben.post(&path, json!({"level": 1})).await.refused(403, "not_seated");
    hint(&ben, id).await.refused(403, "not_seated");
    ben.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
    let first = ann.read(id).await["match"]["to_act"][0].as_u64().unwrap() as usize;
    let players = [&ann, &ben];
    hint(players[1 - first], id).await.refused(409, "not_your_turn");
    for wrong in [json!({}), json!({"level": "godlike"}), json!({"level": "easy", "seat": 1}), json!("easy")] {
        players[first].post(&path, wrong).await.refused(400, "invalid_request");
    }
    assert!(!kinds(&ann.events(id).await).contains(&"hint_used"), "what is refused is told to nobody");
    hint(players[first], id).await.ok();
    ann.act(id, "resign").await.ok();
    hint(players[first], id).await.refused(409, "match_over");
}

async fn hints_are_off_among_people_unless_the_creator_says_otherwise(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let made = ann.create(json!({})).await;
    assert_eq!(made["match"]["hints"], false);
    let id = made["match"]["id"].as_str().unwrap();
    ben.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
    for player in [&ann, &ben] {
        hint(player, id).await.refused(403, "hints_off");
        player.post(&format!("/v1/matches/{id}/hint"), json!({"level": 1})).await.refused(403, "hints_off");
    }
    let off = ann.create(json!({"hints": false, "places": [{"seat": 1, "bot": "easy"}]})).await;
    assert_eq!(off["match"]["hints"], false);
    hint(&ann, off["match"]["id"].as_str().unwrap()).await.refused(403, "hints_off");
}

async fn a_repeated_hint_is_told_of_once(world: &mut World) {
    let ann = world.guest("Ann").await;
    let made = ann.post("/v1/matches", json!({"game": "thief_of_the_sacred_fire"})).await.ok();
    let id = made["match"]["id"].as_str().unwrap();
    let ask = || {
        let request = ann.request(reqwest::Method::POST, &format!("/v1/matches/{id}/hint"));
        ann.send(request.json(&json!({"level": "easy"})).header("idempotency-key", "hint 1"))
    };
    let (first, again) = (ask().await, ask().await);
    assert_eq!((first.header("idempotent-replayed"), again.header("idempotent-replayed")), (None, Some("true")));
    let first = first.ok();
    assert_eq!(first, again.ok());
    // Behind the decision that it was of it is still the same, and nothing of the next.
    let open = decision(world, &ann, id).await.unwrap();
    let played = json!({"decision_id": open["id"], "move": first["move"]});
    ann.post(&format!("/v1/matches/{id}/moves"), played).await.ok();
    assert_eq!(first, ask().await.ok());
    assert_eq!(kinds(&ann.events(id).await).iter().filter(|kind| **kind == "hint_used").count(), 1);
}

/// An instance without threads that think has no room for any search, as one has whose queue is full.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hint_for_which_there_is_no_room_is_refused_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let settings = [on_embedded(&dir), ["--bot-threads", "0"].map(str::to_owned).to_vec()].concat();
    let program = tokio::task::block_in_place(|| Program::start(&borrowed(&settings)));
    let ann = program.guest("Ann").await;
    let made = ann.post("/v1/matches", json!({"game": "thief_of_the_sacred_fire"})).await.ok();
    let id = made["match"]["id"].as_str().unwrap();
    let refused = hint(&ann, id).await;
    assert_eq!(refused.header("retry-after"), Some("1"), "after a wait it would be half of that");
    assert_eq!(refused.refused(503, "busy")["retry_after_seconds"], 1);
    assert!(!kinds(&ann.events(id).await).contains(&"hint_used"), "nobody is told of a hint that nobody had");
    // The alert for failures counts `5xx`.
    let scraped = Scraped::of(&ann.without_token()).await;
    let sample = |status: &str| format!("sarsen_http_requests_total{{operation=\"getHint\",status=\"{status}\"}}");
    assert_eq!(["5xx", "busy"].map(|status| scraped.value(&sample(status))), [0.0, 1.0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_has_so_many_hints_a_minute() {
    let hints = Some(Allowance { burst: 2, per_minute: 2 });
    let allowances = Allowances { hints, ..Allowances::default() };
    let mut world = World::with(Backend::Embedded, Settings { allowances, ..Settings::default() }).await;
    let ann = world.guest("Ann").await;
    let made = ann.post("/v1/matches", json!({"game": "thief_of_the_sacred_fire"})).await.ok();
    let id = made["match"]["id"].as_str().unwrap();
    hint(&ann, id).await.ok();
    hint(&ann, id).await.ok();
    let refused = hint(&ann, id).await;
    assert!(refused.header("retry-after").is_some());
    refused.refused(429, "rate_limited");
    assert_eq!(ann.read(id).await["match"]["version"], 3);
    world.clock.advance_seconds(30);
    hint(&ann, id).await.ok();
    world.stop().await;
}
