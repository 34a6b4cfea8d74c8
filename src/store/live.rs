//! Live messages: what has just become true, for those who wait for it.

use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId, SessionId};

/// Something that has just become true in the store, on whichever instance. Messages may be lost (a broken
/// connection) or repeated; whoever listens reads the store to learn the truth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Live {
    /// The match has reached this version.
    Match(MatchId, u64),
    /// The player has new notices.
    Inbox(PlayerId),
    /// The session was revoked; its access tokens are refused until they would have expired by themselves.
    Revoked(SessionId, Timestamp),
    /// A further session of the player has begun.
    Joined(PlayerId),
    /// What is marked of the player has this revision now.
    Marked(PlayerId, u64),
    /// Messages may have been lost just now: whoever waits should look.
    Resync,
}
