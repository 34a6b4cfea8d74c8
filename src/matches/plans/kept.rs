//! The stored form of a plan.
//!
//! Invariant: it is never printed, neither in a log nor in an error. Of a dropped plan only the reason is left.

use serde::{Deserialize, Serialize};

use super::course::PlanDropped;
use super::tree::{PlanBranch, PlanTree};
use crate::model::unreadable::Unreadable;
use crate::table::live_match::LiveMatch;
use sarsen_base::ids::PlayerId;
use sarsen_store::Stamp;
use sarsen_store::upgrade::{self, Formed};

/// A plan as it is stored: JSON with short names.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredPlan {
    #[serde(rename = "f")]
    pub(super) form: u16,
    /// The owner: a player who takes over the seat finds no plan.
    #[serde(rename = "p")]
    pub(super) player: PlayerId,
    /// The version for which it was made.
    #[serde(rename = "v")]
    pub(super) version: u64,
    /// The stamp of that version.
    #[serde(rename = "s")]
    pub(super) stamp: Stamp,
    /// The branches, as long as the plan is followed.
    #[serde(rename = "t", default, skip_serializing_if = "Vec::is_empty")]
    pub(super) tree: Vec<PlanBranch>,
    /// The reason why it is not followed any more.
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    pub(super) dropped: Option<PlanDropped>,
}

impl StoredPlan {
    /// A plan for the present version of the match.
    pub(super) fn new(player: PlayerId, live: &LiveMatch, tree: PlanTree) -> StoredPlan {
        let (version, stamp) = (live.stored.version, live.stamp);
        StoredPlan {
            form: StoredPlan::FORMS.present(),
            player,
            version,
            stamp,
            tree: tree.into_branches(),
            dropped: None,
        }
    }

    /// The part that is left of it once it is dropped.
    pub(super) fn left_of(&self, reason: PlanDropped) -> StoredPlan {
        let (player, version, stamp) = (self.player.clone(), self.version, self.stamp);
        StoredPlan { form: self.form, player, version, stamp, tree: Vec::new(), dropped: Some(reason) }
    }

    /// Reads what is stored.
    ///
    /// # Errors
    /// [`Unreadable`] by this release.
    pub(crate) fn decode(bytes: &[u8]) -> Result<StoredPlan, Unreadable> {
        upgrade::decode(bytes).map_err(Unreadable::new)
    }
}

sarsen_store::formed!(StoredPlan, "plan", "f", &[]);
