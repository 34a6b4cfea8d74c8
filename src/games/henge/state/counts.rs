//! Counts of a player, and majorities (section 1.3).

use crate::henge::components::{Area, Count, Privilege, Size, StoneRow};
use sarsen_rules::Seat;

use super::{Chair, State};

impl State {
    /// The players with druids in an area, the first rank first; ties go to the druid farthest along (H-46).
    pub(crate) fn ranking(&self, area: Area) -> Vec<Chair> {
        let path = &self.paths[area.index()];
        let mut ranked: Vec<(usize, usize, Chair)> = self
            .table()
            .filter_map(|chair| {
                let farthest = path.iter().rposition(|owner| *owner == chair)?;
                Some((path.iter().filter(|owner| **owner == chair).count(), farthest, chair))
            })
            .collect();
        ranked.sort_unstable_by(|a, b| b.cmp(a));
        ranked.into_iter().map(|(_, _, chair)| chair).collect()
    }

    /// A count of what `seat` has.
    pub(crate) fn count_of(&self, seat: Seat, count: &Count) -> u16 {
        let person = self.person(seat);
        let chair = self.chair_of(seat);
        let set = self.equipment.set();
        let stones = |wanted: &dyn Fn(&StoneRow) -> bool| {
            person.installed.iter().filter(|stone| wanted(self.equipment.stone(**stone))).count()
        };
        let druids_in = |area: Area| self.paths[area.index()].iter().filter(|owner| **owner == chair).count();
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
            Count::Druids {} => usize::from(self.placed(chair)),
            Count::DruidsIn { area } => druids_in(*area),
            Count::AreasWith { n } => areas(&|area| druids_in(area) >= usize::from(*n)),
            Count::BestArea {} => Area::ALL.into_iter().map(druids_in).max().unwrap_or(0),
            Count::AreasRanked { rank } => areas(&|area| {
                let at = usize::from(*rank).checked_sub(1);
                at.is_some_and(|at| self.ranking(area).get(at) == Some(&chair))
            }),
            Count::Levels {} => person.levels.iter().copied().map(usize::from).sum(),
            Count::Maxed {} => tracks(&|privilege| person.level(privilege) >= set.privileges.top(privilege)),
            Count::Raised {} => tracks(&|privilege| person.level(privilege) > 0),
            Count::Coins {} => usize::from(person.coins),
            Count::LuckCards {} => person.hand.len(),
            Count::LuckSteps {} => usize::from(person.luck_steps),
            Count::Travel {} => usize::from(person.travel_tokens),
            Count::Held {} => person.stones.len(),
            Count::HeldCarved {} => person.stones.iter().filter(|held| held.carved).count(),
        };
        u16::try_from(number).unwrap_or(u16::MAX)
    }
}

/// `min(n × count, max)`.
pub(crate) fn limited(count: u16, n: u16, max: Option<u16>) -> u16 {
    count.saturating_mul(n).min(max.unwrap_or(u16::MAX))
}
