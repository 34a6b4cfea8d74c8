//! What the thief's player can do, as it crosses the wire.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::space::Space;
use crate::rules::tagged_union;

tagged_union! {
    /// A move.
    #[derive(Copy)]
    pub enum Move {
        "start" => Start(ChooseStart),
        "go" => Go(GoTo),
        "stay" => Stay(StayHere),
        "take" => Take(TakeFire),
    }
}

/// Chooses the space from which the thief sets out and to which the fire must be brought back: `30a` or `1a`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChooseStart {
    /// The space: `30a` or `1a`.
    #[schema(examples("30a"))]
    pub space: Space,
}

/// Goes by the cheapest way to a space within reach of the points. Where the fire is, the points left over are spent on
/// the capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GoTo {
    /// The destination.
    #[schema(examples("6c"))]
    pub to: Space,
}

/// Stays. Where the fire is, all points are spent on the capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StayHere {}

/// Finishes the capture with some of the points and goes on with the rest, by at least one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeFire {
    /// The destination.
    #[schema(examples("7c"))]
    pub to: Space,
}
