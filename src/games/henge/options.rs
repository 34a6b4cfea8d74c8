//! What the creator of a match may choose: who sits where, and with which cards (H-01, H-05).

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::components::{ComponentSet, ComponentSets, Components, SetId};
use super::state::Rules;
use crate::rules::{MalformedOptions, Refusal, Seat, SeatCount, read_options};

/// Options of Henge.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeOptions)]
pub struct Options {
    /// The table in turn order, `h` for a person and `b` for a Hengebot, such as `hbh`; as many `h` as the match has
    /// seats, the first an `h`. Empty: the people first, then Hengebots up to three players.
    #[schema(value_type = String, required = false, pattern = "^[hb]{0,5}$", max_length = 5, default = "", examples("hbh"))]
    pub table: Table,
    /// The component set: name, version and digest as the catalogue shows them. It is pinned when the match is
    /// created; the default is the one that this service offers.
    #[schema(value_type = SetId, required = false)]
    pub set: Components,
}

/// Options as a creator gives them: without a set, the offered one is meant.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Given {
    table: Table,
    set: Option<SetId>,
}

/// Who sits where, as written: `h` a person, `b` a Hengebot.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Table(Vec<bool>);

impl Table {
    /// The most places.
    pub const MOST: usize = 5;

    /// The table that is meant with so many people (H-01).
    pub fn with(&self, seats: SeatCount, set: &ComponentSet) -> Table {
        if !self.0.is_empty() {
            return self.clone();
        }
        let people = usize::from(seats.get());
        let total = people.max(usize::from(set.params.min_total));
        Table((0..total).map(|place| place < people).collect())
    }

    /// Who sits where, seats numbered in turn order.
    pub fn places(&self) -> Vec<Option<Seat>> {
        let mut people = 0;
        let place = |is_person: &bool| {
            is_person.then(|| {
                people += 1;
                Seat::new(people - 1)
            })?
        };
        self.0.iter().map(place).collect()
    }

    /// The table of these places.
    pub fn of(places: &[Option<Seat>]) -> Table {
        Table(places.iter().map(Option::is_some).collect())
    }

    /// How many players, people and Hengebots.
    pub fn total(&self) -> u8 {
        self.0.len() as u8
    }
}

impl TryFrom<String> for Table {
    type Error = String;
    fn try_from(text: String) -> Result<Table, String> {
        let place = |letter: char| match letter {
            'h' | 'H' => Some(true),
            'b' | 'B' => Some(false),
            _ => None,
        };
        let places: Option<Vec<bool>> = text.chars().take(Table::MOST + 1).map(place).collect();
        places
            .filter(|places| places.len() <= Table::MOST)
            .map(Table)
            .ok_or_else(|| format!("a table is at most {} letters, h for a person and b for a Hengebot", Table::MOST))
    }
}

impl From<Table> for String {
    fn from(table: Table) -> String {
        table.to_string()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|is_person| f.write_str(if *is_person { "h" } else { "b" }))
    }
}

impl Options {
    /// Reads options, with the sets there are.
    ///
    /// # Errors
    /// The first fault, with its place.
    pub fn read(json: &Value, sets: &ComponentSets) -> Result<Options, MalformedOptions> {
        let Given { table, set } = read_options(json)?;
        let set = match set {
            Some(id) => sets.find(&id).map_err(|missing| MalformedOptions::at("set", missing))?,
            None => sets.offered(),
        };
        Ok(Options { table, set })
    }

    /// Refuses a table that does not fit.
    ///
    /// # Errors
    /// H-01 for the number of Hengebots or players, H-05 for a Hengebot at the first place, section 2.1 for a table that
    /// has not as many people as the match has seats.
    pub fn check(&self, seats: SeatCount) -> Result<(), Refusal> {
        let refuse = |code, rule, detail: String| Refusal::new(code, rule, Some("table"), detail);
        let table = self.table.with(seats, &self.set);
        let people = table.0.iter().filter(|is_person| **is_person).count();
        if people != usize::from(seats.get()) {
            let detail = format!("the table {table} has {people} people, the match {} seats", seats.get());
            return Err(refuse("table_seats_differ", "2.1", detail));
        }
        let params = &self.set.params;
        if !(params.min_total..=params.max_total).contains(&table.total()) {
            let detail = format!("{} to {} players, Hengebots counted", params.min_total, params.max_total);
            return Err(refuse("table_size", "H-01", detail));
        }
        let bots = table.0.len() - people;
        if bots > usize::from(params.max_bots) {
            return Err(refuse("too_many_bots", "H-01", format!("at most {} Hengebots", params.max_bots)));
        }
        if table.0.first() != Some(&true) {
            return Err(refuse("first_place_not_a_person", "H-05", "a person starts".to_owned()));
        }
        if self.set.side(table.total()).is_none() {
            let detail = format!("the set has no board side for {} players", table.total());
            return Err(refuse("table_size", "H-02", detail));
        }
        Ok(())
    }

    /// The table and the rules of a match with these options.
    pub fn played(&self, seats: SeatCount) -> (Table, Rules) {
        let table = self.table.with(seats, &self.set);
        let rules = Rules::new(self.set.clone(), table.total());
        (table, rules)
    }
}
