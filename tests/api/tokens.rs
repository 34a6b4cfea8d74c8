//! Access and refresh tokens: forged, foreign, expired, revoked, rotated.

use std::collections::BTreeSet;

use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

use crate::client::Client;
use crate::world::{World, cases};

cases!(
    a_forged_token_is_no_token, a_token_ends_after_a_quarter_of_an_hour, a_refresh_token_works_once,
        a_revoked_session_is_over, all_sessions_can_be_revoked_together, a_bad_token_is_refused_where_none_is_needed;
    on both stores: two_tabs_may_refresh_at_once;
);

/// A token with this header and these claims, signed with the service's own secret.
fn signed(world: &World, algorithm: Algorithm, kid: Option<&str>, claims: &Value) -> String {
    let (own_kid, secret) = world.token_keys.split_once(':').unwrap();
    let mut header = Header::new(algorithm);
    header.typ = Some("at+jwt".to_owned());
    header.kid = Some(kid.unwrap_or(own_kid).to_owned());
    encode(&header, claims, &EncodingKey::from_secret(&BASE64_URL_SAFE_NO_PAD.decode(secret).unwrap())).unwrap()
}

fn claims(token: &str) -> Value {
    let payload = token.split('.').nth(1).unwrap();
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(payload).unwrap()).unwrap()
}

/// `token` with another header, its signature as it was.
fn reheaded(token: &str, header: Value) -> String {
    let (_, rest) = token.split_once('.').unwrap();
    format!("{}.{rest}", BASE64_URL_SAFE_NO_PAD.encode(header.to_string()))
}

async fn a_forged_token_is_no_token(world: &mut World) {
    let ann = world.guest("Ann").await;
    let token = ann.token.clone().unwrap();
    let (good, kid) = (claims(&token), world.token_keys.split_once(':').unwrap().0.to_owned());
    let with = |change: &dyn Fn(&mut Value)| {
        let mut claims = good.clone();
        change(&mut claims);
        signed(world, Algorithm::HS256, None, &claims)
    };
    // The way of forging is sound: unchanged claims pass.
    ann.with_token(&with(&|_| {})).get("/v1/me").await.ok();

    let (head_and_claims, _) = token.rsplit_once('.').unwrap();
    let own_secret_elsewhere = {
        let mut header = Header::new(Algorithm::HS256);
        header.typ = Some("at+jwt".to_owned());
        header.kid = Some(kid.clone());
        encode(&header, &good, &EncodingKey::from_secret(&[7; 32])).unwrap()
    };
    let forged = [
        ("nonsense", "nonsense".to_owned()),
        ("three dots", "a.b.c".to_owned()),
        ("no signature", format!("{head_and_claims}.")),
        ("a changed signature", format!("{head_and_claims}.{}", "A".repeat(43))),
        ("another secret", own_secret_elsewhere),
        ("alg none", reheaded(&format!("{head_and_claims}."), json!({"alg": "none", "typ": "at+jwt", "kid": kid}))),
        ("alg HS512", signed(world, Algorithm::HS512, None, &good)),
        ("alg RS256 in the header", reheaded(&token, json!({"alg": "RS256", "typ": "at+jwt", "kid": kid}))),
        ("another type", reheaded(&token, json!({"alg": "HS256", "typ": "JWT", "kid": kid}))),
        ("another key id", signed(world, Algorithm::HS256, Some("other"), &good)),
        ("another issuer", with(&|claims| claims["iss"] = json!("elsewhere"))),
        ("another audience", with(&|claims| claims["aud"] = json!("elsewhere"))),
        ("no expiry", with(&|claims| drop(claims.as_object_mut().unwrap().remove("exp")))),
        ("no player", with(&|claims| drop(claims.as_object_mut().unwrap().remove("sub")))),
        ("no session", with(&|claims| drop(claims.as_object_mut().unwrap().remove("sid")))),
        ("a life too long", with(&|claims| claims["exp"] = json!(claims["exp"].as_i64().unwrap() + 86_400))),
        ("issued in the future", with(&|claims| claims["iat"] = json!(claims["iat"].as_i64().unwrap() + 600))),
        ("a refresh token", ann.refresh_token.clone()),
        ("too long", "a".repeat(5000)),
    ];
    for (what, token) in forged {
        let answer = ann.with_token(&token).get("/v1/me").await;
        assert_eq!(answer.status, 401, "{what}");
        answer.refused(401, "token_invalid");
    }
    for header in ["Basic YTpi", "Bearer", "Bearer ", "token"] {
        let answer = world.nobody().get_with("/v1/me", "authorization", header).await;
        answer.refused(401, "token_invalid");
    }
    world.nobody().get("/v1/me").await.refused(401, "unauthenticated");
}

async fn a_token_ends_after_a_quarter_of_an_hour(world: &mut World) {
    let ann = world.guest("Ann").await;
    world.clock.advance_seconds(14 * 60);
    ann.get("/v1/me").await.ok();
    world.clock.advance_seconds(70);
    let expired = ann.get("/v1/me").await;
    expired.refused(401, "token_expired");
    assert_eq!(expired.header("www-authenticate"), Some(r#"Bearer error="invalid_token""#));
    refreshed(&ann).await.get("/v1/me").await.ok();
}

async fn refreshed(client: &Client) -> Client {
    let answer = client.post("/v1/tokens/refresh", json!({"refresh_token": client.refresh_token})).await;
    client.signed_in(&answer.ok())
}

async fn a_refresh_token_works_once(world: &mut World) {
    let ann = world.guest("Ann").await;
    let later = refreshed(&ann.without_token()).await;
    assert_eq!(later.id, ann.id);
    assert_ne!(later.refresh_token, ann.refresh_token);
    let latest = refreshed(&later).await;
    latest.get("/v1/me").await.ok();
    world.clock.advance_seconds(31);
    // Somebody else holds a copy: the whole session ends.
    let stolen = world.nobody().post("/v1/tokens/refresh", json!({"refresh_token": ann.refresh_token})).await;
    stolen.refused(401, "refresh_token_reused");
    latest.get("/v1/me").await.refused(401, "token_revoked");
    let dead = world.nobody().post("/v1/tokens/refresh", json!({"refresh_token": latest.refresh_token})).await;
    dead.refused(401, "refresh_token_invalid");
    for wrong in ["", "x", "r_AAAA", ann.token.as_deref().unwrap()] {
        let answer = world.nobody().post("/v1/tokens/refresh", json!({"refresh_token": wrong})).await;
        answer.refused(401, "refresh_token_invalid");
    }
}

async fn two_tabs_may_refresh_at_once(world: &mut World) {
    let ann = world.guest("Ann").await;
    // With Redis they reach two instances.
    let newest = if world.shares_a_store() { world.add_instance().await } else { 0 };
    let bases = [world.base(0), world.base(newest)];
    let tabs = (0..8).map(|tab| {
        let client = ann.at(bases[tab % bases.len()].clone());
        tokio::spawn(async move { refreshed(&client).await })
    });
    let mut successors = BTreeSet::new();
    let mut latest = ann.clone();
    for tab in tabs.collect::<Vec<_>>() {
        latest = tab.await.unwrap();
        latest.get("/v1/me").await.ok();
        successors.insert(latest.refresh_token.clone());
    }
    assert_eq!(successors.len(), 1, "every tab holds the same token");
    world.clock.advance_seconds(14 * 60);
    let one = refreshed(&latest).await;
    world.clock.advance_seconds(29);
    let other = refreshed(&latest).await;
    assert_eq!(one.refresh_token, other.refresh_token);
    refreshed(&one).await.get("/v1/me").await.ok();
    other.get("/v1/me").await.ok();
}

async fn a_revoked_session_is_over(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let revoked = ann.call("POST", "/v1/tokens/revoke").await;
    assert_eq!((revoked.status, revoked.bytes.len()), (204, 0));
    ann.get("/v1/me").await.refused(401, "token_revoked");
    ann.post("/v1/matches", json!({"game": "contiguity"})).await.refused(401, "token_revoked");
    let answer = ann.post("/v1/tokens/refresh", json!({"refresh_token": ann.refresh_token})).await;
    answer.refused(401, "refresh_token_invalid");
    ben.get("/v1/me").await.ok();
}

async fn all_sessions_can_be_revoked_together(world: &mut World) {
    let ann = world.guest("Ann").await;
    ann.post("/v1/tokens/revoke", json!({"scope": "all_sessions"})).await.ok();
    ann.get("/v1/me").await.refused(401, "token_revoked");
    let ben = world.guest("Ben").await;
    ben.post("/v1/tokens/revoke", json!({"scope": "everything"})).await.refused(400, "invalid_request");
    ben.get("/v1/me").await.ok();
}

async fn a_bad_token_is_refused_where_none_is_needed(world: &mut World) {
    let ann = world.guest("Ann").await;
    let id = ann.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
    for path in ["/v1/matches", &format!("/v1/matches/{id}"), &format!("/v1/matches/{id}/events")] {
        ann.with_token("nonsense").get(path).await.refused(401, "token_invalid");
    }
}
