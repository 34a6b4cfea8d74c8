//! Two players at one match of Contiguity.

use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::world::World;

/// Five turns, after which white's pieces are connected.
pub const WIN: [&str; 5] = ["2c-2d", "30b-10b", "29b-30b", "30d-19d", "2d-30d"];

/// Two players at one match.
pub struct Pair {
    pub id: String,
    /// In the order of their seats.
    pub players: [Client; 2],
}

/// An open decision.
pub struct Turn {
    pub seat: usize,
    pub decision: String,
}

impl Pair {
    /// A match that has started, different from the usual one in `fields`.
    pub async fn seated(world: &World, fields: Value) -> Pair {
        let players = [world.guest("Ann").await, world.guest("Ben").await];
        Pair::of(players, fields).await
    }

    /// The same with these two.
    pub async fn of(players: [Client; 2], fields: Value) -> Pair {
        let made = players[0].create(fields).await;
        let id = made["match"]["id"].as_str().unwrap().to_owned();
        let invite = &made["match"]["invite_code"];
        let joining = json!({"entropy": "oak, ash and thorn", "invite": invite});
        players[1].post(&format!("/v1/matches/{id}/join"), joining).await.ok();
        Pair { id, players }
    }

    pub fn path(&self, rest: &str) -> String {
        format!("/v1/matches/{}{rest}", self.id)
    }

    /// The seat on turn, and its decision.
    pub async fn turn(&self) -> Turn {
        let path = self.path("?legal_moves=none");
        let seat = self.players[0].get(&path).await.ok()["match"]["to_act"][0].as_u64().expect("somebody is to act");
        let decision = self.players[seat as usize].get(&path).await.ok()["decision"]["id"].as_str().unwrap().to_owned();
        Turn { seat: seat as usize, decision }
    }

    /// A move of whoever is to act.
    pub async fn play(&self, notation: &str) -> Answer {
        let turn = self.turn().await;
        self.players[turn.seat].play(&self.id, &turn.decision, notation).await
    }

    /// Several, each of which is accepted.
    pub async fn play_all(&self, notations: &[&str]) {
        for notation in notations {
            self.play(notation).await.ok();
        }
    }

    /// The present version.
    pub async fn version(&self) -> u64 {
        self.players[0].get(&self.path("?legal_moves=none")).await.ok()["match"]["version"].as_u64().unwrap()
    }
}

/// The `type` of each event.
pub fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["event"]["type"].as_str().unwrap()).collect()
}
