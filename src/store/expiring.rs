//! Values with a time to live.
//!
//! - A ticket is kept until it is taken once.
//! - A reservation maps an idempotency key outside of matches to the id of a thing, before the thing is made.
//! - A token bucket limits the rate of an action.

use super::concern::concern;
use super::{ReplayKey, Result};

/// The thing that is made under an idempotency key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reservation {
    /// The id of the thing that is made under the key. Short ASCII without a colon.
    pub id: String,
    /// Fingerprint of the request, to tell a repetition from a misuse of the key. Short ASCII.
    pub fingerprint: String,
}

/// A token bucket: it holds up to `burst` and gains `per_minute` in a minute.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Allowance {
    /// The most that can be taken at once, 1 to 1,000,000.
    pub burst: u32,
    /// The units that the bucket gains in a minute, 1 to 60,000,000.
    pub per_minute: u32,
}

/// The answer of a bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// True if the units were taken.
    pub allowed: bool,
    /// The units that are left, rounded down.
    pub remaining: u32,
    /// The milliseconds until one can be taken; 0 if one can be now.
    pub retry_after_millis: u64,
}

concern! {
    /// Keeps values that expire by themselves.
    pub trait ExpiringStore {
        /// Keeps a value until it is taken, for `seconds` at most; replaces the value under the key, if any. `key` is a
        /// short ASCII name.
        async fn put_ticket(&self, key: &str, value: Vec<u8>, seconds: u32) -> Result<()>;

        /// Reads a value kept by [`ExpiringStore::put_ticket`], and leaves it.
        async fn read_ticket(&self, key: &str) -> Result<Option<Vec<u8>>>;

        /// Takes a value kept by [`ExpiringStore::put_ticket`]: of several callers at most one gets it.
        async fn take_ticket(&self, key: &str) -> Result<Option<Vec<u8>>>;

        /// Returns the reservation under the key.
        async fn reservation(&self, key: &ReplayKey) -> Result<Option<Reservation>>;

        /// Reserves the key for `seconds` unless it is reserved, and returns the reservation that holds from now on:
        /// all concurrent callers get the same. A reservation outlives everything that is committed afterwards.
        async fn reserve(&self, key: &ReplayKey, reservation: Reservation, seconds: u32) -> Result<Reservation>;

        /// Takes one unit from a bucket, which is full at first. `bucket` is a short ASCII name.
        async fn take(&self, bucket: &str, allowance: Allowance) -> Result<Taken>;
    }
}
