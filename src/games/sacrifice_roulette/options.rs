//! Options of a match: none yet.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Options of Sacrifice Roulette: there are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SacrificeRouletteOptions)]
pub struct Options {}
