//! The output of a tool while it works: faults are its result and go to standard output, its progress goes to standard
//! error.

use std::io::{self, Write};
use std::time::Duration;

use tokio::time::Instant;

use super::say;
use sarsen_service::transfer::Witness;

/// The time between two reports of progress.
const PERIOD: Duration = Duration::from_secs(2);

pub(super) struct Terminal {
    told: Instant,
}

impl Terminal {
    pub(super) fn new() -> Terminal {
        Terminal { told: Instant::now() }
    }
}

impl Witness for Terminal {
    fn progress(&mut self, kind: &str, done: u64) {
        if self.told.elapsed() >= PERIOD {
            self.told = Instant::now();
            let _nobody_listens = writeln!(io::stderr(), "{done} {kind}");
        }
    }

    fn fault(&mut self, name: &str, what: &str) {
        say(&format!("{name} {what}"));
    }
}
