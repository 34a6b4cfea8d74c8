//! The terms of a table: reserved seats, spectators, and what may follow.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::model::fork::ForkedFrom;
use crate::model::seated::Seated;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;
use sarsen_rules::Seat;

/// A seat that is kept for a player from the making of the match on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReservedSeat {
    /// The seat reserved.
    #[serde(rename = "s")]
    pub seat: Seat,
    /// The player for whom it is reserved.
    #[serde(rename = "p")]
    pub player: Seated,
}

/// The players who may take a free seat.
///
/// - `any`: Anybody.
/// - `linked`: Those who have linked an account of an outside issuer, and bot accounts of theirs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JoinKind {
    /// Anybody.
    #[default]
    Any,
    /// Those who have linked an account of an outside issuer, and bot accounts of theirs.
    Linked,
}

/// The terms on which players take a free seat for whom none is kept.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct JoinTerms {
    /// The lowest rating in the category of the match; null for no bound. Who has none counts as 1500.
    #[schema(required = false, minimum = 0, maximum = 10000)]
    pub rating_min: Option<i32>,
    /// The highest rating, likewise.
    #[schema(required = false, minimum = 0, maximum = 10000)]
    pub rating_max: Option<i32>,
    /// The players who may take a seat.
    #[schema(required = false, default = "any")]
    pub kind: JoinKind,
}

impl JoinTerms {
    /// The bounds of ratings.
    const RATINGS: RangeInclusive<i32> = 0..=10_000;

    /// Returns true if the terms can be kept: their bounds are ratings, the lowest first.
    pub fn are_possible(&self) -> bool {
        let (min, max) = (self.rating_min.unwrap_or(0), self.rating_max.unwrap_or(*JoinTerms::RATINGS.end()));
        JoinTerms::RATINGS.contains(&min) && JoinTerms::RATINGS.contains(&max) && min <= max
    }

    /// Returns true if they ask for a rating.
    pub fn has_range(&self) -> bool {
        self.rating_min.or(self.rating_max).is_some()
    }

    /// Returns true if they take a player with this rating.
    pub fn takes(&self, rating: i32) -> bool {
        self.rating_min.is_none_or(|min| min <= rating) && self.rating_max.is_none_or(|max| rating <= max)
    }
}

/// The terms of a table: reserved seats, spectators, and what may follow.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TableTerms {
    /// The seats that are kept for players, in order.
    #[serde(rename = "rs", default, skip_serializing_if = "Vec::is_empty")]
    pub reserved: Vec<ReservedSeat>,
    /// The seconds from the creation of the match for which they are reserved; `None` until it starts or is called off.
    #[serde(rename = "rt", default, skip_serializing_if = "Option::is_none")]
    pub reserved_seconds: Option<u32>,
    /// The match whose rematch it is.
    #[serde(rename = "fm", default, skip_serializing_if = "Option::is_none")]
    pub from_match: Option<MatchId>,
    /// True if only seated players, the creator and holders of an invite see the match while it is played.
    #[serde(rename = "ns", default, skip_serializing_if = "std::ops::Not::not")]
    pub no_spectators: bool,
    /// True if bot accounts may not sit there.
    #[serde(rename = "np", default, skip_serializing_if = "std::ops::Not::not")]
    pub no_programs: bool,
    /// True if the creator sits on every seat that is given to nobody else.
    #[serde(rename = "hs", default, skip_serializing_if = "std::ops::Not::not")]
    pub hotseat: bool,
    /// The terms on which strangers take a seat; `None` where anybody may.
    #[serde(rename = "jn", default, skip_serializing_if = "Option::is_none")]
    pub join: Option<JoinTerms>,
    /// True if it is called off as another exclusive match starts in which its creator plays.
    #[serde(rename = "xc", default, skip_serializing_if = "std::ops::Not::not")]
    pub exclusive: bool,
    /// True if nobody may call for a rematch.
    #[serde(rename = "nr", default, skip_serializing_if = "std::ops::Not::not")]
    pub no_rematch: bool,
    /// The match that it was forked from, and its version.
    #[serde(rename = "fk", default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<ForkedFrom>,
    /// The moment at which it starts if every seat is taken, and is called off if not.
    #[serde(rename = "sa", default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<Timestamp>,
    /// The pool that paired its players.
    #[serde(rename = "po", default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// Labels that group matches, in order.
    #[serde(rename = "tg", default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The mark of the address from which a public match was made, for the lobby.
    #[serde(rename = "ad", default, skip_serializing_if = "Option::is_none")]
    pub made_from: Option<AddressMark>,
}

/// The most labels of a match.
pub const TAGS_MAX: usize = 8;
/// The most bytes of a label.
const TAG_BYTES_MAX: usize = 32;

/// Returns true if a text is a label of matches.
pub fn is_tag(text: &str) -> bool {
    (1..=TAG_BYTES_MAX).contains(&text.len())
        && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

/// Returns true if these are the labels of a match: not too many, in order, each once.
pub fn are_tags(tags: &[String]) -> bool {
    tags.len() <= TAGS_MAX && tags.iter().all(|tag| is_tag(tag)) && tags.is_sorted_by(|one, next| one < next)
}

/// A mark of the address from which a match was made: 16 bits of a digest. It tells most addresses of a page apart, and
/// names none: 65,536 addresses of IPv4 share each mark. No reader of a match sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AddressMark(u16);

impl AddressMark {
    /// The mark that the beginning of an address' digest makes.
    pub fn new(beginning: u16) -> AddressMark {
        AddressMark(beginning)
    }
}

/// The audience of a public match while it is played: those who may watch it.
///
/// - `open`: Anyone.
/// - `none`: Nobody but its seats and its creator. Before the start and after the end anyone may see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Spectators {
    /// Anyone.
    #[default]
    Open,
    /// Nobody but its seats and its creator. Before the start and after the end anyone may see it.
    None,
}

/// The rule on programs: whether bot accounts, and persons who come by the token of a program, may take a seat of a
/// match and play there.
///
/// - `allow`: They may.
/// - `refuse`: They may not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Programs {
    /// They may.
    #[default]
    Allow,
    /// They may not.
    Refuse,
}

impl TableTerms {
    /// The rule on programs.
    pub fn programs(&self) -> Programs {
        if self.no_programs { Programs::Refuse } else { Programs::Allow }
    }

    /// Returns true if a player of this kind may sit there.
    pub(crate) fn takes(&self, player: &Seated) -> bool {
        player.kind.is_person() || !self.no_programs
    }

    /// The spectators that the match admits.
    pub fn spectators(&self) -> Spectators {
        if self.no_spectators { Spectators::None } else { Spectators::Open }
    }

    /// Returns true if all terms are the default ones.
    pub(crate) fn are_usual(&self) -> bool {
        *self == TableTerms::default()
    }
}
