//! Every game that is offered, whichever: each reader is told what the game says that this reader may know, no more and
//! no less. That this is right is for the laws, which every game's tests call.

use std::collections::BTreeMap;

use sarsen::games::{AnyGame, AnyState, GameSettings, Games, MoveInput};
use sarsen::matches::export::{ExportAction, MatchExport, Verbatim};
use sarsen::matches::model::fairness::ServerSeed;
use sarsen::rules::{Dice, DiceSeed, SeatCount, Viewer};
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use crate::client::Client;
use crate::world::{World, cases};

cases!(
    every_reader_is_told_what_the_game_says;
);

/// After so many moves all resign, if the match is not over by then.
const MOVES: u32 = 40;
/// One version of so many is looked at.
const LOOKS: u32 = 5;
/// As many sit down as the game takes, but no more.
const SEATS: u8 = 3;

/// A match in play as a reader was shown it.
struct Shown {
    version: u64,
    viewer: Viewer,
    state: Value,
    events: Vec<Value>,
}

async fn every_reader_is_told_what_the_game_says(world: &mut World) {
    let games = Games::standard(GameSettings::default());
    assert!(games.iter().filter(|game| game.info().hidden_information).count() > 1);
    for game in games.iter() {
        let readers = readers(world, &**game).await;
        let (id, shown) = played(&**game, &readers).await;
        let record = readers[0].1.get(&format!("/v1/matches/{id}/record")).await.ok();
        let truth = Truth::of(&**game, &serde_json::from_value(record).unwrap());
        // A match may be over before it is looked at again.
        assert!(shown.len() >= readers.len(), "{}", game.info().id);
        for shown in shown {
            truth.compare(&**game, &shown);
        }
    }
}

/// Those who sit, and one who looks on.
async fn readers(world: &World, game: &dyn AnyGame) -> Vec<(Viewer, Client)> {
    let count = SeatCount::new(SEATS.clamp(game.info().min_seats, game.info().max_seats)).unwrap();
    let mut readers = Vec::new();
    for seat in count.seats() {
        readers.push((Viewer::Seat(seat), world.guest(&format!("Player {seat}")).await));
    }
    readers.push((Viewer::Spectator, world.nobody()));
    readers
}

/// Plays a match at random; what all readers were shown on the way.
async fn played(game: &dyn AnyGame, readers: &[(Viewer, Client)]) -> (String, Vec<Shown>) {
    let players: Vec<&Client> =
        readers.iter().filter(|(viewer, _)| *viewer != Viewer::Spectator).map(|(_, it)| it).collect();
    let made = players[0].create(json!({"game": game.info().id, "seats": players.len()})).await;
    let id = made["match"]["id"].as_str().unwrap().to_owned();
    for player in &players[1..] {
        player.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
    }
    let mut choice = Dice::new(DiceSeed([7; 32]));
    let mut shown = Vec::new();
    for number in 0..MOVES {
        let seen = players[0].read(&id).await;
        let Some(seat) = seen["match"]["to_act"][0].as_u64() else { break };
        if number % LOOKS == 0 {
            for (viewer, client) in readers {
                shown.push(looked(client, *viewer, &id).await);
            }
        }
        let player = players[seat as usize];
        let decision = player.read(&id).await["decision"].take();
        let moves = decision["legal_moves"]["moves"].as_array().unwrap();
        let mv = &moves[choice.index(moves.len()).unwrap()];
        player.post(&format!("/v1/matches/{id}/moves"), json!({"decision_id": decision["id"], "move": mv})).await.ok();
    }
    for player in players {
        if player.read(&id).await["match"]["status"] == "playing" {
            player.act(&id, "resign").await.ok();
        }
    }
    (id, shown)
}

async fn looked(client: &Client, viewer: Viewer, id: &str) -> Shown {
    let mut seen = client.get(&format!("/v1/matches/{id}?legal_moves=none")).await.ok();
    let events = client.events(id).await;
    Shown { version: seen["match"]["version"].as_u64().unwrap(), viewer, state: seen["state"].take(), events }
}

/// The true states and events, by versions, made again from the record.
struct Truth {
    states: BTreeMap<u64, Box<dyn AnyState>>,
    events: BTreeMap<u64, Vec<Value>>,
}

impl Truth {
    fn of(game: &dyn AnyGame, record: &MatchExport) -> Truth {
        let entropy = (0..record.seats).map(|_| None);
        let seed = ServerSeed::from_revealed(&record.seed).unwrap().dice_seed(&record.match_id, entropy);
        let mut dice = Dice::new(seed);
        let mut truth = Truth { states: BTreeMap::new(), events: BTreeMap::new() };
        let mut state: Option<Box<dyn AnyState>> = None;
        for step in &record.steps {
            if step.events.iter().any(|event| event.value()["type"] == "match_started") {
                let options = to_raw_value(&record.options).unwrap();
                state = Some(game.setup(&options, SeatCount::new(record.seats).unwrap(), &mut dice).unwrap().state);
            }
            if step.action == ExportAction::Move {
                let mv = game.read_move(&MoveInput::Json(step.mv.as_ref().unwrap().value())).unwrap();
                state.as_mut().unwrap().play(step.seat.unwrap(), mv, &mut dice).unwrap();
            }
            if let Some(state) = &state {
                truth.states.insert(step.version, state.duplicate());
            }
            truth.events.insert(step.version, step.events.iter().map(Verbatim::value).collect());
        }
        truth
    }

    fn compare(&self, game: &dyn AnyGame, shown: &Shown) {
        let Shown { version, viewer, .. } = shown;
        let about = format!("{viewer:?} at version {version} of a match of {}", game.info().id);
        let view: Value = serde_json::from_str(self.states[version].view(*viewer).unwrap().get()).unwrap();
        assert_eq!(shown.state, view, "{about}");

        let kinds: Vec<&str> = game.event_parts().iter().map(|part| part.tag).collect();
        let of_the_game = |event: &&Value| kinds.iter().any(|kind| event["type"] == *kind);
        let told: Vec<Value> = shown.events.iter().map(|event| event["event"].clone()).collect();
        let told: Vec<&Value> = told.iter().filter(of_the_game).collect();
        let happened = self.events.range(..=version).flat_map(|(_, events)| events).filter(of_the_game);
        let may_know = happened.filter_map(|event| game.redact(&to_raw_value(event).unwrap(), *viewer).unwrap());
        let may_know: Vec<Value> = may_know.map(|event| serde_json::from_str(event.get()).unwrap()).collect();
        assert_eq!(told, may_know.iter().collect::<Vec<_>>(), "{about}");
        assert!(!told.is_empty(), "{about}");
    }
}
