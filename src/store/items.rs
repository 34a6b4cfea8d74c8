//! Items: small things that belong to a player or to the service, each under a name, and the directory of those names
//! that are looked up without their player.
//!
//! Invariants: an item is changed by compare and set, so that a removed item does not come back; a name of the
//! directory belongs to one player at a time. The two are written one after the other, the directory first: a name
//! there without its item leads to nothing, and an item whose name has moved to another player is not found.

use super::Result;
use super::concern::concern;
use sarsen_base::ids::PlayerId;

/// The name of the service among the owners.
const SERVICE: &str = "service";

/// The owner of items.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ItemOwner {
    /// One player.
    Player(PlayerId),
    /// The service itself.
    Service,
}

impl ItemOwner {
    /// Returns the owner as a part of keys, and as the name of an [`ItemKind::Listener`].
    pub fn as_str(&self) -> &str {
        match self {
            ItemOwner::Player(player) => player.as_str(),
            ItemOwner::Service => SERVICE,
        }
    }

    /// Reads what [`ItemOwner::as_str`] writes.
    pub(crate) fn parse(name: &str) -> Option<ItemOwner> {
        if name == SERVICE { Some(ItemOwner::Service) } else { name.parse().ok().map(ItemOwner::Player) }
    }
}

sarsen_base::named! {
    /// The kinds of items.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ItemKind {
        /// An identity of an outside issuer that is linked to the player, by the hash of issuer and subject.
        Identity = "identity",
        /// The recovery key of the player, by its hash.
        Recovery = "recovery",
        /// A token for programs, by its id.
        Token = "token",
        /// A bot account of the player, by its id.
        Bot = "bot",
        /// Another player among the contacts, by id.
        Contact = "contact",
        /// Another player who is blocked, by id.
        Block = "block",
        /// A report of a player, by its id.
        Report = "report",
        /// The time since when nobody can be a guest any more.
        Idle = "idle",
        /// A webhook, by its id.
        Webhook = "webhook",
        /// A push subscription, by its id.
        PushSubscription = "push_subscription",
        /// A delivery of a notification, by the time of its making and its id. It is not carried to another store.
        Delivery = "delivery",
        /// An owner of webhooks or push subscriptions, by name, and the revision of all of them: items of the service.
        Listener = "listener",
    }
}

impl ItemKind {
    /// Returns true if export and import carry items of this kind.
    pub const fn is_carried(self) -> bool {
        !matches!(self, ItemKind::Delivery)
    }

    /// Returns the owner whom a live message names when an item of this kind and name has changed.
    pub(super) fn announced(self, name: &str) -> Option<ItemOwner> {
        if self == ItemKind::Listener { ItemOwner::parse(name) } else { None }
    }

    /// Returns true if names of this kind are in the directory.
    pub const fn in_directory(self) -> bool {
        matches!(self, ItemKind::Identity | ItemKind::Recovery | ItemKind::Token)
    }
}

/// The outcome of a compare and set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replaced {
    /// The new value was written.
    Done,
    /// Another value was found; nothing was changed.
    Differs,
    /// The owner has the maximum number of items of the kind; nothing was changed.
    Full,
}

concern! {
    /// Keeps items and the directory of their names. Names are short ASCII without a colon, values JSON on one line.
    pub trait ItemStore {
        /// Returns the item of this name.
        async fn item(&self, owner: &ItemOwner, kind: ItemKind, name: &str) -> Result<Option<Vec<u8>>>;

        /// Returns all items of a kind with their names, in the order of names.
        async fn items(&self, owner: &ItemOwner, kind: ItemKind) -> Result<Vec<(String, Vec<u8>)>>;

        /// Replaces `found` by `by`, if the present value is `found`; `None` is no item. An owner never has more than
        /// `most` items of a kind: beyond that a new one is refused. A change of an [`ItemKind::Listener`] is
        /// [announced](crate::Live::Listener).
        async fn replace_item(
            &self,
            owner: &ItemOwner,
            kind: ItemKind,
            name: &str,
            found: Option<&[u8]>,
            by: Option<Vec<u8>>,
            most: usize,
        ) -> Result<Replaced>;

        /// Binds a name of the directory to the player unless it is bound, and returns the player who holds it from now
        /// on.
        async fn bind_item(&self, kind: ItemKind, name: &str, player: &PlayerId) -> Result<PlayerId>;

        /// Returns the player who holds a name of the directory.
        async fn item_holder(&self, kind: ItemKind, name: &str) -> Result<Option<PlayerId>>;

        /// Removes a name from the directory, if this player holds it.
        async fn unbind_item(&self, kind: ItemKind, name: &str, player: &PlayerId) -> Result<()>;
    }
}
