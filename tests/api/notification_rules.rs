//! Bounds of notifications, the words for failures, the end of what has no reader any more, and secrets.

use std::fs::File;

use sarsen::ambient::Ambient;
use sarsen::auth::SigningKeys;
use sarsen::notifications::VapidKey;
use sarsen::outbound::OutboundRules;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

use crate::client::Client;
use crate::metrics::Scraped;
use crate::notifications::{HOOKS, SUBSCRIPTIONS, hooked, told_cases, verifies, world};
use crate::process::{Program, bare, borrowed, on_embedded};
use crate::push_browser::PushBrowser;
use crate::receiver::{Behaviour, Receiver};
use crate::tables::{Pair, WIN};
use crate::world::{Backend, Settings, World};

told_cases!(
    bounds_are_told_and_hold, a_failed_delivery_has_the_word_for_its_cause,
        operators_secrets_are_in_the_audit_by_name_alone, what_is_told_of_a_deleted_match_is_superseded;
    on both stores: moves_without_webhooks_order_and_ask_nothing;
);

const OPERATORS: &str = "/v1/admin/webhooks";

async fn bounds_are_told_and_hold(world: &mut World) {
    let (ann, operator) = (world.guest("Ann").await, world.operator("admin:operate"));
    let limits = ann.get("/v1/limits").await.ok();
    for (name, value) in [
        ("webhooks_per_player", 5),
        ("webhooks_of_operators", 20),
        ("webhook_url_bytes", 2048),
        ("webhook_grace_seconds", 604_800),
        ("push_subscriptions_per_player", 10),
        ("deliveries_kept", 1000),
        ("delivery_days", 4),
        ("replay_days", 3),
    ] {
        assert_eq!(limits[name], value, "{name}");
    }
    let terms = json!({"url": "https://hook.example/", "events": ["match.ended"]});
    for _ in 0..20 {
        operator.post(OPERATORS, terms.clone()).await.ok();
    }
    operator.post(OPERATORS, terms).await.refused(409, "limit_reached");
    let browser = PushBrowser::new();
    let subscribe = async |number: usize| {
        let endpoint = format!("https://push.example/send/{number}");
        ann.post(SUBSCRIPTIONS, browser.terms(&endpoint, &["match.ended"])).await
    };
    for number in 0..10 {
        subscribe(number).await.ok();
    }
    subscribe(10).await.refused(409, "limit_reached");
    // The same browser again is no further one.
    subscribe(9).await.ok();
    let long = |length: usize| format!("https://hook.example/{}", "a".repeat(length - "https://hook.example/".len()));
    let hook = |length| ann.post(HOOKS, json!({"url": long(length), "events": ["match.ended"]}));
    let id = hook(2048).await.ok()["webhook"]["id"].as_str().unwrap().to_owned();
    assert_eq!(hook(2049).await.refused(422, "url_not_allowed")["reason"], "length");
    let rotate =
        async |seconds: u32| ann.post(&format!("{HOOKS}/{id}/secret/rotate"), json!({"grace_seconds": seconds})).await;
    rotate(604_800).await.ok();
    rotate(604_801).await.refused(400, "invalid_request");
}

/// The last delivery to a webhook, once there was an attempt.
async fn tried(world: &World, client: &Client, hook: &str) -> Value {
    let path = format!("{HOOKS}/{hook}/deliveries");
    let last = async || client.get(&path).await.ok()["items"][0].clone();
    world.eventually(async || last().await["attempts"].as_u64() > Some(0)).await;
    last().await
}

async fn a_failed_delivery_has_the_word_for_its_cause(world: &mut World) {
    // It speaks no TLS.
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let plain = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            stream.write_all(b"HTTP/1.1 400 No\r\n\r\n").await.ok();
        }
    });
    let closed = TcpListener::bind(("127.0.0.1", 0)).await.unwrap().local_addr().unwrap();
    let ann = world.guest("Ann").await;
    for (url, word) in [
        ("http://nowhere.invalid/".to_owned(), "dns"),
        (format!("https://{plain}/"), "tls"),
        (format!("http://{closed}/"), "connect"),
    ] {
        let (hook, _) = hooked(&ann, &url, json!(["match.ended"])).await;
        ann.call("POST", &format!("{HOOKS}/{hook}/test")).await.ok();
        let failed = tried(world, &ann, &hook).await;
        assert_eq!((&failed["error"], &failed["status"]), (&json!(word), &Value::Null), "{url}");
    }
    // Where only names lead to this machine, an address is refused at once, and a name when it is asked.
    let outbound = OutboundRules { allow_http: true, ..OutboundRules::default() };
    let mut other = World::with(Backend::Embedded, Settings { outbound, ..Settings::default() }).await;
    let ben = other.guest("Ben").await;
    // The last two are 127.0.0.1 for whoever resolves names.
    for host in ["localhost", "2130706433", "0x7f.1"] {
        let (hook, _) = hooked(&ben, &format!("http://{host}:{}/", plain.port()), json!(["match.ended"])).await;
        ben.call("POST", &format!("{HOOKS}/{hook}/test")).await.ok();
        assert_eq!(tried(&other, &ben, &hook).await["error"], "blocked", "{host}");
    }
    let retried = r#"sarsen_deliveries_total{way="webhook",outcome="retried"}"#;
    other.eventually(async || Scraped::of(&other.nobody()).await.value(retried) == 3.0).await;
    other.stop().await;
}

async fn what_is_told_of_a_deleted_match_is_superseded(world: &mut World) {
    let receiver = Receiver::start(Behaviour::Status(503)).await;
    let players = [world.guest("Ann").await, world.guest("Ben").await];
    let (hook, _) = hooked(&players[0], &receiver.url("/"), json!(["match.ended"])).await;
    let pair = Pair::of(players, json!({})).await;
    let [ann, ben] = &pair.players;
    ben.act(&pair.id, "resign").await.ok();
    assert_eq!(tried(world, ann, &hook).await["state"], "pending");
    let operator = world.operator("admin:moderate");
    operator.call("DELETE", &format!("/v1/admin/matches/{0}?confirm={0}&reason=x", pair.id)).await.ok();
    receiver.behave(Behaviour::Status(200));
    world.clock.advance_seconds(7);
    world.eventually(async || tried(world, ann, &hook).await["state"] == "superseded").await;
    assert_eq!(receiver.count(), 1);
}

async fn operators_secrets_are_in_the_audit_by_name_alone(world: &mut World) {
    let operator = world.operator("admin:operate,admin:read");
    let made = operator.post(OPERATORS, json!({"url": "https://hook.example/", "events": ["match.ended"]})).await.ok();
    let id = made["webhook"]["id"].as_str().unwrap();
    let shown = operator.get(&format!("{OPERATORS}/{id}/secret")).await.ok();
    let rotated = operator.post(&format!("{OPERATORS}/{id}/secret/rotate"), json!({})).await.ok();
    let audit = operator.get("/v1/admin/audit").await;
    let operations =
        audit.ok()["items"].as_array().unwrap().iter().map(|it| it["operation"].clone()).collect::<Vec<_>>();
    for operation in ["createWebhookAsOperator", "getWebhookSecretAsOperator", "rotateWebhookSecretAsOperator"] {
        assert!(operations.contains(&json!(operation)), "{operations:?}");
    }
    for secret in [&made["secret"], &shown["secret"], &rotated["secret"]] {
        assert!(!audit.text().contains(secret.as_str().unwrap().trim_start_matches("whsec_")));
    }
}

/// All of the log, down to debug lines, of deliveries that arrive and that fail.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_is_in_the_log() {
    let dir = tempfile::tempdir().unwrap();
    let vapid = VapidKey::new_key_text(&Ambient::system());
    let more = ["--outbound-allow-http", "--outbound-allow-networks", "127.0.0.0/8"];
    let push = ["--vapid-key", &vapid, "--vapid-subject", "mailto:push@example.org"];
    let settings = on_embedded(&dir);
    let log = dir.path().join("log");
    let service = Program::logging(&[&borrowed(&settings)[..], &more, &push].concat(), File::create(&log).unwrap());
    let (ann, browser) = (service.guest("Ann").await, PushBrowser::new());
    let (good, bad) = (Receiver::start(Behaviour::Status(200)).await, Receiver::start(Behaviour::Close).await);
    let mut secrets = vec![vapid.clone()];
    for receiver in [&good, &bad] {
        let (hook, secret) = hooked(&ann, &receiver.url("/"), json!(["match.ended"])).await;
        secrets.push(secret.trim_start_matches("whsec_").to_owned());
        let terms = browser.terms(&receiver.url("/send"), &["match.ended"]);
        secrets.extend(["p256dh", "auth"].map(|key| terms["keys"][key].as_str().unwrap().to_owned()));
        let subscribed = ann.post(SUBSCRIPTIONS, terms).await.ok();
        let rotated = ann.post(&format!("{HOOKS}/{hook}/secret/rotate"), json!({})).await.ok();
        secrets.push(rotated["secret"].as_str().unwrap().trim_start_matches("whsec_").to_owned());
        let subscription = subscribed["id"].as_str().unwrap();
        for path in [format!("{HOOKS}/{hook}/test"), format!("{SUBSCRIPTIONS}/{subscription}/test")] {
            ann.call("POST", &path).await.ok();
        }
    }
    let begun = tokio::time::Instant::now();
    while good.count() < 2 || bad.count() < 2 {
        assert!(begun.elapsed() < crate::world::DEADLINE, "{} and {} came", good.count(), bad.count());
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    service.terminate();
    let written = std::fs::read_to_string(&log).unwrap();
    assert!(written.contains("DEBUG") || written.contains("debug"), "{written}");
    for secret in secrets {
        assert!(!written.contains(&secret), "{secret} is in the log");
    }
}

/// After an import the webhooks of a player and of the operators are told, with the secrets that their receivers have.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_webhook_that_was_carried_tells() {
    let dir = tempfile::tempdir().unwrap();
    let place = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (first, second, out) = (place("first"), place("second"), place("out"));
    let keys = SigningKeys::new_key_text(&Ambient::system());
    let more = ["--token-keys", &keys, "--outbound-allow-http", "--outbound-allow-networks", "127.0.0.0/8"];
    let settings = |data: &str| ["--data-dir", data].into_iter().chain(more).map(str::to_owned).collect::<Vec<_>>();
    let run = |arguments: &[&str]| assert!(bare().args(arguments).output().unwrap().status.success(), "{arguments:?}");
    let (own, operators) =
        (Receiver::start(Behaviour::Status(204)).await, Receiver::start(Behaviour::Status(204)).await);
    let program = Program::start(&borrowed(&settings(&first)));
    let players = [program.guest("Ann").await, program.guest("Ben").await];
    let secret = hooked(&players[0], &own.url("/"), json!(["match.started"])).await.1;
    let arguments = ["admin", "token", "--scopes", "admin:operate", "--token-keys", &keys, "--data-dir", &first];
    let token = String::from_utf8(bare().args(arguments).output().unwrap().stdout).unwrap();
    let operator = players[0].with_token(token.trim());
    let terms = json!({"url": operators.url("/"), "events": ["match.started"]});
    let made = operator.post(OPERATORS, terms).await.ok();
    program.terminate();
    run(&["export", "--out", &out, "--data-dir", &first]);
    run(&["import", &out, "--data-dir", &second]);
    let program = Program::start(&borrowed(&settings(&second)));
    let players = players.map(|player| player.at(program.base.clone()));
    let pair = Pair::of(players, json!({})).await;
    let begun = tokio::time::Instant::now();
    while own.count() < 1 || operators.count() < 2 {
        assert!(begun.elapsed() < crate::world::DEADLINE, "{} and {} came", own.count(), operators.count());
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(verifies(&own.all()[0], &secret) && own.all()[0].json()["data"]["match_id"] == pair.id.as_str());
    assert!(operators.all().iter().all(|told| verifies(told, made["secret"].as_str().unwrap())));
    program.terminate();
}

/// The operations of the store for moves while nobody listens: those of before there were notifications.
async fn moves_without_webhooks_order_and_ask_nothing(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let operator = world.nobody();
    let counts = async || {
        let scraped = Scraped::of(&operator).await;
        let operations = ["commit", "order_jobs", "move_job", "job_body", "replace_item"];
        operations.map(|it| scraped.value(&format!("sarsen_store_seconds_count{{operation=\"{it}\"}}")))
    };
    let before = counts().await;
    pair.play_all(&WIN[..4]).await;
    let after = counts().await;
    assert_eq!([0, 1, 2, 3, 4].map(|it| after[it] - before[it]), [4.0, 0.0, 0.0, 0.0, 0.0]);
    let queues = world.operator("admin:read").get("/v1/admin/queues").await.ok();
    assert_eq!((&queues["items"][2]["length"], &queues["items"][3]["length"]), (&json!(0), &json!(0)));
}
