//! Matches to play in a window, made before it: the players, the moves, and every request as bytes.

use std::net::SocketAddr;
use std::sync::Arc;

use sarsen::ambient::Ambient;
use sarsen::games::contiguity::{Contiguity, Options};
use sarsen::http::service::{Service, Shared};
use sarsen::ids::{MatchId, PlayerId};
use sarsen::matches::NewMatch;
use sarsen::matches::model::terms::Seated;
use sarsen::matches::seats::Joining;
use sarsen::rules::{Catalogue, DICE_SEED_BYTES, Dice, DiceSeed, Rules, Seat, SeatCount, Status, play};
use sarsen::store::{Commit, Listing, Stage, Stamp, Store};

use super::bare::Payload;
use super::load::{Prepared, Turn};

/// Moves from the set-up on that end no match, as JSON.
pub struct Script(pub Vec<String>);

impl Script {
    /// Some scripts of `moves` moves each.
    pub fn several(moves: usize) -> Vec<Script> {
        (0..8).map(|number| Script::random(number, moves)).collect()
    }

    fn random(number: u8, moves: usize) -> Script {
        let mut dice = Dice::new(DiceSeed([number; DICE_SEED_BYTES]));
        let (mut state, _) = Contiguity.setup(&Options::default(), SeatCount::new(2).unwrap(), &mut dice);
        let mut script = Vec::with_capacity(moves);
        while script.len() < moves {
            let Status::ToAct(seats) = Contiguity.status(&state) else { unreachable!("the script ends no match") };
            let seat = seats.iter().next().unwrap();
            let mut legal = Contiguity.legal_moves(&state, seat).moves;
            loop {
                let mv = legal.swap_remove(dice.index(legal.len()).expect("a move that does not end the match"));
                let mut next = state.clone();
                play(&Contiguity, &mut next, seat, mv, &mut dice).unwrap();
                if matches!(Contiguity.status(&next), Status::ToAct(_)) {
                    script.push(serde_json::to_string(&mv).unwrap());
                    state = next;
                    break;
                }
            }
        }
        Script(script)
    }
}

/// Two players who play each other, with their tokens.
pub struct Pair {
    players: [(Seated, String); 2],
}

impl Pair {
    pub async fn new(service: &Service) -> Pair {
        let mut players = Vec::new();
        for name in ["Rowan", "Alder"] {
            let guest = service.players.create_guest(name.parse().unwrap(), None).await.unwrap();
            let seated = Seated::person(guest.player.id, guest.player.name.to_string());
            players.push((seated, guest.access_token.token));
        }
        Pair { players: players.try_into().unwrap_or_else(|_| unreachable!()) }
    }

    /// A match that has begun, and the seat that moves first.
    pub async fn begin(&self, service: &Service) -> (MatchId, Seat) {
        let [(one, _), (other, _)] = &self.players;
        let new = NewMatch { move_time_seconds: Some(259_200), ..NewMatch::of(Contiguity::INFO.id) };
        let made = service.matches.create(one.clone(), Ok(new), None).await.ok().unwrap();
        let id = made.viewed.live.stored.id.clone();
        let begun = service.matches.join(other.clone(), &id, Joining::default(), None).await.ok().unwrap();
        (id, begun.viewed.live.to_act().iter().next().unwrap())
    }
}

/// The requests of a match: the first move answers the decision that version 2 opened.
pub fn turns(id: &MatchId, pair: &Pair, script: &Script, white: Seat, with_get: bool) -> Prepared {
    let turn = |(number, mv): (usize, &String)| {
        let seat = (white.index() + number) % 2;
        let [token, opponent] = [seat, 1 - seat].map(|seat| pair.players[seat].1.as_str());
        let body = format!(r#"{{"decision_id":"{}.{seat}","move":{mv}}}"#, number + 2);
        let post = post(&format!("/v1/matches/{id}/moves"), token, &body);
        Turn { post: (post, 201), get: with_get.then(|| get(&format!("/v1/matches/{id}"), opponent)) }
    };
    script.0.iter().enumerate().map(turn).collect()
}

fn post(path: &str, token: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn get(path: &str, token: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\r\n").into_bytes()
}

/// One of the two that are compared.
pub struct Side {
    pub addr: SocketAddr,
    kind: SideKind,
}

enum SideKind {
    Real(Shared, Vec<Pair>),
    Bare(Arc<dyn Store>, Payload, String),
}

impl Side {
    /// The service, with a pair of players for each client.
    pub async fn real(service: Shared, addr: SocketAddr, clients: usize) -> Side {
        let mut pairs = Vec::new();
        for _ in 0..clients {
            pairs.push(Pair::new(&service).await);
        }
        Side { addr, kind: SideKind::Real(service, pairs) }
    }

    /// The bare handler.
    pub fn bare(store: Arc<dyn Store>, addr: SocketAddr, payload: Payload) -> Side {
        // As long as a token is.
        Side { addr, kind: SideKind::Bare(store, payload, "x".repeat(310)) }
    }

    /// `rounds` matches for each client.
    pub async fn prepare(&self, scripts: &[Script], clients: usize, rounds: usize, with_get: bool) -> Vec<Prepared> {
        let mut prepared = Vec::new();
        for _ in 0..rounds {
            for client in 0..clients {
                let script = &scripts[prepared.len() % scripts.len()];
                prepared.push(match &self.kind {
                    SideKind::Real(service, pairs) => {
                        let pair = &pairs[client];
                        let (id, white) = pair.begin(service).await;
                        turns(&id, pair, script, white, with_get)
                    }
                    SideKind::Bare(store, payload, token) => {
                        let (id, players) = make_bare(store.as_ref(), payload, client).await;
                        bare_turns(&id, &players, token, script, with_get)
                    }
                });
            }
        }
        // What the commits of the set-up left to do is done when the window begins.
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        prepared
    }
}

async fn make_bare(store: &dyn Store, payload: &Payload, client: usize) -> (MatchId, [PlayerId; 2]) {
    let id = MatchId::generate(&Ambient::system());
    let players = [0, 1].map(|seat| PlayerId::from_number((client * 2 + seat + 1) as u128));
    let listing = Listing {
        game: Contiguity::INFO.id.to_owned(),
        stage: Stage::Playing,
        public: true,
        players: players.to_vec(),
    };
    for expected in 0..2 {
        let commit = Commit {
            id: id.clone(),
            expected,
            expected_stamp: (expected > 0).then(|| Stamp::from_number(expected)),
            stamp: Stamp::from_number(expected + 1),
            stored: payload.stored.clone(),
            entry: payload.entry.clone(),
            listing: Some(listing.clone()),
            listed: None,
            replay: None,
            notify: players.to_vec(),
            due: sarsen::store::Due::Leave,
            jobs: Vec::new(),
        };
        store.commit(commit).await.unwrap();
    }
    (id, players)
}

fn bare_turns(id: &MatchId, [one, other]: &[PlayerId; 2], token: &str, script: &Script, with_get: bool) -> Prepared {
    let path = format!("/v1/bare/{id}/{one}/{other}");
    let turn = |(number, mv): (usize, &String)| {
        let body = format!(r#"{{"decision_id":"{}.0","move":{mv}}}"#, number + 2);
        Turn { post: (post(&path, token, &body), 200), get: with_get.then(|| get(&path, token)) }
    };
    script.0.iter().enumerate().map(turn).collect()
}
