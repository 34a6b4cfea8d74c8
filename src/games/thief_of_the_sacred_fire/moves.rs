//! Moves of Thief of the Sacred Fire on the wire.
//!
//! Going somewhere is written as JSON once for the whole process: a list names every space within reach. The text is what
//! serde writes of the move; the conformance suite compares.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;

use super::space::Space;
use sarsen_rules::tagged_union;

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
    pub(crate) to: Space,
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
    pub(crate) to: Space,
}

/// The moves to every space, in board order.
struct Written {
    go: Vec<Option<Box<RawValue>>>,
    take: Vec<Option<Box<RawValue>>>,
}

static WRITTEN: LazyLock<Written> = LazyLock::new(|| {
    let written = |mv: fn(Space) -> Move| Space::all().map(|to| to_raw_value(&mv(to)).ok()).collect();
    Written { go: written(|to| Move::Go(GoTo { to })), take: written(|to| Move::Take(TakeFire { to })) }
});

/// The move as JSON, where it is ready.
pub(crate) fn written(mv: &Move) -> Option<&'static RawValue> {
    let (ready, to) = match mv {
        Move::Go(GoTo { to }) => (&WRITTEN.go, to),
        Move::Take(TakeFire { to }) => (&WRITTEN.take, to),
        Move::Start(_) | Move::Stay(_) => return None,
    };
    ready.get(to.index())?.as_deref()
}
