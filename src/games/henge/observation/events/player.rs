//! Events of one player.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::henge::components::{Area, Id, Privilege, place_ids};
use crate::henge::state::Who;

use super::super::source::{HengeBonusDeck, HengeSource};

/// A person was dealt Spring cards to choose from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeSpringOffered)]
pub struct SpringOffered {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub(crate) who: Who,
    /// The number of cards; everybody sees it.
    #[schema(maximum = 44)]
    pub(crate) count: u8,
    /// The cards; null for everyone but their owner.
    #[schema(required)]
    pub(crate) cards: Option<Vec<Id>>,
}

/// A person chose a Spring card, secretly until all have chosen.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeSpringChosen)]
pub struct SpringChosen {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// The card; null for everyone but its owner.
    #[schema(required)]
    pub card: Option<Id>,
}

/// All have chosen: a chosen Spring card is revealed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeSpringRevealed)]
pub struct SpringRevealed {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// Id of the card; the glossary describes it.
    pub card: Id,
}

/// A person took a First Upgrade.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeFirstUpgradeTaken)]
pub struct FirstUpgradeTaken {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// The privilege that was raised.
    pub privilege: Privilege,
}

/// Stones advanced along their tracks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeStonesTransported)]
pub struct StonesTransported {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// Every uninstalled stone of the player and where it now is.
    pub stones: Vec<StoneAt>,
    /// The action or effect that moved them.
    pub(crate) source: HengeSource,
}

/// Coins were gained.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeCoinsGained)]
pub struct CoinsGained {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// The number of coins.
    pub(crate) amount: u16,
    /// The number of coins that the person now has.
    pub total: u16,
    /// Their source.
    pub(crate) source: HengeSource,
}

/// Points were scored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeVictoryPointsScored)]
pub struct VictoryPointsScored {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// The number of victory points.
    pub(crate) amount: u16,
    /// Points scored in play so far.
    pub total: u16,
    /// Their source.
    pub source: HengeSource,
}

/// A Luck card was played for its effects.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeLuckCardPlayed)]
pub struct LuckCardPlayed {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// Id of the card, which everybody now sees.
    pub card: Id,
}

/// Luck cards were drawn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeLuckCardsDrawn)]
pub struct LuckCardsDrawn {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// The number of cards; everybody sees it.
    #[schema(maximum = 51)]
    pub count: u8,
    /// The cards; null for everyone but their owner.
    #[schema(required)]
    pub cards: Option<Vec<Id>>,
    /// Cards left in the deck.
    #[schema(maximum = 51)]
    pub left: u8,
}

/// A Luck card was discarded after a draw.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeLuckCardDiscarded)]
pub struct LuckCardDiscarded {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// Id of the card, which everybody now sees.
    pub card: Id,
}

/// A Luck card was given up for the Luck track.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeLuckCardGivenUp)]
pub struct LuckCardGivenUp {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// Id of the card, which everybody now sees.
    pub card: Id,
    /// The step of the Luck track that was reached.
    #[serde(with = "place_ids::luck_track")]
    #[schema(value_type = String, pattern = "^luck_track\\.[1-9][0-9]?$", examples("luck_track.1"))]
    pub step: u8,
}

/// End-of-game cards were drawn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeEndOfGameCardsDrawn)]
pub struct EndOfGameCardsDrawn {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// The number of cards; everybody sees it.
    #[schema(maximum = 44)]
    pub count: u8,
    /// The cards; null for everyone but their owner.
    #[schema(required)]
    pub cards: Option<Vec<Id>>,
    /// Cards left in the deck.
    #[schema(maximum = 44)]
    pub left: u8,
}

/// A Bonus card was dropped.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeBonusCardDropped)]
pub struct BonusCardDropped {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// Its deck. A Spring card leaves the game, an end-of-game card goes face down to the discards.
    pub deck: HengeBonusDeck,
    /// The card; null for others unless it is a Spring card.
    #[schema(required)]
    pub card: Option<Id>,
}

/// One of the alternatives of an effect was chosen.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeOptionChosen)]
pub struct OptionChosen {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub(crate) who: Who,
    /// The number of the alternative, from 1.
    #[schema(minimum = 1, maximum = 99)]
    pub(crate) option: u8,
    /// The card, tile or space whose effect it is.
    pub(crate) source: HengeSource,
}

/// A stone was bought.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeStoneBought)]
pub struct StoneBought {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// Id of the stone; the glossary describes it.
    pub stone: Id,
    /// Its quarry position.
    #[serde(with = "place_ids::quarry")]
    #[schema(value_type = String, pattern = "^quarry\\.[1-9][0-9]?$", examples("quarry.2"))]
    pub position: u8,
    /// The number of coins paid for it.
    pub price: u16,
    /// Steps along its track from the start.
    pub at: u8,
}

/// A stone was carved.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeStoneCarved)]
pub struct StoneCarved {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// Id of the stone.
    pub stone: Id,
    /// The number of coins paid for it.
    pub price: u16,
}

/// A druid was placed on the lowest free space of a path.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeDruidPlaced)]
pub struct DruidPlaced {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// The area whose path it is.
    pub area: Area,
    /// The number of coins paid for it.
    pub price: u16,
}

/// A stone was installed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeStoneInstalled)]
pub struct StoneInstalled {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// Id of the stone.
    pub stone: Id,
    /// Id of the slot in which it now stands.
    pub slot: Id,
    /// Points of the card.
    pub stone_victory_points: u16,
    /// Points of the slot.
    pub slot_victory_points: u16,
    /// Points that played Luck cards add.
    pub card_victory_points: u16,
    /// Points scored in play so far.
    pub total: u16,
    /// The privilege that is raised; null for none.
    #[schema(required)]
    pub(crate) level_up: Option<Privilege>,
}

/// A privilege was raised.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengePrivilegeRaised)]
pub struct PrivilegeRaised {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// The privilege that was raised.
    pub privilege: Privilege,
    /// The new level, 0 at the start.
    #[schema(maximum = 99)]
    pub level: u8,
}

/// A privilege at the top was raised again: its end benefit follows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengePrivilegeEndGained)]
pub struct PrivilegeEndGained {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub(crate) who: Who,
    /// The privilege.
    pub(crate) privilege: Privilege,
}

/// A reward chit was taken.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeRewardTaken)]
pub struct RewardTaken {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub(crate) who: Who,
    /// Id of the chit; the glossary describes it.
    pub tile: Id,
}

/// Travel tokens were taken from the supply.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeTravelTokensTaken)]
pub struct TravelTokensTaken {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// The number of tokens.
    #[schema(maximum = 99)]
    pub(crate) amount: u8,
    /// Tokens of the player now.
    #[schema(maximum = 99)]
    pub total: u8,
    /// Tokens left in the supply.
    #[schema(maximum = 99)]
    pub supply: u8,
}

/// A Spring card was marked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeSpringMarked)]
pub struct SpringMarked {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// Id of the card.
    pub(crate) card: Id,
    /// Marks on it now.
    #[schema(minimum = 1)]
    pub marks: u8,
}

/// The position of a stone on its track.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeStoneAt)]
pub struct StoneAt {
    /// Id of the stone.
    pub stone: Id,
    /// Steps along its track.
    pub at: u8,
}
