//! Pools: players who want to play now put a ticket into a pool, and the service pairs them and makes their match.
//!
//! Invariants:
//! - A player is in at most one match of each pairing, and never paired with themselves: all tickets of a player are one
//!   record, and a pairing changes the records of all its players together or not at all ([`PoolStore`]).
//! - A ticket is there until its player takes it back, lets it lapse or is paired. A pairing notes the match to make in the
//!   same change, so any instance makes the match of one that has died.
//! - [`pairing`] is a pure function of tickets and time.
//! - A record or a noted match that cannot be read keeps no other: `sarsen check` tells of it.
//!
//! Export and import leave tickets out, which last days at most. Backups have them.
//!
//! [`PoolStore`]: sarsen_store::PoolStore

pub(crate) mod definition;
mod making;
pub(crate) mod pairing;
mod record;
mod rounds;
#[cfg(test)]
mod tests;
mod tickets;
#[cfg(test)]
mod use_cases_tests;

pub use definition::{PlayerPool, WrongPools};
pub use pairing::RatingRange;
pub use tickets::{PoolRefused, PoolSize, Pools, PoolsParts, TICKETS_MAX, TicketState, TicketView, TicketWish};
pub(crate) use tickets::{forget, unreadable};
