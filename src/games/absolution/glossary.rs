//! Cards, colours, pieces and decisions in words.

use crate::stonehenge::words::{cards, colours, decision};
use sarsen_rules::{Glossary, GlossaryEntry};

/// The glossary.
pub(crate) fn glossary() -> Glossary {
    let piece = |kind: &str, id: &str, name: &str, text: &str, count: u8| {
        GlossaryEntry::new(kind, id, name, text).figure("count", count)
    };
    let pieces = [
        piece("disk", "day", "Day disk", "The day disk of a coloured number, on the inner or the outer ring.", 25),
        piece(
            "disk",
            "night",
            "Night disk",
            "The night disk of a coloured number, on the inner or the outer ring.",
            25,
        ),
        piece("piece", "druid", "Druid", "The doomed Druid, who walks from bluestone to bluestone to the altar.", 1),
        piece("piece", "trilithon", "Trilithon", "Stands on a black number that was matched by Day.", 5),
    ];
    let decisions = [
        decision("nominate", "Nominate", "In the vote: nominate a seat to play Day 1."),
        decision("turn", "Play the turn", "Match the number of the turn with cards, use the Exchange Field, or pass."),
    ];
    Glossary::printed("Absolution", cards().chain(colours()).chain(pieces).chain(decisions).collect())
}
