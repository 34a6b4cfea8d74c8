//! Moves as text: `29b-5b`, `bid 12`, `pass`, `choose first`. Reading ignores case and surplus blanks.

use serde_json::Value;

use super::moves::{Bid, BidTurns, ChooseOrder, Move, MovePiece, TurnOrder};
use super::{Contiguity, moves};
use crate::common::{Pass, misread};
use crate::stonehenge::Space;
use sarsen_rules::{Notation, Refusal};
use serde_json::value::RawValue;

/// The notation of moves.
pub(crate) const NOTATION: &str = "\
`29b-5b`: the piece on 29b goes to 5b. A space is a number (1-30) and a row (a, outermost, to d).
`bid 12`: bids to win within 12 own turns. `pass`: does not bid lower.
`choose first` or `choose second`: the lowest bidder moves first (white) or second (red).
Capitals and surplus blanks are accepted.";

/// The section of the rules on moves as text.
const TEXT: &str = "8.1";

/// The section of the rules on moves as JSON.
const JSON: &str = "8.2";

impl Notation for Contiguity {
    fn notation(&self, mv: &Move) -> String {
        match mv {
            Move::Move(MovePiece { from, to }) => format!("{from}-{to}"),
            Move::Bid(Bid { turns }) => format!("bid {}", turns.get()),
            Move::Pass(Pass {}) => "pass".to_owned(),
            Move::Choose(ChooseOrder { order }) => format!("choose {order}"),
        }
    }

    fn parse(&self, text: &str) -> Result<Move, Refusal> {
        let text = text.to_ascii_lowercase();
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        // A bid that is below zero has a hyphen too.
        if let (Some((from, to)), false) = (text.split_once('-'), words.first() == Some(&"bid")) {
            return Ok(Move::Move(MovePiece { from: space(from, "from")?, to: space(to, "to")? }));
        }
        match words[..] {
            ["pass"] => Ok(Move::Pass(Pass {})),
            ["choose", order] => order
                .parse()
                .map(|order| Move::Choose(ChooseOrder { order }))
                .map_err(|_| Refusal::of("unknown_order", "CO-18", "order", "the order is first or second")),
            ["bid", turns] => turns
                .parse()
                .ok()
                .and_then(BidTurns::new)
                .map(|turns| Move::Bid(Bid { turns }))
                .ok_or_else(|| Refusal::of("bid_out_of_range", "CO-18", "turns", "a bid is 1 to 99 turns")),
            _ => Err(Refusal::new(
                "unknown_notation",
                TEXT,
                None,
                "a move is written 29b-5b, bid 12, pass, choose first or choose second",
            )),
        }
    }

    fn written(&self, mv: &Move) -> Option<&'static RawValue> {
        moves::written(mv)
    }

    /// The rule that JSON breaks which is no move: what its properties may hold, or the form as a whole. Moves of no known
    /// type break none in particular.
    fn malformed_rule(&self, json: &Value) -> Option<&'static str> {
        Some(match json["type"].as_str()? {
            "move" if misread::<Space>(json, "from") || misread::<Space>(json, "to") => "CO-01",
            "bid" if misread::<BidTurns>(json, "turns") => "CO-18",
            "choose" if misread::<TurnOrder>(json, "order") => "CO-18",
            "move" | "bid" | "choose" | "pass" => JSON,
            _ => return None,
        })
    }
}

fn space(text: &str, field: &'static str) -> Result<Space, Refusal> {
    text.trim_ascii().parse().map_err(|error: crate::stonehenge::InvalidSpace| {
        Refusal::of("unknown_space", "CO-01", field, error.to_string())
    })
}
