//! The use cases of webhooks.

use super::delivery::{Delivery, DeliveryId, DeliveryWay};
use super::message;
use super::service::{ATTEMPTS, NotificationRefused, Notifications, Result};
use super::signature::WebhookSecret;
use super::webhook::{StoredWebhook, Webhook, WebhookChange, WebhookTerms};
use sarsen_accounts::notifications::NotificationType;
use sarsen_base::ids::WebhookId;
use sarsen_store::upgrade::Formed;
use sarsen_store::{ItemKind, ItemOwner, Replaced, StoreError};

/// The most webhooks of one player.
pub const WEBHOOKS_OF_PLAYER_MAX: usize = 5;

/// The most webhooks of the operators.
pub const WEBHOOKS_OF_OPERATORS_MAX: usize = 20;

const KIND: ItemKind = ItemKind::Webhook;

fn contended() -> NotificationRefused {
    StoreError::Unavailable("a webhook was changed by others again and again".into()).into()
}

impl Notifications {
    /// The webhooks of an owner, oldest first.
    ///
    /// # Errors
    /// If the store is away, or what it holds cannot be read.
    pub async fn webhooks(&self, owner: &ItemOwner) -> Result<Vec<Webhook>> {
        let stored = self.stored_webhooks(owner).await?;
        Ok(stored.into_iter().map(|(id, webhook)| webhook.facts(id)).collect())
    }

    pub(super) async fn stored_webhooks(&self, owner: &ItemOwner) -> Result<Vec<(WebhookId, StoredWebhook)>> {
        let items = self.parts.items.items(owner, KIND).await?.into_iter();
        let named = items.filter_map(|(name, stored)| Some((name.parse().ok()?, stored)));
        named.map(|(id, stored)| Ok((id, StoredWebhook::decode(&stored)?))).collect()
    }

    async fn found(&self, owner: &ItemOwner, id: &WebhookId) -> Result<Vec<u8>> {
        self.parts.items.item(owner, KIND, id.as_str()).await?.ok_or(NotificationRefused::NotFound)
    }

    pub(super) async fn stored_webhook(&self, owner: &ItemOwner, id: &WebhookId) -> Result<StoredWebhook> {
        Ok(StoredWebhook::decode(&self.found(owner, id).await?)?)
    }

    /// A webhook of an owner.
    ///
    /// # Errors
    /// [`NotificationRefused::NotFound`], or that the store is away.
    pub async fn webhook(&self, owner: &ItemOwner, id: &WebhookId) -> Result<Webhook> {
        Ok(self.stored_webhook(owner, id).await?.facts(id.clone()))
    }

    /// The newest secret of a webhook.
    ///
    /// # Errors
    /// [`NotificationRefused::NotFound`], or that the store is away.
    pub async fn webhook_secret(&self, owner: &ItemOwner, id: &WebhookId) -> Result<WebhookSecret> {
        let stored = self.stored_webhook(owner, id).await?;
        let newest = stored.secrets(self.parts.ambient.now()).next();
        newest.ok_or_else(|| StoreError::Corrupt("a webhook has no secret".to_owned()).into())
    }

    /// Makes a webhook.
    ///
    /// # Errors
    /// [`NotificationRefused::Url`], [`NotificationRefused::Full`], or that the store is away.
    pub async fn make_webhook(&self, owner: &ItemOwner, terms: WebhookTerms) -> Result<(Webhook, WebhookSecret)> {
        let parts = &self.parts;
        parts.outbound.check(&terms.url)?;
        let most = match owner {
            ItemOwner::Player(_) => WEBHOOKS_OF_PLAYER_MAX,
            ItemOwner::Service => WEBHOOKS_OF_OPERATORS_MAX,
        };
        let (id, stored) = (WebhookId::generate(&parts.ambient), StoredWebhook::new(terms, &parts.ambient));
        match parts.items.replace_item(owner, KIND, id.as_str(), None, Some(stored.encode()?), most).await? {
            Replaced::Done => {}
            Replaced::Full => return Err(NotificationRefused::Full(most)),
            Replaced::Differs => return Err(StoreError::Corrupt(format!("a fresh id is taken: {id}")).into()),
        }
        parts.listeners.add(parts.items.as_ref(), owner, &parts.ambient).await?;
        let secret = self.webhook_secret(owner, &id).await?;
        Ok((stored.facts(id), secret))
    }

    /// Changes a webhook by `change`, which answers whether it has changed anything.
    async fn change_stored(
        &self,
        owner: &ItemOwner,
        id: &WebhookId,
        change: impl Fn(&mut StoredWebhook) -> bool,
    ) -> Result<StoredWebhook> {
        for _ in 0..ATTEMPTS {
            let found = self.found(owner, id).await?;
            if let Some(changed) = self.change_found(owner, id, &found, &change).await? {
                return Ok(changed);
            }
        }
        Err(contended())
    }

    /// The same with a webhook as it was found; `None` if somebody else was quicker.
    async fn change_found(
        &self,
        owner: &ItemOwner,
        id: &WebhookId,
        found: &[u8],
        change: impl Fn(&mut StoredWebhook) -> bool,
    ) -> Result<Option<StoredWebhook>> {
        let mut webhook = StoredWebhook::decode(found)?;
        if !change(&mut webhook) {
            return Ok(Some(webhook));
        }
        let (written, most) = (Some(webhook.encode()?), usize::MAX);
        let replaced = self.parts.items.replace_item(owner, KIND, id.as_str(), Some(found), written, most).await?;
        Ok((replaced == Replaced::Done).then_some(webhook))
    }

    /// Changes a webhook.
    ///
    /// # Errors
    /// [`NotificationRefused::NotFound`], [`NotificationRefused::Url`], or that the store is away.
    pub async fn change_webhook(&self, owner: &ItemOwner, id: &WebhookId, change: WebhookChange) -> Result<Webhook> {
        self.found(owner, id).await?;
        if let Some(url) = &change.url {
            self.parts.outbound.check(url)?;
        }
        let changed = self.change_stored(owner, id, |webhook| {
            webhook.change(change.clone());
            true
        });
        Ok(changed.await?.facts(id.clone()))
    }

    /// Puts a new secret in front; those before sign for `grace_seconds` more.
    ///
    /// # Errors
    /// [`NotificationRefused::NotFound`], or that the store is away.
    pub async fn rotate_secret(&self, owner: &ItemOwner, id: &WebhookId, grace_seconds: u32) -> Result<WebhookSecret> {
        self.change_stored(owner, id, |webhook| {
            webhook.rotate(grace_seconds, &self.parts.ambient);
            true
        })
        .await?;
        self.webhook_secret(owner, id).await
    }

    /// Switches a webhook on again.
    ///
    /// # Errors
    /// [`NotificationRefused::NotFound`], or that the store is away.
    pub async fn enable_webhook(&self, owner: &ItemOwner, id: &WebhookId) -> Result<Webhook> {
        let enabled = self.change_stored(owner, id, |webhook| {
            webhook.enable(self.parts.ambient.now());
            true
        });
        Ok(enabled.await?.facts(id.clone()))
    }

    /// Removes a webhook, which need not be there, and what is kept of its deliveries. What is still to be sent to it is
    /// dropped.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn remove_webhook(&self, owner: &ItemOwner, id: &WebhookId) -> Result<()> {
        for _ in 0..ATTEMPTS {
            let Some(found) = self.parts.items.item(owner, KIND, id.as_str()).await? else { return Ok(()) };
            if self.parts.items.replace_item(owner, KIND, id.as_str(), Some(&found), None, 0).await? == Replaced::Done {
                return self.drop_deliveries_to(owner, id).await;
            }
        }
        Err(contended())
    }

    /// Sends a test to a webhook, regardless of the types that it takes. Returns the delivery's id.
    ///
    /// # Errors
    /// [`NotificationRefused::NotFound`], or that the store is away.
    pub async fn test_webhook(&self, owner: &ItemOwner, id: &WebhookId) -> Result<DeliveryId> {
        self.found(owner, id).await?;
        let delivery = self.test_of(owner, DeliveryWay::Webhook, id.as_str());
        let test = delivery.id.clone();
        self.order(&[delivery]).await?;
        Ok(test)
    }

    pub(super) fn test_of(&self, owner: &ItemOwner, way: DeliveryWay, target: &str) -> Delivery {
        let ambient = &self.parts.ambient;
        let body = match way {
            DeliveryWay::Webhook => message::bare(NotificationType::Test, ambient.now(), None, None),
            DeliveryWay::Push => message::push_test(),
        };
        let id = DeliveryId::of(&[&ambient.bytes::<16>()]);
        Delivery::new(id, owner, way, target, NotificationType::Test, ambient.now(), body)
    }

    /// Notes whether a delivery to a webhook arrived, and switches off one that is gone. Tells the operators of one that is
    /// switched off.
    ///
    /// # Errors
    /// [`NotificationRefused::NotFound`], or that the store is away.
    pub(super) async fn note_arrival(
        &self,
        owner: &ItemOwner,
        id: &WebhookId,
        arrived: bool,
        gone: bool,
    ) -> Result<()> {
        let now = self.parts.ambient.now();
        let noted = |webhook: &mut StoredWebhook| if arrived { webhook.succeeded() } else { webhook.failed(now, gone) };
        for _ in 0..ATTEMPTS {
            let found = self.found(owner, id).await?;
            let webhook = StoredWebhook::decode(&found)?;
            // Notify first, then switch off: if this instance dies in between, another attempt does both. Attempts that
            // fail together send the same notification.
            if !arrived && webhook.is_to_go_off(now, gone) {
                tracing::info!(webhook = %id, "a webhook is switched off");
                let player = match owner {
                    ItemOwner::Player(player) => Some(player),
                    ItemOwner::Service => None,
                };
                let off = Some((id, webhook.on_since()));
                self.tell_operators(NotificationType::WebhookDisabled, player, off).await?;
            }
            if self.change_found(owner, id, &found, noted).await?.is_some() {
                return Ok(());
            }
        }
        Err(contended())
    }
}
