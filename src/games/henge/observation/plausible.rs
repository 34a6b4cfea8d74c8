//! Plausibility of a view that a client made up, checked before a state is imagined from it.
//!
//! Invariant: every view of a real match passes. Any other is bounded in its lists and numbers, and shows no card in two
//! places; the rest is for the state to refuse that is imagined of it.

use std::collections::HashSet;

use super::players::HengeMat;
use super::stack::HengeFrame;
use super::view::{HengeStage, HengeView};
use crate::henge::components::{Area, Id, Pool, Privilege};
use crate::henge::state::Seating;

/// More coins, points or rounds than any match sees.
const MOST: u16 = 10_000;
/// More of anything small, such as tokens.
const FEW: u8 = 100;
/// A deeper stack than any card brings about.
const DEEPEST: usize = 64;

impl HengeView {
    /// Returns whether its lists are no longer and its numbers no greater than those of a real one could be.
    pub(crate) fn is_plausible(&self) -> bool {
        let end_fits = self.end.as_ref().is_none_or(|end| end.round <= MOST);
        let playing = self.stage == HengeStage::Play;
        let areas = self.paths.iter().map(|path| path.area).eq(Area::ALL);
        let pools = self.rewards.iter().map(|rewards| rewards.pool).eq([Pool::A, Pool::B]);
        let chairs = self.players.iter().enumerate().all(|(at, player)| player.chair.index() == at);
        (1..=Seating::MOST).contains(&self.players.len())
            && chairs
            && areas
            && pools
            && end_fits
            && (playing != self.stack.is_empty())
            && self.upgrades_fit()
            && self.stack_fits()
            && self.cards_differ()
            && self.round <= MOST
            && self.travel_supply <= FEW
            && self.players.iter().all(|player| player.mat.is_some() == player.seat.is_some())
            && self.players.iter().filter_map(|player| player.mat.as_ref()).all(HengeMat::is_plausible)
    }

    /// Returns whether there are as many first upgrades as are left at this moment: one of each to begin with, of which
    /// the seats take one each, the last seat first.
    fn upgrades_fit(&self) -> bool {
        let people = self.players.iter().filter(|player| player.seat.is_some()).count();
        let left = match (self.stage, self.upgrading) {
            (HengeStage::Spring, None) => Some(Privilege::ALL.len()),
            (HengeStage::Upgrade, Some(seat)) => (Privilege::ALL.len() + seat.index() + 1).checked_sub(people),
            (HengeStage::Play | HengeStage::Over, None) => Some(0),
            _ => None,
        };
        let different = Privilege::ALL.iter().filter(|privilege| self.upgrades.contains(privilege)).count();
        left == Some(self.upgrades.len()) && different == self.upgrades.len()
    }

    /// Returns whether no card, stone or tile lies open in two places.
    fn cards_differ(&self) -> bool {
        let mats = || self.players.iter().filter_map(|player| player.mat.as_ref());
        let hands = mats().flat_map(|mat| mat.hand.iter().flatten());
        let bonus = mats().flat_map(|mat| mat.end_of_game_cards.iter().flatten().chain(mat.dropped.iter().flatten()));
        let built = self.built.iter().map(|built| &built.stone);
        let held = mats().flat_map(|mat| mat.stones.iter().map(|held| &held.stone));
        let tiles = self.rewards.iter().flat_map(|rewards| rewards.face_up.iter().chain(&rewards.used));
        differ(self.luck_discards.iter().chain(&self.luck_spent).chain(hands))
            && differ(bonus)
            && differ(built.chain(held).chain(self.quarry.iter().flatten()))
            && differ(mats().flat_map(|mat| &mat.installed))
            && differ(tiles)
            && differ(self.spring_dropped.iter())
            && differ(self.hengebot_discards.iter())
    }

    /// Returns whether the frame at the bottom, and none but it, ends the turn.
    fn stack_fits(&self) -> bool {
        let ends = |frame: &HengeFrame| matches!(frame, HengeFrame::EndOfTurn(_));
        self.stack.len() <= DEEPEST
            && self.stack.first().is_none_or(ends)
            && !self.stack.iter().skip(1).any(ends)
            && self.stack.iter().all(HengeFrame::is_plausible)
    }
}

impl HengeMat {
    fn is_plausible(&self) -> bool {
        let small = [self.travel_tokens, self.luck_steps, self.marks, self.end_of_game_drawn];
        self.coins <= MOST && self.victory_points <= MOST && small.iter().all(|number| *number <= FEW)
    }
}

impl HengeFrame {
    fn is_plausible(&self) -> bool {
        match self {
            HengeFrame::Move(frame) => frame.free_steps <= MOST,
            HengeFrame::Action(frame) => {
                let small = [frame.units, frame.adjacent, frame.remote, frame.storage, frame.start, frame.as_carved];
                let limit = frame.limit.unwrap_or(0);
                small.iter().all(|number| *number <= FEW)
                    && limit <= FEW
                    && frame.discount <= MOST
                    && frame.unit_victory_points <= MOST
            }
            HengeFrame::Discard(frame) => frame.left <= FEW,
            HengeFrame::Drop(frame) => frame.left <= FEW,
            HengeFrame::LuckDraws(frame) => frame.left <= FEW,
            HengeFrame::BonusDraws(frame) => frame.left <= FEW,
            _ => true,
        }
    }
}

/// Returns whether no id comes twice.
fn differ<'a>(ids: impl Iterator<Item = &'a Id>) -> bool {
    let mut seen = HashSet::new();
    ids.into_iter().all(|id| seen.insert(id))
}
