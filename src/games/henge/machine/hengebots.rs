//! Hengebots (section 5): a drawn card, a walk to the next step with one of its icons, and what that step lets them do.

use super::Machine;
use crate::henge::components::{Action, BotCard, Slot, SlotKind, SlotRow, Step, StoneCard};
use crate::henge::observation::HengeDeck;
use crate::henge::observation::events::{
    DeckReshuffled, Event, HengebotDidNothing, HengebotDruidPlaced, HengebotMoved, HengebotStoneInstalled,
};
use crate::henge::state::{Built, Chair, Frame, State};
use sarsen_rules::Dice;

impl Machine<'_> {
    /// The whole turn but for its end. The pawn moves at least one step, without cost or transport (H-48).
    pub(crate) fn bot_turn(&mut self, dice: &mut Dice) {
        self.state.stack.retain(|frame| !matches!(frame, Frame::Hengebot));
        let piles = &mut self.state.bots;
        if piles.deck.is_empty() {
            piles.deck = piles.discards.drain(..).map(|card| card.index()).collect();
            let left = piles.deck.len() as u8;
            self.emit(Event::DeckReshuffled(DeckReshuffled { deck: HengeDeck::Hengebot, left }));
        }
        let Some(index) = self.state.bots.deck.draw(dice) else { return };
        self.state.bots.discards.push(BotCard(index as u8));
        let equipment = self.state.equipment.clone();
        let row = &equipment.set().hengebot[index];
        let chair = self.state.turn;
        let from = self.state.pawn;
        let rondel = &equipment.set().rondel;
        let icons = |step: Step| equipment.actions_of(step);
        let shows = |steps: &u8| icons(rondel.ahead(from, *steps)).iter().any(|action| row.icons.contains(action));
        let steps = (1..=rondel.len()).find(shows).unwrap_or(1);
        let to = rondel.ahead(from, steps);
        let there = icons(to);
        self.state.pawn = to;
        // With any card, arriving on Carve first flips the token up (H-50).
        let token = &mut self.state.bots.carve_token_up[chair.index()];
        *token |= there.contains(&Action::Carve);
        let carve_token_up = *token;
        let left = self.state.bots.deck.len() as u8;
        let (from, to) = (from.number(), to.number());
        self.emit(Event::HengebotMoved(HengebotMoved { chair, card: row.id, from, to, steps, carve_token_up, left }));
        // The first printed icon with an effect (H-49).
        let mut icons = row.icons.iter().filter(|icon| there.contains(icon));
        if !icons.any(|icon| self.bot_action(chair, *icon)) {
            self.emit(Event::HengebotDidNothing(HengebotDidNothing { chair }));
        }
    }

    /// Returns whether the action had an effect.
    fn bot_action(&mut self, chair: Chair, action: Action) -> bool {
        match action {
            Action::Druid => self.bot_druid(chair),
            Action::Install => self.bot_install(chair),
            _ => false,
        }
    }

    /// Free, local, without benefit (H-51).
    fn bot_druid(&mut self, chair: Chair) -> bool {
        let area = self.state.local();
        if self.state.druids_left(chair) == 0 || self.state.druid_price(area).is_none() {
            return false;
        }
        self.state.paths[area.index()].push(chair);
        self.emit(Event::HengebotDruidPlaced(HengebotDruidPlaced { chair, area }));
        true
    }

    fn bot_install(&mut self, chair: Chair) -> bool {
        let token = self.state.bots.carve_token_up[chair.index()];
        let choice = if token { self.state.bot_carved() } else { None }.or_else(|| self.state.bot_plain());
        let Some((position, stone, slot)) = choice else { return false };
        self.state.quarry[position] = None;
        self.state.slots[slot.index()] = Some(Built { chair, stone });
        self.state.bots.carve_token_up[chair.index()] = false;
        self.emit(Event::HengebotStoneInstalled(HengebotStoneInstalled {
            chair,
            stone: self.state.equipment.stone(stone).id,
            position: position as u8 + 1,
            slot: self.state.equipment.slot(slot).id,
        }));
        true
    }
}

impl State {
    /// The empty local slots that a Hengebot may fill, in file order: border slots too, lintels on standing uprights.
    fn bot_slots(&self) -> impl Iterator<Item = (Slot, &SlotRow)> {
        let local = self.local();
        let side = self.equipment.side();
        side.all()
            .filter(move |(slot, row)| row.touches(local) && self.built(*slot).is_none() && self.uprights_stand(row))
    }

    /// The lowest quarry position with a stone of a slot's size; no exception (H-53).
    fn matching(&self, row: &SlotRow) -> Option<(usize, StoneCard)> {
        let mut stones = self.quarry.iter().enumerate().filter_map(|(at, stone)| Some((at, (*stone)?)));
        stones.find(|(_, stone)| row.size.takes(self.equipment.stone(*stone).size))
    }

    /// With the token up: slots needing carving, by higher points, lintels first, then in file order (H-52).
    fn bot_carved(&self) -> Option<(usize, StoneCard, Slot)> {
        let mut slots: Vec<(Slot, &SlotRow)> = self.bot_slots().filter(|(_, row)| row.carved).collect();
        slots.sort_by_key(|(_, row)| (std::cmp::Reverse(row.vp), row.kind != SlotKind::Lintel));
        slots.into_iter().find_map(|(slot, row)| self.matching(row).map(|(at, stone)| (at, stone, slot)))
    }

    /// Otherwise: the lowest position that matches a slot not needing carving, the first such slot (H-52).
    fn bot_plain(&self) -> Option<(usize, StoneCard, Slot)> {
        self.quarry.iter().enumerate().find_map(|(at, stone)| {
            let stone = (*stone)?;
            let size = self.equipment.stone(stone).size;
            let slot = self.bot_slots().find(|(_, row)| !row.carved && row.size.takes(size));
            slot.map(|(slot, _)| (at, stone, slot))
        })
    }
}
