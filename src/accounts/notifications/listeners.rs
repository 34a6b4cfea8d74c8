//! The owners of webhooks and push subscriptions: items of the service, read by every instance.
//!
//! An owner is written before the revision changes, and a reader reads the revision first. So a reader that knows a
//! revision knows every owner that was written before it.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::since::StoredSince;
use sarsen_base::ambient::Ambient;
use sarsen_base::ids::PlayerId;
use sarsen_store::{ItemKind, ItemOwner, ItemStore, StoreError};

/// The pause between two looks at the revision.
const PERIOD: Duration = Duration::from_secs(5);

/// Everything is read on each look of this number: a failover may have taken the store back.
const WHOLE_EVERY: u32 = 12;

/// The time limit for one look.
const DEADLINE: Duration = Duration::from_secs(2);

/// The name of the item that changes with every change of the others.
const REVISION: &str = "revision";

/// The name of the operators among the owners.
const OPERATORS: &str = "service";

#[derive(Default)]
struct Known {
    revision: Option<Vec<u8>>,
    operators: bool,
    players: HashSet<PlayerId>,
}

/// The owners of webhooks and push subscriptions, as this instance knows them.
#[derive(Default)]
pub struct Listeners {
    any: AtomicBool,
    ordered: Notify,
    known: RwLock<Known>,
}

fn name(owner: &ItemOwner) -> &str {
    match owner {
        ItemOwner::Player(player) => player.as_str(),
        ItemOwner::Service => OPERATORS,
    }
}

impl Listeners {
    /// Returns true if nobody listens at all.
    pub fn is_empty(&self) -> bool {
        !self.any.load(Ordering::Acquire)
    }

    /// Returns those of these players who listen; all of them where the operators do.
    pub fn among(&self, players: impl Iterator<Item = PlayerId>) -> Vec<PlayerId> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        players.filter(|player| known.operators || known.players.contains(player)).collect()
    }

    /// Returns true if this instance knows of this owner.
    pub fn knows(&self, owner: &ItemOwner) -> bool {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        match owner {
            ItemOwner::Player(player) => known.players.contains(player),
            ItemOwner::Service => known.operators,
        }
    }

    /// Wakes this instance's workers: something was ordered.
    pub fn wake(&self) {
        self.ordered.notify_one();
    }

    /// Waits until something is ordered on this instance.
    pub async fn woken(&self) {
        self.ordered.notified().await;
    }

    fn change(&self, change: impl FnOnce(&mut Known)) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        change(&mut known);
        self.any.store(known.operators || !known.players.is_empty(), Ordering::Release);
    }

    /// Writes that an owner listens, for every instance. This one knows it at once.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn add(&self, items: &dyn ItemStore, owner: &ItemOwner, ambient: &Ambient) -> Result<(), StoreError> {
        let since = StoredSince::encode(ambient.now())?;
        let (service, kind) = (ItemOwner::Service, ItemKind::Listener);
        // An owner who is there already may not be known elsewhere yet, so the revision changes too.
        items.replace_item(&service, kind, name(owner), None, Some(since), usize::MAX).await?;
        revise(items, ambient).await?;
        self.change(|known| match owner {
            ItemOwner::Player(player) => drop(known.players.insert(player.clone())),
            ItemOwner::Service => known.operators = true,
        });
        Ok(())
    }

    /// Forgets an owner who has nothing any more.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn remove(&self, items: &dyn ItemStore, owner: &ItemOwner, ambient: &Ambient) -> Result<(), StoreError> {
        let (service, kind) = (ItemOwner::Service, ItemKind::Listener);
        if let Some(found) = items.item(&service, kind, name(owner)).await? {
            items.replace_item(&service, kind, name(owner), Some(&found), None, usize::MAX).await?;
            revise(items, ambient).await?;
        }
        self.change(|known| match owner {
            ItemOwner::Player(player) => drop(known.players.remove(player)),
            ItemOwner::Service => known.operators = false,
        });
        Ok(())
    }

    /// Reads the owners, if the revision is another than the known one or `whole` asks for it.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn read(&self, items: &dyn ItemStore, whole: bool) -> Result<(), StoreError> {
        let revision = items.item(&ItemOwner::Service, ItemKind::Listener, REVISION).await?;
        if !whole && self.known.read().unwrap_or_else(PoisonError::into_inner).revision == revision {
            return Ok(());
        }
        let all = items.items(&ItemOwner::Service, ItemKind::Listener).await?;
        self.change(|known| {
            known.revision = revision;
            known.operators = all.iter().any(|(name, _)| name == OPERATORS);
            known.players = all.iter().filter_map(|(name, _)| name.parse().ok()).collect();
        });
        Ok(())
    }
}

/// Changes the revision. Where another has just changed it, that is enough: it did so after what was written here.
async fn revise(items: &dyn ItemStore, ambient: &Ambient) -> Result<(), StoreError> {
    let (service, kind) = (ItemOwner::Service, ItemKind::Listener);
    let found = items.item(&service, kind, REVISION).await?;
    let another = format!(r#"{{"v":1,"revision":"{:016x}"}}"#, u64::from_be_bytes(ambient.bytes()));
    items.replace_item(&service, kind, REVISION, found.as_deref(), Some(another.into_bytes()), usize::MAX).await?;
    Ok(())
}

/// Keeps `listeners` in step with the store until cancelled.
pub async fn run(items: Arc<dyn ItemStore>, listeners: Arc<Listeners>, cancel: CancellationToken) {
    let reading = async {
        for look in 1_u32.. {
            sleep(PERIOD).await;
            match timeout(DEADLINE, listeners.read(items.as_ref(), look % WHOLE_EVERY == 0)).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::debug!(%error, "the owners of webhooks cannot be read"),
                Err(_late) => tracing::debug!("the owners of webhooks were not read in time"),
            }
        }
    };
    cancel.run_until_cancelled(reading).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use sarsen_store::Store;
    use sarsen_store::embedded::Embedded;

    #[tokio::test]
    async fn what_one_instance_writes_another_reads() {
        let dir = tempfile::tempdir().unwrap();
        let ambient = Ambient::system();
        let store = Embedded::open(dir.path(), ambient.clone()).unwrap();
        let (here, there) = (Listeners::default(), Listeners::default());
        let [ada, ben] = [1, 2].map(PlayerId::from_number);
        let both = || [ada.clone(), ben.clone()].into_iter();
        there.read(&store, false).await.unwrap();
        assert!(here.is_empty() && there.is_empty());

        here.add(&store, &ItemOwner::Player(ada.clone()), &ambient).await.unwrap();
        assert_eq!((here.among(both()), there.is_empty()), (vec![ada.clone()], true));
        there.read(&store, false).await.unwrap();
        assert_eq!((there.among(both()), there.knows(&ItemOwner::Service)), (vec![ada.clone()], false));

        there.add(&store, &ItemOwner::Service, &ambient).await.unwrap();
        here.read(&store, false).await.unwrap();
        assert_eq!((here.among(both()), here.knows(&ItemOwner::Service)), (vec![ada.clone(), ben.clone()], true));

        here.remove(&store, &ItemOwner::Service, &ambient).await.unwrap();
        here.remove(&store, &ItemOwner::Player(ada.clone()), &ambient).await.unwrap();
        there.read(&store, false).await.unwrap();
        assert!(here.is_empty() && there.is_empty());
        store.close().await;
    }
}
