//! Outbound HTTP: the only place from which this service asks anything of others, apart from its store.
//!
//! Invariants: one function, [`Outbound::addresses`], decides where it may connect, and the connection goes to an address
//! that it vetted, so a name that resolves differently a moment later gains nothing. No redirects, no proxies, no user
//! info. What others answer is bounded in bytes and in time, and none of their words reach a client.

mod address;
mod client;
mod key_sets;

pub use client::{Outbound, OutboundRules, URL_MAX, UrlFault};
pub(crate) use client::{OutboundError, OutboundReceipt};
pub use key_sets::KeySetUrl;
pub use rustls::Error as TlsError;
