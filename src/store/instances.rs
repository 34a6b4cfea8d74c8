//! Instances: which of them live, and when none did.
//!
//! Invariant: whoever has had a heartbeat within [`INSTANCE_DEAD_AFTER`] counts as living. A gap of more than
//! [`OUTAGE_AFTER`] in which no instance had one is remembered for [`OUTAGES_KEPT`].

use std::time::Duration;

use async_trait::async_trait;

use super::Result;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::InstanceId;

/// For so long after its last heartbeat an instance counts as living.
pub const INSTANCE_DEAD_AFTER: Duration = Duration::from_secs(15);
/// A longer gap between the heartbeats of all instances is an outage.
pub const OUTAGE_AFTER: Duration = Duration::from_secs(10);
/// For so long an outage is remembered.
pub const OUTAGES_KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A time in which no instance lived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outage {
    /// The last heartbeat before it.
    pub from: Timestamp,
    /// From when on an instance lived again.
    pub to: Timestamp,
}

/// Keeps the heartbeats of the instances.
#[async_trait]
pub trait Instances: Send + Sync + 'static {
    /// A heartbeat of an instance that has lived without a pause since `alive_since`, by the store's time; notes the
    /// outage that has ended with it, if one has. Answers how many instances live, this one included.
    async fn beat(&self, id: &InstanceId, alive_since: Timestamp) -> Result<u32>;

    /// The outages that are remembered, oldest first.
    async fn outages(&self) -> Result<Vec<Outage>>;
}

/// The outage that ends with a heartbeat of an instance that has lived since `alive_since`, if `last` was the last
/// heartbeat before it.
pub(super) fn outage(last: Option<Timestamp>, alive_since: Timestamp) -> Option<Outage> {
    let last = last?;
    let gap = u128::try_from(alive_since.0.saturating_sub(last.0)).ok()?;
    (gap > OUTAGE_AFTER.as_millis()).then_some(Outage { from: last, to: alive_since })
}

/// The moment before which something that is kept for so long is forgotten.
pub(super) fn before(now: Timestamp, kept: Duration) -> Timestamp {
    Timestamp(now.0.saturating_sub(i64::try_from(kept.as_millis()).unwrap_or(i64::MAX)))
}
