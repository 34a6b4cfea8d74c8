//! The phrases that texts on components are made of: numbers, articles and names.

use super::super::tables::Tables;
use super::super::terms::{Action, Area, Privilege, Size, SlotKind, SlotSize};

/// `1 coin`, `2 coins`, `0 coins`.
pub(crate) fn counted(number: impl Into<u64>, one: &str, many: &str) -> String {
    match number.into() {
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    }
}

pub(crate) fn coins(number: u16) -> String {
    counted(number, "coin", "coins")
}

/// `once`, `twice`, `3 times`.
pub(crate) fn times(number: u8) -> String {
    match number {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        number => format!("{number} times"),
    }
}

/// `a` or `an`.
pub(crate) fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) { "an" } else { "a" }
}

/// `1st`, `2nd`, `3rd`, `4th`, `11th`, `21st`.
pub(crate) fn ordinal(number: u8) -> String {
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
pub(crate) fn either(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}

/// The action's name for people.
pub(crate) fn action(action: Action) -> &'static str {
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

pub(crate) fn size(size: Size) -> &'static str {
    match size {
        Size::Large => "large",
        Size::Small => "small",
    }
}

pub(crate) fn slot_size(size: SlotSize) -> &'static str {
    match size {
        SlotSize::Large => "large",
        SlotSize::Small => "small",
        SlotSize::Either => "either",
    }
}

/// The slot kind's word.
pub(crate) fn slot_kind(kind: SlotKind) -> &'static str {
    match kind {
        SlotKind::Upright => "upright",
        SlotKind::Lintel => "lintel",
        SlotKind::Monolith => "monolith",
    }
}

pub(crate) fn area(set: &Tables, area: Area) -> &str {
    &set.areas[area.index()].name
}

/// The privilege's name for people.
pub(crate) fn privilege(set: &Tables, privilege: Privilege) -> &str {
    set.privileges.name(privilege)
}
