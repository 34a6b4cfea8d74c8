//! A server of its own for each test, without the bounds of one client: all players here come from one address.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// Killed when dropped.
pub struct Server {
    child: Child,
    /// Its address.
    pub base: String,
    _dir: TempDir,
}

impl Server {
    pub fn start() -> Server {
        let dir = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_sarsen"))
            .args(["--listen", "127.0.0.1:0", "--guests-per-minute", "off", "--writes-per-minute", "off"])
            .args(["--reads-per-minute", "off", "--sandbox-steps-per-minute", "off"])
            .args(["--bot-delay-milliseconds", "0", "--data-dir"])
            .arg(dir.path().join("data"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let base = line.split_whitespace().last().expect("its address").to_owned();
        Server { child, base, _dir: dir }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
