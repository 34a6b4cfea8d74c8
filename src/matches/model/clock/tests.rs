//! The table of the contract, with a clock that stands where it is put.

use super::*;
use sarsen_base::ambient::Timestamp;
use sarsen_games::bots::Level;
use sarsen_rules::{Mode, SeatCount};

fn two() -> SeatCount {
    SeatCount::new(2).unwrap()
}

fn terms(wanted: &WantedClock) -> ClockTerms {
    ClockTerms::settle(wanted, Mode::Competitive, two(), None).unwrap()
}

/// {initial 300, increment 5, delay 2, max_bank 600, first_move 30}.
fn usual() -> ClockTerms {
    terms(&WantedClock {
        initial_seconds: 300,
        increment_seconds: 5,
        delay_seconds: 2,
        max_bank_seconds: Some(600),
        first_move_seconds: Some(Some(30)),
        ..WantedClock::default()
    })
}

/// A clock behind its first turn, with so many seconds in the bank and a turn from 0 on.
fn later(terms: &ClockTerms, bank: i64) -> SeatClock {
    let mut clock = SeatClock::new(terms);
    clock.begin(Timestamp(0), false);
    clock.end(terms, Timestamp(0));
    clock.give(terms, bank * 1000 - clock.bank_milliseconds());
    clock.begin(Timestamp(0), false);
    clock
}

/// Returns whether a move at this moment is in time, and the bank after it.
fn answered(terms: &ClockTerms, mut clock: SeatClock, at: i64) -> (bool, i64) {
    let in_time = !clock.is_late(terms, Timestamp(at));
    clock.end(terms, Timestamp(at));
    (in_time, clock.bank_milliseconds())
}

#[test]
fn the_first_turn_has_a_time_of_its_own() {
    let terms = usual();
    let mut clock = SeatClock::new(&terms);
    clock.begin(Timestamp(0), false);
    assert_eq!(clock.deadline(&terms), Some(Timestamp(30_000)));
    for (at, in_time) in [(29_900, true), (30_900, true), (31_000, true), (31_001, false), (31_100, false)] {
        assert_eq!(answered(&terms, clock, at), (in_time, 300_000), "{at}");
    }
}

#[test]
fn every_later_turn_is_charged_beyond_the_delay_and_gains_the_increment() {
    let terms = usual();
    for (bank, at, in_time, after) in [
        (300, 1_500, true, 305_000),
        (305, 12_000, true, 300_000),
        (300, 302_000, true, 5_000),
        (300, 302_900, true, 5_000),
        (300, 303_000, true, 5_000),
        (300, 303_001, false, 5_000),
        (300, 303_100, false, 5_000),
        (598, 100, true, 600_000),
        (300, 14_000, true, 293_000),
    ] {
        assert_eq!(answered(&terms, later(&terms, bank), at), (in_time, after), "{bank} s, answered at {at} ms");
    }
    let deadline = later(&terms, 300).deadline(&terms).unwrap();
    assert_eq!(deadline.0 + CLOCK_GRACE_MILLIS + ACTED_AFTER_MILLIS, 304_000, "from when on the service acts");
}

#[test]
fn days_a_turn_are_a_delay_without_a_bank() {
    let terms = terms(&WantedClock { delay_seconds: 259_200, ..WantedClock::default() });
    assert_eq!((terms.speed(), terms.first_move_seconds), (Speed::Correspondence, None));
    let mut clock = SeatClock::new(&terms);
    for turn in 0..5 {
        let began = turn * 1_000_000_000;
        clock.begin(Timestamp(began), false);
        assert_eq!(clock.deadline(&terms), Some(Timestamp(began + 259_200_000)));
        clock.end(&terms, Timestamp(began + 259_200_900));
        assert_eq!(clock.bank_milliseconds(), 0);
    }
}

#[test]
fn a_turn_that_passes_leaves_the_increment() {
    let terms = usual();
    let mut clock = later(&terms, 300);
    clock.pass(&terms);
    assert_eq!((clock.bank_milliseconds(), clock.timeouts(), clock.turn_started_at()), (5_000, 1, None));
    clock.begin(Timestamp(0), false);
    clock.pass(&terms);
    assert_eq!(clock.timeouts(), 2);
    clock.begin(Timestamp(0), false);
    clock.end(&terms, Timestamp(1_000));
    assert_eq!((clock.bank_milliseconds(), clock.timeouts()), (10_000, 0), "a turn in time begins anew");
}

#[test]
fn time_that_is_given_is_there_at_once() {
    let terms = usual();
    let mut clock = later(&terms, 300);
    clock.give(&terms, 60_000);
    assert_eq!((clock.bank_milliseconds(), clock.deadline(&terms)), (360_000, Some(Timestamp(362_000))));
    let mut first = SeatClock::new(&terms);
    first.begin(Timestamp(0), false);
    first.give(&terms, 60_000);
    assert_eq!((first.bank_milliseconds(), first.deadline(&terms)), (300_000, Some(Timestamp(90_000))));
    let mut waiting = later(&terms, 600);
    waiting.end(&terms, Timestamp(0));
    waiting.give(&terms, 60_000);
    assert_eq!(waiting.bank_milliseconds(), 660_000, "for the next turn, whatever the bank can hold after it");
    waiting.begin(Timestamp(0), false);
    waiting.end(&terms, Timestamp(0));
    assert_eq!(waiting.bank_milliseconds(), 600_000);
}

#[test]
fn an_outage_does_not_count() {
    let terms = usual();
    let mut clock = later(&terms, 300);
    assert_eq!(clock.unexcused_since(), Some(Timestamp(0)));
    clock.excuse(60_000, Timestamp(310_000));
    assert_eq!((clock.deadline(&terms), clock.unexcused_since()), (Some(Timestamp(362_000)), Some(Timestamp(310_000))));
    assert_eq!(clock.used_milliseconds(Timestamp(315_000)), Some(255_000));
    assert_eq!(answered(&terms, clock, 362_000), (true, 5_000));
}

#[test]
fn others_give_a_seat_of_a_live_match_so_much_a_turn() {
    let live = |wanted: WantedClock| terms(&wanted);
    for (terms, most) in [
        (usual(), Some(305_000)),
        (live(WantedClock { initial_seconds: 60, increment_seconds: 5, ..WantedClock::default() }), Some(300_000)),
        (live(WantedClock { delay_seconds: 86_400, ..WantedClock::default() }), None),
    ] {
        let mut clock = SeatClock::new(&terms);
        clock.begin(Timestamp(0), false);
        assert_eq!(clock.may_be_given(&terms), most);
        clock.give(&terms, 100_000);
        clock.give(&terms, 100_000);
        assert_eq!(clock.may_be_given(&terms), most.map(|most| most - 200_000), "in its turn and beside it alike");
        clock.end(&terms, Timestamp(1));
        assert_eq!(clock.may_be_given(&terms), most, "once the turn is over");
        clock.give(&terms, 100_000);
        clock.begin(Timestamp(1), false);
        assert_eq!(clock.may_be_given(&terms), most.map(|most| most - 100_000), "also before the turn");
        clock.pass(&terms);
        assert_eq!(clock.may_be_given(&terms), most);
    }
}

#[test]
fn speed_is_that_of_forty_turns() {
    for (initial_seconds, increment_seconds, delay_seconds, speed) in [
        (300, 5, 0, Speed::Live),
        (0, 0, 259_200, Speed::Correspondence),
        (7_200, 0, 0, Speed::Live),
        (10_800, 120, 0, Speed::Correspondence),
        (14_399, 0, 0, Speed::Live),
        (14_400, 0, 0, Speed::Correspondence),
        (0, 0, 359, Speed::Live),
        (0, 0, 360, Speed::Correspondence),
    ] {
        let wanted = WantedClock { initial_seconds, increment_seconds, delay_seconds, ..WantedClock::default() };
        assert_eq!(terms(&wanted).speed(), speed, "{wanted:?}");
    }
}

#[test]
fn what_is_out_of_bounds_is_named() {
    let live = WantedClock { initial_seconds: 300, ..WantedClock::default() };
    let settle = |wanted: &WantedClock, seats| ClockTerms::settle(wanted, Mode::Competitive, seats, None);
    let fault = |wanted: WantedClock| settle(&wanted, two()).unwrap_err().field;
    assert_eq!(fault(WantedClock::default()), "initial_seconds");
    assert_eq!(fault(WantedClock { initial_seconds: -1, ..live.clone() }), "initial_seconds");
    assert_eq!(fault(WantedClock { initial_seconds: 31_536_001, ..live.clone() }), "initial_seconds");
    assert_eq!(fault(WantedClock { increment_seconds: 2_592_001, ..live.clone() }), "increment_seconds");
    assert_eq!(fault(WantedClock { delay_seconds: i64::MAX, ..live.clone() }), "delay_seconds");
    assert_eq!(fault(WantedClock { max_bank_seconds: Some(299), ..live.clone() }), "max_bank_seconds");
    assert_eq!(fault(WantedClock { first_move_seconds: Some(Some(9)), ..live.clone() }), "first_move_seconds");
    assert_eq!(fault(WantedClock { first_move_seconds: Some(Some(604_801)), ..live.clone() }), "first_move_seconds");
    assert_eq!(fault(WantedClock { timeouts_allowed: Some(101), ..live.clone() }), "timeouts_allowed");
    let most = WantedClock { initial_seconds: 31_536_000, increment_seconds: 2_592_000, ..live.clone() };
    settle(&most, two()).unwrap();
    let alone = |wanted: WantedClock| settle(&wanted, SeatCount::ONE).map_err(|invalid| invalid.field);
    assert_eq!(alone(live.clone()).unwrap().first_move_seconds, None);
    assert_eq!(alone(WantedClock { delay_seconds: 1, ..live.clone() }), Err("delay_seconds"));
    assert_eq!(alone(WantedClock { increment_seconds: 1, ..live.clone() }), Err("increment_seconds"));
    assert_eq!(alone(WantedClock { max_bank_seconds: Some(300), ..live.clone() }), Err("max_bank_seconds"));
    assert_eq!(alone(WantedClock { first_move_seconds: Some(Some(30)), ..live.clone() }), Err("first_move_seconds"));
    assert_eq!(alone(WantedClock { on_timeout: Some(OnTimeout::AbsentMove), ..live.clone() }), Err("on_timeout"));
    assert_eq!(alone(WantedClock { initial_seconds: 0, delay_seconds: 1, ..live }), Err("initial_seconds"));
}

#[test]
fn what_is_left_out_follows_from_the_game_and_the_speed() {
    let live = WantedClock { initial_seconds: 300, ..WantedClock::default() };
    let slow = WantedClock { delay_seconds: 86_400, ..WantedClock::default() };
    let settled = |wanted: &WantedClock, mode| ClockTerms::settle(wanted, mode, two(), None).unwrap();
    assert_eq!(settled(&live, Mode::Competitive).on_timeout, OnTimeout::Forfeit);
    assert_eq!(settled(&live, Mode::Cooperative).on_timeout, OnTimeout::AbsentMove);
    assert_eq!(settled(&live, Mode::Competitive).timeouts_allowed, 2);
    assert_eq!(settled(&live, Mode::Competitive).first_move_seconds, Some(30));
    assert_eq!(settled(&slow, Mode::Competitive).first_move_seconds, None);
    let never = WantedClock { first_move_seconds: Some(None), ..live };
    assert_eq!(settled(&never, Mode::Competitive).first_move_seconds, None);
    let settled = settled(&never, Mode::Cooperative);
    assert_eq!(
        ClockTerms::settle(&settled.wanted(), Mode::Competitive, two(), None),
        Ok(settled),
        "asked for once more"
    );
}

#[test]
fn a_bot_takes_over_where_the_game_has_one() {
    let live = WantedClock { initial_seconds: 300, ..WantedClock::default() };
    let bot = WantedClock { on_timeout: Some(OnTimeout::Bot), ..live.clone() };
    let settle = |wanted: &WantedClock, bots| ClockTerms::settle(wanted, Mode::Competitive, two(), bots);
    let takes_over = |level, version| Some(TakeoverBot { level, version });
    assert_eq!(settle(&bot, Some(3)).unwrap().takeover_bot, takes_over(Level::Medium, 3));
    let hard = WantedClock { takeover_bot: Some(Level::Hard), ..bot.clone() };
    assert_eq!(settle(&hard, Some(3)).unwrap().takeover_bot, takes_over(Level::Hard, 3));
    assert_eq!(settle(&bot, None).unwrap_err().field, "on_timeout");
    let nobody = WantedClock { takeover_bot: Some(Level::Hard), ..live };
    assert_eq!(settle(&nobody, Some(3)).unwrap_err().field, "takeover_bot");
    assert_eq!(ClockTerms::settle(&bot, Mode::Solo, SeatCount::ONE, Some(3)).unwrap_err().field, "on_timeout");
}
