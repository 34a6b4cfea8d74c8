//! The key pair by which push services know this service: VAPID, RFC 8292.
//!
//! Invariant: the private key is shown by `sarsen keys vapid` alone, and `Debug` does not show it.

use std::fmt;
use std::str::FromStr;

use aws_lc_rs::agreement::{ECDH_P256, PrivateKey};
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;

use sarsen_base::ambient::{Ambient, Timestamp};

/// The life of a token for a push service, in seconds: half of the most.
const TOKEN_SECONDS: u32 = 12 * 60 * 60;

/// The bytes of a private key.
const KEY_BYTES: usize = 32;

/// The key pair of a service, by which push services know it.
pub struct VapidKey {
    pair: EcdsaKeyPair,
    public: Vec<u8>,
}

/// A text that is no private key of P-256 in base64url.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("is no key of `sarsen keys vapid`: 32 bytes in base64url")]
pub struct NoVapidKey;

impl VapidKey {
    /// Makes a key and returns its private part as text.
    pub fn new_key_text(ambient: &Ambient) -> String {
        // All but one in four billion numbers of 32 bytes are keys of the curve.
        std::iter::repeat_with(|| URL_SAFE_NO_PAD.encode(ambient.bytes::<KEY_BYTES>()))
            .find(|text| text.parse::<VapidKey>().is_ok())
            .unwrap_or_default()
    }

    /// The public key as browsers take it: `applicationServerKey`, in base64url.
    pub fn public_text(&self) -> String {
        URL_SAFE_NO_PAD.encode(&self.public)
    }

    /// The `Authorization` header of a message to the push service at this origin.
    ///
    /// # Errors
    /// If it cannot be signed.
    pub(super) fn authorization(&self, origin: &str, subject: &str, now: Timestamp) -> Result<String, NoVapidKey> {
        let claims = json!({"aud": origin, "exp": now.plus_seconds(TOKEN_SECONDS).unix_seconds(), "sub": subject});
        let encoded =
            [json!({"typ": "JWT", "alg": "ES256"}), claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
        let signed = encoded.join(".");
        let signature = self.pair.sign(&entropy(), signed.as_bytes()).map_err(|_| NoVapidKey)?;
        let signature = URL_SAFE_NO_PAD.encode(signature.as_ref());
        Ok(format!("vapid t={signed}.{signature}, k={}", self.public_text()))
    }
}

/// The entropy of a signature, which the library asks for and draws by itself.
#[expect(
    clippy::disallowed_types,
    reason = "the library takes no other, and a signature is the same to all who verify it"
)]
fn entropy() -> aws_lc_rs::rand::SystemRandom {
    aws_lc_rs::rand::SystemRandom::new()
}

impl FromStr for VapidKey {
    type Err = NoVapidKey;
    fn from_str(text: &str) -> Result<VapidKey, NoVapidKey> {
        let private = URL_SAFE_NO_PAD.decode(text.trim()).map_err(|_| NoVapidKey)?;
        let key = PrivateKey::from_private_key(&ECDH_P256, &private).map_err(|_| NoVapidKey)?;
        let public = key.compute_public_key().map_err(|_| NoVapidKey)?.as_ref().to_vec();
        let pair = EcdsaKeyPair::from_private_key_and_public_key(&ECDSA_P256_SHA256_FIXED_SIGNING, &private, &public);
        Ok(VapidKey { pair: pair.map_err(|_| NoVapidKey)?, public })
    }
}

impl fmt::Debug for VapidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VapidKey").field(&self.public_text()).finish()
    }
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_push_service_can_verify_the_token() {
        let text = VapidKey::new_key_text(&Ambient::system());
        let key: VapidKey = text.parse().unwrap();
        assert!(!format!("{key:?}").contains(&text));
        let header = key.authorization("https://push.example", "mailto:me@example.org", Timestamp(1_000)).unwrap();
        let (token, public) = header.strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
        assert_eq!(public, key.public_text());
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let decoded = |text: &str| URL_SAFE_NO_PAD.decode(text).unwrap();
        let verifier = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, decoded(public));
        verifier.verify(signed.as_bytes(), &decoded(signature)).unwrap();
        let claims: Value = serde_json::from_slice(&decoded(signed.split_once('.').unwrap().1)).unwrap();
        assert_eq!(claims, json!({"aud": "https://push.example", "exp": 43_201, "sub": "mailto:me@example.org"}));
        for wrong in ["", "short", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "*"] {
            assert_eq!(wrong.parse::<VapidKey>().err(), Some(NoVapidKey), "{wrong}");
        }
    }
}
