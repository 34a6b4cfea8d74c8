//! A game of one's own, as another crate would make it: [`ford`] is a small game with hidden cards, written, tried,
//! served and played with the public interface of this crate only. The steps are in the crate's documentation.

#![expect(clippy::unwrap_used, reason = "a test stops at the first thing that is wrong")]

mod ford;
mod player;

use std::collections::BTreeSet;
use std::sync::Arc;

use sarsen::app::{self, Running};
use sarsen::config::Settings;
use sarsen::games::{Erased, GameSettings, Games};
use sarsen::http::document::openapi;
use sarsen::http::settings::ServerConfig;
use sarsen::matches::export::{self, MatchExport};
use serde_json::{Value, json};
use tempfile::TempDir;

use ford::{Card, Ford};
use player::Player;

/// A service that offers Ford and nothing else.
struct Service {
    running: Running,
    directory: TempDir,
}

fn games() -> Games {
    Games::of(vec![Arc::new(Erased::new(Ford))])
}

impl Service {
    async fn start(games: Games) -> Service {
        let directory = tempfile::tempdir().unwrap();
        let server = ServerConfig { workers: Some(1), ..ServerConfig::default() };
        let settings = Settings { server, ..Settings::local(directory.path()) };
        Service { running: app::start(settings, games).await.unwrap(), directory }
    }

    fn anyone(&self) -> Player {
        Player::without_token(format!("http://{}", self.running.addr))
    }

    async fn stop(self) {
        self.running.stop().await.unwrap();
        self.directory.close().unwrap();
    }
}

/// All cards that are named somewhere in an answer.
fn cards_in(answer: &Value) -> BTreeSet<Card> {
    match answer {
        Value::String(text) => {
            text.split(|letter: char| !letter.is_ascii_alphanumeric()).flat_map(str::parse).collect()
        }
        Value::Array(items) => items.iter().flat_map(cards_in).collect(),
        Value::Object(fields) => fields.values().flat_map(cards_in).collect(),
        _ => BTreeSet::new(),
    }
}

#[tokio::test]
async fn the_catalogue_has_the_game_with_rules_and_board() {
    let service = Service::start(games()).await;
    let anyone = service.anyone();
    let list = anyone.get("/v1/games").await;
    assert_eq!(list["items"].as_array().unwrap().len(), 1);
    assert_eq!((&list["items"][0]["id"], &list["items"][0]["hidden_information"]), (&json!("ford"), &json!(true)));

    let game = anyone.get("/v1/games/ford").await;
    assert_eq!(game["options_schema"]["properties"]["hand"]["default"], 3);
    assert_eq!(game["rulings"].as_array().unwrap().len(), 2);
    assert_eq!(game["move_types"].as_array().unwrap().len(), 2);
    assert!(game["event_types"].as_array().unwrap().contains(&json!("ford_card_laid")));
    assert_eq!(anyone.text("/v1/games/ford/rules").await, ford::RULES);

    let board = anyone.get("/v1/games/ford/board").await;
    assert_eq!((board["places"].as_array().unwrap().len(), board["edges"].as_array().unwrap().len()), (9, 8));
    assert_eq!(board["places"][8]["zone"], "far_bank");
    service.stop().await;
}

/// The schema's parts as the discriminator of a union lists them, without the one for what later releases add.
fn parts(document: &Value, union: &str) -> Vec<String> {
    let mapping = document["components"]["schemas"][union]["discriminator"]["mapping"].as_object().unwrap();
    mapping.keys().filter(|tag| !tag.starts_with("Other")).cloned().collect()
}

#[tokio::test]
async fn the_document_has_the_types_of_the_game() {
    let service = Service::start(games()).await;
    let document = service.anyone().get("/openapi.json").await;
    assert_eq!(parts(&document, "Move"), ["drown", "lay"]);
    assert_eq!(parts(&document, "View"), ["ford"]);
    assert_eq!(parts(&document, "CreateMatch"), ["ford"]);
    let events = parts(&document, "MatchEvent");
    for event in ["ford_hand_dealt", "ford_card_laid", "ford_card_drowned", "ford_card_drawn", "move_made"] {
        assert!(events.iter().any(|known| known == event), "{event}");
    }
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas["LayMove"]["required"], json!(["type", "card"]));
    assert_eq!(schemas["FordOptions"]["properties"]["hand"]["default"], 3);
    assert!(schemas["FordView"]["properties"]["walkers"].is_object() && schemas["FordWalker"].is_object());
    // The examples are of matches of games that this service does not offer.
    let made = &document["paths"]["/v1/matches/{match_id}/moves"]["post"]["requestBody"]["content"];
    assert_eq!(made["application/json"]["example"], Value::Null);
    service.stop().await;
}

#[test]
fn the_game_fits_beside_those_of_the_release() {
    let games = Games::standard(GameSettings::default()).with(Ford);
    let document = serde_json::to_value(openapi::document(&games).unwrap()).unwrap();
    assert_eq!(parts(&document, "View").len(), 6);
    assert!(["ford", "henge"].iter().all(|game| parts(&document, "View").iter().any(|known| known == game)));
    assert!(["lay", "rondel"].iter().all(|mv| parts(&document, "Move").iter().any(|known| known == mv)));
}

/// A match of two that is looked at by both, by somebody signed in and by somebody without a token.
struct Table {
    id: String,
    players: [Player; 2],
    others: [Player; 2],
}

impl Table {
    async fn of(anyone: Player) -> Table {
        let players = [anyone.guest("Ann").await, anyone.guest("Ben").await];
        let made = players[0].post("/v1/matches", json!({"game": "ford", "options": {"hand": 4}})).await;
        let id = made["match"]["id"].as_str().unwrap().to_owned();
        players[1].post(&format!("/v1/matches/{id}/join"), json!({})).await;
        Table { id, players, others: [anyone.guest("Cora").await, anyone] }
    }

    fn path(&self, rest: &str) -> String {
        format!("/v1/matches/{}{rest}", self.id)
    }

    async fn read(&self, player: &Player) -> Value {
        player.get(&self.path("")).await
    }

    /// No answer to anybody names a card but those that have been laid and the reader's own.
    async fn look(&self) {
        let laid = cards_in(&self.read(&self.others[1]).await["state"]["laid"]);
        for (number, player) in self.players.iter().chain(&self.others).enumerate() {
            let seen = self.read(player).await;
            let own = match seen["match"]["your_seat"].as_u64() {
                Some(seat) => {
                    assert_eq!(seat, number as u64);
                    let walker = &seen["state"]["walkers"][number];
                    assert_eq!(walker["hand_size"], walker["hand"].as_array().unwrap().len());
                    cards_in(walker)
                }
                None => BTreeSet::new(),
            };
            let version = seen["match"]["version"].as_u64().unwrap();
            let mut told = vec![seen];
            for rest in ["/events?limit=1000", &format!("/history/{version}"), "?legal_moves=notation"] {
                told.push(player.get(&self.path(rest)).await);
            }
            told.push(player.get("/v1/matches").await);
            for answer in told {
                assert!(cards_in(&answer).is_subset(&(&laid | &own)), "reader {number} is told too much: {answer}");
            }
        }
    }

    /// Makes a move for the seat on turn: the first that is legal, as JSON or in notation.
    async fn go_on(&self, notation: bool) -> bool {
        let seen = self.read(&self.others[1]).await;
        let Some(seat) = seen["match"]["to_act"][0].as_u64() else { return false };
        let player = &self.players[seat as usize];
        let form = if notation { "?legal_moves=notation" } else { "" };
        let decision = player.get(&self.path(form)).await["decision"].take();
        let body = match notation {
            true => json!({"decision_id": decision["id"], "notation": decision["legal_moves"]["notations"][0]}),
            false => json!({"decision_id": decision["id"], "move": decision["legal_moves"]["moves"][0]}),
        };
        self.refusals(player, &decision["id"]).await;
        let held = cards_in(&self.read(player).await["state"]);
        let tried = player.post(&self.path("/moves?dry_run=true"), body.clone()).await;
        assert!(cards_in(&tried).is_subset(&held), "a trial shows what would be drawn: {tried}");
        player.post(&self.path("/moves"), body).await;
        true
    }

    /// Moves that the rules do not allow are refused by name.
    async fn refusals(&self, player: &Player, decision: &Value) {
        let held = cards_in(&self.read(player).await["decision"]["legal_moves"]);
        let other = Card::all().find(|card| !held.contains(card)).unwrap();
        let refused = |body: Value| player.refused(self.path("/moves"), body);
        let answer = refused(json!({"decision_id": decision, "move": {"type": "lay", "card": other}})).await;
        assert_eq!((&answer["code"], &answer["rule"]), (&json!("illegal_move"), &json!("2")), "{answer}");
        let answer = refused(json!({"decision_id": decision, "notation": "lay F31"})).await;
        assert_eq!((&answer["code"], &answer["rule"]), (&json!("malformed_move"), &json!("4")), "{answer}");
    }
}

#[tokio::test]
async fn two_play_to_the_end_and_nobody_is_told_too_much() {
    let service = Service::start(games()).await;
    let table = Table::of(service.anyone()).await;
    let mut moves = 0;
    table.look().await;
    while table.go_on(moves % 2 == 0).await {
        moves += 1;
        if table.read(&table.others[1]).await["match"]["status"] == "playing" {
            table.look().await;
        }
    }
    assert!(moves >= 8, "nobody is across after {moves} moves");

    let seen = table.read(&table.others[1]).await;
    assert!(["across", "river_rose"].map(Value::from).contains(&seen["match"]["outcome"]["ending"]), "{seen}");
    assert!(cards_in(&seen["state"]).into_iter().eq(Card::all()), "afterwards everything is open: {seen}");
    for player in table.players.iter().chain(&table.others) {
        assert_eq!(table.read(player).await["state"], seen["state"]);
    }

    let record = table.others[1].get(&table.path("/record")).await;
    let record: MatchExport = serde_json::from_value(record).unwrap();
    let verified = export::verify(&games(), &record).unwrap();
    assert_eq!((verified.game.as_str(), verified.match_id.as_str(), verified.moves), ("ford", &*table.id, moves));
    service.stop().await;
}

#[tokio::test]
async fn options_are_those_of_the_game() {
    let service = Service::start(games()).await;
    let ann = service.anyone().guest("Ann").await;
    let made = |options: Value| ann.refused("/v1/matches".to_owned(), json!({"game": "ford", "options": options}));
    let refused = made(json!({"hand": 6})).await;
    assert_eq!((&refused["code"], &refused["rule"]), (&json!("invalid_options"), &json!("FO-01")));
    assert_eq!(made(json!({"hands": 3})).await["code"], "invalid_options");
    let made = ann.post("/v1/matches", json!({"game": "ford", "seats": 4})).await;
    assert_eq!((&made["match"]["options"], &made["match"]["seats"][3]["player"]), (&json!({"hand": 3}), &Value::Null));
    service.stop().await;
}
