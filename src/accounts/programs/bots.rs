//! Bot accounts: players that are programs, each of which belongs to a person.
//!
//! Invariant: an account is on its owner's list before its player is made, so nobody has more than the bound, and no
//! player of an account is without an owner.

use super::service::{MadeToken, ProgramRefused, ProgramTokens, Result, TokenTerms};
use crate::auth::ProgramScope;
use crate::players::{Player, PlayerName};
use crate::since::StoredSince;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;
use sarsen_store::{ItemKind, ItemOwner, Replaced};

/// For so long an account may be on the list without its player: another request is making it. In milliseconds.
const MAKING_MILLIS: i64 = 10 * 60 * 1000;

impl ProgramTokens {
    /// Makes a bot account of this name, with a token that has every scope, for as long as one can be made for.
    ///
    /// # Errors
    /// [`ProgramRefused::Full`], or that the store is away.
    pub async fn make_bot(&self, owner: &PlayerId, name: PlayerName) -> Result<(Player, MadeToken)> {
        let id = PlayerId::generate(&self.ambient);
        self.forget_lost_bots(owner).await?;
        let (whose, since) = (ItemOwner::Player(owner.clone()), StoredSince::encode(self.ambient.now())?);
        let bounds = self.players.bounds();
        let most = bounds.bot_accounts_per_player;
        let listed =
            self.items.replace_item(&whose, ItemKind::Bot, id.as_str(), None, Some(since), most as usize).await?;
        if listed == Replaced::Full {
            return Err(ProgramRefused::Full(most));
        }
        let terms = TokenTerms {
            name: name.as_str().to_owned(),
            scopes: ProgramScope::ALL.to_vec(),
            expires_in_seconds: bounds.program_token_seconds,
        };
        let bot = self.players.create_bot(id, name, owner.clone()).await?;
        let token = self.make(&bot.id, terms).await?;
        Ok((bot, token))
    }

    /// The bot accounts of a player, oldest first.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn bots_of(&self, owner: &PlayerId) -> Result<Vec<Player>> {
        let mut bots = Vec::new();
        for id in self.players.bot_ids(owner).await? {
            bots.extend(self.players.player(&id).await?.filter(|_| !self.players.is_gone(&id)));
        }
        Ok(bots)
    }

    /// A bot account of this player, also one that was deleted.
    ///
    /// # Errors
    /// [`ProgramRefused::NoSuchBot`], or that the store is away.
    pub async fn any_bot_of(&self, owner: &PlayerId, id: &PlayerId) -> Result<Player> {
        let bot = self.players.player(id).await?.filter(|bot| bot.owner.as_ref() == Some(owner));
        bot.ok_or(ProgramRefused::NoSuchBot)
    }

    /// A bot account of this player.
    ///
    /// # Errors
    /// [`ProgramRefused::NoSuchBot`], or that the store is away.
    pub async fn bot_of(&self, owner: &PlayerId, id: &PlayerId) -> Result<Player> {
        if self.players.is_gone(id) {
            return Err(ProgramRefused::NoSuchBot);
        }
        self.any_bot_of(owner, id).await
    }

    /// Gives a bot account another name, which counts for seats that it takes from now on.
    ///
    /// # Errors
    /// [`ProgramRefused::NoSuchBot`], or that the store is away.
    pub async fn rename_bot(&self, owner: &PlayerId, id: &PlayerId, name: &PlayerName) -> Result<Player> {
        self.bot_of(owner, id).await?;
        self.players.rewrite_name(id, name.as_str()).await?;
        self.bot_of(owner, id).await
    }

    /// Takes a bot account from its owner's list.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn forget_bot(&self, owner: &PlayerId, id: &PlayerId) -> Result<()> {
        let whose = ItemOwner::Player(owner.clone());
        if let Some(found) = self.items.item(&whose, ItemKind::Bot, id.as_str()).await? {
            self.items.replace_item(&whose, ItemKind::Bot, id.as_str(), Some(&found), None, usize::MAX).await?;
        }
        Ok(())
    }

    /// Takes from the list whose player is gone, or was not made in time: an instance may have died in between.
    async fn forget_lost_bots(&self, owner: &PlayerId) -> Result<()> {
        let making = Timestamp(self.ambient.now().0 - MAKING_MILLIS);
        for (name, stored) in self.items.items(&ItemOwner::Player(owner.clone()), ItemKind::Bot).await? {
            let Ok(id) = name.parse() else { continue };
            let lost = StoredSince::decode(&stored)?.since < making && self.players.player(&id).await?.is_none();
            if lost || self.players.is_gone(&id) {
                self.forget_bot(owner, &id).await?;
            }
        }
        Ok(())
    }
}
