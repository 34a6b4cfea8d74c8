//! Metrics that operators read of an instance: what is counted, and what is looked up.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::header::ACCEPT;
use serde_json::json;

use crate::agents;
use crate::client::Client;
use crate::tables::{Pair, WIN};
use crate::world::{World, cases};

cases!(
    moves_and_matches_are_counted_by_game, what_waits_for_events_is_counted_while_it_waits,
        problems_are_counted_by_code, calls_of_agents_are_counted_with_what_their_tools_refuse,
        a_wait_is_no_time_that_a_request_takes;
    on both stores: the_stores_operations_are_timed;
);

/// The samples of an instance, by name and labels.
pub struct Scraped(BTreeMap<String, f64>);

impl Scraped {
    pub async fn of(client: &Client) -> Scraped {
        let text = client.get("/metrics").await;
        assert_eq!(text.header("content-type"), Some("application/openmetrics-text; version=1.0.0; charset=utf-8"));
        let samples = text.text();
        let lines = samples.lines().filter(|line| !line.starts_with('#'));
        let sample = |line: &str| {
            let (name, value) = line.rsplit_once(' ').unwrap();
            (name.to_owned(), value.parse().unwrap())
        };
        Scraped(lines.map(sample).collect())
    }

    /// The value of this sample, which must be there.
    #[track_caller]
    pub fn value(&self, sample: &str) -> f64 {
        *self.0.get(sample).unwrap_or_else(|| panic!("no {sample} in {:#?}", self.0.keys()))
    }
}

async fn moves_and_matches_are_counted_by_game(world: &mut World) {
    let operator = world.nobody();
    let moves = |result: &str| format!("sarsen_moves_total{{game=\"contiguity\",result=\"{result}\"}}");
    let ended = |ending: &str| format!("sarsen_matches_ended_total{{game=\"contiguity\",ending=\"{ending}\"}}");
    let started = r#"sarsen_matches_started_total{game="contiguity"}"#;
    let before = Scraped::of(&operator).await;
    assert_eq!([before.value(&moves("committed")), before.value(started)], [0.0, 0.0]);

    let pair = Pair::seated(world, json!({})).await;
    assert_eq!(Scraped::of(&operator).await.value(started), 1.0);
    let turn = pair.turn().await;
    let actor = &pair.players[turn.seat];
    actor.play(&pair.id, &turn.decision, "1a-1a").await.refused(422, "illegal_move");
    actor.play(&pair.id, "9.0", WIN[0]).await.refused(409, "stale_decision");
    for replayed in [None, Some("true")] {
        let made = actor.play_keyed(&pair.id, &turn.decision, WIN[0], "k0").await;
        assert_eq!((made.status, made.header("idempotent-replayed")), (201, replayed));
    }
    pair.play_all(&WIN[1..]).await;
    // Called off before it began, which is an end without a beginning.
    let ann = &pair.players[0];
    let open = ann.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
    ann.post(&format!("/v1/matches/{open}/abort"), json!({})).await.ok();

    let after = Scraped::of(&operator).await;
    let counted = ["committed", "replayed", "refused"].map(|result| after.value(&moves(result)));
    assert_eq!(counted, [WIN.len() as f64, 1.0, 2.0]);
    let ending = ann.read(&pair.id).await["match"]["outcome"]["ending"].as_str().unwrap().to_owned();
    assert_eq!(
        [&*ending, "aborted", "resignation", "other"].map(|ending| after.value(&ended(ending))),
        [1., 1., 0., 0.]
    );
    assert_eq!(after.value(started), 1.0);
    assert_eq!(after.value("sarsen_commit_conflicts_total"), 0.0);
}

async fn what_waits_for_events_is_counted_while_it_waits(world: &mut World) {
    let operator = world.nobody();
    let pair = Pair::seated(world, json!({})).await;
    let ann = &pair.players[0];
    let newest = ann.events(&pair.id).await.last().unwrap()["id"].as_str().unwrap().to_owned();
    let follow = |form: &'static str| {
        let request = ann.request(reqwest::Method::GET, &pair.path("/events")).header(ACCEPT, form);
        async { request.send().await.unwrap() }
    };
    let (sent, lines) = (follow("text/event-stream").await, follow("application/x-ndjson").await);
    let (waiting, path) = (ann.clone(), pair.path(&format!("/events?wait=30&after={newest}")));
    let poll = tokio::spawn(async move { waiting.get(&path).await.ok() });
    let held = async || {
        let now = Scraped::of(&operator).await;
        let kinds = [r#"sarsen_streams{kind="server_sent_events"}"#, r#"sarsen_streams{kind="json_lines"}"#];
        [now.value(kinds[0]), now.value(kinds[1]), now.value("sarsen_long_polls")]
    };
    world.eventually(async || held().await == [1.0, 1.0, 1.0]).await;
    pair.play(WIN[0]).await.ok();
    poll.await.unwrap();
    drop((sent, lines));
    world.eventually(async || held().await == [0.0, 0.0, 0.0]).await;
}

async fn the_stores_operations_are_timed(world: &mut World) {
    let operator = world.nobody();
    let count = |operation: &str| format!("sarsen_store_seconds_count{{operation=\"{operation}\"}}");
    let before = Scraped::of(&operator).await;
    let pair = Pair::seated(world, json!({})).await;
    pair.play(WIN[0]).await.ok();
    let after = Scraped::of(&operator).await;
    let more = |operation: &str| after.value(&count(operation)) - before.value(&count(operation));
    assert_eq!(more("commit"), 3.0, "one for the creation, the joining and the move each");
    assert!(more("standing") >= 1.0, "reading what this instance has written");
    assert_eq!((more("load_match"), more("ready")), (0.0, 1.0));
    assert_eq!(after.value(r#"sarsen_store_errors_total{operation="commit",kind="unavailable"}"#), 0.0);
    assert_eq!(after.value("sarsen_store_up"), 1.0);
    assert_eq!(after.value(r#"sarsen_jobs_failed_total{kind="due"}"#), 0.0);
    assert!(after.value("sarsen_store_clock_offset_seconds").abs() < 1.0);
    assert!(after.value("process_open_fds") > 3.0 && after.value("process_cpu_seconds_total") > 0.0);
}

async fn problems_are_counted_by_code(world: &mut World) {
    let operator = world.nobody();
    operator.get("/v1/matches/m_1").await.refused(404, "match_not_found");
    operator.get("/v1/me").await.refused(401, "unauthenticated");
    let after = Scraped::of(&operator).await;
    for code in ["match_not_found", "unauthenticated"] {
        assert_eq!(after.value(&format!("sarsen_problems_total{{code=\"{code}\"}}")), 1.0, "{code}");
    }
    assert_eq!(after.value(r#"sarsen_problems_total{code="internal"}"#), 0.0);
}

async fn calls_of_agents_are_counted_with_what_their_tools_refuse(world: &mut World) {
    let ann = world.guest("Ann").await;
    agents::tool(&ann, "list_games", json!({})).await;
    let nowhere = json!({"match_id": format!("m_{}", "0".repeat(32))});
    assert_eq!(agents::call(&ann, "get_match", nowhere).await.ok()["result"]["isError"], true);
    let after = Scraped::of(&world.nobody()).await;
    assert_eq!(after.value(r#"sarsen_http_requests_total{operation="mcp",status="2xx"}"#), 2.0);
    assert_eq!(after.value(r#"sarsen_problems_total{code="match_not_found"}"#), 1.0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn metrics_tell_of_a_store_that_is_away() {
    let mut redis = tokio::task::block_in_place(|| {
        test_kit::redis_server::Server::start(&["--maxmemory-policy", "noeviction", "--maxmemory", "100mb"])
    });
    let mut world = World::on(&redis).await;
    let operator = world.nobody();
    let up = Scraped::of(&operator).await;
    let used = up.value("sarsen_store_used_ratio");
    assert!(up.value("sarsen_store_up") == 1.0 && used > 0.0 && used < 0.5, "{used}");
    assert_eq!(up.value(r#"sarsen_queue_length{queue="outbox"}"#), 0.0);
    redis.kill();
    let begun = tokio::time::Instant::now();
    let away = Scraped::of(&operator).await;
    assert!(begun.elapsed() < Duration::from_secs(5), "a scrape must not wait for a store that is away");
    assert_eq!(away.value("sarsen_store_up"), 0.0);
    assert!(away.value(r#"sarsen_store_errors_total{operation="ready",kind="unavailable"}"#) > 0.0);
    assert!(!away.0.contains_key(r#"sarsen_queue_length{queue="outbox"}"#), "nothing is made up");
    world.stop().await;
}

/// A page that is waited for, a match that is, and one of a caller who is signed out meanwhile.
async fn a_wait_is_no_time_that_a_request_takes(world: &mut World) {
    const WAIT: u64 = 3;
    let operator = world.nobody();
    let pair = Pair::seated(world, json!({})).await;
    let [ann, ben] = &pair.players;
    let newest = ann.events(&pair.id).await.last().unwrap()["id"].as_str().unwrap().to_owned();
    let tag = ann.get(&pair.path("")).await.header("etag").unwrap().to_owned();
    let operations = ["listMatchEvents", "getMatch"];
    let sum = |operation: &str| format!("sarsen_http_request_seconds_sum{{operation=\"{operation}\"}}");
    let before = Scraped::of(&operator).await;
    let page = pair.path(&format!("/events?wait={WAIT}&after={newest}"));
    let (long, read) = (pair.path(&format!("/events?wait=30&after={newest}")), pair.path(&format!("?wait={WAIT}")));
    let (page, read, given_up, ()) =
        tokio::join!(ann.get(&page), ann.get_with(&read, "if-none-match", &tag), ben.get(&long), async {
            tokio::time::sleep(Duration::from_secs(WAIT)).await;
            ben.call("POST", "/v1/tokens/revoke").await.ok();
        });
    assert_eq!((page.status, read.status), (200, 304));
    given_up.refused(401, "token_revoked");
    let after = Scraped::of(&operator).await;
    for operation in operations {
        let took = after.value(&sum(operation)) - before.value(&sum(operation));
        assert!(took < WAIT as f64, "{operation} took {took} seconds");
    }
}
