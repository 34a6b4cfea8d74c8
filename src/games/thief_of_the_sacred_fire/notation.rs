//! Moves as text: `start 30a`, `go 6c`, `stay`, `take 7c`. Reading ignores case and surplus blanks.

use serde_json::Value;

use super::moves::{ChooseStart, GoTo, Move, StayHere, TakeFire};
use super::space::{InvalidSpace, Space};
use super::{ThiefOfTheSacredFire, moves};
use crate::common::misread;
use sarsen_rules::{Notation, Refusal};
use serde_json::value::RawValue;

/// The notation of moves.
pub(crate) const NOTATION: &str = "\
`start 30a` or `start 1a`: the thief sets out from there.
`go 6c`: to that space by the cheapest way; points left over are spent on the capture where the fire is.
`stay`: the thief stays; points are spent on the capture where the fire is.
`take 7c`: finishes the capture with some of the points and goes there with the rest.
Spaces: 1a-30a Darkness, 1b-30b Shadow, 1c-30c Light, N1-N30 and D1-D30 small stones, T1-T5 trilithons, B1-B19 \
bluestones. Any case and surplus blanks are accepted.";

/// The section of the rules on moves as text.
const TEXT: &str = "10.1";

/// The section of the rules on moves as JSON.
const JSON: &str = "10.2";

/// The section of the rules on what spaces there are.
const SPACES: &str = "1.1";

impl Notation for ThiefOfTheSacredFire {
    fn notation(&self, mv: &Move) -> String {
        match mv {
            Move::Start(ChooseStart { space }) => format!("start {space}"),
            Move::Go(GoTo { to }) => format!("go {to}"),
            Move::Stay(StayHere {}) => "stay".to_owned(),
            Move::Take(TakeFire { to }) => format!("take {to}"),
        }
    }

    fn parse(&self, text: &str) -> Result<Move, Refusal> {
        let text = text.to_ascii_lowercase();
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        match words[..] {
            ["stay"] => Ok(Move::Stay(StayHere {})),
            ["start", space] => Ok(Move::Start(ChooseStart { space: read_space(space, "space")? })),
            ["go", to] => Ok(Move::Go(GoTo { to: read_space(to, "to")? })),
            ["take", to] => Ok(Move::Take(TakeFire { to: read_space(to, "to")? })),
            _ => {
                Err(Refusal::new("unknown_notation", TEXT, None, "a move is written start 30a, go 6c, stay or take 7c"))
            }
        }
    }

    fn written(&self, mv: &Move) -> Option<&'static RawValue> {
        moves::written(mv)
    }

    /// The rule that JSON breaks which is no move: what its properties may hold, or the form as a whole. Moves of no known
    /// type break none in particular.
    fn malformed_rule(&self, json: &Value) -> Option<&'static str> {
        let property = match json["type"].as_str()? {
            "start" => "space",
            "go" | "take" => "to",
            "stay" => return Some(JSON),
            _ => return None,
        };
        let altar = json[property].as_str().is_some_and(|space| space.eq_ignore_ascii_case("altar"));
        Some(match misread::<Space>(json, property) {
            true if altar => "TH-17",
            true => SPACES,
            false => JSON,
        })
    }
}

/// Rows are written small, stones and trilithons with a capital.
fn read_space(text: &str, field: &'static str) -> Result<Space, Refusal> {
    let capitals = text.to_ascii_uppercase();
    let canonical = if text.starts_with(|first: char| first.is_ascii_digit()) { text } else { &capitals };
    canonical.parse().map_err(|error: InvalidSpace| {
        let rule = if text == "altar" { "TH-17" } else { SPACES };
        Refusal::new("unknown_space", rule, Some(field), error.to_string())
    })
}
