//! The audit: a log of the actions of operators.
//!
//! Invariant: an entry is kept before what it tells of is begun. It says who (the token, and the label that it was given),
//! what, of which player or match, when by the store's clock, and why; never what a name was or what a match hid.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::reason::StatedReason;
use sarsen_accounts::auth::Operator;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::OperatorTokenId;
use sarsen_store::upgrade::{self, Formed};
use sarsen_store::{Audit, AuditPlace, StoreError};

/// The time for which an entry is kept, in seconds: 400 days.
const AUDIT_SECONDS: u32 = 400 * 24 * 60 * 60;

/// An action that an operator is about to take.
#[derive(Clone, Debug)]
pub struct Call {
    /// The operation's id in the OpenAPI document.
    pub(crate) operation: &'static str,
    /// The id of the player, match or token concerned.
    pub(crate) target: Option<String>,
    pub(crate) reason: Option<StatedReason>,
}

impl Call {
    /// A call of this operation, of nothing in particular and without a reason.
    pub fn of(operation: &'static str) -> Call {
        Call { operation, target: None, reason: None }
    }

    /// The same, of this player, match or token.
    #[must_use]
    pub fn on(self, target: &impl ToString) -> Call {
        Call { target: Some(target.to_string()), ..self }
    }

    /// The same for this reason.
    #[must_use]
    pub fn because(self, reason: StatedReason) -> Call {
        Call { reason: Some(reason), ..self }
    }
}

/// The proof that a call is in the audit.
#[derive(Debug)]
pub struct Audited(());

/// An entry of the audit.
#[derive(Clone, Debug)]
pub struct AuditEntry {
    /// Its place, which names it.
    pub place: AuditPlace,
    /// The token that was used.
    pub token: OperatorTokenId,
    /// The label of the token.
    pub label: String,
    /// The operation's id.
    pub operation: String,
    /// The id of the player, match or token concerned.
    pub target: Option<String>,
    /// The reason, in the operator's words.
    pub reason: Option<String>,
}

impl AuditEntry {
    /// Returns the time at which the call was made.
    pub fn at(&self) -> Timestamp {
        self.place.at()
    }
}

/// A page of the audit, newest first.
#[derive(Clone, Debug)]
pub struct AuditPage {
    /// The entries.
    pub items: Vec<AuditEntry>,
    /// The place where the next page begins, if there may be one.
    pub next: Option<AuditPlace>,
}

/// An entry as stored, under its place.
#[derive(Serialize, Deserialize)]
struct StoredEntry {
    #[serde(rename = "v")]
    form: u16,
    token: OperatorTokenId,
    label: String,
    operation: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

sarsen_store::formed!(StoredEntry, "audit entry", "v", &[]);

/// Returns the fault of a stored entry of the audit, in a sentence that quotes nothing.
pub(crate) fn entry_fault(stored: &[u8]) -> Option<String> {
    upgrade::decode::<StoredEntry>(stored).err().map(|unreadable| format!("cannot be read: {unreadable}"))
}

/// The audit.
pub struct AuditLog(Arc<dyn Audit>);

impl AuditLog {
    /// Makes the log that is kept in this store.
    pub fn new(audit: Arc<dyn Audit>) -> AuditLog {
        AuditLog(audit)
    }

    /// Records that `operator` is about to do this. The call must not begin before.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn record(&self, operator: &Operator, call: Call) -> Result<Audited, StoreError> {
        let Call { operation, target, reason } = call;
        let entry = StoredEntry {
            form: StoredEntry::FORMS.present(),
            token: operator.token.clone(),
            label: operator.label.as_str().to_owned(),
            operation: operation.to_owned(),
            target,
            reason: reason.map(|reason| reason.as_str().to_owned()),
        };
        self.0.append_audit(entry.encode()?, AUDIT_SECONDS).await?;
        tracing::info!(token = %entry.token, operation, target = entry.target, "an operator acts");
        Ok(Audited(()))
    }

    /// A page of entries before `before`, or of the newest.
    ///
    /// # Errors
    /// If the store is away, or an entry cannot be read.
    pub async fn page(&self, _: &Audited, before: Option<AuditPlace>, limit: usize) -> Result<AuditPage, StoreError> {
        let read = self.0.audit(before, limit).await?;
        let next = read.last().filter(|_| read.len() == limit).map(|(place, _)| *place);
        let items = read.into_iter().map(|(place, stored)| {
            let StoredEntry { token, label, operation, target, reason, .. } = upgrade::decode(&stored)?;
            Ok(AuditEntry { place, token, label, operation, target, reason })
        });
        Ok(AuditPage { items: items.collect::<Result<_, StoreError>>()?, next })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use async_trait::async_trait;

    use super::*;
    use sarsen_accounts::auth::{Revocations, SigningKeys, TokenScope, Tokens};
    use sarsen_base::ambient::Ambient;
    use sarsen_store::Restored;

    /// An audit that can be away.
    #[derive(Default)]
    struct Paper {
        away: bool,
        entries: Mutex<Vec<Vec<u8>>>,
    }

    #[async_trait]
    impl Audit for Paper {
        async fn append_audit(&self, entry: Vec<u8>, keep_seconds: u32) -> Result<AuditPlace, StoreError> {
            assert_eq!(keep_seconds, AUDIT_SECONDS);
            if self.away {
                return Err(StoreError::Unavailable("away".into()));
            }
            let mut entries = self.entries.lock().unwrap();
            entries.push(entry);
            Ok(AuditPlace { millis: entries.len() as u64, number: 0 })
        }

        async fn restore_audit(&self, _: AuditPlace, _: Vec<u8>) -> Result<Restored, StoreError> {
            Ok(Restored::Kept)
        }

        async fn audit(&self, _: Option<AuditPlace>, limit: usize) -> Result<Vec<(AuditPlace, Vec<u8>)>, StoreError> {
            let entries = self.entries.lock().unwrap().clone();
            let numbered = (1..).map(|millis| AuditPlace { millis, number: 0 }).zip(entries);
            Ok(numbered.collect::<Vec<_>>().into_iter().rev().take(limit).collect())
        }
    }

    fn operator() -> Operator {
        let ambient = Ambient::fixed(1_700_000_000_000, 1);
        let keys = SigningKeys::parse(&SigningKeys::new_key_text(&ambient)).unwrap();
        let tokens = Tokens::new(keys, TokenScope::default(), Arc::new(Revocations::new()), ambient);
        let made = tokens.issue_operator(&"Olga".parse().unwrap(), &"admin:read".parse().unwrap(), 1).unwrap();
        tokens.verify_operator(&made.token).unwrap()
    }

    #[tokio::test]
    async fn without_an_entry_there_is_no_proof() {
        let log = AuditLog::new(Arc::new(Paper { away: true, ..Paper::default() }));
        assert!(matches!(log.record(&operator(), Call::of("x")).await, Err(StoreError::Unavailable(_))));
    }

    #[tokio::test]
    async fn an_entry_says_who_did_what_to_whom_and_why() {
        let (log, operator) = (AuditLog::new(Arc::new(Paper::default())), operator());
        log.record(&operator, Call::of("first")).await.unwrap();
        let call = Call::of("second").on(&"p_1").because("a reason".parse().unwrap());
        assert_eq!(format!("{call:?}").matches("a reason").count(), 0, "reasons are not for the log");
        let proof = log.record(&operator, call).await.unwrap();
        let page = log.page(&proof, None, 1).await.unwrap();
        let AuditEntry { token, label, operation, target, reason, .. } = &page.items[0];
        assert_eq!((token, label.as_str(), operation.as_str()), (&operator.token, "Olga", "second"));
        assert_eq!((target.as_deref(), reason.as_deref()), (Some("p_1"), Some("a reason")));
        assert_eq!(page.next, Some(page.items[0].place));
        assert_eq!(log.page(&proof, None, 3).await.unwrap().next, None);
    }
}
