//! Carrying out a move that is legal: its direct consequences, before automatic frames run.

use super::Machine;
use super::tallies::Occurrence;
use crate::henge::components::{Distance, Effect, Id, LuckCard};
use crate::henge::moves::{
    AdvanceTrack, CarveStone, ChooseOption, ChooseSpring, DiscardLuck, DropBonus, FirstUpgrade, InstallStone, Move,
    PlaceDruid, PlayLuck, QuarryStone, RaiseLevel, TakeReward, TravelRondel, WalkRondel,
};
use crate::henge::observation::events::{
    BonusCardDropped, Event, FirstUpgradeTaken, LuckCardDiscarded, LuckCardGivenUp, LuckCardPlayed, OptionChosen,
    RewardTaken,
};
use crate::henge::observation::{HengeBonusDeck, HengeSource, SourceKind};
use crate::henge::state::{Frame, pool_index};
use sarsen_rules::Seat;

impl Machine<'_> {
    /// Carries out `mv`, which is legal. Names that fit nothing change nothing.
    pub(crate) fn act(&mut self, seat: Seat, mv: &Move) {
        let equipment = self.state.equipment.clone();
        let set = equipment.set();
        match mv {
            Move::Spring(ChooseSpring { card }) => self.choose_spring(seat, card),
            Move::Upgrade(FirstUpgrade { privilege }) => {
                let who = self.state.who(seat);
                let privilege = *privilege;
                self.state.upgrades.retain(|left| *left != privilege);
                self.emit(Event::FirstUpgradeTaken(FirstUpgradeTaken { who, privilege }));
                self.level_up(seat, privilege);
                self.next_upgrade(seat);
            }
            Move::Rondel(WalkRondel { steps, action, .. }) => self.walk(seat, steps.get(), *action),
            Move::Travel(TravelRondel { steps, action, .. }) => self.travel(seat, steps.get(), *action),
            Move::Luck(PlayLuck { card }) => {
                let Some(card) = set.find_luck(card) else { return };
                let who = self.state.who(seat);
                self.spend(seat, card);
                let row = equipment.luck(card);
                self.emit(Event::LuckCardPlayed(LuckCardPlayed { who, card: row.id }));
                self.push_list(row.effects);
            }
            Move::Income(_) => self.income(seat),
            Move::Draw(_) => {
                self.count_unit();
                self.state.stack.push(Frame::LuckDraws { times: set.params.luck_action_draws });
            }
            Move::Arrive(_) => {
                self.count_unit();
                self.transport(seat, Distance::End, HengeSource::of(SourceKind::Action));
            }
            Move::Quarry(QuarryStone { position }) => self.quarry(seat, usize::from(position.get()) - 1),
            Move::Carve(CarveStone { stone }) => {
                if let Some(stone) = set.find_stone(stone) {
                    self.carve(seat, stone);
                }
            }
            Move::Druid(PlaceDruid { area }) => self.place_druid(seat, *area),
            Move::Install(InstallStone { stone, slot }) => {
                if let (Some(stone), Some(slot)) = (set.find_stone(stone), self.state.equipment.side().find(slot)) {
                    self.install(seat, stone, slot);
                }
            }
            Move::Done(_) => {
                self.state.stack.pop();
            }
            Move::Discard(DiscardLuck { card }) => {
                let Some(card) = set.find_luck(card) else { return };
                let who = self.state.who(seat);
                self.spend(seat, card);
                self.count_down();
                let card = self.state.equipment.luck(card).id;
                self.emit(Event::LuckCardDiscarded(LuckCardDiscarded { who, card }));
            }
            Move::Drop(DropBonus { card }) => self.drop_bonus(seat, card),
            Move::Reward(TakeReward { tile }) => {
                let Some(tile) = set.find_tile(tile) else { return };
                let who = self.state.who(seat);
                let row = &set.rewards[tile.index()];
                let chits = &mut self.state.chits[pool_index(row.pool)];
                chits.face_up.retain(|other| *other != tile);
                chits.used.push(tile);
                self.state.stack.pop();
                self.emit(Event::RewardTaken(RewardTaken { who, tile: row.id }));
                self.push_list(row.effects);
            }
            Move::Level(RaiseLevel { privilege }) => {
                self.state.stack.pop();
                self.level_up(seat, *privilege);
            }
            Move::Choose(ChooseOption { option }) => self.choose(seat, option.get()),
            Move::Track(AdvanceTrack { card }) => {
                if let Some(card) = set.find_luck(card) {
                    self.track(seat, card);
                }
            }
        }
    }

    /// A Luck card leaves the hand for the spent pile (H-22).
    fn spend(&mut self, seat: Seat, card: LuckCard) {
        if self.state.person_mut(seat).hand.remove(card.index()) {
            self.state.luck.spent.push(card);
            self.state.luck.held.remove(card.index());
        }
    }

    /// One of several discards or drops is done.
    fn count_down(&mut self) {
        if let Some(Frame::Discard { left } | Frame::Drop { left }) = self.state.stack.last_mut() {
            *left -= 1;
        }
    }

    /// A Spring card leaves the game, an end-of-game card goes face down to the discards (H-39).
    fn drop_bonus(&mut self, seat: Seat, id: &Id) {
        let Some(card) = self.state.equipment.set().find_bonus(id) else { return };
        let who = self.state.who(seat);
        let person = self.state.person_mut(seat);
        let deck = if person.spring == Some(card) {
            person.spring = None;
            person.marks = 0;
            self.state.spring_dropped.push(card);
            HengeBonusDeck::Spring
        } else {
            person.end_of_game_cards.remove(card.index());
            person.dropped.insert(card.index());
            HengeBonusDeck::EndOfGame
        };
        self.count_down();
        self.emit(Event::BonusCardDropped(BonusCardDropped { who, deck, card: Some(*id) }));
    }

    fn choose(&mut self, seat: Seat, option: u8) {
        let source = self.source();
        let Some(Frame::Choose { list, at }) = self.state.stack.pop() else { return };
        let chosen = match self.state.equipment.effects(list).get(usize::from(at)) {
            Some(Effect::Choose { of }) => of.get(usize::from(option) - 1).copied(),
            _ => None,
        };
        let who = self.state.who(seat);
        self.emit(Event::OptionChosen(OptionChosen { who, option, source }));
        if let Some(list) = chosen {
            self.push_list(list);
        }
    }

    /// At most one card for the track; its benefit ends the turn (4.11).
    fn track(&mut self, seat: Seat, card: LuckCard) {
        let who = self.state.who(seat);
        self.spend(seat, card);
        self.state.stack.pop();
        let equipment = self.state.equipment.clone();
        let set = equipment.set();
        let person = self.state.person_mut(seat);
        let benefit = set.luck_track.get(usize::from(person.luck_steps)).copied();
        person.luck_steps += 1;
        let step = person.luck_steps;
        let card = self.state.equipment.luck(card).id;
        self.emit(Event::LuckCardGivenUp(LuckCardGivenUp { who, card, step }));
        self.tally(seat, Occurrence::Track);
        if let Some(list) = benefit {
            self.push_list(list);
        }
    }
}
