//! The space that running matches take in a store, and the cost of a move among few and among many of them.
//!
//! The matches are of Contiguity, made by the API with moves that end none, each of two players who have others too. What
//! is read is `used_memory` of Redis, or what the embedded store's files take of the disk, before and after, once what
//! follows commits has been done. An inbox holds a player's newest notices only: of matches with many to a player each takes less
//! than of few, so figures compare at one number of matches and players alone.

use std::cell::Cell;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use sarsen::games::contiguity::Contiguity;
use sarsen::rules::Catalogue;
use tokio::task::spawn_local;
use tokio::time::{Instant, sleep};

use super::client::{Answer, Client, Play, guests, request};
use super::pairs::{Pairs, Side};
use super::server::{Fsync, Running, Server, info, own_service};
use crate::connection::Connection;
use crate::gauge::Script;

/// The time for which the contents of a store must stay the same before they are read, and the longest wait for that.
const STILL: Duration = Duration::from_secs(1);
const STILL_WITHIN: Duration = Duration::from_secs(120);

/// The store of the matches.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum StoreKind {
    /// In Redis.
    Redis,
    /// In the embedded store.
    Embedded,
}

/// The terms of a measurement by `crowd`.
#[derive(Args, Clone)]
pub struct CrowdTerms {
    /// Running matches.
    #[arg(long, default_value_t = 10_000)]
    pub matches: usize,
    /// Their players.
    #[arg(long, default_value_t = 1_000)]
    pub players: usize,
    /// The moves that each has seen.
    #[arg(long, default_value_t = 40)]
    pub step: usize,
    /// The matches of the server that those many are compared with.
    #[arg(long, default_value_t = 100)]
    pub few: usize,
    /// The store.
    #[arg(long, value_enum, default_value = "redis")]
    pub store: StoreKind,
    /// The binary of the service; if left out, the one that was built with this.
    #[arg(long)]
    pub service: Option<PathBuf>,
    /// Connections, both to make the matches and to play others among them.
    #[arg(long, default_value_t = 16)]
    pub connections: usize,
    /// Pairs of windows in which moves among few and among many matches are compared; 0 to leave that out.
    #[arg(long, default_value_t = 8)]
    pub pairs: usize,
    /// Length of a window, in milliseconds.
    #[arg(long, default_value_t = 1500)]
    pub millis: u64,
    /// Leaves servers and load on whatever core they are given.
    #[arg(long)]
    pub unbound: bool,
}

/// A server with its crowd.
struct Crowd {
    server: Server,
    tokens: Rc<Vec<String>>,
}

impl CrowdTerms {
    async fn serve(&self) -> Server {
        let service = self.service.clone().unwrap_or_else(own_service);
        let running = Running { workers: 1, fsync: Fsync::Off, replicas: 0, bound: !self.unbound };
        match self.store {
            StoreKind::Redis => running.service(&service).await,
            StoreKind::Embedded => running.service_alone(&service),
        }
    }

    async fn crowd(&self, matches: usize) -> Crowd {
        let server = self.serve().await;
        let mut connection = Connection::open(server.addr).await;
        let tokens = Rc::new(guests(&mut connection, self.players).await);
        let before = held(&server).await;
        let (started, worked) = (Instant::now(), server.worked() + server.redis_worked());
        make(&server, &tokens, matches, self.step, self.connections).await;
        let (took, worked) = (started.elapsed(), server.worked() + server.redis_worked() - worked);
        let after = still(&server).await;
        let a_match = after.saturating_sub(before) / matches as u64;
        println!(
            "{matches} matches of {} players at step {}: {before} bytes before, {after} after, {a_match} a match; \
             made in {:.0} s with {:.0} us of processor time a request",
            self.players,
            self.step,
            took.as_secs_f64(),
            worked.as_secs_f64() * 1e6 / (matches * (self.step + 2)) as f64,
        );
        Crowd { server, tokens }
    }

    async fn side(&self, crowd: Crowd) -> Side {
        let play = Play { game: Contiguity::INFO.id, seats: 2, moves: 60, hints: None, watchers: 0 };
        let mut clients = Vec::new();
        for number in 0..self.connections {
            clients.push(Client::of_service(&crowd.server, number, play.clone(), Some(crowd.tokens.clone())).await);
        }
        Side { server: crowd.server, clients }
    }
}

/// Prints what the matches take, and what a move costs among few and among many.
pub async fn measure(terms: &CrowdTerms) {
    let many = terms.crowd(terms.matches).await;
    if terms.pairs == 0 {
        return;
    }
    let few = terms.crowd(terms.few).await;
    let (mut few, mut many) = (terms.side(few).await, terms.side(many).await);
    let window = Duration::from_millis(terms.millis);
    println!("\nGames among {} matches, then among {}\n{}", terms.few, terms.matches, Pairs::HEAD);
    println!("{}", Pairs::take([&mut few, &mut many], terms.pairs, window).await);
}

/// Makes matches by several connections at once.
async fn make(server: &Server, tokens: &Rc<Vec<String>>, matches: usize, step: usize, connections: usize) {
    assert!(tokens.len() > 1, "a match has two players");
    let scripts = Rc::new(Script::several(step));
    let left: Rc<Cell<Range<usize>>> = Rc::new(Cell::new(0..matches));
    let mut makers = Vec::new();
    for _ in 0..connections.min(matches) {
        let (left, tokens, scripts) = (left.clone(), tokens.clone(), scripts.clone());
        let mut connection = Connection::open(server.addr).await;
        makers.push(spawn_local(async move {
            loop {
                let mut numbers = left.take();
                let next = numbers.next();
                left.set(numbers);
                let Some(number) = next else { return };
                // Each player meets all others in time.
                let one = number % tokens.len();
                let other = (one + 1 + number / tokens.len() % (tokens.len() - 1)) % tokens.len();
                let script = &scripts[number % scripts.len()];
                make_one(&mut connection, [&tokens[one], &tokens[other]], script).await;
            }
        }));
    }
    for maker in makers {
        maker.await.expect("every answer is as it should be");
    }
}

async fn make_one(connection: &mut Connection, seats: [&str; 2], script: &Script) {
    let body = format!(r#"{{"game":"{}"}}"#, Contiguity::INFO.id);
    let made = connection.exchange(&request("POST", "/v1/matches", Some(seats[0]), &body), 201).await;
    let path = format!("/v1/matches/{}", serde_json::from_slice::<Answer>(made).unwrap().match_.id);
    let join = request("POST", &format!("{path}/join"), Some(seats[1]), "{}");
    let white = serde_json::from_slice::<Answer>(connection.exchange(&join, 200).await).unwrap().match_.to_act[0];
    for (number, mv) in script.0.iter().enumerate() {
        // The first move answers the decision that version 2 opened.
        let seat = (white + number) % 2;
        let body = format!(r#"{{"decision_id":"{}.{seat}","move":{mv}}}"#, number + 2);
        let sent = request("POST", &format!("{path}/moves?legal_moves=none"), Some(seats[seat]), &body);
        connection.exchange(&sent, 201).await;
    }
}

/// The bytes that the store takes, once they hardly change any more.
async fn still(server: &Server) -> u64 {
    let started = Instant::now();
    let (mut since, mut held) = (started, held(server).await);
    while since.elapsed() < STILL {
        assert!(started.elapsed() < STILL_WITHIN, "the store does not come to rest");
        sleep(Duration::from_millis(200)).await;
        let now = self::held(server).await;
        // Connections and heartbeats come and go.
        if now.abs_diff(held) > 20_000 + held / 10_000 {
            (since, held) = (Instant::now(), now);
        }
    }
    self::held(server).await
}

async fn held(server: &Server) -> u64 {
    let Some(redis) = &server.redis else {
        let files = std::fs::read_dir(server.dir.path()).unwrap();
        // A file is made longer by more than it needs, and takes no room where nothing was written.
        return files.map(|file| file.unwrap().metadata().unwrap().blocks() * 512).sum();
    };
    let told = info(redis, "memory").await;
    let line = told.lines().find_map(|line| line.strip_prefix("used_memory:"));
    line.and_then(|bytes| bytes.trim().parse().ok()).expect("Redis tells its memory")
}
