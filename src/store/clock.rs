//! The store's time, which all instances share: what is due, and what has ended, is judged by it.

use sarsen_base::ambient::Timestamp;

/// Tells the store's time.
pub trait StoreClock: Send + Sync + 'static {
    /// The present moment by the store's clock, as well as this instance knows it, without a trip.
    fn now(&self) -> Timestamp;
}
