//! Stores for one run, each with data of its own, gone afterwards.

use std::fmt;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sarsen::ambient::Ambient;
use sarsen::store::Store;
use sarsen::store::embedded::Embedded;
use sarsen::store::redis::{RedisConfig, RedisStore};

/// A kind of store.
#[derive(Clone, Copy)]
pub enum Kind {
    Embedded,
    Redis,
}

/// A store, and what goes with it.
pub struct Opened {
    pub store: Arc<dyn Store>,
    _server: Option<Server>,
    _dir: TempDir,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Embedded => "embedded",
            Kind::Redis => "redis",
        })
    }
}

impl FromStr for Kind {
    type Err = ();
    fn from_str(text: &str) -> Result<Kind, ()> {
        [Kind::Embedded, Kind::Redis].into_iter().find(|kind| kind.to_string() == text).ok_or(())
    }
}

impl Kind {
    pub async fn open(self, name: &str) -> Opened {
        let dir = TempDir::new(name);
        match self {
            Kind::Embedded => {
                let store = Arc::new(Embedded::open(&dir.0, Ambient::system()).unwrap());
                Opened { store, _server: None, _dir: dir }
            }
            Kind::Redis => {
                let server = Server::start(&dir);
                let config = RedisConfig::single(format!("redis://127.0.0.1:{}", server.port));
                let store = Arc::new(RedisStore::connect(config, Ambient::system()).await.unwrap());
                Opened { store, _server: Some(server), _dir: dir }
            }
        }
    }
}

struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> TempDir {
        let path = std::env::temp_dir().join(format!("sarsen-bench-{}-{name}", std::process::id()));
        std::fs::remove_dir_all(&path).ok();
        std::fs::create_dir(&path).expect("a new directory");
        TempDir(path)
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// A Redis server as a service would run it. It lives no longer than this process: the shell beside it kills it by its
/// pid as soon as the pipe to this process closes, and removes its data.
struct Server {
    port: u16,
    guard: Child,
}

const GUARDED: &str = r#""$@" & server=$!; read -r _; kill -9 "$server"; wait "$server"; rm -rf "$0""#;

impl Server {
    fn start(dir: &TempDir) -> Server {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new("sh");
        command.args(["-c", GUARDED]).arg(&dir.0).args(["redis-server", "--save", "", "--appendonly", "yes"]);
        command.args(["--appendfsync", "everysec", "--bind", "127.0.0.1", "--port", &port.to_string()]);
        command.args(["--loglevel", "warning", "--dir"]).arg(&dir.0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let server = Server { port, guard: command.spawn().expect("sh") };
        let start = Instant::now();
        while !answers(port) {
            assert!(start.elapsed() < Duration::from_secs(20), "redis-server does not start; is it installed?");
            std::thread::sleep(Duration::from_millis(5));
        }
        server
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        self.guard.wait().ok();
    }
}

fn answers(port: u16) -> bool {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return false };
    let mut answer = [0; 5];
    stream.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
    stream.write_all(b"PING\r\n").is_ok() && stream.read_exact(&mut answer).is_ok() && &answer == b"+PONG"
}
