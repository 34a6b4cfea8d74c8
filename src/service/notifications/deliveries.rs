//! Deliveries: ordered as jobs, and those of webhooks kept for their owners.

use super::delivery::{Delivery, DeliveryId, DeliveryState, DeliveryWay};
use super::service::{ATTEMPTS, NotificationRefused, Notifications, Result};
use sarsen_base::ids::WebhookId;
use sarsen_store::{ItemKind, ItemOwner, Replaced};

/// The most deliveries that are kept of one owner. Then a new one takes the place of the oldest.
pub const DELIVERIES_KEPT: usize = 1000;

/// For so long a delivery is kept at most, in seconds: four days.
const KEPT_SECONDS: u32 = 4 * 24 * 60 * 60;

/// This part of the kept deliveries is dropped at a time.
const DROPPED_PART: usize = 5;

const KIND: ItemKind = ItemKind::Delivery;

/// A page of deliveries.
#[derive(Clone, Debug)]
pub struct DeliveryPage {
    /// The deliveries, newest first.
    pub items: Vec<Delivery>,
    /// The place where the next page begins, if there may be one.
    pub next: Option<String>,
}

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
                Replaced::Done => return Ok(()),
                Replaced::Differs => found = items.item(&owner, KIND, &name).await?,
                Replaced::Full => self.drop_oldest(&owner).await?,
            }
        }
        Ok(())
    }

    async fn drop_oldest(&self, owner: &ItemOwner) -> Result<()> {
        let kept = self.parts.items.items(owner, KIND).await?;
        let expired = format!("{:013}", self.parts.ambient.now().0 - i64::from(KEPT_SECONDS) * 1000);
        for (index, (name, stored)) in kept.iter().enumerate() {
            if index >= kept.len() / DROPPED_PART && *name > expired {
                break;
            }
            self.parts.items.replace_item(owner, KIND, name, Some(stored), None, 0).await?;
        }
        Ok(())
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
        let expired = format!("{:013}", self.parts.ambient.now().0 - i64::from(KEPT_SECONDS) * 1000);
        let kept = self.parts.items.items(owner, KIND).await?.into_iter().rev();
        let mut page = DeliveryPage { items: Vec::new(), next: None };
        for (_, stored) in kept.filter(|(name, _)| *name > expired && before.is_none_or(|before| **name < *before)) {
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
            // It is wanted, whatever has become of the turn.
            delivery.turn = None;
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

    use super::*;
    use crate::notifications::{WebhookTerms, silent};
    use sarsen_accounts::notifications::NotificationType;
    use sarsen_base::ambient::{Ambient, FixedClock, FixedEntropy, Timestamp};
    use sarsen_store::embedded::Embedded;
    use sarsen_store::{JobKind, Store};

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
