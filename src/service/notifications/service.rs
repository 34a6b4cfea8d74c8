//! The dependencies of the use cases of notifications.

use std::sync::Arc;

use super::subscriptions::KeyFault;
use super::vapid::VapidKey;
use crate::outbound::{Outbound, UrlFault};
use sarsen_accounts::notifications::Listeners;
use sarsen_base::ambient::Ambient;
use sarsen_base::telemetry::DeliveryCounts;
use sarsen_store::{ItemStore, JobStore, StoreError};

/// The days of which deliveries can be replayed.
pub const REPLAYED_DAYS: u32 = 3;

/// The number of times that a write starts again because others were quicker.
pub(super) const ATTEMPTS: usize = 32;

/// The reason why a use case of notifications failed.
#[derive(Debug, thiserror::Error)]
pub enum NotificationRefused {
    /// The owner has no such webhook.
    #[error("there is no such webhook")]
    NotFound,
    /// The player has no such subscription.
    #[error("there is no such push subscription")]
    NoSuchSubscription,
    /// There is no such delivery, or not any more.
    #[error("there is no such delivery")]
    NoSuchDelivery,
    /// The service does not send to this URL.
    #[error("the URL is not allowed: {0}")]
    Url(#[from] UrlFault),
    /// A key of a browser cannot be used.
    #[error("the key {name} is not possible: {fault}")]
    Key {
        /// Its name.
        name: &'static str,
        /// The rule that refuses it.
        fault: KeyFault,
    },
    /// Deliveries of this webhook are being replayed.
    #[error("deliveries of this webhook are being replayed")]
    ReplayRunning,
    /// A replay is asked for from too long ago.
    #[error("deliveries are replayed from up to {REPLAYED_DAYS} days ago")]
    TooLongAgo,
    /// The owner has as many as one may have.
    #[error("there are {0} of these, and nobody may have more")]
    Full(usize),
    /// The service has no key for Web Push.
    #[error("this service sends no push messages")]
    PushOff,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

pub(super) type Result<T, E = NotificationRefused> = std::result::Result<T, E>;

/// The parts that [`Notifications`] is made of.
pub struct NotificationsParts {
    /// The webhooks, subscriptions and deliveries.
    pub items: Arc<dyn ItemStore>,
    /// The deliveries that wait.
    pub jobs: Arc<dyn JobStore>,
    /// The client that sends.
    pub outbound: Arc<Outbound>,
    /// The owners of webhooks and subscriptions.
    pub listeners: Arc<Listeners>,
    /// The key for Web Push; `None` switches it off.
    pub vapid: Option<VapidKey>,
    /// The operator's address, for push services: `mailto:` or `https:`.
    pub vapid_subject: String,
    /// The address of a match on the adopter's pages, with `{id}`.
    pub match_url: Option<String>,
    /// The metrics of deliveries.
    pub counts: Arc<DeliveryCounts>,
    /// Clock and entropy.
    pub ambient: Ambient,
}

/// The use cases of notifications.
pub struct Notifications {
    pub(super) parts: NotificationsParts,
}

impl Notifications {
    /// The use cases with these parts.
    pub fn new(parts: NotificationsParts) -> Notifications {
        Notifications { parts }
    }

    /// The key that browsers subscribe with, in base64url; `None` without Web Push.
    pub fn public_key(&self) -> Option<String> {
        self.parts.vapid.as_ref().map(VapidKey::public_text)
    }

    /// Returns true if nobody has a webhook or a subscription.
    pub(crate) fn is_idle(&self) -> bool {
        self.parts.listeners.is_empty()
    }

    /// Waits until something is ordered on this instance.
    pub(crate) async fn woken(&self) {
        self.parts.listeners.woken().await;
    }
}

/// Notifications that go nowhere.
#[cfg(test)]
pub(crate) fn silent(store: &Arc<dyn sarsen_store::Store>, ambient: &Ambient) -> Notifications {
    Notifications::new(NotificationsParts {
        items: store.clone(),
        jobs: store.clone(),
        outbound: Arc::new(Outbound::new(crate::outbound::OutboundRules::default()).unwrap()),
        listeners: Arc::default(),
        vapid: None,
        vapid_subject: String::new(),
        match_url: None,
        counts: Arc::new(DeliveryCounts::unseen()),
        ambient: ambient.clone(),
    })
}
