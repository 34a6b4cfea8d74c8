//! A set of the numbers 1 to 30: where disks lie, what is wished for.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, Type};
use utoipa::openapi::{KnownFormat, RefOr, SchemaFormat};
use utoipa::{PartialSchema, ToSchema};

use crate::games::stonehenge::{NUMBERS, Number};
use crate::rules::{BitSet, Member};

impl Member for Number {
    type Bits = u32;

    fn bit(self) -> u32 {
        self.get().into()
    }

    fn of_bit(bit: u32) -> Option<Number> {
        u8::try_from(bit).ok().and_then(Number::new)
    }
}

/// Different numbers. In JSON an ascending list, read in any order.
pub type NumberSet = BitSet<Number>;

impl Serialize for NumberSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for NumberSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<NumberSet, D::Error> {
        BitSet::read_list(deserializer)
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
