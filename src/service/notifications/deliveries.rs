//! Deliveries: ordered as jobs, and those of webhooks kept for their owners.

use std::collections::BTreeMap;

use super::delivery::{Delivery, DeliveryId, DeliveryState, DeliveryWay};
use super::service::{ATTEMPTS, NotificationRefused, Notifications, Result};
use sarsen_base::ids::WebhookId;
use sarsen_store::upgrade::Formed;
use sarsen_store::{ItemKind, ItemOwner, Replaced};

/// The most deliveries that are kept of one owner. Then new ones take the place of the oldest to the webhook that has most.
pub const DELIVERIES_KEPT: usize = 1000;

/// The most days for which a delivery is kept.
pub const DELIVERY_DAYS: u32 = 4;

/// This part of the kept deliveries is dropped at a time.
const DROPPED_PART: usize = 5;

/// About one in this many kept deliveries has expired ones dropped.
const EXPIRED_LOOKED_FOR: u8 = 50;

const KIND: ItemKind = ItemKind::Delivery;

/// A page of deliveries.
#[derive(Clone, Debug)]
pub struct DeliveryPage {
    /// The deliveries, newest first.
    pub items: Vec<Delivery>,
    /// The place where the next page begins, if there may be one.
    pub next: Option<String>,
}

/// Kept deliveries by name.
type Kept = Vec<(String, Vec<u8>)>;

/// The name under which a delivery is kept: names sort by time.
fn name(delivery: &Delivery) -> String {
    format!("{:013}.{}", delivery.created_at.0, delivery.id)
}

impl Notifications {
    /// Orders deliveries. One that waits already is ordered once.
    pub(super) async fn order(&self, deliveries: &[Delivery]) -> Result<()> {
        if deliveries.is_empty() {
            return Ok(());
        }
        let jobs = deliveries.iter().map(Delivery::job).collect::<Result<Vec<_>, _>>()?;
        self.parts.jobs.order_jobs(&jobs).await?;
        self.parts.listeners.wake();
        Ok(())
    }

    /// Keeps a delivery of a webhook after an attempt, for its owner to look at.
    pub(super) async fn keep(&self, delivery: &Delivery) -> Result<()> {
        if delivery.way != DeliveryWay::Webhook {
            return Ok(());
        }
        let (owner, name, stored) = (delivery.owner(), name(delivery), delivery.encode()?);
        let items = &self.parts.items;
        // The first attempt finds none, unless somebody has died between it and its note.
        let mut found = None;
        for _ in 0..ATTEMPTS {
            let (by, most) = (Some(stored.clone()), DELIVERIES_KEPT);
            match items.replace_item(&owner, KIND, &name, found.as_deref(), by, most).await? {
                Replaced::Done => {
                    let [chance] = self.parts.ambient.bytes();
                    if found.is_none() && chance % EXPIRED_LOOKED_FOR == 0 {
                        self.kept_of(&owner).await?;
                    }
                    return Ok(());
                }
                Replaced::Differs => found = items.item(&owner, KIND, &name).await?,
                Replaced::Full => self.drop_oldest(&owner).await?,
            }
        }
        Ok(())
    }

    /// The kept deliveries of an owner, oldest first. Drops those that have expired.
    async fn kept_of(&self, owner: &ItemOwner) -> Result<Kept> {
        let expired = format!("{:013}", self.parts.ambient.now().0 - i64::from(DELIVERY_DAYS) * 24 * 60 * 60 * 1000);
        let kept = self.parts.items.items(owner, KIND).await?;
        let (kept, expired) = kept.into_iter().partition(|(name, _)| *name > expired);
        self.drop_kept(owner, expired).await?;
        Ok(kept)
    }

    async fn drop_kept(&self, owner: &ItemOwner, dropped: Kept) -> Result<()> {
        for (name, stored) in dropped {
            self.parts.items.replace_item(owner, KIND, &name, Some(&stored), None, 0).await?;
        }
        Ok(())
    }

    /// Makes room among the kept deliveries of an owner: one webhook with many does not take that of the others.
    async fn drop_oldest(&self, owner: &ItemOwner) -> Result<()> {
        let kept = self.kept_of(owner).await?;
        if kept.len() < DELIVERIES_KEPT {
            return Ok(());
        }
        let mut by_webhook: BTreeMap<Option<String>, Kept> = BTreeMap::new();
        for (name, stored) in kept {
            let webhook = Delivery::decode(&stored).ok().map(|delivery| delivery.target);
            by_webhook.entry(webhook).or_default().push((name, stored));
        }
        let mut most = by_webhook.into_values().max_by_key(Vec::len).unwrap_or_default();
        most.truncate((most.len() / DROPPED_PART).max(1));
        self.drop_kept(owner, most).await
    }

    /// Drops the kept deliveries to a webhook that was removed.
    pub(super) async fn drop_deliveries_to(&self, owner: &ItemOwner, webhook: &WebhookId) -> Result<()> {
        let mut kept = self.kept_of(owner).await?;
        kept.retain(|(_, stored)| Delivery::decode(stored).is_ok_and(|it| it.target == webhook.as_str()));
        self.drop_kept(owner, kept).await
    }

    /// The deliveries to a webhook that are kept, newest first.
    ///
    /// # Errors
    /// [`NotificationRefused::NotFound`], or that the store is away.
    pub async fn deliveries(
        &self,
        owner: &ItemOwner,
        webhook: &WebhookId,
        state: Option<DeliveryState>,
        before: Option<&str>,
        limit: usize,
    ) -> Result<DeliveryPage> {
        self.webhook(owner, webhook).await?;
        let kept = self.kept_of(owner).await?.into_iter().rev();
        let mut page = DeliveryPage { items: Vec::new(), next: None };
        for (_, stored) in kept.filter(|(name, _)| before.is_none_or(|before| **name < *before)) {
            // What another release has written is no reason to show nothing.
            let Ok(delivery) = Delivery::decode(&stored) else { continue };
            if delivery.target == webhook.as_str() && state.is_none_or(|state| state == delivery.state) {
                if page.items.len() == limit {
                    page.next = page.items.last().map(self::name);
                    break;
                }
                page.items.push(delivery);
            }
        }
        Ok(page)
    }

    /// Sends a delivery once more, from the beginning of its schedule, under its id.
    ///
    /// # Errors
    /// [`NotificationRefused::NotFound`], [`NotificationRefused::NoSuchDelivery`], or that the store is away.
    pub async fn resend(&self, owner: &ItemOwner, webhook: &WebhookId, id: &DeliveryId) -> Result<Delivery> {
        let page = self.deliveries(owner, webhook, None, None, DELIVERIES_KEPT).await?;
        let found = page.items.into_iter().find(|delivery| delivery.id == *id);
        self.again(found.ok_or(NotificationRefused::NoSuchDelivery)?).await
    }

    /// Sends a kept delivery once more. It is kept as waiting before it is ordered: afterwards it may have arrived. Its
    /// job is a new one, since the worker that has noted the end may not have removed the old one yet.
    pub(super) async fn again(&self, mut delivery: Delivery) -> Result<Delivery> {
        let (owner, name, items) = (delivery.owner(), name(&delivery), &self.parts.items);
        for _ in 0..ATTEMPTS {
            if delivery.state == DeliveryState::Pending {
                break;
            }
            let found = delivery.encode()?;
            (delivery.attempts, delivery.state) = (0, DeliveryState::Pending);
            (delivery.resends, delivery.next_at) = (delivery.resends + 1, Some(self.parts.ambient.now()));
            // It is wanted even if the turn is over or the match is gone.
            delivery.step = None;
            let (by, most) = (Some(delivery.encode()?), DELIVERIES_KEPT);
            if items.replace_item(&owner, KIND, &name, Some(&found), by, most).await? == Replaced::Done {
                break;
            }
            // Somebody else was quicker, or has dropped it as one of the oldest: then it is kept again once it is sent.
            let Some(stored) = items.item(&owner, KIND, &name).await? else { break };
            delivery = Delivery::decode(&stored)?;
        }
        // One that waits has its job already, unless somebody has died between the two steps.
        self.order(std::slice::from_ref(&delivery)).await?;
        Ok(delivery)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures_util::future::join_all;

    use super::*;
    use crate::notifications::{WebhookTerms, silent};
    use sarsen_accounts::notifications::NotificationType;
    use sarsen_base::ambient::{Ambient, FixedClock, FixedEntropy, Timestamp};
    use sarsen_store::embedded::Embedded;
    use sarsen_store::{JobKind, Store};

    #[tokio::test]
    async fn a_busy_webhook_takes_no_place_of_others_and_what_has_expired_goes() {
        let (dir, now) = (tempfile::tempdir().unwrap(), Timestamp(1_800_000_000_000));
        let clock = Arc::new(FixedClock::at(now));
        let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(7)));
        let store: Arc<dyn Store> = Arc::new(Embedded::open(dir.path(), ambient.clone()).unwrap());
        let (notifications, owner) = (silent(&store, &ambient), ItemOwner::Service);
        let hook = async || {
            let url = "https://example.com/hook".to_owned();
            let terms = WebhookTerms { url, events: Default::default(), description: None };
            notifications.make_webhook(&owner, terms).await.unwrap().0.id
        };
        let (quiet, busy) = (hook().await, hook().await);
        let keep = async |hook: &WebhookId, number: usize| {
            let id = DeliveryId::of(&[&number.to_be_bytes()]);
            let (way, kind, at) =
                (DeliveryWay::Webhook, NotificationType::MatchEnded, Timestamp(now.0 + number as i64));
            notifications
                .keep(&Delivery::new(id, &owner, way, hook.as_str(), kind, at, "{}".to_owned()))
                .await
                .unwrap();
        };
        join_all((0..DELIVERIES_KEPT).map(|number| keep(if number < 10 { &quiet } else { &busy }, number))).await;
        keep(&busy, DELIVERIES_KEPT).await;
        let kept = async |hook| {
            let page = notifications.deliveries(&owner, hook, None, None, DELIVERIES_KEPT).await.unwrap();
            let last = page.items.last().map(|oldest| oldest.created_at.0 - now.0);
            (page.items.len(), last)
        };
        // Of 990 the oldest fifth is gone.
        assert_eq!((kept(&quiet).await, kept(&busy).await), ((10, Some(0)), (793, Some(208))));

        let stored = async || store.items(&owner, KIND).await.unwrap().len();
        clock.advance_seconds(DELIVERY_DAYS * 24 * 60 * 60 + 2);
        let days = i64::from(DELIVERY_DAYS) * 24 * 60 * 60 * 1000;
        // Somewhere among these, which are too few to take a place, the expired ones are looked for.
        join_all((0..190).map(|number| keep(&quiet, days as usize + number))).await;
        assert!((190..803).contains(&stored().await), "{}", stored().await);
        notifications.remove_webhook(&owner, &busy).await.unwrap();
        assert_eq!(kept(&quiet).await, (190, Some(days)));
        notifications.remove_webhook(&owner, &quiet).await.unwrap();
        assert_eq!(stored().await, 0);
    }

    #[tokio::test]
    async fn a_resend_between_the_note_of_an_end_and_the_end_of_its_job_is_sent() {
        let (dir, now) = (tempfile::tempdir().unwrap(), Timestamp(1_800_000_000_000));
        let ambient = Ambient::with(Arc::new(FixedClock::at(now)), Arc::new(FixedEntropy::new(7)));
        let store: Arc<dyn Store> = Arc::new(Embedded::open(dir.path(), ambient.clone()).unwrap());
        let (notifications, owner) = (silent(&store, &ambient), ItemOwner::Service);
        let url = "https://example.com/hook".to_owned();
        let terms = WebhookTerms { url, events: Default::default(), description: None };
        let (webhook, _) = notifications.make_webhook(&owner, terms).await.unwrap();
        let (id, kind) = (DeliveryId::of(&[b"one"]), NotificationType::MatchEnded);
        let way = DeliveryWay::Webhook;
        let mut sent = Delivery::new(id.clone(), &owner, way, webhook.id.as_str(), kind, now, "{}".to_owned());
        notifications.order(std::slice::from_ref(&sent)).await.unwrap();
        let waiting = async || store.due_jobs(JobKind::Deliver, 10).await.unwrap();

        for state in [DeliveryState::Delivered, DeliveryState::Failed, DeliveryState::Superseded] {
            let [mut job] = waiting().await.try_into().unwrap();
            assert!(store.lease_job(&mut job, now.plus_seconds(20), None).await.unwrap());
            sent.state = state;
            notifications.keep(&sent).await.unwrap();
            // Two ask for it at once: it is sent once.
            let resend = || notifications.resend(&owner, &webhook.id, &id);
            let (one, other) = tokio::join!(resend(), resend());
            assert_eq!((one.unwrap().state, other.unwrap().state), (DeliveryState::Pending, DeliveryState::Pending));
            assert!(store.move_job(&job, None, None).await.unwrap());
            let [again] = waiting().await.try_into().unwrap();
            sent = Delivery::decode(&again.body).unwrap();
            assert_eq!((sent.state, sent.attempts), (DeliveryState::Pending, 0), "after {state:?}");
        }
    }
}
