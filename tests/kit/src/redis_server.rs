//! Redis servers for tests: each listens on 127.0.0.1 at a free port and keeps its data in a directory of its own.
//!
//! A server lives no longer than this process: a shell stands beside it, which kills it by its pid as soon as the pipe
//! to this process closes or says so, whether by [`Server::kill`], by dropping, or because this process has ended. In the
//! last case nobody is left to remove the directory, and the shell does that too.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::environment::{REDIS_SERVER, REDIS_TODAY};

const STARTING: Duration = Duration::from_secs(20);
const GUARDED: &str = r#""$@" >/dev/null & server=$!
echo "$server"
read -r word
kill -9 "$server"; wait "$server"
[ "$word" = keep ] || rm -rf "$0""#;

/// A server, running or killed.
pub struct Server {
    program: String,
    arguments: Vec<String>,
    /// The port on which it listens.
    pub port: u16,
    dir: TempDir,
    guard: Option<Child>,
    pid: String,
}

/// Ports that no outgoing connection is given (the system takes those from 32768 up), and that leave room for a cluster's
/// second port, 10000 above.
const PORTS: std::ops::Range<u16> = 10_000..20_000;

/// The settings of a server that takes TLS too, at a port of its own, with these files of its certificate, its key and the
/// authority that its clients are signed by. Its replicas and the other nodes of its cluster then use TLS.
pub fn tls_settings<'a>(certificate: &'a str, key: &'a str, authority: &'a str) -> Vec<&'a str> {
    let files = ["--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file", authority];
    let usual = [TLS_PORT, FREE, "--tls-auth-clients", "yes", "--tls-cluster", "yes", "--tls-replication", "yes"];
    [&usual[..], &files[..]].concat()
}

/// The setting of the port for TLS, and its value for one that is free.
const TLS_PORT: &str = "--tls-port";
const FREE: &str = "free";

/// A port that was free a moment ago. This process gives each of them once; others begin elsewhere in the range.
///
/// # Panics
/// If none is free.
pub fn free_port() -> u16 {
    static GIVEN: AtomicU32 = AtomicU32::new(0);
    let free = |port: u16| TcpListener::bind(("127.0.0.1", port)).is_ok();
    let count = u32::from(PORTS.end - PORTS.start);
    let begin = std::process::id().wrapping_mul(2_654_435_761) >> 8;
    (0..count)
        .map(|_| PORTS.start + (begin.wrapping_add(GIVEN.fetch_add(1, Ordering::Relaxed)) % count) as u16)
        .find(|port| free(*port) && free(port + 10_000))
        .expect("a free port")
}

impl Server {
    /// Starts a server as a service would run it, with more settings.
    pub fn start(settings: &[&str]) -> Server {
        Server::at(free_port(), settings)
    }

    /// The same at a port that is known to be free.
    pub fn at(port: u16, settings: &[&str]) -> Server {
        Server::of(usual(), port, settings)
    }

    /// Starts a server that can wait for the disks of its replicas.
    pub fn today(settings: &[&str]) -> Server {
        let program = REDIS_TODAY.text().expect("SARSEN_REDIS_TODAY: tests/run.sh installs such a server");
        Server::of(program, free_port(), settings)
    }

    fn of(program: String, port: u16, settings: &[&str]) -> Server {
        let usual = ["--save", "", "--appendonly", "yes", "--appendfsync", "everysec"];
        let given = |&text: &&str| if text == FREE { free_port().to_string() } else { text.to_owned() };
        let arguments = usual.iter().chain(settings).map(given).collect();
        Server::run(program, arguments, port, tempfile::tempdir().unwrap())
    }

    /// Starts a Sentinel with this configuration.
    pub fn sentinel(configuration: &str) -> Server {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("sentinel.conf");
        std::fs::write(&file, configuration).unwrap();
        Server::run(usual(), vec![file.to_str().unwrap().to_owned(), "--sentinel".to_owned()], free_port(), dir)
    }

    fn run(program: String, arguments: Vec<String>, port: u16, dir: TempDir) -> Server {
        let mut server = Server { program, arguments, port, dir, guard: None, pid: String::new() };
        server.restart();
        server
    }

    /// Starts it (again) at its port and with its data, and waits until it answers.
    pub fn restart(&mut self) {
        let mut command = Command::new("sh");
        command.args(["-c", GUARDED]).arg(self.dir.path()).arg(&self.program).args(&self.arguments);
        command.args(["--bind", "127.0.0.1", "--port", &self.port.to_string()]).arg("--dir").arg(self.dir.path());
        command.args(["--loglevel", "warning"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut guard = command.spawn().expect("sh");
        self.pid.clear();
        BufReader::new(guard.stdout.take().unwrap()).read_line(&mut self.pid).unwrap();
        self.guard = Some(guard);
        #[expect(clippy::disallowed_methods, reason = "another process takes real time")]
        let start = Instant::now();
        while !answers(self.port) {
            assert!(start.elapsed() < STARTING, "redis-server does not start; is it installed?");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Kills it with SIGKILL. Its data stay.
    pub fn kill(&mut self) {
        if let Some(mut guard) = self.guard.take() {
            let mut pipe = guard.stdin.take().unwrap();
            pipe.write_all(b"keep\n").unwrap();
            guard.wait().unwrap();
        }
    }

    /// Sends it a signal: `-STOP` has it hang, `-CONT` lets it go on.
    pub fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, self.pid.trim()]).status().unwrap().success());
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.pid.trim().parse().expect("a running server")
    }

    /// Its address, as settings name it.
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// The port at which it takes TLS, if it does.
    pub fn tls_port(&self) -> Option<u16> {
        let port = self.arguments.iter().skip_while(|argument| *argument != TLS_PORT).nth(1);
        port.map(|port| port.parse().unwrap())
    }

    /// Its address by TLS, as settings name it.
    ///
    /// # Panics
    /// If it takes no TLS.
    pub fn secure_url(&self) -> String {
        format!("rediss://127.0.0.1:{}", self.tls_port().expect("a server that takes TLS"))
    }

    /// Asks it something beside the store.
    pub async fn ask<T: redis::FromRedisValue>(&self, command: &redis::Cmd) -> T {
        self.try_to_ask(command).await.unwrap()
    }

    /// The same, where it may be away or refuse.
    ///
    /// # Errors
    /// If the server is away or refuses.
    pub async fn try_to_ask<T: redis::FromRedisValue>(&self, command: &redis::Cmd) -> redis::RedisResult<T> {
        let client = redis::Client::open(self.url())?;
        let mut connection = client.get_multiplexed_async_connection().await?;
        command.query_async(&mut connection).await
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The server of most tests.
fn usual() -> String {
    REDIS_SERVER.text().unwrap_or_else(|| "redis-server".to_owned())
}

/// The name and version of that server, such as `Redis 7.0.15`.
///
/// # Panics
/// If it is not installed.
pub fn version() -> String {
    let said = Command::new(usual()).arg("--version").output().expect("redis-server").stdout;
    let said = String::from_utf8_lossy(&said);
    let number = said.split_once("v=").and_then(|(_, rest)| rest.split_whitespace().next()).unwrap_or("?");
    format!("{} {number}", said.split_whitespace().next().unwrap_or("?"))
}

fn answers(port: u16) -> bool {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return false };
    let mut answer = [0; 5];
    stream.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
    stream.write_all(b"PING\r\n").is_ok() && stream.read_exact(&mut answer).is_ok() && &answer == b"+PONG"
}
