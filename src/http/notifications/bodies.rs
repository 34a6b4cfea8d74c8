//! Webhooks and deliveries as they are read and answered.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use crate::answer::codes::Code;
use crate::answer::moment::Moment;
use crate::answer::problem::Problem;
use crate::extract::params::{PageLimit, Within};
use sarsen_accounts::notifications::NotificationType;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId, SessionId, WebhookId};
use sarsen_base::text;
use sarsen_rules::{Outcome, Seat};
use sarsen_service::notifications::{
    Delivery, DeliveryFailure, DeliveryId, DeliveryPage, DeliveryState, DisabledReason, ItemOwner, Webhook,
    WebhookChange, WebhookTerms,
};

/// The longest description, in characters.
const DESCRIPTION_MAX: usize = 200;

/// The longest time for which a secret signs beside the next one, in seconds: a week.
pub(crate) const GRACE_SECONDS_MAX: u32 = 604_800;

pub(super) type GraceSeconds = Within<0, GRACE_SECONDS_MAX>;

fn one_day() -> GraceSeconds {
    GraceSeconds::of::<86_400>()
}

/// A webhook to make.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = WebhookTerms)]
#[serde(deny_unknown_fields)]
pub(crate) struct WebhookTermsBody {
    /// The URL that is sent to: https, without user info, at an address that everybody can reach.
    #[schema(max_length = 2048, examples("https://hook.example/sarsen"))]
    url: String,
    /// The types that are sent.
    #[schema(min_items = 1, max_items = 50)]
    events: Vec<NotificationType>,
    /// Your own words for it, of 1 to 200 characters.
    #[serde(default)]
    #[schema(nullable = false, min_length = 1, max_length = 1000)]
    description: Option<String>,
}

/// A change of a webhook: what is left out stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = WebhookChange)]
#[serde(deny_unknown_fields)]
pub(crate) struct WebhookChangeBody {
    /// The URL that is sent to.
    #[serde(default)]
    #[schema(nullable = false, max_length = 2048)]
    url: Option<String>,
    /// The types that are sent.
    #[serde(default)]
    #[schema(nullable = false, min_items = 1, max_items = 50)]
    events: Option<Vec<NotificationType>>,
    /// Your own words for it; an empty text removes them.
    #[serde(default)]
    #[schema(nullable = false, max_length = 1000)]
    description: Option<String>,
}

/// The types of a request.
///
/// # Errors
/// `invalid_request` for none, and for one that this owner is not told.
pub(super) fn types(given: Vec<NotificationType>, owner: &ItemOwner) -> Result<BTreeSet<NotificationType>, Problem> {
    let wrong = |detail: String| Problem::new(Code::InvalidRequest).path("events").detail(detail);
    if given.is_empty() {
        return Err(wrong("a receiver takes at least one type".to_owned()));
    }
    let foreign = given.iter().find(|kind| kind.is_for_operators() && *owner != ItemOwner::Service);
    match foreign {
        Some(kind) => Err(wrong(format!("{} is for operators", kind.name()))),
        None => Ok(given.into_iter().collect()),
    }
}

fn described(given: &str) -> Result<String, Problem> {
    let cleaned = text::clean(given, DESCRIPTION_MAX);
    cleaned.map_err(|error| Problem::new(Code::InvalidRequest).path("description").detail(error.to_string()))
}

impl WebhookTermsBody {
    pub(super) fn parse(self, owner: &ItemOwner) -> Result<WebhookTerms, Problem> {
        let description = self.description.as_deref().map(described).transpose()?;
        Ok(WebhookTerms { url: self.url, events: types(self.events, owner)?, description })
    }
}

impl WebhookChangeBody {
    pub(super) fn parse(self, owner: &ItemOwner) -> Result<WebhookChange, Problem> {
        let description = self.description.map(|given| match given.as_str() {
            "" => Ok(None),
            given => described(given).map(Some),
        });
        let events = self.events.map(|events| types(events, owner)).transpose()?;
        Ok(WebhookChange { url: self.url, events, description: description.transpose()? })
    }
}

/// A change of a webhook's secret.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SecretRotation {
    /// The time for which the previous secret signs too, in seconds.
    #[serde(default = "one_day")]
    #[schema(value_type = u32, minimum = 0, maximum = 604800, default = 86400)]
    pub(super) grace_seconds: GraceSeconds,
}

/// A replay of deliveries.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeliveryReplay {
    /// Only those that were made since this time, which is up to three days ago.
    #[schema(format = "date-time", max_length = 40)]
    since: String,
    /// Only those that have failed; otherwise those too that have arrived or were superseded.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub(super) failed_only: bool,
}

fn yes() -> bool {
    true
}

impl DeliveryReplay {
    /// The time since which deliveries are replayed.
    ///
    /// # Errors
    /// `invalid_request`.
    pub(super) fn since(&self) -> Result<Timestamp, Problem> {
        let wrong = || Problem::new(Code::InvalidRequest).path("since").detail("this is no time of RFC 3339");
        Timestamp::from_rfc3339(&self.since).ok_or_else(wrong)
    }
}

/// A webhook, without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Webhook)]
pub(crate) struct WebhookBody {
    /// Its id.
    #[schema(value_type = String, examples("w_0190163d8694739ea2a3c9f1e7d1a777"))]
    id: WebhookId,
    /// The URL that is sent to.
    url: String,
    /// The types that are sent.
    events: Vec<NotificationType>,
    /// The owner's words for it; null without any.
    #[schema(required)]
    description: Option<String>,
    /// The time at which it was made.
    #[schema(value_type = String, format = "date-time")]
    created_at: Moment,
    /// The reason why it was switched off; null while it is on.
    #[schema(required)]
    disabled_reason: Option<DisabledReason>,
}

impl From<Webhook> for WebhookBody {
    fn from(webhook: Webhook) -> WebhookBody {
        WebhookBody {
            id: webhook.id,
            url: webhook.url,
            events: webhook.events.into_iter().collect(),
            description: webhook.description,
            created_at: Moment(webhook.created_at),
            disabled_reason: webhook.disabled,
        }
    }
}

/// The webhooks of one owner.
#[derive(Serialize, ToSchema)]
pub(crate) struct WebhookList {
    /// The webhooks, oldest first.
    pub(super) items: Vec<WebhookBody>,
    /// Always null: the list has one page.
    #[schema(required)]
    pub(super) next_cursor: Option<String>,
}

/// The secret of a webhook, with which a receiver verifies what it gets.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookSecret)]
pub(crate) struct WebhookSecretBody {
    /// The secret, as the libraries of Standard Webhooks take it.
    #[schema(examples("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="))]
    pub(super) secret: String,
}

/// A webhook that was just made, with its secret.
#[derive(Serialize, ToSchema)]
pub(crate) struct MadeWebhook {
    /// The secret, as the libraries of Standard Webhooks take it.
    pub(super) secret: String,
    /// The webhook.
    pub(super) webhook: WebhookBody,
}

/// A delivery that was ordered.
#[derive(Serialize, ToSchema)]
pub(crate) struct OrderedDelivery {
    /// Its id, which the receiver gets as `webhook-id`.
    #[schema(value_type = String, examples("msg_00000000000000000000000001"))]
    pub(super) delivery_id: String,
}

/// The subject of a notification. A property that does not apply is left out.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct NotificationSubject {
    /// The match.
    #[schema(value_type = Option<String>, nullable = false)]
    match_id: Option<MatchId>,
    /// Its game.
    #[schema(nullable = false)]
    game: Option<String>,
    /// The version of the match that it is about: drop what is older than what you know.
    #[schema(nullable = false)]
    version: Option<u64>,
    /// The seat of the player, or the one that it is about.
    #[schema(value_type = Option<Seat>, nullable = false)]
    seat: Option<Seat>,
    /// The player who is notified.
    #[schema(value_type = Option<String>, nullable = false)]
    player_id: Option<PlayerId>,
    /// The end of the player's time for the turn.
    #[schema(nullable = false, format = "date-time")]
    deadline_at: Option<String>,
    /// The stage of the match: `open`, `playing`, `finished` or `aborted`.
    #[schema(nullable = false)]
    status: Option<String>,
    /// The result, at the end.
    #[schema(value_type = Option<Outcome>, nullable = false)]
    outcome: Option<Outcome>,
    /// The change of the player's rating.
    #[schema(nullable = false)]
    rating: Option<NotificationRating>,
    /// The address of the match, where the operator has named one.
    #[schema(nullable = false)]
    url: Option<String>,
    /// The webhook that was switched off.
    #[schema(nullable = false)]
    webhook_id: Option<String>,
    /// The session that has begun: `DELETE /v1/me/sessions/{session_id}` ends it.
    #[schema(value_type = Option<String>, nullable = false)]
    session_id: Option<SessionId>,
    /// The name that its device was given.
    #[schema(nullable = false)]
    device: Option<String>,
}

/// The change of a rating, in whole points.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct NotificationRating {
    /// The id of the board.
    #[schema(examples("contiguity.2.live"))]
    board: String,
    /// The rating before.
    before: i64,
    /// The rating after.
    after: i64,
}

/// A notification: the body that a webhook gets.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct Notification {
    /// Its type.
    r#type: NotificationType,
    /// The time of what it tells.
    #[schema(format = "date-time")]
    timestamp: String,
    /// Its subject.
    data: NotificationSubject,
}

/// A delivery of a notification to a webhook.
#[derive(Serialize, ToSchema)]
#[schema(as = Delivery)]
pub(crate) struct DeliveryBody {
    /// Its id, which the receiver gets as `webhook-id`.
    #[schema(value_type = String, examples("msg_00000000000000000000000001"))]
    id: DeliveryId,
    /// Its state.
    state: DeliveryState,
    /// The time at which it was made.
    #[schema(value_type = String, format = "date-time")]
    created_at: Moment,
    /// The number of attempts so far.
    attempts: u32,
    /// The time of the last attempt; null before the first.
    #[schema(value_type = Option<String>, required, format = "date-time")]
    attempted_at: Option<Moment>,
    /// The time of the next attempt; null if there is none.
    #[schema(value_type = Option<String>, required, format = "date-time")]
    next_at: Option<Moment>,
    /// The reason why the last attempt failed; null if it did not.
    #[schema(required)]
    error: Option<DeliveryFailure>,
    /// The status of the last answer; null if there was none.
    #[schema(required)]
    status: Option<u16>,
    /// The body that is sent.
    #[schema(value_type = Notification)]
    notification: Box<RawValue>,
}

impl DeliveryBody {
    /// The delivery as it is answered.
    pub(super) fn of(delivery: Delivery) -> Result<DeliveryBody, Problem> {
        Ok(DeliveryBody {
            id: delivery.id,
            state: delivery.state,
            created_at: Moment(delivery.created_at),
            attempts: delivery.attempts,
            attempted_at: delivery.attempted_at.map(Moment),
            next_at: delivery.next_at.map(Moment),
            error: delivery.error,
            status: delivery.status,
            notification: RawValue::from_string(delivery.body).map_err(Problem::internal)?,
        })
    }
}

/// A page of deliveries.
#[derive(Serialize, ToSchema)]
#[schema(as = DeliveryPage)]
pub(crate) struct DeliveryPageBody {
    /// The deliveries, newest first.
    items: Vec<DeliveryBody>,
    /// The cursor of the next page; null at the end.
    #[schema(required)]
    next_cursor: Option<String>,
}

impl DeliveryPageBody {
    /// The page as it is answered.
    pub(super) fn of(page: DeliveryPage) -> Result<DeliveryPageBody, Problem> {
        let items = page.items.into_iter().map(DeliveryBody::of).collect::<Result<_, _>>()?;
        Ok(DeliveryPageBody { items, next_cursor: page.next })
    }
}

/// The deliveries that are asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DeliveryQuery {
    /// Only those in this state.
    #[serde(default)]
    #[param(nullable = false)]
    pub(super) state: Option<DeliveryState>,
    /// The most deliveries on the page.
    #[serde(default)]
    #[param(value_type = u32, minimum = 1, maximum = 100, default = 50)]
    pub(super) limit: PageLimit<50, 100>,
    /// The place to continue from: the `next_cursor` of the page before.
    #[serde(default)]
    #[param(nullable = false, pattern = r"^[0-9]{13}\.msg_[0-9a-z]{26}$")]
    pub(super) cursor: Option<String>,
}

impl DeliveryQuery {
    /// Refuses what is no cursor.
    ///
    /// # Errors
    /// `invalid_parameter`.
    pub(super) fn before(&self) -> Result<Option<&str>, Problem> {
        let is_cursor = |cursor: &str| {
            cursor.split_once('.').is_some_and(|(millis, id)| {
                millis.len() == 13
                    && millis.bytes().all(|byte| byte.is_ascii_digit())
                    && id.parse::<DeliveryId>().is_ok()
            })
        };
        match self.cursor.as_deref() {
            Some(cursor) if !is_cursor(cursor) => Err(Problem::new(Code::InvalidParameter)
                .field("cursor")
                .detail("this is no cursor of a page of deliveries")),
            cursor => Ok(cursor),
        }
    }
}
