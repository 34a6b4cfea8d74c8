//! Players who give themselves another name.

use super::name::PlayerName;
use super::service::{Player, Players, PlayersError};
use super::stored::StoredPlayer;
use sarsen_base::ids::PlayerId;

impl Players {
    /// Gives a player another name; the present one costs nothing. `None` if there is no such player.
    ///
    /// # Errors
    /// If the last change was less than `name_change_seconds` ago, an operator has given the name that is shown, or the
    /// store is away.
    pub async fn rename(&self, id: &PlayerId, name: PlayerName) -> Result<Option<Player>, PlayersError> {
        loop {
            let Some(found) = self.store.player(id).await? else { return Ok(None) };
            let (mut stored, now) = (StoredPlayer::decode(&found.stored)?, self.ambient.now());
            if self.statuses.name_of(id).is_some() {
                return Err(PlayersError::NamedByOperator);
            }
            let (kind, owner, created_at) = (stored.kind, stored.owner.clone(), stored.created_at);
            let renamed = Player { id: id.clone(), name: name.clone(), created_at, kind, owner };
            if stored.name == name.as_str() {
                return Ok(Some(renamed));
            }
            let free_from =
                stored.renamed_at.map(|at| at.plus_seconds(self.bounds().name_change_seconds)).unwrap_or(now);
            if free_from > now {
                return Err(PlayersError::RenamedLately { milliseconds: free_from.0 - now.0 });
            }
            stored.name = name.as_str().to_owned();
            stored.renamed_at = Some(now);
            // Somebody else may have changed the player meanwhile.
            if self.store.put_player(id, found.revision, stored.encode()?).await? {
                return Ok(Some(renamed));
            }
        }
    }
}
