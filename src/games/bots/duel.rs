//! Duels: matches between two levels of a game's bots, by number. Match n of a duel is always the same one.
//!
//! Matches of the same deal follow each other with rotated seats. In games that are won together, or played alone, both
//! levels play each deal for themselves.

use std::sync::Arc;

use super::erased::AnyBot;
use super::level::Level;
use super::{SearchMeans, Seed};
use crate::erased::{AnyGame, AnyState, MoveInput};
use sarsen_rules::{Dice, DiceSeed, Mode, Outcome, Seat, SeatCount, Status, Verdict};

/// The number of random moves before the bots take over where nothing else tells two matches apart.
const OPENING: u32 = 4;
/// More moves than any match has.
const LONGEST: u32 = 10_000;

/// Two levels of a game's bots at a table.
pub struct Duel {
    /// The game, with the default options.
    pub game: Arc<dyn AnyGame>,
    /// Its bots.
    pub bot: Arc<dyn AnyBot>,
    /// The number of seats.
    pub seats: SeatCount,
    /// The levels: the first has one seat, the second all others.
    pub levels: [Level; 2],
    /// The seed of all matches.
    pub seed: u64,
}

/// The result of a match for both levels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DuelResult {
    /// The share of the win of each, of the second a seat's. A draw or a shared win is a part of one; in games that are won
    /// together or played alone it is 1 for a win.
    pub shares: [f64; 2],
    /// The score of each, where the game has one.
    pub scores: [Option<i32>; 2],
}

impl Duel {
    /// Plays match `number`; `None` if the game does not end, or has no such table.
    pub fn play(&self, number: u32) -> Option<DuelResult> {
        let first = Seat::new((number % u32::from(self.seats.get())) as u8)?;
        let mode = self.game.info().mode;
        if mode != Mode::Competitive {
            let both = [self.one(number, |_| self.levels[0])?, self.one(number, |_| self.levels[1])?];
            return Some(DuelResult {
                shares: both.each_ref().map(|outcome| won(outcome, first, mode)),
                scores: both.each_ref().map(|outcome| outcome.standings[first.index()].score),
            });
        }
        let outcome = self.one(number, |seat| self.levels[usize::from(seat != first)])?;
        let own = won(&outcome, first, mode);
        let score = |seat: Seat| outcome.standings[seat.index()].score;
        let other = self.seats.seats().find(|seat| *seat != first)?;
        let rest = (1.0 - own) / f64::from(self.seats.get() - 1);
        Some(DuelResult { shares: [own, rest], scores: [score(first), score(other)] })
    }

    fn seed(&self, kind: u8, number: u32, step: u32) -> Seed {
        let mut seed = [kind; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        seed[8..12].copy_from_slice(&(number / u32::from(self.seats.get())).to_le_bytes());
        seed[12..16].copy_from_slice(&step.to_le_bytes());
        seed
    }

    fn one(&self, number: u32, level: impl Fn(Seat) -> Level) -> Option<Outcome> {
        let options = self.game.options(&serde_json::Value::Null, self.seats).ok()?;
        let mut dice = Dice::new(DiceSeed(self.seed(1, number, 0)));
        let mut lot = Dice::new(DiceSeed(self.seed(2, number, 0)));
        let mut state = self.game.setup(&options, self.seats, &mut dice).ok()?.state;
        let opening = if self.game.info().open_information() { OPENING } else { 0 };
        for step in 0..LONGEST {
            let Status::ToAct(acting) = state.status() else { break };
            let seat = acting.first()?;
            for talker in self.seats.seats().filter(|_| !self.game.signals().is_empty()) {
                for signal in self.bot.talk(&state.observe(talker)).ok()? {
                    self.make(&mut *state, talker, signal, &mut dice)?;
                }
            }
            if step < opening {
                let mv = state.absent_move(seat, &mut lot)?;
                state.play(seat, mv, &mut dice).ok()?;
                continue;
            }
            let means = SearchMeans { threads: 1, is_over: &|| false };
            let seed = self.seed(3 + seat.number(), number, step);
            let found = self.bot.rank(level(seat), &state.observe(seat), seed, &means).ok()?;
            self.make(&mut *state, seat, found.moves.into_iter().next()?.notation, &mut dice)?;
        }
        match state.status() {
            Status::Over(outcome) => Some(outcome),
            Status::ToAct(_) | Status::Chance => None,
        }
    }

    fn make(&self, state: &mut dyn AnyState, seat: Seat, notation: String, dice: &mut Dice) -> Option<()> {
        let mv = self.game.read_move(&MoveInput::Notation(notation)).ok()?;
        state.play(seat, mv, dice).ok().map(drop)
    }
}

/// The share of the win that a seat has.
fn won(outcome: &Outcome, seat: Seat, mode: Mode) -> f64 {
    let alike = outcome.standings.iter().filter(|standing| standing.verdict == Verdict::Won).count();
    match outcome.standings[seat.index()].verdict {
        Verdict::Won if mode == Mode::Competitive => 1.0 / alike as f64,
        Verdict::Won => 1.0,
        Verdict::Drawn => 0.5,
        Verdict::Lost => 0.0,
    }
}
