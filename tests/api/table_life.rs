//! Life around a table: invitations, players who are sent away, playing again, and what waits for whom.

use sarsen::http::settings::{Allowances, ServerConfig};
use sarsen::store::Allowance;
use serde_json::{Value, json};

use crate::client::Client;
use crate::tables::{Pair, WIN, kinds};
use crate::world::{Backend, Settings, World, cases};

cases!(
    whoever_is_invited_is_told_and_takes_the_seat, a_place_is_a_bots_or_a_players_who_is_there,
        whoever_is_sent_away_stays_away, a_match_is_made_like_another, one_player_plays_every_seat,
        a_friend_comes_in_with_a_code;
    on both stores: a_rematch_is_found_by_whoever_calls_on_whichever_instance;
);

fn id_of(made: &Value) -> String {
    made["match"]["id"].as_str().unwrap().to_owned()
}

async fn summary(client: &Client) -> Value {
    client.get("/v1/me/summary").await.ok()
}

async fn whoever_is_invited_is_told_and_takes_the_seat(world: &mut World) {
    let (ann, ben, cora) = (world.guest("Ann").await, world.guest("Ben").await, world.guest("Cora").await);
    let places = json!([{"seat": 1, "player_id": ben.id}]);
    let made = ann.create(json!({"visibility": "private", "places": places})).await;
    let (id, seats) = (id_of(&made), &made["match"]["seats"]);
    assert_eq!((&seats[0]["player"]["name"], &seats[0]["reserved_for"]), (&json!("Ann"), &Value::Null));
    assert_eq!((&seats[1]["player"], &seats[1]["reserved_for"]["name"]), (&Value::Null, &json!("Ben")));
    world.eventually(async || !ben.inbox().await.is_empty()).await;
    let told = &ben.inbox().await[0]["events"][1]["event"];
    assert_eq!(
        (&told["type"], &told["seat"], &told["from_match"]),
        (&json!("player_invited"), &json!(1), &Value::Null)
    );
    assert_eq!(summary(&ben).await, json!({"my_turn": 0, "invites": 1, "open": 0}));
    assert_eq!(summary(&ann).await, json!({"my_turn": 0, "invites": 0, "open": 1}));
    assert_eq!(ben.get("/v1/matches?invited=true").await.ok()["items"][0]["id"], json!(id));
    assert_eq!(ann.get("/v1/matches?invited=true").await.ok()["items"], json!([]));
    ben.get("/v1/matches?invited=true&status=playing").await.refused(400, "invalid_parameter");
    assert_eq!(ben.read(&id).await["match"]["invite_code"], Value::Null);
    let path = format!("/v1/matches/{id}");
    let invite = &made["match"]["invite_code"];
    cora.post(&format!("{path}/join"), json!({"invite": invite, "seat": 1})).await.refused(409, "seat_reserved");
    cora.post(&format!("{path}/join"), json!({"invite": invite})).await.refused(409, "seat_reserved");
    let joined = ben.post(&format!("{path}/join"), json!({})).await.ok();
    assert_eq!((&joined["match"]["status"], &joined["match"]["your_seat"]), (&json!("playing"), &json!(1)));
    assert_eq!(joined["match"]["seats"][1]["reserved_for"], Value::Null);
    let turns = [summary(&ann).await, summary(&ben).await].map(|summary| summary["my_turn"].as_u64().unwrap());
    assert_eq!(turns.iter().sum::<u64>(), 1, "one of two is to act");

    // Whoever declines leaves the seat to others.
    let made = ann.create(json!({"places": [{"seat": 1, "player_id": ben.id}]})).await;
    let path = format!("/v1/matches/{}", id_of(&made));
    cora.call("POST", &format!("{path}/decline")).await.refused(403, "not_invited");
    let declined = ben.call("POST", &format!("{path}/decline")).await.ok();
    assert_eq!(declined["match"]["seats"][1]["reserved_for"], Value::Null);
    assert_eq!(kinds(&ann.events(&id_of(&made)).await).last(), Some(&"invitation_declined"));
    cora.post(&format!("{path}/join"), json!({})).await.ok();
}

async fn a_place_is_a_bots_or_a_players_who_is_there(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let create = async |places: Value| ann.post("/v1/matches", json!({"game": "contiguity", "places": places})).await;
    for both in [json!([{"seat": 1}]), json!([{"seat": 1, "bot": "easy", "player_id": ben.id}])] {
        assert_eq!(create(both).await.refused(400, "invalid_request")["path"], "places");
    }
    create(json!([{"seat": 1, "player_id": ann.id}])).await.refused(400, "invalid_request");
    create(json!([{"seat": 2, "player_id": ben.id}])).await.refused(409, "no_such_seat");
    let nobody = format!("p_{}", "0".repeat(32));
    create(json!([{"seat": 1, "player_id": nobody}])).await.refused(400, "invalid_request");
    create(json!([{"seat": 1, "player_id": "Ben"}])).await.refused(400, "invalid_request");
    // Whoever leaves for good is expected nowhere any more, and by nobody.
    let waiting = id_of(&create(json!([{"seat": 1, "player_id": ben.id}])).await.ok());
    ben.call("DELETE", &format!("/v1/me?confirm={}", ben.id)).await.ok();
    create(json!([{"seat": 1, "player_id": ben.id}])).await.refused(400, "invalid_request");
    world.eventually(async || ann.read(&waiting).await["match"]["seats"][1]["reserved_for"].is_null()).await;
}

async fn whoever_is_sent_away_stays_away(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let id = id_of(&ann.create(json!({"start": "manual"})).await);
    let (path, join) = (format!("/v1/matches/{id}/seats"), format!("/v1/matches/{id}/join"));
    ben.post(&join, json!({})).await.ok();
    ann.call("DELETE", &format!("{path}/0")).await.refused(403, "forbidden");
    ann.call("DELETE", &format!("{path}/2")).await.refused(409, "no_such_seat");
    ann.call("DELETE", &format!("{path}/one")).await.refused(409, "no_such_seat");
    let removed = ann.call("DELETE", &format!("{path}/1")).await.ok();
    assert_eq!(removed["match"]["seats"][1]["player"], Value::Null);
    assert_eq!(kinds(&ben.events(&id).await).last(), Some(&"player_removed"));
    assert_eq!(ann.call("DELETE", &format!("{path}/1")).await.ok(), removed, "once more, it is answered alike");
    ben.post(&join, json!({})).await.refused(403, "forbidden");

    // Unless a seat is kept for them since.
    let keep = async |client: &Client, seat: &str, player: &str| {
        client.put(&format!("{path}/{seat}/reservation"), json!({"player_id": player})).await
    };
    let cora = world.guest("Cora").await;
    keep(&cora, "1", &ben.id).await.refused(403, "forbidden");
    cora.put(&format!("{path}/1/reservation"), json!({})).await.refused(403, "forbidden");
    ann.put(&format!("{path}/1/reservation"), json!({})).await.refused(400, "invalid_request");
    keep(&ann, "1", &format!("p_{}", "0".repeat(32))).await.refused(404, "player_not_found");
    keep(&ann, "1", &ann.id).await.refused(409, "already_seated");
    keep(&ann, "0", &ben.id).await.refused(409, "seat_taken");
    keep(&ann, "2", &ben.id).await.refused(409, "no_such_seat");
    let kept = keep(&ann, "1", &ben.id).await.ok();
    assert_eq!(kept["match"]["seats"][1]["reserved_for"]["id"], json!(ben.id));
    assert_eq!(keep(&ann, "1", &ben.id).await.ok(), kept, "once more, nothing changes");
    keep(&ann, "1", &cora.id).await.refused(409, "seat_reserved");
    assert_eq!(kinds(&ben.events(&id).await).last(), Some(&"player_invited"));
    assert_eq!(summary(&ben).await["invites"], 1);
    cora.post(&join, json!({})).await.refused(409, "seat_reserved");
    assert_eq!(ben.post(&join, json!({})).await.ok()["match"]["your_seat"], 1);
    ann.act(&id, "start").await.ok();
    keep(&ann, "1", &cora.id).await.refused(409, "match_not_open");
}

async fn a_rematch_is_found_by_whoever_calls_on_whichever_instance(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let [ann, ben] = &pair.players;
    let rematch = pair.path("/rematch");
    ann.call("POST", &rematch).await.refused(409, "match_not_over");
    ann.act(&pair.id, "resign").await.ok();
    let before = ann.get(&pair.path("")).await;
    assert_eq!(before.ok()["match"]["rematch"], Value::Null);
    ann.call("DELETE", &rematch).await.refused(403, "not_invited");
    let called = ann.call("POST", &rematch).await.ok();
    let next = id_of(&called);
    assert_eq!((&called["match"]["your_seat"], &called["match"]["status"]), (&json!(1), &json!("open")));
    assert_eq!(called["match"]["seats"][0]["reserved_for"]["id"], json!(ben.id));
    let told = ben.events(&next).await;
    let invited = told.iter().map(|event| &event["event"]).find(|event| event["type"] == "player_invited").unwrap();
    assert_eq!(invited["from_match"], json!(pair.id));
    // The match before shows it, and has not changed otherwise.
    let tag = before.header("etag").unwrap();
    let request = ann.request(reqwest::Method::GET, &pair.path("")).header("if-none-match", tag);
    let after = ann.send(request).await.ok();
    assert_eq!(after["match"]["rematch"], json!(next));
    assert_eq!(after["match"]["version"], before.ok()["match"]["version"]);
    let listed = ann.get("/v1/matches?mine=true&status=finished").await.ok();
    assert_eq!(listed["items"][0]["rematch"], json!(next));
    // Nor has it for whoever waits for a change.
    let shown = ann.get(&pair.path("")).await.header("etag").unwrap().to_owned();
    let waiting = ann.request(reqwest::Method::GET, &pair.path("?wait=1")).header("if-none-match", &shown);
    assert_eq!(ann.send(waiting).await.status, 304);
    let newest = world.restart().await;
    let ben = ben.at(world.base(newest));
    let joined = ben.call("POST", &rematch).await.ok();
    assert_eq!((id_of(&joined), &joined["match"]["status"]), (next.clone(), &json!("playing")));
    assert_eq!(id_of(&ben.call("POST", &rematch).await.ok()), next);

    // One that was declined stands in nobody's way.
    let players = pair.players.clone().map(|player| player.at(world.base(newest)));
    let pair = Pair::of(players, json!({})).await;
    let [ann, ben] = &pair.players;
    let rematch = pair.path("/rematch");
    ann.act(&pair.id, "resign").await.ok();
    let first = id_of(&ann.call("POST", &rematch).await.ok());
    let declined = ben.call("DELETE", &rematch).await.ok();
    assert_eq!((id_of(&declined), &declined["match"]["status"]), (first.clone(), &json!("aborted")));
    assert_eq!(ben.call("DELETE", &rematch).await.ok(), declined, "once more, it is answered alike");
    assert_eq!(ann.get(&pair.path("")).await.ok()["match"]["rematch"], json!(first));
    let second = ben.call("POST", &rematch).await.ok();
    assert_ne!(id_of(&second), first);
    assert_eq!((&second["match"]["status"], &second["match"]["your_seat"]), (&json!("open"), &json!(0)));
    assert_eq!(ann.get(&pair.path("")).await.ok()["match"]["rematch"], second["match"]["id"]);
    let joined = ann.call("POST", &rematch).await.ok();
    assert_eq!((id_of(&joined), &joined["match"]["status"]), (id_of(&second), &json!("playing")));
    let off =
        Pair::of(pair.players.clone().map(|player| player.at(world.base(newest))), json!({"rematch": false})).await;
    off.players[0].act(&off.id, "resign").await.ok();
    off.players[1].call("POST", &off.path("/rematch")).await.refused(409, "rematch_off");
}

async fn a_friend_comes_in_with_a_code(world: &mut World) {
    let (ann, ben, nobody) = (world.guest("Ann").await, world.guest("Ben").await, world.nobody());
    let made = ann.create(json!({"visibility": "private"})).await;
    let id = id_of(&made);
    let path = format!("/v1/matches/{id}/invites");
    ann.post(&path, json!({"uses": 0})).await.refused(400, "invalid_request");
    ann.post(&path, json!({"seat": 0})).await.refused(409, "seat_taken");
    let invite = ann.post(&path, json!({"seat": 1, "uses": 2, "expires_in_seconds": 60})).await.ok();
    let code = invite["code"].as_str().unwrap();
    assert_eq!((&invite["url"], &invite["seat"]), (&Value::Null, &json!(1)));
    let seen = nobody.get(&format!("/v1/invites/{code}")).await.ok();
    assert_eq!((&seen["match"]["id"], &seen["seat"]), (&json!(id), &json!(1)));
    assert_eq!((&seen["match"]["invite_code"], &seen["match"]["your_seat"]), (&Value::Null, &Value::Null));
    nobody.get("/v1/invites/000000000000").await.refused(404, "wrong_invite");
    nobody.get("/v1/invites/x").await.refused(404, "wrong_invite");
    let join = format!("/v1/invites/{code}/join");
    nobody.call("POST", &join).await.refused(401, "unauthenticated");
    let keyed = async || {
        let request = ben.request(reqwest::Method::POST, &join).json(&json!({"entropy": "oak"}));
        ben.send(request.header("idempotency-key", "k")).await
    };
    let joined = keyed().await;
    assert_eq!((&joined.ok()["match"]["your_seat"], joined.header("idempotent-replayed")), (&json!(1), None));
    assert_eq!(joined.ok()["match"]["status"], "playing");
    let again = keyed().await;
    assert_eq!((again.json(), again.header("idempotent-replayed")), (joined.json(), Some("true")));
    let cora = world.guest("Cora").await;
    cora.call("POST", &join).await.refused(404, "wrong_invite");
    nobody.get(&format!("/v1/invites/{code}")).await.refused(404, "wrong_invite");

    // The code that a private match has by itself is an invite too, as long as the match waits.
    let made = ann.create(json!({"visibility": "private"})).await;
    let code = format!("/v1/invites/{}", made["match"]["invite_code"].as_str().unwrap());
    let seen = nobody.get(&code).await.ok();
    assert_eq!(
        (&seen["match"]["id"], &seen["seat"], &seen["expires_at"]),
        (&json!(id_of(&made)), &Value::Null, &Value::Null)
    );
    assert_eq!((&seen["match"]["invite_code"], seen.get("state")), (&Value::Null, None));
    let joined = ben.call("POST", &format!("{code}/join")).await.ok();
    assert_eq!((&joined["match"]["your_seat"], &joined["match"]["status"]), (&json!(1), &json!("playing")));
    assert_eq!(ben.call("POST", &format!("{code}/join")).await.ok()["match"]["your_seat"], 1);
    cora.call("POST", &format!("{code}/join")).await.refused(404, "wrong_invite");
    assert_eq!(nobody.get(&code).await.ok()["match"]["status"], "playing", "it lets anybody watch who has it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invite_has_an_address_and_an_address_so_many_looks() {
    let invite_url = Some("https://app.example/join/{code}".to_owned());
    let settings = Settings {
        server: ServerConfig { invite_url, ..ServerConfig::default() },
        allowances: Allowances { invites: Some(Allowance { burst: 2, per_minute: 1 }), ..Allowances::default() },
        ..Settings::default()
    };
    let mut world = World::with(Backend::Embedded, settings).await;
    let ann = world.guest("Ann").await;
    let id = id_of(&ann.create(json!({})).await);
    let invite = ann.call("POST", &format!("/v1/matches/{id}/invites")).await.ok();
    let code = invite["code"].as_str().unwrap();
    assert_eq!(invite["url"], json!(format!("https://app.example/join/{code}")));
    world.nobody().get(&format!("/v1/invites/{code}")).await.ok();
    world.nobody().get("/v1/invites/000000000000").await.refused(404, "wrong_invite");
    world.nobody().get(&format!("/v1/invites/{code}")).await.refused(429, "rate_limited");
    world.stop().await;
}

async fn a_match_is_made_like_another(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let fields = json!({"game": "absolution", "seats": 3, "places": [{"seat": 2, "bot": "easy"}], "start": "manual",
                        "move_time_seconds": 60, "rematch": false});
    let made = ann.post("/v1/matches", fields).await.ok();
    let like = id_of(&made);
    let again = ben.post("/v1/matches", json!({"like": like, "move_time_seconds": null})).await.ok();
    assert_eq!((&again["match"]["game"], &again["match"]["start"]), (&json!("absolution"), &json!("manual")));
    assert_eq!(
        (&again["match"]["seats"][2]["bot"]["level"], &again["match"]["your_seat"]),
        (&json!("easy"), &json!(0))
    );
    assert_eq!(again["match"]["seats"].as_array().unwrap().len(), 3);
    assert_eq!(again["match"]["move_time_seconds"], Value::Null, "what is said here counts");
    assert_eq!(again["match"]["options"], made["match"]["options"]);
    let other = json!({"like": like, "game": "contiguity"});
    assert_eq!(ben.post("/v1/matches", other).await.refused(400, "invalid_request")["path"], "like");
    let private = id_of(&ann.create(json!({"visibility": "private"})).await);
    ben.post("/v1/matches", json!({"like": private})).await.refused(404, "match_not_found");
    let same = ann.post("/v1/matches", json!({"like": private, "game": "contiguity"})).await.ok();
    assert_eq!(same["match"]["visibility"], "private");

    // Of a clock and a time to move, which exclude each other, the one that is asked for counts.
    let timed = ben.post("/v1/matches", json!({"like": like, "clock": {"initial_seconds": 300}})).await.ok();
    assert_eq!(timed["match"]["clock"]["initial_seconds"], 300);
    assert_eq!(timed["match"]["move_time_seconds"], Value::Null);
    let like = id_of(&timed);
    let same = ben.post("/v1/matches", json!({"like": like})).await.ok();
    assert_eq!(same["match"]["clock"], timed["match"]["clock"]);
    let other = ben.post("/v1/matches", json!({"like": like, "move_time_seconds": 60})).await.ok();
    assert_eq!((&other["match"]["clock"], &other["match"]["move_time_seconds"]), (&Value::Null, &json!(60)));
    // What is null is as usual, where null is something else than nothing.
    let usual = json!({"like": like, "clock": null, "seats": null, "places": [], "seat": null});
    let usual = ben.post("/v1/matches", usual).await.ok();
    assert_eq!((&usual["match"]["clock"], &usual["match"]["your_seat"]), (&Value::Null, &Value::Null));
    assert_eq!(usual["match"]["seats"].as_array().unwrap().len(), 2);
    for (body, path) in [
        (json!({}), "game"),
        (json!({"game": null}), "game"),
        (json!({"like": like, "game": 5}), "game"),
        (json!({"like": like, "options": null}), "options"),
        (json!({"like": like, "hotseat": null}), "hotseat"),
        (json!({"like": like, "clock": {"speed": "live"}}), "clock.speed"),
    ] {
        assert_eq!(ben.post("/v1/matches", body).await.refused(400, "invalid_request")["path"], path);
    }
}

async fn one_player_plays_every_seat(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let private = ann.create(json!({"hotseat": true})).await;
    assert_eq!(private["match"]["visibility"], "private", "nobody finds a seat there");
    assert_eq!(summary(&ann).await["my_turn"], 0, "and nobody waits");
    let made = ann.create(json!({"hotseat": true, "visibility": "public"})).await;
    assert!(made["match"]["seats"].as_array().unwrap().iter().all(|seat| seat["claimable_at"].is_null()));
    let id = id_of(&made);
    assert_eq!((&made["match"]["hotseat"], &made["match"]["status"]), (&json!(true), &json!("playing")));
    for notation in &WIN {
        let seat = ann.read(&id).await["match"]["to_act"][0].as_u64().unwrap();
        let path = format!("/v1/matches/{id}?as_seat={seat}");
        let seen = ann.get(&path).await.ok();
        assert_eq!(seen["match"]["your_seat"], json!(seat));
        let body = json!({"decision_id": seen["decision"]["id"], "notation": notation});
        ben.get(&path).await.refused(403, "hotseat_only");
        let moves = |seat: u64| format!("/v1/matches/{id}/moves?as_seat={seat}");
        ann.post(&moves(1 - seat), body.clone()).await.refused(409, "not_your_turn");
        ben.post(&moves(seat), body.clone()).await.refused(403, "hotseat_only");
        ann.post(&moves(seat), body).await.ok();
    }
    assert_eq!(ann.read(&id).await["match"]["status"], "finished");
    ann.get(&format!("/v1/matches/{id}/events?as_seat=1")).await.ok();
    ann.get(&format!("/v1/matches/{id}/history/1?as_seat=5")).await.refused(400, "invalid_parameter");
    ben.get(&format!("/v1/matches/{id}/events?as_seat=1")).await.refused(403, "hotseat_only");
}
