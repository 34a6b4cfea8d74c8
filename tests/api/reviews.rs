//! Reviews over HTTP: who may order one, what it says, and that it is made wherever somebody has time.

use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::client::{Answer, Client};
use crate::process::bare;
use crate::tables::{Pair, WIN};
use crate::world::{Backend, DEADLINE, Settings, World, cases};

cases!(
    only_what_began_and_is_over_is_reviewed;
    on both stores: a_finished_match_is_reviewed_once_for_everybody;
);

async fn order(client: &Client, id: &str, level: &str) -> Answer {
    client.post(&format!("/v1/matches/{id}/review"), json!({"level": level})).await
}

/// The review at medium once it is in one of these states. Threads that think have the lowest priority, so beside other
/// tests it takes its time.
pub async fn once(client: &Client, id: &str, states: &[&str]) -> Value {
    let start = tokio::time::Instant::now();
    loop {
        let review = client.get(&format!("/v1/matches/{id}/review?level=medium")).await.ok();
        if states.contains(&review["state"].as_str().unwrap()) {
            return review;
        }
        assert!(start.elapsed() < 10 * DEADLINE, "the review is {}", review["state"]);
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

/// The review once it is done.
async fn done(client: &Client, id: &str) -> Value {
    let path = format!("/v1/matches/{id}/review?level=medium&wait=30");
    for _ in 0..4 {
        let review = client.get(&path).await.ok();
        if review["state"] != "queued" && review["state"] != "running" {
            return review;
        }
    }
    panic!("the review is not made");
}

async fn a_finished_match_is_reviewed_once_for_everybody(world: &mut World) {
    let pair = Pair::seated(world, json!({"visibility": "public"})).await;
    pair.play_all(&WIN).await;
    let (ann, nobody, id) = (&pair.players[0], world.nobody(), &*pair.id);
    let path = format!("/v1/matches/{id}/review?level=medium");
    let none = nobody.get(&path).await.ok();
    assert_eq!((&none["state"], &none["items"], &none["seats"]), (&json!("none"), &json!([]), &json!([])));
    let ordered = order(ann, id, "medium").await;
    assert_eq!((ordered.status, &ordered.json()["state"]), (202, &json!("queued")));
    let review = done(&nobody, id).await;
    assert_eq!((&review["state"], &review["level"]), (&json!("done"), &json!("medium")), "{review}");
    assert_eq!(review["progress"]["done"], review["progress"]["of"]);
    let items = review["items"].as_array().unwrap();
    assert_eq!(items.len(), WIN.len());
    // The last move wins: nothing is better.
    let last = items.last().unwrap();
    assert_eq!((&last["verdict"], &last["value"], &last["loss"]), (&json!("best"), &json!(1.0), &json!(0.0)), "{last}");
    assert_eq!(last["best"][0]["notation"], last["notation"]);
    for item in items {
        let (value, loss) = (item["value"].as_f64().unwrap(), item["loss"].as_f64().unwrap());
        assert!((0.0..=1.0).contains(&value) && (0.0..=value).contains(&loss), "{item}");
        assert!((1..=3).contains(&item["best"].as_array().unwrap().len()), "{item}");
    }
    let again = order(&world.guest("Cora").await, id, "medium").await;
    assert_eq!((again.status, again.json()), (200, review.clone()));
    let tag = nobody.get(&path).await.header("etag").unwrap().to_owned();
    assert_eq!(nobody.get_with(&path, "if-none-match", &tag).await.status, 304);
    // The same review is made of the record alone.
    let record = NamedTempFile::new().unwrap();
    std::fs::write(record.path(), nobody.get(&format!("/v1/matches/{id}/record")).await.text()).unwrap();
    let made = bare().arg("review").arg(record.path()).args(["--level", "medium"]).output().unwrap();
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    for part in ["items", "seats", "bot_version", "level"] {
        assert_eq!(made[part], review[part], "{part}");
    }
    let chart = nobody.get(&format!("/v1/matches/{id}/review/chart.svg?level=medium&theme=dark")).await;
    assert_eq!((chart.status, chart.header("content-type")), (200, Some("image/svg+xml")));
    assert!(chart.text().contains("review of the match") && chart.text().contains("mean loss"));
    order(ann, id, "easy").await.refused(400, "invalid_request");
}

async fn only_what_began_and_is_over_is_reviewed(world: &mut World) {
    world.stop().await;
    world.change(Settings { reviews_per_day: Some(1), ..Settings::default() });
    world.add_instance().await;
    let pair = Pair::seated(world, json!({})).await;
    let (ann, id) = (&pair.players[0], &*pair.id);
    assert_eq!(ann.get("/v1/limits").await.ok()["reviews_per_day"], 1);
    order(ann, id, "medium").await.refused(409, "review_not_possible");
    assert_eq!(ann.get(&format!("/v1/matches/{id}/review?level=hard")).await.ok()["state"], "none");
    let open = ann.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
    ann.act(&open, "abort").await.ok();
    order(ann, &open, "medium").await.refused(409, "review_not_possible");
    ann.act(id, "resign").await.ok();
    order(ann, id, "medium").await.ok();
    assert_eq!(done(ann, id).await["items"], json!([]));
    let refused = order(ann, id, "hard").await;
    refused.refused(429, "rate_limited");
    assert_eq!(refused.header("retry-after"), Some("3600"));
    order(&pair.players[1], id, "hard").await.ok();
    // One that an operator has aborted after a move: what was decided until then.
    let pair = Pair::seated(world, json!({})).await;
    let seat = pair.turn().await.seat;
    pair.play("2c-28c").await.ok();
    let abort = format!("/v1/admin/matches/{}/abort", pair.id);
    world.operator("admin:moderate").post(&abort, json!({"reason": "spam"})).await.ok();
    order(&pair.players[0], &pair.id, "medium").await.ok();
    let items = done(&pair.players[0], &pair.id).await["items"].clone();
    assert_eq!((items.as_array().unwrap().len(), &items[0]["seat"]), (1, &json!(seat)));
}

/// Instances over one Redis: one that thinks for nobody takes no review, and one that reviews dies in the middle.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_review_is_gone_on_with_where_an_instance_has_died() {
    let mut world = World::with(Backend::Redis, Settings { bot_threads: Some(0), ..Settings::default() }).await;
    let pair = Pair::seated(&world, json!({"options": {"turn_limit": 40}, "visibility": "public"})).await;
    let mut moves = 0;
    while pair.players[0].read(&pair.id).await["match"]["status"] == "playing" && moves < 300 {
        let turn = pair.turn().await;
        let listed = pair.players[turn.seat].read(&pair.id).await;
        let listed = &listed["decision"]["legal_moves"]["moves"];
        let mv = &listed[moves * 7 % listed.as_array().unwrap().len()];
        let played = json!({"decision_id": turn.decision, "move": mv});
        pair.players[turn.seat].post(&format!("/v1/matches/{}/moves", pair.id), played).await.ok();
        moves += 1;
    }
    let path = format!("/v1/matches/{}/review?level=medium", pair.id);
    order(&pair.players[0], &pair.id, "medium").await.ok();
    assert_eq!(pair.players[0].get(&format!("{path}&wait=3")).await.ok()["state"], "queued");
    world.change(Settings::default());
    let dying = world.add_instance().await;
    let begun = once(&pair.players[0], &pair.id, &["running"]).await;
    world.kill_instance(dying);
    world.add_instance().await;
    world.add_instance().await;
    let review = done(&world.nobody(), &pair.id).await;
    assert_eq!(review["state"], "done");
    let (begun, items) = (begun["items"].as_array().unwrap(), review["items"].as_array().unwrap());
    assert!(begun.len() >= 10 && items.len() >= begun.len());
    assert_eq!(items[..begun.len()], begun[..]);
    // As a review that nobody has interrupted.
    let record = world.nobody().get(&format!("/v1/matches/{}/record", pair.id)).await.text();
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), record).unwrap();
    let made = bare().arg("review").arg(file.path()).args(["--level", "medium"]).output().unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&made.stdout).unwrap()["items"], review["items"]);
    world.stop().await;
}
