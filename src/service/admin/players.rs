//! Players: seen, renamed, banned, deleted.
//!
//! Invariant: what an operator changes is marked first, so that it counts everywhere even if the rest fails; asking again
//! does the rest.

use super::{Administration, Audited};
use sarsen_accounts::outside::Identity;
use sarsen_accounts::player_status::{Ban, PlayerStatus};
use sarsen_accounts::players::{Player, PlayerName, PlayersError};
use sarsen_base::ids::PlayerId;
use sarsen_store::StoreError;

/// Why an operator's wish for a player was not granted.
#[derive(Debug, thiserror::Error)]
pub enum NotSteered {
    /// There is no such player, or only what is left of one.
    #[error("no such player")]
    PlayerNotFound,
    /// The players failed.
    #[error(transparent)]
    Players(#[from] PlayersError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The data of a player that an operator sees.
#[derive(Clone, Debug)]
pub struct PlayerFile {
    /// The player.
    pub player: Player,
    /// The mark of the player.
    pub mark: PlayerStatus,
    /// The number of sessions that have not ended.
    pub sessions: usize,
    /// The identities that are linked to the player.
    pub identities: Vec<Identity>,
}

impl Administration {
    /// A player.
    ///
    /// # Errors
    /// [`NotSteered::PlayerNotFound`], or that the store is away.
    pub async fn player(&self, _: &Audited, id: &PlayerId) -> Result<PlayerFile, NotSteered> {
        let player = self.players.player(id).await?.ok_or(NotSteered::PlayerNotFound)?;
        let mark = PlayerStatus::of(self.marks.as_ref(), id).await?;
        let sessions = self.players.sessions_of(id).await?.len();
        let identities = self.outside.identities(id).await?;
        Ok(PlayerFile { player, mark, sessions, identities })
    }

    /// Unlinks an identity of a player; `None` if there was none of that id.
    ///
    /// # Errors
    /// [`NotSteered::PlayerNotFound`], or that the store is away.
    pub async fn unlink_identity(
        &self,
        audited: &Audited,
        id: &PlayerId,
        identity: &str,
    ) -> Result<Option<PlayerFile>, NotSteered> {
        let before = self.player(audited, id).await?;
        if before.mark.gone || !self.outside.unlink(id, identity).await? {
            return Ok(None);
        }
        self.player(audited, id).await.map(Some)
    }

    /// Gives a player another name, wherever it is shown.
    ///
    /// # Errors
    /// [`NotSteered::PlayerNotFound`], or that the store is away.
    pub async fn rename(&self, audited: &Audited, id: &PlayerId, name: &PlayerName) -> Result<PlayerFile, NotSteered> {
        self.mark(id, |mark| mark.name = Some(name.as_str().to_owned())).await?;
        self.players.rewrite_name(id, name.as_str()).await?;
        self.player(audited, id).await
    }

    /// Bans a player, in place of any ban before; `None` lifts it.
    ///
    /// # Errors
    /// [`NotSteered::PlayerNotFound`], or that the store is away.
    pub async fn ban(&self, audited: &Audited, id: &PlayerId, ban: Option<Ban>) -> Result<PlayerFile, NotSteered> {
        self.mark(id, |mark| mark.ban.clone_from(&ban)).await?;
        self.player(audited, id).await
    }

    /// Has a player leave for good. Once more does no more.
    ///
    /// # Errors
    /// [`NotSteered::PlayerNotFound`], or that the store is away.
    pub async fn delete_player(&self, _: &Audited, id: &PlayerId) -> Result<(), NotSteered> {
        self.players.player(id).await?.ok_or(NotSteered::PlayerNotFound)?;
        Ok(self.leaving.leave(id).await?)
    }

    /// Changes the mark of a player who is there, and goes by it at once.
    async fn mark(&self, id: &PlayerId, change: impl Fn(&mut PlayerStatus) + Sync + Send) -> Result<(), NotSteered> {
        self.players.player(id).await?.ok_or(NotSteered::PlayerNotFound)?;
        // Nothing is marked of whoever has left.
        let unless_gone = |mark: &mut PlayerStatus| {
            if !mark.gone {
                change(mark);
            }
        };
        let (mark, revision) = PlayerStatus::change(self.marks.as_ref(), id, false, unless_gone).await?;
        let gone = mark.gone;
        self.known.insert(id.clone(), revision, mark);
        if gone { Err(NotSteered::PlayerNotFound) } else { Ok(()) }
    }
}
