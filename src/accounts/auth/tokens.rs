//! Access tokens: JSON Web Tokens that name a player and a session.
//!
//! Invariants: a token counts only if its header names HS256, the type `at+jwt` and a known `kid`; if that key signed
//! it; if issuer and audience are this service's; if player, session and both times are there; if by the injected clock
//! it was issued and has not expired; and if its session was not revoked. No token lives longer than
//! [`ACCESS_TOKEN_SECONDS`], so a revocation has to be remembered no longer than that.
//!
//! A token has no name: one that the player has just changed must count at once, so who takes a seat is looked up.
//!
//! Refresh tokens, which are opaque and live in `crate::players`, are deliberately absent.

use std::fmt;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, Header, Validation, crypto, decode, decode_header, encode};
use quick_cache::sync::Cache;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::keys::SigningKeys;
use super::program::{PlayerKind, Program};
use super::revocations::Revocations;
use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_base::ids::{PlayerId, SessionId};

/// The lifetime of an access token, in seconds.
pub const ACCESS_TOKEN_SECONDS: u32 = 15 * 60;

/// The maximum difference between the clocks of two instances, in seconds.
pub const LEEWAY_SECONDS: u32 = 5;

/// The maximum size of a token, in bytes. Ours have about 330.
pub(super) const MAX_TOKEN_BYTES: usize = 4096;

/// The number of tokens that are remembered as signed by us, so that not each request checks the signature. They take
/// some MB at most.
const REMEMBERED_TOKENS: usize = 8192;

/// The header's type (RFC 9068): keeps tokens made for other purposes with the same key apart.
const TOKEN_TYPE: &str = "at+jwt";

/// The caller of a request, authenticated by an access token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Principal {
    /// The player.
    pub player: PlayerId,
    /// The session in which the token was issued; for a program's token, an id in place of a session's.
    pub session: SessionId,
    /// The program that speaks for the player by a token of its own; `None` in a session.
    pub program: Option<Arc<Program>>,
}

impl Principal {
    /// The kind of the player: a player with a session is a person.
    pub fn kind(&self) -> PlayerKind {
        self.program.as_ref().map_or(PlayerKind::Person, |program| program.kind)
    }

    /// Returns true if it is a program whose token has expired by `now`.
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.program.as_ref().is_some_and(|program| program.expires_at <= now)
    }
}

/// A token to hand to its player. A secret: `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken {
    /// The text that the client sends.
    pub token: String,
    /// The moment from which on it is refused.
    pub expires_at: Timestamp,
    /// The lifetime from its issue on, in seconds.
    pub expires_in_seconds: u32,
}

impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccessToken").field("expires_at", &self.expires_at).finish_non_exhaustive()
    }
}

/// The reason why a token does not count. A client sees a code and the sentence; the source is for logs.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// It is not one of ours.
    #[error("the access token is not valid")]
    Invalid(#[source] TokenFlaw),
    /// It was good and has expired.
    #[error("the access token has expired")]
    Expired,
    /// Its session was revoked.
    #[error("the session of the access token was revoked")]
    Revoked,
}

#[cfg(test)]
impl TokenError {
    /// The stable code of the failure.
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            TokenError::Invalid(_) => "token_invalid",
            TokenError::Expired => "token_expired",
            TokenError::Revoked => "token_revoked",
        }
    }
}

/// The fault of an invalid token.
#[derive(Debug, thiserror::Error)]
pub enum TokenFlaw {
    /// It is longer than any of ours.
    #[error("it has {0} bytes")]
    Length(usize),
    /// Its form, algorithm, signature or a claim is wrong.
    #[error(transparent)]
    Jwt(#[from] jsonwebtoken::errors::Error),
    /// It is some other kind of token, or makes demands (`crit`) that are not understood.
    #[error("its header is not that of an access token")]
    Header,
    /// Its `kid` is missing or names no key.
    #[error("its key is unknown")]
    Key,
    /// It says that it was issued in the future.
    #[error("it was issued in the future")]
    Early,
    /// It would live longer than any of ours.
    #[error("it lives too long")]
    Lifetime,
}

/// A token could not be signed.
#[derive(Debug, thiserror::Error)]
#[error("the access token could not be signed")]
pub struct SigningError(#[source] pub(super) jsonwebtoken::errors::Error);

/// The scope of tokens: all instances of one service agree on it, different services differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TokenScope {
    /// The issuer (`iss`).
    pub issuer: String,
    /// The audience (`aud`).
    pub audience: String,
}

impl Default for TokenScope {
    fn default() -> TokenScope {
        TokenScope { issuer: "sarsen".into(), audience: "sarsen".into() }
    }
}

/// The claims as written.
#[derive(Serialize)]
struct Issued<'a> {
    iss: &'a str,
    aud: &'a str,
    sub: &'a PlayerId,
    sid: &'a SessionId,
    iat: i64,
    exp: i64,
}

/// The claims as read; issuer and audience are checked by [`Validation`].
#[derive(Clone, Deserialize)]
struct Shown {
    sub: PlayerId,
    sid: SessionId,
    iat: i64,
    exp: i64,
    nbf: Option<i64>,
}

/// The claims of a token in exactly the form that [`Tokens::issue`] writes.
#[derive(Deserialize)]
struct Own<'a> {
    iss: &'a str,
    aud: &'a str,
    sub: PlayerId,
    sid: SessionId,
    iat: i64,
    exp: i64,
    nbf: Option<i64>,
}

/// Issues and verifies access tokens, and operators' tokens ([`super::operator`]).
pub struct Tokens {
    pub(super) keys: SigningKeys,
    pub(super) scope: TokenScope,
    header: Header,
    /// The encoded header of the tokens that this instance issues.
    own_header: String,
    validation: Validation,
    pub(super) revocations: Arc<Revocations>,
    pub(super) ambient: Ambient,
    /// Tokens that a key of ours has signed, with their claims: signature and form of a text do not change. Times and
    /// revocation do, and are judged each time. Only whole tokens are compared.
    signed: Cache<Box<str>, Shown>,
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens").field("scope", &self.scope).finish_non_exhaustive()
    }
}

impl Tokens {
    /// Tokens of `scope`, signed and verified with `keys`, refused where `revocations` says so.
    pub fn new(keys: SigningKeys, scope: TokenScope, revocations: Arc<Revocations>, ambient: Ambient) -> Tokens {
        let mut header = Header::new(Algorithm::HS256);
        header.typ = Some(TOKEN_TYPE.into());
        header.kid = Some(keys.signing().kid.clone());
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_issuer(&[&scope.issuer]);
        validation.set_audience(&[&scope.audience]);
        // Without this, a token that lacks a claim would pass the check of that claim.
        validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
        // The library reads the system's clock; times are checked below, by the injected one.
        validation.validate_exp = false;
        // A header that cannot be written leaves this empty, which no token matches.
        let own_header = serde_json::to_vec(&header).map(|json| URL_SAFE_NO_PAD.encode(json)).unwrap_or_default();
        let signed = Cache::new(REMEMBERED_TOKENS);
        Tokens { keys, scope, header, own_header, validation, revocations, ambient, signed }
    }

    /// A new token for a session of a player, good for [`ACCESS_TOKEN_SECONDS`].
    ///
    /// # Errors
    /// If the key cannot sign.
    pub(crate) fn issue(&self, player: &PlayerId, session: &SessionId) -> Result<AccessToken, SigningError> {
        let iat = self.ambient.now().unix_seconds();
        let exp = iat.saturating_add(i64::from(ACCESS_TOKEN_SECONDS));
        let TokenScope { issuer: iss, audience: aud } = &self.scope;
        let claims = Issued { iss, aud, sub: player, sid: session, iat, exp };
        let token = encode(&self.header, &claims, &self.keys.signing().encoding).map_err(SigningError)?;
        let expires_at = Timestamp(exp.saturating_mul(1000));
        Ok(AccessToken { token, expires_at, expires_in_seconds: ACCESS_TOKEN_SECONDS })
    }

    /// Returns the caller if the token is valid. No I/O. Expiry allows for [`LEEWAY_SECONDS`].
    ///
    /// # Errors
    /// If it is no token of ours, has expired, or its session has been revoked.
    pub fn verify(&self, token: &str) -> Result<Principal, TokenError> {
        let principal = self.verify_signed(token)?;
        if self.revocations.is_revoked(&principal.session) {
            return Err(TokenError::Revoked);
        }
        Ok(principal)
    }

    /// Returns the caller of a token even if its session has been revoked: for a player who repeats a deletion.
    ///
    /// # Errors
    /// If it is no token of ours, or has expired.
    pub fn verify_signed(&self, token: &str) -> Result<Principal, TokenError> {
        let shown = self.read(token).map_err(TokenError::Invalid)?;
        if self.has_expired(shown.exp) {
            return Err(TokenError::Expired);
        }
        Ok(Principal { player: shown.sub, session: shown.sid, program: None })
    }

    /// Returns the revocations that this instance knows.
    pub fn revocations(&self) -> &Revocations {
        &self.revocations
    }

    /// Returns the end of a revocation made now: every token of the session has expired by then, on the slowest clock.
    pub(crate) fn revoked_until(&self) -> Timestamp {
        self.ambient.now().plus_seconds(ACCESS_TOKEN_SECONDS + 4 * LEEWAY_SECONDS)
    }

    /// The claims of a token that this service has issued, whether or not it has expired.
    fn read(&self, token: &str) -> Result<Shown, TokenFlaw> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(TokenFlaw::Length(token.len()));
        }
        let shown = self.read_signed(token)?;
        self.judge_times(shown.iat, shown.exp, shown.nbf, ACCESS_TOKEN_SECONDS)?;
        Ok(shown)
    }

    /// Refuses a token that was issued in the future, or would live longer than `longest` seconds.
    pub(super) fn judge_times(&self, iat: i64, exp: i64, nbf: Option<i64>, longest: u32) -> Result<(), TokenFlaw> {
        let soon = self.ambient.now().unix_seconds().saturating_add(i64::from(LEEWAY_SECONDS));
        if iat.max(nbf.unwrap_or(iat)) > soon {
            return Err(TokenFlaw::Early);
        }
        if exp.saturating_sub(iat) > i64::from(longest) {
            return Err(TokenFlaw::Lifetime);
        }
        Ok(())
    }

    /// Returns true if a token that ends at `exp` has expired, allowing for [`LEEWAY_SECONDS`].
    pub(super) fn has_expired(&self, exp: i64) -> bool {
        self.ambient.now().unix_seconds() >= exp.saturating_add(i64::from(LEEWAY_SECONDS))
    }

    /// Returns the claims of a token that one of our keys has signed.
    fn read_signed(&self, token: &str) -> Result<Shown, TokenFlaw> {
        if let Some(shown) = self.signed.get(token) {
            return Ok(shown);
        }
        let shown = match self.read_own(token) {
            Some(shown) => shown,
            None => self.read_any(token, TOKEN_TYPE)?,
        };
        self.signed.insert(token.into(), shown.clone());
        Ok(shown)
    }

    /// Reads nearly every token on a fast path: one in exactly the form that is written here, each part read once.
    /// `None` decides nothing: the slow path does.
    fn read_own(&self, token: &str) -> Option<Shown> {
        let (message, signature) = token.rsplit_once('.')?;
        let (header, claims) = message.split_once('.')?;
        if header != self.own_header {
            return None;
        }
        let key = &self.keys.signing().decoding;
        if !crypto::verify(signature, message.as_bytes(), key, Algorithm::HS256).ok()? {
            return None;
        }
        let claims = URL_SAFE_NO_PAD.decode(claims).ok()?;
        let Own { iss, aud, sub, sid, iat, exp, nbf } = serde_json::from_slice(&claims).ok()?;
        (iss == self.scope.issuer && aud == self.scope.audience).then_some(Shown { sub, sid, iat, exp, nbf })
    }

    /// The claims of any token of this type that one of the keys has signed for this service.
    pub(super) fn read_any<T: DeserializeOwned + Clone>(&self, token: &str, token_type: &str) -> Result<T, TokenFlaw> {
        let header = decode_header(token)?;
        if header.typ.as_deref() != Some(token_type) || header.crit.is_some() {
            return Err(TokenFlaw::Header);
        }
        let key = header.kid.as_deref().and_then(|kid| self.keys.by_kid(kid)).ok_or(TokenFlaw::Key)?;
        Ok(decode::<T>(token, &key.decoding, &self.validation)?.claims)
    }
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
