//! Costs of a move over HTTP: `cargo bench --bench http`.
//!
//! Two numbers, which answer two questions:
//!
//! - The **gauge** ([`gauge`]) sets the service beside a handler that calls the same store and has no rules. It tells what
//!   rules, JSON and HTTP cost above the store, and so whether a change of those has made anything worse. It is no distance
//!   from the limit: whatever the store does beyond a load and a commit is on both sides.
//! - The **floor** ([`floor`]) sets the service, as a program of its own (without the bounds of one client, and with a log
//!   of errors only; `--service` names the one that `deploy/build.sh` has built), beside a server that does a move's bare
//!   I/O on Redis and nothing else. It tells how far the service is from what the machine can do: 1 is out of reach, and
//!   the difference is all that the service does.
//!
//! ```text
//! cargo bench --bench http                     # the gauge, then the floor
//! cargo bench --bench http -- gauge            # what can be set stands at the head of tests/run.sh
//! cargo bench --bench http -- floor            # --help tells what can be set, here and below
//! cargo bench --bench http -- compare --before OLD --after NEW   # two binaries of the service, side by side
//! cargo bench --bench http -- tokens --games contiguity   # tokens of sessions beside those of programs
//! cargo bench --bench http -- compare --before BINARY --after BINARY --hook   # one, without webhooks and with one a match
//! cargo bench --bench http -- crowd --matches 100000 --players 1000 --step 40   # memory; CPU among few and many
//! cargo bench --bench http -- sandbox --views none --legal count   # steps of the sandbox by a core
//! cargo bench --bench http -- train --service BINARY   # plays without measuring, for deploy/build.sh
//! ```
//!
//! On a machine that others use too, only ratios of pairs mean anything, and processor time is disturbed least. Every
//! answer is checked; one that is not as it should be ends the run. `cargo test` runs a round of a few seconds, which
//! shows that all of it works and measures nothing.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unreachable,
    clippy::unwrap_used,
    reason = "a benchmark prints its figures, and stops at the first thing that is wrong"
)]

#[path = "http/connection.rs"]
mod connection;
#[path = "http/floor/mod.rs"]
mod floor;
#[path = "http/gauge/mod.rs"]
mod gauge;

use clap::{Parser, Subcommand};

use floor::{Comparing, CrowdTerms, Measuring, ProgramTerms, SandboxTerms, TrainingTerms};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Measures what a move costs over HTTP.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
    /// Given by `cargo bench`; without it this is a test.
    #[arg(long, hide = true, global = true)]
    bench: bool,
}

#[derive(Subcommand)]
enum What {
    /// The service beside a handler on the same store.
    Gauge,
    /// The service beside a server that does a move's bare I/O.
    Floor(Measuring),
    /// Two binaries of the service side by side.
    Compare(Comparing),
    /// Moves by tokens of sessions beside moves by tokens of programs.
    Tokens(Measuring),
    /// Measures what running matches take, and what a move costs among few and among many of them.
    Crowd(CrowdTerms),
    /// Measures how many steps of the sandbox a core takes.
    Sandbox(SandboxTerms),
    /// Plays what the service is to be built for, and measures nothing.
    Train(TrainingTerms),
    /// The server that does a move's bare I/O, which this program starts itself.
    #[command(hide = true)]
    Serve(ProgramTerms),
}

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let is_part = given.first().is_some_and(|first| first == "serve");
    if !is_part && !given.iter().any(|argument| argument == "--bench") {
        return test(given.first());
    }
    match Arguments::parse().what {
        None => {
            gauge::run();
            floor::measure(Measuring::default());
        }
        Some(What::Gauge) => gauge::run(),
        Some(What::Floor(terms)) => floor::measure(terms),
        Some(What::Compare(terms)) => floor::compare(terms),
        Some(What::Tokens(terms)) => floor::tokens(terms),
        Some(What::Crowd(terms)) => floor::crowd(terms),
        Some(What::Sandbox(terms)) => floor::sandbox(terms),
        Some(What::Train(terms)) => floor::train(terms),
        Some(What::Serve(terms)) => floor::serve(terms),
    }
}

/// Runs what `cargo test` runs, unless the name that it was given is another's.
fn test(filter: Option<&String>) {
    let name = "bench::every_part_works";
    if filter.is_none_or(|filter| filter.starts_with('-') && filter != "--list" || name.contains(filter.as_str())) {
        floor::test();
        println!("test {name} ... ok");
    }
}
