//! Instances: their heartbeats, what they tell each other of streams, and outages of the service.
//!
//! Invariants:
//! - An instance counts as living for [`INSTANCE_DEAD_AFTER`] after its last heartbeat.
//! - A heartbeat says that the service is there. So it is noted only after [`Instances::confirm`] has shown that the
//!   store confirms changes at this moment as it confirms commits.
//! - The heartbeat that ends an outage notes it, in the same step of the store. The outage begins where the service was
//!   last there: at the last heartbeat of any instance, or where the last one closed its listener. It is remembered for
//!   [`OUTAGES_KEPT`]. One that begins where another ends is the same.
//!
//! Known limits: an interruption shorter than a second that meets no heartbeat, refuses no request and breaks no
//! connection is no outage; the grace of a clock is as long. A process that stalls for at most [`OUTAGE_AFTER`] does
//! not report it, since a busy machine stalls too. A gap of at most [`BEATEN_WITHIN`] is within that grace. It is no
//! outage where other instances live, or ended with their machine or in a cluster a short while ago. In a cluster the
//! heartbeat speaks for the node with its keys.

use std::time::Duration;

use super::concern::concern;
use super::{Result, StreamsMessage};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::InstanceId;

/// The time after its last heartbeat for which an instance counts as living.
pub(crate) const INSTANCE_DEAD_AFTER: Duration = Duration::from_secs(15);
/// The interval between the heartbeats of an instance.
pub const BEAT_EVERY: Duration = Duration::from_secs(1);
/// The gap between heartbeats beyond which an instance counts as absent meanwhile.
pub const OUTAGE_AFTER: Duration = Duration::from_millis(2_500);
/// The longest gap between heartbeats that is no outage where other instances live: the grace of a clock. So a gap costs
/// nobody time; one of living instances, whose heartbeats were late, gives everybody that much more.
pub(crate) const BEATEN_WITHIN: Duration = Duration::from_millis(1_000);
/// The time for which an outage is remembered.
pub(crate) const OUTAGES_KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A time in which nobody was served.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outage {
    /// The last moment at which the service was there before it.
    pub from: Timestamp,
    /// The moment from which on it was there again.
    pub to: Timestamp,
}

/// The presence of an instance since its last heartbeat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    /// It was there all the time.
    Unbroken,
    /// It has just started.
    Started,
    /// Its last heartbeat was this long ago, and it was not there all the time since: it stalled, or could not
    /// reach the store.
    Resumed(Duration),
}

/// A heartbeat.
#[derive(Clone, Debug)]
pub struct Beat {
    /// The instance.
    pub id: InstanceId,
    /// True if the instance does work that needs no request.
    pub works: bool,
    /// Its presence since its last heartbeat.
    pub presence: Presence,
    /// The newest outage that the instance knows.
    pub known: Option<Outage>,
}

/// The answer to a heartbeat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Beaten {
    /// The moment at which it was noted, by the store's time.
    pub at: Timestamp,
    /// The number of living instances that do work that needs no request, this one included if it does.
    pub working: u32,
    /// All outages that are remembered, oldest first; `None` where the newest is the one that the instance knows.
    pub outages: Option<Vec<Outage>>,
}

concern! {
    /// Keeps the heartbeats of the instances.
    pub trait Instances {
        /// Succeeds if the store confirms changes at this moment as it confirms commits.
        async fn confirm(&self) -> Result<()>;

        /// Notes a heartbeat, and the outage that it ends, if any. Call it right after [`Instances::confirm`].
        async fn beat(&self, beat: Beat) -> Result<Beaten>;

        /// Notes that the instance has closed its listener at this moment, and removes its heartbeat.
        async fn leave(&self, id: &InstanceId, at: Timestamp) -> Result<()>;

        /// Returns the last moment at which the service was there; `None` if none has ever worked on the store.
        async fn was_there(&self) -> Result<Option<Timestamp>>;

        /// Sends a message to all instances ([`super::Live::Streams`]). It may be lost.
        async fn announce_streams(&self, message: &StreamsMessage) -> Result<()>;
    }
}

/// Returns the earliest moment at which an outage can have begun that a heartbeat at `now` ends; `None` where none can
/// end with it.
pub(super) fn earliest(presence: Presence, now: Timestamp) -> Option<Timestamp> {
    match presence {
        Presence::Unbroken => None,
        Presence::Started => Some(Timestamp(0)),
        Presence::Resumed(silence) => Some(before(now, silence)),
    }
}

/// Returns the moment that lies `long` before `now`.
pub(super) fn before(now: Timestamp, long: Duration) -> Timestamp {
    Timestamp(now.0.saturating_sub(i64::try_from(long.as_millis()).unwrap_or(i64::MAX)))
}
