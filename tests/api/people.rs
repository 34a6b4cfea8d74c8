//! People who know each other: contacts, recent opponents, blocks and reports.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::client::Client;
use crate::tables::{Pair, WIN};
use crate::world::{World, cases};

cases!(
    who_was_played_with_is_found_again, a_host_has_played_with_nobody, of_opponents_the_newest_matches_tell,
        a_stranger_at_a_rematch_is_kept_out, a_report_reaches_the_operators, a_report_is_judged_in_order,
        a_block_keeps_two_players_apart;
);

async fn who_was_played_with_is_found_again(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let [ann, ben] = &pair.players;
    let opponents = async || ann.get("/v1/me/opponents").await.ok()["items"].clone();
    assert_eq!(opponents().await, json!([]), "the match is not over");
    pair.play_all(&WIN).await;
    world.eventually(async || opponents().await[0]["match_id"] == pair.id.as_str()).await;
    assert_eq!(opponents().await[0]["player"]["id"], ben.id);
    let path = format!("/v1/me/contacts/{}", ben.id);
    let contact = ann.put(&path, json!({})).await.ok();
    assert_eq!(contact["player"]["name"], "Ben");
    assert_eq!(ann.put(&path, json!({})).await.ok(), contact);
    assert_eq!(ann.get("/v1/me/contacts?limit=1").await.ok(), json!({"items": [contact], "next_cursor": null}));
    assert_eq!(ben.get("/v1/me/contacts").await.ok()["items"], json!([]));
    ann.put(&format!("/v1/me/contacts/{}", ann.id), json!({})).await.refused(403, "forbidden");
    for _ in 0..2 {
        assert_eq!(ann.call("DELETE", &path).await.status, 204);
    }
    ann.get("/v1/me/contacts?cursor=p_1").await.refused(400, "invalid_parameter");
}

async fn a_host_has_played_with_nobody(world: &mut World) {
    let (host, ann, ben) = (world.guest("Host").await, world.guest("Ann").await, world.guest("Ben").await);
    let id = host.create(json!({"seat": null})).await["match"]["id"].as_str().unwrap().to_owned();
    for player in [&ann, &ben] {
        player.act(&id, "join").await.ok();
    }
    ann.act(&id, "resign").await.ok();
    assert_eq!(host.get("/v1/matches?mine=true&status=finished").await.ok()["items"][0]["id"], json!(id));
    assert_eq!(host.get("/v1/me/opponents").await.ok()["items"], json!([]));
    let opponents = ann.get("/v1/me/opponents").await.ok()["items"].clone();
    assert_eq!((&opponents[0]["player"]["id"], &opponents[1]), (&json!(ben.id), &Value::Null));
}

async fn of_opponents_the_newest_matches_tell(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let (ann, cora) = (&pair.players[0], &world.guest("Cora").await);
    ann.act(&pair.id, "resign").await.ok();
    let play = |_| async move {
        let id = ann.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
        cora.act(&id, "join").await.ok();
        ann.act(&id, "resign").await.ok();
    };
    join_all((0..99).map(play)).await;
    let known = async || ann.get("/v1/me/opponents").await.ok()["items"].as_array().unwrap().len();
    assert_eq!(known().await, 2);
    play(99).await;
    assert_eq!(known().await, 1, "a hundred matches ago is forgotten");
}

/// Returns true if the player is shown this match as one to join.
async fn listed(player: &Client, id: &str) -> bool {
    let page = player.get("/v1/matches?joinable=true&limit=100").await.ok();
    page["items"].as_array().unwrap().iter().any(|item| item["id"] == id)
}

async fn a_stranger_at_a_rematch_is_kept_out(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let (cora, eve) = (world.guest("Cora").await, world.guest("Eve").await);
    let made = ann.create(json!({"game": "absolution", "seats": 3})).await;
    let id = made["match"]["id"].as_str().unwrap();
    for player in [&ben, &cora] {
        player.act(id, "join").await.ok();
    }
    ann.act(id, "resign").await.ok();
    let next = ann.act(id, "rematch").await.ok()["match"]["id"].as_str().unwrap().to_owned();
    for player in [&cora, &eve] {
        ann.put(&format!("/v1/me/blocks/{}", player.id), json!({})).await.ok();
    }
    cora.call("DELETE", &format!("/v1/matches/{id}/rematch")).await.ok();
    eve.act(&next, "join").await.refused(403, "blocked");
    // The list says the same.
    world.eventually(async || listed(&cora, &next).await).await;
    assert!(listed(&ben, &next).await && !listed(&eve, &next).await);
    // So does a seat that is kept again.
    let keep = async |player: &Client| {
        ann.put(&format!("/v1/matches/{next}/seats/0/reservation"), json!({"player_id": player.id})).await
    };
    keep(&eve).await.refused(403, "forbidden");
    keep(&cora).await.ok();
    cora.call("DELETE", &format!("/v1/matches/{id}/rematch")).await.ok();
    // Those who sat there before come back: by the place that is kept for them, and without one.
    ben.act(&next, "join").await.ok();
    assert_eq!(cora.act(&next, "join").await.ok()["match"]["status"], "playing");
}

async fn a_block_keeps_two_players_apart(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let [ann, ben] = &pair.players;
    ann.put(&format!("/v1/me/blocks/{}", ben.id), json!({})).await.ok();
    assert_eq!(ben.get("/v1/me/blocks").await.ok()["items"], json!([]));
    // The match goes on, and its rematch is possible.
    pair.play_all(&WIN).await;
    let next = ann.act(&pair.id, "rematch").await.ok()["match"]["id"].as_str().unwrap().to_owned();
    world.eventually(async || listed(ben, &next).await).await;
    ben.act(&next, "join").await.ok();
    let of_ann = ann.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
    let refused = ben.act(&of_ann, "join").await.refused(403, "blocked");
    assert!(!refused.to_string().contains(&ann.id), "{refused}");
    let of_ben = ben.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
    ann.act(&of_ben, "join").await.refused(403, "forbidden");
    let keep = json!({"player_id": ann.id});
    ben.put(&format!("/v1/matches/{of_ben}/seats/1/reservation"), keep).await.refused(403, "blocked");
    let places = json!([{"seat": 1, "player_id": ann.id}]);
    ben.post("/v1/matches", json!({"game": "contiguity", "places": places})).await.refused(403, "blocked");
    // A bot account of the blocked one is the blocked one.
    let made = ben.post("/v1/me/bots", json!({"name": "Engine"})).await.ok();
    let engine = ben.with_token(made["credential"]["secret"].as_str().unwrap());
    engine.act(&of_ann, "join").await.refused(403, "blocked");
    engine.post("/v1/matches", json!({"game": "contiguity", "places": places})).await.refused(403, "blocked");
    // What the blocked one may not see is not there for them.
    let hidden = ann.create(json!({"visibility": "private"})).await;
    let hidden_id = hidden["match"]["id"].as_str().unwrap();
    ben.act(hidden_id, "join").await.refused(404, "match_not_found");
    let code = hidden["match"]["invite_code"].as_str().unwrap();
    ben.call("POST", &format!("/v1/invites/{code}/join")).await.refused(403, "blocked");
    ann.call("DELETE", &format!("/v1/me/blocks/{}", ben.id)).await.ok();
    ben.act(&of_ann, "join").await.ok();
}

async fn a_report_is_judged_in_order(world: &mut World) {
    let (ann, ben, nobody) = (world.guest("Ann").await, world.guest("Ben").await, world.nobody());
    let hidden = ben.create(json!({"visibility": "private"})).await["match"]["id"].clone();
    let stranger = format!("p_{:032x}", 7);
    // Who asks comes first, then the body, then the player, then the match: the same for a player who is there and one who
    // is not, as long as anything before is wrong.
    for player in [&ben.id, &stranger] {
        let path = format!("/v1/players/{player}/report");
        nobody.post(&path, json!({})).await.refused(401, "unauthenticated");
        for body in [json!({}), json!({"reason": ""}), json!({"reason": "x", "more": 1})] {
            ann.post(&path, body).await.refused(400, "invalid_request");
        }
        ann.post(&path, json!({"reason": "x", "match_id": "m_1"})).await.refused(400, "invalid_request");
    }
    let report = async |player: &str, match_id: &Value| {
        ann.post(&format!("/v1/players/{player}/report"), json!({"reason": "x", "match_id": match_id})).await
    };
    for match_id in [&Value::Null, &hidden] {
        report(&stranger, match_id).await.refused(404, "player_not_found");
        report(&ann.id, match_id).await.refused(403, "forbidden");
    }
    report(&ben.id, &hidden).await.refused(404, "match_not_found");
    // What was refused counts for nothing.
    for _ in 0..10 {
        assert_eq!(report(&ben.id, &Value::Null).await.status, 201);
    }
    report(&ben.id, &hidden).await.refused(404, "match_not_found");
    report(&ben.id, &Value::Null).await.refused(429, "rate_limited");
}

async fn a_report_reaches_the_operators(world: &mut World) {
    let pair = Pair::seated(world, json!({"visibility": "private"})).await;
    let [ann, ben] = &pair.players;
    let path = format!("/v1/players/{}/report", ben.id);
    let made = ann.post(&path, json!({"reason": "insults", "match_id": pair.id})).await.ok();
    let hidden = json!({"reason": "insults", "match_id": pair.id});
    world.guest("Eve").await.post(&path, hidden).await.refused(404, "match_not_found");
    ann.post(&path, json!({"reason": " "})).await.refused(400, "invalid_request");
    ann.post(&path, json!({"reason": "語".repeat(500)})).await.ok();
    for _ in 2..10 {
        ann.post(&path, json!({"reason": "again"})).await.ok();
    }
    let refused = ann.post(&path, json!({"reason": "once more"})).await;
    refused.refused(429, "rate_limited");
    assert!(refused.header("retry-after").is_some());
    let operator = world.operator("admin:read,admin:moderate");
    let open = operator.get("/v1/admin/reports?open=true&limit=1").await.ok();
    assert_eq!((&open["items"][0]["reason"], &open["items"][0]["reported_by"]), (&json!("again"), &json!(ann.id)));
    assert!(open["next_cursor"].is_string());
    let id = made["id"].as_str().unwrap();
    let answered = operator.put(&format!("/v1/admin/reports/{id}/answer"), json!({"answer": "warned"})).await.ok();
    assert_eq!((&answered["state"], &answered["match_id"]), (&json!("closed"), &json!(pair.id)));
    let closed = operator.get(&format!("/v1/admin/reports?open=false&player={}", ben.id)).await.ok();
    assert_eq!(closed["items"], json!([answered]));
    // Whoever made reports has them in their export, without the answer; whoever they are about has none.
    let exported = async |of: &Client| of.get("/v1/me/export").await.ok()["reports"].as_array().unwrap().clone();
    let own = exported(ann).await;
    let first = json!({"id": id, "player_id": ben.id, "match_id": pair.id, "reason": "insults",
        "created_at": answered["created_at"]});
    assert_eq!((own.len(), own.last(), exported(ben).await.len()), (10, Some(&first), 0));
    let file = operator.get(&format!("/v1/admin/players/{}", ben.id)).await.ok();
    assert_eq!(file["reports"].as_array().unwrap().len(), 10);
    let reader = world.operator("admin:read");
    assert_eq!(reader.get(&format!("/v1/admin/players/{}", ben.id)).await.ok()["reports"], json!([]));
    let lost = "/v1/admin/reports/c_00000000000000000000000000000000/answer";
    operator.put(lost, json!({"answer": "x"})).await.refused(404, "not_found");
}
