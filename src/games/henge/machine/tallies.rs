//! The marks on Spring cards: tallies, and goals once met (section 1.3).

use crate::henge::components::{Area, Score, SlotKind, TallyEvent};
use crate::henge::observation::events::{Event, SpringMarked};
use sarsen_rules::Seat;

use super::Machine;

/// Something that a tally may mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Occurrence {
    /// A stone was installed.
    Install {
        /// In a slot of this kind.
        kind: SlotKind,
        /// True if the slot has two areas.
        border: bool,
        /// True if the stone gave a level-up, also one at the top.
        level_up: bool,
    },
    /// The first druid of an action or sub-action was placed.
    DruidAction,
    /// A druid was placed.
    Druid(Area),
    /// A stone was bought.
    Quarry,
    /// A stone was carved.
    Carve,
    /// A Luck card was given up for the track.
    Track,
}

impl Occurrence {
    /// Returns whether it is what a tally asks for; all filters must match.
    fn is(self, event: &TallyEvent) -> bool {
        fn fits<T: PartialEq>(filter: &Option<T>, value: T) -> bool {
            filter.as_ref().is_none_or(|wanted| *wanted == value)
        }
        match (self, event) {
            (
                Occurrence::Install { kind, border, level_up },
                TallyEvent::Install { kind: of_kind, border: at_border, level_up: with_level },
            ) => fits(of_kind, kind) && fits(at_border, border) && fits(with_level, level_up),
            (Occurrence::Druid(area), TallyEvent::Druid { area: wanted }) => fits(wanted, area),
            (Occurrence::DruidAction, TallyEvent::DruidAction {})
            | (Occurrence::Quarry, TallyEvent::Quarry {})
            | (Occurrence::Carve, TallyEvent::Carve {})
            | (Occurrence::Track, TallyEvent::Track {}) => true,
            _ => false,
        }
    }
}

impl Machine<'_> {
    /// Marks the Spring card if its tally asks for this (H-40).
    pub(crate) fn tally(&mut self, seat: Seat, occurrence: Occurrence) {
        let person = self.state.person(seat);
        let Some(card) = person.spring else { return };
        if let Score::Tally { event, max_marks, .. } = &self.state.equipment.set().bonus[card.index()].score
            && occurrence.is(event)
            && person.marks < *max_marks
        {
            self.mark(seat);
        }
    }

    /// Marks the Spring card if its goal is met; once marked it stays so (4.11).
    pub(crate) fn test_goal(&mut self, seat: Seat) {
        let person = self.state.person(seat);
        let Some(card) = person.spring else { return };
        if let Score::Goal { count, at_least, .. } = &self.state.equipment.set().bonus[card.index()].score
            && person.marks == 0
            && self.state.count_of(seat, count) >= *at_least
        {
            self.mark(seat);
        }
    }

    fn mark(&mut self, seat: Seat) {
        let who = self.state.who(seat);
        let equipment = self.state.equipment.clone();
        let person = self.state.person_mut(seat);
        let Some(card) = person.spring else { return };
        person.marks += 1;
        let (card, marks) = (equipment.set().bonus[card.index()].id, person.marks);
        self.emit(Event::SpringMarked(SpringMarked { who, card, marks }));
    }
}
