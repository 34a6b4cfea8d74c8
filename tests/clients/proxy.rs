//! A bad line: forwards to a server, and now and then refuses, loses an answer after the server has acted, or cuts a
//! stream in the middle of a line. It also tells what no release has: a type of event, a type of move, a problem code, and
//! properties.
//!
//! Invariant: nobody is unlucky for ever. A request is spoilt twice in a row at most; clients try three times again.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::web::{Bytes, Data};
use actix_web::{App, HttpRequest, HttpResponse, HttpResponseBuilder, HttpServer, dev::ServerHandle, rt::System, web};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::stream;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::UNKNOWN_CODE;

/// The counts of what was done.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Answered with 429 or 503 instead of being forwarded.
    pub refused: u32,
    /// Forwarded, and the answer lost in the middle.
    pub lost: u32,
    /// Streams that were cut.
    pub cut: u32,
    /// Tokens that were said to have expired.
    pub expired: u32,
    /// Refreshes of tokens whose answers came through.
    pub refreshed: u32,
}

#[derive(Default)]
struct Line {
    server: String,
    /// True if it spoils nothing, and only tells what nobody knows.
    is_calm: bool,
    requests: AtomicU32,
    streams: AtomicU32,
    told: Mutex<Told>,
    /// The number of times in a row that each request was spoilt.
    spoilt: Mutex<HashMap<String, u32>>,
    /// The number of times that each token was seen, and whether it was said to have expired.
    tokens: Mutex<HashMap<String, (u32, bool, Instant)>>,
}

/// The fate of a request.
enum Fate {
    Forwarded,
    Refused(u16),
    Lost,
    Expired,
}

/// Stopped when dropped.
pub struct Proxy {
    pub base: String,
    line: Arc<Line>,
    handle: ServerHandle,
    thread: Option<JoinHandle<()>>,
}

impl Proxy {
    pub fn start(server: &str) -> Proxy {
        Proxy::over(Line { server: server.to_owned(), ..Line::default() })
    }

    /// One that spoils nothing: for clients that do not try again.
    pub fn calm(server: &str) -> Proxy {
        Proxy::over(Line { server: server.to_owned(), is_calm: true, ..Line::default() })
    }

    fn over(line: Line) -> Proxy {
        let line = Arc::new(line);
        let (send, receive) = mpsc::channel();
        let shared = Data::from(Arc::clone(&line));
        let thread = std::thread::spawn(move || {
            let running = async move {
                // A connection for each request: one that is kept may be closed just as it is used again.
                let http = reqwest::Client::builder().pool_max_idle_per_host(0).build().unwrap();
                let app = move || {
                    let (line, http) = (shared.clone(), Data::new(http.clone()));
                    App::new().app_data(line).app_data(http).default_service(web::to(forward))
                };
                let server = HttpServer::new(app)
                    .workers(1)
                    .keep_alive(Duration::from_secs(75))
                    .disable_signals()
                    .bind("127.0.0.1:0")
                    .unwrap();
                let addr = server.addrs()[0];
                let server = server.run();
                send.send((addr, server.handle())).unwrap();
                server.await.unwrap();
            };
            System::new().block_on(running);
        });
        let (addr, handle) = receive.recv().unwrap();
        Proxy { base: format!("http://{addr}"), line, handle, thread: Some(thread) }
    }

    pub fn told(&self) -> Told {
        self.line.told.lock().unwrap().clone()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // The order is given here, and carried out by the thread.
        drop(self.handle.stop(false));
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}

impl Line {
    fn fate(&self, key: &str, token: Option<&str>) -> Fate {
        if self.is_calm {
            return Fate::Forwarded;
        }
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        if token.is_some_and(|token| !is_program(token) && self.has_expired(token, matches!(number % 23, 8 | 20))) {
            return Fate::Expired;
        }
        let mut spoilt = self.spoilt.lock().unwrap();
        let row = spoilt.entry(key.to_owned()).or_default();
        let fate = match number % 23 {
            5 => Fate::Refused(429),
            11 => Fate::Refused(503),
            2 | 17 => Fate::Lost,
            _ => Fate::Forwarded,
        };
        *row = if *row == 2 || matches!(fate, Fate::Forwarded) { 0 } else { *row + 1 };
        if *row == 0 { Fate::Forwarded } else { fate }
    }

    /// Returns true if a token has expired, or does now. One that is new does not, since a client renews its token once
    /// for a request.
    fn has_expired(&self, token: &str, now: bool) -> bool {
        let mut tokens = self.tokens.lock().unwrap();
        let (seen, expired, since) = tokens.entry(token.to_owned()).or_insert_with(|| (0, false, Instant::now()));
        *seen += 1;
        // Two tokens of one second are the same: one that has ended must not be given again as a new one.
        if !*expired && now && *seen > 15 && since.elapsed() > Duration::from_secs(2) {
            *expired = true;
            self.count(|told| told.expired += 1);
        }
        *expired
    }

    fn count(&self, add: impl FnOnce(&mut Told)) {
        add(&mut self.told.lock().unwrap());
    }
}

async fn forward(request: HttpRequest, body: Bytes, line: Data<Line>, http: Data<reqwest::Client>) -> HttpResponse {
    let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let (token, key) = (header("authorization"), header("idempotency-key"));
    let uri = request.uri().to_string();
    let fate = line.fate(&format!("{} {uri} {} {key:?}", request.method(), player(token)), token);
    match fate {
        Fate::Refused(status) => {
            line.count(|told| told.refused += 1);
            let after = if line.told.lock().unwrap().refused < 3 { "1" } else { "0" };
            return problem(status, UNKNOWN_CODE, Some(after));
        }
        Fate::Expired => return problem(401, "token_expired", None),
        Fate::Forwarded | Fate::Lost => {}
    }
    let method = reqwest::Method::from_bytes(request.method().as_str().as_bytes()).unwrap();
    let forwarded =
        http.request(method, format!("{}{uri}", line.server)).headers(headers(request.headers())).body(body);
    let answer = forwarded.send().await.unwrap();
    if uri == "/v1/tokens/refresh" && answer.status().is_success() && matches!(fate, Fate::Forwarded) {
        line.count(|told| told.refreshed += 1);
    }
    let mut response = HttpResponse::build(StatusCode::from_u16(answer.status().as_u16()).unwrap());
    for name in ["content-type", "retry-after", "etag", "idempotent-replayed"] {
        if let Some(value) = answer.headers().get(name) {
            response.insert_header((name, value.to_str().unwrap()));
        }
    }
    let kind = answer.headers().get("content-type").and_then(|it| it.to_str().ok()).unwrap_or_default().to_owned();
    if kind.starts_with("text/event-stream") {
        return streamed(&line, &mut response, answer);
    }
    let whole = told(&kind, answer.bytes().await.unwrap());
    if matches!(fate, Fate::Lost) && whole.len() > 1 {
        line.count(|told| told.lost += 1);
        let half = Bytes::copy_from_slice(&whole[..whole.len() / 2]);
        return response.streaming(stream::iter([Ok(half), Err(io::Error::other("the line is bad"))]));
    }
    response.body(whole)
}

/// The stream, with another type for one event and one more move; three of four such connections end in the middle of a line.
fn streamed(line: &Data<Line>, response: &mut HttpResponseBuilder, answer: reqwest::Response) -> HttpResponse {
    let lefts = if line.is_calm { [u32::MAX; 4] } else { [10, 40, 200, u32::MAX] };
    let left = lefts[line.streams.fetch_add(1, Ordering::Relaxed) as usize % 4];
    let start = (Some(answer), Vec::new(), left, line.clone());
    response.streaming(stream::unfold(start, |(answer, mut rest, left, line)| async move {
        let mut answer = answer?;
        loop {
            if let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                if left == 0 && end > 8 {
                    line.count(|told| told.cut += 1);
                    return Some((Err(io::Error::other("the line is cut")), (None, rest, 0, line)));
                }
                // An empty chunk would end the answer as if it were whole.
                let upto = if left == 1 && end > 1 { end / 2 } else { end + 1 };
                let told: Vec<u8> = rest.drain(..upto).collect();
                let told = if upto == end + 1 { with_strange_data(told) } else { told };
                return Some((Ok(Bytes::from(told)), (Some(answer), rest, left.saturating_sub(1), line)));
            }
            match answer.chunk().await {
                Ok(Some(chunk)) => rest.extend_from_slice(&chunk),
                Ok(None) => return None,
                Err(error) => return Some((Err(io::Error::other(error)), (None, rest, 0, line))),
            }
        }
    }))
}

/// An answer with what no release has.
fn told(kind: &str, body: Bytes) -> Bytes {
    if kind.starts_with("application/problem+json") && body.windows(14).any(|part| part == b"game_not_found") {
        let strange = json!({"type": "/problems/x", "title": "X", "status": 404, "code": UNKNOWN_CODE, "detail": "X."});
        return Bytes::from(strange.to_string());
    }
    strange(&body).map_or(body, Bytes::from)
}

/// A line of a stream with what no release has, if it has data.
fn with_strange_data(line: Vec<u8>) -> Vec<u8> {
    let data = line.strip_prefix(b"data: ").and_then(strange);
    data.map_or(line, |data| format!("data: {data}\n").into_bytes())
}

/// JSON in which the start of a match is called otherwise, a move that nobody knows is the first of the legal ones, and what
/// is told has a property more.
fn strange(json: &[u8]) -> Option<String> {
    let began = r#""type":"comet_began","tail":{"km":[9]}"#;
    let renamed = String::from_utf8_lossy(json).replace(r#""type":"match_started""#, began);
    let mut value = serde_json::from_str::<Value>(&renamed).ok()?;
    if let Some(moves) = value.pointer_mut("/decision/legal_moves/moves").and_then(Value::as_array_mut) {
        moves.insert(0, json!({"type": "fly", "to": {"moon": [1]}}));
    }
    let items = value["items"].as_array().map_or(0, Vec::len);
    let items = (0..items).flat_map(|at| [format!("/items/{at}"), format!("/items/{at}/event")]);
    for place in ["", "/match", "/state", "/decision", "/event"].map(str::to_owned).into_iter().chain(items) {
        if let Some(object) = value.pointer_mut(&place).and_then(Value::as_object_mut) {
            object.insert("moon".to_owned(), json!({"phase": [1]}));
        }
    }
    Some(value.to_string())
}

fn problem(status: u16, code: &str, after: Option<&str>) -> HttpResponse {
    let body = json!({"type": "/problems/x", "title": "X", "status": status, "code": code, "detail": "So it is."});
    let mut response = HttpResponse::build(StatusCode::from_u16(status).unwrap());
    if let Some(after) = after {
        response.insert_header(("retry-after", after));
    }
    response.content_type("application/problem+json").body(body.to_string())
}

/// Returns true for the token of a program, which is never refreshed.
fn is_program(token: &str) -> bool {
    token.contains("sarsen_pat_")
}

/// Returns the player of a token, of either kind.
fn player(token: Option<&str>) -> String {
    if let Some(program) = token.filter(|token| is_program(token)) {
        return program.to_owned();
    }
    let claims = token.and_then(|token| URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?).ok());
    let claims = claims.and_then(|claims| serde_json::from_slice::<Value>(&claims).ok());
    claims.map_or_else(|| "nobody".to_owned(), |claims| claims["sub"].to_string())
}

/// The client's headers but those of the connection, and without compression.
fn headers(from: &HeaderMap) -> reqwest::header::HeaderMap {
    let mut to = reqwest::header::HeaderMap::new();
    for name in ["accept", "authorization", "content-type", "idempotency-key", "if-none-match", "last-event-id"] {
        if let Some(value) = from.get(name) {
            to.insert(name, value.as_bytes().try_into().unwrap());
        }
    }
    to
}
