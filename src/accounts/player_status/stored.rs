//! The stored form of a player status, and its changes.

use serde::{Deserialize, Serialize};

use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;
use sarsen_store::upgrade::Formed;
use sarsen_store::{PlayerStatusStore, Revised, StoreError};

/// The name that is shown of a deleted player.
pub const DELETED: &str = "deleted player";
/// The maximum number of tries to write a status when other writers are quicker.
const ATTEMPTS: usize = 32;

/// The operations that a ban denies to the player.
///
/// - `play`: Creating, joining, starting and moving.
/// - `all`: Everything that takes a token, refreshing it included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum BanFrom {
    /// Creating, joining, starting and moving.
    Play,
    /// Everything that takes a token, refreshing it included.
    All,
}

/// A ban.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ban {
    /// The moment at which it ends; `None` if it lasts until an operator lifts it.
    pub until: Option<Timestamp>,
    /// The scope of the ban.
    pub from: BanFrom,
    /// The reason, in an operator's words.
    pub reason: String,
}

/// A player status.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayerStatus {
    #[serde(rename = "v")]
    pub(super) form: u16,
    /// The name that an operator has given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// True if the player was deleted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
    /// The ban, which may have ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ban: Option<Ban>,
}

sarsen_store::formed!(PlayerStatus, "status", "v", &[]);

impl Default for PlayerStatus {
    fn default() -> PlayerStatus {
        PlayerStatus { form: PlayerStatus::FORMS.present(), name: None, gone: false, ban: None }
    }
}

impl PlayerStatus {
    /// Returns the status of a deleted player.
    pub fn deleted() -> PlayerStatus {
        PlayerStatus { gone: true, ..PlayerStatus::default() }
    }

    /// The same with this ban, or with none.
    #[must_use]
    pub fn with_ban(self, ban: Option<Ban>) -> PlayerStatus {
        PlayerStatus { ban, ..self }
    }

    /// Returns the name that is shown in place of the player's own.
    pub(crate) fn shown_name(&self) -> Option<&str> {
        if self.gone { Some(DELETED) } else { self.name.as_deref() }
    }

    /// Reads a stored status.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`], which quotes nothing.
    pub fn decode(stored: &[u8]) -> Result<PlayerStatus, StoreError> {
        Formed::decode(stored)
    }

    /// Reads a player's status; an empty one where there is none.
    ///
    /// # Errors
    /// If the store is away, or the status cannot be read.
    pub async fn of(statuses: &dyn PlayerStatusStore, player: &PlayerId) -> Result<PlayerStatus, StoreError> {
        PlayerStatus::found(statuses.status(player).await?.as_ref())
    }

    fn found(stored: Option<&Revised>) -> Result<PlayerStatus, StoreError> {
        stored.map_or_else(|| Ok(PlayerStatus::default()), |found| PlayerStatus::decode(&found.stored))
    }

    /// Changes a player's status; with `deleting`, the deletion of the player begins. Returns the new status and its
    /// revision. It is written even where nothing has changed: the caller may repeat a change that was not
    /// acknowledged, so this answer has to promise the same as the first one.
    ///
    /// # Errors
    /// If the store is away, or the status cannot be read or written.
    pub async fn change(
        statuses: &dyn PlayerStatusStore,
        player: &PlayerId,
        deleting: bool,
        change: impl Fn(&mut PlayerStatus),
    ) -> Result<(PlayerStatus, u64), StoreError> {
        for _ in 0..ATTEMPTS {
            let found = statuses.status(player).await?;
            let mut status = PlayerStatus::found(found.as_ref())?;
            change(&mut status);
            let expected = found.map_or(0, |found| found.revision);
            if let Some(revision) = statuses.put_status(player, expected, status.encode()?, deleting).await? {
                return Ok((status, revision));
            }
        }
        Err(StoreError::Unavailable("a status was changed by others again and again".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sarsen_base::ambient::Ambient;
    use sarsen_store::Store;
    use sarsen_store::embedded::Embedded;

    #[tokio::test]
    async fn asking_again_writes_again() {
        let dir = tempfile::tempdir().unwrap();
        let store = Embedded::open(dir.path(), Ambient::system()).unwrap();
        let player = PlayerId::from_number(1);
        let gone = |status: &mut PlayerStatus| *status = PlayerStatus::deleted();
        let (status, first) = PlayerStatus::change(&store, &player, false, gone).await.unwrap();
        assert!(store.deletions(1).await.unwrap().is_empty());
        let (again, second) = PlayerStatus::change(&store, &player, true, gone).await.unwrap();
        assert!(status == again && second > first, "{again:?} {second}");
        assert_eq!(store.deletions(1).await.unwrap().len(), 1, "whoever asks again is seen off");
        assert_eq!(store.status(&player).await.unwrap().unwrap().revision, second);
        store.close().await;
    }
}
