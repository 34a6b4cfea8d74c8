//! Refresh tokens: opaque texts `r_<session digits>_<secret>` that keep a session alive.
//!
//! Invariants: exactly one text parses to a token; `Debug` never shows the secret. The secret is 16 bytes that nobody
//! can guess and, so that a token of the past can be told from an invented one, 16 bytes of their HMAC under the
//! session's own key. A session's first secret follows, under that key, from what it was begun for: a pairing code,
//! say, or random bytes. Every later one follows from the secret that was used to get it and the moment of that use,
//! under the session's key. So a repeated use of that secret can get the same successor, though the store has neither
//! of them.

use std::fmt;
use std::str::FromStr;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::{digest, hmac};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_base::ids::SessionId;

const PREFIX: &str = "r_";
const SESSION_PREFIX: &str = "s_";
const SECRET_BYTES: usize = 32;
const NONCE_BYTES: usize = 16;

/// Keep the HMACs that make secrets apart from the one that marks a secret, which is taken of 16 bytes alone.
const SUCCESSOR: &[u8] = b"sarsen/refresh-successor/1";
const FIRST: &[u8] = b"sarsen/refresh-first/1";

/// A text that is no refresh token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a refresh token")]
pub struct MalformedRefreshToken;

/// The part of a refresh token that nobody but its client knows.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Secret([u8; SECRET_BYTES]);

impl Secret {
    /// Returns the SHA-256 that the store keeps in place of the secret.
    pub(super) fn hash(&self) -> Bytes32 {
        let mut hash = [0; 32];
        hash.copy_from_slice(digest::digest(&digest::SHA256, &self.0).as_ref());
        Bytes32(hash)
    }
}

/// A refresh token.
#[derive(Clone, PartialEq, Eq)]
pub struct RefreshToken {
    pub(super) session: SessionId,
    pub(super) secret: Secret,
}

impl RefreshToken {
    /// The text to hand to the client, and to nobody else.
    pub fn expose(&self) -> String {
        let digits = self.session.as_str().trim_start_matches(SESSION_PREFIX);
        format!("{PREFIX}{digits}_{}", URL_SAFE_NO_PAD.encode(self.secret.0))
    }
}

impl FromStr for RefreshToken {
    type Err = MalformedRefreshToken;
    fn from_str(text: &str) -> Result<RefreshToken, MalformedRefreshToken> {
        let (digits, secret) =
            text.strip_prefix(PREFIX).and_then(|rest| rest.split_once('_')).ok_or(MalformedRefreshToken)?;
        let session = format!("{SESSION_PREFIX}{digits}").parse().map_err(|_| MalformedRefreshToken)?;
        let mut bytes = [0; SECRET_BYTES];
        match URL_SAFE_NO_PAD.decode_slice(secret, &mut bytes) {
            Ok(SECRET_BYTES) => Ok(RefreshToken { session, secret: Secret(bytes) }),
            _ => Err(MalformedRefreshToken),
        }
    }
}

impl fmt::Debug for RefreshToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RefreshToken").field("session", &self.session).finish_non_exhaustive()
    }
}

/// The key under which the secrets of one session are made.
pub(super) type SessionKey = Bytes32;

impl SessionKey {
    pub(super) fn generate(ambient: &Ambient) -> SessionKey {
        Bytes32(ambient.bytes())
    }

    /// The first secret of a session that is begun for this proof.
    pub(super) fn first(&self, proof: &[u8]) -> Secret {
        self.follows(&[FIRST, proof])
    }

    /// Returns the secret that follows `used` if that is used at this moment.
    pub(super) fn successor(&self, used: &Secret, at: Timestamp) -> Secret {
        self.follows(&[SUCCESSOR, &used.0, &at.0.to_be_bytes()])
    }

    fn follows(&self, from: &[&[u8]]) -> Secret {
        let tag = self.tag(&from.concat());
        let mut nonce = [0; NONCE_BYTES];
        nonce.copy_from_slice(&tag.as_ref()[..NONCE_BYTES]);
        self.marked(nonce)
    }

    fn marked(&self, nonce: [u8; NONCE_BYTES]) -> Secret {
        let mut secret = [0; SECRET_BYTES];
        secret[..NONCE_BYTES].copy_from_slice(&nonce);
        secret[NONCE_BYTES..].copy_from_slice(&self.tag(&nonce).as_ref()[..SECRET_BYTES - NONCE_BYTES]);
        Secret(secret)
    }

    /// Returns true if a secret was made with this key at any time.
    pub(super) fn has_minted(&self, secret: &Secret) -> bool {
        let (nonce, shown) = secret.0.split_at(NONCE_BYTES);
        verify_slices_are_equal(&self.tag(nonce).as_ref()[..shown.len()], shown).is_ok()
    }

    fn tag(&self, of: &[u8]) -> hmac::Tag {
        hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &self.0), of)
    }
}

/// 32 bytes as stored, written in base64url. `Debug` hides them; [`Bytes32::matches`] takes the same time for equal and
/// unequal ones.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct Bytes32([u8; 32]);

impl Bytes32 {
    pub(super) fn matches(&self, other: &Bytes32) -> bool {
        verify_slices_are_equal(&self.0, &other.0).is_ok()
    }
}

impl fmt::Debug for Bytes32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bytes32")
    }
}

impl TryFrom<String> for Bytes32 {
    type Error = &'static str;
    fn try_from(text: String) -> Result<Bytes32, &'static str> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok().and_then(|bytes| bytes.try_into().ok());
        bytes.map(Bytes32).ok_or("not 32 bytes in base64url")
    }
}

impl From<Bytes32> for String {
    fn from(bytes: Bytes32) -> String {
        URL_SAFE_NO_PAD.encode(bytes.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn token() -> RefreshToken {
        let ambient = Ambient::fixed(1_700_000_000_000, 1);
        let secret = SessionKey::generate(&ambient).first(&ambient.bytes::<16>());
        RefreshToken { session: SessionId::generate(&ambient), secret }
    }

    #[test]
    fn a_token_round_trips_and_nothing_else_parses() {
        let (token, text) = (token(), token().expose());
        assert!(text.parse::<RefreshToken>().as_ref() == Ok(&token));
        assert_eq!(text.len(), 2 + 32 + 1 + 43);
        for wrong in [
            String::new(),
            "r_".into(),
            text.replacen("r_", "s_", 1),
            text.replacen("r_", "r_s_", 1),
            text.to_uppercase(),
            format!("{text}A"),
            format!("{text}="),
            format!(" {text}"),
            text[..text.len() - 1].into(),
            format!("{}B", &text[..text.len() - 1]),
        ] {
            assert_eq!(wrong.parse::<RefreshToken>(), Err(MalformedRefreshToken), "{wrong}");
        }
    }

    #[test]
    fn a_session_knows_the_secrets_it_has_made() {
        let ambient = Ambient::fixed(0, 2);
        let (ours, theirs) = (SessionKey::generate(&ambient), SessionKey::generate(&ambient));
        let secret = ours.first(&ambient.bytes::<16>());
        assert!(ours.has_minted(&secret) && !theirs.has_minted(&secret));
        for index in 0..SECRET_BYTES {
            let mut changed = secret.clone();
            changed.0[index] ^= 1;
            assert!(!ours.has_minted(&changed));
        }
    }

    #[test]
    fn a_successor_follows_from_key_secret_and_moment() {
        let ambient = Ambient::fixed(0, 3);
        let (ours, theirs) = (SessionKey::generate(&ambient), SessionKey::generate(&ambient));
        let (used, other) = (ours.first(&ambient.bytes::<16>()), ours.first(&ambient.bytes::<16>()));
        let successor = ours.successor(&used, Timestamp(5));
        assert!(successor == ours.successor(&used, Timestamp(5)) && ours.has_minted(&successor));
        for different in [
            ours.successor(&used, Timestamp(6)),
            ours.successor(&other, Timestamp(5)),
            theirs.successor(&used, Timestamp(5)),
            used,
        ] {
            assert!(different != successor);
        }
    }

    #[test]
    fn debug_hides_the_secret() {
        let token = token();
        assert!(!token.expose().is_empty());
        assert_eq!(format!("{token:?}"), format!("RefreshToken {{ session: {}, .. }}", token.session));
    }

    proptest! {
        #[test]
        fn whatever_parses_is_written_the_same(text in "(r_)?[0-9a-f]{31,33}_?[A-Za-z0-9_-]{42,44}|.*") {
            if let Ok(token) = text.parse::<RefreshToken>() {
                prop_assert_eq!(token.expose(), text);
            }
        }
    }
}
