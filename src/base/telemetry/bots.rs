//! Counters of bots.

use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

use super::counts::{OTHER, Pairs};
use super::tally::{Tally, TallyMark};
use super::timings::Timings;

/// Counters of bots.
#[derive(Debug)]
pub struct BotCounts {
    /// By game and level.
    moves: Vec<(String, String, Counter)>,
    other: Counter,
    waiting: Tally,
    searches: Timings,
    cut: Counter,
    in_flight: Tally,
    long_polls: Tally,
}

impl BotCounts {
    /// Registers counters for bots of these games and levels. The other two are those of requests.
    pub(super) fn register<'a>(
        registry: &mut Registry,
        games: impl IntoIterator<Item = &'a str>,
        levels: &[&str],
        (in_flight, long_polls): (Tally, Tally),
    ) -> BotCounts {
        let (moves, waiting, searches, cut) = <(Family<Pairs, Counter>, Tally, Timings, Counter)>::default();
        registry.register("bot_moves", "Moves that bots have made", moves.clone());
        let text = "Searches for bots and hints that no thread has begun";
        registry.register("bot_searches_waiting", text, waiting.0.clone());
        registry.register("bot_search_seconds", "Time for which bots and hints were thought about", searches.clone());
        registry.register("bot_searches_cut", "Searches that were cut short or failed", cut.clone());
        let of = |game: &str, level: &str| {
            moves.get_or_create_owned(&vec![("game", game.to_owned()), ("level", level.to_owned())])
        };
        let pair = |game: &str, level: &str| (game.to_owned(), level.to_owned(), of(game, level));
        let pairs = games.into_iter().flat_map(|game| levels.iter().map(move |level| (game, *level)));
        let known = pairs.map(|(game, level)| pair(game, level)).collect();
        BotCounts { moves: known, other: of(OTHER, OTHER), waiting, searches, cut, in_flight, long_polls }
    }

    /// Returns counters that are not exported: where there is no operator, as in a test.
    pub fn unseen() -> BotCounts {
        BotCounts::register(&mut Registry::default(), [], &[], Default::default())
    }

    /// Returns the number of requests that are being answered: those that wait for events are not.
    pub fn requests(&self) -> usize {
        (self.in_flight.count() - self.long_polls.count()).try_into().unwrap_or_default()
    }

    /// Counts a move of a bot of this level; `cut` says that its search took too long or failed.
    pub fn moved(&self, game: &str, level: &str, cut: bool) {
        let known = self.moves.iter().find(|(of, at, _)| of == game && at == level);
        known.map_or(&self.other, |(.., counter)| counter).inc();
        if cut {
            self.cut.inc();
        }
    }

    /// Counts a search that waits for a thread, for as long as the answer lives.
    #[must_use]
    pub fn waits(&self) -> TallyMark {
        self.waiting.one_more()
    }

    /// Counts a search that took this time; `cut` says that it was ended early.
    pub fn searched(&self, took: Duration, cut: bool) {
        self.searches.observe(took);
        if cut {
            self.cut.inc();
        }
    }
}
