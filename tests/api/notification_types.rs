//! Notifications of what no turn begins: a ticket that was matched, a rating that has changed, a further session.

use reqwest::Method;
use sarsen::matches::rated_result::{RatedResult, RatedSeat, RatingJob};
use sarsen::store::{Job, JobKind};
use serde_json::{Value, json};

use crate::client::Client;
use crate::notifications::{HOOKS, SUBSCRIPTIONS, hooked, told_cases, verifies, world};
use crate::pools::{LIVE, matched};
use crate::push_browser::PushBrowser;
use crate::receiver::{Behaviour, Receiver};
use crate::tables::{Pair, WIN};
use crate::world::World;

told_cases!(on both stores: a_matched_ticket_is_told, a_changed_rating_is_told_with_its_numbers,
    a_further_session_is_told_to_those_before;);

async fn a_matched_ticket_is_told(world: &mut World) {
    let (receiver, operators) =
        (Receiver::start(Behaviour::Status(204)).await, Receiver::start(Behaviour::Status(204)).await);
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let (_, secret) = hooked(&ann, &receiver.url("/"), json!(["ticket.matched"])).await;
    let terms = json!({"url": operators.url("/"), "events": ["ticket.matched"]});
    world.operator("admin:operate").post("/v1/admin/webhooks", terms).await.ok();
    let (id, _) = tokio::join!(matched(&ann, LIVE), matched(&ben, LIVE));
    world.eventually(async || receiver.count() == 1 && operators.count() == 2).await;
    let told = receiver.all().pop().unwrap();
    assert!(verifies(&told, &secret));
    let data = told.json()["data"].clone();
    let seated = ann.read(&id).await["match"]["your_seat"].clone();
    assert_eq!((&told.json()["type"], &data["match_id"]), (&json!("ticket.matched"), &json!(id)));
    assert_eq!((&data["seat"], &data["player_id"], &data["status"]), (&seated, &json!(ann.id), &json!("playing")));
    let mut players: Vec<_> = operators.all().iter().map(|it| it.json()["data"]["player_id"].clone()).collect();
    players.sort_by_key(Value::to_string);
    let mut both = [json!(ann.id), json!(ben.id)];
    both.sort_by_key(Value::to_string);
    assert_eq!(players, both);
    // A match that a player has made is no ticket's.
    Pair::of([ann, ben], json!({})).await.players[0].get(HOOKS).await.ok();
    assert_eq!((receiver.count(), operators.count()), (1, 2));
}

async fn a_further_session_is_told_to_those_before(world: &mut World) {
    let (receiver, operators, service) = (
        Receiver::start(Behaviour::Status(204)).await,
        Receiver::start(Behaviour::Status(204)).await,
        Receiver::start(Behaviour::Status(201)).await,
    );
    let (ann, ben, nobody) = (world.guest("Ann").await, world.guest("Ben").await, world.nobody());
    let (_, secret) = hooked(&ann, &receiver.url("/"), json!(["session.started"])).await;
    let terms = json!({"url": operators.url("/"), "events": ["session.started"]});
    world.operator("admin:operate").post("/v1/admin/webhooks", terms).await.ok();
    let browser = PushBrowser::new();
    ann.post(SUBSCRIPTIONS, browser.terms(&service.url("/"), &["session.started"])).await.ok();
    // One's own first session tells nobody, nor does that of another player tell Ann.
    let code = async |of: &Client| of.call("POST", "/v1/me/pairing-codes").await.ok()["code"].clone();
    nobody.post("/v1/tokens/pair", json!({"code": code(&ben).await})).await.ok();
    let pairing = json!({"code": code(&ann).await, "device": "Phone"});
    let keyed = || nobody.request(Method::POST, "/v1/tokens/pair").header("idempotency-key", "k").json(&pairing);
    let phone = nobody.signed_in(&nobody.send(keyed()).await.ok());
    world.eventually(async || (receiver.count(), operators.count(), service.count()) == (1, 2, 1)).await;
    let told = receiver.all().pop().unwrap();
    assert!(verifies(&told, &secret));
    let session = phone.get("/v1/me").await.ok()["session_id"].clone();
    let data = json!({"player_id": ann.id, "session_id": session, "device": "Phone"});
    assert_eq!((&told.json()["type"], &told.json()["data"]), (&json!("session.started"), &data));
    let pushed: Value = serde_json::from_slice(&browser.decrypt(&service.all()[0].body)).unwrap();
    let sentence = "A further device was signed in to your account. (Phone)";
    assert_eq!((&pushed["notification"]["body"], &pushed["data"]), (&json!(sentence), &data));
    // A request that is repeated tells nothing again; the recovery key tells as the code does.
    assert_eq!(nobody.send(keyed()).await.header("idempotent-replayed"), Some("true"));
    let key = ann.call("POST", "/v1/me/recovery-key").await.ok()["recovery_key"].clone();
    nobody.post("/v1/tokens/recover", json!({"recovery_key": key})).await.ok();
    world.eventually(async || (receiver.count(), operators.count(), service.count()) == (2, 3, 2)).await;
    let data = receiver.all().pop().unwrap().json()["data"].clone();
    assert_eq!((data.get("device"), data["session_id"] == session), (None, false));
}

async fn a_changed_rating_is_told_with_its_numbers(world: &mut World) {
    let (receiver, service) =
        (Receiver::start(Behaviour::Status(204)).await, Receiver::start(Behaviour::Status(201)).await);
    let players = [world.guest("Ann").await, world.guest("Ben").await];
    hooked(&players[0], &receiver.url("/"), json!(["rating.changed"])).await;
    let browser = PushBrowser::new();
    players[1].post(SUBSCRIPTIONS, browser.terms(&service.url("/"), &["rating.changed"])).await.ok();
    let rated = json!({"rated": true, "clock": {"initial_seconds": 300, "increment_seconds": 5}});
    let pair = Pair::of(players, rated.clone()).await;
    pair.play_all(&WIN).await;
    world.eventually(async || receiver.count() == 1 && service.count() == 1).await;
    let changes = pair.players[0].get(&pair.path("/ratings")).await.ok();
    let of = |seat: usize| {
        let change = &changes["seats"][seat]["change"];
        json!({"board": "contiguity.2.live", "before": change["before"], "after": change["after"]})
    };
    let told = receiver.all().pop().unwrap();
    let (version, data) = (pair.version().await, told.json()["data"].clone());
    assert_eq!((&told.json()["type"], &data["rating"]), (&json!("rating.changed"), &of(0)));
    assert_eq!((&data["seat"], &data["version"], &data["game"]), (&json!(0), &json!(version), &json!("contiguity")));
    let pushed: Value = serde_json::from_slice(&browser.decrypt(&service.all()[0].body)).unwrap();
    let (before, after) = (1500, of(1)["after"].as_i64().unwrap());
    let sentence = format!("Your rating is {after} ({:+}). (contiguity)", after - before);
    assert_eq!((&pushed["notification"]["body"], &pushed["app_badge"]), (&json!(sentence), &json!(0)));
    assert_eq!(pushed["data"]["rating"], of(1));

    // Whoever dies after the rating and before its job is removed is followed by another: the same message, under its id.
    let seats = pair.players.iter().map(|it| RatedSeat { player: it.id.parse().unwrap(), rank: 1, counts: true });
    let (match_id, at) = (pair.id.parse().unwrap(), world.service().clock.now());
    let category = "contiguity.2.live".to_owned();
    let result = RatedResult { match_id, version, category, at, seats: seats.collect(), private: false };
    let body = serde_json::to_vec(&RatingJob::Match(result)).unwrap();
    world.store().order_jobs(&[Job { kind: JobKind::Rate, id: pair.id.clone(), at, body }]).await.unwrap();
    world.eventually(async || receiver.count() == 2).await;
    let again = receiver.all().pop().unwrap();
    assert_eq!((again.header("webhook-id"), again.json()["data"].clone()), (told.header("webhook-id"), data));
    assert_eq!(changes, pair.players[0].get(&pair.path("/ratings")).await.ok());

    // For whom a match does not count, nothing has changed.
    world.eventually(async || service.count() == 2).await;
    let pair = Pair::of(pair.players, rated).await;
    pair.players[0].act(&pair.id, "resign").await.ok();
    world.eventually(async || receiver.count() == 3).await;
    assert_eq!(receiver.all()[2].json()["data"]["match_id"], pair.id);
    assert_eq!(service.count(), 2);
}
