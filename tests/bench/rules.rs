//! Moves and matches per second of the rules layer, on one core: `cargo bench --bench rules`.
//!
//! One move is: the legal list made, one entry drawn with dice, that entry checked and applied, and the status asked.
//! Each game plays random matches of its default options for a fixed number of moves; the middle of several runs is
//! shown with the slowest and the fastest.

#![allow(clippy::print_stdout)]

use std::time::Instant;

use sarsen::games::contiguity::Contiguity;
use sarsen::rules::{Dice, DiceSeed, Game, SeatCount, Status, play, settle};

const RUNS: usize = 9;
const MOVES: usize = 1_000_000;

fn main() {
    println!("{RUNS} runs of {MOVES} moves: middle (slowest to fastest)");
    measure::<Contiguity>();
}

fn measure<G: Game>() {
    let mut runs: Vec<(f64, f64)> = (0..RUNS).map(|run| one_run::<G>(run as u8)).collect();
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ((slowest, _), (moves, matches), (fastest, _)) = (runs[0], runs[RUNS / 2], runs[RUNS - 1]);
    println!("{:<24} {moves:>12.0} moves/s ({slowest:.0} to {fastest:.0}) {matches:>10.0} matches/s", G::INFO.id);
}

/// Moves and matches per second.
fn one_run<G: Game>(run: u8) -> (f64, f64) {
    let mut dice = Dice::new(DiceSeed([run; 32]));
    let mut choice = Dice::new(DiceSeed([run | 0x80; 32]));
    let (mut moves, mut matches) = (0, 0);
    let start = Instant::now();
    while moves < MOVES {
        moves += one_match::<G>(&mut dice, &mut choice);
        matches += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    (moves as f64 / seconds, f64::from(matches) / seconds)
}

/// Plays a random match and answers its length.
fn one_match<G: Game>(dice: &mut Dice, choice: &mut Dice) -> usize {
    let Some(count) = SeatCount::new(G::INFO.max_seats) else { return 0 };
    let (mut state, mut events) = G::setup(&G::Options::default(), count, dice);
    settle::<G>(&mut state, dice, &mut events);
    let mut moves = 0;
    while let Status::ToAct(seats) = G::status(&state) {
        let Some(seat) = seats.first() else { break };
        let mut legal = G::legal_moves(&state, seat).moves;
        let Some(index) = choice.index(legal.len()) else { break };
        if let Err(refusal) = play::<G>(&mut state, seat, legal.swap_remove(index), dice) {
            println!("{}: a listed move was refused: {refusal}", G::INFO.id);
            break;
        }
        moves += 1;
    }
    moves
}
