//! The stack as views and events show it: what is being decided, and what goes on afterwards. All of it is public
//! (section 6).

use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{Array, ArrayBuilder, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::source::HengeSource;
use crate::henge::components::{Action, Effect, List, Pool, Source, Window, words};
use crate::henge::state::{Act, EndStep, Equipment, Frame, State};
use sarsen_rules::{Schemas, tagged_union, union_schema, union_schemas};

tagged_union! {
    /// An entry of the stack: a decision, or what goes on after those above it.
    pub enum HengeFrame {
        "move" => Move(HengeMoveFrame),
        "action" => Action(HengeActionFrame),
        "discard" => Discard(HengeDiscardFrame),
        "drop" => Drop(HengeDropFrame),
        "reward" => Reward(HengeRewardFrame),
        "level" => Level(HengeLevelFrame),
        "choose" => Choose(HengeChooseFrame),
        "track" => Track(HengeTrackFrame),
        "effects" => Effects(HengeEffectsFrame),
        "luck_draws" => LuckDraws(HengeLuckDrawsFrame),
        "bonus_draws" => BonusDraws(HengeBonusDrawsFrame),
        "end_of_turn" => EndOfTurn(HengeEndOfTurnFrame),
        "hengebot" => Hengebot(HengebotFrame),
        "scoring" => Scoring(HengeScoringFrame),
    }
}

impl PartialSchema for HengeFrame {
    fn schema() -> RefOr<Schema> {
        union_schema::<HengeFrame>(
            "An entry of the stack: a decision, or what goes on after those above it. Told apart by `type`.",
        )
    }
}

impl ToSchema for HengeFrame {
    fn schemas(schemas: &mut Schemas) {
        union_schemas::<HengeFrame>(schemas);
    }
}

/// Decision: where the pawn goes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HengeMoveFrame {
    /// Free steps that cards add to the privilege.
    pub(crate) free_steps: u16,
    /// True if each border gives two transport steps.
    pub(crate) double_transport: bool,
}

/// Decision: the next unit of an action.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HengeActionFrame {
    /// The action of which units are done.
    pub(crate) action: Action,
    /// True if an effect brought it about: a sub-action, which may be left undone.
    pub(crate) is_sub_action: bool,
    /// The number of units done so far.
    pub(crate) units: u8,
    /// The most units that may be done; null for any number.
    #[schema(required)]
    pub(crate) limit: Option<u8>,
    /// The discount on each unit, in coins.
    pub(crate) discount: u16,
    /// Units that may still lie in adjacent areas.
    pub(crate) adjacent: u8,
    /// Units that may still lie in remote areas.
    pub(crate) remote: u8,
    /// Storage in addition to what the privilege gives.
    pub(crate) storage: u8,
    /// Steps along their tracks where bought stones start.
    pub(crate) start: u8,
    /// Points for each further unit.
    pub(crate) unit_victory_points: u16,
    /// Uncarved stones that may still use slots needing carving.
    pub(crate) as_carved: u8,
    /// True if every stone levels up its own icon.
    pub(crate) any_level: bool,
}

/// Decision: a Luck card to discard.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HengeDiscardFrame {
    /// Cards still to go.
    pub(crate) left: u8,
}

/// Decision: a Bonus card to drop.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HengeDropFrame {
    /// Cards still to go.
    pub(crate) left: u8,
}

/// Decision: a face-up chit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HengeRewardFrame {
    /// The pool from which it is taken.
    pub(crate) pool: Pool,
}

/// Decision: a privilege to raise.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HengeLevelFrame {}

/// Decision: one of several alternatives.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HengeChooseFrame {
    /// The source of the alternatives.
    pub(crate) source: HengeSource,
    /// The number of the effect list in the component set.
    pub(crate) list: u16,
    /// The place of the choice in the list.
    pub(crate) at: u8,
    /// The alternatives in words, the first is option 1.
    #[schema(schema_with = options_in_words, required)]
    pub(crate) options: Vec<String>,
}

/// The schema of words for people.
fn options_in_words() -> Array {
    let words = ObjectBuilder::new().schema_type(Type::String).format(Some(SchemaFormat::Custom("text".to_owned())));
    let description = "The alternatives in words, the first is option 1.";
    ArrayBuilder::new().items(words).description(Some(description)).build()
}

/// Decision: a card for the Luck track.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HengeTrackFrame {}

/// Effects that are being run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HengeEffectsFrame {
    /// The source of the effects.
    pub(crate) source: HengeSource,
    /// The number of the effect list in the component set.
    pub(crate) list: u16,
    /// The number of effects of the list that have been run.
    pub(crate) at: u8,
}

/// Draws of Luck cards.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HengeLuckDrawsFrame {
    /// Draws still to make.
    pub(crate) left: u8,
}

/// Draws of Bonus cards.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HengeBonusDrawsFrame {
    /// Draws still to make.
    pub(crate) left: u8,
}

/// The end of the turn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HengeEndOfTurnFrame {
    /// The next step before the turn is over.
    pub(crate) step: EndStep,
}

/// The turn of a Hengebot.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HengebotFrame {}

/// Final scoring.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HengeScoringFrame {}

impl Equipment {
    /// The alternatives of a `choose` in words.
    fn option_words(&self, list: List, at: u8) -> Vec<String> {
        let windows: &[Window] = match self.set().lists.source(list) {
            Some(Source::Luck(card)) => &self.luck(card).when,
            _ => &[],
        };
        match self.effects(list).get(usize::from(at)) {
            Some(Effect::Choose { of }) => of.iter().map(|list| words::effects(self.set(), *list, windows)).collect(),
            _ => Vec::new(),
        }
    }

    /// The frame as views and events show it.
    fn frame_told(&self, frame: &Frame) -> HengeFrame {
        match frame {
            Frame::Move { free_steps, double_transport } => {
                let (free_steps, double_transport) = (*free_steps, *double_transport);
                HengeFrame::Move(HengeMoveFrame { free_steps, double_transport })
            }
            Frame::Action(act) => HengeFrame::Action(HengeActionFrame::of(act)),
            Frame::Discard { left } => HengeFrame::Discard(HengeDiscardFrame { left: *left }),
            Frame::Drop { left } => HengeFrame::Drop(HengeDropFrame { left: *left }),
            Frame::Reward { pool } => HengeFrame::Reward(HengeRewardFrame { pool: *pool }),
            Frame::Level => HengeFrame::Level(HengeLevelFrame {}),
            Frame::Choose { list, at } => HengeFrame::Choose(HengeChooseFrame {
                source: self.source(*list),
                list: list.0,
                at: *at,
                options: self.option_words(*list, *at),
            }),
            Frame::Track => HengeFrame::Track(HengeTrackFrame {}),
            Frame::Effects { list, at } => {
                HengeFrame::Effects(HengeEffectsFrame { source: self.source(*list), list: list.0, at: *at })
            }
            Frame::LuckDraws { times } => HengeFrame::LuckDraws(HengeLuckDrawsFrame { left: *times }),
            Frame::BonusDraws { times } => HengeFrame::BonusDraws(HengeBonusDrawsFrame { left: *times }),
            Frame::EndOfTurn { step } => HengeFrame::EndOfTurn(HengeEndOfTurnFrame { step: *step }),
            Frame::Hengebot => HengeFrame::Hengebot(HengebotFrame {}),
            Frame::Scoring => HengeFrame::Scoring(HengeScoringFrame {}),
        }
    }
}

impl From<&HengeFrame> for Frame {
    fn from(told: &HengeFrame) -> Frame {
        match told {
            HengeFrame::Move(HengeMoveFrame { free_steps, double_transport }) => {
                Frame::Move { free_steps: *free_steps, double_transport: *double_transport }
            }
            HengeFrame::Action(action) => Frame::Action(action.read()),
            HengeFrame::Discard(HengeDiscardFrame { left }) => Frame::Discard { left: *left },
            HengeFrame::Drop(HengeDropFrame { left }) => Frame::Drop { left: *left },
            HengeFrame::Reward(HengeRewardFrame { pool }) => Frame::Reward { pool: *pool },
            HengeFrame::Level(HengeLevelFrame {}) => Frame::Level,
            HengeFrame::Choose(HengeChooseFrame { list, at, .. }) => Frame::Choose { list: List(*list), at: *at },
            HengeFrame::Track(HengeTrackFrame {}) => Frame::Track,
            HengeFrame::Effects(HengeEffectsFrame { list, at, .. }) => Frame::Effects { list: List(*list), at: *at },
            HengeFrame::LuckDraws(HengeLuckDrawsFrame { left }) => Frame::LuckDraws { times: *left },
            HengeFrame::BonusDraws(HengeBonusDrawsFrame { left }) => Frame::BonusDraws { times: *left },
            HengeFrame::EndOfTurn(HengeEndOfTurnFrame { step }) => Frame::EndOfTurn { step: *step },
            HengeFrame::Hengebot(HengebotFrame {}) => Frame::Hengebot,
            HengeFrame::Scoring(HengeScoringFrame {}) => Frame::Scoring,
        }
    }
}

impl HengeActionFrame {
    fn of(act: &Act) -> HengeActionFrame {
        HengeActionFrame {
            action: act.action,
            is_sub_action: act.is_sub_action,
            units: act.units,
            limit: act.limit,
            discount: act.discount,
            adjacent: act.adjacent,
            remote: act.remote,
            storage: act.storage,
            start: act.start,
            unit_victory_points: act.unit_victory_points,
            as_carved: act.as_carved,
            any_level: act.any_level,
        }
    }

    fn read(&self) -> Act {
        Act {
            action: self.action,
            is_sub_action: self.is_sub_action,
            units: self.units,
            limit: self.limit,
            discount: self.discount,
            adjacent: self.adjacent,
            remote: self.remote,
            storage: self.storage,
            start: self.start,
            unit_victory_points: self.unit_victory_points,
            as_carved: self.as_carved,
            any_level: self.any_level,
        }
    }
}

impl State {
    /// The alternatives of the choice on top of the stack, in words; none where no choice is open.
    pub(crate) fn option_words(&self) -> Vec<String> {
        match self.top() {
            Some(Frame::Choose { list, at }) => self.equipment.option_words(*list, *at),
            _ => Vec::new(),
        }
    }

    /// The stack as views and events show it.
    pub(crate) fn stack_told(&self) -> Vec<HengeFrame> {
        self.stack.iter().map(|frame| self.equipment.frame_told(frame)).collect()
    }
}
