//! A card. On the wire and in notation it is its name, such as `F17`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The number of cards, F1 to F30.
const CARDS: u8 = 30;

/// One of the cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Card(u8);

impl Card {
    /// All cards, the lowest first.
    pub fn all() -> impl Iterator<Item = Card> {
        (1..=CARDS).map(Card)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "F{}", self.0)
    }
}

impl FromStr for Card {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Card, &'static str> {
        Card::all().find(|card| card.to_string() == text).ok_or("a card is F1 to F30")
    }
}

impl TryFrom<String> for Card {
    type Error = &'static str;
    fn try_from(text: String) -> Result<Card, &'static str> {
        text.parse()
    }
}

impl From<Card> for String {
    fn from(card: Card) -> String {
        card.to_string()
    }
}
