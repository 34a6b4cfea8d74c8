//! What the use cases of operators act on.

use std::sync::Arc;

use super::audit::AuditLog;
use crate::leaving::Leaving;
use sarsen_accounts::auth::Tokens;
use sarsen_accounts::marks::KnownMarks;
use sarsen_accounts::players::Players;
use sarsen_matches::Matches;
use sarsen_store::{Audit, PlayerMarks, PlayerStore, Schedule, Store};

/// The use cases of operators.
pub struct Administration {
    /// What operators did.
    pub audit: AuditLog,
    pub(super) backups: Arc<dyn Store>,
    pub(super) sessions: Arc<dyn PlayerStore>,
    pub(super) tokens: Arc<Tokens>,
    pub(super) marks: Arc<dyn PlayerMarks>,
    pub(super) backlogs: Arc<dyn Schedule>,
    pub(super) known: Arc<KnownMarks>,
    pub(super) matches: Matches,
    pub(super) players: Players,
    pub(super) leaving: Arc<Leaving>,
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
        backups: Arc<dyn Store>,
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
