//! Moves as text: `lay F17`, `drown F4`.

use sarsen::rules::{Notation, Refusal};
use serde_json::Value;

use super::Ford;
use super::wire::{Drown, Lay, Move};

impl Notation for Ford {
    fn notation(&self, mv: &Move) -> String {
        match mv {
            Move::Lay(Lay { card }) => format!("lay {card}"),
            Move::Drown(Drown { card }) => format!("drown {card}"),
        }
    }

    fn parse(&self, text: &str) -> Result<Move, Refusal> {
        let refused = || Refusal::new("unknown_notation", "4", None, "a move is written `lay F17` or `drown F17`");
        let text = text.trim().to_ascii_uppercase();
        let (what, card) = text.split_once(' ').ok_or_else(refused)?;
        let card = card.parse().map_err(|_| refused())?;
        match what {
            "LAY" => Ok(Move::Lay(Lay { card })),
            "DROWN" => Ok(Move::Drown(Drown { card })),
            _ => Err(refused()),
        }
    }

    fn malformed_rule(&self, json: &Value) -> Option<&'static str> {
        matches!(json["type"].as_str()?, "lay" | "drown").then_some("4")
    }
}
