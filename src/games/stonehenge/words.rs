//! The deck, the colours and the numbers in words, as all four games of the set say them.

use super::card::{Card, Face};
use super::number::{Colour, Number};
use sarsen_rules::GlossaryEntry;
use sarsen_rules::phrases::listed;

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

/// The name of a card within a sentence: `day 14`, `the blue trilithon`.
pub(crate) fn card_name(card: Card) -> String {
    match card.face() {
        Face::Number(stone) => format!("{} {}", day_or_night(stone.day), stone.number),
        Face::Trilithon(colour) => format!("the {colour} trilithon"),
    }
}

/// The names of cards within a sentence: `no cards`, `day 6, night 7 and the blue trilithon`.
pub(crate) fn card_names(cards: impl IntoIterator<Item = Card>) -> String {
    let names: Vec<String> = cards.into_iter().map(card_name).collect();
    if names.is_empty() { "no cards".to_owned() } else { listed(&names) }
}

/// `day` or `night`.
pub(crate) fn day_or_night(day: bool) -> &'static str {
    if day { "day" } else { "night" }
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
            entry(name, format!("The {part} card of {number}, a {colour} number."))
                .figure("number", number.get())
                .tags([part, &*colour.to_string()])
        }
        Face::Trilithon(colour) => {
            let name = format!("{} trilithon", colour_name(colour));
            entry(name, format!("The {colour} trilithon card. It has no number."))
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
