//! The view of a match: the knowledge of one viewer (section 6).

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::players::HengePlayer;
use super::scores::HengeScore;
use super::stack::HengeFrame;
use crate::henge::components::{AREAS, Area, Id, Pool, Privilege, SetId, place_ids};
use crate::henge::state::{Chair, EndCause, Seating, Stage, State};
use sarsen_rules::{Seat, Viewer};

/// The stage that a match has reached.
///
/// - `spring`: All people choose a Spring card at once.
/// - `upgrade`: The people take First Upgrades, the last one first.
/// - `play`: Turns are taken.
/// - `over`: It is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum HengeStage {
    Spring,
    Upgrade,
    Play,
    Over,
}

/// A match of Henge as a viewer sees it. What only its owner may know is null for others until the match is over.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeView {
    /// The component set: it gives ids their meaning.
    #[schema(value_type = SetId)]
    pub set: Arc<SetId>,
    /// The board side: `3` or `45`.
    pub side: String,
    /// The stage that the match has reached.
    pub stage: HengeStage,
    /// The seat that takes a First Upgrade; null outside that stage.
    #[schema(required)]
    pub upgrading: Option<Seat>,
    /// First Upgrades still there.
    pub upgrades: Vec<Privilege>,
    /// The round, from 1; 0 before the first.
    pub round: u16,
    /// The chair of the player whose turn it is.
    pub turn: Chair,
    /// The rondel step where the pawn stands.
    #[serde(with = "place_ids::step")]
    #[schema(value_type = String, pattern = "^step\\.[1-9][0-9]?$", examples("step.7"))]
    pub pawn: u8,
    /// The trigger of the end; null before.
    #[schema(required)]
    pub end: Option<HengeEnd>,
    /// The players by chair, in turn order.
    pub players: Vec<HengePlayer>,
    /// The stones that stand, in slot order.
    pub built: Vec<HengeBuilt>,
    /// The druid paths of the areas 1 to 5.
    pub paths: Vec<HengePath>,
    /// The stones of the quarry by position; null for a hole.
    pub quarry: Vec<Option<Id>>,
    /// Cards left in the stone deck.
    #[schema(maximum = 64)]
    pub stones_left: u8,
    /// Cards left in the Luck deck.
    #[schema(maximum = 64)]
    pub luck_cards_left: u8,
    /// Luck cards known to be in hands: they were there when the discards were last shuffled into the deck, and have
    /// not been seen since.
    pub luck_held: Vec<Id>,
    /// Luck cards discarded in earlier turns, in order.
    pub luck_discards: Vec<Id>,
    /// Luck cards played or discarded in this turn, in order.
    pub luck_spent: Vec<Id>,
    /// Cards left in the end-of-game deck.
    #[schema(maximum = 64)]
    pub end_of_game_cards_left: u8,
    /// Spring cards dropped in play.
    pub spring_dropped: Vec<Id>,
    /// Pools A and B.
    pub rewards: Vec<HengeRewards>,
    /// Travel tokens in the supply.
    pub travel_supply: u8,
    /// Cards left in the Hengebot deck; 0 without Hengebots.
    #[schema(maximum = 64)]
    pub hengebot_cards_left: u8,
    /// Hengebot cards discarded, in order.
    pub hengebot_discards: Vec<Id>,
    /// The stack of decisions. The last entry is the open decision, of the player whose turn it is; below it are its
    /// sources and the decisions that follow. Empty before the first turn and after the last.
    pub stack: Vec<HengeFrame>,
    /// The final scores in seat order; null before the end.
    #[schema(required)]
    pub scores: Option<Vec<HengeScore>>,
}

/// The end has been triggered: this round is played to its end, all stones are delivered, and one more round follows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeEnd {
    /// The round in which it was triggered.
    #[schema(minimum = 1)]
    pub round: u16,
    /// The condition that triggered it.
    pub cause: EndCause,
}

/// A stone that stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeBuilt {
    /// Id of the slot that it stands in.
    pub slot: Id,
    /// Id of the stone; the glossary describes it.
    pub stone: Id,
    /// The chair of its builder.
    pub chair: Chair,
}

/// A druid path.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengePath {
    /// The area that the path belongs to.
    pub(crate) area: Area,
    /// The chairs of those whose druids stand there, from the lowest space on.
    pub druids: Vec<Chair>,
}

/// A pool of reward chits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeRewards {
    /// The pool.
    pub pool: Pool,
    /// The chits face up.
    pub face_up: Vec<Id>,
    /// The chits used, in order.
    pub used: Vec<Id>,
    /// Chits left in the stack.
    #[schema(maximum = 64)]
    pub left: u8,
}

impl State {
    /// Returns what `viewer` may know.
    pub(crate) fn view(&self, viewer: Viewer) -> HengeView {
        let equipment = &self.equipment;
        let (stage, upgrading) = match self.stage {
            Stage::Spring => (HengeStage::Spring, None),
            Stage::Upgrade { seat } => (HengeStage::Upgrade, Some(seat)),
            Stage::Play => (HengeStage::Play, None),
            Stage::Over => (HengeStage::Over, None),
        };
        let luck =
            |cards: &[crate::henge::components::LuckCard]| cards.iter().map(|card| equipment.luck(*card).id).collect();
        let tiles = |tiles: &[crate::henge::components::Tile]| {
            tiles.iter().map(|tile| equipment.set().rewards[tile.index()].id).collect()
        };
        let rewards = [Pool::A, Pool::B].map(|pool| {
            let chits = self.pool(pool);
            let left = chits.stack.len() as u8;
            HengeRewards { pool, face_up: tiles(&chits.face_up), used: tiles(&chits.used), left }
        });
        HengeView {
            set: Arc::clone(equipment.set().id()),
            side: equipment.side().key.to_owned(),
            stage,
            upgrading,
            upgrades: self.upgrades.clone(),
            round: self.round,
            turn: self.turn,
            pawn: self.pawn.number(),
            end: self.trigger.map(|trigger| HengeEnd { round: trigger.round, cause: trigger.cause }),
            players: self.table().map(|chair| self.player_told(chair, viewer)).collect(),
            built: self.built_view(),
            paths: (0..AREAS).map(|at| HengePath { area: Area::ALL[at], druids: self.paths[at].clone() }).collect(),
            quarry: self.quarry.iter().map(|stone| stone.map(|stone| equipment.stone(stone).id)).collect(),
            stones_left: self.stone_deck.len() as u8,
            luck_cards_left: self.luck.deck.len() as u8,
            luck_held: self.luck.held.iter().map(|index| equipment.set().luck[index].id).collect(),
            luck_discards: luck(&self.luck.discards),
            luck_spent: luck(&self.luck.spent),
            end_of_game_cards_left: self.end_of_game_deck.len() as u8,
            spring_dropped: self.spring_dropped.iter().map(|card| equipment.set().bonus[card.index()].id).collect(),
            rewards: rewards.to_vec(),
            travel_supply: self.travel_supply,
            hengebot_cards_left: self.bots.deck.len() as u8,
            hengebot_discards: self
                .bots
                .discards
                .iter()
                .map(|card| equipment.set().hengebot[card.index()].id)
                .collect(),
            stack: self.stack_told(),
            scores: (self.stage == Stage::Over).then(|| self.scores()),
        }
    }

    fn built_view(&self) -> Vec<HengeBuilt> {
        let slots = self.equipment.side().all().zip(&self.slots);
        let built = slots.filter_map(|((_, row), built)| {
            let built = (*built)?;
            Some(HengeBuilt { slot: row.id, stone: self.equipment.stone(built.stone).id, chair: built.chair })
        });
        built.collect()
    }
}

impl HengeView {
    /// Returns who sits where.
    pub(crate) fn seating(&self) -> Seating {
        let chairs: Vec<Option<Seat>> = self.players.iter().map(|player| player.seat).collect();
        Seating::of(&chairs)
    }
}
