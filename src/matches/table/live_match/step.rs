//! One step: how it begins, which action it takes, how its end opens and closes decisions and makes the log entry.
//!
//! Invariant: every step ends in [`LiveMatch::close`], which alone raises the version and touches decisions.

use super::LiveMatch;
use crate::model::clock::TimeCredit;
use crate::model::events::{LifeEvent, StoredEvent};
use crate::model::log::{Action, Cause, LogEntry, UNCOMMITTED};
use crate::model::refused::{Refused, Unreadable};
use crate::model::stored::OpenDecision;
use crate::model::track::{BarrierReason, Passed};
use sarsen_base::ambient::Timestamp;
use sarsen_rules::{MAX_SEATS, Seat, Seats, Status};
use sarsen_store::Stage;

/// A step under way.
pub(super) struct Step {
    pub(super) at: Timestamp,
    pub(super) events: Vec<StoredEvent>,
    /// The seats whose open decision it answers.
    pub(super) movers: Seats,
    /// The decision whose time goes on in their next ones, if theirs does not begin with this step.
    pub(super) goes_on: Option<OpenDecision>,
    /// The kind of the step for undos, where its action alone does not say it.
    pub(super) passed: Option<Passed>,
    /// The seat that has made a move of its turn by itself.
    pub(super) played: Option<Seat>,
    /// True if a plan of that seat has made it.
    pub(super) planned: bool,
    /// True if that has ended its turn by the clock, or was a bot's move for a player.
    pub(super) turn_over: bool,
    /// The seats that were to act all along.
    pub(super) stayed: Seats,
}

/// Every seat that there can be.
const EVERY_SEAT: Seats = Seats::from_bits((1 << MAX_SEATS) - 1);

impl Step {
    pub(super) fn begin(at: Timestamp) -> Step {
        Step {
            at,
            events: Vec::new(),
            movers: Seats::EMPTY,
            goes_on: None,
            passed: None,
            played: None,
            planned: false,
            turn_over: false,
            stayed: EVERY_SEAT,
        }
    }

    /// Makes the step a barrier.
    pub(super) fn bar(&mut self, reason: BarrierReason) {
        self.passed = Some(Passed::Barrier(reason));
    }

    /// The same after a move, if chance had a part in it or it has shown somebody what was hidden.
    pub(super) fn bar_if(&mut self, chance: bool, reveals: bool) {
        if chance {
            self.bar(BarrierReason::Chance);
        } else if reveals {
            self.bar(BarrierReason::Revealed);
        }
    }

    pub(super) fn tell(&mut self, event: LifeEvent) {
        self.events.push(StoredEvent::Life(event));
    }
}

impl LiveMatch {
    /// Takes a step. For moves of live players see [`LiveMatch::play`]; a step that puts the match back needs more.
    ///
    /// # Errors
    /// [`Refused`] if the step cannot be taken.
    pub fn take_step(&mut self, action: Action, at: Timestamp) -> Result<LogEntry, Refused> {
        self.take_step_back(action, at, None)
    }

    /// Takes a step that may put the match back; `then` is the match at the version that it goes back to, if it does.
    ///
    /// # Errors
    /// [`Refused`] if the step cannot be taken.
    pub fn take_step_back(
        &mut self,
        action: Action,
        at: Timestamp,
        then: Option<&LiveMatch>,
    ) -> Result<LogEntry, Refused> {
        let mut step = Step::begin(at);
        match &action {
            Action::Join { seat, player, entropy } => self.join(&mut step, *seat, player, entropy.as_ref())?,
            Action::Leave { seat } => self.leave(&mut step, *seat)?,
            Action::Entropy { seat, entropy } => self.give_entropy(&mut step, *seat, entropy)?,
            Action::Start => self.start(&mut step)?,
            Action::Abort => self.abort(&mut step)?,
            Action::CallOff { reason } => self.call_off(&mut step, *reason)?,
            Action::Move { seat, mv, cut: _, planned } => {
                step.planned = *planned;
                self.move_again(&mut step, *seat, mv)?;
            }
            Action::Resign { seat } => self.resign(&mut step, *seat)?,
            Action::Claim { seat, by } => self.claim(&mut step, *seat, *by)?,
            Action::OfferDraw { seat } => self.offer_draw(&mut step, *seat)?,
            Action::AcceptDraw { seat } => self.accept_draw(&mut step, *seat)?,
            Action::DeclineDraw { seat } => self.decline_draw(&mut step, *seat)?,
            Action::Hint { seat } => self.use_hint(&mut step, *seat)?,
            Action::Undo { seat, to_version } => self.undo(&mut step, *seat, *to_version, then)?,
            Action::OfferTakeback { seat, to_version } => self.offer_takeback(&mut step, *seat, *to_version, then)?,
            Action::AcceptTakeback { seat } => self.accept_takeback(&mut step, *seat, then)?,
            Action::DeclineTakeback { seat } => self.decline_takeback(&mut step, *seat)?,
            Action::Decline { seat } => self.decline(&mut step, *seat)?,
            Action::Reserve { seat, player } => self.reserve_later(&mut step, *seat, player)?,
            Action::EndReservations => self.end_reservations(&mut step)?,
            Action::Invite { invite } => self.add_invite(&mut step, invite)?,
            Action::JoinByInvite { seat, player, entropy, hash } => {
                self.use_invite(hash, step.at)?;
                self.join(&mut step, *seat, player, entropy.as_ref())?;
            }
            Action::Substitute { seat, player, hash } => {
                if let Some(hash) = hash {
                    self.use_invite(hash, step.at)?;
                }
                self.substitute(&mut step, *seat, player)?;
            }
            Action::Kick { seat } => self.kick(&mut step, *seat)?,
            Action::Timeout { seat, consequence } => self.run_out(&mut step, *seat, *consequence)?,
            Action::Return { seat } => self.give_back(&mut step, *seat)?,
            Action::Adjudicate { ruling, reason } => self.adjudicate(&mut step, ruling.as_ref(), reason)?,
            Action::ClockCredit { seats, milliseconds, reason, by } => {
                self.credit(&mut step, seats, *milliseconds, *reason, *by)?;
            }
        }
        Ok(self.end(step, Cause::Action(action))?)
    }

    /// Ends a step: each seat that the game waits for now has a decision.
    pub(super) fn end(&mut self, step: Step, cause: Cause) -> Result<LogEntry, Unreadable> {
        let to_act = match (&self.state, self.stored.stage) {
            (Some(state), Stage::Playing) => match state.status() {
                Status::ToAct(seats) => seats,
                Status::Chance | Status::Over(_) => return Err(Unreadable::stuck()),
            },
            _ => Seats::EMPTY,
        };
        Ok(self.close(step, cause, to_act))
    }

    /// Ends a step with a decision for each of `to_act`: a new one, unless the seat has an open one and has not moved.
    pub(super) fn close(&mut self, mut step: Step, cause: Cause, to_act: Seats) -> LogEntry {
        self.run_clocks(&mut step, to_act);
        let Step { at, events, movers, goes_on, passed, turn_over, stayed, .. } = step;
        self.stored.version += 1;
        self.stored.updated_at = at;
        self.stamp = UNCOMMITTED;
        let version = self.stored.version;
        for (index, seat) in self.stored.seats.iter_mut().enumerate() {
            let here = Seat::new(index as u8);
            let acts = here.is_some_and(|here| to_act.contains(here));
            let moved = here.is_some_and(|here| movers.contains(here));
            match seat.decision {
                Some(_) if acts && !moved => {}
                _ => {
                    let anew = OpenDecision { version, at, credit: TimeCredit::default() };
                    let opened = goes_on.filter(|_| moved).map_or(anew, |before| OpenDecision { version, ..before });
                    seat.decision = acts.then_some(opened);
                    // With a clock, not until its time runs out once more.
                    seat.back &= seat.clock.is_some();
                }
            }
        }
        if matches!(cause, Cause::Action(Action::Move { .. } | Action::Timeout { .. })) {
            // Where several decide at the same time, each decision is a turn.
            let goes_on = if to_act.len() > 1 { Seats::EMPTY } else { to_act.common(stayed) };
            let ended = |seat: &Seat| movers.contains(*seat) && !goes_on.contains(*seat);
            self.stored.draw_offered.retain(|seat| !ended(seat));
            self.stored.undo.offered.retain(|seat| !ended(seat));
        }
        if let Some(seat) = by_its_player(&cause) {
            self.be_back(seat, at);
        }
        self.keep_track(&cause, passed);
        if turn_over {
            // A free undo stays within a turn of the clock, which has ended though the seat may act again, and goes back
            // over moves of the player's own.
            self.stored.undo.run = None;
        }
        let deadline = |seat| Some((seat, self.deadline(seat)?));
        let deadlines = self.runs_clocks().then(|| to_act.iter().filter_map(deadline).collect());
        LogEntry { version, at, cause, events, to_act: to_act.iter().collect(), deadlines, stamp: UNCOMMITTED }
    }
}

/// The seat whose player has done this by themselves, if a player has, or perhaps a bot in their place.
fn by_its_player(cause: &Cause) -> Option<Seat> {
    let Cause::Action(action) = cause else { return None };
    match action {
        Action::Move { seat, .. } | Action::DeclineDraw { seat } => Some(*seat),
        Action::Leave { .. } | Action::Entropy { .. } | Action::Resign { .. } => None,
        other => other.by_person(),
    }
}
