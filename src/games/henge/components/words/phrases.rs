//! The names of actions, privileges, sizes and slots, as texts on components use them.

use super::super::tables::Tables;
use super::super::terms::{Action, Area, Privilege};
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

pub(crate) fn area(set: &Tables, area: Area) -> &str {
    &set.areas[area.index()].name
}

/// The privilege's name for people.
pub(crate) fn privilege(set: &Tables, privilege: Privilege) -> &str {
    set.privileges.name(privilege)
}
