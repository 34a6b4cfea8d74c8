//! The README's tour, pasted into a shell against a fresh server.

#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};

use tempfile::TempDir;

const SARSEN: &str = env!("CARGO_BIN_EXE_sarsen");

/// A server of its own, killed when dropped.
struct Server {
    child: Child,
    /// The first line that it has printed.
    first: String,
    output: BufReader<ChildStdout>,
    base: String,
    dir: TempDir,
}

impl Server {
    fn start() -> Server {
        let dir = tempfile::tempdir().expect("a directory for the tour");
        let mut child = Command::new(SARSEN)
            .args(["--listen", "127.0.0.1:0", "--data-dir"])
            .arg(dir.path().join("data"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        output.read_line(&mut line).expect("its first line");
        let base = line.split_whitespace().last().expect("its address").to_owned();
        Server { child, first: line, output, base, dir }
    }

    /// Ends it, and returns all that it has printed.
    fn printed(mut self) -> String {
        self.child.kill().ok();
        let mut printed = std::mem::take(&mut self.first);
        self.output.read_to_string(&mut printed).expect("its output");
        printed
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

const README: &str = include_str!("../README.md");

/// The tour's shell blocks, joined.
fn script() -> String {
    let (_, tour) = README.split_once("<!-- tour: begin -->").expect("the tour begins");
    let (tour, _) = tour.split_once("<!-- tour: end -->").expect("the tour ends");
    let blocks = tour.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default());
    blocks.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_tour_works_when_pasted() {
    let server = Server::start();
    let script = script()
        .replace("BASE=http://127.0.0.1:8080", &format!("BASE={}", server.base))
        .replace("cargo run --release --quiet --", SARSEN);
    assert!(script.contains(&server.base) && script.contains(SARSEN), "the tour names server and program");
    let run = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &script])
        .current_dir(server.dir.path())
        .output()
        .expect("a shell");
    let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{out}\n{err}");
    assert!(out.contains(r#""code":"illegal_move","rule":"CO-"#), "one move is refused by its ruling: {out}");
    assert_eq!(out.matches(r#","to_act":"#).count(), 10, "nine moves are made, and one against a bot: {out}");
    assert!(out.contains(r#""ending":"connected""#), "white connects: {out}");
    assert!(out.contains("match_ended"), "the log ends with the match: {out}");
    assert!(out.contains("agree"), "the record verifies: {out}");
    assert_eq!(out.matches(r#"{"state":"matched","match_id":"m_"#).count(), 2, "a pool pairs two: {out}");
    assert!(out.contains(r#","secret":"whsec_"#), "a webhook has a secret: {out}");
    assert!(out.contains("\nsarsen_pat_"), "an agent gets a token: {out}");

    let (_, shown) = README.split_once("The server prints its addresses:\n\n```\n").expect("the start-up lines");
    let (shown, _) = shown.split_once("```").expect("their end");
    let data = fs::canonicalize(server.dir.path().join("data")).expect("the data");
    let shown = shown
        .replace("http://127.0.0.1:8080", &server.base)
        .replace("/home/you/sarsen/sarsen-data", &data.display().to_string());
    assert_eq!(server.printed(), shown);
}
