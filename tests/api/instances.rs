//! Several instances over one Redis, and a Redis that goes away and comes back.

use std::time::Duration;

use serde_json::{Value, json};
use test_kit::redis_server::Server;
use tokio::time::{Instant, sleep, timeout};

use crate::client::Client;
use crate::events::{PresenceStream, SSE, Stream};
use crate::idempotency::{counted, storm};
use crate::tables::{Pair, WIN};
use crate::world::{Backend, DEADLINE, World};

/// Two instances over the shared Redis.
async fn two_instances() -> World {
    let mut world = World::start(Backend::Redis).await;
    world.add_instance().await;
    world
}

/// The pair at an instance.
fn at(world: &World, number: usize, pair: &Pair) -> Pair {
    let base = world.base(number);
    Pair { id: pair.id.clone(), players: pair.players.clone().map(|player| player.at(base.clone())) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_is_played_at_two_instances_by_turns() {
    let mut world = two_instances().await;
    let pair = Pair::seated(&world, json!({})).await;
    let here = [at(&world, 0, &pair), at(&world, 1, &pair)];
    for (ply, notation) in WIN.iter().enumerate() {
        let (one, other) = (&here[ply % 2], &here[1 - ply % 2]);
        let turn = one.turn().await;
        let made = one.players[turn.seat].play_keyed(&one.id, &turn.decision, notation, &format!("k{ply}")).await.ok();
        let again = other.players[turn.seat].play_keyed(&one.id, &turn.decision, notation, &format!("k{ply}")).await;
        assert_eq!((again.status, again.header("idempotent-replayed")), (201, Some("true")));
        assert_eq!(again.json(), made);
        for player in 0..2 {
            assert_eq!(one.players[player].read(&pair.id).await, other.players[player].read(&pair.id).await);
        }
    }
    assert_eq!(here[0].players[0].events(&pair.id).await, here[1].players[0].events(&pair.id).await);
    assert_eq!(here[0].players[0].read(&pair.id).await["match"]["status"], "finished");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_of_two_instances_tell_of_each_other() {
    let mut world = two_instances().await;
    let pair = Pair::seated(&world, json!({})).await;
    let [ann, ben] = [0, 1].map(|number| at(&world, number, &pair).players[number].clone());
    let mut anns = PresenceStream::open(&ann, &pair.id).await;
    assert_eq!(anns.next().await, [true, false]);
    let mut bens = PresenceStream::open(&ben, &pair.id).await;
    assert_eq!(bens.next().await, [false, true], "nobody has answered yet");
    assert_eq!((anns.next().await, bens.next().await), (vec![true, true], vec![true, true]));
    // One who is not to be told of is not told of at other instances either.
    let hidden = Stream::open(&ben, &pair.path("/stream?invisible=true"), SSE, None).await;
    world.stop_instance(1).await;
    assert_eq!(anns.next().await, [true, false]);
    drop(hidden);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_instance_whose_clock_is_wrong_goes_by_the_stores() {
    for seconds in [-3600, 3600] {
        let mut world = World::start(Backend::Redis).await;
        let wrong = world.add_instance_wrong_by(seconds).await;
        // Whoever gets a token here uses it there, and the other way round.
        let ann = world.guest("Ann").await;
        let there = ann.at(world.base(0));
        let nobody = there.without_token();
        let ben = nobody.signed_in(&nobody.post("/v1/players", json!({"name": "Ben"})).await.ok());
        there.get("/v1/me").await.ok();
        ben.at(world.base(wrong)).get("/v1/me").await.ok();
        let made = ann.create(json!({"move_time_seconds": 60})).await;
        let id = made["match"]["id"].as_str().unwrap().to_owned();
        let moments = [made, ben.create(json!({})).await].map(|made| {
            let created = made["match"]["created_at"].as_str().unwrap().to_owned();
            sarsen::ambient::Timestamp::from_rfc3339(&created).unwrap().0
        });
        assert!(moments[0].abs_diff(moments[1]) < 600_000, "{moments:?}");
        // Nobody is late by the difference of two clocks.
        ben.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
        let absent = ben.read(&id).await["match"]["to_act"][0].as_u64().unwrap();
        let present = [ann.clone(), ben.at(world.base(wrong))][1 - absent as usize].clone();
        let claim = present.post(&format!("/v1/matches/{id}/claim"), json!({"seat": absent})).await;
        claim.refused(409, "claim_too_early");
        // A revocation counts as long as the token would.
        ann.call("POST", "/v1/tokens/revoke").await.ok();
        let newest = world.add_instance().await;
        ann.at(world.base(newest)).get("/v1/me").await.refused(401, "token_revoked");
        world.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_64_clients_at_two_instances_one_moves() {
    let mut world = two_instances().await;
    let bases = [world.base(0), world.base(1)];
    let pair = Pair::seated(&world, json!({})).await;
    let counts = storm(&pair, &bases, |_| Some("k".to_owned())).await;
    assert_eq!((counted(&counts, 201, "made"), counted(&counts, 201, "replayed")), (1, 63), "{counts:?}");
    let pair = Pair::seated(&world, json!({})).await;
    let counts = storm(&pair, &bases, |number| Some(format!("k{number}"))).await;
    assert_eq!((counted(&counts, 201, "made"), counted(&counts, 409, "not_your_turn")), (1, 63), "{counts:?}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_at_one_instance_wakes_who_waits_at_the_other() {
    let mut world = two_instances().await;
    let pair = Pair::seated(&world, json!({})).await;
    let (here, there) = (at(&world, 0, &pair), at(&world, 1, &pair));
    let mut notices = here.players[1].inbox_of(1).await.len();
    let mut after = here.players[0].events(&pair.id).await.last().unwrap()["id"].as_str().unwrap().to_owned();
    for notation in &WIN[..4] {
        let wait = |client: &Client, path: String| {
            let client = client.clone();
            tokio::spawn(async move { client.get(&path).await.ok() })
        };
        let poll = wait(&there.players[0], there.path(&format!("/events?wait=30&after={after}")));
        let inbox = wait(&there.players[1], format!("/v1/me/events?wait=30&after={notices}"));
        let moved = here.play(notation).await.ok();
        let page = timeout(DEADLINE, poll).await.expect("the poll ends well before its wait").unwrap();
        assert_eq!(page["items"], moved["events"]);
        after = page["items"].as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned();
        let page = timeout(DEADLINE, inbox).await.expect("the poll ends well before its wait").unwrap();
        assert_eq!(page["items"][0]["events"], moved["events"]);
        notices += 1;
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_is_good_at_every_instance_until_it_is_revoked_at_one() {
    let mut world = two_instances().await;
    let there = world.guest("Ann").await;
    let here = there.at(world.base(0));
    here.get("/v1/me").await.ok();
    let refreshed = here.post("/v1/tokens/refresh", json!({"refresh_token": there.refresh_token})).await.ok();
    let here = here.signed_in(&refreshed);
    there.with_token(here.token.as_deref().unwrap()).get("/v1/me").await.ok();
    here.call("POST", "/v1/tokens/revoke").await.ok();
    here.get("/v1/me").await.refused(401, "token_revoked");
    // The contract allows ten seconds.
    let start = Instant::now();
    while there.get("/v1/me").await.status == 200 {
        assert!(start.elapsed() < Duration::from_secs(10), "the revocation does not arrive");
        sleep(Duration::from_millis(10)).await;
    }
    there.get("/v1/me").await.refused(401, "token_revoked");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_one_instance_goes_the_other_goes_on() {
    let mut world = two_instances().await;
    let pair = Pair::seated(&world, json!({})).await;
    let (here, there) = (at(&world, 0, &pair), at(&world, 1, &pair));
    there.play_all(&WIN[..2]).await;
    let waiting = (here.players[0].clone(), here.path("/events?wait=30&after=4.9"));
    let poll = tokio::spawn(async move { waiting.0.get(&waiting.1).await.ok() });
    world.stop_instance(1).await;
    here.play_all(&WIN[2..]).await;
    let page = timeout(DEADLINE, poll).await.unwrap().unwrap();
    assert_eq!(page["items"][0]["version"], 5);
    assert_eq!(here.players[1].read(&pair.id).await["match"]["status"], "finished");
    let newest = world.add_instance().await;
    let later = at(&world, newest, &pair);
    assert_eq!(later.players[1].read(&pair.id).await, here.players[1].read(&pair.id).await);
    world.stop().await;
}

/// Calls until it is answered otherwise than that the store is away.
async fn once_back(mut call: impl AsyncFnMut() -> crate::client::Answer) -> crate::client::Answer {
    let start = Instant::now();
    loop {
        let answer = call().await;
        if answer.status != 503 {
            return answer;
        }
        answer.refused(503, "store_unavailable");
        assert!(start.elapsed() < DEADLINE, "the service does not recover");
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_goes_away_and_comes_back_loses_nothing() {
    let start = || Server::start(&["--appendfsync", "always", "--maxmemory-policy", "noeviction"]);
    let mut redis = tokio::task::spawn_blocking(start).await.unwrap();
    let mut world = World::on(&redis).await;
    let pair = Pair::seated(&world, json!({})).await;
    let turn = pair.turn().await;
    let actor = &pair.players[turn.seat];
    let made = actor.play_keyed(&pair.id, &turn.decision, WIN[0], "k0").await.ok();
    let log = actor.events(&pair.id).await;

    redis.kill();
    let next = &pair.players[1 - turn.seat];
    let decision = format!("{}.{}", made["version"], 1 - turn.seat);
    let reads = ["", "/history/2", "/events"].map(|rest| pair.path(rest));
    for path in reads.iter().map(String::as_str).chain(["/v1/matches", "/v1/me", "/v1/me/events", "/readyz"]) {
        let away = actor.get(path).await;
        let problem = away.refused(503, "store_unavailable");
        let seconds: u64 = away.header("retry-after").unwrap().parse().unwrap();
        assert!(seconds >= 1 && problem["retry_after_seconds"] == seconds, "{path}");
        assert!(!away.text().contains("127.0.0.1"), "{path}");
    }
    next.play_keyed(&pair.id, &decision, WIN[1], "k1").await.refused(503, "store_unavailable");
    world.nobody().post("/v1/players", json!({"name": "Ann"})).await.refused(503, "store_unavailable");
    // What needs no store goes on.
    for path in ["/healthz", "/v1/games", "/problems", "/metrics"] {
        assert_eq!(actor.get(path).await.status, 200, "{path}");
    }
    next.with_token("nonsense").get("/v1/me").await.refused(401, "token_invalid");

    tokio::task::block_in_place(|| redis.restart());
    let read = once_back(async || actor.get(&pair.path("/events?limit=1000")).await).await.ok();
    assert_eq!(read["items"], Value::from(log), "what was acknowledged is there, and nothing else");
    let again = once_back(async || actor.play_keyed(&pair.id, &turn.decision, WIN[0], "k0").await).await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.ok(), made);
    once_back(async || next.play_keyed(&pair.id, &decision, WIN[1], "k1").await).await.ok();
    once_back(async || actor.get("/readyz").await).await.ok();
    // Live updates are back too.
    let after = actor.events(&pair.id).await.last().unwrap()["id"].as_str().unwrap().to_owned();
    let (waiting, path) = (next.clone(), pair.path(&format!("/events?wait=30&after={after}")));
    let poll = tokio::spawn(async move { waiting.get(&path).await.ok() });
    let moved = pair.play(WIN[2]).await.ok();
    assert_eq!(timeout(DEADLINE, poll).await.expect("woken").unwrap()["items"], moved["events"]);
    world.stop().await;
}
