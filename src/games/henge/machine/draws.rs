//! Drawing Luck and Bonus cards (4.8, 4.9). Chance steps.

use super::Machine;
use crate::henge::components::{Id, Privilege};
use crate::henge::observation::HengeDeck;
use crate::henge::observation::events::{DeckReshuffled, EndOfGameCardsDrawn, Event, LuckCardsDrawn};
use crate::henge::state::{CardSet, Frame};
use sarsen_rules::{Dice, Seat};

impl Machine<'_> {
    /// One draw by the Luck level, read now (H-42); all cards are seen before one is discarded.
    pub(crate) fn draw_luck(&mut self, dice: &mut Dice) {
        let Some(Frame::LuckDraws { times }) = self.state.stack.last_mut() else { return };
        *times -= 1;
        let Some(seat) = self.state.mover() else { return };
        let levels = &self.state.equipment.set().privileges.luck.levels;
        let level = levels.get(usize::from(self.state.person(seat).level(Privilege::Luck))).copied();
        let (draw, keep) = level.map_or((0, 0), |level| (level.draw, level.draw.saturating_sub(level.discard)));
        let mut drawn = Vec::new();
        let mut all = 0;
        for _ in 0..draw {
            if self.state.luck.deck.is_empty() && !self.state.luck.discards.is_empty() {
                self.luck_drawn(seat, &mut drawn);
                let hands = self.state.people.iter().fold(CardSet::default(), |all, person| all.union(person.hand));
                let piles = &mut self.state.luck;
                piles.held = hands;
                piles.deck = piles.discards.drain(..).map(|card| card.index()).collect();
                let left = piles.deck.len() as u8;
                self.emit(Event::DeckReshuffled(DeckReshuffled { deck: HengeDeck::Luck, left }));
            }
            let Some(card) = self.state.luck.deck.draw(dice) else { break };
            self.state.person_mut(seat).hand.insert(card);
            drawn.push(card);
            all += 1;
        }
        self.luck_drawn(seat, &mut drawn);
        // A short deck does not shrink the gain (H-21).
        let left = u8::saturating_sub(all, keep);
        if left > 0 {
            self.state.stack.push(Frame::Discard { left });
        }
    }

    fn luck_drawn(&mut self, seat: Seat, drawn: &mut Vec<usize>) {
        if drawn.is_empty() {
            return;
        }
        let who = self.state.who(seat);
        let set = self.state.equipment.set();
        let cards: Vec<Id> = drawn.drain(..).map(|index| set.luck[index].id).collect();
        self.emit(Event::LuckCardsDrawn(LuckCardsDrawn {
            who,
            count: cards.len() as u8,
            cards: Some(cards),
            left: self.state.luck.deck.len() as u8,
        }));
    }

    /// One draw of end-of-game cards; of all Bonus cards held some are dropped (H-38).
    pub(crate) fn draw_bonus(&mut self, dice: &mut Dice) {
        let Some(Frame::BonusDraws { times }) = self.state.stack.last_mut() else { return };
        *times -= 1;
        let Some(seat) = self.state.mover() else { return };
        let equipment = self.state.equipment.clone();
        let params = &equipment.set().params;
        let mut drawn = Vec::new();
        let mut all = 0;
        for _ in 0..params.bonus_draw {
            if self.state.end_of_game_deck.is_empty() && !self.state.end_of_game_discards().is_empty() {
                self.bonus_drawn(seat, &mut drawn);
                self.state.end_of_game_deck = self.state.end_of_game_discards();
                for person in &mut self.state.people {
                    person.returned = std::mem::take(&mut person.dropped);
                    person.end_of_game_drawn = 0;
                }
                let left = self.state.end_of_game_deck.len() as u8;
                self.emit(Event::DeckReshuffled(DeckReshuffled { deck: HengeDeck::EndOfGame, left }));
            }
            let Some(card) = self.state.end_of_game_deck.draw(dice) else { break };
            let person = self.state.person_mut(seat);
            person.end_of_game_cards.insert(card);
            person.end_of_game_drawn = person.end_of_game_drawn.saturating_add(1);
            drawn.push(card);
            all += 1;
        }
        self.bonus_drawn(seat, &mut drawn);
        let left = u8::saturating_sub(all, params.bonus_draw.saturating_sub(params.bonus_discard));
        if left > 0 {
            self.state.stack.push(Frame::Drop { left });
        }
    }

    fn bonus_drawn(&mut self, seat: Seat, drawn: &mut Vec<usize>) {
        if drawn.is_empty() {
            return;
        }
        let who = self.state.who(seat);
        let set = self.state.equipment.set();
        let cards: Vec<Id> = drawn.drain(..).map(|index| set.bonus[index].id).collect();
        self.emit(Event::EndOfGameCardsDrawn(EndOfGameCardsDrawn {
            who,
            count: cards.len() as u8,
            cards: Some(cards),
            left: self.state.end_of_game_deck.len() as u8,
        }));
    }
}
