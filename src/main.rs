//! The program: read the command line, do what it says, answer with an exit code.

use std::process::ExitCode;

use clap::Parser;
use sarsen::commands::{self, Failed};
use sarsen::config::CommandLine;

/// A request makes and frees many small blocks on several threads at once, which this allocator does in less time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The exit code for settings that cannot be, as the command line's parser has it.
const WRONG_SETTINGS: u8 = 2;
/// The exit code where nothing could be checked: neither a success nor a fault.
const UNJUDGED: u8 = 3;

fn main() -> ExitCode {
    let Err(failed) = commands::run(CommandLine::parse()) else { return ExitCode::SUCCESS };
    match failed {
        Failed::WrongSettings(wrong) => {
            eprintln!("error: {wrong}");
            ExitCode::from(WRONG_SETTINGS)
        }
        Failed::Undone(failure) => {
            eprintln!("error: {}", commands::chain(&*failure));
            ExitCode::FAILURE
        }
        Failed::Unjudged(reason) => {
            eprintln!("not checked: {}", commands::chain(&*reason));
            ExitCode::from(UNJUDGED)
        }
    }
}
