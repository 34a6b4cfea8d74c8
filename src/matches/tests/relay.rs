//! A store for tests that counts, fails, or serves operations from another store.

use std::ops::Deref;

use async_trait::async_trait;

use super::*;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{InstanceId, SessionId};
use sarsen_store::*;

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

macro_rules! relayed {
    ($($concern:ident { $($name:ident($($given:ident: $kind:ty),*) -> $answer:ty;)+ })+) => {
        $(#[async_trait]
        impl<C: Choose> $concern for Relay<C> {
            $(async fn $name(&self, $($given: $kind),*) -> Result<$answer> {
                self.0.choose(stringify!($name))?.$name($($given),*).await
            })+
        })+
    };
}

sarsen_store::store_operations!(relayed);
