//! Players who leave for good.

use sarsen::ambient::Ambient;
use sarsen::ids::{MatchId, PlayerId};
use sarsen::store::{Commit, Committed, Due, Listing, Stage, Stamp};
use serde_json::{Value, json};

use crate::client::Client;
use crate::tables::{Pair, WIN};
use crate::world::{World, cases};

cases!(
    a_deletion_has_to_be_meant, an_operator_deletes_a_player,
        who_cannot_be_seen_off_keeps_neither_others_nor_other_matches, whoever_asks_again_is_seen_off_again,
        other_instances_and_later_ones_know_who_has_left;
    on both stores: whoever_leaves_is_gone_from_everywhere, a_leaving_that_was_only_begun_is_finished,
        a_player_takes_along_what_is_kept;
);

const DELETED: &str = "deleted player";

async fn leave(player: &Client) {
    player.call("DELETE", &format!("/v1/me?confirm={}", player.id)).await.ok();
}

/// The matches of somebody who leaves: made and open, joined and open, running, finished.
struct Matches {
    own: String,
    joined: String,
    running: Pair,
    finished: Pair,
}

async fn matches(ann: &Client, ben: &Client) -> Matches {
    let id = |made: Value| made["match"]["id"].as_str().unwrap().to_owned();
    let own = id(ann.create(json!({})).await);
    let joined = id(ben.create(json!({"game": "absolution", "seats": 3, "start": "manual"})).await);
    ann.post(&format!("/v1/matches/{joined}/join"), json!({})).await.ok();
    let running = Pair::of([ann.clone(), ben.clone()], json!({})).await;
    let finished = Pair::of([ben.clone(), ann.clone()], json!({})).await;
    finished.play_all(&WIN).await;
    Matches { own, joined, running, finished }
}

/// Returns true if nothing waits for the player any more.
async fn is_out(ben: &Client, matches: &Matches) -> bool {
    let own = ben.read(&matches.own).await;
    let joined = ben.read(&matches.joined).await;
    let running = ben.read(&matches.running.id).await;
    own["match"]["status"] == "aborted"
        && joined["match"]["seats"][1]["player"].is_null()
        && running["match"]["status"] == "finished"
}

async fn whoever_leaves_is_gone_from_everywhere(world: &mut World) {
    let (ann, ben) = (world.guest("Anneliese").await, world.guest("Ben").await);
    let all = matches(&ann, &ben).await;
    let record = all.finished.path("/record");
    let tag = ben.get(&record).await.header("etag").unwrap().to_owned();
    leave(&ann).await;
    ann.get("/v1/me").await.refused(401, "token_revoked");
    let refresh = json!({"refresh_token": ann.refresh_token});
    ann.without_token().post("/v1/tokens/refresh", refresh).await.refused(401, "refresh_token_invalid");

    world.eventually(async || is_out(&ben, &all).await).await;
    let running = ben.read(&all.running.id).await;
    assert_eq!(running["match"]["outcome"]["ending"], "resignation");
    let mut shown = vec![ben.get("/v1/matches").await, ben.get("/v1/me/events?limit=1000").await];
    for id in [&all.own, &all.joined, &all.running.id, &all.finished.id] {
        for rest in ["", "/history/1", "/history/2", "/events?limit=1000"] {
            shown.push(ben.get(&format!("/v1/matches/{id}{rest}")).await);
        }
    }
    shown.push(ben.get_with(&record, "if-none-match", &tag).await);
    shown.push(ben.get(&format!("/v1/players/{}", ann.id)).await);
    let mut deleted = 0;
    for answer in shown {
        let text = answer.text();
        assert!([200, 404].contains(&answer.status) && !text.contains("Anneliese"), "{} {text}", answer.status);
        deleted += usize::from(text.contains(DELETED));
    }
    assert!(deleted > 10, "{deleted}");

    // Nothing is left to do, and nothing but a tombstone is stored.
    let store = world.store();
    let is_deleted = async || {
        // Fifty times as fast as it is.
        world.clock.advance_seconds(1);
        store.deletions(10).await.unwrap().is_empty()
    };
    world.eventually(is_deleted).await;
    let id = ann.id.parse().unwrap();
    let stored = store.player(&id).await.unwrap().unwrap().stored;
    assert!(!String::from_utf8(stored).unwrap().contains("Anneliese"));
    assert!(store.sessions_of(&id).await.unwrap().is_empty());
}

async fn a_deletion_has_to_be_meant(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    for query in ["", "?confirm=yes", "?confirm=", &format!("?confirm={}", ben.id), &format!("?confirm={}&x=1", ann.id)]
    {
        ann.call("DELETE", &format!("/v1/me{query}")).await.refused(400, "invalid_parameter");
    }
    ann.get("/v1/me").await.ok();
    assert!(world.store().deletions(10).await.unwrap().is_empty());
    // Repeated, it is answered alike, whoever it was; nothing else is done with the token.
    let deletion = format!("/v1/me?confirm={}", ann.id);
    for _ in 0..2 {
        assert_eq!(ann.call("DELETE", &deletion).await.status, 204);
    }
    let store = world.store();
    let is_deleted = async || {
        world.clock.advance_seconds(1);
        store.deletions(10).await.unwrap().is_empty()
    };
    world.eventually(is_deleted).await;
    assert_eq!(ann.call("DELETE", &deletion).await.status, 204);
    ann.call("DELETE", &format!("/v1/me?confirm={}", ben.id)).await.refused(400, "invalid_parameter");
    ann.get("/v1/me").await.refused(401, "token_revoked");
    ben.get("/v1/me").await.ok();
}

async fn an_operator_deletes_a_player(world: &mut World) {
    let operator = world.operator("admin:read,admin:moderate");
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let all = matches(&ann, &ben).await;
    let file = format!("/v1/admin/players/{}", ann.id);
    let deletion = format!("{file}?confirm={}&reason=on%20request", ann.id);
    operator.call("DELETE", &deletion).await.ok();
    operator.call("DELETE", &deletion).await.ok();
    ann.get("/v1/me").await.refused(401, "token_revoked");
    world.eventually(async || is_out(&ben, &all).await).await;
    let seen = operator.get(&file).await.ok();
    assert_eq!((&seen["deleted"], &seen["player"]["name"]), (&json!(true), &json!(DELETED)));
    // A tombstone is neither renamed nor banned.
    let ban = json!({"until": null, "from": "all", "reason": "r"});
    operator.put(&format!("{file}/ban"), ban).await.refused(404, "player_not_found");
    let name = json!({"name": "Ann", "reason": "r"});
    let renamed = operator.send(operator.request(reqwest::Method::PATCH, &file).json(&name)).await;
    renamed.refused(404, "player_not_found");
    assert_eq!(ben.get(&format!("/v1/players/{}", ann.id)).await.ok()["name"], DELETED);
}

/// As an instance leaves it that dies right after the one write that counts.
async fn a_leaving_that_was_only_begun_is_finished(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let all = matches(&ann, &ben).await;
    let status = br#"{"v":1,"gone":true}"#.to_vec();
    world.store().put_status(&ann.id.parse().unwrap(), 0, status, true).await.unwrap().unwrap();
    let queues = world.operator("admin:read").get("/v1/admin/queues").await.ok();
    let deletions =
        queues["items"].as_array().unwrap().iter().find(|queue| queue["name"] == "deletions").unwrap().clone();
    assert!(deletions["length"] == 1 && deletions["oldest_at"].is_string(), "{queues}");
    let other = if world.shares_a_store() { world.add_instance().await } else { world.restart().await };
    let ben = ben.at(world.base(other));
    ann.at(world.base(other)).get("/v1/me").await.refused(401, "token_revoked");
    world.eventually(async || is_out(&ben, &all).await).await;
    assert_eq!(ben.read(&all.running.id).await["match"]["seats"][0]["player"]["name"], DELETED);
}

/// A match of a newer release, which sits on the player's list of those that are played.
async fn unreadable_match(world: &World, player: &Client) {
    let listing = Listing {
        game: "absolution".to_owned(),
        stage: Stage::Playing,
        public: false,
        players: vec![player.id.parse().unwrap()],
    };
    let commit = Commit {
        id: MatchId::generate(&Ambient::system()),
        expected: 0,
        expected_stamp: None,
        stamp: Stamp::from_number(1),
        stored: b"?".to_vec(),
        entry: b"?".to_vec(),
        listing: Some(listing),
        listed: None,
        replay: None,
        notify: Vec::new(),
        due: Due::Leave,
        jobs: Vec::new(),
    };
    assert_eq!(world.store().commit(commit).await.unwrap(), Committed::Yes);
}

async fn who_cannot_be_seen_off_keeps_neither_others_nor_other_matches(world: &mut World) {
    let store = world.store();
    let status = br#"{"v":1,"gone":true}"#.to_vec();
    for _ in 0..20 {
        let unreadable = PlayerId::generate(&Ambient::system());
        store.put_player(&unreadable, 0, b"?".to_vec()).await.unwrap();
        store.put_status(&unreadable, 0, status.clone(), true).await.unwrap().unwrap();
    }
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let all = matches(&ann, &ben).await;
    unreadable_match(world, &ann).await;
    leave(&ann).await;
    world.eventually(async || is_out(&ben, &all).await).await;

    // What cannot be read may have something to do, so nobody is done with, however long it takes.
    let looks = async || {
        let all = store.deletions(100).await.unwrap();
        all.into_iter().find(|deletion| deletion.player.as_str() == ann.id).unwrap().look_at
    };
    for _ in 0..2 {
        let before = looks().await;
        world.clock.advance_seconds(121);
        world.eventually(async || looks().await > before).await;
    }
    assert_eq!(store.deletions(100).await.unwrap().len(), 21);
}

async fn whoever_asks_again_is_seen_off_again(world: &mut World) {
    let operator = world.operator("admin:read,admin:moderate");
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let all = matches(&ann, &ben).await;
    let (store, id) = (world.store(), ann.id.parse().unwrap());
    let status = br#"{"v":1,"gone":true}"#.to_vec();
    // As a status is whose rest was lost.
    store.put_status(&id, 0, status, false).await.unwrap().unwrap();
    let deletion = format!("/v1/admin/players/{}?confirm={}&reason=again", ann.id, ann.id);
    operator.call("DELETE", &deletion).await.ok();
    world.eventually(async || is_out(&ben, &all).await).await;
    let before = store.status(&id).await.unwrap().unwrap().revision;
    operator.call("DELETE", &deletion).await.ok();
    assert!(store.status(&id).await.unwrap().unwrap().revision > before, "it was written again");
}

async fn other_instances_and_later_ones_know_who_has_left(world: &mut World) {
    let ann = world.guest("Ann").await;
    let other = if world.shares_a_store() {
        let other = world.add_instance().await;
        leave(&ann).await;
        let elsewhere = ann.at(world.base(other));
        world.eventually(async || elsewhere.get("/v1/me").await.status == 401).await;
        other
    } else {
        leave(&ann).await;
        world.restart().await
    };
    ann.at(world.base(other)).get("/v1/me").await.refused(401, "token_revoked");
}

async fn a_player_takes_along_what_is_kept(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let all = matches(&ann, &ben).await;
    let wanted = [&all.own, &all.joined, &all.running.id, &all.finished.id];
    world.eventually(async || ann.get("/v1/me/export").await.ok()["match_ids"].as_array().unwrap().len() == 4).await;
    let answer = ann.get("/v1/me/export").await;
    let kept = answer.ok();
    assert!(wanted.iter().all(|id| kept["match_ids"].as_array().unwrap().contains(&json!(id))), "{kept}");
    assert_eq!((&kept["player"]["name"], kept["sessions"].as_array().unwrap().len()), (&json!("Ann"), 1));
    // Behind the prefix and the session's id: the secret itself may have a `_`.
    let secret = ann.refresh_token.splitn(3, '_').nth(2).unwrap();
    assert_eq!(secret.len(), 43);
    assert!(!answer.text().contains(secret) && !answer.text().contains(ann.token.as_ref().unwrap()));
}
