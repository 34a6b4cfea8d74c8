//! Programs: their tokens, and the bot accounts for which some of them speak.
//!
//! Invariants: the store holds no secret of a token, only its digest; a revoked token is refused on this instance at once
//! and on every other within ten seconds; a token has the scopes that it was made with, and none of them makes tokens,
//! sessions or bot accounts; the kind of a player is fixed when the player is made.
//!
//! The scope that an operation needs is deliberately absent: the layer that receives a request judges that.

mod bots;
mod checked;
mod service;
mod stored;

pub use service::{MadeToken, ProgramRefused, ProgramTokenFacts, ProgramTokens, TokenTerms};
pub(crate) use stored::StoredToken;
