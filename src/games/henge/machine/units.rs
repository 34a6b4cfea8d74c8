//! The units of actions: income, purchases, carvings, druids, stones (4.4 to 4.7).

use super::Machine;
use super::tallies::Occurrence;
use crate::henge::components::{Area, Privilege, Slot, StoneCard};
use crate::henge::observation::events::{DruidPlaced, Event, StoneBought, StoneCarved, StoneInstalled};
use crate::henge::observation::{HengeSource, SourceKind};
use crate::henge::state::{Act, Built, Frame, Held, Uses};
use sarsen_rules::Seat;

impl Machine<'_> {
    /// The action on top; a unit is only done while there is one.
    fn action(&self) -> Option<Act> {
        match self.state.top() {
            Some(Frame::Action(act)) => Some(act.clone()),
            _ => None,
        }
    }

    /// Counts a unit of the action on top.
    pub(crate) fn count_unit(&mut self) {
        if let Some(Frame::Action(act)) = self.state.stack.last_mut() {
            act.units = act.units.saturating_add(1);
        }
    }

    /// Points that cards give for a unit.
    fn unit_victory_points(&mut self, seat: Seat, act: &Act) {
        if act.unit_victory_points > 0 {
            self.score(seat, act.unit_victory_points, HengeSource::of(SourceKind::Action));
        }
    }

    /// An allowance for adjacent or remote areas is used up.
    fn use_up(&mut self, uses: Uses) {
        if let Some(Frame::Action(act)) = self.state.stack.last_mut() {
            match uses {
                Uses::Nothing => {}
                Uses::Adjacent => act.adjacent = act.adjacent.saturating_sub(1),
                Uses::Remote => act.remote = act.remote.saturating_sub(1),
            }
        }
    }

    /// Coins, then one draw (H-20).
    pub(crate) fn income(&mut self, seat: Seat) {
        self.count_unit();
        let level = usize::from(self.state.person(seat).level(Privilege::Coin));
        let coins = self.state.equipment.set().privileges.coin.levels.get(level).copied().unwrap_or(0);
        self.gain_coins(seat, coins, HengeSource::of(SourceKind::Action));
        self.state.stack.push(Frame::LuckDraws { times: 1 });
    }

    /// Buys the stone at a position, counted from 0; the position stays empty until the end of the turn (H-12).
    pub(crate) fn quarry(&mut self, seat: Seat, position: usize) {
        let Some(act) = self.action() else { return };
        let Some(stone) = self.state.quarry.get_mut(position).and_then(Option::take) else { return };
        let who = self.state.who(seat);
        let equipment = self.state.equipment.clone();
        let row = equipment.stone(stone);
        let price = act.price(row.cost);
        let at = act.start.min(row.transport);
        let person = self.state.person_mut(seat);
        person.coins -= price;
        person.stones.push(Held { stone, at, carved: false });
        self.count_unit();
        let position = position as u8 + 1;
        self.emit(Event::StoneBought(StoneBought { who, stone: row.id, position, price, at }));
        self.unit_victory_points(seat, &act);
        self.tally(seat, Occurrence::Quarry);
    }

    /// Carves an own uninstalled stone.
    pub(crate) fn carve(&mut self, seat: Seat, stone: StoneCard) {
        let Some(act) = self.action() else { return };
        let price = act.price(self.state.equipment.set().params.carve_cost);
        let who = self.state.who(seat);
        let id = self.state.equipment.stone(stone).id;
        let person = self.state.person_mut(seat);
        person.coins -= price;
        for held in person.stones.iter_mut().filter(|held| held.stone == stone) {
            held.carved = true;
        }
        self.count_unit();
        self.emit(Event::StoneCarved(StoneCarved { who, stone: id, price }));
        self.unit_victory_points(seat, &act);
        self.tally(seat, Occurrence::Carve);
    }

    /// Pays, places, marks; then the next benefit of the druid track (H-26).
    pub(crate) fn place_druid(&mut self, seat: Seat, area: Area) {
        let Some(act) = self.action() else { return };
        let Some(price) = self.state.druid_price(area) else { return };
        let Some(uses) = act.uses(self.state.local(), &[area]) else { return };
        let price = act.price(price);
        let who = self.state.who(seat);
        let nth = usize::from(self.state.placed(who.chair));
        self.state.person_mut(seat).coins -= price;
        self.state.paths[area.index()].push(who.chair);
        self.use_up(uses);
        self.count_unit();
        self.emit(Event::DruidPlaced(DruidPlaced { who, area, price }));
        self.unit_victory_points(seat, &act);
        if act.units == 0 {
            self.tally(seat, Occurrence::DruidAction);
        }
        self.tally(seat, Occurrence::Druid(area));
        if let Some(list) = self.state.equipment.set().druid_track.get(nth).copied() {
            self.push_list(list);
        }
    }

    /// Places the stone, scores, marks, and levels up (4.7).
    pub(crate) fn install(&mut self, seat: Seat, stone: StoneCard, slot: Slot) {
        let Some(act) = self.action() else { return };
        let who = self.state.who(seat);
        let equipment = self.state.equipment.clone();
        let (card, row) = (equipment.stone(stone), equipment.slot(slot));
        let Some(uses) = act.uses(self.state.local(), &row.areas) else { return };
        self.use_up(uses);
        let is_carved = self.state.person(seat).held(stone).is_some_and(|held| held.carved);
        if row.carved
            && !is_carved
            && let Some(Frame::Action(act)) = self.state.stack.last_mut()
        {
            act.as_carved = act.as_carved.saturating_sub(1);
        }
        self.count_unit();
        let icons = equipment.set().areas[self.state.local().index()].icons;
        let levels_up = act.any_level || icons.contains(&card.icon);
        self.state.slots[slot.index()] = Some(Built { chair: who.chair, stone });
        let person = self.state.person_mut(seat);
        person.stones.retain(|held| held.stone != stone);
        person.installed.push(stone);
        person.victory_points = person
            .victory_points
            .saturating_add(card.vp)
            .saturating_add(row.vp)
            .saturating_add(act.unit_victory_points);
        let total = person.victory_points;
        self.emit(Event::StoneInstalled(StoneInstalled {
            who,
            stone: card.id,
            slot: row.id,
            stone_victory_points: card.vp,
            slot_victory_points: row.vp,
            card_victory_points: act.unit_victory_points,
            total,
            level_up: levels_up.then_some(card.icon),
        }));
        self.tally(seat, Occurrence::Install { kind: row.kind, border: row.is_border(), level_up: levels_up });
        if levels_up {
            self.level_up(seat, card.icon);
        }
    }
}
