//! Token buckets: how much may be done in which time.

use async_trait::async_trait;

use super::Result;

/// A token bucket: it holds up to `burst` and gains `per_minute` in a minute.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Allowance {
    /// The most that can be taken at once, 1 to 1,000,000.
    pub burst: u32,
    /// What comes back in a minute, 1 to 60,000,000.
    pub per_minute: u32,
}

/// The answer of a bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// Whether one was taken.
    pub allowed: bool,
    /// What is left, whole units.
    pub remaining: u32,
    /// Milliseconds until one can be taken; 0 if one can be now.
    pub retry_after_millis: u64,
}

/// Keeps token buckets, one for all instances.
#[async_trait]
pub trait Buckets: Send + Sync + 'static {
    /// Takes one from a bucket, which is full at first. `bucket` is a short ASCII name.
    async fn take(&self, bucket: &str, allowance: Allowance) -> Result<Taken>;
}
