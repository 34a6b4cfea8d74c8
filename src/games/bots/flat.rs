//! Flat search: quick players play the game on from each candidate in the same determinizations, and the better half of
//! the candidates goes on to the next round.
//!
//! Invariant: sums of integers, so neither their order nor the number of threads matters.

use super::budget::{FEWEST_SIMULATIONS, SearchMeans};
use super::determinizations::Determinizations;
use super::ranking::{Compared, Ranked, Ranking, as_ranked};
use sarsen_rules::{Candidate, Evaluator, Method, Mode, Seat, SilentWalk, Status, WON};

/// The most moves by which games without a search of their own are played on: enough to reach their end.
const TO_THE_END: u32 = 1000;
/// The number of the first determinization of a comparison: none of them served a search.
const UNSEEN: u32 = 1 << 24;

/// The statistics of one candidate.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    visits: u32,
    sum: i64,
    squares: i64,
}

impl Tally {
    pub(super) fn add(&mut self, value: i32) {
        let value = i64::from(value);
        *self = Tally { visits: self.visits + 1, sum: self.sum + value, squares: self.squares + value * value };
    }

    /// The number of values.
    pub(super) fn visits(&self) -> u32 {
        self.visits
    }

    fn join(&mut self, other: Tally) {
        self.visits += other.visits;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    pub(super) fn mean(&self) -> i32 {
        (self.sum / i64::from(self.visits.max(1))) as i32
    }

    pub(super) fn error(&self) -> i32 {
        let visits = i64::from(self.visits.max(1));
        let variance = (self.squares / visits - (self.sum / visits).pow(2)).max(0);
        (variance / visits).isqrt() as i32
    }
}

/// Returns how far is played on, and what a candidate's worth counts: what the game's tuning says of this search.
const fn settings<G: Evaluator>() -> (u32, i32) {
    match G::TUNING.method {
        Method::Flat { horizon, prior } => (horizon, prior),
        Method::Ranked | Method::Tree => (TO_THE_END, 0),
    }
}

/// Searches with about `simulations` games played on. If it is stopped, the rounds that were played out decide, or without
/// one the order of the candidates.
pub(crate) fn search<G: Evaluator>(
    game: &G,
    determinizations: &Determinizations<'_, G>,
    seat: Seat,
    candidates: Vec<Candidate<G::Move>>,
    simulations: u32,
    means: &SearchMeans<'_>,
) -> Ranking<G::Move> {
    let mut tallies = vec![Tally::default(); candidates.len()];
    let mut alive: Vec<usize> = (0..candidates.len()).collect();
    let score = |tallies: &[Tally], index: usize| tallies[index].mean() + prior::<G>(candidates[index].worth);
    let rounds = usize::BITS - (candidates.len().max(2) - 1).leading_zeros();
    let (mut next, mut made, mut cut) = (0, 0, false);
    for round in 0..rounds {
        let left = simulations.saturating_sub(made) / (rounds - round);
        let count = (left / alive.len() as u32).max(1);
        let Some(played) = play_on(game, determinizations, seat, &candidates, &alive, next, count, means) else {
            cut = true;
            break;
        };
        alive.iter().zip(played).for_each(|(index, tally)| tallies[*index].join(tally));
        next += count;
        made += count * alive.len() as u32;
        alive.sort_by_key(|index| (std::cmp::Reverse(score(&tallies, *index)), *index));
        if round + 1 < rounds {
            alive.truncate(alive.len().div_ceil(2));
        }
    }
    if cut && made < FEWEST_SIMULATIONS {
        return Ranking { cut, ..as_ranked(candidates) };
    }
    // Those that came further stand before those that did not, whose figures are less certain.
    let best = alive.iter().map(|index| score(&tallies, *index)).min().unwrap_or(WON);
    let ranked = candidates.iter().zip(&tallies).enumerate().map(|(index, (candidate, tally))| {
        let score = score(&tallies, index);
        Ranked {
            mv: candidate.mv.clone(),
            value: tally.mean(),
            error: tally.error(),
            visits: tally.visits,
            score: if alive.contains(&index) { score } else { score.min(best - 1) },
            line: Vec::new(),
        }
    });
    let mut ranking = Ranking { moves: ranked.collect(), simulations: made, cut };
    ranking.order();
    ranking
}

/// Plays on from each of these moves in the same determinizations, and compares them with the one at `made`; `None` if
/// stopped.
pub(super) fn compared<G: Evaluator>(
    game: &G,
    determinizations: &Determinizations<'_, G>,
    seat: Seat,
    moves: &[G::Move],
    made: usize,
    count: u32,
    means: &SearchMeans<'_>,
) -> Option<Vec<Compared>> {
    let mut tallies = vec![[Tally::default(); 2]; moves.len()];
    for number in UNSEEN..UNSEEN + count {
        let determinization = determinizations.state(number);
        let value = |mv: &G::Move| {
            let walk = played_on(game, determinizations, seat, &determinization, mv, number, means)?;
            Some(share(game, walk.state(), seat))
        };
        let values: Vec<i32> = moves.iter().map(value).collect::<Option<_>>()?;
        for ([own, apart], value) in tallies.iter_mut().zip(&values) {
            own.add(*value);
            apart.add(*value - values[made]);
        }
    }
    Some(tallies.into_iter().map(|[own, apart]| Compared { value: own.mean(), apart: apart.error() }).collect())
}

fn prior<G: Evaluator>(worth: i32) -> i32 {
    let (_, prior) = settings::<G>();
    (i64::from(worth) * i64::from(prior) / 100) as i32
}

/// Plays on from each of the `alive` candidates in determinizations `first` to `first + count`; `None` if stopped.
#[expect(clippy::too_many_arguments, reason = "the parts of one search, which have no life of their own")]
fn play_on<G: Evaluator>(
    game: &G,
    determinizations: &Determinizations<'_, G>,
    seat: Seat,
    candidates: &[Candidate<G::Move>],
    alive: &[usize],
    first: u32,
    count: u32,
    means: &SearchMeans<'_>,
) -> Option<Vec<Tally>> {
    let threads = means.threads.clamp(1, count as usize) as u32;
    let part = |thread: u32| -> Option<Vec<Tally>> {
        let mut tallies = vec![Tally::default(); alive.len()];
        for number in (first..first + count).skip(thread as usize).step_by(threads as usize) {
            let determinization = determinizations.state(number);
            for (tally, index) in tallies.iter_mut().zip(alive) {
                let mv = &candidates[*index].mv;
                let walk = played_on(game, determinizations, seat, &determinization, mv, number, means)?;
                tally.add(game.value(walk.state())[seat.index()]);
            }
        }
        Some(tallies)
    };
    if threads == 1 {
        return part(0);
    }
    let parts: Vec<Option<Vec<Tally>>> = std::thread::scope(|scope| {
        let part = &part;
        let handles: Vec<_> = (0..threads).map(|thread| scope.spawn(move || part(thread))).collect();
        // A search that breaks is not one that was stopped.
        let joined = |handle: std::thread::ScopedJoinHandle<'_, Option<Vec<Tally>>>| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        handles.into_iter().map(joined).collect()
    });
    let mut sums = vec![Tally::default(); alive.len()];
    for part in parts {
        sums.iter_mut().zip(part?).for_each(|(sum, tally)| sum.join(tally));
    }
    Some(sums)
}

/// The expected result of `seat`: the share of the others that it beats, a tie half, where they play against each other,
/// and else its value. Before the end the distances to the leader decide, each as it would with two seats.
pub(super) fn share<G: Evaluator>(game: &G, state: &G::State, seat: Seat) -> i32 {
    let (values, seats, status) = (game.value(state), game.seat_count(state), game.status(state));
    let others = i32::from(seats.get()) - 1;
    if others == 0 || G::INFO.mode != Mode::Competitive {
        return values[seat.index()];
    }
    let against = |other: Seat| match &status {
        Status::Over(outcome) => {
            let rank = |seat: Seat| outcome.standings[seat.index()].rank;
            WON / 2 * (1 + rank(other).cmp(&rank(seat)) as i32)
        }
        // Only the leader is worth more than half.
        Status::ToAct(_) | Status::Chance => {
            WON / 2 + values[seat.index()].min(WON / 2) - values[other.index()].min(WON / 2)
        }
    };
    seats.seats().filter(|other| *other != seat).map(against).sum::<i32>() / others
}

/// Plays on from one candidate in one determinization; `None` if stopped. A move that is not legal there is not made.
fn played_on<'g, G: Evaluator>(
    game: &'g G,
    determinizations: &Determinizations<'_, G>,
    seat: Seat,
    determinization: &G::State,
    mv: &G::Move,
    number: u32,
    means: &SearchMeans<'_>,
) -> Option<SilentWalk<'g, G>> {
    let (mut chance, mut policy) = (determinizations.chance(number), determinizations.policy(number));
    let mut walk = SilentWalk::new(game, determinization.clone());
    if walk.play(seat, mv.clone(), &mut chance).is_err() {
        return Some(walk);
    }
    let (horizon, _) = settings::<G>();
    for _ in 0..horizon {
        if (means.is_over)() {
            return None;
        }
        let Some(actor) = walk.to_act().and_then(|seats| seats.first()) else { break };
        let quick = game.policy(walk.state(), actor, &mut policy);
        let made = quick.is_some_and(|mv| walk.play(actor, mv, &mut chance).is_ok());
        if !made {
            // A policy that breaks the rules is a fault, which the laws find; the game goes on.
            walk.list(actor);
            if !walk.take(0, &mut chance) {
                break;
            }
        }
    }
    Some(walk)
}
