//! Moves and matches per second of the rules layer, on one core, what states, views and lists weigh, and how long pictures
//! take: `cargo bench --bench rules`, or `cargo bench --bench rules -- pictures` for those alone.
//!
//! One move is: the legal list made, one entry drawn with dice, that entry checked and applied, and the status asked. A
//! silent one, as searches make them, is neither checked nor told by events; how much faster that is comes from runs in
//! pairs, whose ratio a busy machine hardly changes.
//! Each game plays random matches of its default options, with as many seats as it has, for a fixed number of moves;
//! the middle of several runs is shown with the slowest and the fastest. Weights are the most that was met in some
//! matches, as JSON before compression: the stored state, and the view of the seat to act together with its legal moves.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod pictures;

use sarsen::games::absolution::Absolution;
use sarsen::games::contiguity::Contiguity;
use sarsen::games::henge::Henge;
use sarsen::games::sacrifice_roulette::SacrificeRoulette;
use sarsen::games::thief_of_the_sacred_fire::ThiefOfTheSacredFire;
use sarsen::rules::{Dice, DiceSeed, Game, Seat, SeatCount, SilentWalk, Status, Viewer, play, settle};
use tokio::time::Instant;

const RUNS: usize = 9;
const MATCHES_WEIGHED: usize = 20;

fn main() {
    pictures::measure();
    if std::env::args().any(|argument| argument == "pictures") {
        return;
    }
    println!("{RUNS} runs: middle (slowest to fastest)");
    measure(&Contiguity, 1_000_000, 3.0);
    measure(&Absolution, 200_000, 4.0);
    measure(&SacrificeRoulette, 200_000, 1.5);
    measure(&ThiefOfTheSacredFire, 200_000, 1.5);
    measure(&Henge::default(), 200_000, 1.0);
}

/// `bar` is how many million silent moves a second are asked for, on a machine that does nothing else.
fn measure<G: Game>(game: &G, moves_of_a_run: usize, bar: f64) {
    let mut runs: Vec<(f64, f64)> = (0..RUNS).map(|run| one_run(game, run as u8, moves_of_a_run)).collect();
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ((slowest, _), (moves, matches), (fastest, _)) = (runs[0], runs[RUNS / 2], runs[RUNS - 1]);
    println!("{:<24} {moves:>12.0} moves/s ({slowest:.0} to {fastest:.0}) {matches:>10.0} matches/s", G::INFO.id);
    let mut pairs: Vec<(f64, f64)> = (0..RUNS)
        .map(|run| {
            let silent = one_silent_run(game, run as u8, moves_of_a_run);
            (silent / one_run(game, run as u8, moves_of_a_run).0, silent)
        })
        .collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ((least, _), (middle, silent), (most, _)) = (pairs[0], pairs[RUNS / 2], pairs[RUNS - 1]);
    println!(
        "{:<24} {:>12.2} million silent moves/s ({bar} asked for), {middle:.2} times as many ({least:.2} to {most:.2})",
        "",
        silent / 1e6
    );
    let weight = weighed(game);
    println!("{:<24} state {} bytes, view with legal moves {} bytes", "", weight.state, weight.seen);
}

/// Bytes of JSON.
#[derive(Default)]
struct Weight {
    state: usize,
    seen: usize,
}

/// The most that was met in some matches.
fn weighed<G: Game>(game: &G) -> Weight {
    let (mut dice, mut choice) = (Dice::new(DiceSeed([0x55; 32])), Dice::new(DiceSeed([0xaa; 32])));
    let mut most = Weight::default();
    let bytes = |json: serde_json::Result<String>| json.map_or(0, |text| text.len());
    for _ in 0..MATCHES_WEIGHED {
        one_match(game, &mut dice, &mut choice, |state, seat| {
            let moves = game.legal_moves(state, seat).moves;
            let seen = bytes(serde_json::to_string(&(game.view(state, Viewer::Seat(seat)), moves)));
            most.state = most.state.max(bytes(serde_json::to_string(state)));
            most.seen = most.seen.max(seen);
        });
    }
    most
}

/// Moves and matches per second.
fn one_run<G: Game>(game: &G, run: u8, moves_of_a_run: usize) -> (f64, f64) {
    let mut dice = Dice::new(DiceSeed([run; 32]));
    let mut choice = Dice::new(DiceSeed([run | 0x80; 32]));
    let (mut moves, mut matches) = (0, 0);
    let start = Instant::now();
    while moves < moves_of_a_run {
        moves += one_match(game, &mut dice, &mut choice, |_, _| {});
        matches += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    (moves as f64 / seconds, f64::from(matches) / seconds)
}

/// Silent moves per second, of the same matches.
fn one_silent_run<G: Game>(game: &G, run: u8, moves_of_a_run: usize) -> f64 {
    let mut dice = Dice::new(DiceSeed([run; 32]));
    let mut choice = Dice::new(DiceSeed([run | 0x80; 32]));
    let mut moves = 0;
    let start = Instant::now();
    while moves < moves_of_a_run {
        moves += one_silent_match(game, &mut dice, &mut choice);
    }
    moves as f64 / start.elapsed().as_secs_f64()
}

/// Plays a random match as a search does, and answers its length.
fn one_silent_match<G: Game>(game: &G, dice: &mut Dice, choice: &mut Dice) -> usize {
    let Some(count) = SeatCount::new(G::INFO.max_seats) else { return 0 };
    let Ok(options) = game.options(&serde_json::Value::Null) else { return 0 };
    let (mut state, mut events) = game.setup(&options, count, dice);
    settle(game, &mut state, dice, &mut events);
    let mut walk = SilentWalk::new(game, state);
    let mut moves = 0;
    while let Some(seat) = walk.to_act().and_then(|seats| seats.first()) {
        let listed = walk.list(seat).len();
        let Some(index) = choice.index(listed) else { break };
        if !walk.take(index, dice) {
            break;
        }
        moves += 1;
    }
    moves
}

/// Plays a random match and answers its length. `look` sees the state before each move, and who makes it.
fn one_match<G: Game>(game: &G, dice: &mut Dice, choice: &mut Dice, mut look: impl FnMut(&G::State, Seat)) -> usize {
    let Some(count) = SeatCount::new(G::INFO.max_seats) else { return 0 };
    let Ok(options) = game.options(&serde_json::Value::Null) else { return 0 };
    let (mut state, mut events) = game.setup(&options, count, dice);
    settle(game, &mut state, dice, &mut events);
    let mut moves = 0;
    while let Status::ToAct(seats) = game.status(&state) {
        let Some(seat) = seats.first() else { break };
        look(&state, seat);
        let mut legal = game.legal_moves(&state, seat).moves;
        let Some(index) = choice.index(legal.len()) else { break };
        if let Err(refusal) = play(game, &mut state, seat, legal.swap_remove(index), dice) {
            println!("{}: a listed move was refused: {refusal}", G::INFO.id);
            break;
        }
        moves += 1;
    }
    moves
}
