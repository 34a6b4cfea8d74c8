//! Moves of Henge on the wire: sections 3.2 and 8.2.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::components::{Action, Area, Id, Privilege, place_ids};
use crate::common::{CHOOSE, choose_schema, choose_schemas};
use sarsen_rules::reading::small_integer;
use sarsen_rules::{Schemas, tagged_union};

tagged_union! {
    /// A move.
    #[derive(Copy)]
    pub enum Move {
        "spring" => Spring(ChooseSpring),
        "upgrade" => Upgrade(FirstUpgrade),
        "rondel" => Rondel(WalkRondel),
        "travel" => Travel(TravelRondel),
        "luck" => Luck(PlayLuck),
        "income" => Income(TakeIncome),
        "draw" => Draw(DrawLuck),
        "arrive" => Arrive(ArriveStones),
        "quarry" => Quarry(QuarryStone),
        "carve" => Carve(CarveStone),
        "druid" => Druid(PlaceDruid),
        "install" => Install(InstallStone),
        "done" => Done(EndAction),
        "discard" => Discard(DiscardLuck),
        "drop" => Drop(DropBonus),
        "reward" => Reward(TakeReward),
        "level" => Level(RaiseLevel),
        "choose" => Choose(ChooseOption),
        "track" => Track(AdvanceTrack),
    }
}

/// Chooses one of the two Spring cards offered; the other leaves the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeSpring)]
pub(crate) struct ChooseSpring {
    /// The Spring card to keep.
    #[schema(examples("P01"))]
    pub(crate) card: Id,
}

/// Takes a First Upgrade: that privilege starts one level higher.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeUpgrade)]
pub(crate) struct FirstUpgrade {
    /// The privilege, one whose card is still there.
    pub(crate) privilege: Privilege,
}

/// Walks the pawn along the rondel, paying for steps beyond the free ones, and names the action taken there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeRondel)]
pub(crate) struct WalkRondel {
    /// The number of steps, from 1 to a full lap.
    #[schema(value_type = i64, minimum = 1, maximum = 99, examples(3))]
    pub(crate) steps: Number,
    /// The main action, one of the step's.
    pub(crate) action: Action,
    /// The step where the pawn ends. Lists of legal moves have it; in a move that is made it counts for nothing.
    #[serde(default, skip_serializing_if = "Told::is_unsaid", deserialize_with = "Told::step")]
    #[schema(value_type = String, required = false, nullable = false, pattern = "^step\\.[1-9][0-9]?$", examples("step.7"))]
    pub(crate) to: Told,
    /// Coins that it costs. Lists of legal moves say so; in a move that is made it counts for nothing.
    #[serde(default, skip_serializing_if = "Told::is_unsaid", deserialize_with = "Told::price")]
    #[schema(value_type = i64, required = false, nullable = false, minimum = 0, maximum = 65535)]
    pub(crate) price: Told,
}

/// Spends a Free Rondel Travel token to move the pawn any distance at no cost, without transport.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeTravel)]
pub(crate) struct TravelRondel {
    /// The number of steps, from 1 to a full lap.
    #[schema(value_type = i64, minimum = 1, maximum = 99, examples(9))]
    pub(crate) steps: Number,
    /// The main action, one of the step's.
    pub(crate) action: Action,
    /// The step where the pawn ends. Lists of legal moves have it; in a move that is made it counts for nothing.
    #[serde(default, skip_serializing_if = "Told::is_unsaid", deserialize_with = "Told::step")]
    #[schema(value_type = String, required = false, nullable = false, pattern = "^step\\.[1-9][0-9]?$", examples("step.7"))]
    pub(crate) to: Told,
    /// Coins that it costs. Lists of legal moves say so; in a move that is made it counts for nothing.
    #[serde(default, skip_serializing_if = "Told::is_unsaid", deserialize_with = "Told::price")]
    #[schema(value_type = i64, required = false, nullable = false, minimum = 0, maximum = 65535)]
    pub(crate) price: Told,
}

/// Plays a Luck card from hand for its effects.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeLuck)]
pub(crate) struct PlayLuck {
    /// Id of the card.
    #[schema(examples("L05"))]
    pub(crate) card: Id,
}

/// Takes income: coins according to the Coin level, then one draw according to the Luck level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeIncome)]
pub(crate) struct TakeIncome {}

/// Draws Luck cards according to the Luck level, once for each draw of the Luck action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeDraw)]
pub(crate) struct DrawLuck {}

/// Brings all of one's own uninstalled stones to the end of their tracks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeArrive)]
pub(crate) struct ArriveStones {}

/// Buys the stone at one position of the quarry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeQuarry)]
pub(crate) struct QuarryStone {
    /// The position.
    #[serde(with = "place_ids::quarry")]
    #[schema(value_type = String, pattern = "^quarry\\.[1-9][0-9]?$", examples("quarry.2"))]
    pub(crate) position: Number,
}

/// Carves one of one's own uninstalled stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeCarve)]
pub(crate) struct CarveStone {
    /// Id of the stone.
    #[schema(examples("S04"))]
    pub(crate) stone: Id,
}

/// Places a druid on the lowest free space of an area's path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeDruid)]
pub(crate) struct PlaceDruid {
    /// The area.
    pub(crate) area: Area,
}

/// Installs a delivered stone in an empty slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeInstall)]
pub(crate) struct InstallStone {
    /// Id of the stone.
    #[schema(examples("S08"))]
    pub(crate) stone: Id,
    /// Id of the slot.
    #[schema(examples("1a"))]
    pub(crate) slot: Id,
}

/// Ends the action or sub-action, or declines to give up a card for the Luck track.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeDone)]
pub(crate) struct EndAction {}

/// Discards a Luck card from hand after a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeDiscard)]
pub(crate) struct DiscardLuck {
    /// Id of the card.
    #[schema(examples("L09"))]
    pub(crate) card: Id,
}

/// Drops the Spring card or an end-of-game card after drawing Bonus cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeDrop)]
pub(crate) struct DropBonus {
    /// Id of the card; others see which it is only if it is a Spring card.
    #[schema(examples("E05"))]
    pub(crate) card: Id,
}

/// Takes a face-up reward chit of the pool asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeReward)]
pub(crate) struct TakeReward {
    /// Id of the chit.
    #[schema(examples("A03"))]
    pub(crate) tile: Id,
}

/// Names the privilege to raise, where the choice is free.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeLevel)]
pub(crate) struct RaiseLevel {
    /// The privilege.
    pub(crate) privilege: Privilege,
}

/// Chooses one of the alternatives that a card, chit or benefit offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChooseOption {
    /// The number of the alternative, from 1.
    pub(crate) option: Number,
}

impl PartialSchema for ChooseOption {
    fn schema() -> RefOr<Schema> {
        choose_schema()
    }
}

impl ToSchema for ChooseOption {
    fn name() -> std::borrow::Cow<'static, str> {
        CHOOSE.into()
    }

    fn schemas(schemas: &mut Schemas) {
        choose_schemas(schemas);
    }
}

/// Gives up a Luck card for the next benefit of the Luck track; this ends the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeTrack)]
pub(crate) struct AdvanceTrack {
    /// Id of the card.
    #[schema(examples("L09"))]
    pub(crate) card: Id,
}

impl WalkRondel {
    /// A move by this number of steps for this action.
    pub(crate) const fn new(steps: Number, action: Action) -> WalkRondel {
        WalkRondel { steps, action, to: Told, price: Told }
    }
}

impl TravelRondel {
    /// A move by this number of steps for this action.
    pub(crate) const fn new(steps: Number, action: Action) -> TravelRondel {
        TravelRondel { steps, action, to: Told, price: Told }
    }
}

/// A property that only lists of legal moves have. A move that is sent back may repeat it; it is no part of the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Told;

impl Told {
    /// Always: a move itself says nothing of it. (A field that is never written would be missing from the schema, which
    /// is that of the lists too.)
    const fn is_unsaid(&self) -> bool {
        true
    }

    fn step<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Told, D::Error> {
        place_ids::step::deserialize::<u8, D>(deserializer).map(|_| Told)
    }

    fn price<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Told, D::Error> {
        u16::deserialize(deserializer).map(|_| Told)
    }
}

/// A walk or a travel as a list of legal moves has it.
#[derive(Serialize)]
pub(crate) struct ListedStop {
    r#type: &'static str,
    steps: Number,
    action: Action,
    #[serde(with = "place_ids::step")]
    to: u8,
    price: u16,
}

impl ListedStop {
    /// The walk that ends on the step `to` for `price` coins.
    pub(crate) const fn walk(WalkRondel { steps, action, .. }: WalkRondel, to: u8, price: u16) -> ListedStop {
        ListedStop { r#type: "rondel", steps, action, to, price }
    }

    /// The travel that ends on the step `to`.
    pub(crate) const fn travel(TravelRondel { steps, action, .. }: TravelRondel, to: u8) -> ListedStop {
        ListedStop { r#type: "travel", steps, action, to, price: 0 }
    }
}

/// A number from 1 to 99, as moves count steps, positions, areas and options.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(into = "u8")]
pub(crate) struct Number(u8);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        small_integer(deserializer, 1..=Number::MAX, Number::new)
    }
}

impl Number {
    pub(crate) const MAX: u8 = 99;

    /// `number`, or `None` outside 1 to 99.
    pub(crate) const fn new(number: u8) -> Option<Number> {
        if number >= 1 && number <= Number::MAX { Some(Number(number)) } else { None }
    }

    pub(crate) const fn get(self) -> u8 {
        self.0
    }
}

/// For ids of places, which have a number.
impl TryFrom<u8> for Number {
    type Error = &'static str;
    fn try_from(number: u8) -> Result<Number, &'static str> {
        Number::new(number).ok_or("a number from 1 to 99")
    }
}

impl From<Number> for u8 {
    fn from(number: Number) -> u8 {
        number.0
    }
}
