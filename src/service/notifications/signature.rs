//! Secrets of webhooks and their signatures, by the Standard Webhooks specification.
//!
//! Invariant: `Debug` shows no secret.

use std::fmt;
use std::str::FromStr;

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use sarsen_base::ambient::Ambient;

/// The beginning of every secret.
const PREFIX: &str = "whsec_";

/// The bytes of a secret that is made here.
const SECRET_BYTES: usize = 32;

/// The secret of a webhook.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(Vec<u8>);

/// A text that is no secret of a webhook.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this is no secret of a webhook")]
pub struct NoWebhookSecret;

impl WebhookSecret {
    pub(super) fn generate(ambient: &Ambient) -> WebhookSecret {
        WebhookSecret(ambient.bytes::<SECRET_BYTES>().to_vec())
    }

    /// The secret as its owner is shown it.
    pub fn expose(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(&self.0))
    }

    /// Signs a message: `v1,` and the signature.
    pub(super) fn sign(&self, id: &str, seconds: i64, body: &[u8]) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.0);
        let mut context = hmac::Context::with_key(&key);
        context.update(format!("{id}.{seconds}.").as_bytes());
        context.update(body);
        format!("v1,{}", STANDARD.encode(context.sign()))
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret")
    }
}

impl FromStr for WebhookSecret {
    type Err = NoWebhookSecret;
    fn from_str(text: &str) -> Result<WebhookSecret, NoWebhookSecret> {
        let encoded = text.strip_prefix(PREFIX).ok_or(NoWebhookSecret)?;
        STANDARD.decode(encoded).map(WebhookSecret).map_err(|_| NoWebhookSecret)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_the_standard_and_of_the_contract_are_signed() {
        let secret: WebhookSecret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD".parse().unwrap();
        let body = br#"{"email":"test@example.com","username":"test_user"}"#;
        let signed = secret.sign("msg_27UH4WbU6Z5A5EzD8u03UvzRbpk", 1_649_367_553, body);
        assert_eq!(signed, "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=");
        let text = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
        let secret: WebhookSecret = text.parse().unwrap();
        let body = br#"{"type":"match.turn_started","timestamp":"2026-11-22T00:00:00.000Z","data":{"match_id":"m_0190163d8694739ea2a3c9f1e7d1a111","game":"contiguity","version":17,"seat":1}}"#;
        let signed = secret.sign("msg_00000000000000000000000001", 1_795_305_600, body);
        assert_eq!(signed, "v1,2KuISNLkvi0UfmGByVN+U6gZRZ98T42Lh36jt8e/DPo=");
        assert_eq!((secret.expose().as_str(), format!("{secret:?}").as_str()), (text, "WebhookSecret"));
        assert!("C2FVsBQIhrscChlQIMV".parse::<WebhookSecret>().is_err() && "whsec_*".parse::<WebhookSecret>().is_err());
    }
}
