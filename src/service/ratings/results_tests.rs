//! Boards of results on the embedded store: scores alone, streaks together, months, and whoever leaves.

use super::tests::{DAY, player};
use super::*;
use crate::tests::{NOW, TestWorld as World};
use sarsen_accounts::player_status::PlayerStatus;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;
use sarsen_matches::board_match::{BoardEnd, BoardMatch};
use sarsen_store::Restored;

const SOLO: &str = "henge.solo.default";
const COOP: &str = "absolution.coop.default";

/// The start of a match of these players, a second later for each number.
fn start(number: u128, players: &[u128]) -> BoardMatch {
    let board = if players.len() == 1 { SOLO } else { COOP };
    BoardMatch {
        match_id: MatchId::from_number(number),
        board: board.to_owned(),
        started_at: Timestamp(NOW + number as i64 * 1000),
        players: players.iter().map(|number| player(*number)).collect(),
        ended: None,
    }
}

/// The end of it, with this score.
fn end(number: u128, players: &[u128], won: bool, score: i32) -> BoardMatch {
    let start = start(number, players);
    let at = Timestamp(start.started_at.0 + 500);
    BoardMatch { ended: Some(BoardEnd { at, won, score }), ..start }
}

/// A row: rank, players, score, played, wins, attempts.
type Row = (u64, Vec<u128>, i64, u32, u32, u32);

fn shown(row: &BoardRow) -> Row {
    let counts = row.counts.as_ref().unwrap();
    let players = row.players.iter().map(|player| player.number()).collect();
    (row.rank, players, row.rating.rating, row.rating.played, counts.wins, counts.attempts)
}

impl World {
    async fn tell(&self, told: &[BoardMatch]) {
        for one in told {
            self.ratings.record(one).await.unwrap();
        }
    }

    /// The rows of a board, read in pages of two.
    async fn rows(&self, board: &str) -> Vec<Row> {
        let (mut rows, mut cursor) = (Vec::new(), None);
        loop {
            let page = self.ratings.board(board, cursor.as_ref(), 2).await.unwrap().unwrap();
            rows.extend(page.rows.iter().map(shown));
            cursor = page.next;
            if cursor.is_none() {
                return rows;
            }
        }
    }

    /// A match of these players from its start to its end.
    async fn played(&self, number: u128, players: &[u128], won: bool, score: i32) {
        self.tell(&[start(number, players), end(number, players, won, score)]).await;
    }

    async fn is_as_the_log_says(&self) {
        for board in self.store.rating_categories().await.unwrap() {
            assert_eq!(self.ratings.refold().differing(&board).await.unwrap(), 0, "{board}");
        }
    }
}

#[tokio::test]
async fn the_best_score_counts_and_every_start() {
    let world = World::new();
    for (number, score) in [(0, 60), (1, 90), (2, 75)] {
        world.played(number, &[1], true, score).await;
    }
    // Twice told, and the end before the start; one that is given up; one that has scored nothing.
    world.tell(&[end(3, &[2], true, 90), start(3, &[2]), end(3, &[2], true, 90), start(3, &[2])]).await;
    world.tell(&[start(4, &[2]), start(5, &[2])]).await;
    world.played(6, &[3], false, 0).await;
    world.played(7, &[4], false, 10).await;
    // Of equals the first is who was there first.
    let expected = [(1, vec![1], 90, 3, 3, 3), (1, vec![2], 90, 1, 1, 3), (3, vec![4], 10, 1, 0, 1)];
    assert_eq!(world.rows(SOLO).await, expected);
    assert_eq!(world.ratings.around(SOLO, &player(3), 5).await.unwrap(), None);
    let around = world.ratings.around(SOLO, &player(2), 1).await.unwrap().unwrap();
    assert_eq!(around.iter().map(shown).collect::<Vec<_>>(), expected);
    assert_eq!(world.ratings.of_player(&player(1)).await.unwrap(), [], "no rating");
    world.is_as_the_log_says().await;
    world.ratings.rebuild(SOLO).await.unwrap();
    assert_eq!(world.rows(SOLO).await, expected);
    // Nobody leaves such a board for not playing.
    world.clock.advance_seconds(200 * 86_400);
    assert_eq!(world.rows(SOLO).await, expected);
}

#[tokio::test]
async fn a_set_of_players_has_its_longest_streak() {
    let world = World::new();
    for (number, won) in [true, true, false, true].into_iter().enumerate() {
        world.played(number as u128, &[1, 2], won, 0).await;
    }
    assert_eq!(world.rows(COOP).await, [(1, vec![1, 2], 2, 4, 3, 4)]);
    // Whoever gives a match up without an end does not keep the streak that it would have cost.
    world.tell(&[start(10, &[1, 2])]).await;
    for number in 11..13 {
        world.played(number, &[1, 2], true, 0).await;
    }
    assert_eq!(world.rows(COOP).await, [(1, vec![1, 2], 2, 6, 5, 7)]);
    // Another set is another row, of whoever is in it.
    for number in 20..23 {
        world.played(number, &[1, 3, 4], true, 0).await;
    }
    let expected = [(1, vec![1, 3, 4], 3, 3, 3, 3), (2, vec![1, 2], 2, 6, 5, 7)];
    assert_eq!(world.rows(COOP).await, expected);
    for (of, best) in [(1, 0), (2, 1), (3, 0), (4, 0)] {
        let around = world.ratings.around(COOP, &player(of), 0).await.unwrap().unwrap();
        assert_eq!(around.iter().map(shown).collect::<Vec<_>>(), [expected[best].clone()], "{of}");
    }
    assert_eq!(world.ratings.around(COOP, &player(9), 0).await.unwrap(), None);
    world.is_as_the_log_says().await;
}

#[tokio::test]
async fn a_walk_shows_the_board_of_its_first_page() {
    let world = World::new();
    for number in 1..7 {
        world.played(number, &[number], true, 100 - number as i32).await;
    }
    let first = world.ratings.board(SOLO, None, 3).await.unwrap().unwrap();
    world.played(20, &[1], true, 200).await;
    world.played(21, &[6], true, 300).await;
    world.played(22, &[9], true, 400).await;
    let rest = world.ratings.board(SOLO, first.next.as_ref(), 9).await.unwrap().unwrap();
    let walked = first.rows.iter().chain(&rest.rows).map(|row| (row.players[0].number(), row.rating.rating));
    assert_eq!(walked.collect::<Vec<_>>(), (1..7).map(|number| (number, 100 - number as i64)).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_match_is_on_the_board_of_the_month_in_which_it_started() {
    let world = World::new();
    let month = |at: i64| format!("{SOLO}.{}", &Timestamp(at).rfc3339()[..7]);
    world.played(0, &[1], true, 50).await;
    let (this, next) = (month(NOW), month(NOW + 31 * DAY));
    assert!(world.ratings.category(&this).await.unwrap().is_some(), "it is listed");
    world.clock.advance_seconds(31 * 86_400);
    // One that ends in the next month stays where it began.
    let late = |told: BoardMatch| BoardMatch { started_at: Timestamp(NOW + 31 * DAY), ..told };
    world.tell(&[end(1, &[2], true, 70), late(start(2, &[3])), late(end(2, &[3], true, 60))]).await;
    let of = |rows: Vec<Row>| rows.into_iter().map(|row| (row.1[0], row.2)).collect::<Vec<_>>();
    assert_eq!(of(world.rows(&this).await), [(2, 70), (1, 50)]);
    assert_eq!(of(world.rows(&next).await), [(3, 60)]);
    assert_eq!(of(world.rows(SOLO).await), [(2, 70), (3, 60), (1, 50)]);
    world.clock.advance_seconds(365 * 86_400);
    assert!(world.ratings.sweep(SOLO).await.unwrap());
    assert!(!world.rows(&this).await.is_empty());
    world.clock.advance_seconds(31 * 86_400);
    assert!(world.ratings.sweep(SOLO).await.unwrap());
    assert_eq!(world.store.rating_categories().await.unwrap(), [SOLO, &next]);
    assert_eq!(world.ratings.category(&this).await.unwrap(), None);
    // What is told of it so late is not put on a board that is gone.
    world.tell(&[end(5, &[1], true, 99)]).await;
    assert_eq!(world.store.rating_categories().await.unwrap(), [SOLO, &next]);
    world.clock.advance_seconds(31 * 86_400);
    assert!(!world.ratings.sweep(SOLO).await.unwrap());
    assert_eq!(of(world.rows(SOLO).await), [(1, 99), (2, 70), (3, 60)]);
}

#[tokio::test]
async fn whoever_leaves_is_on_no_board_nor_is_any_set_that_they_belong_to() {
    let world = World::new();
    world.played(0, &[1], true, 50).await;
    world.played(1, &[2], true, 40).await;
    for (number, players) in [(2, &[1, 2][..]), (3, &[1, 3]), (4, &[2, 3])] {
        world.played(number, players, true, 0).await;
    }
    world.known.insert(player(1), 1, PlayerStatus::deleted());
    let players = |rows: Vec<Row>| rows.into_iter().map(|row| row.1).collect::<Vec<_>>();
    for _ in 0..2 {
        assert_eq!(players(world.rows(SOLO).await), [[2]]);
        assert_eq!(players(world.rows(COOP).await), [[2, 3]]);
        world.ratings.forget(&player(1)).await.unwrap();
    }
    for board in world.store.rating_categories().await.unwrap() {
        let places = world.store.board(&board, None, false, 9).await.unwrap();
        assert_eq!(places.len(), 1, "{board}");
        world.ratings.rebuild(&board).await.unwrap();
        assert_eq!(world.store.board(&board, None, false, 9).await.unwrap(), places);
    }
    // What comes late does not bring them back.
    world.tell(&[end(9, &[1, 2], true, 0), end(10, &[1], true, 90)]).await;
    assert_eq!((players(world.rows(SOLO).await), players(world.rows(COOP).await)), (vec![vec![2]], vec![vec![2, 3]]));
    world.is_as_the_log_says().await;
}

#[tokio::test]
async fn operators_take_results_off_and_a_log_that_is_carried_makes_the_same_board() {
    let world = World::new();
    world.played(0, &[1], true, 50).await;
    world.played(1, &[1], true, 90).await;
    world.played(2, &[1, 2], true, 0).await;
    world.played(3, &[1, 2], true, 0).await;
    for id in [1, 3] {
        assert_eq!(world.ratings.annul(&MatchId::from_number(id)).await.unwrap(), Ok(()));
    }
    for board in world.store.rating_categories().await.unwrap() {
        world.ratings.rebuild(&board).await.unwrap();
    }
    let month = format!("{SOLO}.{}", &Timestamp(NOW).rfc3339()[..7]);
    for board in [SOLO, &month] {
        assert_eq!(world.rows(board).await, [(1, vec![1], 50, 1, 1, 1)]);
    }
    assert_eq!(world.rows(COOP).await, [(1, vec![1, 2], 1, 1, 1, 1)]);
    world.tell(&[start(1, &[1]), end(1, &[1], true, 90)]).await;
    assert_eq!(world.rows(SOLO).await, [(1, vec![1], 50, 1, 1, 1)], "it does not count again");
    let other = World::new();
    for board in world.store.rating_categories().await.unwrap() {
        let log = world.store.rating_log(&board, 0, 99).await.unwrap();
        assert_eq!(other.ratings.refold().restore(&board, 0, log).await.unwrap(), Restored::Written);
        other.ratings.rebuild(&board).await.unwrap();
        assert_eq!(other.rows(&board).await, world.rows(&board).await, "{board}");
    }
    assert_eq!(world.ratings.unrank(&player(2)).await.unwrap().len(), 2, "of all times and of the month");
    assert_eq!(world.rows(COOP).await, []);
    world.played(8, &[1, 2], true, 0).await;
    assert_eq!(world.rows(COOP).await, [(1, vec![1, 2], 1, 1, 1, 1)]);
    world.is_as_the_log_says().await;
}
