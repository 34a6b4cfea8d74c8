//! Clocks: how they run from step to step, and what comes of it when one runs out.
//!
//! Invariants: a clock runs exactly while its seat is to act, from the step that brought it there. Consecutive
//! decisions of one seat are one turn, unless several seats decide at the same time: then each has a turn for each of
//! them. The moment of the step alone decides whether a seat is late, so a log and a record are judged as the match
//! was. An outage owes a seat exactly the part of it that lies in the time that counts for the seat.

use super::step::Step;
use super::{LiveMatch, endings};
use crate::model::clock::{
    ACTED_AFTER_MILLIS, CLOCK_GRACE_MILLIS, ClockTerms, CreditReason, OnTimeout, SeatClock, TimeoutConsequence,
};
use crate::model::events::{
    AbortReason, BotTookOver, ClockCredited, ClockExpired, LifeEvent, MoveTime, PlayerReturned, StoredEvent,
};
use crate::model::log::Action;
use crate::model::refused::{ClockRefused, MoveRefused, Refused, SeatRefused, Unreadable};
use crate::model::stored::Takeover;
use crate::model::track::Passed;
use sarsen_base::ambient::Timestamp;
use sarsen_rules::{Seat, Seats};
use sarsen_store::{Outage, Stage};

/// A live match of more seats than this is not called off for one that does not come.
const NO_START_SEATS: usize = 2;

impl LiveMatch {
    /// The clock of `seat`, from the start on; bots have none.
    pub fn clock(&self, seat: Seat) -> Option<&SeatClock> {
        self.stored.seats.get(seat.index())?.clock.as_ref()
    }

    /// The deadline of `seat`, if its turn is under way.
    pub fn deadline(&self, seat: Seat) -> Option<Timestamp> {
        self.clock(seat)?.deadline(self.stored.terms.clock.as_ref()?)
    }

    /// The time at which the turn of `seat` began, if it is under way.
    pub(crate) fn turn_began(&self, seat: Seat) -> Option<Timestamp> {
        self.clock(seat)?.turn_started_at()
    }

    /// Returns true if a move of `seat` at this moment comes too late.
    pub(crate) fn is_late(&self, seat: Seat, at: Timestamp) -> bool {
        let (Some(terms), Some(clock)) = (&self.stored.terms.clock, self.clock(seat)) else { return false };
        clock.is_late(terms, at)
    }

    /// The clock that runs out first, and when: of several at one moment that of the first seat.
    fn earliest(&self) -> Option<(Timestamp, Seat)> {
        self.seat_count().seats().filter_map(|seat| Some((self.deadline(seat)?, seat))).min()
    }

    /// Returns true if clocks run in it.
    pub(crate) fn runs_clocks(&self) -> bool {
        self.stored.terms.clock.is_some() && self.stored.stage == Stage::Playing
    }

    /// Returns true if the first turn of `seat` is under way and has a time of its own.
    pub fn is_in_first_turn(&self, seat: Seat) -> bool {
        let terms = self.stored.terms.clock.as_ref();
        terms.zip(self.clock(seat)).is_some_and(|(terms, clock)| clock.is_in_first_turn(terms))
    }

    /// The time from which on outages are not yet credited to `seat`: within its turn by the clock or, without one,
    /// within the decision for which others may claim.
    fn unexcused_since(&self, seat: Seat) -> Option<Timestamp> {
        if self.stored.terms.clock.is_some() {
            return self.clock(seat)?.unexcused_since();
        }
        let open = self.decision(seat).filter(|_| self.claimable_at(seat).is_some())?;
        Some(open.credit.unexcused_since(open.at))
    }

    /// The credit that these outages, given in order, owe to `seat` by this moment, in milliseconds.
    pub(crate) fn owed(&self, seat: Seat, outages: &[Outage], at: Timestamp) -> i64 {
        self.unexcused_since(seat).map_or(0, |since| away(outages, since, at))
    }

    /// The moment `at` without the outages since the match was made: what waits for its start waits for as long as the
    /// service is there.
    pub(crate) fn waited(&self, outages: &[Outage], at: Timestamp) -> Timestamp {
        Timestamp(at.0.saturating_sub(away(outages, self.stored.created_at, at)))
    }

    /// The step that makes outages good by this moment: to all seats to which the same is owed, where that differs to one
    /// group after the other.
    pub(crate) fn outage_credit(&self, outages: &[Outage], at: Timestamp) -> Option<Action> {
        if self.stored.stage != Stage::Playing {
            return None;
        }
        let resigned = self.resigned();
        let playing = self.seat_count().seats().filter(|seat| !resigned.contains(*seat));
        let owed: Vec<(Seat, i64)> = playing.map(|seat| (seat, self.owed(seat, outages, at))).collect();
        let milliseconds = owed.iter().map(|(_, owed)| *owed).find(|owed| *owed > 0)?;
        let seats = owed.iter().filter(|(_, owed)| *owed == milliseconds).map(|(seat, _)| *seat).collect();
        Some(Action::ClockCredit { seats, milliseconds, reason: CreditReason::Outage, by: None })
    }

    /// The time at which the first clock runs out, with its grace.
    pub(crate) fn grace_ends(&self) -> Option<Timestamp> {
        Some(Timestamp(self.earliest()?.0.0.saturating_add(CLOCK_GRACE_MILLIS)))
    }

    /// If `seat` comes too late at this moment, the seat that did so first.
    pub(crate) fn first_late(&self, seat: Seat, at: Timestamp) -> Option<Seat> {
        let (_, first) = self.is_late(seat, at).then(|| self.earliest()).flatten()?;
        Some(first)
    }

    /// Returns true if the time of `seat` ran out for the decision that this version opened.
    pub(crate) fn has_missed(&self, seat: Seat, version: u64) -> bool {
        self.clock(seat).is_some_and(|clock| clock.has_missed(version))
    }

    /// The time at which the service acts by itself because a clock has run out, and the seat of that clock.
    pub(crate) fn clock_task(&self) -> Option<(Timestamp, Seat)> {
        self.stored.terms.clock.filter(|_| self.stored.stage == Stage::Playing)?;
        let (deadline, seat) = self.earliest()?;
        Some((Timestamp(deadline.0.saturating_add(CLOCK_GRACE_MILLIS + ACTED_AFTER_MILLIS)), seat))
    }

    /// The seat whose clock has run out so long ago that the service acts by itself.
    pub(crate) fn overdue(&self, now: Timestamp) -> Option<Seat> {
        self.clock_task().filter(|(at, _)| *at <= now).map(|(_, seat)| seat)
    }

    /// The consequence if the time of `seat` runs out now.
    pub(crate) fn consequence(&self, seat: Seat) -> Option<TimeoutConsequence> {
        let (terms, clock) = (self.stored.terms.clock.as_ref()?, self.clock(seat)?);
        // Bots come to their first move by themselves, and who has given up makes none.
        let all_moved =
            self.stored.seats.iter().all(|seat| seat.resigned || seat.clock.as_ref().is_none_or(SeatClock::has_moved));
        let no_start = !clock.is_past_first_turn() && !all_moved;
        Some(match terms.on_timeout {
            // Else a player with a bad deal could have the match called off at no cost.
            _ if no_start && self.stored.terms.is_rated() => TimeoutConsequence::Forfeit,
            _ if no_start && self.stored.seats.len() <= NO_START_SEATS => TimeoutConsequence::NoStart,
            OnTimeout::AbsentMove if clock.timeouts() < terms.timeouts_allowed => TimeoutConsequence::AbsentMove,
            OnTimeout::Bot => TimeoutConsequence::Bot,
            OnTimeout::AbsentMove | OnTimeout::Forfeit => TimeoutConsequence::Forfeit,
        })
    }

    /// Refuses a move that comes too late.
    pub(super) fn must_have_time(&self, seat: Seat, at: Timestamp) -> Result<(), MoveRefused> {
        if self.is_late(seat, at) { Err(MoveRefused::OutOfTime(self.stored.version)) } else { Ok(()) }
    }
}

/// The running of clocks.
impl LiveMatch {
    /// Gives every seat of a match that starts its clock.
    pub(super) fn set_clocks(&mut self) {
        let Some(terms) = self.stored.terms.clock else { return };
        let bots = self.stored.terms.bot_seats();
        for (index, seat) in self.stored.seats.iter_mut().enumerate() {
            let bot = Seat::new(index as u8).is_some_and(|seat| bots.contains(seat));
            seat.clock = (!bot).then(|| SeatClock::new(&terms));
        }
    }

    /// Ends and begins turns at the end of a step, and notes what its move has taken.
    pub(super) fn run_clocks(&mut self, step: &mut Step, to_act: Seats) {
        let Some(terms) = self.stored.terms.clock else { return };
        let used = step.played.and_then(|seat| {
            let clock = self.clock_mut(seat)?;
            clock.note_move();
            clock.used_milliseconds(step.at).map(|used| if step.planned { 0 } else { used })
        });
        for (index, seat) in self.stored.seats.iter_mut().enumerate() {
            let (Some(here), Some(clock)) = (Seat::new(index as u8), &mut seat.clock) else { continue };
            let acts = to_act.contains(here);
            // A player who is back leaves the open decision to the bot that was asked for it.
            let goes_on = seat.decision.is_some() && acts && !step.movers.contains(here);
            // What a bot has moved for a player is not the player's to have back.
            step.turn_over |= seat.takeover.is_some() && step.played == Some(here);
            seat.takeover = seat.takeover.filter(|takeover| goes_on || *takeover == Takeover::Plays);
            if seat.takeover.is_some() {
                continue;
            }
            // After a takeback turns begin again, with the present bank. A seat that had to act only because of an
            // undone move has had no turn.
            match step.passed {
                Some(Passed::Takeback) => clock.abandon(),
                Some(Passed::Undo(_)) if !acts => clock.abandon(),
                _ => {}
            }
            let answered = step.played == Some(here) && clock.shares_its_turn();
            if !acts || answered || !step.stayed.contains(here) {
                // What a plan has made at last takes nothing of its player's time, however long the service took.
                let planned = step.planned && step.played == Some(here);
                let until = clock.turn_started_at().filter(|_| planned).unwrap_or(step.at);
                clock.end(&terms, until);
                step.turn_over |= step.played == Some(here);
            }
            if acts && clock.turn_started_at().is_none() {
                clock.begin(step.at, to_act.len() > 1);
            }
        }
        let Some((played, used)) = step.played.zip(used) else { return };
        let Some(clock) = self.clock(played) else { return };
        let taken = MoveTime { used_milliseconds: used, bank_milliseconds: clock.bank_milliseconds() };
        // The first move of a step is the one that was asked for; others follow from it.
        let own = step.events.iter_mut().find_map(|event| match event {
            StoredEvent::Move { seat, time, .. } if *seat == played => Some(time),
            _ => None,
        });
        if let Some(time) = own {
            *time = Some(taken);
        }
    }

    fn clock_mut(&mut self, seat: Seat) -> Option<&mut SeatClock> {
        self.stored.seats.get_mut(seat.index())?.clock.as_mut()
    }

    fn clocked(&mut self, seat: Seat) -> Result<(ClockTerms, &mut SeatClock), Refused> {
        let terms = self.stored.terms.clock.ok_or(ClockRefused::NoClock)?;
        let stored = self.stored.seats.get_mut(seat.index()).ok_or(SeatRefused::NoSuchSeat)?;
        Ok((terms, stored.clock.as_mut().ok_or(ClockRefused::NoClock)?))
    }
}

/// Actions of the service and of other seats on clocks.
impl LiveMatch {
    /// The time of `seat` has run out.
    pub(super) fn run_out(
        &mut self,
        step: &mut Step,
        seat: Seat,
        consequence: TimeoutConsequence,
    ) -> Result<(), Refused> {
        self.must_be_in_play(seat)?;
        if !self.is_late(seat, step.at) {
            return Err(still_running().into());
        }
        if self.consequence(seat) != Some(consequence) {
            return Err(Unreadable::new("something else comes of it").into());
        }
        let open = self.decision(seat).ok_or_else(|| Unreadable::new("a clock runs of a seat that is not to act"))?;
        self.seat_mut(seat)?.back = false;
        let (terms, clock) = self.clocked(seat)?;
        clock.miss(open.version);
        let deadline_at = clock.deadline(&terms).ok_or_else(still_running)?;
        step.tell(LifeEvent::ClockExpired(ClockExpired { seat, deadline_at, consequence }));
        match consequence {
            TimeoutConsequence::Forfeit => {
                clock.stop(&terms);
                self.give_up(step, seat, endings::TIMEOUT)
            }
            TimeoutConsequence::AbsentMove => {
                let one_decision = clock.shares_its_turn();
                clock.pass(&terms);
                Ok(self.pass_turn(step, seat, one_decision)?)
            }
            TimeoutConsequence::Bot => {
                clock.pass(&terms);
                self.seat_mut(seat)?.takeover = Some(Takeover::Plays);
                // The decision opens again. The bot's time begins now, and a player who takes the seat before the bot
                // moves may still decide.
                step.movers = step.movers.with(seat);
                let bot = self.bot(seat).ok_or_else(|| Unreadable::new("no bot takes over"))?;
                step.tell(LifeEvent::BotTookOver(BotTookOver { seat, bot }));
                Ok(())
            }
            TimeoutConsequence::NoStart => {
                clock.stop(&terms);
                self.end_without_result(step, AbortReason::NoStart, Some(seat));
                Ok(())
            }
        }
    }

    /// The player of `seat` is back.
    pub(super) fn give_back(&mut self, step: &mut Step, seat: Seat) -> Result<(), Refused> {
        self.must_be_in_play(seat)?;
        match self.is_taken_over(seat) {
            true => self.seat_mut(seat)?.takeover = Some(Takeover::Leaves),
            false if self.is_offered_as_away(seat, step.at) => {}
            false => return Err(ClockRefused::NotSubstituted.into()),
        }
        step.tell(LifeEvent::PlayerReturned(PlayerReturned { seat }));
        Ok(())
    }

    /// Adds time to clocks.
    pub(super) fn credit(
        &mut self,
        step: &mut Step,
        seats: &[Seat],
        milliseconds: i64,
        reason: CreditReason,
        by: Option<Seat>,
    ) -> Result<(), Refused> {
        self.must_be_playing()?;
        if seats.is_empty() || milliseconds < 1 {
            return Err(Unreadable::new("no time is added, or to nobody").into());
        }
        if reason == CreditReason::Given && self.stored.terms.clock.is_none() {
            return Err(ClockRefused::NoClock.into());
        }
        if reason == CreditReason::Given && self.stored.terms.is_rated() {
            return Err(ClockRefused::Rated.into());
        }
        match by {
            Some(by) => {
                self.must_not_have_resigned(by)?;
                if seats.contains(&by) {
                    return Err(ClockRefused::OwnClock.into());
                }
                if !self.clocked(by)?.1.note_gift() {
                    return Err(ClockRefused::GivenEnough.into());
                }
            }
            None if reason == CreditReason::Given => return Err(Unreadable::new("nobody has given it").into()),
            None => {}
        }
        for &seat in seats {
            self.must_not_have_resigned(seat)?;
            match reason {
                CreditReason::Given => {
                    let (terms, clock) = self.clocked(seat)?;
                    if let Some(left) = clock.may_be_given(&terms).filter(|left| *left < milliseconds) {
                        return Err(ClockRefused::TooMuchGiven { left: left / 1000 }.into());
                    }
                    clock.give(&terms, milliseconds);
                }
                CreditReason::Outage => self.excuse(seat, milliseconds, step.at)?,
            }
        }
        step.tell(LifeEvent::ClockCredited(ClockCredited { seats: seats.to_vec(), milliseconds, reason, by }));
        Ok(())
    }
}

impl LiveMatch {
    /// Credits this many milliseconds of the time that counts for `seat`, for outages up to this moment.
    fn excuse(&mut self, seat: Seat, milliseconds: i64, at: Timestamp) -> Result<(), Refused> {
        let since = self.unexcused_since(seat).ok_or_else(|| Unreadable::new("no time counts for the seat"))?;
        if milliseconds > at.0.saturating_sub(since.0) {
            return Err(Unreadable::new("an outage has taken more time than there was").into());
        }
        let stored = self.seat_mut(seat)?;
        match (&mut stored.clock, &mut stored.decision) {
            (Some(clock), _) => clock.excuse(milliseconds, at),
            (None, Some(open)) => open.credit.excuse(milliseconds, at),
            (None, None) => {}
        }
        Ok(())
    }
}

/// The time of these outages that lies between two moments, in milliseconds. They are in order.
fn away(outages: &[Outage], since: Timestamp, at: Timestamp) -> i64 {
    let later = outages.iter().rev().take_while(|outage| outage.to > since);
    later.map(|outage| outage.to.min(at).0.saturating_sub(outage.from.max(since).0).max(0)).sum()
}

fn still_running() -> Unreadable {
    Unreadable::new("the seat still has time")
}
