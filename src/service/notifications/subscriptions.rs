//! Push subscriptions of players: where a browser takes messages, and its keys.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use super::delivery::DeliveryWay;
use super::encryption::{AUTH_BYTES, BrowserKeys, PUBLIC_KEY_BYTES};
use super::service::{NotificationRefused, Notifications, Result};
use sarsen_accounts::notifications::NotificationType;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{PlayerId, PushSubscriptionId};
use sarsen_store::upgrade::Formed;
use sarsen_store::{ItemKind, ItemOwner, Replaced, StoreError};

/// The most subscriptions of one player.
pub const SUBSCRIPTIONS_MAX: usize = 10;

const KIND: ItemKind = ItemKind::PushSubscription;

/// The rule that refuses a key, in a closed list of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KeyFault {
    /// It is not base64url.
    #[error("it is not base64url without padding")]
    Encoding,
    /// It has another length.
    #[error("it has another length")]
    Length,
    /// It is no point of P-256.
    #[error("it is no point of the curve")]
    Point,
}

impl KeyFault {
    /// Its word on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            KeyFault::Encoding => "encoding",
            KeyFault::Length => "length",
            KeyFault::Point => "point",
        }
    }
}

/// The keys of a subscription as a browser gives them.
#[derive(Clone, Serialize, Deserialize)]
pub struct PushKeys {
    /// The browser's public key.
    pub p256dh: String,
    /// The secret that it shares with the application.
    pub auth: String,
}

/// A subscription to make.
#[derive(Clone)]
pub struct SubscriptionTerms {
    /// The URL of the push service.
    pub endpoint: String,
    /// The keys of the browser.
    pub keys: PushKeys,
    /// The time at which it ends by itself, if it does.
    pub expires_at: Option<Timestamp>,
    /// The types that are sent.
    pub events: BTreeSet<NotificationType>,
}

/// A subscription as its owner sees it, without its keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PushSubscription {
    /// Its id.
    pub id: PushSubscriptionId,
    /// The URL of the push service.
    pub endpoint: String,
    /// The types that are sent.
    pub events: BTreeSet<NotificationType>,
    /// The time of its making.
    pub created_at: Timestamp,
    /// The time at which it ends by itself, if it does.
    pub expires_at: Option<Timestamp>,
}

/// A subscription as stored.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct StoredSubscription {
    #[serde(rename = "v")]
    form: u16,
    pub(super) endpoint: String,
    keys: PushKeys,
    events: Vec<String>,
    created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<Timestamp>,
}

sarsen_store::formed!(StoredSubscription, "push subscription", "v", &[]);

fn key<const N: usize>(name: &'static str, text: &str) -> Result<[u8; N]> {
    let refused = |fault| NotificationRefused::Key { name, fault };
    let bytes = URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).map_err(|_| refused(KeyFault::Encoding))?;
    bytes.try_into().map_err(|_| refused(KeyFault::Length))
}

impl PushKeys {
    /// The keys, if they can be.
    ///
    /// # Errors
    /// [`NotificationRefused::Key`].
    pub(super) fn read(&self) -> Result<BrowserKeys> {
        let public = key::<PUBLIC_KEY_BYTES>("p256dh", &self.p256dh)?;
        Ok(BrowserKeys { public, auth: key::<AUTH_BYTES>("auth", &self.auth)? })
    }
}

impl StoredSubscription {
    fn facts(&self, id: PushSubscriptionId) -> PushSubscription {
        PushSubscription {
            id,
            endpoint: self.endpoint.clone(),
            events: self.events.iter().filter_map(|name| name.parse().ok()).collect(),
            created_at: self.created_at,
            expires_at: self.expires_at,
        }
    }

    pub(super) fn takes(&self, kind: NotificationType, now: Timestamp) -> bool {
        self.expires_at.is_none_or(|expires| expires > now) && self.events.iter().any(|name| name == kind.name())
    }

    pub(super) fn keys(&self) -> Result<BrowserKeys> {
        self.keys.read()
    }
}

impl Notifications {
    /// The push subscriptions of a player, oldest first.
    ///
    /// # Errors
    /// If the store is away, or what it holds cannot be read.
    pub async fn subscriptions(&self, player: &PlayerId) -> Result<Vec<PushSubscription>> {
        let stored = self.stored_subscriptions(&ItemOwner::Player(player.clone())).await?;
        Ok(stored.into_iter().map(|(id, subscription)| subscription.facts(id)).collect())
    }

    pub(super) async fn stored_subscriptions(
        &self,
        owner: &ItemOwner,
    ) -> Result<Vec<(PushSubscriptionId, StoredSubscription)>> {
        let items = self.parts.items.items(owner, KIND).await?.into_iter();
        let named = items.filter_map(|(name, stored)| Some((name.parse().ok()?, stored)));
        named.map(|(id, stored)| Ok((id, StoredSubscription::decode(&stored)?))).collect()
    }

    pub(super) async fn stored_subscription(&self, owner: &ItemOwner, id: &str) -> Result<StoredSubscription> {
        let found = self.parts.items.item(owner, KIND, id).await?;
        let found = found.ok_or(NotificationRefused::NoSuchSubscription)?;
        Ok(StoredSubscription::decode(&found)?)
    }

    /// Makes a subscription, in the place of one of the same player at the same endpoint and of those that have ended.
    ///
    /// # Errors
    /// [`NotificationRefused::PushOff`], [`NotificationRefused::Url`], [`NotificationRefused::Key`],
    /// [`NotificationRefused::Full`], or that the store is away.
    pub async fn subscribe(&self, player: &PlayerId, terms: SubscriptionTerms) -> Result<PushSubscription> {
        let parts = &self.parts;
        if parts.vapid.is_none() {
            return Err(NotificationRefused::PushOff);
        }
        parts.outbound.check(&terms.endpoint)?;
        if !terms.keys.read()?.is_on_curve() {
            return Err(NotificationRefused::Key { name: "p256dh", fault: KeyFault::Point });
        }
        let (now, owner) = (parts.ambient.now(), ItemOwner::Player(player.clone()));
        for (id, old) in self.stored_subscriptions(&owner).await? {
            if old.endpoint == terms.endpoint || old.expires_at.is_some_and(|expires| expires <= now) {
                self.remove_subscription(&owner, id.as_str()).await?;
            }
        }
        let SubscriptionTerms { endpoint, keys, expires_at, events } = terms;
        let events = events.iter().map(|kind| kind.name().to_owned()).collect();
        let form = StoredSubscription::FORMS.present();
        let stored = StoredSubscription { form, endpoint, keys, events, created_at: now, expires_at };
        let id = PushSubscriptionId::generate(&parts.ambient);
        let written = Some(stored.encode()?);
        match parts.items.replace_item(&owner, KIND, id.as_str(), None, written, SUBSCRIPTIONS_MAX).await? {
            Replaced::Done => {}
            Replaced::Full => return Err(NotificationRefused::Full(SUBSCRIPTIONS_MAX)),
            Replaced::Differs => return Err(StoreError::Corrupt(format!("a fresh id is taken: {id}")).into()),
        }
        parts.listeners.add(parts.items.as_ref(), &owner, &parts.ambient).await?;
        Ok(stored.facts(id))
    }

    /// Removes a subscription of a player, which need not be there.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn unsubscribe(&self, player: &PlayerId, id: &PushSubscriptionId) -> Result<()> {
        self.remove_subscription(&ItemOwner::Player(player.clone()), id.as_str()).await
    }

    pub(super) async fn remove_subscription(&self, owner: &ItemOwner, id: &str) -> Result<()> {
        if let Some(found) = self.parts.items.item(owner, KIND, id).await? {
            self.parts.items.replace_item(owner, KIND, id, Some(&found), None, 0).await?;
        }
        Ok(())
    }

    /// Sends a test to a subscription.
    ///
    /// # Errors
    /// [`NotificationRefused::NoSuchSubscription`], or that the store is away.
    pub async fn test_subscription(&self, player: &PlayerId, id: &PushSubscriptionId) -> Result<()> {
        let owner = ItemOwner::Player(player.clone());
        self.stored_subscription(&owner, id.as_str()).await?;
        self.order(&[self.test_of(&owner, DeliveryWay::Push, id.as_str())]).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_1_is_read_and_written_alike() {
        let form_1 = r#"{"v":1,"endpoint":"https://push.example/1","keys":{"p256dh":"BA","auth":"AA"},"events":["match.turn_started"],"created_at":1,"expires_at":9}"#;
        let read = StoredSubscription::decode(form_1.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(read.encode().unwrap()).unwrap(), form_1);
        assert!(read.takes(NotificationType::TurnStarted, Timestamp(8)));
        assert!(!read.takes(NotificationType::TurnStarted, Timestamp(9)), "it has ended");
        assert!(!read.takes(NotificationType::MatchEnded, Timestamp(8)));
    }

    #[test]
    fn a_key_that_cannot_be_says_why() {
        let fault = |p256dh: &str, auth: &str| {
            let keys = PushKeys { p256dh: p256dh.to_owned(), auth: auth.to_owned() };
            match keys.read().err() {
                Some(NotificationRefused::Key { name, fault }) => Some((name, fault.word())),
                _ => None,
            }
        };
        let public = URL_SAFE_NO_PAD.encode([4; PUBLIC_KEY_BYTES]);
        assert_eq!(fault("*", "AA"), Some(("p256dh", "encoding")));
        assert_eq!(fault("AAAA", "AA"), Some(("p256dh", "length")));
        assert_eq!(fault(&public, "AAAA"), Some(("auth", "length")));
        assert_eq!(fault(&public, "AAAAAAAAAAAAAAAAAAAAAA=="), None);
    }
}
