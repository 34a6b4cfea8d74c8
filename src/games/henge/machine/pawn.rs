//! Moving the pawn, and the main action that begins where it stops (4.1, 4.2).

use crate::henge::components::{Action, Distance, Privilege};
use crate::henge::observation::events::{Event, PawnMoved};
use crate::henge::observation::{HengeSource, SourceKind};
use crate::henge::state::{Act, Frame, Person, State};
use sarsen_rules::Seat;

use super::Machine;

impl State {
    /// Returns how many steps are free: those of the privilege, and those that cards have added.
    pub(crate) fn free_steps(&self, person: &Person, added: u16) -> u16 {
        let level = usize::from(person.level(Privilege::Rondel));
        let levels = &self.equipment.set().privileges.rondel.levels;
        levels.get(level).map_or(0, |free| u16::from(*free)).saturating_add(added)
    }

    /// The price in coins of a walk; `None` if the player cannot pay it (H-14).
    pub(crate) fn walk_price(&self, person: &Person, steps: u8, free_steps: u16) -> Option<u16> {
        let extra = u16::from(steps).saturating_sub(self.free_steps(person, free_steps));
        let price = extra.saturating_mul(self.equipment.set().params.step_cost);
        (price <= person.coins).then_some(price)
    }

    /// Transport steps that walking so far gives (H-16, H-66).
    pub(crate) fn walk_transport(&self, steps: u8, double_transport: bool) -> u8 {
        let borders = self.equipment.set().rondel.borders(self.pawn, steps);
        if double_transport { borders.saturating_mul(2) } else { borders }
    }

    /// A main action of the player with nothing done: number and reach are fixed now (H-42).
    pub(crate) fn main_action(&self, seat: Seat, action: Action) -> Act {
        let person = self.person(seat);
        let privileges = &self.equipment.set().privileges;
        let level = |privilege| usize::from(person.level(privilege));
        let mut act = Act::new(action, false, Some(1));
        match action {
            Action::Income | Action::Luck | Action::Arrive => {}
            Action::Quarry => {
                let level = privileges.stone.levels.get(level(Privilege::Stone));
                act.limit = Some(level.map_or(0, |level| level.purchases));
            }
            Action::Druid => {
                let level = privileges.druid.levels.get(level(Privilege::Druid));
                act.limit = Some(level.map_or(0, |level| level.druids));
                act.adjacent = level.map_or(0, |level| level.adjacent);
            }
            Action::Carve | Action::Install => act.limit = None,
        }
        act
    }
}

impl Machine<'_> {
    pub(crate) fn walk(&mut self, seat: Seat, steps: u8, action: Action) {
        let Some(Frame::Move { free_steps, double_transport }) = self.state.stack.pop() else { return };
        let paid = self.state.walk_price(self.state.person(seat), steps, free_steps).unwrap_or(0);
        let transport = self.state.walk_transport(steps, double_transport);
        self.state.person_mut(seat).coins -= paid;
        let borders = self.state.walk_transport(steps, false);
        self.move_pawn(seat, steps, action, paid, false, borders);
        self.transport(seat, Distance::Steps(transport), HengeSource::of(SourceKind::Rondel));
        let act = self.state.main_action(seat, action);
        self.state.stack.push(Frame::Action(act));
    }

    /// A spent token returns to the supply (H-07); it gives no transport (H-15).
    pub(crate) fn travel(&mut self, seat: Seat, steps: u8, action: Action) {
        self.state.stack.pop();
        let person = self.state.person_mut(seat);
        person.travel_tokens = person.travel_tokens.saturating_sub(1);
        self.state.travel_supply = self.state.travel_supply.saturating_add(1);
        let borders = self.state.walk_transport(steps, false);
        self.move_pawn(seat, steps, action, 0, true, borders);
        let act = self.state.main_action(seat, action);
        self.state.stack.push(Frame::Action(act));
    }

    fn move_pawn(&mut self, seat: Seat, steps: u8, action: Action, paid: u16, token: bool, borders: u8) {
        let who = self.state.who(seat);
        let from = self.state.pawn;
        let to = self.state.equipment.set().rondel.ahead(from, steps);
        self.state.pawn = to;
        self.emit(Event::PawnMoved(PawnMoved {
            who,
            from: from.number(),
            to: to.number(),
            steps,
            action,
            paid,
            token,
            borders,
        }));
    }
}
