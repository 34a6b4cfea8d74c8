//! Counters of matches.

use std::collections::HashMap;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

use super::counts::{OTHER, Pairs};

/// The outcome of a request to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountedMove {
    /// It was made.
    Committed,
    /// It had been made before, under the same idempotency key.
    Replayed,
    /// It was refused.
    Refused,
}

impl CountedMove {
    const NAMES: [&str; 3] = ["committed", "replayed", "refused"];
}

/// Counters of one game's matches.
#[derive(Debug)]
struct OfGame {
    moves: [Counter; CountedMove::NAMES.len()],
    started: Counter,
    ended: HashMap<String, Counter>,
    ended_otherwise: Counter,
}

/// Counters of matches.
#[derive(Debug)]
pub struct MatchCounts {
    games: HashMap<String, OfGame>,
    other: OfGame,
    conflicts: Counter,
}

impl MatchCounts {
    /// Registers counters for these games, each with its endings.
    pub(super) fn register(registry: &mut Registry, games: &[(&str, Vec<&str>)]) -> MatchCounts {
        let (moves, started, ended) = <[Family<Pairs, Counter>; 3]>::default().into();
        let conflicts = Counter::default();
        registry.register("moves", "Moves asked for in matches that are there", moves.clone());
        registry.register("matches_started", "Matches that began to be played", started.clone());
        registry.register("matches_ended", "Matches that ended or were called off", ended.clone());
        registry.register("commit_conflicts", "Steps taken again since others were quicker", conflicts.clone());
        let of_game = |game: &str, endings: &[&str]| {
            let with = |label: &'static str, value: &str| vec![("game", game.to_owned()), (label, value.to_owned())];
            let ended = |ending: &str| ended.get_or_create_owned(&with("ending", ending));
            OfGame {
                moves: CountedMove::NAMES.map(|result| moves.get_or_create_owned(&with("result", result))),
                started: started.get_or_create_owned(&vec![("game", game.to_owned())]),
                ended: endings.iter().map(|ending| ((*ending).to_owned(), ended(ending))).collect(),
                ended_otherwise: ended(OTHER),
            }
        };
        MatchCounts {
            games: games.iter().map(|(game, endings)| ((*game).to_owned(), of_game(game, endings))).collect(),
            other: of_game(OTHER, &[]),
            conflicts,
        }
    }

    /// Returns counters that are not exported: where there is no operator, as in a test.
    pub fn unseen() -> MatchCounts {
        MatchCounts::register(&mut Registry::default(), &[])
    }

    fn of(&self, game: &str) -> &OfGame {
        self.games.get(game).unwrap_or(&self.other)
    }

    /// Counts a move that was asked for.
    pub fn moved(&self, game: &str, result: CountedMove) {
        if let Some(counter) = self.of(game).moves.get(result as usize) {
            counter.inc();
        }
    }

    /// Counts a match that began to be played.
    pub fn started(&self, game: &str) {
        self.of(game).started.inc();
    }

    /// Counts a match that ended.
    pub fn ended(&self, game: &str, ending: &str) {
        let game = self.of(game);
        game.ended.get(ending).unwrap_or(&game.ended_otherwise).inc();
    }

    /// Counts a commit that came too late.
    pub fn conflicted(&self) {
        self.conflicts.inc();
    }
}
