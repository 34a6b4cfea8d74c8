//! Faults of a request, in a fixed order, each with its own code; none of it changes anything.

use reqwest::Method;
use serde_json::{Value, json};

use crate::tables::{Pair, WIN};
use crate::world::{World, cases};

cases!(
    a_wrong_move_says_what_is_wrong, of_two_faults_the_earlier_in_the_order_is_told, a_wrong_match_is_not_made,
        a_body_is_read_strictly, a_query_is_read_strictly, an_unknown_address_is_told_from_a_wrong_method,
        every_problem_is_explained;
);

/// A wrong move, and the refusal that it meets.
struct Refusal {
    what: &'static str,
    body: Value,
    status: u16,
    code: &'static str,
    field: Option<&'static str>,
}

async fn a_wrong_move_says_what_is_wrong(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let (turn, version) = (pair.turn().await, pair.version().await);
    let decision = turn.decision.as_str();
    let case = |what, body: Value, status, code, field| Refusal { what, body, status, code, field };
    let said = |notation: &str| json!({"decision_id": decision, "notation": notation});
    let made = |mv: Value| json!({"decision_id": decision, "move": mv});
    let cases = [
        case("an empty space", said("15a-16a"), 422, "illegal_move", Some("from")),
        case("another's piece", said("1a-5a"), 422, "illegal_move", Some("from")),
        case("an occupied space", said("29b-30b"), 422, "illegal_move", Some("to")),
        case("no line", said("29b-5c"), 422, "illegal_move", Some("to")),
        case("the same space", said("29b-29b"), 422, "illegal_move", Some("to")),
        case("a bid without bidding", said("bid 3"), 422, "illegal_move", None),
        case("an unknown space", said("31a-1a"), 422, "malformed_move", Some("from")),
        case("an unknown row", said("29b-1e"), 422, "malformed_move", Some("to")),
        case("no notation", said("hello"), 422, "malformed_move", None),
        case("nothing", said(""), 400, "invalid_request", None),
        case("a bid out of range", said("bid 100"), 422, "malformed_move", Some("turns")),
        case("an unknown type", made(json!({"type": "castle"})), 422, "malformed_move", None),
        case("no type", made(json!({"from": "29b", "to": "5b"})), 422, "malformed_move", None),
        case("a missing field", made(json!({"type": "move", "from": "29b"})), 422, "malformed_move", None),
        case("a further field", made(json!({"type": "pass", "x": 1})), 422, "malformed_move", None),
        case("a space by number", made(json!({"type": "move", "from": 29, "to": "5b"})), 422, "malformed_move", None),
        case("a list for a move", made(json!(["move", "29b", "5b"])), 422, "malformed_move", None),
        case("a text for a move", made(json!("29b-5b")), 422, "malformed_move", None),
        case("no decision", json!({"notation": "29b-5b"}), 422, "malformed_move", Some("decision_id")),
        case("neither form", json!({"decision_id": decision}), 400, "invalid_request", None),
        case(
            "both forms",
            json!({"decision_id": decision, "notation": "pass", "move": {"type": "pass"}}),
            400,
            "invalid_request",
            None,
        ),
        case("no decision id", json!({"decision_id": "x", "notation": "pass"}), 400, "invalid_request", None),
        case("a decision id by number", json!({"decision_id": 2.0, "notation": "pass"}), 400, "invalid_request", None),
        case(
            "a huge decision id",
            json!({"decision_id": "99999999999999999999.0", "notation": "pass"}),
            400,
            "invalid_request",
            None,
        ),
        case("a long notation", said(&"x".repeat(1001)), 400, "invalid_request", None),
        case(
            "an unknown field",
            json!({"decision_id": decision, "notation": "pass", "seat": 0}),
            400,
            "invalid_request",
            None,
        ),
        case("another version", json!({"decision_id": "1.0", "notation": WIN[0]}), 409, "stale_decision", None),
        case(
            "a later version",
            json!({"decision_id": format!("9.{}", turn.seat), "notation": WIN[0]}),
            409,
            "stale_decision",
            None,
        ),
        case(
            "another seat",
            json!({"decision_id": format!("{version}.{}", 1 - turn.seat), "notation": WIN[0]}),
            409,
            "stale_decision",
            None,
        ),
    ];
    let actor = &pair.players[turn.seat];
    for Refusal { what, body, status, code, field } in cases {
        for query in ["", "?dry_run=true"] {
            let answer = actor.post(&pair.path(&format!("/moves{query}")), body.clone()).await;
            assert_eq!(
                (answer.status, answer.json()["code"].as_str()),
                (status, Some(code)),
                "{what}: {}",
                answer.text()
            );
            let problem = answer.refused(status, code);
            if code == "illegal_move" {
                assert!(problem["rule"].as_str().unwrap().starts_with("CO-"), "{what}: {problem}");
                assert!(problem["reason"].is_string(), "{what}: {problem}");
            }
            if let Some(field) = field {
                assert_eq!(problem["field"], field, "{what}: {problem}");
            }
            if code == "stale_decision" {
                assert_eq!(problem["version"], version);
            }
        }
        assert_eq!(pair.version().await, version, "{what}");
    }
    let waiter = &pair.players[1 - turn.seat];
    let early = waiter.play(&pair.id, &format!("{version}.{}", 1 - turn.seat), WIN[1]).await;
    assert_eq!(early.refused(409, "not_your_turn")["version"], version);
    pair.play_all(&WIN).await;
    let late = actor.play(&pair.id, decision, WIN[0]).await;
    assert_eq!(late.refused(409, "match_over")["version"], version + 5);
    world.guest("Cora").await.play(&pair.id, decision, WIN[0]).await.refused(403, "not_seated");
}

async fn of_two_faults_the_earlier_in_the_order_is_told(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let (turn, stranger, nobody) = (pair.turn().await, world.guest("Cora").await, world.nobody());
    let (actor, waiter) = (&pair.players[turn.seat], &pair.players[1 - turn.seat]);
    let (moves, gone) = (pair.path("/moves"), format!("/v1/matches/m_{}/moves", "0".repeat(32)));
    let bad = || json!({"decision_id": turn.decision, "notation": "hello"});
    let stale = |notation: &str| json!({"decision_id": "1.0", "notation": notation});

    // 401 before 404, before 403, before what is wrong with the body.
    nobody.post(&gone, bad()).await.refused(401, "unauthenticated");
    nobody.post(&moves, bad()).await.refused(401, "unauthenticated");
    nobody.post_raw(&moves, None, "{").await.refused(401, "unauthenticated");
    stranger.post(&gone, bad()).await.refused(404, "match_not_found");
    stranger.post_raw(&gone, Some("text/plain"), "{").await.refused(404, "match_not_found");
    stranger.post(&moves, bad()).await.refused(403, "not_seated");
    stranger.post_raw(&moves, Some("application/json"), "{").await.refused(403, "not_seated");
    // Malformed before not_your_turn, stale_decision and illegal_move.
    waiter.post(&moves, stale("hello")).await.refused(422, "malformed_move");
    waiter.post_raw(&moves, Some("application/json"), "{").await.refused(400, "malformed_json");
    actor.post(&moves, stale("31a-1a")).await.refused(422, "malformed_move");
    // not_your_turn before stale_decision and illegal_move.
    waiter.post(&moves, stale(WIN[1])).await.refused(409, "not_your_turn");
    waiter.post(&moves, stale("15a-16a")).await.refused(409, "not_your_turn");
    // stale_decision before illegal_move.
    actor.post(&moves, stale("15a-16a")).await.refused(409, "stale_decision");

    // A replay before everything that is wrong now.
    actor.play_keyed(&pair.id, &turn.decision, WIN[0], "first").await.ok();
    let again = actor.play_keyed(&pair.id, &turn.decision, WIN[0], "first").await;
    assert_eq!((again.status, again.header("idempotent-replayed")), (201, Some("true")));
    let request = actor.request(Method::POST, &moves).header("idempotency-key", "first");
    actor
        .send(request.header("content-type", "application/json").body("{"))
        .await
        .refused(422, "idempotency_key_reused");

    // match_over comes after malformed and before not_your_turn, stale_decision and illegal_move.
    pair.play_all(&WIN[1..]).await;
    for player in &pair.players {
        player.post(&moves, stale("hello")).await.refused(422, "malformed_move");
        player.post(&moves, stale("15a-16a")).await.refused(409, "match_over");
    }
    let again = actor.play_keyed(&pair.id, &turn.decision, WIN[0], "first").await;
    assert_eq!((again.status, again.header("idempotent-replayed")), (201, Some("true")));
    nobody.play_keyed(&pair.id, &turn.decision, WIN[0], "first").await.refused(401, "unauthenticated");
    stranger.play_keyed(&pair.id, &turn.decision, WIN[0], "first").await.refused(403, "not_seated");
}

async fn a_wrong_match_is_not_made(world: &mut World) {
    let ann = world.guest("Ann").await;
    let cases: [(Value, u16, &str); 23] = [
        (json!({}), 400, "invalid_request"),
        (json!({"game": "chess"}), 404, "game_not_found"),
        (json!({"game": ""}), 404, "game_not_found"),
        (json!({"game": 7}), 400, "invalid_request"),
        (json!({"game": null}), 400, "invalid_request"),
        (json!(["contiguity"]), 400, "invalid_request"),
        (json!("contiguity"), 400, "invalid_request"),
        (json!(null), 400, "invalid_request"),
        (json!({"game": "contiguity", "colour": "red"}), 400, "invalid_request"),
        (json!({"game": "contiguity", "options": []}), 400, "invalid_request"),
        (json!({"game": "contiguity", "options": {"bidding": "yes"}}), 422, "invalid_options"),
        (json!({"game": "contiguity", "options": {"bids": true}}), 422, "invalid_options"),
        (json!({"game": "contiguity", "options": {"jump": "long"}}), 422, "invalid_options"),
        (json!({"game": "contiguity", "options": {"turn_limit": 19}}), 422, "invalid_options"),
        (json!({"game": "contiguity", "options": {"turn_limit": 1e300}}), 422, "invalid_options"),
        (json!({"game": "contiguity", "seats": 3}), 422, "invalid_options"),
        (json!({"game": "contiguity", "seats": 0}), 400, "invalid_request"),
        (json!({"game": "contiguity", "seat": 2}), 409, "no_such_seat"),
        (json!({"game": "contiguity", "seat": -1}), 400, "invalid_request"),
        (json!({"game": "contiguity", "visibility": "secret"}), 400, "invalid_request"),
        (json!({"game": "contiguity", "start": "now"}), 400, "invalid_request"),
        (json!({"game": "contiguity", "move_time_seconds": 0}), 400, "invalid_request"),
        (json!({"game": "contiguity", "move_time_seconds": 2.5}), 400, "invalid_request"),
    ];
    for (body, status, code) in cases {
        let answer = ann.post("/v1/matches", body.clone()).await;
        assert_eq!((answer.status, answer.json()["code"].as_str()), (status, Some(code)), "{body}: {}", answer.text());
        answer.refused(status, code);
    }
    let named = ann.post("/v1/matches", json!({"game": "contiguity", "options": {"turn_limit": 19}})).await;
    let problem = named.refused(422, "invalid_options");
    assert_eq!((&problem["rule"], &problem["field"]), (&json!("CO-15"), &json!("turn_limit")));
    assert_eq!(ann.get("/v1/matches?mine=true").await.ok()["items"], json!([]));
}

async fn a_body_is_read_strictly(world: &mut World) {
    let ann = world.guest("Ann").await;
    let json = Some("application/json");
    let good = r#"{"game":"contiguity"}"#;
    let long = format!(r#"{{"game":"contiguity"{}}}"#, " ".repeat(64 * 1024));
    let deep = format!(r#"{{"game":"contiguity","options":{}{}}}"#, r#"{"a":"#.repeat(500), "}".repeat(500));
    let cases: [(Option<&str>, &str, u16, &str); 18] = [
        (json, "", 400, "malformed_json"),
        (json, " ", 400, "malformed_json"),
        (json, "{", 400, "malformed_json"),
        (json, "{'game':'contiguity'}", 400, "malformed_json"),
        (json, r#"{"game":"contiguity"} {}"#, 400, "malformed_json"),
        (json, r#"{"game":"contiguity","game":"contiguity"}"#, 400, "malformed_json"),
        (json, r#"{"game":"contiguity","options":{"jump":"short","jump":"flying"}}"#, 400, "malformed_json"),
        (json, r#"{"game":"contiguity","seats":NaN}"#, 400, "malformed_json"),
        (json, r#"{"game":"contiguity","seats":1e999}"#, 400, "malformed_json"),
        (json, &deep, 400, "malformed_json"),
        (json, r#"{"game":"contiguity","seats":99999999999999999999999}"#, 400, "invalid_request"),
        (json, r#"{"game":"contiguity","seats":2.5}"#, 400, "invalid_request"),
        (json, r#"{"game":"contiguity","seats":"2"}"#, 400, "invalid_request"),
        (Some("text/plain"), good, 415, "unsupported_media_type"),
        (Some("application/x-www-form-urlencoded"), "game=contiguity", 415, "unsupported_media_type"),
        (Some("application/json; charset=latin1"), good, 415, "unsupported_media_type"),
        (None, good, 415, "unsupported_media_type"),
        (json, &long, 413, "payload_too_large"),
    ];
    for (kind, body, status, code) in cases {
        let answer = ann.post_raw("/v1/matches", kind, body).await;
        let shown = &body[..body.len().min(60)];
        assert_eq!((answer.status, answer.json()["code"].as_str()), (status, Some(code)), "{shown}: {}", answer.text());
        answer.refused(status, code);
    }
    ann.post_raw("/v1/matches", json, b"{\"game\":\"\xff\"}".to_vec()).await.refused(400, "malformed_json");
    assert_eq!(ann.get("/v1/matches?mine=true").await.ok()["items"], json!([]));
    // What JSON calls an integer is one, and parameters of the content type may stand.
    let float =
        r#"{"game":"contiguity","seats":2.0,"seat":1e0,"move_time_seconds":6.0e2,"options":{"turn_limit":20.0}}"#;
    let made = ann.post_raw("/v1/matches", Some("application/json; charset=utf-8"), float).await.ok();
    assert_eq!((&made["match"]["your_seat"], &made["match"]["move_time_seconds"]), (&json!(1), &json!(600)));
    assert_eq!(made["match"]["options"]["turn_limit"], 20);
}

async fn a_query_is_read_strictly(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let ann = &pair.players[0];
    let (id, missing) = (&pair.id, format!("m_{}", "0".repeat(32)));
    let wrong = [
        "/v1/matches?limit=0".to_owned(),
        "/v1/matches?limit=101".to_owned(),
        "/v1/matches?limit=x".to_owned(),
        "/v1/matches?limit=-1".to_owned(),
        "/v1/matches?limit=1&limit=2".to_owned(),
        "/v1/matches?cursor=x".to_owned(),
        "/v1/matches?cursor=".to_owned(),
        "/v1/matches?status=lost".to_owned(),
        "/v1/matches?mine=maybe".to_owned(),
        "/v1/matches?colour=red".to_owned(),
        format!("/v1/matches/{id}?legal_moves=some"),
        format!("/v1/matches/{id}?colour=red"),
        format!("/v1/matches/{id}/history/1?view=all"),
        format!("/v1/matches/{id}/record?colour=red"),
        format!("/v1/matches/{id}/events?after=x"),
        format!("/v1/matches/{id}/events?after=1"),
        format!("/v1/matches/{id}/events?after=1.0."),
        format!("/v1/matches/{id}/events?after=1.0.abc"),
        format!("/v1/matches/{id}/events?after=1.0.5F0C9A7BE2D41386"),
        format!("/v1/matches/{id}/events?after=1.5f0c9a7be2d41386"),
        format!("/v1/matches/{id}/events?after=1.0.5f0c9a7be2d41386.0"),
        format!("/v1/matches/{id}/events?wait=31"),
        format!("/v1/matches/{id}/events?wait=-1"),
        format!("/v1/matches/{id}/events?limit=0"),
        format!("/v1/matches/{id}/events?limit=1001"),
        "/v1/me/events?after=1.0".to_owned(),
        "/v1/me/events?after=-1".to_owned(),
        "/v1/me/events?after=1.".to_owned(),
        "/v1/me/events?after=1.0.5f0c9a7be2d41386".to_owned(),
    ];
    for path in wrong {
        let answer = ann.get(&path).await;
        assert_eq!((answer.status, answer.json()["code"].as_str()), (400, Some("invalid_parameter")), "{path}");
        answer.refused(400, "invalid_parameter");
    }
    let turn = pair.turn().await;
    let body = json!({"decision_id": turn.decision, "notation": WIN[0]});
    for query in ["dry_run=1", "dry_run=yes", "legal_moves=x", "colour=red"] {
        let answer = pair.players[turn.seat].post(&pair.path(&format!("/moves?{query}")), body.clone()).await;
        answer.refused(400, "invalid_parameter");
    }
    for id in [&missing, "m_1", "x", "p_00000000000000000000000000000000", "M_0", "%00", "%ff"] {
        ann.get(&format!("/v1/matches/{id}")).await.refused(404, "match_not_found");
    }
    ann.get("/v1/players/p_1").await.refused(404, "player_not_found");
    ann.get(&format!("/v1/players/p_{}", "0".repeat(32))).await.refused(404, "player_not_found");
    ann.get("/v1/games/chess").await.refused(404, "game_not_found");
    ann.get("/v1/games/chess/board").await.refused(404, "game_not_found");
    ann.get("/v1/games/chess/glossary").await.refused(404, "game_not_found");
    ann.get("/v1/games/chess/rules").await.refused(404, "game_not_found");
    let unknown = "0123456789abcdef";
    for game in ["henge", "contiguity"] {
        let problem = ann.get(&format!("/v1/games/{game}/board?edition={unknown}")).await;
        let problem = problem.refused(404, "edition_not_found");
        assert!(problem["detail"].as_str().unwrap().contains(unknown), "{problem}");
    }
    ann.get(&format!("/v1/games/chess/board?edition={unknown}")).await.refused(404, "game_not_found");
    for edition in ["", "1", "0123456789ABCDEF", "0123456789abcdefg", "%00", &format!("{unknown}&edition={unknown}")] {
        let path = format!("/v1/games/henge/board?edition={edition}");
        ann.get(&path).await.refused(400, "invalid_parameter");
    }
    ann.get("/v1/games/henge/board?colour=red").await.refused(400, "invalid_parameter");
    ann.get("/problems/nonsense").await.refused(404, "not_found");
    world.nobody().get("/v1/matches?mine=true").await.refused(401, "unauthenticated");
    world.nobody().get("/v1/matches?my_turn=true").await.refused(401, "unauthenticated");
}

async fn an_unknown_address_is_told_from_a_wrong_method(world: &mut World) {
    let (ann, nobody) = (world.guest("Ann").await, world.nobody());
    for path in ["/v2/matches", "/v1", "/v1/", "/v1/matches/", "/v1/nothing", "//", "/v1/matches/x/y", "/%00", "/..%2f"]
    {
        for caller in [&ann, &nobody] {
            caller.get(path).await.refused(404, "not_found");
            caller.post(path, json!({})).await.refused(404, "not_found");
        }
    }
    let document = nobody.get("/openapi.json").await.ok();
    let names = ["GET", "POST", "PUT", "PATCH", "DELETE"];
    for (pattern, item) in document["paths"].as_object().unwrap() {
        let path = filled(pattern);
        let known: Vec<&str> = names.into_iter().filter(|name| !item[name.to_lowercase()].is_null()).collect();
        assert!(!known.is_empty(), "{pattern}");
        for name in names.into_iter().filter(|name| !known.contains(name)) {
            let answer = nobody.call(name, &path).await;
            answer.refused(405, "method_not_allowed");
            let allow: Vec<&str> = answer.header("allow").unwrap().split(", ").collect();
            assert!(
                known.iter().all(|name| allow.contains(name)) && !allow.contains(&name),
                "{name} {path}: {allow:?}"
            );
        }
        let options = nobody.call("OPTIONS", &path).await;
        let allowed: Vec<&str> = options.header("allow").unwrap().split(", ").collect();
        let expected = known.iter().chain(known.contains(&"GET").then_some(&"HEAD")).chain(["OPTIONS"].iter());
        let (mut allowed, mut expected) = (allowed, expected.copied().collect::<Vec<_>>());
        allowed.sort_unstable();
        expected.sort_unstable();
        assert_eq!((options.status, allowed), (204, expected), "OPTIONS {path}");
    }
}

/// A path of the document with its parameters filled in.
pub fn filled(pattern: &str) -> String {
    let zeros = "0".repeat(32);
    pattern
        .replace("{match_id}", &format!("m_{zeros}"))
        .replace("{player_id}", &format!("p_{zeros}"))
        .replace("{version}", "1")
        .replace("{seat}", "1")
        .replace("{invite_code}", "000000000000")
        .replace("{game}", "contiguity")
        .replace("{board}", "contiguity.2.live")
        .replace("{session_id}", &format!("s_{zeros}"))
        .replace("{identity_id}", &zeros.repeat(2))
        .replace("{code}", "not_found")
        .replace("{token_id}", "00000000")
        .replace("{report_id}", &format!("c_{zeros}"))
        .replace("{pool_id}", "nowhere")
        .replace("{webhook_id}", &format!("w_{zeros}"))
        .replace("{subscription_id}", &format!("u_{zeros}"))
        .replace("{delivery_id}", &format!("msg_{}", &zeros[..26]))
}

async fn every_problem_is_explained(world: &mut World) {
    let nobody = world.nobody();
    let list = nobody.get("/problems").await.ok();
    let items = list["items"].as_array().unwrap();
    assert!(items.len() > 40);
    for item in items {
        let one = nobody.get(&format!("/problems/{}", item["code"].as_str().unwrap())).await.ok();
        assert_eq!(one, *item);
        assert!(one["status"].as_u64().unwrap() >= 400 && !one["explanation"].as_str().unwrap().is_empty());
    }
}
