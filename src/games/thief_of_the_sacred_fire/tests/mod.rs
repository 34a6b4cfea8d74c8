//! The rulings as tests: a test whose name begins with `th_07` shows the position of TH-07.

mod board;
mod detecting;
mod ending;
mod golden;
mod moving;
mod patrolling;
mod players;
mod setting_up;
mod wire;

use test_kit::environment::CONFORMANCE_MATCHES;

use super::state::{DISKS, Dealt, Fire, HAND, Stage, Thief};
use super::*;
use crate::stonehenge::{Card, CardSet, Pile};
use sarsen_rules::{
    Dice, DiceSeed, Notation, Rehearsed, Rulebook, Rules, Seat, SeatCount, Secrets, Status, Verdict, Viewer, play,
    rehearse, settle,
};

const ONE: SeatCount = SeatCount::ONE;

fn dice(seed: u32) -> Dice {
    let mut bytes = [7; 32];
    bytes[..4].copy_from_slice(&seed.to_le_bytes());
    Dice::new(DiceSeed(bytes))
}

fn seat() -> Seat {
    Seat::new(0).unwrap()
}

fn space(text: &str) -> Space {
    text.parse().unwrap()
}

/// Spaces from a list such as `29b N6`.
fn spaces(list: &str) -> Vec<Space> {
    list.split_whitespace().map(space).collect()
}

fn cards(list: &str) -> Vec<Card> {
    list.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

fn mv(text: &str) -> Move {
    ThiefOfTheSacredFire.parse(text).unwrap()
}

/// A match that was just created, and its events.
fn created(seed: u32) -> (State, Vec<Event>, Dice) {
    let mut dice = dice(seed);
    let (state, events) = ThiefOfTheSacredFire.setup(&Options::default(), ONE, &mut dice);
    (state, events, dice)
}

/// The thief is on `at` and decides with this number of points. The fire is on T1. The white High Druid is on B5, which
/// sees no trilithon, and the others are far from T1: blue N17, green D18, yellow N27, red D28.
fn scene(at: &str, points: usize) -> State {
    let dealt = cards("D6 D12 D18 D24 D30").into_iter().chain([cards("N6 N1 N2 N3 N4 N5")[points]]);
    let figures = [Figure::Blue, Figure::Green, Figure::Yellow, Figure::Red, Figure::White, Figure::Thief];
    let dealt: Vec<Dealt> = dealt.zip(figures).map(|(card, figure)| Dealt(card, figure)).collect();
    let open: CardSet = dealt.iter().map(|dealt| dealt.0).collect();
    let rest = Card::numbers().filter(|card| !open.contains(*card)).collect();
    let mut capstones = [None; 5];
    capstones[0] = Some(Druid::White);
    State {
        options: Options::default(),
        stage: Stage::Moving,
        turn: 1,
        druids: [space("B5"), space("N17"), space("D18"), space("N27"), space("D28")],
        alertness: [DISKS - 1, DISKS, DISKS, DISKS, DISKS],
        outbound: true,
        capstones,
        fire: Some(Fire { trilithon: space("T1"), high_druid: Druid::White }),
        thief: Some(Thief { start: space("30a"), at: space(at), progress: 0, has_fire: false }),
        dealt,
        pile: Pile::in_order(rest).unwrap(),
    }
}

/// The scene with the fire in the thief's hands.
fn with_fire(at: &str, points: usize) -> State {
    let mut state = scene(at, points);
    state.capstones = [None; 5];
    thief(&mut state).has_fire = true;
    state
}

fn thief(state: &mut State) -> &mut Thief {
    state.thief.as_mut().unwrap()
}

fn put(state: &mut State, druid: Druid, at: &str) {
    state.druids[druid.index()] = space(at);
}

/// The scene when the next turn's cards are due, namely these: first the four inner druids', then the High
/// Druid's and the thief's.
fn before_dealing(at: &str, next: &str) -> State {
    let mut state = scene(at, 0);
    state.stage = Stage::Dealing;
    state.dealt.clear();
    let next: Vec<Card> = cards(next);
    let mut pile: Vec<Card> = Card::numbers().filter(|card| !next.contains(card)).collect();
    pile.extend(next.iter().rev());
    state.pile = Pile::in_order(pile).unwrap();
    state
}

/// Makes these moves, chance steps included, and answers the last events.
fn make(state: &mut State, moves: &[&str]) -> Vec<Event> {
    let mut events = Vec::new();
    for text in moves {
        events = play(&ThiefOfTheSacredFire, state, seat(), mv(text), &mut dice(0))
            .unwrap_or_else(|why| panic!("{text}: {why}"))
            .events;
    }
    events
}

/// Makes the move, but no chance step after it.
fn act(state: &mut State, text: &str) -> Vec<Event> {
    let Rehearsed { events, .. } = rehearse(&ThiefOfTheSacredFire, state, seat(), mv(text)).unwrap();
    events
}

/// The targets of all listed moves that begin with `verb`.
fn targets(state: &State, verb: &str) -> Vec<String> {
    let moves = ThiefOfTheSacredFire.legal_moves(state, seat()).moves;
    let texts = moves.iter().map(|mv| ThiefOfTheSacredFire.notation(mv));
    texts.filter_map(|text| text.strip_prefix(verb).map(|rest| rest.trim().to_owned())).collect()
}

/// The refusal of the move: code, rule and field.
fn refusal(state: &State, text: &str) -> (&'static str, &'static str, &'static str) {
    let refusal = ThiefOfTheSacredFire.check(state, seat(), &mv(text)).unwrap_err();
    (refusal.code, refusal.rule, refusal.field.unwrap_or("-"))
}

/// Disks lost: `white -3, blue -1`.
fn losses(events: &[Event]) -> String {
    let lost = events.iter().filter_map(|event| match event {
        Event::AlertnessLost(lost) => Some(format!("{:?} -{}", lost.druid, lost.lost).to_lowercase()),
        _ => None,
    });
    lost.collect::<Vec<_>>().join(", ")
}

/// Checks conservation: sixty cards, fifty disks less those lost, six cards a turn.
fn conserved(state: &State) {
    let open: CardSet = state.dealt.iter().map(|dealt| dealt.0).collect();
    assert_eq!(state.pile.len() + open.len() + state.discarded().len(), 60);
    assert!(open.common(state.pile.set()).is_empty());
    let turns_dealt = if state.turn == 0 { 0 } else { (usize::from(state.turn) - 1) % 10 + 1 };
    assert_eq!(state.pile.len(), 60 - HAND * turns_dealt);
    assert_eq!(state.dealt.len(), if state.turn == 0 { 0 } else { HAND });

    let on_board =
        state.capstones.iter().flatten().count() + usize::from(state.thief.is_some_and(|thief| thief.has_fire));
    let full = |druid: Druid| match state.fire {
        Some(fire) if fire.high_druid != druid => DISKS,
        _ => DISKS - 1,
    };
    let in_piles: u8 = Druid::ALL.into_iter().map(full).sum();
    assert_eq!(on_board + usize::from(in_piles), 50);
    assert!(Druid::ALL.into_iter().all(|druid| state.alertness[druid.index()] <= full(druid)));
    let mut places = state.druids.to_vec();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 5, "two druids share a space");
}

#[test]
fn thief_of_the_sacred_fire_keeps_the_laws() {
    crate::laws::laws(&sarsen_rules::conformance::Plan {
        game: std::sync::Arc::new(ThiefOfTheSacredFire),
        options: [20, 60, 200].map(|turn_limit| Options { turn_limit }).to_vec(),
        seats: vec![1],
        matches: CONFORMANCE_MATCHES.value().unwrap_or(90),
        longest: 201,
        conserved,
        further: |_, _| ["stay", "go T1", "take N6", "start 1a", "go 5c"].map(mv).to_vec(),
        // Only the order of the deck is hidden, and from everyone.
        redeal: |state, _, dice| State { pile: Pile::shuffled(state.pile.set(), dice), ..state.clone() },
        lays_open: |event, _| matches!(event, Event::FireRevealed(_) | Event::TurnDealt(_) | Event::DeckRevealed(_)),
    });
}

#[test]
fn every_point_has_its_ruling() {
    let rules = Rulebook::read(ThiefOfTheSacredFire::INFO.rules);
    let ids: Vec<&str> = rules.rulings().iter().map(|ruling| ruling.id).collect();
    let expected: Vec<String> = (1..=53).map(|number| format!("TH-{number:02}")).collect();
    assert_eq!(ids, expected);
}
