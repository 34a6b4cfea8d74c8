//! The frame of a turn: its beginning, its end (4.11), rounds and the end of the game (4.12).

use super::Machine;
use crate::henge::components::{Id, Pool, StoneCard, Tile};
use crate::henge::observation::HengeDeck;
use crate::henge::observation::events::{
    DeckReshuffled, EndTriggered, Event, LuckCardsSettled, QuarryRefilled, RewardsRefilled, RoundBegun, StoneLaid,
    StonesDelivered, TurnBegun,
};
use crate::henge::state::{Chair, EndCause, EndStep, Frame, State, Trigger, pool_index};
use sarsen_rules::Dice;

impl State {
    /// Returns whether quarry holes can be filled.
    fn can_refill_quarry(&self) -> bool {
        !self.stone_deck.is_empty() && self.quarry.iter().any(Option::is_none)
    }

    /// Returns whether chits of a pool can be laid.
    fn can_refill(&self, pool: Pool) -> bool {
        let chits = self.pool(pool);
        chits.face_up.len() < usize::from(self.equipment.set().params.reward_face_up)
            && !(chits.stack.is_empty() && chits.used.is_empty())
    }
}

impl Machine<'_> {
    /// A round begins with the first chair.
    pub(crate) fn begin_round(&mut self, number: u16) {
        self.state.round = number;
        self.emit(Event::RoundBegun(RoundBegun { number }));
        self.begin_turn(Chair::FIRST);
    }

    fn begin_turn(&mut self, chair: Chair) {
        self.state.turn = chair;
        let seat = self.state.seat_at(chair);
        self.emit(Event::TurnBegun(TurnBegun { chair, seat }));
        self.state.stack = match seat {
            Some(_) => vec![
                Frame::EndOfTurn { step: EndStep::Goal },
                Frame::Track,
                Frame::Move { free_steps: 0, double_transport: false },
            ],
            None => vec![Frame::EndOfTurn { step: EndStep::Quarry }, Frame::Hengebot],
        };
    }

    fn at_end_step(&mut self, next: EndStep) -> bool {
        if let Some(Frame::EndOfTurn { step }) = self.state.stack.last_mut() {
            *step = next;
        }
        true
    }

    /// One step of the end of a turn; whether there may be another before chance.
    pub(crate) fn end_step(&mut self, step: EndStep) -> bool {
        match step {
            EndStep::Goal => {
                if let Some(seat) = self.state.mover() {
                    self.test_goal(seat);
                }
                self.at_end_step(EndStep::Quarry)
            }
            EndStep::Quarry if self.state.can_refill_quarry() => false,
            EndStep::Quarry => self.after_quarry(),
            EndStep::Refill if [Pool::A, Pool::B].into_iter().any(|pool| self.state.can_refill(pool)) => false,
            EndStep::Refill => self.at_end_step(EndStep::Next),
            EndStep::Next => {
                self.state.stack.clear();
                self.next_turn();
                true
            }
        }
    }

    /// Quarry holes are filled in order (H-12).
    pub(crate) fn refill_quarry(&mut self, dice: &mut Dice) {
        let mut stones = Vec::new();
        for position in 0..self.state.quarry.len() {
            if self.state.quarry[position].is_none()
                && let Some(index) = self.state.stone_deck.draw(dice)
            {
                let stone = StoneCard(index as u8);
                self.state.quarry[position] = Some(stone);
                stones.push(StoneLaid { position: position as u8 + 1, stone: self.state.equipment.stone(stone).id });
            }
        }
        let left = self.state.stone_deck.len() as u8;
        self.emit(Event::QuarryRefilled(QuarryRefilled { stones, left }));
        self.after_quarry();
    }

    /// The refill that takes the last card triggers the end (H-44); then spent Luck cards join the discards.
    fn after_quarry(&mut self) -> bool {
        if self.state.stone_deck.is_empty() && self.state.trigger.is_none() {
            self.trigger(EndCause::Deck);
        }
        let piles = &mut self.state.luck;
        if !piles.spent.is_empty() {
            let count = piles.spent.len() as u8;
            let spent = std::mem::take(&mut piles.spent);
            piles.discards.extend(spent);
            self.emit(Event::LuckCardsSettled(LuckCardsSettled { count }));
        }
        self.at_end_step(EndStep::Refill)
    }

    /// Chits are refilled, A then B; used ones come back when a stack is empty (H-13).
    pub(crate) fn refill_chits(&mut self, dice: &mut Dice) {
        let face_up = usize::from(self.state.equipment.set().params.reward_face_up);
        let equipment = self.state.equipment.clone();
        let set = equipment.set();
        for (pool, deck) in [(Pool::A, HengeDeck::RewardsA), (Pool::B, HengeDeck::RewardsB)] {
            let mut tiles: Vec<Id> = Vec::new();
            while self.state.pool(pool).face_up.len() < face_up {
                let chits = &mut self.state.chits[pool_index(pool)];
                if chits.stack.is_empty() {
                    if chits.used.is_empty() {
                        break;
                    }
                    chits.stack = chits.used.drain(..).map(|tile| tile.index()).collect();
                    let left = chits.stack.len() as u8;
                    self.chits_laid(pool, &mut tiles);
                    self.emit(Event::DeckReshuffled(DeckReshuffled { deck, left }));
                    continue;
                }
                let Some(index) = chits.stack.draw(dice) else { break };
                chits.face_up.push(Tile(index as u8));
                tiles.push(set.rewards[index].id);
            }
            self.chits_laid(pool, &mut tiles);
        }
        self.at_end_step(EndStep::Next);
    }

    fn chits_laid(&mut self, pool: Pool, tiles: &mut Vec<Id>) {
        if !tiles.is_empty() {
            let left = self.state.pool(pool).stack.len() as u8;
            self.emit(Event::RewardsRefilled(RewardsRefilled { pool, tiles: std::mem::take(tiles), left }));
        }
    }

    fn trigger(&mut self, cause: EndCause) {
        let round = self.state.round;
        self.state.trigger = Some(Trigger { round, cause });
        self.emit(Event::EndTriggered(EndTriggered { round, cause }));
    }

    /// The next player; after the last one the next round, the last round, or the scoring (4.12, H-58, H-59).
    fn next_turn(&mut self) {
        if let Some(next) = self.state.turn.next(self.state.equipment.total) {
            self.begin_turn(next);
            return;
        }
        let round = self.state.round;
        if self.state.trigger.is_none() && round >= self.state.equipment.set().params.max_rounds {
            self.trigger(EndCause::RoundLimit);
        }
        match self.state.trigger {
            Some(trigger) if trigger.round < round => {
                self.state.stack.push(Frame::Scoring);
                return;
            }
            Some(_) => self.deliver(),
            None => {}
        }
        self.begin_round(round + 1);
    }

    /// All uninstalled stones arrive, once (H-45).
    fn deliver(&mut self) {
        let equipment = self.state.equipment.clone();
        for person in &mut self.state.people {
            for held in &mut person.stones {
                held.at = equipment.stone(held.stone).transport;
            }
        }
        let final_round = self.state.round + 1;
        self.emit(Event::StonesDelivered(StonesDelivered { final_round }));
    }
}
