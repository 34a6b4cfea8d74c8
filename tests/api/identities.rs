//! Signing in by an outside issuer whose key set is a file, by tokens that are put together by hand.

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Method;
use sarsen::ambient::Ambient;
use sarsen::app::{self, StartError};
use sarsen::config;
use sarsen::games::{GameSettings, Games};
use sarsen::outbound::OutboundRules;
use sarsen::outside::IssuerTerms;
use sarsen::players::NameBlocklist;
use sarsen::store::Allowance;
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::devices::next;
use crate::notifications::hooked;
use crate::receiver::{Behaviour, Receiver};
use crate::world::{Backend, DEADLINE, Settings, World};

/// The issuer's key.
fn key() -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap()
}

/// A token of the issuer for this account.
pub fn token(subject: &str) -> String {
    let now = Ambient::system().now().unix_seconds();
    let claims = json!({"iss": "https://acme.example/", "aud": "sarsen", "sub": subject, "nickname": subject,
        "iat": now, "exp": now + 60});
    let message = [json!({"alg": "EdDSA"}), claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string())).join(".");
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(key().sign(message.as_bytes())))
}

/// The issuer, whose key set is at this place.
pub fn issuers(jwks: &str) -> Vec<IssuerTerms> {
    let issuer = json!([{"name": "acme", "iss": "https://acme.example/", "aud": ["sarsen"], "jwks": jwks,
        "algorithms": ["EdDSA"], "name_claim": "nickname"}]);
    IssuerTerms::read_list(&issuer.to_string()).unwrap()
}

/// A file with the issuer's key set.
pub fn key_set() -> NamedTempFile {
    let (keys, x) = (NamedTempFile::new().unwrap(), URL_SAFE_NO_PAD.encode(key().public_key()));
    std::fs::write(keys.path(), json!({"keys": [{"kty": "OKP", "crv": "Ed25519", "x": x}]}).to_string()).unwrap();
    keys
}

#[tokio::test]
async fn a_key_set_over_plain_http_is_refused_at_the_start() {
    let dir = tempfile::tempdir().unwrap();
    let settings =
        config::Settings { issuers: issuers("http://keys.example/jwks"), ..config::Settings::local(dir.path()) };
    let refused = app::start(settings, Games::standard(GameSettings::default())).await.err().unwrap();
    assert!(matches!(&refused, StartError::Issuer { name, .. } if name == "acme"), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_account_is_a_guest_and_has_no_blocked_name() {
    let keys = key_set();
    let mut settings = Settings {
        issuers: issuers(&format!("file:{}", keys.path().display())),
        name_blocklist: NameBlocklist::parse("admin\n"),
        ..Settings::default()
    };
    settings.allowances.guests = Some(Allowance { burst: 2, per_minute: 1 });
    let mut world = World::with(Backend::Embedded, settings).await;
    let nobody = world.nobody();
    let exchange = async |subject: &str| {
        nobody.post("/v1/tokens/exchange", json!({"issuer": "acme", "token": token(subject)})).await
    };
    let names = [exchange("Rowan").await, exchange("Admin").await].map(|made| made.ok()["player"]["name"].clone());
    assert_eq!(names[0], "Rowan");
    assert!(names[1].as_str().unwrap().starts_with("Player "), "{names:?}");
    exchange("Wren").await.refused(429, "rate_limited");
    assert_eq!(exchange("Rowan").await.status, 200, "no new one");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_by_a_known_account_is_told_and_one_by_a_new_account_is_not() {
    let keys = key_set();
    let settings = Settings {
        issuers: issuers(&format!("file:{}", keys.path().display())),
        outbound: OutboundRules { allow_http: true, allow_networks: vec!["127.0.0.0/8".parse().unwrap()] },
        ..Settings::default()
    };
    for backend in [Backend::Embedded, Backend::Redis] {
        let mut world = World::with(backend, settings.clone()).await;
        let (receiver, operators) =
            (Receiver::start(Behaviour::Status(204)).await, Receiver::start(Behaviour::Status(204)).await);
        let terms = json!({"url": operators.url("/"), "events": ["session.started"]});
        world.operator("admin:operate").post("/v1/admin/webhooks", terms).await.ok();
        let nobody = world.nobody();
        let exchange = async |subject: &str, device: &str| {
            let body = json!({"issuer": "acme", "token": token(subject), "device": device});
            nobody.post("/v1/tokens/exchange", body).await
        };
        let made = exchange("user-1", "Desk").await;
        assert_eq!(made.status, 201, "{}", made.text());
        let desk = nobody.signed_in(&made.ok());
        hooked(&desk, &receiver.url("/"), json!(["session.started"])).await;
        let stream = desk.request(Method::GET, "/v1/me/stream").send().await.unwrap();
        let mut told = Box::pin(stream.bytes_stream());
        assert_eq!(exchange("user-2", "Elsewhere").await.status, 201);

        let known = exchange("user-1", "Phone").await;
        assert_eq!(known.status, 200, "{}", known.text());
        let phone = nobody.signed_in(&known.ok());
        assert_eq!(phone.id, desk.id);
        let item = next(&mut told, DEADLINE).await.unwrap();
        assert_eq!((&item["type"], &item["session"]["device"]), (&json!("session_started"), &json!("Phone")));
        world.eventually(async || (receiver.count(), operators.count()) == (1, 1)).await;
        let session = phone.get("/v1/me").await.ok()["session_id"].clone();
        let data = json!({"player_id": desk.id, "session_id": session, "device": "Phone"});
        assert_eq!(receiver.all()[0].json()["data"], data);

        let listed = desk.get("/v1/me/identities").await.ok()["items"].clone();
        assert_eq!((listed[0]["issuer"].as_str(), &listed[1]), (Some("acme"), &Value::Null));
        assert_eq!(desk.get("/v1/me/export").await.ok()["identities"], listed);
        world.stop().await;
    }
}
