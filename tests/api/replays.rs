//! Replays of the deliveries of a webhook.

use std::collections::BTreeSet;

use sarsen::ambient::Timestamp;
use sarsen::store::{Job, JobKind};
use serde_json::json;

use crate::notifications::{HOOKS, hooked, told_cases, world};
use crate::receiver::{Behaviour, Receiver};
use crate::tables::Pair;
use crate::world::World;

told_cases!(
    many_deliveries_are_replayed_in_pages, a_replay_is_refused_where_it_must;
    on both stores: failed_deliveries_are_replayed;
);

/// The time so many seconds ago.
fn ago(world: &World, seconds: i64) -> String {
    Timestamp(world.service().clock.now().0 - seconds * 1000).rfc3339()
}

async fn failed_deliveries_are_replayed(world: &mut World) {
    let receiver = Receiver::start(Behaviour::Status(410)).await;
    let players = [world.guest("Ann").await, world.guest("Ben").await];
    let (id, _) = hooked(&players[0], &receiver.url("/"), json!(["match.started", "match.draw_offered"])).await;
    let (hook, replay) = (format!("{HOOKS}/{id}"), format!("{HOOKS}/{id}/replay"));
    let pair = Pair::of(players, json!({})).await;
    let [ann, ben] = &pair.players;
    world.eventually(async || ann.get(&hook).await.ok()["disabled_reason"] == "gone").await;
    // A webhook that is off takes no news: the draw offer is none of its deliveries.
    ben.act(&pair.id, "draw/offer").await.ok();
    let state = async |state: &str| {
        let page = ann.get(&format!("{hook}/deliveries?state={state}")).await.ok();
        page["items"].as_array().unwrap().len()
    };
    world.eventually(async || state("failed").await == 1).await;
    receiver.behave(Behaviour::Status(204));
    ann.call("POST", &format!("{hook}/enable")).await.ok();
    let since = ago(world, 60);
    assert_eq!(ann.post(&replay, json!({"since": since})).await.status, 202);
    world.eventually(async || receiver.count() == 2).await;
    let told = receiver.all();
    assert_eq!((told[0].header("webhook-id"), &told[0].body), (told[1].header("webhook-id"), &told[1].body));
    world.eventually(async || state("delivered").await == 1 && state("failed").await == 0).await;
    // Nothing has failed since, and with all of them that one comes once more.
    let again = async |body: &serde_json::Value| ann.post(&replay, body.clone()).await.status == 202;
    world.eventually(async || again(&json!({"since": since})).await).await;
    world.eventually(async || again(&json!({"since": since, "failed_only": false})).await).await;
    world.eventually(async || receiver.count() == 3).await;
    world.eventually(async || state("delivered").await == 1).await;
    let later = ago(world, -1);
    world.eventually(async || again(&json!({"since": later, "failed_only": false})).await).await;
    world.eventually(async || again(&json!({"since": later})).await).await;
    assert_eq!(receiver.count(), 3, "nothing is that new");
}

async fn a_replay_is_refused_where_it_must(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let (id, _) = hooked(&ann, "https://hook.example/", json!(["match.ended"])).await;
    let replay = format!("{HOOKS}/{id}/replay");
    let day = 24 * 60 * 60;
    for since in [json!(ago(world, 3 * day + 60)), json!("yesterday"), json!(null)] {
        ann.post(&replay, json!({"since": since})).await.refused(400, "invalid_request");
    }
    ben.post(&replay, json!({"since": ago(world, 1)})).await.refused(404, "webhook_not_found");
    let operator = world.operator("admin:operate");
    let theirs = format!("/v1/admin/webhooks/{id}/replay");
    operator.post(&theirs, json!({"since": ago(world, 1)})).await.refused(404, "webhook_not_found");
    // One that waits for its instance.
    let body =
        json!({"v": 1, "w": {"owner": ann.id, "webhook": id, "at": 1, "since": 1, "failed_only": true}}).to_string();
    let (at, body) = (Timestamp(world.service().clock.now().0 + 3_600_000), body.into_bytes());
    let job = Job { kind: JobKind::Notify, id: format!("replay.{id}"), at, body };
    world.store().order_jobs(std::slice::from_ref(&job)).await.unwrap();
    let asked = json!({"since": ago(world, 3 * day - 60)});
    ann.post(&replay, asked.clone()).await.refused(409, "replay_running");
    assert!(world.store().move_job(&job, None, None).await.unwrap());
    assert_eq!(ann.post(&replay, asked.clone()).await.status, 202);
    // The operators have theirs.
    let made = operator.post("/v1/admin/webhooks", json!({"url": "https://hook.example/", "events": ["match.ended"]}));
    let theirs = made.await.ok()["webhook"]["id"].as_str().unwrap().to_owned();
    assert_eq!(operator.post(&format!("/v1/admin/webhooks/{theirs}/replay"), asked).await.status, 202);
}

async fn many_deliveries_are_replayed_in_pages(world: &mut World) {
    const MANY: usize = 120;
    let receiver = Receiver::start(Behaviour::Status(204)).await;
    let ann = world.guest("Ann").await;
    let (id, _) = hooked(&ann, &receiver.url("/"), json!(["match.ended"])).await;
    for _ in 0..MANY {
        ann.call("POST", &format!("{HOOKS}/{id}/test")).await.ok();
    }
    world.eventually(async || receiver.count() == MANY).await;
    let asked = json!({"since": ago(world, 600), "failed_only": false});
    assert_eq!(ann.post(&format!("{HOOKS}/{id}/replay"), asked).await.status, 202);
    world.eventually(async || receiver.count() == 2 * MANY).await;
    let told = receiver.all();
    let (first, again) = told.split_at(MANY);
    let ids = |told: &[crate::receiver::Received]| -> BTreeSet<String> {
        told.iter().map(|it| it.header("webhook-id").to_owned()).collect()
    };
    assert_eq!((ids(first).len(), ids(again)), (MANY, ids(first)));
}
