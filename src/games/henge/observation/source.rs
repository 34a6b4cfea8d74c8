//! Decks, and where effects come from, as views and events tell them.

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use crate::henge::components::{Id, List, Privilege, Source, place_ids};
use crate::henge::state::Equipment;

/// A deck that is drawn from.
///
/// - `luck`: Luck cards.
/// - `end_of_game`: End-of-game cards.
/// - `hengebot`: Hengebot cards.
/// - `rewards_a`: Chits of pool A.
/// - `rewards_b`: Chits of pool B.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum HengeDeck {
    Luck,
    EndOfGame,
    Hengebot,
    RewardsA,
    RewardsB,
}

/// A deck of Bonus cards.
///
/// - `spring`: Spring cards, dealt in the set-up.
/// - `end_of_game`: End-of-game cards, earned in play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HengeBonusDeck {
    /// Spring cards, dealt in the set-up.
    Spring,
    /// End-of-game cards, earned in play.
    EndOfGame,
}

/// The kinds of sources.
///
/// - `action`: The action itself.
/// - `rondel`: Borders passed on the rondel.
/// - `luck_card`: A Luck card.
/// - `reward`: A reward chit.
/// - `privilege_end`: The right end of a privilege track.
/// - `druid_track`: A space of the druid track.
/// - `luck_track`: A step of the Luck track.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HengeSourceKind)]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum SourceKind {
    Action,
    Rondel,
    LuckCard,
    Reward,
    PrivilegeEnd,
    DruidTrack,
    LuckTrack,
}

/// The source of an effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeSource {
    /// Its kind.
    pub kind: SourceKind,
    /// The Luck card or chit.
    #[serde(default)]
    pub(crate) card: Option<Id>,
    /// The privilege whose track has ended.
    #[serde(default)]
    pub(crate) privilege: Option<Privilege>,
    /// The space of the druid track or the step of the Luck track.
    #[serde(default, deserialize_with = "place_ids::either_track")]
    #[schema(value_type = Option<String>, pattern = "^(druid|luck)_track\\.[1-9][0-9]?$", examples("luck_track.1"))]
    pub(crate) step: Option<u8>,
}

/// As it is written: what names a place needs the kind.
impl Serialize for HengeSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let HengeSource { kind, card, privilege, step } = self;
        let track = match kind {
            SourceKind::DruidTrack => place_ids::druid_track::KIND,
            _ => place_ids::luck_track::KIND,
        };
        let mut source = serializer.serialize_struct("HengeSource", 4)?;
        source.serialize_field("kind", kind)?;
        if let Some(card) = card {
            source.serialize_field("card", card)?;
        }
        if let Some(privilege) = privilege {
            source.serialize_field("privilege", privilege)?;
        }
        if let Some(step) = step {
            source.serialize_field("step", &place_ids::place_id(track, *step))?;
        }
        source.end()
    }
}

impl HengeSource {
    /// A source with nothing but a kind.
    pub(crate) const fn of(kind: SourceKind) -> HengeSource {
        HengeSource { kind, card: None, privilege: None, step: None }
    }
}

impl Equipment {
    /// Returns what a list is printed on.
    pub(crate) fn source(&self, list: List) -> HengeSource {
        let step = |index: u8| Some(index.saturating_add(1));
        match self.set().lists.source(list) {
            Some(Source::Luck(card)) => {
                HengeSource { card: Some(self.luck(card).id), ..HengeSource::of(SourceKind::LuckCard) }
            }
            Some(Source::Reward(tile)) => {
                HengeSource { card: self.set().tile(tile).map(|row| row.id), ..HengeSource::of(SourceKind::Reward) }
            }
            Some(Source::LevelEnd(privilege)) => {
                HengeSource { privilege: Some(privilege), ..HengeSource::of(SourceKind::PrivilegeEnd) }
            }
            Some(Source::DruidTrack(at)) => HengeSource { step: step(at), ..HengeSource::of(SourceKind::DruidTrack) },
            Some(Source::LuckTrack(at)) => HengeSource { step: step(at), ..HengeSource::of(SourceKind::LuckTrack) },
            None => HengeSource::of(SourceKind::Action),
        }
    }
}
