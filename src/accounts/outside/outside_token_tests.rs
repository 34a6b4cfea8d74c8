//! Forged, stale and foreign tokens, each refused for its reason. Tokens are put together by hand here; those that an
//! independent library makes are tried in `tests/api`.

use aws_lc_rs::hmac;
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use proptest::prelude::*;
use serde_json::json;

use super::*;

const NOW: i64 = 1_700_000_000;

struct Signer {
    pair: Ed25519KeyPair,
    terms: IssuerTerms,
}

fn signer() -> Signer {
    let terms = json!([{"name": "acme", "iss": "https://id.acme.example/", "aud": ["sarsen", "other"], "jwks": "file:x",
        "algorithms": ["ES256", "EdDSA"], "name_claim": "nickname"}]);
    let pair = Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap();
    Signer { pair, terms: IssuerTerms::read_list(&terms.to_string()).unwrap().remove(0) }
}

fn header_json() -> Value {
    json!({"alg": "EdDSA", "typ": "JWT", "kid": "a"})
}

fn claims_json() -> Value {
    json!({"iss": "https://id.acme.example/", "aud": "sarsen", "sub": "user-1", "iat": NOW, "exp": NOW + 300,
        "nickname": "Rowan"})
}

fn with(mut object: Value, name: &str, value: Value) -> Value {
    object[name] = value;
    object
}

fn without(mut object: Value, name: &str) -> Value {
    object.as_object_mut().unwrap().remove(name).unwrap();
    object
}

fn message(header: &Value, claims: &Value) -> String {
    [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string())).join(".")
}

impl Signer {
    fn keys(&self) -> KeySet {
        let x = URL_SAFE_NO_PAD.encode(self.pair.public_key().as_ref());
        let set = json!({"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "a", "x": x}]});
        KeySet::read(set.to_string().as_bytes()).unwrap()
    }

    fn token(&self, header: &Value, claims: &Value) -> String {
        let message = message(header, claims);
        let signature = self.pair.sign(message.as_bytes());
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature.as_ref()))
    }

    fn checked(&self, token: &str) -> Result<OutsideClaims, OutsideFlaw> {
        let read = header(token, &self.terms)?;
        check(token, &read, &self.terms, &self.keys(), Timestamp(NOW * 1000))
    }

    fn flaw(&self, header: Value, claims: Value) -> Option<OutsideFlaw> {
        self.checked(&self.token(&header, &claims)).err()
    }
}

#[test]
fn a_sound_token_says_whom_it_is_about() {
    let signer = signer();
    let claims = signer.checked(&signer.token(&header_json(), &claims_json())).unwrap_or_else(|flaw| panic!("{flaw}"));
    assert_eq!((claims.subject.as_str(), claims.name.as_deref()), ("user-1", Some("Rowan")));
    for header in [
        without(header_json(), "typ"),
        without(header_json(), "kid"),
        with(with(header_json(), "jku", json!("https://evil.example/jwks")), "x5u", json!("https://evil.example/")),
        with(header_json(), "jwk", json!({"kty": "OKP"})),
    ] {
        assert_eq!(signer.flaw(header.clone(), claims_json()), None, "{header}");
    }
    for claims in [
        with(claims_json(), "aud", json!(["elsewhere", "other"])),
        with(claims_json(), "nickname", json!(7)),
        with(claims_json(), "sub", json!("\u{1F600}".repeat(255))),
        with(claims_json(), "exp", json!(NOW as f64 + 0.5)),
        with(claims_json(), "nbf", json!(NOW + 60)),
    ] {
        assert_eq!(signer.flaw(header_json(), claims.clone()), None, "{claims}");
    }
}

#[test]
fn a_header_that_asks_for_more_or_less_is_refused() {
    let signer = signer();
    for alg in ["none", "None", "HS256", "HS512", "RS256", "ES384", "PS256", ""] {
        assert_eq!(signer.flaw(with(header_json(), "alg", json!(alg)), claims_json()), Some(OutsideFlaw::Algorithm));
    }
    assert_eq!(signer.flaw(without(header_json(), "alg"), claims_json()), Some(OutsideFlaw::Algorithm));
    let other = with(header_json(), "alg", json!("ES256"));
    assert_eq!(signer.flaw(other, claims_json()), Some(OutsideFlaw::Algorithm), "the key is for EdDSA");
    for (name, value) in [
        ("crit", json!(["exp"])),
        ("crit", json!(null)),
        ("typ", json!("at+jwt")),
        ("typ", json!("application/AT+JWT")),
        ("typ", json!("operator+jwt")),
        ("typ", json!(1)),
    ] {
        let flaw = signer.flaw(with(header_json(), name, value.clone()), claims_json());
        assert_eq!(flaw, Some(OutsideFlaw::Header), "{name}: {value}");
    }
    for kid in [json!("b"), json!(""), json!(null), json!(1), json!("a".repeat(256))] {
        let flaw = signer.flaw(with(header_json(), "kid", kid.clone()), claims_json());
        assert_eq!(flaw, Some(OutsideFlaw::Key), "{kid}");
    }
}

#[test]
fn a_public_key_is_no_secret_to_sign_with() {
    let signer = signer();
    let message = message(&with(header_json(), "alg", json!("HS256")), &claims_json());
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, signer.pair.public_key().as_ref()), message.as_bytes());
    for alg in ["HS256", "EdDSA"] {
        let message = message.replace(
            &URL_SAFE_NO_PAD.encode(with(header_json(), "alg", json!("HS256")).to_string()),
            &URL_SAFE_NO_PAD.encode(with(header_json(), "alg", json!(alg)).to_string()),
        );
        let refused = signer.checked(&format!("{message}.{}", URL_SAFE_NO_PAD.encode(tag.as_ref()))).err();
        assert!(matches!(refused, Some(OutsideFlaw::Algorithm | OutsideFlaw::Signature)), "{refused:?}");
    }
}

#[test]
fn every_changed_character_spoils_a_token() {
    let signer = signer();
    let token = signer.token(&header_json(), &claims_json());
    for index in 0..token.len() {
        let mut changed = token.clone().into_bytes();
        changed[index] = if changed[index] == b'A' { b'B' } else { b'A' };
        assert!(signer.checked(std::str::from_utf8(&changed).unwrap()).is_err(), "{index}");
        assert!(signer.checked(&token[..index]).is_err(), "{index}");
    }
    let (message, _) = token.rsplit_once('.').unwrap();
    for wrong in [format!("{message}."), format!("{token}."), format!("{token}="), "a".repeat(9000)] {
        assert!(signer.checked(&wrong).is_err());
    }
}

#[test]
fn claims_have_to_be_as_agreed() {
    let signer = signer();
    for (claim, value, flaw) in [
        ("iss", json!("https://id.acme.example"), OutsideFlaw::Issuer),
        ("iss", json!(["https://id.acme.example/"]), OutsideFlaw::Issuer),
        ("aud", json!("elsewhere"), OutsideFlaw::Audience),
        ("aud", json!([]), OutsideFlaw::Audience),
        ("aud", json!({"sarsen": 1}), OutsideFlaw::Audience),
        ("sub", json!(""), OutsideFlaw::Subject),
        ("sub", json!("x".repeat(256)), OutsideFlaw::Subject),
        ("sub", json!(7), OutsideFlaw::Subject),
        ("exp", json!(NOW - 60), OutsideFlaw::Times),
        ("exp", json!(NOW + 86_461), OutsideFlaw::Times),
        ("exp", json!("soon"), OutsideFlaw::Times),
        ("exp", json!(1e300), OutsideFlaw::Times),
        ("iat", json!(NOW - 661), OutsideFlaw::Times),
        ("iat", json!(NOW + 61), OutsideFlaw::Times),
        ("iat", json!(-1e300), OutsideFlaw::Times),
        ("nbf", json!(NOW + 61), OutsideFlaw::Times),
        ("nbf", json!(null), OutsideFlaw::Times),
    ] {
        assert_eq!(
            signer.flaw(header_json(), with(claims_json(), claim, value.clone())),
            Some(flaw),
            "{claim}: {value}"
        );
    }
    for (claim, value) in [("exp", NOW - 59), ("exp", NOW + 86_460), ("iat", NOW - 660), ("iat", NOW + 60)] {
        assert_eq!(signer.flaw(header_json(), with(claims_json(), claim, json!(value))), None, "{claim}: {value}");
    }
    for claim in ["iss", "aud", "sub", "exp", "iat"] {
        assert!(signer.flaw(header_json(), without(claims_json(), claim)).is_some(), "{claim}");
    }
}

proptest! {
    #[test]
    fn no_text_passes_or_panics(text in ".*") {
        prop_assert!(signer().checked(&text).is_err());
    }

    #[test]
    fn no_signed_times_make_it_panic(iat in any::<f64>(), exp in any::<i64>(), nbf in any::<Option<i64>>()) {
        let claims = with(with(with(claims_json(), "iat", json!(iat)), "exp", json!(exp)), "nbf", json!(nbf));
        let _ = signer().flaw(header_json(), claims);
    }
}
