//! Final scores as players see them (4.13): points of play, Spring card, end-of-game cards, druids, and the breakdown.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::henge::components::{Area, Id, Score};
use crate::henge::state::{CardSet, State, Who};
use sarsen_rules::Seat;

/// One person's final score.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeScore {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub(crate) who: Who,
    /// Points scored in play.
    pub(crate) play: u16,
    /// The Spring card; null if it was dropped.
    #[schema(required)]
    pub(crate) spring: Option<HengeCardScore>,
    /// The score of each end-of-game card.
    pub(crate) end_of_game_cards: Vec<HengeCardScore>,
    /// The areas in which the player has druids.
    pub(crate) areas: Vec<HengeAreaScore>,
    /// The sum of all victory points.
    pub(crate) total: u32,
    /// Stones installed: the first tie-break.
    pub(crate) stones: u8,
    /// Druids placed: the second tie-break.
    pub(crate) druids: u8,
    /// Coins: the third tie-break. The last one is the later seat.
    pub(crate) coins: u16,
    /// Place among the people, from 1.
    #[schema(minimum = 1, maximum = 5)]
    pub(crate) rank: u8,
    /// The title earned in a match of one person; null otherwise.
    #[schema(required, format = "text")]
    pub(crate) grade: Option<String>,
}

/// The score of a Bonus card.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HengeCardScore {
    /// Id of the card; the glossary describes it.
    pub(crate) card: Id,
    /// The count of its form: marks of a Spring card, or the number counted.
    pub(crate) count: u16,
    /// The victory points for it.
    pub(crate) points: u16,
}

/// The scores of the druids in one area.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HengeAreaScore {
    /// The area of the henge, by its number.
    pub(crate) area: Area,
    /// The number of its lowest uncovered space.
    pub(crate) value: u8,
    /// Rank among all players with druids there, from 1.
    #[schema(minimum = 1, maximum = 5)]
    pub(crate) rank: u8,
    /// The victory points for it.
    pub(crate) points: u8,
}

/// The hidden cards of a person, revealed at the end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HengeRevealed {
    /// The person.
    #[serde(flatten)]
    #[schema(inline)]
    pub who: Who,
    /// Luck cards in hand.
    pub hand: Vec<Id>,
    /// Ids of the end-of-game cards held.
    pub end_of_game_cards: Vec<Id>,
    /// End-of-game cards dropped since the last reshuffle.
    pub dropped: Vec<Id>,
    /// Dropped cards of this person's that the last reshuffle brought back into the deck.
    pub returned: Vec<Id>,
    /// Spring cards refused at the start.
    pub refused: Vec<Id>,
}

impl State {
    /// The number of the lowest uncovered space of an area's path.
    pub(crate) fn value_of(&self, area: Area) -> u8 {
        let path = &self.equipment.side().paths[area.index()];
        path.get(self.druids_on(area)).or(path.last()).map_or(0, |space| space.value)
    }

    /// The areas in which a seat has druids, with rank and points; Hengebots take ranks too (H-43, H-46).
    fn area_scores(&self, seat: Seat) -> Vec<HengeAreaScore> {
        let who = self.who(seat);
        let divisors = &self.equipment.set().params.rank_divisors;
        let score = |area: Area| {
            let at = self.ranking(area).iter().position(|other| *other == who.chair)?;
            let value = self.value_of(area);
            let points = divisors.get(at).and_then(|divisor| value.checked_div(*divisor)).unwrap_or(0);
            Some(HengeAreaScore { area, value, rank: at as u8 + 1, points })
        };
        Area::ALL.into_iter().filter_map(score).collect()
    }

    /// Returns what a Bonus card scores for its owner.
    pub(crate) fn card_score(&self, seat: Seat, card: usize) -> HengeCardScore {
        let row = &self.equipment.set().bonus[card];
        let marks = u16::from(self.person(seat).marks);
        let (count, points) = match &row.score {
            Score::Goal { vp, .. } => (marks, if marks > 0 { *vp } else { 0 }),
            Score::Tally { vp, max_marks, .. } => (marks, marks.min(u16::from(*max_marks)) * vp),
            Score::Per { count, vp, div, max } => {
                let count = self.count_of(seat, count);
                (count, (count / (*div).max(1)).saturating_mul(*vp).min(max.unwrap_or(u16::MAX)))
            }
            Score::Table { count, values } => {
                let count = self.count_of(seat, count);
                (count, values.get(usize::from(count)).or(values.last()).copied().unwrap_or(0))
            }
        };
        HengeCardScore { card: row.id, count, points }
    }

    /// The final scores, in seat order. Reads what is hidden.
    pub(crate) fn scores(&self) -> Vec<HengeScore> {
        let mut scores: Vec<HengeScore> = self.count().seats().map(|seat| self.score_of(seat)).collect();
        let key = |score: &HengeScore| (score.total, score.stones, score.druids, score.coins, score.who.seat);
        let mut order: Vec<_> = scores.iter().map(key).collect();
        order.sort_unstable_by_key(|key| Reverse(*key));
        for score in &mut scores {
            let at = order.iter().position(|other| *other == key(score)).unwrap_or(0);
            score.rank = at as u8 + 1;
        }
        if let [only] = &mut scores[..] {
            let grades = &self.equipment.set().params.solo_grades;
            let reached = grades.iter().rfind(|grade| u32::from(grade.least) <= only.total);
            only.grade = reached.map(|grade| grade.title.clone());
        }
        scores
    }

    fn score_of(&self, seat: Seat) -> HengeScore {
        let person = self.person(seat);
        let who = self.who(seat);
        let spring = person.spring.map(|card| self.card_score(seat, card.index()));
        let end_of_game_cards: Vec<HengeCardScore> =
            person.end_of_game_cards.iter().map(|card| self.card_score(seat, card)).collect();
        let areas = self.area_scores(seat);
        let cards: u32 = spring.iter().chain(&end_of_game_cards).map(|card| u32::from(card.points)).sum();
        let druids: u32 = areas.iter().map(|area| u32::from(area.points)).sum();
        HengeScore {
            who,
            play: person.victory_points,
            spring,
            end_of_game_cards,
            areas,
            total: u32::from(person.victory_points) + cards + druids,
            stones: person.installed.len() as u8,
            druids: self.placed(who.chair),
            coins: person.coins,
            rank: 1,
            grade: None,
        }
    }

    /// Returns what a person had hidden.
    pub(crate) fn revealed(&self, seat: Seat) -> HengeRevealed {
        let set = self.equipment.set();
        let person = self.person(seat);
        let bonus = |cards: CardSet| cards.iter().map(|index| set.bonus[index].id).collect();
        HengeRevealed {
            who: self.who(seat),
            hand: person.hand.iter().map(|index| set.luck[index].id).collect(),
            end_of_game_cards: bonus(person.end_of_game_cards),
            dropped: bonus(person.dropped),
            returned: bonus(person.returned),
            refused: bonus(person.refused),
        }
    }
}
