//! Identity: guests, their sessions, refresh and revocation; stream tickets, and what everyone is allowed.
//!
//! A player is a name; a session is one sign-in of a player, kept alive by its refresh token; access tokens
//! (`crate::auth`) are issued from a session and verified without the store.
//!
//! Invariants: the store never holds a refresh token, only its hash; a session has one current refresh token, and for
//! 30 seconds the one before can still be exchanged for it; a revoked session gives no new token and its access tokens
//! are refused on every instance within ten seconds.

mod allowances;
mod blocklist;
mod bounds;
mod departing;
mod device_label;
mod devices;
mod idle;
mod name;
mod refresh_token;
mod renaming;
pub mod revocation_feed;
mod service;
mod stored;
mod tickets;
mod typed_code;

pub use allowances::{AllowanceCounter, Allowances, Counted};
pub use blocklist::NameBlocklist;
pub use bounds::AccountBounds;
pub use departing::SessionFacts;
pub use device_label::DeviceLabel;
pub use devices::{CodeError, Joined, Once, PAIRING_SECONDS_MAX, PAIRING_SECONDS_MIN};
pub use name::{NameError, PlayerName};
pub use refresh_token::RefreshToken;
pub use sarsen_store::{Allowance, StoreError};
pub use service::{Player, Players, PlayersError, RevokeScope, SESSION_SECONDS, SignedIn};
pub use stored::{player_fault, session_fault};
pub use tickets::{StreamTickets, TICKET_SECONDS, Ticket, TicketError};
pub use typed_code::{PairingCode, RecoveryKey};

#[cfg(test)]
mod embedded_tests;
#[cfg(test)]
mod fake_store;
#[cfg(test)]
pub(crate) mod tests;
