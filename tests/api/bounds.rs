//! Bounds on what one address or player may take of an instance: beyond them 429, and for everybody else nothing
//! changes.

use std::net::SocketAddr;

use reqwest::{Method, RequestBuilder};
use sarsen::ambient::{Clock, Timestamp};
use sarsen::http::settings::{Allowances, Quotas, ServerConfig};
use sarsen::players::AccountBounds;
use sarsen::store::Allowance;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{Instant, sleep, timeout};

use crate::client::{Answer, Client};
use crate::events::Stream;
use crate::identities;
use crate::world::{Backend, DEADLINE, Settings, World};

const SSE: &str = "text/event-stream";

async fn bounded(backend: Backend, quotas: Quotas, trusted_proxies: u8) -> World {
    let server = ServerConfig { quotas, trusted_proxies, ..ServerConfig::default() };
    World::with(backend, Settings { server, ..Settings::default() }).await
}

/// Fails unless the answer is this 429, and says when to try again.
#[track_caller]
fn too_many(answer: &Answer, code: &str) -> Value {
    let problem = answer.refused(429, code);
    let seconds = problem["retry_after_seconds"].as_u64().unwrap();
    assert!(seconds >= 1 && answer.header("retry-after") == Some(seconds.to_string().as_str()), "{problem}");
    problem
}

/// Asks until the answer is a success: what has been closed is noticed some moments later.
async fn eventually_ok(client: &Client, request: impl Fn() -> RequestBuilder) {
    let start = Instant::now();
    loop {
        let response = request().send().await;
        if response.as_ref().is_ok_and(|response| response.status().is_success()) {
            return;
        }
        assert!(start.elapsed() < DEADLINE, "{response:?} for {}", client.base);
        sleep(std::time::Duration::from_millis(20)).await;
    }
}

/// A connection from an address of the loopback interface, with a request under way.
async fn connection(world: &World, from: &str, request: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::new(from.parse().unwrap(), 0)).unwrap();
    let to = world.base(0).trim_start_matches("http://").parse().unwrap();
    let mut stream = socket.connect(to).await.unwrap();
    stream.write_all(format!("{request} HTTP/1.1\r\nhost: x\r\naccept: {SSE}\r\n\r\n").as_bytes()).await.unwrap();
    stream
}

async fn status(stream: &mut TcpStream) -> String {
    let mut line = [0; 12];
    timeout(DEADLINE, stream.read_exact(&mut line)).await.unwrap().unwrap();
    String::from_utf8(line.to_vec()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_has_only_so_many_connections() {
    let quotas = Quotas { connections_per_address: Some(3), ..Quotas::default() };
    let mut world = bounded(Backend::Embedded, quotas, 0).await;
    let ann = world.guest("Ann").await;
    let id = ann.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
    let follow = format!("GET /v1/matches/{id}/events");
    let mut held = Vec::new();
    for _ in 0..3 {
        let mut stream = connection(&world, "127.0.0.2", &follow).await;
        assert_eq!(status(&mut stream).await, "HTTP/1.1 200");
        held.push(stream);
    }
    let mut fourth = connection(&world, "127.0.0.2", "GET /healthz").await;
    let mut answer = String::new();
    timeout(DEADLINE, fourth.read_to_string(&mut answer)).await.expect("it is closed after the answer").unwrap();
    let answer = answer.to_lowercase();
    assert!(answer.starts_with("http/1.1 429") && answer.contains("too_many_connections"), "{answer}");
    assert!(answer.contains("retry-after: ") && answer.contains("connection: close"), "{answer}");
    let over = world.nobody_at("127.0.0.2");
    too_many(&over.get("/healthz").await, "too_many_connections");

    // Others are as free as before, and so is the address once it has closed one.
    ann.get("/v1/me").await.ok();
    held.pop();
    eventually_ok(&over, || over.request(Method::GET, "/healthz")).await;
    drop(held);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_of_a_player_and_of_an_address_are_bounded() {
    for backend in [Backend::Embedded, Backend::Redis] {
        let quotas =
            Quotas { streams_per_address: Some(3), streams_per_player: Some(2), connections_per_address: None };
        let mut world = bounded(backend, quotas, 0).await;
        let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
        let id = ann.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
        let path = format!("/v1/matches/{id}/events");
        let stream = |client: &Client| client.request(Method::GET, &path).header("accept", SSE);
        let mut first = Stream::open(&ann, &path, SSE, None).await;
        first.take(2).await;
        let mine = Stream::open(&ann, "/v1/me/events", "application/x-ndjson", None).await;
        // One more ends the player's oldest, also from elsewhere and by a ticket.
        let elsewhere = world.nobody_at("127.0.0.2").with_token(ann.token.as_deref().unwrap());
        let third = Stream::open(&elsewhere, &path, SSE, None).await;
        assert_eq!(first.next().await, None);
        assert!(first.unread().starts_with("retry: 60000\n: a newer stream of the same player"), "{}", first.unread());
        let ticket = ann.call("POST", "/v1/stream-tickets").await.ok()["ticket"].as_str().unwrap().to_owned();
        let by_ticket = world.nobody_at("127.0.0.2");
        let mut fourth = Stream::open(&by_ticket, &format!("{path}?ticket={ticket}"), SSE, None).await;
        mine.rest().await;
        fourth.take(1).await;

        // An address is full with three: for who has none there, and for nobody.
        let others = [Stream::open(&ben, &path, SSE, None).await, Stream::open(&ben, &path, SSE, None).await];
        let (cat, nobody) = (world.guest("Cat").await, world.nobody());
        let one = Stream::open(&nobody, &path, SSE, None).await;
        for full in [&nobody, &cat] {
            let refused = too_many(&full.send(stream(full)).await, "too_many_streams");
            assert!(refused["detail"].as_str().unwrap().contains("address"), "{refused}");
        }
        // A page is no stream, and those that are open go on.
        ben.get(&path).await.ok();
        drop(others);
        eventually_ok(&cat, || stream(&cat)).await;
        drop((one, third));
        world.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn behind_a_proxy_streams_count_for_the_address_that_it_names() {
    let quotas = Quotas { streams_per_address: Some(1), connections_per_address: Some(1), ..Quotas::default() };
    let mut world = bounded(Backend::Embedded, quotas, 1).await;
    let ann = world.guest("Ann").await;
    let id = ann.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
    let nobody = world.nobody();
    let stream = |from: &str| {
        let request = nobody.request(Method::GET, &format!("/v1/matches/{id}/events")).header("accept", SSE);
        request.header("x-forwarded-for", format!("9.9.9.9, {from}"))
    };
    let mut held = Vec::new();
    for from in ["10.0.0.1:4711", "[2001:db8:1:2::1]:443", "10.0.0.2"] {
        let response = stream(from).send().await.unwrap();
        assert_eq!(response.status(), 200, "{from}");
        held.push(response);
    }
    for from in ["10.0.0.1", "10.0.0.1:4712", "2001:db8:1:2::7", "[2001:db8:1:2:3::1]:80"] {
        too_many(&nobody.send(stream(from)).await, "too_many_streams");
    }
    drop(held);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_may_read_only_so_much() {
    let allowances = Allowances { reads: Some(Allowance { burst: 3, per_minute: 3 }), ..Allowances::default() };
    for backend in [Backend::Embedded, Backend::Redis] {
        let mut world = World::with(backend, Settings { allowances, ..Settings::default() }).await;
        let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
        let first = ann.get("/v1/me").await;
        assert_eq!(first.header("ratelimit"), Some("\"reads\";r=2;t=0"));
        assert_eq!(first.header("ratelimit-policy"), Some("\"reads\";q=3;w=60"));
        ann.get("/v1/matches").await.ok();
        ann.get("/v1/me/events").await.ok();
        for path in ["/v1/me", "/v1/matches", "/v1/me/events"] {
            too_many(&ann.get(path).await, "rate_limited");
        }
        // Changes, others, and what is asked without a token are not counted with them.
        let made = ann.create(json!({})).await;
        ben.get("/v1/me").await.ok();
        // Without a token the address counts, whatever is read.
        let picture = format!("/v1/matches/{}/board.svg", made["match"]["id"].as_str().unwrap());
        let nobody = world.nobody();
        let first = nobody.get(&picture).await;
        assert_eq!((first.status, first.header("ratelimit")), (200, Some("\"reads\";r=2;t=0")));
        nobody.get("/v1/matches").await.ok();
        assert_eq!(nobody.get(&picture).await.status, 200);
        too_many(&nobody.get(&picture).await, "rate_limited");
        too_many(&nobody.get("/v1/matches").await, "rate_limited");
        nobody.get("/v1/me").await.refused(401, "unauthenticated");
        world.nobody_at("127.0.0.2").get("/v1/matches").await.ok();
        world.clock.advance_seconds(20);
        ann.get("/v1/me").await.ok();
        too_many(&ann.get("/v1/me").await, "rate_limited");
        world.stop().await;
    }
}

/// Operations whose answers stand ready in memory, and those of operators.
const UNCOUNTED: [&str; 15] = [
    "getIndex",
    "getHealth",
    "getReadiness",
    "getMetrics",
    "getOpenapi",
    "listProblems",
    "getProblem",
    "getLimits",
    "getPush",
    "listGames",
    "getGame",
    "getGameRules",
    "getBoard",
    "getGlossary",
    "listBots",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_read_without_a_token_is_counted_unless_its_answer_stands_ready() {
    let plenty = Some(Allowance { burst: 1_000, per_minute: 1 });
    let allowances = Allowances { reads: plenty, invites: plenty, ..Allowances::default() };
    let mut world = World::with(Backend::Embedded, Settings { allowances, ..Settings::default() }).await;
    let nobody = world.nobody();
    let document = nobody.get("/openapi.json").await.ok();
    let mut counted = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        let Some(id) = item["get"]["operationId"].as_str() else { continue };
        let rules = item["get"]["security"].as_array().unwrap();
        if !rules.is_empty() && !rules.contains(&json!({})) {
            continue;
        }
        let answer = nobody.get(&crate::errors::filled(path)).await;
        let (told, free) = (answer.header("ratelimit").is_some(), UNCOUNTED.contains(&id));
        assert!(told != free, "{id}: {}", answer.text());
        let documented = item["get"]["responses"]["200"]["headers"].get("RateLimit");
        assert!(told == documented.is_some(), "{id} does not say so");
        counted += usize::from(told);
    }
    assert!(counted > 15, "{counted}");
    // A good token pays instead of the address, and a bad one is refused by none of these.
    let ann = world.guest("Ann").await;
    for path in ["/v1/leaderboards", "/v1/games/contiguity/board.svg"] {
        let left = |answer: Answer| answer.header("ratelimit").unwrap().to_owned();
        let before = left(nobody.get(path).await);
        assert_ne!(left(ann.get(path).await), before, "{path}");
        let bad = ann.with_token("x").get(path).await;
        assert_eq!(bad.status, 200, "{path}: {}", bad.text());
    }
    assert_eq!(ann.get("/v1/me").await.header("ratelimit"), Some("\"reads\";r=997;t=0"));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invites_are_not_guessed_wherever_they_may_stand() {
    let allowances = Allowances { invites: Some(Allowance { burst: 3, per_minute: 3 }), ..Allowances::default() };
    let mut world = World::with(Backend::Embedded, Settings { allowances, ..Settings::default() }).await;
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let made = ann.create(json!({"visibility": "private"})).await;
    let (path, right) = (
        format!("/v1/matches/{}", made["match"]["id"].as_str().unwrap()),
        made["match"]["invite_code"].as_str().unwrap().to_owned(),
    );
    let nobody = world.nobody();
    // The right one costs nothing, however often it comes.
    for _ in 0..5 {
        nobody.get(&format!("{path}?invite={right}")).await.ok();
    }
    nobody.get(&format!("{path}?invite=000000000000")).await.refused(404, "wrong_invite");
    nobody.get(&format!("{path}/board.svg?invite=000000000001")).await.refused(404, "wrong_invite");
    ben.post(&format!("{path}/join"), json!({"invite": "000000000002"})).await.refused(404, "wrong_invite");
    // Then the right one is not told from a wrong one either.
    for invite in ["000000000003", &right] {
        too_many(&nobody.get(&format!("{path}?invite={invite}")).await, "rate_limited");
        too_many(&ben.post(&format!("{path}/join"), json!({"invite": invite})).await, "rate_limited");
        // However it is spelt.
        too_many(&nobody.get(&format!("{path}?%69nvite={invite}")).await, "rate_limited");
        too_many(&nobody.get(&format!("{path}/board.svg?layout=narrow&i%6Evite={invite}")).await, "rate_limited");
        too_many(&ben.post(&format!("{path}/joi%6e"), json!({"invite": invite})).await, "rate_limited");
        too_many(&ben.post(&format!("/v1/invit%65s/{invite}/jo%69n"), json!({})).await, "rate_limited");
    }
    ann.get(&path).await.ok();
    world.nobody_at("127.0.0.2").get(&format!("{path}?invite={right}")).await.ok();
    world.clock.advance_seconds(20);
    ben.post(&format!("{path}/join"), json!({"invite": right})).await.ok();
    world.stop().await;
}

/// A guest who calls from this address.
async fn guest_at(world: &World, address: &str, name: &str) -> Client {
    let nobody = world.nobody_at(address);
    let signed_in = nobody.post("/v1/players", json!({"name": name})).await.ok();
    nobody.signed_in(&signed_in)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rematches_of_one_address_are_counted_and_do_not_fill_the_lobby() {
    let allowances = Allowances { tables: Some(Allowance { burst: 9, per_minute: 9 }), ..Allowances::default() };
    let mut world = World::with(Backend::Embedded, Settings { allowances, ..Settings::default() }).await;
    let other = guest_at(&world, "127.0.0.2", "Ben").await;
    let mut players = Vec::new();
    for name in ["Ann", "Cora", "Dan"] {
        players.push(guest_at(&world, "127.0.0.3", name).await);
    }
    let id_of = |answer: &Value| answer["match"]["id"].as_str().unwrap().to_owned();
    let finished = async || {
        let id = id_of(&players[0].create(json!({"game": "sacrifice_roulette", "seats": 3})).await);
        for (player, what) in [(1, "join"), (2, "join"), (0, "resign"), (1, "resign")] {
            players[player].act(&id, what).await.ok();
        }
        format!("/v1/matches/{id}/rematch")
    };
    let mut called = Vec::new();
    for _ in 0..4 {
        let rematch = finished().await;
        let next = id_of(&players[0].call("POST", &rematch).await.ok());
        // Again, it is the same, and costs nothing.
        assert_eq!(id_of(&players[0].call("POST", &rematch).await.ok()), next);
        for player in &players[1..] {
            player.call("DELETE", &rematch).await.ok();
        }
        called.push(next);
    }
    called.sort_by(|one, other| other.cmp(one));
    let listed = other.get("/v1/matches?status=open").await.ok();
    let listed: Vec<String> =
        listed["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(listed, called[..3], "three of one address");
    let rematch = finished().await;
    too_many(&players[0].call("POST", &rematch).await, "rate_limited");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_address_makes_only_so_many_public_matches_and_does_not_fill_the_lobby() {
    let allowances = Allowances { tables: Some(Allowance { burst: 6, per_minute: 6 }), ..Allowances::default() };
    for backend in [Backend::Embedded, Backend::Redis] {
        let mut world = World::with(backend, Settings { allowances, ..Settings::default() }).await;
        let guest = async |address: &str, name: &str| guest_at(&world, address, name).await;
        let other = guest("127.0.0.2", "Ben").await;
        let made = async |client: &Client| {
            client.create(json!({"tags": ["cup"]})).await["match"]["id"].as_str().unwrap().to_owned()
        };
        let others = made(&other).await;
        let mut own = Vec::new();
        for number in 0..6 {
            let player = guest("127.0.0.3", &format!("Ann {number}")).await;
            own.push((made(&player).await, player));
        }
        let flooding = guest("127.0.0.3", "Ann").await;
        too_many(&flooding.post("/v1/matches", json!({"game": "contiguity"})).await, "rate_limited");
        // Nor one with a free seat beside a bot, where the number of seats is the game's fewest.
        let beside = json!({"game": "contiguity", "seat": null, "places": [{"seat": 0, "bot": "easy"}]});
        too_many(&flooding.post("/v1/matches", beside).await, "rate_limited");
        // A private one stands in nobody's way.
        flooding.create(json!({"visibility": "private"})).await;
        let listed = async |client: &Client, query: &str| {
            let page = client.get(&format!("/v1/matches?status=open&{query}")).await.ok();
            let id = |item: &Value| item["id"].as_str().unwrap().to_owned();
            (page["items"].as_array().unwrap().iter().map(id).collect::<Vec<_>>(), page["next_cursor"].clone())
        };
        // Ids of one millisecond are in no order.
        own.sort_by(|one, other| other.0.cmp(&one.0));
        let ids: Vec<String> = own.iter().map(|(id, _)| id.clone()).collect();
        let expected = [&ids[..3], std::slice::from_ref(&others)].concat();
        for limit in [5, 20] {
            let page = listed(&other, &format!("limit={limit}")).await;
            assert_eq!(page, (expected.clone(), Value::Null), "newest of different people first");
        }
        let (mut walked, mut query) = (Vec::new(), "limit=3".to_owned());
        while let (page, Value::String(cursor)) = listed(&other, &query).await {
            walked.extend(page);
            query = format!("limit=3&cursor={cursor}");
        }
        walked.extend(listed(&other, &query).await.0);
        assert_eq!(
            walked,
            [&ids[..], std::slice::from_ref(&others)].concat(),
            "no more than three on each of the pages"
        );
        // Who has made one finds it, also from elsewhere; those in one house find each other, who asks for a label finds all.
        let elsewhere = world.nobody().with_token(own[5].1.token.as_deref().unwrap());
        assert_eq!(
            listed(&elsewhere, "limit=20").await.0,
            [&ids[..3], &ids[5..], std::slice::from_ref(&others)].concat()
        );
        let all = [&ids[..], std::slice::from_ref(&others)].concat();
        assert_eq!(listed(&world.nobody_at("127.0.0.3"), "limit=20").await.0, all);
        assert_eq!(listed(&other, "limit=20&tag=cup").await.0, all);
        // The next come up as those before them start.
        other.post(&format!("/v1/matches/{}/join", ids[1]), json!({})).await.ok();
        let next = [&ids[..1], &ids[2..4], &[others]].concat();
        world.eventually(async || listed(&other, "limit=20").await.0 == next).await;
        world.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_of_tokens_are_counted_by_address() {
    let allowances = Allowances { writes: Some(Allowance { burst: 2, per_minute: 1 }), ..Allowances::default() };
    for backend in [Backend::Embedded, Backend::Redis] {
        let mut world = World::with(backend, Settings { allowances, ..Settings::default() }).await;
        let ann = world.guest("Ann").await;
        let refresh = |client: &Client, token: &str| {
            client.request(Method::POST, "/v1/tokens/refresh").json(&json!({"refresh_token": token}))
        };
        // A guess counts too.
        ann.send(refresh(&ann, "r_guess")).await.refused(401, "refresh_token_invalid");
        ann.send(refresh(&ann, &ann.refresh_token)).await.ok();
        too_many(&ann.send(refresh(&ann, &ann.refresh_token)).await, "rate_limited");
        too_many(&ann.call("POST", "/v1/tokens/revoke").await, "rate_limited");
        ann.get("/v1/me").await.ok();
        // A player's own changes are another allowance, and so is another address.
        ann.create(json!({})).await;
        let elsewhere = world.nobody_at("127.0.0.2").with_token(ann.token.as_deref().unwrap());
        elsewhere.call("POST", "/v1/tokens/revoke").await.ok();
        ann.get("/v1/me").await.refused(401, "token_revoked");
        world.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tokens_bots_contacts_blocks_and_sessions_of_a_player_are_bounded() {
    let accounts = AccountBounds {
        sessions_per_player: 2,
        tokens_per_player: 1,
        bot_accounts_per_player: 1,
        contacts_per_player: 1,
        ..AccountBounds::default()
    };
    let settings = Settings { accounts, ..Settings::default() };
    for backend in [Backend::Embedded, Backend::Redis] {
        let mut world = World::with(backend, settings.clone()).await;
        let (ann, ben, cat) = (world.guest("Ann").await, world.guest("Ben").await, world.guest("Cat").await);
        let limits = ann.get("/v1/limits").await.ok();
        for (what, most) in [
            ("tokens_per_player", 1),
            ("bot_accounts_per_player", 1),
            ("contacts_per_player", 1),
            ("sessions_per_player", 2),
            ("tickets_per_player", 3),
            ("tags_per_match", 8),
            ("matches_of_a_batch", 100),
            ("counted_matches_per_day", 10),
        ] {
            assert_eq!(limits[what], most, "{what}");
        }

        let terms = json!({"name": "trainer", "scopes": ["read"]});
        let token = ann.post("/v1/me/tokens", terms.clone()).await.ok();
        ann.post("/v1/me/tokens", terms.clone()).await.refused(409, "limit_reached");
        let bot = ann.post("/v1/me/bots", json!({"name": "Engine"})).await.ok();
        ann.post("/v1/me/bots", json!({"name": "Other"})).await.refused(409, "limit_reached");
        // A bot account has a token from the beginning.
        let tokens_of_bot = format!("/v1/me/bots/{}/tokens", bot["player"]["id"].as_str().unwrap());
        ann.post(&tokens_of_bot, terms.clone()).await.refused(409, "limit_reached");
        for list in ["contacts", "blocks"] {
            let path = |other: &Client| format!("/v1/me/{list}/{}", other.id);
            for _ in 0..2 {
                ann.put(&path(&ben), json!({})).await.ok();
            }
            ann.put(&path(&cat), json!({})).await.refused(409, "limit_reached");
            ann.call("DELETE", &path(&ben)).await.ok();
            ann.put(&path(&cat), json!({})).await.ok();
        }
        ann.call("DELETE", &format!("/v1/me/tokens/{}", token["token"]["id"].as_str().unwrap())).await.ok();
        ann.post("/v1/me/tokens", terms).await.ok();
        // Others have bounds of their own.
        ben.post("/v1/me/bots", json!({"name": "Other"})).await.ok();

        // One more session ends one of those before.
        let mut devices = vec![ann.clone()];
        for device in ["Phone", "Tablet"] {
            let code = ann.call("POST", "/v1/me/pairing-codes").await.ok()["code"].take();
            let paired = world.nobody().post("/v1/tokens/pair", json!({"code": code, "device": device})).await.ok();
            devices.push(ann.signed_in(&paired));
        }
        let mut statuses = Vec::new();
        for device in &devices {
            statuses.push(device.get("/v1/me").await.status);
        }
        assert!([[200, 401, 200], [401, 200, 200]].iter().any(|known| *known == *statuses), "{statuses:?}");
        let sessions = devices[2].get("/v1/me/sessions").await.ok();
        assert_eq!(sessions["items"].as_array().unwrap().len(), 2, "{sessions}");
        world.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn identities_lifetimes_names_opponents_and_reports_have_the_bounds_that_are_set() {
    let keys = identities::key_set();
    let accounts = AccountBounds {
        identities_per_player: 1,
        program_token_seconds: 3600,
        pairing_code_seconds: 60,
        name_change_seconds: 120,
        opponent_matches: 1,
        reports_per_day: 2,
        reports_kept: 1,
        ..AccountBounds::default()
    };
    // The same token, of about 1500 bytes, under two bounds.
    let long = "\u{e9}".repeat(255);
    for (outside_token_bytes, status) in [(1024, 401), (2048, 201)] {
        let issuers = identities::issuers(&format!("file:{}", keys.path().display()));
        let accounts = AccountBounds { outside_token_bytes, ..accounts };
        let settings = Settings { accounts, issuers, ..Settings::default() };
        let mut world = World::with(Backend::Embedded, settings).await;
        let [ann, ben, cora] = [world.guest("Ann").await, world.guest("Ben").await, world.guest("Cora").await];
        let limits = ann.get("/v1/limits").await.ok();
        for (what, most) in [
            ("identities_per_player", 1),
            ("program_token_seconds", 3600),
            ("pairing_code_seconds", 60),
            ("name_change_seconds", 120),
            ("opponent_matches", 1),
            ("reports_per_day", 2),
            ("reports_kept", 1),
            ("outside_token_bytes", outside_token_bytes),
        ] {
            assert_eq!(limits[what], most, "{what}");
        }
        let proof = |subject: &str| json!({"issuer": "acme", "token": identities::token(subject)});
        assert_eq!(world.nobody().post("/v1/tokens/exchange", proof(&long)).await.status, status);
        ann.post("/v1/me/identities", proof("one")).await.ok();
        ann.post("/v1/me/identities", proof("two")).await.refused(409, "limit_reached");

        // The bound, one more, and nothing asked for, with the time that the answer then has to end within.
        let bot = ann.post("/v1/me/bots", json!({"name": "Engine"})).await.ok();
        let of_bot = format!("/v1/me/bots/{}/tokens", bot["player"]["id"].as_str().unwrap());
        let ends = |made: &Value| Timestamp::from_rfc3339(made["expires_at"].as_str().unwrap()).unwrap();
        for (path, terms, most) in [
            ("/v1/me/tokens", json!({"name": "trainer", "scopes": ["read"]}), 3600),
            (of_bot.as_str(), json!({"name": "trainer", "scopes": ["read"]}), 3600),
            ("/v1/me/pairing-codes", json!({}), 60),
        ] {
            let within = |seconds: u32| {
                let mut terms = terms.clone();
                terms["expires_in_seconds"] = json!(seconds);
                ann.post(path, terms)
            };
            within(most).await.ok();
            let refused = within(most + 1).await.refused(400, "invalid_request");
            assert!(refused.to_string().contains(&most.to_string()), "{refused}");
            let made = ann.post(path, terms.clone()).await.ok();
            let made = made.get("token").unwrap_or(&made);
            assert!(ends(made) <= world.clock.now().plus_seconds(most), "{path}: {made}");
        }
        assert!(ends(&bot["credential"]["token"]) <= world.clock.now().plus_seconds(3600), "{bot}");

        let rename = |name: &str| ann.send(ann.request(Method::PATCH, "/v1/me").json(&json!({"name": name})));
        rename("Hazel").await.ok();
        let early = rename("Rowan").await.refused(429, "rate_limited");
        assert!((1..=120).contains(&early["retry_after_seconds"].as_u64().unwrap()), "{early}");
        world.clock.advance_seconds(120);
        rename("Rowan").await.ok();

        for other in [&ben, &cora] {
            let id = ann.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
            other.act(&id, "join").await.ok();
            ann.act(&id, "resign").await.ok();
        }
        let opponents = ann.get("/v1/me/opponents").await.ok();
        assert_eq!((&opponents["items"][0]["player"]["id"], &opponents["items"][1]), (&json!(cora.id), &Value::Null));

        let path = format!("/v1/players/{}/report", ann.id);
        let report = |reason: &str| ben.post(&path, json!({"reason": reason}));
        report("first").await.ok();
        report("second").await.ok();
        too_many(&report("third").await, "rate_limited");
        let kept = world.operator("admin:moderate").get("/v1/admin/reports").await.ok();
        assert_eq!((&kept["items"][0]["reason"], &kept["items"][1]), (&json!("second"), &Value::Null), "{kept}");
        world.stop().await;
    }
}
