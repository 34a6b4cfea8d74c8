//! A player at a table, by the name that is stored with the match.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use sarsen_base::ids::PlayerId;

/// A player at the table, with the name they had when they sat down.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PlayerRef)]
pub struct Seated {
    /// The player's id.
    #[schema(value_type = String)]
    pub id: PlayerId,
    /// The name they had when they sat down.
    pub name: String,
}
