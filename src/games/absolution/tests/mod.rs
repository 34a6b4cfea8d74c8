//! The rulings as tests: a test whose name begins with `ab_07` shows the position of AB-07.

mod beginning;
mod cards_played;
mod ending;
mod golden;
mod hidden;
mod players;
mod sizes;
mod talking;
mod turns;
mod wire;

use test_kit::environment::CONFORMANCE_MATCHES;

use super::*;
use crate::common::Pass;
use crate::stonehenge::{CARDS, Card, CardSet, Number, Pile};
use sarsen_rules::{
    Dice, DiceSeed, Notation, Rulebook, Rules, Seat, SeatCount, Seats, Secrets, Status, Verdict, Viewer, play, settle,
};

fn dice(seed: u8) -> Dice {
    Dice::new(DiceSeed([seed; 32]))
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

fn count(seats: u8) -> SeatCount {
    SeatCount::new(seats).unwrap()
}

fn number(value: u8) -> Number {
    Number::new(value).unwrap()
}

fn card(text: &str) -> Card {
    text.parse().unwrap()
}

/// Cards from a list such as `D7 N12`.
fn cards(list: &str) -> CardSet {
    list.split_whitespace().map(card).collect()
}

fn numbers(values: &[u8]) -> NumberSet {
    values.iter().map(|value| number(*value)).collect()
}

/// A new match with its set-up behind it.
fn start(options: Options, seats: u8, dice: &mut Dice) -> (State, Vec<Event>) {
    let (mut state, mut events) = Absolution.setup(&options, count(seats), dice);
    settle(&Absolution, &mut state, dice, &mut events);
    (state, events)
}

/// Seat 0 is on turn on `number` with these hands and this Field; every other card is in the pile. No number has been
/// matched so far, but the Druid stands on B1.
fn position(phase: Phase, value: u8, hands: &[&str], field: &str) -> State {
    let turn = Turn::of(phase, number(value));
    let seats = hands.len() as u8;
    let first = seat((seats - turn.index() % seats) % seats);
    let options = Options { first_player: FirstPlayer::Seat, first_seat: Some(first) };
    let mut state = State::new(options, count(seats), &mut dice(0));
    state.turn = turn;
    for (player, hand) in state.players.iter_mut().zip(hands) {
        player.hand = cards(hand);
    }
    state.field = cards(field);
    let dealt = state.players.iter().fold(state.field, |dealt, player| dealt.union(player.hand));
    state.pile = Pile::in_order(CardSet::ALL.minus(dealt).iter().collect()).unwrap();
    let coloured = |last: u8| Number::all().filter(|n| n.get() <= last && !track::is_black(*n)).collect::<NumberSet>();
    match phase {
        Phase::Day => state.days_out = coloured(value - 1),
        Phase::Night => (state.days_out, state.nights_out) = (coloured(30), coloured(value - 1)),
    }
    conserved(&state);
    state
}

/// The pile keeps this many cards; the others are discarded.
fn with_pile(mut state: State, size: usize) -> State {
    while state.pile.len() > size {
        let card = state.pile.draw().unwrap();
        state.discards.lay(card);
    }
    state
}

/// These numbers were matched by Night, and no other.
fn with_inner_pairs(mut state: State, matched: &[u8]) -> State {
    for value in matched {
        state.days_out.remove(number(*value));
        state.nights_out.remove(number(*value));
    }
    state
}

fn with_druid(mut state: State, druid: &str) -> State {
    state.druid = druid.parse().unwrap();
    state
}

fn with_trilithons(mut state: State, values: &[u8]) -> State {
    state.trilithons = numbers(values);
    state
}

/// Returns who is to act first.
fn actor(state: &State) -> Seat {
    let Status::ToAct(seats) = Absolution.status(state) else { panic!("nobody is to act") };
    seats.first().unwrap()
}

/// Makes these moves, each by the lowest seat to act, and answers the events of the last one.
fn make(state: &mut State, moves: &[&str]) -> Vec<Event> {
    let mut events = Vec::new();
    for text in moves {
        events = make_by(state, actor(state), text);
    }
    events
}

fn make_by(state: &mut State, seat: Seat, text: &str) -> Vec<Event> {
    let mv = Absolution.parse(text).unwrap();
    play(&Absolution, state, seat, mv, &mut dice(0)).unwrap_or_else(|why| panic!("{text}: {why}")).events
}

/// The code, rule and field with which this move is refused to the seat to act.
fn refusal(state: &State, text: &str) -> (&'static str, &'static str, &'static str) {
    refusal_to(state, actor(state), text)
}

fn refusal_to(state: &State, seat: Seat, text: &str) -> (&'static str, &'static str, &'static str) {
    let refusal = Absolution.check(state, seat, &Absolution.parse(text).unwrap()).unwrap_err();
    (refusal.code, refusal.rule, refusal.field.unwrap_or("-"))
}

/// The legal moves of the seat to act, as text.
fn legal(state: &State) -> Vec<String> {
    Absolution.legal_moves(state, actor(state)).moves.iter().map(|mv| Absolution.notation(mv)).collect()
}

/// The legal moves that match the number.
fn legal_matches(state: &State) -> Vec<String> {
    legal(state).into_iter().filter(|text| text.starts_with("play")).collect()
}

fn hand(state: &State, number: usize) -> CardSet {
    state.players[number].hand
}

/// The ending, whether it is won, and the inner and outer pairs.
fn result(state: &State) -> (String, bool, i64, i64) {
    let Status::Over(outcome) = Absolution.status(state) else { panic!("it goes on") };
    let won = outcome.standings[0].verdict == Verdict::Won;
    assert!(outcome.standings.iter().all(|standing| (standing.verdict == Verdict::Won, standing.rank) == (won, 1)));
    (outcome.ending.to_string(), won, outcome.figures["inner_pairs"], outcome.figures["outer_pairs"])
}

fn goes_on(state: &State) -> bool {
    matches!(Absolution.status(state), Status::ToAct(_))
}

/// Each card is in one place; disks, trilithons and Druid are where the turns played can have brought them.
fn conserved(state: &State) {
    let hands = state.players.iter().map(|player| player.hand);
    let places: Vec<CardSet> = hands.chain([state.field, state.discards.set(), state.pile.set()]).collect();
    assert_eq!(places.iter().fold(CardSet::EMPTY, |all, place| all.union(*place)), CardSet::ALL);
    assert_eq!(places.iter().map(|place| place.len()).sum::<usize>(), usize::from(CARDS));
    assert_eq!(state.field.len(), state.players.len());
    for player in &state.players {
        assert!(player.taken.is_within(player.hand) && player.talk.sent <= 10);
    }
    // Two disks a coloured number, each on one ring: 25 pairs, or split ones.
    let split = state.days_out.union(state.nights_out).len() - state.days_out.common(state.nights_out).len();
    assert_eq!(state.inner_pairs() + state.outer_pairs() + split, 25);
    assert!(state.days_out.union(state.nights_out).iter().all(|number| number.get() % 6 != 0));
    assert!(state.trilithons.iter().all(|number| number.get() % 6 == 0));
    if state.step == Step::Over && state.druid != Druid::ALTAR {
        assert_eq!((state.turn.index(), split), (59, 0));
    }
}

fn all_options() -> Vec<Options> {
    vec![
        Options::default(),
        Options { first_player: FirstPlayer::Random, first_seat: None },
        Options { first_player: FirstPlayer::Seat, first_seat: Some(seat(1)) },
    ]
}

/// Now and then signals, sound ones and others, and moves that do not belong to the position; there is not always talk,
/// or it would drown the game. Else the ways to match the number, without which hardly any match would see the Night.
fn further(state: &State, seat: Seat) -> Vec<Move> {
    if state.turn.index() % 15 != 3 * seat.number() {
        return players::ways_to_match(state, seat);
    }
    let hand = state.players[seat.index()].hand;
    let texts = [
        "wish 14 blue",
        "wish 1 2 3 white red",
        "wish",
        "wish 1 2 3 4 5 6",
        "ready day 2 great",
        "ready night 1 poor",
        "ready night 30 fair",
        "nominate 4",
        "play D1 D2 D3",
    ];
    let pass = Move::Pass(Pass {});
    let singles = hand.iter().map(|card| Move::Play(Play { cards: CardSet::EMPTY.with(card) }));
    texts.iter().map(|text| Absolution.parse(text).unwrap()).chain(singles).chain([pass]).collect()
}

#[test]
fn absolution_keeps_the_laws_with_two_and_three_seats() {
    keeps_the_laws(&[2, 3]);
}

#[test]
fn absolution_keeps_the_laws_with_four_and_five_seats() {
    keeps_the_laws(&[4, 5]);
}

fn keeps_the_laws(seats: &[u8]) {
    crate::laws::laws(&sarsen_rules::conformance::Plan {
        game: std::sync::Arc::new(Absolution),
        options: all_options(),
        seats: seats.to_vec(),
        matches: CONFORMANCE_MATCHES.value().unwrap_or(54),
        longest: 500,
        conserved,
        further,
        redeal: hidden::redeal,
        lays_open: hidden::lays_open,
    });
}

#[test]
fn every_point_has_its_ruling() {
    let rules = Rulebook::read(Absolution::INFO.rules);
    let ids: Vec<&str> = rules.rulings().iter().map(|ruling| ruling.id).collect();
    let expected: Vec<String> = (1..=40).map(|number| format!("AB-{number:02}")).collect();
    assert_eq!(ids, expected);
}
