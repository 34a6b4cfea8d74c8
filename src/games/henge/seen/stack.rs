//! The stack, and where effects come from, as views and events tell them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::games::henge::components::{Action, Effect, Id, List, Pool, Privilege, Source, Window, words};
use crate::games::henge::state::{Act, EndStep, Equipment, Frame, State};
use crate::rules::Seat;

/// A deck that is drawn from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HengeDeck {
    /// Luck cards.
    Luck,
    /// End-of-game cards.
    Eog,
    /// Hengebot cards.
    Hengebot,
    /// Chits of pool A.
    RewardsA,
    /// Chits of pool B.
    RewardsB,
}

/// The kinds of sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HengeSourceKind)]
pub enum SourceKind {
    /// The action itself.
    Action,
    /// Borders passed on the rondel.
    Rondel,
    /// A Luck card.
    LuckCard,
    /// A reward chit.
    Reward,
    /// The right end of a privilege track.
    LevelEnd,
    /// A space of the druid track.
    DruidTrack,
    /// A step of the Luck track.
    LuckTrack,
}

/// Where something comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeSource {
    /// What kind of thing it is.
    pub kind: SourceKind,
    /// The Luck card or chit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<Id>,
    /// The privilege whose track has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub privilege: Option<Privilege>,
    /// The space or step of the druid or Luck track, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 99)]
    pub step: Option<u8>,
}

impl HengeSource {
    /// A source that is told by its kind alone.
    pub const fn of(kind: SourceKind) -> HengeSource {
        HengeSource { kind, card: None, privilege: None, step: None }
    }
}

/// What kind of entry of the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HengeFrameKind)]
pub enum FrameKind {
    /// Decision: where the pawn goes.
    Move,
    /// Decision: the next unit of an action.
    Act,
    /// Decision: a Luck card to discard.
    Discard,
    /// Decision: a Bonus card to drop.
    Drop,
    /// Decision: a face-up chit.
    Reward,
    /// Decision: a privilege to raise.
    Level,
    /// Decision: one of several alternatives.
    Choose,
    /// Decision: a card for the Luck track.
    Track,
    /// Effects that are being run.
    Effects,
    /// Draws of Luck cards.
    LuckDraws,
    /// Draws of Bonus cards.
    BonusDraws,
    /// The end of the turn.
    End,
    /// The turn of a Hengebot.
    Bot,
    /// Final scoring.
    Scoring,
}

/// An entry of the stack: a decision, or what goes on after those above it. Which properties are there depends on
/// `kind`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeFrame {
    /// What kind of entry.
    pub kind: FrameKind,
    /// `act`: the action and its counters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<HengeAct>,
    /// `effects` and `choose`: what the effects are printed on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<HengeSource>,
    /// `effects` and `choose`: the number of the effect list in the component set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 65535)]
    pub list: Option<u16>,
    /// `effects`: how many effects of the list have been run. `choose`: the place of the choice in the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 255)]
    pub at: Option<u8>,
    /// `choose`: the alternatives in words, the first is option 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    /// `discard`, `drop`: cards still to go. `luck_draws`, `bonus_draws`: draws still to make.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 255)]
    pub left: Option<u8>,
    /// `reward`: the pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<Pool>,
    /// `move`: free steps that cards add to the privilege.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 65535)]
    pub free_steps: Option<u16>,
    /// `move`: whether each border gives two transport steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub double_transport: Option<bool>,
    /// `end`: the next step of the end of the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<HengeEndStep>,
}

/// The steps of the end of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HengeEndStep {
    /// The Spring goal is tested.
    Goal,
    /// Quarry holes are filled.
    Quarry,
    /// Chits are refilled.
    Refill,
    /// The next player.
    Next,
}

/// An action under way.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeAct {
    /// Which action.
    pub action: Action,
    /// Whether an effect asked for it: a sub-action, of which nothing need be done.
    pub is_sub: bool,
    /// Units done.
    #[schema(value_type = i64, minimum = 0, maximum = 255)]
    pub units: u8,
    /// At most so many units; null for any number.
    #[schema(value_type = Option<i64>, required, minimum = 0, maximum = 255)]
    pub limit: Option<u8>,
    /// Each unit costs so much less.
    #[schema(value_type = i64, minimum = 0, maximum = 65535)]
    pub discount: u16,
    /// Units that may still lie in adjacent areas.
    #[schema(value_type = i64, minimum = 0, maximum = 255)]
    pub adjacent: u8,
    /// Units that may still lie in remote areas.
    #[schema(value_type = i64, minimum = 0, maximum = 255)]
    pub remote: u8,
    /// Storage beyond the privilege.
    #[schema(value_type = i64, minimum = 0, maximum = 255)]
    pub storage: u8,
    /// Steps along their tracks where bought stones start.
    #[schema(value_type = i64, minimum = 0, maximum = 255)]
    pub start: u8,
    /// Points for each further unit.
    #[schema(value_type = i64, minimum = 0, maximum = 65535)]
    pub unit_vp: u16,
    /// Uncarved stones that may still use slots needing carving.
    #[schema(value_type = i64, minimum = 0, maximum = 255)]
    pub as_carved: u8,
    /// Whether every stone levels up its own icon.
    pub any_level: bool,
}

/// What a person had hidden, laid open at the end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeRevealed {
    /// The place at the table, in turn order from 0.
    #[schema(value_type = i64, minimum = 0, maximum = 4)]
    pub place: u8,
    /// The seat there.
    #[schema(value_type = i64, minimum = 0, maximum = 4)]
    pub seat: Seat,
    /// Luck cards in hand.
    pub hand: Vec<Id>,
    /// End-of-game cards held.
    pub eog: Vec<Id>,
    /// End-of-game cards dropped since the last reshuffle.
    pub drops: Vec<Id>,
    /// Own drops that the last reshuffle brought back into the deck.
    pub returned: Vec<Id>,
    /// Spring cards refused at the start.
    pub refused: Vec<Id>,
}

impl Equipment {
    /// What a list is printed on.
    pub fn source(&self, list: List) -> HengeSource {
        let step = |index: u8| Some(index.saturating_add(1));
        match self.set().lists.source(list) {
            Some(Source::Luck(card)) => {
                HengeSource { card: Some(self.luck(card).id), ..HengeSource::of(SourceKind::LuckCard) }
            }
            Some(Source::Reward(tile)) => {
                HengeSource { card: self.set().tile(tile).map(|row| row.id), ..HengeSource::of(SourceKind::Reward) }
            }
            Some(Source::LevelEnd(privilege)) => {
                HengeSource { privilege: Some(privilege), ..HengeSource::of(SourceKind::LevelEnd) }
            }
            Some(Source::DruidTrack(at)) => HengeSource { step: step(at), ..HengeSource::of(SourceKind::DruidTrack) },
            Some(Source::LuckTrack(at)) => HengeSource { step: step(at), ..HengeSource::of(SourceKind::LuckTrack) },
            None => HengeSource::of(SourceKind::Action),
        }
    }

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

    /// A frame as it is told.
    pub fn write_frame(&self, frame: &Frame) -> HengeFrame {
        let plain = |kind| HengeFrame {
            kind,
            act: None,
            source: None,
            list: None,
            at: None,
            options: None,
            left: None,
            pool: None,
            free_steps: None,
            double_transport: None,
            step: None,
        };
        match frame {
            Frame::Move { free_steps, double_transport } => HengeFrame {
                free_steps: Some(*free_steps),
                double_transport: Some(*double_transport),
                ..plain(FrameKind::Move)
            },
            Frame::Act(act) => HengeFrame { act: Some(HengeAct::of(act)), ..plain(FrameKind::Act) },
            Frame::Discard { left } => HengeFrame { left: Some(*left), ..plain(FrameKind::Discard) },
            Frame::Drop { left } => HengeFrame { left: Some(*left), ..plain(FrameKind::Drop) },
            Frame::Reward { pool } => HengeFrame { pool: Some(*pool), ..plain(FrameKind::Reward) },
            Frame::Level => plain(FrameKind::Level),
            Frame::Choose { list, at } => HengeFrame {
                source: Some(self.source(*list)),
                list: Some(list.0),
                at: Some(*at),
                options: Some(self.option_words(*list, *at)),
                ..plain(FrameKind::Choose)
            },
            Frame::Track => plain(FrameKind::Track),
            Frame::Effects { list, at } => HengeFrame {
                source: Some(self.source(*list)),
                list: Some(list.0),
                at: Some(*at),
                ..plain(FrameKind::Effects)
            },
            Frame::LuckDraws { times } => HengeFrame { left: Some(*times), ..plain(FrameKind::LuckDraws) },
            Frame::BonusDraws { times } => HengeFrame { left: Some(*times), ..plain(FrameKind::BonusDraws) },
            Frame::End { step } => HengeFrame {
                step: Some(match step {
                    EndStep::Goal => HengeEndStep::Goal,
                    EndStep::Quarry => HengeEndStep::Quarry,
                    EndStep::Refill => HengeEndStep::Refill,
                    EndStep::Next => HengeEndStep::Next,
                }),
                ..plain(FrameKind::End)
            },
            Frame::Bot => plain(FrameKind::Bot),
            Frame::Scoring => plain(FrameKind::Scoring),
        }
    }
}

impl HengeFrame {
    /// The frame that is told.
    pub fn read(&self) -> Frame {
        let list = List(self.list.unwrap_or(0));
        let at = self.at.unwrap_or(0);
        let left = self.left.unwrap_or(0);
        match self.kind {
            FrameKind::Move => Frame::Move {
                free_steps: self.free_steps.unwrap_or(0),
                double_transport: self.double_transport.unwrap_or(false),
            },
            FrameKind::Act => self.act.as_ref().map_or(Frame::Level, |act| Frame::Act(act.read())),
            FrameKind::Discard => Frame::Discard { left },
            FrameKind::Drop => Frame::Drop { left },
            FrameKind::Reward => Frame::Reward { pool: self.pool.unwrap_or(Pool::A) },
            FrameKind::Level => Frame::Level,
            FrameKind::Choose => Frame::Choose { list, at },
            FrameKind::Track => Frame::Track,
            FrameKind::Effects => Frame::Effects { list, at },
            FrameKind::LuckDraws => Frame::LuckDraws { times: left },
            FrameKind::BonusDraws => Frame::BonusDraws { times: left },
            FrameKind::End => Frame::End {
                step: match self.step {
                    Some(HengeEndStep::Quarry) => EndStep::Quarry,
                    Some(HengeEndStep::Refill) => EndStep::Refill,
                    Some(HengeEndStep::Next) => EndStep::Next,
                    Some(HengeEndStep::Goal) | None => EndStep::Goal,
                },
            },
            FrameKind::Bot => Frame::Bot,
            FrameKind::Scoring => Frame::Scoring,
        }
    }
}

impl HengeAct {
    fn of(act: &Act) -> HengeAct {
        HengeAct {
            action: act.action,
            is_sub: act.is_sub,
            units: act.units,
            limit: act.limit,
            discount: act.discount,
            adjacent: act.adjacent,
            remote: act.remote,
            storage: act.storage,
            start: act.start,
            unit_vp: act.unit_vp,
            as_carved: act.as_carved,
            any_level: act.any_level,
        }
    }

    fn read(&self) -> Act {
        Act {
            action: self.action,
            is_sub: self.is_sub,
            units: self.units,
            limit: self.limit,
            discount: self.discount,
            adjacent: self.adjacent,
            remote: self.remote,
            storage: self.storage,
            start: self.start,
            unit_vp: self.unit_vp,
            as_carved: self.as_carved,
            any_level: self.any_level,
        }
    }
}

impl State {
    /// The stack as it is told: all of it is public (section 6).
    pub fn wire_stack(&self) -> Vec<HengeFrame> {
        self.stack.iter().map(|frame| self.equipment.write_frame(frame)).collect()
    }
}
