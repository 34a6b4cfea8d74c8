//! The examples of operators' operations.

use serde_json::{Value, json};

use crate::ambient::Timestamp;
use crate::http::admin::audit::{AuditEntryBody, AuditPageBody};
use crate::http::answer::moment::Moment;

const TOKEN: &str = "o_0190163d8694739ea2a3c9f1e7d1a444";
const MATCH: &str = "m_0190163d8694739ea2a3c9f1e7d1a111";
const REASON: &str = "the players asked for it";

/// Request and answer of an operation by its id, where it has them.
pub fn of(operation: &str) -> Option<(Option<Value>, Option<Value>)> {
    Some(match operation {
        "listAudit" => (None, Some(audit()?)),
        "revokeOperatorToken" => (Some(json!({"token_id": TOKEN})), None),
        _ => return None,
    })
}

fn audit() -> Option<Value> {
    let entry = AuditEntryBody {
        id: "1795305600123-0".to_owned(),
        at: Moment(Timestamp(1_795_305_600_123)),
        token_id: TOKEN,
        label: "night shift",
        operation: "abortMatchAsOperator",
        target: Some(MATCH),
        reason: Some(REASON),
    };
    serde_json::to_value(AuditPageBody { items: vec![entry], next_cursor: None }).ok()
}
