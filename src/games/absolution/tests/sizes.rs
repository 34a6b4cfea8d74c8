//! Lengths of legal lists, and sizes of stored states and views.
//!
//! `SARSEN_SIZES_MATCHES=100000 cargo test --lib absolution::tests::sizes -- --nocapture` prints the figures of that many
//! matches for each number of seats, at random and by players who match when they can.

use std::time::{Duration, Instant};

use test_kit::environment::SIZES_MATCHES;

use super::*;

/// The figures of matches with one number of seats.
#[derive(Default, Debug)]
struct Figures {
    moves: u64,
    longest_list: usize,
    largest_hand: usize,
    time_in_lists: Duration,
    longest_time: Duration,
    largest_state: usize,
    largest_view: usize,
}

fn measure(player: fn(&State, Seat, &mut Dice) -> Move, seats: u8, matches: u32) -> Figures {
    let mut figures = Figures::default();
    for game in 0..matches {
        let mut bytes = [seats; 32];
        bytes[..4].copy_from_slice(&game.to_le_bytes());
        let mut dice = Dice::new(DiceSeed(bytes));
        let (mut state, _) = start(Options::default(), seats, &mut dice);
        while let Status::ToAct(acting) = Absolution.status(&state) {
            let actor = acting.first().unwrap();
            #[expect(clippy::disallowed_methods, reason = "a figure for whoever asks for it")]
            let clock = Instant::now();
            let moves = Absolution.legal_moves(&state, actor).moves;
            let time = clock.elapsed();
            figures.moves += 1;
            figures.time_in_lists += time;
            figures.longest_time = figures.longest_time.max(time);
            figures.longest_list = figures.longest_list.max(moves.len());
            figures.largest_hand = figures.largest_hand.max(hand(&state, actor.index()).len());
            let mv = player(&state, actor, &mut dice);
            play(&Absolution, &mut state, actor, mv, &mut dice).unwrap();
            if game % 10 == 0 {
                figures.largest_state = figures.largest_state.max(serde_json::to_string(&state).unwrap().len());
                let view = serde_json::to_string(&Absolution.view(&state, Viewer::Omniscient)).unwrap();
                figures.largest_view = figures.largest_view.max(view.len());
            }
        }
    }
    figures
}

#[test]
fn lists_and_states_stay_small() {
    let matches = SIZES_MATCHES.value().unwrap_or(50);
    for seats in 2..=5 {
        let (random, matcher) = (measure(players::random, seats, matches), measure(players::matcher, seats, matches));
        println!("{seats} seats, {matches} matches, random: {random:?}; matching: {matcher:?}");
        for figures in [random, matcher] {
            assert!(figures.longest_list < 200, "{figures:?}");
            assert!(figures.largest_state < 1200 && figures.largest_view < 2500, "{figures:?}");
        }
    }
}

#[test]
fn the_longest_list_of_all_is_still_short() {
    // Of two seats one cannot come to hold more than its nine cards and one more for every two of the pile: 31.
    let mut hand: Vec<Card> = Card::all().collect();
    let mut longest = 0;
    for number in Number::all() {
        // The cards with the most partners for this number.
        let partners = |card: &Card| {
            let pair = |other: Card| CardSet::EMPTY.with(*card).with(other);
            Card::all().filter(|other| other != card && matching::is_match(pair(*other), number)).count()
        };
        hand.sort_by_key(|card| std::cmp::Reverse(partners(card)));
        let held: CardSet = hand.iter().copied().take(31).collect();
        longest = longest.max(matching::matches(held, number).len());
    }
    // With the pass and 31 times two exchanges.
    assert!(longest + 1 + 62 < 200, "{longest} matches");
}

#[test]
fn a_state_full_of_signals_is_stored_in_a_few_kilobytes() {
    let (mut state, _) = start(Options::default(), 5, &mut dice(1));
    for player in &mut state.players {
        for phase in [Phase::Day, Phase::Night] {
            Number::all().for_each(|number| player.talk.ready(Ready { phase, number, word: Word::Great }));
        }
        player.talk.wish(Wish { numbers: numbers(&[26, 27, 28, 29, 30]), colours: Vec::new() });
        player.talk.sent = 10;
    }
    let stored = serde_json::to_string(&state).unwrap();
    assert!(stored.len() < 16_000, "{} bytes", stored.len());
}
