//! The deck, the colours and the numbers in words: what the four games of the set say in common.

use super::card::{Card, Face};
use super::number::{Colour, Number};
use sarsen_rules::GlossaryEntry;

/// A colour as a word that begins a sentence.
pub(crate) fn colour_name(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "White",
        Colour::Blue => "Blue",
        Colour::Green => "Green",
        Colour::Yellow => "Yellow",
        Colour::Red => "Red",
        Colour::Black => "Black",
    }
}

/// A card as it is spoken of: `day 14`, `the blue trilithon`.
pub(crate) fn spoken_card(card: Card) -> String {
    match card.face() {
        Face::Number(stone) => format!("{} {}", day_or_night(stone.day), stone.number),
        Face::Trilithon(colour) => format!("the {colour} trilithon"),
    }
}

/// Cards as they are spoken of: `day 6, night 7 and the blue trilithon`.
pub(crate) fn spoken_cards(cards: impl IntoIterator<Item = Card>) -> String {
    listed(&cards.into_iter().map(spoken_card).collect::<Vec<_>>())
}

/// The text with a capital in front.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `day` or `night`.
pub(crate) fn day_or_night(day: bool) -> &'static str {
    if day { "day" } else { "night" }
}

/// `a`, `a and b`, `a, b and c`; `none` of nothing.
pub(crate) fn listed(parts: &[String]) -> String {
    match parts {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// The cards of the deck, in board order.
pub(crate) fn cards() -> impl Iterator<Item = GlossaryEntry> {
    Card::all().map(card)
}

fn card(card: Card) -> GlossaryEntry {
    let colour = card.colour();
    let entry = |name: String, text: String| GlossaryEntry::new("card", card.to_string(), name, text);
    match card.face() {
        Face::Number(stone) => {
            let (part, number) = (day_or_night(stone.day), stone.number);
            let name = format!("{} {number}", if stone.day { "Day" } else { "Night" });
            entry(name, format!("The {part} card of the number {number}, which is {colour}."))
                .figure("number", number.get())
                .tags([part, &*colour.to_string()])
        }
        Face::Trilithon(colour) => {
            let name = format!("{} trilithon", colour_name(colour));
            entry(name, format!("The trilithon card of the colour {colour}, without a number."))
                .tags(["trilithon", &*colour.to_string()])
        }
    }
}

/// The printed colours, each with its numbers.
pub(crate) fn colours() -> impl Iterator<Item = GlossaryEntry> {
    Colour::ALL.into_iter().map(|colour| {
        let numbers: Vec<String> =
            Number::all().filter(|number| number.colour() == colour).map(|number| number.to_string()).collect();
        let text = format!("The numbers {}.", listed(&numbers));
        GlossaryEntry::new("colour", colour.to_string(), colour_name(colour), text)
    })
}

/// An entry for a question that a seat may be asked: the `kind` of its decision.
pub(crate) fn decision(id: &str, name: &str, text: &str) -> GlossaryEntry {
    GlossaryEntry::new("decision", id, name, text)
}

/// `1 card`, `2 cards`.
pub(crate) fn counted(number: impl Into<u64>, one: &str, many: &str) -> String {
    match number.into() {
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    }
}
