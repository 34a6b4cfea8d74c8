//! A delivery: one notification on its way to one webhook or one push subscription.
//!
//! It is the body of its job while it waits; one of a webhook is kept beside that from the first attempt on.

use std::fmt;
use std::str::FromStr;

use aws_lc_rs::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use sarsen_accounts::notifications::NotificationType;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{CROCKFORD_DIGITS, MatchId, PlayerId};
use sarsen_rules::Seat;
use sarsen_store::upgrade::Formed;
use sarsen_store::{ItemOwner, Job, JobKind, StoreError};

/// The digits of a delivery's id.
const DIGITS: usize = 26;

/// The beginning of a delivery's id.
const PREFIX: &str = "msg_";

/// Names a delivery: the same notification to the same receiver has the same id.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct DeliveryId(String);

/// A text that is no id of a delivery.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not an id of the form {PREFIX} followed by {DIGITS} digits and letters")]
pub struct NoDeliveryId;

impl DeliveryId {
    /// The id of what these parts name.
    pub(super) fn of(parts: &[&[u8]]) -> DeliveryId {
        let mut context = Context::new(&SHA256);
        for part in parts {
            context.update(&(part.len() as u64).to_be_bytes());
            context.update(part);
        }
        let hash = context.finish();
        let digits = hash.as_ref().iter().take(DIGITS).map(|byte| char::from(CROCKFORD_DIGITS[usize::from(byte % 32)]));
        DeliveryId(PREFIX.chars().chain(digits).collect())
    }

    /// The id as written on the wire.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for DeliveryId {
    type Err = NoDeliveryId;
    fn from_str(text: &str) -> Result<DeliveryId, NoDeliveryId> {
        let digits = text.strip_prefix(PREFIX).filter(|digits| digits.len() == DIGITS).ok_or(NoDeliveryId)?;
        let known = digits.bytes().all(|digit| CROCKFORD_DIGITS.contains(&digit));
        known.then(|| DeliveryId(text.to_owned())).ok_or(NoDeliveryId)
    }
}

impl TryFrom<String> for DeliveryId {
    type Error = NoDeliveryId;
    fn try_from(text: String) -> Result<DeliveryId, NoDeliveryId> {
        text.parse()
    }
}

impl fmt::Display for DeliveryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The way of a delivery.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DeliveryWay {
    /// A webhook.
    Webhook,
    /// Web Push.
    Push,
}

impl DeliveryWay {
    /// Its name in the metrics.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            DeliveryWay::Webhook => "webhook",
            DeliveryWay::Push => "push",
        }
    }
}

/// The states of a delivery. More may come: ignore one that you do not know.
///
/// - `pending`: Another attempt follows.
/// - `delivered`: The receiver has answered with a success.
/// - `failed`: No attempt had a success.
/// - `superseded`: It was not told any more: the turn was over, the match deleted, or the webhook switched off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// Another attempt follows.
    Pending,
    /// The receiver has answered with a success.
    Delivered,
    /// No attempt had a success.
    Failed,
    /// It was not told any more.
    Superseded,
}

impl DeliveryState {
    /// Its name in the metrics.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            DeliveryState::Pending => "retried",
            DeliveryState::Delivered => "delivered",
            DeliveryState::Failed => "failed",
            DeliveryState::Superseded => "superseded",
        }
    }
}

/// The reason why an attempt failed. More may come: ignore one that you do not know.
///
/// - `dns`: The name of the host was not resolved.
/// - `blocked`: The address is not one that the service sends to.
/// - `connect`: There was no connection, or it broke off.
/// - `tls`: The receiver did not prove to be that host.
/// - `timeout`: There was no answer in time.
/// - `status`: The answer was no success; a redirect is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryFailure {
    /// The name of the host was not resolved.
    Dns,
    /// The address is not one that the service sends to.
    Blocked,
    /// There was no connection, or it broke off.
    Connect,
    /// The receiver did not prove to be that host.
    Tls,
    /// There was no answer in time.
    Timeout,
    /// The answer was no success.
    Status,
}

/// The step of a match that a delivery is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct StepOf {
    pub(super) match_id: MatchId,
    pub(super) seat: Seat,
    pub(super) version: u64,
}

/// A delivery.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Delivery {
    #[serde(rename = "v")]
    form: u16,
    /// Its id, which is sent with it.
    pub id: DeliveryId,
    /// The player who owns the receiver; none for the operators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owner: Option<PlayerId>,
    pub(super) way: DeliveryWay,
    /// The id of the webhook or subscription.
    pub(super) target: String,
    /// Its type.
    pub kind: NotificationType,
    /// The time of its making.
    pub created_at: Timestamp,
    /// The message, JSON on one line.
    pub body: String,
    /// It is not told any more once the match is deleted or, if it is about a turn, the turn is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) step: Option<StepOf>,
    /// Until then a push service keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) deadline_at: Option<Timestamp>,
    /// The match, for the topic of push messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) topic: Option<String>,
    /// The number of times that it was asked for once more.
    #[serde(default, skip_serializing_if = "is_none_yet")]
    pub(super) resends: u32,
    /// The number of attempts since.
    pub attempts: u32,
    /// Its state.
    pub state: DeliveryState,
    /// The reason why the last attempt failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<DeliveryFailure>,
    /// The status of the last answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The time of the last attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempted_at: Option<Timestamp>,
    /// The time of the next attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_at: Option<Timestamp>,
}

fn is_none_yet(number: &u32) -> bool {
    *number == 0
}

sarsen_store::formed!(Delivery, "delivery", "v", &[]);

impl Delivery {
    pub(super) fn new(
        id: DeliveryId,
        owner: &ItemOwner,
        way: DeliveryWay,
        target: &str,
        kind: NotificationType,
        at: Timestamp,
        body: String,
    ) -> Delivery {
        let owner = match owner {
            ItemOwner::Player(player) => Some(player.clone()),
            ItemOwner::Service => None,
        };
        Delivery {
            form: Delivery::FORMS.present(),
            id,
            owner,
            way,
            target: target.to_owned(),
            kind,
            created_at: at,
            body,
            step: None,
            deadline_at: None,
            topic: None,
            resends: 0,
            attempts: 0,
            state: DeliveryState::Pending,
            error: None,
            status: None,
            attempted_at: None,
            next_at: None,
        }
    }

    /// The owner of the receiver.
    pub(super) fn owner(&self) -> ItemOwner {
        self.owner.clone().map_or(ItemOwner::Service, ItemOwner::Player)
    }

    /// The webhook or subscription that it goes to: of one not too many are sent at a time.
    pub(crate) fn target(&self) -> &str {
        &self.target
    }

    /// The job that sends it; each resend has one of its own.
    pub(super) fn job(&self) -> Result<Job, StoreError> {
        let kind = JobKind::Deliver;
        let id = if self.resends == 0 { self.id.to_string() } else { format!("{}.{}", self.id, self.resends) };
        Ok(Job { kind, id, at: self.next_at.unwrap_or(self.created_at), body: self.encode()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A delivery as form 1 has it.
    const DELIVERY_1: &str = r#"{"v":1,"id":"msg_00000000000000000000000001","owner":"p_00000000000000000000000000000001","way":"webhook","target":"w_00000000000000000000000000000002","kind":"match.turn_started","created_at":1,"body":"{}","step":{"match_id":"m_00000000000000000000000000000003","seat":1,"version":17},"deadline_at":9,"topic":"m","attempts":1,"state":"pending","error":"status","status":503,"attempted_at":2,"next_at":3}"#;

    #[test]
    fn form_1_is_read_and_written_alike() {
        let read = Delivery::decode(DELIVERY_1.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(read.encode().unwrap()).unwrap(), DELIVERY_1);
        assert_eq!((read.job().unwrap().at, read.job().unwrap().id.as_str()), (Timestamp(3), read.id.as_str()));
    }

    #[test]
    fn an_id_names_its_parts_and_nothing_else_parses() {
        let id = DeliveryId::of(&[b"a", b"b"]);
        assert_eq!(id.as_str().parse(), Ok(id.clone()));
        assert!(
            id != DeliveryId::of(&[b"ab"])
                && id != DeliveryId::of(&[b"a", b"c"])
                && id == DeliveryId::of(&[b"a", b"b"])
        );
        for wrong in [
            "",
            "msg_",
            "msg_0000000000000000000000000",
            "w_00000000000000000000000001",
            "msg_0000000000000000000000000U",
        ] {
            assert_eq!(wrong.parse::<DeliveryId>(), Err(NoDeliveryId), "{wrong}");
        }
    }
}
