//! Revelation by moves: the cards that it shows, and what follows from its being legal.
//!
//! Invariant: it reads of a hand only if it is empty, and all else is public, so every viewer knows as much.
//!
//! A Spring card is chosen in secret, an end-of-game card dropped in secret; all else lies open, or is for a chance step to
//! show.

use crate::henge::moves::Move;
use crate::henge::state::{CardSet, Frame, State};
use sarsen_rules::Seat;

impl State {
    /// Returns whether the legal move shows anybody something of the seat's hand.
    pub(crate) fn reveals(&self, seat: Seat, mv: &Move) -> bool {
        let holds_cards = !self.person(seat).hand.is_empty();
        match mv {
            Move::Luck(_) | Move::Discard(_) | Move::Track(_) => true,
            // Cards in hand may be what makes the action possible.
            Move::Rondel(_) | Move::Travel(_) => holds_cards && !self.is_legal_without_cards(seat, mv),
            // An action without a unit is ended only where no card could be played in it.
            Move::Done(_) => {
                let begun = |top: &Frame| !matches!(top, Frame::Action(act) if !act.is_sub_action && act.units == 0);
                holds_cards && !self.top().is_none_or(begun)
            }
            // Of a sub-action the guard leaves what cards in hand do not need.
            Move::Income(_)
            | Move::Draw(_)
            | Move::Arrive(_)
            | Move::Quarry(_)
            | Move::Carve(_)
            | Move::Druid(_)
            | Move::Install(_) => holds_cards && self.guarded().is_some() && self.is_in_sub_action(),
            Move::Spring(_) | Move::Upgrade(_) | Move::Drop(_) | Move::Reward(_) | Move::Level(_) | Move::Choose(_) => {
                false
            }
        }
    }

    fn is_legal_without_cards(&self, seat: Seat, mv: &Move) -> bool {
        let mut bare = self.clone();
        bare.person_mut(seat).hand = CardSet::default();
        bare.check(seat, mv).is_ok()
    }

    fn is_in_sub_action(&self) -> bool {
        matches!(self.top(), Some(Frame::Action(act)) if act.is_sub_action)
    }
}
