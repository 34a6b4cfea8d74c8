//! Putting a match back: what may be undone, takebacks, and how it is done.
//!
//! Invariant: every judgment follows from the match alone, so a replay of a log or of a record reaches the same. This
//! file checks what `crate::undo` argues for once more as it is done.

use super::LiveMatch;
use super::step::Step;
use crate::model::events::{LifeEvent, MoveUndone, TakebackAccepted, TakebackDeclined, TakebackOffered};
use crate::model::log::{Action, Cause};
use crate::model::refused::{ReadRefused, Refused, UndoRefused, Unreadable};
use crate::model::terms::UndoTerms;
use crate::model::track::{Barrier, BarrierReason, FreeUndo, OwnRun, Passed, Takeback, UNDO_MAX, UndoTrack, Undone};
use sarsen_rules::{Seat, Seats};
use sarsen_store::Stage;

/// Judging undos and takebacks.
impl LiveMatch {
    /// The undos that the match allows.
    pub fn undo_terms(&self) -> UndoTerms {
        self.stored.terms.undo.unwrap_or_default()
    }

    /// The free undo that `seat` could make right now.
    pub fn free_undo(&self, seat: Seat) -> Option<FreeUndo> {
        let OwnRun { from, back, .. } = self.own_run(seat)?;
        let to_version = (*back)?;
        self.may_undo(seat, to_version).ok()?;
        Some(FreeUndo { to_version, earliest_version: *from })
    }

    /// The takeback on offer.
    pub fn takeback(&self) -> Option<&Takeback> {
        self.stored.undo.offer.as_ref()
    }

    /// Returns true if the match already is what an undo of `seat` to that version would make of it.
    pub(crate) fn is_put_back(&self, seat: Seat, to_version: u64) -> bool {
        let Undone { version, seat: by, to, .. } = match self.stored.undo.undone.last() {
            Some(last) => *last,
            None => return to_version == self.stored.version,
        };
        to_version == self.stored.version || (version == self.stored.version && by == seat && to == to_version)
    }

    /// Judges an action of this file. Answers the version whose state is needed to carry it out, if it puts the match back.
    ///
    /// # Errors
    /// [`Refused`] if it cannot be done.
    pub(crate) fn goes_back_to(&self, action: &Action) -> Result<Option<u64>, Refused> {
        match action {
            Action::Undo { seat, to_version } => {
                self.may_undo(*seat, *to_version)?;
                Ok(Some(*to_version))
            }
            Action::OfferTakeback { seat, to_version } => {
                self.may_offer_takeback(*seat, *to_version)?;
                Ok(self.must_agree(*seat).is_empty().then_some(*to_version))
            }
            Action::AcceptTakeback { seat } => {
                let offer = self.takeback_for(*seat)?;
                let all =
                    self.must_agree(offer.by).iter().all(|other| other == *seat || offer.agreed_by.contains(&other));
                Ok(all.then_some(offer.to_version))
            }
            Action::DeclineTakeback { seat } => self.takeback_for(*seat).map(|_| None),
            _ => Ok(None),
        }
    }

    /// The newest steps, as far as they are the seat's own. In an analysis the steps of all seats are.
    fn own_run(&self, seat: Seat) -> Option<&OwnRun> {
        self.stored.undo.run.as_ref().filter(|run| run.seat == seat || self.is_analysis())
    }

    fn may_undo(&self, seat: Seat, to_version: u64) -> Result<(), Refused> {
        self.must_have_undos(seat, to_version, self.undo_terms() != UndoTerms::Off)?;
        let track = &self.stored.undo;
        let version = self.stored.version;
        let own = match self.own_run(seat) {
            Some(run) if self.is_analysis() || self.decision(seat).is_some() => {
                Barrier { version: run.from, reason: BarrierReason::OtherSeat }
            }
            Some(_) => Barrier { version, reason: BarrierReason::TurnPassed },
            None => Barrier { version, reason: BarrierReason::OtherSeat },
        };
        let barrier = Some(track.barrier(version)).filter(|barrier| barrier.version >= own.version).unwrap_or(own);
        self.must_not_be_behind(to_version, barrier)
    }

    fn may_offer_takeback(&self, seat: Seat, to_version: u64) -> Result<(), Refused> {
        self.must_have_undos(seat, to_version, self.undo_terms() == UndoTerms::Consent)?;
        let track = &self.stored.undo;
        // One offer for each turn of one's own: an offer is not to be a way to wear the others down, where there are any.
        let asked_before = track.offered.contains(&seat) && !self.must_agree(seat).is_empty();
        if track.offer.is_some() || asked_before {
            return Err(UndoRefused::TakebackOnOffer.into());
        }
        self.must_not_be_behind(to_version, track.barrier(self.stored.version))
    }

    /// Refuses where it is not allowed, or not once more to this seat, and versions that are none of the match's earlier ones.
    fn must_have_undos(&self, seat: Seat, to_version: u64, allowed: bool) -> Result<(), Refused> {
        self.must_be_in_play(seat)?;
        if !allowed {
            return Err(UndoRefused::Off.into());
        }
        // Where one player holds every seat, nobody waits.
        if self.stored.undo.times_undone(seat) >= UNDO_MAX && !self.is_one_players() {
            return Err(UndoRefused::UsedUp.into());
        }
        if to_version >= self.stored.version { Err(ReadRefused::NoSuchVersion.into()) } else { Ok(()) }
    }

    fn must_not_be_behind(&self, to_version: u64, barrier: Barrier) -> Result<(), Refused> {
        let present = self.stored.version;
        if to_version < barrier.version { Err(UndoRefused::Barrier { present, barrier }.into()) } else { Ok(()) }
    }

    /// The takeback on offer that `seat` has not agreed to yet.
    fn takeback_for(&self, seat: Seat) -> Result<&Takeback, Refused> {
        self.must_be_in_play(seat)?;
        let offer = self.takeback().filter(|offer| offer.by != seat && !offer.agreed_by.contains(&seat));
        Ok(offer.ok_or(UndoRefused::NoTakebackOffer)?)
    }

    /// The seats that have to agree to a takeback of `by`: every other person at the table. Bots agree to everything.
    fn must_agree(&self, by: Seat) -> Seats {
        let (bots, resigned) = (self.bot_seats(), self.resigned());
        let asked = |seat: &Seat| !bots.contains(*seat) && !resigned.contains(*seat);
        let others = self.seat_count().seats().filter(|seat| self.holder(*seat) != self.holder(by));
        others.filter(asked).collect()
    }
}

/// Carrying out undos and takebacks. `then` is the match at the version that it goes back to.
impl LiveMatch {
    pub(super) fn undo(
        &mut self,
        step: &mut Step,
        seat: Seat,
        to_version: u64,
        then: Option<&LiveMatch>,
    ) -> Result<(), Refused> {
        self.may_undo(seat, to_version)?;
        self.put_back(step, seat, to_version, then)?;
        // The seat stays in its turn, and its time goes on. In an analysis the undone moves may be those of other
        // seats, so another one may have to act.
        step.movers = if self.is_analysis() { Seats::all(self.seat_count()) } else { Seats::one(seat) };
        step.goes_on = self.decision(seat);
        let before = then.and_then(|then| then.own_run(seat)).cloned();
        step.passed = Some(Passed::Undo(before.unwrap_or(OwnRun { seat, from: to_version, back: None })));
        Ok(())
    }

    pub(super) fn offer_takeback(
        &mut self,
        step: &mut Step,
        seat: Seat,
        to_version: u64,
        then: Option<&LiveMatch>,
    ) -> Result<(), Refused> {
        self.may_offer_takeback(seat, to_version)?;
        self.stored.undo.offered.push(seat);
        step.tell(LifeEvent::TakebackOffered(TakebackOffered { seat, to_version }));
        if self.must_agree(seat).is_empty() {
            return self.take_back(step, seat, to_version, then);
        }
        self.stored.undo.offer = Some(Takeback { by: seat, to_version, agreed_by: Vec::new() });
        Ok(())
    }

    pub(super) fn accept_takeback(
        &mut self,
        step: &mut Step,
        seat: Seat,
        then: Option<&LiveMatch>,
    ) -> Result<(), Refused> {
        let mut offer = self.takeback_for(seat)?.clone();
        offer.agreed_by.push(seat);
        step.tell(LifeEvent::TakebackAccepted(TakebackAccepted { seat }));
        if self.must_agree(offer.by).iter().all(|other| offer.agreed_by.contains(&other)) {
            return self.take_back(step, offer.by, offer.to_version, then);
        }
        self.stored.undo.offer = Some(offer);
        Ok(())
    }

    pub(super) fn decline_takeback(&mut self, step: &mut Step, seat: Seat) -> Result<(), Refused> {
        self.takeback_for(seat)?;
        self.stored.undo.offer = None;
        step.tell(LifeEvent::TakebackDeclined(TakebackDeclined { seat }));
        Ok(())
    }

    fn take_back(
        &mut self,
        step: &mut Step,
        by: Seat,
        to_version: u64,
        then: Option<&LiveMatch>,
    ) -> Result<(), Refused> {
        self.put_back(step, by, to_version, then)?;
        // Every seat that has to act begins a turn.
        step.movers = Seats::all(self.seat_count());
        step.passed = Some(Passed::Takeback);
        Ok(())
    }

    /// The only place where a match is put back: the game's state is that of then, and what belongs to it. All else of a
    /// match goes on as it is.
    fn put_back(&mut self, step: &mut Step, by: Seat, to: u64, then: Option<&LiveMatch>) -> Result<(), Unreadable> {
        let then = then.filter(|then| then.stored.version == to && then.stored.stage == Stage::Playing);
        let then = then.ok_or_else(|| Unreadable::new("the state to go back to is not at hand"))?;
        // Every chance step is a barrier, so there was none since: nobody will see what these dice show a second time.
        if then.stored.dice != self.stored.dice {
            return Err(Unreadable::new("an undo would go back behind a draw"));
        }
        self.state = then.state.as_ref().map(|state| state.duplicate());
        self.stored.last_move.clone_from(&then.stored.last_move);
        // What was offered was offered for another position.
        self.stored.draw.clear();
        self.stored.undo.put_back(by, self.stored.version + 1, to);
        step.tell(LifeEvent::MoveUndone(MoveUndone { by, to_version: to }));
        Ok(())
    }
}

/// The undo track of steps.
impl LiveMatch {
    /// Keeps what the step that has made the present version means for an undo.
    pub(super) fn keep_track(&mut self, cause: &Cause, passed: Option<Passed>) {
        if self.stored.stage != Stage::Playing {
            self.stored.undo = UndoTrack::default();
            return;
        }
        if self.undo_terms() == UndoTerms::Off {
            return;
        }
        let passed = passed.unwrap_or_else(|| passed_by(cause));
        let passed = if self.is_analysis() { passed.whoever(self.stored.undo.run.as_ref()) } else { passed };
        self.stored.undo.pass(self.stored.version, passed);
    }
}

/// The kind of a step whose action says it all.
fn passed_by(cause: &Cause) -> Passed {
    match cause {
        Cause::Action(Action::Move { seat, .. }) => Passed::Move(*seat),
        Cause::Action(
            Action::OfferDraw { .. }
            | Action::AcceptDraw { .. }
            | Action::DeclineDraw { .. }
            | Action::Hint { .. }
            | Action::OfferTakeback { .. }
            | Action::AcceptTakeback { .. }
            | Action::DeclineTakeback { .. }
            | Action::Invite { .. },
        ) => Passed::Talk,
        // An undo leaves clocks as they are.
        Cause::Action(Action::ClockCredit { .. } | Action::Return { .. }) => Passed::Aside,
        // Every other step changes more than the game.
        _ => Passed::Barrier(BarrierReason::OtherSeat),
    }
}
