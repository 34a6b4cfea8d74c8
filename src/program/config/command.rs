//! What the program can be told to do.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use super::{AdminCommand, ComponentFlags, Flags, ToolCommand};

/// The command line.
#[derive(Parser, Debug)]
#[command(name = "sarsen", version, about = "A headless game service: tabletop games over HTTP alone.")]
#[command(args_conflicts_with_subcommands = true)]
pub struct CommandLine {
    /// What to do; serving if left out.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The settings of the service.
    #[command(flatten)]
    pub flags: Flags,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Serve. The same as no command at all.
    Serve(Box<Flags>),
    /// What operators do.
    #[command(subcommand)]
    Admin(AdminCommand),
    /// What works on what is kept, and around it.
    #[command(flatten)]
    Tool(ToolCommand),
    /// Print the OpenAPI document.
    Openapi,
    /// Replay the record of a finished match and say whether seed, draws, moves and result agree.
    ///
    /// Exits with 0 where they agree, 1 where they do not, and 3 where nothing could be checked: this release does not know
    /// the game, the component set or the version of the bots.
    Verify {
        /// The record, as `GET /v1/matches/{match_id}/record` gives it.
        record: PathBuf,
        /// The commitment as the service published it before the match, to be compared with the record's.
        #[arg(long, value_name = "HEX")]
        commitment: Option<String>,
        /// Find the moves of bots again too: all that bots of this program's version made, but those whose search took too
        /// long. It takes as long as they thought.
        #[arg(long)]
        bots: bool,
        /// What the games are played with, if the match was not played with what comes with the program.
        #[command(flatten)]
        components: ComponentFlags,
    },
}
