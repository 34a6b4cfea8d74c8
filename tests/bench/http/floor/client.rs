//! A client: of the floor, or one that plays whole games for all their seats.

use std::net::SocketAddr;
use std::rc::Rc;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::{JoinSet, spawn_local};

use sarsen::bots::Level;
use sarsen::rules::{DICE_SEED_BYTES, Dice, DiceSeed};

use super::program::VALUES;
use super::sample::Meter;
use super::server::Server;
use crate::connection::{Connection, drain, open_ended};

/// Values of the floor that a client has to itself.
const VALUES_OF_A_CLIENT: usize = 16;

/// The terms by which whole games are played.
#[derive(Clone)]
pub struct Play {
    /// The game's id.
    pub game: &'static str,
    /// The number of players.
    pub seats: usize,
    /// After so many moves a game is left as it stands.
    pub moves: usize,
    /// The level of the bot that whoever is to act asks for a hint before each move.
    pub hints: Option<Level>,
    /// Streams on which others watch the match.
    pub watchers: usize,
}

/// A client with its connection.
pub enum Client {
    /// Of the floor.
    Floor(Connection, Vec<Vec<u8>>),
    /// Of the service.
    Table(Box<Table>),
}

/// A client that plays whole games for all their seats.
pub struct Table {
    addr: SocketAddr,
    connection: Connection,
    play: Play,
    /// The access tokens of those who sit down, by turns.
    tokens: Rc<Vec<String>>,
    dice: Dice,
}

impl Client {
    /// The client of the floor that has this number.
    pub async fn of_floor(server: &Server, number: usize) -> Client {
        assert!((number + 1) * VALUES_OF_A_CLIENT <= VALUES, "more connections than the floor has values");
        let body = r#"{"decision_id":"12.0","move":{"type":"slide","from":"12b","to":"17b"}}"#;
        let own = (0..VALUES_OF_A_CLIENT).map(|value| number * VALUES_OF_A_CLIENT + value);
        let requests = own.map(|value| request("POST", &format!("/values/{value}"), None, body)).collect();
        Client::Floor(Connection::open(server.addr).await, requests)
    }

    /// A client that plays for these players, or for new ones.
    pub async fn of_service(server: &Server, number: usize, play: Play, tokens: Option<Rc<Vec<String>>>) -> Client {
        Client::Table(Box::new(Table::open(server, number, play, tokens).await))
    }

    /// Plays until the meter is over.
    pub async fn play(&mut self, meter: &Meter) {
        match self {
            Client::Floor(connection, requests) => {
                for request in requests.iter().cycle() {
                    if meter.is_over() {
                        return;
                    }
                    meter.play(connection, request, 200).await;
                }
            }
            Client::Table(table) => {
                while !meter.is_over() {
                    table.play(meter).await;
                }
            }
        }
    }
}

/// New players: their access tokens.
pub async fn guests(connection: &mut Connection, number: usize) -> Vec<String> {
    #[derive(Deserialize)]
    struct Guest {
        access_token: String,
    }
    let mut tokens = Vec::with_capacity(number);
    let request = request("POST", "/v1/players", None, r#"{"name":"Rowan"}"#);
    while tokens.len() < number {
        let guest: Guest = serde_json::from_slice(connection.exchange(&request, 201).await).unwrap();
        tokens.push(guest.access_token);
    }
    tokens
}

/// New players whom programs speak for: the tokens of those.
pub async fn programs(connection: &mut Connection, number: usize) -> Vec<String> {
    #[derive(Deserialize)]
    struct Made {
        secret: String,
    }
    let mut tokens = guests(connection, number).await;
    for token in &mut tokens {
        let terms = r#"{"name":"bench","scopes":["read","play","create"]}"#;
        let asked = request("POST", "/v1/me/tokens", Some(token), terms);
        *token = serde_json::from_slice::<Made>(connection.exchange(&asked, 201).await).unwrap().secret;
    }
    tokens
}

/// A receiver of webhooks, which answers every message; its URL.
pub async fn receiver() -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    spawn_local(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            spawn_local(async move {
                let mut message = Vec::new();
                // The body is JSON on one line, which ends with the message.
                while !message.ends_with(b"}}") {
                    if matches!(stream.read_buf(&mut message).await, Err(_) | Ok(0)) {
                        return;
                    }
                }
                stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.ok();
            });
        }
    });
    url
}

/// A request; without a body where there is none.
pub fn request(method: &str, path: &str, token: Option<&str>, body: &str) -> Vec<u8> {
    let authorization = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    let content = match method {
        "GET" => String::new(),
        _ => format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len()),
    };
    format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n{authorization}{content}\r\n{body}").into_bytes()
}

/// The parts that a client looks for in the answers about a match.
#[derive(Deserialize)]
pub struct Answer<'a> {
    /// The match.
    #[serde(borrow, rename = "match")]
    pub match_: Match<'a>,
    /// The question to the caller.
    #[serde(borrow)]
    decision: Option<Decision<'a>>,
}

/// The match of an answer.
#[derive(Deserialize)]
pub struct Match<'a> {
    /// Its id.
    pub id: &'a str,
    /// The seats to act.
    pub to_act: Vec<usize>,
    outcome: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Decision<'a> {
    id: &'a str,
    #[serde(borrow)]
    legal_moves: LegalMoves<'a>,
}

#[derive(Deserialize)]
struct LegalMoves<'a> {
    #[serde(borrow)]
    moves: Vec<&'a RawValue>,
}

/// The state of a game, and the answer to it that was drawn.
struct Standing {
    to_act: Option<usize>,
    is_over: bool,
    /// The body of a move of whoever was answered.
    body: Option<String>,
}

impl Table {
    /// Opens a connection for a table; all that is drawn follows from the number.
    pub async fn open(server: &Server, number: usize, play: Play, tokens: Option<Rc<Vec<String>>>) -> Table {
        let mut connection = Connection::open(server.addr).await;
        let tokens = match tokens {
            Some(tokens) => tokens,
            None => Rc::new(guests(&mut connection, play.seats).await),
        };
        let mut seed = [0; DICE_SEED_BYTES];
        seed[..8].copy_from_slice(&(number as u64).to_le_bytes());
        Table { addr: server.addr, connection, play, tokens, dice: Dice::new(DiceSeed(seed)) }
    }

    /// Gives the first of the players a webhook for every turn.
    pub async fn hook(&mut self, url: &str) {
        let body = format!(r#"{{"url":"{url}","events":["match.turn_started"]}}"#);
        let request = request("POST", "/v1/me/webhooks", Some(&self.tokens[0]), &body);
        self.connection.exchange(&request, 201).await;
    }

    fn read(answer: &[u8], dice: &mut Dice) -> Standing {
        let Answer { match_, decision } = serde_json::from_slice(answer).expect("an answer about a match");
        let body = decision.map(|Decision { id, legal_moves }| {
            let drawn = legal_moves.moves[dice.index(legal_moves.moves.len()).expect("a decision has moves")];
            format!(r#"{{"decision_id":"{id}","move":{drawn}}}"#)
        });
        Standing { to_act: match_.to_act.first().copied(), is_over: match_.outcome.is_some(), body }
    }

    /// Reads what the first of the players may read there, as it is and in each of the codings.
    pub async fn read_there(&mut self, path: &str, codings: &[&str]) {
        let mut request = request("GET", path, Some(&self.tokens[0]), "");
        self.connection.exchange(&request, 200).await;
        request.truncate(request.len() - b"\r\n".len());
        for coding in codings {
            let last = format!("accept-encoding: {coding}\r\nconnection: close\r\n\r\n");
            drain(open_ended(self.addr, &[request.as_slice(), last.as_bytes()].concat()).await).await;
        }
    }

    /// One game, of which the match's id is answered. Whoever moved moves again if the answer has the next list; else
    /// whoever is to act asks for theirs.
    pub async fn play(&mut self, meter: &Meter) -> String {
        let Table { addr, connection, play, tokens, dice } = self;
        let first = dice.index(tokens.len()).unwrap();
        let token = |seat: usize| Some(tokens[(first + seat) % tokens.len()].as_str());
        let hints = if play.hints.is_some() { r#","hints":true"# } else { "" };
        let body = format!(r#"{{"game":"{}","seats":{}{hints}}}"#, play.game, play.seats);
        let mut answer = meter.ask(connection, &request("POST", "/v1/matches", token(0), &body), 201).await;
        let id = serde_json::from_slice::<Answer>(answer).unwrap().match_.id.to_owned();
        let path = format!("/v1/matches/{id}");
        for seat in 1..play.seats {
            answer = meter.ask(connection, &request("POST", &format!("{path}/join"), token(seat), "{}"), 200).await;
        }
        let mut watching = JoinSet::new();
        for _ in 0..play.watchers {
            let stream = request("GET", &format!("{path}/stream"), None, "");
            watching.spawn_local(drain(open_ended(*addr, &stream).await));
        }
        let (mut seat, mut standing) = (play.seats - 1, Table::read(answer, dice));
        for _ in 0..play.moves {
            if standing.is_over || meter.is_over() {
                break;
            }
            if standing.body.is_none() {
                seat = standing.to_act.expect("a game that goes on is somebody's turn");
                standing = Table::read(meter.ask(connection, &request("GET", &path, token(seat), ""), 200).await, dice);
            }
            let body = standing.body.expect("whoever is to act has a decision");
            if let Some(level) = play.hints {
                let body = format!(r#"{{"level":"{level}"}}"#);
                meter.ask(connection, &request("POST", &format!("{path}/hint"), token(seat), &body), 200).await;
            }
            let sent = request("POST", &format!("{path}/moves"), token(seat), &body);
            standing = Table::read(meter.play(connection, &sent, 201).await, dice);
        }
        id
    }
}
