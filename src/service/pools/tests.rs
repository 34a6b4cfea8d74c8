//! Pairing as a function of tickets and time, and simulations of it.

use super::PlayerPool;
use super::definition::SeatRange;
use super::pairing::{RatingRange, WaitingTicket, pair};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;
use sarsen_games::{GameSettings, Games};
use sarsen_matches::model::clock::Speed;
use sarsen_rules::{Dice, DiceSeed};

const TWO: SeatRange = SeatRange { min: 2, max: 2 };
const SECOND: i64 = 1000;

fn waiting(number: u128, since: i64, rating: i32) -> WaitingTicket {
    let (player, since) = (PlayerId::from_number(number), Timestamp(since * SECOND));
    WaitingTicket { player, person: true, since, rating, range: None, last: Vec::new() }
}

fn paired(seats: SeatRange, rated: bool, tickets: &[WaitingTicket], now: i64) -> Vec<Vec<usize>> {
    pair(seats, rated, tickets, Timestamp(now * SECOND), &|_, _| false)
}

#[test]
fn the_oldest_tickets_are_paired_first() {
    let tickets: Vec<WaitingTicket> = (0..5).map(|number| waiting(number, number as i64, 1500)).collect();
    assert_eq!(paired(TWO, false, &tickets, 5), [[0, 1], [2, 3]]);
}

#[test]
fn nobody_plays_with_themselves_or_whom_they_are_kept_apart_from() {
    let twice = [waiting(7, 0, 1500), waiting(7, 1, 1500)];
    assert!(paired(TWO, false, &twice, 100).is_empty());
    let three = [waiting(1, 0, 1500), waiting(2, 1, 1500), waiting(3, 2, 1500)];
    let apart = |one: usize, other: usize| (one.min(other), one.max(other)) == (0, 1);
    assert_eq!(pair(TWO, false, &three, Timestamp(9 * SECOND), &apart), [[0, 2]]);
    let bot = WaitingTicket { person: false, ..waiting(2, 1, 1500) };
    assert!(paired(TWO, false, &[waiting(1, 0, 1500), bot], 100).is_empty());
}

#[test]
fn distance_grows_with_the_wait_of_the_shorter_waiter() {
    let at = |distance: i32, waited: i64| {
        let tickets = [waiting(1, 0, 1500), waiting(2, 100 - waited, 1500 + distance)];
        !paired(TWO, true, &tickets, 100).is_empty()
    };
    assert!(at(100, 0) && !at(101, 0));
    assert!(at(150, 5) && !at(151, 5));
    assert!(!at(2000, 59) && at(2000, 60), "both have waited a minute");
    assert!(!paired(TWO, false, &[waiting(1, 0, 1500), waiting(2, 100, 3000)], 100).is_empty(), "casual: any distance");
    // Of several the nearest is chosen.
    let near = [waiting(1, 0, 1500), waiting(2, 0, 1600), waiting(3, 0, 1510)];
    assert_eq!(paired(TWO, true, &near, 1), [[0, 2]]);
}

#[test]
fn both_ranges_hold() {
    let range = |min, max| Some(RatingRange { min, max });
    let picky = WaitingTicket { range: range(1550, 1700), ..waiting(1, 0, 1500) };
    let fits = WaitingTicket { range: range(1500, 1600), ..waiting(2, 0, 1550) };
    let other = WaitingTicket { range: range(1501, 1600), ..waiting(2, 0, 1550) };
    assert_eq!(paired(TWO, false, &[picky.clone(), fits], 1), [[0, 1]]);
    assert!(paired(TWO, false, &[picky.clone(), other], 1).is_empty());
    assert!(paired(TWO, false, &[picky, waiting(2, 0, 1549)], 1).is_empty());
}

#[test]
fn the_last_opponents_meet_again_only_where_nobody_else_is_there() {
    let met = |number: u128, other: u128| WaitingTicket {
        last: vec![PlayerId::from_number(other)],
        ..waiting(number, 0, 1500)
    };
    assert_eq!(paired(TWO, false, &[met(1, 2), met(2, 1), waiting(3, 1, 1500)], 2), [[0, 2]]);
    assert_eq!(paired(TWO, false, &[met(1, 2), met(2, 1)], 2), [[0, 1]]);
}

#[test]
fn a_match_has_a_player_less_for_every_twenty_seconds() {
    let seats = SeatRange { min: 2, max: 5 };
    let tickets = |count: u128| (0..count).map(|number| waiting(number, 0, 1500)).collect::<Vec<_>>();
    let size = |count, now| paired(seats, false, &tickets(count), now).first().map(Vec::len);
    assert_eq!(
        (size(5, 0), size(4, 19), size(4, 20), size(3, 39), size(3, 40)),
        (Some(5), None, Some(4), None, Some(3))
    );
    assert_eq!((size(2, 59), size(2, 60), size(1, 1000)), (None, Some(2), None));
    assert_eq!(size(5, 60), Some(5), "as many as there are");
}

/// The waits and distances of so many players who come at random within ten minutes, each with a rating between 1000 and
/// 2000, in rounds of two seconds: the share paired, the median and the highest wait in seconds, the median distance.
fn simulated(players: usize) -> (f64, i64, i64, i64) {
    let mut dice = Dice::new(DiceSeed([9; 32]));
    let mut coming: Vec<WaitingTicket> = (0..players)
        .map(|number| {
            let rating = 1000 + (dice.below(501) + dice.below(501)).cast_signed();
            waiting(number as u128, i64::from(dice.below(600)), rating)
        })
        .collect();
    coming.sort_by_key(|ticket| ticket.since);
    let (mut queue, mut waits, mut distances) = (Vec::<WaitingTicket>::new(), Vec::new(), Vec::new());
    let mut coming = coming.into_iter().peekable();
    for now in (0..=720).step_by(2) {
        while let Some(ticket) = coming.next_if(|ticket| ticket.since.0 <= now * SECOND) {
            queue.push(ticket);
        }
        let groups = paired(TWO, true, &queue, now);
        for group in &groups {
            waits.extend(group.iter().map(|&one| now - queue[one].since.0 / SECOND));
            distances.push(queue[group[0]].distance(&queue[group[1]]));
        }
        let gone: Vec<usize> = groups.concat();
        let mut place = 0;
        queue.retain(|_| {
            place += 1;
            !gone.contains(&(place - 1))
        });
    }
    waits.sort_unstable();
    distances.sort_unstable();
    let share = waits.len() as f64 / players as f64;
    let median = |of: &[i64]| of.get(of.len() / 2).copied().unwrap_or(0);
    (share, median(&waits), waits.last().copied().unwrap_or(0), median(&distances))
}

#[test]
fn waits_and_distances_by_simulation() {
    for (players, share, median_wait, longest_wait, median_distance) in
        [(10, 1.0, 80, 400, 500), (100, 1.0, 12, 260, 200), (1000, 1.0, 4, 110, 100)]
    {
        let found = simulated(players);
        println!("{players} players: {found:?}");
        let fits = found.0 >= share && found.1 <= median_wait && found.2 <= longest_wait && found.3 <= median_distance;
        assert!(fits, "{players} players: {found:?}");
    }
}

#[test]
fn ten_thousand_tickets_are_paired_in_one_call() {
    let tickets: Vec<WaitingTicket> =
        (0..10_000).map(|number| waiting(number, 0, 1000 + (number % 1000) as i32)).collect();
    let groups = paired(TWO, true, &tickets, 10);
    let mut seen: Vec<usize> = groups.concat();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 10_000, "everybody once");
    assert!(groups.iter().all(|group| tickets[group[0]].distance(&tickets[group[1]]) <= 200));
}

#[test]
fn the_built_in_pools_are_such_as_a_file_could_have() {
    let games = Games::standard(GameSettings::default());
    let pools = PlayerPool::built_in(&games);
    assert!(pools.iter().any(|pool| pool.id == "contiguity-live" && pool.speed() == Speed::Live));
    assert!(pools.iter().all(|pool| pool.id.ends_with("live") == (pool.speed() == Speed::Live)));
    let written: Vec<_> = pools
        .iter()
        .map(|pool| {
            let seats = serde_json::json!({"min": pool.seats.min, "max": pool.seats.max});
            serde_json::json!({"id": pool.id, "game": pool.game, "seats": seats, "preset": pool.preset})
        })
        .collect();
    assert_eq!(PlayerPool::read_list(&serde_json::to_string(&written).unwrap(), &games).unwrap(), pools);
    let pool = |change: &str| {
        let mut pool = written[0].clone();
        let change: serde_json::Value = serde_json::from_str(change).unwrap();
        pool.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        PlayerPool::read_list(&serde_json::json!([pool]).to_string(), &games)
    };
    assert!(pool("{}").is_ok());
    assert!(pool(r#"{"rated": true}"#).unwrap()[0].rated);
    for wrong in [
        r#"{"id": "Live"}"#,
        r#"{"id": ""}"#,
        r#"{"game": "chess"}"#,
        r#"{"seats": {"min": 1, "max": 2}}"#,
        r#"{"seats": {"min": 2, "max": 9}}"#,
        r#"{"preset": "daily"}"#,
        r#"{"options": {"colour": "red"}}"#,
        r#"{"rated": true, "preset": "friendly"}"#,
        r#"{"rated": true, "options": {"turn_limit": 20}}"#,
        r#"{"speed": "live"}"#,
    ] {
        assert!(pool(wrong).is_err(), "{wrong}");
    }
    let twice = serde_json::json!([written[0], written[0]]).to_string();
    assert!(PlayerPool::read_list(&twice, &games).unwrap_err().to_string().contains("twice"));
}
