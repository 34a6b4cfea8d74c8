//! An invite, as it is stored with its match.

use serde::{Deserialize, Serialize};

use sarsen_base::ambient::Timestamp;
use sarsen_rules::Seat;

/// The most invites of one match that are valid at a time.
pub(crate) const INVITES_MAX: usize = 20;

/// An invite, as it is stored with its match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StoredInvite {
    /// The hash of its code.
    #[serde(rename = "h")]
    pub(crate) hash: String,
    /// The seat that it is for; any free one if there is none.
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    pub(crate) seat: Option<Seat>,
    /// True if it is to take over that seat while the match is played.
    #[serde(rename = "x", default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) substitutes: bool,
    /// True if it is so since its player is away. Then it lapses with the next move that they make.
    #[serde(rename = "a", default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) while_away: bool,
    /// The number of people for whom it is still valid.
    #[serde(rename = "n")]
    pub(crate) left: u8,
    /// The time at which it expires.
    #[serde(rename = "u")]
    pub(crate) until: Timestamp,
}

impl StoredInvite {
    /// Returns true if it is valid at this moment.
    pub(crate) fn is_good(&self, at: Timestamp) -> bool {
        self.left > 0 && at < self.until
    }
}
