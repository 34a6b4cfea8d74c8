//! Time that runs out, and time that is added.
//!
//! Invariants:
//! - A clock that has run out is judged from the match and the outages that are known, by whoever comes first: the worker,
//!   or the request that is late. Whoever is second finds the match changed.
//! - Whom an outage has kept away is not late: what of it fell into the turn does not count, once an outage and turn.

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
    /// To whom.
    pub seat: Seat,
    /// How much.
    pub seconds: u32,
}

/// What has come of a clock that had run out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RunOut {
    /// The seat is out of time, as of this version.
    Expired(u64),
    /// There was an outage, which is made good.
    Excused,
    /// Somebody else was quicker.
    Conflict,
}

impl Matches {
    /// The seat whose clock is to be seen to before what somebody asked for at `received`: one that has run out so long ago
    /// that the service acts by itself, or, if the asker's own has, the first that did.
    pub(super) fn out_of_time(&self, viewed: &ViewedMatch, received: Timestamp) -> Option<Seat> {
        let live = &viewed.live;
        let own = || live.first_late(viewed.seat()?, live.moment(received));
        live.overdue(self.now()).or_else(own)
    }

    /// Sees to the clock of `seat`, which has run out.
    ///
    /// # Errors
    /// If it cannot be done now, or the store is away.
    pub(super) async fn run_out(&self, before: &LiveMatch, seat: Seat) -> Result<RunOut, Refused> {
        let outages = self.known_outages().await?;
        let now = self.now();
        let at = before.moment(now);
        let lost = before
            .clock(seat)
            .and_then(|clock| clock.unexcused_since())
            .map_or(0, |since| outages.iter().map(|outage| overlap(outage, since, at)).sum());
        let excused = lost > 0;
        let action = if excused {
            Action::ClockCredit { seats: vec![seat], milliseconds: lost, reason: CreditReason::Outage, by: None }
        } else {
            let consequence = before.consequence(seat).ok_or_else(|| Unreadable::new("no clock has run out"))?;
            Action::Timeout { seat, consequence }
        };
        Ok(match self.act_on(before, action, now).await? {
            false => RunOut::Conflict,
            true if excused => RunOut::Excused,
            true => RunOut::Expired(before.stored.version + 1),
        })
    }

    async fn known_outages(&self) -> Result<Vec<Outage>, Refused> {
        self.outage_detector.wait(&self.ambient).await?;
        Ok(self.store.outages().await?)
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

    /// Gives the caller's seat back to them, for which a bot plays, from its next decision on. Whoever has asked already is
    /// answered the match as it is.
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

/// How much of an outage lies between two moments, in milliseconds.
fn overlap(outage: &Outage, since: Timestamp, until: Timestamp) -> i64 {
    outage.to.min(until).0.saturating_sub(outage.from.max(since).0).max(0)
}
