//! Bad moves in the games that hide something: each is refused with the ruling that it breaks.
//!
//! A case is a move for a situation that calls for it; matches are played until each case has met its situation.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use serde_json::{Value, json};

use crate::client::Client;
use crate::world::{World, cases};

cases!(
    bad_moves_of_absolution_name_their_ruling, bad_moves_of_sacrifice_roulette_name_their_ruling,
        bad_moves_of_henge_name_what_is_wrong;
);

/// The number of matches that are searched for the situations of all cases.
const MATCHES: usize = 40;

/// A bad move, and what it is refused with.
struct Case {
    what: &'static str,
    body: Value,
    code: &'static str,
    rule: &'static str,
}

fn illegal(what: &'static str, rule: &'static str, notation: impl Into<String>) -> Case {
    Case { what, body: json!({"notation": notation.into()}), code: "illegal_move", rule }
}

/// A notation that is no move.
fn misspelt(what: &'static str, rule: &'static str, notation: &str) -> Case {
    Case { what, body: json!({"notation": notation}), code: "malformed_move", rule }
}

/// JSON that is no move.
fn malformed(what: &'static str, rule: &'static str, mv: Value) -> Case {
    Case { what, body: json!({"move": mv}), code: "malformed_move", rule }
}

/// A match of two.
struct Table {
    id: String,
    players: Vec<Client>,
}

impl Table {
    async fn of(players: &[Client], game: &str) -> Table {
        let made = players[0].create(json!({"game": game, "seats": players.len()})).await;
        let id = made["match"]["id"].as_str().unwrap().to_owned();
        for player in &players[1..] {
            player.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
        }
        Table { id, players: players.to_vec() }
    }

    /// The first seat that is to act and what it sees; `None` once the match is over.
    async fn seen(&self) -> Option<(usize, Value)> {
        let seat = self.players[0].read(&self.id).await["match"]["to_act"][0].as_u64()? as usize;
        Some((seat, self.players[seat].read(&self.id).await))
    }

    /// Tries the cases that have not been met yet. None of them changes anything.
    async fn refuse(&self, seat: usize, seen: &Value, cases: Vec<Case>, met: &mut BTreeSet<&'static str>) {
        for Case { what, mut body, code, rule } in cases {
            if !met.insert(what) {
                continue;
            }
            body["decision_id"] = seen["decision"]["id"].clone();
            // A signal carries no decision.
            let text = body.to_string();
            if text.contains("\"wish") || text.contains("\"ready") {
                body.as_object_mut().unwrap().remove("decision_id");
            }
            let answer = self.players[seat].post(&format!("/v1/matches/{}/moves", self.id), body).await;
            assert_eq!(answer.status, 422, "{what}: {}", answer.text());
            let problem = answer.refused(422, code);
            assert_eq!(problem["rule"], rule, "{what}: {problem}");
        }
        assert_eq!(self.players[seat].read(&self.id).await, *seen);
    }

    async fn play(&self, seat: usize, seen: &Value, mv: &Value) {
        let body = json!({"decision_id": seen["decision"]["id"], "move": mv});
        self.players[seat].post(&format!("/v1/matches/{}/moves", self.id), body).await.ok();
    }
}

/// The texts of a list.
fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

fn moves(seen: &Value) -> &[Value] {
    seen["decision"]["legal_moves"]["moves"].as_array().unwrap()
}

/// The number of a number card.
fn number(card: &str) -> Option<u64> {
    card[1..].parse().ok()
}

fn all_met(met: &BTreeSet<&'static str>, expected: &[&'static str]) {
    assert_eq!(*met, expected.iter().copied().collect::<BTreeSet<_>>());
}

async fn bad_moves_of_absolution_name_their_ruling(world: &mut World) {
    let players = [world.guest("Ann").await, world.guest("Ben").await];
    let mut met = BTreeSet::new();
    for _ in 0..MATCHES {
        let table = Table::of(&players, "absolution").await;
        while let Some((seat, seen)) = table.seen().await {
            let state = &seen["state"];
            if state["step"] == "voting" {
                table.refuse(seat, &seen, in_the_vote(), &mut met).await;
                table.play(seat, &seen, &json!({"type": "nominate", "seat": 1})).await;
                continue;
            }
            table.refuse(seat, &seen, in_a_turn(state, seat), &mut met).await;
            let exchange = moves(&seen).iter().find(|mv| mv["type"] == "exchange");
            match exchange.filter(|_| !met.contains("a second exchange")) {
                Some(exchange) => table.play(seat, &seen, exchange).await,
                None => table.play(seat, &seen, &json!({"type": "pass"})).await,
            }
        }
        if met.contains("a trilithon on black") && met.contains("a trilithon on another colour") {
            break;
        }
    }
    let expected = [
        "a turn in the vote",
        "a nomination of nobody",
        "a nomination of no number",
        "a nomination after the vote",
        "a card not held",
        "a pair with a card not held",
        "three cards",
        "three cards as JSON",
        "no card",
        "a card named twice",
        "a card named twice as JSON",
        "no such card as JSON",
        "a card that does not match",
        "a trilithon on another colour",
        "a trilithon on black",
        "an exchange of a card not held",
        "an exchange for a card not there",
        "an exchange of no card as JSON",
        "a second exchange",
        "a wish for a card",
        "a wish for a card as JSON",
        "a wish for number 31",
        "a wish for number 31 as JSON",
        "a wish for a colour twice as JSON",
        "a wish for six things",
        "a wish for nothing",
        "readiness at noon",
        "readiness at noon as JSON",
        "readiness in other words as JSON",
        "readiness for a number that is over",
    ];
    all_met(&met, &expected);
    the_eleventh_signal(&Table::of(&players, "absolution").await).await;
    a_signal_leaves_the_decision_open_and_a_turn_is_taken_once(&Table::of(&players, "absolution").await).await;
}

fn in_the_vote() -> Vec<Case> {
    vec![
        illegal("a turn in the vote", "AB-01", "pass"),
        illegal("a nomination of nobody", "AB-01", "nominate 4"),
        malformed("a nomination of no number", "AB-01", json!({"type": "nominate", "seat": "me"})),
    ]
}

fn in_a_turn(state: &Value, seat: usize) -> Vec<Case> {
    let hand = texts(&state["seats"][seat]["hand"]);
    let field = texts(&state["field"]);
    let turn = state["turn"]["number"].as_u64().unwrap();
    let other = (1..=30).map(|number| format!("D{number}"));
    let other: Vec<String> = other.filter(|card| !hand.contains(&card.as_str()) && !field.contains(&&**card)).collect();
    let mut cases = vec![
        illegal("a nomination after the vote", "AB-01", "nominate 0"),
        illegal("a card not held", "AB-34", format!("play {}", other[0])),
        illegal("three cards", "AB-12", "play D1 D2 D3"),
        Case {
            what: "three cards as JSON",
            body: json!({"move": {"type": "play", "cards": ["D1", "D2", "D3"]}}),
            code: "illegal_move",
            rule: "AB-12",
        },
        illegal("no card", "4.3", "play"),
        misspelt("a card named twice", "AB-12", "play D7 d7"),
        malformed("a card named twice as JSON", "AB-12", json!({"type": "play", "cards": ["D7", "D7"]})),
        malformed("no such card as JSON", "1.5", json!({"type": "play", "cards": ["D31"]})),
        malformed("an exchange of no card as JSON", "1.5", json!({"type": "exchange", "give": 7, "take": field[0]})),
        misspelt("a wish for a card", "AB-36", "wish D7"),
        malformed("a wish for a card as JSON", "AB-36", json!({"type": "wish", "numbers": [], "colours": ["D7"]})),
        misspelt("a wish for number 31", "AB-36", "wish 31"),
        malformed("a wish for number 31 as JSON", "AB-36", json!({"type": "wish", "numbers": [31], "colours": []})),
        malformed(
            "a wish for a colour twice as JSON",
            "6.2",
            json!({"type": "wish", "numbers": [], "colours": ["blue", "blue"]}),
        ),
        illegal("a wish for six things", "6.2", "wish 1 2 3 4 5 red"),
        illegal("a wish for nothing", "6.2", "wish"),
        misspelt("readiness at noon", "6.3", "ready noon 2 great"),
        malformed(
            "readiness at noon as JSON",
            "6.3",
            json!({"type": "ready", "phase": "noon", "number": 2, "word": "great"}),
        ),
        malformed(
            "readiness in other words as JSON",
            "6.3",
            json!({"type": "ready", "phase": "day", "number": 2, "word": "I hold D2"}),
        ),
    ];
    if state["turn"]["exchanged"] == true {
        cases.push(illegal("a second exchange", "AB-07", format!("exchange {} {}", hand[0], field[0])));
    } else {
        let not_held = format!("exchange {} {}", other[0], field[0]);
        cases.push(illegal("an exchange of a card not held", "AB-08", not_held));
        let not_there = format!("exchange {} {}", hand[0], other[0]);
        cases.push(illegal("an exchange for a card not there", "AB-08", not_there));
    }
    if let Some(card) = hand.iter().find(|card| number(card).is_some_and(|number| number != turn)) {
        cases.push(illegal("a card that does not match", "AB-34", format!("play {card}")));
        cases.push(illegal("a pair with a card not held", "AB-34", format!("play {card} {}", other[0])));
    }
    if let Some(card) = hand.iter().find(|card| card.starts_with('T')) {
        let own = "WBGYR".find(&card[1..]).unwrap() as u64 + 1;
        if turn.is_multiple_of(6) {
            cases.push(illegal("a trilithon on black", "AB-14", format!("play {card}")));
        } else if turn % 6 != own {
            cases.push(illegal("a trilithon on another colour", "AB-13", format!("play {card}")));
        }
    }
    if turn > 1 {
        cases.push(illegal("readiness for a number that is over", "AB-36", "ready day 1 great"));
    }
    cases
}

/// Ten signals a seat are allowed in the vote and in each turn.
async fn the_eleventh_signal(table: &Table) {
    let path = format!("/v1/matches/{}/moves", table.id);
    let says = async |seat: usize, text: &str| table.players[seat].post(&path, json!({"notation": text})).await;
    for number in 1..=10 {
        says(0, if number % 2 == 0 { "wish 14 blue" } else { "ready day 2 great" }).await.ok();
    }
    for text in ["wish 3", "ready night 30 poor"] {
        assert_eq!(says(0, text).await.refused(422, "illegal_move")["rule"], "AB-36");
    }
    says(1, "wish 3").await.ok();
}

/// A signal of either seat closes no decision and names none; a second play in a turn comes too late.
async fn a_signal_leaves_the_decision_open_and_a_turn_is_taken_once(table: &Table) {
    let path = format!("/v1/matches/{}/moves", table.id);
    // Not every hand matches every number.
    let (seat, seen, play) = loop {
        let (seat, seen) = table.seen().await.unwrap();
        if let Some(play) = moves(&seen).iter().find(|mv| mv["type"] == "play").cloned() {
            break (seat, seen, play);
        }
        let voting = seen["state"]["step"] == "voting";
        let mv = if voting { json!({"type": "nominate", "seat": 1}) } else { json!({"type": "pass"}) };
        table.play(seat, &seen, &mv).await;
    };
    let decision = &seen["decision"]["id"];
    for signaller in [1 - seat, seat] {
        table.players[signaller].post(&path, json!({"notation": "wish 3"})).await.ok();
        let named = json!({"notation": "wish 4", "decision_id": decision});
        table.players[signaller].post(&path, named).await.refused(422, "malformed_move");
    }
    assert_eq!(table.players[seat].read(&table.id).await["decision"]["id"], *decision);
    let body = json!({"decision_id": decision, "move": play});
    table.players[seat].post(&path, body.clone()).await.ok();
    assert_ne!(table.players[seat].read(&table.id).await["match"]["to_act"], json!([seat]));
    table.players[seat].post(&path, body).await.refused(409, "not_your_turn");
}

async fn bad_moves_of_sacrifice_roulette_name_their_ruling(world: &mut World) {
    let players = [world.guest("Ann").await, world.guest("Ben").await];
    let expected = [
        "an occupied pit",
        "no such pit",
        "no such pit as JSON",
        "a roll before the placing is over",
        "a sacrifice after the placing",
        "a card not held",
        "a trilithon card not held",
        "a card named twice",
        "a card named twice as JSON",
        "a trilithon card among the numbers as JSON",
        "no such ending",
        "no such ending as JSON",
        "two colours",
        "no card",
        "a trilithon card without numbers",
        "a trilithon card alone",
        "a number card alone as JSON",
        "a third trilithon card",
        "a fall without a roll",
        "a match that is none",
        "a match declined",
        "a set that cannot be ordered",
    ];
    let mut met = BTreeSet::new();
    for _ in 0..MATCHES {
        let table = Table::of(&players, "sacrifice_roulette").await;
        while let Some((seat, seen)) = table.seen().await {
            let cases = if seen["state"]["phase"] == "placing" {
                while_placing(&seen["state"])
            } else {
                while_rolling(&seen["state"], seat)
            };
            table.refuse(seat, &seen, cases, &mut met).await;
            if met.len() == expected.len() {
                break;
            }
            table.play(seat, &seen, keeping_trilithons(&seen)).await;
        }
        if met.len() == expected.len() {
            break;
        }
    }
    all_met(&met, &expected);
}

/// A move that plays no trilithon card and as many others as can be, so that they gather in the hands.
fn keeping_trilithons(seen: &Value) -> &Value {
    let count = |mv: &&Value| match mv["trilithons"].as_array() {
        Some(trilithons) if trilithons.is_empty() => mv["cards"].as_array().unwrap().len(),
        _ => 0,
    };
    moves(seen).iter().max_by_key(count).unwrap()
}

fn while_placing(state: &Value) -> Vec<Case> {
    let mut cases = vec![
        misspelt("no such pit", "1.2", "place N31"),
        malformed("no such pit as JSON", "1.2", json!({"type": "place", "pit": "TW"})),
        illegal("a roll before the placing is over", "SR-04", "roll D1 stop"),
    ];
    if let Some(pit) = state["pits"][0]["pit"].as_str() {
        cases.push(illegal("an occupied pit", "SR-04", format!("place {pit}")));
    }
    cases
}

fn while_rolling(state: &Value, seat: usize) -> Vec<Case> {
    let hand = texts(&state["players"][seat]["hand"]);
    let (trilithons, numbers): (Vec<&str>, Vec<&str>) = hand.iter().partition(|card| card.starts_with('T'));
    let mut cases = vec![
        illegal("a sacrifice after the placing", "2.3", "place N1"),
        misspelt("a card named twice", "SR-15", "roll D7 d7 stop"),
        malformed(
            "a card named twice as JSON",
            "SR-15",
            json!({"type": "roll", "trilithons": [], "cards": ["D7", "D7"], "ending": "stop"}),
        ),
        malformed(
            "a trilithon card among the numbers as JSON",
            "9.2",
            json!({"type": "roll", "trilithons": [], "cards": ["TW"], "ending": "stop"}),
        ),
        misspelt("no such ending", "3.4", "roll D7 crash"),
        malformed(
            "no such ending as JSON",
            "3.4",
            json!({"type": "roll", "trilithons": [], "cards": ["D7"], "ending": "crash"}),
        ),
        malformed("a number card alone as JSON", "SR-32", json!({"type": "reverse", "trilithon": "D7"})),
        illegal("no card", "SR-11", "roll stop"),
    ];
    let strange = (1..=30).map(|number| format!("N{number}")).find(|card| !hand.contains(&card.as_str())).unwrap();
    cases.push(illegal("a card not held", "SR-11", format!("roll {strange} stop")));
    let strange = ["TW", "TB", "TG", "TY", "TR"].into_iter().find(|card| !hand.contains(card));
    let Some(one) = numbers.first() else { return cases };
    if let Some(strange) = strange {
        cases.push(illegal("a trilithon card not held", "SR-11", format!("roll {strange} {one} stop")));
    }
    if let Some(trilithon) = trilithons.first() {
        cases.push(illegal("a trilithon card without numbers", "SR-21", format!("roll {trilithon} stop")));
        cases.push(illegal("a trilithon card alone", "SR-32", format!("reverse {trilithon}")));
    }
    if let [first, second, third, ..] = trilithons[..] {
        cases.push(illegal("a third trilithon card", "SR-22", format!("roll {first} {second} {third} {one} stop")));
    }
    let ahead = |card: &str| stops(state, number(card).unwrap());
    cases.push(illegal("a fall without a roll", "SR-14", format!("roll {one} fall")));
    for card in &numbers {
        if number(card) == Some(ahead(card)[0]) {
            cases.push(illegal("a match declined", "SR-16", format!("roll {card} stop")));
        } else {
            cases.push(illegal("a match that is none", "SR-15", format!("roll {card} match")));
        }
        for other in &numbers {
            let (this, that) = (number(card).unwrap(), number(other).unwrap());
            if this % 6 != that % 6 {
                cases.push(illegal("two colours", "SR-11", format!("roll {card} {other} stop")));
            } else if [this, that] == ahead(card) {
                // The one that is to match last can only be last, but then the other matches first.
                cases.push(illegal("a set that cannot be ordered", "SR-17", format!("roll {card} {other} match")));
            }
        }
    }
    cases
}

/// The next two numbers of the same colour as this one, as the boulder rolls.
fn stops(state: &Value, number: u64) -> [u64; 2] {
    let boulder = state["boulder"].as_u64().unwrap();
    let step = if state["direction"] == "clockwise" { 1 } else { 29 };
    let mut way = (1..=30).map(|steps| (boulder + step * steps - 1) % 30 + 1).filter(|other| other % 6 == number % 6);
    [way.next().unwrap(), way.next().unwrap()]
}

async fn bad_moves_of_henge_name_what_is_wrong(world: &mut World) {
    let players = [world.guest("Ann").await, world.guest("Ben").await];
    let expected = [
        "a Spring card not offered",
        "a walk before the Spring cards are chosen",
        "a walk before the First Upgrade",
        "a First Upgrade that is gone",
        "more than a lap",
        "a bribe beyond the purse",
        "a Luck card not held",
        "a Spring card in a turn",
        "a move of the pawn passed over",
        "a chosen action passed over",
        "another action's unit",
        "a stone of a rival installed",
        "a stone of a rival carved",
        "a stop to install without a delivered stone",
        "a stop to carve without a stone",
        "a Luck card after the action",
        "no such action",
        "no such action as JSON",
        "a walk of no steps as JSON",
    ];
    let (mut met, mut choice) = (BTreeSet::new(), 0);
    for _ in 0..MATCHES {
        let table = Table::of(&players, "henge").await;
        while let Some((seat, seen)) = table.seen().await {
            table.refuse(seat, &seen, wrong_in_henge(&seen, seat), &mut met).await;
            choice += 7;
            table.play(seat, &seen, &moves(&seen)[choice % moves(&seen).len()]).await;
            if met.len() == expected.len() {
                return all_met(&met, &expected);
            }
        }
    }
    all_met(&met, &expected);
}

/// The moves that the seat may not make at its decision.
fn wrong_in_henge(seen: &Value, seat: usize) -> Vec<Case> {
    let state = &seen["state"];
    let players = state["players"].as_array().unwrap();
    let mat_of = |own: bool| {
        &players.iter().find(|player| (player["seat"] == seat) == own && player["mat"].is_object()).unwrap()["mat"]
    };
    let (own, rival) = (mat_of(true), mat_of(false));
    let not_in = |list: &Value, letter: char| {
        (1..=14).map(|number| format!("{letter}{number:02}")).find(|id| !texts(list).contains(&id.as_str())).unwrap()
    };
    match state["stage"].as_str().unwrap() {
        "spring" => {
            return vec![
                illegal("a Spring card not offered", "2.2", format!("spring {}", not_in(&own["offer"], 'P'))),
                illegal("a walk before the Spring cards are chosen", "H-08", "rondel 1 income"),
            ];
        }
        "upgrade" => {
            let mut cases = vec![illegal("a walk before the First Upgrade", "2.2", "rondel 1 income")];
            let left: Vec<&str> = moves(seen).iter().filter_map(|mv| mv["privilege"].as_str()).collect();
            let gone =
                ["rondel", "coin", "luck", "stone", "druid"].into_iter().find(|privilege| !left.contains(privilege));
            cases.extend(gone.map(|gone| illegal("a First Upgrade that is gone", "H-11", format!("upgrade {gone}"))));
            return cases;
        }
        _ => {}
    }
    let top = state["stack"].as_array().unwrap().last().unwrap();
    let strange = not_in(&own["hand"], 'L');
    let stones = own["stones"].as_array().unwrap();
    let theirs = rival["stones"].as_array().unwrap().iter().find_map(|stone| stone["stone"].as_str());
    let may_end = moves(seen).iter().any(|mv| mv["type"] == "done");
    match top["type"].as_str().unwrap() {
        "move" => {
            let mut cases = vec![
                illegal("more than a lap", "H-14", "rondel 21 income"),
                illegal("a Luck card not held", "4.8", format!("luck {strange}")),
                illegal("a Spring card in a turn", "3.1", "spring P01"),
                illegal("a move of the pawn passed over", "3.3", "done"),
                misspelt("no such action", "8.3", "rondel 1 sing"),
                malformed("no such action as JSON", "8.2", json!({"type": "rondel", "steps": 1, "action": "sing"})),
                malformed(
                    "a walk of no steps as JSON",
                    "8.2",
                    json!({"type": "rondel", "steps": 0, "action": "income"}),
                ),
            ];
            if own["coins"] == 0 && own["levels"]["rondel"] == 0 {
                let far = stop(state, 8..=19, "income");
                cases.extend(far.map(|walk| illegal("a bribe beyond the purse", "H-14", walk)));
            }
            if stones.is_empty() && own["hand"].as_array().unwrap().is_empty() {
                let near = |action| stop(state, 1..=2, action);
                let install = near("install");
                cases.extend(install.map(|walk| illegal("a stop to install without a delivered stone", "4.7", walk)));
                cases.extend(near("carve").map(|walk| illegal("a stop to carve without a stone", "H-25", walk)));
            }
            cases
        }
        "action" if top["is_sub_action"] == false && !may_end => {
            let mut cases = vec![illegal("a chosen action passed over", "3.3", "done")];
            match top["action"].as_str().unwrap() {
                "income" => cases.push(illegal("another action's unit", "3.1", "quarry 1")),
                "install" => cases.extend(
                    theirs.map(|stone| illegal("a stone of a rival installed", "4.7", format!("install {stone}@1a"))),
                ),
                "carve" => cases
                    .extend(theirs.map(|stone| illegal("a stone of a rival carved", "4.5", format!("carve {stone}")))),
                _ => {}
            }
            cases
        }
        "track" => {
            let held = own["hand"].as_array().unwrap().first().and_then(Value::as_str);
            held.map(|card| illegal("a Luck card after the action", "H-35", format!("luck {card}")))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// A walk of so many steps to one that shows the action.
fn stop(state: &Value, mut steps: RangeInclusive<u64>, action: &str) -> Option<String> {
    let set: Value = serde_json::from_str(include_str!("../../src/games/henge/components/reference.json")).unwrap();
    let rondel = set["rondel"]["steps"].as_array().unwrap();
    let pawn: u64 = state["pawn"].as_str().unwrap().strip_prefix("step.").unwrap().parse().unwrap();
    let shown = |ahead: u64| texts(&rondel[(pawn + ahead - 1) as usize % rondel.len()]["actions"]);
    steps.find(|ahead| shown(*ahead).contains(&action)).map(|ahead| format!("rondel {ahead} {action}"))
}
