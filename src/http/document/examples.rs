//! The examples of operations and problems: the files in `examples/`, one for each tag of the document, and
//! `written.json`.
//!
//! Invariant: an example is an answer of this release. A test plays the matches that they show and compares
//! (`SARSEN_GOLDEN=write cargo test --lib http::document::played` rewrites the files, but for `written.json`);
//! `tests/api/contract.rs` validates them against the document's schemas.
//!
//! The matches are of the games in [`SHOWN`]. A service that does not offer these has no examples of matches.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::codes::Code;
use sarsen_games::Games;

/// The games of the matches.
const SHOWN: [&str; 2] = ["contiguity", "henge"];

/// Examples that show no game. Those of `written.json` were written by hand.
const OF_NO_GAME: [&str; 2] = [include_str!("examples/players.json"), include_str!("examples/written.json")];

const OF_GAMES: [&str; 7] = [
    include_str!("examples/games.json"),
    include_str!("examples/matches.json"),
    include_str!("examples/play.json"),
    include_str!("examples/pools.json"),
    include_str!("examples/events.json"),
    include_str!("examples/sandbox.json"),
    include_str!("examples/admin.json"),
];

/// Problems as the rules of a game bring them about.
const PROBLEMS: &str = include_str!("examples/problems.json");

/// The examples of one operation.
#[derive(Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct OperationExamples {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) request: Option<Value>,
    /// Its answers of success, by content type.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) answers: BTreeMap<String, Value>,
    /// The address of a picture such as it answers; a whole one is too long for an example.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) picture: Option<String>,
}

/// The examples of a service.
pub(crate) struct Examples {
    operations: BTreeMap<String, OperationExamples>,
    problems: BTreeMap<Code, Value>,
}

impl Examples {
    /// The examples of a service that offers `games`. The same test finds a file that is no JSON.
    pub(crate) fn of(games: &Games) -> Examples {
        let shown = SHOWN.iter().all(|shown| games.ids().contains(shown));
        let (files, problems) = if shown { (&OF_GAMES[..], PROBLEMS) } else { (&[][..], "{}") };
        let read = |file| serde_json::from_str::<BTreeMap<_, _>>(file).unwrap_or_default();
        let operations = files.iter().copied().chain(OF_NO_GAME).flat_map(read).collect();
        Examples { operations, problems: serde_json::from_str(problems).unwrap_or_default() }
    }

    /// The examples of an operation, or else those of the one that players have in its place; none for one that declares
    /// its own.
    pub(crate) fn of_operation(&self, operation: &str) -> OperationExamples {
        let players = || self.operations.get(operation.strip_suffix("AsOperator")?);
        self.operations.get(operation).or_else(players).cloned().unwrap_or_default()
    }

    /// The problem of this code, where a rule decides it.
    pub(crate) fn problem(&self, code: Code) -> Option<&Value> {
        self.problems.get(&code)
    }
}
