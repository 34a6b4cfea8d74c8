//! The position with which a fork begins, and where it comes from.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use sarsen_base::ids::MatchId;

/// The match that another was forked from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ForkedFrom {
    /// Its id.
    #[schema(value_type = String, pattern = "^m_[0-9a-f]{32}$", examples("m_0190163d8694739ea2a3c9f1e7d1a110"))]
    pub(crate) match_id: MatchId,
    /// The version whose position the fork began with.
    #[schema(minimum = 1)]
    pub version: u64,
}

/// The position with which a fork begins, secrets included.
#[derive(Clone, Serialize, Deserialize)]
pub struct ForkedPosition {
    /// Version of the state's form.
    #[serde(rename = "sv")]
    pub(crate) state_version: u16,
    #[serde(rename = "gs")]
    pub(crate) state: Box<RawValue>,
}

impl fmt::Debug for ForkedPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ForkedPosition(secret)")
    }
}
