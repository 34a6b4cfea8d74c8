//! SR-11 to SR-23, SR-37 and SR-39: cards, directions and matches.

use super::*;

fn table(boulder: u8, hand: &'static str) -> State {
    Table::new(3, boulder, hand).state()
}

/// Returns what the roll `text` lays and where the boulder then stands.
fn laid(state: &State, text: &str) -> (Vec<(String, u8)>, u8) {
    let mut state = state.clone();
    let events = make(&mut state, &[text]);
    (rolled(&events), state.boulder.unwrap().get())
}

fn steps(list: &[(&str, u8)]) -> Vec<(String, u8)> {
    list.iter().map(|(card, to)| ((*card).to_owned(), *to)).collect()
}

#[test]
fn sr_11_there_is_no_passing() {
    let state = table(3, "D5 N6 TW TB TG");
    assert!(listed(&state).iter().all(|mv| mv.starts_with("roll ") && mv.split(' ').any(is_number)));
    assert!(SacrificeRoulette.parse("pass").is_err());
    assert_eq!(refusal(&state, "roll stop"), ("no_cards", "SR-11", "cards"));
}

fn is_number(word: &str) -> bool {
    word.starts_with(['D', 'N'])
}

#[test]
fn sr_12_the_boulder_never_stays() {
    let state = table(5, "N11 N5 D1 D2 D3");
    assert_eq!(laid(&state, "roll N11 match"), (steps(&[("N11", 11)]), 11));
    assert_eq!(refusal(&state, "roll N11 stop"), ("match_forced", "SR-16", "ending"));
    assert_eq!(laid(&state, "roll N5 stop"), (steps(&[("N5", 11)]), 11));
    assert_eq!(refusal(&state, "roll N5 match"), ("no_match", "SR-15", "ending"));
}

#[test]
fn sr_13_three_cards_roll_three_spaces_of_their_colour() {
    let state = table(5, "D5 N5 D29 D1 D2");
    let (rolled, boulder) = laid(&state, "roll N5 D5 D29 stop");
    assert_eq!((rolled.len(), boulder), (3, 23));
    let Event::BoulderRolled(first) = &make(&mut state.clone(), &["roll N5 stop"])[0] else { panic!() };
    let through: Vec<u8> = first.through.iter().map(|number| number.get()).collect();
    assert_eq!((first.from.get(), through, first.to.get()), (5, vec![6, 7, 8, 9, 10], 11));
}

#[test]
fn sr_14_a_lone_card_cannot_make_the_boulder_fall_where_it_stands() {
    let state = table(5, "D11 D1 D2 D3 D4");
    assert_eq!(refusal(&state, "roll D11 fall"), ("fall_needs_a_roll", "SR-14", "ending"));
    assert_eq!(listed(&state).iter().filter(|mv| mv.contains("D11")).collect::<Vec<_>>(), ["roll D11 match"]);
}

#[test]
fn sr_15_a_card_is_compared_with_the_space_it_moves_to() {
    let state = table(3, "D5 N11 D1 D2 D4");
    let mut alone = state.clone();
    assert_eq!(fell(&make(&mut alone, &["roll D5 match"])), Some((5, None)));
    let mut both = state.clone();
    let events = make(&mut both, &["roll D5 N11 stop"]);
    assert_eq!((rolled(&events), fell(&events)), (steps(&[("N11", 5), ("D5", 11)]), None));
    assert_eq!(both.boulder, Some(number(11)));
}

#[test]
fn sr_16_a_match_is_forced() {
    let state = table(3, "D5 D1 D2 D4 D6");
    assert_eq!(listed(&state).iter().filter(|mv| mv.contains("D5")).collect::<Vec<_>>(), ["roll D5 match"]);
    assert_eq!(refusal(&state, "roll D5 stop"), ("match_forced", "SR-16", "ending"));
    // Whichever of two comes first, the other reaches 11.
    let state = table(3, "N11 D11 D1 D2 D4");
    assert_eq!(refusal(&state, "roll N11 D11 stop"), ("match_forced", "SR-16", "ending"));
    assert!(listed(&state).contains(&"roll N11 D11 match".to_owned()));
}

#[test]
fn sr_17_nothing_can_follow_on_a_match() {
    let state = table(3, "D5 N11 D17 D1 D2");
    let listed = listed(&state);
    assert!(listed.contains(&"roll D5 match".to_owned()) && listed.contains(&"roll D5 N11 stop".to_owned()));
    // 5 and then 11 would both match: the set ends in no match.
    assert_eq!(refusal(&state, "roll D5 N11 match"), ("early_match", "SR-17", "ending"));
    // All reds but one number: whichever comes first, 5 is met by a 5.
    let state = table(3, "D5 N5 D1 D2 D4");
    assert_eq!(refusal(&state, "roll N5 D5 stop"), ("early_match", "SR-17", "ending"));
    assert_eq!(refusal(&state, "roll N5 D5 match"), ("no_match", "SR-15", "ending"));
}

#[test]
fn sr_18_the_number_of_the_card_that_fells_the_boulder_is_irrelevant() {
    let mut state = table(3, "D5 N11 D1 D2 D4");
    let events = make(&mut state, &["roll D5 N11 fall"]);
    assert_eq!(rolled(&events), steps(&[("N11", 5)]));
    assert_eq!(fell(&events), Some((5, Some(card("D5")))));
    assert_eq!(state.falls, 1);
}

#[test]
fn sr_19_a_card_that_matches_is_not_followed_by_one_that_fells() {
    let state = table(3, "D5 N11 D1 D2 D4");
    let events = make(&mut state.clone(), &["roll D5 N11 fall"]);
    assert_eq!(events.iter().filter(|event| matches!(event, Event::BoulderFell(_))).count(), 1);
    assert_eq!(rolled(&events), steps(&[("N11", 5)]), "D5 does not roll first");
    // Whichever rolls is a match, so the other cannot make the boulder fall.
    assert_eq!(refusal(&table(3, "D5 N5 D1 D2 D4"), "roll N5 D5 fall"), ("early_match", "SR-19", "ending"));
}

#[test]
fn sr_20_a_trilithon_card_turns_the_whole_roll() {
    let state = table(3, "TW N11 D11 D1 D2");
    assert_eq!(laid(&state, "roll TW N11 stop"), (steps(&[("N11", 29)]), 29));
    assert_eq!(laid(&state, "roll TW N11 D11 stop"), (steps(&[("N11", 29), ("D11", 23)]), 23));
    assert_eq!(laid(&state, "roll N11 stop"), (steps(&[("N11", 5)]), 5));
}

#[test]
fn sr_21_a_trilithon_card_alone_is_no_turn() {
    let state = table(3, "TW N4 D1 D2 D6");
    assert_eq!(refusal(&state, "roll TW stop"), ("trilithon_alone", "SR-21", "cards"));
    assert_eq!(refusal(&state, "reverse TW"), ("trilithon_alone", "SR-32", "type"));
}

#[test]
fn sr_22_at_most_two_trilithon_cards_are_played() {
    let state = table(3, "TW TB TG D9 D15");
    let most = listed(&state).iter().map(|mv| mv.matches('T').count()).max();
    assert_eq!(most, Some(2));
    assert_eq!(refusal(&state, "roll TW TB TG D15 stop"), ("too_many_trilithons", "SR-22", "trilithons"));
}

#[test]
fn sr_23_the_marker_lies_apart_until_it_is_taken_away() {
    let mut state = Table { marker: Some("TR"), ..Table::new(3, 3, "TW TB TG D9 D15") }.state();
    assert_eq!(state.direction(), Direction::CounterClockwise);
    let mut turned = state.clone();
    let before = state.discards.len();
    make(&mut turned, &["roll TW D15 stop"]);
    assert_eq!((turned.direction(), turned.marker), (Direction::Clockwise, None));
    assert_eq!(turned.discards.cards()[before..], row("TR TW D15"));
    make(&mut state, &["roll TW TB D15 stop"]);
    assert_eq!((state.direction(), state.marker), (Direction::CounterClockwise, Some(card("TR"))));
    assert_eq!(state.discards.cards()[before..], row("TW TB D15"));

    let mut first = table(3, "TW TB TG D9 D15");
    let before = first.discards.len();
    let events = make(&mut first, &["roll TG D15 stop"]);
    let Event::TrilithonsPlayed(played) = &events[0] else { panic!("{events:?}") };
    assert_eq!((played.direction, played.marker), (Direction::CounterClockwise, Some(card("TG"))));
    assert_eq!((first.marker, &first.discards.cards()[before..]), (Some(card("TG")), &row("D15")[..]));
}

#[test]
fn sr_37_rolling_crushes_nothing() {
    let mut state = table(3, "N5 D5 N11 D11 N17 D17 N23 D23 N29 D29");
    let pits = state.pits.clone();
    let events = make(&mut state, &["roll N5 D5 N11 D11 N17 D17 N23 D23 N29 D29 stop"]);
    assert_eq!((rolled(&events).len(), state.boulder), (10, Some(number(29))));
    assert_eq!(state.pits, pits);
}

#[test]
fn sr_39_clockwise_is_up_and_1_follows_on_30() {
    let mut state = table(29, "N5 D1 D2 D4 D6");
    let events = make(&mut state, &["roll N5 match"]);
    assert_eq!((rolled(&events), fell(&events)), (steps(&[("N5", 5)]), Some((5, None))));
}

#[test]
fn what_is_not_in_hand_or_of_two_colours_is_refused() {
    let state = table(3, "TW N4 D1 D2 D6");
    assert_eq!(refusal(&state, "roll D4 stop"), ("not_in_hand", "SR-11", "cards"));
    assert_eq!(refusal(&state, "roll TB N4 stop"), ("not_in_hand", "SR-11", "trilithons"));
    assert_eq!(refusal(&state, "roll D1 N4 stop"), ("mixed_colours", "SR-11", "cards"));
    assert_eq!(refusal(&state, "reverse TB"), ("not_in_hand", "SR-11", "trilithon"));
}
