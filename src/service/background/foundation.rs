//! The use cases and the concerns of the store that background work uses.

use std::sync::Arc;

use super::failures::JobFailures;
use super::guests::GuestExpiry;
use crate::notifications::Notifications;
use crate::pools::Pools;
use crate::ratings::Ratings;
use sarsen_base::ambient::Ambient;
use sarsen_matches::Matches;
use sarsen_store::{Inventory, JobStore, Schedule};

/// The dependencies of the work. The store's concerns are named one by one, so that it is plain what it touches.
pub struct Foundation {
    /// The use cases of matches.
    pub matches: Matches,
    /// The due index, and the claims of instances on the matches that they think about.
    pub due: Arc<dyn Schedule>,
    /// The jobs that commits order.
    pub jobs: Arc<dyn JobStore>,
    /// The ratings.
    pub ratings: Ratings,
    /// All matches, for what is looked for at the start.
    pub inventory: Arc<dyn Inventory>,
    /// The expiry of guests; `None` where they are kept.
    pub guests: Option<GuestExpiry>,
    /// The pools whose tickets are paired; `None` where there are none.
    pub pools: Option<Arc<Pools>>,
    /// Webhooks and push subscriptions, and what is on its way to them.
    pub notifications: Arc<Notifications>,
    /// Clock and entropy.
    pub ambient: Ambient,
    /// Counts of failures, by kind.
    pub failures: Arc<JobFailures>,
}
