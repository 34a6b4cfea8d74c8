//! The removal of a deleted player's data, changes of names, and the data that a player may export.

use super::service::{Players, PlayersError};
use super::stored::{StoredPlayer, StoredSession};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{PlayerId, SessionId};
use sarsen_store::{ItemKind, ItemOwner, StoreError};

/// The accuracy of the last use of a session, which tells little of when somebody was awake.
const HOUR_MILLISECONDS: i64 = 3_600_000;

/// The number of attempts to write a player while others change it.
const ATTEMPTS: usize = 32;

/// A session as its player may see it, without its secrets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionFacts {
    /// The session.
    pub id: SessionId,
    /// The label that its device was given.
    pub device: Option<String>,
    /// The time at which it began.
    pub created_at: Timestamp,
    /// The time at which its tokens were last refreshed, to the hour.
    pub last_used_at: Timestamp,
}

impl Players {
    /// Ends all sessions of a player. Returns true if there were any.
    ///
    /// # Errors
    /// The first error, after all sessions have been tried.
    pub async fn end_sessions(&self, player: &PlayerId) -> Result<bool, PlayersError> {
        let sessions = self.store.sessions_of(player).await?;
        let mut outcome = Ok(!sessions.is_empty());
        for session in &sessions {
            let ended = self.revoke_session(session, player).await;
            outcome = outcome.and_then(|any| ended.map(|()| any));
        }
        outcome
    }

    /// The ids of the bot accounts on a player's list, oldest first.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn bot_ids(&self, player: &PlayerId) -> Result<Vec<PlayerId>, PlayersError> {
        let listed = self.store.items(&ItemOwner::Player(player.clone()), ItemKind::Bot).await?;
        Ok(listed.into_iter().filter_map(|(name, _)| name.parse().ok()).collect())
    }

    /// Removes all items of a player. Answers whether there were any.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn remove_items(&self, player: &PlayerId) -> Result<bool, PlayersError> {
        let (owner, mut any) = (ItemOwner::Player(player.clone()), false);
        for kind in ItemKind::ALL {
            for (name, stored) in self.store.items(&owner, kind).await? {
                any = true;
                if kind.in_directory() {
                    self.store.unbind_item(kind, &name, player).await?;
                }
                // An item that is changed meanwhile is left to the next check.
                self.store.replace_item(&owner, kind, &name, Some(&stored), None, 0).await?;
            }
        }
        Ok(any)
    }

    /// Writes another name into the stored player; returns true if it differed. Does nothing if there is no such
    /// player.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn rewrite_name(&self, player: &PlayerId, name: &str) -> Result<bool, PlayersError> {
        for _ in 0..ATTEMPTS {
            let Some(found) = self.store.player(player).await? else { return Ok(false) };
            let mut stored = StoredPlayer::decode(&found.stored)?;
            if stored.name == name {
                return Ok(false);
            }
            name.clone_into(&mut stored.name);
            if self.store.put_player(player, found.revision, stored.encode()?).await? {
                return Ok(true);
            }
        }
        Err(StoreError::Unavailable("a player was changed by others again and again".into()).into())
    }

    /// Returns the sessions of a player that have not ended.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn sessions_of(&self, player: &PlayerId) -> Result<Vec<SessionFacts>, PlayersError> {
        let mut facts = Vec::new();
        for id in self.store.sessions_of(player).await? {
            if let Some(found) = self.store.session(&id).await? {
                let session = StoredSession::decode(&found.stored)?;
                let last_used_at = Timestamp(session.refreshed_at().0 / HOUR_MILLISECONDS * HOUR_MILLISECONDS);
                let StoredSession { device, created_at, .. } = session;
                facts.push(SessionFacts { id, device, created_at, last_used_at });
            }
        }
        Ok(facts)
    }
}
