//! SR-24 to SR-27 and SR-36: falls.

use super::*;

/// A table of two where the boulder falls on 5 in the first turn, and these cards come next.
fn falls(deck: &'static str, pits: Vec<(&'static str, u8)>) -> (State, Vec<Event>) {
    let mut state = Table { deck, pits, ..Table::new(2, 3, "D5 D1 D2 D4 D6") }.state();
    let events = make(&mut state, &["roll D5 match"]);
    (state, events)
}

fn emptied(events: &[Event]) -> Vec<(String, Option<u8>)> {
    let pits = events.iter().filter_map(|event| match event {
        Event::PitEmptied(emptied) => Some((emptied.pit.to_string(), emptied.owner.map(Seat::number))),
        _ => None,
    });
    pits.collect()
}

#[test]
fn sr_24_a_trilithon_card_empties_both_pits_and_does_not_turn() {
    let mut table = Table::new(3, 3, "D9 D1 D2 D4 D6");
    (table.deck, table.pits) = ("TW", vec![("N9", 1), ("D9", 2)]);
    let mut state = table.state();
    let before = state.discards.len();
    let events = make(&mut state, &["roll D9 match"]);
    assert_eq!(emptied(&events), [("N9".to_owned(), Some(1)), ("D9".to_owned(), Some(2))]);
    assert_eq!((state.direction(), state.marker), (Direction::Clockwise, None));
    assert_eq!(state.discards.cards()[before..], row("D9 TW"));
    assert_eq!(state.boulder, Some(number(9)));
}

#[test]
fn a_day_card_empties_the_day_pit_and_a_night_card_the_night_pit() {
    let both = || vec![("N5", 1), ("D5", 1)];
    let (state, events) = falls("N30", both());
    assert_eq!(emptied(&events), [("N5".to_owned(), Some(1))]);
    assert_eq!((state.pits.at(pit("N5")), state.pits.at(pit("D5"))), (None, Some(Colour::Blue)));
    assert_eq!(emptied(&falls("D30", both()).1), [("D5".to_owned(), Some(1))]);
}

#[test]
fn sr_25_an_empty_pit_changes_nothing_and_the_turn_ends() {
    let (state, events) = falls("N30", Vec::new());
    assert_eq!(emptied(&events), []);
    assert_eq!(state.players[0].taken, [0; 5]);
    assert_eq!((state.actor(), state.players[0].hand.len()), (Some(seat(1)), 5));
}

#[test]
fn sr_26_crushed_own_disks_are_worth_a_point_each() {
    let mut state = Table { pits: vec![("N5", 0)], deck: "N30", ..Table::new(2, 3, "D5 D1 D2 D4 D6") }.state();
    // Two of the other's have been crushed before.
    for _ in 0..2 {
        let (pit, _) = state.pits.occupied().find(|(_, colour)| *colour == Colour::Blue).unwrap();
        state.pits.set(pit, None);
        state.players[0].taken[1] += 1;
    }
    make(&mut state, &["roll D5 match"]);
    assert_eq!((state.on_board(seat(0)), state.points(seat(0))), (9, 21));
}

#[test]
fn sr_27_the_hand_limit_rises_before_the_draw() {
    let (state, events) = falls("N30", vec![("N5", 0)]);
    assert_eq!((state.hand_limit(seat(0)), state.players[0].hand.len()), (6, 6));
    let drawn = events.iter().find_map(|event| match event {
        Event::CardsDrawn(drawn) => Some(drawn.count),
        _ => None,
    });
    assert_eq!(drawn, Some(2));
}

#[test]
fn sr_36_a_neutral_disk_is_a_point_for_whoever_crushes_it_only() {
    let before = falls("N30", Vec::new()).0;
    let (state, events) = falls("N30", vec![("N5", 2)]);
    assert_eq!(emptied(&events), [("N5".to_owned(), None)]);
    assert_eq!((before.points(seat(0)), before.points(seat(1))), (20, 20));
    assert_eq!((state.points(seat(0)), state.points(seat(1))), (21, 20));
    assert_eq!(state.hand_limit(seat(0)), 5);
}

#[test]
fn the_card_for_a_fall_is_not_known_to_a_rehearsal() {
    let state = Table { deck: "N30", ..Table::new(2, 3, "D5 D1 D2 D4 D6") }.state();
    let (mut tried, mv) = (state.clone(), SacrificeRoulette.parse("roll D5 match").unwrap());
    let rehearsed = sarsen_rules::rehearse(&SacrificeRoulette, &mut tried, seat(0), mv).unwrap();
    assert!(rehearsed.chance_pending && tried.deck == state.deck);
    assert!(matches!(rehearsed.events[..], [Event::BoulderRolled(_), Event::BoulderFell(_)]));
    assert_eq!(tried.view(Viewer::Spectator).phase, Phase::Falling);
}
