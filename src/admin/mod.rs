//! The use cases of operators.
//!
//! Invariant: every call is audited before it acts. Each use case asks for the proof, an [`Audited`], which only
//! [`Administration::record`] makes, once the entry is kept; so what cannot be audited does not happen.
//!
//! What it deliberately lacks: who may do what. The scopes of operators' tokens are judged where a request comes in.

mod audit;
mod reason;
mod tokens;

use std::sync::Arc;

pub use audit::{AUDIT_SECONDS, AuditEntry, AuditLog, AuditPage, Audited, Call};
pub use reason::{REASON_MAX, StatedReason};

use crate::auth::Tokens;
use crate::store::{Audit, Sessions};

/// The use cases of operators.
pub struct Administration {
    /// What operators did.
    pub audit: AuditLog,
    sessions: Arc<dyn Sessions>,
    tokens: Arc<Tokens>,
}

impl Administration {
    /// Those of a service with this audit, and these sessions and tokens.
    pub fn new(audit: Arc<dyn Audit>, sessions: Arc<dyn Sessions>, tokens: Arc<Tokens>) -> Administration {
        Administration { audit: AuditLog::new(audit), sessions, tokens }
    }
}
