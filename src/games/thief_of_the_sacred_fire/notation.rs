//! Moves as text: `start 30a`, `go 6c`, `stay`, `take 7c`. Reading ignores case and surplus blanks.

use super::moves::{ChooseStart, GoTo, Move, StayHere, TakeFire};
use super::space::{InvalidSpace, Space};
use crate::rules::Refusal;

/// How moves are written.
pub const NOTATION: &str = "\
`start 30a` or `start 1a`: the thief sets out from there.
`go 6c`: to that space by the cheapest way; points left over are spent on the capture where the fire is.
`stay`: the thief stays; points are spent on the capture where the fire is.
`take 7c`: finishes the capture with some of the points and goes there with the rest.
Spaces: 1a-30a Darkness, 1b-30b Shadow, 1c-30c Light, N1-N30 and D1-D30 small stones, T1-T5 trilithons, B1-B19 \
bluestones. Any case and surplus blanks are accepted.";

/// Names the rule in refusals of texts that are no move at all.
const RULE: &str = "notation";

/// The move as text.
pub fn write(mv: &Move) -> String {
    match mv {
        Move::Start(ChooseStart { space }) => format!("start {space}"),
        Move::Go(GoTo { to }) => format!("go {to}"),
        Move::Stay(StayHere {}) => "stay".to_owned(),
        Move::Take(TakeFire { to }) => format!("take {to}"),
    }
}

/// Reads a move.
pub fn read(text: &str) -> Result<Move, Refusal> {
    let text = text.to_ascii_lowercase();
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    match words[..] {
        ["stay"] => Ok(Move::Stay(StayHere {})),
        ["start", space] => Ok(Move::Start(ChooseStart { space: read_space(space, "space")? })),
        ["go", to] => Ok(Move::Go(GoTo { to: read_space(to, "to")? })),
        ["take", to] => Ok(Move::Take(TakeFire { to: read_space(to, "to")? })),
        _ => Err(Refusal::new("unknown_notation", RULE, None, "a move is written start 30a, go 6c, stay or take 7c")),
    }
}

/// Rows are written small, stones and trilithons with a capital.
fn read_space(text: &str, field: &'static str) -> Result<Space, Refusal> {
    let capitals = text.to_ascii_uppercase();
    let canonical = if text.starts_with(|first: char| first.is_ascii_digit()) { text } else { &capitals };
    canonical.parse().map_err(|error: InvalidSpace| {
        let rule = if text == "altar" { "TH-17" } else { "TH-08" };
        Refusal::new("unknown_space", rule, Some(field), error.to_string())
    })
}
