//! Time that runs out, and time that is added.
//!
//! Invariants:
//! - A clock that has run out is judged from the match and the outages that are known. The worker or the late request
//!   does so, whichever is first; the second finds the match changed.
//! - An outage costs nobody time. A step of its own credits the part of it that lies in a turn, before any step that
//!   may end the turn: of the seat, another one, or the service. Before that, every outage is known.
//! - No clock runs out before a heartbeat was confirmed after the last moment at which a move would have been in time.

use crate::idempotency::{Answered, Idempotency};
use crate::model::clock::CreditReason;
use crate::model::log::Action;
use crate::model::stored::Takeover;
use crate::model::unreadable::Unreadable;
use crate::table::live_match::LiveMatch;
use crate::{Matches, Reader, Refused, Unread, ViewedMatch};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;
use sarsen_rules::Seat;
use sarsen_store::Outage;

/// Time that somebody gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeGiven {
    /// The seat that gets it.
    pub seat: Seat,
    /// The time given, in seconds.
    pub seconds: u32,
}

impl Matches {
    /// The seat whose time-out comes before a request of `received`. Either its clock ran out so long ago that the
    /// service acts by itself, or the caller's clock has run out and this seat's did first.
    pub(super) fn out_of_time(&self, viewed: &ViewedMatch, received: Timestamp) -> Option<Seat> {
        let live = &viewed.live;
        let own = || live.first_late(viewed.seat()?, live.moment(received));
        live.overdue(self.now()).or_else(own)
    }

    /// Returns true if a step can be taken on the match at once: every outage is known, and none needs a credit first.
    pub(super) fn is_made_good(&self, live: &LiveMatch) -> bool {
        let owes = |outages: &[Outage]| live.outage_credit(outages, live.moment(self.received())).is_some();
        !live.runs_clocks() || self.outage_detector.outages(&self.ambient, None).is_some_and(|known| !owes(&known))
    }

    /// The moment `at` as it counts for a match that waits for its start: without the outages since it was made. While not
    /// every outage is known, no time has passed.
    pub(super) fn waited(&self, live: &LiveMatch, at: Timestamp) -> Timestamp {
        let outages = self.outage_detector.outages(&self.ambient, None);
        outages.map_or(live.stored.created_at, |outages| live.waited(&outages, at))
    }

    /// Makes outages good in a match with a clock before a step is taken on it. Returns true if it tried a step for
    /// that: then the caller loads the match again.
    ///
    /// # Errors
    /// If that is not known now, or the store is away.
    pub(super) async fn make_good(&self, live: &LiveMatch) -> Result<bool, Refused> {
        if live.runs_clocks() { self.make_claims_good(live).await } else { Ok(false) }
    }

    /// The same in a match without a clock too, where somebody claims.
    ///
    /// # Errors
    /// See [`Matches::make_good`].
    pub(super) async fn make_claims_good(&self, live: &LiveMatch) -> Result<bool, Refused> {
        let outages = self.outage_detector.wait(&self.ambient, None).await?;
        self.make_known_good(live, &outages).await
    }

    /// The same with the outages that are known.
    ///
    /// # Errors
    /// If the store is away.
    pub(super) async fn make_known_good(&self, live: &LiveMatch, outages: &[Outage]) -> Result<bool, Refused> {
        // Only outages before the moment of the request: later ones count for the seats that have to act then.
        let received = self.received();
        match live.outage_credit(outages, live.moment(received)) {
            Some(credit) => self.act_on(live, credit, received).await.map(|_| true),
            None => Ok(false),
        }
    }

    /// Acts on the clock of `seat`, which has run out. Returns the version at which the seat is out of time. `None` if
    /// somebody else was quicker or an outage was credited: the caller loads the match again.
    ///
    /// # Errors
    /// If it cannot be done now, or the store is away.
    pub(super) async fn run_out(&self, before: &LiveMatch, seat: Seat) -> Result<Option<u64>, Refused> {
        // A heartbeat after the last moment for a move shows that the service was there, or when it was not.
        let outages = self.outage_detector.wait(&self.ambient, before.grace_ends()).await?;
        if self.make_known_good(before, &outages).await? {
            return Ok(None);
        }
        let consequence = before.consequence(seat).ok_or_else(|| Unreadable::new("no clock has run out"))?;
        let timeout = Action::Timeout { seat, consequence };
        let done = self.act_on(before, timeout, self.now()).await?;
        Ok(done.then_some(before.stored.version + 1))
    }

    /// Gives time to another seat. `given` is asked for what it reads only when the caller has a seat.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], [`Refused::Unread`], [`Refused::OutOfPlay`], [`Refused::Clock`], [`SeatRefused::NoSuchSeat`].
    ///
    /// [`Forbidden::NotSeated`]: crate::model::refused::Forbidden::NotSeated
    /// [`SeatRefused::NoSuchSeat`]: crate::model::refused::SeatRefused::NoSuchSeat
    pub async fn give_time(
        &self,
        reader: &Reader,
        id: &MatchId,
        given: Result<TimeGiven, Unread>,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Refused> {
        self.step(reader, id, once, |viewed| {
            let by = viewed.own_seat()?;
            let TimeGiven { seat, seconds } = given.clone()?;
            let milliseconds = i64::from(seconds) * 1000;
            Ok(Some(Action::ClockCredit { seats: vec![seat], milliseconds, reason: CreditReason::Given, by: Some(by) }))
        })
        .await
    }

    /// Ends the takeover of the caller's seat by a bot, from the next decision on. A caller who has asked already gets
    /// the match as it is.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], [`Refused::OutOfPlay`], [`ClockRefused::NotSubstituted`].
    ///
    /// [`Forbidden::NotSeated`]: crate::model::refused::Forbidden::NotSeated
    /// [`ClockRefused::NotSubstituted`]: crate::model::refused::ClockRefused::NotSubstituted
    pub async fn come_back(
        &self,
        reader: &Reader,
        id: &MatchId,
        once: Option<&Idempotency>,
    ) -> Result<Answered, Refused> {
        self.step(reader, id, once, |viewed| {
            let seat = viewed.own_seat()?;
            let leaves = viewed.live.stored.seats.get(seat.index()).and_then(|stored| stored.takeover);
            Ok(Some(Action::Return { seat }).filter(|_| leaves != Some(Takeover::Leaves)))
        })
        .await
    }
}
