//! The schedule of a match, which nobody needs to ask for: it is called off when it has waited too long, a clock runs out,
//! bots play, plans are followed; it is archived when it has been over for some time, and deleted later.
//!
//! Invariants: what is due, and when, follows from the match and the rules of this instance ([`Retention`]); the due index
//! only leads here. Every commit notes in the index when to look again. A match that waits for its start waits so much
//! longer as the service was away meanwhile.

use crate::model::events::AbortReason;
use crate::model::log::Action;
use crate::model::refused::ReadRefused;
use crate::model::terms::Terms;
use crate::outage_detector::unsure;
use crate::table::live_match::LiveMatch;
use crate::{Matches, Refused};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_rules::Seat;
use sarsen_store::{Archived, Committed, Due, DueMatch, ListScope, ListedMatch, LoadedMatch, Stage};

use crate::model::retention::{Retention, expires_after};

/// The time for which a match that never started is kept after it was called off, in seconds: seven days.
const CALLED_OFF_KEPT_SECONDS: u32 = 7 * DAY;
const DAY: u32 = 24 * 60 * 60;
/// The time within which due work is not left to the next look at the index, in milliseconds.
const SOON: i64 = 2_000;

/// A task that is due in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    /// It has waited too long for its start.
    CallOff,
    /// It is the moment at which it starts, or is called off where seats are free.
    Start,
    /// Seats were kept long enough for players who have not come.
    EndReservations,
    /// Its log has to be archived, unless it has been.
    Archive,
    /// It has to be deleted.
    Delete,
    /// Its bots have something to do.
    Think,
    /// The clock of this seat has run out.
    RunOut(Seat),
}

/// The result of a look at a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Looked {
    /// Something was due and is done; the index follows by itself.
    Acted,
    /// Nothing is due before this moment; `None` for never.
    Waits(Option<Timestamp>),
    /// Bots have something to do, which takes its time: [`Matches::think`]. A clock runs out at this moment, if one runs.
    Thinks(Option<Timestamp>),
}

impl LiveMatch {
    /// The time at which it is called off by itself, unless it starts before.
    pub fn expires_at(&self) -> Option<Timestamp> {
        if self.stored.stage == Stage::Open { self.expiry() } else { None }
    }

    /// Returns true if it was still waiting for its start when its time was over, whether or not it has been called
    /// off.
    pub(super) fn has_expired(&self, now: Timestamp) -> bool {
        let waited_until = match self.stored.stage {
            Stage::Open => Some(now),
            Stage::Aborted if self.stored.started_at.is_none() => self.stored.ended_at,
            _ => None,
        };
        waited_until.zip(self.expiry()).is_some_and(|(until, expiry)| until >= expiry)
    }

    /// The time at which its time to start is over, or was.
    fn expiry(&self) -> Option<Timestamp> {
        let stored = &self.stored;
        let Terms { visibility, clock, expires_in_seconds, .. } = *stored.terms;
        let usual = expires_after(visibility, clock).filter(|_| stored.terms.table.starts_at.is_none());
        let seconds = expires_in_seconds.or(usual)?;
        Some(stored.created_at.plus_seconds(seconds))
    }

    /// The time of the next task, as far as the match alone tells; the rules of an instance may add to it.
    pub(super) fn due_by_itself(&self) -> Option<Timestamp> {
        self.next_task(&Retention::default()).map(|(at, _)| at)
    }

    /// The next task and its time, if it has not been done yet.
    fn next_task(&self, retention: &Retention) -> Option<(Timestamp, Task)> {
        let stored = &self.stored;
        match stored.stage {
            Stage::Open => {
                let call_off = self.expiry().map(|at| (at, Task::CallOff));
                let release = self.reserved_until().map(|at| (at, Task::EndReservations));
                let start = stored.terms.table.starts_at.map(|at| (at, Task::Start));
                call_off.into_iter().chain(release).chain(start).min_by_key(|(at, _)| *at)
            }
            Stage::Playing => {
                let clock = self.clock_task().map(|(at, seat)| (at, Task::RunOut(seat)));
                let bots = self.bot_task().map(|(at, _)| (at, Task::Think));
                clock.into_iter().chain(bots).min_by_key(|(at, _)| *at)
            }
            Stage::Aborted if stored.started_at.is_none() => {
                Some((stored.ended_at?.plus_seconds(CALLED_OFF_KEPT_SECONDS), Task::Delete))
            }
            Stage::Aborted | Stage::Finished => {
                let archived = retention.archive_after_days.and_then(|days| self.over_for(days));
                match (archived, self.deleted_at(retention)) {
                    (Some(at), deleted) if deleted.is_none_or(|deleted| at < deleted) => Some((at, Task::Archive)),
                    (_, deleted) => deleted.map(|at| (at, Task::Delete)),
                }
            }
        }
    }

    /// The time at which a match that was played is deleted after its end.
    fn deleted_at(&self, retention: &Retention) -> Option<Timestamp> {
        retention.expire_finished_days.and_then(|days| self.over_for(days))
    }

    /// The time at which it has been over for this many days.
    fn over_for(&self, days: u32) -> Option<Timestamp> {
        let days = i64::from(days).saturating_mul(i64::from(DAY) * 1000);
        Some(Timestamp(self.stored.ended_at?.0.saturating_add(days)))
    }
}

impl Matches {
    /// Returns true if finished matches are archived or deleted some time.
    pub fn sees_to_finished(&self) -> bool {
        self.retention.expire_finished_days.or(self.retention.archive_after_days).is_some()
    }

    /// The change of the match's entry in the due index by a commit that leads from `before` to `live`.
    pub(super) fn due(&self, before: Option<&LiveMatch>, live: &LiveMatch) -> Due {
        let next = |live: &LiveMatch| live.next_task(&self.retention).map(|(at, _)| at);
        match next(live) {
            Some(at) => Due::At(at),
            None if before.is_some_and(|before| next(before).is_some()) => Due::Remove,
            None => Due::Leave,
        }
    }

    /// Tells of what a commit has made due within moments.
    pub(super) fn tell_soon(&self, id: &MatchId, due: Due) {
        if let Due::At(at) = due
            && at.0.saturating_sub(self.now().0) < SOON
        {
            // Too many: the index leads to the rest.
            let _left_to_the_index = self.soon.try_send(DueMatch { id: id.clone(), at });
        }
    }

    /// Does what is due in a match right now.
    ///
    /// # Errors
    /// If the match cannot be read, or the store is away.
    pub async fn see_to(&self, id: &MatchId) -> Result<Looked, Refused> {
        let mut acted = false;
        for _ in 0..crate::ATTEMPTS_MAX {
            let Some(loaded) = self.store.load_match(id, None).await? else {
                return Ok(if acted { Looked::Acted } else { Looked::Waits(None) });
            };
            let live = self.opened(id, &loaded)?;
            let now = self.now();
            if live.runs_clocks() {
                // Nobody waits for this: it is looked at again.
                let outages = self.outage_detector.outages(&self.ambient, None).ok_or_else(unsure)?;
                if self.make_known_good(&live, &outages).await? {
                    acted = true;
                    continue;
                }
            }
            // Outages put off what comes of waiting for a start, but not the start of those who are there.
            let lag = if live.stored.stage == Stage::Open {
                let outages = self.outage_detector.outages(&self.ambient, None).ok_or_else(unsure)?;
                now.0 - live.waited(&outages, now).0
            } else {
                0
            };
            let next = live.next_task(&self.retention).map(|(at, task)| match task {
                Task::Start if live.is_full() => (at, task),
                _ => (Timestamp(at.0.saturating_add(lag)), task),
            });
            let overdue = live.overdue(now).map(Task::RunOut);
            if overdue.is_none()
                && let Some(made) = self.follow_plans(&live).await?
            {
                acted |= made;
                continue;
            }
            let task = match (overdue, next) {
                // Also where bots have had something to do for longer.
                (Some(overdue), _) => overdue,
                // However long ago it should have been archived.
                (None, Some((_, Task::Archive))) if live.deleted_at(&self.retention).is_some_and(|at| at <= now) => {
                    Task::Delete
                }
                (None, Some((at, task))) if at <= now => task,
                _ if acted => return Ok(Looked::Acted),
                (None, next) => return Ok(Looked::Waits(next.map(|(at, _)| at))),
            };
            let done = match task {
                Task::CallOff => self.act_on(&live, Action::CallOff { reason: AbortReason::Expired }, now).await?,
                Task::Start if live.is_full() => self.act_on(&live, Action::Start, now).await?,
                Task::Start => {
                    let reason = AbortReason::NotStartedInTime;
                    self.act_on(&live, Action::CallOff { reason }, now).await?
                }
                Task::EndReservations => self.act_on(&live, Action::EndReservations, now).await?,
                Task::Archive => match self.archive(&live, live.deleted_at(&self.retention)).await? {
                    Archived::Already => return Ok(Looked::Waits(live.deleted_at(&self.retention))),
                    Archived::Conflict => false,
                    Archived::Yes => return Ok(Looked::Acted),
                },
                // Over a rematch that was called off the way leads to the one that was called for since.
                Task::Delete if self.is_followed_by_another(&live).await? => return Ok(Looked::Waits(None)),
                Task::Delete => self.delete_loaded(id, &loaded).await?,
                Task::Think => return Ok(Looked::Thinks(live.clock_task().map(|(at, _)| at))),
                Task::RunOut(_) if self.outage_detector.outages(&self.ambient, live.grace_ends()).is_none() => {
                    return Err(unsure());
                }
                Task::RunOut(seat) => self.run_out(&live, seat).await?.is_some(),
            };
            // Otherwise somebody else was quicker, and it is looked at again.
            acted |= done;
        }
        Err(Refused::Busy)
    }

    /// Takes a step that nobody has asked for, unless others were quicker.
    pub(super) async fn act_on(&self, before: &LiveMatch, action: Action, now: Timestamp) -> Result<bool, Refused> {
        let mut live = before.duplicate();
        let entry = live.take_step(action, before.moment(now))?;
        Ok(self.commit(live, entry, Some(before), None).await?.is_some())
    }

    async fn delete_loaded(&self, id: &MatchId, loaded: &LoadedMatch) -> Result<bool, Refused> {
        let deleted = self.store.delete_match(id, loaded.version, loaded.stamp).await? == Committed::Yes;
        if deleted {
            self.forget_invite_code(&loaded.stored).await?;
        }
        Ok(deleted)
    }

    /// Deletes a match for good, at whichever stage it is, with its log and all that leads to it. Notices in its players'
    /// inboxes are skipped from then on.
    ///
    /// # Errors
    /// [`ReadRefused::MatchNotFound`] if there is none.
    pub async fn delete(&self, id: &MatchId) -> Result<(), Refused> {
        for _ in 0..crate::ATTEMPTS_MAX {
            let loaded = self.store.load_match(id, None).await?.ok_or(ReadRefused::MatchNotFound)?;
            if self.delete_loaded(id, &loaded).await? {
                return Ok(());
            }
        }
        Err(Refused::Busy)
    }

    /// Returns the time at which something is due in a match, if ever. `None` also for a match that cannot be read.
    ///
    /// # Errors
    /// Only those of the store.
    pub async fn due_at(&self, id: &MatchId) -> Result<Option<Timestamp>, Refused> {
        let Some(loaded) = self.store.load_match(id, None).await? else { return Ok(None) };
        let Some(live) = self.listed(&loaded.stored) else { return Ok(None) };
        Ok(match live.next_task(&self.retention) {
            Some((at, Task::Archive)) if at <= self.now() && self.is_archived(id).await? => {
                live.deleted_at(&self.retention)
            }
            Some((_, Task::Delete)) if self.is_followed_by_another(&live).await? => None,
            due => due.map(|(at, _)| at),
        })
    }

    /// The most seats of a game on offer.
    pub fn max_seats(&self, game: &str) -> Option<u8> {
        self.games.newest(game).map(|game| game.info().max_seats)
    }

    /// The games whose components can be replaced, so that some may be missing.
    pub fn games_of_replaceable_components(&self) -> Vec<&'static str> {
        self.games.iter().filter(|game| game.board().edition.is_some()).map(|game| game.info().id).collect()
    }

    /// Returns the missing components of a match that has not ended, in a sentence for operators. `None` also for a
    /// match that cannot be read at all.
    ///
    /// # Errors
    /// Only those of the store.
    pub async fn lacks(&self, id: &MatchId) -> Result<Option<String>, Refused> {
        let Some(loaded) = self.store.load_match(id, None).await? else { return Ok(None) };
        let live = self.listed(&loaded.stored).filter(|live| !live.stored.stage.is_over());
        Ok(live.and_then(|live| live.missing_components()))
    }

    fn listed(&self, stored: &[u8]) -> Option<LiveMatch> {
        let live = LiveMatch::open_without_state(&self.games, stored).ok()?;
        Some(live)
    }

    /// Counts the matches that the player has made and that have not started, with a seat of their own or without;
    /// stops at `enough`.
    pub(super) async fn open_made_by(&self, player: &PlayerId, seated: bool, enough: usize) -> Result<usize, Refused> {
        let mut made = 0;
        let count = |page: &[ListedMatch]| {
            made += page.iter().filter(|listed| crate::access::is_made_by(&listed.stored, player, seated)).count();
            made < enough
        };
        self.look_through(ListScope::Player(player.clone()), Stage::Open, count).await?;
        Ok(made)
    }
}
