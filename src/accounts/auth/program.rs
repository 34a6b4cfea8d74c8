//! Tokens of programs: the text that a program sends, the scopes of its token, and the kind of player that it speaks for.
//!
//! Invariants: exactly one text parses to a token, and `Debug` never shows its secret; a secret has 256 bits, so a plain
//! digest of it is enough to store; a token of a program is no access token, nor the reverse.
//!
//! The lookup of a token is deliberately absent: that needs the store, and is in `crate::programs`.

use std::fmt;
use std::str::FromStr;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_base::ids::{CROCKFORD_DIGITS, PlayerId, SessionId, hashed_number};

/// The beginning of every token of a program.
pub const PROGRAM_TOKEN_PREFIX: &str = "sarsen_pat_";

/// The scope of operations that only a person in a session may use: no token of a program can have it.
pub const ACCOUNT_SCOPE: &str = "account";

/// The bytes of a secret.
const SECRET_BYTES: usize = 32;

sarsen_base::named! {
    /// The things that a token of a program may be made for.
    ///
    /// - `read`: Read matches, events and lists, and use the sandbox.
    /// - `play`: Everything that one does at a table: join, move, resign.
    /// - `create`: Make matches, forks and rematches, and invite players.
    /// - `notify`: Set up notifications.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, ToSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum ProgramScope {
        /// Read matches, events and lists, and use the sandbox.
        Read = "read",
        /// Everything that one does at a table: join, move, resign.
        Play = "play",
        /// Make matches, forks and rematches, and invite players.
        Create = "create",
        /// Set up notifications.
        Notify = "notify",
    }
}

/// The kinds of players. More may come: ignore one that you do not know.
///
/// - `person`: A person.
/// - `bot`: A bot account: a program that belongs to a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlayerKind {
    /// A person.
    #[default]
    Person,
    /// A bot account: a program that belongs to a person.
    Bot,
}

impl PlayerKind {
    /// Returns true for a person: stored forms leave that out.
    pub fn is_person(&self) -> bool {
        *self == PlayerKind::Person
    }
}

/// The id of a program's token: eight digits that are no secret.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ProgramTokenId([u8; 8]);

/// A text that is no token of a program, or no id of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a token of a program")]
pub struct MalformedProgramToken;

impl ProgramTokenId {
    /// The eight digits.
    pub fn as_str(&self) -> &str {
        // Always text: each byte is a digit.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// The id under which a revoked token is remembered, used in place of a session id for its caller. It is a digest,
    /// so that nobody can choose a token id whose revocation ends a session.
    pub(crate) fn session(&self) -> SessionId {
        SessionId::from_number(hashed_number(&[b"sarsen/program-token/1", &self.0]))
    }
}

impl FromStr for ProgramTokenId {
    type Err = MalformedProgramToken;
    fn from_str(text: &str) -> Result<ProgramTokenId, MalformedProgramToken> {
        let digits = text.as_bytes().try_into().map_err(|_| MalformedProgramToken)?;
        let id = ProgramTokenId(digits);
        if id.0.iter().all(|digit| CROCKFORD_DIGITS.contains(digit)) { Ok(id) } else { Err(MalformedProgramToken) }
    }
}

impl fmt::Display for ProgramTokenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for ProgramTokenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A token of a program: its id, and a secret that nobody but its program knows.
#[derive(Clone)]
pub struct ProgramToken {
    /// The id, by which it is listed and revoked.
    pub id: ProgramTokenId,
    secret: [u8; SECRET_BYTES],
}

/// The digest of a token's secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct SecretHash([u8; 32]);

impl SecretHash {
    /// Compares in a time that does not depend on the bytes.
    pub(crate) fn is(&self, other: &SecretHash) -> bool {
        verify_slices_are_equal(&self.0, &other.0).is_ok()
    }

    /// The digest as it is stored.
    pub(crate) fn text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// The digest of a stored text.
    pub(crate) fn of_text(text: &str) -> Option<SecretHash> {
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(SecretHash)
    }
}

impl ProgramToken {
    pub(crate) fn generate(ambient: &Ambient) -> ProgramToken {
        let random: [u8; 8] = ambient.bytes();
        let id = ProgramTokenId(random.map(|byte| CROCKFORD_DIGITS[usize::from(byte & 31)]));
        ProgramToken { id, secret: ambient.bytes() }
    }

    /// The text to hand to the program, and to nobody else.
    pub fn expose(&self) -> String {
        format!("{PROGRAM_TOKEN_PREFIX}{}_{}", self.id, URL_SAFE_NO_PAD.encode(self.secret))
    }

    /// The digest of the secret.
    pub(crate) fn hash(&self) -> SecretHash {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest(&SHA256, &self.secret).as_ref());
        SecretHash(bytes)
    }
}

impl FromStr for ProgramToken {
    type Err = MalformedProgramToken;
    fn from_str(text: &str) -> Result<ProgramToken, MalformedProgramToken> {
        let text = text.strip_prefix(PROGRAM_TOKEN_PREFIX).ok_or(MalformedProgramToken)?;
        let (id, secret) = text.split_once('_').ok_or(MalformedProgramToken)?;
        let secret = URL_SAFE_NO_PAD.decode(secret).ok().and_then(|secret| secret.try_into().ok());
        Ok(ProgramToken { id: id.parse()?, secret: secret.ok_or(MalformedProgramToken)? })
    }
}

impl fmt::Debug for ProgramToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProgramToken").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A program that speaks for a player by its token.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Program {
    /// The token.
    pub token: ProgramTokenId,
    /// The scopes of the token.
    pub scopes: Vec<ProgramScope>,
    /// The time from which on the token is refused.
    pub expires_at: Timestamp,
    /// The kind of player for whom the program speaks.
    pub kind: PlayerKind,
    /// The person to whom a bot account belongs; a ban of theirs holds for it too.
    pub owner: Option<PlayerId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_round_trips_and_nothing_else_parses() {
        let token = ProgramToken::generate(&Ambient::fixed(0, 1));
        let text = token.expose();
        assert_eq!(text.len(), PROGRAM_TOKEN_PREFIX.len() + 8 + 1 + 43);
        let read: ProgramToken = text.parse().unwrap();
        assert!(read.id == token.id && read.hash() == token.hash());
        let secret = text.split_at(text.len() - 43).1;
        assert!(!format!("{token:?}").contains(secret));
        for wrong in [
            "",
            "sarsen_pat_",
            &text[1..],
            &text[..text.len() - 1],
            &format!("{text}A"),
            &text.replace("_pat_", "_PAT_"),
        ] {
            assert!(wrong.parse::<ProgramToken>().is_err(), "{wrong}");
        }
        for wrong in ["", "1234567", "123456789", "1234567u", "1234567I", "1234567-"] {
            assert_eq!(wrong.parse::<ProgramTokenId>(), Err(MalformedProgramToken), "{wrong}");
        }
    }

    #[test]
    fn another_secret_has_another_digest() {
        let ambient = Ambient::fixed(0, 1);
        let (one, other) = (ProgramToken::generate(&ambient), ProgramToken::generate(&ambient));
        assert!(one.hash().is(&one.hash()) && !one.hash().is(&other.hash()));
        assert!(SecretHash::of_text(&one.hash().text()) == Some(one.hash()));
        assert!(one.id.session() != other.id.session());
    }
}
