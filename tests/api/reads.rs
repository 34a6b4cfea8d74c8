//! Reading: entity tags, lists, the catalogue, and what every answer carries.

use std::collections::BTreeSet;

use reqwest::Method;
use sarsen::http::settings::{Allowances, Cors, ServerConfig};
use sarsen::store::Allowance;
use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::tables::{Pair, WIN};
use crate::world::{Backend, Settings, World, cases};

cases!(
    an_unchanged_match_is_not_sent_again, an_entity_tag_belongs_to_one_viewer, my_turn_lists_what_waits_for_me,
        what_a_match_that_is_over_has_been_may_be_kept, a_list_in_brief_has_a_line_for_each_match, lists_are_filtered;
    on both stores: a_list_is_paged_without_loss;
);

fn tag(answer: &crate::client::Answer) -> String {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("vary").map(|vary| vary.to_lowercase().contains("authorization")), Some(true));
    answer.header("etag").unwrap().to_owned()
}

async fn an_unchanged_match_is_not_sent_again(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let ann = &pair.players[0];
    let matches = [pair.path(""), pair.path("/history/2"), pair.path("?legal_moves=none")];
    for path in &matches {
        let known = tag(&ann.get(path).await);
        for sent in
            [known.clone(), format!("\"other\", {known}"), known.trim_start_matches("W/").to_owned(), "*".into()]
        {
            let same = ann.get_with(path, "if-none-match", &sent).await;
            assert_eq!((same.status, same.bytes.len()), (304, 0), "{path} {sent}");
            assert_eq!(same.header("etag"), Some(known.as_str()));
        }
        let other = ann.get_with(path, "if-none-match", "\"other\"").await;
        assert_eq!(tag(&other), known);
    }
    assert_ne!(tag(&ann.get(&matches[0]).await), tag(&ann.get(&matches[2]).await), "another form is another answer");
    let before = tag(&ann.get(&matches[0]).await);
    pair.play(WIN[0]).await.ok();
    assert_ne!(tag(&ann.get_with(&matches[0], "if-none-match", &before).await), before);
    pair.play_all(&WIN[1..]).await;
    let record = tag(&ann.get(&pair.path("/record")).await);
    assert_eq!(ann.get_with(&pair.path("/record"), "if-none-match", &record).await.status, 304);
}

async fn what_a_match_that_is_over_has_been_may_be_kept(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let ann = &pair.players[0];
    let kept = async |path: &str| {
        let answer = ann.get(&pair.path(path)).await;
        let tag = tag(&answer);
        let same = ann.get_with(&pair.path(path), "if-none-match", &tag).await;
        assert_eq!((same.status, same.header("cache-control")), (304, answer.header("cache-control")), "{path}");
        answer.header("cache-control").unwrap().to_owned()
    };
    for path in ["", "/history/1", "/history/2"] {
        assert_eq!(kept(path).await, "private, no-cache", "{path}: the end may come to show more");
    }
    pair.play_all(&WIN).await;
    for path in ["/record", "/history/1", "/history/2", "/history/2?view=full"] {
        assert_eq!(kept(path).await, "private, max-age=600, immutable", "{path}");
    }
    assert_eq!(kept("").await, "private, no-cache");
    let unknown = ann.get(&pair.path("/history/999")).await;
    assert!(unknown.status == 404 && unknown.header("cache-control") != Some("private, max-age=600, immutable"));
}

async fn an_entity_tag_belongs_to_one_viewer(world: &mut World) {
    let pair = Pair::seated(world, json!({"visibility": "private"})).await;
    let invite = pair.players[0].read(&pair.id).await["match"]["invite_code"].as_str().unwrap().to_owned();
    let path = pair.path(&format!("?invite={invite}"));
    let viewers = [&pair.players[0], &pair.players[1], &world.nobody()];
    let mut tags = BTreeSet::new();
    for viewer in viewers {
        tags.insert(tag(&viewer.get(&path).await));
    }
    assert_eq!(tags.len(), viewers.len());
    for viewer in viewers {
        let own = tag(&viewer.get(&path).await);
        for known in &tags {
            let answer = viewer.get_with(&path, "if-none-match", known).await;
            assert_eq!(answer.status, if *known == own { 304 } else { 200 });
        }
    }
    // A tag is no key to what may not be seen.
    let stranger = world.guest("Cora").await;
    stranger.get_with(&pair.path(""), "if-none-match", "*").await.refused(404, "match_not_found");
}

fn ids(page: &Value) -> Vec<String> {
    page["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

/// Waits until a list shows the steps before, which the contract promises only in time.
pub async fn listed(client: &Client, path: &str, wanted: &[&str]) {
    let start = tokio::time::Instant::now();
    let wanted: BTreeSet<String> = wanted.iter().map(|id| (*id).to_owned()).collect();
    loop {
        let page = client.get(path).await.ok();
        let found: BTreeSet<String> = ids(&page).into_iter().collect();
        if found == wanted {
            return;
        }
        assert!(start.elapsed() < crate::world::DEADLINE, "{path}: {found:?}, not {wanted:?}");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

async fn lists_are_filtered(world: &mut World) {
    let (ann, ben, nobody) = (world.guest("Ann").await, world.guest("Ben").await, world.nobody());
    let players = [ann.clone(), ben.clone()];
    let id = |view: Value| view["match"]["id"].as_str().unwrap().to_owned();
    let open = id(ann.create(json!({})).await);
    let hidden = id(ann.create(json!({"visibility": "private"})).await);
    let aborted = id(ann.create(json!({})).await);
    ann.act(&aborted, "abort").await.ok();
    let playing = Pair::of(players.clone(), json!({})).await.id;
    let finished = Pair::of(players, json!({})).await;
    finished.players[0].act(&finished.id, "resign").await.ok();
    let finished = finished.id;
    let (open, hidden, aborted, playing, finished) =
        (open.as_str(), hidden.as_str(), aborted.as_str(), playing.as_str(), finished.as_str());
    nobody.get("/v1/matches?game=chess").await.refused(404, "game_not_found");
    ann.get("/v1/matches?my_turn=true&status=open").await.refused(400, "invalid_parameter");
    for (query, wanted) in [
        ("", vec![open, aborted, playing, finished]),
        ("?status=open", vec![open]),
        ("?status=playing", vec![playing]),
        ("?status=finished", vec![finished]),
        ("?status=aborted", vec![aborted]),
        ("?game=contiguity", vec![open, aborted, playing, finished]),
        ("?status=open&game=contiguity&limit=100", vec![open]),
    ] {
        for caller in [&nobody, &ann] {
            listed(caller, &format!("/v1/matches{query}"), &wanted).await;
        }
    }
    listed(&ann, "/v1/matches?mine=true", &[open, hidden, aborted, playing, finished]).await;
    listed(&ann, "/v1/matches?mine=true&status=open", &[open, hidden]).await;
    listed(&ben, "/v1/matches?mine=true", &[playing, finished]).await;
    listed(&ben, "/v1/matches?mine=true&status=finished", &[finished]).await;
    let mine = ben.get("/v1/matches?mine=true").await.ok();
    assert!(
        mine["items"].as_array().unwrap().iter().all(|item| item["your_seat"] == 1 && item["invite_code"].is_null())
    );
}

async fn a_list_is_paged_without_loss(world: &mut World) {
    let ann = world.guest("Ann").await;
    let mut made = BTreeSet::new();
    for _ in 0..11 {
        made.insert(ann.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned());
    }
    let wanted: Vec<&str> = made.iter().map(String::as_str).collect();
    listed(&ann, "/v1/matches?mine=true", &wanted).await;
    for limit in [1, 4, 11, 20] {
        let (mut found, mut cursor): (Vec<String>, String) = (Vec::new(), String::new());
        loop {
            let page = ann.get(&format!("/v1/matches?mine=true&limit={limit}{cursor}")).await.ok();
            assert!(ids(&page).len() <= limit);
            found.extend(ids(&page));
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(found.len(), made.len(), "nothing twice");
        assert!(found.is_sorted_by(|newer, older| newer > older), "newest first");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), made);
    }
}

async fn my_turn_lists_what_waits_for_me(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    pair.players[0].create(json!({})).await;
    for notation in ["", WIN[0], WIN[1]] {
        if !notation.is_empty() {
            pair.play(notation).await.ok();
        }
        let seat = pair.turn().await.seat;
        listed(&pair.players[seat], "/v1/matches?my_turn=true", &[&pair.id]).await;
        listed(&pair.players[1 - seat], "/v1/matches?my_turn=true", &[]).await;
    }
    pair.players[0].act(&pair.id, "resign").await.ok();
    for player in &pair.players {
        listed(player, "/v1/matches?my_turn=true", &[]).await;
    }
}

async fn a_list_in_brief_has_a_line_for_each_match(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    pair.play(WIN[0]).await.ok();
    let (mover, asked) = (1 - pair.turn().await.seat, pair.turn().await.seat);
    let full = pair.players[asked].get("/v1/matches?mine=true").await;
    let claimable_at = full.ok()["items"][0]["seats"][asked]["claimable_at"].clone();
    for (seat, your_turn) in [(asked, true), (mover, false)] {
        let brief = pair.players[seat].get("/v1/matches?mine=true&fields=brief").await;
        let page = brief.ok();
        let name = |seat: usize| full.ok()["items"][0]["seats"][seat]["player"]["name"].as_str().unwrap().to_owned();
        let line = &page["brief"][0];
        let move_text = line["last_move"].as_str().unwrap();
        assert!(move_text.starts_with(&format!("{}: Move from ", name(mover))), "{move_text}");
        let wanted = json!({
            "id": pair.id, "game": "contiguity", "status": "playing", "opponents": [name(1 - seat)],
            "your_turn": your_turn, "deadline_at": claimable_at, "last_move": move_text,
        });
        assert_eq!((line, &page["items"], &page["next_cursor"]), (&wanted, &json!([]), &Value::Null));
        assert!(line.to_string().len() < 250 && 4 * brief.bytes.len() < full.bytes.len(), "{line}");
        let same =
            pair.players[seat].get_with("/v1/matches?mine=true&fields=brief", "if-none-match", &tag(&brief)).await;
        assert_eq!((same.status, same.header("x-content-type-options")), (304, None));
        let head = |answer: &Answer| -> usize {
            answer.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len()).sum()
        };
        let status_line = "HTTP/1.1 304 Not Modified\r\n\r\n".len();
        assert!(head(&same) + status_line <= 280, "{} bytes", head(&same) + status_line);
        let summary = pair.players[seat].get("/v1/me/summary").await;
        for (what, answer) in [("full", &full), ("brief", &brief), ("summary", &summary), ("unchanged", &same)] {
            eprintln!("first screen, {what}: {} bytes of headers, {} of body", head(answer), answer.bytes.len());
        }
    }
    let page = world.nobody().get("/v1/matches?fields=brief").await.ok();
    let line = &page["brief"][0];
    assert_eq!((line["opponents"].as_array().unwrap().len(), &line["your_turn"]), (2, &json!(false)));
    assert!(full.ok()["items"][0].is_object() && full.ok().get("brief").is_none());
}

async fn embedded(settings: Settings) -> World {
    World::with(Backend::Embedded, settings).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_catalogue_says_how_to_play() {
    let mut world = embedded(Settings::default()).await;
    let nobody = world.nobody();
    let games = nobody.get("/v1/games").await;
    let tag = games.header("etag").unwrap().to_owned();
    assert_eq!(nobody.get_with("/v1/games", "if-none-match", &tag).await.status, 304);
    let games = games.ok();
    let listed: Vec<&str> =
        games["items"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect();
    assert_eq!(
        listed,
        sarsen::games::Games::standard(sarsen::games::GameSettings::default())
            .iter()
            .map(|game| game.info().id)
            .collect::<Vec<_>>()
    );
    let game = nobody.get("/v1/games/contiguity").await.ok();
    assert_eq!((&game["id"], &game["min_seats"], &game["max_seats"]), (&json!("contiguity"), &json!(2), &json!(2)));
    assert!(game["rulings"].as_array().unwrap().len() >= 20 && game["summary"].as_str().unwrap().len() > 200);
    assert_eq!(game["signals"], json!([]));
    let rules = nobody.get("/v1/games/contiguity/rules").await;
    assert_eq!(rules.header("content-type"), Some("text/markdown; charset=utf-8"));
    let text = rules.text();
    let headings: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(headings[0], "# Contiguity");
    for ruling in game["rulings"].as_array().unwrap() {
        let heading = format!("### {} {}", ruling["id"].as_str().unwrap(), ruling["question"].as_str().unwrap());
        assert!(headings.contains(&&*heading), "{heading}");
    }
    let game = nobody.get("/v1/games/absolution").await.ok();
    let kinds: Vec<&Value> = game["signals"].as_array().unwrap().iter().map(|signal| &signal["type"]).collect();
    assert_eq!(kinds, ["wish", "ready"]);
    assert_eq!(
        (&game["signals"][0]["limit"], &game["signals"][1]["notation"]),
        (&json!(10), &json!("ready day 2 great"))
    );
    let board = nobody.get("/v1/games/contiguity/board").await.ok();
    assert!(board.to_string().contains("29b"));
    assert_eq!(board["edition"], Value::Null, "its components have no editions");
    for (game, kind, id) in [
        ("contiguity", "disk", "white"),
        ("absolution", "card", "D14"),
        ("sacrifice_roulette", "colour", "black"),
        ("thief_of_the_sacred_fire", "figure", "thief"),
    ] {
        let glossary = nobody.get(&format!("/v1/games/{game}/glossary")).await.ok();
        let entries = glossary["items"][0]["entries"].as_array().unwrap();
        assert!(entries.iter().any(|entry| entry["kind"] == kind && entry["id"] == id), "{game}: {kind} {id}");
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_leads_to_the_board_of_its_edition() {
    let mut world = embedded(Settings::default()).await;
    let ann = world.guest("Ann").await;
    let board = ann.get("/v1/games/henge/board").await;
    let made = ann.create(json!({"game": "henge", "seats": 3})).await;
    let pinned = &made["match"]["options"]["set"];
    let path = format!("/v1/games/henge/board?edition={}", pinned["digest"].as_str().unwrap());
    let own = ann.get(&path).await;
    assert_eq!(own.header("etag"), board.header("etag"), "new matches have it");
    assert_eq!(ann.get_with(&path, "if-none-match", own.header("etag").unwrap()).await.status, 304);
    let edition = own.ok()["edition"].take();
    assert_eq!(edition["offered"], json!(true));
    for key in ["name", "version", "digest"] {
        assert_eq!(edition[key], pinned[key]);
    }
    let listed = ann.get("/v1/games/henge/glossary").await.ok();
    assert_eq!(listed["items"][0]["digest"], edition["digest"]);
    // A match says too which side of it lies up.
    let side = made["state"]["side"].clone();
    for (asked, answered) in [("3", json!("3")), ("45", json!("45"))] {
        assert_eq!(ann.get(&format!("{path}&side={asked}")).await.ok()["side"], answered);
    }
    assert!(side.is_null() || side == "3", "{side}");
    for wrong in ["/v1/games/henge/board?side=6", "/v1/games/contiguity/board?side=3"] {
        let problem = ann.get(wrong).await.refused(400, "invalid_parameter");
        assert!(problem["detail"].as_str().unwrap().contains("side"), "{problem}");
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_answers_are_compressed_on_request() {
    let mut world = embedded(Settings::default()).await;
    let pair = Pair::seated(&world, json!({})).await;
    let actor = &pair.players[pair.turn().await.seat];
    let plain = actor.get(&pair.path("")).await;
    assert_eq!(plain.header("content-encoding"), None);
    for (coding, magic) in [("gzip", &[0x1f, 0x8b][..]), ("br", &[][..])] {
        let packed = actor.get_with(&pair.path(""), "accept-encoding", coding).await;
        assert_eq!(packed.header("content-encoding"), Some(coding));
        assert!(packed.bytes.len() * 3 < plain.bytes.len() && packed.bytes.starts_with(magic));
        assert_eq!(packed.header("etag"), plain.header("etag"));
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_of_other_origins_may_call_where_allowed() {
    let preflight = async |world: &World, origin: &str| {
        let nobody = world.nobody();
        let request = nobody.request(Method::OPTIONS, "/v1/matches").header("origin", origin);
        let request = request.header("access-control-request-method", "POST");
        nobody.send(request.header("access-control-request-headers", "authorization, idempotency-key")).await
    };
    let mut off = embedded(Settings::default()).await;
    let answer = off.nobody().get_with("/v1/games", "origin", "https://example.org").await;
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, None));
    assert_eq!(preflight(&off, "https://example.org").await.header("access-control-allow-origin"), None);
    off.stop().await;

    let cors = Cors::Origins(vec!["https://example.org".to_owned()]);
    let server = ServerConfig { cors, ..ServerConfig::default() };
    let mut on = embedded(Settings { server, ..Settings::default() }).await;
    let allowed = preflight(&on, "https://example.org").await;
    assert_eq!(allowed.header("access-control-allow-origin"), Some("https://example.org"));
    assert!(allowed.header("access-control-allow-headers").unwrap().to_lowercase().contains("idempotency-key"));
    let answer = on.nobody().get_with("/v1/matches/x", "origin", "https://example.org").await;
    answer.refused(404, "match_not_found");
    assert_eq!(answer.header("access-control-allow-origin"), Some("https://example.org"), "failures are readable too");
    assert_eq!(preflight(&on, "https://evil.example").await.header("access-control-allow-origin"), None);
    on.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn head_is_get_without_the_body() {
    let mut world = embedded(Settings::default()).await;
    let pair = Pair::seated(&world, json!({})).await;
    for path in ["/", "/v1/games", "/v1/matches", &pair.path(""), &pair.path("/events"), "/openapi.json"] {
        let (get, head) = (world.nobody().get(path).await, world.nobody().call("HEAD", path).await);
        assert_eq!((head.status, head.bytes.len()), (200, 0), "{path}");
        for header in ["content-type", "etag", "cache-control"] {
            assert_eq!(head.header(header), get.header(header), "{path} {header}");
        }
    }
    assert_eq!(world.nobody().call("HEAD", "/v1/matches/x").await.status, 404);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_id_is_given_back_or_made() {
    let mut world = embedded(Settings::default()).await;
    let nobody = world.nobody();
    for path in ["/v1/games", "/v1/matches/x", "/nothing"] {
        let answer = nobody.get_with(path, "x-request-id", "my-id.17").await;
        assert_eq!(answer.header("x-request-id"), Some("my-id.17"));
        let long = "x".repeat(129);
        for wrong in ["", "a b", "<script>", long.as_str()] {
            let made = nobody.get_with(path, "x-request-id", wrong).await;
            let id = made.header("x-request-id").unwrap();
            assert!(id != wrong && !id.is_empty() && id != "-", "{wrong:?} {id:?}");
        }
        assert_ne!(nobody.get(path).await.header("x-request-id"), nobody.get(path).await.header("x-request-id"));
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn allowances_are_counted_and_told() {
    let allowances = Allowances {
        guests: Some(Allowance { burst: 3, per_minute: 2 }),
        writes: Some(Allowance { burst: 4, per_minute: 60 }),
        ..Allowances::default()
    };
    let server = ServerConfig { trusted_proxies: 1, ..ServerConfig::default() };
    for backend in [Backend::Embedded, Backend::Redis] {
        let mut world =
            World::with(backend, Settings { server: server.clone(), allowances, ..Settings::default() }).await;
        let nobody = world.nobody();
        let guest = async |from: &str| {
            let request = nobody.request(Method::POST, "/v1/players").json(&json!({"name": "Ann"}));
            nobody.send(request.header("x-forwarded-for", format!("9.9.9.9, {from}"))).await
        };
        let first = guest("10.0.0.1").await;
        assert_eq!(first.header("ratelimit"), Some("\"guests\";r=2;t=0"));
        assert_eq!(first.header("ratelimit-policy"), Some("\"guests\";q=3;w=90"));
        let ann = nobody.signed_in(&first.ok());
        guest("10.0.0.1").await.ok();
        guest("10.0.0.1").await.ok();
        let refused = guest("10.0.0.1").await;
        let seconds = refused.refused(429, "rate_limited")["retry_after_seconds"].as_u64().unwrap();
        assert!((1..=30).contains(&seconds) && refused.header("retry-after") == Some(seconds.to_string().as_str()));
        assert!(refused.header("ratelimit").unwrap().starts_with("\"guests\";r=0;t="));
        guest("10.0.0.2").await.ok();

        let before = ann.get("/v1/matches?mine=true").await;
        assert_eq!(before.header("ratelimit"), None, "reading is free where it has no bound");
        let mut made = 0;
        let refused = loop {
            let answer = ann.post("/v1/matches", json!({"game": "contiguity"})).await;
            if answer.status != 201 {
                break answer;
            }
            made += 1;
            assert!(answer.header("ratelimit").unwrap().starts_with("\"writes\";r="));
            assert!(made < 1000, "the allowance never ends");
        };
        assert!(made >= 4);
        refused.refused(429, "rate_limited");
        assert!(refused.header("retry-after").unwrap().parse::<u64>().unwrap() >= 1);
        world.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_shown_is_told_in_words_on_request() {
    let mut world = embedded(Settings::default()).await;
    let pair = Pair::seated(&world, json!({})).await;
    let turn = pair.turn().await;
    let actor = &pair.players[turn.seat];
    let plain = actor.get(&pair.path("")).await;
    let narrated = actor.get(&pair.path("?text=true")).await;
    assert_ne!(plain.header("etag"), narrated.header("etag"));
    let (plain, narrated) = (plain.ok(), narrated.ok());
    assert!(plain["decision"]["legal_moves"]["texts"].is_null() && plain["last_move"].is_null());
    let legal = &narrated["decision"]["legal_moves"];
    assert_eq!(legal["texts"].as_array().unwrap().len() as u64, legal["count"].as_u64().unwrap());
    let (from, to) = (&legal["moves"][0]["from"], &legal["moves"][0]["to"]);
    let said = format!("Move from {} to {}.", from.as_str().unwrap(), to.as_str().unwrap());
    assert_eq!(legal["texts"][0], said);
    let asked = &plain["decision"];
    assert_eq!((&asked["kind"], &asked["source"]["kind"]), (&json!("move"), &json!("disk")));
    assert!(asked["text"].as_str().unwrap().ends_with("pieces."), "{asked}");

    let body = json!({"decision_id": asked["id"], "move": legal["moves"][0]});
    let moved = actor.post(&pair.path("/moves?text=true"), body).await.ok();
    assert_eq!((&moved["text"], &moved["last_move"]["text"]), (&json!(said), &json!(said)));
    let texts = |events: &Value| -> Vec<String> {
        events.as_array().unwrap().iter().map(|event| event["text"].as_str().unwrap().to_owned()).collect()
    };
    let told = texts(&moved["events"]);
    assert!(told[0].ends_with(&said) && told[1].starts_with("Turn 1: white "), "{told:?}");
    let nobody = world.nobody();
    let events = nobody.get(&pair.path("/events?limit=1000&text=true")).await.ok();
    assert_eq!(texts(&events["items"])[..1], ["The match is created.".to_owned()]);
    assert!(texts(&events["items"]).ends_with(&told));
    let plain = nobody.get(&pair.path("/events?limit=1000")).await.ok();
    assert!(plain["items"].as_array().unwrap().iter().all(|event| event["text"].is_null()));
    let seen = nobody.get(&pair.path("")).await.ok();
    assert_eq!(seen["last_move"], json!({"seat": turn.seat, "move": moved["move"], "notation": moved["notation"]}));
    world.stop().await;
}
