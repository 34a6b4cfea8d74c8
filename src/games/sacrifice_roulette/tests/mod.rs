//! The rulings as tests: a test whose name begins with `sr_07` shows the position of SR-07.

mod absent;
mod at_random;
mod ending;
mod falling;
mod golden;
mod hidden;
mod imagining;
mod lists;
mod rolling;
mod setting_up;
mod wire;

use super::state::{DISKS, HAND};
use super::*;
use crate::stonehenge::{Card, CardSet, Colour, Number, Pile, Stone};
use sarsen_rules::{
    Dice, DiceSeed, Notation, Rulebook, Rules, Seat, SeatCount, Secrets, Status, Verdict, Viewer, play, settle,
};

fn dice(seed: u32) -> Dice {
    let mut bytes = [7; 32];
    bytes[..4].copy_from_slice(&seed.to_le_bytes());
    Dice::new(DiceSeed(bytes))
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

fn seats(number: u8) -> SeatCount {
    SeatCount::new(number).unwrap()
}

fn number(number: u8) -> Number {
    Number::new(number).unwrap()
}

fn card(text: &str) -> Card {
    text.parse().unwrap()
}

fn pit(text: &str) -> Stone {
    text.parse().unwrap()
}

/// Cards in the order named, such as `D5 TW`.
fn row(text: &str) -> Vec<Card> {
    text.split_whitespace().map(card).collect()
}

fn cards(text: &str) -> CardSet {
    row(text).into_iter().collect()
}

fn without(all: CardSet, gone: &[CardSet]) -> CardSet {
    gone.iter().fold(all, |left, set| left.minus(*set))
}

/// A position to be described card by card; what is left open is filled up.
struct Table {
    seats: u8,
    boulder: u8,
    /// Hands from seat 0 on; those not named are filled up from the rest of the cards.
    hands: Vec<&'static str>,
    /// The next cards of the deck, the next one first.
    deck: &'static str,
    /// The number of cards in the deck, the named ones included; the other cards are discards.
    deck_size: Option<usize>,
    marker: Option<&'static str>,
    depletions: u8,
    /// Disks in pits that matter: all others are filled in board order, from the far end of the ring.
    pits: Vec<(&'static str, u8)>,
}

impl Table {
    fn new(seats: u8, boulder: u8, hand: &'static str) -> Table {
        let (deck, deck_size, marker) = ("", None, None);
        Table { seats, boulder, hands: vec![hand], deck, deck_size, marker, depletions: 0, pits: Vec::new() }
    }

    /// The state in which seat 0 is to play.
    fn state(&self) -> State {
        let (mut state, _) = SacrificeRoulette.setup(&Options {}, seats(self.seats), &mut dice(0));
        state.pits = self.pits();
        for player in &mut state.players {
            *player = Player::default();
        }
        state.boulder = Some(number(self.boulder));
        state.stage = Stage::Turn(seat(0));
        state.turns = 1;
        state.depletions = self.depletions;
        state.marker = self.marker.map(card);
        let hands: Vec<CardSet> = self.hands.iter().map(|hand| cards(hand)).collect();
        let mut rest = without(CardSet::ALL, &hands).minus(cards(self.deck));
        rest = rest.minus(state.marker.into_iter().collect());
        let mut rest: Vec<Card> = rest.iter().collect();
        for index in 0..usize::from(self.seats) {
            let filled = || rest.split_off(rest.len() - usize::from(HAND)).into_iter().collect();
            state.players[index].hand = hands.get(index).copied().unwrap_or_else(filled);
        }
        let mut deck: Vec<Card> = row(self.deck).into_iter().rev().collect();
        let more = self.deck_size.map_or(rest.len(), |size| size - deck.len());
        deck.splice(0..0, rest.drain(..more));
        state.deck = Pile::in_order(deck).unwrap();
        state.discards = Pile::in_order(rest).unwrap();
        conserved(&state);
        state
    }

    fn pits(&self) -> Pits {
        let mut pits = Pits::EMPTY;
        for (name, owner) in &self.pits {
            pits.set(pit(name), Some(Colour::PIECES[usize::from(*owner)]));
        }
        let colours = if self.seats == 2 { 3 } else { self.seats };
        let named: Vec<Stone> = self.pits.iter().map(|(name, _)| pit(name)).collect();
        // The numbers where falls are tried stay free.
        let free = Stone::all().filter(|pit| !named.contains(pit) && ![5, 11, 9].contains(&pit.number.get()));
        let mut free: Vec<Stone> = free.collect();
        for colour in Colour::PIECES.into_iter().take(usize::from(colours)) {
            while pits.count(colour) < DISKS {
                pits.set(free.pop().unwrap(), Some(colour));
            }
        }
        pits
    }
}

/// Makes these moves, each by the seat to act, and answers the last events.
fn make(state: &mut State, moves: &[&str]) -> Vec<Event> {
    let mut events = Vec::new();
    for text in moves {
        let actor = state.actor().unwrap_or_else(|| panic!("nobody is to act before {text}"));
        let mv = SacrificeRoulette.parse(text).unwrap();
        events = play(&SacrificeRoulette, state, actor, mv, &mut dice(1))
            .unwrap_or_else(|why| panic!("{text}: {why}"))
            .events;
        conserved(state);
    }
    events
}

/// The legal moves of the seat to act.
fn listed(state: &State) -> Vec<String> {
    let legal = SacrificeRoulette.legal_moves(state, state.actor().unwrap());
    legal.moves.iter().map(|mv| SacrificeRoulette.notation(mv)).collect()
}

/// The code, rule and field with which this move is refused to the seat to act.
fn refusal(state: &State, text: &str) -> (&'static str, &'static str, &'static str) {
    let mv = SacrificeRoulette.parse(text).unwrap();
    let refusal = SacrificeRoulette.check(state, state.actor().unwrap(), &mv).unwrap_err();
    assert!(!listed(state).contains(&text.to_owned()), "{text} is listed");
    (refusal.code, refusal.rule, refusal.field.unwrap_or("-"))
}

/// The rule with which a seat that is not to act is refused.
fn out_of_turn(state: &State, number: u8) -> &'static str {
    let mv = SacrificeRoulette.parse("place N7").unwrap();
    let refusal = SacrificeRoulette.check(state, seat(number), &mv).unwrap_err();
    assert_eq!((refusal.code, refusal.field), ("not_your_turn", None));
    refusal.rule
}

/// Returns what was laid and where it took the boulder.
fn rolled(events: &[Event]) -> Vec<(String, u8)> {
    let rolls = events.iter().filter_map(|event| match event {
        Event::BoulderRolled(rolled) => Some((rolled.card.to_string(), rolled.to.get())),
        _ => None,
    });
    rolls.collect()
}

/// Returns where it fell and by which card.
fn fell(events: &[Event]) -> Option<(u8, Option<Card>)> {
    events.iter().find_map(|event| match event {
        Event::BoulderFell(fell) => Some((fell.boulder.get(), fell.card)),
        _ => None,
    })
}

/// Each of 65 cards in one place from the deal on; ten disks a colour that plays; a deck while somebody is to act.
fn conserved(state: &State) {
    let mut held: Vec<Card> = state.players.iter().flat_map(|player| player.hand.iter()).collect();
    held.extend(state.deck.cards());
    held.extend(state.discards.cards());
    held.extend(state.marker);
    held.sort_unstable();
    if matches!(state.stage, Stage::Placing { .. }) {
        assert!(held.is_empty() && state.boulder.is_none());
    } else {
        assert!(held.into_iter().eq(Card::all()), "a card is lost or doubled");
        assert!(state.boulder.is_some());
    }
    for (index, colour) in Colour::PIECES.into_iter().enumerate() {
        let taken: u8 = state.players.iter().map(|player| player.taken[index]).sum();
        let to_place = state.players.get(index).map_or(0, |player| player.to_place);
        let plays = index < state.players.len() || (index == 2 && state.players.len() == 2);
        assert_eq!(state.pits.count(colour) + taken + to_place, if plays { DISKS } else { 0 }, "{colour:?}");
    }
    assert!(state.marker.is_none_or(Card::is_trilithon));
    if let Stage::Turn(seat) = state.stage {
        assert!(!state.deck.is_empty() && state.depletions < state.last_depletion());
        assert!(state.players.iter().all(|player| player.known.is_within(player.hand)));
        assert!(state.count().contains(seat));
    }
}

#[test]
fn every_point_has_its_ruling() {
    let rules = Rulebook::read(SacrificeRoulette::INFO.rules);
    let ids: Vec<&str> = rules.rulings().iter().map(|ruling| ruling.id).collect();
    let expected: Vec<String> = (1..=40).map(|number| format!("SR-{number:02}")).collect();
    assert_eq!(ids, expected);
}
