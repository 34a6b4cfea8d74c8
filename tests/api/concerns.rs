//! Warnings of the program at its start about a Redis that weakens the promise which its settings ask for.

use std::fs::File;

use sarsen::ambient::Ambient;
use sarsen::auth::SigningKeys;
use test_kit::redis_cluster::Cluster;
use test_kit::redis_sentinel::{NAME, Watched};
use test_kit::redis_server::Server;

use crate::process::{Program, borrowed, text};

const RIGHT: [&str; 4] = ["--appendfsync", "always", "--maxmemory-policy", "noeviction"];

/// Starts the program on these servers and answers what it warned of.
fn warnings(mode: &str, urls: &[String], more: &[&str]) -> Vec<String> {
    let keys = SigningKeys::new_key_text(&Ambient::system());
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    let mut settings = ["--store", "redis", "--token-keys", &keys, "--redis-mode", mode].map(str::to_owned).to_vec();
    settings.extend(["--redis-url".to_owned(), urls.join(",")]);
    settings.extend(more.iter().map(|&text| text.to_owned()));
    Program::logging(&borrowed(&settings), File::create(&log).unwrap()).terminate();
    let log = std::fs::read_to_string(text(&log)).unwrap();
    log.lines().filter(|line| line.contains("WARN")).map(str::to_owned).collect()
}

/// There is one warning for each of these, and no other.
#[track_caller]
fn are(warnings: &[String], expected: &[&str]) {
    let each = expected.iter().all(|part| warnings.iter().filter(|line| line.contains(part)).count() == 1);
    assert!(each && warnings.len() == expected.len(), "{expected:?}: {warnings:#?}");
}

#[test]
fn a_server_that_keeps_everything_is_started_on_without_a_word() {
    let server = Server::start(&RIGHT);
    are(&warnings("single", &[server.url()], &[]), &[]);
}

#[test]
fn settings_of_a_server_that_lose_something_are_told() {
    let server = Server::start(&["--appendfsync", "everysec", "--maxmemory-policy", "allkeys-lru"]);
    let told = warnings("single", &[server.url()], &["--redis-wait-replicas", "1"]);
    are(
        &told,
        &["appendfsync everysec", "maxmemory-policy allkeys-lru", "min-replicas-to-write 0", "until there are more"],
    );
    let server = Server::start(&["--appendonly", "no", "--maxmemory-policy", "noeviction"]);
    are(&warnings("single", &[server.url()], &[]), &["appendonly no"]);
}

#[test]
fn a_server_that_does_not_tell_its_settings_is_named_in_one_line() {
    let asked = ["--user", "default", "on", "nopass", "~*", "&*", "+@all", "-config"];
    let server = Server::start(&[&RIGHT[..], &asked].concat());
    are(&warnings("single", &[server.url()], &[]), &["CONFIG GET"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn too_few_replicas_that_are_waited_for_are_told() {
    let watched = Watched::start(2, &[&RIGHT[..], &["--min-replicas-to-write", "1"]].concat()).await;
    let with = |replicas| {
        let more = ["--redis-sentinel-master", NAME, "--redis-wait-replicas", replicas];
        tokio::task::block_in_place(|| warnings("sentinel", &watched.urls(), &more))
    };
    are(&with("0"), &["no replicas are waited for"]);
    are(&with("1"), &["only 1 are waited for"]);
    are(&with("2"), &[]);
    are(&with("3"), &["until there are more"]);
}

#[test]
fn each_master_of_a_cluster_is_looked_at() {
    let cluster = Cluster::start(0, &["--maxmemory-policy", "noeviction"]);
    let mut connection = redis::Client::open(cluster.nodes[2].url()).unwrap().get_connection().unwrap();
    redis::cmd("CONFIG").arg(&["SET", "appendfsync", "everysec"]).exec(&mut connection).unwrap();
    let told = warnings("cluster", &[cluster.nodes[0].url()], &[]);
    are(&told, &["appendfsync everysec", "no replicas are waited for"]);
}
