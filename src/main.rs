//! The program: read the command line, do what it says, answer with an exit code.

use std::error::Error;
use std::process::ExitCode;

use clap::Parser;
use sarsen::app;
use sarsen::commands::{self, CommandError};
use sarsen::config::{Command, CommandLine};
use sarsen::games::{GameSettings, Games};

/// A request makes and frees many small blocks on several threads at once, which this allocator does in less time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The exit code for settings that cannot be, as the command line's parser has it.
const WRONG_SETTINGS: u8 = 2;

fn main() -> ExitCode {
    let line = CommandLine::parse();
    let flags = match line.command {
        Some(Command::Openapi) => return report(commands::print_document(&Games::standard(GameSettings::default()))),
        Some(Command::Verify { record, commitment, components }) => {
            return match app::games(&components) {
                Ok(games) => report(commands::verify(&games, &record, commitment.as_deref())),
                Err(wrong) => wrong_settings(&wrong),
            };
        }
        Some(Command::Serve(flags)) => *flags,
        None => line.flags,
    };
    let settings = match flags.settings() {
        Ok(settings) => settings,
        Err(wrong) => return wrong_settings(&wrong),
    };
    match app::games(&settings.components) {
        Ok(games) => report(commands::serve(settings, games)),
        Err(wrong) => wrong_settings(&wrong),
    }
}

fn wrong_settings(wrong: &dyn Error) -> ExitCode {
    eprintln!("error: {wrong}");
    ExitCode::from(WRONG_SETTINGS)
}

fn report(outcome: Result<(), CommandError>) -> ExitCode {
    let Err(failure) = outcome else { return ExitCode::SUCCESS };
    eprintln!("error: {}", commands::chain(&*failure));
    ExitCode::FAILURE
}
