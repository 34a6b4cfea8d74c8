//! Notifications: makes deliveries of the news of matches, and sends them.
//!
//! Invariants: a job is leased before it is worked on and noted afterwards, so whoever dies at it is followed by another.
//! At most [`TOGETHER`] deliveries are under way on an instance, and at most [`OF_ONE`] to one receiver; only one to a
//! receiver that was not there the last time. So a receiver that hangs holds up no other.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::task::JoinSet;
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
    tasks: JoinSet<(String, bool)>,
    /// By receiver: how many, and whether it was not there the last time.
    receivers: HashMap<String, Receiver>,
}

#[derive(Default)]
struct Receiver {
    under_way: usize,
    absent: bool,
}

impl UnderWay {
    /// Returns the time for which a delivery to this receiver is put back; `None` if it may be sent.
    fn put_back(&self, receiver: &str) -> Option<i64> {
        let known = self.receivers.get(receiver)?;
        let (most, millis) = if known.absent { (1, PUT_BACK_ABSENT_MILLIS) } else { (OF_ONE, PUT_BACK_MILLIS) };
        (known.under_way >= most).then_some(millis)
    }

    /// Returns true if there is room for so many that it is worth a look.
    fn has_room(&self) -> bool {
        self.tasks.len() <= TOGETHER / 4 * 3
    }

    fn begin(&mut self, receiver: &str) {
        self.receivers.entry(receiver.to_owned()).or_default().under_way += 1;
    }

    fn ended(&mut self, (receiver, absent): (String, bool)) {
        if let Some(known) = self.receivers.get_mut(&receiver) {
            (known.under_way, known.absent) = (known.under_way.saturating_sub(1), absent);
            if known.under_way == 0 && !absent {
                self.receivers.remove(&receiver);
            }
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
            Ok::<bool, StoreError>(deliver(&shared, &mut under_way).await? || spread)
        };
        let more = looked.await.unwrap_or_else(|error| {
            tracing::debug!(%error, "notifications cannot be looked at now");
            false
        });
        let waiting = async {
            while !(more && under_way.has_room()) {
                tokio::select! {
                    () = shared.notifications.woken() => return,
                    Some(ended) = under_way.tasks.join_next(), if !under_way.tasks.is_empty() => {
                        if let Ok(ended) = ended {
                            under_way.ended(ended);
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

/// Makes deliveries of the news that is due, and replays. Answers whether there may be more right now.
async fn spread(shared: &Foundation) -> Result<bool, StoreError> {
    let jobs = &shared.jobs;
    let due = jobs.due_jobs(JobKind::Notify, AT_ONCE).await?;
    let mut more = due.len() >= AT_ONCE;
    for mut job in due {
        if !jobs.lease_job(&mut job, later(shared, LEASE_MILLIS), None).await? {
            continue;
        }
        let work = shared.notifications.spread(&shared.matches, &job);
        match AssertUnwindSafe(work).catch_unwind().await {
            Ok(Ok(rest)) => {
                more |= rest.is_some();
                let (to, body) = rest.map(|rest| (shared.ambient.now(), rest)).unzip();
                jobs.move_job(&job, to, body).await?;
            }
            Ok(Err(NotificationRefused::Store(error @ StoreError::Unavailable(_)))) => return Err(error),
            failed => {
                shared.failures.count(KIND);
                let error = failed.err().map_or("it panicked".to_owned(), |_| "it cannot be read".to_owned());
                tracing::error!(job = job.id, error, "news cannot be told; it is put off");
                jobs.move_job(&job, Some(later(shared, PUT_OFF_MILLIS)), None).await?;
            }
        }
    }
    Ok(more)
}

/// Begins to send the deliveries that are due, as far as there is room. Answers whether there may be more right now.
async fn deliver(shared: &Arc<Foundation>, under_way: &mut UnderWay) -> Result<bool, StoreError> {
    let jobs = &shared.jobs;
    let room = TOGETHER.saturating_sub(under_way.tasks.len());
    if room == 0 {
        return Ok(true);
    }
    let due = jobs.due_jobs(JobKind::Deliver, AT_ONCE).await?;
    let more = due.len() >= AT_ONCE || due.len() > room;
    for mut job in due.into_iter().take(room) {
        let Ok(delivery) = Delivery::decode(&job.body) else {
            // Perhaps another release can.
            shared.failures.count(KIND);
            jobs.move_job(&job, Some(later(shared, PUT_OFF_MILLIS)), None).await?;
            continue;
        };
        if let Some(millis) = under_way.put_back(delivery.target()) {
            jobs.move_job(&job, Some(later(shared, millis)), None).await?;
            continue;
        }
        if jobs.lease_job(&mut job, later(shared, LEASE_MILLIS), None).await? {
            under_way.begin(delivery.target());
            under_way.tasks.spawn(send(shared.clone(), job, delivery));
        }
    }
    Ok(more)
}

/// Sends one delivery and notes it. Answers the receiver, and whether it was not there.
async fn send(shared: Arc<Foundation>, leased: Job, delivery: Delivery) -> (String, bool) {
    let receiver = delivery.target().to_owned();
    let work = async {
        let sent = shared.notifications.send(&shared.matches, delivery).await?;
        let (to, body) = sent.again.unzip();
        shared.jobs.move_job(&leased, to, body).await?;
        Ok::<bool, NotificationRefused>(sent.absent)
    };
    let absent = match AssertUnwindSafe(work).catch_unwind().await {
        Ok(Ok(absent)) => absent,
        Ok(Err(error)) => {
            tracing::debug!(%error, "a delivery was not noted; it is sent again");
            false
        }
        Err(_panic) => {
            shared.failures.count(KIND);
            false
        }
    };
    (receiver, absent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_that_was_not_there_gets_one_at_a_time() {
        let mut under_way = UnderWay::default();
        for _ in 0..OF_ONE {
            assert_eq!(under_way.put_back("w"), None);
            under_way.begin("w");
        }
        assert_eq!((under_way.put_back("w"), under_way.put_back("v")), (Some(PUT_BACK_MILLIS), None));
        for _ in 0..OF_ONE {
            under_way.ended(("w".to_owned(), true));
        }
        assert_eq!(under_way.put_back("w"), None);
        under_way.begin("w");
        assert_eq!(under_way.put_back("w"), Some(PUT_BACK_ABSENT_MILLIS));
        under_way.ended(("w".to_owned(), false));
        assert!(under_way.put_back("w").is_none() && under_way.receivers.is_empty());
    }
}
