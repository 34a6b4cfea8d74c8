//! The use cases of programs' tokens.

use std::sync::Arc;

use super::checked::CheckedTokens;
use super::stored::StoredToken;
use crate::auth::{Principal, Program, ProgramScope, ProgramToken, ProgramTokenId};
use crate::players::{Players, PlayersError};
use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_base::ids::PlayerId;
use sarsen_store::upgrade::Formed;
use sarsen_store::{ItemKind, ItemOwner, ItemStore, Replaced, StoreError};

/// The precision of the stored last use of a token, in seconds.
const USE_KEPT_SECONDS: u32 = 5 * 60;

/// The number of times that a write starts again because others were quicker.
const ATTEMPTS: usize = 32;

/// A token to make.
#[derive(Clone, Debug)]
pub struct TokenTerms {
    /// The name by which its owner knows it.
    pub name: String,
    /// Its scopes.
    pub scopes: Vec<ProgramScope>,
    /// Its life, in seconds: at most `program_token_seconds`.
    pub expires_in_seconds: u32,
}

/// A token as its owner may see it, without its secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramTokenFacts {
    /// The token.
    pub id: ProgramTokenId,
    /// The name by which its owner knows it.
    pub name: String,
    /// Its scopes, in their order.
    pub scopes: Vec<ProgramScope>,
    /// The time of its making.
    pub created_at: Timestamp,
    /// From when on it is refused.
    pub expires_at: Timestamp,
    /// The last use, to five minutes.
    pub used_at: Option<Timestamp>,
}

/// A token that was just made: the only moment at which its secret is known.
#[derive(Clone, Debug)]
pub struct MadeToken {
    /// The token.
    pub token: ProgramToken,
    /// Its facts.
    pub facts: ProgramTokenFacts,
}

/// The reason why a use case of programs failed.
#[derive(Debug, thiserror::Error)]
pub enum ProgramRefused {
    /// The token is unknown.
    #[error("the token is not valid")]
    Invalid,
    /// The token was good and has expired.
    #[error("the token has expired")]
    Expired,
    /// The token was revoked a short while ago.
    #[error("the token was revoked")]
    Revoked,
    /// The player has as many as one may have.
    #[error("the player has {0} of these, and nobody may have more")]
    Full(u32),
    /// The caller has no such bot account.
    #[error("no such bot account")]
    NoSuchBot,
    /// The players failed.
    #[error(transparent)]
    Players(#[from] PlayersError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

pub(super) type Result<T, E = ProgramRefused> = std::result::Result<T, E>;

/// The tokens of programs.
pub struct ProgramTokens {
    pub(super) items: Arc<dyn ItemStore>,
    pub(super) players: Players,
    pub(super) ambient: Ambient,
    checked: CheckedTokens,
}

impl ProgramTokens {
    /// Tokens of these players, kept in `items`.
    pub fn new(items: Arc<dyn ItemStore>, players: Players, ambient: Ambient) -> ProgramTokens {
        ProgramTokens { items, players, ambient, checked: CheckedTokens::new() }
    }

    /// The caller by a token that this instance has checked a moment ago, without I/O; `None` says nothing of the token.
    pub fn known(&self, token: &ProgramToken) -> Option<Principal> {
        let caller = self.checked.caller(token, self.ambient.now())?;
        (!self.players.is_revoked(&caller.session)).then_some(caller)
    }

    /// The caller by this token, as the store has it.
    ///
    /// # Errors
    /// If the token is unknown, has expired or was revoked, or the store is away.
    pub async fn verify(&self, token: &ProgramToken) -> Result<Principal> {
        let begun = self.ambient.now();
        let session = token.id.session();
        if self.players.is_revoked(&session) {
            return Err(ProgramRefused::Revoked);
        }
        let holder = self.items.item_holder(ItemKind::Token, token.id.as_str()).await?;
        let holder = holder.ok_or(ProgramRefused::Invalid)?;
        let found = self.items.item(&ItemOwner::Player(holder.clone()), ItemKind::Token, token.id.as_str()).await?;
        let found = found.ok_or(ProgramRefused::Invalid)?;
        let stored = StoredToken::decode(&found)?;
        if !stored.opens(&token.hash()) {
            return Err(ProgramRefused::Invalid);
        }
        if begun >= stored.expires_at {
            return Err(ProgramRefused::Expired);
        }
        let player = self.players.player(&holder).await?.ok_or(ProgramRefused::Invalid)?;
        let (scopes, expires_at) = (stored.scopes.clone(), stored.expires_at);
        let program = Program { token: token.id, scopes, expires_at, kind: player.kind, owner: player.owner };
        let caller = Principal { player: holder, session, program: Some(Arc::new(program)) };
        self.checked.insert(token, caller.clone(), begun, stored.expires_at);
        self.note_use(&caller.player, token.id, found, stored, begun).await;
        Ok(caller)
    }

    /// Keeps the time of a use. It is written only where the token is as it was read, so it brings no revoked one back.
    async fn note_use(
        &self,
        player: &PlayerId,
        id: ProgramTokenId,
        found: Vec<u8>,
        mut stored: StoredToken,
        now: Timestamp,
    ) {
        if stored.used_at.is_some_and(|used| now < used.plus_seconds(USE_KEPT_SECONDS)) {
            return;
        }
        stored.used_at = Some(now);
        let Ok(used) = stored.encode() else { return };
        if let Err(error) = self.replace(player, id, Some(&found), Some(used)).await {
            tracing::debug!(error = &error as &dyn std::error::Error, "the use of a token was not kept");
        }
    }

    async fn replace(
        &self,
        player: &PlayerId,
        id: ProgramTokenId,
        found: Option<&[u8]>,
        by: Option<Vec<u8>>,
    ) -> Result<Replaced, StoreError> {
        let (owner, most) = (ItemOwner::Player(player.clone()), self.players.bounds().tokens_per_player);
        self.items.replace_item(&owner, ItemKind::Token, id.as_str(), found, by, most as usize).await
    }

    /// Makes a token for this player, in the place of those that have expired.
    ///
    /// # Errors
    /// [`ProgramRefused::Full`], or that the store is away.
    pub async fn make(&self, player: &PlayerId, terms: TokenTerms) -> Result<MadeToken> {
        let (now, bounds) = (self.ambient.now(), self.players.bounds());
        for expired in self.all(player).await?.into_iter().filter(|token| token.expires_at <= now) {
            self.revoke(player, expired.id).await?;
        }
        let TokenTerms { name, mut scopes, expires_in_seconds } = terms;
        scopes.sort_unstable();
        scopes.dedup();
        let expires_at = now.plus_seconds(expires_in_seconds.min(bounds.program_token_seconds));
        for _ in 0..ATTEMPTS {
            let token = ProgramToken::generate(&self.ambient);
            let stored = StoredToken::new(name.clone(), &token.hash(), scopes.clone(), now, expires_at);
            let written = stored.encode()?;
            // The directory comes first: a name without its item opens nothing.
            if self.items.bind_item(ItemKind::Token, token.id.as_str(), player).await? != *player {
                continue;
            }
            match self.replace(player, token.id, None, Some(written)).await? {
                Replaced::Done => return Ok(MadeToken { facts: facts(token.id, stored), token }),
                Replaced::Differs => {}
                Replaced::Full => {
                    self.items.unbind_item(ItemKind::Token, token.id.as_str(), player).await?;
                    return Err(ProgramRefused::Full(bounds.tokens_per_player));
                }
            }
        }
        Err(StoreError::Corrupt("the fresh ids of tokens are taken again and again".to_owned()).into())
    }

    /// The tokens of a player that have not expired, oldest first.
    ///
    /// # Errors
    /// If the store is away, or what it holds cannot be read.
    pub async fn tokens_of(&self, player: &PlayerId) -> Result<Vec<ProgramTokenFacts>> {
        let now = self.ambient.now();
        let mut tokens = self.all(player).await?;
        tokens.retain(|token| token.expires_at > now);
        tokens.sort_by_key(|token| (token.created_at, token.id));
        Ok(tokens)
    }

    async fn all(&self, player: &PlayerId) -> Result<Vec<ProgramTokenFacts>> {
        let items = self.items.items(&ItemOwner::Player(player.clone()), ItemKind::Token).await?;
        let read = items.into_iter().filter_map(|(name, bytes)| Some((name.parse().ok()?, bytes)));
        read.map(|(id, bytes)| Ok(facts(id, StoredToken::decode(&bytes)?))).collect()
    }

    /// Has a token of this player refused, on this instance at once and on all others within ten seconds, and ends the
    /// streams that it opened. A token that the player does not have is none to revoke.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn revoke(&self, player: &PlayerId, id: ProgramTokenId) -> Result<()> {
        let owner = ItemOwner::Player(player.clone());
        for _ in 0..ATTEMPTS {
            let Some(found) = self.items.item(&owner, ItemKind::Token, id.as_str()).await? else { break };
            if self.replace(player, id, Some(&found), None).await? == Replaced::Done {
                break;
            }
        }
        if self.items.item_holder(ItemKind::Token, id.as_str()).await?.as_ref() == Some(player) {
            self.players.revoke_session(&id.session(), player).await?;
            self.checked.forget(id);
            // At the end, so that asking again does what a failure has left undone.
            self.items.unbind_item(ItemKind::Token, id.as_str(), player).await?;
        }
        Ok(())
    }
}

fn facts(id: ProgramTokenId, stored: StoredToken) -> ProgramTokenFacts {
    let StoredToken { name, scopes, created_at, expires_at, used_at, .. } = stored;
    ProgramTokenFacts { id, name, scopes, created_at, expires_at, used_at }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
