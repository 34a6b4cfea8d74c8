//! The world of tests of use cases: matches and ratings on the embedded store, with a clock that the tests move.

use std::sync::Arc;

use tempfile::TempDir;

use crate::ratings::Ratings;
use sarsen_accounts::auth::{SigningKeys, TokenScope, Tokens};
use sarsen_accounts::player_status::KnownStatuses;
use sarsen_accounts::players::Players;
use sarsen_base::ambient::{Ambient, FixedClock, FixedEntropy, Timestamp};
use sarsen_base::telemetry::{BotCounts, MatchCounts};
use sarsen_base::worker_pool::WorkerPool;
use sarsen_games::bots::Bots;
use sarsen_games::{GameSettings, Games};
use sarsen_matches::model::retention::Retention;
use sarsen_matches::thinking::Thinkers;
use sarsen_matches::{DueSoon, Matches, MatchesParts};
use sarsen_store::Store;
use sarsen_store::embedded::Embedded;

/// The moment at which the clock begins.
pub(crate) const NOW: i64 = 1_800_000_000_000;

pub(crate) struct TestWorld {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) matches: Matches,
    pub(crate) ratings: Ratings,
    pub(crate) known: Arc<KnownStatuses>,
    pub(crate) games: Arc<Games>,
    pub(crate) ambient: Ambient,
    pub(crate) clock: Arc<FixedClock>,
    /// Taken by who looks at what is due soon.
    pub(crate) soon: Option<DueSoon>,
    _dir: TempDir,
}

impl TestWorld {
    pub(crate) fn new() -> TestWorld {
        TestWorld::retaining(Retention::default())
    }

    pub(crate) fn retaining(retention: Retention) -> TestWorld {
        // In memory where there is such a directory: thousands of changes, each of which waits for the disk.
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let clock = Arc::new(FixedClock::at(Timestamp(NOW)));
        let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(7)));
        let store: Arc<dyn Store> = Arc::new(Embedded::open(dir.path(), ambient.clone()).unwrap());
        let (games, known) = (Arc::new(Games::standard(GameSettings::default())), Arc::<KnownStatuses>::default());
        let (threads, counts) = (Arc::new(WorkerPool::new(0)), Arc::new(BotCounts::unseen()));
        let (matches, soon) = Matches::new(MatchesParts {
            store: store.clone(),
            games: games.clone(),
            ambient: ambient.clone(),
            notifier: Arc::default(),
            counts: Arc::new(MatchCounts::unseen()),
            statuses: Arc::default(),
            listeners: Arc::default(),
            retention,
            thinkers: Arc::new(Thinkers::new(Bots::default(), threads, 0, counts)),
        });
        let ratings = Ratings::new(store.clone(), store.clone(), known.clone(), games.clone(), ambient.clone());
        TestWorld { store, matches, ratings, known, games, ambient, clock, soon: Some(soon), _dir: dir }
    }

    pub(crate) fn players(&self) -> Players {
        let keys = SigningKeys::parse(&SigningKeys::new_key_text(&self.ambient)).unwrap();
        let tokens = Tokens::new(keys, TokenScope::default(), Arc::default(), self.ambient.clone());
        Players::new(self.store.clone(), Arc::new(tokens), self.ambient.clone())
    }
}
