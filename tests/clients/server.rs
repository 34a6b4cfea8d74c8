//! A server of its own for each test, without the bounds of one client: all players here come from one address.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// Killed when dropped.
pub struct Server {
    child: Child,
    /// Its address.
    pub base: String,
    dir: TempDir,
}

impl Server {
    pub fn start() -> Server {
        Server::with(&[])
    }

    /// One that sends notifications to this machine.
    pub fn telling(vapid_key: &str) -> Server {
        let push = ["--vapid-key", vapid_key, "--vapid-subject", "mailto:push@example.org"];
        Server::with(&[&push[..], &["--outbound-allow-http", "--outbound-allow-networks", "127.0.0.0/8"]].concat())
    }

    fn with(settings: &[&str]) -> Server {
        let dir = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_sarsen"))
            .args(["--listen", "127.0.0.1:0", "--guests-per-minute", "off", "--writes-per-minute", "off"])
            .args(["--reads-per-minute", "off", "--sandbox-steps-per-minute", "off"])
            .args(["--bot-delay-milliseconds", "0", "--data-dir"])
            .arg(dir.path().join("data"))
            .args(settings)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let base = line.split_whitespace().last().expect("its address").to_owned();
        Server { child, base, dir }
    }

    /// A token of an operator.
    pub fn operator(&self, scopes: &str) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sarsen"));
        command.args(["admin", "token", "--scopes", scopes, "--data-dir"]).arg(self.dir.path().join("data"));
        String::from_utf8(command.output().unwrap().stdout).unwrap().trim().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
