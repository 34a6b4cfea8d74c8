//! Two instances of the program, and the way in which players reach one or the other.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, RwLock};
use std::time::Duration;

use futures_util::stream::{self, StreamExt};
use reqwest::Method;
use sarsen::ambient::Ambient;
use sarsen::auth::SigningKeys;
use serde_json::Value;
use tempfile::NamedTempFile;
use tokio::time::{Instant, sleep};

use super::ledger::Ledger;
use crate::process::{Program, borrowed};

/// The longest time of one request before the player gives it up and repeats it.
const REQUEST: Duration = Duration::from_secs(8);
/// The longest time for which a player repeats a request.
const PATIENCE: Duration = Duration::from_secs(90);
/// The pause after a request that was not answered at all.
const AGAIN: Duration = Duration::from_millis(100);

/// An answer that settles the matter.
pub struct Answer {
    pub status: u16,
    pub body: Value,
}

/// The instances.
pub struct Service {
    /// The file to which they write their warnings.
    log: NamedTempFile,
    settings: Vec<String>,
    programs: Mutex<Vec<Option<Program>>>,
    bases: RwLock<Vec<String>>,
    /// The number of the instance that is killed next, modulo 2.
    next: AtomicUsize,
    http: reqwest::Client,
    stopped: AtomicBool,
    ledger: Mutex<Ledger>,
}

fn start(settings: &[String], log: &NamedTempFile) -> Program {
    let log = OpenOptions::new().append(true).open(log.path()).unwrap();
    Program::warning(&borrowed(settings), log)
}

impl Service {
    pub async fn start(redis: Vec<String>) -> Service {
        let keys = SigningKeys::new_key_text(&Ambient::system());
        let settings = [["--store", "redis", "--token-keys", &keys].map(str::to_owned).to_vec(), redis].concat();
        let log = NamedTempFile::new().unwrap();
        let programs: Vec<Program> = tokio::task::block_in_place(|| (0..2).map(|_| start(&settings, &log)).collect());
        Service {
            log,
            bases: RwLock::new(programs.iter().map(|program| program.base.clone()).collect()),
            programs: Mutex::new(programs.into_iter().map(Some).collect()),
            settings,
            next: AtomicUsize::new(0),
            http: reqwest::Client::builder().no_proxy().timeout(REQUEST).build().unwrap(),
            stopped: AtomicBool::new(false),
            ledger: Mutex::new(Ledger::new()),
        }
    }

    pub fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap()
    }

    /// Returns what the instances log as faults of their own, for the message of a failed check.
    pub fn faults(&self) -> String {
        let log = std::fs::read_to_string(self.log.path()).unwrap();
        log.lines().filter(|line| line.contains("ERROR")).collect::<Vec<_>>().join("\n")
    }

    /// Kills one instance, and starts it again elsewhere; each time the other one.
    pub async fn kill_an_instance(&self) {
        let number = self.next.fetch_add(1, Ordering::Relaxed) % 2;
        let dying = self.programs.lock().unwrap()[number].take().unwrap();
        tokio::task::block_in_place(|| dying.kill());
        sleep(Duration::from_secs(1)).await;
        let program = tokio::task::block_in_place(|| start(&self.settings, &self.log));
        self.bases.write().unwrap()[number].clone_from(&program.base);
        self.programs.lock().unwrap()[number] = Some(program);
    }

    /// Asks until it is answered by something else than that it has to be asked again: first at the instance with the
    /// number of `home`, then at each in turn. With a key and a body that is what is sent, the same each time.
    pub async fn call(
        &self,
        home: usize,
        method: Method,
        path: &str,
        token: &str,
        sent: Option<(&str, &Value)>,
    ) -> Answer {
        let (start, mut place) = (Instant::now(), home);
        loop {
            assert!(start.elapsed() < PATIENCE, "{method} {path} is not answered");
            let base = self.bases.read().unwrap()[place % 2].clone();
            let mut request = self.http.request(method.clone(), format!("{base}{path}"));
            if !token.is_empty() {
                request = request.bearer_auth(token);
            }
            if let Some((key, body)) = sent {
                request = request.header("idempotency-key", key).json(body);
            }
            let wait = match request.send().await {
                Ok(response) if response.status() == 503 => {
                    self.ledger().unavailable_once();
                    let seconds = response.headers().get("retry-after").expect("when to try again").to_str().unwrap();
                    Duration::from_secs(seconds.parse().unwrap())
                }
                Ok(response) => {
                    let status = response.status().as_u16();
                    match response.json().await {
                        Ok(body) => return Answer { status, body },
                        Err(_) => AGAIN,
                    }
                }
                Err(_) => AGAIN,
            };
            sleep(wait).await;
            place += 1;
        }
    }

    /// Waits until each pair has made a move that it began from now on.
    pub async fn everyone_moves(&self) {
        let (start, from) = (Instant::now(), self.ledger().moves_of_each());
        loop {
            let now = self.ledger().moves_of_each();
            // Two, because the first one may have been under way.
            if !now.is_empty() && now.iter().all(|(pair, moves)| *moves >= from.get(pair).copied().unwrap_or(0) + 2) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "somebody cannot move: {from:?} {now:?}");
            sleep(Duration::from_millis(50)).await;
        }
    }

    pub fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    /// Reads each match and its log, as the service has them now.
    pub async fn look_everything_up(&self) {
        let made: BTreeSet<(String, String)> = self.ledger().matches();
        stream::iter(made)
            .for_each_concurrent(8, |(id, token)| async move {
                let found = self.call(0, Method::GET, &format!("/v1/matches/{id}"), &token, None).await;
                let events = format!("/v1/matches/{id}/events?limit=1000");
                let log = self.call(1, Method::GET, &events, &token, None).await;
                self.ledger().found(&id, (found.status == 200).then_some((found.body, log.body)));
            })
            .await;
    }

    /// Ends the instances and answers what was noted.
    pub fn end(&self) -> Ledger {
        self.programs.lock().unwrap().clear();
        std::mem::replace(&mut *self.ledger(), Ledger::new())
    }
}
