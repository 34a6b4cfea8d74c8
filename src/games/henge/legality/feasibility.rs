//! Feasible units of an action with given means: the actual ones in an action under way, or those that a
//! player can count on (4.2, 4.3).

use crate::henge::components::{
    Action, Area, Distance, Effect, LuckCard, Privilege, Size, Slot, StoneCard, StorageCounts,
};
use crate::henge::state::{Act, CardSet, Frame, Held, Person, State, Uses, limited};
use sarsen_rules::Seat;

/// The means of a player for the units of an action.
pub(crate) struct Means<'a> {
    state: &'a State,
    /// The seat that has the means.
    pub(crate) seat: Seat,
    /// The area of the action.
    pub(crate) local: Area,
    pub(crate) coins: u16,
    /// Steps that all uninstalled stones still advance.
    pub(crate) advance: u8,
    /// The action and what cards have made of it.
    pub(crate) act: Act,
}

/// The reason why a unit is not possible: the first obstacle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Obstacle {
    /// The action's limit is used up.
    LimitReached {
        /// True if a level gained since the action began would allow more.
        level_raised: bool,
    },
    /// The quarry has no such position.
    NoSuchPosition,
    /// No card lies at the position.
    EmptyPosition,
    /// As many stones are on their way as the player can store.
    StorageFull,
    /// The stone is not among the player's uninstalled ones.
    NotYours,
    /// It is carved already.
    AlreadyCarved,
    /// All druids have been placed.
    NoDruids,
    /// The stone is still in transit.
    InTransit,
    /// A stone stands there.
    SlotTaken,
    /// Too far from the pawn's area.
    OutOfReach,
    /// The path has no space left.
    PathFull,
    /// The stone has another size.
    WrongSize,
    /// The slot needs a carved stone.
    NotCarved {
        /// True if the slot takes the stone by the size exception only.
        size_ignored: bool,
    },
    /// An upright of the lintel is missing.
    UprightsMissing {
        /// True if the slot takes the stone by the size exception only.
        size_ignored: bool,
    },
    /// It costs more than the player has.
    CannotAfford { price: u16 },
}

/// The reason why an action cannot be begun: the first thing of its row of 4.2 that is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hindrance {
    /// As many stones are on their way as the player can store.
    StorageFull,
    /// No stone lies in the quarry.
    QuarryEmpty,
    /// No stone is uninstalled.
    NothingToCarve,
    /// All uninstalled stones are carved.
    AllCarved,
    /// All druids have been placed.
    NoDruids,
    /// No path in reach has a space left.
    PathsFull,
    /// No uninstalled stone is delivered.
    NothingDelivered,
    /// No slot is in reach.
    NoSlotInReach,
    /// No slot in reach is empty.
    NoEmptySlot,
    /// No empty slot in reach takes the size of a delivered stone.
    NoSizeFits,
    /// Those that do need carved stones.
    NoneCarved {
        /// True if they do so by the size exception only.
        size_ignored: bool,
    },
    /// All that is there costs more than the player has.
    CannotPay,
}

impl<'a> Means<'a> {
    /// The actual means of the player in an action under way.
    pub(crate) fn actual(state: &'a State, seat: Seat, act: &Act) -> Means<'a> {
        Means { state, seat, local: state.local(), coins: state.person(seat).coins, advance: 0, act: act.clone() }
    }

    fn person(&self) -> &'a Person {
        self.state.person(self.seat)
    }

    /// Adds what cards give for certain: their top-level `coins`, `coins_per` (counted now), `transport` and `mod`.
    pub(crate) fn count_on(&mut self, cards: impl Iterator<Item = LuckCard>) {
        let equipment = self.state.equipment.clone();
        for card in cards {
            self.count_on_effects(equipment.effects(equipment.luck(card).effects), true);
        }
    }

    /// Adds what effects give for certain; mods only where the card is played in this action.
    fn count_on_effects(&mut self, effects: &[Effect], with_mods: bool) {
        for effect in effects {
            match effect {
                Effect::Coins { n } => self.coins = self.coins.saturating_add(*n),
                Effect::CoinsPer { count, n, max } => {
                    let counted = self.state.count_of(self.seat, count);
                    self.coins = self.coins.saturating_add(limited(counted, *n, *max));
                }
                Effect::Transport { n: Distance::Steps(steps) } => self.advance = self.advance.saturating_add(*steps),
                Effect::Transport { n: Distance::End } => self.advance = u8::MAX,
                Effect::Mod { what, n } if with_mods => self.act.modify(*what, *n),
                _ => {}
            }
        }
    }

    /// Adds what effect lists that are still pending on the stack give for certain (4.3).
    pub(crate) fn count_on_pending(&mut self) {
        for frame in &self.state.stack {
            if let Frame::Effects { list, at } = frame {
                let effects = self.state.equipment.effects(*list);
                self.count_on_effects(effects.get(usize::from(*at)..).unwrap_or_default(), false);
            }
        }
    }

    /// Returns whether any unit is possible (the table of 4.2; Income and Luck always are, Arrive while not done).
    pub(crate) fn any(&self) -> bool {
        if !self.act.has_room() {
            return false;
        }
        match self.act.action {
            Action::Income | Action::Luck | Action::Arrive => true,
            Action::Quarry => self.positions().next().is_some(),
            Action::Carve => self.carvable().next().is_some(),
            Action::Druid => self.areas().next().is_some(),
            Action::Install => self.installs().next().is_some(),
        }
    }

    /// Returns what hinders the action; `None` if a unit of it is possible. Looks at what its own player sees, nothing else.
    pub(crate) fn hindrance(&self) -> Option<Hindrance> {
        if self.any() {
            return None;
        }
        let stones = &self.person().stones;
        let no_druids = || self.state.druids_left(self.state.chair_of(self.seat)) == 0;
        let has_space = |area: &Area| self.uses(&[*area]).is_some() && self.state.druid_price(*area).is_some();
        Some(match self.act.action {
            Action::Quarry if !self.has_storage() => Hindrance::StorageFull,
            Action::Quarry if self.state.quarry.iter().all(Option::is_none) => Hindrance::QuarryEmpty,
            Action::Carve if stones.is_empty() => Hindrance::NothingToCarve,
            Action::Carve if stones.iter().all(|held| held.carved) => Hindrance::AllCarved,
            Action::Druid if no_druids() => Hindrance::NoDruids,
            Action::Druid if !Area::ALL.iter().any(has_space) => Hindrance::PathsFull,
            Action::Install if !stones.iter().any(|held| self.is_delivered(held)) => Hindrance::NothingDelivered,
            Action::Install => self.misfit(),
            _ => Hindrance::CannotPay,
        })
    }

    /// Returns what hinders the stone and the slot that come nearest to each other. It is never a missing upright: that
    /// could be built instead, being of its lintel's size and areas.
    fn misfit(&self) -> Hindrance {
        let slots = || self.state.equipment.side().all().map(|(slot, _)| slot);
        let pairs = self.person().stones.iter().flat_map(|held| slots().map(move |slot| (held.stone, slot)));
        let obstacles: Vec<Obstacle> = pairs.filter_map(|(stone, slot)| self.install(stone, slot).err()).collect();
        // Carving is asked for after the size, and the size after the reach.
        if obstacles.contains(&Obstacle::NotCarved { size_ignored: false }) {
            Hindrance::NoneCarved { size_ignored: false }
        } else if obstacles.contains(&Obstacle::NotCarved { size_ignored: true }) {
            Hindrance::NoneCarved { size_ignored: true }
        } else if obstacles.contains(&Obstacle::WrongSize) {
            Hindrance::NoSizeFits
        } else if self.state.equipment.side().slots.iter().any(|row| self.uses(&row.areas).is_some()) {
            Hindrance::NoEmptySlot
        } else {
            Hindrance::NoSlotInReach
        }
    }

    fn affordable(&self, price: u16) -> Result<u16, Obstacle> {
        let price = self.act.price(price);
        if price <= self.coins { Ok(price) } else { Err(Obstacle::CannotAfford { price }) }
    }

    fn room(&self) -> Result<(), Obstacle> {
        if self.act.has_room() {
            return Ok(());
        }
        let now = self.state.main_action(self.seat, self.act.action).limit;
        Err(Obstacle::LimitReached { level_raised: now > self.act.limit })
    }

    /// Returns where a stone will be on its track.
    fn at(&self, held: &Held) -> u8 {
        held.at.saturating_add(self.advance).min(self.state.equipment.stone(held.stone).transport)
    }

    fn is_delivered(&self, held: &Held) -> bool {
        self.at(held) >= self.state.equipment.stone(held.stone).transport
    }

    /// Returns whether any own stone is still in transit (H-18).
    pub(crate) fn any_in_transit(&self) -> bool {
        self.person().stones.iter().any(|held| !self.is_delivered(held))
    }

    /// Returns whether another stone can be stored (4.5, H-23).
    fn has_storage(&self) -> bool {
        let set = self.state.equipment.set();
        let stored = match set.params.storage_counts {
            StorageCounts::InTransit => self.person().stones.iter().filter(|held| !self.is_delivered(held)).count(),
            StorageCounts::Uninstalled => self.person().stones.len(),
        };
        let level = usize::from(self.person().level(Privilege::Stone));
        let storage = set.privileges.stone.levels.get(level).map_or(0, |level| level.storage);
        stored < usize::from(storage.saturating_add(self.act.storage))
    }

    /// The price of the stone at a quarry position, counted from 0.
    pub(crate) fn purchase(&self, position: usize) -> Result<u16, Obstacle> {
        self.room()?;
        let position = self.state.quarry.get(position).ok_or(Obstacle::NoSuchPosition)?;
        let stone = position.ok_or(Obstacle::EmptyPosition)?;
        if !self.has_storage() {
            return Err(Obstacle::StorageFull);
        }
        self.affordable(self.state.equipment.stone(stone).cost)
    }

    /// The quarry positions that can be bought, counted from 0.
    pub(crate) fn positions(&self) -> impl Iterator<Item = usize> {
        (0..self.state.quarry.len()).filter(|position| self.purchase(*position).is_ok())
    }

    /// The price of carving a stone (H-25).
    pub(crate) fn carving(&self, stone: StoneCard) -> Result<u16, Obstacle> {
        self.room()?;
        let held = self.person().held(stone).ok_or(Obstacle::NotYours)?;
        if held.carved {
            return Err(Obstacle::AlreadyCarved);
        }
        self.affordable(self.state.equipment.set().params.carve_cost)
    }

    /// The stones that can be carved.
    pub(crate) fn carvable(&self) -> impl Iterator<Item = StoneCard> {
        self.person().stones.iter().map(|held| held.stone).filter(|stone| self.carving(*stone).is_ok())
    }

    /// The price of a druid in an area, and the allowance it uses.
    pub(crate) fn druid(&self, area: Area) -> Result<(u16, Uses), Obstacle> {
        self.room()?;
        if self.state.druids_left(self.state.chair_of(self.seat)) == 0 {
            return Err(Obstacle::NoDruids);
        }
        let uses = self.uses(&[area]).ok_or(Obstacle::OutOfReach)?;
        let price = self.state.druid_price(area).ok_or(Obstacle::PathFull)?;
        Ok((self.affordable(price)?, uses))
    }

    /// The areas where a druid can be placed.
    pub(crate) fn areas(&self) -> impl Iterator<Item = Area> {
        Area::ALL.into_iter().filter(|area| self.druid(*area).is_ok())
    }

    /// The allowance that a thing in these areas uses; `None` if it is out of reach (H-67).
    fn uses(&self, areas: &[Area]) -> Option<Uses> {
        self.act.uses(self.local, areas)
    }

    /// Returns whether a stone may be installed in a slot, and the allowance it uses (4.7).
    pub(crate) fn install(&self, stone: StoneCard, slot: Slot) -> Result<Uses, Obstacle> {
        self.room()?;
        let held = self.person().held(stone).ok_or(Obstacle::NotYours)?;
        if !self.is_delivered(held) {
            return Err(Obstacle::InTransit);
        }
        let row = self.state.equipment.side().slot(slot).ok_or(Obstacle::OutOfReach)?;
        if self.state.built(slot).is_some() {
            return Err(Obstacle::SlotTaken);
        }
        let uses = self.uses(&row.areas).ok_or(Obstacle::OutOfReach)?;
        let size = self.state.equipment.stone(stone).size;
        let size_ignored = !row.size.takes(size);
        if size_ignored && !self.state.ignores_size(size) {
            return Err(Obstacle::WrongSize);
        }
        if row.carved && !held.carved && self.act.as_carved == 0 {
            return Err(Obstacle::NotCarved { size_ignored });
        }
        if !self.state.uprights_stand(row) {
            return Err(Obstacle::UprightsMissing { size_ignored });
        }
        Ok(uses)
    }

    /// The stones that can be installed, each with its slots.
    pub(crate) fn installs(&self) -> impl Iterator<Item = (StoneCard, Slot)> {
        let delivered = self.person().stones.iter().filter(|held| self.is_delivered(held)).map(|held| held.stone);
        delivered.flat_map(move |stone| {
            let slots = self.state.equipment.side().all().map(|(slot, _)| slot);
            slots.filter(move |slot| self.install(stone, *slot).is_ok()).map(move |slot| (stone, slot))
        })
    }
}

impl State {
    /// Returns whether stones of this size may ignore size: on a side with the exception, if no empty slot anywhere takes it
    /// (H-32).
    pub(crate) fn ignores_size(&self, size: Size) -> bool {
        let side = self.equipment.side();
        side.size_exception && !side.all().any(|(slot, row)| row.size.takes(size) && self.built(slot).is_none())
    }

    /// The cards of a hand that may be played in this main action.
    pub(crate) fn playable(&self, hand: CardSet, action: Action) -> impl Iterator<Item = LuckCard> {
        let equipment = &self.equipment;
        hand.iter().map(|index| LuckCard(index as u8)).filter(move |card| equipment.luck(*card).plays_in(action))
    }

    /// Returns whether the action can be begun for certain (4.2): with these coins after walking, stones this much
    /// farther, and the cards of the hand. `local` is the area of the stop.
    pub(crate) fn feasible(&self, seat: Seat, action: Action, local: Area, coins: u16, advance: u8) -> bool {
        if action == Action::Arrive {
            let act = self.main_action(seat, action);
            return Means { state: self, seat, local, coins, advance, act }.any_in_transit();
        }
        self.means_at(seat, action, local, coins, advance).any()
    }

    /// Returns what a player can count on for an action at a stop in `local`.
    pub(crate) fn means_at(&self, seat: Seat, action: Action, local: Area, coins: u16, advance: u8) -> Means<'_> {
        let act = self.main_action(seat, action);
        let mut means = Means { state: self, seat, local, coins, advance, act };
        means.count_on(self.playable(self.person(seat).hand, action));
        means
    }

    /// Returns whether a card's certain effects can help a main action at all.
    pub(crate) fn counts_for(&self, card: LuckCard, action: Action) -> bool {
        let row = self.equipment.luck(card);
        let reckoned = |effect: &Effect| {
            matches!(
                effect,
                Effect::Coins { .. } | Effect::CoinsPer { .. } | Effect::Transport { .. } | Effect::Mod { .. }
            )
        };
        row.plays_in(action) && self.equipment.effects(row.effects).iter().any(reckoned)
    }
}
