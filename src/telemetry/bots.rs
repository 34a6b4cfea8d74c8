//! What is counted of bots.

use std::fmt;
use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

use super::counts::{OTHER, Pairs};
use super::timings::Timings;

/// What is counted of bots.
#[derive(Debug)]
pub struct BotCounts {
    moves: Family<Pairs, Counter>,
    games: Vec<String>,
    searches: Timings,
    cut: Counter,
}

impl BotCounts {
    /// Registers counters for these games.
    pub(super) fn register<'a>(registry: &mut Registry, games: impl IntoIterator<Item = &'a str>) -> BotCounts {
        let (moves, searches, cut) = <(Family<Pairs, Counter>, Timings, Counter)>::default();
        registry.register("bot_moves", "Moves that bots have made", moves.clone());
        registry.register("bot_search_seconds", "How long bots and hints were thought about", searches.clone());
        registry.register("bot_searches_cut", "Moves of bots whose search took too long or failed", cut.clone());
        BotCounts { moves, games: games.into_iter().map(str::to_owned).collect(), searches, cut }
    }

    /// Counts for nobody to see: where there is no operator, as in a test.
    pub fn unseen() -> BotCounts {
        BotCounts::register(&mut Registry::default(), [])
    }

    /// Counts a move of a bot of this level; `cut` says that its search took too long or failed.
    pub fn moved(&self, game: &str, level: impl fmt::Display, cut: bool) {
        let game = if self.games.iter().any(|known| known == game) { game } else { OTHER };
        self.moves.get_or_create(&vec![("game", game.to_owned()), ("level", level.to_string())]).inc();
        if cut {
            self.cut.inc();
        }
    }

    /// Counts a search that took so long.
    pub fn searched(&self, took: Duration) {
        self.searches.observe(took);
    }
}
