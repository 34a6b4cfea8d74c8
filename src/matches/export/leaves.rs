//! The leaves of a record: a closed list of what checks each property, and of what remains to be believed.
//!
//! Invariants: every property that a record can have is on the list, which a test walks; and a property that is checked
//! fully cannot be changed alone without a refusal, which another test tries.

use std::fmt;

use serde_json::Value;

use super::format::MatchExport;

/// The extent to which a leaf is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// Any other value is refused.
    Full,
    /// Values that cannot be are refused; another possible one may agree.
    Partial,
    /// Nothing beyond its form is checked.
    Nothing,
}

/// A fact that nobody can find out from a record alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Believed {
    /// The commitment is the one that was published.
    Published,
    /// Names and ids of players.
    People,
    /// The moments of steps.
    Moments,
    /// Terms that had no effect.
    Terms,
    /// Entropy that no dice have used.
    Entropy,
    /// Levels and versions of bots.
    Bots,
    /// Searches that were cut short.
    CutShort,
    /// Plans.
    Plans,
    /// The match before.
    MatchBefore,
    /// The reasons why time was added to clocks.
    Credits,
    /// Seats of invites.
    Invites,
}

impl fmt::Display for Believed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Believed::Published => "that the commitment was published before the match",
            Believed::People => "who the players were",
            Believed::Moments => "the moments of the steps, beyond their order, clocks and claims",
            Believed::Terms => "terms that had no effect (options, clock, times, undo, hints, rated, tags)",
            Believed::Entropy => "entropy that no dice used",
            Believed::Bots => "the levels and versions of bots",
            Believed::CutShort => "that the searches marked as cut short were",
            Believed::Plans => "that plans made the moves marked as planned",
            Believed::MatchBefore => "the match before, and that it had this position",
            Believed::Credits => "the reason for which time was added to clocks",
            Believed::Invites => "the seats of invites",
        })
    }
}

/// A leaf of a record, or with `.*` at the end of its path all leaves below.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// The path of the leaf: `[]` for each entry of a list, `[invite]` for a step that is one.
    pub path: &'static str,
    /// The extent to which it is checked.
    pub checked: Coverage,
    /// The check, in words.
    pub by: &'static str,
    /// The fact that remains to be believed, if any.
    pub believed: Option<Believed>,
}

const fn fully(path: &'static str, by: &'static str) -> Leaf {
    Leaf { path, checked: Coverage::Full, by, believed: None }
}

const fn fully_but(path: &'static str, by: &'static str, believed: Believed) -> Leaf {
    Leaf { path, checked: Coverage::Full, by, believed: Some(believed) }
}

const fn partly(path: &'static str, by: &'static str, believed: Believed) -> Leaf {
    Leaf { path, checked: Coverage::Partial, by, believed: Some(believed) }
}

const fn not(path: &'static str, believed: Believed) -> Leaf {
    Leaf { path, checked: Coverage::Nothing, by: "", believed: Some(believed) }
}

/// Every leaf of a record.
pub const LEAVES: &[Leaf] = &[
    fully("format", "the lowest format that can hold the rest"),
    fully("match_id", "the commitment"),
    fully("game", "the replay"),
    fully("rules_version", "the replay by these rules"),
    partly("options.*", "the game's schema, the replay, and the position of a fork", Believed::Terms),
    fully("seats", "the replay"),
    fully("bots[].seat", "the replay: nobody else sits there"),
    partly("bots[].level", "with `--bots` their moves", Believed::Bots),
    partly(
        "bots[].version",
        "one version in a record, not newer than this release's; with `--bots` their moves",
        Believed::Bots,
    ),
    fully("reserved[].seat", "the event `player_invited`"),
    fully_but("reserved[].player.*", "the event `player_invited`", Believed::People),
    fully("hotseat", "the seats taken in the first step"),
    partly("from_match", "the event `player_invited`", Believed::MatchBefore),
    not("forked_from.match_id", Believed::MatchBefore),
    not("forked_from.version", Believed::MatchBefore),
    partly("created_by.*", "the event `player_joined`, where they sat down in the first step", Believed::People),
    fully("created_by", "null with `pool` and nowhere else"),
    fully("pool", "the event `match_created`"),
    fully_but("paired[].player.*", "the event `player_joined`", Believed::People),
    partly("paired[].entropy", "the draw of seats, and the dice", Believed::Entropy),
    partly("tags[]", "their form, and an adjudication, which needs one", Believed::Terms),
    fully("start", "the step in which the match started"),
    partly("move_time_seconds", "claims, and that there is no clock beside it", Believed::Terms),
    partly("clock.initial_seconds", "the banks after moves, and time-outs", Believed::Terms),
    partly("clock.increment_seconds", "the banks after moves, and time-outs", Believed::Terms),
    partly("clock.delay_seconds", "the banks after moves, and time-outs", Believed::Terms),
    partly("clock.max_bank_seconds", "the banks after moves, and time-outs", Believed::Terms),
    partly("clock.first_move_seconds", "the banks after moves, and time-outs", Believed::Terms),
    partly("clock.on_timeout", "what came of time-outs", Believed::Terms),
    partly("clock.timeouts_allowed", "what came of time-outs", Believed::Terms),
    partly("clock.takeover_bot.level", "the event `bot_took_over`; with `--bots` its moves", Believed::Bots),
    partly("clock.takeover_bot.version", "as `bots[].version`, and the event `bot_took_over`", Believed::Bots),
    partly("undo", "undos and takebacks that it allows, and no others", Believed::Terms),
    partly("hints", "hints that it allows", Believed::Terms),
    partly("rated", "terms that can be rated, and that nobody gives time or hands on a seat", Believed::Terms),
    fully("seed", "the commitment"),
    fully_but("commitment", "seed and match id; `--commitment`", Believed::Published),
    fully("steps[].version", "one after the other"),
    partly("steps[].at", "their order, banks, claims, time-outs", Believed::Moments),
    fully("steps[].action", "the replay and its events"),
    fully("steps[].seat", "the replay and its events"),
    fully_but("steps[].player.*", "the events `player_joined` and `player_substituted`", Believed::People),
    partly("steps[].position.state_version", "this release reads it", Believed::MatchBefore),
    partly(
        "steps[].position.state.*",
        "the game reads it, with the seats and options of the head, and writes it back; the replay",
        Believed::MatchBefore,
    ),
    partly("steps[].entropy", "the dice", Believed::Entropy),
    fully("steps[].move.*", "the rules, and the event `move_made`"),
    partly("steps[].cut_short", "a bot's first legal move", Believed::CutShort),
    partly(
        "steps[].planned",
        "a match with plans, a turn that another seat's move opened; the event `move_made`",
        Believed::Plans,
    ),
    fully("steps[].claimed_by", "the event `absence_claimed`"),
    fully("steps[].to_version", "the events `move_undone` and `takeback_offered`"),
    fully("steps[].consequence", "the terms of the clock, and the event `clock_expired`"),
    fully("steps[].credit.seats[]", "the event `clock_credited`"),
    fully("steps[].credit.milliseconds", "the event `clock_credited`"),
    fully_but("steps[].credit.reason", "the event `clock_credited`", Believed::Credits),
    fully("steps[].credit.by", "the event `clock_credited`"),
    fully("steps[].ruling.ranks[]", "the event `match_ended`"),
    fully("steps[].ruling.verdict", "the event `match_ended`"),
    fully("steps[].reason", "the event `match_adjudicated`"),
    fully("steps[].events[].*", "the replay brings about the same events, in the same order"),
    fully("steps[invite].version", "one after the other"),
    partly("steps[invite].at", "their order", Believed::Moments),
    fully("steps[invite].action", "the replay"),
    partly("steps[invite].seat", "an invite can be for it", Believed::Invites),
    fully("outcome.ending", "the replay"),
    fully("outcome.standings[].*", "the replay"),
    fully("outcome.figures.*", "the replay"),
];

/// The entry of the list for a leaf.
pub fn leaf(path: &str) -> Option<&'static Leaf> {
    LEAVES.iter().find(|leaf| match leaf.path.strip_suffix(".*") {
        Some(above) => path.strip_prefix(above).is_some_and(|below| below.starts_with(['.', '['])),
        None => leaf.path == path,
    })
}

/// Shows each leaf below `value`: its path in the list, its JSON pointer, and what it is.
pub fn walk<'v>(value: &'v Value, look: &mut dyn FnMut(&str, &str, &'v Value)) {
    below(value, "", "", look);
}

fn below<'v>(value: &'v Value, path: &str, pointer: &str, look: &mut dyn FnMut(&str, &str, &'v Value)) {
    match value {
        Value::Object(properties) => {
            for (name, value) in properties {
                let dot = if path.is_empty() { "" } else { "." };
                let escaped = name.replace('~', "~0").replace('/', "~1");
                below(value, &format!("{path}{dot}{name}"), &format!("{pointer}/{escaped}"), look);
            }
        }
        Value::Array(entries) => {
            for (index, value) in entries.iter().enumerate() {
                let invite = path == "steps" && value.get("action").is_some_and(|action| action == "invite");
                let entry = if invite { "[invite]" } else { "[]" };
                below(value, &format!("{path}{entry}"), &format!("{pointer}/{index}"), look);
            }
        }
        leaf => look(path, pointer, leaf),
    }
}

/// The facts that remain to be believed of a record that agrees with itself.
pub fn believed(record: &MatchExport) -> Vec<Believed> {
    let mut found: Vec<Believed> = Vec::new();
    // A record has no other form than its JSON.
    let written = serde_json::to_value(record).unwrap_or_default();
    walk(&written, &mut |path, _, _| found.extend(leaf(path).and_then(|leaf| leaf.believed)));
    found.sort_unstable();
    found.dedup();
    found
}
