//! Secrets while a match is played: cards that only another seat holds, and cards that nobody has drawn.
//!
//! Every answer is searched for card names in whatever place, so nothing depends on which property would hold them.

use std::collections::BTreeSet;

use reqwest::Method;
use roxmltree::Document;
use sarsen::http::answer::etag::digest_of;
use serde_json::{Value, json};

use crate::agents;
use crate::client::{Answer, Client};
use crate::events::Stream;
use crate::world::{World, cases};

cases!(
    absolution_keeps_hands_and_pile_secret, sacrifice_roulette_keeps_hands_and_deck_secret,
        henge_keeps_hands_choices_and_piles_secret;
);

type Cards = BTreeSet<String>;

/// So many moves that draw are tried out before they are made, and repeated afterwards. No deck is used up by then.
const TRIED: usize = 5;

/// After so many decisions all viewers look at everything.
const LOOKS: [usize; 3] = [4, 9, 15];

/// The forms of the log that go on with the match.
const FORMS: [&str; 2] = ["text/event-stream", "application/x-ndjson"];

/// The match beside its events, all of which came in one step.
const SHOWN: [&str; 2] = ["?after=0.0&include=view,decision", "?after=0.0&include=view,decision&text=true"];

/// Pictures with everything marked that can be, and without the names of spaces.
const PICTURE: &str = "?legal=true&last_move=true&coordinates=false";

/// The facts that a picture tells to those who see it: the words of its texts, and which cards it shows. Shapes are
/// left out, which are made of letters and numbers too, and so are the names of spaces: pits have the same names as
/// cards.
fn drawn(picture: &str) -> Value {
    let document = Document::parse(picture).unwrap();
    let spaces: BTreeSet<&str> = document.descendants().filter_map(|node| node.attribute("data-space")).collect();
    let texts = document.descendants().filter(roxmltree::Node::is_text).filter_map(|node| node.text());
    let words = texts.flat_map(|text| text.split(|letter: char| !letter.is_ascii_alphanumeric()));
    let words = words.filter(|word| !spaces.contains(word));
    let cards = document.descendants().filter_map(|node| node.attribute("data-card"));
    words.chain(cards).filter(|word| !word.is_empty()).collect()
}

/// The lines of what an agent reads, but for those that name pits, which have the same names as cards.
fn spoken(text: &str) -> Value {
    let of_pits = |line: &&str| {
        line.contains("pit ")
            || line.contains(". place ")
            || ["The boulder ", "pits (", "boulder_cards: "].iter().any(|of_pits| line.starts_with(of_pits))
    };
    text.lines().filter(|line| !of_pits(line)).collect()
}

fn deck() -> Cards {
    let numbers = (1..=30).flat_map(|number| [format!("D{number}"), format!("N{number}")]);
    numbers.chain(["TW", "TB", "TG", "TY", "TR"].map(str::to_owned)).collect()
}

/// All cards that are named somewhere in `value`. Pits have the same names as cards and are left out, and so is what
/// the set-up of Sacrifice Roulette draws and shuffles back.
fn cards_in(value: &Value) -> Cards {
    let mut found = Cards::new();
    search(value, &deck(), &mut found);
    found
}

fn search(value: &Value, deck: &Cards, found: &mut Cards) {
    match value {
        Value::String(text) if !text.starts_with("place ") => {
            let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
            found.extend(words.filter(|word| deck.contains(*word)).map(str::to_owned));
        }
        Value::Array(values) => values.iter().for_each(|value| search(value, deck, found)),
        Value::Object(fields) if value["type"] != "boulder_set_up" => {
            let told = fields.iter().filter(|(name, _)| !matches!(name.as_str(), "pit" | "pits" | "boulder_cards"));
            told.for_each(|(_, value)| search(value, deck, found));
        }
        _ => {}
    }
}

/// A match of three that is looked at.
struct Watched {
    id: String,
    players: Vec<Client>,
    /// Somebody signed in without a seat, and somebody without a token.
    others: [Client; 2],
}

impl Watched {
    async fn of(world: &World, game: &str) -> Watched {
        let players = vec![world.guest("Ann").await, world.guest("Ben").await, world.guest("Cora").await];
        let made = players[0].create(json!({"game": game, "seats": 3})).await;
        let id = made["match"]["id"].as_str().unwrap().to_owned();
        for player in &players[1..] {
            player.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
        }
        Watched { id, players, others: [world.guest("Dan").await, world.nobody()] }
    }

    fn path(&self, rest: &str) -> String {
        format!("/v1/matches/{}{rest}", self.id)
    }

    async fn read(&self, client: &Client) -> Value {
        client.get(&self.path("?legal_moves=none")).await.ok()
    }

    /// The cards in a seat's hand, as it is told itself.
    async fn hand(&self, seat: usize) -> Cards {
        cards_in(&hand_in(&self.read(&self.players[seat]).await["state"], seat))
    }

    /// The cards that everybody may know.
    async fn public(&self) -> Cards {
        let seen = self.read(&self.others[1]).await;
        let state = &seen["state"];
        // Cards that have been played or lay open, and those of a deck that was shuffled from them.
        let open = ["field", "discards", "marker", "reshuffles"].map(|name| cards_in(&state[name]));
        let held = ["seats", "players"].into_iter().flat_map(|name| state[name].as_array().into_iter().flatten());
        let known = held.flat_map(|seat| [cards_in(&seat["taken"]), cards_in(&seat["known"])]);
        open.into_iter().chain(known).flatten().collect()
    }

    /// The cards that a seat may not know, or anybody without one.
    async fn hidden(&self, seat: Option<usize>) -> Cards {
        let mut hidden = &deck() - &self.public().await;
        if let Some(seat) = seat {
            hidden = &hidden - &self.hand(seat).await;
        }
        hidden
    }

    /// All that a client can ask for, each with what it is.
    async fn all(&self, client: &Client) -> Vec<(String, Value)> {
        let version = self.read(client).await["match"]["version"].as_u64().unwrap();
        let mut paths: Vec<String> = ["?legal_moves=full", "?legal_moves=notation", "/events?limit=1000", "/record"]
            .map(|rest| self.path(rest))
            .into();
        let mut pictures = vec![self.path(&format!("/board.svg{PICTURE}"))];
        for version in [version / 2, version - 1, version] {
            paths.push(self.path(&format!("/history/{version}")));
            paths.push(self.path(&format!("/history/{version}?legal_moves=notation")));
            pictures.push(self.path(&format!("/history/{version}/board.svg{PICTURE}")));
        }
        paths.extend(SHOWN.map(|query| self.path(&format!("/events{query}"))));
        paths.push("/v1/matches?limit=100".to_owned());
        if client.token.is_some() {
            paths.extend(["/v1/matches?mine=true", "/v1/me/events?limit=1000"].map(str::to_owned));
            paths.extend(SHOWN.map(|query| format!("/v1/me/events{query}&limit=1000")));
        }
        let mut told = Vec::new();
        for path in pictures {
            let answer = client.get(&path).await;
            assert_eq!(answer.status, 200, "{path}");
            told.push((path, drawn(&answer.text())));
        }
        for path in paths {
            let answer = client.get(&path).await;
            // A digest of the very bytes that are told says nothing more, though it may spell the name of a card.
            let digest = format!("W/\"{}\"", digest_of(answer.text().as_bytes()));
            let tag = answer.header("etag").filter(|tag| *tag != digest).map(str::to_owned);
            told.push((path, json!([answer.json(), tag])));
        }
        // Agents read the same match through tools.
        if client.token.is_some() {
            for arguments in [json!({"match_id": self.id}), json!({"match_id": self.id, "seconds": 0})] {
                let tool = if arguments["seconds"].is_null() { "get_match" } else { "wait_for_turn" };
                let (_, text) = agents::tool(client, tool, arguments).await;
                told.push((tool.to_owned(), spoken(&text)));
            }
            let read = json!({"uri": format!("sarsen://matches/{}", self.id)});
            let read = agents::ask(client, "resources/read", read).await["contents"][0]["text"].take();
            told.push(("the resource".to_owned(), serde_json::from_str(read.as_str().unwrap()).unwrap()));
        }
        let count = client.events(&self.id).await.len();
        for form in FORMS {
            let mut stream = Stream::open(client, &self.path("/events"), form, None).await;
            let events = stream.take(count).await.into_iter().map(|told| told.data).collect();
            told.push((form.to_owned(), Value::Array(events)));
            for query in SHOWN {
                let stream = Stream::open(client, &self.path(&format!("/events{query}&wait=0")), form, None).await;
                let steps = stream.rest().await.into_iter().map(|told| told.data).collect();
                told.push((form.to_owned(), Value::Array(steps)));
            }
        }
        told
    }

    /// No answer to any viewer tells what is hidden from it; a seat's own hand is in the answers that tell of it.
    async fn look(&self) {
        let everybody = self.players.iter().chain(&self.others);
        let version = self.read(&self.others[1]).await["match"]["version"].as_u64().unwrap();
        for (seat, viewer) in everybody.enumerate() {
            let seat = Some(seat).filter(|seat| *seat < self.players.len());
            let hidden = self.hidden(seat).await;
            for other in (0..self.players.len()).filter(|other| Some(*other) != seat) {
                assert!(!hidden.is_disjoint(&self.hand(other).await), "there is something to hide of seat {other}");
            }
            for (what, told) in self.all(viewer).await {
                let cards = cards_in(&told);
                assert_eq!(&cards & &hidden, Cards::new(), "{what} tells seat {seat:?} too much");
                let Some(seat) = seat else { continue };
                let tells_all = ["?", "/events", &format!("/history/{version}")].map(|rest| self.path(rest));
                if [FORMS[0], FORMS[1], "get_match", "wait_for_turn", "the resource"].contains(&&*what)
                    || tells_all.iter().any(|path| what.starts_with(path))
                {
                    assert!(self.hand(seat).await.is_subset(&cards), "{what} does not tell seat {seat} its own cards");
                }
            }
            let full = viewer.get(&self.path(&format!("/history/{version}?view=full"))).await;
            assert_eq!(cards_in(&full.refused(409, "match_not_over")), Cards::new());
        }
    }

    async fn post(&self, client: &Client, rest: &str, body: &Value, key: Option<&str>) -> Answer {
        let request = client.request(Method::POST, &self.path(&format!("/moves{rest}"))).json(body);
        client.send(key.into_iter().fold(request, |request, key| request.header("idempotency-key", key))).await
    }

    /// Makes a move that draws: tried out before, it shows no card; repeated, it shows its own player the cards again,
    /// and nobody else.
    async fn draw(&self, seat: usize, body: &Value, key: &str) {
        let player = &self.players[seat];
        let (before, hidden) = (self.hand(seat).await, self.hidden(Some(seat)).await);
        let tried = self.post(player, "?dry_run=true", body, Some(key)).await;
        assert_eq!((tried.status, &tried.json()["chance_pending"]), (200, &json!(true)), "{}", tried.text());
        assert_eq!(&cards_in(&tried.json()) & &hidden, Cards::new(), "{}", tried.text());
        assert!(!cards_in(&tried.json()).is_empty());

        let made = self.post(player, "", body, Some(key)).await;
        assert_eq!((made.status, made.header("idempotent-replayed")), (201, None), "{}", made.text());
        let drawn = &self.hand(seat).await - &before;
        assert!(!drawn.is_empty() && drawn.is_subset(&hidden), "{drawn:?}");
        assert!(drawn.is_subset(&cards_in(&made.json()["events"])), "{}", made.text());

        let again = self.post(player, "", body, Some(key)).await;
        assert_eq!((again.status, again.header("idempotent-replayed")), (201, Some("true")));
        assert_eq!(again.text(), made.text());
        let everybody = self.players.iter().chain(&self.others);
        for (other, client) in everybody.enumerate().filter(|(other, _)| *other != seat) {
            let hidden = self.hidden(Some(other).filter(|other| *other < self.players.len())).await;
            assert!(drawn.is_subset(&hidden));
            for rest in ["", "?dry_run=true"] {
                let answer = self.post(client, rest, body, Some(key)).await;
                assert!(answer.status >= 400, "{}", answer.text());
                assert_eq!(&cards_in(&answer.json()) & &hidden, Cards::new(), "{}", answer.text());
            }
        }
    }

    /// Plays the match to its end. `draws` tells whether a move draws cards.
    async fn play(&self, draws: fn(&Value) -> bool) {
        let (mut decisions, mut tried, mut looked_at) = (0, 0, Vec::new());
        loop {
            let seen = self.read(&self.others[1]).await;
            let Some(seat) = seen["match"]["to_act"][0].as_u64() else { break };
            let seat = seat as usize;
            let seen = self.players[seat].read(&self.id).await;
            let moves = seen["decision"]["legal_moves"]["moves"].as_array().unwrap();
            let first = |wanted: &dyn Fn(&Value) -> bool| moves.iter().find(|mv| wanted(mv));
            let mv = first(&draws).or_else(|| first(&|mv| mv["type"] == "pass")).unwrap_or(&moves[0]);
            let body = json!({"decision_id": seen["decision"]["id"], "move": mv});
            let in_play = ["playing", "rolling"].iter().any(|word| {
                let state = &seen["state"];
                state["step"] == *word || state["phase"] == *word
            });
            if in_play {
                decisions += 1;
                if LOOKS.contains(&decisions) {
                    self.look().await;
                    let version = seen["match"]["version"].as_u64().unwrap();
                    looked_at.push((version, self.hidden(None).await));
                }
            }
            if in_play && draws(mv) && tried < TRIED {
                tried += 1;
                self.draw(seat, &body, &format!("key {tried}")).await;
            } else {
                self.post(&self.players[seat], "", &body, None).await.ok();
            }
        }
        assert!(tried > 0 && !looked_at.is_empty(), "{tried} {looked_at:?}");
        self.open_afterwards(&looked_at).await;
    }

    /// After the end everybody can see everything that was hidden at any version.
    async fn open_afterwards(&self, looked_at: &[(u64, Cards)]) {
        for (version, hidden) in looked_at {
            for client in self.players.iter().chain(&self.others) {
                let full = client.get(&self.path(&format!("/history/{version}?view=full"))).await.ok();
                assert!(hidden.is_subset(&cards_in(&full["state"])), "{full}");
                let then = client.get(&self.path(&format!("/history/{version}"))).await.ok();
                assert!(!hidden.is_subset(&cards_in(&then["state"])), "{then}");
            }
        }
    }
}

/// Returns the hand of a seat, as a state tells it.
fn hand_in(state: &Value, seat: usize) -> Value {
    let list = if state["seats"].is_array() { &state["seats"] } else { &state["players"] };
    list[seat]["hand"].clone()
}

async fn absolution_keeps_hands_and_pile_secret(world: &mut World) {
    Watched::of(world, "absolution").await.play(|mv| mv["type"] == "play").await;
}

async fn sacrifice_roulette_keeps_hands_and_deck_secret(world: &mut World) {
    Watched::of(world, "sacrifice_roulette").await.play(|mv| mv["type"] == "roll").await;
}

/// After so many decisions of Henge all viewers look at everything: while Spring cards are chosen, and later.
const HENGE_LOOKS: [usize; 5] = [1, 8, 40, 90, 160];

/// Henge's Luck, end-of-game and Spring cards.
fn henge_cards() -> Cards {
    let some = |letter: char, last: usize| (1..=last).map(move |number| format!("{letter}{number:02}"));
    some('L', 50).chain(some('E', 30)).chain(some('P', 14)).collect()
}

/// All of these cards that are named somewhere in `value`.
fn henge_cards_in(value: &Value) -> Cards {
    let mut found = Cards::new();
    search(value, &henge_cards(), &mut found);
    found
}

impl Watched {
    /// The cards of Henge that everybody is told of, now or before.
    async fn henge_public(&self) -> Cards {
        let anyone = &self.others[1];
        let events = anyone.get(&self.path("/events?limit=1000")).await.ok();
        &henge_cards_in(&self.read(anyone).await["state"]) | &henge_cards_in(&events)
    }

    /// The cards that a seat is told of on its own mat: its cards, and those that it has had to give away face down.
    async fn henge_own(&self, seat: usize) -> Cards {
        let state = self.read(&self.players[seat]).await["state"].take();
        let players = state["players"].as_array().unwrap();
        henge_cards_in(players.iter().find(|player| player["seat"] == seat).unwrap())
    }

    /// The cards that a seat, or anybody without one, may not know.
    async fn henge_hidden(&self, seat: Option<usize>) -> Cards {
        let hidden = &henge_cards() - &self.henge_public().await;
        match seat {
            Some(seat) => &hidden - &self.henge_own(seat).await,
            None => hidden,
        }
    }

    /// No answer to any viewer names a card that is hidden from it. Answers what some seat keeps from others.
    async fn henge_look(&self) -> Cards {
        let mut kept = Cards::new();
        for (seat, viewer) in self.players.iter().chain(&self.others).enumerate() {
            let seat = Some(seat).filter(|seat| *seat < self.players.len());
            let hidden = self.henge_hidden(seat).await;
            for other in (0..self.players.len()).filter(|other| Some(*other) != seat) {
                kept.extend(&hidden & &self.henge_own(other).await);
            }
            for (what, told) in self.all(viewer).await {
                assert_eq!(&henge_cards_in(&told) & &hidden, Cards::new(), "{what} tells seat {seat:?} too much");
            }
        }
        kept
    }
}

/// A whole match of three; each move is tried out before it is made.
async fn henge_keeps_hands_choices_and_piles_secret(world: &mut World) {
    let watched = Watched::of(world, "henge").await;
    let mut looked_at = Vec::new();
    for decision in 0.. {
        let version = watched.read(&watched.others[1]).await["match"]["version"].as_u64().unwrap();
        if HENGE_LOOKS.contains(&decision) {
            looked_at.push((version, watched.henge_look().await));
        }
        let seen = watched.read(&watched.others[1]).await;
        let Some(seat) = seen["match"]["to_act"][0].as_u64() else { break };
        let seat = seat as usize;
        let seen = watched.players[seat].read(&watched.id).await;
        let moves = seen["decision"]["legal_moves"]["moves"].as_array().unwrap();
        let body = json!({"decision_id": seen["decision"]["id"], "move": moves[(decision * 7 + 3) % moves.len()]});
        if decision < 200 {
            let tried = watched.post(&watched.players[seat], "?dry_run=true", &body, None).await.ok();
            let hidden = watched.henge_hidden(Some(seat)).await;
            assert_eq!(&henge_cards_in(&tried) & &hidden, Cards::new(), "{tried}");
        }
        watched.post(&watched.players[seat], "", &body, None).await.ok();
    }
    assert!(looked_at.iter().filter(|(_, kept)| !kept.is_empty()).count() >= 3, "{looked_at:?}");
    for (version, kept) in looked_at {
        for client in watched.players.iter().chain(&watched.others) {
            let full = client.get(&watched.path(&format!("/history/{version}?view=full"))).await.ok();
            assert!(kept.is_subset(&henge_cards_in(&full["state"])), "{full}");
        }
    }
}
