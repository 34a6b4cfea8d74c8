//! The environment variables of tests and benchmarks. What each means stands at the head of `tests/run.sh`.
//!
//! Invariant: nothing else reads the environment. Clippy refuses `std::env::var` elsewhere, and `tests/environment.rs`
//! compares the names with the list.

use std::str::FromStr;

/// A variable, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable(&'static str);

/// The number of matches that a suite plays at random: the laws, for each of their plans.
pub const CONFORMANCE_MATCHES: Variable = Variable("SARSEN_CONFORMANCE_MATCHES");
/// The number of matches that are played to look for the longest legal lists.
pub const SIZES_MATCHES: Variable = Variable("SARSEN_SIZES_MATCHES");
/// The number of matches of Sacrifice Roulette that are measured for each number of seats.
pub const ROULETTE_MATCHES: Variable = Variable("SARSEN_ROULETTE_MATCHES");
/// The number of games that each player of Absolution plays to find its share of games won.
pub const PLAYER_GAMES: Variable = Variable("SARSEN_PLAYER_GAMES");
/// `whole` plays all plans of failovers.
pub const FAILOVER: Variable = Variable("SARSEN_FAILOVER");
/// The program that tests start as a Redis server, where another than `redis-server` is meant.
pub const REDIS_SERVER: Variable = Variable("SARSEN_REDIS_SERVER");
/// A Redis server of today, which knows `WAITAOF` (Redis 7.2, Valkey).
pub const REDIS_TODAY: Variable = Variable("SARSEN_REDIS_TODAY");
/// The number of matches that are exported, imported and checked.
pub const UPKEEP_MATCHES: Variable = Variable("SARSEN_TRANSFER_MATCHES");
/// `whole` plays the whole table of bots' strength.
pub const STRENGTH: Variable = Variable("SARSEN_STRENGTH");
/// `whole` plays 200 matches with bots beside 64 people, and compares the times of a person's moves.
pub const BOTS_LOAD: Variable = Variable("SARSEN_BOTS_LOAD");
/// `whole` has 200 receivers of notifications hang beside a person's moves, and tells 10,000 turns.
pub const NOTIFICATIONS_LOAD: Variable = Variable("SARSEN_NOTIFICATIONS_LOAD");
/// The number of matches that are due in the same second.
pub const CLOCKS_MATCHES: Variable = Variable("SARSEN_CLOCKS_MATCHES");
/// `whole` plays the whole table of outages, and has an instance killed before 200 clocks run out.
pub const OUTAGE: Variable = Variable("SARSEN_OUTAGE");
/// The number of times that each client library plays all games.
pub const CLIENT_ROUNDS: Variable = Variable("SARSEN_CLIENT_ROUNDS");
/// `whole` has openapi-generator make clients in nine languages, and plays with those that can be compiled.
pub const GENERATORS: Variable = Variable("SARSEN_GENERATORS");
/// `write` rewrites the golden playthroughs.
pub const GOLDEN: Variable = Variable("SARSEN_GOLDEN");
/// proptest's own variable, for cases that it does not count itself.
pub const PROPTEST_CASES: Variable = Variable("PROPTEST_CASES");
/// The directory in which a test binary that another has started commits until it is killed.
pub const COMMIT_UNTIL_KILLED: Variable = Variable("SARSEN_COMMIT_UNTIL_KILLED");
/// The stores that are measured.
pub const BENCH_STORES: Variable = Variable("BENCH_STORES");
/// The numbers of clients at once.
pub const BENCH_CLIENTS: Variable = Variable("BENCH_CLIENTS");
/// The pairs of windows that are compared.
pub const BENCH_PAIRS: Variable = Variable("BENCH_PAIRS");
/// About how long a window lasts.
pub const BENCH_WINDOW_MILLIS: Variable = Variable("BENCH_WINDOW_MILLIS");
/// The moves of a match.
pub const BENCH_MOVES: Variable = Variable("BENCH_MOVES");

impl Variable {
    /// As it is called.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// Returns its value in the environment.
    #[expect(clippy::disallowed_methods, reason = "the one place where tests read the environment")]
    pub fn text(self) -> Option<String> {
        std::env::var(self.0).ok()
    }

    /// The value that it has been set to. Anything else ends the test: a slip must not run a smaller one than was meant.
    pub fn value<T: FromStr>(self) -> Option<T> {
        let text = self.text()?;
        Some(text.parse().unwrap_or_else(|_| panic!("{} cannot be {text:?}", self.0)))
    }
}
