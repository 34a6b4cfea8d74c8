//! The guard (4.3, H-10): while a main action has no unit yet, nothing that it certainly needs may be spent inside a
//! nested decision.
//!
//! It reads the mover's own hand and what is public, nothing else.

use super::feasibility::Means;
use crate::henge::components::{Action, LuckCard};
use crate::henge::machine::Machine;
use crate::henge::moves::Move;
use crate::henge::state::{Act, CardSet, Frame, State};
use sarsen_rules::Seat;

impl State {
    /// The main action under way, if it is guarded: a compulsory one without a unit, with a decision nested in it.
    pub(super) fn guarded(&self) -> Option<&Act> {
        let main = self.stack.iter().rev().find_map(|frame| match frame {
            Frame::Action(act) if !act.is_sub_action => Some(act),
            _ => None,
        })?;
        let is_compulsory = matches!(main.action, Action::Quarry | Action::Carve | Action::Druid | Action::Install);
        (is_compulsory && main.units == 0).then_some(main)
    }

    /// Returns whether the guarded action would still be possible with this hand.
    fn main_possible(&self, seat: Seat, main: &Act, hand: CardSet) -> bool {
        let mut means = Means::actual(self, seat, main);
        means.count_on_pending();
        means.count_on(self.playable(hand, main.action));
        means.any()
    }

    /// Returns what the guard leaves of the options of a sub-action, its units and cards: those right after which the
    /// main action is possible. If there are none, and it is not possible now either (a change of it may still be
    /// pending), nothing that it needs can be spent any more, and all of them stay.
    pub(crate) fn guard(&self, seat: Seat, options: Vec<Move>) -> Vec<Move> {
        let Some(main) = self.guarded() else { return options };
        let kept: Vec<Move> = options.iter().filter(|mv| self.guard_allows(seat, mv)).copied().collect();
        if kept.is_empty() && !self.main_possible(seat, main, self.person(seat).hand) { options } else { kept }
    }

    /// Returns whether the main action is possible right after a unit of a sub-action or a card played in it.
    fn guard_allows(&self, seat: Seat, mv: &Move) -> bool {
        let mut after = self.clone();
        Machine::new(&mut after).act(seat, mv);
        let hand = after.person(seat).hand;
        after.guarded().is_none_or(|main| after.main_possible(seat, main, hand))
    }

    /// The cards of the hand that may be discarded when `left` are due.
    pub(crate) fn discardable(&self, seat: Seat, left: u8) -> Vec<LuckCard> {
        let hand = self.person(seat).hand;
        let all = || hand.iter().map(|index| LuckCard(index as u8));
        let Some(main) = self.guarded() else { return all().collect() };
        let spare = |card: &LuckCard| {
            let mut rest = hand;
            rest.remove(card.index());
            self.can_spare(seat, main, rest, left.saturating_sub(1))
        };
        let spared: Vec<LuckCard> = all().filter(spare).collect();
        if spared.is_empty() { all().collect() } else { spared }
    }

    /// Returns whether `left` more cards can be discarded without spending what is needed.
    fn can_spare(&self, seat: Seat, main: &Act, hand: CardSet, left: u8) -> bool {
        if !self.main_possible(seat, main, hand) {
            return false;
        }
        if left == 0 || hand.is_empty() {
            return true;
        }
        // What does not help the action is given up first; of the rest any may do.
        let idle = hand.iter().find(|index| !self.counts_for(LuckCard(*index as u8), main.action));
        let without = |index: usize| {
            let mut rest = hand;
            rest.remove(index);
            self.can_spare(seat, main, rest, left - 1)
        };
        match idle {
            Some(index) => without(index),
            None => hand.iter().any(without),
        }
    }
}
