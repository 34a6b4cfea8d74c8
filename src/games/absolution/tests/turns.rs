//! Effects of a turn: draws, disks, trilithons, the Druid.

use super::*;

fn stone(state: &State) -> String {
    state.druid.to_string()
}

#[test]
fn ab_06_passing_on_black_moves_nothing() {
    let before = position(Phase::Day, 6, &["D6 D7", "D8"], "D1 D2");
    let mut state = before.clone();
    let events = make(&mut state, &["pass"]);
    assert_eq!(state, State { turn: Turn::of(Phase::Day, number(7)), ..before });
    assert_eq!(events.len(), 2, "missed, and the next turn: {events:?}");
}

#[test]
fn ab_10_an_exchange_leaves_one_card_to_draw() {
    let by_night = position(Phase::Night, 9, &["D3 D9", ""], "D20 D30");
    let mut state = by_night.clone();
    make(&mut state, &["exchange D3 D20", "play D9"]);
    assert_eq!((hand(&state, 0).len(), state.pile.len()), (2, 60), "D20 and one drawn");
    assert!(!state.days_out.contains(number(9)));

    let mut state = by_night;
    make(&mut state, &["exchange D3 D20", "pass"]);
    assert_eq!((hand(&state, 0), state.pile.len()), (cards("D9 D20"), 61));
    assert_eq!(stone(&state), "B2");
    assert!(state.nights_out.contains(number(9)) && state.days_out.contains(number(9)));
}

#[test]
fn ab_15_the_draw_counts_neither_cards_played_nor_what_the_pile_lacks() {
    for (hands, text) in [("D9 D3 D6", "play D9"), ("D9 D3 D6", "play D3 D6")] {
        let mut state = position(Phase::Day, 9, &[hands, ""], "D1 D2");
        make(&mut state, &[text]);
        assert_eq!(state.pile.len(), 58, "two cards for {text}");
    }
    let mut state = with_pile(position(Phase::Day, 9, &["D9 D8", "D10 D4"], "D1 D2"), 1);
    make(&mut state, &["play D9"]);
    assert_eq!((hand(&state, 0).len(), state.pile.len()), (2, 0));
    let events = make(&mut state, &["exchange D4 D1", "play D10"]);
    assert_eq!((hand(&state, 1), state.pile.len()), (cards("D1"), 0));
    assert!(!events.iter().any(|event| matches!(event, Event::Drawn(_))));
    assert!(goes_on(&state) && state.turn == Turn::of(Phase::Day, number(11)));
}

#[test]
fn ab_16_the_draw_is_no_decision() {
    let mut state = position(Phase::Day, 9, &["D9 D3 D6", "D4"], "D1 D2");
    let events = make(&mut state, &["play D9"]);
    assert!(events.iter().any(|event| matches!(event, Event::Drawn(ReplacementsDrawn { count: 2, .. }))));
    assert_eq!(actor(&state), seat(1));
}

#[test]
fn ab_16_a_rehearsal_stops_before_the_draw() {
    let mut state = position(Phase::Day, 9, &["D9 D3 D6", "D4"], "D1 D2");
    let mv = Absolution.parse("play D9").unwrap();
    let rehearsed = sarsen_rules::rehearse(&Absolution, &mut state, seat(0), mv).unwrap();
    assert!(rehearsed.chance_pending && matches!(rehearsed.events[..], [Event::Matched(_)]));
    let view = Absolution.view(&state, Viewer::Seat(seat(0)));
    assert_eq!((view.step, view.seats[0].hand, view.pile), (Step::Drawing, Some(cards("D3 D6")), None));
}

#[test]
fn ab_17_the_day_disk_goes_out_match_or_not() {
    for text in ["play D1", "pass"] {
        let mut state = position(Phase::Day, 1, &["D1", ""], "D3 D2");
        make(&mut state, &[text]);
        assert!(state.days_out.contains(number(1)) && !state.nights_out.contains(number(1)), "{text}");
        assert_eq!((state.inner_pairs(), state.outer_pairs()), (24, 0));
    }
}

#[test]
fn ab_17_a_night_match_makes_the_pair_whole_inside_and_a_miss_outside() {
    // Day 1 was failed, as every number was.
    let night_1 = position(Phase::Night, 1, &["D1", ""], "D3 D2");
    let mut state = night_1.clone();
    make(&mut state, &["play D1"]);
    assert_eq!((state.inner_pairs(), state.outer_pairs()), (1, 0));
    let mut state = night_1;
    make(&mut state, &["pass"]);
    assert_eq!((state.inner_pairs(), state.outer_pairs()), (0, 1));
}

#[test]
fn ab_20_eighteen_steps_are_safe() {
    let mut state = position(Phase::Day, 1, &["", ""], "D3 D2");
    let mut failures = 0;
    while failures < 18 {
        failures += usize::from(!track::is_black(state.number()));
        make(&mut state, &["pass"]);
    }
    assert_eq!((stone(&state).as_str(), state.turn, goes_on(&state)), ("B19", Turn::of(Phase::Day, number(22)), true));
    make(&mut state, &["pass"]);
    assert_eq!((stone(&state).as_str(), result(&state).0.as_str()), ("altar", "sacrificed"));
}

#[test]
fn a_match_on_black_by_day_places_a_trilithon() {
    let mut state = position(Phase::Day, 6, &["D6", ""], "D3 D2");
    let events = make(&mut state, &["play D6"]);
    assert_eq!((state.trilithons, state.pile.len(), stone(&state).as_str()), (numbers(&[6]), 60, "B1"));
    assert!(events.contains(&Event::TrilithonPlaced(NumberTrilithonPlaced { number: number(6) })));
    assert!(state.days_out.len() == 5);
}

#[test]
fn a_match_on_black_by_night_takes_the_druid_back() {
    let standing = position(Phase::Night, 6, &["D6", ""], "D3 D2");
    let mut state = with_druid(with_trilithons(standing, &[6, 12]), "B7");
    let events = make(&mut state, &["play D6"]);
    assert_eq!((state.trilithons, stone(&state).as_str(), state.pile.len()), (numbers(&[12]), "B6", 60));
    let told: Vec<&Event> = events.iter().filter(|event| matches!(event, Event::DruidMoved(_))).collect();
    assert_eq!(told.len(), 1);
}

#[test]
fn ab_29_the_druid_stays_on_the_first_bluestone() {
    let mut state = with_trilithons(position(Phase::Night, 6, &["D6", ""], "D3 D2"), &[6]);
    let events = make(&mut state, &["play D6"]);
    assert_eq!((state.trilithons, stone(&state).as_str(), hand(&state, 0).len()), (NumberSet::EMPTY, "B1", 2));
    assert!(!events.iter().any(|event| matches!(event, Event::DruidMoved(_))));
}

#[test]
fn ab_30_the_removal_is_no_choice() {
    let state = with_trilithons(position(Phase::Night, 6, &["D6", ""], "D3 D2"), &[6]);
    assert_eq!(legal(&state), ["play D6", "pass", "exchange D6 D2", "exchange D6 D3"]);
}

#[test]
fn ab_31_black_by_night_without_a_trilithon() {
    let mut state = with_druid(position(Phase::Night, 24, &["D24", ""], "D3 D2"), "B9");
    make(&mut state, &["play D24"]);
    assert_eq!((stone(&state).as_str(), hand(&state, 0).len(), state.trilithons), ("B9", 2, NumberSet::EMPTY));
}

#[test]
fn ab_32_black_by_night_without_a_match() {
    let before = with_druid(with_trilithons(position(Phase::Night, 18, &["D18", ""], "D3 D2"), &[18]), "B9");
    let mut state = before.clone();
    make(&mut state, &["pass"]);
    assert_eq!(state, State { turn: Turn::of(Phase::Night, number(19)), ..before });
}

#[test]
fn ab_33_an_empty_hand_passes() {
    let mut state = position(Phase::Day, 6, &["", ""], "D3 D2");
    assert_eq!(legal(&state), ["pass"]);
    make(&mut state, &["pass"]);
    assert_eq!(stone(&state), "B1", "black");
    assert_eq!(legal(&state), ["pass"]);
    make(&mut state, &["pass"]);
    assert_eq!(stone(&state), "B2", "coloured");
}

#[test]
fn ab_37_discards_are_seen_by_all() {
    let mut state = position(Phase::Day, 9, &["D9", "D4 D6"], "D1 D2");
    make(&mut state, &["play D9", "play D6 D4"]);
    for viewer in [Viewer::Seat(seat(0)), Viewer::Seat(seat(1)), Viewer::Spectator] {
        assert_eq!(Absolution.view(&state, viewer).discards, [card("D9"), card("D4"), card("D6")]);
    }
}

#[test]
fn ab_38_there_are_no_priests() {
    let state = position(Phase::Day, 9, &["D9", "D4 D6"], "D1 D2");
    let view = serde_json::to_string(&Absolution.view(&state, Viewer::Omniscient)).unwrap();
    let stored = serde_json::to_string(&state).unwrap();
    assert!(!view.contains("priest") && !stored.contains("priest"));
    let figures = |place: &sarsen_rules::Place| place.zone.contains("priest");
    assert!(!Absolution.board().places.iter().any(figures));
}
