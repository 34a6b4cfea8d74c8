//! Positions for tests: a match in its first turn, with nothing dealt but what a test asks for.

use super::super::components::testing::sets;
use super::super::components::{Area, BonusCard, BotCard, Components, Id, LuckCard, Pool, Privilege, StoneCard};
use super::super::state::CardSet;
use super::super::state::Equipment;
use super::super::state::Frame;
use super::super::state::{Built, Held, Person, Stage};
use super::*;
use sarsen_rules::{Status, play};

/// A match and the dice it is played with.
pub(crate) struct Desk {
    pub(crate) game: Henge,
    pub(crate) state: State,
    pub(crate) dice: Dice,
}

pub(crate) fn id(text: &str) -> Id {
    Id::parse(text).unwrap()
}

impl Desk {
    /// Seat 0's first turn: the pawn on step 1, all cards in their decks, nobody owns anything but coins and a token.
    pub(crate) fn new(table: &str) -> Desk {
        Desk::with(&reference(), table)
    }

    /// The same with another set.
    pub(crate) fn with(set: &Components, table: &str) -> Desk {
        let seating = Seating::try_from(table.to_owned()).unwrap();
        let game = Henge::new(sets(&[set]));
        let mut state = State::bare(&seating, Equipment::new(set.clone(), seating.total()));
        state.stage = Stage::Play;
        Machine::new(&mut state).begin_round(1);
        Desk { game, state, dice: dice(1) }
    }

    /// The chair whose turn it is.
    pub(crate) fn turn(&self) -> u8 {
        self.state.turn.into()
    }

    pub(crate) fn person(&mut self, number: u8) -> &mut Person {
        self.state.person_mut(seat(number))
    }

    pub(crate) fn coins(mut self, number: u8, coins: u16) -> Desk {
        self.person(number).coins = coins;
        self
    }

    pub(crate) fn level(mut self, number: u8, privilege: Privilege, level: u8) -> Desk {
        self.person(number).levels[privilege.index()] = level;
        self
    }

    /// The pawn stands on this step.
    pub(crate) fn pawn(mut self, step: u8) -> Desk {
        self.state.pawn = super::super::components::Step(step - 1);
        self
    }

    pub(crate) fn stone(&self, text: &str) -> StoneCard {
        self.state.equipment.set().find_stone(&id(text)).unwrap()
    }

    pub(crate) fn luck(&self, text: &str) -> LuckCard {
        self.state.equipment.set().find_luck(&id(text)).unwrap()
    }

    pub(crate) fn bonus(&self, text: &str) -> BonusCard {
        self.state.equipment.set().find_bonus(&id(text)).unwrap()
    }

    /// Luck cards go from the deck to a hand.
    pub(crate) fn hand(mut self, number: u8, cards: &str) -> Desk {
        for card in cards.split_whitespace() {
            let card = self.luck(card);
            assert!(self.state.luck.deck.remove(card.index()), "{card:?} is not in the deck");
            self.person(number).hand.insert(card.index());
        }
        self
    }

    /// Only these Luck cards are left in the deck; the others are nowhere.
    pub(crate) fn luck_deck(mut self, cards: &str) -> Desk {
        self.state.luck.deck = cards.split_whitespace().map(|card| self.luck(card).index()).collect();
        self
    }

    pub(crate) fn holds(mut self, number: u8, stone: &str, at: u8, carved: bool) -> Desk {
        let stone = self.stone(stone);
        self.state.stone_deck.remove(stone.index());
        self.person(number).stones.push(Held { stone, at, carved });
        self
    }

    pub(crate) fn delivered(self, number: u8, stone: &str, carved: bool) -> Desk {
        let at = self.state.equipment.stone(self.stone(stone)).transport;
        self.holds(number, stone, at, carved)
    }

    /// A stone that the player on this chair has built; a person also has its card.
    pub(crate) fn built(mut self, chair: u8, slot: &str, stone: &str) -> Desk {
        let slot = self.state.equipment.side().find(&id(slot)).unwrap();
        let stone = self.stone(stone);
        self.state.stone_deck.remove(stone.index());
        self.state.slots[slot.index()] = Some(Built { chair: super::chair(chair), stone });
        if let Some(seat) = self.state.seat_at(super::chair(chair)) {
            self.state.person_mut(seat).installed.push(stone);
        }
        self
    }

    /// The quarry: ids, `-` for a hole.
    pub(crate) fn quarry(mut self, stones: &str) -> Desk {
        for (position, text) in stones.split_whitespace().enumerate() {
            let stone = (text != "-").then(|| self.stone(text));
            if let Some(stone) = stone {
                self.state.stone_deck.remove(stone.index());
            }
            self.state.quarry[position] = stone;
        }
        self
    }

    /// The druids of an area, each digit a chair.
    pub(crate) fn druids(mut self, area: u8, chairs: &str) -> Desk {
        let area = Area::try_from(area).unwrap();
        self.state.paths[area.index()] = chairs.bytes().map(|digit| super::chair(digit - b'0')).collect();
        self
    }

    /// A Spring card, with marks.
    pub(crate) fn spring(mut self, number: u8, card: &str, marks: u8) -> Desk {
        let card = self.bonus(card);
        let person = self.person(number);
        person.spring = Some(card);
        person.marks = marks;
        self
    }

    pub(crate) fn end_of_game_cards(mut self, number: u8, cards: &str) -> Desk {
        for card in cards.split_whitespace() {
            let card = self.bonus(card);
            self.state.end_of_game_deck.remove(card.index());
            self.person(number).end_of_game_cards.insert(card.index());
        }
        self
    }

    /// The chits face up in a pool; none are left in the stack.
    pub(crate) fn chits(mut self, pool: Pool, tiles: &str) -> Desk {
        let set = self.state.equipment.components().clone();
        let tiles: Vec<_> = tiles.split_whitespace().map(|tile| set.find_tile(&id(tile)).unwrap()).collect();
        let chits = &mut self.state.chits[super::super::state::pool_index(pool)];
        chits.stack = CardSet::default();
        chits.face_up = tiles;
        self
    }

    /// The Hengebot card drawn next.
    pub(crate) fn bot_card(mut self, card: &str) -> Desk {
        let index = self.state.equipment.set().hengebot.iter().position(|row| row.id == id(card)).unwrap();
        let all: CardSet = (0..self.state.equipment.set().hengebot.len()).collect();
        self.state.bots.deck = [index].into_iter().collect();
        self.state.bots.discards =
            all.iter().filter(|other| *other != index).map(|other| BotCard(other as u8)).collect();
        self
    }

    /// The seat to act.
    pub(crate) fn actor(&self) -> Seat {
        match self.state.status() {
            Status::ToAct(seats) => seats.first().unwrap(),
            other => panic!("nobody is to act: {other:?}"),
        }
    }

    /// Makes moves, one a line or separated by `;`, each by the seat to act; answers all events.
    pub fn play(&mut self, moves: &str) -> Vec<Event> {
        let mut events = Vec::new();
        for text in moves.split([';', '\n']).map(str::trim).filter(|text| !text.is_empty()) {
            let mv = self.game.parse(text).unwrap();
            let actor = self.actor();
            let played = play(&self.game, &mut self.state, actor, mv, &mut self.dice);
            events.extend(played.unwrap_or_else(|why| panic!("{text}: {why}; legal: {:?}", self.legal())).events);
        }
        events
    }

    /// The legal moves as text.
    pub(crate) fn legal(&self) -> Vec<String> {
        self.state.legal(self.actor()).iter().map(|mv| self.game.notation(mv)).collect()
    }

    pub(crate) fn allows(&self, text: &str) -> bool {
        let is_listed = self.legal().iter().any(|listed| listed == text);
        let mv = self.game.parse(text).unwrap();
        assert_eq!(is_listed, self.state.check(self.actor(), &mv).is_ok(), "{text}");
        is_listed
    }

    /// Code and ruling with which the move is refused.
    pub(crate) fn refusal(&self, text: &str) -> (&'static str, &'static str) {
        let refusal = self.state.check(self.actor(), &self.game.parse(text).unwrap()).unwrap_err();
        (refusal.code, refusal.rule)
    }

    /// Returns whether a move of the pawn is due.
    pub(crate) fn is_at_move(&self) -> bool {
        matches!(self.state.top(), Some(Frame::Move { .. }))
    }

    /// The listed moves that begin so.
    pub(crate) fn listed(&self, begin: &str) -> Vec<String> {
        self.legal().into_iter().filter(|text| text.starts_with(begin)).collect()
    }
}
