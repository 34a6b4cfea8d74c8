//! Instances: which of them live, and when none was there.
//!
//! Invariants:
//! - Whoever has had a heartbeat within [`INSTANCE_DEAD_AFTER`] counts as living.
//! - A heartbeat says that the service is there. So it is noted only after [`Instances::confirm`] has shown that a change is
//!   confirmed at this moment as commits are.
//! - An outage is noted by the heartbeat that ends it, in the same step of the store. It begins where the service was last
//!   there: at the last heartbeat of any instance, or where the last one closed its listener. It is remembered for
//!   [`OUTAGES_KEPT`].
//!
//! Known limits: what is shorter than a second and meets no heartbeat is no outage. Where others live, neither is a gap that
//! is no longer than [`BEATEN_WITHIN`]. In a cluster the heartbeat speaks for the node with its keys.

use std::time::Duration;

use async_trait::async_trait;

use super::Result;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::InstanceId;

/// For so long after its last heartbeat an instance counts as living.
pub const INSTANCE_DEAD_AFTER: Duration = Duration::from_secs(15);
/// How often an instance has a heartbeat.
pub const BEAT_EVERY: Duration = Duration::from_secs(1);
/// An instance that has had no heartbeat for longer was not there meanwhile.
pub const OUTAGE_AFTER: Duration = Duration::from_millis(2_500);
/// While an instance lives, one heartbeat follows the other within this time.
pub const BEATEN_WITHIN: Duration = Duration::from_millis(1_500);
/// For so long an outage is remembered.
pub const OUTAGES_KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A time in which nobody was served.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outage {
    /// The last moment at which the service was there before it.
    pub from: Timestamp,
    /// From when on it was there again.
    pub to: Timestamp,
}

/// How an instance has come to a heartbeat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    /// It was there all the time since its last one.
    Unbroken,
    /// It has just started.
    Started,
    /// Its last one was so long ago, and it was not there all the time since: it stood still, or could not reach the store.
    Resumed(Duration),
}

/// A heartbeat.
#[derive(Clone, Debug)]
pub struct Beat {
    /// Whose.
    pub id: InstanceId,
    /// Whether it does work that needs no request.
    pub works: bool,
    /// How it has come to it.
    pub presence: Presence,
    /// The newest outage that it knows.
    pub known: Option<Outage>,
}

/// What a heartbeat has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Beaten {
    /// When it was noted, by the store's time.
    pub at: Timestamp,
    /// How many living instances do work that needs no request, this one included if it does.
    pub working: u32,
    /// All outages that are remembered, oldest first; `None` where the newest is the one that the instance knows.
    pub outages: Option<Vec<Outage>>,
}

/// Keeps the heartbeats of the instances.
#[async_trait]
pub trait Instances: Send + Sync + 'static {
    /// Succeeds if a change that is made now is confirmed as commits are.
    async fn confirm(&self) -> Result<()>;

    /// Notes a heartbeat, and the outage that ends with it, if one does. Call it right after [`Instances::confirm`].
    async fn beat(&self, beat: Beat) -> Result<Beaten>;

    /// The instance has closed its listener at this moment, and has no heartbeat any more.
    async fn leave(&self, id: &InstanceId, at: Timestamp) -> Result<()>;
}

/// When an outage has begun at the earliest that ends with a heartbeat at `now`; `None` where none can end with it.
pub(super) fn earliest(presence: Presence, now: Timestamp) -> Option<Timestamp> {
    match presence {
        Presence::Unbroken => None,
        Presence::Started => Some(Timestamp(0)),
        Presence::Resumed(silence) => Some(before(now, silence)),
    }
}

/// The moment so long before another.
pub(super) fn before(now: Timestamp, long: Duration) -> Timestamp {
    Timestamp(now.0.saturating_sub(i64::try_from(long.as_millis()).unwrap_or(i64::MAX)))
}
