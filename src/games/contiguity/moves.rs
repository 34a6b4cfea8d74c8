//! What a player can do, and what happens, as they cross the wire.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::lines::{Direction, Kind};
use super::position::Colour;
use crate::games::common::{CHOOSE, Pass, choose_schema};
use crate::games::stonehenge::Space;
use crate::rules::{Seat, tagged_union};

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

/// Moves one own piece along one line to an empty space.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MovePiece {
    /// Where the piece stands.
    #[schema(examples("29b"))]
    pub from: Space,
    /// Where it goes.
    #[schema(examples("5b"))]
    pub to: Space,
}

/// Bids to win within this many own turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Bid {
    /// Own turns, fewer than the last bid.
    #[schema(value_type = i64, minimum = 1, maximum = 99, examples(12))]
    pub turns: BidTurns,
}

/// Chooses, as the lowest bidder, when to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChooseOrder {
    /// First is white, second is red.
    pub order: TurnOrder,
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
}

/// A place in the order of turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display, EnumString, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TurnOrder {
    /// Before the opponent.
    First,
    /// After the opponent.
    Second,
}

/// A number of own turns that can be bid: 1 to 99 (CO-18).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct BidTurns(u8);

impl BidTurns {
    /// The highest bid of all.
    pub const MAX: u8 = 99;

    /// `turns`, or `None` outside 1 to 99.
    pub const fn new(turns: u8) -> Option<BidTurns> {
        if turns >= 1 && turns <= BidTurns::MAX { Some(BidTurns(turns)) } else { None }
    }

    /// The number of own turns.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for BidTurns {
    type Error = String;
    fn try_from(turns: u8) -> Result<BidTurns, String> {
        BidTurns::new(turns).ok_or_else(|| format!("a bid is 1 to {} turns", BidTurns::MAX))
    }
}

impl From<BidTurns> for u8 {
    fn from(turns: BidTurns) -> u8 {
        turns.0
    }
}

tagged_union! {
    /// Something that happened.
    pub enum Event {
        "disks_set_up" => DisksSetUp(DisksSetUp),
        "colours_drawn" => ColoursDrawn(ColoursDrawn),
        "opening_bidder_drawn" => OpeningBidderDrawn(OpeningBidderDrawn),
        "bid_made" => BidMade(BidMade),
        "bidding_passed" => BiddingPassed(BiddingPassed),
        "order_chosen" => OrderChosen(OrderChosen),
        "piece_moved" => PieceMoved(PieceMoved),
    }
}

/// The pieces were put on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DisksSetUp {
    /// Where the white pieces stand.
    #[schema(min_items = 6, max_items = 6)]
    pub white: Vec<Space>,
    /// Where the red pieces stand.
    #[schema(min_items = 6, max_items = 6)]
    pub red: Vec<Space>,
}

/// It was drawn who plays which colour. White moves first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ColoursDrawn {
    /// The seat that plays white.
    #[schema(value_type = i64, minimum = 0, maximum = 1)]
    pub white: Seat,
    /// The seat that plays red.
    #[schema(value_type = i64, minimum = 0, maximum = 1)]
    pub red: Seat,
}

/// It was drawn who opens the bidding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpeningBidderDrawn {
    /// The seat that bids first.
    #[schema(value_type = i64, minimum = 0, maximum = 1)]
    pub seat: Seat,
}

/// A seat bid. A bid of 1 ends the bidding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BidMade {
    /// The bidder.
    #[schema(value_type = i64, minimum = 0, maximum = 1)]
    pub seat: Seat,
    /// Own turns to win within.
    #[schema(value_type = i64, minimum = 1, maximum = 99)]
    pub turns: BidTurns,
}

/// A seat did not bid lower. This ends the bidding; the other seat chooses the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BiddingPassed {
    /// The seat that passed.
    #[schema(value_type = i64, minimum = 0, maximum = 1)]
    pub seat: Seat,
}

/// The lowest bidder chose when to move, and with it the colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrderChosen {
    /// The lowest bidder.
    #[schema(value_type = i64, minimum = 0, maximum = 1)]
    pub seat: Seat,
    /// What was chosen.
    pub order: TurnOrder,
    /// The seat that plays white, and so moves first.
    #[schema(value_type = i64, minimum = 0, maximum = 1)]
    pub white: Seat,
    /// The seat that plays red.
    #[schema(value_type = i64, minimum = 0, maximum = 1)]
    pub red: Seat,
}

/// A piece went along a line. Of several ways to the same space this names a slide rather than a jump, then the
/// shorter way, then the clockwise one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PieceMoved {
    /// Who moved.
    #[schema(value_type = i64, minimum = 0, maximum = 1)]
    pub seat: Seat,
    /// The mover's colour.
    pub colour: Colour,
    /// Where the piece stood.
    pub from: Space,
    /// Where it stands now.
    pub to: Space,
    /// Slide or jump.
    pub kind: Kind,
    /// Which way it went.
    pub direction: Direction,
    /// The space of the piece that it jumped over; null for a slide.
    #[schema(required)]
    pub jumped: Option<Space>,
    /// The number of this turn, both players' turns counted together from 1.
    #[schema(value_type = i64, minimum = 1, maximum = 2000)]
    pub turn: u16,
    /// Into how many groups the mover's pieces now fall; 1 wins.
    #[schema(value_type = i64, minimum = 1, maximum = 6)]
    pub groups: u8,
    /// How often the new position has now stood with the same side to move; null under bidding, where that does not
    /// count.
    #[schema(value_type = Option<i64>, required, minimum = 1, maximum = 3)]
    pub occurrences: Option<u8>,
}
