//! Steps of the sandbox that a core takes: games are played at random in batches, over one connection, and the
//! processor time of the server is divided by the steps.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use sarsen::rules::{DICE_SEED_BYTES, Dice, DiceSeed};
use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use super::client::{guests, request};
use super::server::{Fsync, Running, Server, own_service};
use crate::connection::Connection;

/// As many as one request can set up.
const SET_UP_AT_ONCE: usize = 64;

/// The terms of a measurement by `sandbox`.
#[derive(Args, Clone)]
pub struct SandboxTerms {
    /// The game, by its id.
    #[arg(long, default_value = "contiguity")]
    pub game: String,
    /// Steps of a request.
    #[arg(long, default_value_t = 256)]
    pub batch: usize,
    /// Requests; the first tenth is not counted.
    #[arg(long, default_value_t = 1000)]
    pub requests: usize,
    /// Seats whose views are asked for.
    #[arg(long, default_value = "actor")]
    pub views: String,
    /// Form in which legal moves are asked for: `notation`, `full` or `count`.
    #[arg(long, default_value = "notation")]
    pub legal: String,
    /// The binary of the service; if left out, the one that was built with this.
    #[arg(long)]
    pub service: Option<PathBuf>,
    /// Leaves server and load on whatever core they are given.
    #[arg(long)]
    pub unbound: bool,
}

#[derive(Deserialize)]
struct Items {
    items: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    position: String,
    to_act: Vec<u8>,
    terminal: bool,
    seats: Vec<ItemSeat>,
}

#[derive(Deserialize)]
struct ItemSeat {
    /// None of a seat that is not to act.
    legal_moves: Option<LegalMoves>,
}

#[derive(Deserialize)]
struct LegalMoves {
    count: usize,
}

/// A caller of the sandbox with its connection.
struct Caller {
    connection: Connection,
    token: String,
}

impl Caller {
    async fn ask(&mut self, path: &str, body: &serde_json::Value) -> (Vec<Item>, usize) {
        let request = request("POST", path, Some(&self.token), &body.to_string());
        let answer = self.connection.exchange(&request, 200).await;
        (serde_json::from_slice::<Items>(answer).unwrap().items, answer.len())
    }
}

/// Prints steps a second of the server's processor time.
pub async fn measure(terms: &SandboxTerms) {
    let running = Running { workers: 1, fsync: Fsync::Off, replicas: 0, bound: !terms.unbound };
    let server = running.service_alone(&terms.service.clone().unwrap_or_else(own_service));
    println!("{}", take_steps(&server, terms).await);
}

/// Takes the steps, and answers what they took.
pub async fn take_steps(server: &Server, terms: &SandboxTerms) -> String {
    let mut connection = Connection::open(server.addr).await;
    let token = guests(&mut connection, 1).await.swap_remove(0);
    let mut caller = Caller { connection, token };
    let order = json!({"game": terms.game, "count": SET_UP_AT_ONCE, "views": "none", "legal": "count"});
    let (starts, _) = caller.ask("/v1/sandbox/positions", &order).await;

    let mut choice = Dice::new(DiceSeed([7; DICE_SEED_BYTES]));
    let step = |item: &Item, choice: &mut Dice| {
        let moves = item.seats.iter().find_map(|seat| seat.legal_moves.as_ref()).unwrap().count;
        json!({"position": item.position, "seat": item.to_act[0], "index": choice.index(moves).unwrap()})
    };
    let mut steps: Vec<_> = (0..terms.batch).map(|at| step(&starts[at % starts.len()], &mut choice)).collect();
    let (mut begun, mut worked, mut bytes, mut games) = (Instant::now(), Duration::ZERO, 0, 0);
    let uncounted = terms.requests / 10;
    for number in 0..terms.requests {
        if number == uncounted {
            (begun, worked, bytes) = (Instant::now(), server.worked(), 0);
        }
        let order = json!({"steps": steps, "views": terms.views, "legal": terms.legal});
        let (items, length) = caller.ask("/v1/sandbox/step", &order).await;
        assert_eq!(items.len(), terms.batch);
        bytes += length;
        for (at, item) in items.iter().enumerate() {
            games += usize::from(item.terminal);
            let next = if item.terminal { &starts[choice.index(starts.len()).unwrap()] } else { item };
            steps[at] = step(next, &mut choice);
        }
    }
    let (worked, elapsed) = (server.worked() - worked, begun.elapsed());
    let taken = (terms.requests - uncounted) * terms.batch;
    format!(
        "{}, batches of {}, views {}, legal moves {}: {:.0} steps a second of the server's processor time \
         ({:.1} us a step), {:.0} a second of the clock; {} bytes an answered step, {games} games ended",
        terms.game,
        terms.batch,
        terms.views,
        terms.legal,
        taken as f64 / worked.as_secs_f64(),
        worked.as_secs_f64() * 1e6 / taken as f64,
        taken as f64 / elapsed.as_secs_f64(),
        bytes / taken,
    )
}
