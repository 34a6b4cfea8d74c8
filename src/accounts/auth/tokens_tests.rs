//! Forgeries and mistakes, each refused for its reason. Tokens are put together by hand here, so that every part can be
//! wrong on its own.

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use sarsen_base::ambient::{FixedClock, FixedEntropy};

const NOW: i64 = 1_700_000_000;
const SECRET: [u8; 32] = [7; 32];
const OLD_SECRET: [u8; 32] = [8; 32];

fn key(kid: &str, secret: &[u8]) -> String {
    format!("{kid}:{}", URL_SAFE_NO_PAD.encode(secret))
}

struct Setup {
    tokens: Tokens,
    clock: Arc<FixedClock>,
    player: PlayerId,
    session: SessionId,
}

fn setup_with(keys: &str, scope: TokenScope) -> Setup {
    let clock = Arc::new(FixedClock::at(Timestamp(NOW * 1000)));
    let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(1)));
    let (player, session) = (PlayerId::generate(&ambient), SessionId::generate(&ambient));
    let keys = SigningKeys::parse(keys).unwrap();
    Setup { tokens: Tokens::new(keys, scope, Arc::new(Revocations::new()), ambient), clock, player, session }
}

fn setup() -> Setup {
    setup_with(&key("k1", &SECRET), TokenScope::default())
}

impl Setup {
    fn issue(&self) -> String {
        self.tokens.issue(&self.player, &self.session).unwrap().token
    }

    fn header(&self) -> Value {
        json!({"typ": "at+jwt", "alg": "HS256", "kid": "k1"})
    }

    fn claims(&self) -> Value {
        json!({
            "iss": "sarsen", "aud": "sarsen", "sub": self.player, "sid": self.session, "iat": NOW,
            "exp": NOW + i64::from(ACCESS_TOKEN_SECONDS),
        })
    }

    fn principal(&self) -> Principal {
        Principal { player: self.player.clone(), session: self.session.clone(), program: None }
    }

    /// The flaw of a token that must be invalid.
    fn flaw(&self, token: &str) -> TokenFlaw {
        let error = self.tokens.verify(token).unwrap_err();
        assert_eq!(error.code(), "token_invalid", "{token}");
        match error {
            TokenError::Invalid(flaw) => flaw,
            other => panic!("{other}"),
        }
    }
}

fn sign(header: &Value, claims: &Value, algorithm: hmac::Algorithm, secret: &[u8]) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let message = format!("{}.{}", part(header), part(claims));
    let tag = hmac::sign(&hmac::Key::new(algorithm, secret), message.as_bytes());
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(tag))
}

fn signed(header: &Value, claims: &Value) -> String {
    sign(header, claims, hmac::HMAC_SHA256, &SECRET)
}

fn with(mut object: Value, name: &str, value: Value) -> Value {
    object[name] = value;
    object
}

fn without(mut object: Value, name: &str) -> Value {
    object.as_object_mut().unwrap().remove(name).unwrap();
    object
}

#[test]
fn an_issued_token_names_its_player_and_session() {
    let setup = setup();
    let issued = setup.tokens.issue(&setup.player, &setup.session).unwrap();
    assert_eq!(issued.expires_in_seconds, 900);
    assert_eq!(issued.expires_at, Timestamp((NOW + 900) * 1000));
    assert!(issued.token.len() < MAX_TOKEN_BYTES / 4, "{}", issued.token.len());
    assert_eq!(setup.tokens.verify(&issued.token).unwrap(), setup.principal());
}

#[test]
fn a_token_put_together_by_hand_from_the_same_parts_counts() {
    let setup = setup();
    let token = signed(&setup.header(), &setup.claims());
    assert_eq!(setup.tokens.verify(&token).unwrap(), setup.principal());
}

#[test]
fn a_token_of_another_secret_is_forged() {
    let setup = setup();
    let token = sign(&setup.header(), &setup.claims(), hmac::HMAC_SHA256, &OLD_SECRET);
    assert!(matches!(setup.flaw(&token), TokenFlaw::Jwt(_)));
}

#[test]
fn every_changed_character_spoils_a_token() {
    let setup = setup();
    let token = setup.issue();
    for index in 0..token.len() {
        let mut changed = token.clone().into_bytes();
        changed[index] = if changed[index] == b'A' { b'B' } else { b'A' };
        setup.flaw(std::str::from_utf8(&changed).unwrap());
    }
    for end in 0..token.len() {
        setup.flaw(&token[..end]);
    }
}

#[test]
fn a_payload_under_another_tokens_signature_is_refused() {
    let setup = setup();
    let other = PlayerId::generate(&Ambient::fixed(NOW, 99));
    let genuine = setup.issue();
    let tampered = signed(&setup.header(), &with(setup.claims(), "sub", json!(other)));
    let payload = tampered.split('.').nth(1).unwrap();
    let parts: Vec<&str> = genuine.split('.').collect();
    setup.flaw(&format!("{}.{payload}.{}", parts[0], parts[2]));
}

#[test]
fn only_hs256_counts() {
    let setup = setup();
    for none in ["none", "None", "NONE", ""] {
        let header = with(setup.header(), "alg", json!(none));
        let token = signed(&header, &setup.claims());
        setup.flaw(&token);
        let (message, _) = token.rsplit_once('.').unwrap();
        setup.flaw(&format!("{message}."));
        setup.flaw(message);
    }
    for (alg, algorithm) in [("HS512", hmac::HMAC_SHA512), ("HS384", hmac::HMAC_SHA384)] {
        setup.flaw(&sign(&with(setup.header(), "alg", json!(alg)), &setup.claims(), algorithm, &SECRET));
    }
    for alg in ["RS256", "ES256", "EdDSA", "PS512"] {
        setup.flaw(&signed(&with(setup.header(), "alg", json!(alg)), &setup.claims()));
    }
    setup.flaw(&signed(&without(setup.header(), "alg"), &setup.claims()));
}

#[test]
fn the_key_must_be_named_and_known() {
    let setup = setup();
    for header in [
        without(setup.header(), "kid"),
        with(setup.header(), "kid", json!("k2")),
        with(setup.header(), "kid", json!("")),
        with(setup.header(), "kid", Value::Null),
    ] {
        assert!(matches!(setup.flaw(&signed(&header, &setup.claims())), TokenFlaw::Key), "{header}");
    }
}

#[test]
fn the_header_must_be_that_of_an_access_token() {
    let setup = setup();
    for header in [
        without(setup.header(), "typ"),
        with(setup.header(), "typ", json!("JWT")),
        with(setup.header(), "crit", json!(["exp"])),
    ] {
        assert!(matches!(setup.flaw(&signed(&header, &setup.claims())), TokenFlaw::Header), "{header}");
    }
}

#[test]
fn every_claim_is_required() {
    let setup = setup();
    for claim in ["iss", "aud", "sub", "sid", "iat", "exp"] {
        setup.flaw(&signed(&setup.header(), &without(setup.claims(), claim)));
        setup.flaw(&signed(&setup.header(), &with(setup.claims(), claim, Value::Null)));
    }
}

#[test]
fn claims_have_their_form_and_value() {
    let setup = setup();
    for (claim, value) in [
        ("iss", json!("elsewhere")),
        ("iss", json!("")),
        ("aud", json!("elsewhere")),
        ("aud", json!([])),
        ("aud", json!(["elsewhere"])),
        ("sub", json!("p_1")),
        ("sub", json!(setup.session)),
        ("sid", json!(setup.player)),
        ("iat", json!("now")),
        ("exp", json!("later")),
        ("exp", json!(-1)),
        ("exp", json!(1e300)),
    ] {
        setup.flaw(&signed(&setup.header(), &with(setup.claims(), claim, value)));
    }
}

#[test]
fn a_token_of_another_service_with_the_same_key_is_refused() {
    let scope = |issuer: &str, audience: &str| TokenScope { issuer: issuer.into(), audience: audience.into() };
    let ours = setup_with(&key("k1", &SECRET), scope("here", "api"));
    for other in [scope("there", "api"), scope("here", "other")] {
        let token = setup_with(&key("k1", &SECRET), other).issue();
        ours.flaw(&token);
    }
}

#[test]
fn a_token_expires_by_the_injected_clock() {
    let setup = setup();
    let token = setup.issue();
    setup.clock.advance_seconds(ACCESS_TOKEN_SECONDS + LEEWAY_SECONDS - 1);
    assert!(setup.tokens.verify(&token).is_ok());
    setup.clock.advance_seconds(1);
    let error = setup.tokens.verify(&token).unwrap_err();
    assert_eq!(error.code(), "token_expired");
    let forged = sign(&setup.header(), &setup.claims(), hmac::HMAC_SHA256, &OLD_SECRET);
    assert!(matches!(setup.flaw(&forged), TokenFlaw::Jwt(_)), "only a genuine token is told that it has expired");
}

#[test]
fn a_token_from_the_future_is_refused() {
    let setup = setup();
    let at = |iat: i64| {
        let claims = with(with(setup.claims(), "iat", json!(iat)), "exp", json!(iat + 900));
        signed(&setup.header(), &claims)
    };
    assert!(setup.tokens.verify(&at(NOW + i64::from(LEEWAY_SECONDS))).is_ok());
    assert!(matches!(setup.flaw(&at(NOW + i64::from(LEEWAY_SECONDS) + 1)), TokenFlaw::Early));
    let early = with(setup.claims(), "nbf", json!(NOW + 60));
    assert!(matches!(setup.flaw(&signed(&setup.header(), &early)), TokenFlaw::Early));
}

#[test]
fn no_token_outlives_the_memory_of_its_revocation() {
    let setup = setup();
    let long = with(setup.claims(), "exp", json!(NOW + i64::from(ACCESS_TOKEN_SECONDS) + 1));
    assert!(matches!(setup.flaw(&signed(&setup.header(), &long)), TokenFlaw::Lifetime));
    let last = NOW + i64::from(LEEWAY_SECONDS + ACCESS_TOKEN_SECONDS + LEEWAY_SECONDS);
    assert!(setup.tokens.revoked_until() > Timestamp(last * 1000), "issued on a fast clock, shown on a slow one");
}

#[test]
fn a_revoked_session_is_refused_and_others_are_not() {
    let setup = setup();
    let (token, player) = (setup.issue(), setup.player.clone());
    let other = SessionId::generate(&Ambient::fixed(NOW, 3));
    let kept = setup.tokens.issue(&player, &other).unwrap().token;
    setup.tokens.revocations().insert(setup.session.clone(), setup.tokens.revoked_until());
    assert_eq!(setup.tokens.verify(&token).unwrap_err().code(), "token_revoked");
    assert_eq!(setup.tokens.verify(&kept).unwrap().session, other);
}

#[test]
fn keys_are_rotated_without_logging_anyone_out() {
    let (old, new) = (key("old", &OLD_SECRET), key("new", &SECRET));
    let scope = TokenScope::default;
    let before = setup_with(&old, scope());
    let both = setup_with(&format!("{new},{old}"), scope());
    let after = setup_with(&new, scope());
    assert!(both.tokens.verify(&before.issue()).is_ok());
    assert!(both.tokens.verify(&both.issue()).is_ok());
    assert!(after.tokens.verify(&both.issue()).is_ok(), "the key in front signs");
    assert!(matches!(after.flaw(&before.issue()), TokenFlaw::Key));
    assert!(matches!(before.flaw(&both.issue()), TokenFlaw::Key));
}

#[test]
fn an_old_key_cannot_sign_in_the_name_of_a_new_one() {
    let setup = setup_with(&format!("{},{}", key("k1", &SECRET), key("k0", &OLD_SECRET)), TokenScope::default());
    setup.flaw(&sign(&setup.header(), &setup.claims(), hmac::HMAC_SHA256, &OLD_SECRET));
}

#[test]
fn oversized_tokens_are_not_looked_at() {
    let setup = setup();
    let padded = with(setup.claims(), "x", json!("x".repeat(MAX_TOKEN_BYTES)));
    assert!(matches!(setup.flaw(&signed(&setup.header(), &padded)), TokenFlaw::Length(_)));
}

#[test]
fn debug_hides_the_token() {
    let setup = setup();
    let issued = setup.tokens.issue(&setup.player, &setup.session).unwrap();
    assert!(!format!("{issued:?}").contains(&issued.token));
    assert!(!format!("{:?}", setup.tokens).contains(&URL_SAFE_NO_PAD.encode(SECRET)));
}

proptest! {
    #[test]
    fn no_text_passes_or_panics(text in ".*") {
        prop_assert_eq!(setup().tokens.verify(&text).unwrap_err().code(), "token_invalid");
    }

    #[test]
    fn no_three_parts_pass_or_panic(header in "[ -~]{0,80}", claims in "[ -~]{0,80}", tag in any::<[u8; 32]>()) {
        let part = |text: &str| URL_SAFE_NO_PAD.encode(text);
        let token = format!("{}.{}.{}", part(&header), part(&claims), URL_SAFE_NO_PAD.encode(tag));
        prop_assert_eq!(setup().tokens.verify(&token).unwrap_err().code(), "token_invalid");
    }

    #[test]
    fn no_signed_claims_make_it_panic(iat in any::<i64>(), exp in any::<i64>(), nbf in any::<Option<i64>>()) {
        let setup = setup();
        let claims = with(with(with(setup.claims(), "iat", json!(iat)), "exp", json!(exp)), "nbf", json!(nbf));
        let _ = setup.tokens.verify(&signed(&setup.header(), &claims));
    }
}

#[test]
fn an_issued_token_is_read_the_short_way_and_judged_no_less() {
    let setup = setup();
    let token = setup.issue();
    assert!(setup.tokens.read_own(&token).is_some());
    for scope in [("other", "sarsen"), ("sarsen", "other")] {
        let scope = TokenScope { issuer: scope.0.into(), audience: scope.1.into() };
        let foreign = setup_with(&key("k1", &SECRET), scope).issue();
        assert!(setup.tokens.read_own(&foreign).is_none());
        assert!(matches!(setup.flaw(&foreign), TokenFlaw::Jwt(_)));
    }
    let forged = setup_with(&key("k1", &OLD_SECRET), TokenScope::default()).issue();
    assert!(setup.tokens.read_own(&forged).is_none());
    assert!(matches!(setup.flaw(&forged), TokenFlaw::Jwt(_)));
}

#[test]
fn a_token_that_was_good_before_is_judged_again_by_time_and_revocation() {
    let setup = setup();
    let (token, other) = (setup.issue(), SessionId::generate(&Ambient::fixed(NOW, 3)));
    let kept = setup.tokens.issue(&setup.player, &other).unwrap().token;
    for _ in 0..2 {
        assert_eq!(setup.tokens.verify(&token).unwrap(), setup.principal());
        assert_eq!(setup.tokens.verify(&kept).unwrap().session, other);
    }
    let (claims, signature) = kept.rsplit_once('.').unwrap();
    let borrowed = format!("{}.{signature}", token.rsplit_once('.').unwrap().0);
    assert!(setup.tokens.verify(&borrowed).is_err() && setup.tokens.verify(claims).is_err());
    setup.tokens.revocations().insert(setup.session.clone(), setup.tokens.revoked_until());
    assert_eq!(setup.tokens.verify(&token).unwrap_err().code(), "token_revoked");
    setup.clock.advance_seconds(ACCESS_TOKEN_SECONDS + LEEWAY_SECONDS);
    assert_eq!(setup.tokens.verify(&kept).unwrap_err().code(), "token_expired");
}
