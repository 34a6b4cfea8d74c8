//! The connection drain: when the service stops, each stream and long poll ends at a random moment of its own. So their
//! clients do not all reconnect to another instance at once.
//!
//! Invariant: every stream and long poll ends within the drain time, or at once if the stop is hastened. Until then the
//! service serves it as before.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use sarsen_base::ambient::Ambient;

/// The range of the random delay after which clients of ended streams reconnect, in milliseconds.
const RETRY_MILLIS: (u32, u32) = (500, 5000);

/// The drain of all streams and long polls.
pub struct Drain {
    ambient: Ambient,
    /// The time over which the ends are spread.
    over: Duration,
    began: OnceLock<Instant>,
    begun: CancellationToken,
    hastened: CancellationToken,
    open: AtomicUsize,
    left: Notify,
}

/// One stream or long poll, which stays open until it is over or dropped.
pub(crate) struct Stay {
    drain: Arc<Drain>,
    /// The moment at which it ends; known once the drain has begun.
    end: Option<Instant>,
}

impl Drain {
    /// A drain that has not begun.
    pub fn new(over: Duration, ambient: Ambient) -> Arc<Drain> {
        Arc::new(Drain {
            ambient,
            over,
            began: OnceLock::new(),
            begun: CancellationToken::new(),
            hastened: CancellationToken::new(),
            open: AtomicUsize::new(0),
            left: Notify::new(),
        })
    }

    /// Counts a stream or long poll until the [`Stay`] is dropped.
    pub(crate) fn stay(self: &Arc<Drain>) -> Stay {
        self.open.fetch_add(1, Ordering::SeqCst);
        Stay { drain: Arc::clone(self), end: None }
    }

    /// Begins the drain, and waits until the last stay is dropped or the time is over. `hurry` ends the time at once.
    pub async fn finish(&self, hurry: &CancellationToken) {
        let began = *self.began.get_or_init(Instant::now);
        self.begun.cancel();
        tokio::select! {
            biased;
            () = self.all_left() => {}
            () = sleep_until(began + self.over) => {}
            () = hurry.cancelled() => {}
        }
        self.hastened.cancel();
    }

    /// Waits until the drain has begun.
    pub(crate) async fn begun(&self) {
        self.begun.cancelled().await;
    }

    async fn all_left(&self) {
        loop {
            let left = self.left.notified();
            if self.open.load(Ordering::SeqCst) == 0 {
                return;
            }
            left.await;
        }
    }

    /// The random delay after which a client should reconnect, in milliseconds.
    pub(crate) fn retry_millis(&self) -> u32 {
        let (least, most) = RETRY_MILLIS;
        least + self.random() % (most - least + 1)
    }

    fn random(&self) -> u32 {
        u32::from_le_bytes(self.ambient.bytes())
    }

    /// A random moment in the rest of the time.
    fn moment(&self) -> Instant {
        let now = Instant::now();
        let left = self.began.get().map_or(Duration::ZERO, |began| (*began + self.over).saturating_duration_since(now));
        now + left.mul_f64(f64::from(self.random()) / f64::from(u32::MAX))
    }
}

impl Stay {
    /// Waits until this stay ends. A caller may drop the future and call again.
    pub(crate) async fn over(&mut self) {
        self.drain.begun.cancelled().await;
        let end = *self.end.get_or_insert_with(|| self.drain.moment());
        tokio::select! {
            () = sleep_until(end) => {}
            () = self.drain.hastened.cancelled() => {}
        }
    }

    /// Returns true once this stay has to end.
    pub(crate) fn is_over(&self) -> bool {
        self.drain.hastened.is_cancelled() || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// See [`Drain::retry_millis`].
    pub(crate) fn retry_millis(&self) -> u32 {
        self.drain.retry_millis()
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        self.drain.open.fetch_sub(1, Ordering::SeqCst);
        // Before the drain nobody waits, and `finish` reads the number after it has set `began`.
        if self.drain.began.get().is_some() {
            self.drain.left.notify_waiters();
        }
    }
}

/// Waits for this time, or until `hurry` is cancelled.
pub async fn pause(long: Duration, hurry: &CancellationToken) {
    tokio::select! {
        () = sleep(long) => {}
        () = hurry.cancelled() => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(600);
    const SHORT: Duration = Duration::from_millis(50);

    fn drain(over: Duration) -> Arc<Drain> {
        Drain::new(over, Ambient::fixed(0, 1))
    }

    #[tokio::test]
    async fn ends_are_spread_over_the_time_and_no_further() {
        let drain = drain(LONG);
        let began = *drain.began.get_or_init(Instant::now);
        let moments: Vec<Duration> = (0..500).map(|_| drain.moment().saturating_duration_since(began)).collect();
        assert!(moments.iter().all(|moment| *moment <= LONG));
        for part in 0..5 {
            let of_part = |moment: &&Duration| (moment.as_secs() / (LONG.as_secs() / 5)).min(4) == part;
            let ended = moments.iter().filter(of_part).count();
            assert!((60..=140).contains(&ended), "{ended} in part {part}");
        }
    }

    #[tokio::test]
    async fn nobody_is_waited_for_where_nobody_stays() {
        let drain = drain(LONG);
        drop(drain.stay());
        drain.finish(&CancellationToken::new()).await;
        assert!(drain.stay().is_over(), "who comes later is told at once");
    }

    #[tokio::test]
    async fn the_last_to_leave_ends_the_wait() {
        let drain = drain(LONG);
        let mut stay = drain.stay();
        assert!(!stay.is_over());
        stay.end = Some(Instant::now() + SHORT);
        let (left, no_hurry) = (async move { stay.over().await }, CancellationToken::new());
        tokio::join!(drain.finish(&no_hurry), left);
    }

    #[tokio::test]
    async fn a_hurry_ends_all_at_once() {
        let (drain, hurry) = (drain(LONG), CancellationToken::new());
        let (_stuck, mut stay) = (drain.stay(), drain.stay());
        tokio::join!(drain.finish(&hurry), stay.over(), async { hurry.cancel() });
        assert!(stay.is_over());
    }

    #[tokio::test]
    async fn who_does_not_look_is_not_waited_for_longer_than_the_time() {
        let drain = drain(SHORT);
        let stuck = drain.stay();
        drain.finish(&CancellationToken::new()).await;
        assert!(stuck.is_over());
    }

    #[test]
    fn clients_come_back_after_half_a_second_to_five() {
        let drain = drain(SHORT);
        let times: Vec<u32> = (0..1000).map(|_| drain.retry_millis()).collect();
        assert!(times.iter().all(|time| (500..=5000).contains(time)));
        assert!(times.iter().any(|time| *time < 800) && times.iter().any(|time| *time > 4700));
    }
}
