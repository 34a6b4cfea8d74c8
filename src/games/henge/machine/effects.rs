//! The one place where effects are carried out: the closed vocabulary of section 1.2.

use super::Machine;
use crate::henge::components::{Effect, List, ModKind, Reach, Sub, Which};
use crate::henge::observation::events::{Event, TravelTokensTaken};
use crate::henge::state::{Act, Frame, limited};
use sarsen_rules::Seat;

impl Machine<'_> {
    /// Runs the effect at `at` of the list on top, or takes the list off if there is none left. What an effect asks
    /// for is pushed on top, so that it is finished before the next one starts.
    pub(crate) fn run_effect(&mut self, seat: Seat, list: List, at: u8) {
        let Some(effect) = self.state.equipment.effects(list).get(usize::from(at)) else {
            self.state.stack.pop();
            return;
        };
        if let Some(Frame::Effects { at, .. }) = self.state.stack.last_mut() {
            *at += 1;
        }
        let source = self.source();
        match effect {
            Effect::Coins { n } => self.gain_coins(seat, *n, source),
            Effect::CoinsPer { count, n, max } => {
                let amount = limited(self.state.count_of(seat, count), *n, *max);
                self.gain_coins(seat, amount, source);
            }
            Effect::Vp { n } => self.score(seat, *n, source),
            Effect::VpPer { count, n, max } => {
                let amount = limited(self.state.count_of(seat, count), *n, *max);
                self.score(seat, amount, source);
            }
            Effect::Luck { n } => self.state.stack.push(Frame::LuckDraws { times: *n }),
            Effect::Bonus { n } => self.state.stack.push(Frame::BonusDraws { times: *n }),
            Effect::Travel { n } => self.take_tokens(seat, *n),
            Effect::Reward { pool } => self.state.stack.push(Frame::Reward { pool: *pool }),
            Effect::Level { which: Which::Any } => self.state.stack.push(Frame::Level),
            Effect::Level { which: Which::Of(privilege) } => self.level_up(seat, *privilege),
            Effect::Transport { n } => self.transport(seat, *n, source),
            Effect::Sub(sub) => self.state.stack.push(Frame::Action(sub_action(sub))),
            Effect::Choose { .. } => self.state.stack.push(Frame::Choose { list, at }),
            Effect::Mod { what, n } => self.modify(*what, *n),
        }
    }

    /// Tokens from the supply, as far as there are any (H-07).
    fn take_tokens(&mut self, seat: Seat, n: u8) {
        let who = self.state.who(seat);
        let amount = n.min(self.state.travel_supply);
        self.state.travel_supply -= amount;
        let supply = self.state.travel_supply;
        let person = self.state.person_mut(seat);
        person.travel_tokens = person.travel_tokens.saturating_add(amount);
        let total = person.travel_tokens;
        self.emit(Event::TravelTokensTaken(TravelTokensTaken { who, amount, total, supply }));
    }

    /// Changes the action in which the card is played: the one nearest to the top.
    fn modify(&mut self, what: ModKind, n: u16) {
        let frame =
            self.state.stack.iter_mut().rev().find(|frame| matches!(frame, Frame::Action(_) | Frame::Move { .. }));
        match frame {
            Some(Frame::Action(act)) => act.modify(what, n),
            Some(Frame::Move { free_steps, double_transport }) => match what {
                ModKind::FreeSteps => *free_steps = free_steps.saturating_add(n),
                ModKind::DoubleTransport => *double_transport |= n > 0,
                _ => {}
            },
            _ => {}
        }
    }
}

/// A sub-action with nothing done yet (4.10).
fn sub_action(sub: &Sub) -> Act {
    let mut act = Act::new(sub.action.into(), true, Some(sub.limit));
    act.discount = sub.discount;
    act.adjacent = if sub.reach == Reach::Local { 0 } else { sub.limit };
    act.remote = if sub.reach == Reach::Any { sub.limit } else { 0 };
    act
}
