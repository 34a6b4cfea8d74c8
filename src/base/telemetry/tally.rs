//! The number of things that there are right now.

use std::sync::atomic::AtomicI64;

use prometheus_client::metrics::gauge::Gauge;

/// Counts what is there.
#[derive(Clone, Debug, Default)]
pub struct Tally(pub(super) Gauge<i64, AtomicI64>);

/// One of them, counted until it is dropped.
#[derive(Debug)]
pub struct TallyMark(Gauge<i64, AtomicI64>);

impl Tally {
    /// Counts one more for as long as the answer lives.
    #[must_use]
    pub fn one_more(&self) -> TallyMark {
        self.0.inc();
        TallyMark(self.0.clone())
    }

    /// Returns the number of them.
    pub(super) fn count(&self) -> i64 {
        self.0.get()
    }
}

impl Drop for TallyMark {
    fn drop(&mut self) {
        self.0.dec();
    }
}
