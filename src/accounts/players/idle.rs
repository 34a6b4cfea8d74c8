//! Guests whom nobody can be any more, and since when: for their deletion after a time.

use super::service::{Players, PlayersError};
use super::stored::StoredPlayer;
use crate::since::StoredSince;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;
use sarsen_store::{ItemKind, ItemOwner, ReplayKey, Reservation};

/// For so long the sweep of one day is one instance's, in seconds.
const SWEEP_SECONDS: u32 = 2 * 24 * 60 * 60;
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

impl Players {
    /// Returns true for the one of all instances that is to look at idle guests today. Once a day in all: it may be nobody,
    /// if that instance dies.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn begins_sweep(&self) -> Result<bool, PlayersError> {
        let day = self.ambient.now().0.div_euclid(DAY_MILLIS);
        // No client can send a key that begins with a blank.
        let key = ReplayKey { player: PlayerId::from_number(0), key: format!(" idle guests {day}") };
        let mine = PlayerId::generate(&self.ambient).as_str().to_owned();
        let mine = Reservation { id: mine, fingerprint: "sweep".to_owned() };
        Ok(self.store.reserve(&key, mine.clone(), SWEEP_SECONDS).await? == mine)
    }

    /// Returns true for a person who was made before that moment and has not left.
    ///
    /// # Errors
    /// If the store is away, or the player cannot be read.
    pub async fn is_guest_since(&self, id: &PlayerId, before: Timestamp) -> Result<bool, PlayersError> {
        let Some(found) = self.store.player(id).await? else { return Ok(false) };
        let player = StoredPlayer::decode(&found.stored)?;
        Ok(player.kind.is_person() && player.created_at <= before && !self.is_gone(id))
    }

    /// Returns true if somebody can be reached as this player: by a session, a linked identity, a recovery key, a webhook
    /// or a push subscription.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn is_reachable(&self, id: &PlayerId) -> Result<bool, PlayersError> {
        if !self.store.sessions_of(id).await?.is_empty() {
            return Ok(true);
        }
        let owner = ItemOwner::Player(id.clone());
        for kind in [ItemKind::Identity, ItemKind::Recovery, ItemKind::Webhook, ItemKind::PushSubscription] {
            if !self.store.items(&owner, kind).await?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Notes whether a guest is idle now; answers since when they are, as far as looks have found.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn note_idle(&self, id: &PlayerId, idle: bool) -> Result<Option<Timestamp>, PlayersError> {
        let (owner, name) = (ItemOwner::Player(id.clone()), "since");
        let found = self.store.item(&owner, ItemKind::Idle, name).await?;
        match (found, idle) {
            (Some(found), true) => Ok(Some(StoredSince::decode(&found)?.since)),
            (Some(found), false) => {
                self.store.replace_item(&owner, ItemKind::Idle, name, Some(&found), None, 1).await?;
                Ok(None)
            }
            (None, true) => {
                let now = self.ambient.now();
                self.store.replace_item(&owner, ItemKind::Idle, name, None, Some(StoredSince::encode(now)?), 1).await?;
                Ok(Some(now))
            }
            (None, false) => Ok(None),
        }
    }
}
