//! A store for tests that counts, fails, or serves operations from another store.

use std::ops::Deref;

use super::*;
use sarsen_store::{Result, Store, Wrapper};

/// Chooses the store that serves an operation, or refuses it.
pub(super) trait Choose: Send + Sync + 'static {
    fn choose(&self, operation: &str) -> Result<Arc<dyn Store>>;
}

/// The store that passes each operation on as its chooser says.
pub(super) struct Relay<C>(pub(super) C);

impl<C> Deref for Relay<C> {
    type Target = C;

    fn deref(&self) -> &C {
        &self.0
    }
}

impl<C: Choose> Wrapper for Relay<C> {
    fn chosen(&self, operation: &'static str) -> Result<Arc<dyn Store>> {
        self.0.choose(operation)
    }
}
