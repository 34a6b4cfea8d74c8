//! Events of Sacrifice Roulette on the wire: fine enough to animate from, and to keep a view up to date without the rules.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::track::Direction;
use crate::stonehenge::{Card, CardSet, Colour, Number, Stone};
use sarsen_rules::{Seat, Viewer, tagged_union};

tagged_union! {
    /// Something that happened.
    pub enum Event {
        "sacrifices_set_up" => SacrificesSetUp(SacrificesSetUp),
        "sacrifice_placed" => SacrificePlaced(SacrificePlaced),
        "boulder_set_up" => BoulderSetUp(BoulderSetUp),
        "roulette_hands_dealt" => HandsDealt(HandsDealt),
        "roulette_turn_begun" => TurnBegun(TurnBegun),
        "roulette_trilithons_played" => TrilithonsPlayed(TrilithonsPlayed),
        "boulder_rolled" => BoulderRolled(BoulderRolled),
        "boulder_fell" => BoulderFell(BoulderFell),
        "fall_card_drawn" => FallCardDrawn(FallCardDrawn),
        "pit_emptied" => PitEmptied(PitEmptied),
        "roulette_cards_drawn" => CardsDrawn(CardsDrawn),
        "roulette_deck_depleted" => DeckDepleted(DeckDepleted),
        "roulette_deck_reshuffled" => DeckReshuffled(DeckReshuffled),
        "roulette_cards_revealed" => CardsRevealed(CardsRevealed),
    }
}

impl Event {
    /// Returns whether it names no card of a hand.
    pub(crate) fn is_open(&self) -> bool {
        !matches!(self, Event::HandsDealt(_) | Event::CardsDrawn(_))
    }

    /// Returns what `viewer` may know of it: cards drawn into a hand are masked for everyone else, until the match is over.
    pub(crate) fn seen_by(&self, viewer: Viewer) -> Event {
        match self {
            Event::HandsDealt(dealt) => {
                let masked =
                    |hand: &Hand| Hand { cards: hand.cards.filter(|_| viewer.may_see(hand.seat)), ..hand.clone() };
                Event::HandsDealt(HandsDealt { hands: dealt.hands.iter().map(masked).collect(), ..dealt.clone() })
            }
            Event::CardsDrawn(drawn) if !viewer.may_see(drawn.seat) => {
                Event::CardsDrawn(CardsDrawn { cards: None, ..drawn.clone() })
            }
            Event::SacrificesSetUp(_)
            | Event::SacrificePlaced(_)
            | Event::BoulderSetUp(_)
            | Event::TurnBegun(_)
            | Event::TrilithonsPlayed(_)
            | Event::BoulderRolled(_)
            | Event::BoulderFell(_)
            | Event::FallCardDrawn(_)
            | Event::PitEmptied(_)
            | Event::CardsDrawn(_)
            | Event::DeckDepleted(_)
            | Event::DeckReshuffled(_)
            | Event::CardsRevealed(_) => self.clone(),
        }
    }
}

/// The ten cards that each seat was dealt during set-up have sent sacrifices into the pits that they name. A trilithon
/// card sends none: its sacrifice is still to be placed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RouletteSacrificesSetUp)]
pub struct SacrificesSetUp {
    /// One entry a seat, in seat order.
    #[schema(min_items = 2, max_items = 5)]
    pub seats: Vec<SeatSacrifices>,
    /// Pits of neutral sacrifices; empty unless there are two players.
    #[schema(max_items = 10)]
    pub neutral: Vec<Stone>,
    /// The number cards that have not been drawn: one of them will show where the boulder starts.
    pub boulder_cards: CardSet,
}

/// One seat's share of the set-up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RouletteSeatSacrifices)]
pub struct SeatSacrifices {
    /// The seat whose share it is.
    pub seat: Seat,
    /// The colour of its sacrifices.
    pub colour: Colour,
    /// The pits where they lie, in board order.
    #[schema(max_items = 10)]
    pub pits: Vec<Stone>,
    /// The number of sacrifices that the seat still has to place.
    #[schema(maximum = 5)]
    pub to_place: u8,
}

/// A seat placed a sacrifice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RouletteSacrificePlaced)]
pub struct SacrificePlaced {
    /// The seat that placed it.
    pub seat: Seat,
    /// The stone that marks the pit in which it lies.
    pub pit: Stone,
    /// The number of sacrifices that the seat still has to place.
    #[schema(maximum = 4)]
    pub to_place: u8,
}

/// A number card was drawn for the boulder, which stands on its number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RouletteBoulderSetUp)]
pub struct BoulderSetUp {
    /// The number card that was drawn.
    pub(crate) card: Card,
    /// The number on which the boulder stands.
    pub boulder: Number,
}

/// All cards were shuffled and the hands dealt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RouletteHandsDealt)]
pub struct HandsDealt {
    /// One entry a seat, in seat order.
    #[schema(min_items = 2, max_items = 5)]
    pub hands: Vec<Hand>,
    /// The number of cards left in the deck.
    #[schema(maximum = 65)]
    pub deck_size: u8,
}

/// A seat's cards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RouletteHand)]
pub struct Hand {
    /// The seat whose cards they are.
    pub seat: Seat,
    /// Their number.
    #[schema(maximum = 15)]
    pub count: u8,
    /// The cards; null for those who may not see them.
    #[schema(required)]
    pub cards: Option<CardSet>,
}

/// A seat's turn has begun.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RouletteTurnBegun)]
pub struct TurnBegun {
    /// The seat whose turn it is.
    pub seat: Seat,
    /// The number of the turn, all seats' turns counted together from 1.
    #[schema(minimum = 1)]
    pub turn: u8,
}

/// A seat laid trilithon cards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RouletteTrilithonsPlayed)]
pub struct TrilithonsPlayed {
    /// The seat that laid them.
    pub seat: Seat,
    /// The cards: one turns the direction round, two change nothing.
    pub cards: CardSet,
    /// The direction from now on.
    pub direction: Direction,
    /// The trilithon card that lies beside the discards from now on; null while the boulder rolls clockwise.
    #[schema(required)]
    pub marker: Option<Card>,
    /// The cards laid on the discards, in order: two or none.
    #[schema(max_items = 2)]
    pub discarded: Vec<Card>,
    /// Trilithon cards that everyone now knows to be in the seat's hand: the other four after a `reverse`, for a full
    /// hand without a number card holds all five. Otherwise empty.
    pub known: CardSet,
}

/// A card was laid on the discards and rolled the boulder to the next number of its colour.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RouletteBoulderRolled)]
pub struct BoulderRolled {
    /// The seat that played the card.
    pub seat: Seat,
    /// The card that rolled it.
    pub card: Card,
    /// The place where the boulder stood.
    pub(crate) from: Number,
    /// The numbers that it passed, in order.
    #[schema(max_items = 5)]
    pub(crate) through: Vec<Number>,
    /// The place where it stands now.
    pub to: Number,
}

/// The boulder fell where it stood.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RouletteBoulderFell)]
pub struct BoulderFell {
    /// The seat whose turn it is.
    pub seat: Seat,
    /// The number on which it stood.
    pub(crate) boulder: Number,
    /// The card that was laid on the discards to make it fall; null if the last card rolled reached its own number.
    #[schema(required)]
    pub card: Option<Card>,
    /// The number of falls, this one included.
    #[schema(minimum = 1)]
    pub falls: u8,
}

/// A card was drawn for a fall. It is laid on the discards when the pits have been emptied.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RouletteFallCardDrawn)]
pub struct FallCardDrawn {
    /// The card: day or night, or both for a trilithon card.
    pub card: Card,
    /// The pits that it means.
    #[schema(min_items = 1, max_items = 2)]
    pub(crate) pits: Vec<Stone>,
    /// The number of cards left in the deck.
    #[schema(maximum = 64)]
    pub deck_size: u8,
}

/// A sacrifice left its pit for the scoring pile of the seat whose turn it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RoulettePitEmptied)]
pub struct PitEmptied {
    /// The stone that marks the pit.
    pub pit: Stone,
    /// The colour of the sacrifice.
    pub colour: Colour,
    /// The seat that loses it; null for a neutral one.
    #[schema(required)]
    pub(crate) owner: Option<Seat>,
    /// The seat that takes it.
    pub taken_by: Seat,
    /// The taker's hand limit from now on: one higher if the sacrifice was the taker's own.
    #[schema(minimum = 5, maximum = 15)]
    pub hand_limit: u8,
}

/// A seat drew cards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RouletteCardsDrawn)]
pub struct CardsDrawn {
    /// The seat that drew.
    pub seat: Seat,
    /// The number of cards; everybody sees it.
    #[schema(minimum = 1, maximum = 15)]
    pub count: u8,
    /// The cards in the order drawn; null for those who may not see them.
    #[schema(required, min_items = 1, max_items = 15)]
    pub cards: Option<Vec<Card>>,
    /// The number of cards left in the deck.
    #[schema(maximum = 64)]
    pub deck_size: u8,
}

/// The last card has left the deck.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RouletteDeckDepleted)]
pub struct DeckDepleted {
    /// The number of times, this one included.
    #[schema(minimum = 1, maximum = 3)]
    pub depletions: u8,
    /// True if it ends the match.
    pub last: bool,
}

/// The discards were shuffled and became the new deck; nobody knows their order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RouletteDeckReshuffled)]
pub struct DeckReshuffled {
    /// The cards of the new deck.
    pub cards: CardSet,
}

/// The match is over: all cards are revealed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RouletteCardsRevealed)]
pub struct CardsRevealed {
    /// One entry a seat, in seat order.
    #[schema(min_items = 2, max_items = 5)]
    pub hands: Vec<Hand>,
    /// The rest of the deck, the next card first.
    #[schema(max_items = 64)]
    pub deck: Vec<Card>,
}
