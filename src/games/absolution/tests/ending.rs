//! The altar, the rescue, and the count of pairs.

use super::*;

/// All coloured numbers up to 28 but 1, 2 and so on, so that `size` are left.
fn matched(size: usize) -> Vec<u8> {
    Number::all().filter(|number| !track::is_black(*number)).map(Number::get).take(size).collect()
}

/// Night 11 fails on B19 with a trilithon on 12; then it is seat 0's turn on 12.
fn pending(hand: &str, field: &str) -> State {
    let state = position(Phase::Night, 12, &[hand, "D13", ""], field);
    let mut state = with_trilithons(with_druid(state, "B19"), &[12]);
    state.turn = Turn::of(Phase::Night, number(11));
    state.nights_out = numbers(&[1, 2, 3, 4, 5, 7, 8, 9, 10]);
    make(&mut state, &["pass"]);
    state
}

#[test]
fn ab_18_thirteen_inner_pairs_win_and_twelve_lose() {
    for (size, ending, won) in [(13, "saved", true), (12, "too_few_pairs", false), (24, "saved", true)] {
        let mut state = with_inner_pairs(position(Phase::Night, 30, &["", ""], "D1 D2"), &matched(size));
        make(&mut state, &["pass"]);
        assert_eq!(result(&state), (ending.to_owned(), won, size as i64, 25 - size as i64));
    }
}

#[test]
fn ab_19_thirteen_against_twelve_is_enough() {
    let mut state = with_inner_pairs(position(Phase::Night, 29, &["N29", ""], "D1 D2"), &matched(12));
    make(&mut state, &["play N29", "pass"]);
    assert_eq!(result(&state), ("saved".to_owned(), true, 13, 12));
}

#[test]
fn ab_21_the_last_bluestone_is_safe_at_the_end() {
    let state = with_inner_pairs(position(Phase::Night, 30, &["", ""], "D1 D2"), &matched(13));
    let mut state = with_druid(state, "B19");
    make(&mut state, &["pass"]);
    assert_eq!(result(&state).0, "saved");
}

#[test]
fn ab_22_without_a_rescue_the_loss_is_immediate() {
    // 11, the next number, is not black.
    let mut state = with_druid(position(Phase::Night, 10, &["", "D12"], "D1 D2"), "B19");
    state.trilithons = numbers(&[12]);
    make(&mut state, &["pass"]);
    assert_eq!(result(&state).0, "sacrificed");
    // 12 is black, but bears no trilithon.
    let mut state = with_druid(position(Phase::Night, 11, &["", "D12"], "D1 D2"), "B19");
    state.trilithons = numbers(&[18]);
    make(&mut state, &["pass"]);
    assert_eq!(result(&state).0, "sacrificed");
}

#[test]
fn ab_22_a_trilithon_on_the_next_number_keeps_hope() {
    let state = pending("", "D1 D2 D3");
    assert!(goes_on(&state) && state.rescue_pending() && state.druid.on_altar());
    assert_eq!((actor(&state), state.number()), (seat(0), number(12)));
    let view = Absolution.view(&state, Viewer::Spectator);
    assert_eq!((view.rescue_pending, view.druid.to_string().as_str(), view.ending), (true, "altar", None));
}

#[test]
fn ab_23_no_rescue_by_day() {
    let mut state = with_druid(position(Phase::Day, 11, &["", "D12"], "D1 D2"), "B19");
    make(&mut state, &["pass"]);
    assert_eq!(result(&state).0, "sacrificed");
}

#[test]
fn ab_24_the_rescuer_may_use_the_field() {
    let mut state = pending("N4 D9", "D12 N2 D1");
    assert!(legal_matches(&state).is_empty(), "not from the hand");
    make(&mut state, &["exchange D9 D12", "play D12"]);
    assert_eq!((state.druid.to_string().as_str(), state.rescue_pending()), ("B19", false));
    assert_eq!((hand(&state, 0).len(), state.trilithons), (2, NumberSet::EMPTY), "N4 and one drawn");
    assert!(goes_on(&state));
}

#[test]
fn ab_25_the_rescue_ends_on_the_last_bluestone() {
    let mut state = pending("D12", "D1 N2 D3");
    let events = make(&mut state, &["play D12"]);
    let moves: Vec<(String, String)> = events
        .iter()
        .filter_map(|event| match event {
            Event::DruidMoved(DoomedDruidMoved { from, to }) => Some((from.to_string(), to.to_string())),
            _ => None,
        })
        .collect();
    assert_eq!(moves, [("altar".to_owned(), "B19".to_owned())]);
    make(&mut state, &["pass"]);
    assert_eq!(result(&state).0, "sacrificed", "14 is not black");
}

#[test]
fn ab_26_a_rescuer_who_passes_loses() {
    for hand in ["D12", ""] {
        let mut state = pending(hand, "D1 N2 D3");
        make(&mut state, &["pass"]);
        assert_eq!(result(&state).0, "sacrificed");
        assert_eq!(state.trilithons, numbers(&[12]));
    }
}

#[test]
fn ab_26_nobody_is_told_whether_the_rescuer_can() {
    let (can, cannot) = (pending("D12", "D1 N2 D3"), pending("D14", "D1 N2 D3"));
    for viewer in [Viewer::Seat(seat(1)), Viewer::Spectator] {
        assert_eq!(Absolution.view(&can, viewer), Absolution.view(&cannot, viewer));
    }
    assert_eq!(Absolution.status(&can), Absolution.status(&cannot));
}

#[test]
fn ab_27_the_failing_turn_moves_its_disk() {
    let state = pending("D12", "D1 N2 D3");
    assert!(state.days_out.contains(number(11)) && state.nights_out.contains(number(11)));
    let mut state = with_druid(position(Phase::Night, 10, &["", ""], "D1 D2"), "B19");
    let outer = state.outer_pairs();
    let events = make(&mut state, &["pass"]);
    assert_eq!(state.outer_pairs(), outer + 1);
    assert!(matches!(events[..], [Event::Missed(_), Event::DruidMoved(_), Event::DiskMoved(_), Event::Ended(_)]));
}

#[test]
fn ab_28_a_rescue_on_the_last_turn() {
    for (size, ending) in [(13, "saved"), (12, "too_few_pairs")] {
        let state = with_inner_pairs(position(Phase::Night, 29, &["", "D30"], "D1 D2"), &matched(size));
        let mut state = with_trilithons(with_druid(state, "B19"), &[30]);
        make(&mut state, &["pass", "play D30"]);
        assert_eq!(result(&state), (ending.to_owned(), size == 13, size as i64, 25 - size as i64));
        assert_eq!(state.druid, Druid::LAST);
    }
}

#[test]
fn ab_35_nothing_ends_early() {
    // Thirteen outer pairs after Night 15: it cannot be won any more, and goes on.
    let mut state = position(Phase::Night, 16, &["", ""], "D1 D2");
    assert_eq!(state.outer_pairs(), 13);
    make(&mut state, &["pass"]);
    assert!(goes_on(&state));
    // Thirteen inner pairs: it is not won yet.
    let state = with_inner_pairs(position(Phase::Night, 17, &["", ""], "D1 D2"), &matched(13));
    let mut state = with_druid(state, "B1");
    assert_eq!(state.inner_pairs(), 13);
    make(&mut state, &["pass"]);
    assert!(goes_on(&state));
}

#[test]
fn ab_39_the_result_is_common() {
    let mut state = with_inner_pairs(position(Phase::Night, 30, &["", "", "", "", ""], "D1 D2 D3 D4 D5"), &matched(13));
    make(&mut state, &["pass"]);
    let Status::Over(outcome) = Absolution.status(&state) else { panic!("it goes on") };
    assert_eq!(outcome.standings.len(), 5);
    assert!(outcome.standings.iter().all(|standing| standing.verdict == Verdict::Won && standing.rank == 1));
}

#[test]
fn ab_40_disks_on_the_inner_ring_win() {
    // All day disks are back inside but that of 29, which Night 29 now brings back.
    let all: Vec<u8> = matched(24);
    let mut state = with_inner_pairs(position(Phase::Night, 29, &["D29", ""], "D1 D2"), &all);
    make(&mut state, &["play D29", "pass"]);
    assert_eq!(result(&state), ("saved".to_owned(), true, 25, 0));
}

#[test]
fn the_end_lays_everything_open() {
    let mut state = with_pile(position(Phase::Night, 30, &["D7", "D8"], "D1 D2"), 3);
    let before = Absolution.view(&state, Viewer::Spectator);
    assert_eq!((before.seats[0].hand, before.pile), (None, None));
    let mut rehearsed = state.clone();
    let pass = Absolution.parse("pass").unwrap();
    let told = sarsen_rules::rehearse(&Absolution, &mut rehearsed, seat(0), pass).unwrap();
    assert!(told.chance_pending && matches!(told.events[..], [Event::Missed(_)]));
    let held_back = Absolution.view(&rehearsed, Viewer::Spectator);
    assert_eq!((held_back.step, held_back.seats[0].hand, held_back.pile), (Step::Revealing, None, None));

    let next: Vec<Card> = state.pile.cards().iter().rev().copied().collect();
    let events = make(&mut state, &["pass"]);
    let Some(Event::Ended(ended)) = events.last() else { panic!("{events:?}") };
    assert_eq!((&ended.hands[..], &ended.pile), (&[cards("D7"), cards("D8")][..], &next));
    let after = Absolution.view(&state, Viewer::Spectator);
    assert_eq!((after.seats[1].hand, after.pile), (Some(cards("D8")), Some(next)));
}
