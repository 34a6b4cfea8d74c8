//! The measured server: a program that listens, in a process of its own, with a store that nobody else uses.
//!
//! Both are stopped by their own process ids, when this is dropped at the latest.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use clap::ValueEnum;
use redis::Client;
use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, Signal, kill_process};
use sarsen::ambient::Ambient;
use sarsen::auth::SigningKeys;
use tempfile::TempDir;
use test_kit::redis_server::Server as Redis;

use super::program::connect;

/// The core of the servers, and that of the load, where they are bound to cores.
const SERVER_CORE: &str = "0";
const LOAD_CORE: &str = "1";

/// The times at which Redis writes to its file what it has been told.
#[derive(Clone, Copy, ValueEnum)]
pub enum Fsync {
    /// Never.
    Off,
    /// Once a second.
    Everysec,
    /// Before it answers.
    Always,
}

/// The way in which servers are run.
#[derive(Clone)]
pub struct Running {
    /// Worker threads of a server.
    pub workers: usize,
    /// The times at which Redis writes to its file.
    pub fsync: Fsync,
    /// The number of replicas that must have a move before it is answered.
    pub replicas: u32,
    /// True if servers and load are bound to a core each.
    pub bound: bool,
}

/// A process that listens.
pub struct Server {
    child: Child,
    /// Kept open: a program that says something more is not ended by that.
    _output: BufReader<ChildStdout>,
    /// The address on which it listens.
    pub addr: SocketAddr,
    /// None where the store is embedded.
    pub redis: Option<Redis>,
    _replicas: Vec<Redis>,
    /// The directory in which an embedded store keeps its data.
    pub dir: TempDir,
}

/// Binds this process, which is the load, to its core.
pub fn bind_load() {
    bind(std::process::id(), LOAD_CORE);
}

fn bind(pid: u32, core: &str) {
    let done = Command::new("taskset").args(["-acp", core, &pid.to_string()]).stdout(Stdio::null()).status();
    assert!(done.is_ok_and(|status| status.success()), "taskset cannot bind to core {core}; see --unbound");
}

impl Running {
    fn command(&self, program: &Path) -> Command {
        if !self.bound {
            return Command::new(program);
        }
        let mut command = Command::new("taskset");
        command.args(["-c", SERVER_CORE]).arg(program);
        command
    }

    async fn redis(&self) -> (Redis, Vec<Redis>) {
        let redis = match self.fsync {
            Fsync::Off => Redis::start(&["--appendonly", "no"]),
            Fsync::Everysec => Redis::start(&[]),
            Fsync::Always => Redis::start(&["--appendfsync", "always"]),
        };
        if self.bound {
            bind(redis.pid(), SERVER_CORE);
        }
        let port = redis.port.to_string();
        // They share the core of the load, and nobody counts what they take.
        let replicas: Vec<Redis> =
            (0..self.replicas).map(|_| Redis::start(&["--replicaof", "127.0.0.1", &port])).collect();
        while info(&redis, "replication").await.matches("state=online").count() < replicas.len() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        (redis, replicas)
    }

    /// The floor, with values of this size.
    pub async fn floor(&self, value_bytes: usize) -> Server {
        let (redis, replicas) = self.redis().await;
        let mut command = self.command(&std::env::current_exe().unwrap());
        command.arg("serve").args(["--redis", &redis.port.to_string(), "--value-bytes", &value_bytes.to_string()]);
        command.args(["--workers", &self.workers.to_string(), "--replicas", &self.replicas.to_string()]);
        Server::start(command, Some(redis), replicas, tempfile::tempdir().unwrap())
    }

    /// The service on Redis.
    pub async fn service(&self, program: &Path) -> Server {
        let (redis, replicas) = self.redis().await;
        let mut command = self.unbounded(program);
        command.args(["--store", "redis", "--redis-url", &redis.url()]);
        if self.replicas > 0 {
            command.args(["--redis-wait-replicas", &self.replicas.to_string()]);
        }
        Server::start(command, Some(redis), replicas, tempfile::tempdir().unwrap())
    }

    /// The service on its embedded store.
    pub fn service_alone(&self, program: &Path) -> Server {
        let dir = tempfile::tempdir().unwrap();
        let mut command = self.unbounded(program);
        command.args(["--store", "embedded"]).arg("--data-dir").arg(dir.path());
        Server::start(command, None, Vec::new(), dir)
    }

    /// The service without the bounds of what one address and one player may take.
    fn unbounded(&self, program: &Path) -> Command {
        let mut command = self.command(program);
        command.args(["--listen", "127.0.0.1:0", "--log", "error", "--workers", &self.workers.to_string()]);
        command.env("SARSEN_TOKEN_KEYS", SigningKeys::new_key_text(&Ambient::system()));
        // Not as flags: a binary of before may lack some.
        command.env("SARSEN_GUESTS_PER_MINUTE", "off").env("SARSEN_CONNECTIONS_PER_ADDRESS", "off");
        command.env("SARSEN_PROGRAM_WRITES_PER_MINUTE", "off");
        command.env("SARSEN_WRITES_PER_MINUTE", "off").env("SARSEN_READS_PER_MINUTE", "off");
        command.env("SARSEN_SANDBOX_STEPS_PER_MINUTE", "off").env("SARSEN_STREAMS_PER_ADDRESS", "off");
        command.env("SARSEN_OPEN_MATCHES_PER_PLAYER", "off").env("SARSEN_TABLES_PER_MINUTE", "off");
        command.env("SARSEN_OUTBOUND_ALLOW_HTTP", "true").env("SARSEN_OUTBOUND_ALLOW_NETWORKS", "127.0.0.0/8");
        // On a busy machine Redis is slow, not away.
        command.env("SARSEN_REDIS_TIMEOUT_MILLISECONDS", "10000").env("SARSEN_REDIS_WAIT_MILLISECONDS", "5000");
        command
    }
}

impl Server {
    fn start(mut command: Command, redis: Option<Redis>, replicas: Vec<Redis>, dir: TempDir) -> Server {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let addr = line.split_whitespace().find_map(|word| word.strip_prefix("http://")?.parse().ok());
        let addr = addr.unwrap_or_else(|| panic!("the first line names no address: {line:?}"));
        Server { child, _output: output, addr, redis, _replicas: replicas, dir }
    }

    /// Ends the program as whoever runs it does: it stops in its own way, and what it has to write it writes.
    pub fn end(mut self) {
        kill_process(Pid::from_child(&self.child), Signal::TERM).expect("the program lives");
        let status = self.child.wait().unwrap();
        assert!(status.success(), "the program has ended with {status}");
    }

    /// The processor time that the server has had.
    pub fn worked(&self) -> Duration {
        processor_time(self.child.id())
    }

    /// The processor time that its Redis server has had.
    pub fn redis_worked(&self) -> Duration {
        self.redis.as_ref().map_or(Duration::ZERO, |redis| processor_time(redis.pid()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Returns what Redis tells of itself.
pub async fn info(redis: &Redis, section: &str) -> String {
    let mut connection = connect(Client::open(redis.url()).unwrap()).await.unwrap();
    redis::cmd("INFO").arg(section).query_async(&mut connection).await.unwrap()
}

/// The processor time of all threads of a process so far, as user and as system, in steps of some milliseconds.
fn processor_time(pid: u32) -> Duration {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process lives");
    // The name stands in brackets, and may hold anything; user and system are the 14th and 15th of all fields.
    let (_, fields) = text.rsplit_once(')').unwrap();
    let ticks: u64 = fields.split_whitespace().skip(11).take(2).map(|field| field.parse::<u64>().unwrap()).sum();
    Duration::from_secs_f64(ticks as f64 / clock_ticks_per_second() as f64)
}

/// The program that was built with this one.
pub fn own_service() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_sarsen"))
}
