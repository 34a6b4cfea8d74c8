//! Locks that make the matches of one player wait for each other.
//!
//! Invariant: two players may share a lock; one player never has two.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use tokio::sync::{Mutex, OwnedMutexGuard};

use sarsen_base::ids::PlayerId;

/// The number of locks: the most players who make matches at a time.
const LOCKS: usize = 64;

/// Makes the matches of one player wait for each other.
pub(super) struct RoomLocks(Vec<Arc<Mutex<()>>>);

/// A player's turn to make a match, until it is made.
pub(super) type Room = OwnedMutexGuard<()>;

impl Default for RoomLocks {
    fn default() -> RoomLocks {
        RoomLocks((0..LOCKS).map(|_| Arc::default()).collect())
    }
}

impl RoomLocks {
    /// Waits for the lock of a player.
    pub(super) async fn of(&self, player: &PlayerId) -> Room {
        let mut hasher = DefaultHasher::new();
        player.hash(&mut hasher);
        let index = hasher.finish() as usize % self.0.len();
        Arc::clone(&self.0[index]).lock_owned().await
    }
}
