//! Settings of `POST /mcp` other than the defaults: switched off, foreign pages, and allowances.

use reqwest::Method;
use sarsen::http::settings::{Allowances, Cors, ServerConfig};
use sarsen::players::Allowance;
use serde_json::{Value, json};

use crate::agents::{call, refused, send, tool};
use crate::client::Answer;
use crate::world::{Backend, Settings, World};

fn ping() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})
}

fn server(server: ServerConfig) -> Settings {
    Settings { server, ..Settings::default() }
}

fn allowing(allowances: Allowances) -> Settings {
    Settings { allowances, ..Settings::default() }
}

fn few(burst: u32, per_minute: u32) -> Option<Allowance> {
    Some(Allowance { burst, per_minute })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn switched_off_there_is_nothing_by_any_method() {
    for mcp in [true, false] {
        let config = ServerConfig { mcp, ..ServerConfig::default() };
        let mut world = World::with(Backend::Embedded, server(config)).await;
        let ann = world.guest("Ann").await;
        let pinged = send(&ann, ping(), &[]).await;
        let other = async |method: Method| Answer::of(ann.request(method, "/mcp").send().await.unwrap()).await;
        let methods = [Method::GET, Method::DELETE, Method::PUT, Method::OPTIONS];
        if mcp {
            pinged.ok();
            for method in methods {
                let answer = other(method.clone()).await;
                let expected = if method == Method::OPTIONS { 204 } else { 405 };
                assert_eq!((answer.status, answer.header("allow")), (expected, Some("POST, OPTIONS")), "{method}");
            }
        } else {
            pinged.refused(404, "not_found");
            for method in methods {
                let answer = other(method).await;
                answer.refused(404, "not_found");
                assert_eq!(answer.header("allow"), None);
            }
            assert_eq!(other(Method::HEAD).await.status, 404);
        }
        world.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn foreign_pages_call_by_permission() {
    let friend = "https://friend.example";
    let cors = Cors::Origins(vec![friend.to_owned()]);
    for (cors, friend_may, others_may) in [(Cors::Off, false, false), (Cors::Any, true, true), (cors, true, false)] {
        let mut world = World::with(Backend::Embedded, server(ServerConfig { cors, ..ServerConfig::default() })).await;
        let ann = world.guest("Ann").await;
        for (origin, may) in [(friend, friend_may), ("http://127.0.0.1:8080", others_may), ("null", others_may)] {
            let answer = send(&ann, ping(), &[("origin", origin)]).await;
            if may {
                answer.ok()
            } else {
                answer.refused(403, "forbidden")
            };
        }
        send(&ann, ping(), &[]).await.ok();
        world.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agents_have_the_allowances_of_everybody() {
    let allowances = Allowances { writes: few(2, 3), reads: few(2, 3), ..Allowances::default() };
    let mut world = World::with(Backend::Embedded, allowing(allowances)).await;
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let table = json!({"game": "contiguity", "places": [{"seat": 1, "bot": "easy"}]});
    tool(&ann, "create_match", table.clone()).await;
    tool(&ann, "create_match", table.clone()).await;
    let (problem, text) = refused(&ann, "create_match", table).await;
    assert_eq!((&problem["code"], &problem["retry_after_seconds"]), (&json!("rate_limited"), &json!(20)));
    assert!(text.contains("Try again in 20 seconds."), "{text}");
    for _ in 0..2 {
        assert_eq!(call(&ben, "list_games", json!({})).await.ok()["result"]["isError"], false);
    }
    assert_eq!(refused(&ben, "list_games", json!({})).await.0["code"], "rate_limited");
    let over = send(&ben, ping(), &[]).await;
    over.refused(429, "rate_limited");
    assert!(over.header("retry-after").is_some() && over.header("ratelimit").is_some());
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hints_of_agents_are_counted_with_those_of_the_player() {
    let mut world =
        World::with(Backend::Embedded, allowing(Allowances { hints: few(2, 2), ..Allowances::default() })).await;
    let ann = world.guest("Ann").await;
    let (made, _) = tool(&ann, "create_match", json!({"game": "thief_of_the_sacred_fire"})).await;
    let (wish, path) = (
        json!({"match_id": made["match_id"], "level": "easy"}),
        format!("/v1/matches/{}/hint", made["match_id"].as_str().unwrap()),
    );
    tool(&ann, "get_hint", wish.clone()).await;
    ann.post(&path, json!({"level": "easy"})).await.ok();
    let (problem, text) = refused(&ann, "get_hint", wish.clone()).await;
    assert_eq!((&problem["code"], &problem["retry_after_seconds"]), (&json!("rate_limited"), &json!(30)));
    assert!(text.contains("Try again in 30 seconds."), "{text}");
    ann.post(&path, json!({"level": "easy"})).await.refused(429, "rate_limited");
    world.clock.advance_seconds(30);
    tool(&ann, "get_hint", wish).await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agents_guess_no_invites() {
    let mut world =
        World::with(Backend::Embedded, allowing(Allowances { invites: few(3, 3), ..Allowances::default() })).await;
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let (made, _) = tool(&ann, "create_match", json!({"game": "contiguity", "visibility": "private"})).await;
    let right = made["invite_code"].as_str().unwrap();
    let join = |code: &str| json!({"invite_code": code});
    for wrong in ["000000000000", "000000000001", "000000000002"] {
        assert_eq!(refused(&ben, "join_match", join(wrong)).await.0["code"], "wrong_invite");
    }
    // Then the right one is not told from a wrong one, here as elsewhere, and from this address alone.
    for code in ["000000000003", right] {
        let (problem, text) = refused(&ben, "join_match", join(code)).await;
        assert_eq!((&problem["code"], &problem["retry_after_seconds"]), (&json!("rate_limited"), &json!(20)), "{text}");
    }
    let shown = format!("/v1/matches/{}?invite={right}", made["match_id"].as_str().unwrap());
    world.nobody().get(&shown).await.refused(429, "rate_limited");
    world.nobody_at("127.0.0.2").get(&shown).await.ok();
    world.clock.advance_seconds(20);
    let (joined, _) = tool(&ben, "join_match", join(right)).await;
    assert_eq!((&joined["status"], &joined["match_id"]), (&json!("playing"), &made["match_id"]));
    world.stop().await;
}
