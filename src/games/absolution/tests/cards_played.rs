//! Matching cards, and exchanges.

use super::*;

#[test]
fn ab_04_symbols_do_not_matter() {
    let state = position(Phase::Day, 7, &["N7", ""], "D1 D2");
    assert_eq!(legal_matches(&state), ["play N7"]);
    let state = position(Phase::Night, 7, &["D7", ""], "D1 D2");
    assert_eq!(legal_matches(&state), ["play D7"]);
}

#[test]
fn the_printed_examples_match() {
    for hand in ["D11", "D9 N2", "N23 D12"] {
        let state = position(Phase::Day, 11, &[hand, ""], "D1 D5");
        assert!(legal_matches(&state).contains(&format!("play {}", notation_of(hand))), "{hand}");
    }
}

/// Cards in board order.
fn notation_of(list: &str) -> String {
    cards(list).iter().map(|card| card.to_string()).collect::<Vec<_>>().join(" ")
}

/// The values a card may have, from the text of the rules.
fn values(card: Card, on: u8) -> Vec<u8> {
    match card.number() {
        Some(number) => vec![number.get()],
        None if card.colour() != number(on).colour() => vec![],
        None => Number::all().filter(|number| number.colour() == card.colour()).map(Number::get).collect(),
    }
}

#[test]
fn every_one_and_pair_of_cards_matches_as_written() {
    let mut matches = 0;
    for on in Number::all() {
        let value = on.get();
        let hand = matching::matches(CardSet::ALL, on);
        let listed: std::collections::HashSet<CardSet> = hand.iter().copied().collect();
        assert_eq!(listed.len(), hand.len(), "one is listed twice");
        for one in Card::all() {
            let single = CardSet::EMPTY.with(one);
            assert_eq!(matching::is_match(single, on), values(one, value).contains(&value), "{one} on {value}");
            assert_eq!(listed.contains(&single), matching::is_match(single, on));
            for other in Card::all().filter(|other| one < *other) {
                let pair = single.with(other);
                let expected = values(one, value)
                    .iter()
                    .any(|a| values(other, value).iter().any(|b| a + b == value || a.abs_diff(*b) == value));
                assert_eq!(matching::is_match(pair, on), expected, "{one} {other} on {value}");
                assert_eq!(listed.contains(&pair), expected);
                matches += usize::from(expected);
            }
        }
    }
    assert!(matches > 1000);
    assert!(!matching::is_match(CardSet::EMPTY, number(3)));
    assert!(!matching::is_match(cards("D1 D2 N3"), number(3)));
}

#[test]
fn ab_05_a_match_is_never_compulsory() {
    let mut state = position(Phase::Day, 5, &["D5 N9", ""], "D1 D2");
    assert_eq!(legal(&state)[..2], ["play D5", "pass"]);
    make(&mut state, &["pass"]);
    assert_eq!((state.druid.to_string().as_str(), hand(&state, 0)), ("B2", cards("D5 N9")));
    assert!(state.days_out.contains(number(5)) && state.pile.len() == 61);
}

#[test]
fn ab_07_one_exchange_a_turn() {
    let mut state = position(Phase::Day, 5, &["D8 N9", ""], "D1 D2");
    make(&mut state, &["exchange D8 D1"]);
    assert_eq!(refusal(&state, "exchange N9 D2"), ("already_exchanged", "AB-07", "-"));
    assert_eq!(refusal(&state, "exchange D1 D8"), ("already_exchanged", "AB-07", "-"));
    assert_eq!(legal(&state), ["pass"]);
    make(&mut state, &["pass", "pass"]);
    assert!(legal(&state).contains(&"exchange D1 D8".to_owned()), "anew in the next own turn");
}

#[test]
fn ab_08_an_empty_hand_cannot_exchange() {
    let state = position(Phase::Day, 5, &["", ""], "D5 D2");
    assert_eq!(legal(&state), ["pass"]);
    assert_eq!(refusal(&state, "exchange D7 D5"), ("not_in_hand", "AB-08", "give"));
    let state = position(Phase::Day, 5, &["D7", "D9"], "D5 D2");
    assert_eq!(refusal(&state, "exchange D9 D5"), ("not_in_hand", "AB-08", "give"));
    assert_eq!(refusal(&state, "exchange D7 D9"), ("not_in_field", "AB-08", "take"));
}

#[test]
fn refusals_do_not_tell_where_a_card_is() {
    // D20 in the other hand, in the pile, or among the discards: the words are the same.
    let elsewhere = position(Phase::Day, 20, &["D7", "D20"], "D5 D2");
    let in_pile = position(Phase::Day, 20, &["D7", "D21"], "D5 D2");
    for text in ["play D20", "exchange D20 D5", "exchange D7 D20", "play D7 D20"] {
        let mv = Absolution.parse(text).unwrap();
        let refusals = [&elsewhere, &in_pile].map(|state| Absolution.check(state, seat(0), &mv).unwrap_err());
        assert_eq!(refusals[0], refusals[1]);
    }
}

#[test]
fn ab_09_no_exchange_after_playing() {
    let mut state = position(Phase::Day, 5, &["D5 N9", "D8"], "D1 D2");
    make(&mut state, &["play D5"]);
    assert_eq!(refusal_to(&state, seat(0), "exchange N9 D1"), ("not_your_turn", "AB-03", "-"));
    assert_eq!(refusal_to(&state, seat(0), "play N9"), ("not_your_turn", "AB-03", "-"));
    assert_eq!(hand(&state, 0).len(), 3, "N9 and two cards drawn, which the next own turn may use");
}

#[test]
fn ab_11_an_exchange_needs_no_match() {
    let mut state = position(Phase::Day, 12, &["D7", "D8"], "D1 D2");
    make(&mut state, &["exchange D7 D1"]);
    assert_eq!((state.field, hand(&state, 0)), (cards("D7 D2"), cards("D1")));
    make(&mut state, &["pass"]);
    assert!(legal(&state).contains(&"exchange D8 D7".to_owned()), "for the next seat to take");
}

#[test]
fn ab_12_two_cards_of_one_number() {
    let state = position(Phase::Day, 30, &["D15 N15", ""], "D1 D2");
    assert_eq!(legal_matches(&state), ["play N15 D15"]);
    let state = position(Phase::Day, 14, &["D7 N7", ""], "D1 D2");
    assert_eq!(legal_matches(&state), ["play N7 D7"]);
    let state = position(Phase::Day, 29, &["D7 N7 D1", ""], "D3 D2");
    assert_eq!(refusal(&state, "play D7 N7"), ("no_match", "AB-34", "cards"));
    let state = position(Phase::Day, 6, &["D1 D2 D3", ""], "D9 D8");
    assert_eq!(refusal(&state, "play D1 D2 D3"), ("one_or_two_cards", "AB-12", "cards"));
    assert_eq!(refusal(&state, "play"), ("one_or_two_cards", "4.3", "cards"));
}

#[test]
fn ab_13_a_trilithon_card_stands_for_its_five_numbers() {
    let state = position(Phase::Day, 14, &["TB D6", ""], "D1 D2");
    assert_eq!(legal_matches(&state), ["play TB", "play D6 TB"]);
    let state = position(Phase::Day, 13, &["TB D5", ""], "D1 D2");
    assert_eq!(legal_matches(&state), [""; 0]);
    assert_eq!(refusal(&state, "play TB"), ("wrong_colour", "AB-13", "cards"));
    assert_eq!(refusal(&state, "play TB D5"), ("wrong_colour", "AB-13", "cards"));
    let state = position(Phase::Day, 14, &["TB TW", ""], "D1 D2");
    assert_eq!(refusal(&state, "play TB TW"), ("wrong_colour", "AB-13", "cards"));
    assert_eq!(legal_matches(&state), ["play TB"]);
}

#[test]
fn ab_14_no_trilithon_card_on_black() {
    let state = position(Phase::Day, 18, &["TR", ""], "D1 D2");
    assert_eq!(legal_matches(&state), [""; 0]);
    assert_eq!(refusal(&state, "play TR"), ("wrong_colour", "AB-14", "cards"));
}

#[test]
fn ab_34_nothing_is_thrown_away() {
    let state = position(Phase::Day, 9, &["D9 D4", "D5"], "D1 D2");
    assert_eq!(legal_matches(&state), ["play D9"]);
    assert_eq!(refusal(&state, "play D9 D4"), ("no_match", "AB-34", "cards"));
    assert_eq!(refusal(&state, "play D4"), ("no_match", "AB-34", "cards"));
    assert_eq!(refusal(&state, "play D4 D5"), ("not_in_hand", "AB-34", "cards"));
}
