//! Indices of components: the rules name them by dense indices in file order. Clients name them by [`Id`].
//!
//! Invariants: an index is only good for the set it came from; one that a stored state holds is checked against the
//! set when the state is read. An id is 1 to 16 characters of `[A-Za-z0-9_-]`.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};
use tinystr::TinyAsciiStr;
use utoipa::ToSchema;

macro_rules! index {
    ($($(#[$meta:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u8);

        impl $name {
            /// Place in file order, from 0.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}

index! {
    /// A Luck card.
    LuckCard,
    /// A Stone card.
    StoneCard,
    /// A Bonus card of either deck.
    BonusCard,
    /// A reward tile of either pool.
    Tile,
    /// A Hengebot card.
    BotCard,
    /// A slot of the board side in use.
    Slot,
    /// A step of the rondel; [`Step::number`] is what is printed.
    Step,
}

impl Step {
    /// 1 for the first step.
    pub(crate) const fn number(self) -> u8 {
        self.0.saturating_add(1)
    }
}

/// A list of effects somewhere in the set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct List(pub u16);

impl List {
    /// Place among the lists, from 0.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The longest id, in characters.
pub(crate) const ID_LENGTH: usize = 16;

/// The id of a component, as moves, views and the glossary use it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(as = HengeId, value_type = String, pattern = "^[A-Za-z0-9_-]{1,16}$", examples("S08"))]
pub struct Id(TinyAsciiStr<ID_LENGTH>);

/// A text that is no id.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an id is 1 to 16 letters, digits, hyphens or underscores")]
pub struct InvalidId;

impl Id {
    /// Reads an id; case is kept.
    ///
    /// # Errors
    /// If it is no id.
    pub(crate) fn parse(text: &str) -> Result<Id, InvalidId> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if text.is_empty() || text.len() > ID_LENGTH || !text.bytes().all(plain) {
            return Err(InvalidId);
        }
        TinyAsciiStr::try_from_str(text).map(Id).map_err(|_| InvalidId)
    }

    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns whether the ids are the same but for upper and lower case, as texts of people may be. Cards of a set
    /// differ in more than case.
    pub(crate) fn matches(&self, other: &Id) -> bool {
        self.as_str().eq_ignore_ascii_case(other.as_str())
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

impl TryFrom<String> for Id {
    type Error = InvalidId;

    fn try_from(text: String) -> Result<Id, InvalidId> {
        Id::parse(&text)
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Place of the row whose id is exactly this one.
pub(super) fn position<'a>(mut ids: impl Iterator<Item = &'a Id>, id: &Id) -> Option<u8> {
    ids.position(|other| other == id).and_then(|at| u8::try_from(at).ok())
}
