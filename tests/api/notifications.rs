//! Webhooks and Web Push, with receivers of the tests' own.

use std::time::Duration;

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use futures_util::future::join_all;
use sarsen::ambient::{Ambient, Clock, Timestamp};
use sarsen::notifications::VapidKey;
use sarsen::outbound::OutboundRules;
use serde_json::{Value, json};

use crate::client::Client;
use crate::metrics::Scraped;
use crate::push_browser::PushBrowser;
use crate::push_service;
use crate::receiver::{Behaviour, Received, Receiver};
use crate::tables::{Pair, WIN};
use crate::world::{Backend, Settings, World};

/// Makes a test of each case on the embedded store, and one on Redis of those behind `on both stores`.
macro_rules! told_cases {
    (on both stores: $($both:ident),+;) => {
        $crate::notifications::told_cases!(@on embedded Embedded: $($both),+);
        $crate::notifications::told_cases!(@on redis Redis: $($both),+);
    };
    ($($case:ident),+; on both stores: $($both:ident),+;) => {
        $crate::notifications::told_cases!(@on embedded Embedded: $($case),+, $($both),+);
        $crate::notifications::told_cases!(@on redis Redis: $($both),+);
    };
    (@on $module:ident $backend:ident: $($case:ident),+) => {
        mod $module {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                let mut world = super::world($crate::world::Backend::$backend).await;
                super::$case(&mut world).await;
                world.stop().await;
            })+
        }
    };
}
pub(crate) use told_cases;

told_cases!(
    a_receiver_that_fails_is_tried_again_and_a_past_turn_is_not_told,
    whoever_has_left_the_seat_is_not_told_of_its_turn, a_receiver_that_is_gone_is_switched_off, a_refused_url_names_its_rule, one_owner_sees_nothing_of_another,
    a_push_message_is_for_its_browser, a_subscription_that_is_gone_is_deleted;
    on both stores: a_turn_is_told_and_verifies, receivers_that_hang_delay_no_other;
);

/// A service that may send to this machine, and that sends push messages.
pub async fn world(backend: Backend) -> World {
    let outbound = OutboundRules { allow_http: true, allow_networks: vec!["127.0.0.0/8".parse().unwrap()] };
    let vapid_key = Some(VapidKey::new_key_text(&Ambient::system()));
    World::with(backend, Settings { outbound, vapid_key, ..Settings::default() }).await
}

pub const HOOKS: &str = "/v1/me/webhooks";

pub async fn hooked(client: &Client, url: &str, events: Value) -> (String, String) {
    let made = client.post(HOOKS, json!({"url": url, "events": events})).await.ok();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&made["webhook"]["id"]), text(&made["secret"]))
}

/// Verifies as the Standard Webhooks specification says.
pub fn verifies(received: &Received, secret: &str) -> bool {
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let signed = [
        received.header("webhook-id").as_bytes(),
        b".",
        received.header("webhook-timestamp").as_bytes(),
        b".",
        &received.body,
    ]
    .concat();
    let tag = STANDARD.encode(hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), &signed));
    received.header("webhook-signature").split(' ').any(|signature| signature == format!("v1,{tag}"))
}

/// The dice say who begins: has seat 0 be to act, and answers how many moves that took.
async fn brought_to_seat_0(pair: &Pair) -> usize {
    let moves = pair.turn().await.seat;
    pair.play_all(&WIN[..moves]).await;
    moves
}

async fn a_turn_is_told_and_verifies(world: &mut World) {
    let receiver = Receiver::start(Behaviour::Status(204)).await;
    let players = [world.guest("Ann").await, world.guest("Ben").await];
    let events = json!(["match.turn_started", "match.ended"]);
    let (id, secret) = hooked(&players[1], &receiver.url("/in"), events).await;
    let pair = Pair::of(players, json!({"visibility": "private"})).await;
    // Two turns of the five, or three; and the end.
    let count = 3 + pair.turn().await.seat;
    pair.play_all(&WIN).await;
    world.eventually(async || receiver.count() == count).await;
    let ben = &pair.players[1];
    let mut told = receiver.all();
    told.sort_by_key(|received| received.json()["data"]["version"].as_u64());
    for received in &told {
        assert!(verifies(received, &secret), "{received:?}");
        let data = received.json()["data"].clone();
        assert_eq!((&data["match_id"], &data["player_id"]), (&json!(pair.id), &json!(ben.id)));
        assert_eq!((data["seat"].as_u64(), received.path.as_str()), (Some(1), "/in"));
    }
    let types: Vec<_> = told.iter().map(|received| received.json()["type"].clone()).collect();
    assert!(types[..count - 1].iter().all(|kind| kind == "match.turn_started") && types[count - 1] == "match.ended");
    assert_eq!(told[count - 1].json()["data"]["status"], "finished");

    // Both secrets sign within the grace, and only the new one is shown.
    let rotated = ben.post(&format!("{HOOKS}/{id}/secret/rotate"), json!({"grace_seconds": 60})).await.ok();
    let newer = rotated["secret"].as_str().unwrap().to_owned();
    assert_eq!(ben.get(&format!("{HOOKS}/{id}/secret")).await.ok()["secret"], newer.as_str());
    let test = ben.call("POST", &format!("{HOOKS}/{id}/test")).await.ok();
    world.eventually(async || receiver.count() == count + 1).await;
    let tested = receiver.all().pop().unwrap();
    assert_eq!(
        (tested.header("webhook-id"), &tested.json()["type"]),
        (test["delivery_id"].as_str().unwrap(), &json!("webhook.test"))
    );
    assert!(verifies(&tested, &secret) && verifies(&tested, &newer) && newer != secret);

    // The deliveries are listed, and one is sent again under its id.
    let path = format!("{HOOKS}/{id}/deliveries");
    world.eventually(async || ben.get(&path).await.ok()["items"].as_array().unwrap().len() == count + 1).await;
    let page = ben.get(&format!("{path}?state=delivered&limit=1")).await.ok();
    assert_eq!((&page["items"][0]["id"], &page["items"][0]["status"]), (&test["delivery_id"], &json!(204)));
    let cursor = page["next_cursor"].as_str().unwrap();
    assert_eq!(ben.get(&format!("{path}?cursor={cursor}")).await.ok()["items"].as_array().unwrap().len(), count);
    ben.get(&format!("{path}?cursor=1")).await.refused(400, "invalid_parameter");
    let first = told[0].header("webhook-id");
    assert_eq!(ben.call("POST", &format!("{path}/{first}/resend")).await.status, 202);
    world.eventually(async || receiver.count() == count + 2).await;
    let again = receiver.all().pop().unwrap();
    assert_eq!((again.header("webhook-id"), &again.body), (first, &told[0].body));
    for shown in [ben.get(HOOKS).await.text(), ben.get(&path).await.text(), ben.get("/v1/me/export").await.text()] {
        assert!(!shown.contains("whsec_"), "{shown}");
        assert!(!shown.contains(&secret) && !shown.contains(&newer), "{shown}");
    }
    assert_eq!(ben.call("DELETE", &format!("{HOOKS}/{id}")).await.status, 204);
    ben.get(&format!("{HOOKS}/{id}")).await.refused(404, "webhook_not_found");
}

async fn receivers_that_hang_delay_no_other(world: &mut World) {
    let mut bad = Vec::new();
    for behaviour in [Behaviour::Hang, Behaviour::Flood, Behaviour::Close, Behaviour::With(302, "location: /elsewhere")]
    {
        bad.push(Receiver::start(behaviour).await);
    }
    let good = Receiver::start(Behaviour::Status(200)).await;
    let players = [world.guest("Ann").await, world.guest("Ben").await];
    let mut hooks = Vec::new();
    for receiver in &bad {
        hooks.push(hooked(&players[1], &receiver.url("/"), json!(["match.turn_started", "match.started"])).await.0);
    }
    hooked(&players[0], &good.url("/"), json!(["match.turn_started", "match.ended"])).await;
    let pair = Pair::of(players, json!({})).await;
    let count = 4 - pair.turn().await.seat;
    pair.play_all(&WIN).await;
    world.eventually(async || good.count() == count).await;
    world.eventually(async || bad.iter().all(|receiver| receiver.count() > 0)).await;
    let ben = &pair.players[1];
    let last = async |hook: &String| ben.get(&format!("{HOOKS}/{hook}/deliveries")).await.ok()["items"][0].clone();
    for (hook, error, status, state) in [
        (&hooks[1], Value::Null, json!(200), "delivered"),
        (&hooks[2], json!("connect"), Value::Null, "pending"),
        (&hooks[3], json!("status"), json!(302), "pending"),
    ] {
        world.eventually(async || last(hook).await["attempts"].as_u64().is_some_and(|attempts| attempts > 0)).await;
        let last = last(hook).await;
        assert_eq!((&last["error"], &last["status"]), (&error, &status), "{last}");
        assert!(last["state"] == state || last["state"] == "superseded", "{last}");
    }
    assert!(bad[3].all().iter().all(|received| received.path == "/"), "no redirect is followed");
}

async fn a_receiver_that_fails_is_tried_again_and_a_past_turn_is_not_told(world: &mut World) {
    let receiver = Receiver::start(Behaviour::With(429, "retry-after: 7")).await;
    let players = [world.guest("Ann").await, world.guest("Ben").await];
    let (id, _) = hooked(&players[0], &receiver.url("/"), json!(["match.turn_started"])).await;
    let pair = Pair::of(players, json!({})).await;
    let moves = brought_to_seat_0(&pair).await;
    world.eventually(async || receiver.count() == 1).await;
    let ann = &pair.players[0];
    let path = format!("{HOOKS}/{id}/deliveries");
    let last = async || ann.get(&path).await.ok()["items"][0].clone();
    world.eventually(async || last().await["attempts"] == 1).await;
    assert_eq!((&last().await["state"], &last().await["status"]), (&json!("pending"), &json!(429)));
    // It stands in the queue, for operators and in the metrics.
    let queues = world.operator("admin:read").get("/v1/admin/queues").await.ok();
    let names: Vec<_> = queues["items"].as_array().unwrap().iter().map(|queue| queue["name"].clone()).collect();
    assert_eq!(names, ["outbox", "due", "notify", "deliver", "rate", "review", "call_off", "deletions"]);
    assert_eq!(queues["items"][3]["length"], 1, "{queues}");
    let scraped = Scraped::of(&world.nobody()).await;
    assert_eq!(scraped.value(r#"sarsen_queue_length{queue="deliver"}"#), 1.0);
    for kind in ["notify", "rate", "review"] {
        assert_eq!(scraped.value(&format!("sarsen_queue_oldest_seconds{{queue=\"{kind}\"}}")), 0.0, "{kind}");
    }
    // The receiver asks for seven seconds, and gets them.
    world.clock.advance_seconds(8);
    world.eventually(async || receiver.count() == 2).await;
    let [first, second] = [&receiver.all()[0], &receiver.all()[1]].map(|it| it.header("webhook-id").to_owned());
    assert_eq!(first, second, "one id");
    world.eventually(async || last().await["attempts"] == 2).await;
    // The turn is over before the third attempt.
    pair.play(WIN[moves]).await.ok();
    receiver.behave(Behaviour::Status(200));
    world.clock.advance_seconds(700);
    world.eventually(async || last().await["state"] == "superseded").await;
    assert_eq!((receiver.count(), &last().await["attempts"]), (2, &json!(2)));
    let counted = async || {
        let scraped = Scraped::of(&world.nobody()).await;
        ["retried", "superseded", "delivered"]
            .map(|outcome| scraped.value(&format!(r#"sarsen_deliveries_total{{way="webhook",outcome="{outcome}"}}"#)))
    };
    world.eventually(async || counted().await == [2.0, 1.0, 0.0]).await;
}

async fn whoever_has_left_the_seat_is_not_told_of_its_turn(world: &mut World) {
    let receiver = Receiver::start(Behaviour::With(503, "retry-after: 7")).await;
    let (players, cat) = ([world.guest("Ann").await, world.guest("Ben").await], world.guest("Cat").await);
    let (id, _) = hooked(&players[0], &receiver.url("/"), json!(["match.turn_started"])).await;
    let pair = Pair::of(players, json!({})).await;
    brought_to_seat_0(&pair).await;
    let path = format!("{HOOKS}/{id}/deliveries");
    let last = async || pair.players[0].get(&path).await.ok()["items"][0].clone();
    world.eventually(async || last().await["attempts"] == 1).await;
    let offer = pair.players[0].post(&pair.path("/substitute/offer"), json!({"seat": null})).await.ok();
    cat.call("POST", &format!("/v1/invites/{}/join", offer["code"].as_str().unwrap())).await.ok();
    world.clock.advance_seconds(8);
    world.eventually(async || last().await["state"] == "superseded").await;
    assert_eq!(receiver.count(), 1);
}

async fn a_receiver_that_is_gone_is_switched_off(world: &mut World) {
    let receiver = Receiver::start(Behaviour::Hold).await;
    let operators = Receiver::start(Behaviour::Status(200)).await;
    let operator = world.operator("admin:operate");
    let terms = json!({"url": operators.url("/"), "events": ["webhook.disabled", "match.ended"]});
    let made = operator.post("/v1/admin/webhooks", terms).await.ok();
    let players = [world.guest("Ann").await, world.guest("Ben").await];
    let (id, _) =
        hooked(&players[0], &receiver.url("/"), json!(["match.started", "match.draw_offered", "match.ended"])).await;
    let both = &players;
    let mut begun = join_all([(); 6].map(|()| Pair::of(both.clone(), json!({})))).await;
    let pair = begun.pop().unwrap();
    let [ann, ben] = &pair.players;
    let hook = format!("{HOOKS}/{id}");
    // Several deliveries find it gone at once: a webhook that is off would get no other. The operators learn of it by one
    // message, which may come twice.
    world.eventually(async || receiver.messages().len() == 6).await;
    receiver.behave(Behaviour::Status(410));
    let failed = async || ann.get(&format!("{hook}/deliveries?state=failed")).await.ok()["items"].clone();
    world.eventually(async || failed().await.as_array().unwrap().len() == 6).await;
    assert_eq!(ann.get(&hook).await.ok()["disabled_reason"], "gone");
    let found = receiver.messages().len();
    world.eventually(async || operators.messages().len() == 1).await;
    let told = operators.messages().pop().unwrap();
    assert!(verifies(&told, made["secret"].as_str().unwrap()));
    assert_eq!(
        (&told.json()["type"], &told.json()["data"]),
        (&json!("webhook.disabled"), &json!({"player_id": ann.id, "webhook_id": id}))
    );
    // So it is with a webhook of the operators' own.
    let gone = Receiver::start(Behaviour::Status(410)).await;
    let terms = json!({"url": gone.url("/"), "events": ["match.draw_offered"]});
    let own = operator.post("/v1/admin/webhooks", terms).await.ok()["webhook"]["id"].clone();
    // Nothing more is sent, but a test, until it is on again.
    ben.act(&pair.id, "draw/offer").await.ok();
    world.eventually(async || operators.messages().len() == 2).await;
    assert_eq!(operators.messages()[1].json()["data"], json!({"webhook_id": own}));
    receiver.behave(Behaviour::Status(200));
    ann.call("POST", &format!("{hook}/test")).await.ok();
    world.eventually(async || receiver.messages().len() == found + 1).await;
    assert_eq!(ann.call("POST", &format!("{hook}/enable")).await.ok()["disabled_reason"], Value::Null);
    // The operators are told of a match in which they do not sit, once for each player.
    ben.act(&pair.id, "resign").await.ok();
    world.eventually(async || receiver.messages().len() == found + 2).await;
    world.eventually(async || operators.messages().len() == 4).await;
    let mut seats: Vec<_> = operators.messages()[2..].iter().map(|it| it.json()["data"]["seat"].as_u64()).collect();
    seats.sort_unstable();
    assert_eq!(seats, [Some(0), Some(1)]);
    // If it is gone once more, that is another message.
    receiver.behave(Behaviour::Status(410));
    world.clock.advance_seconds(1);
    ben.act(&begun[0].id, "draw/offer").await.ok();
    world.eventually(async || operators.messages().len() == 5).await;
    let again = operators.messages().pop().unwrap();
    assert_eq!((&again.json()["type"], &again.json()["data"]["webhook_id"]), (&json!("webhook.disabled"), &json!(id)));
    assert_ne!(again.header("webhook-id"), told.header("webhook-id"));
}

async fn a_refused_url_names_its_rule(world: &mut World) {
    let ann = world.guest("Ann").await;
    for (url, reason) in [
        ("hook.example", "malformed"),
        ("ftp://hook.example/", "scheme"),
        ("https://user@hook.example/", "user_info"),
        ("https://hook.example:0/", "port"),
        ("https://10.0.0.1/", "address"),
        ("https://169.254.169.254/latest", "address"),
        ("http://[::1]/", "address"),
    ] {
        let refused = ann.post(HOOKS, json!({"url": url, "events": ["match.ended"]})).await;
        assert_eq!(refused.refused(422, "url_not_allowed")["reason"], reason, "{url}");
    }
    let good = "https://hook.example/";
    let wrong = async |terms: Value| ann.post(HOOKS, terms).await.refused(400, "invalid_request");
    wrong(json!({"url": good, "events": []})).await;
    wrong(json!({"url": good, "events": ["match.move"]})).await;
    wrong(json!({"url": good, "events": ["player.deleted"]})).await;
    wrong(json!({"url": good, "events": ["match.ended"], "description": "\u{202e}"})).await;
    for _ in 0..5 {
        hooked(&ann, good, json!(["match.ended"])).await;
    }
    ann.post(HOOKS, json!({"url": good, "events": ["match.ended"]})).await.refused(409, "limit_reached");
    let id = ann.get(HOOKS).await.ok()["items"][0]["id"].as_str().unwrap().to_owned();
    let change = json!({"url": "https://other.example/", "description": "mine"});
    let patched = ann.send(ann.request(reqwest::Method::PATCH, &format!("{HOOKS}/{id}")).json(&change)).await.ok();
    assert_eq!((&patched["description"], &patched["events"]), (&json!("mine"), &json!(["match.ended"])));
}

async fn one_owner_sees_nothing_of_another(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let (id, _) = hooked(&ann, "https://hook.example/", json!(["match.ended"])).await;
    for (method, rest) in
        [("GET", ""), ("GET", "/secret"), ("GET", "/deliveries"), ("POST", "/test"), ("POST", "/enable")]
    {
        ben.call(method, &format!("{HOOKS}/{id}{rest}")).await.refused(404, "webhook_not_found");
    }
    assert_eq!(ben.call("DELETE", &format!("{HOOKS}/{id}")).await.status, 204);
    assert_eq!(ann.get(HOOKS).await.ok()["items"][0]["id"], id.as_str(), "it is still there");
    let operator = world.operator("admin:operate");
    operator.get(&format!("/v1/admin/webhooks/{id}")).await.refused(404, "webhook_not_found");
}

const TURNS: [&str; 1] = ["match.turn_started"];
pub const SUBSCRIPTIONS: &str = "/v1/me/push-subscriptions";

async fn a_push_message_is_for_its_browser(world: &mut World) {
    let service = Receiver::start(Behaviour::Judged(push_service::answer)).await;
    let browser = PushBrowser::new();
    let players = [world.guest("Ann").await, world.guest("Ben").await];
    let ann = players[0].clone();
    let public = ann.without_token().get("/v1/push").await.ok()["public_key"].as_str().unwrap().to_owned();
    let endpoint = push_service::endpoint(&service, &public);
    let made = ann.post(SUBSCRIPTIONS, browser.terms(&endpoint, &TURNS)).await.ok();
    // The same browser again takes the place of what it had.
    let again = ann.post(SUBSCRIPTIONS, browser.terms(&endpoint, &TURNS)).await.ok();
    assert_eq!(ann.get(SUBSCRIPTIONS).await.ok()["items"], json!([again]));
    assert!(made["id"] != again["id"] && !again.to_string().contains("p256dh"));
    let pair = Pair::of(players, json!({"clock": {"initial_seconds": 3600, "increment_seconds": 0}})).await;
    let moves = brought_to_seat_0(&pair).await;
    world.eventually(async || service.count() == 1).await;
    let pushed = service.all().pop().unwrap();
    assert_eq!((pushed.header("content-encoding"), pushed.header("urgency")), ("aes128gcm", "normal"));
    let ttl: u64 = pushed.header("ttl").parse().unwrap();
    assert!((1..=3_600).contains(&ttl) && pushed.header("topic").len() == 32, "{pushed:?}");
    let message: Value = serde_json::from_slice(&browser.decrypt(&pushed.body)).unwrap();
    assert_eq!((&message["web_push"], &message["notification"]["tag"]), (&json!(8030), &json!(pair.id)));
    assert_eq!((&message["type"], &message["data"]["seat"]), (&json!("match.turn_started"), &json!(0)));
    assert_eq!((&message["app_badge"], &message["notification"]["app_badge"]), (&json!(1), &json!(1)));
    // The push service takes nothing of a sender with another key, for another push service, or without a time.
    let judged = |change: &dyn Fn(&mut Received), port: u16| {
        let mut other = pushed.clone();
        change(&mut other);
        push_service::answer(&other, port).0
    };
    let header = |name: &'static str, value: &'static str| {
        move |pushed: &mut Received| drop(pushed.headers.insert(name.to_owned(), value.to_owned()))
    };
    assert_eq!(judged(&|_| {}, service.port), 201);
    assert_eq!(judged(&|pushed| pushed.path = pushed.path.replace(&public, "other"), service.port), 403);
    assert_eq!((judged(&|_| {}, service.port - 1), judged(&header("authorization", ""), service.port)), (403, 403));
    assert_eq!((judged(&header("ttl", ""), service.port), judged(&header("topic", "a b"), service.port)), (400, 400));
    for (key, value, reason) in [("p256dh", "*", "encoding"), ("p256dh", "AAAA", "length"), ("auth", "AAAA", "length")]
    {
        let mut terms = browser.terms(&service.url("/send/2"), &TURNS);
        terms["keys"][key] = json!(value);
        assert_eq!(ann.post(SUBSCRIPTIONS, terms).await.refused(400, "invalid_request")["reason"], reason);
    }
    let mut terms = browser.terms(&service.url("/send/2"), &TURNS);
    terms["keys"]["p256dh"] = json!(URL_SAFE_NO_PAD.encode([4; 65]));
    assert_eq!(ann.post(SUBSCRIPTIONS, terms).await.refused(400, "invalid_request")["reason"], "point");
    for time in [-1, 253_402_300_800_000_i64] {
        let mut terms = browser.terms(&service.url("/send/2"), &TURNS);
        terms["expirationTime"] = json!(time);
        assert_eq!(ann.post(SUBSCRIPTIONS, terms).await.refused(400, "invalid_request")["path"], "expirationTime");
    }
    ann.post(SUBSCRIPTIONS, browser.terms("https://10.0.0.1/", &TURNS)).await.refused(422, "url_not_allowed");
    let path = format!("{SUBSCRIPTIONS}/{}", again["id"].as_str().unwrap());
    assert_eq!(ann.call("POST", &format!("{path}/test")).await.status, 202);
    world.eventually(async || service.count() == 2).await;
    // A second match waits too.
    brought_to_seat_0(&Pair::of(pair.players.clone(), json!({})).await).await;
    world.eventually(async || service.count() == 3).await;
    let message: Value = serde_json::from_slice(&browser.decrypt(&service.all()[2].body)).unwrap();
    assert_eq!(message["app_badge"], 2);
    // Without a deadline it is kept for two days. A further turn of the first match takes the place of that before.
    pair.play_all(&WIN[moves..moves + 2]).await;
    world.eventually(async || service.count() == 4).await;
    let all = service.all();
    assert_eq!((all[2].header("ttl"), all[1].header("topic")), ("172800", ""));
    let waiting: Vec<_> = push_service::waiting(&all).iter().map(|it| it.header("topic").to_owned()).collect();
    assert_eq!(waiting, [all[1].header("topic"), all[2].header("topic"), all[0].header("topic")]);
    // It has taken all of them.
    let delivered =
        async || Scraped::of(&world.nobody()).await.value(r#"sarsen_deliveries_total{way="push",outcome="delivered"}"#);
    world.eventually(async || delivered().await == 4.0).await;
    assert_eq!(ann.call("DELETE", &path).await.status, 204);
    assert_eq!(ann.get(SUBSCRIPTIONS).await.ok()["items"], json!([]));
}

async fn a_subscription_that_is_gone_is_deleted(world: &mut World) {
    let service = Receiver::start(Behaviour::With(429, "retry-after: 6")).await;
    let browser = PushBrowser::new();
    let players = [world.guest("Ann").await, world.guest("Ben").await];
    let ann = players[0].clone();
    ann.post(SUBSCRIPTIONS, browser.terms(&service.url("/send/1"), &TURNS)).await.ok();
    let before = world.clock.now().0;
    brought_to_seat_0(&Pair::of(players, json!({})).await).await;
    world.eventually(async || service.count() == 1).await;
    assert_eq!(ann.get(SUBSCRIPTIONS).await.ok()["items"].as_array().unwrap().len(), 1, "429 waits");
    // For as long as the push service asks. While the attempt is under way, its lease lasts for longer.
    let next = async || {
        let queues = world.operator("admin:read").get("/v1/admin/queues").await.ok();
        Timestamp::from_rfc3339(queues["items"][3]["oldest_at"].as_str().unwrap()).unwrap().0
    };
    world.eventually(async || next().await <= world.clock.now().0 + 6_000).await;
    assert!(next().await >= before + 6_000, "not earlier either");
    // It knows no such subscription.
    service.behave(Behaviour::Judged(push_service::answer));
    world.clock.advance_seconds(11);
    world.eventually(async || service.count() == 2).await;
    world.eventually(async || ann.get(SUBSCRIPTIONS).await.ok()["items"] == json!([])).await;
    service.behave(Behaviour::Status(410));
    let made = ann.post(SUBSCRIPTIONS, browser.terms(&service.url("/send/2"), &TURNS)).await.ok();
    ann.call("POST", &format!("{SUBSCRIPTIONS}/{}/test", made["id"].as_str().unwrap())).await.ok();
    world.eventually(async || ann.get(SUBSCRIPTIONS).await.ok()["items"] == json!([])).await;
}

/// A player of one instance is told by any of them, once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_instances_tell_each_turn_once() {
    let mut world = world(Backend::Redis).await;
    let receiver = Receiver::start(Behaviour::Status(200)).await;
    let players = [world.guest("Ann").await, world.guest("Ben").await];
    hooked(&players[0], &receiver.url("/"), json!(["match.turn_started", "match.started", "match.ended"])).await;
    // Those that start later know the webhook at once.
    let others = [world.add_instance().await, world.add_instance().await];
    let pair = Pair::of([players[0].at(world.base(others[0])), players[1].at(world.base(others[1]))], json!({})).await;
    let count = 5 - pair.turn().await.seat;
    pair.play_all(&WIN).await;
    world.eventually(async || receiver.count() >= count).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mut told: Vec<_> = receiver.all().iter().map(|received| received.header("webhook-id").to_owned()).collect();
    assert_eq!(told.len(), count);
    told.sort();
    told.dedup();
    assert_eq!(told.len(), count);

    // An instance that runs is told of somebody's first webhook: by itself it looks every 30 seconds, which is later.
    let late = Receiver::start(Behaviour::Status(200)).await;
    let cat = world.guest("Cat").await;
    hooked(&cat.at(world.base(others[0])), &late.url("/"), json!(["match.draw_offered"])).await;
    let far = &pair.players[1];
    world
        .eventually(async || {
            let begun = Pair::of([cat.at(world.base(others[1])), far.clone()], json!({})).await;
            far.act(&begun.id, "draw/offer").await.ok();
            far.act(&begun.id, "resign").await.ok();
            tokio::time::sleep(Duration::from_millis(100)).await;
            late.count() > 0
        })
        .await;
    world.stop().await;
}
