//! The proxy in front of two instances, run as it is configured but for addresses, files and one deadline.
//!
//! It needs nginx, which `tests/run.sh` installs.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use sarsen::ambient::Ambient;
use sarsen::auth::SigningKeys;
use sarsen::http::settings::ServerConfig;
use serde_json::Value;
use tempfile::TempDir;
use test_kit::redis_server::{Server, free_port};
use tokio::time::Instant;

use crate::deploy::files::{deploy, read};

/// Killed when dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

struct Proxy {
    port: u16,
    _nginx: Process,
    dir: TempDir,
}

impl Proxy {
    /// Starts nginx in one process, with both instances at one port.
    fn before(instance: u16) -> Proxy {
        Proxy::before_both([instance, instance])
    }

    fn before_both(instances: [u16; 2]) -> Proxy {
        let dir = tempfile::tempdir().unwrap();
        let port = free_port();
        let changes = [
            ("listen 8080", format!("listen 127.0.0.1:{port}")),
            ("sarsen-1:8080", format!("127.0.0.1:{}", instances[0])),
            ("sarsen-2:8080", format!("127.0.0.1:{}", instances[1])),
            ("/var/log/nginx", dir.path().display().to_string()),
            ("proxy_read_timeout 75s", "proxy_read_timeout 1s".to_owned()),
            ("http {", format!("http {{\n{}", temporary_files(&dir))),
        ];
        let mut text = read(&deploy("nginx.conf"));
        for (of, to) in changes {
            assert!(text.contains(of), "{of}");
            text = text.replacen(of, &to, 1);
        }
        fs::write(dir.path().join("nginx.conf"), text).unwrap();
        let directives = format!("daemon off; master_process off; error_log stderr; pid {}/pid;", dir.path().display());
        let start = |program: &str| {
            let mut command = Command::new(program);
            command.arg("-p").arg(dir.path()).arg("-c").arg(dir.path().join("nginx.conf")).args(["-g", &directives]);
            command.stderr(fs::File::create(dir.path().join("stderr")).unwrap()).spawn()
        };
        // Debian keeps it where only the administrator's path looks.
        let nginx = start("nginx").or_else(|_| start("/usr/sbin/nginx"));
        let mut nginx = Process(nginx.expect("nginx starts; `tests/run.sh` installs it as nginx-light"));
        let deadline = Instant::now() + Duration::from_secs(10);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let has_ended = nginx.0.try_wait().unwrap().is_some();
            assert!(!has_ended && Instant::now() < deadline, "{}", read(&dir.path().join("stderr")));
            thread::sleep(Duration::from_millis(10));
        }
        Proxy { port, _nginx: nginx, dir }
    }

    /// Sends bytes as they are.
    fn send(&self, request: &str) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        BufReader::new(stream)
    }

    /// The status, the lower-case headers and the body of an answer with a length.
    fn answer(&self, request: &str) -> (u16, String, String) {
        let mut answer = self.send(request);
        let head = head(&mut answer);
        let header = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let mut body = vec![0; header("content-length").unwrap().parse().unwrap()];
        answer.read_exact(&mut body).unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), head, String::from_utf8(body).unwrap())
    }

    /// The code of a problem, all of whose members fit each other and the document.
    fn problem(&self, request: &str) -> (u16, String) {
        let (status, head, body) = self.answer(request);
        assert!(head.contains("content-type: application/problem+json"), "{head}\n{body}");
        let problem: Value = serde_json::from_str(&body).unwrap();
        let code = problem["code"].as_str().unwrap().to_owned();
        assert_eq!(problem["status"], status, "{body}");
        assert!(!problem["detail"].as_str().unwrap().is_empty(), "{body}");
        let document: Value = serde_json::from_str(include_str!("../../openapi/openapi.json")).unwrap();
        let known = document["components"]["schemas"]["ProblemCode"]["description"].as_str().unwrap();
        if known.contains(&format!("- `{code}`: ")) {
            let title = problem["title"].as_str().unwrap();
            assert!(known.contains(&format!("- `{code}`: {title}.")), "{body}");
            assert_eq!(problem["type"], format!("/problems/{code}"), "{body}");
        } else {
            assert_eq!(problem["type"], "about:blank", "{body}");
        }
        (status, code)
    }
}

fn temporary_files(dir: &TempDir) -> String {
    let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    kinds.map(|kind| format!("{kind}_temp_path {}/{kind};\n", dir.path().display())).concat()
}

/// The lines up to the empty one, in lower case.
fn head(from: &mut impl BufRead) -> String {
    let mut head = String::new();
    while from.read_line(&mut head).unwrap() > 2 {}
    head.to_lowercase()
}

/// An instance that never answers, but for a heartbeat on streams, and answers with what it was sent under `/echo`.
fn instance() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            thread::spawn(move || {
                let mut stream = BufReader::new(stream);
                let head = head(&mut stream);
                let answer = match head.split(' ').nth(1) {
                    Some("/stream") => "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: \n\n".to_owned(),
                    Some("/echo") => format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{head}", head.len()),
                    _ => String::new(),
                };
                stream.get_mut().write_all(answer.as_bytes()).ok();
                thread::sleep(Duration::from_secs(5));
            });
        }
    });
    port
}

#[test]
fn answers_of_the_proxy_are_problems() {
    let proxy = Proxy::before(instance());
    let long = "a".repeat(40_000);
    for unreadable in [
        "GARBAGE\r\n\r\n".to_owned(),
        "GET /echo HTTP/1.1\r\n\r\n".to_owned(),
        format!("GET /{long} HTTP/1.1\r\nHost: a\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nHost: a\r\nX: {long}\r\n\r\n"),
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n".to_owned(),
    ] {
        assert_eq!(proxy.problem(&unreadable), (400, "bad_request".to_owned()), "{unreadable:.60}");
    }
    let large = "POST /v1/players HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n";
    assert_eq!(proxy.problem(large), (413, "payload_too_large".to_owned()));
    let trace = "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n";
    assert_eq!(proxy.problem(trace), (405, "method_not_allowed".to_owned()));
    for hidden in ["/metrics", "/proxy/bad_request"] {
        let request = format!("GET {hidden} HTTP/1.1\r\nHost: a\r\n\r\n");
        assert_eq!(proxy.problem(&request), (404, "not_found".to_owned()), "{hidden}");
    }
    let slow = "POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n";
    assert_eq!(proxy.problem(slow), (504, "gateway_timeout".to_owned()));

    let alone = Proxy::before(free_port());
    assert_eq!(alone.problem("GET / HTTP/1.1\r\nHost: a\r\n\r\n"), (502, "bad_gateway".to_owned()));
    assert!(alone.answer("GET / HTTP/1.1\r\nHost: a\r\n\r\n").1.contains("\r\nretry-after: 2\r\n"));
}

#[test]
fn the_log_of_the_proxy_has_no_code_of_an_invite() {
    let proxy = Proxy::before(free_port());
    for path in ["/v1/invites/7k2mq9xw4tbz", "/v1/invit%65s/7k2mq9xw4tbz/join?a=7k2mq9xw4tbz", "/last"] {
        proxy.problem(&format!("POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"));
    }
    // A request is logged a moment after its answer.
    let deadline = Instant::now() + Duration::from_secs(10);
    let mut log = String::new();
    while !log.contains("POST /last") && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(10));
        log = read(&proxy.dir.path().join("access.log"));
    }
    assert_eq!((log.matches("POST /v1/invites/\"").count(), log.lines().count()), (2, 3), "{log}");
    assert!(!log.contains("7k2mq9xw4tbz"), "{log}");
}

#[test]
fn hosts_and_streams_pass_the_proxy() {
    let proxy = Proxy::before(instance());
    let (_, _, sent) = proxy.answer("GET /echo HTTP/1.1\r\nHost: example.org:99\r\n\r\n");
    assert!(sent.contains("\r\nhost: example.org:99\r\n"), "{sent}");
    let mut stream = proxy.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n");
    assert!(head(&mut stream).contains("text/event-stream"));
    // The instance has not ended the answer, and the deadline for its next byte is a second.
    let mut heartbeat = [0; 3];
    let chunk = stream.read_line(&mut String::new());
    chunk.and_then(|_| stream.read_exact(&mut heartbeat)).unwrap();
    assert_eq!(&heartbeat, b": \n");
}

/// Starts the program with these settings; answers its port, too.
fn service(settings: &[&str]) -> (Process, u16) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sarsen"));
    command.args(["--listen", "127.0.0.1:0"]).args(settings);
    let service = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut service = Process(service);
    let mut line = String::new();
    BufReader::new(service.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let port = line.trim_end().rsplit_once(':').unwrap().1.parse().unwrap();
    (service, port)
}

#[test]
fn the_service_answers_http_1_0_without_a_host() {
    let dir = tempfile::tempdir().unwrap();
    let (_service, port) = service(&["--data-dir", dir.path().join("data").to_str().unwrap()]);
    let proxy = Proxy::before(port);
    assert_eq!(proxy.answer("GET /healthz HTTP/1.0\r\n\r\n").0, 200);
}

/// Issue 31.27: no change that is asked of the proxy while an instance is stopped is answered 502.
#[test]
fn an_instance_is_stopped_behind_the_proxy_and_no_request_fails() {
    let redis = Server::start(&["--maxmemory-policy", "noeviction"]);
    let (url, keys) = (redis.url(), SigningKeys::new_key_text(&Ambient::system()));
    let shared = ["--store", "redis", "--redis-url", &url, "--token-keys", &keys, "--guests-per-minute", "off"];
    let (mut stopped, first) = service(&[&shared[..], &["--shutdown-delay-seconds", "2"]].concat());
    let (_stays, second) = service(&shared);
    let proxy = Proxy::before_both([first, second]);
    let (body, is_over) = (r#"{"name":"Ann"}"#, AtomicBool::new(false));
    let head = "POST /v1/players HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length";
    let post = || {
        let mut statuses = Vec::new();
        while !is_over.load(Ordering::Relaxed) {
            statuses.push(proxy.answer(&format!("{head}: {}\r\n\r\n{body}", body.len())).0);
        }
        statuses
    };
    let statuses: Vec<u16> = thread::scope(|scope| {
        let posting: Vec<_> = (0..4).map(|_| scope.spawn(post)).collect();
        thread::sleep(Duration::from_millis(500));
        let told = Command::new("kill").args(["-TERM", &stopped.0.id().to_string()]).status().unwrap();
        assert!(told.success() && stopped.0.wait().unwrap().success());
        thread::sleep(Duration::from_millis(500));
        is_over.store(true, Ordering::Relaxed);
        posting.into_iter().flat_map(|posting| posting.join().unwrap()).collect()
    });
    let failed: Vec<&u16> = statuses.iter().filter(|status| **status != 201).collect();
    assert!(statuses.len() > 100 && failed.is_empty(), "{failed:?} of {}", statuses.len());
}

#[test]
fn the_proxy_closes_idle_connections_before_the_instances_do() {
    let text = read(&deploy("nginx.conf"));
    let upstream = text.split_once("upstream sarsen {").unwrap().1.split_once('}').unwrap().0;
    let kept: u64 = upstream.split_once("keepalive_timeout ").unwrap().1.split_once("s;").unwrap().0.parse().unwrap();
    assert!(kept < ServerConfig::DEFAULT_KEEP_ALIVE.as_secs(), "{kept}");
}
