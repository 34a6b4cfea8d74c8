//! The gain of a move, computed without making it.

use super::super::components::{Action, Area, Effect, LuckCard, Privilege, SlotRow, StoneCard};
use super::super::moves::{
    AdvanceTrack, CarveStone, ChooseOption, ChooseSpring, DiscardLuck, DropBonus, FirstUpgrade, InstallStone, Move,
    PlaceDruid, PlayLuck, QuarryStone, RaiseLevel, TakeReward, TravelRondel, WalkRondel,
};
use super::super::state::{Act, Frame};
use super::worth::{TOKEN, Worths};

/// The value of an action beside its units: a turn has only one.
const PLAYED: i32 = 8;

impl Worths<'_> {
    /// In tenths of a victory point; only differences within one list mean something.
    pub(crate) fn of_move(&self, mv: &Move) -> i32 {
        let set = self.state.equipment.set();
        match mv {
            Move::Spring(ChooseSpring { card }) => set.find_bonus(card).map_or(0, |card| self.bonus(card.index())),
            Move::Upgrade(FirstUpgrade { privilege }) | Move::Level(RaiseLevel { privilege }) => self.level(*privilege),
            Move::Rondel(WalkRondel { steps, action, .. }) => self.walk(steps.get(), *action, true),
            Move::Travel(TravelRondel { steps, action, .. }) => {
                self.walk(steps.get(), *action, false) - TOKEN * self.later / 100 - 2
            }
            Move::Luck(PlayLuck { card }) => set.find_luck(card).map_or(0, |card| self.played(card)),
            Move::Income(_) | Move::Draw(_) | Move::Arrive(_) => 40,
            Move::Quarry(QuarryStone { position }) => self.quarry(usize::from(position.get()) - 1),
            Move::Carve(CarveStone { .. }) => {
                let price = self.act().map_or(0, |act| act.price(set.params.carve_cost));
                self.carving() - self.coins(price.into())
            }
            Move::Druid(PlaceDruid { area }) => {
                let price = self.state.druid_price(*area).unwrap_or(0);
                let price = self.act().map_or(price, |act| act.price(price));
                self.druid(*area) - self.coins(price.into())
            }
            Move::Install(InstallStone { stone, slot }) => {
                let found = set.find_stone(stone).zip(self.state.equipment.side().find(slot));
                let points = self.act().map_or(0, |act| i32::from(act.unit_victory_points));
                found.map_or(0, |(stone, slot)| {
                    let row = self.state.equipment.slot(slot);
                    self.install(stone, row, self.state.local(), points)
                })
            }
            Move::Done(_) => 0,
            Move::Discard(DiscardLuck { card }) => set.find_luck(card).map_or(0, |card| -self.keeping(card)),
            Move::Drop(DropBonus { card }) => set.find_bonus(card).map_or(0, |card| -self.bonus(card.index())),
            Move::Reward(TakeReward { tile }) => set.find_tile(tile).map_or(0, |tile| self.list(set[tile].effects)),
            Move::Choose(ChooseOption { option }) => self.option(usize::from(option.get()) - 1),
            Move::Track(AdvanceTrack { card }) => {
                let next = set.luck_track.get(usize::from(self.person.luck_steps));
                let gained = next.map_or(0, |list| self.list(*list)) + 6;
                gained - set.find_luck(card).map_or(0, |card| self.keeping(card))
            }
        }
    }

    /// The action under way.
    pub(crate) fn act(&self) -> Option<&Act> {
        match self.state.top() {
            Some(Frame::Action(act)) => Some(act),
            _ => None,
        }
    }

    fn option(&self, index: usize) -> i32 {
        let Some(Frame::Choose { list, at }) = self.state.top() else { return 0 };
        match self.state.equipment.effects(*list).get(usize::from(*at)) {
            Some(Effect::Choose { of }) => of.get(index).map_or(0, |list| self.list(*list)),
            _ => 0,
        }
    }

    /// A Luck card played now instead of kept.
    pub(crate) fn played(&self, card: LuckCard) -> i32 {
        let row = self.state.equipment.luck(card);
        let now = self.list(row.effects);
        match self.state.top() {
            // Before the move only what is needed: on foot most stops can be paid.
            Some(Frame::Move { .. }) => now - self.keeping(card) - 30,
            _ => now - self.keeping(card) - 2,
        }
    }

    /// A walk, or a journey by token: the price, the stones that advance, and what is then done.
    fn walk(&self, steps: u8, action: Action, on_foot: bool) -> i32 {
        let state = self.state;
        let (mut price, mut advance) = (0, 0);
        if let (true, Some(Frame::Move { free_steps, double_transport })) = (on_foot, state.top()) {
            price = state.walk_price(self.person, steps, *free_steps).unwrap_or(0);
            advance = state.walk_transport(steps, *double_transport);
        }
        let stop = state.equipment.set().rondel.ahead(state.pawn, steps);
        let local = state.equipment.area_of(stop);
        let coins = self.person.coins.saturating_sub(price);
        let on_the_way: i32 = self
            .person
            .stones
            .iter()
            .map(|held| {
                let left = state.equipment.stone(held.stone).transport.saturating_sub(held.at);
                self.advance(left.min(advance).into())
            })
            .sum();
        on_the_way - self.coins(price.into()) + self.action(action, local, coins, advance)
    }

    /// Returns the value of an action in an area with this number of coins.
    fn action(&self, action: Action, local: Area, coins: u16, advance: u8) -> i32 {
        let state = self.state;
        let set = state.equipment.set();
        let means = state.means_at(self.seat, action, local, coins, advance);
        match action {
            Action::Income => {
                let level = usize::from(self.person.level(Privilege::Coin));
                let gained = i32::from(set.privileges.coin.levels.get(level).copied().unwrap_or(0));
                // The poorer, the more it helps.
                let need = if coins < 6 {
                    18
                } else if coins < 12 {
                    4
                } else {
                    -12
                };
                self.coins(gained) + self.draws() + need * self.later / 100
            }
            Action::Luck => self.draws() * i32::from(set.params.luck_action_draws),
            Action::Arrive => {
                let left = |held: &super::super::state::Held| {
                    i32::from(state.equipment.stone(held.stone).transport.saturating_sub(held.at + advance))
                };
                self.person.stones.iter().map(|held| self.advance(left(held))).sum::<i32>()
            }
            Action::Quarry => {
                let level = usize::from(self.person.level(Privilege::Stone));
                let limit = set.privileges.stone.levels.get(level).map_or(1, |row| row.purchases);
                let mut offers: Vec<(i32, u16)> = means
                    .positions()
                    .filter_map(|position| {
                        let stone = state.quarry.get(position).copied().flatten()?;
                        let price = means.purchase(position).ok()?;
                        Some((self.bought(stone, means.act.start) - self.coins(price.into()), price))
                    })
                    .collect();
                offers.sort_unstable_by_key(|offer| std::cmp::Reverse(offer.0));
                let mut left = means.coins;
                let mut worth = -PLAYED;
                for (index, (offer, price)) in offers.into_iter().take(limit.into()).enumerate() {
                    if price <= left && (index == 0 || offer > 0) {
                        left -= price;
                        worth += offer;
                    }
                }
                worth + PLAYED
            }
            Action::Carve => {
                let price = means.act.price(set.params.carve_cost);
                let count = means.carvable().count() as i32;
                let affordable = means.coins.checked_div(price).map_or(count, |most| count.min(most.into()));
                affordable * (self.carving() - self.coins(price.into()))
            }
            Action::Druid => {
                let offers = means.areas().filter_map(|area| {
                    let (price, _) = means.druid(area).ok()?;
                    Some(self.druid(area) - self.coins(price.into()))
                });
                let best = offers.max().unwrap_or(0);
                let level = usize::from(self.person.level(Privilege::Druid));
                let count = set.privileges.druid.levels.get(level).map_or(1, |row| i32::from(row.druids));
                best + (count - 1) * (best / 2).max(0)
            }
            Action::Install => {
                let mut done: Vec<(StoneCard, u8, i32)> = Vec::new();
                for (stone, slot) in means.installs() {
                    let worth = self.install(stone, state.equipment.slot(slot), local, 0);
                    match done.iter_mut().find(|(other, ..)| *other == stone) {
                        Some(known) if worth > known.2 => *known = (stone, slot.0, worth),
                        Some(_) => {}
                        None => done.push((stone, slot.0, worth)),
                    }
                }
                // Two stones do not go into one slot; those that want the same count for less.
                let sum: i32 = done.iter().map(|(.., worth)| (*worth).max(0)).sum();
                let slots: std::collections::BTreeSet<u8> = done.iter().map(|(_, slot, _)| *slot).collect();
                if slots.len() < done.len() { sum * 3 / 4 } else { sum }
            }
        }
    }

    /// A purchase in the action under way.
    fn quarry(&self, position: usize) -> i32 {
        let Some(stone) = self.state.quarry.get(position).copied().flatten() else { return 0 };
        let row = self.state.equipment.stone(stone);
        let (price, start) = self.act().map_or((row.cost, 0), |act| (act.price(row.cost), act.start));
        self.bought(stone, start) - self.coins(price.into())
    }

    /// A stone set up: its points and the slot's, the level, less what it was worth before.
    fn install(&self, stone: StoneCard, row: &SlotRow, local: Area, unit: i32) -> i32 {
        let card = self.state.equipment.stone(stone);
        let icons = self.state.equipment.set().areas[local.index()].icons;
        let level = if icons.contains(&card.icon) { self.level(card.icon) } else { 0 };
        let held = self.person.held(stone);
        let before = held.map_or(0, |held| self.stone(held));
        // A carved stone in a slot that asks for none is wasted, an upright opens its lintel to all.
        10 * (i32::from(card.vp) + i32::from(row.vp) + unit) + level - before - 2
    }
}
