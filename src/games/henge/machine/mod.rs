//! The machine that carries a match from one decision to the next.
//!
//! A [`Run`] changes a state and writes down what happens. Automatic frames are worked off in [`Run::advance`] until a
//! decision or a chance step is on top; [`Run::resolve`] carries out one chance step.

mod draws;
mod effects;
mod hengebots;
mod moves;
pub mod scoring;
pub mod setup;
mod turn;
mod units;

pub use effects::limited;

use crate::games::henge::components::{Distance, List, Privilege};
use crate::games::henge::seen::events::{
    CoinsGained, DecisionDue, Event, LevelEnded, LevelRaised, PointsScored, SpringRevealed, StoneAt, StonesTransported,
};
use crate::games::henge::seen::{HengeSource, SourceKind};
use crate::games::henge::state::{EndStep, Frame, Place, Stage, State};
use crate::rules::{Dice, Seat, Status};

/// A state being changed, and what has happened to it.
pub struct Run<'a> {
    /// The state.
    pub state: &'a mut State,
    /// What has happened.
    pub events: Vec<Event>,
}

impl State {
    /// What happens next.
    pub fn status(&self) -> Status {
        match self.stage {
            Stage::Spring => match self.undecided() {
                nobody if nobody.is_empty() => Status::Chance,
                seats => Status::ToAct(seats),
            },
            Stage::Upgrade { seat } => Status::ToAct(crate::rules::Seats::one(seat)),
            Stage::Play => match (self.decision(), self.mover()) {
                (Some(_), Some(seat)) => Status::ToAct(crate::rules::Seats::one(seat)),
                _ => Status::Chance,
            },
            Stage::Over => Status::Over(self.outcome()),
        }
    }

    /// The frame that waits for a player's decision, if one does.
    pub fn decision(&self) -> Option<&Frame> {
        self.top().filter(|frame| {
            matches!(
                frame,
                Frame::Move { .. }
                    | Frame::Act(_)
                    | Frame::Discard { .. }
                    | Frame::Drop { .. }
                    | Frame::Reward { .. }
                    | Frame::Level
                    | Frame::Choose { .. }
                    | Frame::Track
            )
        })
    }
}

impl<'a> Run<'a> {
    /// A run that has not begun.
    pub fn new(state: &'a mut State) -> Run<'a> {
        Run { state, events: Vec::new() }
    }

    /// Writes down what has happened.
    pub fn emit(&mut self, event: Event) {
        self.events.push(event);
    }

    /// The place of a seat, for an event.
    pub fn place(&self, seat: Seat) -> Place {
        self.state.place_of(seat)
    }

    /// Works off automatic frames; at a decision, says what it is.
    pub fn advance(&mut self) {
        while self.step() {}
        if self.state.stage == Stage::Play && self.state.decision().is_some() {
            let stack = self.state.wire_stack();
            self.emit(Event::DecisionDue(DecisionDue { turn: self.state.turn, stack }));
        }
    }

    /// One automatic frame; whether there may be another.
    fn step(&mut self) -> bool {
        if let Some(Frame::End { step }) = self.state.top() {
            return self.end_step(*step);
        }
        let Some(seat) = self.state.mover() else { return false };
        let person = self.state.person(seat);
        let hand_is_empty = person.hand.is_empty();
        match self.state.top() {
            None => return false,
            Some(Frame::Effects { list, at }) => {
                let (list, at) = (*list, *at);
                self.run_effect(seat, list, at);
            }
            Some(Frame::LuckDraws { times }) => {
                let piles = &self.state.luck;
                if *times > 0 && !(piles.deck.is_empty() && piles.discards.is_empty()) {
                    return false;
                }
                self.state.stack.pop();
            }
            Some(Frame::BonusDraws { times }) => {
                if *times > 0 && !(self.state.eog_deck.is_empty() && self.state.eog_discards().is_empty()) {
                    return false;
                }
                self.state.stack.pop();
            }
            Some(Frame::Discard { left }) => {
                if *left > 0 && !hand_is_empty {
                    return false;
                }
                self.state.stack.pop();
            }
            Some(Frame::Drop { left }) => {
                if *left > 0 && (person.spring.is_some() || !person.eog.is_empty()) {
                    return false;
                }
                self.state.stack.pop();
            }
            Some(Frame::Reward { pool }) => {
                if !self.state.pool(*pool).face_up.is_empty() {
                    return false;
                }
                self.state.stack.pop();
            }
            Some(Frame::Act(act)) => {
                if !hand_is_empty || !(act.is_sub || act.units > 0) || self.state.any_unit(seat) {
                    return false;
                }
                self.state.stack.pop();
            }
            Some(Frame::Track) => {
                let is_full = usize::from(person.luck_steps) >= self.state.rules.set().luck_track.len();
                if !hand_is_empty && !is_full {
                    return false;
                }
                self.state.stack.pop();
            }
            Some(_) => return false,
        }
        true
    }

    /// One chance step, and what follows up to the next decision or chance step.
    pub fn resolve(&mut self, dice: &mut Dice) {
        match (self.state.stage, self.state.top()) {
            (Stage::Spring, _) => self.reveal_spring(),
            (_, Some(Frame::LuckDraws { .. })) => self.draw_luck(dice),
            (_, Some(Frame::BonusDraws { .. })) => self.draw_bonus(dice),
            (_, Some(Frame::End { step: EndStep::Quarry })) => self.refill_quarry(dice),
            (_, Some(Frame::End { .. })) => self.refill_chits(dice),
            (_, Some(Frame::Bot)) => self.bot_turn(dice),
            // Frames that are no chance step do not get here.
            _ => self.score_match(),
        }
        self.advance();
    }

    /// All have chosen (H-08).
    fn reveal_spring(&mut self) {
        for seat in self.state.count().seats() {
            let place = self.place(seat);
            let person = self.state.person_mut(seat);
            let Some(chosen) = person.spring else { continue };
            person.refused = person.offer;
            person.refused.remove(chosen.index());
            person.offer = Default::default();
            let card = self.state.rules.set().bonus[chosen.index()].id;
            self.emit(Event::SpringRevealed(SpringRevealed { place, seat, card }));
        }
        let last = self.state.count().seats().last();
        if let Some(seat) = last {
            self.state.stage = Stage::Upgrade { seat };
        }
    }

    /// What asks for the effect that is being run: the list of the effects frame nearest to the top.
    pub fn source(&self) -> HengeSource {
        let list = self.state.stack.iter().rev().find_map(|frame| match frame {
            Frame::Effects { list, .. } | Frame::Choose { list, .. } => Some(*list),
            _ => None,
        });
        list.map_or(HengeSource::of(SourceKind::Action), |list| self.state.rules.source(list))
    }

    /// Coins from the bank.
    pub fn gain_coins(&mut self, seat: Seat, amount: u16, source: HengeSource) {
        let place = self.place(seat);
        let person = self.state.person_mut(seat);
        person.coins = person.coins.saturating_add(amount);
        let total = person.coins;
        self.emit(Event::CoinsGained(CoinsGained { place, seat, amount, total, source }));
    }

    /// Points scored now.
    pub fn score(&mut self, seat: Seat, amount: u16, source: HengeSource) {
        let place = self.place(seat);
        let person = self.state.person_mut(seat);
        person.vp = person.vp.saturating_add(amount);
        let total = person.vp;
        self.emit(Event::PointsScored(PointsScored { place, seat, amount, total, source }));
    }

    /// All own uninstalled stones advance.
    pub fn transport(&mut self, seat: Seat, distance: Distance, source: HengeSource) {
        let place = self.place(seat);
        let rules = self.state.rules.clone();
        let person = self.state.person_mut(seat);
        if person.stones.is_empty() || distance == Distance::Steps(0) {
            return;
        }
        let mut stones = Vec::with_capacity(person.stones.len());
        for held in &mut person.stones {
            let row = rules.stone(held.stone);
            held.at = match distance {
                Distance::Steps(steps) => held.at.saturating_add(steps).min(row.transport),
                Distance::End => row.transport,
            };
            stones.push(StoneAt { stone: row.id, at: held.at });
        }
        self.emit(Event::StonesTransported(StonesTransported { place, seat, stones, source }));
    }

    /// One step right, or at the top the end benefit, every time (H-37).
    pub fn level_up(&mut self, seat: Seat, privilege: Privilege) {
        let place = self.place(seat);
        let rules = self.state.rules.clone();
        let set = rules.set();
        let level = &mut self.state.person_mut(seat).levels[privilege.index()];
        if *level < set.privileges.top(privilege) {
            *level += 1;
            let level = *level;
            self.emit(Event::LevelRaised(LevelRaised { place, seat, privilege, level }));
        } else {
            self.emit(Event::LevelEnded(LevelEnded { place, seat, privilege }));
            self.push_list(*set.privileges.end(privilege));
        }
    }

    /// The effects of a list are to be run before anything else goes on.
    pub fn push_list(&mut self, list: List) {
        self.state.stack.push(Frame::Effects { list, at: 0 });
    }
}
