//! Notifications: makes deliveries of the news of matches, and sends them.
//!
//! Invariants: an instance leases a job before it works on it and notes the result afterwards, so another one does the
//! job if it dies. At most [`TOGETHER`] deliveries are under way on an instance, and at most [`OF_ONE`] to one
//! receiver; only one to a receiver that was not there the last time, at most [`PROBES`] to all of those, and, while
//! more than [`PLENTY`] are under way, only one to a receiver that has not answered yet. So receivers that hang hold up
//! no other. One that answers gets the next as soon as one is done.

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
use sarsen_store::upgrade::Formed;
use sarsen_store::{Job, JobKind, StoreError};

/// The number of jobs of each part of the store that are read at a time.
const AT_ONCE: usize = 32;
/// The deliveries that are under way on an instance.
const TOGETHER: usize = 256;
/// The deliveries that are under way to one receiver.
const OF_ONE: usize = 8;
/// The deliveries that are under way to all receivers that were not there the last time.
const PROBES: usize = TOGETHER / 4;
/// While more are under way on an instance, a receiver that has not answered yet gets one at a time: it may hang.
const PLENTY: usize = 32;
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
/// The number of periods between two looks: deliveries that this instance orders wake it at once.
const PERIODS: u32 = 4;
/// Between two looks while nobody has a webhook or a subscription: what is left then is nothing but leftovers.
const IDLE: Duration = Duration::from_secs(30);
/// The name of this work in the metrics.
pub const KIND: &str = "notifications";

/// The deliveries that are under way.
#[derive(Default)]
struct UnderWay {
    tasks: JoinSet<Ended>,
    receivers: HashMap<String, Receiver>,
    /// The number of all of them.
    count: usize,
}

/// The end of a delivery.
struct Ended {
    receiver: String,
    /// The answers of the receiver before the delivery began.
    answers: u64,
    /// True if the receiver was not there, `None` if that was not seen.
    absent: Option<bool>,
}

/// A receiver to which something is under way, or that was not there the last time.
struct Receiver {
    under_way: usize,
    /// True if it was not there the last time.
    absent: bool,
    /// The number of its answers since it was last idle.
    answers: u64,
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
            None => Room::Now,
            Some(known) if known.absent && (known.under_way > 0 || self.probes() >= PROBES) => {
                Room::Later(PUT_BACK_ABSENT_MILLIS)
            }
            Some(known) if known.under_way == 0 => Room::Now,
            Some(known) if known.under_way < OF_ONE && (known.answers > 0 || self.count <= PLENTY) => Room::Now,
            Some(known) if now < known.trusted_until => Room::Soon,
            Some(_) => Room::Later(PUT_BACK_MILLIS),
        }
    }

    /// The receivers that were not there the last time and to which something is under way.
    fn probes(&self) -> usize {
        self.receivers.values().filter(|known| known.absent && known.under_way > 0).count()
    }

    /// Returns true if there is room for all that a look brings.
    fn has_room(&self) -> bool {
        self.tasks.len() + AT_ONCE <= TOGETHER
    }

    /// Notes those that have ended by now: a look must not take a receiver that has just answered for absent.
    fn note_ended(&mut self, now: Timestamp) {
        while let Some(joined) = self.tasks.try_join_next() {
            self.joined(joined, now);
        }
    }

    /// Notes the end of a task. Returns true if its receiver was absent before, so that others wait for what it has shown.
    fn joined(&mut self, joined: Result<Ended, JoinError>, now: Timestamp) -> bool {
        let Ok(ended) = joined else { return false };
        let was_absent = self.receivers.get(&ended.receiver).is_some_and(|known| known.absent);
        self.ended(&ended, now);
        was_absent
    }

    /// Notes the begin of a delivery. Returns the receiver's answers until now.
    fn begin(&mut self, receiver: &str, now: Timestamp) -> u64 {
        let trusted_until = Timestamp(now.0 + TRUSTED_MILLIS);
        let new = Receiver { under_way: 0, absent: false, answers: 0, trusted_until };
        let known = self.receivers.entry(receiver.to_owned()).or_insert(new);
        known.under_way += 1;
        self.count += 1;
        known.answers
    }

    /// Notes the end of a delivery. A receiver that has answered another since this one began is there.
    fn ended(&mut self, Ended { receiver, answers, absent }: &Ended, now: Timestamp) {
        let Some(known) = self.receivers.get_mut(receiver) else { return };
        known.under_way = known.under_way.saturating_sub(1);
        self.count = self.count.saturating_sub(1);
        match absent {
            Some(true) if known.answers == *answers => (known.absent, known.trusted_until) = (true, now),
            Some(false) => {
                (known.absent, known.answers) = (false, known.answers + 1);
                known.trusted_until = Timestamp(now.0 + TRUSTED_MILLIS);
            }
            _ => {}
        }
        if known.under_way == 0 && !known.absent {
            self.receivers.remove(receiver);
        }
    }
}

fn later(shared: &Foundation, millis: i64) -> Timestamp {
    Timestamp(shared.ambient.now().0.saturating_add(millis))
}

/// Notifies and delivers, at the interval, until told to stop.
pub(super) async fn notify_on(shared: Arc<Foundation>, interval: Arc<PollInterval>, retiring: CancellationToken) {
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
                        let was_absent = under_way.joined(joined, shared.ambient.now());
                        if held || was_absent {
                            return;
                        }
                    }
                }
            }
        };
        let pause = if shared.notifications.is_idle() { IDLE } else { interval.period() * PERIODS };
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
            let (to, body) = rest.unzip();
            jobs.move_job(&job, to, body).await?;
            return Ok(to.is_some_and(|to| to <= shared.ambient.now()));
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
                let answers = under_way.begin(delivery.target(), now);
                chosen.push((job, delivery, answers));
            }
            // It stays in place; only [`HELD`] do, so that a look sees others behind them.
            Room::Soon if held < HELD => held += 1,
            Room::Soon => put_back.push((job, PUT_BACK_MILLIS)),
            Room::Later(millis) => put_back.push((job, millis)),
        }
    }
    let moved = put_back.iter().map(|(job, millis)| jobs.move_job(job, Some(later(shared, *millis)), None));
    let leased = chosen.into_iter().map(|(mut job, delivery, answers)| async move {
        let leased = jobs.lease_job(&mut job, later(shared, LEASE_MILLIS), None).await;
        (leased, job, delivery, answers)
    });
    let (moved, leased) = tokio::join!(join_all(moved), join_all(leased));
    let mut failure = moved.into_iter().find_map(Result::err);
    for (leased, job, delivery, answers) in leased {
        match leased {
            Ok(true) => drop(under_way.tasks.spawn(send(shared.clone(), job, delivery, answers))),
            other => {
                under_way.ended(&Ended { receiver: delivery.target().to_owned(), answers, absent: None }, now);
                failure = failure.or(other.err());
            }
        }
    }
    failure.map_or(Ok(Look { more, held: held > 0 }), Err)
}

/// Sends one delivery and notes it.
async fn send(shared: Arc<Foundation>, leased: Job, delivery: Delivery, answers: u64) -> Ended {
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
    Ended { receiver, answers, absent }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(receiver: &str, answers: u64, absent: Option<bool>) -> Ended {
        Ended { receiver: receiver.to_owned(), answers, absent }
    }

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
            under_way.ended(&ended("w", 0, Some(true)), late);
        }
        assert_eq!(under_way.room("w", late), Room::Now);
        under_way.begin("w", late);
        assert_eq!(under_way.room("w", late), Room::Later(PUT_BACK_ABSENT_MILLIS));
        under_way.ended(&ended("w", 0, None), late);
        under_way.begin("w", late);
        assert_eq!(under_way.room("w", late), Room::Later(PUT_BACK_ABSENT_MILLIS), "nothing else was seen");
        assert!(under_way.joined(Ok(ended("w", 0, Some(false))), late), "a look follows what it has shown");
        assert!(under_way.receivers.is_empty() && under_way.count == 0);
    }

    #[test]
    fn receivers_that_hang_leave_room_for_others() {
        let (mut under_way, now) = (UnderWay::default(), Timestamp(1_000));
        for _message in 0..OF_ONE {
            for hangs in 0..200 {
                let receiver = format!("hangs {hangs}");
                if under_way.room(&receiver, now) == Room::Now {
                    under_way.begin(&receiver, now);
                }
            }
        }
        assert!((200..TOGETHER).contains(&under_way.count), "{}", under_way.count);
        // One that answers has as many as ever.
        under_way.begin("w", now);
        assert_eq!(under_way.room("w", now), Room::Soon);
        under_way.begin("w", now);
        under_way.ended(&ended("w", 0, Some(false)), now);
        assert_eq!(under_way.room("w", now), Room::Now);
    }

    #[test]
    fn however_many_receivers_are_not_there_others_have_room() {
        let (mut under_way, now) = (UnderWay::default(), Timestamp(1_000));
        let absent: Vec<String> = (0..300).map(|number| format!("absent {number}")).collect();
        for receiver in &absent {
            under_way.begin(receiver, now);
            under_way.ended(&ended(receiver, 0, Some(true)), now);
        }
        for receiver in &absent {
            if under_way.room(receiver, now) == Room::Now {
                under_way.begin(receiver, now);
            }
        }
        assert_eq!(under_way.count, PROBES);
        assert_eq!(under_way.room("w", now), Room::Now);
        under_way.ended(&ended(&absent[0], 0, Some(true)), now);
        assert_eq!(under_way.room(&absent[299], now), Room::Now);
    }

    /// Half of the messages are lost, and the losses show later than the answers: that is no absence.
    #[test]
    fn a_receiver_that_has_answered_meanwhile_is_there() {
        let (mut under_way, now) = (UnderWay::default(), Timestamp(1_000));
        let [lost, arrives, next] = [(); 3].map(|()| under_way.begin("w", now));
        under_way.ended(&ended("w", arrives, Some(false)), now);
        under_way.ended(&ended("w", lost, Some(true)), now);
        assert_eq!(under_way.room("w", now), Room::Now);
        under_way.ended(&ended("w", next, Some(true)), now);
        assert!(under_way.receivers.is_empty());
    }

    /// The loop may be woken by a further delivery before it takes note of the one that has ended.
    #[tokio::test]
    async fn a_receiver_that_has_just_answered_is_there_again() {
        let (mut under_way, now) = (UnderWay::default(), Timestamp(1_000));
        let answers = under_way.begin("w", now);
        under_way.ended(&ended("w", answers, Some(true)), now);
        let answers = under_way.begin("w", now);
        under_way.tasks.spawn(async move { ended("w", answers, Some(false)) });
        tokio::task::yield_now().await;
        under_way.note_ended(now);
        assert_eq!((under_way.room("w", now), under_way.tasks.len()), (Room::Now, 0));
    }

    #[test]
    fn a_receiver_that_answers_is_trusted_to_go_on() {
        let (mut under_way, begun) = (UnderWay::default(), Timestamp(1_000));
        for _ in 0..=OF_ONE {
            under_way.begin("w", begun);
        }
        let later = Timestamp(begun.0 + TRUSTED_MILLIS);
        under_way.ended(&ended("w", 0, Some(false)), later);
        assert_eq!(under_way.room("w", later), Room::Soon);
    }
}
