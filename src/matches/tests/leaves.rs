//! The leaves of records: all are on the list, none that counts as checked can be changed, and what cannot be is refused.

use std::collections::BTreeMap;

use super::bots::bots;
use super::leaf_records::*;
use super::*;
use crate::export::{Believed, Coverage, LEAVES, believed, check_bots, leaf, verify_bots, walk};
use crate::model::adjudication::Adjudication;
use crate::model::log::Action;
use crate::model::terms::Creation;

#[test]
fn an_organiser_settles_matches_of_others_that_have_tags_and_are_not_rated() {
    let ruling = |ranks: &[u8]| Action::Adjudicate {
        ruling: Some(Adjudication { ranks: ranks.to_vec(), verdict: Verdict::Won }),
        reason: "late".to_owned(),
    };
    let refused = |creation: Creation, action: Action| {
        let mut table = Table::of(creation);
        (0..2).filter(|number| table.live.is_free(seat(*number))).collect::<Vec<_>>().into_iter().for_each(|number| {
            table.sits(number);
        });
        assert_eq!(table.live.stored.stage, Stage::Playing);
        let at = table.now();
        table.live.take_step(action, at).err()
    };
    assert!(refused(league(), ruling(&[1, 2])).is_none());
    assert!(refused(league(), Action::Adjudicate { ruling: None, reason: "late".to_owned() }).is_none());
    assert!(matches!(refused(league(), ruling(&[1])), Some(Refused::Ruling(_))));
    let not_organised = |creation: Creation| {
        let refused = refused(creation, ruling(&[1, 2]));
        assert!(matches!(refused, Some(Refused::Forbidden(Forbidden::NotOrganiser))), "{refused:?}");
    };
    not_organised(Creation { seat: Some(seat(0)), ..league() });
    not_organised(Creation { terms: Arc::new(terms("contiguity", 2, Value::Null)), ..league() });
    // Whoever has handed on a seat has seen a hand.
    let mut table = Table::of(Creation { seat: Some(seat(0)), ..league() });
    table.sits(1);
    table.does(Action::Substitute { seat: seat(0), player: person(3), hash: None });
    let at = table.now();
    let refused = table.live.take_step(ruling(&[1, 2]), at).unwrap_err();
    assert!(matches!(refused, Refused::Forbidden(Forbidden::NotOrganiser)));
    // Neither before the start nor after the end.
    let mut table = Table::of(league());
    let at = table.now();
    let refused = table.live.take_step(ruling(&[1, 2]), at).unwrap_err();
    assert!(matches!(refused, Refused::OutOfPlay(OutOfPlay::NotStarted)));
    (0..2).for_each(|number| table.sits(number));
    table.does(ruling(&[2, 1]));
    let outcome = table.live.stored.outcome.clone().unwrap();
    assert_eq!(summary(&outcome), ("adjudicated".to_owned(), vec![(2, Verdict::Lost), (1, Verdict::Won)]));
    let at = table.now();
    let refused = table.live.take_step(ruling(&[1, 2]), at).unwrap_err();
    assert!(matches!(refused, Refused::OutOfPlay(OutOfPlay::MatchOver(_))));
    // Its players have won nothing by playing: a board of results counts no win.
    let mut shared = terms("absolution", 2, Value::Null);
    (shared.hints, shared.table.tags) = (Some(false), vec!["spring-cup".to_owned()]);
    let mut table = Table::of(Creation { terms: Arc::new(shared), ..league() });
    (0..2).for_each(|number| table.sits(number));
    assert_eq!(table.live.board_match().unwrap().ended, None);
    table.does(ruling(&[1, 1]));
    assert_eq!(table.live.board_match().unwrap().ended.map(|end| end.won), Some(false));
}

fn records() -> Vec<(String, Value)> {
    let others = [
        ("bot", with_a_bot()),
        ("clocks", with_clocks()),
        ("passed", with_turns_passed()),
        ("rated", with_ratings()),
        ("claim", with_a_claim()),
        ("fork", with_a_fork()),
        ("league", with_a_ruling()),
        ("pool", with_a_pool()),
    ];
    let mut all = of_each_game();
    all.extend(others.map(|(name, record)| (name.to_owned(), record)));
    all
}

fn named<'r>(records: &'r [(String, Value)], name: &str) -> &'r Value {
    &records.iter().find(|(other, _)| other == name).unwrap().1
}

/// As the program verifies: from the text, with a look at the versions of bots.
fn verified(games: &Games, record: &Value) -> Result<(), String> {
    let record = MatchExport::read(record.to_string().as_bytes()).map_err(|error| error.to_string())?;
    check_bots(&bots(), &record).map_err(|found| found.to_string())?;
    verify(games, &record).map(drop).map_err(|found| found.to_string())
}

#[test]
fn every_leaf_of_a_record_is_on_the_list_and_every_one_on_the_list_is_in_a_record() {
    let games = standard();
    let mut met: BTreeMap<&str, usize> = LEAVES.iter().map(|leaf| (leaf.path, 0)).collect();
    for (name, record) in records() {
        assert_eq!(verified(&games, &record), Ok(()), "{name}");
        walk(&record, &mut |path, pointer, _| match leaf(path) {
            Some(leaf) => *met.get_mut(leaf.path).unwrap() += 1,
            None => panic!("{name}: {path} ({pointer}) is not on the list"),
        });
        let record: MatchExport = serde_json::from_value(record).unwrap();
        let believed = believed(&record);
        for always in [Believed::Published, Believed::People, Believed::Moments, Believed::Terms] {
            assert!(believed.contains(&always), "{name}: {always}");
        }
        assert_eq!(believed.contains(&Believed::Plans), name == "clocks", "{name}");
        assert_eq!(believed.contains(&Believed::CutShort), name == "bot", "{name}");
        assert_eq!(believed.contains(&Believed::MatchBefore), ["claim", "fork"].contains(&name.as_str()), "{name}");
    }
    let never: Vec<_> = met.iter().filter(|(_, times)| **times == 0).map(|(path, _)| path).collect();
    assert!(never.is_empty(), "properties that no record here has: {never:?}");
}

#[test]
fn the_client_guide_has_the_list() {
    let guide = include_str!("../../../openapi/clients/README.md");
    for leaf in LEAVES {
        let how = match leaf.checked {
            Coverage::Full => "fully",
            Coverage::Partial => "in part",
            Coverage::Nothing => "not",
        };
        let row = format!("| `{}` | {how} | {} |", leaf.path, leaf.by);
        assert!(guide.contains(&row), "{row}");
    }
    assert_eq!(
        guide.matches("| fully |").count() + guide.matches("| in part |").count() + guide.matches("| not |").count(),
        LEAVES.len()
    );
}

/// Other values for a leaf, some of the same kind and form.
fn others(value: &Value, alike: &[&Value]) -> Vec<Value> {
    let mut others = match value {
        Value::Null => vec![json!(0), json!("x")],
        Value::Bool(is) => vec![json!(!is), Value::Null],
        Value::Number(number) => {
            let number = number.as_i64().unwrap();
            vec![json!(number + 1), json!(number - 1), Value::Null]
        }
        Value::String(text) => {
            let last = text.chars().last().map_or('0', |last| if last == '1' { '2' } else { '1' });
            let kept: String = text.chars().take(text.chars().count().saturating_sub(1)).collect();
            vec![json!(format!("{kept}{last}")), json!(text.to_uppercase()), Value::Null]
        }
        _ => panic!("no leaf"),
    };
    others.extend(alike.iter().copied().filter(|other| *other != value).take(2).cloned());
    others.retain(|other| other != value);
    others
}

#[test]
fn nothing_that_is_checked_can_be_changed() {
    let games = standard();
    for (name, record) in records() {
        let mut found: BTreeMap<String, Vec<(String, &Value)>> = BTreeMap::new();
        walk(&record, &mut |path, pointer, value| {
            found.entry(path.to_owned()).or_default().push((pointer.to_owned(), value));
        });
        for (path, all) in &found {
            let leaf = leaf(path).unwrap();
            if leaf.checked != Coverage::Full {
                continue;
            }
            let values: Vec<&Value> = all.iter().map(|(_, value)| *value).collect();
            for (pointer, value) in [all.first(), all.get(all.len() / 2), all.last()].into_iter().flatten() {
                for other in others(value, &values) {
                    let mut changed = record.clone();
                    *changed.pointer_mut(pointer).unwrap() = other.clone();
                    assert!(verified(&games, &changed).is_err(), "{name}: {pointer} {value} -> {other}");
                }
                let (above, last) = pointer.rsplit_once('/').unwrap();
                let mut changed = record.clone();
                match changed.pointer_mut(above).unwrap() {
                    Value::Object(above) => drop(above.remove(&last.replace("~1", "/"))),
                    Value::Array(above) => drop(above.remove(last.parse().unwrap())),
                    _ => panic!("nothing is below a leaf"),
                }
                assert!(verified(&games, &changed).is_err(), "{name}: without {pointer}");
            }
        }
    }
}

#[test]
fn a_property_that_no_record_has_is_refused_wherever_it_is() {
    fn objects(value: &Value, pointer: &str, all: &mut Vec<String>) {
        match value {
            Value::Object(below) => {
                all.push(pointer.to_owned());
                below.iter().for_each(|(name, value)| objects(value, &format!("{pointer}/{name}"), all));
            }
            Value::Array(below) => {
                below.iter().enumerate().for_each(|(at, value)| objects(value, &format!("{pointer}/{at}"), all));
            }
            _ => {}
        }
    }
    let games = standard();
    for (name, record) in records() {
        let mut all = Vec::new();
        objects(&record, "", &mut all);
        for pointer in all {
            let mut changed = record.clone();
            changed.pointer_mut(&pointer).unwrap()["besides"] = json!(1);
            assert!(verified(&games, &changed).is_err(), "{name}: {pointer}");
        }
    }
}

/// The step of this number, from 0, that is an action of this name.
fn nth(record: &Value, action: &str, number: usize) -> usize {
    let steps = record["steps"].as_array().unwrap().iter().enumerate();
    steps.filter(|(_, step)| step["action"] == action).nth(number).unwrap().0
}

#[test]
fn what_is_checked_in_part_is_refused_where_it_cannot_be() {
    type Change = fn(&mut Value);
    let at_first: Change = |record| {
        let last = record["steps"].as_array().unwrap().len() - 1;
        record["steps"][last]["at"] = record["steps"][0]["at"].clone();
    };
    let cases: &[(&str, &str, Change)] = &[
        ("options.*", "fork", |record| record["options"]["turn_limit"] = json!(51)),
        ("options.*", "contiguity", |record| record["options"]["bidding"] = json!(true)),
        ("options.*", "absolution", |record| record["options"]["first_player"] = json!("random")),
        ("bots[].version", "bot", |record| record["bots"][0]["version"] = json!(5)),
        ("bots[].version", "bot", |record| record["bots"][0]["version"] = json!(0)),
        ("from_match", "claim", |record| record["from_match"] = json!(MatchId::from_number(78))),
        ("created_by.*", "claim", |record| record["created_by"]["name"] = json!("Nobody")),
        ("created_by.*", "fork", |record| record["created_by"]["tag"] = json!("0000")),
        ("created_by.*", "fork", |record| record["created_by"]["kind"] = json!("bot")),
        ("move_time_seconds", "claim", |record| record["move_time_seconds"] = json!(90)),
        ("move_time_seconds", "clocks", |record| record["move_time_seconds"] = json!(90)),
        ("move_time_seconds", "contiguity", |record| record["move_time_seconds"] = json!(0)),
        ("clock.initial_seconds", "clocks", |record| record["clock"]["initial_seconds"] = json!(604_801)),
        ("clock.increment_seconds", "clocks", |record| record["clock"]["increment_seconds"] = json!(61)),
        ("clock.delay_seconds", "clocks", |record| record["clock"]["delay_seconds"] = json!(2)),
        ("clock.max_bank_seconds", "clocks", |record| record["clock"]["max_bank_seconds"] = json!(604_800)),
        ("clock.first_move_seconds", "clocks", |record| record["clock"]["first_move_seconds"] = json!(30)),
        ("clock.on_timeout", "passed", |record| record["clock"]["on_timeout"] = json!("forfeit")),
        ("clock.timeouts_allowed", "passed", |record| record["clock"]["timeouts_allowed"] = json!(2)),
        ("clock.takeover_bot.level", "clocks", |record| record["clock"]["takeover_bot"]["level"] = json!("hard")),
        ("clock.takeover_bot.version", "clocks", |record| record["clock"]["takeover_bot"]["version"] = json!(1)),
        ("undo", "clocks", |record| record["undo"] = json!("turn")),
        ("undo", "fork", |record| record["undo"] = json!("off")),
        ("hints", "henge", |record| record["hints"] = json!(false)),
        ("rated", "clocks", |record| record["rated"] = json!(true)),
        ("tags[]", "league", |record| record["tags"][0] = json!("Round 1")),
        ("tags[]", "league", |record| record["tags"][1] = json!("round-1")),
        ("steps[].at", "claim", at_first),
        ("steps[].at", "clocks", at_first),
        ("steps[].at", "bot", |record| record["steps"][3]["at"] = json!("2027-01-15T09:00:00+01:00")),
        ("steps[].position.state_version", "fork", |record| {
            record["steps"][0]["position"]["state_version"] = json!(99);
        }),
        ("steps[].position.state.*", "fork", |record| {
            record["steps"][0]["position"]["state"]["options"]["turn_limit"] = json!(60);
        }),
        ("paired[].entropy", "pool", |record| record["paired"][1]["entropy"] = json!("elm")),
        ("steps[].entropy", "absolution", |record| {
            let join = nth(record, "join", 0);
            record["steps"][join]["entropy"] = json!("elm");
        }),
        // A mark on the move of a person, and on one that is not the first.
        ("steps[].cut_short", "contiguity", |record| {
            let moved = nth(record, "move", 0);
            record["steps"][moved]["cut_short"] = json!(true);
        }),
        ("steps[].planned", "henge", |record| {
            let moved = nth(record, "move", 0);
            record["steps"][moved]["planned"] = json!(true);
        }),
        ("steps[invite].at", "clocks", |record| record["steps"][1]["at"] = json!("2020-01-01T00:00:00Z")),
        ("steps[invite].seat", "clocks", |record| record["steps"][1]["seat"] = json!(0)),
    ];
    let (games, records) = (standard(), records());
    for (path, name, change) in cases {
        assert!(LEAVES.iter().any(|leaf| leaf.path == *path && leaf.checked == Coverage::Partial), "{path}");
        let mut changed = named(&records, name).clone();
        change(&mut changed);
        assert_ne!(changed, *named(&records, name), "{path} of {name}");
        assert!(verified(&games, &changed).is_err(), "{path} of {name}");
    }
    let tried = |path: &str| path == "bots[].level" || cases.iter().any(|(tried, ..)| *tried == path);
    let untried: Vec<&str> = LEAVES
        .iter()
        .filter(|leaf| leaf.checked == Coverage::Partial && !tried(leaf.path))
        .map(|leaf| leaf.path)
        .collect();
    assert_eq!(untried, [""; 0]);
}

/// Marks a move as planned, and says so in the event too.
fn planned(record: &Value, step: usize) -> Value {
    let mut marked = record.clone();
    marked["format"] = json!("sarsen/record/2");
    marked["steps"][step]["planned"] = json!(true);
    let events = marked["steps"][step]["events"].as_array_mut().unwrap();
    events.iter_mut().filter(|event| event["type"] == "move_made").for_each(|event| event["planned"] = json!(true));
    marked
}

#[test]
fn a_mark_that_cannot_be_is_refused_on_whichever_move() {
    let games = standard();
    let refused = |record: &Value| verified(&games, record).err().unwrap_or_default();
    for (name, record) in records() {
        for (step, _) in
            record["steps"].as_array().unwrap().iter().enumerate().filter(|(_, step)| step["action"] == "move")
        {
            let possible = record["game"] == "contiguity" && !["passed", "fork"].contains(&name.as_str());
            let found = refused(&planned(&record, step));
            // In a slow match of open information a plan may have made any move that answers another.
            assert!(possible || found.contains("planned"), "{name}: step {step}: {found}");
            let mut cut = record.clone();
            cut["format"] = json!("sarsen/record/2");
            cut["steps"][step]["cut_short"] = json!(true);
            assert!(
                name == "bot" || refused(&cut).contains("cut short") || step == cut["steps"].as_array().unwrap().len(),
                "{name}: {step}: {}",
                refused(&cut)
            );
        }
    }
    // The first move answers none, nor does one after an undo or one's own.
    let records = records();
    let contiguity = named(&records, "contiguity");
    assert!(refused(&planned(contiguity, nth(contiguity, "move", 0))).contains("planned"));
    assert_eq!(refused(&planned(contiguity, nth(contiguity, "move", 1))), "");
    let clocks = named(&records, "clocks");
    let back = nth(clocks, "accept_takeback", 0);
    let after = (back..).find(|step| clocks["steps"][*step]["action"] == "move").unwrap();
    assert!(refused(&planned(clocks, after)).contains("planned"));
    // A bot makes no plan, and one's first legal move alone can have been cut short.
    let bot = named(&records, "bot");
    for number in 0..6 {
        let step = nth(bot, "move", number);
        let mut cut = bot.clone();
        cut["steps"][step]["cut_short"] = json!(true);
        if bot["steps"][step]["seat"] == 1 {
            assert!(refused(&planned(bot, step)).contains("a bot made it"));
            let thought = bot["steps"][step]["cut_short"] != true;
            assert_eq!(refused(&cut).contains("not the first legal move"), thought, "{number}");
        } else {
            assert!(refused(&cut).contains("no bot made it"));
        }
    }
}

#[test]
fn deeds_of_persons_are_not_those_of_bots() {
    let games = standard();
    let record = with_a_bot();
    for (action, event) in [("resign", "player_resigned"), ("offer_draw", "draw_offered"), ("hint", "hint_used")] {
        let mut changed = record.clone();
        let last = changed["steps"].as_array().unwrap().len() - 1;
        changed["steps"][last]["action"] = json!(action);
        changed["steps"][last]["seat"] = json!(1);
        changed["steps"][last]["events"][0] = json!({"type": event, "seat": 1});
        let found = verified(&games, &changed).unwrap_err();
        assert!(found.contains("no player holds the seat"), "{action}: {found}");
    }
    let mut empty = record;
    let step = json!({"version": 2, "at": empty["steps"][0]["at"], "action": "end_reservations", "events": []});
    empty["steps"][1] = step;
    assert!(verified(&games, &empty).unwrap_err().contains("no seat was kept"));
}

#[test]
fn the_moves_of_bots_are_found_again_or_counted() {
    let games = standard();
    let again = |record: Value| {
        let record = MatchExport::read(record.to_string().as_bytes()).unwrap();
        verify_bots(&games, &bots(), &record)
    };
    let record = with_a_bot();
    let (_, done) = again(record.clone()).unwrap();
    assert_eq!((done.found, done.cut_short, done.passed_over), (2, 1, 0));
    let mut harder = record.clone();
    harder["bots"][0]["level"] = json!("hard");
    assert!(matches!(again(harder), Err(Discrepancy::Bot { .. })));
    let mut older = record.clone();
    older["bots"][0]["version"] = json!(1);
    let (_, done) = again(older).unwrap();
    assert_eq!((done.found, done.cut_short, done.passed_over), (0, 1, 2));
    let mut newer = record;
    newer["bots"][0]["version"] = json!(5);
    let newer = again(newer).unwrap_err();
    assert!(matches!(newer, Discrepancy::NewerBots(5)) && newer.is_beyond_this_release());
}
