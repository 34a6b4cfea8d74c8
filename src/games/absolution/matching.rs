//! Cards that match a number: one whose value it is, or two whose values add up to it or differ by it.
//!
//! A number card has its number as its value, by day and by night (AB-04). A trilithon card has, on a number of its own
//! colour, each of that colour's five numbers as a value, and elsewhere none (AB-13, AB-14).

use crate::stonehenge::{CARDS, Card, CardSet, Face, Number};

/// The values of a card, one bit each: bit v for the value v.
type Values = u32;

/// The values of the white numbers, 1 7 13 19 25; those of the next colour are each one more.
const OF_WHITE: Values = 1 << 1 | 1 << 7 | 1 << 13 | 1 << 19 | 1 << 25;

fn values(card: Card, on: Number) -> Values {
    match card.face() {
        Face::Number(stone) => 1 << stone.number.get(),
        Face::Trilithon(colour) if colour == on.colour() => OF_WHITE << colour as u32,
        Face::Trilithon(_) => 0,
    }
}

/// Returns whether a value of one and a value of the other add up to `number` or differ by it.
fn pair_matches(one: Values, other: Values, number: Number) -> bool {
    let number = u32::from(number.get());
    // Bit v is set where the other has the value number - v; neither has the value 0.
    let adds_up = other.reverse_bits() >> (Values::BITS - 1 - number);
    let (one_on, other_on) = (u64::from(one) << number, u64::from(other) << number);
    one & adds_up != 0 || one_on & u64::from(other) != 0 || other_on & u64::from(one) != 0
}

/// Returns whether `cards` match `number` (AB-12, AB-13).
pub(crate) fn is_match(cards: CardSet, number: Number) -> bool {
    let mut cards = cards.iter().map(|card| values(card, number));
    match (cards.next(), cards.next(), cards.next()) {
        (Some(one), None, None) => one >> number.get() & 1 == 1,
        (Some(one), Some(other), None) => pair_matches(one, other, number),
        _ => false,
    }
}

/// The quality of a hand for a number: from no match, over two cards, to a single card of the number's own value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Fit {
    /// No match.
    None,
    /// A trilithon card and another.
    TrilithonPair,
    Pair,
    /// A trilithon card alone.
    Trilithon,
    /// A number card alone.
    Single,
}

/// The best that `hand` can do.
pub(crate) fn fit(hand: CardSet, number: Number) -> Fit {
    let mut cards = [(0, false); CARDS as usize];
    let mut best = Fit::None;
    for (count, card) in hand.iter().enumerate() {
        let (values, trilithon) = (values(card, number), card.is_trilithon());
        if values >> number.get() & 1 == 1 {
            best = best.max(if trilithon { Fit::Trilithon } else { Fit::Single });
        }
        for (other, other_trilithon) in &cards[..count] {
            if best < Fit::Pair && pair_matches(values, *other, number) {
                best = best.max(if trilithon || *other_trilithon { Fit::TrilithonPair } else { Fit::Pair });
            }
        }
        cards[count] = (values, trilithon);
    }
    best
}

/// Every match of `number` that `hand` holds: single cards, then pairs, both in board order.
pub(crate) fn matches(hand: CardSet, number: Number) -> Vec<CardSet> {
    let mut found = Vec::new();
    for_each_match(hand, number, |cards| found.push(cards));
    found
}

/// Calls `each` with the same.
pub(crate) fn for_each_match(hand: CardSet, number: Number, mut each: impl FnMut(CardSet)) {
    for card in hand.iter().filter(|card| values(*card, number) >> number.get() & 1 == 1) {
        each(CardSet::one(card));
    }
    let mut others = hand;
    for card in hand.iter() {
        others.remove(card);
        let one = values(card, number);
        for partner in others.iter().filter(|partner| pair_matches(one, values(*partner, number), number)) {
            each(CardSet::one(card).with(partner));
        }
    }
}
