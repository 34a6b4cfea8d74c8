//! Matches between players, by number: match n of a pairing is always the same one.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use sarsen::bots::{Bot, Level, SearchMeans, Seed};
use sarsen::rules::{
    Dice, DiceSeed, Evaluator, Outcome, Rules, Seat, SeatCount, SilentWalk, Status, Verdict, Viewer, settle,
};
use tokio::time::Instant;

/// A function that decides for a seat.
type Decide<G> = dyn Fn(&G, &<G as Rules>::State, Seat, Seed) -> <G as Rules>::Move;

/// A player, which sees a state through its seat's view, if it is honest.
pub struct Player<G: Evaluator> {
    decide: Box<Decide<G>>,
    talks: bool,
}

/// The times that the searches of each kind took.
static COSTS: Mutex<BTreeMap<String, Vec<Duration>>> = Mutex::new(BTreeMap::new());

/// The costs of each level: the number of searches, and their milliseconds at the median, at the 99th percentile and at
/// most.
pub fn costs() -> Vec<String> {
    let mut costs = COSTS.lock().unwrap();
    let line = |(name, times): (&String, &mut Vec<Duration>)| {
        times.sort_unstable();
        let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1000.0;
        let count = times.len();
        format!(
            "{name}: {count} searches, {:.2} ms in the middle, {:.1} ms at p99, {:.1} ms at most",
            at(50),
            at(99),
            at(100)
        )
    };
    costs.iter_mut().map(line).collect()
}

impl<G: Evaluator> Player<G> {
    pub fn new(decide: impl Fn(&G, &G::State, Seat, Seed) -> G::Move + 'static) -> Player<G> {
        Player { decide: Box::new(decide), talks: false }
    }

    /// Any legal move, each as likely as the others.
    pub fn random() -> Player<G> {
        Player::new(|game: &G, state, seat, seed| {
            let mut moves = game.legal_moves(state, seat).moves;
            let index = Dice::new(DiceSeed(seed)).index(moves.len()).unwrap();
            moves.swap_remove(index)
        })
    }

    /// A bot of this level.
    pub fn level(level: Level) -> Player<G> {
        Player::with_effort(level.effort(&G::TUNING), format!("{} {level}", G::INFO.id))
    }

    /// A bot that thinks so hard.
    pub fn with_effort(effort: sarsen::rules::Effort, name: String) -> Player<G> {
        let decide = move |game: &G, state: &G::State, seat: Seat, seed: Seed| {
            let (view, legal) = (game.view(state, Viewer::Seat(seat)), game.legal_moves(state, seat).moves);
            let start = Instant::now();
            let means = SearchMeans { threads: 1, is_over: &|| false };
            let ranking = Bot::with_effort(game, effort).rank(&view, seat, &legal, seed, &means);
            if ranking.simulations > 0 {
                COSTS.lock().unwrap().entry(name.clone()).or_default().push(start.elapsed());
            }
            ranking.moves.into_iter().next().unwrap().mv
        };
        Player { decide: Box::new(decide), talks: true }
    }
}

/// The game and the terms of a match.
pub struct Table<'a, G: Evaluator> {
    pub game: &'a G,
    pub options: G::Options,
    pub seats: u8,
    /// The number of moves that are made at random before the players take over.
    pub opening: u32,
}

impl<G: Evaluator> Table<'_, G> {
    /// Match `number`, in which `first` sits on seat `number` modulo the seats and `others` on all others; who sat there,
    /// and the result.
    pub fn one_match(&self, number: u32, first: &Player<G>, others: &Player<G>) -> (Seat, Outcome) {
        let count = SeatCount::new(self.seats).unwrap();
        let own = Seat::new((number % u32::from(self.seats)) as u8).unwrap();
        let seed = |kind: u8, step: u32| {
            let mut seed = [kind; 32];
            // Matches of the same set-up follow each other with rotated seats.
            seed[..4].copy_from_slice(&(number / u32::from(self.seats)).to_le_bytes());
            seed[4..8].copy_from_slice(&step.to_le_bytes());
            seed
        };
        let mut dice = Dice::new(DiceSeed(seed(1, 0)));
        let mut lot = Dice::new(DiceSeed(seed(2, 0)));
        let (mut state, mut events) = self.game.setup(&self.options, count, &mut dice);
        settle(self.game, &mut state, &mut dice, &mut events);
        let mut walk = SilentWalk::new(self.game, state);
        for step in 0.. {
            let Some(acting) = walk.to_act() else { break };
            for seat in count.seats() {
                let player = if seat == own { first } else { others };
                if player.talks {
                    for signal in self.game.talk(&self.game.view(walk.state(), Viewer::Seat(seat)), seat) {
                        walk.play(seat, signal, &mut dice).unwrap();
                    }
                }
            }
            let seat = acting.first().unwrap();
            if step < self.opening {
                let moves = walk.list(seat).len();
                assert!(walk.take(lot.index(moves).unwrap(), &mut dice));
                continue;
            }
            let player = if seat == own { first } else { others };
            let mv = (player.decide)(self.game, walk.state(), seat, seed(3 + seat.number(), step));
            walk.play(seat, mv, &mut dice).unwrap();
        }
        match self.game.status(walk.state()) {
            Status::Over(outcome) => (own, outcome),
            _ => panic!("the match does not end"),
        }
    }

    /// The result of `first` in match `number`, in thousandths of a win: a draw or a shared place counts as its part of
    /// one.
    pub fn share(&self, number: u32, first: &Player<G>, others: &Player<G>) -> i64 {
        let (own, outcome) = self.one_match(number, first, others);
        let winners = outcome.standings.iter().filter(|standing| standing.verdict == Verdict::Won).count() as i64;
        match outcome.standings[own.index()].verdict {
            Verdict::Won if G::INFO.mode == sarsen::rules::Mode::Competitive => 1000 / winners,
            Verdict::Won => 1000,
            Verdict::Drawn => 500,
            Verdict::Lost => 0,
        }
    }

    /// The score of seat 0 of match `number`, where all seats are `player`'s.
    pub fn score(&self, number: u32, player: &Player<G>) -> i64 {
        let (own, outcome) = self.one_match(number, player, player);
        outcome.standings[own.index()].score.unwrap_or_default().into()
    }
}
