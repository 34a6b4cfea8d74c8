//! The dependencies of the use cases of operators, and those that need no file of their own: backups, operators' tokens
//! and reports.

use std::sync::Arc;

use super::audit::{AuditLog, Audited};
use crate::account_deletion::AccountDeletion;
use crate::ratings::Ratings;
use sarsen_accounts::auth::Tokens;
use sarsen_accounts::outside::OutsideAccounts;
use sarsen_accounts::people::{People, PeopleRefused, Report, ReportPage, ReportQuery};
use sarsen_accounts::player_status::KnownStatuses;
use sarsen_accounts::players::Players;
use sarsen_accounts::programs::ProgramTokens;
use sarsen_base::ids::{OperatorTokenId, PlayerId, ReportId};
use sarsen_matches::Matches;
use sarsen_store::{Backup, BackupError, Store, StoreError};

/// The use cases of operators, and the parts of the service that they steer.
pub struct Administration {
    /// The log of the actions of operators.
    pub audit: AuditLog,
    /// Sessions, statuses, queues and backups.
    pub store: Arc<dyn Store>,
    /// Operators' tokens.
    pub tokens: Arc<Tokens>,
    /// The statuses that this instance goes by.
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
    pub deletion: Arc<AccountDeletion>,
    /// Ratings.
    pub ratings: Ratings,
}

impl Administration {
    /// Makes a backup beside the store.
    ///
    /// # Errors
    /// See [`BackupError`].
    pub async fn back_up(&self, _: &Audited) -> Result<Backup, BackupError> {
        self.store.back_up().await
    }

    /// Has an operator's token refused, on this instance at once and on all others within ten seconds, until it would have
    /// expired. Whether there is such a token nobody knows, for tokens are not stored.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn revoke_token(&self, _: &Audited, token: &OperatorTokenId) -> Result<(), StoreError> {
        let (session, until) = self.tokens.operator_revocation(token);
        // It is on no player's list of sessions.
        let nobody = PlayerId::from_number(0);
        self.store.revoke_session(&session, &nobody, until).await?;
        self.tokens.revocations().insert(session, until);
        Ok(())
    }

    /// A page of reports.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn reports(&self, _: &Audited, query: &ReportQuery) -> Result<ReportPage, PeopleRefused> {
        self.people.reports(query).await
    }

    /// Closes a report with an answer.
    ///
    /// # Errors
    /// [`PeopleRefused::ReportNotFound`], or that the store is away.
    pub async fn answer_report(&self, _: &Audited, id: &ReportId, answer: &str) -> Result<Report, PeopleRefused> {
        self.people.answer_report(id, answer).await
    }
}
