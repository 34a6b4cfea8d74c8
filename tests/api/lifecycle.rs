//! Further steps in the life of a match: started by hand, left, called off, given up, claimed, agreed upon.

use reqwest::Method;
use sarsen::games::{GameSettings, Games};
use sarsen::matches::export::{MatchExport, verify};
use sarsen::players::NameBlocklist;
use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::tables::{Pair, WIN, kinds};
use crate::world::{Backend, Settings, World, cases};

cases!(
    a_match_started_by_hand_takes_entropy_until_then, a_seat_can_be_left_before_the_start,
        the_creator_can_call_a_match_off, the_creator_need_not_sit_down, joining_says_what_is_in_the_way,
        resigning_loses, moves_are_made_for_a_seat_that_was_left, an_absent_player_can_be_claimed_against,
        a_match_without_move_time_cannot_be_claimed, a_draw_is_offered_and_accepted, a_draw_is_declined_or_lapses,
        texts_are_cleaned_and_bounded;
);

async fn a_match_started_by_hand_takes_entropy_until_then(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let made = ann.create(json!({"start": "manual", "move_time_seconds": null})).await;
    let id = made["match"]["id"].as_str().unwrap();
    let path = |rest: &str| format!("/v1/matches/{id}/{rest}");
    assert_eq!((&made["match"]["status"], &made["state"]), (&json!("open"), &Value::Null));
    ann.act(id, "start").await.refused(409, "seats_open");
    ben.put(&path("entropy"), json!({"entropy": "ash"})).await.refused(403, "not_seated");
    let joined = ben.post(&path("join"), json!({"seat": 1})).await.ok();
    assert_eq!(joined["match"]["status"], "open");
    assert_eq!(joined["match"]["seats"][1]["entropy_given"], false);
    let given = ben.put(&path("entropy"), json!({"entropy": "ash"})).await.ok();
    assert_eq!(given["match"]["seats"][1]["entropy_given"], true);
    assert_eq!(given["match"]["commitment"], made["match"]["commitment"]);
    ann.play(id, "1.0", WIN[0]).await.refused(409, "match_not_playing");
    ann.act(id, "resign").await.refused(409, "match_not_playing");
    ben.act(id, "start").await.refused(403, "forbidden");
    let started = ann.act(id, "start").await.ok();
    assert_eq!(started["match"]["status"], "playing");
    assert!(started["match"]["started_at"].is_string());
    ben.put(&path("entropy"), json!({"entropy": "oak"})).await.refused(409, "match_not_open");
    ann.act(id, "start").await.refused(409, "match_not_open");
    let log = world.nobody().events(id).await;
    let told = kinds(&log);
    assert_eq!(told[..5], ["match_created", "player_joined", "player_joined", "entropy_given", "match_started"]);
    assert!(!serde_json::to_string(&log).unwrap().contains("ash"), "what was given is not told");
}

async fn a_seat_can_be_left_before_the_start(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let id = ann.create(json!({"start": "manual"})).await["match"]["id"].as_str().unwrap().to_owned();
    ben.act(&id, "leave").await.refused(403, "not_seated");
    ben.post(&format!("/v1/matches/{id}/join"), json!({"entropy": "ash"})).await.ok();
    let left = ben.act(&id, "leave").await.ok();
    assert_eq!(left["match"]["seats"][1]["player"], Value::Null);
    assert_eq!(left["match"]["seats"][1]["entropy_given"], false);
    assert_eq!(left["match"]["your_seat"], Value::Null);
    ben.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
    ann.act(&id, "start").await.ok();
    ben.act(&id, "leave").await.refused(409, "match_not_open");
    assert_eq!(ben.read(&id).await["match"]["your_seat"], 1);
}

async fn the_creator_can_call_a_match_off(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let id = ann.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
    ben.act(&id, "abort").await.refused(403, "forbidden");
    let aborted = ann.act(&id, "abort").await.ok();
    assert_eq!((&aborted["match"]["status"], &aborted["match"]["outcome"]), (&json!("aborted"), &Value::Null));
    ann.act(&id, "abort").await.refused(409, "match_not_open");
    ben.post(&format!("/v1/matches/{id}/join"), json!({})).await.refused(409, "match_not_open");
    ann.play(&id, "1.0", WIN[0]).await.refused(409, "match_over");
    ann.get(&format!("/v1/matches/{id}/record")).await.refused(409, "match_not_over");
    let running = Pair::seated(world, json!({})).await;
    running.players[0].act(&running.id, "abort").await.refused(409, "match_not_open");
}

async fn the_creator_need_not_sit_down(world: &mut World) {
    let (host, ann, ben) = (world.guest("Host").await, world.guest("Ann").await, world.guest("Ben").await);
    let made = host.create(json!({"seat": null, "visibility": "private"})).await;
    assert_eq!(made["match"]["your_seat"], Value::Null);
    let id = made["match"]["id"].as_str().unwrap();
    let invite = made["match"]["invite_code"].clone();
    ann.post(&format!("/v1/matches/{id}/join"), json!({"seat": 1, "invite": invite})).await.ok();
    let started = ben.post(&format!("/v1/matches/{id}/join"), json!({"invite": invite})).await.ok();
    assert_eq!((&started["match"]["your_seat"], &started["match"]["status"]), (&json!(0), &json!("playing")));
    assert_eq!(host.read(id).await["match"]["status"], "playing", "the host looks on");
    host.act(id, "resign").await.refused(403, "not_seated");
}

async fn joining_says_what_is_in_the_way(world: &mut World) {
    let (ann, ben, cora) = (world.guest("Ann").await, world.guest("Ben").await, world.guest("Cora").await);
    let id = ann.create(json!({"start": "manual"})).await["match"]["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/matches/{id}/join");
    ben.post(&path, json!({"seat": 0})).await.refused(409, "seat_taken");
    ben.post(&path, json!({"seat": 2})).await.refused(409, "no_such_seat");
    ben.post(&path, json!({"seat": 5})).await.refused(400, "invalid_request");
    ann.post(&path, json!({"seat": 1})).await.refused(409, "already_seated");
    let version = ann.read(&id).await["match"]["version"].clone();
    assert_eq!(ann.post(&path, json!({})).await.ok()["match"]["version"], version, "a repetition changes nothing");
    ben.act(&id, "join").await.ok();
    cora.post(&path, json!({})).await.refused(409, "match_full");
    ann.act(&id, "start").await.ok();
    cora.post(&path, json!({})).await.refused(409, "match_not_open");
}

async fn resigning_loses(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let waiter = 1 - pair.turn().await.seat;
    let end = pair.players[waiter].act(&pair.id, "resign").await.ok();
    assert_eq!(end["match"]["outcome"]["ending"], "resignation");
    assert_eq!(end["match"]["outcome"]["standings"][waiter]["verdict"], "lost");
    assert_eq!(end["match"]["outcome"]["standings"][1 - waiter]["verdict"], "won");
    assert_eq!(end["match"]["seats"][waiter]["resigned"], true);
    pair.players[waiter].act(&pair.id, "resign").await.refused(409, "match_over");
}

async fn moves_are_made_for_a_seat_that_was_left(world: &mut World) {
    let (ann, ben, cora) = (world.guest("Ann").await, world.guest("Ben").await, world.guest("Cora").await);
    let made = ann.create(json!({"game": "sacrifice_roulette", "seats": 3})).await;
    let id = made["match"]["id"].as_str().unwrap();
    for player in [&ben, &cora] {
        player.act(id, "join").await.ok();
    }
    ann.act(id, "resign").await.ok();
    let made_for = |events: &[Value]| {
        let of_seat = |event: &&Value| event["event"]["type"] == "move_made" && event["event"]["seat"] == 0;
        events.iter().filter(of_seat).count()
    };
    let players = [&ann, &ben, &cora];
    // The seat's turn comes after those of the two others, and after what they place.
    for _ in 0..40 {
        if made_for(&ben.events(id).await) > 0 {
            break;
        }
        let to_act = ben.read(id).await["match"]["to_act"][0].as_u64().unwrap();
        assert_ne!(to_act, 0, "nobody waits for a seat that was left");
        let seen = players[to_act as usize].get(&format!("/v1/matches/{id}?legal_moves=notation")).await.ok();
        let first = seen["decision"]["legal_moves"]["notations"][0].as_str().unwrap();
        players[to_act as usize].play(id, seen["decision"]["id"].as_str().unwrap(), first).await.ok();
    }
    assert!(made_for(&ben.events(id).await) > 0);
    cora.act(id, "resign").await.ok();
    let record = world.nobody().get(&format!("/v1/matches/{id}/record")).await.ok();
    let record: MatchExport = serde_json::from_value(record).unwrap();
    assert_eq!(record.rules_version, 1);
    assert_eq!(verify(&Games::standard(GameSettings::default()), &record).unwrap().ending, "resignation");
}

async fn an_absent_player_can_be_claimed_against(world: &mut World) {
    let pair = Pair::seated(world, json!({"move_time_seconds": 600})).await;
    let absent = pair.turn().await.seat;
    let (here, away) = (&pair.players[1 - absent], &pair.players[absent]);
    let claim = pair.path("/claim");
    let early = here.post(&claim, json!({"seat": absent})).await;
    let problem = early.refused(409, "claim_too_early");
    let seconds: u64 = early.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=600).contains(&seconds) && problem["retry_after_seconds"] == seconds);
    here.post(&claim, json!({"seat": 1 - absent})).await.refused(409, "claim_not_possible");
    away.post(&claim, json!({"seat": 1 - absent})).await.refused(409, "claim_not_possible");
    here.post(&claim, json!({"seat": 4})).await.refused(409, "no_such_seat");
    world.guest("Cora").await.post(&claim, json!({"seat": absent})).await.refused(403, "not_seated");
    world.clock.advance_seconds(601);
    let end = here.post(&claim, json!({"seat": absent})).await.ok();
    assert_eq!(end["match"]["outcome"]["ending"], "abandoned");
    assert_eq!(end["match"]["outcome"]["standings"][absent]["verdict"], "lost");
    here.post(&claim, json!({"seat": absent})).await.refused(409, "match_over");
}

async fn a_match_without_move_time_cannot_be_claimed(world: &mut World) {
    let pair = Pair::seated(world, json!({"move_time_seconds": null})).await;
    let absent = pair.turn().await.seat;
    assert_eq!(pair.players[0].read(&pair.id).await["match"]["seats"][absent]["claimable_at"], Value::Null);
    world.clock.advance_seconds(800);
    pair.players[1 - absent]
        .post(&pair.path("/claim"), json!({"seat": absent}))
        .await
        .refused(409, "claim_not_possible");
}

async fn a_draw_is_offered_and_accepted(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let [ann, ben] = &pair.players;
    ann.act(&pair.id, "draw/accept").await.refused(409, "no_draw_offer");
    let offered = ann.act(&pair.id, "draw/offer").await.ok();
    assert_eq!(offered["match"]["draw_agreed_by"], json!([0]));
    ben.act(&pair.id, "draw/offer").await.refused(409, "draw_offered");
    ann.act(&pair.id, "draw/accept").await.refused(409, "no_draw_offer");
    world.guest("Cora").await.act(&pair.id, "draw/accept").await.refused(403, "not_seated");
    let end = ben.act(&pair.id, "draw/accept").await.ok();
    assert_eq!(end["match"]["outcome"]["ending"], "draw_agreed");
    assert!(end["match"]["outcome"]["standings"].as_array().unwrap().iter().all(|one| one["verdict"] == "drawn"));
    ann.act(&pair.id, "draw/offer").await.refused(409, "match_over");
}

async fn a_draw_is_declined_or_lapses(world: &mut World) {
    let pair = Pair::seated(world, json!({})).await;
    let turn = pair.turn().await;
    let (mover, waiter) = (&pair.players[turn.seat], &pair.players[1 - turn.seat]);
    mover.act(&pair.id, "draw/offer").await.ok();
    assert_eq!(waiter.act(&pair.id, "draw/decline").await.ok()["match"]["draw_agreed_by"], json!([]));
    waiter.act(&pair.id, "draw/accept").await.refused(409, "no_draw_offer");
    // Offers leave the decision open.
    assert_eq!(pair.turn().await.decision, turn.decision);
    mover.act(&pair.id, "draw/offer").await.refused(409, "draw_offered");
    pair.play(WIN[0]).await.ok();
    pair.play(WIN[1]).await.ok();
    // One offer for each move of one's own.
    mover.act(&pair.id, "draw/offer").await.ok();
    let moved = pair.play(WIN[2]).await.ok();
    assert_eq!(moved["match"]["draw_agreed_by"], json!([turn.seat]), "an offer outlives the offerer's own move");
    let moved = pair.play(WIN[3]).await.ok();
    assert_eq!(moved["match"]["draw_agreed_by"], json!([]), "a move of the other lets it lapse");
    waiter.act(&pair.id, "draw/accept").await.refused(409, "no_draw_offer");
}

async fn texts_are_cleaned_and_bounded(world: &mut World) {
    let nobody = world.nobody();
    let named = nobody.post("/v1/players", json!({"name": "  Rowan \t of   the Oak "})).await.ok();
    assert_eq!(named["player"]["name"], "Rowan of the Oak");
    let long = "x".repeat(41);
    for name in ["", "   ", "a\u{0}b", "\u{202e}evil", "\u{200b}", long.as_str()] {
        nobody.post("/v1/players", json!({"name": name})).await.refused(422, "invalid_name");
    }
    let pair = Pair::seated(world, json!({"start": "manual"})).await;
    for entropy in [String::new(), "x".repeat(257)] {
        let refused = pair.players[0].put(&pair.path("/entropy"), json!({"entropy": entropy})).await;
        refused.refused(400, "invalid_request");
    }
}

async fn renamed(client: &Client, name: &str) -> Answer {
    client.send(client.request(Method::PATCH, "/v1/me").json(&json!({"name": name}))).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_is_changed_once_a_day_and_never_to_a_blocked_one() {
    let name_blocklist = NameBlocklist::parse("admin\n*stonekeeper\n");
    let mut world = World::with(Backend::Embedded, Settings { name_blocklist, ..Settings::default() }).await;
    let nobody = world.nobody();
    for name in ["Admin", "\u{430}dmin", "Ａｄｍｉｎ", "TheSt\u{43e}nekeepers"] {
        nobody.post("/v1/players", json!({"name": name})).await.refused(422, "invalid_name");
    }
    let ann = world.guest("Ann").await;
    renamed(&ann, "admin").await.refused(422, "invalid_name");
    ann.post("/v1/me/bots", json!({"name": "Admin"})).await.refused(422, "invalid_name");
    let bot = ann.post("/v1/me/bots", json!({"name": "Engine"})).await.ok();
    let path = format!("/v1/me/bots/{}", bot["player"]["id"].as_str().unwrap());
    let rename = |name: &str| ann.send(ann.request(Method::PATCH, &path).json(&json!({"name": name})));
    rename("TheSt\u{43e}nekeepers").await.refused(422, "invalid_name");
    assert_eq!(rename("Deep").await.ok()["name"], "Deep");
    // The present name costs nothing.
    renamed(&ann, "Ann").await.ok();
    assert_eq!(renamed(&ann, "A\u{301}nn").await.ok()["name"], "\u{c1}nn");
    assert_eq!(ann.get("/v1/me").await.ok()["player"]["name"], "\u{c1}nn");
    renamed(&ann, "\u{c1}nn").await.ok();
    let early = renamed(&ann, "Hazel").await.refused(429, "rate_limited");
    assert!((86_300..=86_400).contains(&early["retry_after_seconds"].as_u64().unwrap()), "{early}");
    // It counts at once for matches made and joined from now on, by the token that the player has.
    let id = world.guest("Ben").await.create(json!({})).await["match"]["id"].as_str().unwrap().to_owned();
    let joined = ann.act(&id, "join").await.ok();
    assert_eq!(joined["match"]["seats"][1]["player"]["name"], "\u{c1}nn");
    let made = ann.create(json!({"game": "contiguity"})).await;
    assert_eq!(made["match"]["seats"][0]["player"]["name"], "\u{c1}nn");
    world.clock.advance_seconds(24 * 60 * 60);
    let signed_in = nobody.post("/v1/tokens/refresh", json!({"refresh_token": ann.refresh_token})).await.ok();
    let ann = nobody.signed_in(&signed_in);
    assert_eq!(renamed(&ann, "Hazel").await.ok()["name"], "Hazel");
    // An operator's word is the last.
    let by = json!({"name": "Admin", "reason": "a test"});
    let player = format!("/v1/admin/players/{}", ann.id);
    let operator = world.operator("admin:moderate");
    operator.send(operator.request(Method::PATCH, &player).json(&by)).await.ok();
    renamed(&ann, "Hazel").await.refused(403, "forbidden");
    world.stop().await;
}
