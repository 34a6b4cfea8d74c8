//! Plans over HTTP: one is made, plays wherever the service runs, and shows to nobody but its owner.

use serde_json::{Value, json};

use crate::tables::{Pair, WIN, kinds};
use crate::world::{World, cases};

cases!(
    a_plan_is_asked_for_in_order;
    on both stores: a_plan_is_kept_secret_and_plays_by_itself;
);

fn answers() -> Value {
    json!([{"when": [WIN[0]], "then": [WIN[1]], "next": [{"when": [WIN[2]], "then": [WIN[3]]}]}])
}

async fn a_plan_is_kept_secret_and_plays_by_itself(world: &mut World) {
    let pair = Pair::seated(world, json!({"clock": {"initial_seconds": 604_800}})).await;
    let other = if world.shares_a_store() { world.add_instance().await } else { 0 };
    let turn = pair.turn().await.seat;
    let (white, red) = (&pair.players[turn], &pair.players[1 - turn]);
    let (path, version) = (pair.path("/plan"), pair.version().await);
    let nothing = json!({"state": "none", "version": null, "tree": null, "reason": null});
    assert_eq!(red.get(&path).await.ok(), nothing);

    // Nobody can tell whether there is a plan, neither by what is answered nor by its tags.
    let seen = async || {
        let mut answers = Vec::new();
        for of in ["", "/events", "/board.svg", "/plan"] {
            let answer = white.get(&pair.path(of)).await;
            answers.push((answer.header("etag").map(str::to_owned), answer.text()));
        }
        let stored = world.store().load_match(&pair.id.parse().unwrap(), None).await.unwrap().unwrap();
        (answers, stored, world.store().log(&pair.id.parse().unwrap(), 0, 100).await.unwrap())
    };
    let before = seen().await;
    let request = json!({"version": version, "tree": answers()});
    let waiting = json!({"state": "waiting", "version": version, "tree": answers(), "reason": null});
    for _ in 0..2 {
        assert_eq!(red.put(&path, request.clone()).await.ok(), waiting);
    }
    assert_eq!(seen().await, before);
    assert_eq!(red.get(&path).await.ok(), waiting);
    red.at(world.base(other)).get(&path).await.ok();

    // White moves here and there; the answers come by themselves.
    for (ply, at) in [(0, 0), (2, other)] {
        let there = white.at(world.base(at));
        let decision = there.read(&pair.id).await["decision"]["id"].as_str().unwrap().to_owned();
        let moved = there.play(&pair.id, &decision, WIN[ply]).await.ok();
        assert_eq!(moved["match"]["version"], version + ply as u64 + 1);
        world.eventually(async || pair.version().await == version + ply as u64 + 2).await;
    }
    let log = world.nobody().events(&pair.id).await;
    let made: Vec<_> = log.iter().map(|told| &told["event"]).filter(|event| event["type"] == "move_made").collect();
    let planned: Vec<_> = made.iter().map(|event| event.get("planned")).collect();
    assert_eq!(planned, [None, Some(&json!(true)), None, Some(&json!(true))]);
    assert_eq!((&made[3]["notation"], &made[3]["used_milliseconds"]), (&json!(WIN[3]), &json!(0)));
    let played = json!({"state": "dropped", "version": version, "tree": null, "reason": "played"});
    assert_eq!(red.get(&path).await.ok(), played);

    pair.play(WIN[4]).await.ok();
    assert_eq!(red.get(&path).await.ok(), nothing);
    assert_eq!(*kinds(&white.events(&pair.id).await).last().unwrap(), "match_ended");
    let record = white.get(&pair.path("/record")).await.ok();
    let planned = record["steps"].as_array().unwrap().iter().filter(|step| step["planned"] == true).count();
    assert_eq!((&record["format"], planned), (&json!("sarsen/record/2"), 2));
}

async fn a_plan_is_asked_for_in_order(world: &mut World) {
    let ann = world.guest("Ann").await;
    let made = ann.create(json!({"visibility": "private"})).await;
    let path = format!("/v1/matches/{}/plan", made["match"]["id"].as_str().unwrap());
    let request = |tree: Value| json!({"version": 1, "tree": tree});
    ann.put(&path, request(answers())).await.refused(409, "match_not_playing");
    world.guest("Cora").await.put(&path, json!("nonsense")).await.refused(404, "match_not_found");
    let twin = json!({"when": ["2c-2d"], "then": ["pass"]});
    for (wrong, status, code, at) in [
        (json!({"version": 1}), 400, "invalid_request", "tree"),
        (json!({"version": 0, "tree": answers()}), 400, "invalid_request", "version"),
        (request(json!([{"when": ["2c-2d"]}])), 400, "invalid_request", "tree[0].then"),
        (request(json!([{"when": ["2c-2d"], "then": ["pass"], "else": []}])), 400, "invalid_request", "tree[0].else"),
        // Those that a schema may fit are told apart from those that none does.
        (request(json!([])), 422, "invalid_plan", "tree"),
        (request(json!([{"when": [""], "then": ["pass"]}])), 422, "invalid_plan", "tree[0].when[0]"),
        (request(json!([{"when": ["2c-2d"], "then": ["2c-2e"]}])), 422, "invalid_plan", "tree[0].then[0]"),
        (request(json!([twin, twin])), 422, "invalid_plan", "tree[1].when"),
    ] {
        let problem = ann.put(&path, wrong.clone()).await.refused(status, code);
        assert_eq!(problem["path"], at, "{wrong}");
    }

    let pair = Pair::seated(world, json!({})).await;
    let (turn, path, version) = (pair.turn().await.seat, pair.path("/plan"), pair.version().await);
    let (white, red) = (&pair.players[turn], &pair.players[1 - turn]);
    ann.put(&path, json!("nonsense")).await.refused(403, "not_seated");
    ann.get(&path).await.refused(403, "not_seated");
    let now = json!({"version": version, "tree": answers()});
    white.put(&path, now.clone()).await.refused(409, "plan_not_supported");
    let stale = red.put(&path, request(answers())).await.refused(409, "stale_version");
    assert_eq!(stale["version"], version);
    red.put(&path, now).await.ok();
    assert_eq!(red.call("DELETE", &path).await.ok()["state"], "none");
}
