//! Seats that change hands while a match is played, bots that play for whoever is late, and matches that nobody watches.

use sarsen::games::{GameSettings, Games};
use sarsen::matches::export::verify;
use serde_json::{Value, json};

use crate::bots::replayed_bots;
use crate::client::{Answer, Client};
use crate::events::{SSE, Stream};
use crate::tables::{Pair, kinds};
use crate::world::{World, cases};

cases!(
    a_substitute_takes_a_seat_with_all_that_it_sees, a_host_offers_the_seat_of_whoever_is_away,
        a_host_offers_the_seat_of_whoever_can_be_claimed_against,
        whoever_plays_hands_nobody_elses_hand_to_a_friend,
        a_match_that_nobody_watches_is_not_there_for_strangers;
    on both stores: a_bot_plays_for_whoever_is_late_until_they_are_back;
);

/// A clock that nobody loses by on a busy machine, and that runs out long before anybody's token.
fn clock(more: Value) -> Value {
    let mut clock = json!({"initial_seconds": 100, "increment_seconds": 60, "first_move_seconds": null});
    clock.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    clock
}

/// The first legal move of a client whose turn it is.
async fn moves(client: &Client, id: &str) -> Value {
    let seen = client.get(&format!("/v1/matches/{id}?legal_moves=notation")).await.ok();
    let (decision, mv) = (&seen["decision"]["id"], &seen["decision"]["legal_moves"]["notations"][0]);
    client.play(id, decision.as_str().expect("it is their turn"), mv.as_str().unwrap()).await.ok()
}

async fn offers(client: &Client, id: &str, seat: Option<u8>) -> Answer {
    client.post(&format!("/v1/matches/{id}/substitute/offer"), json!({"seat": seat})).await
}

async fn comes(client: &Client, offer: &Value) -> Answer {
    client.call("POST", &format!("/v1/invites/{}/join", offer["code"].as_str().unwrap())).await
}

/// Every way to do something with a match that one plays.
const DEEDS: [(&str, Option<&str>); 10] = [
    ("moves", Some(r#"{"decision_id":"2.1","notation":"2c-2d"}"#)),
    ("resign", None),
    ("draw/offer", None),
    ("undo", Some(r#"{"to_version":2}"#)),
    ("takeback", Some(r#"{"to_version":2}"#)),
    ("clock/give", Some(r#"{"seat":0,"seconds":60}"#)),
    ("return", None),
    ("substitute/offer", None),
    ("claim", Some(r#"{"seat":0}"#)),
    ("takeback/accept", None),
];

async fn a_substitute_takes_a_seat_with_all_that_it_sees(world: &mut World) {
    let [ann, ben, cora, dan] =
        [world.guest("Ann").await, world.guest("Ben").await, world.guest("Cora").await, world.guest("Dan").await];
    let made = ann.create(json!({"game": "absolution", "seats": 2, "clock": clock(json!({}))})).await;
    let id = made["match"]["id"].as_str().unwrap();
    let path = |rest: &str| format!("/v1/matches/{id}/{rest}");
    ben.post(&path("join"), json!({})).await.ok();
    let mut stream = Stream::open(&ben, &path("stream?include=view,decision"), SSE, None).await;
    let before = ben.read(id).await;
    assert_eq!(stream.next().await.unwrap().data["state"], before["state"]);
    let spectators = world.nobody().read(id).await["state"].clone();
    assert_ne!(before["state"], spectators, "a hand is seen by its seat alone");

    offers(&dan, id, None).await.refused(403, "not_seated");
    offers(&ann, id, Some(1)).await.refused(403, "forbidden");
    let offer = offers(&ben, id, None).await.ok();
    assert_eq!(offer["seat"], 1);
    let face = world.nobody().get(&format!("/v1/invites/{}", offer["code"].as_str().unwrap())).await.ok();
    assert_eq!((&face["match"]["id"], &face["seat"], face.get("state")), (&json!(id), &json!(1), None));
    assert_eq!(comes(&ann, &offer).await.ok()["match"]["your_seat"], 0, "who sits there already uses nothing up");
    comes(&cora, &offer).await.ok();
    comes(&dan, &offer).await.refused(404, "wrong_invite");
    let taken = cora.read(id).await;
    for shown in ["state", "decision", "last_move"] {
        assert_eq!(taken[shown], before[shown], "{shown}");
    }
    let (seat, was) = (&taken["match"]["seats"][1], &before["match"]["seats"][1]);
    assert_eq!((&taken["match"]["your_seat"], &seat["player"]["name"]), (&json!(1), &json!("Cora")));
    assert_eq!((&seat["substituted"], &seat["clock"]), (&json!(true), &was["clock"]));

    // The one before is shown no more than a stranger, in the stream that was open too.
    let told = loop {
        let step = stream.next().await.unwrap().data;
        if kinds(step["events"].as_array().unwrap()).contains(&"player_substituted") {
            break step;
        }
    };
    assert_eq!((&told["match"]["your_seat"], &told["state"]), (&Value::Null, &spectators));
    assert!(told["decision"].is_null(), "{}", told["decision"]);
    let to_act = taken["match"]["to_act"][0].as_u64().unwrap();
    let version = moves(if to_act == 0 { &ann } else { &cora }, id).await["version"].clone();
    let told = loop {
        let step = stream.next().await.unwrap().data;
        if step["version"] == version {
            break step;
        }
    };
    assert_eq!(told["state"], world.nobody().read(id).await["state"]);
    let early = path(&format!("history/{}?view=then", before["match"]["version"]));
    assert_eq!(ben.get(&early).await.ok()["state"], world.nobody().get(&early).await.ok()["state"]);
    assert_eq!(ben.events(id).await, world.nobody().events(id).await);
    for (deed, body) in DEEDS {
        let request = ben.request(reqwest::Method::POST, &path(deed)).header("content-type", "application/json");
        ben.send(request.body(body.unwrap_or_default())).await.refused(403, "not_seated");
    }
    let other = offers(&ann, id, None).await.ok();
    comes(&ben, &other).await.refused(403, "forbidden");
    assert_eq!(ben.get("/v1/me/summary").await.ok()["my_turn"], 0);
    assert_eq!(ben.get("/v1/matches?mine=true").await.ok()["items"], json!([]));

    cora.act(id, "resign").await.ok();
    let record = ben.get(&path("record")).await.ok();
    verify(&Games::standard(GameSettings::default()), &serde_json::from_value(record).unwrap()).unwrap();
}

/// Two seats of Roulette, `absent_move`: seat 1 lets a turn pass, and seat 0, who made the match, would have a friend look into
/// its hand.
async fn whoever_plays_hands_nobody_elses_hand_to_a_friend(world: &mut World) {
    let (ann, ben) = (world.guest("Ann").await, world.guest("Ben").await);
    let terms = clock(json!({"on_timeout": "absent_move", "timeouts_allowed": 5}));
    let fields = json!({"game": "sacrifice_roulette", "seats": 2, "clock": terms, "undo": "off"});
    let id = ann.create(fields).await["match"]["id"].as_str().unwrap().to_owned();
    ben.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
    // Both have moved, and it is Ben's turn.
    let mut moved = [false; 2];
    loop {
        let to_act = ann.read(&id).await["match"]["to_act"].clone();
        if moved == [true; 2] && to_act == json!([1]) {
            break;
        }
        let acting = to_act[0].as_u64().unwrap() as usize;
        moved[acting] = true;
        moves([&ann, &ben][acting], &id).await;
    }
    world.clock.advance_seconds(300);
    world.eventually(async || ann.read(&id).await["match"]["seats"][1]["clock"]["timeouts"] == 1).await;
    offers(&ann, &id, Some(1)).await.refused(403, "forbidden");
    assert_eq!(ben.read(&id).await["match"]["your_seat"], 1, "he is not out for good");
}

async fn a_host_offers_the_seat_of_whoever_is_away(world: &mut World) {
    let terms = clock(json!({"on_timeout": "absent_move", "timeouts_allowed": 5}));
    let (host, cora) = (world.guest("Hal").await, world.guest("Cora").await);
    let players = [world.guest("Ann").await, world.guest("Ben").await];
    let made = host.create(json!({"clock": terms, "seat": null})).await;
    let pair = Pair { players, id: made["match"]["id"].as_str().unwrap().to_owned() };
    for player in &pair.players {
        player.post(&pair.path("/join"), json!({})).await.ok();
    }
    let ([ann, ben], id) = (&pair.players, &*pair.id);
    let clock = async || ann.read(id).await["match"]["seats"][1]["clock"].clone();
    let lets_it_pass = async || {
        world.clock.advance_seconds(300);
        world.eventually(async || clock().await["timeouts"] == 1).await;
    };
    // Both have moved once, so nothing is called off, and it is Ben's turn.
    for _ in 0..2 {
        moves(&pair.players[pair.turn().await.seat], id).await;
    }
    if pair.turn().await.seat == 0 {
        moves(ann, id).await;
    }
    offers(&host, id, Some(1)).await.refused(403, "forbidden");
    ben.act(id, "return").await.refused(409, "not_substituted");
    lets_it_pass().await;
    offers(&cora, id, Some(1)).await.refused(403, "not_seated");
    offers(ann, id, Some(1)).await.refused(403, "forbidden");
    let offer = offers(&host, id, Some(1)).await.ok();
    // Who is back in time keeps the seat: by a word, since it is not his turn, or by a move.
    assert_eq!(pair.turn().await.seat, 0);
    ben.act(id, "return").await.ok();
    comes(&cora, &offer).await.refused(404, "wrong_invite");
    offers(&host, id, Some(1)).await.refused(403, "forbidden");
    moves(ann, id).await;
    moves(ben, id).await;
    offers(&host, id, Some(1)).await.refused(403, "forbidden");

    moves(ann, id).await;
    lets_it_pass().await;
    let offer = offers(&host, id, Some(1)).await.ok();
    let taken = comes(&cora, &offer).await.ok();
    assert_eq!((&taken["match"]["your_seat"], &taken["match"]["seats"][1]["substituted"]), (&json!(1), &json!(true)));
    let clock = clock().await;
    assert_eq!((&clock["timeouts"], &clock["bank_milliseconds"]), (&json!(0), &json!(60_000)));
    moves(ann, id).await;
    let decision = cora.read(id).await["decision"]["id"].as_str().unwrap().to_owned();
    ben.play(id, &decision, "2c-2d").await.refused(403, "not_seated");
    let early = cora.get(&pair.path("/history/4?view=then")).await.ok();
    assert_eq!(early["match"]["your_seat"], 1, "the past of her seat is hers");
    moves(&cora, id).await;
    cora.act(id, "resign").await.ok();
    let log = ann.events(id).await;
    let substituted = log.iter().find(|event| event["event"]["type"] == "player_substituted").unwrap();
    assert_eq!(
        (&substituted["event"]["from"]["id"], &substituted["event"]["to"]["id"]),
        (&json!(ben.id), &json!(cora.id))
    );
    let record = ann.get(&pair.path("/record")).await.ok();
    verify(&Games::standard(GameSettings::default()), &serde_json::from_value(record).unwrap()).unwrap();
}

/// The same without a clock: the time for a decision is over, and nobody has claimed yet.
async fn a_host_offers_the_seat_of_whoever_can_be_claimed_against(world: &mut World) {
    let (host, cora) = (world.guest("Hal").await, world.guest("Cora").await);
    let players = [world.guest("Ann").await, world.guest("Ben").await];
    let made = host.create(json!({"move_time_seconds": 60, "seat": null})).await;
    let pair = Pair { players, id: made["match"]["id"].as_str().unwrap().to_owned() };
    for player in &pair.players {
        player.post(&pair.path("/join"), json!({})).await.ok();
    }
    let id = &*pair.id;
    // A word of the absent, or a move, keeps the seat; then it is theirs until the next decision has had its time.
    for back in ["a word", "a move"] {
        let seat = pair.turn().await.seat;
        let (own, other) = (&pair.players[seat], &pair.players[1 - seat]);
        let seat = u8::try_from(seat).ok();
        offers(&host, id, seat).await.refused(403, "forbidden");
        world.clock.advance_seconds(61);
        offers(other, id, seat).await.refused(403, "forbidden");
        let offer = offers(&host, id, seat).await.ok();
        match back {
            "a word" => drop(own.act(id, "return").await.ok()),
            _ => drop(moves(own, id).await),
        }
        comes(&cora, &offer).await.refused(404, "wrong_invite");
        offers(&host, id, seat).await.refused(403, "forbidden");
        if back == "a word" {
            moves(own, id).await;
        }
    }
    // Nobody came back this time.
    let seat = pair.turn().await.seat;
    world.clock.advance_seconds(61);
    let offer = offers(&host, id, u8::try_from(seat).ok()).await.ok();
    let taken = comes(&cora, &offer).await.ok();
    assert_eq!(
        (&taken["match"]["your_seat"], &taken["match"]["seats"][seat]["substituted"]),
        (&json!(seat), &json!(true))
    );
    pair.players[seat].act(id, "resign").await.refused(403, "not_seated");

    // Whoever plays offers nobody's seat but their own.
    let pair = Pair::seated(world, json!({"move_time_seconds": 60})).await;
    if pair.turn().await.seat == 0 {
        moves(&pair.players[0], &pair.id).await;
    }
    world.clock.advance_seconds(61);
    offers(&pair.players[0], &pair.id, Some(1)).await.refused(403, "forbidden");
}

async fn a_match_that_nobody_watches_is_not_there_for_strangers(world: &mut World) {
    let (ann, ben, cora) = (world.guest("Ann").await, world.guest("Ben").await, world.guest("Cora").await);
    let made = ann.create(json!({"spectators": "none"})).await;
    let id = made["match"]["id"].as_str().unwrap();
    let path = |rest: &str| format!("/v1/matches/{id}{rest}");
    assert_eq!(made["match"]["spectators"], "none");
    // Until it starts anybody may look, and join.
    assert_eq!(cora.read(id).await["match"]["status"], "open");
    let mut stream = Stream::open(&cora, &path("/events"), SSE, None).await;
    stream.take(2).await;
    ben.post(&path("/join"), json!({})).await.ok();
    assert_eq!(stream.rest().await, [], "what is played is not told to whoever watched before");
    for stranger in [&cora, &world.nobody()] {
        for rest in ["", "/events", "/stream", "/history/2", "/record", "?wait=1"] {
            stranger.get(&path(rest)).await.refused(404, "match_not_found");
        }
        let listed = stranger.get("/v1/matches?status=playing").await.ok();
        assert!(listed["items"].as_array().unwrap().iter().all(|item| item["id"] != *id), "{listed}");
    }
    for (deed, body) in DEEDS {
        let request = cora.request(reqwest::Method::POST, &path(&format!("/{deed}")));
        let request = request.header("content-type", "application/json").body(body.unwrap_or_default());
        cora.send(request).await.refused(404, "match_not_found");
    }
    cora.post(&path("/join"), json!({})).await.refused(404, "match_not_found");
    // Who is offered a seat sees whose table it is; and who takes it, all that it sees.
    let offer = offers(&ben, id, None).await.ok();
    let face = cora.get(&format!("/v1/invites/{}", offer["code"].as_str().unwrap())).await.ok();
    assert_eq!((&face["match"]["id"], face.get("state")), (&json!(id), None));
    cora.get(&path("")).await.refused(404, "match_not_found");
    comes(&cora, &offer).await.ok();
    assert_eq!(cora.read(id).await["match"]["your_seat"], 1);
    ben.get(&path("")).await.refused(404, "match_not_found");
    cora.act(id, "resign").await.ok();
    assert_eq!(world.nobody().read(id).await["match"]["status"], "finished", "what is over is open");
    ben.get(&path("/record")).await.ok();

    // The code of a private match opens it to whoever has it.
    let pair = Pair::of([ann, ben], json!({"visibility": "private", "spectators": "none"})).await;
    let code = pair.players[0].read(&pair.id).await["match"]["invite_code"].as_str().unwrap().to_owned();
    world.nobody().get(&pair.path("")).await.refused(404, "match_not_found");
    let seen = world.nobody().get(&pair.path(&format!("?invite={code}"))).await.ok();
    assert_eq!((&seen["match"]["status"], &seen["match"]["your_seat"]), (&json!("playing"), &Value::Null));
    pair.players[1].act(&pair.id, "resign").await.ok();
    world.nobody().get(&pair.path("")).await.refused(404, "match_not_found");
}

async fn a_bot_plays_for_whoever_is_late_until_they_are_back(world: &mut World) {
    let terms = clock(json!({"on_timeout": "bot", "takeover_bot": "easy"}));
    let pair = Pair::seated(world, json!({"clock": terms})).await;
    let id = &*pair.id;
    for _ in 0..2 {
        moves(&pair.players[pair.turn().await.seat], id).await;
    }
    let turn = pair.turn().await;
    let (own, other) = (&pair.players[turn.seat], &pair.players[1 - turn.seat]);
    let shown = async || own.read(id).await["match"]["seats"][turn.seat].clone();
    own.act(id, "return").await.refused(409, "not_substituted");
    world.clock.advance_seconds(300);
    world.eventually(async || other.read(id).await["decision"].is_object()).await;
    let seat = shown().await;
    assert_eq!((&seat["bot"]["level"], &seat["substituted"]), (&json!("easy"), &json!(true)));
    assert_eq!(
        (&seat["clock"]["timeouts"], &seat["clock"]["turn_started_at"], &seat["player"]["id"]),
        (&json!(1), &Value::Null, &json!(own.id))
    );
    let events = own.events(id).await;
    let expired = kinds(&events).iter().position(|kind| *kind == "clock_expired").unwrap();
    assert_eq!(events[expired]["event"]["consequence"], "bot");
    assert_eq!(kinds(&events)[expired + 1..expired + 3], ["bot_took_over", "move_made"]);
    own.play(id, &turn.decision, "2c-2d").await.refused(409, "out_of_time");

    other.act(id, "return").await.refused(409, "not_substituted");
    let back = own.act(id, "return").await.ok();
    let seat = &back["match"]["seats"][turn.seat];
    assert_eq!((&seat["bot"], &seat["substituted"]), (&Value::Null, &json!(false)));
    assert_eq!(kinds(&own.events(id).await).last(), Some(&"player_returned"));
    own.act(id, "return").await.refused(409, "not_substituted");
    moves(other, id).await;
    let moved = moves(own, id).await;
    assert!(moved["events"][0]["event"]["used_milliseconds"].is_u64(), "their clock runs again: {moved}");
    other.act(id, "resign").await.ok();
    let (record, again) = replayed_bots(own, id).await;
    // Beside other tests a search may take too long, and is passed over.
    assert_eq!((record.format.as_str(), again.found + again.passed_over), ("sarsen/record/2", 1));
}
