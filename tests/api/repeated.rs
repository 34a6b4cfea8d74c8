//! Every change that takes an idempotency key: applied once, answered alike, refused to another request.

use std::collections::{BTreeMap, BTreeSet};

use aws_lc_rs::digest::{SHA256, digest};
use futures_util::future::join_all;
use sarsen::ids::MatchId;
use sarsen::store::{ReplayKey, Reservation};
use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::errors::filled;
use crate::notifications::{HOOKS, SUBSCRIPTIONS, hooked, world};
use crate::pools::LIVE;
use crate::push_browser::PushBrowser;
use crate::tables::Pair;
use crate::world::{Backend, World, cases};

cases!(
    taking_and_leaving_a_seat_is_repeatable, starting_and_calling_off_is_repeatable, giving_up_is_repeatable,
        a_move_whose_body_looks_like_a_resignation_is_no_repetition_of_one, claiming_is_repeatable,
        agreeing_on_a_draw_is_repeatable, a_key_of_a_rematch_is_that_of_no_other_operation, who_has_left_a_private_match_is_answered_again, a_match_is_made_once;
    on both stores: of_32_creations_with_one_key_one_makes_a_match,
        a_creation_that_was_cut_short_is_finished_under_its_id;
);

async fn keyed(client: &Client, path: &str, body: Option<Value>, key: &str) -> Answer {
    let request = client.request(reqwest::Method::POST, path).header("idempotency-key", key);
    client.send(if let Some(body) = body { request.json(&body) } else { request }).await
}

fn replayed(answer: &Answer) -> bool {
    match answer.header("idempotent-replayed") {
        None => false,
        Some(value) => {
            assert_eq!(value, "true");
            true
        }
    }
}

/// Sends a request twice with one key. Both times it must succeed and be answered alike, and the match must be one
/// version on. Another operation, and another body where there is one, is refused under that key.
async fn twice(client: &Client, id: &str, what: &str, body: Option<Value>) -> Value {
    let path = |what: &str| format!("/v1/matches/{id}/{what}");
    let key = format!("{what} of {id}");
    let before = client.read(id).await["match"]["version"].as_u64().unwrap();
    let first = keyed(client, &path(what), body.clone(), &key).await;
    assert!(!replayed(&first) && first.ok()["match"]["version"] == before + 1, "{what}: {}", first.text());
    let again = keyed(client, &path(what), body.clone(), &key).await;
    assert!(replayed(&again), "{what}: {}", again.text());
    assert_eq!((again.status, again.ok()), (first.status, first.ok()), "{what}");
    let other = if what == "resign" { "draw/offer" } else { "resign" };
    keyed(client, &path(other), None, &key).await.refused(422, "idempotency_key_reused");
    if body.is_some() {
        keyed(client, &path(what), Some(json!({"seat": 1})), &key).await.refused(422, "idempotency_key_reused");
    }
    assert_eq!(client.read(id).await["match"]["version"], before + 1, "{what}");
    first.ok()
}

/// The id of a match of Ann's that nobody else has joined.
async fn open(ann: &Client, fields: Value) -> String {
    ann.create(fields).await["match"]["id"].as_str().unwrap().to_owned()
}

async fn taking_and_leaving_a_seat_is_repeatable(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let id = open(&ann, json!({"start": "manual"})).await;
    let joined = twice(&ben, &id, "join", Some(json!({"entropy": "oak"}))).await;
    assert_eq!(joined["match"]["your_seat"], 1);
    let left = twice(&ben, &id, "leave", None).await;
    assert_eq!(left["match"]["your_seat"], Value::Null);
    // Long after, the answer to the first request is still the same.
    let path = format!("/v1/matches/{id}/join");
    let again = keyed(&ben, &path, Some(json!({"entropy": "oak"})), &format!("join of {id}")).await;
    assert_eq!(again.ok(), joined);
    assert_eq!(ben.read(&id).await["match"]["your_seat"], Value::Null, "and takes no seat");
    // A body may be left out, and then there is none to compare.
    assert!(!replayed(&keyed(&ben, &path, None, "bare").await));
    assert!(replayed(&keyed(&ben, &path, None, "bare").await));
}

async fn starting_and_calling_off_is_repeatable(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let id = open(&ann, json!({"start": "manual"})).await;
    ben.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
    assert_eq!(twice(&ann, &id, "start", None).await["match"]["status"], "playing");
    let id = open(&ann, json!({})).await;
    assert_eq!(twice(&ann, &id, "abort", None).await["match"]["status"], "aborted");
    ann.act(&id, "abort").await.refused(409, "match_not_open");
}

async fn giving_up_is_repeatable(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let ended = twice(&pair.players[0], &pair.id, "resign", None).await;
    assert_eq!(ended["match"]["status"], "finished");
    // Without the key, or under a new one, it is a second resignation.
    let path = pair.path("/resign");
    pair.players[0].act(&pair.id, "resign").await.refused(409, "match_over");
    keyed(&pair.players[0], &path, None, "new").await.refused(409, "match_over");
    let newest = world.restart().await;
    let ann = pair.players[0].at(world.base(newest));
    let again = keyed(&ann, &path, None, &format!("resign of {}", pair.id)).await;
    assert!(replayed(&again) && again.ok() == ended);
}

async fn a_move_whose_body_looks_like_a_resignation_is_no_repetition_of_one(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let (actor, matches) = (&pair.players[0], format!("/v1/matches/{}", pair.id));
    assert!(!replayed(&keyed(actor, &format!("{matches}/resign"), None, "k").await));
    let request = actor.request(reqwest::Method::POST, &format!("{matches}/moves")).header("idempotency-key", "k");
    let request = request.header("content-type", "application/json").body("resignMatch\n");
    actor.send(request).await.refused(422, "idempotency_key_reused");
}

async fn claiming_is_repeatable(world: &mut World) {
    let pair = Pair::seated(world, json!({"move_time_seconds": 60})).await;
    let absent = pair.turn().await.seat;
    world.clock.advance_seconds(60);
    let present = &pair.players[1 - absent];
    let key = format!("claim of {}", pair.id);
    let body = Some(json!({"seat": absent}));
    let first = keyed(present, &pair.path("/claim"), body.clone(), &key).await;
    assert!(!replayed(&first) && first.ok()["match"]["status"] == "finished");
    let again = keyed(present, &pair.path("/claim"), body, &key).await;
    assert!(replayed(&again) && again.ok() == first.ok());
    for other in [Some(json!({"seat": 1 - absent})), Some(json!({})), None] {
        keyed(present, &pair.path("/claim"), other, &key).await.refused(422, "idempotency_key_reused");
    }
}

async fn agreeing_on_a_draw_is_repeatable(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let [ann, ben] = &pair.players;
    let offered = twice(ann, &pair.id, "draw/offer", None).await;
    assert_eq!(offered["match"]["draw_agreed_by"], json!([0]));
    twice(ben, &pair.id, "draw/decline", None).await;
    let turn = pair.turn().await;
    let mover = &pair.players[turn.seat];
    mover.play(&pair.id, &turn.decision, crate::tables::WIN[0]).await.ok();
    mover.act(&pair.id, "draw/offer").await.ok();
    let agreed = twice(&pair.players[1 - turn.seat], &pair.id, "draw/accept", None).await;
    assert_eq!(agreed["match"]["status"], "finished");
}

async fn who_has_left_a_private_match_is_answered_again(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let made = ann.create(json!({"visibility": "private", "start": "manual"})).await;
    let id = made["match"]["id"].as_str().unwrap();
    let path = |what: &str| format!("/v1/matches/{id}/{what}");
    ben.post(&path("join"), json!({"invite": made["match"]["invite_code"]})).await.ok();
    let first = keyed(&ben, &path("leave"), None, "k").await.ok();
    ben.get(&format!("/v1/matches/{id}")).await.refused(404, "match_not_found");
    let again = keyed(&ben, &path("leave"), None, "k").await;
    assert!(replayed(&again) && again.ok() == first);
    // What happens later is not told with it.
    let cora = world.guest("Cora").await;
    cora.post(&path("join"), json!({"invite": made["match"]["invite_code"]})).await.ok();
    assert!(!keyed(&ben, &path("leave"), None, "k").await.text().contains("Cora"));
    keyed(&ben, &path("leave"), None, "other").await.refused(404, "match_not_found");
    keyed(&cora, &path("leave"), None, "k").await.ok();
}

async fn a_match_is_made_once(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let body = json!({"game": "contiguity", "visibility": "private"});
    // What is refused uses no key up.
    keyed(&ann, "/v1/matches", Some(json!({"game": "chess"})), "k").await.refused(404, "game_not_found");
    let wrong = json!({"game": "contiguity", "seat": 4});
    keyed(&ann, "/v1/matches", Some(wrong), "k").await.refused(409, "no_such_seat");
    let first = keyed(&ann, "/v1/matches", Some(body.clone()), "k").await;
    assert!(first.status == 201 && !replayed(&first), "{}", first.text());
    let id = first.json()["match"]["id"].as_str().unwrap().to_owned();
    ben.post(&format!("/v1/matches/{id}/join"), json!({"invite": first.json()["match"]["invite_code"]})).await.ok();
    let newest = world.restart().await;
    let (ann, ben) = (ann.at(world.base(newest)), ben.at(world.base(newest)));
    let again = keyed(&ann, "/v1/matches", Some(body.clone()), "k").await;
    assert!(replayed(&again), "{}", again.text());
    assert_eq!((again.status, again.json()), (201, first.json()), "as it was then");
    assert_eq!(again.header("location"), Some(format!("/v1/matches/{id}").as_str()));
    for other in [json!({"game": "contiguity"}), json!({"game": "chess"}), json!({"game": 1}), json!([])] {
        keyed(&ann, "/v1/matches", Some(other), "k").await.refused(422, "idempotency_key_reused");
    }
    assert_eq!(listed(&ann).await, BTreeSet::from([id.clone()]));
    // The key is the player's own.
    let theirs = keyed(&ben, "/v1/matches", Some(body.clone()), "k").await;
    assert!(!replayed(&theirs) && theirs.json()["match"]["id"] != id);
    let second = keyed(&ann, "/v1/matches", Some(body), "k 2").await;
    assert!(!replayed(&second) && second.json()["match"]["id"] != id);
    keyed(&ann, "/v1/matches", Some(json!({"game": "contiguity"})), "").await.refused(400, "idempotency_key_invalid");
}

/// The ids of the caller's matches, once they are listed: lists follow some moments later where instances share a
/// store.
async fn listed(client: &Client) -> BTreeSet<String> {
    let start = tokio::time::Instant::now();
    loop {
        let page = client.get("/v1/matches?mine=true").await.ok();
        let ids = page["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned());
        let ids: BTreeSet<String> = ids.collect();
        if !ids.is_empty() || start.elapsed() > crate::world::DEADLINE {
            return ids;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

async fn of_32_creations_with_one_key_one_makes_a_match(world: &mut World) {
    let ann = world.guest("Ann").await;
    let newest = if world.shares_a_store() { world.add_instance().await } else { 0 };
    let bases = [world.base(0), world.base(newest)];
    let creations = (0..32).map(|number| {
        let client = ann.at(bases[number % 2].clone());
        tokio::spawn(async move { keyed(&client, "/v1/matches", Some(json!({"game": "contiguity"})), "k").await })
    });
    let (mut made, mut ids) = (0, BTreeSet::new());
    for answer in join_all(creations.collect::<Vec<_>>()).await {
        let answer = answer.unwrap();
        assert_eq!(answer.status, 201, "{}", answer.text());
        made += u32::from(!replayed(&answer));
        ids.insert(answer.json()["match"]["id"].as_str().unwrap().to_owned());
    }
    assert_eq!((made, ids.len()), (1, 1));
    assert_eq!(listed(&ann).await, ids);
}

async fn a_key_of_a_rematch_is_that_of_no_other_operation(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let [ann, ben] = &pair.players;
    ann.act(&pair.id, "resign").await.ok();
    let next = keyed(ann, &pair.path("/rematch"), None, "a").await.ok()["match"]["id"].as_str().unwrap().to_owned();
    keyed(ben, &pair.path("/rematch"), None, "b").await.ok();
    for id in [&pair.id, &next] {
        for (player, key) in [(ann, "a"), (ben, "b")] {
            let resigned = keyed(player, &format!("/v1/matches/{id}/resign"), None, key).await;
            resigned.refused(422, "idempotency_key_reused");
        }
    }
    keyed(ann, &pair.path("/resign"), None, "c").await.refused(409, "match_over");
    let again = keyed(ann, &pair.path("/rematch"), None, "a").await;
    assert!(replayed(&again) && again.ok()["match"]["id"] == *next);
    keyed(ann, &format!("/v1/matches/{next}/resign"), None, "c").await.ok();
}

async fn a_creation_that_was_cut_short_is_finished_under_its_id(world: &mut World) {
    let ann = world.guest("Ann").await;
    let body = json!({"game": "contiguity"});
    // As an instance leaves it that ends between the reservation and the commit.
    let text = format!("createMatch\n{body}");
    let reservation = Reservation {
        id: MatchId::generate(&sarsen::ambient::Ambient::system()).to_string(),
        fingerprint: hex::encode(&digest(&SHA256, text.as_bytes()).as_ref()[..16]),
    };
    let key = ReplayKey { player: ann.id.parse().unwrap(), key: "k".to_owned() };
    assert_eq!(world.store().reserve(&key, reservation.clone(), 60).await.unwrap(), reservation);
    keyed(&ann, "/v1/matches", Some(json!({"game": "henge"})), "k").await.refused(422, "idempotency_key_reused");
    let made = keyed(&ann, "/v1/matches", Some(body.clone()), "k").await;
    assert!(made.status == 201 && !replayed(&made), "{}", made.text());
    assert_eq!(made.json()["match"]["id"], reservation.id);
    let again = keyed(&ann, "/v1/matches", Some(body), "k").await;
    assert!(replayed(&again) && again.json() == made.json());
}

/// Everything that one can delete, by the operation: whoever deletes it, and where it is.
async fn deletable(world: &World) -> BTreeMap<&'static str, (Client, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let operator = world.operator("admin:read,admin:moderate,admin:operate");
    let (ann, ben, cora) = (world.guest("Ann").await, world.guest("Ben").await, world.guest("Cora").await);
    let table = open(&ann, json!({"start": "manual"})).await;
    ben.post(&format!("/v1/matches/{table}/join"), json!({})).await.ok();
    let over = Pair::of([ann.clone(), ben.clone()], json!({})).await;
    ann.act(&over.id, "resign").await.ok();
    ann.call("POST", &over.path("/rematch")).await.ok();
    let playing = Pair::of([ann.clone(), ben.clone()], json!({})).await;
    let waits = playing.players[1 - playing.turn().await.seat].clone();
    let version = waits.read(&playing.id).await["match"]["version"].clone();
    let plan = json!({"version": version, "tree": [{"when": ["2c-2d"], "then": ["30b-10b"]}]});
    waits.put(&playing.path("/plan"), plan).await.ok();
    ann.put(LIVE, json!({})).await.ok();

    let mut phones = Vec::new();
    for _ in 0..2 {
        let code = ann.call("POST", "/v1/me/pairing-codes").await.ok()["code"].take();
        phones.push(ann.signed_in(&world.nobody().post("/v1/tokens/pair", json!({"code": code})).await.ok()));
    }
    let sessions = phones[0].get("/v1/me/sessions").await.ok();
    let own = sessions["items"].as_array().unwrap().iter().find(|session| session["current"] == true).unwrap();
    let terms = json!({"name": "trainer", "scopes": ["read"]});
    let token = async |client: &Client, path: &str| text(&client.post(path, terms.clone()).await.ok()["token"]["id"]);
    let bot = text(&ann.post("/v1/me/bots", json!({"name": "Engine"})).await.ok()["player"]["id"]);
    let of_bot = format!("/v1/me/bots/{bot}/tokens");
    for list in ["contacts", "blocks"] {
        ann.put(&format!("/v1/me/{list}/{}", cora.id), json!({})).await.ok();
    }
    let hook = hooked(&ann, "https://hook.example/", json!(["match.ended"])).await.0;
    let terms_of_hook = json!({"url": "https://hook.example/", "events": ["match.ended"]});
    let hook_of_operator = operator.post("/v1/admin/webhooks", terms_of_hook).await.ok();
    let subscription = PushBrowser::new().terms("https://push.example/", &["match.ended"]);
    let subscription = text(&ann.post(SUBSCRIPTIONS, subscription).await.ok()["id"]);
    let file = format!("/v1/admin/players/{}", cora.id);
    operator.put(&format!("{file}/ban"), json!({"until": null, "from": "play", "reason": "test"})).await.ok();
    let because = "?reason=test";
    let by_operator = |path: String| (operator.clone(), path);
    let by_ann = |path: String| (ann.clone(), path);
    let identity = filled("{identity_id}");
    BTreeMap::from([
        ("dropPlan", (waits.clone(), playing.path("/plan"))),
        ("removePlayer", by_ann(format!("/v1/matches/{table}/seats/1"))),
        ("declineRematch", (ben.clone(), over.path("/rematch"))),
        ("takeTicketBack", by_ann(LIVE.to_owned())),
        ("endSession", (phones[0].clone(), format!("/v1/me/sessions/{}", text(&own["id"])))),
        ("endOtherSessions", by_ann("/v1/me/sessions".to_owned())),
        ("unlinkIdentity", by_ann(format!("/v1/me/identities/{identity}"))),
        ("removeContact", by_ann(format!("/v1/me/contacts/{}", cora.id))),
        ("unblockPlayer", by_ann(format!("/v1/me/blocks/{}", cora.id))),
        ("revokeProgramToken", by_ann(format!("/v1/me/tokens/{}", token(&ann, "/v1/me/tokens").await))),
        ("revokeBotToken", by_ann(format!("{of_bot}/{}", token(&ann, &of_bot).await))),
        ("deleteBotAccount", by_ann(format!("/v1/me/bots/{bot}?confirm={bot}"))),
        ("deleteWebhook", by_ann(format!("{HOOKS}/{hook}"))),
        ("deletePushSubscription", by_ann(format!("{SUBSCRIPTIONS}/{subscription}"))),
        ("deleteMe", (ben.clone(), format!("/v1/me?confirm={}", ben.id))),
        (
            "deleteWebhookAsOperator",
            by_operator(format!("/v1/admin/webhooks/{}", text(&hook_of_operator["webhook"]["id"]))),
        ),
        ("unlinkPlayerIdentity", by_operator(format!("{file}/identities/{identity}{because}"))),
        ("unbanPlayer", by_operator(format!("{file}/ban{because}"))),
        (
            "revokeProgramTokenAsOperator",
            by_operator(format!("{file}/tokens/{}{because}", token(&cora, "/v1/me/tokens").await)),
        ),
        ("deletePlayer", by_operator(format!("{file}{because}&confirm={}", cora.id))),
        ("deleteMatch", by_operator(format!("/v1/admin/matches/{table}{because}&confirm={table}"))),
    ])
}

/// Issue 31.11: a client that did not hear the answer asks again, and hears it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deletion_that_is_repeated_is_answered_like_the_first() {
    for backend in [Backend::Embedded, Backend::Redis] {
        let mut world = world(backend).await;
        let document = world.nobody().get("/openapi.json").await.ok();
        let paths = document["paths"].as_object().unwrap().values();
        let documented: BTreeSet<&str> = paths.filter_map(|item| item["delete"]["operationId"].as_str()).collect();
        let deletable = deletable(&world).await;
        assert_eq!(deletable.keys().copied().collect::<BTreeSet<_>>(), documented);
        // Whoever deletes a player, a match or a session does it last.
        let last = ["deleteMatch", "deletePlayer", "deleteBotAccount", "deleteMe", "endOtherSessions"];
        let (later, first): (Vec<_>, Vec<_>) = deletable.into_iter().partition(|(id, _)| last.contains(id));
        for (id, (caller, path)) in first.into_iter().chain(later) {
            let (first, again) = (caller.call("DELETE", &path).await, caller.call("DELETE", &path).await);
            assert!([200, 204].contains(&first.status), "{id}: {} {}", first.status, first.text());
            assert_eq!((again.status, again.text()), (first.status, first.text()), "{id}");
        }
        world.stop().await;
    }
}
