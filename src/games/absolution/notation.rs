//! Moves as text: `nominate 2`, `exchange D7 N12`, `play D6 TB`, `pass`, `wish 14 blue`, `ready day 2 great`. Reading
//! ignores case, surplus blanks and the order of cards and wishes.

use std::fmt::Write;

use serde_json::Value;

use super::Absolution;
use super::moves::{Exchange, Move, Nominate, Play};
use super::numbers::NumberSet;
use super::talk::{self, Ready, Wish, WishColour, Word};
use super::track::Phase;
use crate::common::{Pass, misread, named_twice};
use crate::stonehenge::{Card, CardSet, InvalidCard, Number};
use sarsen_rules::{Notation, Refusal, Seat};

/// The notation of moves.
pub(crate) const NOTATION: &str = "\
`nominate 2`: in the vote, nominates seat 2 to play Day 1.
`exchange D7 N12`: gives D7 of the hand for N12 of the Exchange Field.
`play D6` or `play D6 TB`: matches the number of the turn. `pass`: does not.
Signals, at any time: `wish 14 blue` (one to five different numbers and colours), `ready day 2 great` (or `fair`, \
`poor`; day or night, a number).
A card is D or N and its number, or TW, TB, TG, TY, TR. Capitals, surplus blanks and the order of \
cards played and things wished for.";

/// The section of the rules on moves as text.
const TEXT: &str = "9.1";

/// The section of the rules on moves as JSON.
const JSON: &str = "9.2";

/// The section of the rules on what cards there are.
const CARDS: &str = "1.5";

impl Notation for Absolution {
    fn notation(&self, mv: &Move) -> String {
        match mv {
            Move::Nominate(Nominate { seat }) => format!("nominate {seat}"),
            Move::Exchange(Exchange { give, take }) => format!("exchange {give} {take}"),
            Move::Play(Play { cards }) => words("play", cards.iter()),
            Move::Pass(Pass {}) => "pass".to_owned(),
            Move::Wish(Wish { numbers, colours }) => {
                let numbers = words("wish", numbers.iter());
                words(&numbers, colours.iter())
            }
            Move::Ready(Ready { phase, number, word }) => format!("ready {phase} {number} {word}"),
        }
    }

    fn parse(&self, text: &str) -> Result<Move, Refusal> {
        let text = text.to_ascii_lowercase();
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        match words[..] {
            ["pass"] => Ok(Move::Pass(Pass {})),
            ["nominate", seat] => Ok(Move::Nominate(Nominate { seat: read_seat(seat)? })),
            ["exchange", give, take] => {
                Ok(Move::Exchange(Exchange { give: card(give, "give")?, take: card(take, "take")? }))
            }
            ["play", ref cards @ ..] => Ok(Move::Play(Play { cards: read_cards(cards)? })),
            ["wish", ref things @ ..] => read_wish(things).map(Move::Wish),
            ["ready", phase, number, word] => read_ready(phase, number, word).map(Move::Ready),
            _ => Err(Refusal::new(
                "unknown_notation",
                TEXT,
                None,
                "a move is written nominate 2, exchange D7 N12, play D6 TB, pass, wish 14 blue or ready day 2 great",
            )),
        }
    }

    /// The rule that JSON breaks which is no move: what its properties may hold, or the form as a whole. Moves of no known
    /// type break none in particular.
    fn malformed_rule(&self, json: &Value) -> Option<&'static str> {
        Some(match json["type"].as_str()? {
            "nominate" if misread::<Seat>(json, "seat") => "AB-01",
            "exchange" if misread::<Card>(json, "give") || misread::<Card>(json, "take") => CARDS,
            "play" if named_twice(json, "cards") => "AB-12",
            "play" if misread::<CardSet>(json, "cards") => CARDS,
            "wish" if named_twice(json, "numbers") || named_twice(json, "colours") => talk::WISH,
            "wish" if misread::<NumberSet>(json, "numbers") || misread::<Vec<WishColour>>(json, "colours") => "AB-36",
            "ready"
                if misread::<Phase>(json, "phase")
                    || misread::<Number>(json, "number")
                    || misread::<Word>(json, "word") =>
            {
                talk::READY
            }
            "nominate" | "exchange" | "play" | "pass" | "wish" | "ready" => JSON,
            _ => return None,
        })
    }
}

fn words<T: std::fmt::Display>(start: &str, rest: impl Iterator<Item = T>) -> String {
    let mut text = start.to_owned();
    for word in rest {
        // Writing to a string cannot fail.
        let _ = write!(text, " {word}");
    }
    text
}

fn read_seat(text: &str) -> Result<Seat, Refusal> {
    let seat = text.parse().ok().and_then(Seat::new);
    seat.ok_or_else(|| Refusal::new("no_such_seat", "AB-01", Some("seat"), "a seat is named by its number, from 0"))
}

fn card(text: &str, field: &'static str) -> Result<Card, Refusal> {
    text.to_ascii_uppercase()
        .parse()
        .map_err(|error: InvalidCard| Refusal::of("unknown_card", CARDS, field, error.to_string()))
}

fn read_cards(texts: &[&str]) -> Result<CardSet, Refusal> {
    let mut cards = CardSet::EMPTY;
    for text in texts {
        let card = card(text, "cards")?;
        if !cards.insert(card) {
            return Err(Refusal::new("named_twice", "AB-12", Some("cards"), format!("{card} is named twice")));
        }
    }
    Ok(cards)
}

fn read_wish(things: &[&str]) -> Result<Wish, Refusal> {
    let mut wish = Wish { numbers: NumberSet::EMPTY, colours: Vec::new() };
    for thing in things {
        let colour: Option<WishColour> = thing.parse().ok();
        let number = thing.parse().ok().and_then(Number::new);
        let is_new = match (number, colour) {
            (Some(number), _) => wish.numbers.insert(number),
            (None, Some(colour)) => {
                let is_new = !wish.colours.contains(&colour);
                wish.colours.push(colour);
                is_new
            }
            (None, None) => {
                let detail = "a wish is for a number from 1 to 30 or for white, blue, green, yellow or red, never for \
                              a card";
                return Err(Refusal::new("unknown_wish", "AB-36", None, detail));
            }
        };
        if !is_new {
            return Err(Refusal::new("named_twice", talk::WISH, None, format!("{thing} is named twice")));
        }
    }
    wish.colours.sort_unstable();
    Ok(wish)
}

fn read_ready(phase: &str, number: &str, word: &str) -> Result<Ready, Refusal> {
    let unknown = |field, detail| Refusal::of("unknown_readiness", talk::READY, field, detail);
    Ok(Ready {
        phase: phase.parse().map_err(|_| unknown("phase", "the phase is day or night"))?,
        number: number.parse().ok().and_then(Number::new).ok_or_else(|| unknown("number", "the number is 1 to 30"))?,
        word: word.parse().map_err(|_| unknown("word", "the word is great, fair or poor"))?,
    })
}
