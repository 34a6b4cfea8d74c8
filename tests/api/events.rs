//! One log in three forms: pages with long poll, server-sent events, JSON lines; for a match and for a player.

use std::future::ready;

use futures_util::StreamExt;
use reqwest::Method;
use sarsen::ambient::Timestamp;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::client::{Answer, Client};
use crate::contract;
use crate::tables::{Pair, WIN};
use crate::world::{DEADLINE, World, cases};

cases!(
    a_long_poll_ends_with_a_move, a_long_poll_ends_with_its_wait, three_forms_tell_the_same_while_two_play,
        a_stream_ends_with_the_match, a_ticket_opens_one_stream, a_ticket_opens_streams_only,
        a_ticket_of_a_revoked_session_opens_nothing, a_stream_tells_who_else_is_there, no_other_form_is_served,
        streams_end_when_the_server_stops, a_log_is_read_in_pages;
    on both stores: a_stream_resumes_without_gap_or_repeat, my_events_tell_of_every_match_in_three_forms,
        a_stream_ends_when_its_session_is_revoked;
);

pub const SSE: &str = "text/event-stream";
pub const NDJSON: &str = "application/x-ndjson";

/// A stream that is being followed.
pub struct Stream {
    chunks: futures_util::stream::BoxStream<'static, Vec<u8>>,
    text: String,
    path: String,
    server_sent: bool,
}

/// One event as it came.
#[derive(Clone, PartialEq, Debug)]
pub struct Told {
    pub id: Option<String>,
    pub data: Value,
}

impl Told {
    /// Returns true if it came with the event's own id and a stamp behind it.
    pub fn is_stamped(&self) -> bool {
        let (id, own) = (self.id.as_deref().unwrap_or_default(), self.data["id"].as_str().unwrap());
        let stamp = id.strip_prefix(own).and_then(|rest| rest.strip_prefix('.')).unwrap_or_default();
        stamp.len() == 16 && stamp.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    }
}

/// An item of a stream at this path, without the time at which it was sent, which each has.
fn as_told(path: &str, item: &str) -> Value {
    let mut item: Value = serde_json::from_str(item).unwrap();
    contract::check_item(path, &item);
    let sent = item.as_object_mut().unwrap().remove("server_time").expect("the server's time");
    let sent = Timestamp::from_rfc3339(sent.as_str().unwrap()).expect("RFC 3339");
    assert!(sent.0 > 1_700_000_000_000, "{sent:?}");
    item
}

impl Stream {
    /// Begins to follow; the answer must be a stream of this form.
    pub async fn open(client: &Client, path: &str, accept: &str, last: Option<&str>) -> Stream {
        let mut request = client.request(Method::GET, path).header("accept", accept);
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert!(response.headers()["content-type"].to_str().unwrap().starts_with(accept));
        assert_eq!(response.headers()["cache-control"], "no-store");
        // A connection that a stopping server closes ends the stream like its end does.
        let chunks = response.bytes_stream().scan((), |(), chunk| ready(chunk.ok().map(|bytes| bytes.to_vec())));
        Stream { chunks: chunks.boxed(), text: String::new(), path: path.to_owned(), server_sent: accept == SSE }
    }

    /// The next event, or `None` at the end.
    pub async fn next(&mut self) -> Option<Told> {
        let separator = if self.server_sent { "\n\n" } else { "\n" };
        loop {
            while let Some((block, rest)) = self.text.split_once(separator) {
                let block = block.to_owned();
                self.text = rest.to_owned();
                if let Some(told) = self.read(&block) {
                    return Some(told);
                }
            }
            let chunk = timeout(DEADLINE, self.chunks.next()).await.expect("the stream goes on or ends")?;
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    fn read(&self, block: &str) -> Option<Told> {
        if !self.server_sent {
            return (!block.is_empty()).then(|| Told { id: None, data: as_told(&self.path, block) });
        }
        let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
        Some(Told { id: field("id: ").map(str::to_owned), data: as_told(&self.path, field("data: ")?) })
    }

    pub async fn take(&mut self, count: usize) -> Vec<Told> {
        let mut taken = Vec::new();
        for _ in 0..count {
            taken.push(self.next().await.expect("more events"));
        }
        taken
    }

    /// Returns the text that has come and is no whole event.
    pub fn unread(&self) -> &str {
        &self.text
    }

    /// All events until the end.
    pub async fn rest(mut self) -> Vec<Told> {
        let mut rest = Vec::new();
        while let Some(told) = self.next().await {
            rest.push(told);
        }
        rest
    }
}

pub fn data(told: Vec<Told>) -> Vec<Value> {
    told.into_iter().map(|told| told.data).collect()
}

async fn a_log_is_read_in_pages(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    pair.play_all(&WIN).await;
    let nobody = world.nobody();
    let whole = nobody.events(&pair.id).await;
    for limit in [1, 2, 7] {
        let (mut paged, mut cursor): (Vec<Value>, String) = (Vec::new(), String::new());
        loop {
            let page = nobody.get(&pair.path(&format!("/events?limit={limit}{cursor}"))).await.ok();
            let items = page["items"].as_array().unwrap();
            assert!(items.len() <= limit);
            paged.extend(items.iter().cloned());
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&after={next}");
        }
        assert_eq!(paged, whole);
    }
    let last = whole.last().unwrap()["id"].as_str().unwrap();
    let page = nobody.get(&pair.path(&format!("/events?after={last}&wait=30"))).await.ok();
    assert_eq!(page["items"], json!([]), "a match that is over is not waited for");
    let beyond = nobody.get(&pair.path("/events?after=9999.0")).await.ok();
    assert_eq!((&beyond["items"], &beyond["next_cursor"]), (&json!([]), &Value::Null));
}

async fn a_long_poll_ends_with_a_move(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let mut after = pair.players[0].events(&pair.id).await.last().unwrap()["id"].as_str().unwrap().to_owned();
    for notation in &WIN[..3] {
        let (waiting, path) = (pair.players[1].clone(), pair.path(&format!("/events?wait=30&after={after}")));
        let poll = tokio::spawn(async move { waiting.get(&path).await.ok() });
        let moved = pair.play(notation).await.ok();
        let page = timeout(DEADLINE, poll).await.expect("the poll ends well before its wait").unwrap();
        assert_eq!(page["items"], moved["events"]);
        after = page["items"].as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned();
    }
}

async fn a_long_poll_ends_with_its_wait(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    for wait in ["", "&wait=0", "&wait=1"] {
        let page = pair.players[0].get(&pair.path(&format!("/events?after=2.999{wait}"))).await.ok();
        assert_eq!((&page["items"], &page["next_cursor"]), (&json!([]), &Value::Null));
    }
}

async fn a_stream_resumes_without_gap_or_repeat(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let (ann, path) = (&pair.players[0], pair.path("/events"));
    pair.play_all(&WIN[..2]).await;
    let so_far = ann.events(&pair.id).await;
    for (index, event) in so_far.iter().enumerate() {
        let id = event["id"].as_str().unwrap();
        let mut stream = Stream::open(ann, &path, SSE, Some(id)).await;
        let told = stream.take(so_far.len() - index - 1).await;
        assert!(told.iter().all(Told::is_stamped));
        assert_eq!(data(told), so_far[index + 1..]);
    }
    // It resumes from the ids that it gives as from those of the events.
    let all = Stream::open(ann, &path, SSE, None).await.take(so_far.len()).await;
    for (index, told) in all.iter().enumerate() {
        let mut stream = Stream::open(ann, &path, SSE, told.id.as_deref()).await;
        assert_eq!(stream.take(so_far.len() - index - 1).await, all[index + 1..]);
    }
    let last = so_far.last().unwrap()["id"].as_str().unwrap();
    let mut stream = Stream::open(ann, &path, SSE, Some(last)).await;
    pair.play(WIN[2]).await.ok();
    let first = stream.next().await.unwrap();
    drop(stream);
    // The rest happens while nobody listens.
    pair.play_all(&WIN[3..]).await;
    let resumed = Stream::open(ann, &path, SSE, first.id.as_deref()).await.rest().await;
    let mut whole = so_far;
    whole.push(first.data);
    whole.extend(data(resumed));
    assert_eq!(whole, ann.events(&pair.id).await);
    // The header counts more than the query, because an event source cannot change its address.
    let after = whole[3]["id"].as_str().unwrap();
    let stream = Stream::open(ann, &format!("{path}?after=1.0"), SSE, Some(after)).await;
    assert_eq!(data(stream.rest().await), whole[4..]);
}

async fn three_forms_tell_the_same_while_two_play(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let (nobody, path) = (world.nobody(), pair.path("/events"));
    let sent = tokio::spawn(Stream::open(&nobody, &path, SSE, None).await.rest());
    let lines = tokio::spawn(Stream::open(&nobody, &path, NDJSON, None).await.rest());
    let (poller, poll_path) = (nobody.clone(), path.clone());
    let polled = tokio::spawn(async move {
        let (mut told, mut after): (Vec<Value>, String) = (Vec::new(), String::new());
        while told.last().is_none_or(|event: &Value| event["event"]["type"] != "match_ended") {
            let page = poller.get(&format!("{poll_path}?wait=10{after}")).await.ok();
            told.extend(page["items"].as_array().unwrap().iter().cloned());
            after = format!("&after={}", told.last().unwrap()["id"].as_str().unwrap());
        }
        told
    });
    pair.players[0].act(&pair.id, "draw/offer").await.ok();
    pair.players[1].act(&pair.id, "draw/decline").await.ok();
    pair.play_all(&WIN).await;
    let whole = nobody.events(&pair.id).await;
    for (form, told) in [("event stream", sent), ("JSON lines", lines)] {
        assert_eq!(data(timeout(DEADLINE, told).await.unwrap().unwrap()), whole, "{form}");
    }
    assert_eq!(timeout(DEADLINE, polled).await.unwrap().unwrap(), whole, "long poll");
}

async fn a_stream_ends_with_the_match(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let ann = &pair.players[0];
    let stream = Stream::open(ann, &pair.path("/events"), SSE, None).await;
    ann.act(&pair.id, "resign").await.ok();
    let told = data(stream.rest().await);
    assert_eq!(told.last().unwrap()["event"]["type"], "match_ended");
    let last = told.last().unwrap()["id"].as_str().unwrap();
    for accept in [SSE, NDJSON] {
        let request = ann.request(Method::GET, &pair.path(&format!("/events?after={last}"))).header("accept", accept);
        let nothing = ann.send(request).await;
        assert_eq!((nothing.status, nothing.bytes.len()), (204, 0), "an event source stays away after this");
    }
    let bounded = Stream::open(ann, &pair.path("/events?limit=2"), NDJSON, None).await;
    assert_eq!(data(bounded.rest().await), told[..2]);
}

async fn my_events_tell_of_every_match_in_three_forms(world: &mut World) {
    let one = Pair::seated(world, json!({})).await;
    let [ann, ben] = one.players.clone();
    let two = Pair::of([ben, ann.clone()], json!({"visibility": "private"})).await;
    for notation in &WIN[..2] {
        one.play(notation).await.ok();
        two.play(notation).await.ok();
    }
    one.players[0].act(&one.id, "resign").await.ok();
    // Two matches, of which Ann made one and joined the other: 1 + 1 + 2 + 1 steps, and 1 + 2.
    let mut stream = Stream::open(&ann, "/v1/me/events", SSE, None).await;
    let told = stream.take(8).await;
    assert!(told.iter().all(Told::is_stamped));
    let told = data(told);
    assert_eq!(data(Stream::open(&ann, "/v1/me/events?wait=1", NDJSON, None).await.take(8).await), told);
    assert_eq!(ann.inbox().await, told);
    for (number, notice) in told.iter().enumerate() {
        assert_eq!(notice["id"], (number + 1).to_string());
        let id = notice["match_id"].as_str().unwrap();
        let version = &notice["version"];
        let then = ann.get(&format!("/v1/matches/{id}/history/{version}")).await.ok();
        assert_eq!(notice["your_turn"], json!(!then["decision"].is_null()), "{notice}");
        let log = ann.events(id).await;
        let of_version: Vec<Value> = log.into_iter().filter(|event| event["version"] == *version).collect();
        assert_eq!(notice["events"], json!(of_version));
    }
    assert!(told.iter().any(|notice| notice["your_turn"] == true));
    // It resumes, waits and wakes.
    let mut resumed = Stream::open(&ann, "/v1/me/events", SSE, Some("6")).await;
    let newest = resumed.take(2).await;
    let mut again = Stream::open(&ann, "/v1/me/events", SSE, newest[0].id.as_deref()).await;
    assert_eq!(again.take(1).await, newest[1..]);
    assert_eq!(data(newest), told[6..]);
    let waiting = ann.clone();
    let poll = tokio::spawn(async move { waiting.get("/v1/me/events?after=8&wait=30").await.ok() });
    two.players[0].act(&two.id, "resign").await.ok();
    let page = timeout(DEADLINE, poll).await.expect("the poll ends well before its wait").unwrap();
    assert_eq!(page["items"][0]["id"], "9");
    assert_eq!(resumed.next().await.unwrap().data, page["items"][0]);
    world.nobody().get("/v1/me/events").await.refused(401, "unauthenticated");
}

async fn ticket(client: &Client) -> String {
    let answer = client.call("POST", "/v1/stream-tickets").await;
    assert_eq!(answer.status, 201);
    answer.json()["ticket"].as_str().unwrap().to_owned()
}

async fn a_ticket_opens_one_stream(world: &mut World) {
    let pair = Pair::seated(world, json!({"visibility": "private"})).await;
    let (ann, nobody) = (&pair.players[0], world.nobody());
    for path in [pair.path("/events"), "/v1/me/events".to_owned()] {
        let address = format!("{path}?ticket={}", ticket(ann).await);
        let mut stream = Stream::open(&nobody, &address, SSE, None).await;
        stream.take(2).await;
        nobody.get_with(&address, "accept", SSE).await.refused(401, "ticket_invalid");
    }
    for wrong in ["", "x", "t_AAAAAAAAAAAAAAAAAAAAAA", "%00", &"t".repeat(100)] {
        nobody.get(&format!("/v1/me/events?ticket={wrong}")).await.refused(401, "ticket_invalid");
    }
    nobody.call("POST", "/v1/stream-tickets").await.refused(401, "unauthenticated");
}

async fn a_ticket_opens_streams_only(world: &mut World) {
    let pair = Pair::seated(world, json!({"visibility": "private"})).await;
    let (ticket, nobody) = (ticket(&pair.players[0]).await, world.nobody());
    nobody.get(&format!("/v1/me?ticket={ticket}")).await.refused(400, "invalid_parameter");
    let read = nobody.get(&pair.path(&format!("?ticket={ticket}"))).await;
    assert!(read.status == 400 || read.status == 404, "{}", read.text());
    nobody.call("POST", &pair.path(&format!("/resign?ticket={ticket}"))).await.refused(400, "invalid_parameter");
    Stream::open(&nobody, &format!("/v1/me/events?ticket={ticket}"), SSE, None).await.take(1).await;
}

async fn a_ticket_of_a_revoked_session_opens_nothing(world: &mut World) {
    let ann = world.guest("Ann").await;
    let ticket = ticket(&ann).await;
    ann.call("POST", "/v1/tokens/revoke").await.ok();
    world.nobody().get(&format!("/v1/me/events?ticket={ticket}")).await.refused(401, "token_revoked");
}

/// The embedded store goes by the test's clock; Redis has its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ticket_is_good_for_a_minute() {
    let mut world = World::start(crate::world::Backend::Embedded).await;
    let ann = world.guest("Ann").await;
    let (early, late) = (ticket(&ann).await, ticket(&ann).await);
    world.clock.advance_seconds(55);
    world.nobody().get(&format!("/v1/me/events?ticket={early}")).await.ok();
    world.clock.advance_seconds(6);
    world.nobody().get(&format!("/v1/me/events?ticket={late}")).await.refused(401, "ticket_invalid");
    world.stop().await;
}

async fn no_other_form_is_served(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let ann = &pair.players[0];
    for path in [pair.path("/events"), "/v1/me/events".to_owned()] {
        for accept in ["text/html", "image/png", "application/json;q=0"] {
            ann.get_with(&path, "accept", accept).await.refused(406, "not_acceptable");
        }
        for accept in ["*/*", "application/json", "text/html, application/*;q=0.1", "", "*"] {
            ann.get_with(&path, "accept", accept).await.ok();
        }
    }
}

async fn streams_end_when_the_server_stops(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let (ann, path) = (pair.players[0].clone(), pair.path("/events"));
    let log = ann.events(&pair.id).await;
    let mut sent = Stream::open(&ann, &path, SSE, None).await;
    let mut lines = Stream::open(&ann, &path, NDJSON, None).await;
    assert_eq!(data(sent.take(log.len()).await), log);
    assert_eq!(data(lines.take(log.len()).await), log);
    let last = log.last().unwrap()["id"].as_str().unwrap();
    let (waiting, poll_path) = (ann.clone(), format!("{path}?wait=30&after={last}"));
    let poll = tokio::spawn(async move {
        let response = waiting.request(Method::GET, &poll_path).send().await?;
        Ok::<Answer, reqwest::Error>(Answer::of(response).await)
    });
    let mut rest = String::new();
    let follow = async {
        while let Some(chunk) = sent.chunks.next().await {
            rest.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    };
    let stopped = async { timeout(DEADLINE, world.stop()).await.expect("nothing holds the stop up") };
    tokio::join!(follow, stopped);
    assert!(rest.contains("retry: ") && rest.contains(&format!("resume after {last}")), "{rest:?}");
    assert_eq!(lines.next().await, None);
    // The poll had either begun, and was answered early, or found nobody.
    if let Ok(answer) = timeout(DEADLINE, poll).await.unwrap().unwrap() {
        assert_eq!(answer.ok()["items"], json!([]));
    }
}

async fn a_stream_ends_when_its_session_is_revoked(world: &mut World) {
    let ann = world.guest("Ann").await;
    let id = ann.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
    let mut stream = Stream::open(&ann, &format!("/v1/matches/{id}/events"), SSE, None).await;
    stream.take(2).await;
    ann.call("POST", "/v1/tokens/revoke").await.ok();
    assert_eq!(stream.next().await, None);
}

/// The presence that a stream of a match tells.
pub struct PresenceStream {
    chunks: futures_util::stream::BoxStream<'static, Vec<u8>>,
    text: String,
}

impl PresenceStream {
    pub async fn open(client: &Client, id: &str) -> PresenceStream {
        let request = client.request(Method::GET, &format!("/v1/matches/{id}/stream?presence=true"));
        let chunks = request.send().await.unwrap().bytes_stream();
        PresenceStream { chunks: chunks.map(|chunk| chunk.unwrap().to_vec()).boxed(), text: String::new() }
    }

    /// Returns for each seat whether its player is connected, when that has changed.
    pub async fn next(&mut self) -> Vec<bool> {
        loop {
            let told = self.text.split_once("event: presence\ndata: ").and_then(|(_, rest)| rest.split_once("\n\n"));
            if let Some((data, rest)) = told {
                let data = as_told("/v1/matches/m/stream", data);
                self.text = rest.to_owned();
                return data["presence"].as_array().unwrap().iter().map(|it| it["connected"] == true).collect();
            }
            let chunk = timeout(2 * DEADLINE, self.chunks.next()).await.expect("presence in time").unwrap();
            self.text += std::str::from_utf8(&chunk).unwrap();
        }
    }
}

async fn a_stream_tells_who_else_is_there(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let path = pair.path("/stream");
    let mut presence = PresenceStream::open(&pair.players[0], &pair.id).await;
    assert_eq!(presence.next().await, [true, false]);
    // Whoever does not want it is not told of; a stream of all matches counts as well.
    let hidden = Stream::open(&pair.players[1], &format!("{path}?invisible=true"), SSE, None).await;
    let open = Stream::open(&pair.players[1], "/v1/me/stream", SSE, None).await;
    assert_eq!(presence.next().await, [true, true]);
    drop(open);
    assert_eq!(presence.next().await, [true, false]);
    drop(hidden);
    assert_eq!(pair.players[0].read(&pair.id).await["match"]["version"], 2, "it is no step");
}
