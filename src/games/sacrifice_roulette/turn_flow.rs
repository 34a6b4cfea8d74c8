//! The turn flow of a match: the set-up, and what each accepted move and each chance step brings about, told by events.
//!
//! The effects of a turn's cards follow from public facts, up to a fall or to the first card drawn. Falls and draws are
//! chance steps, and only they end a match.

use super::events::{
    BoulderFell, BoulderRolled, BoulderSetUp, CardsDrawn, CardsRevealed, DeckDepleted, DeckReshuffled, Event,
    FallCardDrawn, Hand, HandsDealt, PitEmptied, SacrificePlaced, SacrificesSetUp, SeatSacrifices, TrilithonsPlayed,
    TurnBegun,
};
use super::moves::{Ending, Move, Place, Reverse, Roll};
use super::options::Options;
use super::state::{DISKS, HAND, Pits, Player, Reshuffle, Stage, State};
use super::track::between;
use super::{SacrificeRoulette, legal};
use crate::stonehenge::{Card, CardSet, Colour, Number, Pile, Stone};
use sarsen_rules::{Audience, Dice, Legal, MalformedOptions, Refusal, Rules, Seat, SeatCount, Status, read_options};
use serde_json::value::RawValue;

/// The colour of the neutral disks: with two seats the first that neither plays (SR-07).
fn neutral_colour(seats: SeatCount) -> Option<Colour> {
    (seats.get() == 2).then(|| Colour::PIECES[usize::from(seats.get())])
}

/// Draws the boulder's card. Setting trilithon cards aside leaves each number card equally likely (SR-09).
fn draw_boulder(state: &mut State, boulder_cards: CardSet, dice: &mut Dice, events: &mut impl Audience<Event>) {
    state.stage = Stage::Dealing;
    let drawn = dice.index(boulder_cards.len()).and_then(|index| boulder_cards.iter().nth(index));
    let drawn = drawn.and_then(|card| Some((card, card.number()?)));
    state.boulder = drawn.map(|(_, number)| number).or(Some(Number::in_column(0)));
    if let Some((card, boulder)) = drawn {
        events.tell(|| Event::BoulderSetUp(BoulderSetUp { card, boulder }));
    }
}

/// Shuffles all cards, deals the hands and draws the first seat.
fn deal(state: &mut State, dice: &mut Dice, events: &mut impl Audience<Event>) {
    state.deck = Pile::shuffled(CardSet::ALL, dice);
    for player in &mut state.players {
        player.hand = std::iter::from_fn(|| state.deck.draw()).take(usize::from(HAND)).collect();
    }
    let seats = state.count();
    let first = dice.index(usize::from(seats.get())).and_then(|index| seats.seats().nth(index));
    events.tell(|| {
        let hand = |(seat, player): (Seat, &Player)| Hand { seat, count: HAND, cards: Some(player.hand) };
        let hands = seats.seats().zip(&state.players).map(hand).collect();
        Event::HandsDealt(HandsDealt { hands, deck_size: state.deck.len() as u8 })
    });
    if let Some(seat) = first {
        state.stage = Stage::Turn(seat);
        state.turns = 1;
        events.tell(|| Event::TurnBegun(TurnBegun { seat, turn: 1 }));
    }
}

fn place(state: &mut State, seat: Seat, Place { pit }: Place, events: &mut impl Audience<Event>) {
    state.pits.set(pit, Some(State::colour(seat)));
    let to_place = &mut state.players[seat.index()].to_place;
    *to_place = to_place.saturating_sub(1);
    events.tell(|| Event::SacrificePlaced(SacrificePlaced { seat, pit, to_place: *to_place }));
}

/// Plays one trilithon card alone (SR-32). A full hand without a number card can only be the five trilithon cards, so
/// everyone knows the rest of it afterwards.
fn reverse(state: &mut State, seat: Seat, Reverse { trilithon }: Reverse, events: &mut impl Audience<Event>) {
    let player = &mut state.players[seat.index()];
    let known = if player.hand == Card::trilithons().collect() {
        player.known = player.hand.minus(CardSet::one(trilithon));
        player.known
    } else {
        CardSet::EMPTY
    };
    play_trilithons(state, seat, CardSet::one(trilithon), known, events);
    state.stage = Stage::Drawing(seat);
}

/// Lays the cards of a roll in an order that brings its ending about.
fn roll(state: &mut State, seat: Seat, roll: &Roll, events: &mut impl Audience<Event>) {
    let found = state.boulder.and_then(|boulder| {
        let way = legal::way(roll, boulder, state.direction())?;
        Some((boulder, way, way.order(roll.cards, roll.ending)?))
    });
    let Some((mut boulder, way, mut order)) = found else { return };
    play_trilithons(state, seat, roll.trilithons, CardSet::EMPTY, events);
    let last = if roll.ending == Ending::Fall { order.pop() } else { None };
    for (index, card) in (0u8..).zip(order) {
        let to = way.number(index);
        lay(state, seat, card);
        events.tell(|| {
            let through = between(boulder, to, state.direction());
            Event::BoulderRolled(BoulderRolled { seat, card, from: boulder, through, to })
        });
        boulder = to;
    }
    state.boulder = Some(boulder);
    state.stage = Stage::Drawing(seat);
    if roll.ending != Ending::Stop {
        last.into_iter().for_each(|card| lay(state, seat, card));
        state.stage = Stage::Falling(seat);
        state.falls = state.falls.saturating_add(1);
        let falls = state.falls;
        events.tell(|| Event::BoulderFell(BoulderFell { seat, boulder, card: last, falls }));
    }
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
/// `known` is what everyone knows of the hand from then on.
fn play_trilithons(state: &mut State, seat: Seat, cards: CardSet, known: CardSet, events: &mut impl Audience<Event>) {
    let mut laid = cards.iter();
    let discarded = match (laid.next(), laid.next(), state.marker) {
        (None, ..) => return,
        (Some(one), None, None) => {
            state.marker = Some(one);
            [None, None]
        }
        (Some(one), None, Some(marker)) => {
            state.marker = None;
            [Some(marker), Some(one)]
        }
        (Some(one), Some(other), _) => [Some(one), Some(other)],
    };
    for card in cards.iter() {
        take_from_hand(state, seat, card);
    }
    discarded.into_iter().flatten().for_each(|card| state.discards.lay(card));
    events.tell(|| {
        let (direction, marker) = (state.direction(), state.marker);
        let discarded = discarded.into_iter().flatten().collect();
        Event::TrilithonsPlayed(TrilithonsPlayed { seat, cards, direction, marker, discarded, known })
    });
}

/// Draws the card for a fall and empties the pits that it means (SR-24, SR-25).
fn fall(state: &mut State, seat: Seat, dice: &mut Dice, events: &mut impl Audience<Event>) {
    state.stage = Stage::Drawing(seat);
    let (Some(boulder), Some(card)) = (state.boulder, state.deck.draw()) else { return };
    let deck_size = state.deck.len() as u8;
    events.tell(|| Event::FallCardDrawn(FallCardDrawn { card, pits: pits_meant(boulder, card).collect(), deck_size }));
    for pit in pits_meant(boulder, card) {
        let Some(colour) = state.pits.set(pit, None) else { continue };
        state.players[seat.index()].taken[colour as usize] += 1;
        events.tell(|| {
            let (owner, hand_limit) = (state.owner(colour), state.hand_limit(seat));
            Event::PitEmptied(PitEmptied { pit, colour, owner, taken_by: seat, hand_limit })
        });
    }
    state.discards.lay(card);
    if state.deck.is_empty() {
        deplete(state, events, dice);
    }
}

/// The pits of `boulder` that a card drawn for a fall means, night before day.
fn pits_meant(boulder: Number, card: Card) -> impl Iterator<Item = Stone> {
    let both = [false, true].into_iter().map(move |day| Stone { number: boulder, day });
    both.filter(move |pit| card.stone().is_none_or(|stone| stone.day == pit.day))
}

/// Draws up to the hand limit, through reshuffles if need be; then the next seat follows.
fn draw_up(state: &mut State, seat: Seat, dice: &mut Dice, events: &mut impl Audience<Event>) {
    let limit = usize::from(state.hand_limit(seat));
    loop {
        let hand = &mut state.players[seat.index()].hand;
        let wanted = limit.saturating_sub(hand.len()).min(state.deck.len());
        // Told in the order in which they are drawn: from the top down.
        let left = state.deck.len() - wanted;
        let top = &state.deck.cards()[left..];
        if wanted > 0 {
            events.tell(|| {
                let cards = Some(top.iter().rev().copied().collect());
                Event::CardsDrawn(CardsDrawn { seat, count: wanted as u8, cards, deck_size: left as u8 })
            });
        }
        for card in std::iter::from_fn(|| state.deck.draw()).take(wanted) {
            hand.insert(card);
        }
        if !state.deck.is_empty() {
            break;
        }
        deplete(state, events, dice);
        if state.stage == Stage::Over {
            return;
        }
    }
    let next = seat.next(state.count());
    state.stage = Stage::Turn(next);
    state.turns = state.turns.saturating_add(1);
    let turn = state.turns;
    events.tell(|| Event::TurnBegun(TurnBegun { seat: next, turn }));
}

/// The last card has left the deck (SR-28): the match ends, or the discards are shuffled into the new deck. With
/// nothing to shuffle it ends as at its last depletion (SR-33).
fn deplete(state: &mut State, events: &mut impl Audience<Event>, dice: &mut Dice) {
    let last = state.last_depletion();
    let depleted = |depletions| Event::DeckDepleted(DeckDepleted { depletions, last: depletions >= last });
    state.depletions += 1;
    let depletions = state.depletions;
    events.tell(|| depleted(depletions));
    if state.depletions < last && state.discards.is_empty() {
        state.depletions = last;
        events.tell(|| depleted(last));
    }
    if state.depletions >= last {
        state.stage = Stage::Over;
        events.tell(|| revealed(state));
        return;
    }
    let cards = state.discards.set();
    state.deck = Pile::shuffled(cards, dice);
    state.discards = Pile::default();
    state.reshuffles.push(Reshuffle(cards));
    events.tell(|| Event::DeckReshuffled(DeckReshuffled { cards }));
}

fn revealed(state: &State) -> Event {
    let hand = |(seat, hand): (Seat, CardSet)| Hand { seat, count: hand.len() as u8, cards: Some(hand) };
    let hands = state.count().seats().zip(state.players.iter().map(|player| player.hand)).map(hand).collect();
    Event::CardsRevealed(CardsRevealed { hands, deck: state.deck.cards().iter().rev().copied().collect() })
}

impl Rules for SacrificeRoulette {
    type Options = Options;
    type Move = Move;
    type Event = Event;
    type State = State;

    fn options(&self, json: &serde_json::Value) -> Result<Options, MalformedOptions> {
        read_options(json)
    }

    fn check_options(&self, _options: &Options, _seats: SeatCount) -> Result<(), Refusal> {
        Ok(())
    }

    fn setup(&self, _options: &Options, seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
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

    fn load(&self, state: &RawValue) -> Result<State, serde_json::Error> {
        serde_json::from_str(state.get())
    }

    fn has_options(&self, _state: &State, _options: &Options) -> bool {
        true
    }

    fn seat_count(&self, state: &State) -> SeatCount {
        state.count()
    }

    fn status(&self, state: &State) -> Status {
        state.status()
    }

    fn legal_moves_into(&self, state: &State, seat: Seat, moves: &mut Vec<Move>) -> bool {
        legal::moves_into(state, seat, moves)
    }

    fn check(&self, state: &State, seat: Seat, mv: &Move) -> Result<(), Refusal> {
        legal::check(state, seat, mv)
    }

    fn apply(&self, state: &mut State, mv: &Legal<Move>, events: &mut impl Audience<Event>) {
        match mv.mv() {
            Move::Place(made) => place(state, mv.seat(), *made, events),
            Move::Roll(made) => roll(state, mv.seat(), made, events),
            Move::Reverse(made) => reverse(state, mv.seat(), *made, events),
        }
    }

    fn resolve(&self, state: &mut State, dice: &mut Dice, events: &mut impl Audience<Event>) {
        match state.stage {
            Stage::Placing { boulder_cards } => draw_boulder(state, boulder_cards, dice, events),
            Stage::Dealing => deal(state, dice, events),
            Stage::Falling(seat) => fall(state, seat, dice, events),
            Stage::Drawing(seat) => draw_up(state, seat, dice, events),
            Stage::Turn(_) | Stage::Over => {}
        }
    }
}
