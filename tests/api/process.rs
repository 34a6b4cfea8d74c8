//! The program itself: started, killed, stopped, misconfigured.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use sarsen::ambient::Ambient;
use sarsen::auth::SigningKeys;
use serde_json::{Value, json};
use tempfile::TempDir;
use test_kit::redis_server::Server;
use tokio::time::Instant;

use crate::client::Client;
use crate::tables::{Pair, WIN, kinds};
use crate::world::{DEADLINE, http_client};

/// A running program, killed when dropped.
pub struct Program {
    child: Child,
    output: BufReader<ChildStdout>,
    pub base: String,
}

/// The program without settings: those of whoever runs the tests are none of theirs.
pub fn bare() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sarsen"));
    command.env_clear().stdin(Stdio::null());
    command
}

fn program(log: &str, settings: &[&str]) -> Command {
    let mut command = bare();
    command.args(["--listen", "127.0.0.1:0", "--workers", "2", "--log", log]);
    command
        .args(["--guests-per-minute", "off", "--writes-per-minute", "off", "--reads-per-minute", "off"])
        .args(["--tables-per-minute", "off"])
        .args(settings);
    command
}

impl Program {
    /// Starts it and waits until it has said where it serves.
    pub fn start(settings: &[&str]) -> Program {
        Program::spawn(program("warn", settings).stderr(Stdio::null()))
    }

    /// The same with its warnings in a file.
    pub fn warning(settings: &[&str], log: File) -> Program {
        Program::spawn(program("warn", settings).stderr(log))
    }

    /// The same with all of its log, down to debug lines, in a file.
    pub fn logging(settings: &[&str], log: File) -> Program {
        Program::spawn(program("debug", settings).stderr(log))
    }

    fn spawn(command: &mut Command) -> Program {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let base = line.split_whitespace().find(|word| word.starts_with("http://")).map(str::to_owned);
        let base = base.unwrap_or_else(|| panic!("the first line names no address: {line:?}"));
        Program { child, output, base }
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Returns true if it has the end of a connection that has this port of the loopback interface.
    pub fn has_connection(&self, port: u16) -> bool {
        let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
        let rows = table.lines().map(|row| row.split_whitespace().collect::<Vec<_>>());
        let ends = rows.filter(|row| row[1] == format!("0100007F:{port:04X}"));
        let sockets: Vec<_> = ends.map(|row| format!("socket:[{}]", row[9])).collect();
        let open = std::fs::read_dir(format!("/proc/{}/fd", self.pid())).unwrap();
        let mut open = open.filter_map(|file| std::fs::read_link(file.ok()?.path()).ok());
        open.any(|file| sockets.iter().any(|socket| file.as_os_str() == socket.as_str()))
    }

    /// `kill -9`.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to end and waits until it has, within the deadline.
    pub fn terminate(self) -> (Option<i32>, String) {
        self.ask_to_end();
        self.wait_for_its_end()
    }

    /// Waits until it has ended, which it was asked to before.
    pub fn wait_for_its_end(mut self) -> (Option<i32>, String) {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < DEADLINE, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        };
        let mut output = String::new();
        self.output.read_to_string(&mut output).unwrap();
        (status.code(), output)
    }

    pub fn ask_to_end(&self) {
        let status = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    pub async fn guest(&self, name: &str) -> Client {
        let nobody = Client::new(http_client(), self.base.clone());
        let answer = nobody.post("/v1/players", json!({"name": name})).await.ok();
        nobody.signed_in(&answer)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Runs it to its end, which has to be soon.
pub fn run(settings: &[&str]) -> Output {
    program("warn", settings).output().unwrap()
}

pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

pub fn on_embedded(dir: &TempDir) -> Vec<String> {
    vec!["--data-dir".to_owned(), text(&dir.path().join("data")).to_owned()]
}

pub fn on_redis(redis: &Server) -> Vec<String> {
    let keys = SigningKeys::new_key_text(&Ambient::system());
    ["--store", "redis", "--redis-url", &redis.url(), "--token-keys", &keys].map(str::to_owned).to_vec()
}

pub fn borrowed(settings: &[String]) -> Vec<&str> {
    settings.iter().map(String::as_str).collect()
}

/// The answers that one pair got while it played.
struct Played {
    pair: Pair,
    /// Seat, decision, notation and key of each move, in order, with its answer where one came.
    moves: Vec<(usize, String, String, String, Option<Value>)>,
}

/// The turn with this number, from 0 to 25, of a match in which a piece of each colour walks along row b.
fn walk(ply: usize) -> String {
    let step = ply / 2;
    match ply % 2 {
        0 => format!("{}b-{}b", 29 - step, 28 - step),
        _ => format!("{}b-{}b", 2 + step, 3 + step),
    }
}

/// Two players who walk until the server is gone.
async fn play_until_gone(pair: Pair, gone: Arc<AtomicBool>) -> Played {
    let start = pair.turn().await;
    let (mut seat, mut version) = (start.seat, 2_u64);
    let mut moves = Vec::new();
    for ply in 0..26 {
        let (notation, decision, key) = (walk(ply), format!("{version}.{seat}"), format!("k{ply}"));
        let body = json!({"decision_id": decision, "notation": notation});
        let request = pair.players[seat].request(reqwest::Method::POST, &pair.path("/moves")).json(&body);
        let sent = request.header("idempotency-key", &key).send().await;
        let answer = match sent {
            Ok(response) if response.status() == 201 => response.json::<Value>().await.ok(),
            Ok(response) => panic!("{}", response.text().await.unwrap()),
            Err(_) => None,
        };
        let stopped = answer.is_none();
        moves.push((seat, decision, notation, key, answer));
        if stopped {
            assert!(gone.load(Ordering::SeqCst), "the server was gone before it was killed");
            break;
        }
        (seat, version) = (1 - seat, version + 1);
    }
    Played { pair, moves }
}

/// Kills the program while pairs play, starts it again, and looks whether each acknowledged move is there once.
async fn survives_kill(settings: &[String]) {
    const PAIRS: usize = 12;
    let program = Program::start(&borrowed(settings));
    let mut pairs = Vec::new();
    for _ in 0..PAIRS {
        let players = [program.guest("Ann").await, program.guest("Ben").await];
        pairs.push(Pair::of(players, json!({})).await);
    }
    let gone = Arc::new(AtomicBool::new(false));
    let first = pairs[0].players[0].clone();
    let watched = pairs[0].path("/events?wait=30&after=4.99");
    let watch = tokio::spawn(async move { drop(first.request(reqwest::Method::GET, &watched).send().await) });
    let playing: Vec<_> = pairs.into_iter().map(|pair| tokio::spawn(play_until_gone(pair, gone.clone()))).collect();
    // In the middle: when the first pair has made some moves.
    watch.await.unwrap();
    gone.store(true, Ordering::SeqCst);
    program.kill();
    let played: Vec<Played> = join_all(playing).await.into_iter().map(Result::unwrap).collect();

    let again = Program::start(&borrowed(settings));
    for Played { pair, moves } in played {
        let players = pair.players.clone().map(|player| player.at(again.base.clone()));
        let log = players[0].events(&pair.id).await;
        let versions: Vec<u64> = log.iter().map(|event| event["version"].as_u64().unwrap()).collect();
        assert!(versions.is_sorted() && versions.windows(2).all(|two| two[1] - two[0] <= 1), "the log has a hole");
        let acknowledged: Vec<&Value> = moves.iter().filter_map(|(.., answer)| answer.as_ref()).collect();
        let logged = kinds(&log).iter().filter(|kind| **kind == "move_made").count();
        assert!(logged == acknowledged.len() || logged == acknowledged.len() + 1, "{logged} {}", acknowledged.len());
        for answer in &acknowledged {
            for event in answer["events"].as_array().unwrap() {
                assert_eq!(log.iter().filter(|logged| *logged == event).count(), 1);
            }
        }
        // Repeated by key, each is answered as before, and the one in flight is made now if it was not then.
        for (seat, decision, notation, key, answer) in &moves {
            let repeated = players[*seat].play_keyed(&pair.id, decision, notation, key).await;
            assert_eq!(repeated.status, 201, "{}", repeated.text());
            if let Some(answer) = answer {
                assert_eq!((repeated.header("idempotent-replayed"), &repeated.json()), (Some("true"), answer));
            }
        }
        let version = players[0].read(&pair.id).await["match"]["version"].clone();
        assert_eq!(version, 2 + moves.len());
    }
    again.terminate();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_moves_survive_kill_on_the_embedded_store() {
    let dir = tempfile::tempdir().unwrap();
    survives_kill(&on_embedded(&dir)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_moves_survive_kill_on_redis() {
    let redis = tokio::task::block_in_place(|| Server::start(&["--maxmemory-policy", "noeviction"]));
    survives_kill(&on_redis(&redis)).await;
}

/// The topology of `deploy/compose.yaml`: each player at another process, and one process that dies on the way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_on_one_redis_serve_one_match() {
    let redis = tokio::task::block_in_place(|| Server::start(&["--maxmemory-policy", "noeviction"]));
    let settings = on_redis(&redis);
    let [dying, staying] = [Program::start(&borrowed(&settings)), Program::start(&borrowed(&settings))];
    let mut pair = Pair::of([dying.guest("Ann").await, staying.guest("Ben").await], json!({})).await;
    let mut dying = Some(dying);
    for (ply, notation) in WIN.iter().enumerate() {
        if ply == WIN.len() / 2 {
            dying.take().unwrap().kill();
            pair.players[0] = pair.players[0].at(staying.base.clone());
        }
        let turn = pair.turn().await;
        let (waiting, version) = (pair.players[1 - turn.seat].clone(), 2 + ply);
        let news = pair.path(&format!("/events?wait=30&after={version}.99"));
        let watch = tokio::spawn(async move { waiting.get(&news).await.ok() });
        let made = pair.players[turn.seat].play(&pair.id, &turn.decision, notation).await.ok();
        assert_eq!(watch.await.unwrap()["items"][0], made["events"][0], "told at the other process");
    }
    let [ann, ben] = [0, 1].map(|seat| pair.players[seat].clone());
    assert_eq!(ann.events(&pair.id).await, ben.events(&pair.id).await);
    assert_eq!(ben.read(&pair.id).await["match"]["status"], "finished");
    staying.terminate();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_finishes_what_is_in_flight_before_it_ends() {
    let dir = tempfile::tempdir().unwrap();
    let settings = on_embedded(&dir);
    let program = Program::start(&borrowed(&settings));
    let pair = Pair::of([program.guest("Ann").await, program.guest("Ben").await], json!({})).await;
    let turn = pair.turn().await;
    let actor = &pair.players[turn.seat];
    // A move whose body has not come in full when the order to end arrives.
    let body = json!({"decision_id": turn.decision, "notation": WIN[0]}).to_string();
    let head = format!(
        "POST {} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
         expect: 100-continue\r\ncontent-length: {}\r\n\r\n",
        pair.path("/moves"),
        actor.token.as_deref().unwrap(),
        body.len()
    );
    let address = program.base.trim_start_matches("http://").to_owned();
    let mut connection = TcpStream::connect(&address).unwrap();
    connection.set_read_timeout(Some(DEADLINE)).unwrap();
    connection.write_all(head.as_bytes()).unwrap();
    // The interim answer says that the request is being worked on.
    let mut interim = [0; 25];
    connection.read_exact(&mut interim).unwrap();
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
    program.ask_to_end();
    // It has heard the order once it takes no more connections: it ignores them, and then its listener is gone.
    let (start, listener) = (Instant::now(), address.parse().unwrap());
    while TcpStream::connect_timeout(&listener, Duration::from_millis(20)).is_ok() {
        assert!(start.elapsed() < DEADLINE, "it goes on listening");
        std::thread::sleep(Duration::from_millis(5));
    }
    connection.write_all(body.as_bytes()).unwrap();
    let mut answer = String::new();
    BufReader::new(&connection).read_line(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
    drop(connection);
    let (code, _) = program.terminate();
    assert_eq!(code, Some(0));
    let again = Program::start(&borrowed(&settings));
    let players = pair.players.map(|player| player.at(again.base.clone()));
    assert_eq!(players[0].read(&pair.id).await["match"]["version"], 3, "the token is still good and the move is there");
}

/// Neither one that sends its body slowly nor one that does not read what it has asked for.
#[test]
fn slow_clients_do_not_keep_it_beyond_the_grace_time() {
    let dir = tempfile::tempdir().unwrap();
    let settings = [on_embedded(&dir), vec!["--shutdown-grace-seconds".to_owned(), "1".to_owned()]].concat();
    let program = Program::start(&borrowed(&settings));
    let connect = || TcpStream::connect(program.base.trim_start_matches("http://")).unwrap();
    let mut sender = connect();
    let head = b"POST /v1/players HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n{";
    sender.write_all(head).unwrap();
    let mut reader = connect();
    for _ in 0..50 {
        reader.write_all(b"GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    }
    let mut begins = [0; 12];
    reader.read_exact(&mut begins).unwrap();
    assert_eq!(&begins, b"HTTP/1.1 200");
    assert_eq!(program.terminate().0, Some(0));
}

/// As many connections as it takes leave it enough file descriptors for everything else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_do_not_use_up_the_file_descriptors() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    let limited = r#"ulimit -n 200 && ulimit -Sn 100 && exec "$0" "$@""#;
    let mut command = Command::new("sh");
    command.args(["-c", limited, env!("CARGO_BIN_EXE_sarsen"), "--listen", "127.0.0.1:0", "--workers", "2"]);
    command.args(["--log", "debug", "--connections-per-address", "off"]).args(on_embedded(&dir));
    command.env_clear().env("PATH", "/usr/bin:/bin").stdin(Stdio::null()).stderr(File::create(&log).unwrap());
    let program = Program::spawn(&mut command);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", program.child.id())).unwrap();
    let files = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let figures: Vec<&str> = files.split_whitespace().skip(3).take(2).collect();
    assert_eq!(figures, ["200", "200"], "the soft limit is raised to the hard one");
    let ann = program.guest("Ann").await;
    let connections: Vec<TcpStream> =
        (0..300).map(|_| TcpStream::connect(program.base.trim_start_matches("http://")).unwrap()).collect();
    // Whoever waits behind them is served when they have gone, if not before.
    let made = tokio::spawn(async move { ann.create(json!({})).await });
    std::thread::sleep(Duration::from_millis(300));
    drop(connections);
    assert_eq!(made.await.unwrap()["match"]["status"], "open");
    assert_eq!(program.terminate().0, Some(0));
    let log = std::fs::read_to_string(&log).unwrap();
    assert!(!log.contains("os error 24") && !log.contains("Too many open files"), "{log}");
    assert!(log.contains("few file descriptors"), "{log}");
}

#[test]
fn an_idle_connection_does_not_keep_it_from_ending() {
    let dir = tempfile::tempdir().unwrap();
    let program = Program::start(&borrowed(&on_embedded(&dir)));
    let mut idle = TcpStream::connect(program.base.trim_start_matches("http://")).unwrap();
    idle.set_read_timeout(Some(DEADLINE)).unwrap();
    idle.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    let mut answer = String::new();
    BufReader::new(&idle).read_line(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(program.terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_says_where_it_serves_and_keeps_its_secrets_to_its_owner() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let program = Program::start(&borrowed(&on_embedded(&dir)));
    let nobody = Client::new(http_client(), program.base.clone());
    nobody.get("/healthz").await.ok();
    nobody.get("/readyz").await.ok();
    let data = dir.path().join("data");
    for entry in std::fs::read_dir(&data).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o077, 0, "{:?}", entry.path());
    }
    let base = program.base.clone();
    let (code, output) = program.terminate();
    assert_eq!(code, Some(0));
    assert!(output.contains(&format!("{base}/docs")) && output.contains(text(&data)), "{output}");
}

#[test]
fn wrong_settings_are_refused_with_a_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let data = ["--data-dir", text(dir.path())];
    let cases: [(&[&str], &str); 9] = [
        (&["--store", "redis"], "token-keys"),
        (&["--store", "paper"], "--store"),
        (&["--token-keys", "k:c2hvcnQ"], "token-keys"),
        (&["--listen", "here"], "--listen"),
        (&["--writes-per-minute", "many"], "writes-per-minute"),
        (&["--cors-origins", "example.org"], "cors-origins"),
        (&["--body-limit-bytes", "0"], "--body-limit-bytes"),
        (&["--redis-timeout-milliseconds", "0"], "--redis-timeout-milliseconds"),
        (&["--no-such-setting"], "--no-such-setting"),
    ];
    for (settings, named) in cases {
        let output = bare().args(data).args(settings).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{settings:?}: {error}");
        assert!(error.starts_with("error: ") && error.contains(named), "{settings:?}: {error}");
        assert!(!error.contains("c2hvcnQ"), "{error}");
    }
}

#[tokio::test]
async fn a_token_for_operators_is_made_while_the_service_runs() {
    let dir = tempfile::tempdir().unwrap();
    let settings = on_embedded(&dir);
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let made = |more: &[&str]| bare().args(["admin", "token"]).args(&settings).args(more).output().unwrap();
    let early = made(&["--scopes", "admin:read"]);
    assert!(!early.status.success() && early.stdout.is_empty(), "{early:?}");
    assert!(String::from_utf8_lossy(&early.stderr).contains("--token-keys"), "{early:?}");
    assert!(!dir.path().join("data").exists(), "it makes no keys of its own");

    let program = Program::start(&settings);
    let token = made(&["--scopes", "admin:read,admin:operate", "--label", "night shift"]);
    assert!(token.status.success(), "{token:?}");
    let (token, told) = (String::from_utf8(token.stdout).unwrap(), String::from_utf8(token.stderr).unwrap());
    let operator = Client::new(http_client(), program.base.clone()).with_token(token.trim());
    let audit = operator.get("/v1/admin/audit").await.ok();
    assert_eq!(audit["items"][0]["label"], "night shift");
    assert!(told.contains(audit["items"][0]["token_id"].as_str().unwrap()), "{told}");
    for wrong in [
        &["--scopes", "admin:everything"][..],
        &["--scopes", ""],
        &[],
        &["--scopes", "admin:read", "--expires-in-hours", "721"],
        &["--scopes", "admin:read", "--expires-in-hours", "0"],
        &["--scopes", "admin:read", "--label", "a  b"],
        &["--scopes", "admin:read", "--token-keys", "k:short"],
    ] {
        let refused = made(wrong);
        assert_eq!((refused.status.code(), refused.stdout.len()), (Some(2), 0), "{wrong:?}");
        assert!(!refused.stderr.is_empty() && !String::from_utf8_lossy(&refused.stderr).contains("short"), "{wrong:?}");
    }
}

/// The answer to a deletion promises all that follows from it, whatever becomes of the process: a look that it had begun
/// when it died is begun again once its lease of 20 seconds is over.
#[tokio::test]
async fn a_player_who_leaves_is_seen_off_by_whoever_starts_next() {
    let dir = tempfile::tempdir().unwrap();
    let settings = on_embedded(&dir);
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let program = Program::start(&settings);
    let (ann, ben) = (program.guest("Ann").await, program.guest("Ben").await);
    let mut pairs = Vec::new();
    for _ in 0..20 {
        pairs.push(Pair::of([ann.clone(), ben.clone()], json!({})).await);
    }
    ann.call("DELETE", &format!("/v1/me?confirm={}", ann.id)).await.ok();
    program.kill();

    let program = Program::start(&settings);
    let ben = ben.at(program.base.clone());
    ann.at(program.base.clone()).get("/v1/me").await.refused(401, "token_revoked");
    let start = Instant::now();
    for pair in pairs {
        let status = async || ben.read(&pair.id).await["match"]["status"].clone();
        while status().await != "finished" {
            assert!(start.elapsed() < Duration::from_secs(20) + DEADLINE, "{} goes on", pair.id);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let seen = ben.read(&pair.id).await;
        assert_eq!(seen["match"]["outcome"]["ending"], "resignation");
        assert_eq!(seen["match"]["seats"][0]["player"]["name"], "deleted player");
    }
}

#[test]
fn two_processes_cannot_share_a_data_directory() {
    let dir = tempfile::tempdir().unwrap();
    let settings = on_embedded(&dir);
    let _first = Program::start(&borrowed(&settings));
    let second = run(&borrowed(&settings));
    let error = String::from_utf8(second.stderr).unwrap();
    assert_eq!(second.status.code(), Some(1), "{error}");
    assert!(error.contains("in use") || error.contains("another process"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_is_verified_offline() {
    let dir = tempfile::tempdir().unwrap();
    let program = Program::start(&borrowed(&on_embedded(&dir)));
    let pair = Pair::of([program.guest("Ann").await, program.guest("Ben").await], json!({})).await;
    pair.play_all(&WIN).await;
    let record = pair.players[0].get(&pair.path("/record")).await.ok();
    program.kill();
    let verify = |record: &str| {
        let file = dir.path().join("record.json");
        std::fs::write(&file, record).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_sarsen")).arg("verify").arg(&file).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, said, _) = verify(&record.to_string());
    assert!(code == Some(0) && said.contains(&pair.id) && said.contains("agree"), "{said}");
    let last = said.lines().last().unwrap();
    assert!(last.starts_with("Not checked") && last.contains("the moments of the steps"), "{last}");
    let changes: [(&str, Value, &str); 5] = [
        ("/seed", json!("0".repeat(64)), "commitment"),
        ("/commitment", json!("0".repeat(64)), "commitment"),
        ("/outcome/ending", json!("repetition"), "result"),
        ("/steps/4/move/to", json!("30c"), "step 5"),
        ("/steps/3/seat", record["steps"][2]["seat"].clone(), "step 4"),
    ];
    for (pointer, value, named) in changes {
        let mut tampered = record.clone();
        *tampered.pointer_mut(pointer).unwrap() = value;
        let (code, _, error) = verify(&tampered.to_string());
        assert!(code == Some(1) && error.contains(named), "{pointer}: {code:?} {error}");
    }
    for pointer in ["", "/outcome", "/created_by", "/steps/0/player"] {
        let mut besides = record.clone();
        let Some(within) = besides.pointer_mut(pointer) else { continue };
        within["besides"] = json!(1);
        let (code, _, error) = verify(&besides.to_string());
        assert!(code == Some(1) && error.contains("besides"), "{pointer}: {code:?} {error}");
    }
    // What this release does not know is neither right nor wrong.
    for (pointer, value) in
        [("/game", json!("chess")), ("/rules_version", json!(99)), ("/format", json!("sarsen/record/9"))]
    {
        let mut newer = record.clone();
        *newer.pointer_mut(pointer).unwrap() = value;
        let (code, _, said) = verify(&newer.to_string());
        assert!(code == Some(3) && said.starts_with("not checked: "), "{pointer}: {code:?} {said}");
    }
    for nonsense in ["", "{", "[]", "{}", "null"] {
        let (code, _, error) = verify(nonsense);
        assert!(code == Some(1) && error.starts_with("error: "), "{nonsense}: {error}");
    }
    let missing = Command::new(env!("CARGO_BIN_EXE_sarsen")).args(["verify", "/no/such/record"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(1));
}
