//! The commands that the program accepts.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use sarsen_games::bots::Level;
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
    /// Play matches between two levels of a game's bots, and print how often each wins.
    ///
    /// The first level has one seat, the second all others, and seats rotate. In games that are won together or played
    /// alone each level plays the same deals for itself.
    Duel {
        /// The game.
        game: String,
        /// The first level: `easy`, `medium`, `hard`, or a strength from 1 to 8.
        #[arg(value_parser = bot_level)]
        first: Level,
        /// The second level.
        #[arg(value_parser = bot_level)]
        second: Level,
        /// The number of matches.
        #[arg(long, default_value_t = 100, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        games: u32,
        /// The seed of all matches: the same seed gives the same matches.
        #[arg(long, default_value_t = 1, value_name = "NUMBER")]
        seed: u64,
        /// The number of seats; the fewest that its default options allow if left out.
        #[arg(long, value_name = "NUMBER")]
        seats: Option<u8>,
        /// The component sets of the games, if not those that come with the program.
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

fn bot_level(text: &str) -> Result<Level, &'static str> {
    let strength = || format!("strength_{text}").parse();
    text.parse().or_else(|_| strength()).map_err(|_| "there are `easy`, `medium`, `hard`, and 1 to 8")
}

fn review_level(text: &str) -> Result<ReviewLevel, &'static str> {
    let known = ReviewLevel::ALL.into_iter().find(|level| level.name() == text);
    known.ok_or("there are `medium` and `hard`")
}
