//! Values of things to a seat, in tenths of a victory point.

use super::super::components::{
    Action, Area, Distance, Effect, List, LuckCard, ModKind, Pool, Privilege, Score, StoneCard, SubAction, Which,
};
use super::super::state::{Frame, Held, Person, State};
use crate::henge::components::Count;
use sarsen_rules::Seat;

const COINS: i32 = 30;
/// A Luck card to come.
const DRAW: i32 = 15;
/// A Bonus card to come.
const BONUS: i32 = 64;
pub(crate) const TOKEN: i32 = 38;
/// Ten steps of stones that are on their way.
const STEPS: i32 = 5;
/// The value that carving adds to a stone.
const CARVED: i32 = 22;
/// The likely gain from installing a stone beside its own points.
const SLOT: i32 = 25;

/// The worths in one state, for one seat.
pub(crate) struct Worths<'a> {
    pub(crate) state: &'a State,
    pub(crate) seat: Seat,
    pub(crate) person: &'a Person,
    /// In hundredths, how much of what serves later is still worth: less towards the end.
    pub(crate) later: i32,
}

impl Worths<'_> {
    pub(crate) fn new(state: &State, seat: Seat) -> Worths<'_> {
        let left = state.stone_deck.len() as i32;
        let later = match state.trigger {
            Some(_) if state.is_last_round() => 5,
            Some(_) => 30,
            None => (40 + left * 6).min(100),
        };
        Worths { state, seat, person: state.person(seat), later }
    }

    pub(crate) fn coins(&self, coins: i32) -> i32 {
        coins * COINS * (30 + self.later * 7 / 10) / 1000
    }

    /// A privilege a level higher.
    pub(crate) fn level(&self, privilege: Privilege) -> i32 {
        let set = self.state.equipment.set();
        if self.person.level(privilege) >= set.privileges.top(privilege) {
            return self.list(*set.privileges.end(privilege));
        }
        let worth = match privilege {
            Privilege::Coin => 22,
            Privilege::Druid => 30,
            Privilege::Stone => 32,
            Privilege::Rondel => 30,
            Privilege::Luck => 22,
        };
        worth * self.later / 100
    }

    /// A list of effects.
    pub(crate) fn list(&self, list: List) -> i32 {
        self.state.equipment.effects(list).iter().map(|effect| self.effect(effect)).sum()
    }

    fn effect(&self, effect: &Effect) -> i32 {
        match effect {
            Effect::Coins { n } => self.coins((*n).into()),
            Effect::CoinsPer { count, n, max } => {
                let coins = i32::from(self.counted(count)) * i32::from(*n);
                self.coins(coins.min(max.map_or(i32::MAX, i32::from)))
            }
            Effect::VpPer { count, n, max } => {
                10 * (i32::from(self.counted(count)) * i32::from(*n)).min(max.map_or(i32::MAX, i32::from))
            }
            Effect::Vp { n } => 10 * i32::from(*n),
            Effect::Luck { n } => i32::from(*n) * self.draws(),
            Effect::Bonus { n } => i32::from(*n) * (BONUS - 6 * self.person.end_of_game_cards.len().min(4) as i32),
            Effect::Travel { n } => i32::from(*n) * TOKEN * self.later / 100,
            Effect::Reward { pool: Pool::A } => 26,
            Effect::Reward { pool: Pool::B } => 42,
            Effect::Level { which: Which::Of(privilege) } => self.level(*privilege),
            Effect::Level { which: Which::Any } => {
                Privilege::ALL.into_iter().map(|privilege| self.level(privilege)).max().unwrap_or(0)
            }
            Effect::Transport { n } => self.transported(*n),
            Effect::Sub(sub) => match sub.action {
                SubAction::Carve if self.person.stones.iter().any(|held| !held.carved) => {
                    let price = self.state.equipment.set().params.carve_cost;
                    self.carving() - self.coins(price.saturating_sub(sub.discount).into())
                }
                SubAction::Carve => 0,
                SubAction::Druid => 30,
                SubAction::Quarry => 28,
                SubAction::Install => 35,
            },
            Effect::Choose { of } => of.iter().map(|list| self.list(*list)).max().unwrap_or(0),
            Effect::Mod { what, n } => self.modified(*what, i32::from(*n)),
        }
    }

    fn counted(&self, count: &Count) -> u16 {
        self.state.count_of(self.seat, count)
    }

    /// One draw at the Luck level.
    pub(crate) fn draws(&self) -> i32 {
        let level = usize::from(self.person.level(Privilege::Luck));
        let row = self.state.equipment.set().privileges.luck.levels.get(level);
        let (drawn, dropped) = row.map_or((1, 0), |row| (i32::from(row.draw), i32::from(row.discard)));
        (DRAW * (drawn - dropped) + 4 * dropped) * (40 + self.later * 6 / 10) / 100
    }

    fn transported(&self, n: Distance) -> i32 {
        let steps = |held: &Held| {
            let left = i32::from(self.state.equipment.stone(held.stone).transport.saturating_sub(held.at));
            match n {
                Distance::Steps(steps) => left.min(steps.into()),
                Distance::End => left,
            }
        };
        self.person.stones.iter().map(|held| self.advance(steps(held))).sum()
    }

    /// The value of this number of steps of one stone.
    pub(crate) fn advance(&self, steps: i32) -> i32 {
        steps * STEPS / 10
    }

    /// Returns what carving a stone is worth without its price.
    pub(crate) fn carving(&self) -> i32 {
        CARVED
    }

    /// A card that changes the action under way.
    fn modified(&self, what: ModKind, n: i32) -> i32 {
        let act = self.state.stack.iter().rev().find_map(|frame| match frame {
            Frame::Action(act) => Some(act),
            _ => None,
        });
        let installs = self.person.stones.iter().filter(|held| self.is_delivered(held)).count() as i32;
        match what {
            ModKind::FreeSteps => 12,
            ModKind::DoubleTransport => 6 * self.person.stones.len() as i32,
            ModKind::Discount => self.coins(n.min(6)),
            ModKind::Limit => 22,
            ModKind::Storage => 4,
            ModKind::Start => STEPS * n.min(4) / 10,
            ModKind::UnitVp => match act.map(|act| act.action) {
                Some(Action::Install) => 10 * n * installs.clamp(1, 3),
                _ => 10 * n,
            },
            ModKind::ReachAdjacent | ModKind::ReachRemote => 14 * n.min(2) * installs.clamp(1, 2) / 2,
            ModKind::AsCarved => 24,
            ModKind::AnyLevel => 18 * installs.clamp(1, 2),
        }
    }

    fn is_delivered(&self, held: &Held) -> bool {
        held.at >= self.state.equipment.stone(held.stone).transport
    }

    /// A Luck card in hand.
    pub(crate) fn keeping(&self, card: LuckCard) -> i32 {
        let row = self.state.equipment.luck(card);
        let now = self.list(row.effects).clamp(4, 50);
        // What fits everywhere is worth more than what waits for its action.
        let use_of = if row.plays_before_move() || row.when.len() == 1 && row.sub_ok { 30 } else { 40 };
        now * use_of * (40 + self.later * 6 / 10) / 10_000
    }

    /// A stone that is not yet installed.
    pub(crate) fn stone(&self, held: &Held) -> i32 {
        let row = self.state.equipment.stone(held.stone);
        let (left, way) = (i32::from(row.transport.saturating_sub(held.at)), i32::from(row.transport));
        let come = 10 * i32::from(row.vp) + SLOT;
        let share = if left == 0 { 62 } else { 52 + 14 * (way - left) / way.max(1) };
        let carved = if held.carved { CARVED } else { 0 };
        // What is still on its way near the end hardly arrives.
        let hope = if self.state.is_last_round() {
            30
        } else if left > 0 {
            55 + self.later * 45 / 100
        } else {
            100
        };
        (come * share / 100 + carved) * hope / 100
    }

    /// A stone as it would lie before the seat if it bought it.
    pub(crate) fn bought(&self, stone: StoneCard, at: u8) -> i32 {
        let row = self.state.equipment.stone(stone);
        let held = Held { stone, at: at.min(row.transport), carved: false };
        // The more stones wait already, the longer it takes.
        let waiting = self.person.stones.len() as i32;
        self.stone(&held) - 7 * waiting * waiting.min(3)
    }

    /// Returns what another druid in an area adds to the points for it, and the benefit that it brings.
    pub(crate) fn druid(&self, area: Area) -> i32 {
        let state = self.state;
        let who = state.who(self.seat).chair;
        let path = &state.equipment.side().paths[area.index()];
        let value = |druids: usize| i32::from(path.get(druids).or(path.last()).map_or(0, |space| space.value));
        let own = |chair| state.paths[area.index()].iter().filter(|owner| **owner == chair).count();
        let divisors = &state.equipment.set().params.rank_divisors;
        let points = |mine: usize, all: usize| {
            if mine == 0 {
                return 0;
            }
            // A tie goes to the druid farther along, which is the newest.
            let ahead = state.table().filter(|chair| *chair != who && own(*chair) > mine).count();
            divisors.get(ahead).map_or(0, |divisor| 10 * value(all) / i32::from((*divisor).max(1)))
        };
        let (mine, all) = (own(who), state.druids_on(area));
        // Others may still do something to it.
        let gained = (points(mine + 1, all + 1) - points(mine, all)) * 92 / 100;
        let nth = usize::from(state.placed(who));
        let track = state.equipment.set().druid_track.get(nth).map_or(0, |list| self.list(*list));
        gained.max(0) + track + 22 * self.later / 100
    }

    /// Returns what a Bonus card is likely to bring in the end beyond what it counts now.
    pub(crate) fn bonus(&self, card: usize) -> i32 {
        let now = 10 * i32::from(self.state.card_score(self.seat, card).points);
        let hope = match &self.state.equipment.set().bonus[card].score {
            Score::Goal { vp, .. } if self.person.marks == 0 => 4 * i32::from(*vp),
            Score::Goal { .. } => 0,
            Score::Tally { vp, max_marks, .. } => {
                4 * i32::from(*vp) * i32::from(max_marks.saturating_sub(self.person.marks))
            }
            Score::Per { vp, max, .. } => (6 * i32::from(*vp)).min(10 * max.map_or(8, i32::from) - now).max(0),
            Score::Table { values, .. } => (10 * i32::from(values.last().copied().unwrap_or(0)) - now).max(0) / 2,
        };
        now + hope * self.later / 100
    }

    /// All that is not yet points.
    pub(crate) fn of_holdings(&self) -> i32 {
        let person = self.person;
        let stones: i32 = person.stones.iter().map(|held| self.stone(held)).sum();
        let hand: i32 = person.hand.iter().map(|card| self.keeping(LuckCard(card as u8))).sum();
        let levels: i32 = person.levels.iter().map(|level| i32::from(*level) * 24 * self.later / 100).sum();
        let bonus: i32 = person
            .end_of_game_cards
            .iter()
            .chain(person.spring.iter().map(|card| card.index()))
            .map(|card| self.bonus(card) - 10 * i32::from(self.state.card_score(self.seat, card).points))
            .sum();
        let tokens = i32::from(person.travel_tokens) * TOKEN * self.later / 100;
        let luck = 6 * i32::from(person.luck_steps) * self.later / 100;
        stones + hand + levels + bonus + tokens + luck + self.coins(person.coins.into())
    }
}
