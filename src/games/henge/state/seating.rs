//! The seating: people and Hengebots in turn order, written as a word such as `hbh`.
//!
//! Invariant: at most [`Seating::MOST`] chairs. Whether a seating fits its match is what the options check.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::henge::components::ComponentSet;
use sarsen_rules::{Seat, SeatCount};

/// The players by their chairs, as written: `h` a person, `b` a Hengebot.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Seating(Vec<bool>);

impl Seating {
    /// The most chairs.
    pub(crate) const MOST: usize = 5;

    /// The default seating for this number of people (H-01).
    pub(crate) fn with(&self, seats: SeatCount, set: &ComponentSet) -> Seating {
        if !self.0.is_empty() {
            return self.clone();
        }
        let people = usize::from(seats.get());
        let total = people.max(usize::from(set.params.min_total));
        Seating((0..total).map(|chair| chair < people).collect())
    }

    /// Returns who sits where, seats numbered in turn order.
    pub(crate) fn chairs(&self) -> Vec<Option<Seat>> {
        let mut people = 0;
        let chair = |is_person: &bool| {
            is_person.then(|| {
                people += 1;
                Seat::new(people - 1)
            })?
        };
        self.0.iter().map(chair).collect()
    }

    /// The seating of these chairs.
    pub(crate) fn of(chairs: &[Option<Seat>]) -> Seating {
        Seating(chairs.iter().map(Option::is_some).collect())
    }

    /// Returns how many people.
    pub(crate) fn people(&self) -> usize {
        self.0.iter().filter(|is_person| **is_person).count()
    }

    /// Returns whether a person takes the first turns (H-05).
    pub(crate) fn begins_with_a_person(&self) -> bool {
        self.0.first() == Some(&true)
    }

    /// Returns how many players, people and Hengebots.
    pub(crate) fn total(&self) -> u8 {
        self.0.len() as u8
    }
}

impl TryFrom<String> for Seating {
    type Error = String;
    fn try_from(text: String) -> Result<Seating, String> {
        let chair = |letter: char| match letter {
            'h' | 'H' => Some(true),
            'b' | 'B' => Some(false),
            _ => None,
        };
        let chairs: Option<Vec<bool>> = text.chars().take(Seating::MOST + 1).map(chair).collect();
        chairs
            .filter(|chairs| chairs.len() <= Seating::MOST)
            .map(Seating)
            .ok_or_else(|| format!("a table is at most {} letters, h for a person and b for a Hengebot", Seating::MOST))
    }
}

impl From<Seating> for String {
    fn from(table: Seating) -> String {
        table.to_string()
    }
}

impl fmt::Display for Seating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|is_person| f.write_str(if *is_person { "h" } else { "b" }))
    }
}
