//! What a viewer may know of a match (section 6).

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::scores::HengeScore;
use super::stack::HengeFrame;
use crate::games::henge::components::{AREAS, Area, Id, Pool, Privilege, SetId};
use crate::games::henge::state::{CardSet, EndCause, Held, Person, Place, Seating, Stage, State};
use crate::rules::{Seat, Viewer};

/// The id of a set, written as if it were not shared.
mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::SetId;

    pub fn serialize<S: Serializer>(set: &Arc<SetId>, serializer: S) -> Result<S::Ok, S::Error> {
        set.as_ref().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<SetId>, D::Error> {
        SetId::deserialize(deserializer).map(Arc::new)
    }
}

/// How far a match has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HengeStage {
    /// All people choose a Spring card at once.
    Spring,
    /// The people take First Upgrades, the last one first.
    Upgrade,
    /// Turns are taken.
    Play,
    /// It is over.
    Over,
}

/// A match of Henge as a viewer sees it. What only its owner may know is null for others until the match is over.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeView {
    /// The component set: it gives ids their meaning.
    #[serde(with = "shared")]
    #[schema(value_type = SetId)]
    pub set: Arc<SetId>,
    /// The board side: `3` or `45`.
    pub side: String,
    /// How far the match has come.
    pub stage: HengeStage,
    /// The seat that takes a First Upgrade; null outside that stage.
    #[schema(value_type = Option<i64>, required, minimum = 0, maximum = 4)]
    pub upgrading: Option<Seat>,
    /// First Upgrades still there.
    pub upgrades: Vec<Privilege>,
    /// The round, from 1; 0 before the first.
    #[schema(value_type = i64, minimum = 0, maximum = 65535)]
    pub round: u16,
    /// The place whose turn it is.
    #[schema(value_type = i64, minimum = 0, maximum = 4)]
    pub turn: Place,
    /// The rondel step where the pawn stands.
    #[schema(value_type = i64, minimum = 1, maximum = 99)]
    pub pawn: u8,
    /// What has triggered the end; null before.
    #[schema(required)]
    pub end: Option<HengeEnd>,
    /// Who sits where, in turn order from the first place.
    pub places: Vec<HengePlace>,
    /// The stones that stand, in slot order.
    pub built: Vec<HengeBuilt>,
    /// The druid paths of the areas 1 to 5.
    pub paths: Vec<HengePath>,
    /// The stones of the quarry by position; null for a hole.
    pub quarry: Vec<Option<Id>>,
    /// Cards left in the stone deck.
    #[schema(value_type = i64, minimum = 0, maximum = 64)]
    pub stones_left: u8,
    /// Cards left in the Luck deck.
    #[schema(value_type = i64, minimum = 0, maximum = 64)]
    pub luck_left: u8,
    /// Luck cards known to be in hands: they were there when the discards were last shuffled into the deck, and have
    /// not been seen since.
    pub luck_held: Vec<Id>,
    /// Luck cards discarded in earlier turns, in order.
    pub luck_discards: Vec<Id>,
    /// Luck cards played or discarded in this turn, in order.
    pub luck_spent: Vec<Id>,
    /// Cards left in the end-of-game deck.
    #[schema(value_type = i64, minimum = 0, maximum = 64)]
    pub eog_left: u8,
    /// Spring cards dropped in play.
    pub spring_dropped: Vec<Id>,
    /// Pools A and B.
    pub rewards: Vec<HengeRewards>,
    /// Travel tokens in the supply.
    #[schema(value_type = i64, minimum = 0, maximum = 255)]
    pub travel_supply: u8,
    /// Cards left in the Hengebot deck; 0 without Hengebots.
    #[schema(value_type = i64, minimum = 0, maximum = 64)]
    pub bots_left: u8,
    /// Hengebot cards discarded, in order.
    pub bot_discards: Vec<Id>,
    /// What is being decided: the last entry by the place whose turn it is, and below it why, and what goes on
    /// afterwards. Empty before the first turn and after the last.
    pub stack: Vec<HengeFrame>,
    /// The final scores in seat order; null before the end.
    #[schema(required)]
    pub scores: Option<Vec<HengeScore>>,
}

/// The end has been triggered: the round is finished, all stones are delivered, one more round is played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeEnd {
    /// In this round.
    #[schema(value_type = i64, minimum = 1, maximum = 65535)]
    pub round: u16,
    /// By what.
    pub cause: EndCause,
}

/// A place at the table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengePlace {
    /// Its number, in turn order from 0.
    #[schema(value_type = i64, minimum = 0, maximum = 4)]
    pub place: Place,
    /// The seat there; null for a Hengebot.
    #[schema(value_type = Option<i64>, required, minimum = 0, maximum = 4)]
    pub seat: Option<Seat>,
    /// Druids not yet placed.
    #[schema(value_type = i64, minimum = 0, maximum = 255)]
    pub druids_left: u8,
    /// Whether the Carve token of a Hengebot lies face up; null for a person.
    #[schema(required)]
    pub carve_up: Option<bool>,
    /// What a person has; null for a Hengebot.
    #[schema(required)]
    pub mat: Option<HengeMat>,
}

/// What a person has.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeMat {
    /// Coins.
    #[schema(value_type = i64, minimum = 0, maximum = 65535)]
    pub coins: u16,
    /// Travel tokens.
    #[schema(value_type = i64, minimum = 0, maximum = 255)]
    pub tokens: u8,
    /// Points scored in play.
    #[schema(value_type = i64, minimum = 0, maximum = 65535)]
    pub vp: u16,
    /// Levels of the privileges, 0 at the start.
    pub levels: HengeLevels,
    /// Steps on the Luck track.
    #[schema(value_type = i64, minimum = 0, maximum = 255)]
    pub luck_steps: u8,
    /// How many Luck cards are in hand.
    #[schema(value_type = i64, minimum = 0, maximum = 64)]
    pub hand_count: u8,
    /// How many of them are among the view's `luck_held`.
    #[schema(value_type = i64, minimum = 0, maximum = 64)]
    pub held_count: u8,
    /// The Luck cards in hand.
    #[schema(required)]
    pub hand: Option<Vec<Id>>,
    /// How many Spring cards are offered.
    #[schema(value_type = i64, minimum = 0, maximum = 64)]
    pub offer_count: u8,
    /// The Spring cards offered.
    #[schema(required)]
    pub offer: Option<Vec<Id>>,
    /// Whether a Spring card has been chosen and not dropped.
    pub has_spring: bool,
    /// The Spring card; while others still choose, only the owner sees it. Null if it was dropped.
    #[schema(required)]
    pub spring: Option<Id>,
    /// Marks on the Spring card.
    #[schema(value_type = i64, minimum = 0, maximum = 255)]
    pub marks: u8,
    /// How many Spring cards were refused.
    #[schema(value_type = i64, minimum = 0, maximum = 64)]
    pub refused_count: u8,
    /// The Spring cards refused.
    #[schema(required)]
    pub refused: Option<Vec<Id>>,
    /// How many end-of-game cards are held.
    #[schema(value_type = i64, minimum = 0, maximum = 64)]
    pub eog_count: u8,
    /// The end-of-game cards held.
    #[schema(required)]
    pub eog: Option<Vec<Id>>,
    /// How many end-of-game cards were dropped since these discards were last shuffled into the deck.
    #[schema(value_type = i64, minimum = 0, maximum = 64)]
    pub drops_count: u8,
    /// The end-of-game cards dropped since then.
    #[schema(required)]
    pub drops: Option<Vec<Id>>,
    /// How many end-of-game cards were drawn since then.
    #[schema(value_type = i64, minimum = 0, maximum = 255)]
    pub eog_drawn: u8,
    /// The own drops that were then shuffled into the deck.
    #[schema(required)]
    pub returned: Option<Vec<Id>>,
    /// Uninstalled stones, in the order of gaining them.
    pub stones: Vec<HengeHeld>,
    /// Installed stones, in order.
    pub installed: Vec<Id>,
}

/// Levels of the privileges, 0 at the start.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeLevels {
    /// Free rondel steps.
    #[schema(value_type = i64, minimum = 0, maximum = 255)]
    pub rondel: u8,
    /// Coins of an income.
    #[schema(value_type = i64, minimum = 0, maximum = 255)]
    pub coin: u8,
    /// Luck draws.
    #[schema(value_type = i64, minimum = 0, maximum = 255)]
    pub luck: u8,
    /// Purchases and storage.
    #[schema(value_type = i64, minimum = 0, maximum = 255)]
    pub stone: u8,
    /// Druids and their reach.
    #[schema(value_type = i64, minimum = 0, maximum = 255)]
    pub druid: u8,
}

/// An uninstalled stone.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeHeld {
    /// The stone.
    pub stone: Id,
    /// Steps along its track.
    #[schema(value_type = i64, minimum = 0, maximum = 255)]
    pub at: u8,
    /// Whether it has arrived at the henge.
    pub delivered: bool,
    /// Whether it is carved.
    pub carved: bool,
}

/// A stone that stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeBuilt {
    /// The slot.
    pub slot: Id,
    /// The stone.
    pub stone: Id,
    /// The place at the table of its builder.
    #[schema(value_type = i64, minimum = 0, maximum = 4)]
    pub place: Place,
}

/// A druid path.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengePath {
    /// The area.
    pub area: Area,
    /// The places at the table of the druids, from the lowest space on.
    #[schema(value_type = Vec<i64>)]
    pub druids: Vec<Place>,
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
    #[schema(value_type = i64, minimum = 0, maximum = 64)]
    pub left: u8,
}

impl State {
    /// What `viewer` may know.
    pub fn view(&self, viewer: Viewer) -> HengeView {
        let equipment = &self.equipment;
        let (stage, upgrading) = match self.stage {
            Stage::Spring => (HengeStage::Spring, None),
            Stage::Upgrade { seat } => (HengeStage::Upgrade, Some(seat)),
            Stage::Play => (HengeStage::Play, None),
            Stage::Over => (HengeStage::Over, None),
        };
        let luck = |cards: &[crate::games::henge::components::LuckCard]| {
            cards.iter().map(|card| equipment.luck(*card).id).collect()
        };
        let tiles = |tiles: &[crate::games::henge::components::Tile]| {
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
            places: (0..equipment.total).map(|place| self.place_view(place, viewer)).collect(),
            built: self.built_view(),
            paths: (0..AREAS).map(|at| HengePath { area: Area::ALL[at], druids: self.paths[at].clone() }).collect(),
            quarry: self.quarry.iter().map(|stone| stone.map(|stone| equipment.stone(stone).id)).collect(),
            stones_left: self.stone_deck.len() as u8,
            luck_left: self.luck.deck.len() as u8,
            luck_held: self.luck.held.iter().map(|index| equipment.set().luck[index].id).collect(),
            luck_discards: luck(&self.luck.discards),
            luck_spent: luck(&self.luck.spent),
            eog_left: self.eog_deck.len() as u8,
            spring_dropped: self.spring_dropped.iter().map(|card| equipment.set().bonus[card.index()].id).collect(),
            rewards: rewards.to_vec(),
            travel_supply: self.travel_supply,
            bots_left: self.bots.deck.len() as u8,
            bot_discards: self.bots.discards.iter().map(|card| equipment.set().hengebot[card.index()].id).collect(),
            stack: self.wire_stack(),
            scores: (self.stage == Stage::Over).then(|| self.scores()),
        }
    }

    fn built_view(&self) -> Vec<HengeBuilt> {
        let slots = self.equipment.side().all().zip(&self.slots);
        let built = slots.filter_map(|((_, row), built)| {
            let built = (*built)?;
            Some(HengeBuilt { slot: row.id, stone: self.equipment.stone(built.stone).id, place: built.place })
        });
        built.collect()
    }

    fn place_view(&self, place: Place, viewer: Viewer) -> HengePlace {
        let seat = self.seat_at(place);
        let carve_up = self.bots.carve_up.get(usize::from(place)).copied().unwrap_or(false);
        HengePlace {
            place,
            seat,
            druids_left: self.druids_left(place),
            carve_up: seat.is_none().then_some(carve_up),
            mat: seat.map(|seat| self.mat(self.person(seat), self.stage == Stage::Over || viewer.may_see(seat))),
        }
    }

    fn mat(&self, person: &Person, is_open: bool) -> HengeMat {
        let equipment = &self.equipment;
        let bonus = |cards: CardSet| {
            is_open.then(|| cards.iter().map(|index| equipment.set().bonus[index].id).collect::<Vec<Id>>())
        };
        let hand = person.hand.iter().map(|index| equipment.set().luck[index].id);
        let held = |held: &Held| {
            let row = equipment.stone(held.stone);
            HengeHeld { stone: row.id, at: held.at, delivered: held.at >= row.transport, carved: held.carved }
        };
        let level = |privilege| person.level(privilege);
        HengeMat {
            coins: person.coins,
            tokens: person.tokens,
            vp: person.vp,
            levels: HengeLevels {
                rondel: level(Privilege::Rondel),
                coin: level(Privilege::Coin),
                luck: level(Privilege::Luck),
                stone: level(Privilege::Stone),
                druid: level(Privilege::Druid),
            },
            luck_steps: person.luck_steps,
            hand_count: person.hand.len() as u8,
            held_count: person.hand.common(self.luck.held).len() as u8,
            hand: is_open.then(|| hand.collect()),
            offer_count: person.offer.len() as u8,
            offer: bonus(person.offer),
            has_spring: person.spring.is_some(),
            spring: person
                .spring
                .filter(|_| is_open || self.stage != Stage::Spring)
                .map(|card| equipment.set().bonus[card.index()].id),
            marks: person.marks,
            refused_count: person.refused.len() as u8,
            refused: bonus(person.refused),
            eog_count: person.eog.len() as u8,
            eog: bonus(person.eog),
            drops_count: person.drops.len() as u8,
            drops: bonus(person.drops),
            eog_drawn: person.eog_drawn,
            returned: bonus(person.returned),
            stones: person.stones.iter().map(held).collect(),
            installed: person.installed.iter().map(|stone| equipment.stone(*stone).id).collect(),
        }
    }
}

impl HengeView {
    /// Who sits where.
    pub fn seating(&self) -> Seating {
        let places: Vec<Option<Seat>> = self.places.iter().map(|place| place.seat).collect();
        Seating::of(&places)
    }
}
