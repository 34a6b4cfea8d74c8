//! How streams and long polls end when the service stops: each at a moment of its own, so that their clients do not all
//! come to another instance at once.
//!
//! Invariants: whoever stays open is told to end within the time given at the start, sooner if the stop is hastened. Until
//! then it is served as before.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use sarsen_base::ambient::Ambient;

/// After how many milliseconds clients of ended streams come back: from the first to the second, at random.
const RETRY_MILLIS: (u32, u32) = (500, 5000);

/// The end of everything that stays open.
pub struct Farewell {
    ambient: Ambient,
    /// Over how long the ends are spread.
    over: Duration,
    began: OnceLock<Instant>,
    begun: CancellationToken,
    hastened: CancellationToken,
    open: AtomicUsize,
    left: Notify,
}

/// One stream or long poll, which stays open until it is over or dropped.
pub struct Stay {
    farewell: Arc<Farewell>,
    /// When it is told to end; known once the farewell has begun.
    end: Option<Instant>,
}

impl Farewell {
    /// One that has not begun.
    pub fn new(over: Duration, ambient: Ambient) -> Arc<Farewell> {
        Arc::new(Farewell {
            ambient,
            over,
            began: OnceLock::new(),
            begun: CancellationToken::new(),
            hastened: CancellationToken::new(),
            open: AtomicUsize::new(0),
            left: Notify::new(),
        })
    }

    /// Something stays open from now on.
    pub fn stay(self: &Arc<Farewell>) -> Stay {
        self.open.fetch_add(1, Ordering::SeqCst);
        Stay { farewell: Arc::clone(self), end: None }
    }

    /// Begins, and waits until nobody stays any more, or the time is over. With `hurry` the time is over at once.
    pub async fn bid(&self, hurry: &CancellationToken) {
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

    async fn all_left(&self) {
        loop {
            let left = self.left.notified();
            if self.open.load(Ordering::SeqCst) == 0 {
                return;
            }
            left.await;
        }
    }

    /// After how many milliseconds a client should come back.
    pub fn retry_millis(&self) -> u32 {
        let (least, most) = RETRY_MILLIS;
        least + self.random() % (most - least + 1)
    }

    fn random(&self) -> u32 {
        u32::from_le_bytes(self.ambient.bytes())
    }

    /// A moment in what is left of the time.
    fn moment(&self) -> Instant {
        let now = Instant::now();
        let left = self.began.get().map_or(Duration::ZERO, |began| (*began + self.over).saturating_duration_since(now));
        now + left.mul_f64(f64::from(self.random()) / f64::from(u32::MAX))
    }
}

impl Stay {
    /// Waits until this one is to end. May be waited for again and again.
    pub async fn over(&mut self) {
        self.farewell.begun.cancelled().await;
        let end = *self.end.get_or_insert_with(|| self.farewell.moment());
        tokio::select! {
            () = sleep_until(end) => {}
            () = self.farewell.hastened.cancelled() => {}
        }
    }

    /// Whether this one is to end by now.
    pub fn is_over(&self) -> bool {
        self.farewell.hastened.is_cancelled() || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// See [`Farewell::retry_millis`].
    pub fn retry_millis(&self) -> u32 {
        self.farewell.retry_millis()
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        self.farewell.open.fetch_sub(1, Ordering::SeqCst);
        // Nobody waits before: whoever begins looks at the number afterwards.
        if self.farewell.began.get().is_some() {
            self.farewell.left.notify_waiters();
        }
    }
}

/// Waits so long, or until there is a hurry.
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

    fn farewell(over: Duration) -> Arc<Farewell> {
        Farewell::new(over, Ambient::fixed(0, 1))
    }

    #[tokio::test]
    async fn ends_are_spread_over_the_time_and_no_further() {
        let farewell = farewell(LONG);
        let began = *farewell.began.get_or_init(Instant::now);
        let moments: Vec<Duration> = (0..500).map(|_| farewell.moment().saturating_duration_since(began)).collect();
        assert!(moments.iter().all(|moment| *moment <= LONG));
        for part in 0..5 {
            let of_part = |moment: &&Duration| (moment.as_secs() / (LONG.as_secs() / 5)).min(4) == part;
            let ended = moments.iter().filter(of_part).count();
            assert!((60..=140).contains(&ended), "{ended} in part {part}");
        }
    }

    #[tokio::test]
    async fn nobody_is_waited_for_where_nobody_stays() {
        let farewell = farewell(LONG);
        drop(farewell.stay());
        farewell.bid(&CancellationToken::new()).await;
        assert!(farewell.stay().is_over(), "who comes later is told at once");
    }

    #[tokio::test]
    async fn the_last_to_leave_ends_the_wait() {
        let farewell = farewell(LONG);
        let mut stay = farewell.stay();
        assert!(!stay.is_over());
        stay.end = Some(Instant::now() + SHORT);
        let (left, no_hurry) = (async move { stay.over().await }, CancellationToken::new());
        tokio::join!(farewell.bid(&no_hurry), left);
    }

    #[tokio::test]
    async fn a_hurry_ends_all_at_once() {
        let (farewell, hurry) = (farewell(LONG), CancellationToken::new());
        let (_stuck, mut stay) = (farewell.stay(), farewell.stay());
        tokio::join!(farewell.bid(&hurry), stay.over(), async { hurry.cancel() });
        assert!(stay.is_over());
    }

    #[tokio::test]
    async fn who_does_not_look_is_not_waited_for_longer_than_the_time() {
        let farewell = farewell(SHORT);
        let stuck = farewell.stay();
        farewell.bid(&CancellationToken::new()).await;
        assert!(stuck.is_over());
    }

    #[test]
    fn clients_come_back_after_half_a_second_to_five() {
        let farewell = farewell(SHORT);
        let times: Vec<u32> = (0..1000).map(|_| farewell.retry_millis()).collect();
        assert!(times.iter().all(|time| (500..=5000).contains(time)));
        assert!(times.iter().any(|time| *time < 800) && times.iter().any(|time| *time > 4700));
    }
}
