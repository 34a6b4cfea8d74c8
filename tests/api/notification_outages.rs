//! Notifications while what takes part in them dies: no message is lost, and one that comes twice has one id.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use test_kit::redis_server::{Server, free_port};
use tokio::time::{Instant, sleep};

use crate::client::Client;
use crate::notifications::{HOOKS, hooked, verifies};
use crate::process::{Program, borrowed, on_embedded, on_redis};
use crate::receiver::{Behaviour, Receiver};
use crate::tables::Pair;

const WITHIN: Duration = Duration::from_secs(150);
const ALLOWED: [&str; 3] = ["--outbound-allow-http", "--outbound-allow-networks", "127.0.0.0/8"];
/// Half of them before the first death.
const MATCHES: usize = 12;
const EVENTS: [&str; 2] = ["match.started", "match.ended"];

/// A receiver in a process of its own, which notes each message in a file before it answers.
const RECEIVER: &str = r#"
import http.server, json, sys

class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        told = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with open(sys.argv[2], "a") as noted:
            noted.write(f'{self.headers["webhook-id"]} {told["type"]} {told["data"]["match_id"]}\n')
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass

http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
"#;

struct ReceiverProcess {
    port: u16,
    noted: PathBuf,
    child: Child,
}

impl ReceiverProcess {
    fn start(port: u16, noted: &Path) -> ReceiverProcess {
        let mut command = Command::new("python3");
        command.args(["-c", RECEIVER, &port.to_string()]).arg(noted).stdin(Stdio::null());
        ReceiverProcess { port, noted: noted.to_owned(), child: command.spawn().unwrap() }
    }

    /// `kill -9`, and the same again.
    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn restart(&mut self) {
        *self = ReceiverProcess::start(self.port, &self.noted);
    }

    /// The ids of the messages so far, by type and match.
    fn told(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut told: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for line in std::fs::read_to_string(&self.noted).unwrap_or_default().lines() {
            let (id, about) = line.split_once(' ').unwrap();
            told.entry(about.to_owned()).or_default().insert(id.to_owned());
        }
        told
    }
}

impl Drop for ReceiverProcess {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

async fn eventually(begun: Instant, is_true: impl AsyncFn() -> bool) {
    while !is_true().await {
        assert!(begun.elapsed() < WITHIN, "not after {WITHIN:?}");
        sleep(Duration::from_millis(20)).await;
    }
}

/// Makes matches of these two that have started.
async fn started(players: &[Client; 2], count: usize) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for _ in 0..count {
        pairs.push(Pair::of(players.clone(), json!({})).await);
    }
    pairs
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_message_is_lost_when_receiver_and_service_are_killed() {
    let dir = tempfile::tempdir().unwrap();
    let settings = on_embedded(&dir);
    let settings = [&borrowed(&settings)[..], &ALLOWED].concat();
    let mut receiver = ReceiverProcess::start(free_port(), &dir.path().join("noted"));
    let service = Program::start(&settings);
    let players = [service.guest("Ann").await, service.guest("Ben").await];
    let url = format!("http://127.0.0.1:{}/", receiver.port);
    let (hook, _) = hooked(&players[0], &url, json!(EVENTS)).await;
    let begun = Instant::now();
    let mut pairs = started(&players, MATCHES / 2).await;
    // It dies between two sends, and is away for some.
    eventually(begun, async || !receiver.told().is_empty()).await;
    receiver.kill();
    pairs.extend(started(&players, MATCHES / 2).await);
    let waiting = format!("{HOOKS}/{hook}/deliveries?state=pending");
    eventually(begun, async || !players[0].get(&waiting).await.ok()["items"].as_array().unwrap().is_empty()).await;
    receiver.restart();
    // So does the service: some messages wait to be sent again, some are under way, and of some there is the order alone.
    for pair in &pairs {
        pair.players[1].act(&pair.id, "resign").await.ok();
    }
    service.kill();
    let _service = Program::start(&settings);
    let expected: BTreeSet<String> =
        pairs.iter().flat_map(|pair| EVENTS.map(|event| format!("{event} {}", pair.id))).collect();
    eventually(begun, async || receiver.told().len() == expected.len()).await;
    let told = receiver.told();
    assert_eq!(told.keys().cloned().collect::<BTreeSet<_>>(), expected);
    assert!(told.values().all(|ids| ids.len() == 1), "{told:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_message_is_lost_when_redis_is_killed() {
    let mut redis = Server::start(&["--appendfsync", "always"]);
    let settings = on_redis(&redis);
    let settings = [&borrowed(&settings)[..], &ALLOWED].concat();
    let service = Program::start(&settings);
    let receiver = Receiver::start(Behaviour::Status(503)).await;
    let players = [service.guest("Ann").await, service.guest("Ben").await];
    let (hook, _) = hooked(&players[0], &receiver.url("/"), json!(EVENTS)).await;
    let begun = Instant::now();
    let mut pairs = started(&players, MATCHES / 2).await;
    let deliveries = async |state: &str| -> Vec<Value> {
        let page = players[0].get(&format!("{HOOKS}/{hook}/deliveries?state={state}")).await;
        // While the store is away there is none.
        if page.status == 200 { page.json()["items"].as_array().unwrap().clone() } else { Vec::new() }
    };
    // These wait to be sent again; of the others there may be the order alone.
    eventually(begun, async || deliveries("pending").await.len() == MATCHES / 2).await;
    pairs.extend(started(&players, MATCHES / 2).await);
    redis.kill();
    receiver.behave(Behaviour::Status(200));
    redis.restart();
    eventually(begun, async || deliveries("delivered").await.len() == MATCHES).await;
    let mut ids: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for told in receiver.all() {
        let about = told.json()["data"]["match_id"].as_str().unwrap().to_owned();
        ids.entry(about).or_default().insert(told.header("webhook-id").to_owned());
    }
    assert_eq!(ids.keys().cloned().collect::<BTreeSet<_>>(), pairs.iter().map(|pair| pair.id.clone()).collect());
    assert!(ids.values().all(|ids| ids.len() == 1), "{ids:#?}");
}

/// `kill -9` between sending and noting: the message comes again with the same id, once the lease of its job is over. Of
/// several instances another takes over; a single one is started again. Each instance has begun a match.
async fn a_message_outlives_its_sender(settings: &[String], count: usize) {
    let settings = [&borrowed(settings)[..], &ALLOWED].concat();
    let receiver = Receiver::start(Behaviour::Hang).await;
    let mut instances = vec![Program::start(&settings)];
    let players = [instances[0].guest("Ann").await, instances[0].guest("Ben").await];
    let (hook, secret) = hooked(&players[0], &receiver.url("/"), json!(["match.started"])).await;
    // Those that start later know the webhook at once.
    instances.resize_with(count, || Program::start(&settings));
    let (begun, mut matches) = (Instant::now(), BTreeSet::new());
    for instance in &instances {
        matches.insert(Pair::of(players.clone().map(|player| player.at(instance.base.clone())), json!({})).await.id);
    }
    eventually(begun, async || receiver.count() >= count).await;
    let held = receiver.all().swap_remove(0);
    let sender = instances.iter().position(|instance| instance.has_connection(held.from)).unwrap();
    instances.swap_remove(sender).kill();
    receiver.behave(Behaviour::Status(200));
    if instances.is_empty() {
        instances.push(Program::start(&settings));
    }
    let ann = players[0].at(instances[0].base.clone());
    let delivered = async || {
        let page = ann.get(&format!("{HOOKS}/{hook}/deliveries?state=delivered")).await.ok();
        let items = page["items"].as_array().unwrap().clone();
        (items.len() == count).then_some(items)
    };
    eventually(begun, async || delivered().await.is_some()).await;
    let (told, messages) = (receiver.all(), receiver.messages());
    assert!(told.iter().all(|received| verifies(received, &secret)));
    let about: BTreeSet<String> =
        messages.iter().map(|it| it.json()["data"]["match_id"].as_str().unwrap().to_owned()).collect();
    assert_eq!((messages.len(), matches), (count, about), "one message of each match");
    let id = held.header("webhook-id");
    let again: Vec<_> = told.iter().filter(|it| it.header("webhook-id") == id).collect();
    assert!(again.len() == 2 && again[1].body == held.body, "{again:?}");
    let kept = delivered().await.unwrap();
    let attempts = kept.iter().find(|it| it["id"] == id).map(|it| it["attempts"].clone());
    assert_eq!(attempts, Some(json!(1)), "the first was not noted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_outlives_the_instance_that_sends_it() {
    let dir = tempfile::tempdir().unwrap();
    a_message_outlives_its_sender(&on_embedded(&dir), 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_of_three_instances_takes_over_the_message_of_one_that_dies() {
    let redis = Server::start(&["--maxmemory-policy", "noeviction"]);
    a_message_outlives_its_sender(&on_redis(&redis), 3).await;
}
