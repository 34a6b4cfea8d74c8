//! Events of the table, and of the turns of Hengebots.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::scores::{HengeRevealed, HengeScore};
use super::super::source::HengeDeck;
use super::super::stack::HengeFrame;
use crate::henge::components::{Action, Area, Id, Pool, SetId, place_ids};
use crate::henge::state::{Chair, EndCause, Who};
use sarsen_rules::Seat;

/// Cards and chits were shuffled and laid out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeSetUp {
    /// The component set that the match has pinned.
    pub(crate) set: SetId,
    /// The board side: `3` or `45`.
    pub(crate) side: String,
    /// The players by their chairs: `h` a person, `b` a Hengebot.
    #[schema(format = "text")]
    pub(crate) table: String,
    /// The starter stone of each person.
    pub(crate) starters: Vec<StarterDealt>,
    /// The rondel step where the pawn begins.
    #[serde(with = "place_ids::step")]
    #[schema(value_type = String, pattern = "^step\\.[1-9][0-9]?$", examples("step.7"))]
    pub(crate) pawn: u8,
    /// The stones in the quarry, by position.
    pub(crate) quarry: Vec<Id>,
    /// Cards in the stone deck.
    #[schema(maximum = 64)]
    pub(crate) stones_left: u8,
    /// The chits face up in pool A.
    pub(crate) rewards_a: Vec<Id>,
    /// The chits face up in pool B.
    pub(crate) rewards_b: Vec<Id>,
}

/// A round begins.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeRoundBegun)]
pub struct RoundBegun {
    /// Its number, from 1.
    #[schema(minimum = 1)]
    pub number: u16,
}

/// A turn begins.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeTurnBegun)]
pub struct TurnBegun {
    /// The player's chair.
    pub chair: Chair,
    /// The seat there; null for a Hengebot.
    #[schema(required)]
    pub seat: Option<Seat>,
}

/// The pawn was moved.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengePawnMoved)]
pub struct PawnMoved {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// From this rondel step.
    #[serde(with = "place_ids::step")]
    #[schema(value_type = String, pattern = "^step\\.[1-9][0-9]?$", examples("step.7"))]
    pub(crate) from: u8,
    /// The step of the rondel on which it now stands.
    #[serde(with = "place_ids::step")]
    #[schema(value_type = String, pattern = "^step\\.[1-9][0-9]?$", examples("step.7"))]
    pub to: u8,
    /// The number of steps that it went.
    #[schema(minimum = 1, maximum = 99)]
    pub(crate) steps: u8,
    /// The main action chosen.
    pub(crate) action: Action,
    /// Coins paid for steps beyond the free ones.
    pub paid: u16,
    /// True if a travel token was spent.
    pub token: bool,
    /// The number of transport icons that it passed.
    #[schema(maximum = 99)]
    pub(crate) borders: u8,
}

/// Quarry holes were filled.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeQuarryRefilled)]
pub struct QuarryRefilled {
    /// The new stones and their positions.
    pub stones: Vec<StoneLaid>,
    /// Cards left in the stone deck.
    #[schema(maximum = 64)]
    pub left: u8,
}

/// Chits were laid face up.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeRewardsRefilled)]
pub struct RewardsRefilled {
    /// The pool that was refilled.
    pub pool: Pool,
    /// Ids of the chits laid.
    pub tiles: Vec<Id>,
    /// Chits left in the stack.
    #[schema(maximum = 64)]
    pub left: u8,
}

/// The discards of a deck were shuffled into it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeDeckReshuffled)]
pub struct DeckReshuffled {
    /// The deck that was made up again.
    pub deck: HengeDeck,
    /// Cards now in the deck.
    #[schema(maximum = 64)]
    pub left: u8,
}

/// The Luck cards of this turn joined the discards.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeLuckCardsSettled)]
pub struct LuckCardsSettled {
    /// The number of cards.
    #[schema(maximum = 51)]
    pub count: u8,
}

/// A Hengebot drew a card and moved the pawn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengebotMoved)]
pub struct HengebotMoved {
    /// The player's chair.
    pub chair: Chair,
    /// Id of the Hengebot card; the glossary describes it.
    pub card: Id,
    /// From this rondel step.
    #[serde(with = "place_ids::step")]
    #[schema(value_type = String, pattern = "^step\\.[1-9][0-9]?$", examples("step.7"))]
    pub(crate) from: u8,
    /// The step of the rondel on which the pawn now stands.
    #[serde(with = "place_ids::step")]
    #[schema(value_type = String, pattern = "^step\\.[1-9][0-9]?$", examples("step.7"))]
    pub to: u8,
    /// The number of steps that the pawn went.
    #[schema(minimum = 1, maximum = 99)]
    pub(crate) steps: u8,
    /// True if its Carve token now lies face up.
    pub carve_token_up: bool,
    /// Cards left in the Hengebot deck.
    #[schema(maximum = 64)]
    pub left: u8,
}

/// A Hengebot placed a druid.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengebotDruidPlaced)]
pub struct HengebotDruidPlaced {
    /// The player's chair.
    pub chair: Chair,
    /// The area whose path it is.
    pub area: Area,
}

/// A Hengebot installed a stone of the quarry; its Carve token goes face down.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengebotStoneInstalled)]
pub struct HengebotStoneInstalled {
    /// The player's chair.
    pub chair: Chair,
    /// Id of the stone; the glossary describes it.
    pub stone: Id,
    /// Its quarry position.
    #[serde(with = "place_ids::quarry")]
    #[schema(value_type = String, pattern = "^quarry\\.[1-9][0-9]?$", examples("quarry.2"))]
    pub position: u8,
    /// Id of the slot in which it now stands.
    pub slot: Id,
}

/// A Hengebot had nothing to do at its step.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengebotDidNothing)]
pub struct HengebotDidNothing {
    /// The player's chair.
    pub(crate) chair: Chair,
}

/// The end was triggered: this round is played to its end, and one more follows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeEndTriggered)]
pub struct EndTriggered {
    /// The number of the round in which it was triggered, from 1.
    #[schema(minimum = 1)]
    pub round: u16,
    /// The condition that triggered it.
    pub cause: EndCause,
}

/// All uninstalled stones of all players were delivered; the last round begins.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeStonesDelivered)]
pub struct StonesDelivered {
    /// The number of the last round.
    #[schema(minimum = 1)]
    pub(crate) final_round: u16,
}

/// The final scoring; what was hidden is revealed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeScored {
    /// One for each person, in seat order.
    pub scores: Vec<HengeScore>,
    /// The cards that each person held and had put aside, in seat order.
    pub hidden: Vec<HengeRevealed>,
}

/// The open decision now.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeDecisionDue)]
pub struct DecisionDue {
    /// The chair of the player whose turn it is.
    pub turn: Chair,
    /// The stack, the bottom first; the last entry is being decided.
    pub stack: Vec<HengeFrame>,
}

/// A person's starter stone.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeStarterDealt)]
pub(crate) struct StarterDealt {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub(crate) who: Who,
    /// Id of the stone; the glossary describes it.
    pub(crate) stone: Id,
}

/// A stone laid into the quarry.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeStoneLaid)]
pub struct StoneLaid {
    /// The position.
    #[serde(with = "place_ids::quarry")]
    #[schema(value_type = String, pattern = "^quarry\\.[1-9][0-9]?$", examples("quarry.2"))]
    pub position: u8,
    /// Id of the stone; the glossary describes it.
    pub stone: Id,
}
