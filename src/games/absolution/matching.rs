//! Which cards match a number: one whose value it is, or two whose values add up to it or differ by it.
//!
//! A number card has its number as its value, by day and by night (AB-04). A trilithon card has, on a number of its own
//! colour, each of that colour's five numbers as a value, and elsewhere none (AB-13, AB-14).

use crate::games::stonehenge::{Card, CardSet, Face, NUMBERS, Number};

/// The values of a card, one bit each: bit v for the value v.
type Values = u32;

fn values(card: Card, on: Number) -> Values {
    match card.face() {
        Face::Number(stone) => 1 << stone.number.get(),
        Face::Trilithon(colour) if colour == on.colour() => Number::all()
            .filter(|number| number.colour() == colour)
            .fold(0, |values, number| values | 1 << number.get()),
        Face::Trilithon(_) => 0,
    }
}

/// Whether a value of one and a value of the other add up to `number` or differ by it.
fn pair_matches(one: Values, other: Values, number: Number) -> bool {
    let number = number.get();
    let adds_up = |value: u8| value < number && other >> (number - value) & 1 == 1;
    let differs = |value: u8| other >> (u32::from(value) + u32::from(number)).min(31) & 1 == 1;
    let differs_back = |value: u8| value > number && other >> (value - number) & 1 == 1;
    (1..=NUMBERS)
        .filter(|value| one >> value & 1 == 1)
        .any(|value| adds_up(value) || differs(value) || differs_back(value))
}

/// Whether `cards` match `number` (AB-12, AB-13).
pub fn is_match(cards: CardSet, number: Number) -> bool {
    let mut cards = cards.iter().map(|card| values(card, number));
    match (cards.next(), cards.next(), cards.next()) {
        (Some(one), None, None) => one >> number.get() & 1 == 1,
        (Some(one), Some(other), None) => pair_matches(one, other, number),
        _ => false,
    }
}

/// Every match of `number` that `hand` holds: single cards, then pairs, both in board order.
pub fn matches(hand: CardSet, number: Number) -> Vec<CardSet> {
    let cards: Vec<(Card, Values)> = hand.iter().map(|card| (card, values(card, number))).collect();
    let singles = cards.iter().filter(|(_, values)| values >> number.get() & 1 == 1);
    let mut found: Vec<CardSet> = singles.map(|(card, _)| CardSet::EMPTY.with(*card)).collect();
    for (index, (card, one)) in cards.iter().enumerate() {
        let partners = cards[index + 1..].iter().filter(|(_, other)| pair_matches(*one, *other, number));
        found.extend(partners.map(|(partner, _)| CardSet::EMPTY.with(*card).with(*partner)));
    }
    found
}
