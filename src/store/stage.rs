//! The stage of a match, which lists, rules of use and clients all know.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

sarsen_base::named! {
    /// The stage that a match has reached.
    ///
    /// - `open`: Waiting for players or for its start.
    /// - `playing`: Being played.
    /// - `finished`: Ended by the rules, a resignation, a claim or an agreement.
    /// - `aborted`: Called off before the start.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
    #[serde(rename_all = "snake_case")]
    #[schema(as = MatchStatus)]
    pub enum Stage {
        /// Waiting for players or for its start.
        Open = "open",
        /// Being played.
        Playing = "playing",
        /// Ended by the rules, a resignation, a claim or an agreement.
        Finished = "finished",
        /// Called off before the start.
        Aborted = "aborted",
    }
}

impl Stage {
    /// Returns true if the match is finished or aborted: nothing can happen in it any more.
    pub const fn is_over(self) -> bool {
        matches!(self, Stage::Finished | Stage::Aborted)
    }
}
