//! A second device: pairing codes, the recovery key, and the sessions of a player.
//!
//! Invariants: the store has the hash of a code or key and never the thing itself. A player has one live pairing code,
//! the newest, and it lets in only one of those who send it. The player's other devices get an event for each new
//! session.

use aws_lc_rs::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};

use super::device_label::DeviceLabel;
use super::service::{Player, Players, PlayersError, SESSION_SECONDS, SignedIn};
use super::stored::StoredSession;
use super::typed_code::{PairingCode, RecoveryKey};
use crate::since::StoredSince;
use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_base::ids::{PlayerId, SessionId};
use sarsen_store::{ItemKind, ItemOwner, Replaced, ReplayKey, Reservation, StoreError, upgrade};

/// The shortest and the longest life of a pairing code, in seconds.
pub const PAIRING_SECONDS_MIN: u32 = 60;
/// See [`PAIRING_SECONDS_MIN`].
pub const PAIRING_SECONDS_MAX: u32 = 600;
/// The time after its end for which a used code still answers the request that used it, in seconds.
const ANSWERED_AGAIN_SECONDS: u32 = 300;
/// The time for which a request to recover is answered again, in seconds.
const RECOVERED_ONCE_SECONDS: u32 = 24 * 60 * 60;
/// The number of attempts to replace a recovery key while somebody else replaces it at the same moment.
const ATTEMPTS: usize = 32;

/// The reason why a code or key lets nobody in.
#[derive(Debug, thiserror::Error)]
pub enum CodeError {
    /// It is unknown, used up, has expired or was replaced; which of these is not said.
    #[error("the code opens nothing")]
    Wrong,
    /// The idempotency key came with another request before.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The players failed.
    #[error(transparent)]
    Players(#[from] PlayersError),
}

impl From<StoreError> for CodeError {
    fn from(error: StoreError) -> CodeError {
        CodeError::Players(error.into())
    }
}

/// The idempotency key of a request, and the fingerprint that tells the request from others.
#[derive(Clone, Copy, Debug)]
pub struct Once<'a> {
    /// The key.
    pub key: &'a str,
    /// The fingerprint.
    pub fingerprint: &'a str,
}

/// A player on a new device.
#[derive(Debug)]
pub struct Joined {
    /// The tokens of its session.
    pub signed_in: SignedIn,
    /// True if the request had been answered before, under the same idempotency key.
    pub replayed: bool,
}

/// The player whom a pairing code lets in, and the end of its validity, as stored.
#[derive(Serialize, Deserialize)]
struct Offer {
    player: PlayerId,
    until: Timestamp,
}

/// A request's claim on a session: two with the same idempotency key have the same `by`.
struct Claim {
    by: String,
    fingerprint: String,
}

impl Claim {
    fn of(once: Option<Once<'_>>, ambient: &Ambient) -> Claim {
        let (by, fingerprint) = match once {
            Some(Once { key, fingerprint }) => (digest(&SHA256, key.as_bytes()).as_ref().to_vec(), fingerprint),
            // Nobody repeats a request without a key.
            None => (ambient.bytes::<16>().to_vec(), "none"),
        };
        Claim { by: hex::encode(by), fingerprint: fingerprint.to_owned() }
    }

    fn text(&self) -> String {
        format!("{}.{}", self.by, self.fingerprint)
    }

    /// The reserved session, if this very request reserved it.
    fn session(&self, standing: &Reservation) -> Result<SessionId, CodeError> {
        match standing.fingerprint.split_once('.') {
            Some((by, fingerprint)) if by == self.by && fingerprint == self.fingerprint => {
                Ok(standing.id.parse().map_err(|_| StoreError::Corrupt("what is reserved is no session".into()))?)
            }
            Some((by, _)) if by == self.by => Err(CodeError::KeyReused),
            _ => Err(CodeError::Wrong),
        }
    }
}

/// Returns the key under which something is reserved for codes; no client can send such a key.
fn reserved(player: &PlayerId, what: &str) -> ReplayKey {
    ReplayKey { player: player.clone(), key: format!("\u{7f}{what}") }
}

fn pairing_ticket(hash: &str) -> String {
    format!("pair:{hash}")
}

/// The ticket that names the player's newest code.
fn newest_ticket(player: &PlayerId) -> String {
    format!("pairing:{player}")
}

impl Players {
    /// Makes a pairing code that is valid for `seconds` and replaces the one before. Returns the code and its end.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn make_pairing_code(
        &self,
        player: &PlayerId,
        seconds: u32,
    ) -> Result<(PairingCode, Timestamp), StoreError> {
        let code = PairingCode::generate(&self.ambient);
        let until = self.ambient.now().plus_seconds(seconds);
        let offer = upgrade::encode(&Offer { player: player.clone(), until }, "pairing code")?;
        let hash = code.hash();
        self.store.put_ticket(&pairing_ticket(&hash), offer, seconds + ANSWERED_AGAIN_SECONDS).await?;
        self.store.put_ticket(&newest_ticket(player), hash.into_bytes(), seconds).await?;
        Ok((code, until))
    }

    /// Signs in on a new device by a pairing code. With an idempotency key the same request may come again.
    ///
    /// # Errors
    /// If the code opens nothing, the player is banned from everything, or the store is away.
    pub async fn pair(
        &self,
        code: &PairingCode,
        device: Option<DeviceLabel>,
        once: Option<Once<'_>>,
    ) -> Result<Joined, CodeError> {
        let hash = code.hash();
        let offer = self.store.read_ticket(&pairing_ticket(&hash)).await?.ok_or(CodeError::Wrong)?;
        let Offer { player, until } = upgrade::read(&offer, "pairing code")?;
        let (claim, key) = (Claim::of(once, &self.ambient), reserved(&player, &pairing_ticket(&hash)));
        let standing = match self.store.reservation(&key).await? {
            Some(standing) => standing,
            None => {
                let newest = self.store.read_ticket(&newest_ticket(&player)).await?;
                if self.ambient.now() >= until || newest.as_deref() != Some(hash.as_bytes()) {
                    return Err(CodeError::Wrong);
                }
                self.must_be_there(&player)?;
                self.claim(&key, &claim, PAIRING_SECONDS_MAX + ANSWERED_AGAIN_SECONDS).await?
            }
        };
        self.joined(&player, claim.session(&standing)?, device, code.digits()).await
    }

    /// Makes a recovery key, in the place of the one before.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn make_recovery_key(&self, player: &PlayerId) -> Result<RecoveryKey, StoreError> {
        let (kind, owner) = (ItemKind::Recovery, ItemOwner::Player(player.clone()));
        let (key, items) = (RecoveryKey::generate(&self.ambient), &self.store);
        let hash = key.hash();
        if items.bind_item(kind, &hash, player).await? != *player {
            return Err(StoreError::Corrupt("a fresh recovery key is taken".into()));
        }
        let made = StoredSince::encode(self.ambient.now())?;
        for _ in 0..ATTEMPTS {
            if items.replace_item(&owner, kind, &hash, None, Some(made.clone()), 1).await? == Replaced::Done {
                return Ok(key);
            }
            for (name, stored) in items.items(&owner, kind).await? {
                items.replace_item(&owner, kind, &name, Some(&stored), None, 1).await?;
                items.unbind_item(kind, &name, player).await?;
            }
        }
        Err(StoreError::Unavailable("a recovery key was replaced by others again and again".into()))
    }

    /// Returns the time at which the player's recovery key was made; `None` without one.
    ///
    /// # Errors
    /// If the store is away, or what it holds cannot be read.
    pub async fn recovery_key_made_at(&self, player: &PlayerId) -> Result<Option<Timestamp>, StoreError> {
        let stored = self.store.items(&ItemOwner::Player(player.clone()), ItemKind::Recovery).await?;
        let Some((_, stored)) = stored.first() else { return Ok(None) };
        Ok(Some(StoredSince::decode(stored)?.since))
    }

    /// Signs in on a new device by the recovery key, which stays good. With an idempotency key the same request may come
    /// again.
    ///
    /// # Errors
    /// If the key opens nothing, the player is banned from everything, or the store is away.
    pub async fn recover(
        &self,
        key: &RecoveryKey,
        device: Option<DeviceLabel>,
        once: Option<Once<'_>>,
    ) -> Result<Joined, CodeError> {
        let (kind, hash, items) = (ItemKind::Recovery, key.hash(), &self.store);
        let player = items.item_holder(kind, &hash).await?.ok_or(CodeError::Wrong)?;
        // The item decides: a replaced key leaves the directory a moment after it.
        items.item(&ItemOwner::Player(player.clone()), kind, &hash).await?.ok_or(CodeError::Wrong)?;
        self.must_be_there(&player)?;
        let claim = Claim::of(once, &self.ambient);
        let session = match once {
            None => SessionId::generate(&self.ambient),
            Some(_) => {
                let once = reserved(&player, &format!("recover:{}", claim.by));
                claim.session(&self.claim(&once, &claim, RECOVERED_ONCE_SECONDS).await?)?
            }
        };
        self.joined(&player, session, device, key.digits()).await
    }

    async fn claim(&self, key: &ReplayKey, claim: &Claim, seconds: u32) -> Result<Reservation, StoreError> {
        let id = SessionId::generate(&self.ambient).to_string();
        self.store.reserve(key, Reservation { id, fingerprint: claim.text() }, seconds).await
    }

    fn must_be_there(&self, player: &PlayerId) -> Result<(), CodeError> {
        if self.is_there(player)? { Ok(()) } else { Err(CodeError::Wrong) }
    }

    async fn joined(
        &self,
        player: &PlayerId,
        session: SessionId,
        device: Option<DeviceLabel>,
        proof: &[u8],
    ) -> Result<Joined, CodeError> {
        let player = self.player(player).await?.ok_or(CodeError::Wrong)?;
        self.join(player, session, device, proof).await?.ok_or(CodeError::Wrong)
    }

    /// Signs a player in with a session of this id, and tells the player's other devices. A session that was begun for the
    /// same proof, and of whose tokens none has been used, is answered again; `None` if it has gone on, or has ended.
    pub(crate) async fn join(
        &self,
        player: Player,
        session: SessionId,
        device: Option<DeviceLabel>,
        proof: &[u8],
    ) -> Result<Option<Joined>, PlayersError> {
        let label = device.map(DeviceLabel::into_string);
        for _ in 0..2 {
            if let Some(found) = self.store.session(&session).await? {
                let standing = StoredSession::decode(&found.stored)?;
                let Some(secret) = standing.first_secret(proof) else { return Ok(None) };
                let signed_in =
                    self.signed_in(player, session, secret, standing.created_at.plus_seconds(SESSION_SECONDS))?;
                return Ok(Some(Joined { signed_in, replayed: true }));
            }
            if self.tokens.revocations().is_revoked(&session) {
                return Ok(None);
            }
            self.make_room(&player.id).await?;
            let (begun, secret) = StoredSession::begin(player.id.clone(), label.clone(), proof, &self.ambient);
            if let Some(expires_at) = self.put_session(&session, 0, &begun, begun.created_at).await? {
                if let Err(error) = self.store.tell_of_session(&player.id).await {
                    tracing::warn!(player = %player.id, %error, "a new session was not told to other devices");
                }
                let signed_in = self.signed_in(player, session, secret, expires_at)?;
                return Ok(Some(Joined { signed_in, replayed: false }));
            }
        }
        Ok(None)
    }

    /// Ends the sessions that were not used for longest, so that one more is within the bound.
    async fn make_room(&self, player: &PlayerId) -> Result<(), PlayersError> {
        let most = self.bounds().sessions_per_player as usize;
        if self.store.sessions_of(player).await?.len() < most {
            return Ok(());
        }
        let mut sessions = self.sessions_of(player).await?;
        sessions.sort_by_key(|session| session.last_used_at);
        for session in sessions.iter().take((sessions.len() + 1).saturating_sub(most)) {
            self.revoke_session(&session.id, player).await?;
        }
        Ok(())
    }

    /// Ends one session of this player; answers whether there was one.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn end_session(&self, player: &PlayerId, session: &SessionId) -> Result<bool, PlayersError> {
        let known = self.store.sessions_of(player).await?.contains(session);
        if known {
            self.revoke_session(session, player).await?;
        }
        Ok(known)
    }
}

#[cfg(test)]
#[path = "devices_tests.rs"]
mod tests;
