//! Answers that are asked for again: unchanged lists, a match that is waited for, whose matches are listed, what is allowed
//! and what time it is.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::client::Client;
use crate::tables::{Pair, WIN};
use crate::world::{Settings, World, cases};
use sarsen::http::settings::{Allowances, Cors, Quotas, ServerConfig};
use sarsen::store::Allowance;

cases!(
    a_read_waits_no_longer_than_it_was_asked_to, a_list_of_a_players_matches_shows_what_the_caller_may_see,
        what_is_allowed_is_told, every_answer_says_what_time_it_is;
    on both stores: unchanged_lists_are_not_sent_again, a_read_waits_for_a_change;
);

async fn unchanged_lists_are_not_sent_again(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let ann = &pair.players[0];
    let paths = [
        "/v1/matches".to_owned(),
        "/v1/matches?mine=true".to_owned(),
        "/v1/matches?mine=true&fields=brief".to_owned(),
        "/v1/me/summary".to_owned(),
        "/v1/me/events".to_owned(),
        pair.path("/events"),
        pair.path("/events?include=view"),
    ];
    let mut tags = Vec::new();
    for path in &paths {
        let answer = ann.get(path).await;
        answer.ok();
        assert_eq!(answer.header("cache-control"), Some("private, no-cache"), "{path}");
        assert!(answer.header("vary").unwrap().to_ascii_lowercase().contains("authorization"), "{path}");
        let tag = answer.header("etag").unwrap().to_owned();
        let again = ann.get_with(path, "if-none-match", &tag).await;
        assert_eq!((again.status, again.bytes.len(), again.header("etag")), (304, 0, Some(tag.as_str())), "{path}");
        tags.push(tag);
    }
    let ben = pair.players[1].get_with(&paths[1], "if-none-match", &tags[1]).await;
    assert_eq!(ben.status, 200, "another reader is shown another seat");
    pair.play_all(&WIN[..1]).await;
    for (path, tag) in paths.iter().zip(&tags) {
        let changed = ann.get_with(path, "if-none-match", tag).await;
        changed.ok();
        assert_ne!(changed.header("etag"), Some(tag.as_str()), "{path}");
    }
}

/// Reads the match as the caller has it, and its tag.
async fn known(client: &Client, path: &str) -> (Value, String) {
    let answer = client.get(path).await;
    (answer.ok(), answer.header("etag").unwrap().to_owned())
}

async fn a_read_waits_for_a_change(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let elsewhere = if world.shares_a_store() { Some(world.add_instance().await) } else { None };
    let path = pair.path("");
    for (number, mv) in WIN[..2].iter().enumerate() {
        let mut waiting = Vec::new();
        for reader in [&pair.players[0], &pair.players[1], &world.nobody()] {
            let reader = match elsewhere.filter(|_| number == 1) {
                Some(elsewhere) => reader.at(world.base(elsewhere)),
                None => reader.clone(),
            };
            let (before, tag) = known(&reader, &path).await;
            let path = format!("{path}?wait=30");
            waiting.push((
                reader.clone(),
                before,
                tokio::spawn(async move { reader.get_with(&path, "if-none-match", &tag).await }),
            ));
        }
        sleep(Duration::from_millis(300)).await;
        assert!(waiting.iter().all(|(.., answer)| !answer.is_finished()), "nothing has happened");
        pair.play(mv).await.ok();
        let began = Instant::now();
        for (reader, before, answer) in waiting {
            let after = answer.await.unwrap().ok();
            assert_eq!(
                after["match"]["version"].as_u64(),
                before["match"]["version"].as_u64().map(|version| version + 1)
            );
            assert_eq!(after, reader.read(&pair.id).await, "each is shown what that reader may see");
        }
        assert!(began.elapsed() < Duration::from_secs(20), "the wait ended with the move");
    }
}

async fn a_read_waits_no_longer_than_it_was_asked_to(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let ann = &pair.players[0];
    let (_, tag) = known(ann, &pair.path("")).await;
    let began = Instant::now();
    let unchanged = ann.get_with(&pair.path("?wait=1"), "if-none-match", &tag).await;
    assert_eq!((unchanged.status, unchanged.header("etag")), (304, Some(tag.as_str())));
    assert!(began.elapsed() >= Duration::from_secs(1));
    // Without a tag, with another, or without a wait there is nothing to wait for.
    let began = Instant::now();
    ann.get(&pair.path("?wait=30")).await.ok();
    ann.get_with(&pair.path("?wait=30"), "if-none-match", "W/\"x\"").await.ok();
    assert_eq!(ann.get_with(&pair.path(""), "if-none-match", &tag).await.status, 304);
    assert!(began.elapsed() < Duration::from_secs(20));
    for wrong in ["31", "-1", "x"] {
        let problem = ann.get(&pair.path(&format!("?wait={wrong}"))).await.refused(400, "invalid_parameter");
        assert_eq!(problem["field"], "wait");
    }
    // Whoever is signed out waits no more.
    let (path, reader) = (pair.path("?wait=30"), ann.clone());
    let waiting = tokio::spawn(async move { reader.get_with(&path, "if-none-match", &tag).await });
    sleep(Duration::from_millis(200)).await;
    ann.call("POST", "/v1/tokens/revoke").await.ok();
    waiting.await.unwrap().refused(401, "token_revoked");
    assert!(began.elapsed() < Duration::from_secs(20));
}

async fn a_list_of_a_players_matches_shows_what_the_caller_may_see(world: &mut World) {
    let [ann, ben, cora] = [world.guest("Ann").await, world.guest("Ben").await, world.guest("Cora").await];
    let id = |made: &Value| made["match"]["id"].as_str().unwrap().to_owned();
    let public = id(&ann.create(json!({"game": "contiguity"})).await);
    let secret = ann.create(json!({"game": "contiguity", "visibility": "private"})).await;
    let alone = id(&ann.create(json!({"game": "henge", "visibility": "private", "seats": 1, "start": "manual"})).await);
    let join = json!({"invite": secret["match"]["invite_code"]});
    ben.post(&format!("/v1/matches/{}/join", id(&secret)), join).await.ok();
    let path = format!("/v1/matches?player={}", ann.id);
    let of = async |client: &Client, rest: &str| -> Vec<String> {
        let page = client.get(&format!("{path}{rest}")).await.ok();
        page["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
    };
    // Newest first; those of one millisecond have no order of their making.
    let newest_first = |mut ids: Vec<String>| {
        ids.sort_unstable_by(|one, other| other.cmp(one));
        ids
    };
    assert_eq!(of(&ann, "").await, newest_first(vec![alone.clone(), id(&secret), public.clone()]));
    assert_eq!(of(&ben, "").await, newest_first(vec![id(&secret), public.clone()]));
    assert_eq!(of(&cora, "").await, [public.as_str()]);
    assert_eq!(of(&world.nobody(), "").await, [public.as_str()]);
    assert_eq!(of(&ben, "&status=open").await, [public.as_str()]);
    assert_eq!(of(&ben, "&game=henge").await, Vec::<String>::new());
    // A page names no match that the caller may not see, nor is it short because of one.
    let page = cora.get(&format!("{path}&limit=1")).await;
    assert!(!page.text().contains(&alone) && !page.text().contains(&id(&secret)), "{}", page.text());
    assert_eq!(page.ok()["items"][0]["id"], json!(public));
    assert_eq!(of(&world.nobody().at(ben.base.clone()), &format!("&cursor={public}")).await, Vec::<String>::new());
    let nobodys = world.nobody().get(&format!("/v1/matches?player=p_{}", "0".repeat(32))).await.ok();
    assert_eq!(nobodys["items"], json!([]));
    for wrong in ["player=x", &format!("player={}&mine=true", ann.id), &format!("player={}&my_turn=true", ann.id)] {
        let problem = ann.get(&format!("/v1/matches?{wrong}")).await.refused(400, "invalid_parameter");
        assert_eq!(problem["field"], "player", "{wrong}");
    }
}

async fn what_is_allowed_is_told(world: &mut World) {
    let nobody = world.nobody();
    let limits = nobody.get("/v1/limits").await.ok();
    assert_eq!((&limits["body_bytes"], &limits["page_wait_seconds"]), (&json!(65536), &json!(30)));
    assert_eq!(
        limits["allowances"],
        json!({
            "guests": null, "writes": null, "program_writes": null, "reads": null, "sandbox": null, "hints": null,
            "invites": null, "tables": null, "codes": null, "exchanges": null
        })
    );
    for (name, limit) in [
        ("opponent_matches", 100),
        ("reports_kept", 10_000),
        ("program_token_seconds", 31_536_000),
        ("pairing_code_seconds", 600),
        ("outside_token_bytes", 8192),
        ("name_change_seconds", 86_400),
    ] {
        assert_eq!(limits[name], limit, "{name}");
    }
    assert_eq!(limits["idle_guest_days"], Value::Null);
    let answer = nobody.get("/v1/limits").await;
    assert_eq!(answer.header("cache-control"), Some("public, max-age=300"));
    assert!(!answer.header("vary").unwrap_or_default().to_ascii_lowercase().contains("authorization"));
    let tag = answer.header("etag").unwrap().to_owned();
    assert_eq!(nobody.get_with("/v1/limits", "if-none-match", &tag).await.status, 304);

    let quotas = Quotas { streams_per_player: Some(7), ..Quotas::default() };
    let server = ServerConfig { quotas, body_limit: 5000, ..ServerConfig::default() };
    let writes = Some(Allowance { burst: 40, per_minute: 30 });
    let allowances = Allowances { writes, ..Allowances::default() };
    let bounds = Settings { open_per_player: Some(3), bot_matches_per_player: Some(2), ..Settings::default() };
    let settings = Settings { server, allowances, expire_guests_days: Some(90), ..bounds };
    let mut other = World::with(world.backend(), settings).await;
    let limits = other.nobody().get("/v1/limits").await.ok();
    assert_eq!(limits["allowances"]["writes"], json!({"burst": 40, "per_minute": 30}));
    for (name, limit) in [
        ("streams_per_player", 7),
        ("body_bytes", 5000),
        ("open_matches_per_player", 3),
        ("bot_matches_per_player", 2),
        ("idle_guest_days", 90),
    ] {
        assert_eq!(limits[name], limit, "{name}");
    }
    let ann = other.guest("Ann").await;
    ann.post_raw("/v1/matches", Some("application/json"), " ".repeat(5001)).await.refused(413, "payload_too_large");
    for _ in 0..3 {
        ann.create(json!({"game": "contiguity"})).await;
    }
    ann.post("/v1/matches", json!({"game": "contiguity"})).await.refused(409, "too_many_open");
    other.stop().await;
}

async fn every_answer_says_what_time_it_is(world: &mut World) {
    let time = async |client: &Client, path: &str| {
        let text = client.get(path).await.header("x-server-time").unwrap().to_owned();
        assert!(text.len() == "2026-11-20T18:30:00.123Z".len() && text.ends_with('Z'), "{text}");
        text
    };
    let nobody = world.nobody();
    let before = time(&nobody, "/v1/games").await;
    world.clock.advance_seconds(3600);
    let after = time(&nobody, "/v1/me").await;
    assert!(after > before, "{before} {after}");
    assert_ne!(&after[..13], &before[..13], "an hour later: {before} {after}");

    let server = ServerConfig { cors: Cors::Any, ..ServerConfig::default() };
    let mut other = World::with(world.backend(), Settings { server, ..Settings::default() }).await;
    let answer = other.nobody().get_with("/v1/games", "origin", "https://example.org").await;
    let exposed = answer.header("access-control-expose-headers").unwrap().to_ascii_lowercase();
    for name in ["x-server-time", "date", "etag", "retry-after"] {
        assert!(exposed.split(',').any(|exposed| exposed.trim() == name), "{exposed}");
    }
    assert!(answer.header("date").is_some());
    other.stop().await;
}
