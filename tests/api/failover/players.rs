//! Pairs that play one match after the other, as clients are told to: each request that changes something carries an
//! idempotency key, and is repeated with it until it is answered.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use sarsen::ambient::Ambient;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::service::{Answer, Service};

/// The number of moves of a match before the next one is begun.
const MOVES: usize = 40;
/// The time that a player thinks.
const THINKING: Duration = Duration::from_millis(20);

/// Two players, each of whom prefers another instance.
pub struct Pair {
    number: usize,
    service: Arc<Service>,
    tokens: [String; 2],
}

/// A key that was never used.
fn key() -> String {
    hex(&Ambient::system().bytes::<16>())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Pair {
    pub async fn sign_in(number: usize, service: Arc<Service>) -> Pair {
        let mut tokens = [String::new(), String::new()];
        for (home, token) in tokens.iter_mut().enumerate() {
            let body = json!({"name": format!("Player {number}.{home}")});
            let answer = service.call(home, Method::POST, "/v1/players", "", Some((&key(), &body))).await;
            *token = answer.body["access_token"].as_str().unwrap().to_owned();
        }
        Pair { number, service, tokens }
    }

    async fn post(&self, seat: usize, path: &str, body: &Value) -> Option<Value> {
        let answer = self.service.call(seat, Method::POST, path, &self.tokens[seat], Some((&key(), body))).await;
        if answer.status / 100 == 2 {
            return Some(answer.body);
        }
        // The match, the seat that was taken, or what it had come to is not there any more.
        let Answer { status, body } = answer;
        assert!([403, 404, 409].contains(&status), "{path}: {status} {body}\n{}", self.service.faults());
        self.service.ledger().refused_one();
        None
    }

    pub async fn play_until_stopped(self) {
        while !self.service.is_stopped() {
            let new = json!({"game": "contiguity"});
            let Some(made) = self.post(0, "/v1/matches", &new).await else { continue };
            let id = made["match"]["id"].as_str().unwrap().to_owned();
            self.service.ledger().made(&id, &self.tokens[0], made["match"]["commitment"].clone());
            let joining = json!({"entropy": "oak", "invite": made["match"]["invite_code"]});
            let Some(joined) = self.post(1, &format!("/v1/matches/{id}/join"), &joining).await else { continue };
            self.service.ledger().joined(&id, joined["match"]["seats"][1]["player"]["id"].clone());
            self.play(&id, joined["match"]["to_act"][0].as_u64()).await;
        }
    }

    async fn play(&self, id: &str, first: Option<u64>) {
        let mut seat = first.unwrap_or(0) as usize;
        for _ in 0..MOVES {
            if self.service.is_stopped() {
                return;
            }
            let path = format!("/v1/matches/{id}?legal_moves=notation");
            let shown = self.service.call(seat, Method::GET, &path, &self.tokens[seat], None).await;
            if shown.status != 200 {
                let Answer { status, body } = shown;
                assert!([403, 404].contains(&status), "{path}: {status} {body}\n{}", self.service.faults());
                self.service.ledger().refused_one();
                return;
            }
            let Some(to_act) = shown.body["match"]["to_act"][0].as_u64() else { return };
            if to_act as usize != seat {
                // Two moves ago, because one was lost.
                seat = to_act as usize;
                continue;
            }
            let decision = &shown.body["decision"];
            let moves = decision["legal_moves"]["notations"].as_array().unwrap();
            let [first, second] = Ambient::system().bytes::<2>();
            let chosen = &moves[usize::from(u16::from_be_bytes([first, second])) % moves.len()];
            sleep(THINKING).await;
            let body = json!({"decision_id": decision["id"], "notation": chosen});
            let path = format!("/v1/matches/{id}/moves?legal_moves=none");
            let Some(moved) = self.post(seat, &path, &body).await else { continue };
            let version = moved["version"].as_u64().unwrap();
            self.service.ledger().moved(self.number, id, version, moved["events"].clone());
            seat = 1 - seat;
        }
    }
}
