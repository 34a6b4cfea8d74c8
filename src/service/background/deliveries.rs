//! Notifications: makes deliveries of the news of matches, and sends them.
//!
//! Invariants: a job is leased before it is worked on and noted afterwards, so whoever dies at it is followed by another.
//! At most [`TOGETHER`] deliveries are under way on an instance, and at most [`OF_ONE`] to one receiver; only one to a
//! receiver that was not there the last time. So a receiver that hangs holds up no other. One that answers gets the next as
//! soon as one is done.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{join_all, try_join_all};
use tokio::task::{JoinError, JoinSet};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{Foundation, PollInterval};
use crate::notifications::{Delivery, NotificationRefused};
use sarsen_base::ambient::Timestamp;
use sarsen_store::{Job, JobKind, StoreError};

/// The number of jobs of each part of the store that are read at a time.
const AT_ONCE: usize = 32;
/// The deliveries that are under way on an instance.
const TOGETHER: usize = 256;
/// The deliveries that are under way to one receiver.
const OF_ONE: usize = 8;
/// The lease of a job, in milliseconds: longer than any request takes.
const LEASE_MILLIS: i64 = 20_000;
/// For so long a delivery is put back whose receiver has enough, in milliseconds; and one whose receiver is not there.
const PUT_BACK_MILLIS: i64 = 2_000;
const PUT_BACK_ABSENT_MILLIS: i64 = 15_000;
/// For so long a receiver is trusted to answer after it has, or after the first delivery to it began, in milliseconds.
const TRUSTED_MILLIS: i64 = 1_000;
/// The most deliveries in a look that wait in place for a receiver that is trusted.
const HELD: usize = 16;
/// For so long news is put back that cannot be worked on, in milliseconds.
const PUT_OFF_MILLIS: i64 = 60_000;
/// So many periods lie between two looks: whatever this instance orders is looked at without one.
const PERIODS: u32 = 4;
/// Between two looks while nobody has a webhook or a subscription: what is left then is nothing but leftovers.
const IDLE: Duration = Duration::from_secs(30);
/// The name of this work in the metrics.
pub const KIND: &str = "notifications";

/// The deliveries that are under way.
#[derive(Default)]
struct UnderWay {
    tasks: JoinSet<(String, Option<bool>)>,
    receivers: HashMap<String, Receiver>,
}

/// A receiver to which something is under way, or that was not there the last time.
struct Receiver {
    under_way: usize,
    /// True if it was not there the last time.
    absent: bool,
    /// Until then it is trusted to answer soon.
    trusted_until: Timestamp,
}

/// The room that a receiver has for one more delivery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Room {
    /// It may be sent.
    Now,
    /// Soon: those under way end within moments.
    Soon,
    /// Not for so long, in milliseconds.
    Later(i64),
}

impl UnderWay {
    fn room(&self, receiver: &str, now: Timestamp) -> Room {
        match self.receivers.get(receiver) {
            Some(known) if known.absent && known.under_way > 0 => Room::Later(PUT_BACK_ABSENT_MILLIS),
            Some(known) if known.under_way < OF_ONE => Room::Now,
            None => Room::Now,
            Some(known) if now < known.trusted_until => Room::Soon,
            Some(_) => Room::Later(PUT_BACK_MILLIS),
        }
    }

    /// Returns true if there is room for so many that it is worth a look.
    fn has_room(&self) -> bool {
        self.tasks.len() <= TOGETHER / 4 * 3
    }

    /// Notes those that have ended by now: a look must not take a receiver that has just answered for absent.
    fn note_ended(&mut self, now: Timestamp) {
        while let Some(joined) = self.tasks.try_join_next() {
            self.joined(joined, now);
        }
    }

    fn joined(&mut self, joined: Result<(String, Option<bool>), JoinError>, now: Timestamp) {
        if let Ok((receiver, absent)) = joined {
            self.ended(&receiver, absent, now);
        }
    }

    fn begin(&mut self, receiver: &str, now: Timestamp) {
        let trusted_until = Timestamp(now.0 + TRUSTED_MILLIS);
        let new = Receiver { under_way: 0, absent: false, trusted_until };
        self.receivers.entry(receiver.to_owned()).or_insert(new).under_way += 1;
    }

    /// Notes the end of a delivery. `absent` says whether the receiver was not there, if that was seen.
    fn ended(&mut self, receiver: &str, absent: Option<bool>, now: Timestamp) {
        let Some(known) = self.receivers.get_mut(receiver) else { return };
        known.under_way = known.under_way.saturating_sub(1);
        if let Some(absent) = absent {
            known.absent = absent;
            known.trusted_until = if absent { now } else { Timestamp(now.0 + TRUSTED_MILLIS) };
        }
        if known.under_way == 0 && !known.absent {
            self.receivers.remove(receiver);
        }
    }
}

fn later(shared: &Foundation, millis: i64) -> Timestamp {
    Timestamp(shared.ambient.now().0.saturating_add(millis))
}

/// Notifies and delivers, at the pace, until told to stop.
pub(super) async fn notify_on(shared: Arc<Foundation>, pace: Arc<PollInterval>, retiring: CancellationToken) {
    let mut under_way = UnderWay::default();
    loop {
        let looked = async {
            let spread = spread(&shared).await?;
            let Look { more, held } = deliver(&shared, &mut under_way).await?;
            Ok::<Look, StoreError>(Look { more: more || spread, held })
        };
        let Look { more, held } = looked.await.unwrap_or_else(|error| {
            tracing::debug!(%error, "notifications cannot be looked at now");
            Look::default()
        });
        let waiting = async {
            while !(more && under_way.has_room()) {
                tokio::select! {
                    () = shared.notifications.woken() => return,
                    Some(joined) = under_way.tasks.join_next(), if !under_way.tasks.is_empty() => {
                        under_way.joined(joined, shared.ambient.now());
                        if held {
                            return;
                        }
                    }
                }
            }
        };
        let pause = if shared.notifications.is_idle() { IDLE } else { pace.period() * PERIODS };
        if retiring.run_until_cancelled(timeout(pause, waiting)).await.is_none() {
            return;
        }
    }
}

/// The outcome of a look.
#[derive(Clone, Copy, Default)]
struct Look {
    /// True if there may be more right now.
    more: bool,
    /// True if there is more as soon as a delivery ends.
    held: bool,
}

/// Makes deliveries of the news that is due, and replays. Answers whether there may be more right now.
async fn spread(shared: &Foundation) -> Result<bool, StoreError> {
    let due = shared.jobs.due_jobs(JobKind::Notify, AT_ONCE).await?;
    let full = due.len() >= AT_ONCE;
    // Together, because each waits for the store several times.
    let rests = try_join_all(due.into_iter().map(|job| spread_one(shared, job))).await?;
    Ok(full || rests.contains(&true))
}

/// Does one such job. Answers whether some of it is left.
async fn spread_one(shared: &Foundation, mut job: Job) -> Result<bool, StoreError> {
    let jobs = &shared.jobs;
    if !jobs.lease_job(&mut job, later(shared, LEASE_MILLIS), None).await? {
        return Ok(false);
    }
    let work = shared.notifications.spread(&shared.matches, &job);
    match AssertUnwindSafe(work).catch_unwind().await {
        Ok(Ok(rest)) => {
            let (to, body) = rest.map(|rest| (shared.ambient.now(), rest)).unzip();
            jobs.move_job(&job, to, body).await?;
            return Ok(to.is_some());
        }
        Ok(Err(NotificationRefused::Store(error @ StoreError::Unavailable(_)))) => return Err(error),
        failed => {
            shared.failures.count(KIND);
            let error = failed.err().map_or("it panicked".to_owned(), |_| "it cannot be read".to_owned());
            tracing::error!(job = job.id, error, "news cannot be told; it is put off");
            jobs.move_job(&job, Some(later(shared, PUT_OFF_MILLIS)), None).await?;
        }
    }
    Ok(false)
}

/// Begins to send the deliveries that are due, as far as there is room.
async fn deliver(shared: &Arc<Foundation>, under_way: &mut UnderWay) -> Result<Look, StoreError> {
    let (jobs, now) = (&shared.jobs, shared.ambient.now());
    under_way.note_ended(now);
    let room = TOGETHER.saturating_sub(under_way.tasks.len());
    if room == 0 {
        return Ok(Look { more: true, held: false });
    }
    let due = jobs.due_jobs(JobKind::Deliver, AT_ONCE).await?;
    let more = due.len() >= AT_ONCE || due.len() > room;
    let (mut chosen, mut put_back, mut held) = (Vec::new(), Vec::new(), 0);
    for job in due.into_iter().take(room) {
        let Ok(delivery) = Delivery::decode(&job.body) else {
            // Perhaps another release can.
            shared.failures.count(KIND);
            put_back.push((job, PUT_OFF_MILLIS));
            continue;
        };
        match under_way.room(delivery.target(), now) {
            Room::Now => {
                under_way.begin(delivery.target(), now);
                chosen.push((job, delivery));
            }
            // It stays where it is, but for so many that others are seen behind them.
            Room::Soon if held < HELD => held += 1,
            Room::Soon => put_back.push((job, PUT_BACK_MILLIS)),
            Room::Later(millis) => put_back.push((job, millis)),
        }
    }
    let moved = put_back.iter().map(|(job, millis)| jobs.move_job(job, Some(later(shared, *millis)), None));
    let leased = chosen.into_iter().map(|(mut job, delivery)| async move {
        let leased = jobs.lease_job(&mut job, later(shared, LEASE_MILLIS), None).await;
        (leased, job, delivery)
    });
    let (moved, leased) = tokio::join!(join_all(moved), join_all(leased));
    let mut failure = moved.into_iter().find_map(Result::err);
    for (leased, job, delivery) in leased {
        match leased {
            Ok(true) => drop(under_way.tasks.spawn(send(shared.clone(), job, delivery))),
            other => {
                under_way.ended(delivery.target(), None, now);
                failure = failure.or(other.err());
            }
        }
    }
    failure.map_or(Ok(Look { more, held: held > 0 }), Err)
}

/// Sends one delivery and notes it. Answers the receiver, and whether it was not there, if that was seen.
async fn send(shared: Arc<Foundation>, leased: Job, delivery: Delivery) -> (String, Option<bool>) {
    let receiver = delivery.target().to_owned();
    let work = async {
        let sent = shared.notifications.send(&shared.matches, delivery).await?;
        let (to, body) = sent.again.unzip();
        shared.jobs.move_job(&leased, to, body).await?;
        Ok::<bool, NotificationRefused>(sent.absent)
    };
    let absent = match AssertUnwindSafe(work).catch_unwind().await {
        Ok(Ok(absent)) => Some(absent),
        Ok(Err(error)) => {
            tracing::debug!(%error, "a delivery was not noted; it is sent again");
            None
        }
        Err(_panic) => {
            shared.failures.count(KIND);
            None
        }
    };
    (receiver, absent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_that_was_not_there_gets_one_at_a_time() {
        let (mut under_way, now) = (UnderWay::default(), Timestamp(1_000));
        for _ in 0..OF_ONE {
            assert_eq!(under_way.room("w", now), Room::Now);
            under_way.begin("w", now);
        }
        assert_eq!((under_way.room("w", now), under_way.room("v", now)), (Room::Soon, Room::Now));
        // One that answers nothing is not waited for.
        let late = Timestamp(now.0 + TRUSTED_MILLIS);
        assert_eq!(under_way.room("w", late), Room::Later(PUT_BACK_MILLIS));
        for _ in 0..OF_ONE {
            under_way.ended("w", Some(true), late);
        }
        assert_eq!(under_way.room("w", late), Room::Now);
        under_way.begin("w", late);
        assert_eq!(under_way.room("w", late), Room::Later(PUT_BACK_ABSENT_MILLIS));
        under_way.ended("w", None, late);
        under_way.begin("w", late);
        assert_eq!(under_way.room("w", late), Room::Later(PUT_BACK_ABSENT_MILLIS), "nothing else was seen");
        under_way.ended("w", Some(false), late);
        assert!(under_way.receivers.is_empty());
    }

    /// The loop may be woken by a further delivery before it takes note of the one that has ended.
    #[tokio::test]
    async fn a_receiver_that_has_just_answered_is_there_again() {
        let (mut under_way, now) = (UnderWay::default(), Timestamp(1_000));
        under_way.begin("w", now);
        under_way.ended("w", Some(true), now);
        under_way.begin("w", now);
        under_way.tasks.spawn(async { ("w".to_owned(), Some(false)) });
        tokio::task::yield_now().await;
        under_way.note_ended(now);
        assert_eq!((under_way.room("w", now), under_way.tasks.len()), (Room::Now, 0));
    }

    #[test]
    fn a_receiver_that_answers_is_trusted_to_go_on() {
        let (mut under_way, begun) = (UnderWay::default(), Timestamp(1_000));
        (0..=OF_ONE).for_each(|_| under_way.begin("w", begun));
        let later = Timestamp(begun.0 + TRUSTED_MILLIS);
        under_way.ended("w", Some(false), later);
        assert_eq!(under_way.room("w", later), Room::Soon);
    }
}
