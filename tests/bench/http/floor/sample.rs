//! A sample: what a server did while some clients loaded it for a while.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use tokio::task::{JoinHandle, spawn_local};
use tokio::time::{Instant, sleep};

use super::client::Client;
use super::server::Server;
use crate::connection::Connection;

/// The time for which the clients play before anything is counted, as a share of the window.
const WARMING: f64 = 0.25;

/// The counts while clients play.
#[derive(Default)]
pub struct Meter {
    counting: Cell<bool>,
    over: Cell<bool>,
    requests: Cell<usize>,
    moves: RefCell<Vec<Duration>>,
}

impl Meter {
    /// Returns true if the clients must stop.
    pub fn is_over(&self) -> bool {
        self.over.get()
    }

    /// Sends a request that is no move, and answers the body that came back.
    pub async fn ask<'a>(&self, connection: &'a mut Connection, request: &[u8], status: u16) -> &'a [u8] {
        let body = connection.exchange(request, status).await;
        self.requests.set(self.requests.get() + usize::from(self.counting.get()));
        body
    }

    /// The same of a move.
    pub async fn play<'a>(&self, connection: &'a mut Connection, request: &[u8], status: u16) -> &'a [u8] {
        let sent = Instant::now();
        let body = self.ask(connection, request, status).await;
        if self.counting.get() {
            self.moves.borrow_mut().push(sent.elapsed());
        }
        body
    }
}

/// The counts of a window.
pub struct Sample {
    took: Duration,
    requests: usize,
    server: Duration,
    redis: Duration,
    /// Ascending.
    moves: Vec<Duration>,
}

impl Sample {
    /// Has the clients load the server for a while.
    pub async fn take(server: &Server, clients: &mut Vec<Client>, window: Duration) -> Sample {
        let meter = Rc::new(Meter::default());
        let playing: Vec<_> = clients
            .drain(..)
            .map(|mut client| {
                let meter = meter.clone();
                spawn_local(async move {
                    client.play(&meter).await;
                    client
                })
            })
            .collect();
        sleep(window.mul_f64(WARMING)).await;
        let (started, server_before, redis_before) = (Instant::now(), server.worked(), server.redis_worked());
        meter.counting.set(true);
        // As long again where a busy machine has answered nothing yet.
        while meter.requests.get() == 0 && !playing.iter().any(JoinHandle::is_finished) {
            sleep(window).await;
        }
        meter.counting.set(false);
        let (took, server, redis) =
            (started.elapsed(), server.worked() - server_before, server.redis_worked() - redis_before);
        meter.over.set(true);
        for client in playing {
            clients.push(client.await.expect("every answer is as it should be"));
        }
        let mut moves = meter.moves.take();
        moves.sort_unstable();
        Sample { took, requests: meter.requests.get(), server, redis, moves }
    }

    /// Requests a second, of every kind.
    pub fn rate(&self) -> f64 {
        self.requests as f64 / self.took.as_secs_f64()
    }

    /// Microseconds of the server's processor time for a request.
    pub fn server(&self) -> f64 {
        self.server.as_secs_f64() * 1e6 / self.requests as f64
    }

    /// Microseconds of Redis' processor time for a request.
    pub fn redis(&self) -> f64 {
        self.redis.as_secs_f64() * 1e6 / self.requests as f64
    }

    /// The latency that this share of the moves did not exceed, in milliseconds; not a number if there was none.
    pub fn percentile(&self, share: f64) -> f64 {
        if self.moves.is_empty() {
            return f64::NAN;
        }
        let place = ((self.moves.len() - 1) as f64 * share).round() as usize;
        self.moves[place].as_secs_f64() * 1000.0
    }
}
