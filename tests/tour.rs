//! The README's tour, pasted into a shell against a fresh server.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

const SARSEN: &str = env!("CARGO_BIN_EXE_sarsen");

/// A server of its own, killed when dropped.
struct Server {
    child: Child,
    base: String,
    dir: PathBuf,
}

impl Server {
    fn start() -> Server {
        let dir = std::env::temp_dir().join(format!("sarsen-tour-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a directory for the tour");
        let mut child = Command::new(SARSEN)
            .args(["--listen", "127.0.0.1:0", "--data-dir"])
            .arg(dir.join("data"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        output.read_line(&mut line).expect("its first line");
        let base = line.split_whitespace().last().expect("its address").to_owned();
        Server { child, base, dir }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// The tour's shell blocks, joined.
fn script() -> String {
    let readme = include_str!("../README.md");
    let (_, tour) = readme.split_once("<!-- tour: begin -->").expect("the tour begins");
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
        .current_dir(&server.dir)
        .output()
        .expect("a shell");
    let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{out}\n{err}");
    assert!(out.contains(r#""code":"illegal_move","rule":"CO-"#), "one move is refused by its ruling: {out}");
    assert_eq!(out.matches(r#","to_act":"#).count(), 9, "nine moves are made: {out}");
    assert!(out.contains(r#""ending":"connected""#), "white connects: {out}");
    assert!(out.contains("match_ended"), "the log ends with the match: {out}");
    assert!(out.contains("agree"), "the record verifies: {out}");
}
