//! Reasons for good moves, in words: gains, actions in reach and points.
//!
//! Invariant: the names are those of the match's component set; of what is hidden only the seat's own is named.

use super::super::components::words::privilege;
use super::super::components::{Action, Area, LuckCard, Privilege};
use super::super::moves::{
    AdvanceTrack, CarveStone, ChooseSpring, DiscardLuck, DropBonus, FirstUpgrade, InstallStone, Move, PlaceDruid,
    PlayLuck, QuarryStone, RaiseLevel, TravelRondel, WalkRondel,
};
use super::super::state::Frame;
use super::worth::Worths;
use sarsen_rules::phrases::{counted, how_many};

impl Worths<'_> {
    /// The reason for a legal move.
    pub(crate) fn reason(&self, mv: &Move) -> Option<String> {
        let plain = |words: &str| Some(words.to_owned());
        let set = self.state.equipment.set();
        match mv {
            Move::Spring(ChooseSpring { card }) => {
                let worth = self.bonus(set.find_bonus(card)?.index());
                let best = self.person.offer.iter().map(|card| self.bonus(card)).max()?;
                (worth >= best).then(|| "Of the cards offered it seems the easiest to score with.".to_owned())
            }
            Move::Upgrade(FirstUpgrade { privilege }) | Move::Level(RaiseLevel { privilege }) => {
                self.why_raise(*privilege)
            }
            Move::Rondel(WalkRondel { steps, action, .. }) => {
                let (mut price, mut advance) = (0, 0);
                if let Some(Frame::Move { free_steps, double_transport }) = self.state.top() {
                    price = self.state.walk_price(self.person, steps.get(), *free_steps)?;
                    advance = self.state.walk_transport(steps.get(), *double_transport);
                }
                let cost = if price == 0 { String::new() } else { format!(" The walk costs {}.", coins(price)) };
                Some(format!("{}.{cost}", self.why_act(steps.get(), *action, price, advance)?))
            }
            Move::Travel(TravelRondel { steps, action, .. }) => {
                Some(format!("{}, for a travel token.", self.why_act(steps.get(), *action, 0, 0)?))
            }
            Move::Luck(PlayLuck { card }) => {
                let better = self.played(set.find_luck(card)?) > 0;
                better.then(|| "The card brings more now than it is worth in your hand.".to_owned())
            }
            Move::Income(_) | Move::Draw(_) | Move::Arrive(_) => plain("It is the action that you came for."),
            Move::Quarry(QuarryStone { position }) => {
                let stone = self.state.quarry.get(usize::from(position.get()) - 1).copied().flatten()?;
                let row = self.state.equipment.stone(stone);
                let price = self.act().map_or(row.cost, |act| act.price(row.cost));
                Some(format!("The stone scores {} once it is installed, and costs {}.", points(row.vp), coins(price)))
            }
            Move::Carve(CarveStone { .. }) => plain("Once carved, the stone fits slots that need a carved one."),
            Move::Druid(PlaceDruid { area }) => Some(self.why_druid(*area)),
            Move::Install(InstallStone { stone, slot }) => {
                let stone = self.state.equipment.stone(set.find_stone(stone)?);
                let slot = self.state.equipment.slot(self.state.equipment.side().find(slot)?);
                let unit = self.act().map_or(0, |act| act.unit_victory_points);
                let gained = points(stone.vp + slot.vp + unit);
                let icons = set.areas[self.state.local().index()].icons;
                Some(match icons.contains(&stone.icon) {
                    true => format!("It scores {gained} and raises the {} privilege.", privilege(set, stone.icon)),
                    false => format!("It scores {gained}."),
                })
            }
            Move::Done(_) => plain("Nothing else here is worth doing now."),
            Move::Discard(DiscardLuck { card }) | Move::Track(AdvanceTrack { card }) => {
                let worth = self.keeping(set.find_luck(card)?);
                let least = self.person.hand.iter().map(|card| self.keeping(LuckCard(card as u8))).min()?;
                (worth <= least).then(|| "No other card in your hand is worth less.".to_owned())
            }
            Move::Drop(DropBonus { card }) => {
                let worth = self.bonus(set.find_bonus(card)?.index());
                let spring = self.person.spring.iter().map(|card| card.index());
                let least = self.person.end_of_game_cards.iter().chain(spring).map(|card| self.bonus(card)).min()?;
                (worth <= least).then(|| "No other card that you could drop is likely to score less.".to_owned())
            }
            Move::Reward(_) | Move::Choose(_) => None,
        }
    }

    fn why_raise(&self, which: Privilege) -> Option<String> {
        let set = self.state.equipment.set();
        let (level, name) = (usize::from(self.person.level(which)), privilege(set, which));
        if self.person.level(which) >= set.privileges.top(which) {
            return Some(format!("The {name} privilege is at the end of its track, so you gain the end benefit."));
        }
        match which {
            Privilege::Coin => {
                let next = set.privileges.coin.levels.get(level + 1)?;
                Some(format!("Each Income then brings {}.", coins(*next)))
            }
            Privilege::Rondel => {
                let next = set.privileges.rondel.levels.get(level + 1)?;
                Some(match next {
                    1 => "The first step of each walk is then free.".to_owned(),
                    next => format!("The first {next} steps of each walk are then free."),
                })
            }
            Privilege::Luck | Privilege::Stone | Privilege::Druid => None,
        }
    }

    /// Returns what can be done where the pawn goes.
    fn why_act(&self, steps: u8, action: Action, price: u16, advance: u8) -> Option<String> {
        let state = self.state;
        let stop = state.equipment.set().rondel.ahead(state.pawn, steps);
        let left = self.person.coins.saturating_sub(price);
        let means = state.means_at(self.seat, action, state.equipment.area_of(stop), left, advance);
        let stones = |count: usize| counted(count as u64, "stone", "stones");
        // How many of them one may take is another question.
        let any_of = |count: usize| if count == 1 { "a stone".to_owned() } else { format!("any of {}", stones(count)) };
        match action {
            Action::Income => {
                let level = usize::from(self.person.level(Privilege::Coin));
                let gained = state.equipment.set().privileges.coin.levels.get(level)?;
                Some(format!("It brings {}, and you would have {} without it", coins(*gained), how_many(left)))
            }
            Action::Install => {
                let mut ready: Vec<_> = means.installs().map(|(stone, _)| stone).collect();
                ready.dedup();
                (!ready.is_empty()).then(|| format!("You can install {} there", any_of(ready.len())))
            }
            Action::Quarry => {
                let offers = means.positions().count();
                (offers > 0).then(|| format!("You can afford {} there with {}", any_of(offers), coins(left)))
            }
            Action::Carve => {
                let count = means.carvable().count();
                (count > 0).then(|| format!("You can carve {} there", any_of(count)))
            }
            Action::Druid => {
                let best = means.areas().max_by_key(|area| self.druid(*area))?;
                let name = &state.equipment.set().areas[best.index()].name;
                Some(format!("You can place a druid there, best at {name}"))
            }
            Action::Arrive => {
                let on_the_way =
                    |held: &&super::super::state::Held| held.at + advance < state.equipment.stone(held.stone).transport;
                let count = self.person.stones.iter().filter(on_the_way).count();
                (count > 0).then(|| format!("It delivers {}", stones(count)))
            }
            Action::Luck => Some("It brings Luck cards".to_owned()),
        }
    }

    fn why_druid(&self, area: Area) -> String {
        let state = self.state;
        let who = state.who(self.seat).chair;
        let own = |chair| state.paths[area.index()].iter().filter(|owner| **owner == chair).count();
        let mine = own(who) + 1;
        let ahead = state.table().filter(|chair| *chair != who && own(*chair) > mine).count();
        let name = &state.equipment.set().areas[area.index()].name;
        let druids = counted(mine as u64, "druid", "druids");
        match ahead {
            0 => format!("With {druids} at {name}, nobody is ahead of you there."),
            _ => format!("It gives you {druids} at {name}, and each druid on that path raises the value of its ranks."),
        }
    }
}

fn coins(count: u16) -> String {
    counted(count, "coin", "coins")
}

fn points(count: u16) -> String {
    counted(count, "point", "points")
}
