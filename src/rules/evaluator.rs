//! The knowledge of a game beyond its rules: which moves are worth a look, how to play on quickly, the value of a
//! position, what to say. Bots and hints search with it (`sarsen_games::bots`).
//!
//! Invariants: everything is in integers and a function of its arguments, so it is the same on every platform;
//! [`Evaluator::candidates`], [`Evaluator::policy`] and [`Evaluator::reason`] are given a whole state, but read of it
//! only what the seat could know, so they answer the same for every state that the seat could be looking at. The laws
//! are in
//! `sarsen_games::bots::laws`.
//!
//! A game that implements this trait with nothing of its own gets a weak bot that knows the rules alone.

use super::dice::Dice;
use super::game::{Game, Status};
use super::outcome::{Outcome, Verdict};
use super::seat::{MAX_SEATS, Seat};

/// The value of a won match to a seat; a lost one has 0.
pub const WON: i32 = 10_000;

/// The value of a position to each seat, by its number: 0 to [`WON`]. Seats that are not at the table have 0.
pub type Values = [i32; MAX_SEATS as usize];

/// A move that is worth a look.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// Its value relative to others of its list before any search, in the units of [`Values`]. Only differences
    /// count.
    pub worth: i32,
}

/// Moves that are worth a look, best first.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidates<M> {
    /// Never empty for a seat that is to act, and each of them legal.
    pub list: Vec<Candidate<M>>,
    /// True if no move that was left out can be better than the best of the list.
    pub complete: bool,
}

impl<M> Candidates<M> {
    /// The `most` best of `rated`, equals in its order; `all` says whether it holds every legal move.
    pub fn best_of(rated: impl IntoIterator<Item = Candidate<M>>, most: usize, all: bool) -> Candidates<M> {
        let mut list: Vec<Candidate<M>> = rated.into_iter().collect();
        let complete = all && list.len() <= most;
        list.sort_by_key(|candidate| std::cmp::Reverse(candidate.worth));
        list.truncate(most);
        Candidates { list, complete }
    }
}

/// The search method of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Not at all: the candidates are taken as they are ranked, at every level.
    Ranked,
    /// The candidates are compared by playing on from each in the same determinizations.
    Flat {
        /// The most decisions in a simulation; then [`Evaluator::value`] judges its position.
        horizon: u32,
        /// The hundredths of a candidate's worth that are added to the value found by the search.
        prior: i32,
    },
    /// A tree of what may follow, whose leaves are judged by [`Evaluator::value`].
    Tree,
}

/// The effort of a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Simulations for a decision: games played on, or leaves of the tree; 0 takes the candidates as they are ranked.
    /// Fewer than 100 choose worse than none.
    pub simulations: u32,
    /// The greatest random shift of a move's score, in the units of [`Values`]. It makes a level weak.
    pub noise: u32,
    /// The longest time that its searches usually take, in milliseconds. Answers are held back for that time, so that it
    /// does not tell how hard the decision was.
    pub answer_milliseconds: u32,
}

/// The number of rungs of the ladder of strengths.
pub const RUNGS: usize = 8;

/// A rung of the ladder of strengths: a bot that decides as well as its search, but for its slips.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rung {
    /// The simulations for a decision, as in [`Effort`].
    pub simulations: u32,
    /// The number of decisions in a thousand that are left to lot among all legal moves.
    pub slips: u32,
}

/// The rungs with these simulations and slips, the weakest first.
pub const fn ladder(of: [(u32, u32); RUNGS]) -> [Rung; RUNGS] {
    let mut rungs = [Rung { simulations: 0, slips: 0 }; RUNGS];
    let mut at = 0;
    while at < RUNGS {
        rungs[at] = Rung { simulations: of[at].0, slips: of[at].1 };
        at += 1;
    }
    rungs
}

/// The tuning of a game's bots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tuning {
    /// The version of the bots. It goes up with every change that affects their moves.
    pub version: u32,
    /// The search method.
    pub method: Method,
    /// The number of candidates.
    pub candidates: usize,
    /// Easy, medium, hard.
    pub levels: [Effort; 3],
    /// Strengths 1 to 8.
    pub rungs: [Rung; RUNGS],
}

impl Tuning {
    /// The tuning of a game of which only the rules are known.
    pub const PLAIN: Tuning = Tuning {
        version: 1,
        method: Method::Flat { horizon: 200, prior: 0 },
        candidates: 32,
        levels: [
            Effort { simulations: 100, noise: WON as u32 / 2, answer_milliseconds: 500 },
            Effort { simulations: 400, noise: WON as u32 / 20, answer_milliseconds: 1000 },
            Effort { simulations: 1600, noise: 0, answer_milliseconds: 2000 },
        ],
        rungs: ladder([(0, 1000), (0, 700), (0, 450), (0, 250), (0, 100), (200, 0), (800, 0), (1600, 0)]),
    };
}

/// A game with what good players know of it.
pub trait Evaluator: Game {
    /// The tuning of its bots.
    const TUNING: Tuning = Tuning::PLAIN;

    /// At most `most` moves of `seat`'s open decision that are worth a look, best first; equals in the order of the legal
    /// list. Empty only for a seat that has nothing to decide.
    fn candidates(&self, state: &Self::State, seat: Seat, most: usize) -> Candidates<Self::Move> {
        let legal = self.legal_moves(state, seat);
        let complete = legal.complete && legal.moves.len() <= most;
        // Of a long list, moves from all over it.
        let stride = legal.moves.len().div_ceil(most.max(1)).max(1);
        let list = legal.moves.into_iter().step_by(stride).map(|mv| Candidate { mv, worth: 0 }).collect();
        Candidates { list, complete }
    }

    /// A move that a quick player might make; legal, and `None` only for a seat that has nothing to decide.
    fn policy(&self, state: &Self::State, seat: Seat, dice: &mut Dice) -> Option<Self::Move> {
        dice.one_of(self.legal_moves(state, seat).moves)
    }

    /// Returns what a result is worth to each seat: a better place never less than a worse one, and the same for all
    /// where they win or lose together.
    fn reward(&self, outcome: &Outcome) -> Values {
        verdicts(outcome)
    }

    /// Returns what a position is worth to each seat; that of a match that is over is its [`Evaluator::reward`]. May look at
    /// everything, for the states that it is given are imagined.
    fn value(&self, state: &Self::State) -> Values {
        match self.status(state) {
            Status::Over(outcome) => self.reward(&outcome),
            Status::ToAct(_) | Status::Chance => [WON / 2; MAX_SEATS as usize],
        }
    }

    /// Candidates and value at once, for games where one is found on the way to the other; no value where it is hardly asked
    /// for.
    fn judge(&self, state: &Self::State, seat: Seat, most: usize) -> (Candidates<Self::Move>, Option<Values>) {
        (self.candidates(state, seat, most), None)
    }

    /// The margin, in the units of [`Values`], within which a search counts a move as no worse than the best: among
    /// such moves the seed chooses, so that no match is like another. 0 for always the best. Of the state only what the
    /// seat could know is read.
    fn variety(&self, _state: &Self::State, _seat: Seat) -> i32 {
        0
    }

    /// The signals that `seat` had better send now, at most one of each kind in a turn. A signal says what the catalogue
    /// says that it means, and nothing else.
    fn talk(&self, _view: &Self::View, _seat: Seat) -> Vec<Self::Move> {
        Vec::new()
    }

    /// True where the view shows that the open decision is the first of a turn, though the seat may have made the move
    /// before it too: its last one in the set-up, or of its turn before where nobody else plays.
    fn begins_turn(&self, _view: &Self::View) -> bool {
        false
    }

    /// True if `seat` has only one legal move, and everybody can see that. A bot then answers at once, so it must follow
    /// from what all viewers know: what is hidden would show in the time that the answer takes.
    fn is_publicly_forced(&self, _view: &Self::View, _seat: Seat, legal: &[Self::Move]) -> bool {
        legal.len() == 1 && Self::INFO.open_information()
    }

    /// The reason why a legal move of `seat`'s open decision is a good one, in a sentence for people; `None` where the
    /// figures are all there is to say. Reads only facts that the seat could know.
    fn reason(&self, _state: &Self::State, _seat: Seat, _mv: &Self::Move) -> Option<String> {
        None
    }
}

/// [`WON`] for winners, nothing for losers, half of it in a draw.
pub fn verdicts(outcome: &Outcome) -> Values {
    let mut values = Values::default();
    for standing in &outcome.standings {
        values[standing.seat.index()] = match standing.verdict {
            Verdict::Won => WON,
            Verdict::Drawn => WON / 2,
            Verdict::Lost => 0,
        };
    }
    values
}
