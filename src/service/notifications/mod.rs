//! Notifications: webhooks, by the Standard Webhooks specification, and Web Push.
//!
//! A commit orders one job where somebody listens ([`sarsen_matches::news`]). A worker makes of it a delivery for every
//! webhook and push subscription that takes the type, and another sends the deliveries (`background::deliveries`).
//!
//! Invariants:
//! - A message is made of the news of a match, which can hold nothing hidden.
//! - A delivery is sent at least once while its schedule lasts; a receiver tells repetitions by its id.
//! - Secrets stand in no list, log or error. Of what the other side answers, the status alone is kept.

mod deliveries;
mod delivery;
mod encryption;
mod message;
mod replaying;
mod schedule;
mod sending;
mod service;
mod signature;
mod stored;
mod subscriptions;
mod vapid;
mod webhook;
mod webhooks;

pub use deliveries::{DELIVERIES_KEPT, DELIVERY_DAYS, DeliveryPage};
pub use delivery::{Delivery, DeliveryFailure, DeliveryId, DeliveryState};
pub use sarsen_store::ItemOwner;
#[cfg(test)]
pub(crate) use service::silent;
pub use service::{NotificationRefused, Notifications, NotificationsParts, REPLAYED_DAYS};
pub(crate) use stored::{is_readable_item, is_readable_job};
pub use subscriptions::{PushKeys, PushSubscription, SUBSCRIPTIONS_MAX, SubscriptionTerms};
pub use vapid::VapidKey;
pub use webhook::{DisabledReason, Webhook, WebhookChange, WebhookTerms};
pub use webhooks::{WEBHOOKS_OF_OPERATORS_MAX, WEBHOOKS_OF_PLAYER_MAX};
