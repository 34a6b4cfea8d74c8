//! The threads of bots and their bounds: a thread of its own kind answers each question, within a bound of work.
//!
//! Invariants:
//! - A bot is given no more than its seat's observation.
//! - A search is measured by its steps and never by time: a busy machine answers later, and plays as well.
//! - What needs no search waits for none: it has a thread of its own.
//! - What nobody waits for has threads of its own, too, which pause while at least as many requests are
//!   being answered as there are cores.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::available_parallelism;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::Refused;
#[cfg(test)]
use crate::model::clock::TimeCredit;
use crate::model::stored::OpenDecision;
use crate::model::unreadable::Unreadable;
use crate::table::live_match::LiveMatch;
use sarsen_base::ambient::Timestamp;
use sarsen_base::fair_queue::{QueueTicket, Rank};
use sarsen_base::ids::PlayerId;
use sarsen_base::telemetry::BotCounts;
use sarsen_base::worker_pool::{PoolFull, Throttle, WorkerPool};
use sarsen_games::bots::{AnyBot, Bots, Level, Noted, NotedMove, Pace, SearchMeans, Seed};
use sarsen_games::{AnyMove, MoveInput, SeatObservation};
use sarsen_rules::Seat;

/// The most steps of a search, each some microseconds: three times as many as any game of the service needs.
const STEPS_MAX: u32 = 1_000_000;

/// The bots, the threads on which they think, and their bounds.
pub struct Thinkers {
    bots: Bots,
    pool: Arc<WorkerPool>,
    /// For questions that need no search.
    quick: WorkerPool,
    /// For work that nobody waits for.
    last: WorkerPool,
    cores: usize,
    delay_milliseconds: u32,
    steps_max: u32,
    pub(crate) counts: Arc<BotCounts>,
}

impl Thinkers {
    /// These bots on these threads. The first move of a turn is made `delay_milliseconds` after its decision opened, or
    /// later; with 0 each move is made as soon as it is found.
    pub fn new(bots: Bots, pool: Arc<WorkerPool>, delay_milliseconds: u32, counts: Arc<BotCounts>) -> Thinkers {
        let quick = WorkerPool::new(pool.threads().min(1));
        let last = WorkerPool::new(pool.threads());
        let cores = available_parallelism().map_or(1, usize::from);
        Thinkers { bots, pool, quick, last, cores, delay_milliseconds, steps_max: STEPS_MAX, counts }
    }

    /// The same with less patience.
    #[cfg(test)]
    pub(super) fn ended_after(self, steps_max: u32) -> Thinkers {
        Thinkers { steps_max, ..self }
    }

    /// The bots of a game; `None` if it has none.
    pub(crate) fn of(&self, game: &str) -> Option<&Arc<dyn AnyBot>> {
        self.bots.of(game)
    }

    /// The threads, for other work that thinks.
    pub fn pool(&self) -> &WorkerPool {
        &self.pool
    }

    /// The number of questions and other work of these ranks that wait for a thread, and the time for which the first
    /// of them has been waiting.
    pub fn backlog(&self, of: &[Rank]) -> (usize, Duration) {
        let ((length, oldest), (quick, oldest_quick)) = (self.pool.backlog(of), self.quick.backlog(of));
        (length + quick, oldest.max(oldest_quick))
    }

    /// The time at which the answer to a decision is given, if it is found by then.
    pub(super) fn answered_at(&self, bot: &dyn AnyBot, level: Level, open: OpenDecision, pace: Pace) -> Timestamp {
        if self.delay_milliseconds == 0 {
            return open.at;
        }
        // Everybody sees that there is nothing to think about.
        let usual = if pace.is_forced { 0 } else { level.effort(&bot.tuning()).answer_milliseconds };
        let wait = if pace.begins_turn { usual.max(self.delay_milliseconds) } else { usual };
        Timestamp(open.at.0.saturating_add(i64::from(wait)))
    }
}

/// A question for a bot.
pub(super) struct Question {
    level: Level,
    observation: SeatObservation,
    seed: Seed,
}

/// The place in the queue of a bot's move: in turn with other moves in matches of the same creator.
pub(super) fn move_ticket(live: &LiveMatch, level: Level) -> QueueTicket {
    let rank = match level {
        Level::Easy | Level::Strength1 | Level::Strength2 | Level::Strength3 | Level::Strength4 => Rank::Easy,
        Level::Medium | Level::Strength5 | Level::Strength6 => Rank::Medium,
        Level::Hard | Level::Strength7 | Level::Strength8 => Rank::Hard,
    };
    let stored = &live.stored;
    let share = stored.creator.as_ref().map_or(stored.id.as_str(), |creator| creator.id.as_str());
    QueueTicket { rank, share: share.to_owned() }
}

/// The place in the queue of what a player waits for.
pub(super) fn asked_ticket(player: &PlayerId) -> QueueTicket {
    QueueTicket { rank: Rank::Asked, share: player.to_string() }
}

impl LiveMatch {
    /// The question to `seat`, as it sees it.
    pub(super) fn question(&self, seat: Seat, level: Level, seed: Seed) -> Result<Question, Refused> {
        let state = self.state().ok_or_else(|| Unreadable::new("a match that is played has no state"))?;
        Ok(Question { level, observation: state.observe(seat), seed })
    }

    /// The move that a bot has found, if the rules of this match accept it.
    pub(super) fn accepted(&self, seat: Seat, found: &NotedMove) -> Option<AnyMove> {
        let read = self.game.read_move(&MoveInput::Notation(found.notation.clone())).ok()?;
        self.state()?.accepts(seat, &read).then_some(read)
    }
}

impl Question {
    /// The pace that the decision asks of a bot.
    pub(super) fn pace(&self, bot: &dyn AnyBot) -> Result<Pace, Refused> {
        Ok(bot.pace(&self.observation).map_err(Unreadable::new)?)
    }

    /// Returns what the bots of the game find, or have found by the time that it is `abandoned`.
    pub(super) fn answer(&self, bot: &dyn AnyBot, abandoned: &AtomicBool) -> Result<Noted, Refused> {
        self.answer_within(STEPS_MAX, bot, abandoned)
    }

    /// The same within `most` steps. A bound of steps, not of time, gives the same result on any machine.
    fn answer_within(&self, most: u32, bot: &dyn AnyBot, abandoned: &AtomicBool) -> Result<Noted, Refused> {
        let steps = AtomicU32::new(0);
        let is_over = || abandoned.load(Ordering::Relaxed) || steps.fetch_add(1, Ordering::Relaxed) >= most;
        let means = SearchMeans { threads: 1, is_over: &is_over };
        Ok(bot.rank(self.level, &self.observation, self.seed, &means).map_err(Unreadable::new)?)
    }
}

/// Ends a search that nobody waits for any more.
struct EndsSearch(Arc<AtomicBool>);

impl Drop for EndsSearch {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The reason why nothing was found.
pub(super) enum NotThought {
    /// The queue is full; about this long from now it is not.
    Full(Duration),
    /// The search could not be made.
    Failed(Refused),
}

impl Thinkers {
    /// Has a question answered on a thread that thinks, if one is expected to be free within `patience`. Dropping the
    /// future ends the search.
    pub(super) async fn think(
        &self,
        bot: &Arc<dyn AnyBot>,
        question: Question,
        ticket: QueueTicket,
        patience: Duration,
    ) -> Result<Noted, NotThought> {
        let quick = bot.answers_at_once(question.level, &question.observation);
        let pool = if quick { &self.quick } else { &*self.pool };
        let wait = pool.expected_wait(&ticket);
        if wait > patience {
            return Err(NotThought::Full(wait.saturating_sub(patience)));
        }
        let (bot, counts, waits) = (Arc::clone(bot), Arc::clone(&self.counts), self.counts.waits());
        let steps_max = self.steps_max;
        let search = move |stop: &AtomicBool| {
            drop(waits);
            let started = Instant::now();
            let answer = question.answer_within(steps_max, &*bot, stop);
            counts.searched(
                started.elapsed(),
                answer.as_ref().is_ok_and(|found| found.cut) && !stop.load(Ordering::Relaxed),
            );
            answer
        };
        done_on(pool, ticket, search).await.map_err(|_full| NotThought::Full(wait))??.map_err(NotThought::Failed)
    }

    /// Has work done that nobody waits for, with pauses while many others are served. Dropping the future ends it. The
    /// work asks every few microseconds whether it is to end.
    pub(super) async fn done_last<T: Send + 'static>(
        &self,
        share: String,
        work: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> T + Send + 'static,
    ) -> Result<T, NotThought> {
        let ticket = QueueTicket { rank: Rank::Hard, share };
        let (counts, cores) = (Arc::clone(&self.counts), self.cores);
        let throttled = move |stop: &AtomicBool| {
            let throttle = Throttle::new(|| counts.requests() >= cores);
            work(&|| {
                throttle.pause();
                stop.load(Ordering::Relaxed)
            })
        };
        done_on(&self.last, ticket, throttled).await.map_err(|_full| NotThought::Full(Duration::ZERO))?
    }
}

/// Has work done on a thread of the pool, which it tells when nobody waits for it any more.
async fn done_on<T: Send + 'static>(
    pool: &WorkerPool,
    ticket: QueueTicket,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> Result<Result<T, NotThought>, PoolFull> {
    let stop = Arc::new(AtomicBool::new(false));
    let _ends = EndsSearch(Arc::clone(&stop));
    let (tell, told) = oneshot::channel();
    let run = move || {
        // If nobody waits for it any more, there is nothing to find.
        if !stop.load(Ordering::Relaxed) {
            let _nobody_waits = tell.send(work(&stop));
        }
    };
    pool.submit(ticket, run)?;
    let gone = |_| NotThought::Failed(Unreadable::new("a search has ended without an answer").into());
    Ok(told.await.map_err(gone))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sarsen_games::{GameSettings, Games};
    use sarsen_rules::{Dice, DiceSeed, SeatCount};

    #[test]
    fn when_a_bot_answers_follows_from_its_level_and_the_setting_alone() {
        let bots = Bots::standard(GameSettings::default());
        let open = OpenDecision { version: 7, at: Timestamp(1_000), credit: TimeCredit::default() };
        for game in ["contiguity", "absolution", "sacrifice_roulette", "thief_of_the_sacred_fire", "henge"] {
            let bot = bots.of(game).unwrap();
            for level in [Level::Easy, Level::Medium, Level::Hard] {
                let usual = level.effort(&bot.tuning()).answer_milliseconds;
                let after_pace = |delay, pace| {
                    let counts = Arc::new(BotCounts::unseen());
                    let thinkers = Thinkers::new(bots.clone(), Arc::new(WorkerPool::new(1)), delay, counts);
                    thinkers.answered_at(&**bot, level, open, pace).0 - open.at.0
                };
                let after = |delay, begins_turn| after_pace(delay, Pace { begins_turn, is_forced: false });
                let forced = |delay, begins_turn| after_pace(delay, Pace { begins_turn, is_forced: true });
                assert_eq!(after(60_000, true), 60_000, "people are to be able to follow");
                assert_eq!(after(60_000, false), i64::from(usual), "but not each step of a turn");
                assert_eq!(after(1, true), i64::from(usual.max(1)));
                assert_eq!([after(0, true), after(0, false)], [0, 0], "as soon as it is found");
                assert_eq!([forced(600, true), forced(600, false)], [600, 0], "nothing to think about");
            }
        }
    }

    #[tokio::test]
    async fn a_search_ends_when_nobody_waits_for_it() {
        let bots = Bots::standard(GameSettings::default());
        let thinkers = Thinkers::new(bots, Arc::new(WorkerPool::new(1)), 0, Arc::new(BotCounts::unseen()));
        let stop = Arc::new(AtomicBool::new(false));
        drop(EndsSearch(Arc::clone(&stop)));
        assert!(stop.load(Ordering::Relaxed));
        // What cannot be thought about is told, and the thread goes on.
        let bot = Arc::clone(thinkers.of("contiguity").unwrap());
        let games = Games::standard(GameSettings::default());
        let (other, seats) = (games.newest("absolution").unwrap(), SeatCount::new(2).unwrap());
        let options = other.options(&serde_json::Value::Null, seats).unwrap();
        let state = other.setup(&options, seats, &mut Dice::new(DiceSeed([0; 32]))).unwrap().state;
        for _ in 0..2 {
            let observation = state.observe(Seat::new(0).unwrap());
            let question = Question { level: Level::Easy, observation, seed: [0; 32] };
            let ticket = asked_ticket(&PlayerId::from_number(1));
            let thought = thinkers.think(&bot, question, ticket, Duration::MAX).await;
            assert!(matches!(thought, Err(NotThought::Failed(_))));
        }
    }
}
