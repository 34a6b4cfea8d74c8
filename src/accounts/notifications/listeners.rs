//! The owners of webhooks and push subscriptions: items of the service, read by every instance.
//!
//! A live message names an owner who has changed, and every instance reads that one at once. Messages may be lost, so
//! an instance looks at the revision every [`PERIOD`] besides.
//!
//! An owner is written before the revision changes, and a reader reads the revision first. So a reader that knows a
//! revision knows every owner that was written before it.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Notify, broadcast};
use tokio::time::{Instant, sleep_until, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::since::StoredSince;
use sarsen_base::ambient::Ambient;
use sarsen_base::ids::PlayerId;
use sarsen_store::{ItemKind, ItemOwner, ItemStore, Live, StoreError};

/// The pause between two looks at the revision.
const PERIOD: Duration = Duration::from_secs(30);

/// Everything is read on each look of this number: a failover may have taken the store back.
const WHOLE_EVERY: u32 = 2;

/// The pause from a look that failed to the next.
const RETRY: Duration = Duration::from_secs(1);

/// The time limit for one look.
const DEADLINE: Duration = Duration::from_secs(2);

/// The name of the item that changes with every change of the others.
const REVISION: &str = "revision";

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

    fn note(&self, owner: &ItemOwner, listens: bool) {
        self.change(|known| match owner {
            ItemOwner::Player(player) if listens => drop(known.players.insert(player.clone())),
            ItemOwner::Player(player) => drop(known.players.remove(player)),
            ItemOwner::Service => known.operators = listens,
        });
    }

    /// Writes that an owner listens, for every instance. This one knows it at once.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn add(&self, items: &dyn ItemStore, owner: &ItemOwner, ambient: &Ambient) -> Result<(), StoreError> {
        let since = StoredSince::encode(ambient.now())?;
        let (service, kind) = (ItemOwner::Service, ItemKind::Listener);
        // An owner who is there already may not be known elsewhere yet, so the revision changes too.
        items.replace_item(&service, kind, owner.as_str(), None, Some(since), usize::MAX).await?;
        revise(items, ambient).await?;
        self.note(owner, true);
        Ok(())
    }

    /// Forgets an owner who has nothing any more.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn remove(&self, items: &dyn ItemStore, owner: &ItemOwner, ambient: &Ambient) -> Result<(), StoreError> {
        let (service, kind) = (ItemOwner::Service, ItemKind::Listener);
        if let Some(found) = items.item(&service, kind, owner.as_str()).await? {
            items.replace_item(&service, kind, owner.as_str(), Some(&found), None, usize::MAX).await?;
            revise(items, ambient).await?;
        }
        self.note(owner, false);
        Ok(())
    }

    /// Reads one owner.
    async fn read_one(&self, items: &dyn ItemStore, owner: &ItemOwner) -> Result<(), StoreError> {
        let found = items.item(&ItemOwner::Service, ItemKind::Listener, owner.as_str()).await?;
        self.note(owner, found.is_some());
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
            known.operators = all.iter().any(|(name, _)| name == ItemOwner::Service.as_str());
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

/// Keeps `listeners` in step with the store until cancelled. `live` brings at least the store's messages on listeners.
pub async fn run(
    items: Arc<dyn ItemStore>,
    live: broadcast::Receiver<Live>,
    listeners: Arc<Listeners>,
    cancel: CancellationToken,
) {
    cancel.run_until_cancelled(feed(items.as_ref(), live, &listeners, PERIOD)).await;
}

async fn feed(items: &dyn ItemStore, mut live: broadcast::Receiver<Live>, listeners: &Listeners, period: Duration) {
    let (mut pause, mut whole) = (period, false);
    for look in 1_u32.. {
        let next = Instant::now() + pause;
        while let Ok(heard) = timeout_at(next, live.recv()).await {
            let missed = match heard {
                Ok(Live::Listener(owner)) => !is_read(listeners.read_one(items, &owner)).await,
                Ok(Live::Resync) | Err(RecvError::Lagged(_)) => true,
                Ok(_) => false,
                Err(RecvError::Closed) => {
                    sleep_until(next).await;
                    break;
                }
            };
            if missed {
                whole = true;
                break;
            }
        }
        whole |= look % WHOLE_EVERY == 0;
        let done = is_read(listeners.read(items, whole)).await;
        (pause, whole) = if done { (period, false) } else { (RETRY.min(period), whole) };
    }
}

/// Returns true if the owners were read in time.
async fn is_read(reading: impl Future<Output = Result<(), StoreError>>) -> bool {
    match timeout(DEADLINE, reading).await {
        Ok(Ok(())) => return true,
        Ok(Err(error)) => tracing::debug!(%error, "the owners of webhooks cannot be read"),
        Err(_late) => tracing::debug!("the owners of webhooks were not read in time"),
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use sarsen_store::Store;
    use sarsen_store::embedded::Embedded;
    use tempfile::TempDir;

    /// No look comes by itself.
    const NEVER: Duration = Duration::from_secs(3600);

    fn opened() -> (TempDir, Ambient, Embedded) {
        let (dir, ambient) = (tempfile::tempdir().unwrap(), Ambient::system());
        let store = Embedded::open(dir.path(), ambient.clone()).unwrap();
        (dir, ambient, store)
    }

    /// Feeds `there` until `changes` are over.
    async fn fed(
        (store, live, there, period): (&Embedded, broadcast::Receiver<Live>, &Listeners, Duration),
        changes: impl Future<Output = ()>,
    ) {
        tokio::select! {
            () = feed(store, live, there, period) => unreachable!("it goes on"),
            () = changes => {}
        }
    }

    /// Waits until it is known whether this owner listens.
    async fn known(there: &Listeners, owner: &ItemOwner, listens: bool) {
        let learning = async {
            while there.knows(owner) != listens {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(10), learning).await.expect("it is never known");
    }

    #[tokio::test]
    async fn a_message_makes_an_owner_known_and_forgotten() {
        let (_dir, ambient, store) = opened();
        let (here, there) = (Listeners::default(), Listeners::default());
        let changes = async {
            for owner in [ItemOwner::Player(PlayerId::from_number(1)), ItemOwner::Service] {
                here.add(&store, &owner, &ambient).await.unwrap();
                known(&there, &owner, true).await;
                here.remove(&store, &owner, &ambient).await.unwrap();
                known(&there, &owner, false).await;
            }
        };
        fed((&store, store.live(), &there, NEVER), changes).await;
        assert!(there.is_empty());
        store.close().await;
    }

    #[tokio::test]
    async fn everything_is_read_where_messages_may_have_been_lost() {
        let (_dir, _, store) = opened();
        let (there, owner, service) = (Listeners::default(), ItemOwner::Service, ItemOwner::Service);
        let (live, heard) = broadcast::channel(8);
        let changes = async {
            // The revision says nothing of it.
            let (name, by) = (owner.as_str(), Some(b"{}".to_vec()));
            store.replace_item(&service, ItemKind::Listener, name, None, by, usize::MAX).await.unwrap();
            live.send(Live::Resync).unwrap();
            known(&there, &owner, true).await;
        };
        fed((&store, heard, &there, NEVER), changes).await;
        store.close().await;
    }

    #[tokio::test]
    async fn owners_are_known_though_nobody_tells() {
        let (_dir, ambient, store) = opened();
        let (here, there, owner) = (Listeners::default(), Listeners::default(), ItemOwner::Service);
        let changes = async {
            here.add(&store, &owner, &ambient).await.unwrap();
            known(&there, &owner, true).await;
        };
        let nobody = broadcast::channel(1).1;
        fed((&store, nobody, &there, Duration::from_millis(5)), changes).await;
        store.close().await;
    }

    #[tokio::test]
    async fn what_one_instance_writes_another_reads() {
        let (_dir, ambient, store) = opened();
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
