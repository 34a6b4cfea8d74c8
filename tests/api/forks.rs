//! Forks over HTTP: who may try out how a match could have gone on, and that nobody else hears of it. And what whoever holds
//! several seats does as each of them.

use sarsen::games::{GameSettings, Games};
use sarsen::matches::export::verify;
use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::tables::{Pair, WIN, kinds};
use crate::world::{World, cases};

cases!(
    what_is_played_is_forked_only_where_everything_is_known, a_fork_is_asked_for_in_order,
        each_seat_of_ones_own_does_what_a_seat_can_do, what_has_finished_is_played_on_in_every_game;
);

fn id_of(made: &Value) -> String {
    made["match"]["id"].as_str().unwrap().to_owned()
}

async fn fork(client: &Client, id: &str, version: u64) -> Answer {
    client.post(&format!("/v1/matches/{id}/fork"), json!({"version": version})).await
}

/// Makes so many moves for whoever is to act, all of whose seats are the client's, or fewer if the match is over then.
async fn play(client: &Client, id: &str, moves: usize) {
    for _ in 0..moves {
        let Some(seat) = client.read(id).await["match"]["to_act"][0].as_u64() else { return };
        let path = format!("/v1/matches/{id}?as_seat={seat}&legal_moves=notation");
        let decision = client.get(&path).await.ok()["decision"].take();
        let listed = decision["legal_moves"]["notations"].as_array().unwrap();
        let body = json!({"decision_id": decision["id"], "notation": listed[listed.len() / 2]});
        client.post(&format!("/v1/matches/{id}/moves?as_seat={seat}"), body).await.ok();
    }
}

/// Gives up, on all seats.
async fn give_up(client: &Client, id: &str) {
    while client.read(id).await["match"]["status"] == "playing" {
        client.act(id, "resign").await.ok();
    }
}

async fn what_has_finished_is_played_on_in_every_game(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let games = Games::standard(GameSettings::default());
    for game in games.iter().map(|game| game.info().id) {
        let id =
            id_of(&ann.post("/v1/matches", json!({"game": game, "hotseat": true, "visibility": "public"})).await.ok());
        play(&ann, &id, 4).await;
        give_up(&ann, &id).await;
        // A game may be over with the first move, for all that is known here.
        let at = async |version: u64| ben.get(&format!("/v1/matches/{id}/history/{version}?view=full")).await.ok();
        let version = if at(2).await["match"]["status"] == "playing" { 2 } else { 1 };
        let then = at(version).await;
        let made = fork(&ben, &id, version).await;
        assert_eq!(made.status, 201, "{game}");
        let (forked, made) = (id_of(&made.ok()), made.ok());
        assert_eq!(made["match"]["forked_from"], json!({"match_id": id, "version": version}), "{game}");
        for (name, is) in [("analysis", json!(true)), ("hotseat", json!(true)), ("visibility", json!("private"))] {
            assert_eq!(made["match"][name], is, "{game}: {name}");
        }
        for name in ["clock", "move_time_seconds", "invite_code", "seed", "expires_at"] {
            assert_eq!(made["match"][name], Value::Null, "{game}: {name}");
        }
        assert_eq!((&made["match"]["status"], &made["match"]["hints"]), (&json!("playing"), &json!(true)), "{game}");
        for same in ["game", "rules_version", "options", "to_act"] {
            assert_eq!(made["match"][same], then["match"][same], "{game}: {same}");
        }
        assert_ne!(made["match"]["commitment"], then["match"]["commitment"], "{game}");
        play(&ben, &forked, 3).await;
        ann.get(&format!("/v1/matches/{forked}")).await.refused(404, "match_not_found");
        give_up(&ben, &forked).await;
        let record = ben.get(&format!("/v1/matches/{forked}/record")).await.ok();
        assert_eq!(record["steps"][0]["action"], "fork", "{game}");
        verify(&games, &serde_json::from_value(record).unwrap()).unwrap();
    }
}

async fn what_is_played_is_forked_only_where_everything_is_known(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let [ann, ben] = &pair.players;
    pair.play_all(&WIN[..2]).await;
    let before = (ann.get(&pair.path("")).await, ann.events(&pair.id).await);
    let made = fork(ben, &pair.id, 3).await;
    let forked = id_of(&made.ok());
    assert_eq!(made.header("location"), Some(format!("/v1/matches/{forked}").as_str()));
    let path = |rest: &str| format!("/v1/matches/{forked}{rest}");
    let seen = ben.read(&forked).await;
    assert_eq!((&seen["match"]["hints"], &seen["match"]["your_seat"]), (&json!(false), &json!(0)));
    let seat = seen["match"]["to_act"][0].as_u64().unwrap();
    for seat in [seat, 1 - seat] {
        let hint = ben.post(&path(&format!("/hint?as_seat={seat}")), json!({"level": "easy"})).await;
        hint.refused(403, "hints_off");
    }
    // The match before goes on as if there were none.
    let after = (ann.get(&pair.path("")).await, ann.events(&pair.id).await);
    assert_eq!((after.0.header("etag"), after.0.json()), (before.0.header("etag"), before.0.json()));
    assert_eq!(after.1, before.1);
    for (client, code) in [(ann, 404), (&world.nobody(), 404)] {
        client.get(&path("")).await.refused(code, "match_not_found");
        client.get(&path("/events")).await.refused(code, "match_not_found");
    }
    ann.post(&path("/moves"), json!({"decision_id": "1.0", "notation": WIN[0]})).await.refused(404, "match_not_found");
    // It is listed as what it is, and waits for nobody.
    let mine = ben.get("/v1/matches?mine=true").await.ok();
    assert_eq!((&mine["items"][0]["id"], &mine["items"][0]["analysis"]), (&json!(forked), &json!(true)));
    assert_eq!(mine["items"][1]["analysis"], false);
    let waiting = ben.get("/v1/matches?my_turn=true").await.ok();
    assert!(waiting["items"].as_array().unwrap().iter().all(|item| item["id"] != json!(forked)));
    ben.post(&path("/substitute/offer"), json!({})).await.refused(403, "forbidden");
    give_up(ben, &forked).await;
    world.eventually(async || ben.inbox().await.iter().any(|told| told["match_id"] == json!(forked))).await;
    assert!(ann.inbox().await.iter().all(|told| told["match_id"] == json!(pair.id)), "nobody else is told");
    ben.act(&forked, "rematch").await.refused(409, "rematch_off");

    let secret = Pair::seated(world, json!({"game": "absolution", "seats": 2})).await;
    fork(&secret.players[0], &secret.id, 2).await.refused(403, "fork_secret");
    fork(ann, &secret.id, 2).await.refused(403, "fork_secret");
}

async fn a_fork_is_asked_for_in_order(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let secret = Pair::seated(world, json!({"game": "absolution", "seats": 2})).await;
    let [ann, _] = &pair.players;
    let (path, missing) = (pair.path("/fork"), format!("/v1/matches/m_{}/fork", "0".repeat(32)));
    let wrong = json!({"version": 0, "name": "x"});
    world.nobody().post(&missing, wrong.clone()).await.refused(401, "unauthenticated");
    ann.post(&missing, wrong.clone()).await.refused(404, "match_not_found");
    ann.post(&secret.path("/fork"), wrong.clone()).await.refused(403, "fork_secret");
    for wrong in
        [wrong, json!({}), json!({"version": 0}), json!({"version": "2"}), json!({"version": 4_294_967_296_u64})]
    {
        ann.post(&path, wrong).await.refused(400, "invalid_request");
    }
    ann.post(&path, json!({"version": 99})).await.refused(404, "version_not_found");
    ann.post(&path, json!({"version": 1})).await.refused(409, "match_not_playing");
    let keyed = async |path: &str, version: u64| {
        let request = ann.request(reqwest::Method::POST, path).json(&json!({"version": version}));
        ann.send(request.header("idempotency-key", "k")).await
    };
    let first = keyed(&path, 2).await;
    assert_eq!((first.status, first.header("idempotent-replayed")), (201, None));
    pair.play_all(&WIN).await;
    let again = keyed(&path, 2).await;
    assert_eq!((again.header("idempotent-replayed"), again.ok()), (Some("true"), first.ok()));
    keyed(&path, 3).await.refused(422, "idempotency_key_reused");
    let forked = format!("/v1/matches/{}/fork", id_of(&first.ok()));
    keyed(&forked, 2).await.refused(422, "idempotency_key_reused");
    // The last move has decided it.
    let last = ann.post(&path, json!({"version": 7})).await.refused(409, "match_over");
    assert_eq!(last["version"], 7);
    ann.post(&forked, json!({"version": 1})).await.ok();
}

async fn each_seat_of_ones_own_does_what_a_seat_can_do(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let made = ann.create(json!({"hotseat": true, "hints": true, "visibility": "public"})).await;
    let (id, start) = (id_of(&made), made["match"]["version"].as_u64().unwrap());
    let path = |rest: &str, seat: u64| format!("/v1/matches/{id}/{rest}?as_seat={seat}");
    let mover = made["match"]["to_act"][0].as_u64().unwrap();
    for (rest, body) in [
        ("undo", json!({"to_version": start})),
        ("takeback", json!({"to_version": start})),
        ("takeback/accept", Value::Null),
        ("takeback/decline", Value::Null),
        ("draw/offer", Value::Null),
        ("draw/accept", Value::Null),
        ("draw/decline", Value::Null),
        ("claim", json!({"seat": 0})),
        ("clock/give", json!({"seat": 0, "seconds": 60})),
        ("return", Value::Null),
        ("hint", json!({"level": "easy"})),
        ("leave", Value::Null),
        ("resign", Value::Null),
    ] {
        ben.post(&path(rest, 1), body.clone()).await.refused(403, "hotseat_only");
        ann.post(&path(rest, 5), body).await.refused(400, "invalid_parameter");
    }
    ben.put(&path("entropy", 1), json!({"entropy": "oak"})).await.refused(403, "hotseat_only");
    for picture in ["board.svg", "history/1/board.svg"] {
        let (zero, one) = (ann.get(&path(picture, 0)).await, ann.get(&path(picture, 1)).await);
        assert_ne!(zero.header("etag").unwrap(), one.header("etag").unwrap());
        ben.get(&path(picture, 1)).await.refused(403, "hotseat_only");
    }
    let hinted = ann.post(&path("hint", mover), json!({"level": "easy"})).await.ok();
    ann.post(&path("hint", 1 - mover), json!({"level": "easy"})).await.refused(409, "not_your_turn");
    play(&ann, &id, 1).await;
    let version = hinted["version"].as_u64().unwrap();
    // The turn has passed, so nobody has it back without asking; whoever would have to agree is the same player.
    let undo = json!({"to_version": version});
    ann.post(&path("undo", mover), undo.clone()).await.refused(409, "undo_barrier");
    let back = ann.post(&path("takeback", mover), undo).await.ok();
    assert_eq!((&back["match"]["your_seat"], &back["match"]["to_act"]), (&json!(mover), &json!([mover])));
    // Each seat agrees for itself.
    let request = ann.request(reqwest::Method::POST, &path("draw/offer", 1)).header("idempotency-key", "k");
    let offered = ann.send(request).await.ok();
    assert_eq!((&offered["match"]["draw_agreed_by"], &offered["match"]["your_seat"]), (&json!([1]), &json!(1)));
    let request = ann.request(reqwest::Method::POST, &path("draw/offer", 0)).header("idempotency-key", "k");
    ann.send(request).await.refused(422, "idempotency_key_reused");
    ann.call("POST", &path("draw/accept", 1)).await.refused(409, "no_draw_offer");
    ann.call("POST", &path("draw/decline", 0)).await.ok();
    let ended = ann.call("POST", &path("resign", 1)).await.ok();
    assert_eq!(ended["match"]["seats"][1]["resigned"], true);
    assert_eq!(kinds(&ann.events(&id).await).iter().filter(|kind| **kind == "player_resigned").count(), 1);
}
