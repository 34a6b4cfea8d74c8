//! Values that the document permits: whatever else is given for an enum, an integer or a flag is refused, by name and
//! with what could be given, in words that are none of a decoder.

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::contract::document;
use crate::world::{World, cases};

cases!(
    every_parameter_says_what_it_may_be, every_property_of_a_new_match_says_what_it_may_be, a_ban_says_what_it_may_be,
        what_is_missing_unknown_or_given_twice_is_named, a_game_that_is_not_here_names_those_that_are;
);

/// The values that the document permits for one place.
#[derive(Default, Debug)]
struct Permitted {
    words: Vec<String>,
    bounds: Vec<i64>,
    flag: bool,
}

/// The schema, or whatever else the document has under its own name, without references.
fn resolved(given: &'static Value) -> &'static Value {
    match given["$ref"].as_str() {
        Some(place) => resolved(document().pointer(place.trim_start_matches('#')).unwrap()),
        None => given,
    }
}

fn permitted(schema: &'static Value) -> Permitted {
    let schema = resolved(schema);
    let mut all = Permitted::default();
    for part in ["oneOf", "anyOf", "allOf"].iter().flat_map(|kind| schema[kind].as_array().into_iter().flatten()) {
        let part = permitted(part);
        all.words.extend(part.words);
        all.bounds.extend(part.bounds);
        all.flag |= part.flag;
    }
    let listed = ["enum", "x-extensible-enum"].iter().filter_map(|listed| schema[*listed].as_array());
    let words = listed.flatten().chain([&schema["const"]]);
    all.words.extend(words.filter_map(Value::as_str).map(str::to_owned));
    all.bounds.extend(["minimum", "maximum"].iter().filter_map(|bound| schema[bound].as_i64()));
    all.flag |= schema["type"] == "boolean";
    all
}

/// Words of decoders and of the language that the service is written in.
const NOT_OF_THE_CONTRACT: [&str; 12] = [
    "u8",
    "u16",
    "u32",
    "u64",
    "i64",
    "struct",
    "variant",
    "deserialize",
    "invalid type",
    "tuple",
    "borrowed",
    "untagged",
];

/// The answer names what is wrong and what is permitted.
fn says(answer: &Answer, name: &str, permitted: &Permitted, what: &str) {
    assert!(matches!(answer.status, 400 | 404 | 422), "{what}: {} {}", answer.status, answer.text());
    let problem = answer.json();
    let place = problem["field"].as_str().or(problem["path"].as_str()).unwrap_or_default();
    assert!(place.split('.').any(|part| part == name), "{what}: {problem}");
    let detail = problem["detail"].as_str().unwrap();
    for word in &permitted.words {
        assert!(detail.contains(word.as_str()), "{what}: {problem}");
    }
    // Of a rule that refuses a number, the rule says so.
    for bound in permitted.bounds.iter().filter(|_| permitted.words.is_empty()) {
        assert!(detail.contains(&bound.to_string()), "{what}: {problem}");
    }
    assert!(!permitted.flag || detail.contains("`true` or `false`"), "{what}: {problem}");
    for word in NOT_OF_THE_CONTRACT {
        assert!(!detail.contains(word), "{what}: {problem}");
    }
}

/// Returns values outside of what is permitted.
fn forbidden(permitted: &Permitted) -> Vec<Value> {
    let mut forbidden: Vec<Value> = Vec::new();
    for word in &permitted.words {
        forbidden.extend([json!({word: null}), json!({word: {}}), json!([word])]);
    }
    if let [least, most] = permitted.bounds[..] {
        forbidden.extend([json!(least - 1), json!(most + 1), json!(least.to_string()), json!(1.5), json!({})]);
    }
    if permitted.flag {
        forbidden.extend([json!(1), json!("true")]);
    }
    if !forbidden.is_empty() {
        forbidden.push(json!("none of these"));
    }
    forbidden
}

async fn every_parameter_says_what_it_may_be(world: &mut World) {
    let ann = world.guest("Ann").await;
    let operator = world.operator("admin:read,admin:moderate,admin:operate");
    let made = ann.create(json!({"game": "contiguity"})).await;
    let id = made["match"]["id"].as_str().unwrap();
    let mut tried = 0;
    for (pattern, item) in document()["paths"].as_object().unwrap() {
        let path = pattern.replace("{match_id}", id).replace("{player_id}", &ann.id).replace("{version}", "1");
        let path = path.replace("{game}", "henge").replace("{session_id}", "s_1").replace("{code}", "not_found");
        let path = path.replace("{webhook_id}", &format!("w_{}", "0".repeat(32)));
        let caller = if path.starts_with("/v1/admin") { &operator } else { &ann };
        for (method, operation) in item.as_object().unwrap() {
            for parameter in operation["parameters"].as_array().into_iter().flatten().map(resolved) {
                let (name, permitted) = (parameter["name"].as_str().unwrap(), permitted(&parameter["schema"]));
                if parameter["in"] != "query" {
                    continue;
                }
                for wrong in forbidden(&permitted).iter().filter(|wrong| !wrong.is_object() && !wrong.is_array()) {
                    let wrong = match wrong {
                        // What a body may not have, a query does: all is text there.
                        Value::String(text) if permitted.words.is_empty() && text != "none of these" => continue,
                        Value::String(text) => text.clone(),
                        number => number.to_string(),
                    };
                    let method: Method = method.to_uppercase().parse().unwrap();
                    let what = format!("{method} {path}?{name}={wrong}");
                    let query = wrong.replace(' ', "%20").replace(',', "%2C");
                    let request = caller.request(method, &format!("{path}?{name}={query}"));
                    let answer = caller.send(request).await;
                    assert_eq!(answer.status, 400, "{what}: {}", answer.text());
                    says(&answer, name, &permitted, &what);
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 30, "{tried}");
}

async fn every_property_of_a_new_match_says_what_it_may_be(world: &mut World) {
    let ann = world.guest("Ann").await;
    let mut tried = 0;
    for (game, schema) in
        resolved(&document()["components"]["schemas"]["CreateMatch"])["discriminator"]["mapping"].as_object().unwrap()
    {
        let schema = document().pointer(schema.as_str().unwrap().trim_start_matches('#')).unwrap();
        let properties = schema["properties"].as_object().unwrap();
        let options = resolved(&properties["options"])["properties"].as_object().into_iter().flatten();
        let own = properties.iter().filter(|(name, _)| *name != "game" && *name != "options");
        let all = own.map(|entry| (entry, false)).chain(options.map(|entry| (entry, true)));
        for ((name, schema), is_option) in all {
            let permitted = permitted(schema);
            for wrong in forbidden(&permitted) {
                let mut body = json!({"game": game, "options": {}});
                let place = if is_option { &mut body["options"] } else { &mut body };
                place[name] = wrong;
                let answer = ann.post("/v1/matches", body.clone()).await;
                says(&answer, name, &permitted, &body.to_string());
                tried += 1;
            }
        }
    }
    assert!(tried > 100, "{tried}");
    assert_eq!(ann.get("/v1/matches?mine=true").await.ok()["items"], json!([]), "none was made");
}

async fn a_ban_says_what_it_may_be(world: &mut World) {
    let ann = world.guest("Ann").await;
    let operator = world.operator("admin:moderate");
    let path = format!("/v1/admin/players/{}/ban", ann.id);
    for wrong in [json!({"play": null}), json!({"all": {}}), json!("some"), json!(1)] {
        let body = json!({"until": null, "from": wrong, "reason": "a test"});
        let words = vec!["play".to_owned(), "all".to_owned()];
        let permitted = Permitted { words, ..Permitted::default() };
        says(&operator.put(&path, body.clone()).await, "from", &permitted, &body.to_string());
    }
    ann.create(json!({"game": "contiguity"})).await;
}

async fn what_is_missing_unknown_or_given_twice_is_named(world: &mut World) {
    let ann = world.guest("Ann").await;
    let nothing = Permitted::default();
    let create = async |body: Value| ann.post("/v1/matches", body).await;
    says(&create(json!({})).await, "game", &nothing, "no game");
    says(&create(json!({"game": "henge", "colour": 1})).await, "colour", &nothing, "an unknown property");
    says(&create(json!({"game": "contiguity", "options": {"x": 1}})).await, "x", &nothing, "an unknown option");
    for query in ["limit=1&limit=2", "limit="] {
        says(&ann.get(&format!("/v1/matches?{query}")).await, "limit", &nothing, query);
    }
    let unknown = ann.get("/v1/matches?colour=red").await;
    says(&unknown, "colour", &nothing, "an unknown parameter");
    assert!(unknown.json()["detail"].as_str().unwrap().contains("`my_turn`"), "{}", unknown.text());
    let seats = create(json!({"game": "contiguity", "seats": 3})).await.refused(422, "invalid_options");
    assert_eq!(
        (&seats["field"], &seats["detail"]),
        (&json!("seats"), &json!("`seats` has to be 2: this game is for 2 players"))
    );
    bids(&ann, world).await;
}

/// A bid below zero breaks the rule on bids, in either form.
async fn bids(ann: &Client, world: &World) {
    let made = ann.create(json!({"game": "contiguity", "options": {"bidding": true}})).await;
    let id = made["match"]["id"].as_str().unwrap();
    world.guest("Ben").await.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
    let path = format!("/v1/matches/{id}/moves");
    for mv in [json!({"notation": "bid -1"}), json!({"move": {"type": "bid", "turns": -1}})] {
        let problem = ann.post(&path, mv.clone()).await.refused(422, "malformed_move");
        assert_eq!((&problem["rule"], &problem["field"]), (&json!("CO-18"), &json!("turns")), "{mv}: {problem}");
    }
}

async fn a_game_that_is_not_here_names_those_that_are(world: &mut World) {
    let ann = world.guest("Ann").await;
    let games = ann.get("/v1/games").await.ok();
    let ids: Vec<&str> = games["items"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 5);
    for answer in [
        ann.get("/v1/games/chess").await,
        ann.get("/v1/games/chess/rules").await,
        ann.get("/v1/matches?game=chess").await,
        ann.post("/v1/matches", json!({"game": "chess"})).await,
    ] {
        let problem = answer.refused(404, "game_not_found");
        assert_eq!(problem["field"], "game", "{problem}");
        assert!(ids.iter().all(|id| problem["detail"].as_str().unwrap().contains(id)), "{problem}");
    }
}
