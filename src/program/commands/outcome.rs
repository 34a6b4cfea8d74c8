//! How a command says what it did, and how it fails.

use std::error::Error;
use std::io::{self, Write};

/// Why the program did not do what it was told to.
pub type CommandError = Box<dyn Error + Send + Sync>;

/// How the program failed: each has an exit code of its own.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    /// What it was told cannot be. Nothing was done.
    #[error(transparent)]
    WrongSettings(CommandError),
    /// It could not be done.
    #[error(transparent)]
    Undone(CommandError),
    /// What it was given cannot be judged by this program; nothing was found wrong with it.
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
