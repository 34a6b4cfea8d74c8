//! Many who watch one match at once, whose instance looks for all of them together: each is told what anybody is told who
//! reads alone, and nothing that is for others.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::client::Client;
use crate::events::{NDJSON, SSE, Stream, data};
use crate::world::{World, cases};

cases!(
    a_crowd_is_told_what_each_may_know, who_takes_a_seat_is_told_as_that_seat,
        who_leaves_a_private_match_is_told_no_more;
);

/// So many strangers, from two addresses: more than are woken at once.
const STRANGERS: usize = 70;

/// A match of three with hidden cards.
async fn dealt(world: &World) -> (String, Vec<Client>) {
    let players = vec![world.guest("Ann").await, world.guest("Ben").await, world.guest("Cora").await];
    let made = players[0].create(json!({"game": "absolution", "seats": 3})).await;
    let id = made["match"]["id"].as_str().unwrap().to_owned();
    for player in &players[1..] {
        player.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
    }
    (id, players)
}

/// Plays to the end whatever draws cards or else comes first.
async fn play_all(id: &str, players: &[Client]) {
    loop {
        let seen = players[0].get(&format!("/v1/matches/{id}?legal_moves=none")).await.ok();
        let Some(seat) = seen["match"]["to_act"][0].as_u64() else { return };
        let player = &players[seat as usize];
        let seen = player.read(id).await;
        let moves = seen["decision"]["legal_moves"]["moves"].as_array().unwrap();
        let mv = moves.iter().find(|mv| mv["type"] == "play").unwrap_or(&moves[0]);
        let body = json!({"decision_id": seen["decision"]["id"], "move": mv});
        player.post(&format!("/v1/matches/{id}/moves"), body).await.ok();
    }
}

async fn a_crowd_is_told_what_each_may_know(world: &mut World) {
    let (id, players) = dealt(world).await;
    let path = format!("/v1/matches/{id}/events");
    let mut watchers: Vec<(&Client, Stream)> = Vec::new();
    let strangers = ["127.0.0.2", "127.0.0.3"].map(|address| world.nobody_at(address));
    let dan = world.guest("Dan").await;
    for number in 0..STRANGERS {
        let stranger = &strangers[number % 2];
        watchers.push((stranger, Stream::open(stranger, &path, [SSE, NDJSON][number / 2 % 2], None).await));
    }
    // Some of them are woken after the crowd.
    for client in players.iter().chain([&dan]) {
        for form in [SSE, NDJSON] {
            watchers.push((client, Stream::open(client, &path, form, None).await));
        }
    }
    play_all(&id, &players).await;
    let mut different: BTreeSet<String> = BTreeSet::new();
    for (client, stream) in watchers {
        let alone = client.events(&id).await;
        assert!(alone.len() > 30, "{}", alone.len());
        assert_eq!(data(stream.rest().await), alone);
        different.insert(Value::Array(alone).to_string());
    }
    assert_eq!(different.len(), players.len() + 1, "each seat knows something else, and everybody else the same");
}

async fn who_leaves_a_private_match_is_told_no_more(world: &mut World) {
    let [ann, ben] = [world.guest("Ann").await, world.guest("Ben").await];
    let made = ann.create(json!({"visibility": "private", "start": "manual"})).await;
    let (id, invite) = (made["match"]["id"].as_str().unwrap().to_owned(), made["match"]["invite_code"].clone());
    let join = json!({"invite": invite});
    ben.post(&format!("/v1/matches/{id}/join"), join.clone()).await.ok();
    let path = format!("/v1/matches/{id}/events");
    let mut theirs = Stream::open(&ann, &path, SSE, None).await;
    let his = Stream::open(&ben, &path, SSE, None).await;
    let invited = format!("{path}?invite={}", invite.as_str().unwrap());
    let mut guests = Stream::open(&world.nobody(), &invited, SSE, None).await;
    ben.act(&id, "leave").await.ok();
    let dan = world.guest("Dan").await;
    dan.post(&format!("/v1/matches/{id}/join"), join).await.ok();
    let told = data(theirs.take(4).await);
    let kinds: Vec<&Value> = told.iter().map(|told| &told["event"]["type"]).collect();
    assert_eq!(kinds, ["match_created", "player_joined", "player_joined", "player_left"]);
    assert_eq!(theirs.take(1).await[0].data["event"]["player"]["name"], "Dan");
    assert_eq!(data(guests.take(5).await)[4]["event"]["player"]["name"], "Dan");
    // His stream ends where he left; that is not told to him.
    assert_eq!(data(his.rest().await), told[..3]);
}

async fn who_takes_a_seat_is_told_as_that_seat(world: &mut World) {
    let [ann, ben] = [world.guest("Ann").await, world.guest("Ben").await];
    let made = ann.create(json!({"game": "absolution", "seats": 2})).await;
    let id = made["match"]["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/matches/{id}/events");
    let watching = [&ann, &ben, &world.nobody()].map(Client::clone);
    let mut streams = Vec::new();
    for client in &watching {
        streams.push(Stream::open(client, &path, SSE, None).await);
    }
    ben.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
    let mut hands = BTreeSet::new();
    for (client, mut stream) in watching.iter().zip(streams) {
        let alone = client.events(&id).await;
        let told = data(stream.take(alone.len()).await);
        assert_eq!(told, alone);
        let dealt = told.iter().filter(|told| told["event"]["type"] == "opening_hand_dealt");
        let shown: Vec<bool> = dealt.map(|told| told["event"]["cards"].is_array()).collect();
        hands.insert(shown);
    }
    assert_eq!(hands.len(), 3, "{hands:?}");
}
