//! Private matches: for their seats, their creator, and whoever has the invite code.

use serde_json::{Value, json};

use crate::tables::{Pair, WIN};
use crate::world::{World, cases};

cases!(
    a_private_match_is_not_there_for_strangers, an_invite_code_permits_reading_and_joining;
);

/// Every operation on one match, with a body that would do.
const OPERATIONS: [(&str, &str, Option<&str>); 30] = [
    ("GET", "", None),
    ("GET", "/history/1", None),
    ("GET", "/history/1?view=full", None),
    ("GET", "/events", None),
    ("GET", "/record", None),
    ("POST", "/moves", Some(r#"{"decision_id":"2.0","notation":"2c-2d"}"#)),
    ("POST", "/moves?dry_run=true", Some(r#"{"decision_id":"2.0","notation":"2c-2d"}"#)),
    ("POST", "/join", Some("{}")),
    ("POST", "/leave", None),
    ("POST", "/decline", None),
    ("POST", "/invites", None),
    ("DELETE", "/seats/1", None),
    ("PUT", "/seats/1/reservation", Some(r#"{"player_id":"p_00000000000000000000000000000000"}"#)),
    ("POST", "/rematch", None),
    ("POST", "/fork", Some(r#"{"version":1}"#)),
    ("DELETE", "/rematch", None),
    ("POST", "/start", None),
    ("POST", "/abort", None),
    ("PUT", "/entropy", Some(r#"{"entropy":"oak"}"#)),
    ("PUT", "/plan", Some(r#"{"version":2,"tree":[{"when":["2c-2d"],"then":["30b-10b"]}]}"#)),
    ("DELETE", "/plan", None),
    ("POST", "/resign", None),
    ("POST", "/claim", Some(r#"{"seat":0}"#)),
    ("POST", "/draw/offer", None),
    ("POST", "/draw/accept", None),
    ("POST", "/draw/decline", None),
    ("POST", "/undo", Some(r#"{"to_version":1}"#)),
    ("POST", "/takeback", Some(r#"{"to_version":1}"#)),
    ("POST", "/takeback/accept", None),
    ("POST", "/takeback/decline", None),
];

async fn a_private_match_is_not_there_for_strangers(world: &mut World) {
    let (ann, cora, nobody) = (world.guest("Ann").await, world.guest("Cora").await, world.nobody());
    let open = ann.create(json!({"visibility": "private"})).await["match"]["id"].as_str().unwrap().to_owned();
    let playing = Pair::seated(world, json!({"visibility": "private"})).await;
    let finished = Pair::seated(world, json!({"visibility": "private"})).await;
    finished.play_all(&WIN).await;
    let missing = format!("m_{}", "0".repeat(32));
    for id in [&open, &playing.id, &finished.id, &missing] {
        for (method, rest, body) in OPERATIONS {
            let path = format!("/v1/matches/{id}{rest}");
            for (caller, known) in [(&cora, true), (&nobody, false)] {
                let mut request = caller.request(method.parse().unwrap(), &path);
                if let Some(body) = body {
                    request = request.header("content-type", "application/json").body(body);
                }
                let answer = caller.send(request).await;
                match known || method == "GET" {
                    true => drop(answer.refused(404, "match_not_found")),
                    false => drop(answer.refused(401, "unauthenticated")),
                }
                assert!(!answer.text().contains("Ann"), "{method} {path}");
            }
        }
    }
    for list in ["/v1/matches", "/v1/matches?mine=true"] {
        assert_eq!(cora.get(list).await.ok()["items"], json!([]));
    }
    assert_eq!(cora.inbox().await, Vec::<Value>::new());
}

async fn an_invite_code_permits_reading_and_joining(world: &mut World) {
    let (ann, ben, nobody) = (world.guest("Ann").await, world.guest("Ben").await, world.nobody());
    let made = ann.create(json!({"visibility": "private"})).await;
    let (id, invite) = (made["match"]["id"].as_str().unwrap(), made["match"]["invite_code"].as_str().unwrap());
    let path = format!("/v1/matches/{id}");
    let seen = nobody.get(&format!("{path}?invite={invite}")).await.ok();
    assert_eq!(seen["match"]["invite_code"], Value::Null, "only insiders are told it");
    nobody.get(&format!("{path}/events?invite={invite}")).await.ok();
    for wrong in ["000000000000", "", "%00", &invite[1..], &format!("{invite}0")] {
        nobody.get(&format!("{path}?invite={wrong}")).await.refused(404, "wrong_invite");
        let missing = format!("/v1/matches/m_{}?invite={wrong}", "0".repeat(32));
        nobody.get(&missing).await.refused(404, "wrong_invite");
    }
    ben.post(&format!("{path}/join"), json!({"invite": "wrong"})).await.refused(404, "wrong_invite");
    for path in [&path, &format!("/v1/matches/m_{}", "0".repeat(32))] {
        for unseen in [json!({}), json!({"seat": "first"}), json!([])] {
            ben.post(&format!("{path}/join"), unseen).await.refused(404, "match_not_found");
        }
    }
    let joined = ben.post(&format!("{path}/join"), json!({"invite": invite})).await.ok();
    assert_eq!(joined["match"]["invite_code"], invite);
    ben.read(id).await;
    // An invite of one match opens no other.
    let other = ann.create(json!({"visibility": "private"})).await["match"]["id"].as_str().unwrap().to_owned();
    nobody.get(&format!("/v1/matches/{other}?invite={invite}")).await.refused(404, "wrong_invite");
    // Nor does an invite let its holder move.
    let moves = format!("{path}/moves?invite={invite}");
    let body = json!({"decision_id": "2.0", "notation": WIN[0]});
    world.guest("Cora").await.post(&moves, body).await.refused(400, "invalid_parameter");
}
