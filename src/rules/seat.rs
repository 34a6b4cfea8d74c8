//! Seats, sets of seats, and viewers.
//!
//! Invariant: a [`Seat`] is below [`MAX_SEATS`]; whether it exists in a given match is checked where the match is
//! known.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, KnownFormat, ObjectBuilder, SchemaFormat, Type};

use super::reading::small_integer;
use super::{BitSet, Member};

/// The most seats any game here has.
pub const MAX_SEATS: u8 = 5;

/// A seat of the match, numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, ToSchema)]
#[serde(into = "u8")]
#[schema(value_type = i64, minimum = 0, maximum = 4, examples(0))]
pub struct Seat(u8);

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
        small_integer(deserializer, 0..=MAX_SEATS - 1, Seat::new)
    }
}

impl Seat {
    /// Seat `index`, or `None` from [`MAX_SEATS`] on.
    pub const fn new(index: u8) -> Option<Seat> {
        if index < MAX_SEATS { Some(Seat(index)) } else { None }
    }

    /// The seat's number, for indexing.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The seat's number as it is written on the wire.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The next seat clockwise among `count` seats.
    pub const fn next(self, count: SeatCount) -> Seat {
        Seat((self.0 + 1) % count.0)
    }

    /// The schema of a list of seats.
    pub fn list_schema(description: &str) -> Array {
        let seat = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(0))
            .maximum(Some(i32::from(MAX_SEATS - 1)));
        ArrayBuilder::new().items(seat).description(Some(description)).build()
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> u8 {
        seat.0
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The number of seats of a match: 1 to [`MAX_SEATS`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(into = "u8")]
pub struct SeatCount(u8);

impl<'de> Deserialize<'de> for SeatCount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SeatCount, D::Error> {
        small_integer(deserializer, 1..=MAX_SEATS, SeatCount::new)
    }
}

impl SeatCount {
    /// A solo match.
    pub const ONE: SeatCount = SeatCount(1);

    /// `count` seats, or `None` outside 1 to [`MAX_SEATS`].
    pub const fn new(count: u8) -> Option<SeatCount> {
        if count >= 1 && count <= MAX_SEATS { Some(SeatCount(count)) } else { None }
    }

    /// The number of seats.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Returns whether `seat` exists among this many.
    pub const fn contains(self, seat: Seat) -> bool {
        seat.0 < self.0
    }

    /// All seats, in order.
    pub fn seats(self) -> impl Iterator<Item = Seat> + Clone {
        (0..self.0).map(Seat)
    }
}

impl From<SeatCount> for u8 {
    fn from(count: SeatCount) -> u8 {
        count.0
    }
}

impl Member for Seat {
    type Bits = u8;
    const ALL: u8 = u8::MAX;

    fn bit(self) -> u32 {
        self.0.into()
    }

    fn of_bit(bit: u32) -> Option<Seat> {
        u8::try_from(bit).ok().and_then(Seat::new)
    }
}

/// A set of seats.
pub type Seats = BitSet<Seat>;

impl Seats {
    /// Every seat of a match with `count` seats.
    pub const fn all(count: SeatCount) -> Seats {
        BitSet::from_bits((1 << count.0) - 1)
    }
}

/// The viewer of a state, a move or an event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Viewer {
    /// A player, who sees the part that their seat may know.
    Seat(Seat),
    /// Anyone else, who sees only the public part.
    Spectator,
    /// Sees everything. Only for matches that have ended.
    Omniscient,
}

impl Viewer {
    /// Returns whether this viewer may know the secrets of `seat`.
    pub fn may_see(self, seat: Seat) -> bool {
        match self {
            Viewer::Seat(own) => own == seat,
            Viewer::Spectator => false,
            Viewer::Omniscient => true,
        }
    }
}
