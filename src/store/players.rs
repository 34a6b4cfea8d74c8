//! Players, their sessions and the revocations of sessions.
//!
//! Invariant: of several writers who have read the same revision, one writes.

use super::concern::concern;
use super::{Result, Revised};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{PlayerId, SessionId};

concern! {
    /// Keeps players, sessions until they end, and revocations.
    pub trait PlayerStore {
        /// Writes a session of `player` if its revision is still `expected` (0: it must be new). The session expires at
        /// `expires`, which replaces the earlier end. Returns true if it was written. A session that has expired or was
        /// revoked has no revision any more; a session's player never changes.
        async fn put_session(
            &self,
            id: &SessionId,
            player: &PlayerId,
            expected: u64,
            stored: Vec<u8>,
            expires: Timestamp,
        ) -> Result<bool>;

        /// Returns a session that has not expired and was not revoked.
        async fn session(&self, id: &SessionId) -> Result<Option<Revised>>;

        /// Deletes the session, remembers its revocation until `until` and informs every instance. Revocations of
        /// unknown sessions are remembered too; of several ends for one session the latest counts.
        async fn revoke_session(&self, id: &SessionId, player: &PlayerId, until: Timestamp) -> Result<()>;

        /// Returns the sessions of a player that have not expired and were not revoked.
        async fn sessions_of(&self, player: &PlayerId) -> Result<Vec<SessionId>>;

        /// Tells every instance that a further session of the player has begun.
        async fn tell_of_session(&self, player: &PlayerId) -> Result<()>;

        /// Returns all revocations that are still remembered, with their end.
        async fn revocations(&self) -> Result<Vec<(SessionId, Timestamp)>>;

        /// Writes a player if its revision is still `expected` (0: it must be new). Returns true if it was written.
        async fn put_player(&self, id: &PlayerId, expected: u64, stored: Vec<u8>) -> Result<bool>;

        /// Returns the stored player.
        async fn player(&self, id: &PlayerId) -> Result<Option<Revised>>;
    }
}
