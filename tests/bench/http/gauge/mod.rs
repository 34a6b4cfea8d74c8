//! The gauge: moves of the service, side by side with a handler that calls the same store and has no rules.
//!
//! Both run in this process, each on stores of its own of the same kind; windows of the two alternate, so that what else
//! the machine does touches both, and only the ratio of a pair of windows means something on a busy machine. Two figures:
//! `POST` a move; and `POST` a move with the opponent's `GET` that follows (view and legal moves). In a game of two seats
//! the mover's own answer to `POST` has the view but no legal moves, for the other seat is to act: the second figure has
//! both.
//!
//! It tells what rules, JSON and HTTP cost above the product's own store, whose outbox, inboxes and wake-ups are on both
//! sides; so it falls when a change makes those dearer, and stays where a change makes the store dearer.

mod bare;
mod figures;
mod load;
mod matches;
mod stores;

use std::net::SocketAddr;
use std::str::FromStr;

use sarsen::app::{self, Running};
use sarsen::config;
use sarsen::games::{GameSettings, Games};
use sarsen::http::settings::ServerConfig;
use test_kit::environment::{BENCH_CLIENTS, BENCH_MOVES, BENCH_PAIRS, BENCH_STORES, BENCH_WINDOW_MILLIS, Variable};

use bare::{Payload, serve_bare};
use figures::{Figure, Pair};
use load::Load;
use matches::Side;
use stores::{Kind, Place};

pub use matches::Script;

/// Worker threads of each server.
pub const WORKERS: usize = 2;

struct Settings {
    stores: Vec<Kind>,
    clients: Vec<usize>,
    pairs: usize,
    window_millis: usize,
    moves: usize,
}

fn setting<T: FromStr>(variable: Variable, default: &str) -> Vec<T> {
    let text = variable.text().unwrap_or_else(|| default.to_owned());
    let read = |part: &str| part.trim().parse().unwrap_or_else(|_| panic!("{} cannot be {text:?}", variable.name()));
    text.split(',').map(read).collect()
}

impl Settings {
    fn read() -> Settings {
        let number = |variable, default: &str| setting::<usize>(variable, default)[0];
        Settings {
            stores: setting(BENCH_STORES, "embedded,redis"),
            clients: setting(BENCH_CLIENTS, "1,16,64"),
            pairs: number(BENCH_PAIRS, "5"),
            window_millis: number(BENCH_WINDOW_MILLIS, "800"),
            moves: number(BENCH_MOVES, "60"),
        }
    }
}

/// Measures what the variables at the head of `tests/run.sh` say.
pub fn run() {
    let settings = Settings::read();
    let load = Load::start();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(WORKERS).enable_all().build().unwrap();
    runtime.block_on(async {
        let scripts = Script::several(settings.moves);
        for &kind in &settings.stores {
            of_store(&settings, kind, &scripts, &load).await;
        }
    });
}

async fn of_store(settings: &Settings, kind: Kind, scripts: &[Script], load: &Load) {
    let (real_place, bare_place) = (Place::new(kind), Place::new(kind));
    let real = serve(&real_place).await;
    let payload = Payload::sample(&real, &scripts[0]).await;
    println!("\n{kind}: matches of {} moves; half-way {payload}", settings.moves);
    println!("{}", Figure::HEAD);
    let bare_store = bare_place.open().await;
    let bare = serve_bare(bare_store.clone(), payload.clone()).await;
    let sides = [
        Side::real(real.service.clone(), real.addr, settings.clients.iter().copied().max().unwrap_or(1)).await,
        Side::bare(bare_store.clone(), bare.addr, payload),
    ];
    for &clients in &settings.clients {
        for with_get in [false, true] {
            let mut figure = Figure::new(clients, with_get);
            // A first short pair warms up and tells how much fits into a window.
            let mut rounds = 1;
            for pair in 0..=settings.pairs {
                let mut both = Vec::new();
                for side in &sides {
                    let prepared = side.prepare(scripts, clients, rounds, with_get).await;
                    both.push(load.window(side.addr, clients, prepared).await);
                }
                let (real, bare) = (both.remove(0), both.remove(0));
                if pair == 0 {
                    let moves = (real.rate() + bare.rate()) / 2.0 * settings.window_millis as f64 / 1000.0;
                    rounds = (moves / (clients * settings.moves) as f64).round().max(1.0) as usize;
                } else {
                    figure.add(Pair { real, bare });
                }
            }
            println!("{figure}");
        }
    }
    real.stop().await.unwrap();
    bare.stop().await;
    bare_store.close().await;
}

async fn serve(place: &Place) -> Running {
    let server = ServerConfig { workers: Some(WORKERS), ..ServerConfig::default() };
    let settings = config::Settings { server, ..place.settings() };
    app::start(settings, Games::standard(GameSettings::default())).await.unwrap()
}

/// A server that listens, and its address.
pub struct Listening {
    addr: SocketAddr,
    handle: actix_web::dev::ServerHandle,
}

impl Listening {
    async fn stop(self) {
        self.handle.stop(true).await;
    }
}
