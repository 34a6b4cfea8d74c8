//! The stack (section 3.1): what is being decided, and what goes on afterwards.
//!
//! A frame stays until all that it has brought about is finished, so the frames below one tell why it is there: the
//! effect list, and the action in which its card was played.

use serde::{Deserialize, Serialize};
use serde_tuple::Serialize_tuple;
use utoipa::ToSchema;

use crate::henge::components::{Action, Area, List, ModKind, Pool};

/// One entry of the stack. The last one is on top.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Frame {
    /// Decision: where the pawn goes.
    Move {
        /// Free steps that cards have added.
        free_steps: u16,
        /// True if each border gives two transport steps.
        double_transport: bool,
    },
    /// Decision: the next unit of an action.
    Action(Act),
    /// Decision: Luck cards to discard after a draw.
    Discard { left: u8 },
    /// Decision: Bonus cards to drop after a draw.
    Drop { left: u8 },
    /// Decision: a face-up chit.
    Reward { pool: Pool },
    /// Decision: a privilege to raise.
    Level,
    /// Decision: one of several lists.
    Choose {
        /// The list whose effect this is.
        list: List,
        /// The effect's place in it.
        at: u8,
    },
    /// Decision: a Luck card for the Luck track.
    Track,
    /// Effects run from left to right.
    Effects {
        list: List,
        /// The next one to run.
        at: u8,
    },
    /// Draws of Luck cards. Chance.
    LuckDraws {
        /// The number of draws.
        times: u8,
    },
    /// Draws of Bonus cards. Chance.
    BonusDraws {
        /// The number of draws.
        times: u8,
    },
    /// The end of the turn (4.11). Refills are chance.
    EndOfTurn { step: EndStep },
    /// The turn of a Hengebot. Chance.
    Hengebot,
    /// Final scoring, which lays open what was hidden.
    Scoring,
}

impl Frame {
    /// The list of effects that the frame is about, if it is about one.
    pub(crate) fn list(&self) -> Option<List> {
        match self {
            Frame::Effects { list, .. } | Frame::Choose { list, .. } => Some(*list),
            _ => None,
        }
    }
}

/// The steps of the end of a turn, after the Luck track.
///
/// - `goal`: The Spring goal is tested.
/// - `quarry`: Quarry holes are filled.
/// - `refill`: Spent Luck cards join the discards, chits are refilled.
/// - `next`: The next player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HengeEndStep)]
pub(crate) enum EndStep {
    Goal,
    Quarry,
    Refill,
    Next,
}

/// An action or sub-action under way. Cards change its numbers from then on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize_tuple, Deserialize)]
pub(crate) struct Act {
    #[serde(rename = "a")]
    pub(crate) action: Action,
    /// True if an effect asked for it.
    #[serde(rename = "s")]
    pub(crate) is_sub_action: bool,
    #[serde(rename = "u")]
    pub(crate) units: u8,
    /// The most units; `None` for any number.
    #[serde(rename = "l")]
    pub(crate) limit: Option<u8>,
    /// The discount on each unit, in coins.
    #[serde(rename = "d")]
    pub(crate) discount: u16,
    /// Further units that may lie in adjacent areas.
    #[serde(rename = "n")]
    pub(crate) adjacent: u8,
    /// Further units that may lie in remote areas.
    #[serde(rename = "r")]
    pub(crate) remote: u8,
    /// Storage in addition to what the privilege gives.
    #[serde(rename = "g")]
    pub(crate) storage: u8,
    /// The step on which bought stones start.
    #[serde(rename = "t")]
    pub(crate) start: u8,
    /// Points for each further unit.
    #[serde(rename = "v")]
    pub(crate) unit_victory_points: u16,
    /// Uncarved stones that may still use slots needing carving.
    #[serde(rename = "c")]
    pub(crate) as_carved: u8,
    /// True if every stone levels up its own icon.
    #[serde(rename = "i")]
    pub(crate) any_level: bool,
}

/// The allowance that an area or slot uses (H-67).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Uses {
    /// None: it is in the local area.
    Nothing,
    /// One for adjacent areas.
    Adjacent,
    /// One for remote areas.
    Remote,
}

impl Act {
    /// An action with nothing done yet and no card played in it.
    pub(crate) fn new(action: Action, is_sub_action: bool, limit: Option<u8>) -> Act {
        Act {
            action,
            is_sub_action,
            units: 0,
            limit,
            discount: 0,
            adjacent: 0,
            remote: 0,
            storage: 0,
            start: 0,
            unit_victory_points: 0,
            as_carved: 0,
            any_level: false,
        }
    }

    /// Returns whether the limit leaves room for another unit.
    pub(crate) fn has_room(&self) -> bool {
        self.limit.is_none_or(|limit| self.units < limit)
    }

    /// Returns what a unit costs that is printed with this price.
    pub(crate) fn price(&self, printed: u16) -> u16 {
        printed.saturating_sub(self.discount)
    }

    /// The allowance that a thing in these areas uses when the action takes place in `local`; `None` if it is out of
    /// reach (H-67).
    pub(crate) fn uses(&self, local: Area, areas: &[Area]) -> Option<Uses> {
        if areas.contains(&local) {
            Some(Uses::Nothing)
        } else if self.adjacent > 0 && areas.iter().any(|area| area.is_adjacent(local)) {
            Some(Uses::Adjacent)
        } else if self.remote > 0 && areas.iter().any(|area| area.is_remote(local)) {
            Some(Uses::Remote)
        } else {
            None
        }
    }

    /// A card changes the action (H-63: only what comes after).
    pub(crate) fn modify(&mut self, what: ModKind, n: u16) {
        let small = u8::try_from(n).unwrap_or(u8::MAX);
        match what {
            ModKind::Discount => self.discount = self.discount.saturating_add(n),
            ModKind::Limit => self.limit = self.limit.map(|limit| limit.saturating_add(small)),
            ModKind::Storage => self.storage = self.storage.saturating_add(small),
            ModKind::Start => self.start = self.start.saturating_add(small),
            ModKind::UnitVp => self.unit_victory_points = self.unit_victory_points.saturating_add(n),
            ModKind::ReachAdjacent => self.adjacent = self.adjacent.saturating_add(small),
            ModKind::ReachRemote => self.remote = self.remote.saturating_add(small),
            ModKind::AsCarved => self.as_carved = self.as_carved.saturating_add(small),
            ModKind::AnyLevel => self.any_level |= n > 0,
            ModKind::FreeSteps | ModKind::DoubleTransport => {}
        }
    }
}
