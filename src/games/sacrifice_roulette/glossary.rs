//! Cards, colours, pieces and decisions in words.

use crate::stonehenge::Colour;
use crate::stonehenge::words::{cards, colour_name, colours, decision};
use sarsen_rules::{Glossary, GlossaryEntry};

/// The glossary.
pub(crate) fn glossary() -> Glossary {
    let sacrifices = Colour::PIECES.into_iter().map(|colour| {
        let name = format!("{} sacrifice", colour_name(colour));
        GlossaryEntry::new("sacrifice", colour.to_string(), name, format!("A {colour} sacrifice."))
            .figure("count", 10_u8)
    });
    let boulder = GlossaryEntry::new(
        "piece",
        "boulder",
        "Boulder",
        "Rolls from number to number. Where it falls, it crushes the sacrifices in the pits.",
    );
    let decisions = [
        decision("place", "Place a sacrifice", "Before the first turn: put a sacrifice into an empty pit."),
        decision(
            "roll",
            "Play cards",
            "Roll the boulder with cards of one colour, or reverse it with a trilithon card.",
        ),
    ];
    let entries = cards().chain(colours()).chain(sacrifices).chain([boulder]).chain(decisions);
    Glossary::printed("Sacrifice Roulette", entries.collect())
}
