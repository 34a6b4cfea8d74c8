//! Outside issuers: players who are signed in by accounts that somebody else keeps.
//!
//! Invariants: an outside token is exchanged for a session and never used as a bearer, so requests, short tokens and
//! revocation stay as they are, and an issuer that is away stops nothing but new sign-ins. Of an identity only a hash is
//! kept. An identity is one player's at a time.

mod identities;
mod issuer_keys;
mod issuer_terms;
mod key_set;
mod outside_token;

pub(crate) use identities::read as read_identity;
pub use identities::{Identity, OutsideAccounts, OutsideError, VerifiedIdentity};
pub use issuer_keys::{FetchedKeySet, KEY_SET_MAX, KeySetFile, KeySetSource};
pub use issuer_terms::IssuerTerms;
