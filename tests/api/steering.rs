//! Actions of operators on players and matches, and who notices them.

use std::collections::BTreeSet;

use sarsen::games::{GameSettings, Games};
use sarsen::matches::export;
use serde_json::{Value, json};

use crate::admin::audit;
use crate::agents;
use crate::client::Client;
use crate::tables::{Pair, WIN, kinds};
use crate::world::{World, cases};

cases!(
    an_operator_sees_a_player, a_new_name_is_shown_everywhere, only_what_shows_the_name_has_another_tag,
        whoever_has_left_the_table_is_renamed_too, a_player_banned_from_play_may_still_leave,
        a_player_banned_from_all_is_refused, a_ban_ends_by_itself_or_is_lifted, an_operator_sees_a_match_whole,
        an_operator_calls_off_a_running_match, an_operator_calls_off_an_open_match,
        what_is_wrong_is_said_and_changes_nothing;
    on both stores: a_ban_counts_on_other_instances_and_after_a_restart, a_deleted_match_is_nowhere;
);

const MODERATE: &str = "admin:read,admin:moderate";

fn file(player: &Client) -> String {
    format!("/v1/admin/players/{}", player.id)
}

async fn rename(operator: &Client, player: &Client, name: &str) -> Value {
    let body = json!({"name": name, "reason": "others were insulted"});
    operator.send(operator.request(reqwest::Method::PATCH, &file(player)).json(&body)).await.ok()
}

async fn ban(operator: &Client, player: &Client, until: Option<&str>, from: &str) -> Value {
    let body = json!({"until": until, "from": from, "reason": "abusive at the table"});
    operator.put(&format!("{}/ban", file(player)), body).await.ok()
}

/// All names in an answer.
fn names(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Object(fields) => {
            let own = fields.get("id").and(fields.get("name")).and_then(Value::as_str).map(str::to_owned);
            own.into_iter().chain(fields.values().flat_map(names)).collect()
        }
        Value::Array(items) => items.iter().flat_map(names).collect(),
        _ => BTreeSet::new(),
    }
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

async fn finished(world: &World) -> Pair {
    let pair = Pair::seated(world, json!({})).await;
    pair.play_all(&WIN).await;
    pair
}

async fn an_operator_sees_a_player(world: &mut World) {
    let (operator, ann) = (world.operator(MODERATE), world.guest("Ann").await);
    let seen = operator.get(&file(&ann)).await.ok();
    assert_eq!((&seen["player"]["name"], &seen["player"]["id"]), (&json!("Ann"), &json!(ann.id)));
    assert_eq!((&seen["deleted"], &seen["ban"], &seen["sessions"]), (&json!(false), &Value::Null, &json!(1)));
    let unknown = "/v1/admin/players/p_0190163d8694739ea2a3c9f1e7d1a222";
    operator.get(unknown).await.refused(404, "player_not_found");
    let entry = &audit(&operator).await[2];
    assert_eq!((&entry["operation"], &entry["target"]), (&json!("getPlayerAsOperator"), &json!(ann.id)));
}

async fn a_new_name_is_shown_everywhere(world: &mut World) {
    let operator = world.operator(MODERATE);
    let pair = finished(world).await;
    let (ann, ben) = (&pair.players[0], &pair.players[1]);
    let shown = ["", "/history/1", "/history/3", "/record", "/events?limit=1000"];
    for rest in shown {
        assert!(names(&ben.get(&pair.path(rest)).await.ok()).contains("Ann"), "{rest}");
    }
    let renamed = rename(&operator, ann, "  Player   7 ").await;
    assert_eq!(renamed["player"]["name"], "Player 7");
    for rest in shown {
        let seen = names(&ben.get(&pair.path(rest)).await.ok());
        assert!(seen.contains("Player 7") && !seen.contains("Ann"), "{rest}: {seen:?}");
    }
    assert_eq!(names(&ben.get("/v1/matches").await.ok()), set(&["Player 7", "Ben"]));
    assert_eq!(names(&ann.get("/v1/me/events?limit=1000").await.ok()), set(&["Player 7", "Ben"]));
    for path in ["/v1/me", &format!("/v1/players/{}", ann.id)] {
        assert_eq!(names(&ann.get(path).await.ok()), set(&["Player 7"]), "{path}");
    }
    let refreshed = ann.post("/v1/tokens/refresh", json!({"refresh_token": ann.refresh_token})).await.ok();
    assert_eq!(refreshed["player"]["name"], "Player 7");
    // A match made afterwards is stored with the new name, and a record with other names is as good as before.
    assert_eq!(ann.create(json!({})).await["match"]["created_by"]["name"], "Player 7");
    let record = ben.get(&pair.path("/record")).await.ok();
    export::verify(&Games::standard(GameSettings::default()), &serde_json::from_value(record).unwrap()).unwrap();

    let other = if world.shares_a_store() { world.add_instance().await } else { world.restart().await };
    let ben = ben.at(world.base(other));
    assert_eq!(names(&ben.get(&pair.path("")).await.ok()), set(&["Player 7", "Ben"]));
    if world.shares_a_store() {
        rename(&operator, ann, "Player 8").await;
        world.eventually(async || names(&ben.get(&pair.path("")).await.ok()).contains("Player 8")).await;
    }
}

async fn only_what_shows_the_name_has_another_tag(world: &mut World) {
    let operator = world.operator(MODERATE);
    let (theirs, others) = (finished(world).await, finished(world).await);
    let addresses = |pair: &Pair| ["", "?legal_moves=none", "/history/2", "/record"].map(|rest| pair.path(rest));
    let reader = world.guest("Cora").await;
    let mut tags = Vec::new();
    for address in addresses(&theirs).into_iter().chain(addresses(&others)) {
        let tag = reader.get(&address).await.header("etag").unwrap().to_owned();
        tags.push((address, tag));
    }
    rename(&operator, &theirs.players[0], "Player 7").await;
    for (at, (address, tag)) in tags.iter().enumerate() {
        let again = reader.get_with(address, "if-none-match", tag).await;
        assert_eq!(again.status, if at < 4 { 200 } else { 304 }, "{address}");
        // The new tag is as good as the old one was.
        let tag = again.header("etag").unwrap();
        assert_eq!(reader.get_with(address, "if-none-match", tag).await.status, 304, "{address}");
    }
    // A ban is nothing that a match shows.
    let before = reader.get(&theirs.path("")).await.header("etag").unwrap().to_owned();
    ban(&operator, &theirs.players[0], None, "play").await;
    assert_eq!(reader.get_with(&theirs.path(""), "if-none-match", &before).await.status, 304);
}

async fn whoever_has_left_the_table_is_renamed_too(world: &mut World) {
    let operator = world.operator(MODERATE);
    let (ann, ben, cora) = (world.guest("Ann").await, world.guest("Ben").await, world.guest("Cora").await);
    let wide = ann.create(json!({"game": "absolution", "seats": 3, "start": "manual"})).await;
    let wide = wide["match"]["id"].as_str().unwrap().to_owned();
    cora.post(&format!("/v1/matches/{wide}/join"), json!({})).await.ok();
    cora.act(&wide, "leave").await.ok();
    let then = format!("/v1/matches/{wide}/history/2");
    let before = ben.get(&then).await;
    assert!(names(&before.ok()).contains("Cora"));
    rename(&operator, &cora, "Player 9").await;
    let again = ben.get_with(&then, "if-none-match", before.header("etag").unwrap()).await;
    assert!(names(&again.ok()).contains("Player 9"), "{}", again.status);
    let events = ben.events(&wide).await;
    assert!(names(&json!(events)).contains("Player 9") && !names(&json!(events)).contains("Cora"));
}

async fn a_player_banned_from_play_may_still_leave(world: &mut World) {
    let operator = world.operator(MODERATE);
    let pair = Pair::seated(world, json!({})).await;
    let other = Pair::of(pair.players.clone(), json!({})).await;
    let (ann, ben) = (&pair.players[0], &pair.players[1]);
    let open = ann.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
    let theirs = ben.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
    let until = "2126-01-01T00:00:00.000Z";
    let seen = ban(&operator, ann, Some(until), "play").await;
    assert_eq!(seen["ban"], json!({"until": until, "from": "play", "reason": "abusive at the table"}));

    let refused = ann.post("/v1/matches", json!({"game": "contiguity"})).await.refused(403, "banned");
    assert_eq!(refused["until"], until);
    assert!(!refused.to_string().contains("abusive"), "the reason is for operators");
    ann.post(&format!("/v1/matches/{theirs}/join"), json!({})).await.refused(403, "banned");
    ann.play(&pair.id, "2.0", "2c-2d").await.refused(403, "banned");
    ann.act(&pair.id, "draw/offer").await.refused(403, "banned");
    // Neither by their agents.
    let named = json!({"match_id": other.id});
    for (tool, arguments) in [
        ("create_match", json!({"game": "contiguity"})),
        ("join_match", json!({"match_id": theirs})),
        ("make_move", json!({"match_id": other.id, "decision_id": "2.0", "notation": "2c-2d"})),
        ("offer_draw", named.clone()),
        ("answer_draw", json!({"match_id": other.id, "accept": true})),
        ("undo", named.clone()),
        ("get_hint", named.clone()),
    ] {
        let (problem, text) = agents::refused(ann, tool, arguments).await;
        assert_eq!((&problem["code"], &problem["until"]), (&json!("banned"), &json!(until)), "{tool}");
        assert!(!text.contains("abusive") && !problem.to_string().contains("abusive"), "{text}");
    }
    // Reading, and getting out, go on.
    ann.get("/v1/me").await.ok();
    ann.get(&pair.path("")).await.ok();
    ann.post("/v1/tokens/refresh", json!({"refresh_token": ann.refresh_token})).await.ok();
    ann.act(&pair.id, "resign").await.ok();
    agents::tool(ann, "get_match", named.clone()).await;
    let (given_up, _) = agents::tool(ann, "resign", named).await;
    assert_eq!(given_up["outcome"]["ending"], "resignation");
    ann.act(&open, "abort").await.ok();
    ben.create(json!({})).await;
}

async fn a_player_banned_from_all_is_refused(world: &mut World) {
    let operator = world.operator(MODERATE);
    let ann = world.guest("Ann").await;
    let ticket = ann.call("POST", "/v1/stream-tickets").await.ok()["ticket"].as_str().unwrap().to_owned();
    ban(&operator, &ann, None, "all").await;
    for path in ["/v1/me", "/v1/matches", "/v1/me/events", "/v1/me/export"] {
        let refused = ann.get(path).await.refused(403, "banned");
        assert_eq!(refused.get("until"), None, "{path}");
    }
    ann.without_token().get(&format!("/v1/me/events?ticket={ticket}")).await.refused(403, "banned");
    let refresh = json!({"refresh_token": ann.refresh_token});
    ann.without_token().post("/v1/tokens/refresh", refresh.clone()).await.refused(403, "banned");
    ann.call("DELETE", &format!("/v1/me?confirm={}", ann.id)).await.refused(403, "banned");
    // Without a token everybody is alike, and the session is not lost.
    ann.without_token().get("/v1/matches").await.ok();
    let lifted = operator.call("DELETE", &format!("{}/ban?reason=a%20mistake", file(&ann))).await.ok();
    assert_eq!(lifted["ban"], Value::Null);
    ann.without_token().post("/v1/tokens/refresh", refresh).await.ok();
    ann.get("/v1/me").await.ok();
}

async fn a_ban_ends_by_itself_or_is_lifted(world: &mut World) {
    let operator = world.operator(MODERATE);
    let ann = world.guest("Ann").await;
    let until = sarsen::ambient::Timestamp(world.store().now().0 + 60_000).rfc3339();
    ban(&operator, &ann, Some(&until), "play").await;
    ann.post("/v1/matches", json!({"game": "contiguity"})).await.refused(403, "banned");
    world.clock.advance_seconds(61);
    ann.create(json!({})).await;
    // Another takes its place.
    ban(&operator, &ann, None, "play").await;
    ann.post("/v1/matches", json!({"game": "contiguity"})).await.refused(403, "banned");
    operator.call("DELETE", &format!("{}/ban?reason=enough", file(&ann))).await.ok();
    operator.call("DELETE", &format!("{}/ban?reason=enough", file(&ann))).await.ok();
    ann.create(json!({})).await;
}

async fn a_ban_counts_on_other_instances_and_after_a_restart(world: &mut World) {
    let operator = world.operator(MODERATE);
    let ann = world.guest("Ann").await;
    if world.shares_a_store() {
        let other = world.add_instance().await;
        let other = ann.at(world.base(other));
        ban(&operator, &ann, None, "all").await;
        world.eventually(async || other.get("/v1/me").await.status == 403).await;
    } else {
        ban(&operator, &ann, None, "all").await;
        let again = world.restart().await;
        ann.at(world.base(again)).get("/v1/me").await.refused(403, "banned");
    }
}

async fn an_operator_sees_a_match_whole(world: &mut World) {
    let operator = world.operator(MODERATE);
    let players = [world.guest("Ann").await, world.guest("Ben").await, world.guest("Cora").await];
    let made = players[0].create(json!({"game": "absolution", "seats": 3, "visibility": "private"})).await;
    let id = made["match"]["id"].as_str().unwrap();
    let invite = made["match"]["invite_code"].as_str().unwrap();
    for player in &players[1..] {
        player.post(&format!("/v1/matches/{id}/join"), json!({"invite": invite})).await.ok();
    }
    let answer = operator.get(&format!("/v1/admin/matches/{id}")).await;
    let whole = answer.ok();
    let own = players[0].read(id).await;
    assert!(whole["state"].to_string().len() > own["state"].to_string().len(), "more than a seat sees: {whole}");
    assert_ne!(whole["state"], players[1].read(id).await["state"]);
    assert_eq!((&whole["match"]["seed"], &whole["match"]["invite_code"]), (&Value::Null, &Value::Null));
    assert!(!answer.text().contains(invite) && whole["decision"].is_null() && whole["match"]["your_seat"].is_null());
    let read_only = world.operator("admin:read,admin:operate");
    read_only.get(&format!("/v1/admin/matches/{id}")).await.refused(403, "scope_missing");
    let unknown = "/v1/admin/matches/m_0190163d8694739ea2a3c9f1e7d1a111";
    operator.get(unknown).await.refused(404, "match_not_found");
}

async fn an_operator_calls_off_a_running_match(world: &mut World) {
    let operator = world.operator(MODERATE);
    let pair = Pair::seated(world, json!({})).await;
    pair.play_all(&WIN[..2]).await;
    let abort = format!("/v1/admin/matches/{}/abort", pair.id);
    let aborted = operator.post(&abort, json!({"reason": "both asked for it"})).await.ok();
    assert_eq!((&aborted["match"]["status"], &aborted["match"]["outcome"]), (&json!("aborted"), &Value::Null));
    let spectator = world.nobody();
    let seen = spectator.read(&pair.id).await;
    assert!(seen["match"]["seed"].is_string() && !seen["state"].is_null(), "all is open now");
    assert_eq!((&seen["match"]["to_act"], &seen["match"]["version"]), (&json!([]), &json!(5)));
    let events = spectator.events(&pair.id).await;
    let last = events.last().unwrap();
    assert_eq!(last["event"], json!({"type": "match_aborted", "reason": "operator"}));
    assert!(!json!(events).to_string().contains("asked for it"), "players are not told why");
    for player in &pair.players {
        player.play(&pair.id, "4.0", WIN[2]).await.refused(409, "match_over");
        player.act(&pair.id, "resign").await.refused(409, "match_over");
    }
    spectator.get(&pair.path("/history/4?view=full")).await.ok();
    spectator.get(&pair.path("/record")).await.refused(409, "match_not_over");
    let listed = spectator.get("/v1/matches?status=aborted").await.ok();
    assert_eq!(listed["items"][0]["id"], pair.id);
    let told = pair.players[0].inbox_of(5).await;
    assert_eq!(kinds(told[4]["events"].as_array().unwrap()), ["match_aborted"]);
    let again = operator.post(&abort, json!({"reason": "again"})).await.ok();
    assert_eq!(again, aborted, "nothing more is done");
    let entries = audit(&operator).await;
    assert_eq!((&entries[1]["reason"], &entries[2]["reason"]), (&json!("again"), &json!("both asked for it")));
}

async fn an_operator_calls_off_an_open_match(world: &mut World) {
    let (operator, ann) = (world.operator(MODERATE), world.guest("Ann").await);
    let id = ann.create(json!({"visibility": "private"})).await["match"]["id"].as_str().unwrap().to_owned();
    operator.post(&format!("/v1/admin/matches/{id}/abort"), json!({"reason": "spam"})).await.ok();
    let seen = ann.read(&id).await;
    assert_eq!((&seen["match"]["status"], &seen["state"]), (&json!("aborted"), &Value::Null));
    ann.act(&id, "start").await.refused(409, "match_not_open");
    // What the creator calls off says so.
    let own = ann.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
    ann.act(&own, "abort").await.ok();
    let events = ann.events(&own).await;
    assert_eq!(events.last().unwrap()["event"], json!({"type": "match_aborted", "reason": "creator"}));
    let too_late = operator.post(&format!("/v1/admin/matches/{own}/abort"), json!({"reason": "spam"})).await;
    too_late.refused(409, "match_over");
}

async fn a_deleted_match_is_nowhere(world: &mut World) {
    let operator = world.operator(MODERATE);
    let (gone, kept) = (finished(world).await, Pair::seated(world, json!({})).await);
    let path = format!("/v1/admin/matches/{}", gone.id);
    for query in ["", "?reason=r", &format!("?confirm={}", gone.id), &format!("?confirm={}&reason=r", kept.id)] {
        operator.call("DELETE", &format!("{path}{query}")).await.refused(400, "invalid_parameter");
    }
    gone.players[0].read(&gone.id).await;
    let deletion = format!("{path}?confirm={}&reason=private%20data", gone.id);
    operator.call("DELETE", &deletion).await.ok();
    for rest in ["", "/record", "/events", "/history/1"] {
        gone.players[0].get(&gone.path(rest)).await.refused(404, "match_not_found");
    }
    operator.get(&path).await.refused(404, "match_not_found");
    operator.call("DELETE", &deletion).await.ok();
    let nobody = world.nobody();
    world.eventually(async || !nobody.get("/v1/matches").await.text().contains(&gone.id)).await;
    assert!(gone.players[0].inbox().await.is_empty());
    assert_eq!(kept.players[0].read(&kept.id).await["match"]["status"], "playing");
    assert_eq!(audit(&operator).await[1]["operation"], "deleteMatch");
}

async fn what_is_wrong_is_said_and_changes_nothing(world: &mut World) {
    let operator = world.operator(MODERATE);
    let ann = world.guest("Ann").await;
    let id = ann.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
    let long = "x".repeat(501);
    let banning = |until: Value, from: &str, reason: &str| json!({"until": until, "from": from, "reason": reason});
    let later = json!("2126-01-01T00:00:00.000Z");
    for (body, path) in [
        (json!({}), None),
        (json!({"from": "play", "reason": "r"}), None),
        (banning(json!("tomorrow"), "play", "r"), Some("until")),
        (banning(json!("2020-01-01T00:00:00Z"), "play", "r"), Some("until")),
        (banning(json!(5), "play", "r"), Some("until")),
        (banning(later.clone(), "everything", "r"), Some("from")),
        (banning(later.clone(), "play", " "), Some("reason")),
        (banning(later.clone(), "play", &long), Some("reason")),
        (json!({"until": later, "from": "play", "reason": "r", "other": 1}), Some("other")),
    ] {
        let refused = operator.put(&format!("{}/ban", file(&ann)), body.clone()).await.refused(400, "invalid_request");
        if let Some(path) = path {
            assert_eq!(refused["path"], path, "{body}");
        }
    }
    let patch = |body: Value| operator.send(operator.request(reqwest::Method::PATCH, &file(&ann)).json(&body));
    patch(json!({"name": "\u{202E}x", "reason": "r"})).await.refused(422, "invalid_name");
    patch(json!({"name": "Fine"})).await.refused(400, "invalid_request");
    patch(json!({"name": "Fine", "reason": ""})).await.refused(400, "invalid_request");
    let deleting = |query: String| {
        let path = format!("{}?{query}", file(&ann));
        let operator = operator.clone();
        async move { operator.call("DELETE", &path).await }
    };
    deleting(String::new()).await.refused(400, "invalid_parameter");
    deleting(format!("confirm={}", ann.id)).await.refused(400, "invalid_parameter");
    let other = deleting("confirm=p_0190163d8694739ea2a3c9f1e7d1a222&reason=r".to_owned()).await;
    assert_eq!(other.refused(400, "invalid_parameter")["field"], "confirm");
    let blank = deleting(format!("confirm={}&reason=%20", ann.id)).await;
    assert_eq!(blank.refused(400, "invalid_parameter")["field"], "reason");
    operator.call("DELETE", &format!("{}/ban", file(&ann))).await.refused(400, "invalid_parameter");
    let abort = format!("/v1/admin/matches/{id}/abort");
    operator.post(&abort, json!({})).await.refused(400, "invalid_request");
    operator.post(&abort, json!({"reason": "a\u{0}b"})).await.refused(400, "invalid_request");

    let unknown = world.guest("Eve").await;
    let mut nobody = unknown;
    nobody.id = "p_0190163d8694739ea2a3c9f1e7d1a222".to_owned();
    let gone = operator.put(&format!("{}/ban", file(&nobody)), banning(later, "play", "r")).await;
    gone.refused(404, "player_not_found");
    let query = format!("{}?confirm={}&reason=r", file(&nobody), nobody.id);
    operator.call("DELETE", &query).await.refused(404, "player_not_found");

    let seen = operator.get(&file(&ann)).await.ok();
    assert_eq!((&seen["player"]["name"], &seen["ban"], &seen["deleted"]), (&json!("Ann"), &Value::Null, &json!(false)));
    assert_eq!(ann.read(&id).await["match"]["status"], "open");
}
