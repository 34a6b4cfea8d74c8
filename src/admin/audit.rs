//! What operators did: the audit.
//!
//! Invariant: an entry is kept before what it tells of is begun. It says who (the token, and the label that it was given),
//! what, of which player or match, when by the store's clock, and why; never what a name was or what a match hid.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::reason::StatedReason;
use crate::ambient::Timestamp;
use crate::auth::Operator;
use crate::ids::OperatorTokenId;
use crate::store::upgrade::{self, Formed, Forms};
use crate::store::{Audit, AuditPlace, StoreError};

/// How long an entry is kept, in seconds: 400 days.
pub const AUDIT_SECONDS: u32 = 400 * 24 * 60 * 60;

/// What an operator is about to do.
#[derive(Clone, Debug)]
pub struct Call {
    /// The operation's id in the OpenAPI document.
    pub operation: &'static str,
    /// The id of the player, match or token concerned.
    pub target: Option<String>,
    /// Why.
    pub reason: Option<StatedReason>,
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

/// The proof that a call stands in the audit.
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
    /// Why.
    pub reason: Option<String>,
}

impl AuditEntry {
    /// When the call was made.
    pub fn at(&self) -> Timestamp {
        self.place.at()
    }
}

/// A page of the audit, newest first.
#[derive(Clone, Debug)]
pub struct AuditPage {
    /// The entries.
    pub items: Vec<AuditEntry>,
    /// Where the next page begins, if there may be one.
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

impl Formed for StoredEntry {
    const FORMS: Forms = Forms { kind: "audit entry", property: "v", steps: &[] };

    fn form(&self) -> u16 {
        self.form
    }
}

/// The audit.
pub struct AuditLog(Arc<dyn Audit>);

impl AuditLog {
    pub(super) fn new(audit: Arc<dyn Audit>) -> AuditLog {
        AuditLog(audit)
    }

    /// Keeps that `operator` is about to do this. Nothing is to be begun before.
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
        let stored = serde_json::to_vec(&entry)
            .map_err(|error| StoreError::Corrupt(format!("an audit entry cannot be written: {error}")))?;
        self.0.append_audit(stored, AUDIT_SECONDS).await?;
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
