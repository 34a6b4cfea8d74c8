//! Ratings on the embedded store: counted once and in order, boards in pages, annulments, and the fold.

use super::board::BoardPage;
use super::entry::{self, Entry, StoredRating};
use super::*;
use crate::tests::{NOW, TestWorld as World};
use sarsen_accounts::player_status::PlayerStatus;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_matches::rated_result::{RatedResult, RatedSeat};
use sarsen_rules::{Dice, DiceSeed};
use sarsen_store::Restored;

const TWO: &str = "contiguity.2.live";
const MORE: &str = "henge.3-5.correspondence";
pub(super) const DAY: i64 = 86_400_000;

impl World {
    /// Puts players onto a board, each with this rating, a second after the one before.
    async fn board_of(&self, ratings: &[i64]) {
        for (number, rating) in (1..).zip(ratings) {
            self.stands(number, *rating).await;
        }
    }

    /// Gives a player this rating as a match would, with an entry of the log.
    async fn stands(&self, number: u128, rating: i64) {
        self.clock.advance_seconds(1);
        let (player, at) = (player(number), self.ratings.now());
        let found = self.store.ratings(TWO, std::slice::from_ref(&player), None).await.unwrap();
        let before = found.stored[0].as_deref().map(|stored| StoredRating::decode(stored).unwrap());
        let new = Rating { rating, deviation: 6_000, at: Some(at), ..Rating::default() };
        let seat = RatedSeat { player: player.clone(), rank: 1, counts: true };
        let id = MatchId::from_number(u128::from(found.length) + 1_000_000);
        let was = before.as_ref().map_or_else(Rating::default, |stored| stored.rating);
        let previous = before.as_ref().map(|stored| stored.entry);
        let seats = vec![entry::RatedPlayer { seat, before: was, after: Some(new), previous }];
        let told = Entry::Match(entry::RatedMatch { match_id: id.clone(), at, seats, private: false });
        let stored = StoredRating::of(new, found.length, before.as_ref(), 0, 0);
        let put = self.ratings.put(TWO, player, &stored).unwrap();
        let entries = vec![(told.encode().unwrap(), Some(id))];
        assert!(self.store.change_ratings(TWO, found.length, entries, vec![put]).await.unwrap());
    }

    async fn page(&self, cursor: Option<&BoardCursor>, limit: usize) -> BoardPage {
        self.ratings.board(TWO, cursor, limit).await.unwrap().unwrap()
    }

    /// All pages of a walk, with something done between each two.
    async fn walk(&self, limit: usize, between: impl AsyncFn(usize)) -> Vec<(u64, u128)> {
        let (mut rows, mut cursor, mut pages) = (Vec::new(), None, 0);
        loop {
            let page = self.page(cursor.as_ref(), limit).await;
            rows.extend(page.rows.iter().map(|row| (row.rank, row.players[0].number())));
            cursor = page.next;
            if cursor.is_none() {
                return rows;
            }
            between(pages).await;
            pages += 1;
        }
    }
}

pub(super) fn player(number: u128) -> PlayerId {
    PlayerId::from_number(number)
}

fn result(number: u128, category: &str, at: i64, ranks: &[(u128, u8)]) -> RatedResult {
    let seats = ranks.iter().map(|&(who, rank)| RatedSeat { player: player(who), rank, counts: true }).collect();
    let (match_id, category) = (MatchId::from_number(number), category.to_owned());
    RatedResult { match_id, version: 9, category, at: Timestamp(at), seats, private: false }
}

#[tokio::test]
async fn a_match_is_rated_once_and_both_players_together() {
    let world = World::new();
    let match_of_two = result(1, TWO, NOW, &[(1, 1), (2, 2)]);
    assert_eq!(world.ratings.of_match(&match_of_two).await.unwrap(), None);
    assert!(world.ratings.rate(&match_of_two).await.unwrap());
    assert!(!world.ratings.rate(&match_of_two).await.unwrap());
    let rated = world.ratings.of_match(&match_of_two).await.unwrap().unwrap();
    let told: Vec<_> =
        rated.iter().map(|it| (shown(it.before.rating), shown(it.after.rating), it.provisional, it.counted)).collect();
    assert_eq!(told, [(1500, 1662, true, true), (1500, 1338, true, true)]);
    let of_one = world.ratings.of_player(&player(1)).await.unwrap();
    assert_eq!((of_one[0].0.name.as_str(), of_one[0].1.rating, of_one[0].1.played), (TWO, 166_231, 1));
    assert_eq!(world.page(None, 10).await.rows, [], "nobody is on the board at first");
}

#[tokio::test]
async fn a_match_counts_only_for_those_for_whom_it_does() {
    let world = World::new();
    let mut absent = result(1, TWO, NOW, &[(1, 1), (2, 2)]);
    absent.seats[0].counts = false;
    world.ratings.rate(&absent).await.unwrap();
    let rated = world.ratings.of_match(&absent).await.unwrap().unwrap();
    assert_eq!((rated[0].counted, rated[0].after, rated[1].counted), (false, Rating::default(), true));
    assert_eq!(world.ratings.of_player(&player(1)).await.unwrap(), []);
    assert_eq!(shown(rated[1].after.rating), 1338);
}

#[tokio::test]
async fn the_eleventh_match_of_a_day_among_the_same_players_does_not_count() {
    let world = World::new();
    let mut counted = Vec::new();
    for number in 0..13 {
        // In any order of seats.
        let ranks = if number % 2 == 0 { [(1, 1), (2, 2)] } else { [(2, 1), (1, 2)] };
        let one = result(number, TWO, NOW, &ranks);
        world.ratings.rate(&one).await.unwrap();
        counted.push(world.ratings.of_match(&one).await.unwrap().unwrap().iter().all(|it| it.counted));
    }
    assert_eq!(counted, [[true; 10].to_vec(), vec![false; 3]].concat());
    let others = result(20, TWO, NOW, &[(1, 1), (3, 2)]);
    let next_day = result(21, TWO, NOW + DAY, &[(1, 1), (2, 2)]);
    for one in [others, next_day] {
        world.ratings.rate(&one).await.unwrap();
        assert!(world.ratings.of_match(&one).await.unwrap().unwrap()[0].counted);
    }
}

#[tokio::test]
async fn of_many_instances_that_rate_the_same_matches_each_is_counted_once() {
    let world = World::new();
    let tasks = (0..64).map(|task| {
        let ratings = world.ratings.clone();
        tokio::spawn(async move {
            let number = task / 2;
            ratings.rate(&result(number, TWO, NOW + DAY * number as i64, &[(1, 1), (2, 2)])).await.unwrap()
        })
    });
    let mut done = 0;
    for task in tasks.collect::<Vec<_>>() {
        done += usize::from(task.await.unwrap());
    }
    let played = |ratings: Vec<(Category, Rating)>| ratings[0].1.played;
    assert_eq!((done, played(world.ratings.of_player(&player(1)).await.unwrap())), (32, 32));
}

#[tokio::test]
async fn equals_share_a_rank_and_the_next_is_behind_all_of_them() {
    let world = World::new();
    world.board_of(&[800, 1000, 800, 500, 800]).await;
    // Of equals the first is who was there first.
    let expected = [(1, 2), (2, 1), (2, 3), (2, 5), (5, 4)];
    for limit in 1..=6 {
        assert_eq!(world.walk(limit, async |_| ()).await, expected, "pages of {limit}");
    }
    let around = |rows: Option<Vec<BoardRow>>| {
        rows.unwrap().iter().map(|row| (row.rank, row.players[0].number())).collect::<Vec<_>>()
    };
    assert_eq!(around(world.ratings.around(TWO, &player(3), 1).await.unwrap()), [(2, 1), (2, 3), (2, 5)]);
    assert_eq!(around(world.ratings.around(TWO, &player(2), 1).await.unwrap()), [(1, 2), (2, 1)]);
    assert_eq!(around(world.ratings.around(TWO, &player(4), 9).await.unwrap()), expected);
    assert_eq!(world.ratings.around(TWO, &player(9), 1).await.unwrap(), None);
}

#[tokio::test]
async fn whoever_moves_between_two_pages_is_neither_doubled_nor_left_out() {
    let world = World::new();
    let ratings: Vec<i64> = (0..12).map(|number| 100_000 - 100 * (number / 3)).collect();
    world.board_of(&ratings).await;
    let expected = world.walk(20, async |_| ()).await;
    assert_eq!(expected.len(), 12);
    for limit in [1, 2, 4, 5] {
        // One of those shown falls behind, one of those to come rises, one new comes in, one goes up and down again.
        let moved = world
            .walk(limit, async |page| {
                world.stands(1, 10_000 - page as i64).await;
                world.stands(12, 200_000 + page as i64).await;
                world.stands(50 + page as u128, 99_850).await;
                world.stands(6, if page % 2 == 0 { 150_000 } else { 20_000 }).await;
            })
            .await;
        assert_eq!(moved, expected, "pages of {limit}");
        for (number, rating) in (1..).zip(&ratings) {
            world.stands(number, *rating).await;
        }
        for number in 50..80 {
            world.ratings.unrank(&player(number)).await.unwrap();
        }
        // In the order of the first time again, as all have been set anew.
        assert_eq!(world.walk(20, async |_| ()).await, expected);
    }
    let first = world.page(None, 2).await.next.unwrap();
    for _ in 0..=1000 {
        world.stands(1, 1).await;
    }
    assert_eq!(world.ratings.board(TWO, Some(&first), 2).await.unwrap(), Err(StaleCursor));
}

#[tokio::test]
async fn while_matches_are_rated_a_rebuild_writes_only_what_they_change() {
    let world = World::new();
    for number in 0..30 {
        world.ratings.rate(&result(number, TWO, NOW, &[(2 * number, 1), (2 * number + 1, 2)])).await.unwrap();
    }
    world.ratings.annul(&MatchId::from_number(7)).await.unwrap().unwrap();
    let refold = world.ratings.refold();
    let mut rebuilding = refold.begin(TWO).await.unwrap();
    let mut next = async |changes: usize| {
        rebuilding.read_on().await.unwrap();
        assert_eq!(rebuilding.changed.len(), changes);
        rebuilding.stage().await.unwrap()
    };
    assert_eq!(next(58).await, 58, "all whose match was not annulled");
    world.ratings.rate(&result(50, TWO, NOW, &[(1, 1), (70, 2)])).await.unwrap();
    world.ratings.unrank(&player(2)).await.unwrap();
    assert_eq!(next(3).await, 58, "one more, and one less");
    // Somebody leaves, whose rating has been written.
    world.known.insert(player(4), 1, PlayerStatus::deleted());
    world.ratings.forget(&player(4)).await.unwrap();
    assert_eq!(next(0).await, 57);
    // An annulment begins anew.
    world.ratings.annul(&MatchId::from_number(8)).await.unwrap().unwrap();
    assert_eq!(next(57).await, 55);
    world.ratings.rate(&result(51, TWO, NOW, &[(1, 1), (2, 2)])).await.unwrap();
    assert!(!rebuilding.switch(55).await.unwrap());
    rebuilding.read_on().await.unwrap();
    let players = rebuilding.stage().await.unwrap();
    assert!(rebuilding.switch(players).await.unwrap());
    assert_eq!((players, refold.differing(TWO).await.unwrap()), (56, 0));
    assert_eq!(world.ratings.of_player(&player(4)).await.unwrap(), []);
}

#[tokio::test]
async fn a_board_leaves_out_who_is_banned_or_gone_or_has_not_played() {
    let world = World::new();
    world.board_of(&[900, 800, 700, 600]).await;
    world.known.insert(player(2), 1, PlayerStatus::deleted());
    assert_eq!(world.walk(1, async |_| ()).await, [(1, 1), (3, 3), (4, 4)]);
    assert_eq!(world.ratings.around(TWO, &player(2), 1).await.unwrap(), None);
    world.ratings.forget(&player(2)).await.unwrap();
    assert_eq!(world.ratings.of_player(&player(2)).await.unwrap(), []);
    assert_eq!(world.walk(1, async |_| ()).await, [(1, 1), (2, 3), (3, 4)]);
    world.clock.advance_seconds(89 * 86_400);
    world.stands(4, 600).await;
    world.clock.advance_seconds(2 * 86_400);
    assert_eq!(world.walk(1, async |_| ()).await, [(3, 4)]);
    assert!(world.ratings.sweep(TWO).await.unwrap());
    assert_eq!(world.walk(1, async |_| ()).await, [(1, 4)], "those who sleep count no more");
    // Whoever has left is not rated again by a result that comes late.
    world.ratings.rate(&result(1, TWO, NOW, &[(2, 1), (1, 2)])).await.unwrap();
    assert_eq!(world.ratings.of_player(&player(2)).await.unwrap(), []);
}

#[tokio::test]
async fn a_history_goes_back_from_match_to_match() {
    let world = World::new();
    let opponents = [2, 3, 2, 4, 2];
    for (number, opponent) in (0..).zip(opponents) {
        let one = result(number, TWO, NOW + number as i64, &[(1, 1), (opponent, 2)]);
        world.ratings.rate(&one).await.unwrap();
    }
    let (mut found, mut cursor): (Vec<u128>, _) = (Vec::new(), None);
    loop {
        let (page, next) = world.ratings.history((TWO, None), &player(1), cursor, 2).await.unwrap().unwrap();
        let before = page.windows(2).all(|two| two[0].change.before == two[1].change.after);
        assert!(before, "each begins with what the one before has left");
        found.extend(page.iter().map(|change| change.match_id.as_ref().unwrap().number()));
        cursor = next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(found, [4, 3, 2, 1, 0]);
    // The id of a private match is told to its players alone.
    let private = RatedResult { private: true, ..result(20, TWO, NOW, &[(1, 1), (2, 2)]) };
    world.ratings.rate(&private).await.unwrap();
    for (reader, told) in [(None, false), (Some(3), false), (Some(1), true), (Some(2), true)] {
        let reader = reader.map(player);
        for of in [1, 2] {
            let page = world.ratings.history((TWO, reader.as_ref()), &player(of), None, 2).await.unwrap().unwrap().0;
            assert_eq!(page[0].match_id, told.then(|| private.match_id.clone()), "{reader:?} of {of}");
            assert!(page[1].match_id.is_some());
        }
    }
    assert_eq!(world.ratings.history((TWO, None), &player(9), None, 5).await.unwrap(), Some((Vec::new(), None)));
    for foreign in [0, 4, 99] {
        assert_eq!(world.ratings.history((TWO, None), &player(9), Some(foreign), 5).await.unwrap(), None);
    }
}

#[tokio::test]
async fn an_annulled_match_counts_for_nobody_after_a_rebuild() {
    let world = World::new();
    let matches: Vec<RatedResult> =
        (0..3).map(|number| result(number, TWO, NOW + number as i64, &[(1, 1), (2, 2)])).collect();
    for one in [&matches[0], &matches[2]] {
        world.ratings.rate(one).await.unwrap();
    }
    let expected = world.ratings.of_player(&player(1)).await.unwrap();
    let other = World::new();
    for one in &matches {
        other.ratings.rate(one).await.unwrap();
    }
    let id = &matches[1].match_id;
    assert_eq!(other.ratings.annul(id).await.unwrap(), Ok(()));
    assert_eq!(other.ratings.annul(id).await.unwrap(), Ok(()));
    assert_eq!(other.ratings.annul(&MatchId::from_number(99)).await.unwrap(), Err(NotRated));
    assert_eq!(other.store.rating_log(TWO, 0, 9).await.unwrap().len(), 4);
    assert_eq!(other.ratings.refold().differing(TWO).await.unwrap(), 2);
    other.ratings.rebuild(TWO).await.unwrap();
    assert_eq!(other.ratings.refold().differing(TWO).await.unwrap(), 0);
    assert_eq!(other.ratings.of_player(&player(1)).await.unwrap(), expected);
    let rated = other.ratings.of_match(&matches[1]).await.unwrap().unwrap();
    assert!(rated.iter().all(|it| !it.counted && it.after == it.before));
    assert!(!other.ratings.rate(&matches[1]).await.unwrap(), "it is not rated again");
}

#[tokio::test]
async fn whoever_is_unranked_begins_anew_and_stays_so_after_a_rebuild() {
    let world = World::new();
    for number in 0..3 {
        world.ratings.rate(&result(number, TWO, NOW, &[(1, 1), (2, 2)])).await.unwrap();
    }
    assert_eq!(world.ratings.unrank(&player(1)).await.unwrap(), [TWO]);
    assert_eq!(world.ratings.unrank(&player(1)).await.unwrap(), [""; 0]);
    world.ratings.rate(&result(9, TWO, NOW + DAY, &[(1, 1), (3, 2)])).await.unwrap();
    let expected = world.ratings.of_player(&player(1)).await.unwrap();
    assert_eq!((shown(expected[0].1.rating), expected[0].1.played), (1662, 1));
    world.ratings.rebuild(TWO).await.unwrap();
    assert_eq!(world.ratings.of_player(&player(1)).await.unwrap(), expected);
}

#[tokio::test]
async fn a_log_that_is_carried_makes_the_same_ratings() {
    let world = World::new();
    for number in 0..20 {
        world.ratings.rate(&result(number, MORE, NOW, &[(1, 1), (2 + number % 3, 2), (9, 2)])).await.unwrap();
    }
    world.ratings.annul(&MatchId::from_number(4)).await.unwrap().unwrap();
    world.ratings.rebuild(MORE).await.unwrap();
    let (log, other) = (world.store.rating_log(MORE, 0, 100).await.unwrap(), World::new());
    for (from, part, restored) in [
        (5, &log[5..], Restored::Kept),
        (0, &log[..7], Restored::Written),
        (0, &log[..9], Restored::Written),
        (3, &log[3..9], Restored::Same),
        (9, &log[9..], Restored::Written),
        (3, &log[..3], Restored::Kept),
    ] {
        assert_eq!(other.ratings.refold().restore(MORE, from, part.to_vec()).await.unwrap(), restored, "{from}");
    }
    other.ratings.rebuild(MORE).await.unwrap();
    let id = Some(MatchId::from_number(7));
    let players: Vec<PlayerId> = (1..10).map(player).collect();
    let [one, two] = [&world, &other].map(|world| world.store.ratings(MORE, &players, id.as_ref()));
    assert_eq!(one.await.unwrap(), two.await.unwrap());
}

/// Ten thousand matches, with annulments and players who begin anew on the way.
#[tokio::test]
async fn a_rebuild_is_equal_to_the_running_board_after_ten_thousand_matches() {
    let world = World::new();
    let mut dice = Dice::new(DiceSeed([3; 32]));
    let mut draw = |below: usize| dice.index(below).unwrap();
    for number in 0..10_000_u128 {
        let two = draw(2) == 0;
        let size = if two { 2 } else { 3 + draw(3) };
        let mut players: Vec<u128> = Vec::new();
        while players.len() < size {
            let next = 1 + draw(40) as u128;
            if !players.contains(&next) {
                players.push(next);
            }
        }
        let ranks: Vec<(u128, u8)> = players.into_iter().map(|player| (player, 1 + draw(size) as u8)).collect();
        // Ended in about the order in which they are rated.
        let at = NOW + number as i64 * 3_600_000 - draw(7_200_000) as i64;
        world.ratings.rate(&result(number, if two { TWO } else { MORE }, at, &ranks)).await.unwrap();
        if number % 1_000 == 999 {
            let annulled = MatchId::from_number(draw(number as usize) as u128);
            world.ratings.annul(&annulled).await.unwrap().unwrap();
            world.ratings.refold().rebuild_all(None).await.unwrap();
            world.ratings.unrank(&player(1 + draw(40) as u128)).await.unwrap();
        }
    }
    let players: Vec<PlayerId> = (1..=40).map(player).collect();
    for category in [TWO, MORE] {
        let before = world.store.ratings(category, &players, None).await.unwrap();
        let board = world.store.board(category, None, false, 100).await.unwrap();
        assert!(before.length > 4_000 && board.len() > 30, "{category}: {} {}", before.length, board.len());
        assert_eq!(world.ratings.refold().differing(category).await.unwrap(), 0);
        let rebuilt = world.ratings.rebuild(category).await.unwrap();
        assert_eq!((rebuilt.entries, rebuilt.players), (before.length, before.stored.iter().flatten().count()));
        assert_eq!(world.store.ratings(category, &players, None).await.unwrap(), before);
        assert_eq!(world.store.board(category, None, false, 100).await.unwrap(), board);
    }
}
