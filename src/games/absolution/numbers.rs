//! A set of the numbers 1 to 30: where disks lie, what is wished for.

use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{KnownFormat, RefOr, SchemaFormat};

use crate::stonehenge::{NUMBERS, Number};
use sarsen_rules::{BitSet, Listed, Member};

impl Member for Number {
    type Bits = u32;
    // The numbers are 1 to 30, so bit 0 is of none.
    const ALL: u32 = ((1 << NUMBERS) - 1) << 1;

    fn bit(self) -> u32 {
        self.get().into()
    }

    fn of_bit(bit: u32) -> Option<Number> {
        u8::try_from(bit).ok().and_then(Number::new)
    }
}

/// Different numbers. In JSON an ascending list, read in any order.
pub type NumberSet = BitSet<Number>;

impl Listed for Number {
    const SCHEMA: &'static str = "AbsolutionNumberSet";
    const DESCRIPTION: &'static str =
        "Different numbers of the ring. Written in ascending order; accepted in any order.";

    fn item() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(1))
            .maximum(Some(i64::from(NUMBERS)))
            .into()
    }

    fn item_schemas(_: &mut Vec<(String, RefOr<Schema>)>) {}
}
