//! Authentication: from an access token to a [`Principal`] and back.
//!
//! Invariant: [`Tokens::verify`] gives a principal only for a token that this service signed, that has not expired and
//! whose session was not revoked. [`Tokens::verify_operator`] does the same for operators, whose tokens are of a type of
//! their own: neither counts as the other.
//!
//! I/O after start is deliberately absent. Revocations are fed from outside (`crate::players`), refresh tokens and
//! players live there too.

mod key_file;
mod keys;
mod operator;
mod program;
mod revocations;
mod tokens;

pub use key_file::KeyFileError;
pub use keys::{DerivedKey, NotDerived, SigningKeys};
pub use operator::{HOURS_MAX, Operator, OperatorLabel, Scope, Scopes};
pub(crate) use program::SecretHash;
pub use program::{
    ACCOUNT_SCOPE, PROGRAM_TOKEN_PREFIX, PlayerKind, Program, ProgramScope, ProgramToken, ProgramTokenId,
};
pub use revocations::Revocations;
pub use tokens::{
    ACCESS_TOKEN_SECONDS, AccessToken, LEEWAY_SECONDS, Principal, SigningError, TokenError, TokenFlaw, TokenScope,
    Tokens,
};
