//! Who thinks for bots, and how: a question is answered on a thread of its own kind, within a bound of time.
//!
//! Invariant: a bot is given no more than its seat's observation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};

use crate::Refused;
#[cfg(test)]
use crate::model::clock::TimeCredit;
use crate::model::stored::OpenDecision;
use crate::model::unreadable::Unreadable;
use crate::table::live_match::LiveMatch;
use sarsen_base::ambient::Timestamp;
use sarsen_base::telemetry::BotCounts;
use sarsen_base::worker_pool::{PoolFull, WorkerPool};
use sarsen_games::bots::{AnyBot, Bots, Level, Noted, NotedMove, Pace, SearchMeans, Seed};
use sarsen_games::{AnyMove, MoveInput, SeatObservation};
use sarsen_rules::Seat;

/// How long a search may take; then it ends without a result.
const WALL: Duration = Duration::from_secs(10);

/// Who thinks, and how.
pub struct Thinkers {
    bots: Bots,
    pool: Arc<WorkerPool>,
    delay_milliseconds: u32,
    wall: Duration,
    pub(crate) counts: Arc<BotCounts>,
}

impl Thinkers {
    /// These bots on these threads. The first move of a turn is made so many milliseconds after its decision opened, or
    /// later; with 0 each as soon as it is found.
    pub fn new(bots: Bots, pool: Arc<WorkerPool>, delay_milliseconds: u32, counts: Arc<BotCounts>) -> Thinkers {
        Thinkers { bots, pool, delay_milliseconds, wall: WALL, counts }
    }

    /// The same with less patience.
    #[cfg(test)]
    pub(super) fn ended_after(self, wall: Duration) -> Thinkers {
        Thinkers { wall, ..self }
    }

    /// The bots of a game; `None` if it has none.
    pub(crate) fn of(&self, game: &str) -> Option<&Arc<dyn AnyBot>> {
        self.bots.of(game)
    }

    /// The threads, for other work that thinks.
    pub fn pool(&self) -> &WorkerPool {
        &self.pool
    }

    /// When the answer to a decision is given, if it is found by then.
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

/// What is to be thought about.
pub(super) struct Question {
    level: Level,
    observation: SeatObservation,
    seed: Seed,
}

impl LiveMatch {
    /// What `seat` decides on, as it sees it.
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

    /// What the bots of the game find.
    pub(super) fn answer(&self, bot: &dyn AnyBot, stop: &AtomicBool) -> Result<Noted, Refused> {
        let means = SearchMeans { threads: 1, stop };
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

/// Why nothing was found.
pub(super) enum NotThought {
    /// Too much waits already.
    Full,
    /// The search could not be made.
    Failed(Refused),
}

impl From<PoolFull> for NotThought {
    fn from(_: PoolFull) -> NotThought {
        NotThought::Full
    }
}

impl Thinkers {
    /// Has a question answered on a thread that thinks. Whoever drops the answer ends the search.
    pub(super) async fn think(&self, bot: &Arc<dyn AnyBot>, question: Question) -> Result<Noted, NotThought> {
        let stop = Arc::new(AtomicBool::new(false));
        let ends = EndsSearch(Arc::clone(&stop));
        let ((begin, begun), (tell, told)) = (oneshot::channel(), oneshot::channel());
        let (bot, counts, waits) = (Arc::clone(bot), Arc::clone(&self.counts), self.counts.waits());
        self.pool.submit(move || {
            drop(waits);
            // If nobody waits for it any more, there is nothing to find.
            if begin.send(()).is_ok() {
                let started = Instant::now();
                let answer = question.answer(&*bot, &stop);
                counts.searched(started.elapsed());
                let _nobody_waits = tell.send(answer);
            }
        })?;
        let gone = || NotThought::Failed(Unreadable::new("a search has ended without an answer").into());
        begun.await.map_err(|_| gone())?;
        let mut told = told;
        let answer = match timeout(self.wall, &mut told).await {
            Ok(answer) => answer,
            Err(_too_long) => {
                ends.0.store(true, Ordering::Relaxed);
                told.await
            }
        };
        answer.map_err(|_| gone())?.map_err(NotThought::Failed)
    }
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
            assert!(matches!(thinkers.think(&bot, question).await, Err(NotThought::Failed(_))));
        }
    }
}
