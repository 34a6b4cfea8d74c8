//! The names of actions, privileges, sizes and slots, as texts on components use them.

use super::super::tables::Tables;
use super::super::terms::{Action, Area, Privilege, Size, SlotKind, SlotSize};
use sarsen_rules::phrases::counted;

pub(crate) fn coins(number: u16) -> String {
    counted(number, "coin", "coins")
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
