//! Whole matches of the games that hide something: each seat is a client that follows in a form of its own, a
//! spectator looks on, and each puts its view together from the events it is told and nothing else.

use std::collections::BTreeMap;
use std::time::Duration;

use sarsen::games::absolution::Absolution;
use sarsen::games::henge::Henge;
use sarsen::games::sacrifice_roulette::SacrificeRoulette;
use sarsen::games::thief_of_the_sacred_fire::ThiefOfTheSacredFire;
use sarsen::games::{GameSettings, Games};
use sarsen::matches::export::{MatchExport, verify};
use sarsen::rules::{Dice, DiceSeed, Game, Rules, Seat, SeatCount, Secrets, Viewer};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::client::Client;
use crate::events::Stream;
use crate::follow;
use crate::world::{DEADLINE, World, cases};

cases!(
    absolution_with_five, henge_with_five, a_thief_alone, henge_alone_with_two_hengebots;
    on both stores: sacrifice_roulette_with_five;
);

/// The way in which a client follows a match.
#[derive(Clone, Copy)]
enum Form {
    /// Asks again and again.
    Poll,
    /// Asks and is kept waiting.
    LongPoll,
    /// Server-sent events.
    Sent,
    /// Server-sent events, on a new connection after every few.
    Resumed,
    /// JSON lines.
    Lines,
}

const FORMS: [Form; 5] = [Form::Poll, Form::LongPoll, Form::Sent, Form::Resumed, Form::Lines];

fn is_last(event: &Value) -> bool {
    event["event"]["type"] == "match_ended"
}

/// All that the client is told until the match ends.
async fn told(client: Client, path: String, form: Form) -> Vec<Value> {
    let data = |told: Vec<crate::events::Told>| told.into_iter().map(|told| told.data).collect();
    match form {
        Form::Sent => data(Stream::open(&client, &path, "text/event-stream", None).await.rest().await),
        Form::Lines => data(Stream::open(&client, &path, "application/x-ndjson", None).await.rest().await),
        Form::Poll => asked(client, &path, 0).await,
        Form::LongPoll => asked(client, &path, 10).await,
        Form::Resumed => {
            let (mut events, mut last): (Vec<Value>, Option<String>) = (Vec::new(), None);
            while !events.last().is_some_and(is_last) {
                let mut stream = Stream::open(&client, &path, "text/event-stream", last.as_deref()).await;
                for _ in 0..5 {
                    let Some(told) = stream.next().await else { break };
                    (last, _) = (told.id, events.push(told.data));
                }
            }
            events
        }
    }
}

async fn asked(client: Client, path: &str, wait: u32) -> Vec<Value> {
    let mut events: Vec<Value> = Vec::new();
    while !events.last().is_some_and(is_last) {
        let after = events.last().map(|event| format!("&after={}", event["id"].as_str().unwrap()));
        let page = client.get(&format!("{path}?wait={wait}{}", after.unwrap_or_default())).await.ok();
        let items = page["items"].as_array().unwrap();
        if items.is_empty() && wait == 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        events.extend(items.iter().cloned());
    }
    events
}

/// Makes random legal moves as long as there are decisions, and says something first where the game has signals.
async fn plays(client: Client, id: String, seed: u8, signal: Option<&'static str>) {
    let mut choice = Dice::new(DiceSeed([seed; 32]));
    let moves = format!("/v1/matches/{id}/moves");
    if let Some(signal) = signal {
        client.post(&moves, json!({"notation": signal})).await.ok();
    }
    loop {
        let seen = client.read(&id).await;
        if seen["match"]["status"] == "finished" {
            return;
        }
        let Some(listed) = seen["decision"]["legal_moves"]["moves"].as_array() else {
            let version = seen["match"]["version"].as_u64().unwrap();
            client.get(&format!("/v1/matches/{id}/events?limit=1&wait=10&after={version}.999999")).await.ok();
            continue;
        };
        let mv = &listed[choice.index(listed.len()).unwrap()];
        client.post(&moves, json!({"decision_id": seen["decision"]["id"], "move": mv})).await.ok();
    }
}

/// The view of a client before the first event.
type Nothing<G> = fn(&<G as Rules>::Options, SeatCount, Viewer) -> <G as Secrets>::View;

/// A game, and how a client that has read what its events mean follows it.
struct Followed<G: Game> {
    game: G,
    options: Value,
    /// So many versions lie between two that are looked at: rebuilding one from the log takes the longer the later it is.
    step: u64,
    /// The view of such a client before the first event; `None` if it begins with the view of the start.
    nothing: Option<Nothing<G>>,
    /// The client's change of its view by an event.
    follow: fn(&mut G::View, &G::Event, Viewer),
    signal: Option<&'static str>,
}

impl<G: Game> Followed<G> {
    /// Plays a match with so many seats to its end, and looks at it through every pair of eyes.
    async fn play(&self, world: &World, seats: u8, seed: u8) {
        let mut players = Vec::new();
        for number in 0..seats {
            players.push(world.guest(&format!("Player {number}")).await);
        }
        let made = players[0].create(json!({"game": G::INFO.id, "seats": seats, "options": self.options})).await;
        let id = made["match"]["id"].as_str().unwrap().to_owned();
        let viewers: Vec<(Viewer, Client)> = (players.iter().enumerate())
            .map(|(seat, player)| (Viewer::Seat(Seat::new(seat as u8).unwrap()), player.clone()))
            .chain([(Viewer::Spectator, world.nobody())])
            .collect();
        let path = format!("/v1/matches/{id}/events");
        let following: Vec<JoinHandle<Vec<Value>>> = (viewers.iter().zip(FORMS.iter().cycle()))
            .map(|((_, client), form)| tokio::spawn(told(client.clone(), path.clone(), *form)))
            .collect();
        for player in &players[1..] {
            player.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
        }
        let playing: Vec<JoinHandle<()>> = (players.iter().zip(seed..))
            .map(|(player, seed)| tokio::spawn(plays(player.clone(), id.clone(), seed, self.signal)))
            .collect();
        for player in playing {
            player.await.unwrap();
        }
        for ((viewer, client), following) in viewers.iter().zip(following) {
            let told = tokio::time::timeout(DEADLINE, following).await.expect("the last event comes").unwrap();
            self.check(client, *viewer, &id, &told, seats).await;
        }
        let record: MatchExport =
            serde_json::from_value(world.nobody().get(&format!("/v1/matches/{id}/record")).await.ok()).unwrap();
        assert_eq!(verify(&Games::standard(GameSettings::default()), &record).unwrap().match_id.as_str(), id);
    }

    /// Checks that the events that the client was told give the state that is served for each version.
    async fn check(&self, client: &Client, viewer: Viewer, id: &str, told: &[Value], seats: u8) {
        let ids: Vec<&Value> = told.iter().map(|event| &event["id"]).collect();
        assert_eq!(ids, all_events(client, id).await.iter().map(|event| &event["id"]).collect::<Vec<_>>());
        let last = client.read(id).await;
        let options = self.game.options(&last["match"]["options"]).unwrap();
        let mut view = self.nothing.map(|nothing| nothing(&options, SeatCount::new(seats).unwrap(), viewer));
        let mut versions: BTreeMap<u64, Vec<&Value>> = BTreeMap::new();
        for event in told {
            versions.entry(event["version"].as_u64().unwrap()).or_default().push(&event["event"]);
        }
        assert_eq!(versions.keys().last().copied(), last["match"]["version"].as_u64());
        for version in 1..=last["match"]["version"].as_u64().unwrap() {
            for event in versions.get(&version).into_iter().flatten() {
                // What happens in the life of any match is no event of the game.
                let event = serde_json::from_value::<G::Event>((*event).clone());
                if let (Ok(event), Some(view)) = (event, &mut view) {
                    (self.follow)(view, &event, viewer);
                }
            }
            let looked_at = version % self.step == 0 || version + 3 > last["match"]["version"].as_u64().unwrap();
            if view.is_some() && !looked_at {
                continue;
            }
            let then = client.get(&format!("/v1/matches/{id}/history/{version}?legal_moves=none")).await.ok();
            let Value::Object(mut state) = then["state"].clone() else { continue };
            assert_eq!(state.remove("game"), Some(G::INFO.id.into()));
            let served: G::View = serde_json::from_value(Value::Object(state)).unwrap();
            let view = view.get_or_insert_with(|| served.clone());
            assert_eq!(*view, served, "{viewer:?} at {version} after {:?}", versions.get(&version));
        }
    }
}

async fn absolution_with_five(world: &mut World) {
    use follow::absolution::{follow, nothing};
    let follow = |view: &mut _, event: &_, _| follow(view, event);
    let signal = Some("ready night 30 fair");
    Followed { game: Absolution, options: json!({}), step: 1, nothing: Some(nothing), follow, signal }
        .play(world, 5, 1)
        .await;
}

async fn sacrifice_roulette_with_five(world: &mut World) {
    use follow::sacrifice_roulette::{follow, nothing};
    let follow = |view: &mut _, event: &_, _| follow(view, event);
    let game =
        Followed { game: SacrificeRoulette, options: json!({}), step: 1, nothing: Some(nothing), follow, signal: None };
    game.play(world, 5, 2).await;
}

async fn a_thief_alone(world: &mut World) {
    use follow::thief_of_the_sacred_fire::{follow, nothing};
    let follow = |view: &mut _, event: &_, _| follow(view, event);
    let game = Followed {
        game: ThiefOfTheSacredFire,
        options: json!({}),
        step: 1,
        nothing: Some(nothing),
        follow,
        signal: None,
    };
    game.play(world, 1, 3).await;
}

async fn henge_with_five(world: &mut World) {
    let follow = follow::henge::follow;
    Followed { game: Henge::default(), options: json!({}), step: 20, nothing: None, follow, signal: None }
        .play(world, 5, 4)
        .await;
}

async fn henge_alone_with_two_hengebots(world: &mut World) {
    let (options, follow) = (json!({"table": "hbb"}), follow::henge::follow);
    Followed { game: Henge::default(), options, step: 5, nothing: None, follow, signal: None }.play(world, 1, 5).await;
}

async fn all_events(client: &Client, id: &str) -> Vec<Value> {
    let (mut events, mut cursor): (Vec<Value>, String) = (Vec::new(), String::new());
    loop {
        let page = client.get(&format!("/v1/matches/{id}/events?limit=500{cursor}")).await.ok();
        events.extend(page["items"].as_array().unwrap().iter().cloned());
        let Some(next) = page["next_cursor"].as_str() else { return events };
        cursor = format!("&after={next}");
    }
}
