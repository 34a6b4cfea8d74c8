//! Beginning with the position of another match, in place of a set-up.
//!
//! Invariant: a match that was forked has a position to begin with, and no other match has one.

use super::LiveMatch;
use super::step::Step;
use crate::model::events::{LifeEvent, MatchStarted};
use crate::model::fork::ForkedPosition;
use crate::model::refused::{Refused, Unreadable};
use sarsen_store::Stage;

impl LiveMatch {
    /// Begins a match with its position, if it was forked. Its dice are at their beginning.
    pub(super) fn begin_forked(&mut self, step: &mut Step, position: Option<&ForkedPosition>) -> Result<(), Refused> {
        let position = match (self.is_analysis(), position) {
            (false, None) => return Ok(()),
            (true, Some(position)) => position,
            _ => return Err(Unreadable::new("a fork has no position, or what has one is no fork").into()),
        };
        let state = self.game.load(position.state_version, &position.state);
        let state = state.map_err(|corrupt| self.unreadable(corrupt))?;
        if state.seat_count() != self.seat_count() {
            return Err(Unreadable::new("a position is one of another number of seats").into());
        }
        if !state.has_options(&self.stored.terms.options).map_err(|corrupt| self.unreadable(corrupt))? {
            return Err(Unreadable::new("a position is one of other options").into());
        }
        self.stored.stage = Stage::Playing;
        self.stored.started_at = Some(step.at);
        self.state = Some(state);
        step.tell(LifeEvent::MatchStarted(MatchStarted {}));
        Ok(self.go_on(step)?)
    }
}
