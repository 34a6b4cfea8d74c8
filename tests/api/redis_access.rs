//! Access to a Redis server: the smallest user, certificates of one's own, and a password that changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use reqwest::Method;
use sarsen::ambient::Ambient;
use sarsen::store::redis::{RedisConfig, RedisMode, RedisStore, TlsFiles};
use serde_json::json;
use tempfile::TempDir;
use test_kit::redis_cluster::Cluster;
use test_kit::redis_sentinel::NAME;
use test_kit::redis_server::{Server, free_port, tls_settings};

use crate::client::Client;
use crate::tables::{Pair, WIN};
use crate::world::World;

const OPERATIONS: &str = include_str!("../../deploy/OPERATIONS.md");

/// The rules of the user that the operators are told to make.
fn rules_of_operations(prefix: &str) -> Vec<String> {
    let line = OPERATIONS.lines().find_map(|line| line.strip_prefix("ACL SETUSER sarsen on >PASSWORD "));
    line.expect("the smallest user").replace("PREFIX", prefix).split(' ').map(str::to_owned).collect()
}

async fn ask<T: redis::FromRedisValue>(server: &Server, command: &[&str]) -> T {
    let client = redis::Client::open(server.url()).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let (name, arguments) = command.split_first().unwrap();
    redis::cmd(name).arg(arguments).query_async(&mut connection).await.unwrap()
}

/// What leads through every part of the store.
async fn played(world: &World) {
    let pair = Pair::seated(world, json!({})).await;
    let [ann, ben] = &pair.players;
    pair.play_all(&WIN).await;
    let rematch = ann.act(&pair.id, "rematch").await.ok()["match"]["id"].as_str().unwrap().to_owned();
    ben.act(&pair.id, "rematch").await.ok();
    ann.act(&rematch, "resign").await.ok();
    let bots =
        json!({"game": "absolution", "seats": 3, "places": [{"seat": 1, "bot": "easy"}, {"seat": 2, "bot": "easy"}]});
    let id = ann.create(bots).await["match"]["id"].as_str().unwrap().to_owned();
    ann.get(&format!("/v1/matches/{id}")).await.ok();
    let keyed = ann.request(Method::POST, "/v1/matches").header("idempotency-key", "k").json(&json!({"game": "henge"}));
    ann.send(keyed).await.ok();
    for path in [
        "/v1/matches",
        "/v1/matches?mine=true",
        "/v1/me/events",
        "/v1/me/summary",
        "/v1/me/export",
        "/readyz",
        "/metrics",
    ] {
        assert_eq!(ann.get(path).await.status, 200, "{path}");
    }
    ann.call("POST", "/v1/stream-tickets").await.ok();
    let operator = world.operator("admin:read,admin:moderate");
    operator.get("/v1/admin/queues").await.ok();
    operator
        .put(&format!("/v1/admin/players/{}/ban", ben.id), json!({"until": null, "from": "play", "reason": "r"}))
        .await
        .ok();
    operator.get("/v1/admin/audit").await.ok();
    let refreshed = json!({"refresh_token": ann.refresh_token});
    ann.post("/v1/tokens/refresh", refreshed).await.ok();
    ann.call("DELETE", "/v1/me").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_smallest_user_that_operators_are_told_of_is_enough() {
    let server = tokio::task::spawn_blocking(|| Server::start(&["--maxmemory-policy", "noeviction"])).await.unwrap();
    let rules = rules_of_operations("games");
    let user = [vec!["ACL", "SETUSER", "sarsen", "on", ">secret"], rules.iter().map(String::as_str).collect()].concat();
    ask::<()>(&server, &user).await;
    let url = server.url().replace("redis://", "redis://sarsen:secret@");
    let mut world = World::on_redis(RedisConfig { prefix: "games".to_owned(), ..RedisConfig::single(url) }).await;
    played(&world).await;
    world.stop().await;
    // The settings of the server are looked at where that is allowed, and only then.
    let refused: Vec<redis::Value> = ask(&server, &["ACL", "LOG"]).await;
    let refused: Vec<String> = refused.iter().map(|entry| format!("{entry:?}")).collect();
    let unexpected: Vec<&String> = refused.iter().filter(|entry| !entry.contains("config")).collect();
    assert!(unexpected.is_empty(), "{unexpected:#?}");
    // The user sees nothing of others.
    let keys: Vec<String> = ask(&server, &["KEYS", "*"]).await;
    assert!(!keys.is_empty() && keys.iter().all(|key| key.starts_with("games:")), "{keys:?}");
}

/// Makes a certificate and its key, signed by itself or by the authority `ca`.
fn certificate(directory: &Path, name: &str, extensions: &str, ca: bool) {
    let file = |suffix: &str| directory.join(format!("{name}.{suffix}")).display().to_string();
    let authority = |suffix: &str| directory.join(format!("ca.{suffix}")).display().to_string();
    let mut command = Command::new("openssl");
    command.args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]);
    command.args(["-config", &directory.join("openssl.cnf").display().to_string(), "-extensions", extensions]);
    command.args(["-keyout", &file("key"), "-out", &file("pem")]);
    if !ca {
        command.args(["-CA", &authority("pem"), "-CAkey", &authority("key")]);
    }
    let made = command.output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

/// An authority of one's own, which has signed a server and a client.
struct Authority(TempDir);

impl Authority {
    fn new() -> Authority {
        let directory = tempfile::tempdir().unwrap();
        let settings = "[req]\ndistinguished_name = dn\nprompt = no\n[dn]\nCN = test\n[ca]\n\
                        basicConstraints = critical,CA:TRUE\n[leaf]\nbasicConstraints = critical,CA:FALSE\n\
                        subjectAltName = IP:127.0.0.1\n";
        fs::write(directory.path().join("openssl.cnf"), settings).unwrap();
        certificate(directory.path(), "ca", "ca", true);
        certificate(directory.path(), "server", "leaf", false);
        certificate(directory.path(), "client", "leaf", false);
        Authority(directory)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The files of a server: its certificate, its key and the authority.
    fn of_server(&self) -> [String; 3] {
        ["server.pem", "server.key", "ca.pem"].map(|name| self.path(name).display().to_string())
    }

    /// The files of the service.
    fn of_client(&self) -> TlsFiles {
        TlsFiles { ca: Some(self.path("ca.pem")), client: Some((self.path("client.pem"), self.path("client.key"))) }
    }
}

/// Starts servers that take TLS, on a thread that may block.
async fn secured<T: Send + 'static>(authority: &Authority, start: fn(&[&str]) -> T) -> T {
    let files = authority.of_server();
    let starting = move || {
        let [certificate, key, authority] = files.each_ref().map(String::as_str);
        start(&tls_settings(certificate, key, authority))
    };
    tokio::task::spawn_blocking(starting).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn certificates_of_ones_own_and_a_password_that_changes() {
    let authority = Authority::new();
    let server = secured(&authority, Server::start).await;
    ask::<()>(&server, &["ACL", "SETUSER", "sarsen", "on", ">one", ">two", "~*", "&*", "+@all"]).await;
    let password = authority.path("password");
    fs::write(&password, "one\n").unwrap();
    let secure = RedisConfig {
        tls: authority.of_client(),
        password_file: Some(password.clone()),
        ..RedisConfig::single(server.secure_url().replace("//", "//sarsen@"))
    };
    // Neither side trusts a stranger.
    for tls in [TlsFiles::default(), TlsFiles { client: None, ..authority.of_client() }] {
        let config = RedisConfig { tls, ..secure.clone() };
        assert!(RedisStore::connect(config, Ambient::system()).await.is_err());
    }
    let mut world = World::on_redis(secure).await;
    let ann = world.guest("Ann").await;
    // The password changes: both count, then the new one alone, and every connection is cut.
    fs::write(&password, "two\n").unwrap();
    ask::<()>(&server, &["ACL", "SETUSER", "sarsen", "<one"]).await;
    ask::<i64>(&server, &["CLIENT", "KILL", "USER", "sarsen"]).await;
    let made = async |client: &Client| client.post("/v1/matches", json!({"game": "contiguity"})).await.status == 201;
    world.eventually(async || made(&ann).await).await;
    world.stop().await;
}

/// Issue 31.32: the Sentinels are asked by TLS, and so is the master that they name, with the same certificates.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sentinels_and_the_master_that_they_name_are_reached_by_tls() {
    let authority = Authority::new();
    let server = secured(&authority, Server::start).await;
    let [certificate, key, ca] = authority.of_server();
    let (port, master) = (free_port(), server.tls_port().unwrap());
    let configuration = format!(
        "tls-port {port}\ntls-cert-file {certificate}\ntls-key-file {key}\ntls-ca-cert-file {ca}\n\
         tls-auth-clients yes\ntls-replication yes\nsentinel monitor {NAME} 127.0.0.1 {master} 1\n"
    );
    let _sentinel = tokio::task::spawn_blocking(move || Server::sentinel(&configuration)).await.unwrap();
    let secure = RedisConfig {
        mode: RedisMode::Sentinel { master: NAME.to_owned(), username: None, password: None },
        tls: authority.of_client(),
        ..RedisConfig::single(format!("rediss://127.0.0.1:{port}"))
    };
    let mut world = World::on_redis(secure).await;
    played(&world).await;
    world.stop().await;
    assert_all_keep_something(&[server]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_nodes_of_a_cluster_are_reached_by_tls() {
    let authority = Authority::new();
    let cluster = secured(&authority, |settings| Cluster::start(0, settings)).await;
    let secure = RedisConfig {
        mode: RedisMode::Cluster,
        tls: authority.of_client(),
        // The others are known from this one.
        ..RedisConfig::single(cluster.nodes[0].secure_url())
    };
    let mut world = World::on_redis(secure).await;
    played(&world).await;
    world.stop().await;
    assert_all_keep_something(&cluster.nodes).await;
}

/// Each server keeps something. The service knew no other way to it than the one by TLS.
async fn assert_all_keep_something(servers: &[Server]) {
    for server in servers {
        let keys: u64 = ask(server, &["DBSIZE"]).await;
        assert!(keys > 0, "port {} has nothing", server.port);
    }
}
