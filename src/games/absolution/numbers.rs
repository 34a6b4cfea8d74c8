//! A set of the numbers 1 to 30: where disks lie, what is wished for.

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, Type};
use utoipa::openapi::{KnownFormat, RefOr, SchemaFormat};
use utoipa::{PartialSchema, ToSchema};

use crate::games::stonehenge::{NUMBERS, Number};

/// Different numbers. In JSON an ascending list, read in any order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct NumberSet(u32);

impl NumberSet {
    /// No numbers.
    pub const EMPTY: NumberSet = NumberSet(0);

    /// Whether `number` is in it.
    pub const fn contains(self, number: Number) -> bool {
        self.0 >> number.get() & 1 == 1
    }

    /// Puts `number` in; false if it was there.
    pub const fn insert(&mut self, number: Number) -> bool {
        let added = !self.contains(number);
        self.0 |= 1 << number.get();
        added
    }

    /// Takes `number` out; false if it was not there.
    pub const fn remove(&mut self, number: Number) -> bool {
        let had = self.contains(number);
        self.0 &= !(1 << number.get());
        had
    }

    /// What is in both.
    #[must_use]
    pub const fn both(self, other: NumberSet) -> NumberSet {
        NumberSet(self.0 & other.0)
    }

    /// What is in either.
    #[must_use]
    pub const fn union(self, other: NumberSet) -> NumberSet {
        NumberSet(self.0 | other.0)
    }

    /// How many there are.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The numbers, ascending.
    pub fn iter(self) -> impl Iterator<Item = Number> + Clone {
        Number::all().filter(move |number| self.contains(*number))
    }
}

impl FromIterator<Number> for NumberSet {
    fn from_iter<I: IntoIterator<Item = Number>>(numbers: I) -> NumberSet {
        let mut set = NumberSet::EMPTY;
        for number in numbers {
            set.insert(number);
        }
        set
    }
}

impl fmt::Debug for NumberSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Number::get)).finish()
    }
}

impl Serialize for NumberSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for NumberSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<NumberSet, D::Error> {
        let mut set = NumberSet::EMPTY;
        for number in Vec::<Number>::deserialize(deserializer)? {
            if !set.insert(number) {
                return Err(D::Error::custom(format_args!("{number} is named twice")));
            }
        }
        Ok(set)
    }
}

impl PartialSchema for NumberSet {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(1))
            .maximum(Some(i64::from(NUMBERS)));
        ArrayBuilder::new()
            .items(number)
            .unique_items(true)
            .max_items(Some(usize::from(NUMBERS)))
            .description(Some("Different numbers of the ring. Written in ascending order; accepted in any order."))
            .into()
    }
}

impl ToSchema for NumberSet {
    fn name() -> std::borrow::Cow<'static, str> {
        "AbsolutionNumberSet".into()
    }
}
