//! The use cases of operators.
//!
//! Invariant: every call is audited before it acts. Each use case asks for the proof, an [`Audited`], which only
//! [`AuditLog::record`] makes, once the entry is kept; so what cannot be audited does not happen.
//!
//! Authorization is deliberately absent: the layer that receives a request judges the scopes of operators' tokens.

mod administration;
mod audit;
mod matches;
mod players;
mod queues;
mod reason;

pub use administration::Administration;
pub use audit::{AuditEntry, AuditLog, Call};
pub(crate) use audit::{Audited, entry_fault};
pub use players::{NotSteered, PlayerFile};
pub use queues::QueueStanding;
pub use reason::StatedReason;
pub use sarsen_store::BackupError;
