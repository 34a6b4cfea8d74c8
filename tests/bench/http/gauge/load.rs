//! The load: clients with a connection each, which send requests that were written beforehand. All share one thread,
//! for they take their time from the servers.

use std::cell::{Cell, RefCell};
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::task::{LocalSet, spawn_local};
use tokio::time::Instant;

use crate::connection::Connection;

/// Everything a client sends for one move.
pub struct Turn {
    /// The `POST`, and the status that its answer must have.
    pub post: (Vec<u8>, u16),
    /// The opponent's `GET` afterwards, answered 200.
    pub get: Option<Vec<u8>>,
}

/// A match to be played, move by move.
pub type Prepared = Vec<Turn>;

/// The results of a window.
pub struct Window {
    pub moves: usize,
    pub took: Duration,
    /// The processor time that all threads of this process took.
    pub worked: Duration,
    /// Ascending: one for each move, its `GET` included.
    pub latencies: Vec<Duration>,
}

impl Window {
    /// Moves a second.
    pub fn rate(&self) -> f64 {
        self.moves as f64 / self.took.as_secs_f64()
    }

    /// Microseconds of processor time for a move: of this process, clients included, a Redis server not.
    pub fn work(&self) -> f64 {
        self.worked.as_secs_f64() * 1e6 / self.moves as f64
    }

    /// The latency that this share of the moves did not exceed, in milliseconds.
    pub fn percentile(&self, share: f64) -> f64 {
        let place = ((self.latencies.len() - 1) as f64 * share).round() as usize;
        self.latencies[place].as_secs_f64() * 1000.0
    }
}

struct Order {
    addr: SocketAddr,
    clients: usize,
    matches: Vec<Prepared>,
    done: oneshot::Sender<Window>,
}

/// The thread of the clients.
pub struct Load(mpsc::UnboundedSender<Order>);

impl Load {
    pub fn start() -> Load {
        let (orders, mut ordered) = mpsc::unbounded_channel::<Order>();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            LocalSet::new().block_on(&runtime, async {
                while let Some(order) = ordered.recv().await {
                    let window = window(order.addr, order.clients, order.matches).await;
                    order.done.send(window).ok();
                }
            });
        });
        Load(orders)
    }

    /// Plays the matches by so many clients; the window ends when a client finds no more matches to play.
    pub async fn window(&self, addr: SocketAddr, clients: usize, matches: Vec<Prepared>) -> Window {
        let (done, window) = oneshot::channel();
        assert!(self.0.send(Order { addr, clients, matches, done }).is_ok(), "the load has ended");
        window.await.expect("every answer is as it should be")
    }
}

async fn window(addr: SocketAddr, clients: usize, matches: Vec<Prepared>) -> Window {
    let mut connections = Vec::new();
    for _ in 0..clients {
        connections.push(Connection::open(addr).await);
    }
    let left = Rc::new(RefCell::new(matches));
    let ended: Rc<Cell<Option<Instant>>> = Rc::default();
    let (started, before) = (Instant::now(), processor_time());
    let players: Vec<_> = connections
        .into_iter()
        .map(|mut connection| {
            let (left, ended) = (left.clone(), ended.clone());
            spawn_local(async move {
                let mut latencies = Vec::new();
                loop {
                    let Some(prepared) = left.borrow_mut().pop() else { break };
                    for turn in prepared {
                        if ended.get().is_some() {
                            return latencies;
                        }
                        let sent = Instant::now();
                        connection.exchange(&turn.post.0, turn.post.1).await;
                        if let Some(get) = &turn.get {
                            connection.exchange(get, 200).await;
                        }
                        latencies.push(sent.elapsed());
                    }
                }
                if ended.get().is_none() {
                    ended.set(Some(Instant::now()));
                }
                latencies
            })
        })
        .collect();
    let mut latencies = Vec::new();
    for player in players {
        latencies.extend(player.await.expect("a client got through"));
    }
    latencies.sort_unstable();
    let took = ended.get().unwrap_or_else(Instant::now) - started;
    let worked = processor_time().saturating_sub(before);
    Window { moves: latencies.len(), took, worked, latencies }
}

/// The processor time of the threads of this process so far; zero where the system does not tell.
fn processor_time() -> Duration {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let times = threads.filter_map(|thread| {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
    });
    times.sum()
}
