//! What can be counted of a player, majorities, and the marks on Spring cards (section 1.3).

use super::{Place, State};
use crate::games::henge::components::{Area, Count, Privilege, Score, Size, SlotKind, StoneRow, TallyEvent};
use crate::games::henge::machine::Run;
use crate::games::henge::seen::events::{Event, SpringMarked};
use crate::rules::Seat;

/// Something that a tally may mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occurrence {
    /// A stone was installed.
    Install {
        /// In a slot of this kind.
        kind: SlotKind,
        /// Whether the slot has two areas.
        border: bool,
        /// Whether the stone gave a level-up, also one at the top.
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
    /// Whether it is what a tally asks for; all filters must match.
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

impl State {
    /// The places with druids in an area, the first rank first; ties go to the druid farthest along (H-46).
    pub fn ranking(&self, area: Area) -> Vec<Place> {
        let path = &self.paths[area.index()];
        let mut ranked: Vec<(usize, usize, Place)> = (0..self.rules.total)
            .filter_map(|place| {
                let farthest = path.iter().rposition(|owner| *owner == place)?;
                Some((path.iter().filter(|owner| **owner == place).count(), farthest, place))
            })
            .collect();
        ranked.sort_unstable_by(|a, b| b.cmp(a));
        ranked.into_iter().map(|(_, _, place)| place).collect()
    }

    /// A count of what `seat` has.
    pub fn count_of(&self, seat: Seat, count: &Count) -> u16 {
        let person = self.person(seat);
        let place = self.place_of(seat);
        let set = self.rules.set();
        let stones = |wanted: &dyn Fn(&StoneRow) -> bool| {
            person.installed.iter().filter(|stone| wanted(self.rules.stone(**stone))).count()
        };
        let druids_in = |area: Area| self.paths[area.index()].iter().filter(|owner| **owner == place).count();
        let areas = |wanted: &dyn Fn(Area) -> bool| Area::ALL.into_iter().filter(|area| wanted(*area)).count();
        let tracks = |wanted: &dyn Fn(Privilege) -> bool| Privilege::ALL.into_iter().filter(|p| wanted(*p)).count();
        let number = match count {
            Count::Installed { size, icon, min_cost, min_transport, max_transport } => stones(&|row| {
                size.is_none_or(|size| row.size == size)
                    && icon.is_none_or(|icon| row.icon == icon)
                    && min_cost.is_none_or(|least| row.cost >= least)
                    && min_transport.is_none_or(|least| row.transport >= least)
                    && max_transport.is_none_or(|most| row.transport <= most)
            }),
            Count::IconKinds {} => tracks(&|privilege| stones(&|row| row.icon == privilege) > 0),
            Count::SizePairs {} => stones(&|row| row.size == Size::Large).min(stones(&|row| row.size == Size::Small)),
            Count::Druids {} => usize::from(self.placed(place)),
            Count::DruidsIn { area } => druids_in(*area),
            Count::AreasWith { n } => areas(&|area| druids_in(area) >= usize::from(*n)),
            Count::BestArea {} => Area::ALL.into_iter().map(druids_in).max().unwrap_or(0),
            Count::AreasRanked { rank } => areas(&|area| {
                let at = usize::from(*rank).checked_sub(1);
                at.is_some_and(|at| self.ranking(area).get(at) == Some(&place))
            }),
            Count::Levels {} => person.levels.iter().copied().map(usize::from).sum(),
            Count::Maxed {} => tracks(&|privilege| person.level(privilege) >= set.privileges.top(privilege)),
            Count::Raised {} => tracks(&|privilege| person.level(privilege) > 0),
            Count::Coins {} => usize::from(person.coins),
            Count::LuckCards {} => person.hand.len(),
            Count::LuckSteps {} => usize::from(person.luck_steps),
            Count::Travel {} => usize::from(person.tokens),
            Count::Held {} => person.stones.len(),
            Count::HeldCarved {} => person.stones.iter().filter(|held| held.carved).count(),
        };
        u16::try_from(number).unwrap_or(u16::MAX)
    }
}

impl Run<'_> {
    /// Marks the Spring card if its tally asks for this (H-40).
    pub fn tally(&mut self, seat: Seat, occurrence: Occurrence) {
        let person = self.state.person(seat);
        let Some(card) = person.spring else { return };
        if let Score::Tally { event, max_marks, .. } = &self.state.rules.set().bonus[card.index()].score
            && occurrence.is(event)
            && person.marks < *max_marks
        {
            self.mark(seat);
        }
    }

    /// Marks the Spring card if its goal is met; once marked it stays so (4.11).
    pub fn test_goal(&mut self, seat: Seat) {
        let person = self.state.person(seat);
        let Some(card) = person.spring else { return };
        if let Score::Goal { count, at_least, .. } = &self.state.rules.set().bonus[card.index()].score
            && person.marks == 0
            && self.state.count_of(seat, count) >= *at_least
        {
            self.mark(seat);
        }
    }

    fn mark(&mut self, seat: Seat) {
        let place = self.place(seat);
        let rules = self.state.rules.clone();
        let person = self.state.person_mut(seat);
        let Some(card) = person.spring else { return };
        person.marks += 1;
        let (card, marks) = (rules.set().bonus[card.index()].id, person.marks);
        self.emit(Event::SpringMarked(SpringMarked { place, seat, card, marks }));
    }
}
