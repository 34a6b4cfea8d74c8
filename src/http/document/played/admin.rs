//! The examples of operators' operations.

use serde_json::{Value, json};

use crate::admin::audit::{AuditEntryBody, AuditPageBody};
use crate::admin::players::PlayerFileBody;
use crate::admin::queues::{QueueBody, QueueList};
use crate::answer::moment::Moment;
use sarsen_accounts::outside::Identity;
use sarsen_accounts::player_status::{Ban, BanFrom, PlayerStatus};
use sarsen_accounts::players::Player;
use sarsen_base::ambient::Timestamp;
use sarsen_service::admin::PlayerFile;

const UNTIL: &str = "2026-12-20T18:30:00.000Z";
const TOKEN: &str = "o_0190163d8694739ea2a3c9f1e7d1a444";
const MATCH: &str = "m_0190163d8694739ea2a3c9f1e7d1a111";
const REASON: &str = "the players asked for it";

/// Request and answer of an operation by its id, where it has them.
pub(crate) fn of(operation: &str) -> Option<(Option<Value>, Option<Value>)> {
    Some(match operation {
        "backUp" => (None, Some(json!({"name": "sarsen-20261122T135900123Z.redb", "bytes": 73_728_000}))),
        "listAudit" => (None, Some(audit()?)),
        "listQueues" => (None, Some(queues()?)),
        "getPlayerAsOperator" | "renamePlayer" | "banPlayer" | "unbanPlayer" | "unlinkPlayerIdentity" => {
            (asked(operation), Some(file(operation)?))
        }
        "annulMatch" | "unrankPlayer" => (Some(json!({"reason": "two accounts of one person"})), None),
        "revokeOperatorToken" => (Some(json!({"token_id": TOKEN})), None),
        _ => return None,
    })
}

fn queues() -> Option<Value> {
    let queue = |name, length, millis: Option<i64>| QueueBody {
        name,
        length,
        oldest_at: millis.map(|millis| Moment(Timestamp(millis))),
    };
    let items = vec![
        queue("outbox", 2, Some(1_795_305_600_123)),
        queue("due", 40, Some(1_795_392_000_000)),
        queue("notify", 12, Some(1_795_334_400_000)),
        queue("deliver", 3, Some(1_795_305_605_370)),
        queue("rate", 1, Some(1_795_392_000_000)),
        queue("review", 0, None),
        queue("deletions", 0, None),
    ];
    serde_json::to_value(QueueList { items }).ok()
}

fn asked(operation: &str) -> Option<Value> {
    match operation {
        "renamePlayer" => Some(json!({"name": "Player 7", "reason": "the name insulted others"})),
        "banPlayer" => Some(json!({"until": UNTIL, "from": "play", "reason": "abusive at the table"})),
        _ => None,
    }
}

fn file(operation: &str) -> Option<Value> {
    let name = if operation == "renamePlayer" { "Player 7" } else { "Robin" };
    let created_at = Timestamp(1_795_305_600_123);
    let player = Player::person("p_0190163d8694739ea2a3c9f1e7d1a222".parse().ok()?, name.parse().ok()?, created_at);
    let ban =
        Ban { until: Timestamp::from_rfc3339(UNTIL), from: BanFrom::Play, reason: "abusive at the table".to_owned() };
    let status = PlayerStatus::default().with_ban((operation == "banPlayer").then_some(ban));
    let id = "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c".to_owned();
    let linked = Identity { id, issuer: "acme".to_owned(), linked_at: created_at };
    let identities = if operation == "unlinkPlayerIdentity" { Vec::new() } else { vec![linked] };
    let file = PlayerFile {
        player,
        status,
        sessions: 1,
        identities,
        tokens: Vec::new(),
        bots: Vec::new(),
        reports: Vec::new(),
    };
    serde_json::to_value(PlayerFileBody::from(file)).ok()
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
