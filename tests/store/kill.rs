//! `kill -9` of a process that uses the embedded store loses nothing that was acknowledged.
//!
//! The process is this test binary once more, told by an environment variable to commit until it is killed.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use sarsen::ambient::Ambient;
use sarsen::ids::MatchId;
use sarsen::store::embedded::Embedded;
use sarsen::store::{Commit, Committed, MatchStore, Store};
use test_kit::environment::COMMIT_UNTIL_KILLED;

use crate::harness::{match_id, player_id, step};

const ROUNDS: usize = 3;
const ACKNOWLEDGED_PER_ROUND: usize = 300;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_commits_survive_sigkill() {
    if let Some(dir) = COMMIT_UNTIL_KILLED.text() {
        return commit_until_killed(Path::new(&dir)).await;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut acknowledged: BTreeMap<MatchId, u64> = BTreeMap::new();
    for _ in 0..ROUNDS {
        kill_while_committing(dir.path(), &mut acknowledged);
        let store = Embedded::open(dir.path(), Ambient::system()).unwrap();
        for (id, &version) in &acknowledged {
            let found = store.load_match(id, None).await.unwrap().unwrap();
            assert!(found.version >= version, "{id}: acknowledged {version}, found {}", found.version);
            assert_eq!(found.stored, format!("match {}", found.version).into_bytes());
            let wanted: Vec<_> = (1..=found.version).map(|version| format!("entry {version}").into_bytes()).collect();
            assert!(store.log(id, 0, usize::MAX).await.unwrap() == wanted, "the log of {id} has a hole");
        }
        store.close().await;
    }
    assert!(acknowledged.values().sum::<u64>() >= (ROUNDS * ACKNOWLEDGED_PER_ROUND) as u64);
}

/// Starts the process, kills it after some acknowledged commits, and notes all that it acknowledged.
fn kill_while_committing(dir: &Path, acknowledged: &mut BTreeMap<MatchId, u64>) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::acknowledged_commits_survive_sigkill", "--nocapture"])
        .env(COMMIT_UNTIL_KILLED.name(), dir)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut count = 0;
    for line in lines {
        let line = line.unwrap();
        // The test runner writes lines of its own.
        let Some((id, version)) = line.strip_prefix("acknowledged ").and_then(|rest| rest.split_once(' ')) else {
            continue;
        };
        let (id, version): (MatchId, u64) = (id.parse().unwrap(), version.parse().unwrap());
        let known = acknowledged.entry(id).or_default();
        *known = version.max(*known);
        count += 1;
        if count == ACKNOWLEDGED_PER_ROUND {
            // SIGKILL; what it wrote before that is read to the end.
            child.kill().unwrap();
        }
    }
    assert!(!child.wait().unwrap().success());
    assert!(count >= ACKNOWLEDGED_PER_ROUND, "the process ended by itself");
}

/// Eight matches at once, each with one step after the other.
async fn commit_until_killed(dir: &Path) {
    let store = Arc::new(Embedded::open(dir, Ambient::system()).unwrap());
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let (store, id, player) = (Arc::clone(&store), match_id(), player_id());
            tokio::spawn(async move {
                for version in 0.. {
                    let commit = Commit { notify: vec![player.clone()], ..step(&id, version) };
                    assert_eq!(store.commit(commit).await.unwrap(), Committed::Yes);
                    // One write call a line, so that a kill cuts between lines.
                    let line = format!("\nacknowledged {id} {}\n", version + 1);
                    std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}
