//! The declaration of a concern of the store, and wrappers of whole stores.
//!
//! An operation is written once, in its trait. Its name there is its label in the metrics.

use std::sync::Arc;

use super::{Result, Store};

/// A store that passes its operations on to another one.
pub trait Wrapper: Send + Sync + 'static {
    /// Returns the store that serves an operation.
    ///
    /// # Errors
    /// If the operation is refused.
    fn chosen(&self, operation: &'static str) -> Result<Arc<dyn Store>>;

    /// Accompanies an operation until it is over or given up.
    fn accompanied<T: Send>(
        &self,
        _operation: &'static str,
        work: impl Future<Output = Result<T>> + Send,
    ) -> impl Future<Output = Result<T>> + Send {
        work
    }
}

/// Declares the trait of a concern, implements it for every [`Wrapper`], and lists the names of its operations.
macro_rules! concern {
    (
        $(#[$about:meta])*
        pub trait $concern:ident {
            $($(#[$does:meta])* async fn $name:ident(&self $(, $given:ident: $kind:ty)* $(,)?) -> $answer:ty;)+
        }
        $(default { $($default:tt)* })?
    ) => {
        $(#[$about])*
        #[async_trait::async_trait]
        pub trait $concern: Send + Sync + 'static {
            $($(#[$does])* async fn $name(&self $(, $given: $kind)*) -> $answer;)+
            $($($default)*)?
        }

        #[async_trait::async_trait]
        impl<W: $crate::Wrapper> $concern for W {
            $(async fn $name(&self $(, $given: $kind)*) -> $answer {
                self.accompanied(stringify!($name), self.chosen(stringify!($name))?.$name($($given),*)).await
            })+
        }

        pub(super) const OPERATIONS: &[&str] = &[$(stringify!($name)),+];
    };
}

pub(super) use concern;
