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
use crate::world::{World, patient};

const OPERATIONS: &str = include_str!("../../deploy/OPERATIONS.md");
/// The beginning of all keys of the smallest user.
const PREFIX: &str = "games";
const NO_EVICTION: [&str; 2] = ["--maxmemory-policy", "noeviction"];

/// The rules of the users that the operators are told to make: on the servers, and on Sentinels.
fn rules_of_operations() -> [String; 2] {
    let lines = OPERATIONS.lines().filter_map(|line| line.strip_prefix("ACL SETUSER sarsen on >PASSWORD "));
    let rules: Vec<String> = lines.map(|rules| rules.replace("PREFIX", PREFIX)).collect();
    rules.try_into().expect("the smallest users")
}

/// Makes a user with these rules on a server, and returns the URL for it.
async fn make_user(server: &Server, rules: &str) -> String {
    let user: Vec<&str> = ["ACL", "SETUSER", "sarsen", "on", ">secret"].into_iter().chain(rules.split(' ')).collect();
    ask::<()>(server, &user).await;
    server.url().replace("redis://", "redis://sarsen:secret@")
}

/// The server has refused nothing. Its settings are looked at where that is allowed, and only then.
async fn assert_all_allowed(server: &Server) {
    let refused: Vec<redis::Value> = ask(server, &["ACL", "LOG"]).await;
    let refused: Vec<String> = refused.iter().map(|entry| format!("{entry:?}")).collect();
    let unexpected: Vec<&String> = refused.iter().filter(|entry| !entry.contains("config")).collect();
    assert!(unexpected.is_empty(), "{unexpected:#?}");
}

async fn ask<T: redis::FromRedisValue>(server: &Server, command: &[&str]) -> T {
    let client = redis::Client::open(server.url()).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let (name, arguments) = command.split_first().unwrap();
    redis::cmd(name).arg(arguments).query_async(&mut connection).await.unwrap()
}

/// Makes requests that lead through every part of the store.
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
    known(world, &operator, ann).await;
    ann.call("DELETE", &format!("/v1/me?confirm={}", ann.id)).await.ok();
}

/// Makes requests that lead through all that is kept of a player besides matches.
async fn known(world: &World, operator: &Client, ann: &Client) {
    let (cora, nobody) = (world.guest("Cora").await, world.nobody());
    let code = cora.call("POST", "/v1/me/pairing-codes").await.ok()["code"].clone();
    nobody.post("/v1/tokens/pair", json!({"code": code})).await.ok();
    let sessions = cora.get("/v1/me/sessions").await.ok();
    let phone = sessions["items"].as_array().unwrap().iter().find(|session| session["current"] == false);
    let phone = phone.unwrap()["id"].as_str().unwrap();
    cora.call("DELETE", &format!("/v1/me/sessions/{phone}")).await.ok();
    let key = cora.call("POST", "/v1/me/recovery-key").await.ok()["recovery_key"].clone();
    nobody.post("/v1/tokens/recover", json!({"recovery_key": key})).await.ok();

    let made = cora.post("/v1/me/tokens", json!({"name": "trainer", "scopes": ["read"]})).await.ok();
    cora.with_token(made["secret"].as_str().unwrap()).get("/v1/me").await.ok();
    cora.get("/v1/me/tokens").await.ok();
    cora.call("DELETE", &format!("/v1/me/tokens/{}", made["token"]["id"].as_str().unwrap())).await.ok();
    let bot = cora.post("/v1/me/bots", json!({"name": "Engine"})).await.ok();
    cora.get("/v1/me/bots").await.ok();
    cora.get(&format!("/v1/me/bots/{}/tokens", bot["player"]["id"].as_str().unwrap())).await.ok();

    for list in ["contacts", "blocks"] {
        let path = format!("/v1/me/{list}/{}", ann.id);
        cora.put(&path, json!({})).await.ok();
        cora.get(&format!("/v1/me/{list}")).await.ok();
        cora.call("DELETE", &path).await.ok();
    }
    ann.get("/v1/me/opponents").await.ok();
    let report = cora.post(&format!("/v1/players/{}/report", ann.id), json!({"reason": "r"})).await.ok();
    operator.get("/v1/admin/reports").await.ok();
    let answer = format!("/v1/admin/reports/{}/answer", report["id"].as_str().unwrap());
    operator.put(&answer, json!({"answer": "warned"})).await.ok();

    let alone = cora.post("/v1/matches", json!({"game": "thief_of_the_sacred_fire"})).await.ok();
    let hint = format!("/v1/matches/{}/hint", alone["match"]["id"].as_str().unwrap());
    cora.post(&hint, json!({"level": "easy"})).await.ok();
    let slow = Pair::of([ann.clone(), cora], json!({"clock": {"initial_seconds": 604_800}})).await;
    let waits = &slow.players[1 - slow.turn().await.seat];
    let version = slow.version().await;
    let plan = json!({"version": version, "tree": [{"when": [WIN[0]], "then": [WIN[1]]}]});
    waits.put(&slow.path("/plan"), plan).await.ok();
    waits.get(&slow.path("/plan")).await.ok();
    slow.play(WIN[0]).await.ok();
    world.eventually(async || slow.version().await == version + 2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_smallest_user_that_operators_are_told_of_is_enough() {
    let server = tokio::task::spawn_blocking(|| Server::start(&NO_EVICTION)).await.unwrap();
    let [rules, _] = rules_of_operations();
    let url = make_user(&server, &rules).await;
    let mut world = World::on_redis(RedisConfig { prefix: PREFIX.to_owned(), ..patient(url) }).await;
    played(&world).await;
    world.stop().await;
    assert_all_allowed(&server).await;
    // The user sees nothing of others.
    let keys: Vec<String> = ask(&server, &["KEYS", "*"]).await;
    assert!(!keys.is_empty() && keys.iter().all(|key| key.starts_with("games:")), "{keys:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_smallest_user_of_a_cluster_is_enough() {
    let cluster = tokio::task::spawn_blocking(|| Cluster::start(0, &NO_EVICTION)).await.unwrap();
    let more = "+cluster|slots +cluster|nodes";
    assert!(OPERATIONS.contains(more));
    let [rules, _] = rules_of_operations();
    let mut urls = Vec::new();
    for node in &cluster.nodes {
        urls.push(make_user(node, &format!("{rules} {more}")).await);
    }
    let config = patient(urls[0].clone());
    let config = RedisConfig { mode: RedisMode::Cluster, prefix: PREFIX.to_owned(), ..config };
    let mut world = World::on_redis(config).await;
    played(&world).await;
    world.stop().await;
    for node in &cluster.nodes {
        assert_all_allowed(node).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_smallest_user_of_sentinels_is_enough() {
    let server = tokio::task::spawn_blocking(|| Server::start(&NO_EVICTION)).await.unwrap();
    let [rules, of_sentinels] = rules_of_operations();
    make_user(&server, &rules).await;
    let master = server.port;
    let configuration =
        format!("sentinel monitor {NAME} 127.0.0.1 {master} 1\nuser sarsen on >secret {of_sentinels}\n");
    let sentinel = tokio::task::spawn_blocking(move || Server::sentinel(&configuration)).await.unwrap();
    let (username, password) = (Some("sarsen".to_owned()), Some("secret".to_owned()));
    let config = RedisConfig {
        mode: RedisMode::Sentinel { master: NAME.to_owned(), username, password },
        prefix: PREFIX.to_owned(),
        ..patient(format!("redis://sarsen:secret@127.0.0.1:{}", sentinel.port))
    };
    let mut world = World::on_redis(config).await;
    played(&world).await;
    world.stop().await;
    assert_all_allowed(&server).await;
    assert_all_allowed(&sentinel).await;
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
        ..patient(server.secure_url().replace("//", "//sarsen@"))
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
        ..patient(format!("rediss://127.0.0.1:{port}"))
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
        ..patient(cluster.nodes[0].secure_url())
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
