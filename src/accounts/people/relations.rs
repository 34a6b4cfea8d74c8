//! Contacts and blocks: lists of other players.

use std::sync::Arc;

use crate::players::{Player, Players, PlayersError};
use crate::since::StoredSince;
use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_base::ids::PlayerId;
use sarsen_store::{AccountStore, ItemKind, ItemOwner, Replaced, StoreError};

/// A list of other players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// Those whom a player wants to find again.
    Contact,
    /// Those with whom a player does not want to play.
    Block,
}

impl Relation {
    fn kind(self) -> ItemKind {
        match self {
            Relation::Contact => ItemKind::Contact,
            Relation::Block => ItemKind::Block,
        }
    }
}

/// Another player on a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    /// The player as anybody sees them.
    pub player: Player,
    /// The time since which they are on the list.
    pub since: Timestamp,
}

/// A page of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RelationPage {
    /// The players, in the order of their ids.
    pub items: Vec<Related>,
    /// The player behind whom the next page begins; `None` after the last.
    pub next: Option<PlayerId>,
}

/// The block that keeps two players apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shut {
    /// Somebody has blocked the one who asks.
    ByOther,
    /// The one who asks has blocked somebody.
    ByAsker,
}

/// The reason why a use case of people failed.
#[derive(Debug, thiserror::Error)]
pub enum PeopleRefused {
    /// There is no such player, or only what is left of one.
    #[error("no such player")]
    PlayerNotFound,
    /// A player names themselves.
    #[error("this is the caller")]
    Oneself,
    /// The player has as many as one may have.
    #[error("the caller has {0} of these, and nobody may have more")]
    Full(u32),
    /// The player has made as many reports as one may in 24 hours.
    #[error("the caller has made {0} reports in 24 hours, and nobody may make more")]
    ReportedEnough(u32),
    /// There is no report of this id.
    #[error("no such report")]
    ReportNotFound,
    /// The players failed.
    #[error(transparent)]
    Players(#[from] PlayersError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

pub(super) type Result<T, E = PeopleRefused> = std::result::Result<T, E>;

/// Contacts, blocks and reports.
#[derive(Clone)]
pub struct People {
    pub(super) store: Arc<dyn AccountStore>,
    pub(super) players: Players,
    pub(super) ambient: Ambient,
}

impl People {
    /// Those of these players, kept in `store`.
    pub fn new(store: Arc<dyn AccountStore>, players: Players, ambient: Ambient) -> People {
        People { store, players, ambient }
    }

    /// A player who is there and is not `asker`.
    ///
    /// # Errors
    /// [`PeopleRefused::PlayerNotFound`], [`PeopleRefused::Oneself`], or that the store is away.
    pub async fn other(&self, asker: &PlayerId, other: &PlayerId) -> Result<Player> {
        if asker == other {
            return Err(PeopleRefused::Oneself);
        }
        let player = if self.players.is_gone(other) { None } else { self.players.player(other).await? };
        player.ok_or(PeopleRefused::PlayerNotFound)
    }

    /// Puts another player on a list, where they may be already.
    ///
    /// # Errors
    /// [`PeopleRefused::PlayerNotFound`], [`PeopleRefused::Oneself`], [`PeopleRefused::Full`], or that the store is away.
    pub async fn put(&self, owner: &PlayerId, relation: Relation, other: &PlayerId) -> Result<Related> {
        let player = self.other(owner, other).await?;
        let (whose, kind) = (ItemOwner::Player(owner.clone()), relation.kind());
        let (now, most) = (self.ambient.now(), self.players.bounds().contacts_per_player);
        let stored = StoredSince::encode(now)?;
        match self.store.replace_item(&whose, kind, other.as_str(), None, Some(stored), most as usize).await? {
            Replaced::Done => Ok(Related { player, since: now }),
            Replaced::Full => Err(PeopleRefused::Full(most)),
            Replaced::Differs => {
                let found = self.store.item(&whose, kind, other.as_str()).await?;
                let since = found.map_or(Ok(now), |found| StoredSince::decode(&found).map(|stored| stored.since))?;
                Ok(Related { player, since })
            }
        }
    }

    /// Takes another player off a list, where they may not be.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn remove(&self, owner: &PlayerId, relation: Relation, other: &PlayerId) -> Result<()> {
        let (whose, kind) = (ItemOwner::Player(owner.clone()), relation.kind());
        if let Some(found) = self.store.item(&whose, kind, other.as_str()).await? {
            self.store.replace_item(&whose, kind, other.as_str(), Some(&found), None, usize::MAX).await?;
        }
        Ok(())
    }

    /// A page of a list, without players who have left for good.
    ///
    /// # Errors
    /// If the store is away, or what it holds cannot be read.
    pub async fn page(
        &self,
        owner: &PlayerId,
        relation: Relation,
        after: Option<&PlayerId>,
        limit: usize,
    ) -> Result<RelationPage> {
        let mut listed = self.store.items(&ItemOwner::Player(owner.clone()), relation.kind()).await?;
        listed.retain(|(name, _)| after.is_none_or(|after| name.as_str() > after.as_str()));
        let more = listed.len() > limit;
        listed.truncate(limit);
        let next = listed.last().filter(|_| more).and_then(|(name, _)| name.parse().ok());
        let mut items = Vec::with_capacity(listed.len());
        for (name, stored) in listed {
            let Ok(id) = name.parse::<PlayerId>() else { continue };
            let player = if self.players.is_gone(&id) { None } else { self.players.player(&id).await? };
            if let Some(player) = player {
                items.push(Related { player, since: StoredSince::decode(&stored)?.since });
            }
        }
        Ok(RelationPage { items, next })
    }

    /// The ids on a list.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn ids(&self, owner: &PlayerId, relation: Relation) -> Result<Vec<PlayerId>> {
        let listed = self.store.items(&ItemOwner::Player(owner.clone()), relation.kind()).await?;
        Ok(listed.into_iter().filter_map(|(name, _)| name.parse().ok()).collect())
    }

    /// The block that keeps `asker` from a table with these others. Blocks by others come first; the asker may not learn
    /// whose they are.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn shut_out(&self, asker: &PlayerId, others: &[PlayerId]) -> Result<Option<Shut>> {
        let mut own = None;
        for other in others.iter().filter(|other| *other != asker) {
            if self.has_blocked(other, asker).await? {
                return Ok(Some(Shut::ByOther));
            }
            if own.is_none() && self.has_blocked(asker, other).await? {
                own = Some(Shut::ByAsker);
            }
        }
        Ok(own)
    }

    async fn has_blocked(&self, owner: &PlayerId, other: &PlayerId) -> Result<bool> {
        let whose = ItemOwner::Player(owner.clone());
        Ok(self.store.item(&whose, ItemKind::Block, other.as_str()).await?.is_some())
    }
}
