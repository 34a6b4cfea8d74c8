//! The clock of one seat, as of a version: nothing in it ticks.
//!
//! Invariant: what it holds changes with steps alone, at their moments.

use serde::{Deserialize, Serialize};

use super::credit::TimeCredit;
use super::terms::{ClockTerms, Speed};
use super::{GIFTS_MAX, GIVEN_A_TURN_MILLIS};
use sarsen_base::ambient::Timestamp;

/// The grace after a deadline, in milliseconds: a move may come this much later, for its way through the network. It is
/// the same for all.
pub const CLOCK_GRACE_MILLIS: i64 = 1_000;

/// A turn under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Turn {
    #[serde(rename = "s")]
    began: Timestamp,
    /// The part of the turn that does not count.
    #[serde(rename = "x", default, skip_serializing_if = "TimeCredit::is_none")]
    credit: TimeCredit,
    /// True if other seats came to act with it. Then the turn ends with its first move, even if the seat is to act
    /// next.
    #[serde(rename = "a", default, skip_serializing_if = "std::ops::Not::not")]
    shared: bool,
}

/// The clock of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatClock {
    /// The time in the bank, in milliseconds.
    #[serde(rename = "b")]
    bank: i64,
    #[serde(rename = "t", default, skip_serializing_if = "Option::is_none")]
    turn: Option<Turn>,
    /// The number of consecutive turns that it has let pass.
    #[serde(rename = "n", default, skip_serializing_if = "is_zero")]
    timeouts: u8,
    /// True once its first turn is over.
    #[serde(rename = "f", default, skip_serializing_if = "std::ops::Not::not")]
    first_over: bool,
    /// True once it has made a move by itself.
    #[serde(rename = "m", default, skip_serializing_if = "std::ops::Not::not")]
    moved: bool,
    /// The version that opened the last decision for which its time ran out.
    #[serde(rename = "o", default, skip_serializing_if = "Option::is_none")]
    missed: Option<u64>,
    /// The number of times that its player has given time to others since the seat's own last move.
    #[serde(rename = "g", default, skip_serializing_if = "is_zero")]
    gifts: u8,
    /// The time that others have given it since its last turn, in milliseconds.
    #[serde(rename = "r", default, skip_serializing_if = "is_nought")]
    given: i64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it so")]
fn is_nought(millis: &i64) -> bool {
    *millis == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it so")]
fn is_zero(number: &u8) -> bool {
    *number == 0
}

fn millis(seconds: u32) -> i64 {
    i64::from(seconds) * 1000
}

impl SeatClock {
    /// The clock of a match that starts.
    pub(crate) fn new(terms: &ClockTerms) -> SeatClock {
        let bank = millis(terms.initial_seconds);
        SeatClock { bank, turn: None, timeouts: 0, first_over: false, moved: false, missed: None, gifts: 0, given: 0 }
    }

    /// The time in the bank, in milliseconds.
    pub fn bank_milliseconds(&self) -> i64 {
        self.bank
    }

    /// The time at which the turn under way began.
    pub fn turn_started_at(&self) -> Option<Timestamp> {
        self.turn.map(|turn| turn.began)
    }

    /// The number of consecutive turns that it has let pass.
    pub fn timeouts(&self) -> u8 {
        self.timeouts
    }

    /// Returns true if it has made a move by itself.
    pub(crate) fn has_moved(&self) -> bool {
        self.moved
    }

    /// Returns true if its first turn is over.
    pub(crate) fn is_past_first_turn(&self) -> bool {
        self.first_over
    }

    /// Returns true if its time ran out for the decision that this version opened.
    pub(crate) fn has_missed(&self, version: u64) -> bool {
        self.missed == Some(version)
    }

    /// The time for its first turn, in milliseconds; `None` once that is over, and where there is no such rule.
    fn first_turn(&self, terms: &ClockTerms) -> Option<i64> {
        terms.first_move_seconds.filter(|_| !self.first_over).map(millis)
    }

    /// The deadline of the turn under way.
    pub(crate) fn deadline(&self, terms: &ClockTerms) -> Option<Timestamp> {
        let turn = self.turn?;
        let allowed = self.first_turn(terms).unwrap_or_else(|| millis(terms.delay_seconds).saturating_add(self.bank));
        Some(Timestamp(turn.began.0.saturating_add(turn.credit.milliseconds()).saturating_add(allowed)))
    }

    /// Returns true if a move at this moment comes too late.
    pub(crate) fn is_late(&self, terms: &ClockTerms, at: Timestamp) -> bool {
        self.deadline(terms).is_some_and(|deadline| at.0 > deadline.0.saturating_add(CLOCK_GRACE_MILLIS))
    }

    /// The time of the turn under way that counts, in milliseconds.
    pub(crate) fn used_milliseconds(&self, at: Timestamp) -> Option<i64> {
        self.turn.map(|turn| at.0.saturating_sub(turn.began.0).saturating_sub(turn.credit.milliseconds()).max(0))
    }

    /// Notes that the seat has made a move.
    pub(crate) fn note_move(&mut self) {
        (self.moved, self.gifts) = (true, 0);
    }

    /// Notes that its player gives time to others. Returns false if that is not allowed once more before the seat's
    /// next move.
    pub(crate) fn note_gift(&mut self) -> bool {
        let may = self.gifts < GIFTS_MAX;
        self.gifts += u8::from(may);
        may
    }

    /// A turn begins, alone or as one of several at the same time.
    pub(crate) fn begin(&mut self, at: Timestamp, shared: bool) {
        self.turn = Some(Turn { began: at, credit: TimeCredit::default(), shared });
    }

    /// Returns true if the turn under way began as one of several at the same time.
    pub(crate) fn shares_its_turn(&self) -> bool {
        self.turn.is_some_and(|turn| turn.shared)
    }

    /// The turn that is under way ends in time.
    pub(crate) fn end(&mut self, terms: &ClockTerms, at: Timestamp) {
        let Some(used) = self.used_milliseconds(at) else { return };
        if self.first_turn(terms).is_none() {
            let over = used.saturating_sub(millis(terms.delay_seconds)).max(0);
            self.refill(terms, self.bank.saturating_sub(over).max(0));
        }
        (self.turn, self.first_over, self.timeouts, self.given) = (None, true, 0, 0);
    }

    /// The turn that is under way ends because its time is over, and the match goes on.
    pub(crate) fn pass(&mut self, terms: &ClockTerms) {
        self.refill(terms, 0);
        (self.turn, self.first_over, self.given) = (None, true, 0);
        self.timeouts = self.timeouts.saturating_add(1);
    }

    /// The turn that is under way is taken back: it costs nothing, and is none.
    pub(crate) fn abandon(&mut self) {
        self.turn = None;
    }

    /// The turn that is under way ends because its time is over, and there will be no other.
    pub(crate) fn stop(&mut self, terms: &ClockTerms) {
        if self.first_turn(terms).is_none() {
            self.bank = 0;
        }
        self.turn = None;
    }

    /// Clears the turns that it has let pass: they do not count against another player who takes over the seat.
    pub(crate) fn hand_on(&mut self) {
        self.timeouts = 0;
    }

    /// Its time ran out for the decision that this version opened.
    pub(crate) fn miss(&mut self, version: u64) {
        self.missed = Some(version);
    }

    fn refill(&mut self, terms: &ClockTerms, left: i64) {
        let full = left.saturating_add(millis(terms.increment_seconds));
        self.bank = terms.max_bank_seconds.map_or(full, |most| full.min(millis(most)));
    }

    /// The time that others may still give it before its turn is over, in milliseconds; `None` for any amount.
    pub(crate) fn may_be_given(&self, terms: &ClockTerms) -> Option<i64> {
        let live = terms.speed() == Speed::Live;
        let most =
            millis(terms.initial_seconds).saturating_add(millis(terms.increment_seconds)).max(GIVEN_A_TURN_MILLIS);
        live.then(|| most.saturating_sub(self.given).max(0))
    }

    /// Returns true if its first turn is under way and has a time of its own.
    pub(crate) fn is_in_first_turn(&self, terms: &ClockTerms) -> bool {
        self.turn.is_some() && self.first_turn(terms).is_some()
    }

    /// Adds time that somebody gives: to the bank or, where the turn that is under way does not use it, to that turn.
    pub(crate) fn give(&mut self, terms: &ClockTerms, milliseconds: i64) {
        let first = self.first_turn(terms).is_some();
        match &mut self.turn {
            Some(turn) if first => turn.credit.add(milliseconds),
            _ => self.bank = self.bank.saturating_add(milliseconds),
        }
        self.given = self.given.saturating_add(milliseconds);
    }

    /// The time from which on outages are not yet credited in the turn under way.
    pub(crate) fn unexcused_since(&self) -> Option<Timestamp> {
        self.turn.map(|turn| turn.credit.unexcused_since(turn.began))
    }

    /// Credits this many milliseconds of the turn under way, for outages up to `now`.
    pub(crate) fn excuse(&mut self, milliseconds: i64, now: Timestamp) {
        if let Some(turn) = &mut self.turn {
            turn.credit.excuse(milliseconds, now);
        }
    }
}
