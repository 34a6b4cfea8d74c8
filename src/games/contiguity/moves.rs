//! Moves of Contiguity on the wire.
//!
//! The moves of pieces are written as JSON once for the whole process: a list of them is most of what a client reads.
//! The text is what serde writes of the move; the conformance suite compares.

use std::sync::LazyLock;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

pub use crate::common::TurnOrder;
use crate::common::{CHOOSE, Pass, choose_schema, choose_schemas};
use crate::stonehenge::{SPACES, Space};
use sarsen_rules::reading::small_integer;
use sarsen_rules::{Schemas, tagged_union};

tagged_union! {
    /// A move.
    #[derive(Copy)]
    pub enum Move {
        "move" => Move(MovePiece),
        "bid" => Bid(Bid),
        "pass" => Pass(Pass),
        "choose" => Choose(ChooseOrder),
    }
}

/// Moves one of one's own pieces along a line to an empty space.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MovePiece {
    /// The place where the piece stands.
    #[schema(examples("29b"))]
    pub from: Space,
    /// The space on which it ends.
    #[schema(examples("5b"))]
    pub to: Space,
}

/// Bids to win within this many turns of one's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Bid {
    /// The number of one's own turns, fewer than in the last bid.
    #[schema(value_type = i64, minimum = 1, maximum = 99, examples(12))]
    pub(crate) turns: BidTurns,
}

/// Chooses, as the lowest bidder, when to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChooseOrder {
    /// First is white, second is red.
    pub(crate) order: TurnOrder,
}

impl PartialSchema for ChooseOrder {
    fn schema() -> RefOr<Schema> {
        choose_schema()
    }
}

impl ToSchema for ChooseOrder {
    fn name() -> std::borrow::Cow<'static, str> {
        CHOOSE.into()
    }

    fn schemas(schemas: &mut Schemas) {
        choose_schemas(schemas);
    }
}

/// A number of own turns that can be bid: 1 to 99 (CO-18).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(into = "u8")]
pub struct BidTurns(u8);

impl<'de> Deserialize<'de> for BidTurns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BidTurns, D::Error> {
        small_integer(deserializer, 1..=BidTurns::MAX, BidTurns::new)
    }
}

impl BidTurns {
    /// The highest bid of all.
    pub(crate) const MAX: u8 = 99;

    /// `turns`, or `None` outside 1 to 99.
    pub(crate) const fn new(turns: u8) -> Option<BidTurns> {
        if turns >= 1 && turns <= BidTurns::MAX { Some(BidTurns(turns)) } else { None }
    }

    /// The number of own turns.
    pub(crate) const fn get(self) -> u8 {
        self.0
    }
}

impl From<BidTurns> for u8 {
    fn from(turns: BidTurns) -> u8 {
        turns.0
    }
}

/// By start and target in board order; nothing where no line leads from one to the other.
static WRITTEN: LazyLock<Vec<Option<Box<RawValue>>>> = LazyLock::new(|| {
    let pairs = Space::all().flat_map(|from| Space::all().map(move |to| MovePiece { from, to }));
    pairs.map(|mv| if in_line(mv) { to_raw_value(&Move::Move(mv)).ok() } else { None }).collect()
});

fn in_line(MovePiece { from, to }: MovePiece) -> bool {
    from.row() == to.row() || from.column() == to.column()
}

/// The move as JSON, where it is ready: for a piece that goes along a line.
pub(crate) fn written(mv: &Move) -> Option<&'static RawValue> {
    let Move::Move(mv) = mv else { return None };
    let place = usize::from(mv.from.index()) * usize::from(SPACES) + usize::from(mv.to.index());
    WRITTEN.get(place)?.as_deref()
}
