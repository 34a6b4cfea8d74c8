//! A second device: pairing, recovery, sessions, and what the player's other devices are told.

use std::time::Duration;

use futures_util::StreamExt;
use reqwest::Method;
use sarsen::http::settings::Allowances;
use sarsen::store::Allowance;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};

use crate::client::{Answer, Client};
use crate::world::{Backend, DEADLINE, Settings, World, cases};

cases!(
    a_code_and_a_key_are_asked_for_within_bounds, a_device_is_told_of_another_and_of_no_other_player,
        a_guest_names_its_device, a_lost_answer_is_not_a_lost_code, a_lost_recovery_is_answered_again,
        sessions_are_listed_and_ended;
    on both stores: a_phone_joins_by_a_code_once, a_wiped_phone_comes_back;
);

async fn code(of: &Client) -> String {
    of.call("POST", "/v1/me/pairing-codes").await.ok()["code"].as_str().unwrap().to_owned()
}

async fn pair(nobody: &Client, body: Value, key: Option<&str>) -> Answer {
    let request = nobody.request(Method::POST, "/v1/tokens/pair").json(&body);
    nobody.send(key.into_iter().fold(request, |request, key| request.header("idempotency-key", key))).await
}

async fn a_phone_joins_by_a_code_once(world: &mut World) {
    let desk = world.guest("Ann").await;
    let (first, second) = (code(&desk).await, code(&desk).await);
    let nobody = world.nobody();
    pair(&nobody, json!({"code": first}), None).await.refused(404, "wrong_code");
    // Both phones send it at the same moment.
    let typed = second.to_lowercase().replace('-', " ");
    let both = [json!({"code": second, "device": "Phone"}), json!({"code": typed, "device": "Phone"})];
    let [one, other] = both.map(|body| pair(&nobody, body, None));
    let (one, other) = tokio::join!(one, other);
    let (won, lost) = if one.status == 200 { (one, other) } else { (other, one) };
    lost.refused(404, "wrong_code");
    let phone = nobody.signed_in(&won.ok());
    assert_eq!(phone.id, desk.id);
    assert_ne!(phone.refresh_token, desk.refresh_token);
    phone.get("/v1/me").await.ok();
    desk.get("/v1/me").await.ok();
    pair(&nobody, json!({"code": second}), None).await.refused(404, "wrong_code");
}

async fn a_lost_answer_is_not_a_lost_code(world: &mut World) {
    let desk = world.guest("Ann").await;
    let (nobody, code) = (world.nobody(), code(&desk).await);
    let body = json!({"code": code, "device": "Phone"});
    let lost = pair(&nobody, body.clone(), Some("k")).await;
    assert_eq!(lost.header("idempotent-replayed"), None);
    let again = pair(&nobody, body.clone(), Some("k")).await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.ok()["refresh_token"], lost.ok()["refresh_token"]);
    let other = json!({"code": code, "device": "Tablet"});
    pair(&nobody, other, Some("k")).await.refused(422, "idempotency_key_reused");
    pair(&nobody, body, Some("other")).await.refused(404, "wrong_code");
    assert_eq!(desk.get("/v1/me/sessions").await.ok()["items"].as_array().unwrap().len(), 2);
}

async fn a_lost_recovery_is_answered_again(world: &mut World) {
    let made = world.guest("Ann").await.call("POST", "/v1/me/recovery-key").await.ok();
    let nobody = world.nobody();
    let recover = async |device: &str| {
        let body = json!({"recovery_key": made["recovery_key"], "device": device});
        let request = nobody.request(Method::POST, "/v1/tokens/recover").json(&body);
        nobody.send(request.header("idempotency-key", "k")).await
    };
    let (lost, again) = (recover("Phone").await, recover("Phone").await);
    assert_eq!((lost.header("idempotent-replayed"), again.header("idempotent-replayed")), (None, Some("true")));
    assert_eq!(again.ok()["refresh_token"], lost.ok()["refresh_token"]);
    recover("Tablet").await.refused(422, "idempotency_key_reused");
    let sessions = nobody.signed_in(&again.ok()).get("/v1/me/sessions").await.ok();
    assert_eq!(sessions["items"].as_array().unwrap().len(), 2, "the guest's own and one more: {sessions}");
}

async fn a_guest_names_its_device(world: &mut World) {
    let nobody = world.nobody();
    let made = nobody.post("/v1/players", json!({"name": "Ann", "device": "  Old \n phone "})).await.ok();
    let sessions = nobody.signed_in(&made).get("/v1/me/sessions").await.ok();
    assert_eq!(sessions["items"][0]["device"], "Old phone");
    let refused = nobody.post("/v1/players", json!({"name": "Ann", "device": "x".repeat(41)})).await;
    assert_eq!(refused.refused(422, "invalid_name")["field"], "device");
}

async fn a_wiped_phone_comes_back(world: &mut World) {
    let phone = world.guest("Ann").await;
    let key = |made: Value| made["recovery_key"].as_str().unwrap().to_owned();
    let replaced = key(phone.call("POST", "/v1/me/recovery-key").await.ok());
    let kept = key(phone.call("POST", "/v1/me/recovery-key").await.ok());
    phone.post("/v1/tokens/revoke", json!({"scope": "all_sessions"})).await.ok();
    phone.get("/v1/me").await.refused(401, "token_revoked");
    let nobody = world.nobody();
    for wrong in [replaced.as_str(), "9J2TX-0VHQ8-M6KRB-4ZC1W-S7PDE-3NYGA", "x"] {
        nobody.post("/v1/tokens/recover", json!({"recovery_key": wrong})).await.refused(404, "wrong_code");
    }
    let back = nobody.post("/v1/tokens/recover", json!({"recovery_key": kept, "device": "New phone"})).await.ok();
    let back = nobody.signed_in(&back);
    assert_eq!(back.id, phone.id);
    let sessions = back.get("/v1/me/sessions").await.ok();
    assert_eq!((&sessions["items"][0]["device"], &sessions["items"][1]), (&json!("New phone"), &Value::Null));
    let made_at = |export: &Value| export["recovery_key_created_at"].clone();
    assert!(made_at(&back.get("/v1/me/export").await.ok()).is_string());
    assert_eq!(made_at(&world.guest("Ben").await.get("/v1/me/export").await.ok()), Value::Null);
    // Who is banned from everything is told so; who leaves leaves no key and no code behind.
    let operator = world.operator("admin:moderate");
    let ban = json!({"until": null, "from": "all", "reason": "test"});
    operator.put(&format!("/v1/admin/players/{}/ban", back.id), ban).await.ok();
    nobody.post("/v1/tokens/recover", json!({"recovery_key": kept})).await.refused(403, "banned");
    operator.call("DELETE", &format!("/v1/admin/players/{}/ban?reason=test", back.id)).await.ok();
    let code = code(&back).await;
    back.call("DELETE", &format!("/v1/me?confirm={}", back.id)).await.ok();
    nobody.post("/v1/tokens/recover", json!({"recovery_key": kept})).await.refused(404, "wrong_code");
    pair(&nobody, json!({"code": code}), None).await.refused(404, "wrong_code");
}

async fn sessions_are_listed_and_ended(world: &mut World) {
    let desk = world.guest("Ann").await;
    let nobody = world.nobody();
    let mut phones = Vec::new();
    for device in ["Phone", "  Old \n phone ", "Tablet"] {
        let body = json!({"code": code(&desk).await, "device": device});
        phones.push(nobody.signed_in(&pair(&nobody, body, None).await.ok()));
    }
    let listed = desk.get("/v1/me/sessions").await.ok();
    let items = listed["items"].as_array().unwrap();
    let devices: Vec<&Value> = items.iter().map(|session| &session["device"]).collect();
    assert_eq!(devices, [&Value::Null, &json!("Phone"), &json!("Old phone"), &json!("Tablet")]);
    let current: Vec<bool> = items.iter().map(|session| session["current"].as_bool().unwrap()).collect();
    assert_eq!(current, [true, false, false, false]);
    for session in items {
        let used = session["last_used_at"].as_str().unwrap();
        assert!(used.ends_with(":00:00.000Z") && used <= session["created_at"].as_str().unwrap(), "{session}");
    }
    let ended = items[1]["id"].as_str().unwrap();
    let path = format!("/v1/me/sessions/{ended}");
    // Of another's session nothing is told and nothing happens.
    world.guest("Ben").await.call("DELETE", &path).await.ok();
    phones[0].get("/v1/me").await.ok();
    for _ in 0..2 {
        desk.call("DELETE", &path).await.ok();
    }
    phones[0].get("/v1/me").await.refused(401, "token_revoked");
    let refresh = json!({"refresh_token": phones[0].refresh_token});
    nobody.post("/v1/tokens/refresh", refresh).await.refused(401, "refresh_token_invalid");
    phones[1].call("DELETE", "/v1/me/sessions").await.ok();
    desk.get("/v1/me").await.refused(401, "token_revoked");
    phones[2].get("/v1/me").await.refused(401, "token_revoked");
    let left = phones[1].get("/v1/me/sessions").await.ok();
    assert_eq!((left["items"].as_array().unwrap().len(), &left["items"][0]["current"]), (1, &json!(true)));
    let exported = phones[1].get("/v1/me/export").await.ok();
    assert_eq!(exported["sessions"], left["items"]);
}

async fn a_code_and_a_key_are_asked_for_within_bounds(world: &mut World) {
    let desk = world.guest("Ann").await;
    for (seconds, status) in [(59, 400), (60, 201), (600, 201), (601, 400)] {
        let made = desk.post("/v1/me/pairing-codes", json!({"expires_in_seconds": seconds})).await;
        assert_eq!(made.status, status, "{seconds}: {}", made.text());
    }
    let nobody = world.nobody();
    for body in [json!({}), json!({"code": 7}), json!({"code": "x", "other": 1})] {
        pair(&nobody, body, None).await.refused(400, "invalid_request");
    }
    let body = json!({"code": code(&desk).await, "device": "x".repeat(41)});
    let refused = pair(&nobody, body.clone(), None).await.refused(422, "invalid_name");
    assert_eq!(refused["field"], "device");
    let good = json!({"code": body["code"], "device": "x".repeat(40)});
    pair(&nobody, good, None).await.ok();
    // A code that has had its time opens nothing.
    let late = code(&desk).await;
    world.clock.advance_seconds(301);
    pair(&nobody, json!({"code": late}), None).await.refused(404, "wrong_code");
}

/// The next event of a stream, as JSON; `None` after this long.
pub async fn next<B: AsRef<[u8]>>(
    stream: &mut (impl StreamExt<Item = reqwest::Result<B>> + Unpin),
    wait: Duration,
) -> Option<Value> {
    let mut text = String::new();
    let read = async {
        loop {
            text.push_str(std::str::from_utf8(stream.next().await?.unwrap().as_ref()).unwrap());
            let data = text.lines().find_map(|line| line.strip_prefix("data: "));
            if let Some(data) = data.filter(|_| text.ends_with("\n\n")) {
                return Some(serde_json::from_str(data).unwrap());
            }
        }
    };
    timeout(wait, read).await.ok().flatten()
}

async fn a_device_is_told_of_another_and_of_no_other_player(world: &mut World) {
    let desk = world.guest("Ann").await;
    let stranger = world.guest("Ben").await;
    let follow = async |who: &Client| {
        let answer = who.request(Method::GET, "/v1/me/stream").send().await.unwrap();
        assert_eq!(answer.status(), 200);
        Box::pin(answer.bytes_stream())
    };
    let (mut own, mut other) = (follow(&desk).await, follow(&stranger).await);
    let nobody = world.nobody();
    let body = json!({"code": code(&desk).await, "device": "Phone"});
    let phone = nobody.signed_in(&pair(&nobody, body, None).await.ok());
    let told = next(&mut own, DEADLINE).await.unwrap();
    assert_eq!((&told["type"], &told["id"]), (&json!("session_started"), &json!("0")));
    let listed = phone.get("/v1/me/sessions").await.ok();
    let mut expected = listed["items"][1].clone();
    expected["current"] = json!(false);
    assert_eq!(told["session"], expected);
    // The order of events is as it was, and each session is told once.
    phone.create(json!({})).await;
    let step = next(&mut own, DEADLINE).await.unwrap();
    assert_eq!((&step["type"], &step["id"]), (&json!("step"), &json!("1")));
    assert_eq!(next(&mut other, Duration::from_millis(300)).await, None);
    assert_eq!(desk.inbox().await.len(), 1, "a page tells of matches alone");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_codes_are_bounded_by_address_however_many_come_at_once() {
    let bound = Some(Allowance { burst: 10, per_minute: 10 });
    let allowances = Allowances { codes: bound, ..Allowances::default() };
    let mut world = World::with(Backend::Embedded, Settings { allowances, ..Settings::default() }).await;
    let desk = world.guest("Ann").await;
    let (nobody, good) = (world.nobody(), code(&desk).await);
    // Right ones cost nothing.
    for _ in 0..12 {
        pair(&nobody, json!({"code": code(&desk).await}), None).await.ok();
    }
    let guesses = (0..40).map(|number| {
        let (nobody, guess) = (nobody.clone(), format!("{number:010}"));
        async move {
            let path = if number % 2 == 0 { "/v1/tokens/pair" } else { "/v1/tokens/recover" };
            let name = if number % 2 == 0 { "code" } else { "recovery_key" };
            nobody.post(path, json!({name: guess})).await.status
        }
    });
    let answers = futures_util::future::join_all(guesses).await;
    let count = |status| answers.iter().filter(|answer| **answer == status).count();
    assert_eq!((count(404), count(429)), (10, 30), "{answers:?}");
    let refused = pair(&nobody, json!({"code": good}), None).await;
    refused.refused(429, "rate_limited");
    assert!(refused.header("retry-after").is_some() && refused.header("ratelimit").unwrap().contains("\"codes\""));
    // Another address goes on.
    let elsewhere = world.nobody_at("127.0.0.2");
    pair(&elsewhere, json!({"code": code(&desk).await}), None).await.ok();
    let limits = nobody.get("/v1/limits").await.ok();
    assert_eq!(limits["allowances"]["codes"], json!({"burst": 10, "per_minute": 10}));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_instances_refuse_an_ended_session_within_ten_seconds_and_tell_of_a_new_one() {
    let mut world = World::start(Backend::Redis).await;
    world.add_instance().await;
    world.add_instance().await;
    let desk = world.guest("Ann").await;
    let answer = desk.at(world.base(0)).request(Method::GET, "/v1/me/stream").send().await.unwrap();
    let mut told = Box::pin(answer.bytes_stream());
    let there = world.nobody().at(world.base(1));
    let body = json!({"code": code(&desk.at(world.base(2))).await, "device": "Phone"});
    let phone = there.signed_in(&pair(&there, body, None).await.ok());
    assert_eq!(next(&mut told, DEADLINE).await.unwrap()["type"], "session_started");
    let listed = desk.get("/v1/me/sessions").await.ok();
    let ended = Instant::now();
    desk.call("DELETE", &format!("/v1/me/sessions/{}", listed["items"][1]["id"].as_str().unwrap())).await.ok();
    for number in 0..3 {
        let phone = phone.at(world.base(number));
        while phone.get("/v1/me").await.status != 401 {
            assert!(ended.elapsed() < Duration::from_secs(10), "the end of a session does not arrive");
            sleep(Duration::from_millis(10)).await;
        }
        phone.get("/v1/me").await.refused(401, "token_revoked");
    }
    eprintln!("three instances refused the session after {:.2} s", ended.elapsed().as_secs_f64());
    world.stop().await;
}
