//! The course of a match: the set-up, and what each accepted move and each chance step brings about, told by events.
//!
//! What the cards of a turn do up to a fall or to the first card drawn follows from public facts. A fall and drawing up
//! are chance steps, and only they end a match.

use super::events::{
    BoulderFell, BoulderRolled, BoulderSetUp, CardsDrawn, CardsRevealed, DeckDepleted, DeckReshuffled, Event,
    FallCardDrawn, Hand, HandsDealt, PitEmptied, SacrificePlaced, SacrificesSetUp, SeatSacrifices, TrilithonsPlayed,
    TurnBegun,
};
use super::legal;
use super::moves::{Ending, Move, Place, Reverse, Roll};
use super::state::{DISKS, HAND, Pits, Player, Reshuffle, Stage, State};
use super::track::between;
use crate::games::stonehenge::{Card, CardSet, Colour, Number, Pile, Stone};
use crate::rules::{Dice, Legal, Seat, SeatCount};

/// Deals ten cards to each seat and, with two seats, ten neutral number cards. Which trilithon card went where is
/// forgotten: only how many sacrifices are owed for them counts.
pub fn set_up(seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
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
    (state, vec![Event::SacrificesSetUp(SacrificesSetUp { seats: shares, neutral, boulder_cards })])
}

/// What an accepted move brings about, up to the next chance step or decision.
pub fn apply(state: &mut State, mv: &Legal<Move>) -> Vec<Event> {
    match mv.mv() {
        Move::Place(made) => vec![place(state, mv.seat(), *made)],
        Move::Roll(made) => roll(state, mv.seat(), made),
        Move::Reverse(made) => reverse(state, mv.seat(), *made),
    }
}

/// The chance step that is due.
pub fn resolve(state: &mut State, dice: &mut Dice) -> Vec<Event> {
    match state.stage {
        Stage::Placing { boulder_cards } => draw_boulder(state, boulder_cards, dice),
        Stage::Dealing => deal(state, dice),
        Stage::Falling(seat) => fall(state, seat, dice),
        Stage::Drawing(seat) => draw_up(state, seat, dice),
        Stage::Turn(_) | Stage::Over => Vec::new(),
    }
}

/// The colour of the neutral disks: with two seats the first that neither plays (SR-07).
fn neutral_colour(seats: SeatCount) -> Option<Colour> {
    (seats.get() == 2).then(|| Colour::PIECES[usize::from(seats.get())])
}

/// Draws the boulder's card. Setting trilithon cards aside leaves each number card equally likely (SR-09).
fn draw_boulder(state: &mut State, boulder_cards: CardSet, dice: &mut Dice) -> Vec<Event> {
    state.stage = Stage::Dealing;
    let drawn = dice.index(boulder_cards.len()).and_then(|index| boulder_cards.iter().nth(index));
    let drawn = drawn.and_then(|card| Some((card, card.number()?)));
    state.boulder = drawn.map(|(_, number)| number).or(Some(Number::in_column(0)));
    drawn.map(|(card, boulder)| Event::BoulderSetUp(BoulderSetUp { card, boulder })).into_iter().collect()
}

/// Shuffles all cards, deals the hands and draws the first seat.
fn deal(state: &mut State, dice: &mut Dice) -> Vec<Event> {
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

/// Places a sacrifice.
fn place(state: &mut State, seat: Seat, Place { pit }: Place) -> Event {
    state.pits.set(pit, Some(State::colour(seat)));
    let to_place = &mut state.players[seat.index()].to_place;
    *to_place = to_place.saturating_sub(1);
    Event::SacrificePlaced(SacrificePlaced { seat, pit, to_place: *to_place })
}

/// Plays one trilithon card alone (SR-32). A full hand without a number card can only be the five trilithon cards, so
/// everyone knows the rest of it afterwards.
fn reverse(state: &mut State, seat: Seat, Reverse { trilithon }: Reverse) -> Vec<Event> {
    let held = state.players[seat.index()].hand;
    let mut events = play_trilithons(state, seat, CardSet::EMPTY.with(trilithon));
    if held == Card::trilithons().collect() {
        let player = &mut state.players[seat.index()];
        player.known = player.hand;
        if let Some(Event::TrilithonsPlayed(played)) = events.last_mut() {
            played.known = player.hand;
        }
    }
    state.stage = Stage::Drawing(seat);
    events
}

/// Lays the cards of a roll in an order that brings its ending about.
fn roll(state: &mut State, seat: Seat, roll: &Roll) -> Vec<Event> {
    let found = state.boulder.and_then(|boulder| {
        let way = legal::way(roll, boulder, state.direction())?;
        Some((boulder, way, way.order(roll.cards, roll.ending)?))
    });
    let Some((mut boulder, way, mut order)) = found else { return Vec::new() };
    let mut events = play_trilithons(state, seat, roll.trilithons);
    let last = if roll.ending == Ending::Fall { order.pop() } else { None };
    for (index, card) in (0u8..).zip(order) {
        let to = way.number(index);
        lay(state, seat, card);
        let through = between(boulder, to, state.direction());
        events.push(Event::BoulderRolled(BoulderRolled { seat, card, from: boulder, through, to }));
        boulder = to;
    }
    state.boulder = Some(boulder);
    state.stage = Stage::Drawing(seat);
    if roll.ending != Ending::Stop {
        last.into_iter().for_each(|card| lay(state, seat, card));
        state.stage = Stage::Falling(seat);
        state.falls = state.falls.saturating_add(1);
        events.push(Event::BoulderFell(BoulderFell { seat, boulder, card: last, falls: state.falls }));
    }
    events
}

/// Takes a card from the hand and lays it on the discards (SR-34).
fn lay(state: &mut State, seat: Seat, card: Card) {
    take_from_hand(state, seat, card);
    state.discards.lay(card);
}

fn take_from_hand(state: &mut State, seat: Seat, card: Card) {
    let player = &mut state.players[seat.index()];
    player.hand.remove(card);
    player.known.remove(card);
}

/// One card turns the direction and is the marker or takes the marker away with it; two are discarded (SR-20, SR-23).
fn play_trilithons(state: &mut State, seat: Seat, cards: CardSet) -> Vec<Event> {
    let mut discarded: Vec<Card> = Vec::new();
    for card in cards.iter() {
        take_from_hand(state, seat, card);
    }
    let mut laid = cards.iter();
    match (laid.next(), laid.next(), state.marker) {
        (None, ..) => return Vec::new(),
        (Some(one), None, None) => state.marker = Some(one),
        (Some(one), None, Some(marker)) => {
            state.marker = None;
            discarded.extend([marker, one]);
        }
        (Some(_), Some(_), _) => discarded.extend(cards.iter()),
    }
    discarded.iter().for_each(|card| state.discards.lay(*card));
    let (direction, marker) = (state.direction(), state.marker);
    let known = CardSet::EMPTY;
    vec![Event::TrilithonsPlayed(TrilithonsPlayed { seat, cards, direction, marker, discarded, known })]
}

/// Draws the card for a fall and empties the pits that it means (SR-24, SR-25).
fn fall(state: &mut State, seat: Seat, dice: &mut Dice) -> Vec<Event> {
    state.stage = Stage::Drawing(seat);
    let (Some(boulder), Some(card)) = (state.boulder, state.deck.draw()) else { return Vec::new() };
    let pits = pits_meant(boulder, card);
    let drawn = FallCardDrawn { card, pits: pits.clone(), deck_size: state.deck.len() as u8 };
    let mut events = vec![Event::FallCardDrawn(drawn)];
    for pit in pits {
        let Some(colour) = state.pits.set(pit, None) else { continue };
        state.players[seat.index()].taken[colour as usize] += 1;
        let (owner, hand_limit) = (state.owner(colour), state.hand_limit(seat));
        events.push(Event::PitEmptied(PitEmptied { pit, colour, owner, taken_by: seat, hand_limit }));
    }
    state.discards.lay(card);
    if state.deck.is_empty() {
        deplete(state, &mut events, dice);
    }
    events
}

/// The pits of `boulder` that a card drawn for a fall means, night before day.
fn pits_meant(boulder: Number, card: Card) -> Vec<Stone> {
    let both = [false, true].into_iter().map(|day| Stone { number: boulder, day });
    both.filter(|pit| card.stone().is_none_or(|stone| stone.day == pit.day)).collect()
}

/// Draws up to the hand limit, through reshuffles if need be; then the next seat follows.
fn draw_up(state: &mut State, seat: Seat, dice: &mut Dice) -> Vec<Event> {
    let mut events = Vec::new();
    let limit = usize::from(state.hand_limit(seat));
    loop {
        let hand = &mut state.players[seat.index()].hand;
        let wanted = limit.saturating_sub(hand.len());
        let drawn: Vec<Card> = std::iter::from_fn(|| state.deck.draw()).take(wanted).collect();
        *hand = drawn.iter().copied().fold(*hand, CardSet::with);
        if !drawn.is_empty() {
            let (count, deck_size) = (drawn.len() as u8, state.deck.len() as u8);
            events.push(Event::CardsDrawn(CardsDrawn { seat, count, cards: Some(drawn), deck_size }));
        }
        if !state.deck.is_empty() {
            break;
        }
        deplete(state, &mut events, dice);
        if state.stage == Stage::Over {
            return events;
        }
    }
    let next = seat.next(state.count());
    state.stage = Stage::Turn(next);
    state.turns = state.turns.saturating_add(1);
    events.push(Event::TurnBegun(TurnBegun { seat: next, turn: state.turns }));
    events
}

/// The last card has left the deck (SR-28): the match ends, or the discards are shuffled into the new deck. With
/// nothing to shuffle it ends as at its last depletion (SR-33).
fn deplete(state: &mut State, events: &mut Vec<Event>, dice: &mut Dice) {
    let last = state.last_depletion();
    let depleted = |depletions| Event::DeckDepleted(DeckDepleted { depletions, last: depletions >= last });
    state.depletions += 1;
    events.push(depleted(state.depletions));
    if state.depletions < last && state.discards.is_empty() {
        state.depletions = last;
        events.push(depleted(last));
    }
    if state.depletions >= last {
        state.stage = Stage::Over;
        events.push(revealed(state));
        return;
    }
    let cards = state.discards.set();
    state.deck = Pile::shuffled(cards, dice);
    state.discards = Pile::default();
    state.reshuffles.push(Reshuffle(cards));
    events.push(Event::DeckReshuffled(DeckReshuffled { cards }));
}

fn revealed(state: &State) -> Event {
    let hand = |(seat, hand): (Seat, CardSet)| Hand { seat, count: hand.len() as u8, cards: Some(hand) };
    let hands = state.count().seats().zip(state.players.iter().map(|player| player.hand)).map(hand).collect();
    Event::CardsRevealed(CardsRevealed { hands, deck: state.deck.cards().iter().rev().copied().collect() })
}
