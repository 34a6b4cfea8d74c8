//! Values of which each runtime has its own: made on that runtime, and dropped with it.
//!
//! A connection's driver wakes the task that waits for its answer. On another thread that takes the kernel twice a
//! trip, so the workers have connections of their own beside the shared one: a request then takes 0.80 (Contiguity) and
//! 0.76 (Thief) of the server's CPU (`-- compare`, two cores, 16 connections, 8 pairs).
//!
//! Invariants: no caller waits for its runtime's own value; where it is missing the shared one serves. A runtime has one
//! at most, and at most [`MOST`] runtimes have one. The task that made a value runs on its runtime, and the end of either
//! drops the value.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak};

use tokio::runtime::{Handle, Id};

/// The maximum number of runtimes with a value of their own; the others share.
const MOST: usize = 128;

type Kept<T> = HashMap<Id, Option<T>>;

/// The values of the runtimes.
pub(crate) struct Runtimes<T> {
    /// The runtime of the shared value, which needs no own.
    home: Option<Id>,
    kept: RwLock<Kept<T>>,
}

/// The place of one runtime's own value, which is dropped with it.
pub(crate) struct Place<T> {
    of: Weak<Runtimes<T>>,
    id: Id,
}

/// Returns the id of the present runtime.
pub(crate) fn here() -> Option<Id> {
    Handle::try_current().ok().map(|runtime| runtime.id())
}

impl<T: Clone + Send + Sync + 'static> Runtimes<T> {
    /// Makes an empty set. The present runtime is the one of the shared value.
    pub(crate) fn new() -> Arc<Runtimes<T>> {
        Arc::new(Runtimes { home: here(), kept: RwLock::default() })
    }

    /// Returns this runtime's own value, if there is one.
    pub(crate) fn own(&self) -> Option<T> {
        here().and_then(|id| self.read().get(&id).cloned().flatten())
    }

    /// The same. The first call on a runtime spawns `keep` there, which makes the value.
    pub(crate) fn own_or_begin<F>(self: &Arc<Self>, keep: impl FnOnce(Place<T>) -> F) -> Option<T>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let id = here().filter(|id| Some(*id) != self.home)?;
        if let Some(own) = self.read().get(&id) {
            return own.clone();
        }
        {
            let mut kept = self.write();
            if kept.len() >= MOST || kept.contains_key(&id) {
                return None;
            }
            kept.insert(id, None);
        }
        // A runtime that is ending drops the task at once, and the place with it.
        tokio::spawn(keep(Place { of: Arc::downgrade(self), id }));
        None
    }

    fn read(&self) -> RwLockReadGuard<'_, Kept<T>> {
        self.kept.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Runtimes<T> {
    fn write(&self) -> RwLockWriteGuard<'_, Kept<T>> {
        self.kept.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Place<T> {
    /// Sets this runtime's own value, or removes it for now.
    pub(crate) fn put(&self, own: Option<T>) {
        // The earlier value is dropped after the lock is released.
        let before = self.of.upgrade().and_then(|all| all.write().insert(self.id, own));
        drop(before);
    }
}

impl<T> Drop for Place<T> {
    fn drop(&mut self) {
        let before = self.of.upgrade().and_then(|all| all.write().remove(&self.id));
        drop(before);
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::thread;

    use tokio::runtime::Builder;

    use super::*;

    /// Asks twice for the value that a runtime of its own has, and returns both answers; the runtime then ends.
    fn asked_on_another(all: &Arc<Runtimes<u8>>) -> [Option<u8>; 2] {
        let all = Arc::clone(all);
        let asking = thread::spawn(move || {
            let runtime = Builder::new_current_thread().build().unwrap();
            runtime.block_on(async {
                let keep = |place: Place<u8>| async move {
                    place.put(Some(7));
                    pending().await
                };
                let first = all.own_or_begin(keep);
                tokio::task::yield_now().await;
                assert_eq!(all.read().len(), 1);
                [first, all.own_or_begin(keep)]
            })
        });
        asking.join().unwrap()
    }

    #[tokio::test]
    async fn each_runtime_has_its_own_for_as_long_as_it_lives() {
        let all = Runtimes::new();
        for _ in 0..2 {
            assert_eq!(asked_on_another(&all), [None, Some(7)]);
            assert_eq!(all.read().len(), 0, "it went with the runtime");
        }
        assert_eq!(all.own_or_begin(|_| pending()), None);
        assert_eq!(all.read().len(), 0, "where the shared one lives there is no other");
    }

    #[tokio::test]
    async fn what_has_ended_is_begun_again() {
        let all = Arc::new(Runtimes { home: None, kept: RwLock::default() });
        for _ in 0..2 {
            let keep = |place: Place<u8>| async move { place.put(Some(7)) };
            assert_eq!(all.own_or_begin(keep), None);
            assert_eq!(all.own(), None);
            tokio::task::yield_now().await;
            assert_eq!(all.read().len(), 0);
        }
    }
}
