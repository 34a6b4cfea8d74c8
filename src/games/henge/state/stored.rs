//! Reading a stored state. One that does not fit its component set is refused, so that indices may be trusted.

use serde::de::Error;

use super::cards::CardSet;
use super::{Chair, Frame, Person, State, StoredEquipment};
use crate::henge::components::{ComponentSets, Privilege};

impl State<StoredEquipment> {
    /// The state that is meant, with the sets there are.
    ///
    /// # Errors
    /// If its set is not among them, or it does not fit its set.
    pub(crate) fn open(self, sets: &ComponentSets) -> Result<State, serde_json::Error> {
        let equipment = self.equipment.open(sets).map_err(serde_json::Error::custom)?;
        let state = State {
            equipment,
            chairs: self.chairs,
            stage: self.stage,
            round: self.round,
            turn: self.turn,
            pawn: self.pawn,
            trigger: self.trigger,
            people: self.people,
            slots: self.slots,
            paths: self.paths,
            quarry: self.quarry,
            stone_deck: self.stone_deck,
            luck: self.luck,
            end_of_game_deck: self.end_of_game_deck,
            spring_dropped: self.spring_dropped,
            chits: self.chits,
            travel_supply: self.travel_supply,
            bots: self.bots,
            upgrades: self.upgrades,
            stack: self.stack,
        };
        match state.fault() {
            None => Ok(state),
            Some(fault) => Err(serde_json::Error::custom(fault)),
        }
    }
}

/// Returns whether all cards are below `count`.
fn below(cards: CardSet, count: usize) -> bool {
    cards.iter().all(|card| card < count)
}

impl State {
    /// Returns what does not fit the component set.
    fn fault(&self) -> Option<&'static str> {
        let (set, side) = (self.equipment.set(), self.equipment.side());
        let total = usize::from(self.equipment.total);
        let seats = self.chairs.iter().flatten().map(|seat| seat.index());
        if self.chairs.len() != total || self.people.is_empty() || !seats.eq(0..self.people.len()) {
            return Some("the chairs are not those of the people");
        }
        if self.turn.index() >= total || self.bots.carve_token_up.len() != total {
            return Some("a chair is not at the table");
        }
        if self.pawn.index() >= set.rondel.steps.len() {
            return Some("the pawn is off the rondel");
        }
        let built = self.slots.iter().flatten();
        if self.slots.len() != side.slots.len() || !built.clone().all(|built| built.chair.index() < total) {
            return Some("the slots are not those of the board side");
        }
        let owners = self.paths.iter().flatten();
        let fits = |(path, spaces): (&Vec<Chair>, &Vec<_>)| path.len() < spaces.len();
        if !owners.clone().all(|chair| chair.index() < total) || !self.paths.iter().zip(&side.paths).all(fits) {
            return Some("the druids do not fit the paths");
        }
        let stones = built.map(|built| built.stone).chain(self.quarry.iter().flatten().copied());
        let luck = self.luck.discards.iter().chain(&self.luck.spent);
        let tiles = self.chits.iter().flat_map(|chits| chits.face_up.iter().chain(&chits.used));
        let cards_fit = below(self.stone_deck, set.stones.len())
            && stones.map(|stone| stone.index()).all(|index| index < set.stones.len())
            && below(self.luck.deck.union(self.luck.held), set.luck.len())
            && luck.map(|card| card.index()).all(|index| index < set.luck.len())
            && below(self.end_of_game_deck, set.bonus.len())
            && self.spring_dropped.iter().all(|card| card.index() < set.bonus.len())
            && self.chits.iter().all(|chits| below(chits.stack, set.rewards.len()))
            && tiles.map(|tile| tile.index()).all(|index| index < set.rewards.len())
            && below(self.bots.deck, set.hengebot.len())
            && self.bots.discards.iter().all(|card| card.index() < set.hengebot.len());
        let lists = self.stack.iter().filter_map(Frame::list);
        if !lists.map(|list| list.index()).all(|index| index < set.lists.len()) {
            return Some("an effect list is not in the component set");
        }
        if !cards_fit || !self.people.iter().all(|person| self.fits(person)) {
            return Some("a card is not in the component set");
        }
        None
    }

    fn fits(&self, person: &Person) -> bool {
        let set = self.equipment.set();
        let bonus = [person.offer, person.refused, person.end_of_game_cards, person.dropped, person.returned];
        let stones = person.stones.iter().map(|held| held.stone).chain(person.installed.iter().copied());
        below(person.hand, set.luck.len())
            && bonus.into_iter().all(|cards| below(cards, set.bonus.len()))
            && person.spring.is_none_or(|card| card.index() < set.bonus.len())
            && stones.map(|stone| stone.index()).all(|index| index < set.stones.len())
            && Privilege::ALL.iter().all(|privilege| person.level(*privilege) <= set.privileges.top(*privilege))
    }
}
