//! Options of a match: who sits where, and with which cards (H-01, H-05).

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::components::{ComponentSets, Components, SetId};
use super::state::{Equipment, Seating};
use sarsen_rules::phrases::counted;
use sarsen_rules::{MalformedOptions, Refusal, SeatCount, read_options};

/// Options of Henge.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeOptions)]
pub struct Options {
    /// The players at the table, in turn order: `h` for a person and `b` for a Hengebot, such as `hbh`; as many `h` as the
    /// match has seats, and an `h` first. Empty: the people first, then Hengebots up to three players.
    #[schema(value_type = String, required = false, pattern = "^[hb]{0,5}$", max_length = 5, default = "", examples("hbh"))]
    pub(crate) table: Seating,
    /// The component set: name, version and digest as the catalogue shows them. It is pinned when the match is
    /// created; the default is the one that this service offers.
    #[schema(value_type = SetId, required = false)]
    pub(crate) set: Components,
}

/// Options as a creator gives them: without a set, the offered one is meant.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Given {
    table: Seating,
    #[serde(deserialize_with = "named")]
    set: Option<SetId>,
}

/// A set that is named: `null` names none, and nothing says that it might be left empty.
fn named<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<SetId>, D::Error> {
    SetId::deserialize(deserializer).map(Some)
}

impl Options {
    /// Reads options, with the sets there are.
    ///
    /// # Errors
    /// The first fault, with its place.
    pub(crate) fn read(json: &Value, sets: &ComponentSets) -> Result<Options, MalformedOptions> {
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
    pub(crate) fn check(&self, seats: SeatCount) -> Result<(), Refusal> {
        let refuse = |code, rule, detail: String| Refusal::new(code, rule, Some("table"), detail);
        let seating = self.table.with(seats, &self.set);
        let people = seating.people();
        if people != usize::from(seats.get()) {
            let (people, seats) = (counted(people as u64, "person", "people"), counted(seats.get(), "seat", "seats"));
            let detail = format!("the table {seating} has {people}, the match {seats}");
            return Err(refuse("table_seats_differ", "2.1", detail));
        }
        let params = &self.set.params;
        if !(params.min_total..=params.max_total).contains(&seating.total()) {
            let (min, max) = (params.min_total, params.max_total);
            let detail = format!("{min} to {max} players, Hengebots counted");
            return Err(refuse("table_size", "H-01", detail));
        }
        let bots = usize::from(seating.total()) - people;
        if bots > usize::from(params.max_bots) {
            return Err(refuse("too_many_bots", "H-01", format!("at most {} Hengebots", params.max_bots)));
        }
        if !seating.begins_with_a_person() {
            return Err(refuse("first_place_not_a_person", "H-05", "a person starts".to_owned()));
        }
        if self.set.side(seating.total()).is_none() {
            let detail = format!("the set has no board side for {}", counted(seating.total(), "player", "players"));
            return Err(refuse("table_size", "H-02", detail));
        }
        Ok(())
    }

    /// The seating and the equipment of a match with these options.
    pub(crate) fn played(&self, seats: SeatCount) -> (Seating, Equipment) {
        let seating = self.table.with(seats, &self.set);
        let equipment = Equipment::new(self.set.clone(), seating.total());
        (seating, equipment)
    }
}
