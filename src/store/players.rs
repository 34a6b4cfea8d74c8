//! Players, their sessions, and which of these were revoked.
//!
//! Invariant: of several writers who have read the same revision, one writes.

use async_trait::async_trait;

use super::{Result, Revised};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{PlayerId, SessionId};

/// Keeps players, keeps sessions until they end, and remembers which were revoked.
#[async_trait]
pub trait PlayerStore: Send + Sync + 'static {
    /// Writes a session of `player` if its revision is still `expected` (0: it must be new), and forgets it by itself
    /// at `expires`, which replaces the end given before. Answers whether it was written. A session that has expired
    /// or was revoked is at no revision any more; a session's player never changes.
    async fn put_session(
        &self,
        id: &SessionId,
        player: &PlayerId,
        expected: u64,
        stored: Vec<u8>,
        expires: Timestamp,
    ) -> Result<bool>;

    /// A session that has not expired and was not revoked.
    async fn session(&self, id: &SessionId) -> Result<Option<Revised>>;

    /// Deletes the session and remembers until `until` that it was revoked; tells every instance. Unknown sessions
    /// are remembered too; of several ends for one session the latest counts.
    async fn revoke_session(&self, id: &SessionId, player: &PlayerId, until: Timestamp) -> Result<()>;

    /// The sessions of a player that have not expired and were not revoked.
    async fn sessions_of(&self, player: &PlayerId) -> Result<Vec<SessionId>>;

    /// Tells every instance that a further session of the player has begun.
    async fn tell_of_session(&self, player: &PlayerId) -> Result<()>;

    /// All revocations that are still remembered, with their end.
    async fn revocations(&self) -> Result<Vec<(SessionId, Timestamp)>>;

    /// Writes a player if its revision is still `expected` (0: it must be new). Answers whether it was written.
    async fn put_player(&self, id: &PlayerId, expected: u64, stored: Vec<u8>) -> Result<bool>;

    /// A player.
    async fn player(&self, id: &PlayerId) -> Result<Option<Revised>>;
}
