//! The phases before the first turn: Spring cards, then First Upgrades (2.2).

use crate::henge::components::Id;
use crate::henge::observation::events::{Event, SpringChosen, SpringRevealed};
use crate::henge::state::Stage;
use sarsen_rules::Seat;

use super::Machine;

impl Machine<'_> {
    /// A person chooses, in secret.
    pub(crate) fn choose_spring(&mut self, seat: Seat, card: &Id) {
        let who = self.state.who(seat);
        self.state.person_mut(seat).spring = self.state.equipment.set().find_bonus(card);
        self.emit(Event::SpringChosen(SpringChosen { who, card: Some(*card) }));
    }

    /// All have chosen (H-08).
    pub(crate) fn reveal_spring(&mut self) {
        for seat in self.state.count().seats() {
            let who = self.state.who(seat);
            let person = self.state.person_mut(seat);
            let Some(chosen) = person.spring else { continue };
            person.refused = person.offer;
            person.refused.remove(chosen.index());
            person.offer = Default::default();
            let card = self.state.equipment.set().bonus[chosen.index()].id;
            self.emit(Event::SpringRevealed(SpringRevealed { who, card }));
        }
        let last = self.state.count().seats().last();
        if let Some(seat) = last {
            self.state.stage = Stage::Upgrade { seat };
        }
    }

    /// In reverse order of turns; then seat 0 begins (2.2).
    pub(crate) fn next_upgrade(&mut self, seat: Seat) {
        match seat.number().checked_sub(1).and_then(Seat::new) {
            Some(seat) => self.state.stage = Stage::Upgrade { seat },
            None => {
                self.state.stage = Stage::Play;
                self.state.upgrades.clear();
                self.begin_round(1);
            }
        }
    }
}
