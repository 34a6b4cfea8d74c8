//! Operators' tokens: JSON Web Tokens with the scopes of an operator. They stand for no player.
//!
//! Invariants: they are made on the command line alone, for nobody can ask the service for one; they are of a type of
//! their own, so they are no players' tokens, nor are those operators'; each names its scopes, and none follows from
//! another; none lives longer than [`Scopes`]' holder is given, thirty days at most; each can be revoked, for its id is
//! remembered among the revoked sessions.
//!
//! Accounts of operators are deliberately absent: an operator is a person who can run the command line with the
//! service's keys.

use std::fmt;
use std::str::FromStr;

use jsonwebtoken::{Algorithm, Header, encode};
use serde::{Deserialize, Serialize};

use super::tokens::{LEEWAY_SECONDS, MAX_TOKEN_BYTES, SigningError, TokenError, TokenFlaw, Tokens};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{OperatorTokenId, SessionId, hashed_number};

/// The longest life of an operator's token, in hours: 30 days.
pub const HOURS_MAX: u32 = 30 * 24;

/// The header's type, which no player's token has.
const TOKEN_TYPE: &str = "operator+jwt";

/// The longest label, in characters.
const LABEL_MAX: usize = 64;

sarsen_base::named! {
    /// A permission of an operator.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Scope {
        /// Reads players, queues and the audit.
        Read = "admin:read",
        /// Changes players and matches, and reads hidden information.
        Moderate = "admin:moderate",
        /// Runs the service: backups, tokens.
        Operate = "admin:operate",
    }
}

/// The error of an invalid list of scopes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WrongScope {
    /// There is no such scope.
    #[error("{0:?} is no scope; there are admin:read, admin:moderate and admin:operate")]
    Unknown(String),
    /// None is named.
    #[error("no scope is named; there are admin:read, admin:moderate and admin:operate")]
    Empty,
}

/// The scopes of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scopes(Vec<Scope>);

impl Scopes {
    /// Returns true if this scope is among them.
    pub fn include(&self, scope: Scope) -> bool {
        self.0.contains(&scope)
    }

    /// Returns the names, with spaces between them, as the claim has them (RFC 8693).
    fn claim(&self) -> String {
        self.0.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(" ")
    }

    /// Returns the scopes of a claim that this release knows; a newer one may have written others.
    fn of_claim(claim: &str) -> Scopes {
        Scopes(claim.split(' ').filter_map(Scope::by_name).collect())
    }
}

/// Names separated by commas.
impl FromStr for Scopes {
    type Err = WrongScope;
    fn from_str(text: &str) -> Result<Scopes, WrongScope> {
        let mut scopes = Vec::new();
        for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let scope = Scope::by_name(name).ok_or_else(|| WrongScope::Unknown(name.to_owned()))?;
            if !scopes.contains(&scope) {
                scopes.push(scope);
            }
        }
        if scopes.is_empty() { Err(WrongScope::Empty) } else { Ok(Scopes(scopes)) }
    }
}

/// The error of an invalid label.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a label is 1 to {LABEL_MAX} letters, digits or any of ._@- and spaces between them")]
pub struct WrongLabel;

/// The holder of a token, in words for the audit: 1 to 64 letters, digits, `.`, `_`, `@`, `-` and single spaces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct OperatorLabel(String);

impl OperatorLabel {
    /// The label as given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<OperatorLabel> for String {
    fn from(label: OperatorLabel) -> String {
        label.0
    }
}

impl TryFrom<String> for OperatorLabel {
    type Error = WrongLabel;
    fn try_from(text: String) -> Result<OperatorLabel, WrongLabel> {
        let known = |byte: u8| byte.is_ascii_alphanumeric() || b"._@- ".contains(&byte);
        let apart = text.split(' ').all(|word| !word.is_empty());
        if text.len() <= LABEL_MAX && text.bytes().all(known) && apart {
            Ok(OperatorLabel(text))
        } else {
            Err(WrongLabel)
        }
    }
}

impl FromStr for OperatorLabel {
    type Err = WrongLabel;
    fn from_str(text: &str) -> Result<OperatorLabel, WrongLabel> {
        text.to_owned().try_into()
    }
}

/// An operator, authenticated by a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operator {
    /// The token.
    pub token: OperatorTokenId,
    /// The holder of the token.
    pub label: OperatorLabel,
    /// The scopes that the token grants.
    pub scopes: Scopes,
}

/// A token to hand to an operator. A secret: `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct OperatorToken {
    /// The text that a client sends.
    pub token: String,
    /// Its id, by which it is revoked and found in the audit.
    pub id: OperatorTokenId,
    /// The moment from which on it is refused.
    pub expires_at: Timestamp,
}

impl fmt::Debug for OperatorToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OperatorToken").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The claims as written.
#[derive(Serialize)]
struct Issued<'a> {
    iss: &'a str,
    aud: &'a str,
    sub: &'a OperatorLabel,
    jti: &'a OperatorTokenId,
    scope: String,
    iat: i64,
    exp: i64,
}

/// The claims as read.
#[derive(Clone, Deserialize)]
struct Shown {
    sub: OperatorLabel,
    jti: OperatorTokenId,
    scope: String,
    iat: i64,
    exp: i64,
    nbf: Option<i64>,
}

/// Returns the name under which a token is remembered as revoked: a hash, so that no token's name can end a session.
fn remembered_as(token: &OperatorTokenId) -> SessionId {
    SessionId::from_number(hashed_number(&[b"sarsen/operator-token/1", &token.number().to_be_bytes()]))
}

impl Tokens {
    /// A new token with these scopes, good for `hours`, of which there are 1 to [`HOURS_MAX`]: fewer or more count as
    /// those.
    ///
    /// # Errors
    /// If the key cannot sign.
    pub fn issue_operator(
        &self,
        label: &OperatorLabel,
        scopes: &Scopes,
        hours: u32,
    ) -> Result<OperatorToken, SigningError> {
        let id = OperatorTokenId::generate(&self.ambient);
        let iat = self.ambient.now().unix_seconds();
        let exp = iat.saturating_add(i64::from(hours.clamp(1, HOURS_MAX)) * 3600);
        let mut header = Header::new(Algorithm::HS256);
        header.typ = Some(TOKEN_TYPE.into());
        header.kid = Some(self.keys.signing().kid.clone());
        let (iss, aud) = (self.scope.issuer.as_str(), self.scope.audience.as_str());
        let claims = Issued { iss, aud, sub: label, jti: &id, scope: scopes.claim(), iat, exp };
        let token = encode(&header, &claims, &self.keys.signing().encoding).map_err(SigningError)?;
        Ok(OperatorToken { token, id, expires_at: Timestamp(exp.saturating_mul(1000)) })
    }

    /// Returns the operator of a valid token. No I/O.
    ///
    /// # Errors
    /// If it is no operator's token of ours, has expired, or has been revoked. A player's token has the flaw
    /// [`TokenFlaw::Header`].
    pub fn verify_operator(&self, token: &str) -> Result<Operator, TokenError> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(TokenError::Invalid(TokenFlaw::Length(token.len())));
        }
        let shown: Shown = self.read_any(token, TOKEN_TYPE).map_err(TokenError::Invalid)?;
        self.judge_times(shown.iat, shown.exp, shown.nbf, HOURS_MAX * 3600).map_err(TokenError::Invalid)?;
        if self.has_expired(shown.exp) {
            return Err(TokenError::Expired);
        }
        if self.revocations.is_revoked(&remembered_as(&shown.jti)) {
            return Err(TokenError::Revoked);
        }
        Ok(Operator { token: shown.jti, label: shown.sub, scopes: Scopes::of_claim(&shown.scope) })
    }

    /// Returns the name and the end under which the revocation of an operator's token is remembered among those of
    /// sessions: by then it has expired, whenever it was made.
    pub fn operator_revocation(&self, token: &OperatorTokenId) -> (SessionId, Timestamp) {
        (remembered_as(token), self.ambient.now().plus_seconds(HOURS_MAX * 3600 + 4 * LEEWAY_SECONDS))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::auth::{Revocations, SigningKeys, TokenScope};
    use sarsen_base::ambient::{Ambient, FixedClock, FixedEntropy};
    use sarsen_base::ids::PlayerId;

    fn tokens() -> (Tokens, Arc<FixedClock>, Ambient) {
        let clock = Arc::new(FixedClock::at(Timestamp(1_700_000_000_000)));
        let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(1)));
        let keys = SigningKeys::parse(&SigningKeys::new_key_text(&ambient)).unwrap();
        (Tokens::new(keys, TokenScope::default(), Arc::new(Revocations::new()), ambient.clone()), clock, ambient)
    }

    fn issued(tokens: &Tokens, scopes: &str, hours: u32) -> OperatorToken {
        tokens.issue_operator(&"Night shift".parse().unwrap(), &scopes.parse().unwrap(), hours).unwrap()
    }

    #[test]
    fn a_token_says_who_may_do_what_until_it_ends() {
        let (tokens, clock, _) = tokens();
        let made = issued(&tokens, "admin:moderate, admin:read", 12);
        let operator = tokens.verify_operator(&made.token).unwrap();
        assert_eq!((&operator.token, operator.label.as_str()), (&made.id, "Night shift"));
        assert_eq!(Scope::ALL.map(|scope| operator.scopes.include(scope)), [true, true, false]);
        clock.advance_seconds(12 * 3600 + LEEWAY_SECONDS);
        assert!(matches!(tokens.verify_operator(&made.token), Err(TokenError::Expired)));
    }

    #[test]
    fn no_token_lives_longer_than_thirty_days() {
        let (tokens, clock, _) = tokens();
        let made = issued(&tokens, "admin:read", u32::MAX);
        clock.advance_seconds(30 * 24 * 3600 - 1);
        tokens.verify_operator(&made.token).unwrap();
        clock.advance_seconds(1 + LEEWAY_SECONDS);
        assert!(matches!(tokens.verify_operator(&made.token), Err(TokenError::Expired)));
    }

    #[test]
    fn a_revoked_token_is_refused() {
        let (tokens, _, _) = tokens();
        let (made, other) = (issued(&tokens, "admin:read", 1), issued(&tokens, "admin:read", 1));
        let (session, until) = tokens.operator_revocation(&made.id);
        assert!(until > made.expires_at);
        tokens.revocations().insert(session, until);
        assert!(matches!(tokens.verify_operator(&made.token), Err(TokenError::Revoked)));
        tokens.verify_operator(&other.token).unwrap();
    }

    #[test]
    fn neither_kind_of_token_counts_as_the_other() {
        let (tokens, _, ambient) = tokens();
        let operator = issued(&tokens, "admin:read", 1);
        let player = tokens.issue(&PlayerId::generate(&ambient), &SessionId::generate(&ambient)).unwrap();
        assert!(matches!(tokens.verify(&operator.token), Err(TokenError::Invalid(TokenFlaw::Header))));
        assert!(matches!(tokens.verify_operator(&player.token), Err(TokenError::Invalid(TokenFlaw::Header))));
        // Nor does what another signature has signed.
        let more = issued(&tokens, "admin:read,admin:operate", 1).token;
        let (claims, signature) = (more.rsplit_once('.').unwrap().0, operator.token.rsplit_once('.').unwrap().1);
        let forged = tokens.verify_operator(&format!("{claims}.{signature}"));
        assert!(matches!(forged, Err(TokenError::Invalid(TokenFlaw::Jwt(_)))), "{forged:?}");
    }

    #[test]
    fn what_is_wrong_with_scopes_and_labels_is_said() {
        assert_eq!("".parse::<Scopes>(), Err(WrongScope::Empty));
        assert_eq!("admin:read,read".parse::<Scopes>(), Err(WrongScope::Unknown("read".to_owned())));
        for wrong in ["", " ", "a  b", " a", "a\n", "ä", &"x".repeat(65)] {
            assert_eq!(wrong.parse::<OperatorLabel>(), Err(WrongLabel), "{wrong:?}");
        }
        assert_eq!(Scopes::of_claim("admin:read admin:rule").0, [Scope::Read]);
    }
}
