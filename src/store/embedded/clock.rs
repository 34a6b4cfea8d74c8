//! The store's time: this process is the only one, so it is its own.

use super::Embedded;
use crate::StoreClock;
use sarsen_base::ambient::Timestamp;

impl StoreClock for Embedded {
    fn now(&self) -> Timestamp {
        self.ambient.now()
    }
}
