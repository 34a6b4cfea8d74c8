//! The machine that carries a match on: the direct consequences of moves, effects, draws and the frame of turns.
//!
//! A [`Machine`] changes a state and writes down what happens. It asks nothing about legality: a move that gets here is
//! legal, and when a frame has come to its end is for the turn flow to say.

mod draws;
mod effects;
mod hengebots;
mod moves;
mod pawn;
mod phases;
pub(crate) mod scoring;
pub(crate) mod setup;
mod tallies;
mod turn;
mod units;

use crate::henge::components::{Distance, List, Privilege};
use crate::henge::observation::events::{
    CoinsGained, Event, PrivilegeEndGained, PrivilegeRaised, StoneAt, StonesTransported, VictoryPointsScored,
};
use crate::henge::observation::{HengeSource, SourceKind};
use crate::henge::state::{Frame, State};
use sarsen_rules::{Audience, Seat};

/// A state being changed, and what has happened to it.
pub(crate) struct Machine<'a> {
    pub(crate) state: &'a mut State,
    /// The events so far, if they are recorded.
    pub(crate) events: Vec<Event>,
    /// True if no events are recorded, since nobody listens.
    pub(crate) is_silent: bool,
}

impl<'a> Machine<'a> {
    /// A machine at which nothing has happened yet.
    pub(crate) fn new(state: &'a mut State) -> Machine<'a> {
        Machine { state, events: Vec::new(), is_silent: false }
    }

    /// A machine that writes nothing down if nobody listens.
    pub(crate) fn heard_by(state: &'a mut State, events: &impl Audience<Event>) -> Machine<'a> {
        Machine { is_silent: !events.listens(), ..Machine::new(state) }
    }

    /// Writes down what has happened.
    pub(crate) fn emit(&mut self, event: Event) {
        if !self.is_silent {
            self.events.push(event);
        }
    }
}

impl Machine<'_> {
    /// Returns what asks for the effect that is being run: the list of the effects frame nearest to the top.
    pub(crate) fn source(&self) -> HengeSource {
        let list = self.state.stack.iter().rev().find_map(Frame::list);
        list.map_or(HengeSource::of(SourceKind::Action), |list| self.state.equipment.source(list))
    }

    /// Coins from the bank.
    pub(crate) fn gain_coins(&mut self, seat: Seat, amount: u16, source: HengeSource) {
        let who = self.state.who(seat);
        let person = self.state.person_mut(seat);
        person.coins = person.coins.saturating_add(amount);
        let total = person.coins;
        self.emit(Event::CoinsGained(CoinsGained { who, amount, total, source }));
    }

    pub(crate) fn score(&mut self, seat: Seat, amount: u16, source: HengeSource) {
        let who = self.state.who(seat);
        let person = self.state.person_mut(seat);
        person.victory_points = person.victory_points.saturating_add(amount);
        let total = person.victory_points;
        self.emit(Event::VictoryPointsScored(VictoryPointsScored { who, amount, total, source }));
    }

    /// All own uninstalled stones advance.
    pub(crate) fn transport(&mut self, seat: Seat, distance: Distance, source: HengeSource) {
        let who = self.state.who(seat);
        let equipment = self.state.equipment.clone();
        let person = self.state.person_mut(seat);
        if person.stones.is_empty() || distance == Distance::Steps(0) {
            return;
        }
        let mut stones = Vec::with_capacity(person.stones.len());
        for held in &mut person.stones {
            let row = equipment.stone(held.stone);
            held.at = match distance {
                Distance::Steps(steps) => held.at.saturating_add(steps).min(row.transport),
                Distance::End => row.transport,
            };
            stones.push(StoneAt { stone: row.id, at: held.at });
        }
        self.emit(Event::StonesTransported(StonesTransported { who, stones, source }));
    }

    /// One step right, or at the top the end benefit, every time (H-37).
    pub(crate) fn level_up(&mut self, seat: Seat, privilege: Privilege) {
        let who = self.state.who(seat);
        let equipment = self.state.equipment.clone();
        let set = equipment.set();
        let level = &mut self.state.person_mut(seat).levels[privilege.index()];
        if *level < set.privileges.top(privilege) {
            *level += 1;
            let level = *level;
            self.emit(Event::PrivilegeRaised(PrivilegeRaised { who, privilege, level }));
        } else {
            self.emit(Event::PrivilegeEndGained(PrivilegeEndGained { who, privilege }));
            self.push_list(*set.privileges.end(privilege));
        }
    }

    /// Pushes the effects of a list, which run before anything else goes on.
    pub(crate) fn push_list(&mut self, list: List) {
        self.state.stack.push(Frame::Effects { list, at: 0 });
    }
}
