//! The list of all asynchronous operations of the store that answer a [`Result`](crate::Result).
//!
//! A new operation of a trait is added here; its name is its label in the metrics.

/// Hands a macro every operation of the store, trait by trait: a wrapper of a whole store is written once for all of
/// them.
///
/// The types of the traits must be in scope where it is called.
#[macro_export]
macro_rules! store_operations {
    ($wrap:ident) => {
        $wrap! {
            MatchStore {
                load_match(id: &MatchId, key: Option<&ReplayKey>) -> Option<LoadedMatch>;
                standing(id: &MatchId) -> Option<StampedVersion>;
                commit(commit: Commit) -> Committed;
                settle(id: &MatchId) -> ();
                delete_match(id: &MatchId, expected: u64, expected_stamp: Stamp) -> Committed;
                log(id: &MatchId, after: u64, limit: usize) -> Vec<Vec<u8>>;
                list_matches(query: &ListQuery) -> Vec<ListedMatch>;
                list_ids(query: &ListQuery) -> Vec<MatchId>;
                checkpoint(id: &MatchId, at_most: u64) -> Option<Checkpoint>;
                leave_checkpoint(id: &MatchId, checkpoint: &Checkpoint) -> ();
                is_archived(id: &MatchId) -> bool;
                archive_match(
                    id: &MatchId,
                    expected: u64,
                    expected_stamp: Stamp,
                    entries: &[Vec<u8>],
                    due: Due
                ) -> Archived;
                inbox(player: &PlayerId, after: u64, limit: usize) -> Inbox;
                plans(id: &MatchId) -> Vec<KeptPlan>;
                keep_plan(id: &MatchId, expected: u64, expected_stamp: Stamp, plan: KeptPlan) -> bool;
                replace_plan(id: &MatchId, found: &KeptPlan, by: Option<Vec<u8>>) -> bool;
            }
            PlayerStore {
                put_player(id: &PlayerId, expected: u64, stored: Vec<u8>) -> bool;
                player(id: &PlayerId) -> Option<Revised>;
                put_session(
                    id: &SessionId,
                    player: &PlayerId,
                    expected: u64,
                    stored: Vec<u8>,
                    expires: Timestamp
                ) -> bool;
                session(id: &SessionId) -> Option<Revised>;
                revoke_session(id: &SessionId, player: &PlayerId, until: Timestamp) -> ();
                sessions_of(player: &PlayerId) -> Vec<SessionId>;
                tell_of_session(player: &PlayerId) -> ();
                revocations() -> Vec<(SessionId, Timestamp)>;
            }
            ItemStore {
                item(owner: &ItemOwner, kind: ItemKind, name: &str) -> Option<Vec<u8>>;
                items(owner: &ItemOwner, kind: ItemKind) -> Vec<(String, Vec<u8>)>;
                replace_item(
                    owner: &ItemOwner,
                    kind: ItemKind,
                    name: &str,
                    found: Option<&[u8]>,
                    by: Option<Vec<u8>>,
                    most: usize
                ) -> Replaced;
                bind_item(kind: ItemKind, name: &str, player: &PlayerId) -> PlayerId;
                item_holder(kind: ItemKind, name: &str) -> Option<PlayerId>;
                unbind_item(kind: ItemKind, name: &str, player: &PlayerId) -> ();
            }
            PoolStore {
                pool_record(player: &PlayerId) -> Option<Vec<u8>>;
                queue(queue: &str, until: Timestamp, limit: usize) -> Vec<(PlayerId, Vec<u8>)>;
                change_pool_records(changes: &[PoolChange], pairs: Option<&PairedMatch>) -> bool;
                paired_matches(limit: usize) -> Vec<PairedMatch>;
                paired_match(id: &MatchId) -> Option<PairedMatch>;
                forget_paired_match(id: &MatchId) -> ();
            }
            ExpiringStore {
                take(bucket: &str, allowance: Allowance) -> Taken;
                put_ticket(key: &str, value: Vec<u8>, seconds: u32) -> ();
                read_ticket(key: &str) -> Option<Vec<u8>>;
                take_ticket(key: &str) -> Option<Vec<u8>>;
                reservation(key: &ReplayKey) -> Option<Reservation>;
                reserve(key: &ReplayKey, reservation: Reservation, seconds: u32) -> Reservation;
            }
            Audit {
                append_audit(entry: Vec<u8>, keep_seconds: u32) -> AuditPlace;
                restore_audit(place: AuditPlace, entry: Vec<u8>) -> Restored;
                audit(before: Option<AuditPlace>, limit: usize) -> Vec<(AuditPlace, Vec<u8>)>;
            }
            PlayerStatusStore {
                mark(player: &PlayerId) -> Option<Revised>;
                put_mark(player: &PlayerId, expected: u64, stored: Vec<u8>, leaving: bool) -> Option<u64>;
                marks_after(after: u64, limit: usize) -> Vec<(PlayerId, Revised)>;
                leaving(limit: usize) -> Vec<Departure>;
                put_off(found: &Departure, look_at: Timestamp, quiet_since: Timestamp) -> bool;
                seen_off(found: &Departure) -> bool;
            }
            RatingStore {
                rating_categories() -> Vec<String>;
                ratings(category: &str, players: &[PlayerId], of: Option<&MatchId>) -> FoundRatings;
                change_ratings(
                    category: &str,
                    length: u64,
                    entries: Vec<RatingEntry>,
                    ratings: Vec<PutRating>
                ) -> bool;
                rating_log(category: &str, from: u64, limit: usize) -> Vec<Vec<u8>>;
                stage_ratings(category: &str, generation: i64, ratings: Vec<PutRating>) -> ();
                replace_ratings(category: &str, length: u64, generation: i64, ratings: usize) -> bool;
                remove_category(category: &str) -> ();
                board(category: &str, from: Option<&BoardPlace>, backwards: bool, limit: usize) -> Vec<BoardPlace>;
                board_count(category: &str, below: i64) -> u64;
            }
            Instances {
                confirm() -> ();
                beat(beat: Beat) -> Beaten;
                leave(id: &InstanceId, at: Timestamp) -> ();
                announce_streams(message: &StreamsMessage) -> ();
            }
            Schedule {
                due_matches(limit: usize) -> Vec<DueMatch>;
                move_due(found: &DueMatch, to: Option<Timestamp>) -> bool;
                note_due(entries: &[DueMatch]) -> u64;
                backlog() -> Backlog;
                claim_match(id: &MatchId, who: &str, millis: u32) -> Option<u64>;
                release_match(id: &MatchId, who: &str) -> ();
            }
            JobStore {
                order_jobs(jobs: &[Job]) -> ();
                due_jobs(kind: JobKind, limit: usize) -> Vec<Job>;
                waiting_jobs(kind: JobKind) -> Vec<Job>;
                move_job(found: &Job, to: Option<Timestamp>, body: Option<Vec<u8>>) -> bool;
                job_body(kind: JobKind, id: &str) -> Option<Vec<u8>>;
                jobs(kind: JobKind) -> QueueSize;
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
    };
}
