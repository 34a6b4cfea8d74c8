//! Identities of outside issuers: the player of each identity, and signing in by one.

use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::issuer_keys::{IssuerKeys, KeySetSource};
use super::issuer_terms::IssuerTerms;
use super::outside_token::{OutsideFlaw, check, header};
use crate::players::{DeviceLabel, NameBlocklist, Player, PlayerName, Players, PlayersError, SignedIn};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{PlayerId, SessionId};
use sarsen_store::upgrade::Formed;
use sarsen_store::{ItemKind, ItemOwner, Replaced, StoreError};

/// The interval at which the service checks for key sets that it has to fetch again.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// The number of attempts at signing in: it starts again when its identity has changed hands meanwhile.
const ATTEMPTS: usize = 8;
const KIND: ItemKind = ItemKind::Identity;

/// An outside issuer with its keys.
struct Issuer {
    terms: IssuerTerms,
    keys: IssuerKeys,
}

/// An identity as its player sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// Its id: a hash of issuer and subject.
    pub id: String,
    /// The name of the issuer.
    pub issuer: String,
    /// The time at which it was linked to the player.
    pub linked_at: Timestamp,
}

/// An identity as stored, under its id.
#[derive(Serialize, Deserialize)]
struct StoredIdentity {
    #[serde(rename = "v")]
    form: u16,
    issuer: String,
    linked_at: Timestamp,
}

sarsen_store::formed!(StoredIdentity, "linked identity", "v", &[]);

/// An identity that a token has proved.
#[derive(Clone, Debug)]
pub struct VerifiedIdentity {
    id: String,
    issuer: String,
    /// The name that the token gives, if that can be a player's.
    name: Option<PlayerName>,
}

impl VerifiedIdentity {
    /// The same without a name that is blocked.
    #[must_use]
    pub fn without_blocked_name(self, blocklist: &NameBlocklist) -> VerifiedIdentity {
        VerifiedIdentity { name: self.name.filter(|name| !blocklist.blocks(name)), ..self }
    }
}

/// The reason why an outside token has no effect.
#[derive(Debug, thiserror::Error)]
pub enum OutsideError {
    /// There is no issuer of this name.
    #[error("there is no issuer of this name")]
    IssuerNotFound,
    /// The token does not count; why not is for the log alone.
    #[error("the outside token is not valid")]
    Invalid(#[source] OutsideFlaw),
    /// The service has no key of the issuer.
    #[error("the issuer's keys are not to be had")]
    Unavailable {
        /// The time after which it makes sense to ask again, in seconds.
        retry_after_seconds: u64,
    },
    /// The identity is another player's.
    #[error("the identity is another player's")]
    Taken,
    /// The player has as many identities as one may have.
    #[error("the player has the most identities that one may have")]
    TooMany,
    /// The players failed.
    #[error(transparent)]
    Players(#[from] PlayersError),
}

impl From<StoreError> for OutsideError {
    fn from(error: StoreError) -> OutsideError {
        OutsideError::Players(error.into())
    }
}

/// Signs players in by what outside issuers say.
pub struct OutsideAccounts {
    issuers: Vec<Issuer>,
    players: Players,
}

impl OutsideAccounts {
    /// The accounts of these issuers, whose key sets are at these places.
    pub fn new(issuers: Vec<(IssuerTerms, Arc<dyn KeySetSource>)>, players: Players) -> OutsideAccounts {
        let issuers = issuers.into_iter().map(|(terms, source)| {
            let keys = IssuerKeys::new(&terms.name, source, players.ambient.clone());
            Issuer { terms, keys }
        });
        OutsideAccounts { issuers: issuers.collect(), players }
    }

    /// Fetches key sets before they are missed, until cancelled.
    pub async fn run(self: Arc<OutsideAccounts>, cancel: CancellationToken) {
        if self.issuers.is_empty() {
            return;
        }
        let refreshing = async {
            loop {
                join_all(self.issuers.iter().map(|issuer| issuer.keys.refresh())).await;
                sleep(LOOK_EVERY).await;
            }
        };
        cancel.run_until_cancelled(refreshing).await;
    }

    /// Checks a token of an issuer.
    ///
    /// # Errors
    /// If it does not count, or cannot be checked.
    pub async fn verify(&self, issuer: &str, token: &str) -> Result<VerifiedIdentity, OutsideError> {
        let known = self.issuers.iter().find(|known| known.terms.name == issuer);
        let Issuer { terms, keys } = known.ok_or(OutsideError::IssuerNotFound)?;
        if token.len() > self.players.bounds().outside_token_bytes as usize {
            return Err(OutsideError::Invalid(OutsideFlaw::Form));
        }
        let header = header(token, terms).map_err(OutsideError::Invalid)?;
        let set = keys.with_key(header.kid.as_deref()).await;
        let set = set.map_err(|none| OutsideError::Unavailable { retry_after_seconds: none.retry_after_seconds })?;
        let claims = check(token, &header, terms, &set, self.players.ambient.now()).map_err(OutsideError::Invalid)?;
        let id = hex::encode(digest(&SHA256, format!("{}\0{}", terms.iss, claims.subject).as_bytes()));
        let name = claims.name.and_then(|name| name.parse().ok());
        Ok(VerifiedIdentity { id, issuer: terms.name.clone(), name })
    }

    /// The player whose identity this is, if there is one who can sign in.
    ///
    /// # Errors
    /// If the player is banned from everything, or the store is away.
    pub async fn player_of(&self, identity: &VerifiedIdentity) -> Result<Option<Player>, OutsideError> {
        let Some(holder) = self.players.store.item_holder(KIND, &identity.id).await? else { return Ok(None) };
        if !self.players.is_there(&holder)? {
            // A player who has left must not keep the identity from others until the deletion is complete.
            self.players.store.unbind_item(KIND, &identity.id, &holder).await?;
            return Ok(None);
        }
        Ok(self.players.player(&holder).await?)
    }

    /// Signs in by an identity, as its player or as a new one; answers whether the player is new.
    ///
    /// # Errors
    /// If the player is banned from everything, or the store is away.
    pub async fn sign_in(
        &self,
        identity: &VerifiedIdentity,
        device: Option<DeviceLabel>,
    ) -> Result<(SignedIn, bool), OutsideError> {
        for _ in 0..ATTEMPTS {
            let (player, new) = match self.player_of(identity).await? {
                Some(player) => (player, false),
                None => {
                    // The identity first: of several at once all come to the same player.
                    let fresh = PlayerId::generate(&self.players.ambient);
                    let holder = self.players.store.bind_item(KIND, &identity.id, &fresh).await?;
                    let name = identity.name.clone().map_or_else(|| nameless(&holder), Ok)?;
                    match self.players.create_player(holder, name).await? {
                        Some(player) => (player, true),
                        None => continue,
                    }
                }
            };
            // Without a bound: it is theirs already, and a crash has left it out.
            self.list(&player.id, identity, usize::MAX).await?;
            let (session, proof) = (SessionId::generate(&self.players.ambient), self.players.ambient.bytes::<16>());
            if let Some(joined) = self.players.join(player, session, device.clone(), &proof).await? {
                return Ok((joined.signed_in, new));
            }
        }
        Err(StoreError::Unavailable("an identity changed hands again and again".into()).into())
    }

    /// Links an identity to a player. Once more does no more.
    ///
    /// # Errors
    /// If it is another player's, the player has too many, or the store is away.
    pub async fn link(&self, player: &PlayerId, identity: &VerifiedIdentity) -> Result<Identity, OutsideError> {
        // Of one who has left it is free again.
        match self.player_of(identity).await {
            Ok(_) => {}
            Err(OutsideError::Players(PlayersError::Banned(_))) => return Err(OutsideError::Taken),
            Err(other) => return Err(other),
        }
        if self.players.store.bind_item(KIND, &identity.id, player).await? != *player {
            return Err(OutsideError::Taken);
        }
        if let Err(error) = self.list(player, identity, self.players.bounds().identities_per_player as usize).await {
            if matches!(error, OutsideError::TooMany) {
                self.players.store.unbind_item(KIND, &identity.id, player).await?;
            }
            return Err(error);
        }
        let linked = self.identity(player, &identity.id).await?;
        linked.ok_or_else(|| StoreError::Unavailable("an identity was unlinked as it was linked".into()).into())
    }

    /// Puts an identity on its player's own list, where it is missing.
    async fn list(&self, player: &PlayerId, identity: &VerifiedIdentity, most: usize) -> Result<(), OutsideError> {
        let owner = ItemOwner::Player(player.clone());
        let store = &self.players.store;
        if store.item(&owner, KIND, &identity.id).await?.is_some() {
            return Ok(());
        }
        let (form, linked_at) = (StoredIdentity::FORMS.present(), self.players.ambient.now());
        let stored = Some(StoredIdentity { form, issuer: identity.issuer.clone(), linked_at }.encode()?);
        match store.replace_item(&owner, KIND, &identity.id, None, stored, most).await? {
            Replaced::Done | Replaced::Differs => Ok(()),
            Replaced::Full => Err(OutsideError::TooMany),
        }
    }

    /// The identities of a player, by id.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn identities(&self, player: &PlayerId) -> Result<Vec<Identity>, StoreError> {
        let items = self.players.store.items(&ItemOwner::Player(player.clone()), KIND).await?;
        items.into_iter().map(|(id, stored)| read(id, &stored)).collect()
    }

    /// One identity of a player.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn identity(&self, player: &PlayerId, id: &str) -> Result<Option<Identity>, StoreError> {
        let found = self.players.store.item(&ItemOwner::Player(player.clone()), KIND, id).await?;
        found.map(|stored| read(id.to_owned(), &stored)).transpose()
    }

    /// Unlinks an identity of a player; answers whether it was there.
    ///
    /// # Errors
    /// If the store is away; asking again does the rest.
    pub async fn unlink(&self, player: &PlayerId, id: &str) -> Result<bool, StoreError> {
        let (owner, store) = (ItemOwner::Player(player.clone()), &self.players.store);
        let Some(found) = store.item(&owner, KIND, id).await? else { return Ok(false) };
        // The directory first: what is listed still can be asked to go again.
        store.unbind_item(KIND, id, player).await?;
        store.replace_item(&owner, KIND, id, Some(&found), None, 0).await?;
        Ok(true)
    }
}

pub(crate) fn read(id: String, stored: &[u8]) -> Result<Identity, StoreError> {
    let StoredIdentity { issuer, linked_at, .. } = StoredIdentity::decode(stored)?;
    Ok(Identity { id, issuer, linked_at })
}

/// The name of a player whose token gives none: "Player" and the player's tag.
fn nameless(player: &PlayerId) -> Result<PlayerName, OutsideError> {
    let name = format!("Player {}", String::from_utf8_lossy(&player.tag())).parse();
    name.map_err(|_| StoreError::Corrupt("a player cannot be named".into()).into())
}

#[cfg(test)]
#[path = "identities_tests.rs"]
mod tests;
