//! The outcome of a command: its report of success, and its failures.

use std::error::Error;
use std::io::{self, Write};

/// The reason why the program did not do what it was told to.
pub type CommandError = Box<dyn Error + Send + Sync>;

/// A failure of the program: each has an exit code of its own.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    /// The settings cannot be used. Nothing was done.
    #[error(transparent)]
    WrongSettings(CommandError),
    /// It could not be done.
    #[error(transparent)]
    Undone(CommandError),
    /// This program cannot judge its input; nothing was found wrong with it.
    #[error(transparent)]
    Unjudged(CommandError),
}

impl Failed {
    pub(super) fn wrong(settings: impl Error + Send + Sync + 'static) -> Failed {
        Failed::WrongSettings(Box::new(settings))
    }
}

/// Prints a line for people. That nobody listens any more is no reason to stop.
pub(in crate::program) fn say(line: &str) {
    let _nobody_listens = writeln!(io::stdout(), "{line}");
}

/// The failure with what led to it, in one sentence.
pub fn chain(failure: &dyn Error) -> String {
    let mut sentence = failure.to_string();
    let mut cause = failure.source();
    while let Some(source) = cause {
        sentence = format!("{sentence}: {source}");
        cause = source.source();
    }
    sentence
}
