//! Training: a binary that was built to count what it runs is shown what the service does most, and is ended in such a way
//! that it writes down what it has counted. `deploy/build.sh` builds what is shipped by that.
//!
//! Code that is not run here is built to be small instead of fast. So all games are played on both stores, some with as many
//! players as there can be, watched, to their end, and read then; steps of the sandbox are taken; and the bots that think
//! are asked for hints, though for few: of what runs only what runs most is built to be as fast as can be, and they think
//! long.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use sarsen::bots::Level;

use super::client::{Client, Play, Table};
use super::sample::{Meter, Sample};
use super::sandbox::{SandboxTerms, take_steps};
use super::server::{Fsync, Running, Server, own_service};
use super::{all_games, parsed};

/// After how many moves most matches are left.
const MOVES: usize = 60;
/// The number of watchers of a match that is watched.
const WATCHERS: usize = 32;
/// The number of times that each of these is read, as it is and packed. A match has a second version in all games.
const READINGS: usize = 32;
const OF_A_MATCH: &[&str] = &["", "/events", "/history/2", "/record", "/board.svg"];
const OF_A_PLAYER: &[&str] = &["/v1/matches?mine=true", "/v1/me/events", "/v1/me/summary"];
const CODINGS: &[&str] = &["br", "gzip"];
/// The number of steps of the sandbox that are taken at once, and the number of such requests, in each of its forms.
const STEPS: [&str; 4] = ["--batch", "64", "--requests", "10"];
const FORMS: [[&str; 4]; 2] = [["--views", "actor", "--legal", "notation"], ["--views", "all", "--legal", "full"]];
/// The number of hints that are asked for in each game.
const HINTS: usize = 1;

/// The terms by which `train` plays.
#[derive(Args, Clone)]
pub struct TrainingTerms {
    /// The binary of the service; if left out, the one that was built with this.
    #[arg(long)]
    service: Option<PathBuf>,
    /// Connections at once.
    #[arg(long, default_value_t = 16)]
    connections: usize,
    /// Time for which each game is played on each store, in milliseconds.
    #[arg(long, default_value_t = 4000)]
    millis: u64,
    /// The bot that is asked for hints; at lower levels those of most games do not think ahead.
    #[arg(long, default_value = "hard")]
    level: Level,
}

/// Plays.
pub async fn play(terms: &TrainingTerms) {
    let running = Running { workers: 1, fsync: Fsync::Off, replicas: 0, bound: false };
    let program = terms.service.clone().unwrap_or_else(own_service);
    let server = running.service(&program).await;
    play_on(&server, terms).await;
    server.end();
    let server = running.service_alone(&program);
    play_on(&server, terms).await;
    server.end();
}

async fn play_on(server: &Server, terms: &TrainingTerms) {
    for play in all_games(|info| info.min_seats, MOVES) {
        let mut clients = Vec::with_capacity(terms.connections);
        for number in 0..terms.connections {
            clients.push(Client::of_service(server, number, play.clone(), None).await);
        }
        Sample::take(server, &mut clients, Duration::from_millis(terms.millis)).await;
        for form in FORMS {
            let sandbox: SandboxTerms = parsed(&[&["--game", play.game][..], &STEPS, &form].concat());
            take_steps(server, &sandbox).await;
        }
        let hinted = Play { moves: HINTS, hints: Some(terms.level), ..play };
        Table::open(server, 0, hinted, None).await.play(&Meter::default()).await;
    }
    for play in all_games(|info| info.max_seats, usize::MAX) {
        watch_and_read(server, Play { watchers: WATCHERS, ..play }).await;
    }
}

/// Plays a match that is watched, and then reads it and what else its players read.
async fn watch_and_read(server: &Server, play: Play) {
    let mut table = Table::open(server, 0, play, None).await;
    let id = table.play(&Meter::default()).await;
    let of_match = OF_A_MATCH.iter().map(|what| format!("/v1/matches/{id}{what}"));
    for path in of_match.chain(OF_A_PLAYER.iter().map(|&path| path.to_owned())) {
        for _ in 0..READINGS {
            table.read_there(&path, CODINGS).await;
        }
    }
}
