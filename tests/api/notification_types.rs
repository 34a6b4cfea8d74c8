//! Notifications of what no turn begins: a ticket that was matched, a rating that has changed, a further session.

use std::time::Duration;

use reqwest::Method;
use sarsen::ambient::{Clock, Timestamp};
use sarsen::matches::rated_result::{RatedResult, RatedSeat, RatingJob};
use sarsen::store::{Job, JobKind, Work};
use serde_json::{Value, json};

use crate::client::Client;
use crate::notifications::{HOOKS, SUBSCRIPTIONS, hooked, told_cases, verifies, world};
use crate::pools::{LIVE, matched};
use crate::push_browser::PushBrowser;
use crate::receiver::{Behaviour, Receiver};
use crate::tables::{Pair, WIN};
use crate::world::World;

told_cases!(
    each_kind_of_news_of_a_match_is_told, a_reminder_waits_while_a_turn_is_given_time,
        a_changed_rating_is_told_with_its_numbers, a_further_session_is_told_to_those_before;
    on both stores: a_matched_ticket_is_told;
);

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
    let body = RatingJob::Match(result).to_body().unwrap();
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

/// An operators' webhook for all matches.
struct Heard {
    receiver: Receiver,
}

impl Heard {
    async fn of(world: &World, kinds: &[&str]) -> Heard {
        let receiver = Receiver::start(Behaviour::Status(204)).await;
        let terms = json!({"url": receiver.url("/"), "events": kinds});
        world.operator("admin:operate").post("/v1/admin/webhooks", terms).await.ok();
        Heard { receiver }
    }

    /// The seat and the player of each message of this type about this match.
    fn all(&self, kind: &str, id: &str) -> Vec<(u64, String)> {
        // A delivery that is under way when the clock leaps loses its lease, and is sent again under its id.
        let told = self.receiver.messages().into_iter().map(|received| received.json());
        let told = told.filter(|told| told["type"] == kind && told["data"]["match_id"] == id);
        let mut told: Vec<_> = told
            .map(|told| {
                (told["data"]["seat"].as_u64().unwrap(), told["data"]["player_id"].as_str().unwrap().to_owned())
            })
            .collect();
        told.sort();
        told
    }

    /// Waits until just these are told.
    async fn told(&self, world: &World, kind: &str, id: &str, expected: &[(u64, &Client)]) {
        world.eventually(async || self.all(kind, id).len() >= expected.len()).await;
        let expected: Vec<_> = expected.iter().map(|(seat, player)| (*seat, player.id.clone())).collect();
        assert_eq!(self.all(kind, id), expected, "{kind}");
    }

    /// Waits until nothing is left to be told.
    async fn silent(&self, world: &World) {
        let operator = world.operator("admin:read");
        let idle = async || {
            let queues = operator.get("/v1/admin/queues").await.ok()["items"].clone();
            let mut queues = queues.as_array().unwrap().iter();
            queues.all(|queue| !["notify", "deliver"].iter().any(|it| queue["name"] == *it) || queue["length"] == 0)
        };
        world.eventually(idle).await;
    }
}

async fn each_kind_of_news_of_a_match_is_told(world: &mut World) {
    let heard = Heard::of(
        world,
        &[
            "match.invited",
            "match.invitation_declined",
            "match.removed",
            "match.substituted",
            "match.started",
            "match.turn_started",
            "match.takeback_offered",
            "match.aborted",
            "player.deleted",
        ],
    )
    .await;
    let [ann, ben, cat] = [world.guest("Ann").await, world.guest("Ben").await, world.guest("Cat").await];
    let id_of = |made: &Value| made["match"]["id"].as_str().unwrap().to_owned();
    let reserved = json!({"places": [{"seat": 1, "player_id": ben.id}], "start": "manual"});

    // Invited, and declines.
    let id = id_of(&ann.create(reserved.clone()).await);
    heard.told(world, "match.invited", &id, &[(1, &ben)]).await;
    ben.act(&id, "decline").await.ok();
    heard.told(world, "match.invitation_declined", &id, &[(1, &ann)]).await;
    ann.act(&id, "abort").await.ok();
    heard.told(world, "match.aborted", &id, &[(0, &ann)]).await;

    // Invited and sent away, before a seat is taken and afterwards.
    let id = id_of(&ann.create(reserved).await);
    ann.call("DELETE", &format!("/v1/matches/{id}/seats/1")).await.ok();
    heard.told(world, "match.removed", &id, &[(1, &ben)]).await;
    cat.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
    ann.call("DELETE", &format!("/v1/matches/{id}/seats/1")).await.ok();
    let mut expected = [(1, &ben), (1, &cat)];
    expected.sort_by_key(|(_, player)| player.id.clone());
    heard.told(world, "match.removed", &id, &expected).await;

    // A takeback, and a substitute.
    let pair = Pair::of([ann.clone(), ben.clone()], json!({})).await;
    heard.told(world, "match.started", &pair.id, &[(0, &ann), (1, &ben)]).await;
    let (start, first) = (pair.version().await, pair.turn().await.seat);
    pair.play(WIN[0]).await.ok();
    pair.players[first].post(&pair.path("/takeback"), json!({"to_version": start})).await.ok();
    let other = 1 - first;
    heard.told(world, "match.takeback_offered", &pair.id, &[(other as u64, &pair.players[other])]).await;
    let offer = ben.post(&pair.path("/substitute/offer"), json!({"seat": null})).await.ok();
    cat.call("POST", &format!("/v1/invites/{}/join", offer["code"].as_str().unwrap())).await.ok();
    let expected = [(0, &ann), (1, &ben)];
    heard.told(world, "match.substituted", &pair.id, &expected).await;

    // A bot has turns and is told of none, nor is a seat that a bot plays for a while.
    let bot = json!({"places": [{"seat": 1, "bot": "easy"}]});
    let with_bot = id_of(&ann.create(bot).await);
    world.eventually(async || ann.read(&with_bot).await["match"]["to_act"] == json!([0])).await;
    let clock = json!({
        "initial_seconds": 300, "increment_seconds": 0, "first_move_seconds": null, "on_timeout": "bot",
        "takeover_bot": "easy"
    });
    let late = Pair::of([ann.clone(), ben.clone()], json!({"clock": clock})).await;
    // Who is late for a first move calls the match off.
    late.play_all(&WIN[..2]).await;
    let turn = late.turn().await.seat;
    world.clock.advance_seconds(302);
    let (away, there) = (&late.players[turn], &late.players[1 - turn]);
    world.eventually(async || there.read(&late.id).await["decision"].is_object()).await;
    let decision = there.get(&late.path("?legal_moves=notation")).await.ok()["decision"].clone();
    let notation = decision["legal_moves"]["notations"][0].as_str().unwrap();
    there.play(&late.id, decision["id"].as_str().unwrap(), notation).await.ok();
    world.eventually(async || there.read(&late.id).await["decision"].is_object()).await;
    // An analysis is nobody's news.
    ann.act(&with_bot, "resign").await.ok();
    let version = ann.read(&with_bot).await["match"]["version"].as_u64().unwrap() - 1;
    let fork = id_of(&ann.post(&format!("/v1/matches/{with_bot}/fork"), json!({"version": version})).await.ok());
    heard.silent(world).await;
    let turns = |id: &str| heard.all("match.turn_started", id);
    assert!(turns(&with_bot).iter().all(|(seat, player)| (*seat, player) == (0, &ann.id)), "{:?}", turns(&with_bot));
    let mut expected = vec![(turn as u64, away.id.clone()); 2];
    expected.extend(vec![(1 - turn as u64, there.id.clone()); 3]);
    expected.sort();
    assert_eq!(turns(&late.id), expected);
    let about_fork = heard.receiver.all().iter().filter(|it| it.json()["data"]["match_id"] == fork.as_str()).count();
    assert_eq!((about_fork, turns(&with_bot).is_empty()), (0, false));

    // The operators learn of a player who has left.
    cat.call("DELETE", &format!("/v1/me?confirm={}", cat.id)).await.ok();
    let deleted = || heard.receiver.all().into_iter().map(|it| it.json()).find(|told| told["type"] == "player.deleted");
    world
        .eventually(async || {
            world.clock.advance_seconds(70);
            tokio::time::sleep(Duration::from_millis(200)).await;
            deleted().is_some()
        })
        .await;
    assert_eq!(deleted().unwrap()["data"], json!({"player_id": cat.id}));
}

async fn a_reminder_waits_while_a_turn_is_given_time(world: &mut World) {
    let heard = Heard::of(world, &["match.turn_reminder", "match.aborted"]).await;
    let players = [world.guest("Ann").await, world.guest("Ben").await];
    let clock = json!({"initial_seconds": 7200, "increment_seconds": 0, "first_move_seconds": null});
    let pair = Pair::of(players, json!({"clock": clock})).await;
    let (turn, version) = (pair.turn().await.seat, pair.version().await);
    let [own, other] = [turn, 1 - turn].map(|seat| &pair.players[seat]);
    let given = other.post(&pair.path("/clock/give"), json!({"seat": turn, "seconds": 3600})).await.ok();
    let deadline = given["match"]["seats"][turn]["clock"]["deadline_at"].clone();
    // It goes to whoever has the seat by then.
    let (cat, offered) = (world.guest("Cat").await, json!({"seat": null}));
    let offer = own.post(&pair.path("/substitute/offer"), offered).await.ok();
    cat.call("POST", &format!("/v1/invites/{}/join", offer["code"].as_str().unwrap())).await.ok();
    let next = async || {
        let queues = world.operator("admin:read").get("/v1/admin/queues").await.ok();
        Timestamp::from_rfc3339(queues["items"][2]["oldest_at"].as_str().unwrap()).unwrap().0
    };
    // The news of the begin is told by then.
    world.eventually(async || next().await > world.clock.now().0 + 3_600_000).await;
    // Four fifths of three hours are 8,640 seconds: at four fifths of two it is put off.
    let first = next().await;
    world.clock.advance_seconds(5_762);
    world.eventually(async || next().await == first + 2_880_000).await;
    assert_eq!(heard.receiver.count(), 0);
    world.clock.advance_seconds(2_880);
    heard.told(world, "match.turn_reminder", &pair.id, &[(turn as u64, &cat)]).await;
    let data = heard.receiver.all()[0].json()["data"].clone();
    assert_eq!((&data["deadline_at"], data["version"].as_u64()), (&deadline, Some(version)));
    // Whoever makes one of several decisions and goes away is reminded.
    let fields = json!({"game": "henge", "seats": 2, "clock": clock});
    let henge = Pair::of([world.guest("Ann").await, world.guest("Ben").await], fields).await;
    let mut turn = henge.turn().await;
    let again = loop {
        let mover = &henge.players[turn.seat];
        let decision = mover.get(&henge.path("?legal_moves=notation")).await.ok()["decision"].clone();
        henge.play(decision["legal_moves"]["notations"][0].as_str().unwrap()).await.ok();
        let next = henge.turn().await;
        if next.seat == turn.seat {
            break next;
        }
        turn = next;
    };
    world.clock.advance_seconds(5_762);
    let expected = [(again.seat as u64, &henge.players[again.seat])];
    heard.told(world, "match.turn_reminder", &henge.id, &expected).await;
    // One that is late is none: an instance that was away finds the turn over.
    let late = Pair::of([world.guest("Ann").await, world.guest("Ben").await], json!({"clock": clock})).await;
    world.clock.advance_seconds(7_300);
    world.eventually(async || !heard.all("match.aborted", &late.id).is_empty()).await;
    heard.silent(world).await;
    assert_eq!(heard.all("match.turn_reminder", &late.id), []);
}
