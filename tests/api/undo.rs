//! Undo and takebacks over HTTP: what a button is told, what is answered, and that a repeated request does nothing twice.

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::tables::{Pair, WIN, kinds};
use crate::world::{World, cases};

cases!(
    a_step_of_ones_own_turn_is_undone, an_undo_is_asked_for_in_order, moves_are_taken_back_by_consent;
);

async fn keyed(client: &Client, path: &str, body: Option<Value>) -> Answer {
    let request = client.request(Method::POST, path).header("idempotency-key", path);
    client.send(if let Some(body) = body { request.json(&body) } else { request }).await
}

/// Sends a request twice: it is answered alike, and done once.
async fn twice(client: &Client, path: &str, body: Option<Value>) -> Value {
    let first = keyed(client, path, body.clone()).await;
    assert_eq!(first.header("idempotent-replayed"), None);
    let again = keyed(client, path, body).await;
    assert_eq!((again.header("idempotent-replayed"), again.ok()), (Some("true"), first.ok()));
    first.ok()
}

async fn moves_are_taken_back_by_consent(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let first = pair.turn().await.seat;
    let (mover, other) = (&pair.players[first], &pair.players[1 - first]);
    let before = mover.read(&pair.id).await;
    assert_eq!(
        (&before["match"]["undo"], &before["undo"], &before["takeback"]),
        (&json!("consent"), &Value::Null, &Value::Null)
    );
    let start = before["match"]["version"].as_u64().unwrap();
    pair.play_all(&WIN[..2]).await;
    let barred = mover.post(&pair.path("/undo"), json!({"to_version": start})).await.refused(409, "undo_barrier");
    assert_eq!((&barred["barrier_version"], &barred["reason"]), (&json!(start + 2), &json!("other_seat")));
    assert_eq!(barred["version"], start + 2);
    let there = mover.post(&pair.path("/takeback"), json!({"to_version": start + 2})).await.ok();
    assert_eq!((&there["match"]["version"], &there["takeback"]), (&json!(start + 2), &Value::Null), "nothing to do");
    let early = mover.post(&pair.path("/takeback"), json!({"to_version": 1})).await.refused(409, "undo_barrier");
    assert_eq!((&early["barrier_version"], &early["reason"]), (&json!(start), &json!("chance")));

    let offered = twice(mover, &pair.path("/takeback"), Some(json!({"to_version": start}))).await;
    let takeback = json!({"by": first, "to_version": start, "agreed_by": []});
    assert_eq!(offered["takeback"], takeback);
    assert_eq!(world.nobody().read(&pair.id).await["takeback"], takeback, "everybody is told");
    mover.act(&pair.id, "takeback/accept").await.refused(409, "no_takeback_offer");
    twice(other, &pair.path("/takeback/decline"), None).await;
    mover.post(&pair.path("/takeback"), json!({"to_version": start})).await.refused(409, "takeback_offered");
    other.post(&pair.path("/takeback"), json!({"to_version": start})).await.ok();
    let back = twice(mover, &pair.path("/takeback/accept"), None).await;
    for shown in ["state", "last_move", "undo", "takeback"] {
        assert_eq!(back[shown], before[shown], "{shown}");
    }
    assert_eq!(back["decision"]["legal_moves"], before["decision"]["legal_moves"]);
    assert_ne!(back["decision"]["id"], before["decision"]["id"]);
    let log = world.nobody().events(&pair.id).await;
    assert_eq!(kinds(&log)[log.len() - 2..], ["takeback_accepted", "move_undone"]);
    assert_eq!(log.last().unwrap()["event"], json!({"type": "move_undone", "by": 1 - first, "to_version": start}));
    let stale = before["decision"]["id"].as_str().unwrap();
    mover.play(&pair.id, stale, WIN[0]).await.refused(409, "stale_decision");
    pair.play_all(&WIN).await;
    let record = mover.get(&pair.path("/record")).await.ok();
    assert_eq!(record["format"], "sarsen/record/2");
}

async fn a_step_of_ones_own_turn_is_undone(world: &mut World) {
    let ann = world.guest("Ann").await;
    let made = ann.post("/v1/matches", json!({"game": "henge"})).await.ok();
    let id = made["match"]["id"].as_str().unwrap();
    let play = async || {
        let seen = ann.get(&format!("/v1/matches/{id}?legal_moves=notation")).await.ok();
        let (decision, mv) = (&seen["decision"]["id"], &seen["decision"]["legal_moves"]["notations"][0]);
        ann.play(id, decision.as_str().unwrap(), mv.as_str().unwrap()).await.ok()
    };
    // A Spring card, after which chance has a part; then the First Upgrade, after which it has none.
    assert_eq!(play().await["undo"], Value::Null);
    let before = ann.read(id).await;
    let to = before["match"]["version"].clone();
    let moved = play().await;
    assert_eq!(moved["undo"], json!({"to_version": to, "earliest_version": to}));
    assert_eq!(world.nobody().read(id).await["undo"], Value::Null, "it is the seat's own");
    let undone = twice(&ann, &format!("/v1/matches/{id}/undo"), Some(json!({"to_version": to}))).await;
    for shown in ["state", "last_move", "undo", "takeback"] {
        assert_eq!(undone[shown], before[shown], "{shown}");
    }
    assert_eq!(undone["decision"]["legal_moves"], before["decision"]["legal_moves"]);
    assert_ne!(undone["decision"]["id"], before["decision"]["id"]);
    let version = undone["match"]["version"].as_u64().unwrap();
    let then = ann.get(&format!("/v1/matches/{id}/history/{version}?view=then")).await.ok();
    assert_eq!(then["state"], before["state"]);
}

async fn an_undo_is_asked_for_in_order(world: &mut World) {
    let ann = world.guest("Ann").await;
    let made = ann.create(json!({"undo": "turn"})).await;
    let path = |rest: &str| format!("/v1/matches/{}/{rest}", made["match"]["id"].as_str().unwrap());
    ann.post(&path("undo"), json!({"to_version": 1})).await.refused(409, "match_not_playing");
    for wrong in [json!({}), json!({"to_version": 0}), json!({"to_version": "1"}), json!({"to_version": 1, "seat": 0})]
    {
        ann.post(&path("undo"), wrong.clone()).await.refused(400, "invalid_request");
        ann.post(&path("takeback"), wrong).await.refused(400, "invalid_request");
    }
    let ben = world.guest("Ben").await;
    ben.post(&path("undo"), json!("nonsense")).await.refused(403, "not_seated");
    ben.post(&path("join"), json!({})).await.ok();
    ben.post(&path("undo"), json!({"to_version": 99})).await.refused(404, "version_not_found");
    ben.post(&path("takeback"), json!({"to_version": 2})).await.refused(409, "undo_off");
    ann.post("/v1/matches", json!({"game": "contiguity", "undo": "never"})).await.refused(400, "invalid_request");
    ben.act(made["match"]["id"].as_str().unwrap(), "resign").await.ok();
    ben.post(&path("undo"), json!({"to_version": 1})).await.refused(409, "match_over");
}
