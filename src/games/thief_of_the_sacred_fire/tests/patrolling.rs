//! Patrols of the druids.

use super::patrol::{walk_bluestones, walk_stones};
use super::*;

/// Returns where an inner druid ends, and by how many added steps, given where the others stand.
fn walk(from: &str, card: &str, others: &str) -> (String, u8) {
    let Spot::Stone(stone) = space(from).spot() else { panic!("{from}") };
    let walk = walk_stones(stone, card.parse().unwrap(), &spaces(others));
    (walk.steps.last().map_or(from.to_owned(), Space::to_string), walk.pushed)
}

/// Deals, walks and looks; answers the events.
fn begin(state: &mut State) -> Vec<Event> {
    let mut events = Vec::new();
    settle(&ThiefOfTheSacredFire, state, &mut dice(0), &mut events);
    events
}

#[test]
fn points_by_colour() {
    let points: Vec<u8> = cards("D1 N2 D3 N4 D5 N6 D30").into_iter().map(figures::points).collect();
    assert_eq!(points, [1, 2, 3, 4, 5, 0, 0]);
    for points in 0..6 {
        assert_eq!(Card::numbers().filter(|card| figures::points(*card) == points).count(), 10);
    }
}

#[test]
fn day_is_clockwise_and_night_anticlockwise_over_the_seam_too() {
    assert_eq!(walk("D29", "D3", ""), ("N1".to_owned(), 0));
    assert_eq!(walk("N1", "N3", ""), ("D29".to_owned(), 0));
}

#[test]
fn th_24_cards_are_dealt_from_n1_clockwise() {
    let mut state = before_dealing("1a", "D6 D12 D18 D24 D30 N6");
    put(&mut state, Druid::Blue, "D30");
    put(&mut state, Druid::Red, "N2");
    begin(&mut state);
    assert_eq!(state.dealt[0].1, Figure::Red);
    assert_eq!(state.dealt[3].1, Figure::Blue);
}

#[test]
fn th_24_the_order_is_fixed_before_anyone_moves() {
    // Red walks from N2 over blue's D2; blue moves second all the same.
    let mut state = before_dealing("1a", "D4 D1 D18 D24 D30 N6");
    put(&mut state, Druid::Red, "N2");
    put(&mut state, Druid::Blue, "D2");
    let events = begin(&mut state);
    let Event::TurnDealt(dealt) = &events[0] else { panic!("{events:?}") };
    assert_eq!((dealt.cards[0].figure, dealt.cards[1].figure), (Figure::Red, Figure::Blue));
    assert_eq!((state.druids[4], state.druids[1]), (space("N4"), space("N3")));
}

#[test]
fn th_25_night_before_day() {
    let mut state = before_dealing("1a", "D6 D12 D18 D24 D30 N6");
    put(&mut state, Druid::Blue, "D7");
    put(&mut state, Druid::Yellow, "N7");
    begin(&mut state);
    assert_eq!((state.dealt[0].1, state.dealt[1].1), (Figure::Yellow, Figure::Blue));
}

#[test]
fn th_26_who_would_end_on_a_druid_goes_on_until_free() {
    assert_eq!(walk("N5", "D10", ""), ("N7".to_owned(), 0));
    assert_eq!(walk("N5", "D10", "N7"), ("D7".to_owned(), 1));
    assert_eq!(walk("N5", "D10", "N7 D7"), ("N8".to_owned(), 2));
    assert_eq!(walk("N5", "N10", "N3 D2"), ("N2".to_owned(), 2));
    assert_eq!(walk("N5", "D10", "D6"), ("N7".to_owned(), 0), "passing is free");
}

#[test]
fn th_26_druids_that_have_moved_stand_where_they_are_now() {
    // Red leaves N7 before blue arrives there: no collision. Yellow has yet to leave D9: green is pushed on.
    let mut state = before_dealing("1a", "D10 D4 D2 D5 D30 N6");
    put(&mut state, Druid::Blue, "N5");
    put(&mut state, Druid::Red, "N7");
    put(&mut state, Druid::Green, "D8");
    put(&mut state, Druid::Yellow, "D9");
    begin(&mut state);
    assert_eq!(state.druids[Druid::Blue.index()], space("D7"), "red has not moved yet when blue does");
    assert_eq!(state.druids[Druid::Red.index()], space("N9"));
    assert_eq!(state.druids[Druid::Green.index()], space("N10"));
    assert_eq!(state.druids[Druid::Yellow.index()], space("N12"));
}

#[test]
fn th_27_a_black_card_moves_nobody() {
    assert_eq!(walk("N5", "D12", "N5 D5"), ("N5".to_owned(), 0));
}

#[test]
fn th_28_a_druid_may_walk_over_the_thief() {
    let mut state = before_dealing("D6", "D2 D12 D18 D24 D30 N6");
    put(&mut state, Druid::Blue, "N6");
    let events = begin(&mut state);
    assert_eq!((state.druids[1], losses(&events)), (space("N7"), "blue -2".to_owned()));
    assert_eq!(state.stage, Stage::Moving);
}

#[test]
fn th_30_the_high_druid_turns_and_spends_the_rest() {
    let card = |text: &str| text.parse::<Card>().unwrap();
    let (walk, outbound) = walk_bluestones(17, true, card("D5"));
    assert_eq!((walk.steps, outbound), (spaces("B18 B19 B18 B17 B16"), false));
    let (walk, outbound) = walk_bluestones(2, false, card("N5"));
    assert_eq!((walk.steps, outbound), (spaces("B1 B2 B3 B4 B5"), true));
    let (walk, outbound) = walk_bluestones(17, true, card("D2"));
    assert_eq!((walk.steps, outbound), (spaces("B18 B19"), false), "at an end he heads for the other one");
}

#[test]
fn th_31_the_symbol_does_not_matter_for_the_high_druid() {
    let walk = |card: &str| walk_bluestones(8, true, card.parse().unwrap());
    assert_eq!(walk("D9"), walk("N9"));
    assert_eq!(walk("D9").0.steps, spaces("B9 B10 B11"));
}

#[test]
fn the_automatic_part_is_told_in_its_order() {
    let mut state = before_dealing("D6", "D12 N9 D1 D18 D5 N4");
    state.turn = 4;
    put(&mut state, Druid::Blue, "N7");
    put(&mut state, Druid::Green, "N9");
    let events = begin(&mut state);
    let tags: Vec<String> =
        events.iter().map(|event| serde_json::to_value(event).unwrap()["type"].as_str().unwrap().to_owned()).collect();
    let expected = [
        "turn_dealt",
        "inner_druid_moved",
        "inner_druid_moved",
        "inner_druid_moved",
        "inner_druid_moved",
        "high_druid_moved",
        "alertness_lost",
        "alertness_lost",
    ];
    assert_eq!(tags, expected);
    let shown = serde_json::to_value(&events[2]).unwrap();
    assert_eq!(
        shown,
        serde_json::json!({
            "type": "inner_druid_moved", "druid": "green", "card": "N9", "from": "N9",
            "steps": ["D8", "N8", "D7"], "to": "D7", "pushed": 0
        })
    );
    let shown = serde_json::to_value(&events[6]).unwrap();
    assert_eq!(
        shown,
        serde_json::json!({
            "type": "alertness_lost", "detection": "first", "druid": "blue", "reason": "near", "range": 1, "lost": 2,
            "left": 8
        })
    );
}
