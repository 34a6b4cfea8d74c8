//! The program, told to stop: not ready at once, serving on, and gone when everybody has been.

use std::io::{Read, Write};
use std::time::Duration;

use reqwest::header::ACCEPT;
use serde_json::json;
use tempfile::TempDir;
use tokio::time::Instant;

use crate::client::Client;
use crate::process::{Program, borrowed, on_embedded};
use crate::tables::{Pair, WIN};
use crate::world::{DEADLINE, http_client};

fn start(dir: &TempDir, more: &[&str]) -> Program {
    let settings = on_embedded(dir);
    Program::start(&[&borrowed(&settings)[..], more].concat())
}

async fn until(what: &str, is_true: impl AsyncFn() -> bool) {
    let begun = Instant::now();
    while !is_true().await {
        assert!(begun.elapsed() < DEADLINE, "not in time: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Follows the match until the stream ends; answers what was sent, and when it ended.
async fn follow(client: Client, path: String) -> (String, Instant) {
    let request = client.request(reqwest::Method::GET, &path).header(ACCEPT, "text/event-stream");
    let text = request.send().await.unwrap().text().await.unwrap();
    (text, Instant::now())
}

/// The last time to wait that a stream has named, in milliseconds.
fn retry(text: &str) -> u32 {
    let line = text.lines().rev().find_map(|line| line.strip_prefix("retry: "));
    line.and_then(|line| line.parse().ok()).unwrap_or_else(|| panic!("no retry in {text}"))
}

async fn following(pair: &Pair, number: usize) -> Vec<tokio::task::JoinHandle<(String, Instant)>> {
    let streams = (0..number).map(|_| tokio::spawn(follow(pair.players[0].clone(), pair.path("/events")))).collect();
    let operator = pair.players[0].without_token();
    let wanted = format!("sarsen_streams{{kind=\"server_sent_events\"}} {number}");
    until("the streams are open", async || operator.get("/metrics").await.text().contains(&wanted)).await;
    streams
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn told_to_stop_it_is_not_ready_at_once_and_serves_on_for_the_delay() {
    let dir = tempfile::tempdir().unwrap();
    let program = start(&dir, &["--shutdown-delay-seconds", "2"]);
    let pair = Pair::of([program.guest("Ann").await, program.guest("Ben").await], json!({})).await;
    let stream = following(&pair, 1).await.pop().unwrap();
    let nobody = Client::new(http_client(), program.base.clone());
    nobody.get("/readyz").await.ok();
    // One that would keep its connections.
    let keeping = Client::new(reqwest::Client::builder().no_proxy().build().unwrap(), program.base.clone());
    assert_eq!(keeping.get("/healthz").await.header("connection"), None);
    let told = Instant::now();
    program.ask_to_end();
    until("not ready", async || nobody.get("/readyz").await.status == 503).await;
    // Nobody keeps a connection to it: it would be cut at the end.
    let (last, failed) = (keeping.get("/healthz").await, keeping.get("/readyz").await);
    failed.refused(503, "store_unavailable");
    for answer in [&last, &failed] {
        assert_eq!((answer.header("connection"), answer.header("keep-alive")), (Some("close"), None));
    }
    pair.play(WIN[0]).await.ok();
    program.guest("Cat").await;
    let (text, ended) = stream.await.unwrap();
    assert!(ended - told >= Duration::from_secs(2), "streams are served for the delay: {:?}", ended - told);
    assert!(text.contains("move_made") && text.contains(": the server is stopping; resume after 3."), "{text}");
    assert!((500..=5000).contains(&retry(&text)), "{text}");
    assert_eq!(program.wait_for_its_end().0, Some(0));
    assert!(told.elapsed() < Duration::from_secs(2 + 5) + DEADLINE / 2, "{:?}", told.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_and_long_polls_end_one_by_one() {
    const STREAMS: usize = 12;
    let dir = tempfile::tempdir().unwrap();
    let program = start(&dir, &[]);
    let pair = Pair::of([program.guest("Ann").await, program.guest("Ben").await], json!({})).await;
    let newest = pair.players[0].events(&pair.id).await.last().unwrap()["id"].as_str().unwrap().to_owned();
    let streams = following(&pair, STREAMS).await;
    let (poller, path) = (pair.players[1].clone(), pair.path(&format!("/events?wait=30&after={newest}")));
    let poll = tokio::spawn(async move { poller.get(&path).await.ok() });
    tokio::time::sleep(Duration::from_millis(100)).await;
    let told = Instant::now();
    program.ask_to_end();
    let ended: Vec<(String, Instant)> =
        futures_util::future::join_all(streams).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(poll.await.unwrap()["items"], json!([]), "a long poll is answered, with nothing");
    let mut times: Vec<Duration> = ended.iter().map(|(_, at)| *at - told).collect();
    times.sort();
    assert!(times[STREAMS - 1] < Duration::from_millis(6500), "{times:?}");
    // All 12 within a second of each other: once in four million times by chance.
    assert!(times[STREAMS - 1] - times[0] > Duration::from_secs(1), "not spread: {times:?}");
    let retries: std::collections::BTreeSet<u32> = ended.iter().map(|(text, _)| retry(text)).collect();
    assert!(retries.len() > STREAMS / 2, "{retries:?}");
    assert_eq!(program.wait_for_its_end().0, Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_comes_slowly_does_not_hold_the_stop() {
    let dir = tempfile::tempdir().unwrap();
    let program = start(&dir, &[]);
    program.guest("Ann").await;
    let mut stream = std::net::TcpStream::connect(program.base.trim_start_matches("http://")).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    let head = "POST /v1/players HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n";
    stream.write_all(format!("{head}{{\"name\"").as_bytes()).unwrap();
    let nobody = Client::new(http_client(), program.base.clone());
    let begun = "sarsen_http_requests_in_flight 2";
    until("the request is under way", async || nobody.get("/metrics").await.text().contains(begun)).await;
    let told = Instant::now();
    program.ask_to_end();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let answer = answer.to_lowercase();
    assert!(answer.starts_with("http/1.1 408") && answer.contains("body_too_slow"), "{answer}");
    assert!(answer.contains("connection: close"), "{answer}");
    assert_eq!(program.wait_for_its_end().0, Some(0));
    // The grace time is 30 seconds.
    assert!(told.elapsed() < DEADLINE, "{:?}", told.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn told_once_more_it_hurries() {
    let dir = tempfile::tempdir().unwrap();
    let program = start(&dir, &["--shutdown-delay-seconds", "600"]);
    let pair = Pair::of([program.guest("Ann").await, program.guest("Ben").await], json!({})).await;
    let streams = following(&pair, 3).await;
    let nobody = Client::new(http_client(), program.base.clone());
    program.ask_to_end();
    until("not ready", async || nobody.get("/readyz").await.status == 503).await;
    let told = Instant::now();
    assert_eq!(program.terminate().0, Some(0));
    assert!(told.elapsed() < Duration::from_secs(5), "{:?}", told.elapsed());
    for stream in streams {
        assert!(stream.await.unwrap().0.contains("the server is stopping"));
    }
}
