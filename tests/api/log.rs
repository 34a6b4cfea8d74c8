//! Lines of the log about a request that is refused: what and where, and nothing that the client sent.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use tempfile::TempDir;

use crate::process::{Program, bare, borrowed, on_embedded, text};
use crate::tables::Pair;
use crate::world::DEADLINE;

/// A word that is in everything that is sent here, and nowhere else.
const MARKER: &str = "kestrel7";
/// An access token that is none; its claims are the marker in base64.
const TOKEN: &str = "eyJhbGciOiJIUzI1NiIsImtpZCI6ImsxIn0.a2VzdHJlbDc.a2VzdHJlbDc";

/// A program whose log, all of it down to debug lines, goes to a file.
fn logging(dir: &TempDir, settings: &[&str]) -> Program {
    let log = File::create(dir.path().join("log")).unwrap();
    let usual = on_embedded(dir);
    Program::logging(&[&borrowed(&usual)[..], settings].concat(), log)
}

/// Ends the program and returns its log.
fn read_log(dir: &TempDir, program: Program) -> String {
    assert_eq!(program.terminate().0, Some(0));
    fs::read_to_string(dir.path().join("log")).unwrap()
}

/// Only refusals happened: nobody has to be warned of them.
fn assert_quiet(log: &str) {
    let loud: Vec<&str> = log.lines().filter(|line| line.contains("WARN") || line.contains("ERROR")).collect();
    assert!(loud.is_empty(), "{loud:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refusal_repeats_nothing_of_the_request() {
    let dir = tempfile::tempdir().unwrap();
    let program = logging(&dir, &[]);
    let pair = Pair::of([program.guest("Ann").await, program.guest("Ben").await], json!({})).await;
    let ann = &pair.players[0];
    let nobody = ann.without_token();

    for token in [MARKER, TOKEN] {
        nobody.with_token(token).get("/v1/me").await.refused(401, "token_invalid");
    }
    nobody.post("/v1/tokens/refresh", json!({"refresh_token": MARKER})).await.refused(401, "refresh_token_invalid");
    nobody.get(&format!("/v1/me/events?ticket={MARKER}")).await.refused(401, "ticket_invalid");

    let raw = |body: String| {
        nobody.request(Method::POST, "/v1/players").header("content-type", "application/json").body(body)
    };
    nobody.send(raw(format!("{{\"name\": {MARKER}"))).await.refused(400, "malformed_json");
    nobody.send(raw(format!("{{\"{MARKER}\": 1}}"))).await.refused(400, "invalid_request");
    nobody.send(raw(format!("{{\"name\": {{\"{MARKER}\": 1}}}}"))).await.refused(400, "invalid_request");
    nobody.post("/v1/players", json!({"name": format!("{MARKER}\u{0}")})).await.refused(422, "invalid_name");
    let typed = nobody.request(Method::POST, "/v1/players").header("content-type", format!("text/{MARKER}")).body("{}");
    nobody.send(typed).await.refused(415, "unsupported_media_type");

    nobody.get(&format!("/v1/matches?status={MARKER}")).await.refused(400, "invalid_parameter");
    nobody.get(&format!("/v1/matches?{MARKER}=1")).await.refused(400, "invalid_parameter");
    nobody.get(&format!("/v1/games?{MARKER}=1")).await.refused(400, "invalid_parameter");
    let hidden = "/v1/matches/m_0190163d8694739ea2a3c9f1e7d1a111";
    nobody.get(&format!("{hidden}?invite={MARKER}")).await.refused(404, "wrong_invite");
    let after = nobody.request(Method::GET, &pair.path("/events")).header("last-event-id", MARKER);
    nobody.send(after).await.refused(400, "invalid_parameter");

    let decision = pair.turn().await.decision;
    let mover = &pair.players[pair.turn().await.seat];
    let moves = pair.path("/moves");
    let play = |body| mover.post(&moves, body);
    play(json!({"decision_id": MARKER, "notation": "2c-2d"})).await.refused(400, "invalid_request");
    play(json!({"decision_id": decision, "notation": MARKER})).await.refused(422, "malformed_move");
    play(json!({"decision_id": decision, "move": {"type": MARKER}})).await.refused(422, "malformed_move");
    let made = json!({"game": "contiguity", "options": {MARKER: 1}});
    mover.post("/v1/matches", made).await.refused(422, "invalid_options");

    let log = read_log(&dir, program);
    assert_quiet(&log);
    for sent in [MARKER, TOKEN, "a2VzdHJlbDc"] {
        let told: Vec<&str> = log.lines().filter(|line| line.contains(sent)).collect();
        assert!(told.is_empty(), "{told:#?}");
    }
    for (code, operation) in [
        ("token_invalid", "getMe"),
        ("refresh_token_invalid", "refreshTokens"),
        ("malformed_json", "createPlayer"),
        ("invalid_parameter", "listMatches"),
        ("malformed_move", "makeMove"),
    ] {
        let told = |line: &str| line.contains("refused") && line.contains(code) && line.contains(operation);
        assert!(log.lines().any(told), "{code} of {operation} is not in the log:\n{log}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_speaks_no_http_warns_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let program = logging(&dir, &[]);
    let address = program.base.trim_start_matches("http://").to_owned();
    for sent in
        [&b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"[..], b"SSH-2.0-x\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n"]
    {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        stream.write_all(sent).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    }
    program.guest("Ann").await;
    assert_quiet(&read_log(&dir, program));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_request_logs_stands_under_its_id() {
    let dir = tempfile::tempdir().unwrap();
    let program = logging(&dir, &[]);
    let nobody = program.guest("Ann").await.without_token();
    let sent = nobody.get_with("/v1/me", "x-request-id", "trace-17").await;
    let made = nobody.get("/v1/me").await;
    let ids = [&sent, &made].map(|answer| answer.header("x-request-id").unwrap().to_owned());
    assert_eq!(ids[0], "trace-17");
    let log = read_log(&dir, program);
    for id in ids {
        for said in ["refused", "answered"] {
            let told = |line: &str| line.contains(&id) && line.contains("path=\"/v1/me\"") && line.contains(said);
            assert!(log.lines().any(told), "{said} under {id} is not in the log:\n{log}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_operators_do_is_logged_without_names_and_reasons() {
    let dir = tempfile::tempdir().unwrap();
    let program = logging(&dir, &[]);
    let (ann, ben) = (program.guest(MARKER).await, program.guest("Ben").await);
    let pair = Pair::of([ann.clone(), ben.clone()], json!({})).await;
    let data = dir.path().join("data");
    let made =
        bare().args(["admin", "token", "--scopes", "admin:read,admin:moderate", "--data-dir", text(&data)]).output();
    let token = String::from_utf8(made.unwrap().stdout).unwrap();
    let operator = ann.with_token(token.trim());
    let file = format!("/v1/admin/players/{}", ann.id);
    operator.get(&file).await.ok();
    let name = json!({"name": format!("{MARKER} 2"), "reason": MARKER});
    operator.send(operator.request(Method::PATCH, &file).json(&name)).await.ok();
    operator.put(&format!("{file}/ban"), json!({"until": null, "from": "play", "reason": MARKER})).await.ok();
    operator.call("DELETE", &format!("{file}/ban?reason={MARKER}")).await.ok();
    operator.post(&format!("/v1/admin/matches/{}/abort", pair.id), json!({"reason": MARKER})).await.ok();
    operator.call("DELETE", &format!("{file}?confirm={}&reason={MARKER}", ann.id)).await.ok();
    let log = read_log(&dir, program);
    assert_quiet(&log);
    for sent in [MARKER, token.trim()] {
        let told: Vec<&str> = log.lines().filter(|line| line.contains(sent)).collect();
        assert!(told.is_empty(), "{told:#?}");
    }
    let told = |line: &str| line.contains("an operator acts") && line.contains("banPlayer") && line.contains(&ann.id);
    assert!(log.lines().any(told), "{log}");
}

/// Issue 31.30: whoever is refused for want of room causes no line that wakes an operator.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_finds_no_room_alarms_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let program = logging(&dir, &["--bot-threads", "0"]);
    let ann = program.guest("Ann").await;
    let made = ann.post("/v1/matches", json!({"game": "thief_of_the_sacred_fire"})).await.ok();
    let hint = format!("/v1/matches/{}/hint", made["match"]["id"].as_str().unwrap());
    ann.post(&hint, json!({"level": "hard"})).await.refused(503, "busy");
    let log = read_log(&dir, program);
    assert_quiet(&log);
    assert!(log.lines().any(|line| line.contains("busy") && line.contains("getHint")), "{log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_comes_too_slowly_is_the_clients_fault_and_ends_the_connection() {
    let dir = tempfile::tempdir().unwrap();
    let program = logging(&dir, &["--request-timeout-seconds", "1"]);
    let mut connection = TcpStream::connect(program.base.trim_start_matches("http://")).unwrap();
    connection.set_read_timeout(Some(DEADLINE)).unwrap();
    let head = "POST /v1/players HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n";
    connection.write_all(head.as_bytes()).unwrap();
    // Something comes now and then, but never all of it.
    let mut drip = connection.try_clone().unwrap();
    std::thread::spawn(move || {
        for byte in br#"{"name":"R"# {
            if drip.write_all(&[*byte]).is_err() {
                return;
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    });
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.contains(r#""code":"body_too_slow""#), "{answer}");
    assert!(answer.to_lowercase().contains("connection: close"), "{answer}");

    let log = read_log(&dir, program);
    assert_quiet(&log);
    assert!(log.lines().any(|line| line.contains("body_too_slow") && line.contains("createPlayer")), "{log}");
}
