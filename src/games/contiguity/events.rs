//! Events of Contiguity on the wire.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::lines::{Direction, Kind};
use super::moves::{BidTurns, TurnOrder};
use super::position::Colour;
use crate::stonehenge::Space;
use sarsen_rules::{Seat, tagged_union};

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
    /// The spaces of the white pieces.
    #[schema(min_items = 6, max_items = 6)]
    pub(crate) white: Vec<Space>,
    /// The spaces of the red pieces.
    #[schema(min_items = 6, max_items = 6)]
    pub(crate) red: Vec<Space>,
}

/// Lots were drawn for the colours. White moves first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ColoursDrawn {
    /// The seat that plays white.
    pub(crate) white: Seat,
    /// The seat that plays red.
    pub(crate) red: Seat,
}

/// It was drawn who opens the bidding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpeningBidderDrawn {
    /// The seat that bids first.
    pub(crate) seat: Seat,
}

/// A seat bid. A bid of 1 ends the bidding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BidMade {
    /// The seat that bids.
    pub(crate) seat: Seat,
    /// The number of turns of their own within which the bidder undertakes to win.
    #[schema(value_type = i64, minimum = 1, maximum = 99)]
    pub(crate) turns: BidTurns,
}

/// A seat passed instead of bidding lower, which ends the bidding; the other seat chooses the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BiddingPassed {
    /// The seat that passed.
    pub(crate) seat: Seat,
}

/// The lowest bidder chose when to move, and with it the colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrderChosen {
    /// The seat that bid lowest and so chose.
    pub(crate) seat: Seat,
    /// The order: first or second.
    pub(crate) order: TurnOrder,
    /// The seat that plays white, and so moves first.
    pub(crate) white: Seat,
    /// The seat that plays red.
    pub(crate) red: Seat,
}

/// A piece moved along a line. Where several ways lead to the same space, this names a slide rather than a jump, then
/// the shorter way, then the clockwise one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PieceMoved {
    /// The seat that moved.
    pub(crate) seat: Seat,
    /// The colour of the piece.
    pub(crate) colour: Colour,
    /// The place where the piece stood.
    pub(crate) from: Space,
    /// The place where it stands now.
    pub(crate) to: Space,
    /// The kind of move: a slide or a jump.
    pub(crate) kind: Kind,
    /// The direction in which it went.
    pub(crate) direction: Direction,
    /// The space of the piece that it jumped over; null for a slide.
    #[schema(required)]
    pub(crate) jumped: Option<Space>,
    /// The number of this turn, both players' turns counted together from 1.
    #[schema(minimum = 1, maximum = 2000)]
    pub(crate) turn: u16,
    /// Into how many groups the mover's pieces now fall; 1 wins.
    #[schema(minimum = 1, maximum = 6)]
    pub(crate) groups: u8,
    /// The number of times that the new position has now occurred with the same side to move; null with bidding,
    /// where repetition does not count.
    #[schema(required, minimum = 1, maximum = 3)]
    pub(crate) occurrences: Option<u8>,
}
