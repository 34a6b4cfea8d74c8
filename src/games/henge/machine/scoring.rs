//! The end of a match (4.13): what was hidden is laid open, and the result.

use std::borrow::Cow;

use crate::henge::observation::HengeCardScore;
use crate::henge::observation::events::{Event, HengeScored};
use crate::henge::state::{EndCause, Stage, State};
use sarsen_rules::{Outcome, Verdict};

use super::Machine;

impl State {
    /// The result of a match that is over.
    pub(crate) fn outcome(&self) -> Outcome {
        let scores = self.scores();
        let ending = match self.trigger.map(|trigger| trigger.cause) {
            Some(EndCause::RoundLimit) => ROUND_LIMIT,
            _ => DECK_EMPTIED,
        };
        let ranks = scores.iter().map(|score| (score.rank, i32::try_from(score.total).ok()));
        let mut outcome = Outcome::by_rank(ending, ranks, Verdict::Won);
        for (standing, score) in outcome.standings.iter_mut().zip(&scores) {
            let points = |cards: &[HengeCardScore]| cards.iter().map(|card| i64::from(card.points)).sum::<i64>();
            let figures: [(&'static str, i64); 8] = [
                ("play", i64::from(score.play)),
                ("spring", score.spring.as_ref().map_or(0, |card| i64::from(card.points))),
                ("end_of_game", points(&score.end_of_game_cards)),
                ("druids", score.areas.iter().map(|area| i64::from(area.points)).sum()),
                ("stones_installed", i64::from(score.stones)),
                ("druids_placed", i64::from(score.druids)),
                ("coins", i64::from(score.coins)),
                ("end_of_game_cards", score.end_of_game_cards.len() as i64),
            ];
            standing.figures.extend(figures.map(|(name, figure)| (Cow::Borrowed(name), figure)));
        }
        outcome.figures.insert(Cow::Borrowed("rounds"), i64::from(self.round));
        if let [only] = &scores[..] {
            let grades = &self.equipment.set().params.solo_grades;
            let grade = grades.iter().rposition(|grade| u32::from(grade.least) <= only.total).unwrap_or(0);
            outcome.figures.insert(Cow::Borrowed("grade"), grade as i64 + 1);
        }
        outcome
    }
}

/// The ending by the stone deck.
pub(crate) const DECK_EMPTIED: &str = "stone_deck_emptied";
/// The ending by the round limit (H-58).
pub(crate) const ROUND_LIMIT: &str = "round_limit";

impl Machine<'_> {
    /// The match is over, and everything is laid open.
    pub(crate) fn score_match(&mut self) {
        self.state.stack.clear();
        self.state.stage = Stage::Over;
        let scores = self.state.scores();
        let hidden = self.state.count().seats().map(|seat| self.state.revealed(seat)).collect();
        self.emit(Event::Scored(HengeScored { scores, hidden }));
    }
}
