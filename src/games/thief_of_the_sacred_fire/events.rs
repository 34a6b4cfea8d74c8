//! Events of Thief of the Sacred Fire on the wire, in order. Every event is public.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::detection::Reason;
use super::figures::{Druid, Figure};
use super::space::Space;
use crate::stonehenge::Card;
use sarsen_rules::tagged_union;

tagged_union! {
    /// Something that happened.
    pub enum Event {
        "druids_set_up" => DruidsSetUp(ThiefDruidsSetUp),
        "druid_cards_drawn" => DruidCardsDrawn(ThiefDruidCardsDrawn),
        "inner_druid_moved" => InnerDruidMoved(ThiefInnerDruidMoved),
        "number_deck_shuffled" => DeckShuffled(ThiefDeckShuffled),
        "start_chosen" => StartChosen(ThiefStartChosen),
        "fire_revealed" => FireRevealed(ThiefFireRevealed),
        "turn_dealt" => TurnDealt(ThiefTurnDealt),
        "high_druid_moved" => HighDruidMoved(ThiefHighDruidMoved),
        "alertness_lost" => AlertnessLost(ThiefAlertnessLost),
        "thief_moved" => Moved(ThiefMoved),
        "thief_stayed" => Stayed(ThiefStayed),
        "capture_advanced" => CaptureAdvanced(ThiefCaptureAdvanced),
        "fire_taken" => FireTaken(ThiefFireTaken),
        "fire_brought_home" => FireBroughtHome(ThiefFireBroughtHome),
        "thief_caught" => Caught(ThiefCaught),
        "dawn_came" => DawnCame(ThiefDawnCame),
        "turn_cards_discarded" => CardsDiscarded(ThiefCardsDiscarded),
        "number_deck_revealed" => DeckRevealed(ThiefDeckRevealed),
    }
}

/// A trilithon's capstone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefCapstone {
    /// The trilithon that it lies on.
    #[schema(examples("T1"))]
    pub trilithon: Space,
    /// The colour of the disk on it; null where there is none.
    #[schema(required)]
    pub disk: Option<Druid>,
}

/// The space of a druid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefDruidPlace {
    /// The druid.
    pub druid: Druid,
    /// The small stone on which it stands.
    #[schema(examples("N5"))]
    pub at: Space,
}

/// A card and the figure that it moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefDealtCard {
    /// The number card that was dealt.
    pub(crate) card: Card,
    /// The druid or the thief that it moves.
    pub(crate) figure: Figure,
}

/// The number of disks that a druid has left; with none left it raises the alarm.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefPile {
    /// The druid whose pile it is.
    pub druid: Druid,
    /// The disks left in its pile.
    #[schema(maximum = 10)]
    pub disks: u8,
}

/// One of the two detections of a turn.
///
/// - `first`: After the druids have moved.
/// - `second`: After the thief has moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ThiefDetection)]
pub(crate) enum Detection {
    First,
    Second,
}

/// Disks were laid on the capstones and the druids put on their stones, at random.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefDruidsSetUp {
    /// T1 to T5.
    #[schema(min_items = 5, max_items = 5)]
    pub capstones: Vec<ThiefCapstone>,
    /// The space of each druid.
    #[schema(min_items = 5, max_items = 5)]
    pub druids: Vec<ThiefDruidPlace>,
}

/// For the set-up a card was drawn for each druid, in the order in which they move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefDruidCardsDrawn {
    /// The cards in order.
    #[schema(min_items = 5, max_items = 5)]
    pub(crate) cards: Vec<ThiefDealtCard>,
}

/// An inner druid walked along the small stones, or stood still under a black card.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefInnerDruidMoved {
    /// The druid.
    pub druid: Druid,
    /// The card that moved it.
    pub(crate) card: Card,
    /// The stone from which it set out.
    pub(crate) from: Space,
    /// Every stone that it stepped on, in order.
    #[schema(max_items = 9)]
    pub(crate) steps: Vec<Space>,
    /// The place where it stands now.
    pub to: Space,
    /// The number of steps that were added because other druids stood where it would have ended.
    #[schema(maximum = 4)]
    pub(crate) pushed: u8,
}

/// The 60 number cards were shuffled; nobody knows their order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefDeckShuffled {
    /// The number of cards that the deck now has.
    #[schema(minimum = 60, maximum = 60)]
    pub deck_size: u8,
}

/// The thief's start was chosen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefStartChosen {
    /// The space, `30a` or `1a`.
    pub space: Space,
}

/// A trilithon card revealed where the fire is and who is the High Druid. The other four capstone disks went back to
/// their piles.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefFireRevealed {
    /// The trilithon card that was dealt.
    #[schema(examples("TG"))]
    pub(crate) card: Card,
    /// The place where the fire is.
    pub trilithon: Space,
    /// The druid that becomes the High Druid.
    pub high_druid: Druid,
    /// The small stone that he leaves.
    pub(crate) from: Space,
    /// The bluestone where he begins: `B1`.
    pub to: Space,
    /// The bluestone that he heads for: `B19`.
    pub heading: Space,
    /// The druids' piles, full again.
    #[schema(min_items = 5, max_items = 5)]
    pub alertness: Vec<ThiefPile>,
}

/// A turn began: six cards were dealt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefTurnDealt {
    /// The number of the turn, from 1.
    #[schema(minimum = 1, maximum = 1000)]
    pub turn: u16,
    /// Four for the inner druids in the order in which they move, one for the High Druid, one for the thief.
    #[schema(min_items = 6, max_items = 6)]
    pub cards: Vec<ThiefDealtCard>,
    /// The thief's movement points.
    #[schema(maximum = 5)]
    pub points: u8,
}

/// The High Druid walked along the bluestones, or stood still under a black card.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefHighDruidMoved {
    /// The druid that is the High Druid.
    pub druid: Druid,
    /// The card that moved him.
    pub(crate) card: Card,
    /// The stone from which he set out.
    pub(crate) from: Space,
    /// Every stone that he stepped on, in order.
    #[schema(max_items = 5)]
    pub(crate) steps: Vec<Space>,
    /// The place where he stands now.
    pub to: Space,
    /// The end for which he now heads.
    pub heading: Space,
}

/// A druid noticed the thief and became more alert.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefAlertnessLost {
    /// The detection of the turn.
    pub(crate) detection: Detection,
    /// The druid that noticed the thief.
    pub druid: Druid,
    /// The reason why it noticed the thief.
    pub(crate) reason: Reason,
    /// The number of edges between them.
    #[schema(minimum = 1, maximum = 4)]
    pub(crate) range: u8,
    /// The number of disks that its pile lost.
    #[schema(minimum = 1, maximum = 3)]
    pub(crate) lost: u8,
    /// The number left.
    #[schema(maximum = 10)]
    pub left: u8,
}

/// The thief moved, by one of the cheapest ways.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefMoved {
    /// The place where the thief stood.
    pub(crate) from: Space,
    /// Every space that the thief stepped on, in order.
    #[schema(min_items = 1, max_items = 5)]
    pub(crate) steps: Vec<Space>,
    /// The place where the thief stands now.
    pub to: Space,
    /// Points spent on the way.
    #[schema(minimum = 1, maximum = 5)]
    pub(crate) cost: u8,
    /// Points left on arriving.
    #[schema(maximum = 4)]
    pub(crate) points_left: u8,
    /// Progress of the capture that was given up by leaving.
    #[schema(maximum = 3)]
    pub(crate) progress_lost: u8,
}

/// The thief stayed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefStayed {
    /// The space on which the thief is.
    pub(crate) at: Space,
}

/// Points were spent on the capture, which is not complete yet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefCaptureAdvanced {
    /// The trilithon where the fire is.
    pub(crate) trilithon: Space,
    /// The points spent in this move.
    #[schema(minimum = 1, maximum = 3)]
    pub(crate) spent: u8,
    /// Points spent in all, of 4.
    #[schema(minimum = 1, maximum = 3)]
    pub progress: u8,
}

/// The capture is complete: the thief has the fire.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefFireTaken {
    /// The trilithon where the fire was.
    pub trilithon: Space,
    /// The points spent in this move.
    #[schema(minimum = 1, maximum = 4)]
    pub(crate) spent: u8,
}

/// The thief is back at the start with the fire; the match is won.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefFireBroughtHome {
    /// The space from which the thief set out.
    pub(crate) space: Space,
    /// The number of the turn, from 1.
    #[schema(minimum = 1, maximum = 1000)]
    pub(crate) turn: u16,
}

/// The thief was caught; the match is lost.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefCaught {
    /// The detection of the turn.
    pub(crate) detection: Detection,
    /// Druids on the thief's own space.
    #[schema(max_items = 5)]
    pub(crate) met: Vec<Druid>,
    /// Druids whose pile is empty.
    #[schema(max_items = 5)]
    pub(crate) alarmed: Vec<Druid>,
    /// The number of the turn, from 1.
    #[schema(minimum = 1, maximum = 1000)]
    pub(crate) turn: u16,
}

/// Dawn came: the turn limit was reached, and the match is lost.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefDawnCame {
    /// The number of the turn that was the last.
    #[schema(minimum = 20, maximum = 1000)]
    pub(crate) turn: u16,
}

/// The turn is over; its cards were discarded.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefCardsDiscarded {
    /// The cards in the order in which they were dealt.
    #[schema(min_items = 6, max_items = 6)]
    pub cards: Vec<Card>,
}

/// The match is over, and the rest of the deck is shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThiefDeckRevealed {
    /// The cards that were left, the next one first.
    #[schema(max_items = 60)]
    pub cards: Vec<Card>,
}
