//! Events of Absolution on the wire: fine enough to move each card and piece from the events alone.
//!
//! Hidden are only the cards that a seat is dealt or draws, until the match has ended.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::numbers::NumberSet;
use super::options::FirstPlayer;
use super::state::Ending;
use super::talk::{WishColour, Word};
use super::track::{Druid, Phase};
use crate::stonehenge::{Card, CardSet, Number};
use sarsen_rules::{Seat, Viewer, tagged_union};

tagged_union! {
    /// Something that happened.
    pub enum Event {
        "exchange_field_laid" => FieldLaid(ExchangeFieldLaid),
        "opening_hand_dealt" => HandDealt(OpeningHandDealt),
        "starter_nominated" => Nominated(StarterNominated),
        "nominations_differed" => Differed(NominationsDiffered),
        "starter_found" => StarterFound(StarterFound),
        "track_turn_begun" => TurnBegun(TrackTurnBegun),
        "field_card_exchanged" => Exchanged(FieldCardExchanged),
        "number_matched" => Matched(NumberMatched),
        "number_missed" => Missed(NumberMissed),
        "replacements_drawn" => Drawn(ReplacementsDrawn),
        "doomed_druid_moved" => DruidMoved(DoomedDruidMoved),
        "number_disk_moved" => DiskMoved(NumberDiskMoved),
        "number_trilithon_placed" => TrilithonPlaced(NumberTrilithonPlaced),
        "number_trilithon_removed" => TrilithonRemoved(NumberTrilithonRemoved),
        "wish_told" => WishTold(WishTold),
        "readiness_told" => ReadinessTold(ReadinessTold),
        "absolution_ended" => Ended(AbsolutionEnded),
    }
}

impl Event {
    /// Returns whether it names no card that came into a hand unseen.
    pub(crate) fn is_open(&self) -> bool {
        !matches!(self, Event::HandDealt(_) | Event::Drawn(_))
    }

    /// Returns what `viewer` may know of it: cards dealt to or drawn by another seat are counted, not shown.
    pub(crate) fn seen_by(&self, viewer: Viewer) -> Event {
        let mut seen = self.clone();
        match &mut seen {
            Event::HandDealt(OpeningHandDealt { seat, cards, .. })
            | Event::Drawn(ReplacementsDrawn { seat, cards, .. })
                if !viewer.may_see(*seat) =>
            {
                *cards = None;
            }
            _ => {}
        }
        seen
    }
}

/// The Exchange Field was laid out with as many cards as there are seats; the rest form the draw pile.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExchangeFieldLaid {
    /// The cards, face up.
    pub cards: CardSet,
    /// The number of cards that the draw pile then has.
    #[schema(maximum = 65)]
    pub pile_size: u8,
}

/// A seat was dealt its hand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpeningHandDealt {
    /// The seat whose hand it is.
    pub seat: Seat,
    /// The number of cards; everybody sees it.
    #[schema(minimum = 3, maximum = 9)]
    pub count: u8,
    /// The cards; null for other viewers.
    #[schema(required)]
    pub cards: Option<CardSet>,
}

/// A seat nominated a seat to play Day 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StarterNominated {
    /// The seat that nominates.
    pub seat: Seat,
    /// The seat that it wants to play Day 1; its own is allowed.
    pub nominee: Seat,
    /// The round of the vote, 1 or 2.
    #[schema(minimum = 1, maximum = 2)]
    pub round: u8,
}

/// The nominations of the first round differed: the second and last round begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NominationsDiffered {}

/// The seat that plays Day 1 has been settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StarterFound {
    /// The seat that plays Day 1.
    pub seat: Seat,
    /// The way in which it was found.
    pub(crate) by: FirstPlayer,
}

/// A turn of the track began; every seat may send signals again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TrackTurnBegun {
    /// The seat whose turn it is.
    pub seat: Seat,
    /// The phase of the turn: Day or Night.
    pub phase: Phase,
    /// The number that is played on.
    pub number: Number,
    /// True if the Druid lies on the altar and only a match in this turn brings him back.
    pub rescue_pending: bool,
}

/// A seat swapped a card of its hand for one of the Exchange Field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FieldCardExchanged {
    /// The seat that swapped.
    pub seat: Seat,
    /// The card laid into the Field.
    pub gave: Card,
    /// The card taken from the Field; everyone knows where it is until it leaves that hand.
    pub took: Card,
}

/// A seat matched the number of its turn; the cards were laid on the discards in board order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NumberMatched {
    /// The seat that matched it.
    pub seat: Seat,
    /// The phase of the turn: Day or Night.
    pub(crate) phase: Phase,
    /// The number of the turn.
    pub(crate) number: Number,
    /// One or two cards.
    #[schema(value_type = Vec<Card>, min_items = 1, max_items = 2)]
    pub cards: CardSet,
}

/// A seat passed: the number of its turn was not matched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NumberMissed {
    /// The seat that passed.
    pub(crate) seat: Seat,
    /// The phase of the turn: Day or Night.
    pub(crate) phase: Phase,
    /// The number of the turn.
    pub(crate) number: Number,
}

/// A seat drew after its match: one card if it had used the Field this turn, otherwise two, as far as the pile lasts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplacementsDrawn {
    /// The seat that drew.
    pub seat: Seat,
    /// The number of cards; everybody sees it.
    #[schema(minimum = 1, maximum = 2)]
    pub count: u8,
    /// The cards; null for other viewers.
    #[schema(required)]
    pub cards: Option<CardSet>,
    /// The number of cards that the draw pile then has.
    #[schema(maximum = 65)]
    pub pile_size: u8,
}

/// The Druid moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DoomedDruidMoved {
    /// The place that he left.
    pub from: Druid,
    /// The place that he has reached.
    pub to: Druid,
}

/// A ring on which disks lie.
///
/// - `inner`: The small stone of the disk's number and symbol, such as `D5`.
/// - `outer`: The colour strip of its number, such as `5b`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::Display, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schema(as = AbsolutionRing)]
pub enum Ring {
    /// The small stone of the disk's number and symbol, such as `D5`.
    Inner,
    /// The colour strip of its number, such as `5b`.
    Outer,
}

/// A disk moved from one ring to the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NumberDiskMoved {
    /// The number it belongs to.
    pub number: Number,
    /// The day disk or the night disk of that number.
    pub disk: Phase,
    /// The place where it lies now; before, it lay on the other ring.
    pub to: Ring,
    /// The number of pairs on the inner ring.
    #[schema(maximum = 25)]
    pub inner_pairs: u8,
    /// The number of pairs on the outer ring.
    #[schema(maximum = 25)]
    pub outer_pairs: u8,
}

/// A trilithon was put on a black number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NumberTrilithonPlaced {
    /// The black number that now has a trilithon.
    #[schema(value_type = i64, minimum = 6, maximum = 30)]
    pub number: Number,
}

/// A trilithon was taken off its black number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NumberTrilithonRemoved {
    /// The black number that has none any longer.
    #[schema(value_type = i64, minimum = 6, maximum = 30)]
    pub number: Number,
}

/// A seat said what it would like to see in the Exchange Field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WishTold {
    /// The seat that said so.
    pub seat: Seat,
    /// The numbers wished for.
    pub numbers: NumberSet,
    /// Colours wished for, in the order white, blue, green, yellow, red.
    pub colours: Vec<WishColour>,
    /// The number of signals that the seat may still send in this turn, or in the vote.
    #[schema(maximum = 10)]
    pub signals_left: u8,
}

/// A seat said how it stands for a number to come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadinessTold {
    /// The seat that said so.
    pub seat: Seat,
    /// The phase of the turn: Day or Night.
    pub phase: Phase,
    /// The number that it is about.
    pub number: Number,
    /// The quality of the seat's hand for it.
    pub word: Word,
    /// The number of signals that the seat may still send in this turn, or in the vote.
    #[schema(maximum = 10)]
    pub signals_left: u8,
}

/// The match ended; everything that was hidden is now shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AbsolutionEnded {
    /// The ending.
    pub ending: Ending,
    /// The number of pairs on the inner ring.
    #[schema(maximum = 25)]
    pub(crate) inner_pairs: u8,
    /// The number of pairs on the outer ring.
    #[schema(maximum = 25)]
    pub(crate) outer_pairs: u8,
    /// The cards left in each hand, in seat order.
    #[schema(min_items = 2, max_items = 5)]
    pub hands: Vec<CardSet>,
    /// The draw pile, the next card first.
    pub pile: Vec<Card>,
}
