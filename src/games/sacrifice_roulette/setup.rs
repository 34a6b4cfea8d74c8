//! The set-up: sacrifices by cards, and what is laid out once all of them lie (SR-02 to SR-10, SR-40).

use super::events::{BoulderSetUp, Event, Hand, HandsDealt, SacrificesSetUp, SeatSacrifices, TurnBegun};
use super::state::{DISKS, HAND, Pits, Player, Stage, State};
use crate::games::stonehenge::{Card, CardSet, Colour, Number, Pile, Stone};
use crate::rules::{Dice, SeatCount};

/// Deals ten cards to each seat and, with two seats, ten neutral number cards. Which trilithon card went where is
/// forgotten: only how many sacrifices are owed for them counts.
pub fn begin(seats: SeatCount, dice: &mut Dice) -> (State, Event) {
    let mut cards = Pile::shuffled(CardSet::ALL, dice);
    let (mut pits, mut players, mut shares) = (Pits::EMPTY, Vec::new(), Vec::new());
    for seat in seats.seats() {
        let dealt: CardSet = std::iter::from_fn(|| cards.draw()).take(usize::from(DISKS)).collect();
        let own: Vec<Stone> = dealt.iter().filter_map(Card::stone).collect();
        let colour = State::colour(seat);
        for pit in &own {
            pits.set(*pit, Some(colour));
        }
        let to_place = (dealt.len() - own.len()) as u8;
        players.push(Player { to_place, ..Player::default() });
        shares.push(SeatSacrifices { seat, colour, pits: own, to_place });
    }
    let mut neutral = Vec::new();
    if let Some(colour) = neutral_colour(seats) {
        let drawn = std::iter::from_fn(|| cards.draw()).filter_map(Card::stone).take(usize::from(DISKS));
        neutral = drawn.collect();
        neutral.sort_unstable_by_key(|pit| pit.index());
        for pit in &neutral {
            pits.set(*pit, Some(colour));
        }
    }
    let boulder_cards = cards.set().iter().filter(|card| !card.is_trilithon()).collect();
    let state = State {
        stage: Stage::Placing { boulder_cards },
        pits,
        boulder: None,
        marker: None,
        depletions: 0,
        turns: 0,
        falls: 0,
        deck: Pile::default(),
        discards: Pile::default(),
        reshuffles: Vec::new(),
        players,
    };
    (state, Event::SacrificesSetUp(SacrificesSetUp { seats: shares, neutral, boulder_cards }))
}

/// The colour of the neutral disks: with two seats the first that neither plays (SR-07).
fn neutral_colour(seats: SeatCount) -> Option<Colour> {
    (seats.get() == 2).then(|| Colour::PIECES[usize::from(seats.get())])
}

/// Draws the boulder's card. Setting trilithon cards aside leaves each number card equally likely (SR-09).
pub fn draw_boulder(state: &mut State, boulder_cards: CardSet, dice: &mut Dice) -> Vec<Event> {
    state.stage = Stage::Dealing;
    let drawn = dice.index(boulder_cards.len()).and_then(|index| boulder_cards.iter().nth(index));
    let drawn = drawn.and_then(|card| Some((card, card.number()?)));
    state.boulder = drawn.map(|(_, number)| number).or(Some(Number::in_column(0)));
    drawn.map(|(card, boulder)| Event::BoulderSetUp(BoulderSetUp { card, boulder })).into_iter().collect()
}

/// Shuffles all cards, deals the hands and draws the first seat.
pub fn deal(state: &mut State, dice: &mut Dice) -> Vec<Event> {
    state.deck = Pile::shuffled(CardSet::ALL, dice);
    let mut hands = Vec::new();
    for seat in state.count().seats() {
        let hand: CardSet = std::iter::from_fn(|| state.deck.draw()).take(usize::from(HAND)).collect();
        state.players[seat.index()].hand = hand;
        hands.push(Hand { seat, count: HAND, cards: Some(hand) });
    }
    let seats = state.count();
    let first = dice.index(usize::from(seats.get())).and_then(|index| seats.seats().nth(index));
    let dealt = Event::HandsDealt(HandsDealt { hands, deck_size: state.deck.len() as u8 });
    let begun = first.map(|seat| {
        state.stage = Stage::Turn(seat);
        state.turns = 1;
        Event::TurnBegun(TurnBegun { seat, turn: 1 })
    });
    std::iter::once(dealt).chain(begun).collect()
}
