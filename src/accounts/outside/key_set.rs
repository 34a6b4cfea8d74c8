//! Key sets of outside issuers (RFC 7517): which key a token may have been signed with.
//!
//! Invariant: a key is for one algorithm, which its own parameters determine. Symmetric keys are never accepted.

use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use serde_json::Value;

/// The most keys of a set.
const KEYS_MAX: usize = 64;
/// The longest key id, in bytes.
pub(super) const KID_MAX: usize = 255;

/// The algorithms that tokens of outside issuers may be signed with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub enum OutsideAlgorithm {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    RS256,
    /// ECDSA on P-256 with SHA-256.
    ES256,
    /// Ed25519.
    EdDSA,
}

impl OutsideAlgorithm {
    /// The algorithm that a header names.
    pub(super) fn by_name(name: &str) -> Option<OutsideAlgorithm> {
        match name {
            "RS256" => Some(OutsideAlgorithm::RS256),
            "ES256" => Some(OutsideAlgorithm::ES256),
            "EdDSA" => Some(OutsideAlgorithm::EdDSA),
            _ => None,
        }
    }

    pub(super) fn of_library(self) -> Algorithm {
        match self {
            OutsideAlgorithm::RS256 => Algorithm::RS256,
            OutsideAlgorithm::ES256 => Algorithm::ES256,
            OutsideAlgorithm::EdDSA => Algorithm::EdDSA,
        }
    }
}

/// A key that tokens can be verified with.
pub(super) struct OutsideKey {
    kid: Option<String>,
    pub(super) algorithm: OutsideAlgorithm,
    pub(super) key: DecodingKey,
}

/// The usable keys of a set.
#[derive(Default)]
pub(super) struct KeySet(Vec<OutsideKey>);

/// The reason why a text is no key set.
#[derive(Debug, thiserror::Error)]
pub(super) enum KeySetError {
    /// It is not JSON of that form.
    #[error("it is no key set")]
    Form(#[from] serde_json::Error),
    /// It has more keys than any issuer needs.
    #[error("it has {0} keys; at most {KEYS_MAX} are read")]
    TooMany(usize),
}

/// A key as written. What is not named here does not count: `x5u` and `x5c` are no keys.
#[derive(Deserialize)]
struct Written {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    key_ops: Option<Vec<String>>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

impl KeySet {
    /// Reads a set, leaving out the keys that cannot be used.
    ///
    /// # Errors
    /// If it is no set, or has too many keys.
    pub(super) fn read(bytes: &[u8]) -> Result<KeySet, KeySetError> {
        #[derive(Deserialize)]
        struct Set {
            keys: Vec<Value>,
        }
        let Set { keys } = serde_json::from_slice(bytes)?;
        if keys.len() > KEYS_MAX {
            return Err(KeySetError::TooMany(keys.len()));
        }
        let written = keys.into_iter().filter_map(|key| serde_json::from_value(key).ok());
        Ok(KeySet(written.filter_map(usable).collect()))
    }

    /// The key of this id; without an id the only one, if there is but one.
    pub(super) fn key(&self, kid: Option<&str>) -> Option<&OutsideKey> {
        match (kid, self.0.as_slice()) {
            (Some(kid), keys) => keys.iter().find(|key| key.kid.as_deref() == Some(kid)),
            (None, [only]) => Some(only),
            (None, _) => None,
        }
    }
}

fn usable(written: Written) -> Option<OutsideKey> {
    let Written { kty, kid, alg, usage, key_ops, crv, n, e, x, y } = written;
    let verifies = key_ops.is_none_or(|named| named.iter().any(|operation| operation == "verify"));
    if usage.is_some_and(|usage| usage != "sig") || !verifies || kid.as_ref().is_some_and(|kid| kid.len() > KID_MAX) {
        return None;
    }
    let (algorithm, key) = match (kty.as_str(), crv.as_deref()) {
        ("RSA", None) => (OutsideAlgorithm::RS256, DecodingKey::from_rsa_components(&n?, &e?)),
        ("EC", Some("P-256")) => (OutsideAlgorithm::ES256, DecodingKey::from_ec_components(&x?, &y?)),
        ("OKP", Some("Ed25519")) => (OutsideAlgorithm::EdDSA, DecodingKey::from_ed_components(&x?)),
        _ => return None,
    };
    // RFC 9864 gives Ed25519 a name of its own.
    let named = alg.is_none_or(|alg| {
        OutsideAlgorithm::by_name(&alg) == Some(algorithm) || (algorithm, &*alg) == (OutsideAlgorithm::EdDSA, "Ed25519")
    });
    named.then_some(OutsideKey { kid, algorithm, key: key.ok()? })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn ed(kid: &str) -> Value {
        // The key of RFC 8037, appendix A.2.
        json!({"kty": "OKP", "crv": "Ed25519", "kid": kid, "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"})
    }

    fn read(keys: &[Value]) -> Result<KeySet, KeySetError> {
        KeySet::read(json!({"keys": keys, "other": 1}).to_string().as_bytes())
    }

    fn with(mut key: Value, name: &str, value: Value) -> Value {
        key[name] = value;
        key
    }

    #[test]
    fn only_keys_that_can_verify_are_kept() {
        let kept = |key: Value| read(&[key]).unwrap().key(Some("a")).map(|key| key.algorithm);
        assert_eq!(kept(ed("a")), Some(OutsideAlgorithm::EdDSA));
        for fitting in [("alg", json!("EdDSA")), ("alg", json!("Ed25519")), ("use", json!("sig")), ("x5u", json!("x"))]
        {
            assert_eq!(kept(with(ed("a"), fitting.0, fitting.1)), Some(OutsideAlgorithm::EdDSA));
        }
        for wrong in [
            ("alg", json!("RS256")),
            ("alg", json!("HS256")),
            ("use", json!("enc")),
            ("key_ops", json!(["sign"])),
            ("kty", json!("oct")),
            ("crv", json!("X25519")),
            ("kid", json!(7)),
            ("kid", json!("b".repeat(256))),
        ] {
            assert_eq!(kept(with(ed("a"), wrong.0, wrong.1.clone())), None, "{wrong:?}");
        }
        assert_eq!(kept(json!({"kty": "oct", "kid": "a", "k": "c2VjcmV0", "alg": "HS256"})), None);
        assert_eq!(kept(json!("no key")), None);
    }

    #[test]
    fn a_key_is_found_by_its_id_or_because_it_is_the_only_one() {
        let one = read(&[ed("a"), json!({"kty": "oct", "kid": "b", "k": "c2VjcmV0"})]).unwrap();
        assert!(one.key(None).is_some() && one.key(Some("a")).is_some() && one.key(Some("b")).is_none());
        let two = read(&[ed("a"), ed("b")]).unwrap();
        assert!(two.key(None).is_none() && two.key(Some("b")).is_some() && two.key(Some("")).is_none());
    }

    #[test]
    fn what_is_no_set_is_refused() {
        for wrong in ["", "[]", "{}", r#"{"keys":{}}"#, "<html>"] {
            assert!(matches!(KeySet::read(wrong.as_bytes()), Err(KeySetError::Form(_))), "{wrong}");
        }
        let many: Vec<Value> = (0..65).map(|number| ed(&number.to_string())).collect();
        assert!(matches!(read(&many), Err(KeySetError::TooMany(65))));
        assert!(read(&many[..64]).unwrap().key(Some("63")).is_some());
        assert!(read(&[]).unwrap().key(None).is_none());
    }
}
