//! A store whose operations are timed and whose failures are counted, whatever backend it is.
//!
//! Invariant: it changes nothing of what its store does. An operation that is given up (its request has gone) is timed up
//! to then. What it costs: two looks at the clock, two atomic additions and one small block of memory an operation.
//!
//! A new operation of a trait is added to the list below; its name there is its label.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::broadcast;
use tokio::time::Instant;

use super::*;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{InstanceId, MatchId, PlayerId, SessionId};
use sarsen_base::telemetry::{OperationCounts, StoreCounts};

/// A store that is measured.
pub struct Measured {
    store: Arc<dyn Store>,
    operations: Operations,
}

impl Measured {
    /// This store, measured by these counters.
    pub fn new(store: Arc<dyn Store>, counts: &StoreCounts) -> Measured {
        Measured { store, operations: Operations::of(counts) }
    }
}

/// Times an operation until it is over or given up.
struct Watch<'a> {
    counts: &'a OperationCounts,
    begun: Instant,
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.counts.took(self.begun.elapsed());
    }
}

async fn measured<T>(counts: &OperationCounts, operation: impl Future<Output = Result<T>>) -> Result<T> {
    let _watch = Watch { counts, begun: Instant::now() };
    let outcome = operation.await;
    match &outcome {
        Ok(_) => {}
        Err(StoreError::Unavailable(_)) => counts.unavailable(),
        Err(StoreError::Corrupt(_)) => counts.corrupt(),
    }
    outcome
}

macro_rules! measured {
    ($($concern:ident { $($name:ident($($given:ident: $kind:ty),*) -> $answer:ty;)+ })+) => {
        /// The counters of each operation.
        struct Operations {
            $($($name: OperationCounts,)+)+
            hear: OperationCounts,
            ready: OperationCounts,
            used: OperationCounts,
        }

        impl Operations {
            fn of(counts: &StoreCounts) -> Operations {
                Operations {
                    $($($name: counts.operation(stringify!($name)),)+)+
                    hear: counts.operation("hear"),
                    ready: counts.operation("ready"),
                    used: counts.operation("used"),
                }
            }
        }

        $(#[async_trait]
        impl $concern for Measured {
            $(async fn $name(&self, $($given: $kind),*) -> Result<$answer> {
                measured(&self.operations.$name, self.store.$name($($given),*)).await
            })+
        })+
    };
}

measured! {
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
    PlayerStore {
        put_player(id: &PlayerId, expected: u64, stored: Vec<u8>) -> bool;
        player(id: &PlayerId) -> Option<Revised>;
        put_session(id: &SessionId, player: &PlayerId, expected: u64, stored: Vec<u8>, expires: Timestamp) -> bool;
        session(id: &SessionId) -> Option<Revised>;
        revoke_session(id: &SessionId, player: &PlayerId, until: Timestamp) -> ();
        sessions_of(player: &PlayerId) -> Vec<SessionId>;
        revocations() -> Vec<(SessionId, Timestamp)>;
    }
    Plans {
        plans(id: &MatchId) -> Vec<KeptPlan>;
        keep_plan(id: &MatchId, expected: u64, expected_stamp: Stamp, plan: KeptPlan) -> bool;
        replace_plan(id: &MatchId, found: &KeptPlan, by: Option<Vec<u8>>) -> bool;
    }
    Buckets {
        take(bucket: &str, allowance: Allowance) -> Taken;
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
    Audit {
        append_audit(entry: Vec<u8>, keep_seconds: u32) -> AuditPlace;
        audit(before: Option<AuditPlace>, limit: usize) -> Vec<(AuditPlace, Vec<u8>)>;
    }
    PlayerMarks {
        mark(player: &PlayerId) -> Option<Revised>;
        put_mark(player: &PlayerId, expected: u64, stored: Vec<u8>, leaving: bool) -> Option<u64>;
        marks_after(after: u64, limit: usize) -> Vec<(PlayerId, Revised)>;
        leaving(limit: usize) -> Vec<Departure>;
        put_off(found: &Departure, look_at: Timestamp, quiet_since: Timestamp) -> bool;
        seen_off(found: &Departure) -> bool;
    }
    Instances {
        beat(id: &InstanceId, alive_since: Timestamp) -> u32;
        outages() -> Vec<Outage>;
    }
    Schedule {
        due_matches(limit: usize) -> Vec<DueMatch>;
        move_due(found: &DueMatch, to: Option<Timestamp>) -> bool;
        note_due(entries: &[DueMatch]) -> u64;
        backlog() -> Backlog;
        claim_match(id: &MatchId, who: &str, millis: u32) -> Option<u64>;
        release_match(id: &MatchId, who: &str) -> ();
    }
    Inventory {
        match_ids(from: Option<&PageStart>) -> InventoryPage<MatchId>;
        listings(from: Option<&PageStart>) -> InventoryPage<(MatchId, Listing)>;
        player_ids(from: Option<&PageStart>) -> InventoryPage<PlayerId>;
        whole_match(id: &MatchId) -> Option<WholeMatch>;
        kept_sessions(player: &PlayerId) -> InventoryPage<KeptSession>;
        missing_from(id: &MatchId, listing: &Listing) -> Vec<String>;
        strays(from: Option<&PageStart>) -> InventoryPage<StrayEntry>;
        damaged(from: Option<&PageStart>) -> InventoryPage<Damage>;
        caught_up() -> bool;
        restore_match(whole: WholeMatch) -> Restored;
        restore_player(id: &PlayerId, player: Revised) -> Restored;
        restore_session(session: KeptSession) -> Restored;
        restore_revocation(id: &SessionId, until: Timestamp) -> ();
        restore_inbox(player: &PlayerId, inbox: Inbox) -> Restored;
        relist(id: &MatchId, version: u64, listing: &Listing) -> bool;
        unlist(stray: &StrayEntry) -> ();
    }
}

/// A backup takes as long as the store is large, which is no measure of how the store does.
#[async_trait]
impl Backups for Measured {
    async fn back_up(&self) -> Result<Backup, BackupError> {
        self.store.back_up().await
    }
}

#[async_trait]
impl Hearing for Measured {
    fn is_heard(&self, topic: &Topic) -> bool {
        self.store.is_heard(topic)
    }

    async fn hear(&self, topics: &[Topic]) -> Result<()> {
        measured(&self.operations.hear, self.store.hear(topics)).await
    }
}

#[async_trait]
impl Store for Measured {
    fn live(&self) -> broadcast::Receiver<Live> {
        self.store.live()
    }

    fn now(&self) -> Timestamp {
        self.store.now()
    }

    async fn used(&self) -> Result<Option<f64>> {
        measured(&self.operations.used, self.store.used()).await
    }

    async fn ready(&self) -> Result<()> {
        measured(&self.operations.ready, self.store.ready()).await
    }

    async fn close(&self) {
        self.store.close().await;
    }
}
