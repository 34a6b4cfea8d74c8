//! The commands that the program accepts.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use sarsen_matches::reviews::review::ReviewLevel;

use super::{AdminCommand, ComponentFlags, Flags, ToolCommand};

/// The command line.
#[derive(Parser, Debug)]
#[command(name = "sarsen", version, about = "A headless game service: tabletop games over HTTP alone.")]
#[command(args_conflicts_with_subcommands = true)]
pub struct CommandLine {
    /// The command to run; serving if left out.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The settings of the service.
    #[command(flatten)]
    pub flags: Flags,
}

/// The command to run.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Serve. The same as no command at all.
    Serve(Box<Flags>),
    /// Commands of operators.
    #[command(subcommand)]
    Admin(AdminCommand),
    /// Tools that work on the stored data, and around it.
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
        /// The component sets of the games, if the match was not played with those that come with the program.
        #[command(flatten)]
        components: ComponentFlags,
    },
    /// Review the record of a finished match: judge each decision by what its player could know, and print the review as
    /// JSON.
    ///
    /// The record is verified on the way; exit codes are those of `verify`. The judgements are the same as those of a
    /// service of this version.
    Review {
        /// The record, as `GET /v1/matches/{match_id}/record` gives it.
        record: PathBuf,
        /// The level of the bot that reviews.
        #[arg(long, default_value = "hard", value_parser = review_level)]
        level: ReviewLevel,
        /// The component sets of the games, if the match was not played with those that come with the program.
        #[command(flatten)]
        components: ComponentFlags,
    },
}

fn review_level(text: &str) -> Result<ReviewLevel, &'static str> {
    let known = ReviewLevel::ALL.into_iter().find(|level| level.name() == text);
    known.ok_or("there are `medium` and `hard`")
}
