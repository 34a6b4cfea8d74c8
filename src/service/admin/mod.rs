//! The use cases of operators.
//!
//! Invariant: every call is audited before it acts. Each use case asks for the proof, an [`Audited`], which only
//! [`AuditLog::record`] makes, once the entry is kept; so what cannot be audited does not happen.
//!
//! What it deliberately lacks: who may do what. The scopes of operators' tokens are judged where a request comes in.

mod audit;
mod backups;
mod matches;
mod players;
mod queues;
mod reason;
mod tokens;

use std::sync::Arc;

pub use audit::{AUDIT_SECONDS, AuditEntry, AuditLog, AuditPage, Audited, Call};
pub use players::{NotSteered, PlayerFile};
pub use queues::QueueStanding;
pub use reason::{REASON_MAX, StatedReason};
pub use sarsen_store::BackupError;

use crate::leaving::Leaving;
use sarsen_accounts::auth::Tokens;
use sarsen_accounts::marks::KnownMarks;
use sarsen_accounts::players::Players;
use sarsen_matches::Matches;
use sarsen_store::{Audit, Backups, PlayerMarks, PlayerStore, Schedule};

/// The use cases of operators.
pub struct Administration {
    /// What operators did.
    pub audit: AuditLog,
    backups: Arc<dyn Backups>,
    sessions: Arc<dyn PlayerStore>,
    tokens: Arc<Tokens>,
    marks: Arc<dyn PlayerMarks>,
    backlogs: Arc<dyn Schedule>,
    known: Arc<KnownMarks>,
    matches: Matches,
    players: Players,
    leaving: Arc<Leaving>,
}

/// What the use cases of operators steer.
pub struct Steered {
    /// Operators' tokens.
    pub tokens: Arc<Tokens>,
    /// The marks that this instance goes by.
    pub known: Arc<KnownMarks>,
    /// Matches.
    pub matches: Matches,
    /// Players.
    pub players: Players,
    /// How players leave.
    pub leaving: Arc<Leaving>,
}

impl Administration {
    /// Those of a service with this audit, these sessions, marks and queues.
    pub fn new(
        audit: Arc<dyn Audit>,
        backups: Arc<dyn Backups>,
        sessions: Arc<dyn PlayerStore>,
        marks: Arc<dyn PlayerMarks>,
        backlogs: Arc<dyn Schedule>,
        steered: Steered,
    ) -> Administration {
        let Steered { tokens, known, matches, players, leaving } = steered;
        Administration {
            audit: AuditLog::new(audit),
            backups,
            sessions,
            tokens,
            marks,
            backlogs,
            known,
            matches,
            players,
            leaving,
        }
    }
}
