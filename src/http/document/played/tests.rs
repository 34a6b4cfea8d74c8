//! The examples against the service and the rules.

use super::*;

fn example(operation: &str) -> OperationExamples {
    of_operation(&standard(), operation).unwrap()
}

#[test]
fn the_files_hold_what_the_service_answers() {
    let games = standard();
    let document = openapi::document(&games).unwrap();
    let mut files = BTreeMap::<String, BTreeMap<String, Value>>::new();
    for (_, operation) in document.paths.paths.values().flat_map(operations) {
        let (id, tags) = (operation.operation_id.clone().unwrap(), operation.tags.clone().unwrap());
        if let Some(examples) = of_operation(&games, &id) {
            files.entry(tags[0].clone()).or_default().insert(id, to_json(&examples).unwrap());
        }
    }
    let problem = |code: &Code| Some((code.name().to_owned(), problem_body(*code, of_code(&games, *code)?)));
    files.insert("problems".to_owned(), Code::ALL.iter().filter_map(problem).collect());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("document/examples");
    for (tag, examples) in files {
        let text = format!("{}\n", serde_json::to_string_pretty(&examples).unwrap());
        golden::compare_file(&folder.join(tag).with_extension("json"), &text);
    }
}

#[test]
fn with_the_games_of_this_release_everything_has_an_example() {
    let document = openapi::document(&standard()).unwrap();
    let document = serde_json::to_value(&document).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let mut bodies = 0;
    for (path, operation) in
        paths.iter().flat_map(|(path, item)| item.as_object().unwrap().values().map(move |it| (path, it)))
    {
        let responses = operation["responses"].as_object().unwrap().values();
        let resolved = |body: &'_ Value| match body["$ref"].as_str() {
            Some(reference) => document.pointer(&reference[1..]).unwrap().clone(),
            None => body.clone(),
        };
        let bodies_of = responses.chain(operation.get("requestBody")).map(resolved);
        for body in bodies_of.filter_map(|body| body.get("content").cloned()) {
            bodies += 1;
            assert!(
                body.as_object().unwrap().values().all(|it| it.get("example").or(it.get("examples")).is_some()),
                "{path} {}: {body}",
                operation["operationId"]
            );
        }
    }
    assert!(bodies > 100);
}

#[test]
fn the_examples_show_what_the_operations_do() {
    let viewed =
        |operation, pointer: &str| example(operation).answers["application/json"].pointer(pointer).unwrap().clone();
    assert_eq!(viewed("createMatch", "/match/status"), "open");
    assert_eq!(viewed("startMatch", "/match/status"), "playing");
    assert_eq!(viewed("abortMatch", "/match/status"), "aborted");
    assert_eq!(viewed("leaveMatch", "/match/seats/0/player"), Value::Null);
    assert_eq!(viewed("giveEntropy", "/match/seats/0/entropy_given"), true);
    assert_eq!(viewed("joinMatch", "/match/your_seat"), 1);
    assert_eq!(viewed("resignMatch", "/match/outcome/ending"), "resignation");
    assert_eq!(viewed("claimAbsence", "/match/outcome/ending"), "abandoned");
    assert_eq!(viewed("adjudicateMatch", "/match/outcome/ending"), "adjudicated");
    assert_eq!(viewed("offerDraw", "/match/draw_agreed_by"), json!([0]));
    assert_eq!(viewed("acceptDraw", "/match/outcome/ending"), "draw_agreed");
    assert_eq!(viewed("declineDraw", "/match/draw_agreed_by"), json!([]));
    assert_eq!(viewed("getMatch", "/decision/legal_moves/moves").as_array().unwrap().len(), 2);
    assert_eq!(viewed("listMatches", "/items/0/status"), "open");
    assert_eq!(viewed("listMyEvents", "/items/0/your_turn"), true);
}

#[test]
fn the_example_of_a_move_agrees_with_itself() {
    let example = example("makeMove");
    let (request, answer) = (example.request.unwrap(), &example.answers["application/json"]);
    assert_eq!(request["move"], answer["move"]);
    assert_eq!((&answer["version"], &answer["to_act"]), (&answer["match"]["version"], &answer["match"]["to_act"]));
    assert_eq!(answer["events"][0]["event"]["move"], request["move"]);
}

#[test]
fn the_example_of_a_record_can_be_verified() {
    let games = standard();
    let sample = games.iter().find_map(Sample::finished).unwrap();
    verify(&games, &sample.record().unwrap()).unwrap();
}

#[test]
fn the_examples_of_refusals_are_the_rules_own() {
    let games = standard();
    let problem = |code| of_code(&games, code).unwrap();
    let illegal = problem(Code::IllegalMove);
    assert_eq!((illegal.code(), illegal.body().reason.as_deref()), (Code::IllegalMove, Some("empty_space")));
    let options = problem(Code::InvalidOptions);
    assert_eq!((options.code(), options.body().rule.as_deref()), (Code::InvalidOptions, Some("CO-15")));
}
