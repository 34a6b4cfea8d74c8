//! The commands of the program, one file each.
//!
//! Invariant: a command that fails says why in one sentence and leaves what it found as it was, as far as that can be;
//! it never says a secret. What it lacks on purpose: the command line itself, which [`crate::config`] reads.

mod admin;
mod backup;
mod check;
mod duel;
mod export;
mod healthcheck;
mod import;
mod keys;
mod migrate;
mod moderate;
mod openapi;
mod operator;
mod outcome;
mod place;
mod ratings;
mod request;
mod review;
mod serve;
mod terminal;
mod verify;

use self::duel::Duelling;
pub(super) use self::outcome::say;
pub use self::outcome::{CommandError, Failed, chain};
use self::verify::Verification;
use crate::app;
use crate::config::{Command, CommandLine, RatingsCommand, ToolCommand};
use sarsen_games::{GameSettings, Games};

/// Does what the command line says.
///
/// # Errors
/// See [`Failed`].
pub fn run(line: CommandLine) -> Result<(), Failed> {
    let flags = match line.command {
        Some(Command::Openapi) => {
            return openapi::print_document(&Games::standard(GameSettings::default())).map_err(Failed::Undone);
        }
        Some(Command::Verify { record, commitment, bots, components }) => {
            let games = app::games(&components).map_err(Failed::wrong)?;
            let known = app::bots(&components).map_err(Failed::wrong)?;
            let asked = Verification { record: &record, published: commitment.as_deref(), bots };
            return verify::verify(&games, &known, &asked);
        }
        Some(Command::Duel { game, first, second, games, seed, seats, components }) => {
            let known = app::games(&components).map_err(Failed::wrong)?;
            let bots = app::bots(&components).map_err(Failed::wrong)?;
            return duel::duel(&known, &bots, &Duelling { game: &game, levels: [first, second], games, seed, seats });
        }
        Some(Command::Review { record, level, components }) => {
            let games = app::games(&components).map_err(Failed::wrong)?;
            return review::review(&games, &app::bots(&components).map_err(Failed::wrong)?, &record, level);
        }
        Some(Command::Admin(command)) => return admin::admin(&command),
        Some(Command::Tool(command)) => return tool(command),
        Some(Command::Serve(flags)) => *flags,
        None => line.flags,
    };
    let settings = flags.settings().map_err(Failed::wrong)?;
    let games = app::games(&settings.components).map_err(Failed::wrong)?;
    serve::serve(settings, games).map_err(Failed::Undone)
}

fn tool(command: ToolCommand) -> Result<(), Failed> {
    let done = match command {
        ToolCommand::Export { out, since, place } => export::export(place.place().map_err(Failed::wrong)?, &out, since),
        ToolCommand::Import { directory, place } => import::import(place.place().map_err(Failed::wrong)?, &directory),
        ToolCommand::Migrate { from, to, place } => {
            let from = place.end_of_migration("from", &from).map_err(Failed::wrong)?;
            let to = place.end_of_migration("to", &to).map_err(Failed::wrong)?;
            migrate::migrate(from, to)
        }
        ToolCommand::Check { fix, place, components } => {
            let games = app::games(&components).map_err(Failed::wrong)?;
            check::check(place.place().map_err(Failed::wrong)?, &games, fix)
        }
        ToolCommand::Backup(flags) => backup::backup(&flags),
        ToolCommand::Ratings(RatingsCommand::Rebuild { category, place }) => {
            ratings::rebuild(place.place().map_err(Failed::wrong)?, category.as_deref())
        }
        ToolCommand::Keys(command) => {
            keys::keys(&command);
            Ok(())
        }
        ToolCommand::Healthcheck(flags) => healthcheck::healthcheck(&flags),
    };
    done.map_err(Failed::Undone)
}
