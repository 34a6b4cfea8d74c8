//! Moves as text: `place N7`, `roll TW D5 N11 fall`, `reverse TW`. Reading ignores case, surplus blanks and the order
//! of the cards.

use serde_json::Value;

use super::SacrificeRoulette;
use super::moves::{Ending, Move, Place, Reverse, Roll};
use crate::common::{misread, named_twice};
use crate::stonehenge::{Card, CardSet, InvalidCard, InvalidStone, Stone};
use sarsen_rules::{Notation, Refusal};

/// The notation of moves.
pub(crate) const NOTATION: &str = "\
`place N7`: a sacrifice goes into the night pit of 7 (`D7`: the day pit). Only before the first turn.
`roll D5 N11 stop`: these cards roll the boulder. Trilithon cards (`TW TB TG TY TR`) stand first: `roll TW D5 stop`.
The last word is the ending: `stop` (no match), `match` (only the last card laid matches, and the boulder falls) or \
`fall` (one of the cards, laid last, makes the boulder fall instead of rolling).
`reverse TW`: a trilithon card alone, from a hand without a number card.
Capitals do not matter, and cards may come in any order.";

/// The section of the rules on moves as text.
const TEXT: &str = "9.1";

/// The section of the rules on moves as JSON.
const JSON: &str = "9.2";

/// The section of the rules on what pits there are.
const PITS: &str = "1.2";

/// The section of the rules on what cards there are.
const CARDS: &str = "1.3";

/// The section of the rules on the endings of a roll.
const ENDINGS: &str = "3.4";

impl Notation for SacrificeRoulette {
    fn notation(&self, mv: &Move) -> String {
        match mv {
            Move::Place(Place { pit }) => format!("place {pit}"),
            Move::Reverse(Reverse { trilithon }) => format!("reverse {trilithon}"),
            Move::Roll(Roll { trilithons, cards, ending }) => {
                let mut text = String::from("roll");
                for card in trilithons.iter().chain(cards.iter()) {
                    text.push(' ');
                    text.push_str(&card.to_string());
                }
                text.push(' ');
                text.push_str(ending.into());
                text
            }
        }
    }

    fn parse(&self, text: &str) -> Result<Move, Refusal> {
        let text = text.to_ascii_uppercase();
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        match &words[..] {
            ["PLACE", pit] => {
                let pit = pit
                    .parse()
                    .map_err(|error: InvalidStone| Refusal::of("unknown_pit", PITS, "pit", error.to_string()))?;
                Ok(Move::Place(Place { pit }))
            }
            ["REVERSE", trilithon] => {
                let trilithon: Card = card(trilithon, "trilithon")?;
                if !trilithon.is_trilithon() {
                    return Err(Refusal::of(
                        "not_a_trilithon",
                        "SR-32",
                        "trilithon",
                        format!("{trilithon} is not a trilithon card"),
                    ));
                }
                Ok(Move::Reverse(Reverse { trilithon }))
            }
            ["ROLL", cards @ .., ending] => {
                let ending = ending.parse().map_err(|_| {
                    Refusal::of("unknown_ending", ENDINGS, "ending", "the last word of a roll is stop, match or fall")
                })?;
                let mut roll = Roll { trilithons: CardSet::EMPTY, cards: CardSet::EMPTY, ending };
                for word in cards {
                    let card = card(word, "cards")?;
                    let set = if card.is_trilithon() { &mut roll.trilithons } else { &mut roll.cards };
                    if !set.insert(card) {
                        return Err(Refusal::of("named_twice", "SR-15", "cards", format!("{card} is named twice")));
                    }
                }
                Ok(Move::Roll(roll))
            }
            _ => Err(Refusal::new(
                "unknown_notation",
                TEXT,
                None,
                "a move is written place N7, roll TW D5 N11 fall or reverse TW",
            )),
        }
    }

    /// The rule that JSON breaks which is no move: what its properties may hold, or the form as a whole. Moves of no known
    /// type break none in particular.
    fn malformed_rule(&self, json: &Value) -> Option<&'static str> {
        Some(match json["type"].as_str()? {
            "place" if misread::<Stone>(json, "pit") => PITS,
            "roll" if named_twice(json, "trilithons") || named_twice(json, "cards") => "SR-15",
            "roll" if misread::<CardSet>(json, "trilithons") || misread::<CardSet>(json, "cards") => CARDS,
            "roll" if misread::<Ending>(json, "ending") => ENDINGS,
            "reverse" if misread::<Card>(json, "trilithon") => CARDS,
            "reverse" if json["trilithon"].as_str().is_some_and(|card| !card.starts_with('T')) => "SR-32",
            "place" | "roll" | "reverse" => JSON,
            _ => return None,
        })
    }
}

fn card(text: &str, field: &'static str) -> Result<Card, Refusal> {
    text.parse().map_err(|error: InvalidCard| Refusal::of("unknown_card", CARDS, field, error.to_string()))
}
