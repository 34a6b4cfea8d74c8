//! `/v1/push` and `/v1/me/push-subscriptions`: Web Push.

use actix_web::{HttpResponse, delete, get, post};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::bodies::types;
use crate::answer::codes::Code;
use crate::answer::moment::Moment;
use crate::answer::problem::Problem;
use crate::extract::body::JsonBody;
use crate::extract::caller::{Caller, Writer};
use crate::extract::params::Path;
use crate::service::Shared;
use sarsen_accounts::notifications::NotificationType;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PushSubscriptionId;
use sarsen_service::notifications::{ItemOwner, PushKeys, PushSubscription, SubscriptionTerms};

/// Web Push of this service.
#[derive(Serialize, ToSchema)]
pub(crate) struct PushInfo {
    /// The `applicationServerKey` with which a page subscribes, in base64url; null where the operator has set up no Web
    /// Push.
    #[schema(
        required,
        examples("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8")
    )]
    public_key: Option<String>,
}

/// The keys of a browser, in base64url. One that cannot be used is 400 `invalid_request` with the rule as `reason`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PushSubscriptionKeys {
    /// The browser's public key: 65 bytes.
    #[schema(max_length = 100)]
    p256dh: String,
    /// The secret that the browser shares with the application: 16 bytes.
    #[schema(max_length = 30)]
    auth: String,
}

/// The last moment that can be told: the end of the year 9999, in milliseconds since 1970.
const EXPIRATION_MAX: i64 = 253_402_300_799_999;

/// The end of a subscription, as a browser says it.
fn end(millis: i64) -> Result<Timestamp, Problem> {
    let wrong =
        || Problem::new(Code::InvalidRequest).path("expirationTime").detail("this is no time from 1970 to 9999");
    (0..=EXPIRATION_MAX).contains(&millis).then_some(Timestamp(millis)).ok_or_else(wrong)
}

/// A subscription as a browser's `subscription.toJSON()` gives it, with the types that are to be sent.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PushSubscriptionTerms {
    /// The URL of the push service.
    #[schema(max_length = 2048, examples("https://push.example/send/abc"))]
    endpoint: String,
    /// The time at which the subscription ends by itself, in milliseconds since 1970; null if it does not.
    #[serde(rename = "expirationTime", default)]
    #[schema(minimum = 0, maximum = 253402300799999i64)]
    expiration_time: Option<i64>,
    /// The keys of the browser.
    keys: PushSubscriptionKeys,
    /// The types that are sent.
    #[schema(min_items = 1, max_items = 50)]
    events: Vec<NotificationType>,
}

/// A push subscription, without its keys.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PushSubscription)]
pub(crate) struct PushSubscriptionBody {
    /// Its id.
    #[schema(value_type = String, examples("u_0190163d8694739ea2a3c9f1e7d1a888"))]
    id: PushSubscriptionId,
    /// The URL of the push service.
    endpoint: String,
    /// The types that are sent.
    events: Vec<NotificationType>,
    /// The time at which it was made.
    #[schema(value_type = String, format = "date-time")]
    created_at: Moment,
    /// The time at which it ends by itself; null if it does not.
    #[schema(value_type = Option<String>, required, format = "date-time")]
    expires_at: Option<Moment>,
}

impl From<PushSubscription> for PushSubscriptionBody {
    fn from(subscription: PushSubscription) -> PushSubscriptionBody {
        PushSubscriptionBody {
            id: subscription.id,
            endpoint: subscription.endpoint,
            events: subscription.events.into_iter().collect(),
            created_at: Moment(subscription.created_at),
            expires_at: subscription.expires_at.map(Moment),
        }
    }
}

/// The push subscriptions of the caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct PushSubscriptionList {
    /// The subscriptions, oldest first.
    items: Vec<PushSubscriptionBody>,
    /// Always null: the list has one page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Read how to subscribe to push messages
///
/// The key with which a page subscribes at its browser: `pushManager.subscribe({applicationServerKey, userVisibleOnly: true})`.
#[utoipa::path(
    operation_id = "getPush",
    tag = "notifications",
    security(()),
    extensions(("x-problems" = json!([]))),
    responses((status = 200, description = "The key.", body = PushInfo))
)]
#[get("/v1/push")]
pub(crate) async fn get_push(service: Shared) -> HttpResponse {
    HttpResponse::Ok().json(PushInfo { public_key: service.notifications.public_key() })
}

/// List my push subscriptions
///
/// Without their keys.
#[utoipa::path(
    operation_id = "listPushSubscriptions",
    tag = "notifications",
    extensions(("x-problems" = json!([]))),
    responses((status = 200, description = "The subscriptions.", body = PushSubscriptionList)),
    security(("bearer" = ["notify"]))
)]
#[get("/v1/me/push-subscriptions")]
pub(crate) async fn list_push_subscriptions(service: Shared, Caller(caller): Caller) -> Result<HttpResponse, Problem> {
    let subscriptions = service.notifications.subscriptions(&caller.player).await?;
    let items = subscriptions.into_iter().map(PushSubscriptionBody::from).collect();
    Ok(HttpResponse::Ok().json(PushSubscriptionList { items, next_cursor: None }))
}

/// Subscribe to push messages
///
/// Send what the browser's `subscription.toJSON()` gives, with the types that are to be sent. The messages are encrypted for
/// the browser (RFC 8291), in the form of declarative Web Push. A subscription takes the place of the caller's at the same
/// endpoint; it goes when the push service does not know it any more. An `Idempotency-Key` is ignored: twice does what
/// once does.
#[utoipa::path(
    operation_id = "createPushSubscription",
    tag = "notifications",
    request_body = PushSubscriptionTerms,
    extensions(("x-problems" = json!([Code::NotFound, Code::UrlNotAllowed, Code::LimitReached]))),
    responses((status = 201, description = "The subscription.", body = PushSubscriptionBody)),
    security(("bearer" = ["notify"]))
)]
#[post("/v1/me/push-subscriptions")]
pub(crate) async fn create_push_subscription(
    service: Shared,
    Writer(caller): Writer,
    JsonBody(terms): JsonBody<PushSubscriptionTerms>,
) -> Result<HttpResponse, Problem> {
    let PushSubscriptionTerms { endpoint, expiration_time, keys, events } = terms;
    let terms = SubscriptionTerms {
        endpoint,
        keys: PushKeys { p256dh: keys.p256dh, auth: keys.auth },
        expires_at: expiration_time.map(end).transpose()?,
        events: types(events, &ItemOwner::Player(caller.player.clone()))?,
    };
    let subscription = service.notifications.subscribe(&caller.player, terms).await?;
    Ok(HttpResponse::Created().json(PushSubscriptionBody::from(subscription)))
}

/// Delete a push subscription
///
/// Pending deliveries to it are dropped.
#[utoipa::path(
    operation_id = "deletePushSubscription",
    tag = "notifications",
    params(Path::<PushSubscriptionId>),
    extensions(("x-problems" = json!([Code::NotFound]))),
    responses((status = 204, description = "The subscription is gone, or there was none.")),
    security(("bearer" = ["notify"]))
)]
#[delete("/v1/me/push-subscriptions/{subscription_id}")]
pub(crate) async fn delete_push_subscription(
    service: Shared,
    Writer(caller): Writer,
    Path(id): Path<PushSubscriptionId>,
) -> Result<HttpResponse, Problem> {
    service.notifications.unsubscribe(&caller.player, &id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Test a push subscription
///
/// Sends a message to the browser. An `Idempotency-Key` is ignored: each test is one of its own.
#[utoipa::path(
    operation_id = "testPushSubscription",
    tag = "notifications",
    params(Path::<PushSubscriptionId>),
    extensions(("x-problems" = json!([Code::NotFound]))),
    responses((status = 202, description = "It is on its way.")),
    security(("bearer" = ["notify"]))
)]
#[post("/v1/me/push-subscriptions/{subscription_id}/test")]
pub(crate) async fn test_push_subscription(
    service: Shared,
    Writer(caller): Writer,
    Path(id): Path<PushSubscriptionId>,
) -> Result<HttpResponse, Problem> {
    service.notifications.test_subscription(&caller.player, &id).await?;
    Ok(HttpResponse::Accepted().finish())
}
