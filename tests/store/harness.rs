//! The harness that a backend gives to the suite, and what the cases share.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use sarsen::ambient::{Ambient, Timestamp};
use sarsen::ids::{MatchId, PlayerId, SessionId};
use sarsen::store::{Commit, Listing, Live, Stage, Stamp, Store};
use tokio::sync::broadcast::Receiver;
use tokio::time::{Instant, timeout};

/// The longest time for something eventual before a case fails.
pub const DEADLINE: Duration = Duration::from_secs(10);

/// One place that holds data, empty at first, and the ways to open it. Dropping it removes everything it started.
#[async_trait]
pub trait Harness: Send + Sync + Sized {
    /// A new, empty place.
    async fn fresh() -> Self;

    /// Opens the store: the first time, or again after it was closed.
    async fn open(&self) -> Arc<dyn Store>;

    /// Opens another instance on the same data beside those that are open, where the backend allows that.
    async fn second(&self) -> Option<Arc<dyn Store>>;

    /// The present moment by the clock that the store goes by.
    fn now(&self) -> Timestamp;

    /// Lets that clock go on by so many seconds and a little more: by moving it where it is a test clock, by waiting
    /// where it is real.
    async fn pass(&self, seconds: u32);
}

/// Makes a test of every case for one backend.
macro_rules! every_case {
    ($harness:ty) => {
        $crate::harness::every_case! { $harness;
            matches: a_match_is_created_and_loaded, a_step_replaces_the_match_and_adds_to_the_log,
                creating_what_exists_is_a_conflict, an_older_or_newer_expectation_is_a_conflict,
                a_conflict_stores_nothing, of_64_commits_at_one_version_one_happens, what_is_stored_is_arbitrary_bytes,
                a_long_log_is_read_in_pages, matches_do_not_disturb_each_other, everything_survives_reopening;
            stamps: each_version_has_the_stamp_of_its_step,
                a_step_from_another_version_of_the_same_number_is_a_conflict,
                stamps_survive_reopening;
            replays: a_key_is_found_again, a_key_belongs_to_one_player_and_one_match,
                a_key_of_an_earlier_step_is_still_known, any_visible_ascii_is_a_key, a_key_commits_once,
                of_32_commits_under_one_key_one_happens;
            reservations: what_is_reserved_first_stands, a_key_belongs_to_one_player, any_visible_ascii_is_a_key,
                of_32_rivals_all_get_the_same, a_reservation_ends_by_itself, a_reservation_survives_reopening;
            lists: strangers_see_public_matches_only, of_anothers_list_only_what_the_reader_is_shown_is_found, players_see_their_private_matches, newest_first_in_pages,
                a_match_moves_between_stages, an_aborted_match_is_listed_as_such, games_are_told_apart,
                who_is_not_named_is_taken_off, a_match_can_become_private, a_step_without_listing_changes_no_list,
                a_list_shows_the_latest_step, pages_are_full_until_the_end,
                the_ids_alone_are_those_of_the_matches;
            inboxes: notices_are_numbered_from_one, one_step_gives_one_notice, an_inbox_is_read_in_stretches,
                notices_of_a_match_come_in_order, numbers_have_no_gaps_under_concurrency,
                the_newest_thousand_are_kept;
            players: an_unknown_player_is_none, a_player_is_written_and_rewritten, a_player_is_made_once,
                another_revision_writes_nothing, of_32_writers_one_wins;
            sessions: a_session_is_written_and_read, a_revision_is_written_once, of_32_writers_one_wins,
                a_session_ends_by_itself, a_later_end_replaces_the_earlier,
                a_revoked_session_is_gone_and_remembered, revocations_are_forgotten_at_their_end,
                the_later_of_two_ends_of_a_revocation_counts, unknown_sessions_can_be_revoked,
                sessions_are_listed_by_player, an_expired_session_can_be_made_anew;
            buckets: a_burst_is_allowed_and_then_refused, a_bucket_refills, a_bucket_holds_no_more_than_its_burst,
                buckets_are_apart, concurrent_takers_get_no_more_than_the_burst;
            tickets: a_value_is_taken_once, a_value_that_is_read_stays, of_32_takers_one_gets_it,
                a_value_is_forgotten_in_time, a_later_value_replaces_the_earlier, values_are_arbitrary_bytes;
            audit: entries_are_read_newest_first_in_pages, a_place_tells_when, of_32_at_once_none_is_lost,
                an_entry_goes_when_its_time_is_over, the_audit_survives_reopening,
                entries_of_another_store_keep_their_places;
            items: an_item_is_replaced_where_it_is_what_was_found, items_are_apart_and_in_the_order_of_names,
                of_32_at_once_no_more_get_in_than_there_is_room_for, of_32_who_bind_a_name_one_has_it,
                items_survive_reopening, an_owner_who_begins_or_ends_to_listen_is_announced;
            pools: records_change_together_or_not_at_all, of_32_who_pair_the_same_player_one_does;
            ratings: a_change_is_made_at_the_length_that_it_names, of_32_changes_at_one_length_one_happens,
                a_board_is_read_from_both_ends_and_no_page_leaves_anybody_out,
                all_ratings_are_replaced_at_the_length_that_is_named, a_category_is_removed_whole,
                ratings_survive_reopening;
            jobs: a_commit_orders_its_jobs_or_none, a_job_is_ordered_once, a_job_is_moved_from_where_it_was_found,
                of_32_who_take_a_job_one_has_it, jobs_survive_reopening;
            instances: those_that_work_are_counted, an_outage_is_as_long_as_nobody_was_there,
                whoever_was_there_meanwhile_makes_it_none, outages_survive_reopening, an_outage_is_noted_once;
            due: a_commit_moves_the_entry, a_conflict_moves_no_entry, a_match_waits_for_its_moment,
                an_entry_is_moved_from_where_it_was_found, an_entry_is_noted_where_there_is_none,
                entries_survive_reopening;
            deletion: a_deleted_match_is_gone, only_the_version_that_was_seen_is_deleted,
                a_deleted_match_goes_off_its_lists, a_deleted_match_is_not_made_again,
                who_waits_for_a_deleted_match_is_woken;
            checkpoints: the_newest_at_or_before_a_version_is_found,
                a_later_one_takes_the_place_of_one_at_the_same_version, they_go_with_their_match_and_none_comes_without;
            archives: an_archived_match_is_read_as_before, only_the_version_that_was_seen_is_archived_and_once,
                an_archive_goes_with_its_match_and_is_restored_as_a_log;
            plans: each_seat_has_one, it_is_kept_for_the_version_that_was_seen, only_what_was_found_is_replaced,
                as_long_as_one_is_kept_a_commit_has_the_match_looked_at,
                they_survive_reopening_and_go_with_their_match, a_match_told_whole_says_nothing_of_them;
            player_status: a_status_is_written_and_rewritten, statuses_are_read_in_the_order_of_their_revisions,
                of_32_markers_one_wins, whoever_is_to_be_seen_off_waits_until_that_is_done,
                a_look_is_put_off_by_one_of_those_who_found_it, a_status_is_announced;
            claims: a_match_is_claimed_by_one_and_renewed_by_them_alone, a_claim_is_given_back_by_whoever_has_it,
                a_claim_ends_by_itself, of_32_claimants_one_gets_it;
            clock: the_time_is_that_of_the_store, time_goes_on_between_two_looks;
            condition: what_commits_left_to_do_is_done_in_the_end, what_is_used_is_a_share_of_what_there_is;
            inventory: every_match_and_every_player_is_named, every_match_is_told_with_its_listing, an_empty_store_has_no_pages,
                a_match_is_told_whole, only_sessions_that_stand_are_kept, a_match_on_all_its_lists_misses_none,
                a_match_listed_otherwise_is_told, no_entry_is_astray;
            restoring: a_match_is_restored_as_it_was, an_earlier_version_is_replaced, a_later_version_is_kept,
                another_of_the_same_version_is_kept, a_deleted_match_does_not_come_back, restoring_twice_changes_nothing, a_restored_match_goes_on,
                players_are_restored_at_their_revision, sessions_are_restored_until_their_end,
                a_revoked_session_does_not_come_back, an_inbox_keeps_its_numbers;
            live: a_commit_is_announced_once_it_is_true, a_notice_is_announced, a_conflict_is_not_announced,
                a_revocation_is_announced, a_further_session_is_announced,
                another_instance_hears_and_sees_it;
            life: a_fresh_store_is_ready, a_closed_store_is_unavailable;
        }
    };
    ($harness:ty; $($topic:ident: $($case:ident),+;)+) => {
        $(mod $topic {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                let harness = <$harness as $crate::harness::Harness>::fresh().await;
                $crate::cases::$topic::$case(&harness).await;
            })+
        })+
    };
}
pub(crate) use every_case;

/// Makes a test of the cases that wait for replicas: one of each kind of write, and what concurrent writers see.
macro_rules! waiting_cases {
    ($harness:ty) => {
        $crate::harness::every_case! { $harness;
            matches: a_match_is_created_and_loaded, a_step_replaces_the_match_and_adds_to_the_log,
                of_64_commits_at_one_version_one_happens, everything_survives_reopening;
            replays: of_32_commits_under_one_key_one_happens;
            reservations: of_32_rivals_all_get_the_same;
            lists: a_match_moves_between_stages;
            inboxes: numbers_have_no_gaps_under_concurrency;
            players: of_32_writers_one_wins;
            sessions: of_32_writers_one_wins, a_revoked_session_is_gone_and_remembered;
            tickets: of_32_takers_one_gets_it;
            audit: of_32_at_once_none_is_lost;
            items: of_32_who_bind_a_name_one_has_it;
            pools: of_32_who_pair_the_same_player_one_does;
            jobs: of_32_who_take_a_job_one_has_it;
            instances: an_outage_is_noted_once;
            due: a_commit_moves_the_entry;
            deletion: a_deleted_match_is_gone;
            archives: an_archived_match_is_read_as_before;
            plans: it_is_kept_for_the_version_that_was_seen;
            player_status: of_32_markers_one_wins;
            claims: of_32_claimants_one_gets_it;
            condition: what_commits_left_to_do_is_done_in_the_end;
            restoring: a_match_is_restored_as_it_was;
            live: a_commit_is_announced_once_it_is_true;
            life: a_closed_store_is_unavailable;
        }
    };
}
pub(crate) use waiting_cases;

/// Ids that differ in every call, over all tests.
pub fn match_id() -> MatchId {
    MatchId::generate(&Ambient::system())
}

/// A player like no other.
pub fn player_id() -> PlayerId {
    PlayerId::generate(&Ambient::system())
}

/// A session like no other.
pub fn session_id() -> SessionId {
    SessionId::generate(&Ambient::system())
}

/// The stamp of a version that [`step`] makes.
pub fn stamp(version: u64) -> Stamp {
    Stamp::from_number(version)
}

/// A step without listing, key or notices, which says in what it stores, in its entry and in its stamp which step it is.
pub fn step(id: &MatchId, expected: u64) -> Commit {
    Commit {
        id: id.clone(),
        expected,
        expected_stamp: (expected > 0).then(|| stamp(expected)),
        stamp: stamp(expected + 1),
        stored: format!("match {}", expected + 1).into_bytes(),
        entry: format!("entry {}", expected + 1).into_bytes(),
        listing: None,
        listed: None,
        replay: None,
        notify: Vec::new(),
        due: sarsen::store::Due::Leave,
        jobs: Vec::new(),
    }
}

/// An open public match of "contiguity".
pub fn listing(players: &[&PlayerId]) -> Listing {
    Listing {
        game: "contiguity".to_owned(),
        stage: Stage::Open,
        public: true,
        players: players.iter().map(|&player| player.clone()).collect(),
    }
}

/// Asks until the answer is as wanted, or fails with the last answer after [`DEADLINE`]: for what the contract calls
/// eventual, and for nothing else.
pub async fn eventually<T, F>(wanted: T, mut ask: impl FnMut() -> F)
where
    T: PartialEq + std::fmt::Debug,
    F: Future<Output = T>,
{
    let start = Instant::now();
    loop {
        let answer = ask().await;
        if answer == wanted {
            return;
        }
        if start.elapsed() > DEADLINE {
            assert_eq!(answer, wanted, "after {DEADLINE:?}");
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Waits for a message; others may come before it.
pub async fn subscribe(live: &mut Receiver<Live>, wanted: &Live) {
    hear_all(live, &[wanted]).await;
}

/// Waits for all these messages. The servers of a cluster publish each for itself, so they may come in any order.
pub async fn hear_all(live: &mut Receiver<Live>, wanted: &[&Live]) {
    let mut missing = wanted.to_vec();
    let heard = timeout(DEADLINE, async {
        while !missing.is_empty() {
            let message = live.recv().await.expect("a live store");
            missing.retain(|wanted| **wanted != message);
        }
    });
    let all = heard.await.is_ok();
    assert!(all, "{missing:?} was not heard");
}
