//! Components in plain English, made from the data, so that a front end can show any set's cards.
//!
//! Invariant: every word of the vocabulary has a phrase here. Texts end with a full stop and say what happens to the
//! reader's own seat.

mod effect;
mod entries;
mod numbers;
mod score;

pub use effect::effects;
pub use entries::{glossary, key};
pub use score::{noun, score};

use super::tables::Tables;
use super::terms::{Action, Area, Privilege, Size, SlotKind, SlotSize};

/// `1 coin`, `2 coins`, `0 coins`.
fn counted(number: impl Into<u64>, one: &str, many: &str) -> String {
    match number.into() {
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    }
}

fn coins(number: u16) -> String {
    counted(number, "coin", "coins")
}

/// `once`, `twice`, `3 times`.
fn times(number: u8) -> String {
    match number {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        number => format!("{number} times"),
    }
}

/// `a` or `an`.
fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) { "an" } else { "a" }
}

/// `1st`, `2nd`, `3rd`, `4th`, `11th`, `21st`.
fn ordinal(number: u8) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// `a`, `a or b`, `a, b or c`.
fn either(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}

/// The action's name for people.
pub fn action(action: Action) -> &'static str {
    match action {
        Action::Income => "Income",
        Action::Luck => "Luck",
        Action::Quarry => "Quarry",
        Action::Carve => "Carve",
        Action::Druid => "Druid",
        Action::Install => "Install",
        Action::Arrive => "Arrive",
    }
}

fn size(size: Size) -> &'static str {
    match size {
        Size::Large => "large",
        Size::Small => "small",
    }
}

fn slot_size(size: SlotSize) -> &'static str {
    match size {
        SlotSize::Large => "large",
        SlotSize::Small => "small",
        SlotSize::Either => "either",
    }
}

/// The slot kind's word.
pub fn slot_kind(kind: SlotKind) -> &'static str {
    match kind {
        SlotKind::Upright => "upright",
        SlotKind::Lintel => "lintel",
        SlotKind::Monolith => "monolith",
    }
}

fn area(set: &Tables, area: Area) -> &str {
    &set.areas[area.index()].name
}

/// The privilege's name for people.
pub fn privilege(set: &Tables, privilege: Privilege) -> &str {
    set.privileges.name(privilege)
}
