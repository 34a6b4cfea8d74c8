//! Clock and entropy: the two things a service takes from its surroundings, injected everywhere.
//!
//! Invariant: no other module asks the operating system for the time or for random bytes. [`Ambient::fixed`] makes a
//! whole service deterministic in a test, but for what [`nonce`] gives, on which nothing depends.
//!
//! Secrets (seeds, tokens, codes, keys) are always fresh bytes of the operating system. Ids that only tell
//! one thing from another, and that readers of the thing may see, come from a generator of the thread, without a system
//! call. No secret is made from it, so its state reveals none.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use rand::TryRng;
#[expect(clippy::disallowed_types, reason = "this is the one source of entropy")]
use rand::rngs::SysRng;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A moment: milliseconds since 1970-01-01T00:00:00Z. Stored as that number; on the wire it is RFC 3339 in UTC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// The moment `seconds` later.
    #[must_use]
    pub fn plus_seconds(self, seconds: u32) -> Timestamp {
        Timestamp(self.0.saturating_add(i64::from(seconds) * 1000))
    }

    /// Whole seconds since 1970, as tokens count them.
    pub fn unix_seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Reads what [`Timestamp::rfc3339`] writes, and any other RFC 3339 text; parts of a millisecond are dropped.
    pub fn from_rfc3339(text: &str) -> Option<Timestamp> {
        let moment = OffsetDateTime::parse(text, &Rfc3339).ok()?;
        Some(Timestamp((moment.unix_timestamp_nanos().div_euclid(1_000_000)) as i64))
    }

    /// The most bytes that a moment takes as RFC 3339.
    pub(crate) const TEXT_MAX: usize = 32;

    /// Writes the moment as RFC 3339 in UTC, always with three fractional digits, so that texts sort as moments do; `None`
    /// outside the years 0 to 9999.
    pub(crate) fn write_rfc3339(self, room: &mut [u8; Timestamp::TEXT_MAX]) -> Option<&str> {
        let moment = OffsetDateTime::from_unix_timestamp(self.0.div_euclid(1000)).ok()?;
        let (year, month, day) = moment.to_calendar_date();
        let (hour, minute, second) = moment.to_hms();
        let year = u32::try_from(year).ok().filter(|year| *year <= 9999)?;
        let millis = self.0.rem_euclid(1000) as u32;
        let mut written = 0;
        let mut put = |bytes: &[u8]| {
            room[written..written + bytes.len()].copy_from_slice(bytes);
            written += bytes.len();
        };
        let two = |number: u32| [b'0' + (number / 10 % 10) as u8, b'0' + (number % 10) as u8];
        put(&two(year / 100));
        put(&two(year));
        for (mark, number) in [(b'-', month as u8), (b'-', day), (b'T', hour), (b':', minute), (b':', second)] {
            put(&[mark]);
            put(&two(number.into()));
        }
        let [hundreds, tens] = two(millis / 10);
        put(&[b'.', hundreds, tens, b'0' + (millis % 10) as u8, b'Z']);
        room.get(..written).and_then(|text| std::str::from_utf8(text).ok())
    }

    /// The same as a text of its own, empty where there is none.
    pub fn rfc3339(self) -> String {
        self.write_rfc3339(&mut [0; Timestamp::TEXT_MAX]).unwrap_or_default().to_owned()
    }
}

/// A moment as clients read it, for serde.
pub mod rfc3339 {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::ambient::Timestamp;

    /// Writes a moment as [`Timestamp::write_rfc3339`] does; nothing beyond the calendar.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(at.write_rfc3339(&mut [0; Timestamp::TEXT_MAX]).unwrap_or_default())
    }

    /// Reads a moment.
    ///
    /// # Errors
    /// Anything that is not a RFC 3339.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
        let text = String::deserialize(deserializer)?;
        Timestamp::from_rfc3339(&text).ok_or_else(|| D::Error::custom("a moment is RFC 3339"))
    }
}

/// Tells the time.
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;

    /// The distance by which a test has moved this clock from the system's, in milliseconds; the store's clock, which no
    /// test can move, goes along with it.
    fn moved(&self) -> i64 {
        0
    }
}

/// Gives random bytes fit for secrets.
pub trait Entropy: Send + Sync {
    /// Fills `bytes`.
    fn fill(&self, bytes: &mut [u8]);

    /// Fills `bytes` with what nobody can foretell, for what is no secret.
    fn fill_nonce(&self, bytes: &mut [u8]) {
        self.fill(bytes);
    }
}

/// Clock and entropy together; cheap to clone.
#[derive(Clone)]
pub struct Ambient {
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
}

impl Ambient {
    /// The operating system's clock and entropy.
    pub fn system() -> Ambient {
        Ambient { clock: Arc::new(SystemClock), entropy: Arc::new(SystemEntropy) }
    }

    /// A clock fixed at `millis` and entropy from `seed`: for tests.
    pub fn fixed(millis: i64, seed: u64) -> Ambient {
        Ambient::with(Arc::new(FixedClock::at(Timestamp(millis))), Arc::new(FixedEntropy::new(seed)))
    }

    /// These two.
    pub fn with(clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Ambient {
        Ambient { clock, entropy }
    }

    /// The present moment.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The moment at which the request was received that is answered by this task ([`received_at`]); now, if none is.
    pub fn received(&self) -> Timestamp {
        RECEIVED.try_with(Cell::get).unwrap_or_else(|_| self.now())
    }

    /// See [`Clock::moved`].
    pub fn moved(&self) -> i64 {
        self.clock.moved()
    }

    /// The present moment without what a test has added: what time really goes by, in milliseconds.
    pub fn unmoved(&self) -> i64 {
        self.now().0.saturating_sub(self.moved())
    }

    /// The same entropy, and this clock.
    #[must_use]
    pub fn by(&self, clock: Arc<dyn Clock>) -> Ambient {
        Ambient { clock, entropy: Arc::clone(&self.entropy) }
    }

    /// Fresh random bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.entropy.fill(&mut bytes);
        bytes
    }

    /// Random bytes that tell one thing from another and may be shown. Never for a secret.
    pub fn nonce<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.entropy.fill_nonce(&mut bytes);
        bytes
    }
}

tokio::task_local! {
    static RECEIVED: Cell<Timestamp>;
}

/// Does what answers a request that was received at `moment`.
pub async fn received_at<F: Future>(moment: Timestamp, answering: F) -> F::Output {
    RECEIVED.scope(Cell::new(moment), answering).await
}

/// The request that is answered by this task was not received before `moment`.
pub fn received_no_earlier(moment: Timestamp) {
    // Outside of a request there is nothing to put right.
    let _none = RECEIVED.try_with(|received| received.set(received.get().max(moment)));
}

impl fmt::Debug for Ambient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ambient")
    }
}

struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one clock")]
    fn now(&self) -> Timestamp {
        Timestamp((OffsetDateTime::now_utc().unix_timestamp_nanos() / 1_000_000) as i64)
    }
}

struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        #[expect(clippy::expect_used, reason = "no secret can be made without entropy, and no answer would be honest")]
        SysRng.try_fill_bytes(bytes).expect("the operating system gives entropy");
    }

    fn fill_nonce(&self, bytes: &mut [u8]) {
        NONCES.with_borrow_mut(|nonces| nonces.fill(bytes));
    }
}

/// Random bytes that tell one thing from another and may be shown, where a test has no need to know them beforehand: the
/// ids of requests. Never for a secret.
pub fn nonce<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    SystemEntropy.fill_nonce(&mut bytes);
    bytes
}

/// The number of bytes that a thread makes of one seed. The next seed is fresh, so that two copies of a process (of a
/// virtual machine copied while it ran) soon differ.
const BYTES_A_SEED: usize = 16 * 1024;

thread_local! {
    static NONCES: RefCell<Nonces> = RefCell::new(Nonces::seeded());
}

/// A thread's generator: what it gives tells nothing of what it gave or will give, nor of what another thread does.
struct Nonces {
    stream: ChaCha20Rng,
    left: usize,
}

impl Nonces {
    fn seeded() -> Nonces {
        let mut seed = [0; 32];
        SystemEntropy.fill(&mut seed);
        Nonces { stream: ChaCha20Rng::from_seed(seed), left: BYTES_A_SEED }
    }

    fn fill(&mut self, bytes: &mut [u8]) {
        if self.left < bytes.len() {
            *self = Nonces::seeded();
        }
        self.left = self.left.saturating_sub(bytes.len());
        self.stream.fill_bytes(bytes);
    }
}

/// A clock that moves only when told to.
pub struct FixedClock(AtomicI64);

impl FixedClock {
    /// A clock that shows `moment`.
    pub fn at(moment: Timestamp) -> FixedClock {
        FixedClock(AtomicI64::new(moment.0))
    }

    /// Moves the clock on.
    pub fn advance_seconds(&self, seconds: u32) {
        self.advance_millis(i64::from(seconds) * 1000);
    }

    /// Moves the clock on by parts of a second.
    pub fn advance_millis(&self, millis: i64) {
        self.0.fetch_add(millis, Ordering::SeqCst);
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }
}

/// Entropy that is the same in every run.
pub struct FixedEntropy(std::sync::Mutex<ChaCha20Rng>);

impl FixedEntropy {
    /// The stream of `seed`.
    pub fn new(seed: u64) -> FixedEntropy {
        FixedEntropy(std::sync::Mutex::new(ChaCha20Rng::seed_from_u64(seed)))
    }
}

impl Entropy for FixedEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        let mut stream = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        stream.fill_bytes(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_utc() {
        assert_eq!(Timestamp(1_700_000_000_123).rfc3339(), "2023-11-14T22:13:20.123Z");
        assert_eq!(Timestamp::from_rfc3339("2023-11-14T22:13:20.123Z"), Some(Timestamp(1_700_000_000_123)));
        assert_eq!(Timestamp(1_700_000_000_123).plus_seconds(2).unix_seconds(), 1_700_000_002);
    }

    #[test]
    fn moments_of_the_whole_calendar_are_written_with_three_fractional_digits() {
        let (first, last, day) = (-62_167_219_200_000, 253_402_300_799_999, 86_400_000);
        let odd = (first..=last).step_by(29 * day as usize + 12_345_678);
        let leap_years = (-62_167_219_200_000..).step_by(day as usize).take(4 * 366);
        let around = [0, 1, 10, 100, 120, 999, 1000, 951_782_399_999, 951_868_800_000, 1_709_164_800_000, first, last];
        for millis in odd.chain(leap_years).chain(around) {
            let moment = OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000).unwrap();
            let whole = moment.replace_nanosecond(0).unwrap().format(&Rfc3339).unwrap();
            let expected = format!("{}.{:03}Z", whole.trim_end_matches('Z'), moment.millisecond());
            assert_eq!(Timestamp(millis).rfc3339(), expected, "{millis}");
            assert_eq!(Timestamp::from_rfc3339(&expected), Some(Timestamp(millis)));
        }
        for beyond in [first - 1, last + 1, i64::MIN, i64::MAX] {
            assert_eq!(Timestamp(beyond).rfc3339(), "");
        }
    }

    #[test]
    fn nonces_differ_within_a_seed_between_seeds_and_between_threads() {
        let draw = || (0..3 * BYTES_A_SEED / 16).map(|_| nonce::<16>()).collect::<Vec<_>>();
        let mut all = draw();
        all.extend(std::thread::spawn(draw).join().unwrap());
        let drawn = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), drawn);
    }

    #[test]
    fn fixed_surroundings_repeat() {
        let (a, b) = (Ambient::fixed(5, 7), Ambient::fixed(5, 7));
        assert_eq!((a.now(), a.bytes::<16>(), a.bytes::<16>()), (b.now(), b.bytes(), b.bytes()));
    }
}
