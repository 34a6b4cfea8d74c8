//! A store for tests that counts, fails, or serves operations from another store.

use std::ops::Deref;

use async_trait::async_trait;

use super::*;
use sarsen_store::*;

/// Chooses the store that serves an operation, or refuses it.
pub(super) trait Choose: Send + Sync + 'static {
    fn choose(&self, operation: &str) -> Result<Arc<dyn Store>>;
}

/// The store that passes each operation on as its chooser says.
pub(super) struct Relay<C>(pub(super) C);

impl<C> Deref for Relay<C> {
    type Target = C;

    fn deref(&self) -> &C {
        &self.0
    }
}

macro_rules! relayed {
    ($($concern:ident { $($name:ident($($given:ident: $kind:ty),*) -> $answer:ty;)+ })+) => {
        $(#[async_trait]
        impl<C: Choose> $concern for Relay<C> {
            $(async fn $name(&self, $($given: $kind),*) -> Result<$answer> {
                self.0.choose(stringify!($name))?.$name($($given),*).await
            })+
        })+
    };
}

relayed! {
    MatchStore {
        load_match(id: &MatchId, key: Option<&ReplayKey>) -> Option<LoadedMatch>;
        standing(id: &MatchId) -> Option<StampedVersion>;
        commit(commit: Commit) -> Committed;
        settle(id: &MatchId) -> ();
        delete_match(id: &MatchId, expected: u64, expected_stamp: Stamp) -> Committed;
        log(id: &MatchId, after: u64, limit: usize) -> Vec<Vec<u8>>;
        list_matches(query: &ListQuery) -> Vec<ListedMatch>;
        list_ids(query: &ListQuery) -> Vec<MatchId>;
    }
    Checkpoints {
        checkpoint(id: &MatchId, at_most: u64) -> Option<Checkpoint>;
        leave_checkpoint(id: &MatchId, checkpoint: &Checkpoint) -> ();
    }
    Archives {
        is_archived(id: &MatchId) -> bool;
        archive_match(
            id: &MatchId,
            expected: u64,
            expected_stamp: Stamp,
            entries: &[Vec<u8>],
            due: Due
        ) -> Archived;
    }
    Inboxes {
        inbox(player: &PlayerId, after: u64, limit: usize) -> Inbox;
    }
    Plans {
        plans(id: &MatchId) -> Vec<KeptPlan>;
        keep_plan(id: &MatchId, expected: u64, expected_stamp: Stamp, plan: KeptPlan) -> bool;
        replace_plan(id: &MatchId, found: &KeptPlan, by: Option<Vec<u8>>) -> bool;
    }
    Tickets {
        put_ticket(key: &str, value: Vec<u8>, seconds: u32) -> ();
        read_ticket(key: &str) -> Option<Vec<u8>>;
        take_ticket(key: &str) -> Option<Vec<u8>>;
    }
    Reservations {
        reservation(key: &ReplayKey) -> Option<Reservation>;
        reserve(key: &ReplayKey, reservation: Reservation, seconds: u32) -> Reservation;
    }
}
