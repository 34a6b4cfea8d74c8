//! The use cases of identity.

use std::sync::Arc;

use super::bounds::AccountBounds;
use super::device_label::DeviceLabel;
use super::name::PlayerName;
use super::refresh_token::{RefreshToken, Secret};
use super::stored::{Standing, StoredPlayer, StoredSession};
use crate::auth::{AccessToken, PlayerKind, Principal, SigningError, Tokens};
use crate::player_status::{Barred, KnownStatuses};
use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_base::ids::{PlayerId, SessionId};
use sarsen_store::{AccountStore, StoreError};

/// The lifetime of a session after its last refresh, in seconds: 90 days.
pub const SESSION_SECONDS: u32 = 90 * 24 * 60 * 60;

/// The maximum number of tries of a refresh when others of its session come first. Each time one of them succeeds.
const REFRESH_ATTEMPTS: usize = 32;

/// A player as others may see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// Its id.
    pub id: PlayerId,
    /// Its name.
    pub name: PlayerName,
    /// The moment at which the player was created.
    pub created_at: Timestamp,
    /// The kind, which never changes.
    pub kind: PlayerKind,
    /// The person to whom a bot account belongs.
    pub owner: Option<PlayerId>,
}

impl Player {
    /// A person.
    pub fn person(id: PlayerId, name: PlayerName, created_at: Timestamp) -> Player {
        Player { id, name, created_at, kind: PlayerKind::Person, owner: None }
    }
}

/// The tokens of a client that has signed in or refreshed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedIn {
    /// The player.
    pub player: Player,
    /// The token for requests.
    pub access_token: AccessToken,
    /// The token for the next refresh, once.
    pub refresh_token: RefreshToken,
    /// The moment at which the session ends unless it is refreshed before then.
    pub session_expires_at: Timestamp,
}

impl SignedIn {
    /// The session.
    pub fn session(&self) -> &SessionId {
        &self.refresh_token.session
    }
}

/// The scope of a revocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RevokeScope {
    /// The session that the access token belongs to.
    ThisSession,
    /// Every session of the player, that one included.
    AllSessions,
    /// Every session of the player but that one.
    OtherSessions,
}

/// The reason why a use case failed.
#[derive(Debug, thiserror::Error)]
pub enum PlayersError {
    /// The refresh token is unknown, or its session has ended.
    #[error("the refresh token is not valid")]
    RefreshTokenInvalid,
    /// The refresh token had been used up, so that somebody else may hold a copy: its session is revoked now.
    #[error("the refresh token was used before; its session has been revoked")]
    RefreshTokenReused,
    /// Too many refreshes of one session at the same time; this one had no effect.
    #[error("too many refreshes of this session at the same time")]
    RefreshContended,
    /// The player is banned from everything, until this moment if the ban ends by itself.
    #[error("the player is banned")]
    Banned(Option<Timestamp>),
    /// The player has changed the name less than a day ago.
    #[error("the last change of the name was too short a time ago")]
    RenamedLately {
        /// The time until it can be changed again.
        milliseconds: i64,
    },
    /// The player is shown under a name that an operator has given.
    #[error("an operator has given the player this name")]
    NamedByOperator,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No access token could be made.
    #[error(transparent)]
    Signing(#[from] SigningError),
}

#[cfg(test)]
impl PlayersError {
    /// The stable code, for failures that a client can do something about; `None` if the fault is the server's.
    pub(crate) const fn code(&self) -> Option<&'static str> {
        match self {
            PlayersError::RefreshTokenInvalid => Some("refresh_token_invalid"),
            PlayersError::RefreshTokenReused => Some("refresh_token_reused"),
            PlayersError::RefreshContended => Some("conflict"),
            PlayersError::Banned(_) => Some("banned"),
            PlayersError::RenamedLately { .. } => Some("rate_limited"),
            PlayersError::NamedByOperator => Some("forbidden"),
            PlayersError::Store(_) | PlayersError::Signing(_) => None,
        }
    }
}

type Result<T, E = PlayersError> = std::result::Result<T, E>;

/// Players and their sessions.
#[derive(Clone)]
pub struct Players {
    pub(crate) store: Arc<dyn AccountStore>,
    pub(super) tokens: Arc<Tokens>,
    pub(crate) ambient: Ambient,
    pub(super) statuses: Arc<KnownStatuses>,
    bounds: AccountBounds,
}

impl Players {
    /// Makes the use cases on this store; `tokens` issues and verifies access tokens.
    pub fn new(store: Arc<dyn AccountStore>, tokens: Arc<Tokens>, ambient: Ambient) -> Players {
        Players { store, tokens, ambient, statuses: Arc::default(), bounds: AccountBounds::default() }
    }

    /// The same, with these player statuses: other names, bans, deletions.
    #[must_use]
    pub fn with_statuses(self, statuses: Arc<KnownStatuses>) -> Players {
        Players { statuses, ..self }
    }

    /// The same with these bounds.
    #[must_use]
    pub fn with_bounds(self, bounds: AccountBounds) -> Players {
        Players { bounds, ..self }
    }

    /// The bounds in force.
    pub fn bounds(&self) -> AccountBounds {
        self.bounds
    }

    /// Makes a new player with this name and signs it in on a device of this label.
    ///
    /// # Errors
    /// If the store is away, or no token can be signed.
    pub async fn create_guest(&self, name: PlayerName, device: Option<DeviceLabel>) -> Result<SignedIn> {
        let id = PlayerId::generate(&self.ambient);
        let player = self.create_player(id.clone(), name).await?.ok_or_else(|| taken(&id))?;
        let (session, proof) = (SessionId::generate(&self.ambient), self.ambient.bytes::<16>());
        let (begun, secret) = StoredSession::begin(id, device.map(DeviceLabel::into_string), &proof, &self.ambient);
        match self.put_session(&session, 0, &begun, player.created_at).await? {
            Some(expires_at) => self.signed_in(player, session, secret, expires_at),
            None => Err(taken(&session)),
        }
    }

    /// Makes a player of this id, unless there is one.
    pub(crate) async fn create_player(&self, id: PlayerId, name: PlayerName) -> Result<Option<Player>> {
        let created_at = self.ambient.now();
        let made = StoredPlayer::new(name.as_str().to_owned(), created_at);
        let written = self.store.put_player(&id, 0, made.encode()?).await?;
        Ok(written.then_some(Player::person(id, name, created_at)))
    }

    /// Makes the player of a bot account, which has no session.
    ///
    /// # Errors
    /// If the store is away.
    pub(crate) async fn create_bot(&self, id: PlayerId, name: PlayerName, owner: PlayerId) -> Result<Player> {
        let created_at = self.ambient.now();
        let mut made = StoredPlayer::new(name.as_str().to_owned(), created_at);
        (made.kind, made.owner) = (PlayerKind::Bot, Some(owner.clone()));
        if !self.store.put_player(&id, 0, made.encode()?).await? {
            return Err(taken(&id));
        }
        Ok(Player { id, name, created_at, kind: PlayerKind::Bot, owner: Some(owner) })
    }

    /// Exchanges a refresh token for new tokens. Another exchange within 30 seconds gives the same refresh token (two
    /// tabs of one browser may wake up together). Later exchanges are possible until the new token is used (the answer
    /// may have been lost): each gives another token and retires the one given before. Any other use of an old token
    /// revokes its session.
    ///
    /// # Errors
    /// If the token does not count any more, the player is banned from everything, others exchange it at the same time
    /// again and again, or the store is away.
    pub async fn refresh(&self, token: &RefreshToken) -> Result<SignedIn> {
        let mut beaten = false;
        for _ in 0..REFRESH_ATTEMPTS {
            let found = self.store.session(&token.session).await?.ok_or(PlayersError::RefreshTokenInvalid)?;
            let session = StoredSession::decode(&found.stored)?;
            let now = self.ambient.now();
            let standing = session.standing(&token.secret, now);
            match standing {
                Standing::Current | Standing::Previous | Standing::Shared(_) => {}
                Standing::Foreign => return Err(PlayersError::RefreshTokenInvalid),
                // It was good when this call began and was overtaken: a race of one client, and no theft.
                Standing::Retired if beaten => return Err(PlayersError::RefreshTokenInvalid),
                Standing::Retired => {
                    tracing::warn!(player = %session.player, session = %token.session, "refresh token reused");
                    self.revoke_session(&token.session, &session.player).await?;
                    return Err(PlayersError::RefreshTokenReused);
                }
            }
            if !self.is_there(&session.player)? {
                return Err(PlayersError::RefreshTokenInvalid);
            }
            let player = self.player(&session.player).await?.ok_or_else(|| {
                StoreError::Corrupt(format!("the player {} of session {} is missing", session.player, token.session))
            })?;
            if let Standing::Shared(at) = standing {
                let expires_at = session.refreshed_at().plus_seconds(SESSION_SECONDS);
                let secret = session.successor(&token.secret, at);
                return self.signed_in(player, token.session.clone(), secret, expires_at);
            }
            let (next, secret) = session.rotate(&token.secret, now);
            match self.put_session(&token.session, found.revision, &next, now).await? {
                Some(expires_at) => return self.signed_in(player, token.session.clone(), secret, expires_at),
                None => beaten = true,
            }
        }
        Err(PlayersError::RefreshContended)
    }

    /// Returns a player under the name that is shown, if there is one of this id; also a deleted one.
    ///
    /// # Errors
    /// If the store is away, or what it holds cannot be read.
    pub async fn player(&self, id: &PlayerId) -> Result<Option<Player>> {
        let Some(found) = self.store.player(id).await? else { return Ok(None) };
        let StoredPlayer { name, created_at, kind, owner, .. } = StoredPlayer::decode(&found.stored)?;
        let name = self.statuses.name_of(id).unwrap_or(name);
        Ok(Some(Player { id: id.clone(), name: PlayerName::accepted_before(name), created_at, kind, owner }))
    }

    /// Ends sessions: their refresh tokens and access tokens are refused from now on, on this instance at once and on
    /// all others within ten seconds. If it fails in between, the caller's own session is still valid, so that it can
    /// try again.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn revoke(&self, principal: &Principal, scope: RevokeScope) -> Result<()> {
        if scope != RevokeScope::ThisSession {
            for session in self.store.sessions_of(&principal.player).await? {
                if session != principal.session {
                    self.revoke_session(&session, &principal.player).await?;
                }
            }
        }
        if scope == RevokeScope::OtherSessions {
            return Ok(());
        }
        self.revoke_session(&principal.session, &principal.player).await
    }

    /// Returns whether a player can sign in: false for one who has left.
    ///
    /// # Errors
    /// [`PlayersError::Banned`] if the player is banned from everything.
    pub(crate) fn is_there(&self, player: &PlayerId) -> Result<bool> {
        match self.statuses.barred(player, self.ambient.now()) {
            None => Ok(true),
            Some(Barred::Gone) => Ok(false),
            Some(Barred::Banned(until)) => Err(PlayersError::Banned(until)),
        }
    }

    pub(crate) async fn revoke_session(&self, session: &SessionId, player: &PlayerId) -> Result<()> {
        let until = self.tokens.revoked_until();
        self.store.revoke_session(session, player, until).await?;
        self.tokens.revocations().insert(session.clone(), until);
        Ok(())
    }

    /// Returns true if this instance knows that the player has left for good.
    pub(crate) fn is_gone(&self, player: &PlayerId) -> bool {
        self.statuses.is_gone(player)
    }

    /// Returns true if this instance knows that the session was revoked.
    pub(crate) fn is_revoked(&self, session: &SessionId) -> bool {
        self.tokens.revocations().is_revoked(session)
    }

    /// Writes a session if it is still at `revision`; answers when it expires, or nothing if it is elsewhere.
    pub(super) async fn put_session(
        &self,
        id: &SessionId,
        revision: u64,
        next: &StoredSession,
        now: Timestamp,
    ) -> Result<Option<Timestamp>> {
        let expires_at = now.plus_seconds(SESSION_SECONDS);
        let written = self.store.put_session(id, &next.player, revision, next.encode()?, expires_at).await?;
        Ok(written.then_some(expires_at))
    }

    pub(super) fn signed_in(
        &self,
        player: Player,
        session: SessionId,
        secret: Secret,
        session_expires_at: Timestamp,
    ) -> Result<SignedIn> {
        let access_token = self.tokens.issue(&player.id, &session)?;
        Ok(SignedIn { player, access_token, refresh_token: RefreshToken { session, secret }, session_expires_at })
    }
}

/// Returns the error of two fresh ids with the same 74 random bits: the entropy is broken, and going on would mix
/// players up.
fn taken(id: &dyn std::fmt::Display) -> PlayersError {
    StoreError::Corrupt(format!("a fresh id is taken: {id}")).into()
}
