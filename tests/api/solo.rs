//! A match with one seat: Thief of the Sacred Fire.

use sarsen::games::{GameSettings, Games};
use sarsen::matches::export::verify;
use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::reads::listed;
use crate::tables::kinds;
use crate::world::{World, cases};

cases!(
    a_solo_match_starts_when_it_is_made, a_solo_match_started_by_hand_takes_entropy_first,
        whoever_makes_a_solo_match_for_another_looks_on, anyone_may_watch_a_public_solo_match_but_nobody_joins,
        resigning_a_solo_match_loses_it, nobody_claims_or_draws_in_a_solo_match, illegal_solo_moves_name_their_rule,
        a_dry_run_shows_nothing_that_is_drawn, a_whole_solo_match_to_a_checked_record;
);

const GAME: &str = "thief_of_the_sacred_fire";

/// A solo match that differs from the usual one in `fields`, as its maker sees it.
async fn made(ann: &Client, fields: Value) -> (String, Value) {
    let mut body = json!({"game": GAME});
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let view = ann.create(body).await;
    (view["match"]["id"].as_str().unwrap().to_owned(), view)
}

/// A move of the only seat.
async fn play(ann: &Client, id: &str, notation: &str) -> Answer {
    let decision = ann.read(id).await["decision"]["id"].as_str().unwrap_or("1.0").to_owned();
    ann.play(id, &decision, notation).await
}

async fn a_solo_match_starts_when_it_is_made(world: &mut World) {
    let ann = world.guest("Ann").await;
    let mut mine: Vec<String> = Vec::new();
    for fields in [json!({}), json!({"seats": 1}), json!({"seats": 1, "seat": 0})] {
        let (id, view) = made(&ann, fields).await;
        assert_eq!(view["match"]["status"], "playing");
        assert_eq!((&view["match"]["version"], &view["match"]["your_seat"]), (&json!(1), &json!(0)));
        assert_eq!((&view["match"]["to_act"], &view["decision"]["id"]), (&json!([0]), &json!("1.0")));
        assert_eq!(view["decision"]["legal_moves"]["count"], 2);
        assert_eq!((&view["state"]["game"], &view["state"]["phase"]), (&json!(GAME), &json!("choosing_start")));
        let log = ann.events(&id).await;
        assert_eq!(kinds(&log)[..4], ["match_created", "player_joined", "match_started", "druids_set_up"]);
        let begun = play(&ann, &id, "start 30a").await.ok();
        assert_eq!((&begun["state"]["turn"], &begun["decision"]["id"]), (&json!(1), &json!("2.0")));
        assert_eq!(begun["state"]["cards"].as_array().unwrap().len(), 6);
        mine.push(id);
        listed(&ann, "/v1/matches?mine=true&my_turn=true", &mine.iter().map(String::as_str).collect::<Vec<_>>()).await;
    }
    for seats in [2, 5] {
        ann.post("/v1/matches", json!({"game": GAME, "seats": seats})).await.refused(422, "invalid_options");
    }
    let wrong = ann.post("/v1/matches", json!({"game": GAME, "options": {"turn_limit": 19}})).await;
    assert_eq!(wrong.refused(422, "invalid_options")["rule"], "TH-48");
}

async fn a_solo_match_started_by_hand_takes_entropy_first(world: &mut World) {
    let ann = world.guest("Ann").await;
    let (id, view) = made(&ann, json!({"start": "manual"})).await;
    assert_eq!((&view["match"]["status"], &view["state"]), (&json!("open"), &Value::Null));
    ann.put(&format!("/v1/matches/{id}/entropy"), json!({"entropy": "rowan"})).await.ok();
    let started = ann.act(&id, "start").await.ok();
    assert_eq!(
        (&started["match"]["status"], &started["match"]["seats"][0]["entropy_given"]),
        (&json!("playing"), &json!(true))
    );
}

async fn whoever_makes_a_solo_match_for_another_looks_on(world: &mut World) {
    let (host, ann) = (world.guest("Host").await, world.guest("Ann").await);
    let (id, view) = made(&host, json!({"seat": null})).await;
    assert_eq!(view["match"]["status"], "open");
    let joined = ann.post(&format!("/v1/matches/{id}/join"), json!({"entropy": "oak"})).await.ok();
    assert_eq!((&joined["match"]["status"], &joined["match"]["your_seat"]), (&json!("playing"), &json!(0)));
    assert_eq!(host.read(&id).await["decision"], Value::Null);
    host.play(&id, "2.0", "start 1a").await.refused(403, "not_seated");
}

async fn anyone_may_watch_a_public_solo_match_but_nobody_joins(world: &mut World) {
    let (ann, ben, nobody) = (world.guest("Ann").await, world.guest("Ben").await, world.nobody());
    let (id, _) = made(&ann, json!({})).await;
    play(&ann, &id, "start 1a").await.ok();
    let (own, seen) = (ann.read(&id).await, nobody.read(&id).await);
    assert_eq!(seen["state"], own["state"], "only the deck is hidden, from the player too");
    assert_eq!((&seen["state"]["deck"], &seen["state"]["deck_size"]), (&Value::Null, &json!(54)));
    assert_eq!((&seen["decision"], &seen["match"]["your_seat"]), (&Value::Null, &Value::Null));
    assert_eq!(nobody.events(&id).await, ann.events(&id).await);
    ben.post(&format!("/v1/matches/{id}/join"), json!({})).await.refused(409, "match_not_open");
    ben.play(&id, "2.0", "stay").await.refused(403, "not_seated");
    let (private, _) = made(&ann, json!({"visibility": "private"})).await;
    nobody.get(&format!("/v1/matches/{private}")).await.refused(404, "match_not_found");
}

async fn resigning_a_solo_match_loses_it(world: &mut World) {
    let ann = world.guest("Ann").await;
    let (id, _) = made(&ann, json!({})).await;
    play(&ann, &id, "start 1a").await.ok();
    assert_eq!(ann.read(&id).await["match"]["seed"], Value::Null);
    let end = ann.act(&id, "resign").await.ok();
    assert_eq!(end["match"]["status"], "finished");
    let outcome = &end["match"]["outcome"];
    assert_eq!(outcome["ending"], "resignation");
    assert_eq!(
        outcome["standings"],
        json!([{"seat": 0, "verdict": "lost", "rank": 1, "score": 0, "figures": {}}]),
        "a loss scores nothing, this one too"
    );
    assert_eq!((&end["match"]["to_act"], &end["decision"]), (&json!([]), &Value::Null));
    assert_eq!((&end["state"]["phase"], &end["state"]["ending"]), (&json!("over"), &Value::Null), "nothing is due");
    assert_eq!(end["state"]["deck"].as_array().unwrap().len(), 54, "after the end everything is open");
    assert!(end["match"]["seed"].is_string());
    ann.play(&id, "2.0", "stay").await.refused(409, "match_over");
    ann.act(&id, "resign").await.refused(409, "match_over");
    let record = serde_json::from_value(ann.get(&format!("/v1/matches/{id}/record")).await.ok()).unwrap();
    assert_eq!(verify(&Games::standard(GameSettings::default()), &record).unwrap().ending, "resignation");
}

async fn nobody_claims_or_draws_in_a_solo_match(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let (id, view) = made(&ann, json!({"move_time_seconds": 600})).await;
    assert_eq!(view["match"]["seats"][0]["claimable_at"], Value::Null, "there is nobody who could claim");
    world.clock.advance_seconds(700);
    let claim = format!("/v1/matches/{id}/claim");
    ann.post(&claim, json!({"seat": 0})).await.refused(409, "claim_not_possible");
    ann.post(&claim, json!({"seat": 1})).await.refused(409, "no_such_seat");
    ben.post(&claim, json!({"seat": 0})).await.refused(403, "not_seated");
    ann.act(&id, "draw/offer").await.refused(409, "draw_not_supported");
    ann.act(&id, "draw/accept").await.refused(409, "no_draw_offer");
    play(&ann, &id, "start 30a").await.ok();
}

async fn illegal_solo_moves_name_their_rule(world: &mut World) {
    let ann = world.guest("Ann").await;
    let (id, _) = made(&ann, json!({})).await;
    let refused = async |body: Value, code: &str| {
        let mut body = body;
        body["decision_id"] = ann.read(&id).await["decision"]["id"].clone();
        let problem = ann.post(&format!("/v1/matches/{id}/moves"), body).await.refused(422, code);
        (problem["rule"].clone(), problem["field"].clone())
    };
    let said = |text: &str| json!({"notation": text});
    assert_eq!(refused(said("start 15a"), "illegal_move").await, (json!("TH-01"), json!("space")));
    assert_eq!(refused(said("stay"), "illegal_move").await, (json!("TH-01"), json!("type")));
    play(&ann, &id, "start 30a").await.ok();
    let druid = ann.read(&id).await["state"]["druids"][0]["at"].as_str().unwrap().to_owned();
    assert_eq!(refused(said(&format!("go {druid}")), "illegal_move").await, (json!("TH-29"), json!("to")));
    assert_eq!(refused(said("take 30b"), "illegal_move").await, (json!("5.5"), json!("type")));
    assert_eq!(refused(said("start 1a"), "illegal_move").await, (json!("TH-01"), json!("type")));
    assert_eq!(refused(said("go 30a"), "illegal_move").await, (json!("TH-22"), json!("to")));
    let far = refused(json!({"move": {"type": "go", "to": "15a"}}), "illegal_move").await;
    assert!([json!("5.2"), json!("TH-19")].contains(&far.0), "{far:?}");
    assert_eq!(refused(said("go 31a"), "malformed_move").await, (json!("1.1"), json!("to")));
    assert_eq!(refused(said("go altar"), "malformed_move").await, (json!("TH-17"), json!("to")));
    for (mv, rule) in [
        (json!({"type": "go", "to": "6d"}), "1.1"),
        (json!({"type": "take", "to": 7}), "1.1"),
        (json!({"type": "start"}), "10.2"),
        (json!({"type": "go", "to": "altar"}), "TH-17"),
    ] {
        assert_eq!(refused(json!({"move": mv}), "malformed_move").await.0, rule, "{mv}");
    }
}

async fn a_dry_run_shows_nothing_that_is_drawn(world: &mut World) {
    let ann = world.guest("Ann").await;
    let (id, _) = made(&ann, json!({})).await;
    let dry = async |decision: &str, notation: &str| {
        let path = format!("/v1/matches/{id}/moves?dry_run=true");
        let tried = ann.post(&path, json!({"decision_id": decision, "notation": notation})).await;
        assert_eq!(tried.status, 200);
        tried.json()
    };
    let tried = dry("1.0", "start 1a").await;
    assert_eq!((&tried["chance_pending"], &tried["state"]["phase"]), (&json!(true), &json!("revealing_fire")));
    assert_eq!((&tried["state"]["fire"], &tried["state"]["deck"]), (&Value::Null, &Value::Null));
    assert_eq!(kinds(tried["events"].as_array().unwrap()), ["move_made", "start_chosen"]);
    play(&ann, &id, "start 1a").await.ok();
    let (view, log) = (ann.read(&id).await, ann.events(&id).await);
    let tried = dry("2.0", "stay").await;
    assert_eq!((&tried["chance_pending"], &tried["state"]["phase"]), (&json!(true), &json!("dealing")));
    assert_eq!((&tried["state"]["cards"], &tried["state"]["deck"]), (&json!([]), &Value::Null));
    assert_eq!(kinds(tried["events"].as_array().unwrap()), ["move_made", "thief_stayed", "turn_cards_discarded"]);
    assert_eq!((ann.read(&id).await, ann.events(&id).await), (view, log), "nothing was stored");
}

async fn a_whole_solo_match_to_a_checked_record(world: &mut World) {
    let ann = world.guest("Ann").await;
    let (id, _) = made(&ann, json!({"options": {"turn_limit": 20}})).await;
    play(&ann, &id, "start 1a").await.ok();
    for turn in 1..20 {
        assert_eq!(play(&ann, &id, "stay").await.ok()["state"]["turn"], turn + 1);
    }
    let last = ann.read(&id).await;
    let tried = ann
        .post(&format!("/v1/matches/{id}/moves?dry_run=true"), json!({"decision_id": "21.0", "notation": "stay"}))
        .await
        .ok();
    assert_eq!((&tried["chance_pending"], &tried["match"]["seed"]), (&json!(true), &Value::Null));
    assert_eq!(tried["state"]["deck"], Value::Null, "only the real move lays the deck open");
    assert_eq!(ann.read(&id).await, last);

    let end = play(&ann, &id, "stay").await.ok();
    let told = kinds(end["events"].as_array().unwrap()).join(" ");
    assert_eq!(told, "move_made thief_stayed dawn_came number_deck_revealed match_ended");
    let outcome = &end["match"]["outcome"];
    assert_eq!((&outcome["ending"], &outcome["standings"][0]["verdict"]), (&json!("dawn"), &json!("lost")));
    assert_eq!((&outcome["standings"][0]["score"], &outcome["figures"]["turns"]), (&json!(0), &json!(20)));
    assert_eq!(outcome["figures"]["disks"], 49);
    assert_eq!((&end["state"]["phase"], &end["state"]["deck"]), (&json!("over"), &json!([])));
    ann.play(&id, "22.0", "stay").await.refused(409, "match_over");
    let record = serde_json::from_value(ann.get(&format!("/v1/matches/{id}/record")).await.ok()).unwrap();
    let verified = verify(&Games::standard(GameSettings::default()), &record).unwrap();
    assert_eq!((verified.moves, verified.ending.as_str()), (21, "dawn"));
}
