//! The dependencies of the use cases of operators.

use std::sync::Arc;

use super::audit::AuditLog;
use crate::account_deletion::AccountDeletion;
use crate::ratings::Ratings;
use sarsen_accounts::auth::Tokens;
use sarsen_accounts::outside::OutsideAccounts;
use sarsen_accounts::people::People;
use sarsen_accounts::player_status::KnownStatuses;
use sarsen_accounts::players::Players;
use sarsen_accounts::programs::ProgramTokens;
use sarsen_matches::Matches;
use sarsen_store::{Audit, JobStore, PlayerStatusStore, PlayerStore, Schedule, Store};

/// The use cases of operators.
pub struct Administration {
    /// The log of the actions of operators.
    pub audit: AuditLog,
    pub(super) backups: Arc<dyn Store>,
    pub(super) sessions: Arc<dyn PlayerStore>,
    pub(super) tokens: Arc<Tokens>,
    pub(super) marks: Arc<dyn PlayerStatusStore>,
    pub(super) backlogs: Arc<dyn Schedule>,
    pub(super) known: Arc<KnownStatuses>,
    pub(super) matches: Matches,
    pub(super) players: Players,
    pub(super) outside: Arc<OutsideAccounts>,
    pub(super) programs: Arc<ProgramTokens>,
    pub(super) people: People,
    pub(super) leaving: Arc<AccountDeletion>,
    pub(super) ratings: Ratings,
    pub(super) jobs: Arc<dyn JobStore>,
}

/// The parts of the service that the use cases of operators steer.
pub struct Steered {
    /// Operators' tokens.
    pub tokens: Arc<Tokens>,
    /// The marks that this instance goes by.
    pub known: Arc<KnownStatuses>,
    /// Matches.
    pub matches: Matches,
    /// Players.
    pub players: Players,
    /// Players who are signed in by outside issuers.
    pub outside: Arc<OutsideAccounts>,
    /// Tokens of programs and bot accounts.
    pub programs: Arc<ProgramTokens>,
    /// Reports.
    pub people: People,
    /// The process by which players leave.
    pub leaving: Arc<AccountDeletion>,
    /// Ratings.
    pub ratings: Ratings,
    /// The jobs that are ordered.
    pub jobs: Arc<dyn JobStore>,
}

impl Administration {
    /// Those of a service with this audit, these sessions, marks and queues.
    pub fn new(
        audit: Arc<dyn Audit>,
        backups: Arc<dyn Store>,
        sessions: Arc<dyn PlayerStore>,
        marks: Arc<dyn PlayerStatusStore>,
        backlogs: Arc<dyn Schedule>,
        steered: Steered,
    ) -> Administration {
        let Steered { tokens, known, matches, players, outside, programs, people, leaving, ratings, jobs } = steered;
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
            outside,
            programs,
            people,
            leaving,
            ratings,
            jobs,
        }
    }
}
