//! Payloads that several games share. Moves and events of all games form one flat union each, so a name has one
//! meaning everywhere.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Gives up the turn or the right to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Pass {}
