//! The component file as it is written: reads each table, card and slot by itself, so that a fault in one does not
//! hide those in others.
//!
//! Invariant: what could not be read is missing from the [`Draft`], and a fault names it: the first in its row. Row
//! counts are those of the file, whether or not the rows could be read.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

use super::effects::Nested;
use super::fault::Faults;
use super::index::Id;
use super::places::{Rondel, SlotRow};
use super::tables::{AreaRow, BonusRow, BotRow, LuckRow, Meta, Params, Privileges, RewardRow, StoneRow, UpgradeRow};
use super::terms::Area;

/// A table: the rows that could be read, and how many it has.
#[derive(Debug)]
pub(crate) struct Rows<T> {
    /// Those that could be read.
    pub(crate) read: Vec<T>,
    count: Option<usize>,
}

impl<T> Rows<T> {
    const MISSING: Rows<T> = Rows { read: Vec::new(), count: None };

    /// Returns how many rows stand in the file; `None` if the table is missing or no list.
    pub(crate) fn count(&self) -> Option<usize> {
        self.count
    }

    /// Returns whether every row could be read.
    pub(crate) fn is_complete(&self) -> bool {
        self.count == Some(self.read.len())
    }
}

impl<T> Default for Rows<T> {
    fn default() -> Rows<T> {
        Rows::MISSING
    }
}

/// A druid path as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PathRow {
    pub(crate) area: Area,
    /// Its spaces, the lowest first.
    pub(crate) spaces: Vec<SpaceRow>,
}

/// A space of a path as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SpaceRow {
    pub(crate) v: u8,
    pub(crate) c: String,
}

/// A board side as written.
#[derive(Debug)]
pub(crate) struct SideDraft {
    pub(crate) name: String,
    /// The totals that use it.
    pub(crate) totals: Vec<u8>,
    /// True if size may be ignored.
    pub(crate) size_exception: bool,
    pub(crate) slots: Rows<SlotRow<Id>>,
    pub(crate) paths: Rows<PathRow>,
}

/// A file, as far as it could be read.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) meta: Option<Meta>,
    pub(crate) params: Option<Params>,
    pub(crate) privileges: Option<Privileges<Nested>>,
    pub(crate) areas: Rows<AreaRow>,
    pub(crate) rondel: Option<Rondel>,
    pub(crate) druid_cost: Option<BTreeMap<String, u16>>,
    /// `boards`: sides `3` and `45`.
    pub(crate) sides: [Option<SideDraft>; 2],
    pub(crate) druid_track: Rows<Nested>,
    pub(crate) luck_track: Rows<Nested>,
    pub(crate) stones: Rows<StoneRow>,
    pub(crate) luck: Rows<LuckRow<Nested>>,
    pub(crate) bonus: Rows<BonusRow>,
    pub(crate) first_upgrades: Rows<UpgradeRow>,
    pub(crate) hengebot: Rows<BotRow>,
    pub(crate) rewards: Rows<RewardRow<Nested>>,
}

/// The keys of the board sides, in the order of [`Draft::sides`].
pub(crate) const SIDES: [&str; 2] = ["3", "45"];

/// Reads a file as far as it goes.
pub(crate) fn read(json: Value, faults: &mut Faults) -> Draft {
    let Value::Object(mut tables) = json else {
        faults.add("file", "is not an object");
        return Draft::default();
    };
    let mut draft = Draft {
        meta: part(&mut tables, "meta", "meta", faults),
        params: part(&mut tables, "params", "params", faults),
        privileges: part(&mut tables, "privileges", "privileges", faults),
        areas: rows(&mut tables, "areas", "areas", "area", faults),
        rondel: part(&mut tables, "rondel", "rondel", faults),
        druid_cost: part(&mut tables, "druid_cost", "druid_cost", faults),
        sides: [None, None],
        druid_track: rows(&mut tables, "druid_track", "druid_track", "druid_track", faults),
        luck_track: rows(&mut tables, "luck_track", "luck_track", "luck_track", faults),
        stones: rows(&mut tables, "stones", "stones", "stone", faults),
        luck: rows(&mut tables, "luck", "luck", "luck card", faults),
        bonus: rows(&mut tables, "bonus", "bonus", "bonus card", faults),
        first_upgrades: rows(&mut tables, "first_upgrades", "first_upgrades", "first upgrade", faults),
        hengebot: rows(&mut tables, "hengebot", "hengebot", "hengebot card", faults),
        rewards: rows(&mut tables, "rewards", "rewards", "reward", faults),
    };
    match tables.remove("boards") {
        Some(Value::Object(mut boards)) => {
            draft.sides = SIDES.map(|key| side(&mut boards, key, faults));
            nothing_else(&boards, "boards", faults);
        }
        Some(_) => faults.add("boards", "is not an object"),
        None => faults.add("boards", "is missing"),
    }
    nothing_else(&tables, "file", faults);
    draft
}

fn side(boards: &mut Map<String, Value>, key: &str, faults: &mut Faults) -> Option<SideDraft> {
    let at = format!("side {key}");
    let mut side = match boards.remove(key) {
        Some(Value::Object(side)) => side,
        Some(_) => {
            faults.add(at, "is not an object");
            return None;
        }
        None => {
            faults.add(at, "is missing");
            return None;
        }
    };
    let slots = rows(&mut side, "slots", &format!("{at} slots"), &format!("slot {key}:"), faults);
    let paths = rows(&mut side, "paths", &format!("{at} paths"), &format!("path {key}:"), faults);
    let name = part(&mut side, "name", &format!("{at} name"), faults);
    let totals = part(&mut side, "totals", &format!("{at} totals"), faults);
    let size_exception = part(&mut side, "size_exception", &format!("{at} size_exception"), faults);
    nothing_else(&side, &at, faults);
    Some(SideDraft { name: name?, totals: totals?, size_exception: size_exception?, slots, paths })
}

fn nothing_else(map: &Map<String, Value>, at: &str, faults: &mut Faults) {
    for key in map.keys() {
        faults.add(at, format!("has an unknown table {key:?}"));
    }
}

fn part<T: DeserializeOwned>(map: &mut Map<String, Value>, key: &str, at: &str, faults: &mut Faults) -> Option<T> {
    let Some(value) = map.remove(key) else {
        faults.add(at, "is missing");
        return None;
    };
    typed(value, at, if key == "params" { GREATEST_PARAMETER } else { GREATEST }, faults)
}

fn typed<T: DeserializeOwned>(value: Value, at: &str, greatest: u64, faults: &mut Faults) -> Option<T> {
    if let Some(number) = out_of_range(&value, greatest) {
        faults.add(at, format!("has the number {number}; numbers are whole, from 0 to {greatest}"));
        return None;
    }
    match serde_path_to_error::deserialize(value) {
        Ok(value) => Some(value),
        Err(error) => {
            let path = error.path().to_string();
            let at = if path == "." { at.to_owned() } else { format!("{at}, {path}") };
            faults.add(at, error.into_inner().to_string());
            None
        }
    }
}

/// No number of a card, slot or step is greater, so that products with what a player has stay small.
const GREATEST: u64 = 99;

/// No parameter is greater.
const GREATEST_PARAMETER: u64 = 999;

/// A number in the value that is negative, broken or too great.
fn out_of_range(value: &Value, greatest: u64) -> Option<&Number> {
    match value {
        Value::Number(number) if number.as_u64().is_none_or(|number| number > greatest) => Some(number),
        Value::Array(items) => items.iter().find_map(|item| out_of_range(item, greatest)),
        Value::Object(map) => map.values().find_map(|item| out_of_range(item, greatest)),
        _ => None,
    }
}

/// Reads the table `key` row by row; faults of the table call it `at`, those of a row `noun` and its id.
fn rows<T: DeserializeOwned>(
    map: &mut Map<String, Value>,
    key: &str,
    at: &str,
    noun: &str,
    faults: &mut Faults,
) -> Rows<T> {
    let rows = match map.remove(key) {
        Some(Value::Array(rows)) => rows,
        Some(_) => {
            faults.add(at, "is not a list");
            return Rows::MISSING;
        }
        None => {
            faults.add(at, "is missing");
            return Rows::MISSING;
        }
    };
    let count = rows.len();
    let named = rows.into_iter().enumerate().map(|(at, row)| (name(noun, at, &row), row));
    let read = named.filter_map(|(name, row)| typed(row, &name, GREATEST, faults));
    Rows { read: read.collect(), count: Some(count) }
}

/// Returns what a row is called: by its id where it has one, else by its place from 1.
fn name(noun: &str, at: usize, row: &Value) -> String {
    let space = if noun.ends_with(':') { "" } else { " " };
    match (row.get("id"), row.get("area")) {
        (Some(Value::String(id)), _) => format!("{noun}{space}{id}"),
        (Some(Value::Number(id)), _) => format!("{noun}{space}{id}"),
        (None, Some(Value::Number(area))) => format!("{noun}{space}{area}"),
        _ => format!("{noun}{space}#{}", at + 1),
    }
}
