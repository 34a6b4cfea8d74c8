//! Players: seen, renamed, banned, deleted.
//!
//! Invariant: what an operator changes is marked first, so that it counts everywhere even if the rest fails; asking again
//! does the rest.

use super::{Administration, Audited};
use sarsen_accounts::auth::ProgramTokenId;
use sarsen_accounts::outside::Identity;
use sarsen_accounts::people::{PeopleRefused, Report, ReportQuery};
use sarsen_accounts::player_status::{Ban, PlayerStatus};
use sarsen_accounts::players::{Player, PlayerName, PlayersError};
use sarsen_accounts::programs::{ProgramRefused, ProgramTokenFacts};
use sarsen_base::ids::{PlayerId, ReportId};
use sarsen_store::StoreError;

/// The number of reports that are shown with a player.
const REPORTS_SHOWN: usize = 20;

/// The reason why an operator's wish for a player was not granted.
#[derive(Debug, thiserror::Error)]
pub enum NotSteered {
    /// There is no such player, or only what is left of one.
    #[error("no such player")]
    PlayerNotFound,
    /// The players failed.
    #[error(transparent)]
    Players(#[from] PlayersError),
    /// The tokens or the bot accounts failed.
    #[error(transparent)]
    Programs(#[from] ProgramRefused),
    /// The reports failed.
    #[error(transparent)]
    People(#[from] PeopleRefused),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The data of a player that an operator sees.
#[derive(Clone, Debug)]
pub struct PlayerFile {
    /// The player.
    pub player: Player,
    /// The status of the player.
    pub status: PlayerStatus,
    /// The number of sessions that have not ended.
    pub sessions: usize,
    /// The identities that are linked to the player.
    pub identities: Vec<Identity>,
    /// The tokens of programs, without their secrets.
    pub tokens: Vec<ProgramTokenFacts>,
    /// The bot accounts.
    pub bots: Vec<Player>,
    /// The newest reports of the player.
    pub reports: Vec<(ReportId, Report)>,
}

impl Administration {
    /// A player.
    ///
    /// # Errors
    /// [`NotSteered::PlayerNotFound`], or that the store is away.
    pub async fn player(&self, _: &Audited, id: &PlayerId) -> Result<PlayerFile, NotSteered> {
        let player = self.players.player(id).await?.ok_or(NotSteered::PlayerNotFound)?;
        let status = PlayerStatus::of(&*self.store, id).await?;
        let sessions = self.players.sessions_of(id).await?.len();
        let identities = self.outside.identities(id).await?;
        let tokens = self.programs.tokens_of(id).await?;
        let bots = self.programs.bots_of(id).await?;
        let about = ReportQuery { player: Some(id.clone()), limit: REPORTS_SHOWN, ..ReportQuery::default() };
        let reports = self.people.reports(&about).await?.items;
        Ok(PlayerFile { player, status, sessions, identities, tokens, bots, reports })
    }

    /// Unlinks an identity of a player, if there is one of that id.
    ///
    /// # Errors
    /// [`NotSteered::PlayerNotFound`], or that the store is away.
    pub async fn unlink_identity(
        &self,
        audited: &Audited,
        id: &PlayerId,
        identity: &str,
    ) -> Result<PlayerFile, NotSteered> {
        let before = self.player(audited, id).await?;
        if before.status.gone || !self.outside.unlink(id, identity).await? {
            return Ok(before);
        }
        self.player(audited, id).await
    }

    /// Gives a player another name, wherever it is shown.
    ///
    /// # Errors
    /// [`NotSteered::PlayerNotFound`], or that the store is away.
    pub async fn rename(&self, audited: &Audited, id: &PlayerId, name: &PlayerName) -> Result<PlayerFile, NotSteered> {
        self.change_status(id, |status| status.name = Some(name.as_str().to_owned())).await?;
        self.players.rewrite_name(id, name.as_str()).await?;
        self.player(audited, id).await
    }

    /// Bans a player, in place of any ban before; `None` lifts it.
    ///
    /// # Errors
    /// [`NotSteered::PlayerNotFound`], or that the store is away.
    pub async fn ban(&self, audited: &Audited, id: &PlayerId, ban: Option<Ban>) -> Result<PlayerFile, NotSteered> {
        self.change_status(id, |status| status.ban.clone_from(&ban)).await?;
        self.player(audited, id).await
    }

    /// Has a token of a player's program refused everywhere.
    ///
    /// # Errors
    /// [`NotSteered::PlayerNotFound`], or that the store is away.
    pub async fn revoke_program_token(
        &self,
        _: &Audited,
        id: &PlayerId,
        token: ProgramTokenId,
    ) -> Result<(), NotSteered> {
        self.players.player(id).await?.ok_or(NotSteered::PlayerNotFound)?;
        Ok(self.programs.revoke(id, token).await?)
    }

    /// Resets a player's ratings in every category. Returns the categories in which they had one.
    ///
    /// # Errors
    /// [`NotSteered::PlayerNotFound`], or that the store is away; asking again does the rest.
    pub async fn unrank(&self, _: &Audited, id: &PlayerId) -> Result<Vec<String>, NotSteered> {
        self.players.player(id).await?.ok_or(NotSteered::PlayerNotFound)?;
        Ok(self.ratings.unrank(id).await?)
    }

    /// Has a player leave for good. Once more does no more.
    ///
    /// # Errors
    /// [`NotSteered::PlayerNotFound`], or that the store is away.
    pub async fn delete_player(&self, _: &Audited, id: &PlayerId) -> Result<(), NotSteered> {
        self.players.player(id).await?.ok_or(NotSteered::PlayerNotFound)?;
        Ok(self.deletion.leave(id).await?)
    }

    /// Changes the status of a player who is there, and goes by it at once.
    async fn change_status(
        &self,
        id: &PlayerId,
        change: impl Fn(&mut PlayerStatus) + Sync + Send,
    ) -> Result<(), NotSteered> {
        self.players.player(id).await?.ok_or(NotSteered::PlayerNotFound)?;
        // The status of a player who has left stays as it is.
        let unless_gone = |status: &mut PlayerStatus| {
            if !status.gone {
                change(status);
            }
        };
        let (status, revision) = PlayerStatus::change(&*self.store, id, false, unless_gone).await?;
        let gone = status.gone;
        self.known.insert(id.clone(), revision, status);
        if gone { Err(NotSteered::PlayerNotFound) } else { Ok(()) }
    }
}
