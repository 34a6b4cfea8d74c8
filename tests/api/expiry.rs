//! Matches that wait too long for their start, players who let too many wait, and matches that are deleted.

use serde_json::{Value, json};
use tokio::time::{Duration, Instant, sleep};

use crate::client::{Answer, Client};
use crate::world::{Backend, DEADLINE, Settings, World, cases};

const WEEK: u32 = 7 * 24 * 60 * 60;

cases!(
    a_match_says_when_it_expires, who_joins_too_late_is_told_so, bad_times_are_refused,
        too_many_open_matches_are_refused, a_deleted_match_is_not_made_again,
        what_was_called_off_is_deleted_a_week_later, finished_matches_are_deleted_where_that_is_asked_for;
    on both stores: an_expired_match_is_called_off_by_itself;
);

/// Reads a match as anybody may.
async fn shown(world: &World, id: &str) -> Answer {
    world.nobody().get(&format!("/v1/matches/{id}")).await
}

fn id_of(made: &Value) -> String {
    made["match"]["id"].as_str().unwrap().to_owned()
}

/// The milliseconds between two moments of an answer.
fn between(from: &Value, to: &Value) -> i64 {
    let moment = |value: &Value| sarsen::ambient::Timestamp::from_rfc3339(value.as_str().unwrap()).unwrap().0;
    moment(to) - moment(from)
}

/// Waits until the match has this status; answers how long that took.
async fn until_it_is(world: &World, id: &str, status: &str) -> Duration {
    let begun = Instant::now();
    loop {
        let answer = shown(world, id).await;
        let now = if answer.status == 404 { json!("gone") } else { answer.ok()["match"]["status"].clone() };
        if now == status {
            return begun.elapsed();
        }
        assert!(begun.elapsed() < DEADLINE, "it is {now}, not {status}");
        sleep(Duration::from_millis(20)).await;
    }
}

async fn a_match_says_when_it_expires(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let public = ann.create(json!({})).await;
    let (made, expires) = (&public["match"]["created_at"], &public["match"]["expires_at"]);
    assert_eq!(between(made, expires), i64::from(WEEK) * 1000);
    let brief = ann.create(json!({"expires_in_seconds": 60})).await;
    assert_eq!(between(&brief["match"]["created_at"], &brief["match"]["expires_at"]), 60_000);
    let usual = ann.create(json!({"expires_in_seconds": null})).await;
    assert_eq!(between(&usual["match"]["created_at"], &usual["match"]["expires_at"]), i64::from(WEEK) * 1000);
    let private = ann.create(json!({"visibility": "private"})).await;
    assert_eq!(private["match"]["expires_at"], Value::Null);
    let bounded = ann.create(json!({"visibility": "private", "expires_in_seconds": 2_592_000})).await;
    assert_eq!(between(&bounded["match"]["created_at"], &bounded["match"]["expires_at"]), 2_592_000_000);

    let listed = world.nobody().get("/v1/matches?status=open").await.ok();
    assert!(listed["items"].as_array().unwrap().iter().all(|listed| listed["expires_at"].is_string()), "{listed}");
    let joined = ben.post(&format!("/v1/matches/{}/join", id_of(&brief)), json!({})).await.ok();
    assert_eq!((&joined["match"]["status"], &joined["match"]["expires_at"]), (&json!("playing"), &Value::Null));
    world.clock.advance_seconds(61);
    sleep(Duration::from_millis(1500)).await;
    assert_eq!(shown(world, &id_of(&brief)).await.ok()["match"]["status"], "playing", "it has started in time");
}

async fn an_expired_match_is_called_off_by_itself(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let id = id_of(&ann.create(json!({"expires_in_seconds": 60, "start": "manual"})).await);
    ben.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
    world.clock.advance_seconds(60);
    let took = until_it_is(world, &id, "aborted").await;
    // 1 second at least at the 99th percentile, and one instance looks four times a second; this machine may be busy.
    assert!(took < Duration::from_millis(2500), "{took:?}");
    let log = world.nobody().events(&id).await;
    let ends: Vec<&Value> = log.iter().filter(|event| event["event"]["type"] == "match_aborted").collect();
    assert_eq!(ends.len(), 1);
    assert_eq!(ends[0]["event"]["reason"], "expired");
    let seen = shown(world, &id).await.ok();
    assert_eq!(seen["match"]["expires_at"], Value::Null);
    assert!(seen["match"]["seed"].is_string(), "as with every match that was called off");
    // Whoever sat there is told.
    let told = ben.inbox().await;
    assert_eq!(told.last().unwrap()["events"][0]["event"]["reason"], "expired");
    let listed = world.nobody().get("/v1/matches?status=open").await.ok();
    assert!(listed["items"].as_array().unwrap().iter().all(|listed| listed["id"] != *id), "{listed}");

    let by_hand = id_of(&ann.create(json!({})).await);
    ann.act(&by_hand, "abort").await.ok();
    assert_eq!(world.nobody().events(&by_hand).await.last().unwrap()["event"]["reason"], "creator");
}

async fn who_joins_too_late_is_told_so(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let id = id_of(&ann.create(json!({"expires_in_seconds": 60, "start": "manual"})).await);
    let full = id_of(&ann.create(json!({"expires_in_seconds": 60, "start": "manual"})).await);
    ben.post(&format!("/v1/matches/{full}/join"), json!({})).await.ok();
    let version = shown(world, &id).await.ok()["match"]["version"].clone();
    world.clock.advance_seconds(60);
    // Before the work has come to it or after: it is the same answer.
    ben.post(&format!("/v1/matches/{id}/join"), json!({})).await.refused(409, "match_expired");
    ann.act(&full, "start").await.refused(409, "match_expired");
    until_it_is(world, &id, "aborted").await;
    until_it_is(world, &full, "aborted").await;
    ben.post(&format!("/v1/matches/{id}/join"), json!({})).await.refused(409, "match_expired");
    ann.act(&full, "start").await.refused(409, "match_expired");
    assert_eq!(shown(world, &id).await.ok()["match"]["version"], json!(version.as_u64().unwrap() + 1));
}

async fn bad_times_are_refused(world: &mut World) {
    let ann = world.guest("Ann").await;
    for wrong in [json!(59), json!(2_592_001), json!(0), json!(-60), json!(60.5), json!("60"), json!({}), json!(1e12)] {
        let fields = json!({"game": "contiguity", "expires_in_seconds": wrong.clone()});
        let problem = ann.post("/v1/matches", fields).await.refused(400, "invalid_request");
        assert_eq!(problem["path"], "expires_in_seconds", "{wrong}");
    }
    assert_eq!(ann.get("/v1/matches?mine=true").await.ok()["items"], json!([]));
    for right in [60, 2_592_000] {
        ann.create(json!({"expires_in_seconds": right})).await;
    }
}

async fn what_was_called_off_is_deleted_a_week_later(world: &mut World) {
    let ann = world.guest("Ann").await;
    let (id, stays) = (id_of(&ann.create(json!({})).await), id_of(&ann.create(json!({"visibility": "private"})).await));
    ann.act(&id, "abort").await.ok();
    ann.act(&stays, "abort").await.ok();
    world.clock.advance_seconds(WEEK - 60);
    sleep(Duration::from_millis(600)).await;
    shown(world, &id).await.ok();
    world.clock.advance_seconds(60);
    until_it_is(world, &id, "gone").await;
    let gone = world.nobody();
    gone.get(&format!("/v1/matches/{id}/events")).await.refused(404, "match_not_found");
    let listed = gone.get("/v1/matches?status=aborted").await.ok();
    assert_eq!(listed["items"], json!([]));
    let store = world.store();
    let until = Instant::now() + DEADLINE;
    while store.load_match(&stays.parse().unwrap(), None).await.unwrap().is_some() {
        assert!(Instant::now() < until, "the private one too");
        sleep(Duration::from_millis(20)).await;
    }
}

async fn too_many_open_matches_are_refused(world: &mut World) {
    let settings = Settings { open_per_player: Some(3), hosted_per_player: Some(1), ..Settings::default() };
    let mut world = World::with(world.backend(), settings).await;
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let create = async |player: &Client, key: &str, fields: Value| {
        let request = player.request(reqwest::Method::POST, "/v1/matches").header("Idempotency-Key", key).json(&fields);
        player.send(request).await
    };
    let fields = json!({"game": "contiguity"});
    // Where lists follow a moment later, two at once may pass: so each is waited for.
    let listed = async |count: usize| {
        let until = Instant::now() + DEADLINE;
        while ann.get("/v1/matches?mine=true&status=open").await.ok()["items"].as_array().unwrap().len() != count {
            assert!(Instant::now() < until);
            sleep(Duration::from_millis(10)).await;
        }
    };
    let mut made = Vec::new();
    for count in 1..=3 {
        made.push(id_of(&create(&ann, &format!("k{count}"), fields.clone()).await.ok()));
        listed(count).await;
    }
    create(&ann, "k4", fields.clone()).await.refused(409, "too_many_open");
    create(&ann, "k4", json!({"game": "contiguity", "visibility": "private"})).await.refused(409, "too_many_open");
    // Tables for others have a bound of their own.
    let hosted = json!({"game": "contiguity", "seat": null});
    create(&ann, "hosted", hosted.clone()).await.ok();
    listed(4).await;
    create(&ann, "k5", hosted).await.refused(409, "too_many_open");
    // What was made before is answered again, others may make theirs, and a match that starts at once waits for nobody.
    assert_eq!(id_of(&create(&ann, "k3", fields.clone()).await.ok()), made[2]);
    create(&ben, "k1", fields.clone()).await.ok();
    create(&ann, "solo", json!({"game": "thief_of_the_sacred_fire", "seats": 1})).await.ok();
    // One starts, and there is room again.
    ben.post(&format!("/v1/matches/{}/join", made[0]), json!({})).await.ok();
    listed(3).await;
    create(&ann, "k4", fields.clone()).await.ok();
    listed(4).await;
    // To sit at others' tables is not to make them.
    for seated in 0..4 {
        let other = world.guest("Cid").await;
        let theirs = id_of(&other.create(json!({"start": "manual"})).await);
        ben.post(&format!("/v1/matches/{theirs}/join"), json!({})).await.ok();
        assert!(seated < 4);
    }
    create(&ben, "k2", fields).await.ok();
    world.stop().await;
}

async fn a_deleted_match_is_not_made_again(world: &mut World) {
    let ann = world.guest("Ann").await;
    let create = async || {
        let request = ann.request(reqwest::Method::POST, "/v1/matches").header("Idempotency-Key", "k");
        ann.send(request.json(&json!({"game": "contiguity"}))).await
    };
    let id = id_of(&create().await.ok());
    let store = world.store();
    let found = store.load_match(&id.parse().unwrap(), None).await.unwrap().unwrap();
    store.delete_match(&id.parse().unwrap(), found.version, found.stamp).await.unwrap();
    create().await.refused(404, "match_not_found");
    create().await.refused(404, "match_not_found");
    shown(world, &id).await.refused(404, "match_not_found");
    // Its notices lead nowhere, and others still come.
    let other = id_of(&ann.create(json!({})).await);
    let told = ann.inbox_of(1).await;
    assert!(told.iter().all(|told| told["match_id"] == *other), "{told:?}");
}

async fn finished_matches_are_deleted_where_that_is_asked_for(world: &mut World) {
    let pair = crate::tables::Pair::seated(world, json!({})).await;
    pair.players[0].act(&pair.id, "resign").await.ok();
    world.clock.advance_seconds(WEEK);
    sleep(Duration::from_millis(600)).await;
    assert_eq!(shown(world, &pair.id).await.ok()["match"]["status"], "finished");
    // The same data with another setting: what had ended before is found too.
    world.change(Settings { expire_finished_days: Some(30), ..Settings::default() });
    world.restart().await;
    sleep(Duration::from_millis(600)).await;
    assert_eq!(shown(world, &pair.id).await.ok()["match"]["status"], "finished");
    world.clock.advance_seconds(30 * 24 * 60 * 60 - WEEK);
    until_it_is(world, &pair.id, "gone").await;
}

/// Two instances with much to do, one of which dies at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_expire_at_once_each_once_although_an_instance_dies() {
    let mut world = World::start(Backend::Redis).await;
    world.add_instance().await;
    world.add_instance().await;
    let ann = world.guest("Ann").await;
    let mut ids = Vec::new();
    for _ in 0..300 {
        ids.push(id_of(&ann.create(json!({"expires_in_seconds": 60})).await));
    }
    world.clock.advance_seconds(60);
    let begun = Instant::now();
    world.kill_instance(0);
    for id in &ids {
        until_it_is(&world, id, "aborted").await;
    }
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    for id in &ids {
        let log = world.store().log(&id.parse().unwrap(), 0, 10).await.unwrap();
        assert_eq!(log.len(), 2, "made, and called off once");
    }
    world.stop().await;
}
