//! A set of a few things as one machine word, a bit each: cheap to copy, compare and join.
//!
//! Invariant: it holds nothing but members. A set of [`Listed`] members is a list in JSON; a set of indices is its word.

use std::borrow::Cow;
use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::marker::PhantomData;
use std::ops::{BitAnd, BitOr, Not};

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::Dice;

/// A word of bits.
pub trait Bits: Copy + Eq + Hash + Debug + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// No bit.
    const NONE: Self;
    /// Just this bit, counted from 0; no bit where the word has none of this number.
    fn one(number: u32) -> Self;
    /// Returns how many bits it has.
    fn count(self) -> u32;
    /// The number of its lowest bit; its width if it has none.
    fn lowest(self) -> u32;
}

macro_rules! words {
    ($($word:ty),*) => {$(
        impl Bits for $word {
            const NONE: Self = 0;
            #[inline]
            fn one(number: u32) -> Self {
                <$word>::checked_shl(1, number).unwrap_or(0)
            }
            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
        }
    )*};
}

words!(u8, u32, u64, u128);

/// A value that a [`BitSet`] can hold.
pub trait Member: Copy + Eq + Hash {
    /// A word with a bit for each.
    type Bits: Bits;
    /// The bits of all members.
    const ALL: Self::Bits;
    /// The number of its bit.
    fn bit(self) -> u32;
    /// The member of this bit; `None` for a bit without one.
    fn of_bit(number: u32) -> Option<Self>;
}

/// A member whose sets are lists in JSON: in the order of their bits as written, in any order as read.
pub trait Listed: Member + Display + Serialize + for<'de> Deserialize<'de> {
    /// The name of the set's schema.
    const SCHEMA: &'static str;
    /// The description of the set's schema.
    const DESCRIPTION: &'static str;
    /// The schema of one member.
    fn item() -> RefOr<Schema>;
    /// Adds the schemas that `item` refers to.
    fn item_schemas(schemas: &mut Vec<(String, RefOr<Schema>)>);
}

/// An index of up to 64 things.
impl Member for usize {
    type Bits = u64;
    const ALL: u64 = u64::MAX;

    fn bit(self) -> u32 {
        u32::try_from(self).unwrap_or(u32::MAX)
    }

    fn of_bit(number: u32) -> Option<usize> {
        (number < u64::BITS).then_some(number as usize)
    }
}

/// A set of members.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BitSet<T: Member>(T::Bits);

impl<T: Member> BitSet<T> {
    /// Nothing.
    pub const EMPTY: BitSet<T> = BitSet(T::Bits::NONE);

    /// All members.
    pub const ALL: BitSet<T> = BitSet(T::ALL);

    /// The members of these bits. Every bit must have a member.
    pub const fn from_bits(bits: T::Bits) -> BitSet<T> {
        BitSet(bits)
    }

    /// A bit for each member.
    pub(crate) const fn bits(self) -> T::Bits {
        self.0
    }

    /// Just this one.
    #[inline]
    pub fn one(member: T) -> BitSet<T> {
        BitSet(T::Bits::one(member.bit()))
    }

    /// Returns whether it is in the set.
    #[inline]
    pub fn contains(self, member: T) -> bool {
        self.0 & T::Bits::one(member.bit()) != T::Bits::NONE
    }

    /// Puts one in; false if it was there.
    #[inline]
    pub fn insert(&mut self, member: T) -> bool {
        let before = *self;
        *self = self.with(member);
        *self != before
    }

    /// Takes one out; false if it was not there.
    #[inline]
    pub fn remove(&mut self, member: T) -> bool {
        let before = *self;
        *self = self.minus(BitSet::one(member));
        *self != before
    }

    /// The set with this one as well.
    #[inline]
    #[must_use]
    pub fn with(self, member: T) -> BitSet<T> {
        self.union(BitSet::one(member))
    }

    /// Returns the union.
    #[inline]
    #[must_use]
    pub fn union(self, other: BitSet<T>) -> BitSet<T> {
        BitSet(self.0 | other.0)
    }

    /// Returns the members that `other` lacks.
    #[inline]
    #[must_use]
    pub fn minus(self, other: BitSet<T>) -> BitSet<T> {
        BitSet(self.0 & !other.0)
    }

    /// Returns the intersection.
    #[inline]
    #[must_use]
    pub fn common(self, other: BitSet<T>) -> BitSet<T> {
        BitSet(self.0 & other.0)
    }

    /// Returns whether it is a subset of `other`.
    #[inline]
    pub fn is_within(self, other: BitSet<T>) -> bool {
        self.minus(other).is_empty()
    }

    /// Returns the number of members.
    #[inline]
    pub fn len(self) -> usize {
        self.0.count() as usize
    }

    /// Returns whether it is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == T::Bits::NONE
    }

    /// The members, in the order of their bits.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = T> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let number = rest.lowest();
            rest = rest & !T::Bits::one(number);
            T::of_bit(number)
        })
    }

    /// The member with the lowest bit.
    #[inline]
    pub fn first(self) -> Option<T> {
        self.iter().next()
    }

    /// Takes one member out, each with the same chance.
    pub fn draw(&mut self, dice: &mut Dice) -> Option<T> {
        let nth = dice.index(self.len())?;
        let member = self.iter().nth(nth)?;
        self.remove(member);
        Some(member)
    }
}

impl<T: Listed> Serialize for BitSet<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// Reads a list of different members, in any order.
impl<'de, T: Listed> Deserialize<'de> for BitSet<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BitSet<T>, D::Error> {
        deserializer.deserialize_seq(List(PhantomData))
    }
}

impl<T: Listed> PartialSchema for BitSet<T> {
    fn schema() -> RefOr<Schema> {
        ArrayBuilder::new()
            .items(T::item())
            .unique_items(true)
            .max_items(Some(BitSet::<T>::ALL.len()))
            .description(Some(T::DESCRIPTION))
            .into()
    }
}

impl<T: Listed> ToSchema for BitSet<T> {
    fn name() -> Cow<'static, str> {
        T::SCHEMA.into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        T::item_schemas(schemas);
    }
}

impl Serialize for BitSet<usize> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.bits().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for BitSet<usize> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BitSet<usize>, D::Error> {
        u64::deserialize(deserializer).map(BitSet::from_bits)
    }
}

struct List<T>(PhantomData<T>);

impl<'de, T: Member + Deserialize<'de> + Display> Visitor<'de> for List<T> {
    type Value = BitSet<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list without repetitions")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut members: A) -> Result<BitSet<T>, A::Error> {
        let mut set = BitSet::EMPTY;
        while let Some(member) = members.next_element::<T>()? {
            if !set.insert(member) {
                return Err(A::Error::custom(format_args!("{member} is named twice")));
            }
        }
        Ok(set)
    }
}

impl<T: Member> Default for BitSet<T> {
    fn default() -> BitSet<T> {
        BitSet::EMPTY
    }
}

impl<T: Member> FromIterator<T> for BitSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> BitSet<T> {
        members.into_iter().fold(BitSet::EMPTY, BitSet::with)
    }
}

impl<T: Member + Debug> Debug for BitSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    struct Letter(u8);

    impl Member for Letter {
        type Bits = u32;
        const ALL: u32 = (1 << 26) - 1;
        fn bit(self) -> u32 {
            u32::from(self.0)
        }
        fn of_bit(number: u32) -> Option<Letter> {
            (number < 26).then_some(Letter(number as u8))
        }
    }

    fn set(numbers: &BTreeSet<u8>) -> BitSet<Letter> {
        numbers.iter().map(|number| Letter(*number)).collect()
    }

    fn numbers() -> impl Strategy<Value = BTreeSet<u8>> {
        prop::collection::btree_set(0..26_u8, 0..26)
    }

    proptest! {
        #[test]
        fn it_does_what_a_set_does(a in numbers(), b in numbers(), one in 0..26_u8) {
            let (x, y) = (set(&a), set(&b));
            prop_assert_eq!(x.union(y), set(&(&a | &b)));
            prop_assert_eq!(x.minus(y), set(&(&a - &b)));
            prop_assert_eq!(x.common(y), set(&(&a & &b)));
            prop_assert_eq!(x.is_within(y), a.is_subset(&b));
            prop_assert_eq!((x.len(), x.is_empty()), (a.len(), a.is_empty()));
            prop_assert_eq!(x.iter().map(|letter| letter.0).collect::<Vec<_>>(), a.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(x.first().map(|letter| letter.0), a.first().copied());
            prop_assert_eq!(x.contains(Letter(one)), a.contains(&one));
            let (mut changed, mut model) = (x, a.clone());
            prop_assert_eq!(changed.insert(Letter(one)), model.insert(one));
            prop_assert_eq!(changed, set(&model));
            prop_assert_eq!(changed.remove(Letter(one)), model.remove(&one));
            prop_assert!(!changed.remove(Letter(one)));
            prop_assert_eq!(changed, set(&model));
        }
    }

    #[test]
    fn a_bit_beyond_the_word_is_never_in() {
        let mut set = BitSet::EMPTY;
        assert!(!set.insert(Letter(40)) && !set.contains(Letter(40)));
        assert!(set.is_empty());
    }
}
