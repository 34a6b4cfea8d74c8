//! The deck of 65: a day and a night card for each number, and a trilithon card for each colour but black.
//!
//! Board order is N1 D1 N2 D2 … N30 D30, then TW TB TG TY TR. A card is its index in that order, so that a set of
//! cards is a mask; a number card has the index of the small stone whose name it shares.

use std::str::FromStr;

use utoipa::ToSchema;

use super::centre::Stone;
use super::number::{Colour, NUMBERS, Number};
use crate::common::text_forms;

/// The number of cards that the deck has.
pub const CARDS: u8 = NUMBER_CARDS + Colour::PIECES.len() as u8;

/// The number of cards with a number.
pub const NUMBER_CARDS: u8 = NUMBERS * 2;

/// The names of the trilithon cards, in the order of [`Colour::PIECES`].
const TRILITHON_TEXTS: [&str; Colour::PIECES.len()] = ["TW", "TB", "TG", "TY", "TR"];

/// A card, such as `D14` or `TB`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ToSchema)]
#[schema(
    as = StonehengeCard, value_type = String, pattern = "^([DN]([1-9]|[12][0-9]|30)|T[WBGYR])$", examples("D14", "TB")
)]
pub struct Card(u8);

/// The face of a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Face {
    /// A number with a day or night symbol.
    Number(Stone),
    /// A trilithon of a colour that pieces have.
    Trilithon(Colour),
}

/// A text that names no card.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a card is D or N and a number from 1 to 30, such as D14, or one of TW, TB, TG, TY, TR")]
pub struct InvalidCard;

impl Card {
    /// The card at this place in board order, or `None` from [`CARDS`] on.
    pub(crate) const fn from_index(index: u8) -> Option<Card> {
        if index < CARDS { Some(Card(index)) } else { None }
    }

    /// Its place in board order, 0 (`N1`) to 64 (`TR`).
    pub(crate) const fn index(self) -> u8 {
        self.0
    }

    /// The number card that shares its name with `stone`.
    pub(crate) const fn of_stone(stone: Stone) -> Card {
        Card(stone.index())
    }

    /// Returns what is printed on it.
    pub(crate) fn face(self) -> Face {
        match self.0.checked_sub(NUMBER_CARDS) {
            None => Face::Number(Stone { number: Number::in_column(self.0 / 2), day: self.0 % 2 == 1 }),
            Some(place) => Face::Trilithon(Colour::PIECES[usize::from(place) % Colour::PIECES.len()]),
        }
    }

    /// Returns what it is called.
    fn text(self) -> &'static str {
        match self.face() {
            Face::Number(stone) => stone.text(),
            Face::Trilithon(_) => TRILITHON_TEXTS[usize::from(self.0 - NUMBER_CARDS) % TRILITHON_TEXTS.len()],
        }
    }

    /// The small stone that shares its name; `None` for a trilithon card.
    pub(crate) fn stone(self) -> Option<Stone> {
        match self.face() {
            Face::Number(stone) => Some(stone),
            Face::Trilithon(_) => None,
        }
    }

    /// Its number; `None` for a trilithon card.
    pub fn number(self) -> Option<Number> {
        self.stone().map(|stone| stone.number)
    }

    /// Returns whether it is a trilithon card.
    pub const fn is_trilithon(self) -> bool {
        self.0 >= NUMBER_CARDS
    }

    /// Its number's colour, or that of the trilithon.
    pub fn colour(self) -> Colour {
        match self.face() {
            Face::Number(stone) => stone.number.colour(),
            Face::Trilithon(colour) => colour,
        }
    }

    /// All cards in board order.
    pub(crate) fn all() -> impl DoubleEndedIterator<Item = Card> + ExactSizeIterator + Clone {
        (0..CARDS).map(Card)
    }

    /// The number cards in board order.
    pub fn numbers() -> impl DoubleEndedIterator<Item = Card> + ExactSizeIterator + Clone {
        (0..NUMBER_CARDS).map(Card)
    }

    /// The trilithon cards in board order.
    pub fn trilithons() -> impl DoubleEndedIterator<Item = Card> + ExactSizeIterator + Clone {
        (NUMBER_CARDS..CARDS).map(Card)
    }
}

impl FromStr for Card {
    type Err = InvalidCard;

    /// Exactly the canonical text: capitals, no blanks or leading zeros.
    fn from_str(text: &str) -> Result<Card, InvalidCard> {
        if let Ok(stone) = text.parse::<Stone>() {
            return Ok(Card::of_stone(stone));
        }
        Card::trilithons().find(|card| card.text() == text).ok_or(InvalidCard)
    }
}

text_forms!(Card, "a card such as \"D14\" or \"TB\"");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_round_trips_in_board_order() {
        let texts: Vec<String> = Card::all().map(|card| card.to_string()).collect();
        assert_eq!(texts.len(), 65);
        assert_eq!(&texts[..4], ["N1", "D1", "N2", "D2"]);
        assert_eq!(&texts[58..], ["N30", "D30", "TW", "TB", "TG", "TY", "TR"]);
        for (card, text) in Card::all().zip(&texts) {
            assert_eq!(text.parse(), Ok(card));
            assert_eq!(serde_json::to_string(&card).unwrap(), format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<Card>(&format!("\"{text}\"")).unwrap(), card);
        }
    }

    #[test]
    fn nothing_else_is_a_card() {
        for wrong in ["", "D", "D0", "D31", "d1", "D01", " D1", "D1 ", "T", "TX", "TWB", "tw", "1", "E4", "Dé", "N-1"]
        {
            assert_eq!(wrong.parse::<Card>(), Err(InvalidCard), "{wrong}");
            assert!(serde_json::from_value::<Card>(wrong.into()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_number_card_has_its_numbers_colour_and_no_trilithon_is_black() {
        let card = |text: &str| text.parse::<Card>().unwrap();
        assert_eq!((card("D14").colour(), card("N30").colour()), (Colour::Blue, Colour::Black));
        assert_eq!((card("TB").colour(), card("TB").number()), (Colour::Blue, None));
        assert!(Card::trilithons().all(|card| card.is_trilithon() && card.colour() != Colour::Black));
        assert!(Card::trilithons().all(|card| card.to_string() == format!("T{}", card.colour().letter())));
        assert!(Card::numbers().all(|card| card.stone().map(Card::of_stone) == Some(card)));
    }
}
