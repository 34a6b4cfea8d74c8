//! Henge with other component sets than its own: offered, pinned by matches, refused.

use std::fs::File;
use std::time::Duration;

use serde_json::{Value, json};

use crate::process::{Program, bare, borrowed, on_embedded, run, text};
use crate::world::DEADLINE;

/// The reference set with another name, version and numbers.
fn other_components() -> Value {
    let mut set: Value = serde_json::from_str(sarsen::games::henge::components::registry::REFERENCE).unwrap();
    set["meta"]["name"] = json!("Winter set");
    set["meta"]["version"] = json!("2.1");
    set["stones"][28]["vp"] = json!(10);
    set["luck"][0]["effects"][0]["n"] = json!(8);
    set
}

#[test]
fn a_component_set_that_cannot_be_used_is_refused_with_all_its_faults() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("set.json");
    let mut broken = other_components();
    broken["luck"][3]["effects"][0]["do"] = json!("gold");
    broken["stones"][4]["size"] = json!("large");
    broken["boards"]["45"]["slots"][2]["vp"] = json!(1);
    let mut impostor = other_components();
    impostor["meta"]["name"] = json!("Henge reference component set");
    impostor["meta"]["version"] = json!("1.0");
    let cases: [(String, &[&str]); 3] = [
        (broken.to_string(), &["luck card L04", "17 large stones", "12 small stones", "slot 45:1c"]),
        (impostor.to_string(), &["name and version of the reference set"]),
        ("{".to_owned(), &["is not JSON"]),
    ];
    for (set, named) in cases {
        std::fs::write(&file, set).unwrap();
        let data = on_embedded(&dir);
        let serve = run(&[&borrowed(&data)[..], &["--henge-components", text(&file)]].concat());
        let verify = bare().args(["verify", "/no/such/record"]).env("SARSEN_HENGE_COMPONENTS", &file).output().unwrap();
        for output in [serve, verify] {
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{error}");
            assert!(error.starts_with("error: --henge-components (SARSEN_HENGE_COMPONENTS)"), "{error}");
            assert!(named.iter().all(|named| error.contains(named)), "{error}");
            assert!(error.lines().count() == 1 + named.len(), "a line for each fault: {error}");
        }
    }
    // Of several files every fault is told, each under its file; twice the same set is one.
    let [winter, again, altered] = ["winter", "again", "altered"].map(|name| dir.path().join(name));
    let mut other = other_components();
    std::fs::write(&winter, other.to_string()).unwrap();
    std::fs::write(&again, format!("{other:#}")).unwrap();
    other["stones"][28]["vp"] = json!(9);
    std::fs::write(&altered, other.to_string()).unwrap();
    std::fs::write(&file, broken.to_string()).unwrap();
    let files = [&winter, &file, &again, &altered].map(|file| text(file)).join(",");
    let data = on_embedded(&dir);
    let output = run(&[&borrowed(&data)[..], &["--henge-components", &files]].concat());
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    let parts: Vec<&str> = error.split("error: --henge-components (SARSEN_HENGE_COMPONENTS) ").skip(1).collect();
    assert_eq!(parts.iter().map(|part| part.lines().count()).collect::<Vec<_>>(), [5, 2, 2], "{error}");
    assert!(parts[0].starts_with(text(&file)) && parts[0].contains("luck card L04"), "{error}");
    let same = format!("the same set as in {}", text(&winter));
    assert!(parts[1].starts_with(text(&again)) && parts[1].contains(&same), "{error}");
    assert!(parts[2].starts_with(text(&altered)) && parts[2].contains("but the content differs"), "{error}");

    let missing = run(&["--henge-components", "/no/such/set"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(!dir.path().join("data").exists(), "nothing was begun");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_component_set_is_offered_and_its_matches_need_it() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("set.json");
    std::fs::write(&file, other_components().to_string()).unwrap();
    let (plain, data) = (on_embedded(&dir), on_embedded(&dir));
    let with_set = [&borrowed(&data)[..], &["--henge-components", text(&file)]].concat();
    let program = Program::start(&with_set);
    let ann = program.guest("Ann").await;
    let glossary = ann.get("/v1/games/henge/glossary").await.ok();
    let [winter, reference] = [0, 1].map(|edition| &glossary["items"][edition]);
    assert_eq!((&winter["name"], &winter["version"]), (&json!("Winter set"), &json!("2.1")));
    assert_eq!((&winter["offered"], &reference["offered"]), (&json!(true), &json!(false)));
    let stone = winter["entries"].as_array().unwrap().iter().find(|entry| entry["id"] == "S29").unwrap();
    assert!(stone["text"].as_str().unwrap().contains("scores 10 VP"), "{stone}");
    let board = async |query: &str| ann.get(&format!("/v1/games/henge/board{query}")).await.ok();
    let of = |edition: &Value| format!("?edition={}", edition["digest"].as_str().unwrap());
    assert_eq!(board("").await, board(&of(winter)).await, "new matches have it");
    for edition in [winter, reference] {
        let shown = board(&of(edition)).await["edition"].take();
        let expected: Value = ["name", "version", "digest", "offered"]
            .iter()
            .map(|key| ((*key).to_owned(), edition[*key].clone()))
            .collect();
        assert_eq!(shown, expected);
    }
    let made = ann.post("/v1/matches", json!({"game": "henge", "seats": 1, "seat": 0})).await.ok();
    assert_eq!(made["match"]["options"]["set"]["digest"], winter["digest"], "{made}");
    let path = format!("/v1/matches/{}", made["match"]["id"].as_str().unwrap());
    ann.get(&path).await.ok();
    program.kill();
    let log = dir.path().join("log");
    let without = Program::warning(&borrowed(&plain), File::create(&log).unwrap());
    let asked = ann.at(without.base.clone()).request(reqwest::Method::GET, &path).send().await.unwrap();
    assert_eq!(asked.status(), 503, "which set is missing is the operator's affair");
    let problem: Value = asked.json().await.unwrap();
    assert_eq!(problem["code"], "components_missing");
    assert!(!problem.to_string().contains("Winter"));
    ann.at(without.base.clone()).get("/v1/me").await.ok();
    // It is warned of at the start, before anybody asks.
    let told = async {
        while !std::fs::read_to_string(&log).unwrap().contains("cannot be played on") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(DEADLINE, told).await.expect("a warning");
    let told = std::fs::read_to_string(&log).unwrap();
    assert!(told.contains("Winter set"), "{told}");
    without.kill();
    let again = Program::start(&with_set);
    let ann = ann.at(again.base.clone());
    ann.post(&format!("{path}/resign"), json!({})).await.ok();
    let record = dir.path().join("record.json");
    std::fs::write(&record, ann.get(&format!("{path}/record")).await.ok().to_string()).unwrap();
    let verify =
        |setting: &[&str]| bare().args(["verify", text(&record)]).args(setting).output().unwrap().status.code();
    assert_eq!(verify(&["--henge-components", text(&file)]), Some(0));
    assert_eq!(verify(&[]), Some(3), "the record names a set that is not here");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn matches_of_an_older_component_set_are_served_beside_a_newer_one() {
    let dir = tempfile::tempdir().unwrap();
    let [older, newer] = ["1.json", "2.json"].map(|name| dir.path().join(name));
    let mut set = other_components();
    set["meta"]["version"] = json!("1");
    std::fs::write(&older, set.to_string()).unwrap();
    set["meta"]["version"] = json!("2");
    set["boards"]["3"]["name"] = json!("Midwinter side");
    std::fs::write(&newer, set.to_string()).unwrap();
    let data = on_embedded(&dir);
    let start = |files: &str| Program::start(&[&borrowed(&data)[..], &["--henge-components", files]].concat());
    let create = json!({"game": "henge", "seats": 1, "seat": 0});

    let program = start(text(&older));
    let ann = program.guest("Ann").await;
    let made = ann.post("/v1/matches", create.clone()).await.ok();
    let old = made["match"]["options"]["set"].clone();
    let path = format!("/v1/matches/{}", made["match"]["id"].as_str().unwrap());
    program.kill();

    let program = start(&format!("{},{}", text(&newer), text(&older)));
    let ann = ann.at(program.base.clone());
    let made = ann.post("/v1/matches", create.clone()).await.ok();
    let new = &made["match"]["options"]["set"];
    assert_eq!((&old["version"], &new["version"]), (&json!("1"), &json!("2")));
    let mut asked = create;
    asked["options"] = json!({"set": old});
    let made_again = ann.post("/v1/matches", asked).await.ok();
    assert_eq!(made_again["match"]["options"]["set"], old, "a creator may ask for any that is here");
    let seen = ann.get(&path).await.ok();
    assert_eq!(seen["match"]["options"]["set"], old);
    let mv = &seen["decision"]["legal_moves"]["moves"][0];
    let body = json!({"decision_id": seen["decision"]["id"], "move": mv});
    ann.post(&format!("{path}/moves"), body).await.ok();

    let glossary = ann.get("/v1/games/henge/glossary").await.ok();
    let editions: Vec<(&Value, &Value)> =
        glossary["items"].as_array().unwrap().iter().map(|item| (&item["version"], &item["offered"])).collect();
    let expected =
        [("2", true), ("1", false), ("1.0", false)].map(|(version, offered)| (json!(version), json!(offered)));
    assert!(editions.into_iter().eq(expected.iter().map(|(version, offered)| (version, offered))), "{glossary}");
    for (edition, named) in [(new, true), (&old, false)] {
        let digest = edition["digest"].as_str().unwrap();
        let board = ann.get(&format!("/v1/games/henge/board?edition={digest}")).await.ok();
        assert_eq!(board["edition"]["version"], edition["version"]);
        assert_eq!(board["zones"].to_string().contains("Midwinter side"), named);
    }
    program.kill();
}
