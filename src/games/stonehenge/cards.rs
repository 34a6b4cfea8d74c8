//! Collections of cards: an unordered set, and a pile in its order.
//!
//! Invariant: neither holds a card twice. In JSON a set is a list of cards in board order (read in any order); a pile
//! is a short text, for stored states only: clients are shown lists.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::card::{CARDS, Card};
use sarsen_rules::{BitSet, Dice, Listed, Member};

impl Member for Card {
    type Bits = u128;
    const ALL: u128 = (1 << CARDS) - 1;

    fn bit(self) -> u32 {
        self.index().into()
    }

    fn of_bit(bit: u32) -> Option<Card> {
        u8::try_from(bit).ok().and_then(Card::from_index)
    }
}

/// A set of cards.
pub type CardSet = BitSet<Card>;

impl Listed for Card {
    const SCHEMA: &'static str = "StonehengeCardSet";
    const DESCRIPTION: &'static str = "Different cards. Written in board order; accepted in any order.";

    fn item() -> RefOr<Schema> {
        Ref::from_schema_name(<Card as ToSchema>::name()).into()
    }

    fn item_schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((<Card as ToSchema>::name().into_owned(), <Card as PartialSchema>::schema()));
        <Card as ToSchema>::schemas(schemas);
    }
}

/// Cards in an order, the top one last.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pile(Vec<Card>);

impl Pile {
    /// A pile of `cards` in an order of which each is equally likely.
    pub(crate) fn shuffled(cards: CardSet, dice: &mut Dice) -> Pile {
        let mut cards: Vec<Card> = cards.iter().collect();
        dice.shuffle(&mut cards);
        Pile(cards)
    }

    /// These cards, the top one last; `None` if one is named twice.
    pub(crate) fn in_order(cards: Vec<Card>) -> Option<Pile> {
        let different = cards.iter().copied().collect::<CardSet>().len() == cards.len();
        different.then_some(Pile(cards))
    }

    /// Takes the top card.
    pub(crate) fn draw(&mut self) -> Option<Card> {
        self.0.pop()
    }

    /// Lays `card`, which is not in it, on top.
    pub(crate) fn lay(&mut self, card: Card) {
        self.0.push(card);
    }

    /// Its cards, the top one last.
    pub(crate) fn cards(&self) -> &[Card] {
        &self.0
    }

    /// Its cards, in no order.
    pub(crate) fn set(&self) -> CardSet {
        self.0.iter().copied().collect()
    }

    /// Returns how many cards it has.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether it has none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Pile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = self.0.iter().map(|card| card.index()).collect();
        serializer.serialize_str(&URL_SAFE_NO_PAD.encode(bytes))
    }
}

impl<'de> Deserialize<'de> for Pile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pile, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        let bytes = URL_SAFE_NO_PAD.decode(text.as_bytes()).map_err(D::Error::custom)?;
        let cards: Option<Vec<Card>> = bytes.into_iter().map(Card::from_index).collect();
        cards.and_then(Pile::in_order).ok_or_else(|| D::Error::custom("not a pile of different cards"))
    }
}

/// For `#[serde(with)]`: a set in a stored state, as short as a pile.
pub mod packed {
    use super::{CardSet, Deserialize, Deserializer, Pile, Serialize, Serializer};

    /// Writes the set as the pile in board order.
    ///
    /// # Errors
    /// The serializer's.
    pub(crate) fn serialize<S: Serializer>(set: &CardSet, serializer: S) -> Result<S::Ok, S::Error> {
        Pile(set.iter().collect()).serialize(serializer)
    }

    /// Reads it again.
    ///
    /// # Errors
    /// A text that is not a pile of different cards.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<CardSet, D::Error> {
        Ok(Pile::deserialize(deserializer)?.set())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sarsen_rules::DiceSeed;

    fn set(text: &str) -> CardSet {
        text.split_whitespace().map(|card| card.parse::<Card>().unwrap()).collect()
    }

    #[test]
    fn a_set_is_written_in_board_order_and_read_in_any() {
        let cards = set("TB D14 N14 D2");
        assert_eq!(serde_json::to_string(&cards).unwrap(), r#"["D2","N14","D14","TB"]"#);
        assert_eq!(serde_json::from_str::<CardSet>(r#"["TB","N14","D2","D14"]"#).unwrap(), cards);
        assert!(serde_json::from_str::<CardSet>(r#"["TB","TB"]"#).is_err());
        assert_eq!((CardSet::ALL.len(), CardSet::ALL.iter().last()), (65, "TR".parse().ok()));
    }

    #[test]
    fn sets_add_up() {
        let (mut some, other) = (set("D1 D2"), set("D2 D3"));
        assert_eq!((some.union(other), some.minus(other), some.common(other)), (set("D1 D2 D3"), set("D1"), set("D2")));
        assert!(!some.insert("D1".parse().unwrap()) && some.remove("D1".parse().unwrap()));
        assert!(some.is_within(other) && !other.is_within(some) && !some.is_empty());
    }

    #[test]
    fn a_pile_round_trips_and_never_holds_a_card_twice() {
        let mut pile = Pile::shuffled(CardSet::ALL, &mut Dice::new(DiceSeed([5; 32])));
        let text = serde_json::to_string(&pile).unwrap();
        assert_eq!(serde_json::from_str::<Pile>(&text).unwrap(), pile);
        assert_eq!((pile.len(), pile.set()), (65, CardSet::ALL));
        let top = pile.draw().unwrap();
        assert!(!pile.set().contains(top));
        pile.lay(top);
        assert_eq!(pile.cards().last(), Some(&top));
        for wrong in [r#""AAA""#, r#""QQ""#, "3", r#""!""#] {
            assert!(serde_json::from_str::<Pile>(wrong).is_err(), "{wrong}");
        }
    }
}
