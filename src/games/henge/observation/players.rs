//! Views of each player.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::henge::components::{Id, Privilege};
use crate::henge::state::{CardSet, Chair, Held, Person, Stage, State};
use sarsen_rules::{Seat, Viewer};

/// A player at the table, person or Hengebot.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengePlayer {
    /// The player's chair.
    pub(crate) chair: Chair,
    /// The person's seat; null for a Hengebot.
    #[schema(required)]
    pub seat: Option<Seat>,
    /// Druids not yet placed.
    pub druids_left: u8,
    /// True if the Carve token of a Hengebot lies face up; null for a person.
    #[schema(required)]
    pub carve_token_up: Option<bool>,
    /// The possessions of a person; null for a Hengebot.
    #[schema(required)]
    pub mat: Option<HengeMat>,
}

/// The possessions of a person.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeMat {
    /// The coins.
    pub coins: u16,
    /// The travel tokens.
    pub travel_tokens: u8,
    /// Victory points scored in play.
    pub victory_points: u16,
    /// Levels of the privileges, 0 at the start.
    pub levels: HengeLevels,
    /// Steps on the Luck track.
    pub luck_steps: u8,
    /// The number of Luck cards in hand.
    #[schema(maximum = 64)]
    pub hand_count: u8,
    /// The number of those among the view's `luck_held`.
    #[schema(maximum = 64)]
    pub held_count: u8,
    /// The Luck cards in hand.
    #[schema(required)]
    pub hand: Option<Vec<Id>>,
    /// The number of Spring cards offered.
    #[schema(maximum = 64)]
    pub offer_count: u8,
    /// The Spring cards offered.
    #[schema(required)]
    pub offer: Option<Vec<Id>>,
    /// True if a Spring card has been chosen and not dropped.
    pub has_spring: bool,
    /// The Spring card; while others still choose, only the owner sees it. Null if it was dropped.
    #[schema(required)]
    pub spring: Option<Id>,
    /// Marks on the Spring card.
    pub marks: u8,
    /// The number of Spring cards refused.
    #[schema(maximum = 64)]
    pub refused_count: u8,
    /// The Spring cards refused.
    #[schema(required)]
    pub refused: Option<Vec<Id>>,
    /// The number of end-of-game cards held.
    #[schema(maximum = 64)]
    pub end_of_game_count: u8,
    /// The end-of-game cards held.
    #[schema(required)]
    pub end_of_game_cards: Option<Vec<Id>>,
    /// The number of end-of-game cards dropped since these discards were last shuffled into the deck.
    #[schema(maximum = 64)]
    pub dropped_count: u8,
    /// The end-of-game cards dropped since the discards were last shuffled into the deck.
    #[schema(required)]
    pub dropped: Option<Vec<Id>>,
    /// The number of end-of-game cards drawn since the discards were last shuffled into the deck.
    pub end_of_game_drawn: u8,
    /// The owner's dropped end-of-game cards that were then shuffled into the deck.
    #[schema(required)]
    pub returned: Option<Vec<Id>>,
    /// Uninstalled stones, in the order of gaining them.
    pub stones: Vec<HengeHeld>,
    /// Installed stones, in order.
    pub installed: Vec<Id>,
}

/// Levels of the privileges, 0 at the start.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeLevels {
    /// The level that sets how many steps of the rondel are free.
    pub rondel: u8,
    /// The level that sets how many coins an income brings.
    pub coin: u8,
    /// The level that sets how many Luck cards a draw brings.
    pub luck: u8,
    /// The level that sets how many stones may be bought and held.
    pub stone: u8,
    /// The level that sets how many druids may be placed, and how far.
    pub druid: u8,
}

/// An uninstalled stone.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeHeld {
    /// Id of the stone; the glossary describes it.
    pub stone: Id,
    /// Steps along its track.
    pub at: u8,
    /// True if it has arrived at the henge.
    pub delivered: bool,
    /// True if it is carved.
    pub carved: bool,
}

impl State {
    /// Returns what `viewer` may know of a player.
    pub(crate) fn player_told(&self, chair: Chair, viewer: Viewer) -> HengePlayer {
        let seat = self.seat_at(chair);
        let carve_token_up = self.bots.carve_token_up.get(chair.index()).copied().unwrap_or(false);
        HengePlayer {
            chair,
            seat,
            druids_left: self.druids_left(chair),
            carve_token_up: seat.is_none().then_some(carve_token_up),
            mat: seat.map(|seat| self.mat(self.person(seat), self.stage == Stage::Over || viewer.may_see(seat))),
        }
    }

    fn mat(&self, person: &Person, is_open: bool) -> HengeMat {
        let equipment = &self.equipment;
        let bonus = |cards: CardSet| {
            is_open.then(|| cards.iter().map(|index| equipment.set().bonus[index].id).collect::<Vec<Id>>())
        };
        let hand = person.hand.iter().map(|index| equipment.set().luck[index].id);
        let held = |held: &Held| {
            let row = equipment.stone(held.stone);
            HengeHeld { stone: row.id, at: held.at, delivered: held.at >= row.transport, carved: held.carved }
        };
        let level = |privilege| person.level(privilege);
        HengeMat {
            coins: person.coins,
            travel_tokens: person.travel_tokens,
            victory_points: person.victory_points,
            levels: HengeLevels {
                rondel: level(Privilege::Rondel),
                coin: level(Privilege::Coin),
                luck: level(Privilege::Luck),
                stone: level(Privilege::Stone),
                druid: level(Privilege::Druid),
            },
            luck_steps: person.luck_steps,
            hand_count: person.hand.len() as u8,
            held_count: person.hand.common(self.luck.held).len() as u8,
            hand: is_open.then(|| hand.collect()),
            offer_count: person.offer.len() as u8,
            offer: bonus(person.offer),
            has_spring: person.spring.is_some(),
            spring: person
                .spring
                .filter(|_| is_open || self.stage != Stage::Spring)
                .map(|card| equipment.set().bonus[card.index()].id),
            marks: person.marks,
            refused_count: person.refused.len() as u8,
            refused: bonus(person.refused),
            end_of_game_count: person.end_of_game_cards.len() as u8,
            end_of_game_cards: bonus(person.end_of_game_cards),
            dropped_count: person.dropped.len() as u8,
            dropped: bonus(person.dropped),
            end_of_game_drawn: person.end_of_game_drawn,
            returned: bonus(person.returned),
            stones: person.stones.iter().map(held).collect(),
            installed: person.installed.iter().map(|stone| equipment.stone(*stone).id).collect(),
        }
    }
}
