//! Work on what may be damaged: a panic in it is an answer like any other.
//!
//! Invariant: a panic's message goes neither into the log nor into the answer, for it may quote the data that was read.
//! Only the place in the code is reported.

use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, Location, PanicHookInfo, catch_unwind};

thread_local! {
    /// The place of the last panic, while this thread does such work.
    static GUARDED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The work has panicked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Panicked {
    /// A place in the code, where it is known.
    place: String,
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.as_str() {
            "" => f.write_str("the code that reads it panicked"),
            place => write!(f, "the code that reads it panicked at {place}"),
        }
    }
}

/// Does the work, which leaves nothing half done that is used afterwards.
///
/// # Errors
/// [`Panicked`].
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    let outer = GUARDED.replace(Some(String::new()));
    let done = catch_unwind(AssertUnwindSafe(work));
    let place = GUARDED.replace(outer).unwrap_or_default();
    done.map_err(|_| Panicked { place })
}

/// Notes a panic; returns true if [`caught`] handles it, so that it is not logged.
pub(super) fn note(panic: &PanicHookInfo<'_>) -> bool {
    GUARDED.with_borrow_mut(|guarded| {
        let Some(place) = guarded else { return false };
        *place = panic.location().map(of).unwrap_or_default();
        true
    })
}

/// Returns the file's name and the line, without the directory.
fn of(location: &Location<'_>) -> String {
    let file = location.file().rsplit('/').next().unwrap_or_default();
    format!("{file}:{}", location.line())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_answer_that_quotes_nothing() {
        assert_eq!(caught(|| 7), Ok(7));
        let panicked = caught(|| panic!("a secret")).unwrap_err();
        assert!(!panicked.to_string().contains("secret"), "{panicked}");
        assert_eq!(GUARDED.with_borrow(Clone::clone), None, "others panic as ever");
    }
}
