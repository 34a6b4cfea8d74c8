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

/// Chooses the space from which the thief sets out, and to which the fire is to be brought: `30a` or `1a`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChooseStart {
    /// The start.
    #[schema(examples("30a"))]
    pub space: Space,
}

/// Goes by the cheapest way to a space that the points reach. What is left over is spent on the capture where the
/// fire is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GoTo {
    /// Where to.
    #[schema(examples("6c"))]
    pub to: Space,
}

/// Stays, and spends all points on the capture where the fire is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StayHere {}

/// Finishes the capture with some of the points and goes on with the rest, at least one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeFire {
    /// Where to.
    #[schema(examples("7c"))]
    pub to: Space,
}
