//! Disks and decisions in words.

use crate::stonehenge::words::decision;
use sarsen_rules::{Glossary, GlossaryEntry};

/// The glossary.
pub(crate) fn glossary() -> Glossary {
    let disk = |id: &str, name: &str, text: &str| GlossaryEntry::new("disk", id, name, text).figure("count", 6_u8);
    Glossary::printed(
        "Contiguity",
        vec![
            disk("white", "White disk", "A piece of the seat that moves first."),
            disk("red", "Red disk", "A piece of the seat that moves second."),
            decision("bid", "Bid", "Bid to win within fewer of your own turns than the last bid says, or pass."),
            decision("order", "Choose the order", "As the lowest bidder: move first with white, or second with red."),
            decision("move", "Move a piece", "Slide or jump along a line with one of your pieces."),
        ],
    )
}
