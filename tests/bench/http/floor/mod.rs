//! The floor: the service as a program of its own, side by side with a server that does a move's bare I/O ([`program`]).
//!
//! Each server is a process with one worker and a Redis server to itself; this process is the load. Servers share one core
//! and the load has another. Whole games of each game are played by the API with moves drawn at random: `POST` a move, and
//! `GET` by whoever is to act where the answer to the move does not list the next ones. So in games of one seat there is
//! no `GET`, and in Contiguity there is one for each move. What is counted is every request, creating and joining included;
//! the floor answers as many `POST`s, with values as large as the game's record half-way.
//!
//! The first line sets the floor beside itself: so far from 1 is noise just now.

mod client;
mod crowd;
mod pairs;
mod program;
mod sample;
mod sandbox;
mod server;
mod training;

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use clap::{Args, Command};
use sarsen::ambient::Ambient;
use sarsen::app;
use sarsen::config::StoreSettings;
use sarsen::games::{GameSettings, Games};
use sarsen::rules::GameInfo;
use sarsen::store::redis::RedisConfig;
use tokio::runtime::Builder;
use tokio::task::LocalSet;

use client::{Client, Play, Table, programs, receiver};
use pairs::{Pairs, Side};
use sample::Meter;
use server::{Fsync, Running, Server, bind_load, own_service};

use crate::connection::Connection;

pub use crowd::CrowdTerms;
pub use program::{ProgramTerms, serve};
pub use sandbox::SandboxTerms;
pub use training::TrainingTerms;

/// The terms of a measurement.
#[derive(Args, Clone)]
pub struct Terms {
    /// The games, by their ids; if left out, all.
    #[arg(long, value_delimiter = ',')]
    games: Vec<String>,
    /// Numbers of connections at once.
    #[arg(long, value_delimiter = ',', default_value = "1,16,64")]
    connections: Vec<usize>,
    /// Pairs of windows.
    #[arg(long, default_value_t = 8)]
    pairs: usize,
    /// Length of a window, in milliseconds.
    #[arg(long, default_value_t = 1500)]
    millis: u64,
    /// After so many moves a game is left as it stands; with 0 games are only created and joined.
    #[arg(long, default_value_t = 60)]
    moves: usize,
    /// Worker threads of a server.
    #[arg(long, default_value_t = 1)]
    workers: usize,
    /// Times at which Redis writes to its file.
    #[arg(long, value_enum, default_value = "off")]
    fsync: Fsync,
    /// Number of replicas that must have a move before it is answered, by the service and by the floor.
    #[arg(long, default_value_t = 0)]
    replicas: u32,
    /// Leaves servers and load on whatever core they are given.
    #[arg(long)]
    unbound: bool,
}

/// The terms of a measurement by `floor`.
#[derive(Args, Clone)]
pub struct Measuring {
    /// The binary of the service; if left out, the one that was built with this.
    #[arg(long)]
    service: Option<PathBuf>,
    #[command(flatten)]
    terms: Terms,
}

/// The terms of a measurement by `compare`.
#[derive(Args, Clone)]
pub struct Comparing {
    /// The binary of the service that comes first.
    #[arg(long)]
    before: PathBuf,
    /// The binary that comes second; if left out, the one that was built with this.
    #[arg(long)]
    after: Option<PathBuf>,
    /// On the second side a player of each match has a webhook for every turn.
    #[arg(long)]
    hook: bool,
    #[command(flatten)]
    terms: Terms,
}

impl Default for Measuring {
    fn default() -> Measuring {
        parsed(&[])
    }
}

/// Terms as they are given.
fn parsed<T: Args>(given: &[&str]) -> T {
    let command = T::augment_args(Command::new("bench").no_binary_name(true));
    T::from_arg_matches(&command.get_matches_from(given)).unwrap()
}

/// Sets the service beside the floor, and the floor beside itself.
pub fn measure(measuring: Measuring) {
    let Measuring { service, terms } = measuring;
    let service = service.unwrap_or_else(own_service);
    println!("\nThe floor, then the service\n{}", Pairs::HEAD);
    block_on(!terms.unbound, async {
        let plays = terms.plays();
        let bytes = terms.record_bytes(&service, &plays[0]).await;
        terms.print("the floor again", [Who::Floor(bytes), Who::Floor(bytes)], &plays[0]).await;
        for play in &plays {
            let bytes = terms.record_bytes(&service, play).await;
            let name = format!("{} ({bytes} bytes)", play.game);
            terms.print(&name, [Who::Floor(bytes), Who::Service(&service)], play).await;
        }
    });
}

/// Sets two binaries of the service side by side.
pub fn compare(comparing: Comparing) {
    let Comparing { before, after, hook, terms } = comparing;
    let after = after.unwrap_or_else(own_service);
    let second = if hook { Who::Hooked(&after) } else { Who::Service(&after) };
    println!("{}, then {}\n{}", before.display(), after.display(), Pairs::HEAD);
    block_on(!terms.unbound, async {
        for play in &terms.plays() {
            terms.print(play.game, [Who::Service(&before), second], play).await;
        }
    });
}

/// Sets the service with sessions' tokens beside the same with tokens of programs, which it looks up every few seconds.
pub fn tokens(measuring: Measuring) {
    let Measuring { service, terms } = measuring;
    let service = service.unwrap_or_else(own_service);
    println!("Tokens of sessions, then of programs\n{}", Pairs::HEAD);
    block_on(!terms.unbound, async {
        for play in &terms.plays() {
            terms.print(play.game, [Who::Service(&service), Who::Programs(&service)], play).await;
        }
    });
}

/// Prints what running matches take and cost.
pub fn crowd(terms: CrowdTerms) {
    block_on(!terms.unbound, crowd::measure(&terms));
}

/// Prints how many steps of the sandbox a core takes.
pub fn sandbox(terms: SandboxTerms) {
    block_on(!terms.unbound, sandbox::measure(&terms));
}

/// Plays what the service is to be built for.
pub fn train(terms: TrainingTerms) {
    block_on(false, training::play(&terms));
}

/// A round of all parts that is as short as can be.
pub fn test() {
    let short = ["--connections", "2", "--pairs", "1", "--millis", "100", "--unbound"];
    measure(parsed(&[&short[..], &["--games", "thief_of_the_sacred_fire"]].concat()));
    let service = own_service();
    let hooked = ["--before", service.to_str().unwrap(), "--hook", "--games", "contiguity"];
    compare(parsed(&[&short[..], &hooked].concat()));
    let few = ["--matches", "12", "--few", "2", "--players", "4", "--step", "3"];
    tokens(parsed(&[&short[..], &["--games", "thief_of_the_sacred_fire"]].concat()));
    crowd(parsed(&[&short[..], &few].concat()));
    sandbox(parsed(&["--requests", "4", "--batch", "16", "--unbound"]));
    train(parsed(&["--millis", "50", "--connections", "2", "--level", "easy"]));
    crowd(parsed(&[&["--store", "embedded", "--pairs", "0", "--unbound"], &few[..]].concat()));
}

/// The games, each with so many seats.
fn all_games(seats: impl Fn(&GameInfo) -> u8, moves: usize) -> Vec<Play> {
    let of = |info: &GameInfo| Play { game: info.id, seats: seats(info).into(), moves, hints: None, watchers: 0 };
    Games::standard(GameSettings::default()).iter().map(|game| of(game.info())).collect()
}

/// The load: one thread, and a core of its own where it is bound.
fn block_on(bound: bool, work: impl Future<Output = ()>) {
    if bound {
        bind_load();
    }
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    LocalSet::new().block_on(&runtime, work);
}

/// The server that is measured.
#[derive(Clone, Copy)]
enum Who<'a> {
    /// The floor, with values of so many bytes.
    Floor(usize),
    /// A binary of the service.
    Service(&'a Path),
    /// The same, whose players come by tokens of programs.
    Programs(&'a Path),
    /// The same, with a webhook in each match.
    Hooked(&'a Path),
}

impl Terms {
    fn running(&self) -> Running {
        Running { workers: self.workers, fsync: self.fsync, replicas: self.replicas, bound: !self.unbound }
    }

    /// The games that are asked for, each with the fewest seats that it can have.
    fn plays(&self) -> Vec<Play> {
        let all = all_games(|info| info.min_seats, self.moves);
        if self.games.is_empty() {
            return all;
        }
        let find = |id: &String| all.iter().find(|play| play.game == id).unwrap_or_else(|| panic!("no game is {id:?}"));
        self.games.iter().map(find).cloned().collect()
    }

    /// The bytes of the record of a match half-way.
    async fn record_bytes(&self, service: &Path, play: &Play) -> usize {
        let server = self.running().service(service).await;
        let half = Play { moves: self.moves / 2, ..play.clone() };
        let id = Table::open(&server, 0, half, None).await.play(&Meter::default()).await;
        let settings = StoreSettings::Redis(Box::new(RedisConfig::single(server.redis.as_ref().unwrap().url())));
        let store = app::open_store(&settings, server.dir.path(), &Ambient::system()).await.unwrap();
        let loaded = store.load_match(&id.parse().unwrap(), None).await.unwrap().unwrap();
        store.close().await;
        loaded.stored.len()
    }

    async fn serve(&self, who: Who<'_>) -> Server {
        match who {
            Who::Floor(value_bytes) => self.running().floor(value_bytes).await,
            Who::Service(program) | Who::Programs(program) | Who::Hooked(program) => {
                self.running().service(program).await
            }
        }
    }

    async fn clients(&self, server: &Server, who: Who<'_>, play: &Play, number: usize) -> Vec<Client> {
        let mut clients = Vec::with_capacity(number);
        let receiver = if matches!(who, Who::Hooked(_)) { receiver().await } else { String::new() };
        for number in 0..number {
            clients.push(match who {
                Who::Floor(_) => Client::of_floor(server, number).await,
                Who::Service(_) => Client::of_service(server, number, play.clone(), None).await,
                Who::Programs(_) => {
                    let tokens = programs(&mut Connection::open(server.addr).await, play.seats).await;
                    Client::of_service(server, number, play.clone(), Some(Rc::new(tokens))).await
                }
                Who::Hooked(_) => {
                    let mut table = Table::open(server, number, play.clone(), None).await;
                    table.hook(&receiver).await;
                    Client::Table(Box::new(table))
                }
            });
        }
        clients
    }

    /// Measures the two with each number of connections, and prints a line of each.
    async fn print(&self, name: &str, [one, other]: [Who<'_>; 2], play: &Play) {
        let mut sides = [Side::new(self.serve(one).await), Side::new(self.serve(other).await)];
        for &connections in &self.connections {
            for (side, who) in sides.iter_mut().zip([one, other]) {
                side.clients = self.clients(&side.server, who, play, connections).await;
            }
            let pairs = Pairs::take(sides.each_mut(), self.pairs, Duration::from_millis(self.millis)).await;
            println!("{name:<40} {connections:>3}  {pairs}");
        }
    }
}
