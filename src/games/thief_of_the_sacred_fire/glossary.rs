//! Cards, colours, figures and decisions in words.

use super::figures::{Druid, points};
use crate::stonehenge::words::{cards, colour_name, colours, decision};
use crate::stonehenge::{Card, Colour};
use sarsen_rules::{Glossary, GlossaryEntry};

/// The glossary.
pub(crate) fn glossary() -> Glossary {
    // What a card is worth follows from its colour.
    let worth = |colour: &str| {
        let card = Card::numbers().find(|card| card.colour().to_string() == colour);
        card.map_or(0, points)
    };
    let colours = colours().map(|entry| {
        let points = worth(&entry.id);
        entry.figure("points", points)
    });
    let druids = Colour::PIECES.into_iter().filter(|colour| Druid::of(*colour).is_some()).flat_map(|colour| {
        let (id, name) = (colour.to_string(), colour_name(colour));
        let druid = format!("The {colour} druid; one of the five becomes the High Druid.");
        let disk = format!("A disk of the {colour} druid's alertness.");
        [
            GlossaryEntry::new("figure", &*id, format!("{name} druid"), druid),
            GlossaryEntry::new("disk", &*id, format!("{name} disk"), disk).figure("count", 10_u8),
        ]
    });
    let thief = GlossaryEntry::new("figure", "thief", "Thief", "The player's own figure.");
    let decisions = [
        decision(
            "start",
            "Choose the start",
            "Choose the space to set out from; the fire has to be brought back there.",
        ),
        decision("walk", "Walk", "Go to a space within reach, stay, or take the fire and go on."),
    ];
    let entries = cards().chain(colours).chain(druids).chain([thief]).chain(decisions);
    Glossary::printed("Thief of the Sacred Fire", entries.collect())
}
