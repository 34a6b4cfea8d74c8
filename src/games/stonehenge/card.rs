//! The deck of 65: a day and a night card for each number, and a trilithon card for each colour but black.
//!
//! Board order is N1 D1 N2 D2 … N30 D30, then TW TB TG TY TR. A card is its index in that order, so that a set of
//! cards is a mask; a number card has the index of the small stone whose name it shares.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use super::centre::Stone;
use super::number::{Colour, NUMBERS, Number};

/// The number of cards that the deck has.
pub const CARDS: u8 = NUMBER_CARDS + Colour::PIECES.len() as u8;

/// The number of cards with a number.
pub const NUMBER_CARDS: u8 = NUMBERS * 2;

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

    /// The trilithon card of `colour`; there is no black one.
    pub(crate) fn trilithon(colour: Colour) -> Option<Card> {
        let place = Colour::PIECES.iter().position(|piece| *piece == colour)?;
        Some(Card(NUMBER_CARDS + place as u8))
    }

    /// Returns what is printed on it.
    pub(crate) fn face(self) -> Face {
        match self.0.checked_sub(NUMBER_CARDS) {
            None => Face::Number(Stone { number: Number::in_column(self.0 / 2), day: self.0 % 2 == 1 }),
            Some(place) => Face::Trilithon(Colour::PIECES[usize::from(place) % Colour::PIECES.len()]),
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
        match text.strip_prefix('T').map(str::as_bytes) {
            Some([letter]) => Colour::PIECES
                .into_iter()
                .find(|colour| colour.letter() == char::from(*letter))
                .and_then(Card::trilithon)
                .ok_or(InvalidCard),
            _ => Err(InvalidCard),
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.face() {
            Face::Number(stone) => fmt::Display::fmt(&stone, f),
            Face::Trilithon(colour) => write!(f, "T{}", colour.letter()),
        }
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.face() {
            Face::Number(stone) => stone.serialize(serializer),
            Face::Trilithon(_) => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Card;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a card such as \"D14\" or \"TB\"")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Card, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Text)
    }
}

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
        assert_eq!(Card::trilithon(Colour::Black), None);
        assert!(Card::trilithons().all(|card| card.is_trilithon() && Card::trilithon(card.colour()) == Some(card)));
        assert!(Card::numbers().all(|card| card.stone().map(Card::of_stone) == Some(card)));
    }
}
