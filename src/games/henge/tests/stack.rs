//! The stack in views for each kind of decision: what is being decided, why, and the counters and options.
//!
//! In the rows a stack is written from the bottom to the top, with `>` between entries: a main action as `act`, a
//! sub-action as `sub`, both with the units done and their limit; effects and choices with what they are printed on.

use serde_json::{Value, json};

use super::super::components::testing::changed;
use super::super::components::{Pool, Privilege};
use super::super::state::{EndCause, Stage, Trigger};
use super::desk::Desk;
use super::*;
use sarsen_rules::{Nobody, Status, Viewer, play, rehearse, settle};

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// An entry without its further counters.
fn entry(frame: &Value) -> String {
    let source = &frame["source"];
    let detail = ["card", "privilege", "step"].map(|key| &source[key]).into_iter().find(|value| !value.is_null());
    let kind = text(&frame["type"]);
    match kind.as_str() {
        "action" => {
            let name = if frame["is_sub_action"] == true { "sub" } else { "act" };
            format!("{name} {} {}/{}", text(&frame["action"]), frame["units"], frame["limit"])
        }
        "effects" | "choose" => {
            format!("{kind} {} {}", text(&source["kind"]), text(detail.unwrap()).rsplit('.').next().unwrap())
        }
        "discard" | "drop" | "luck_draws" | "bonus_draws" => format!("{kind} {}", frame["left"]),
        "reward" => format!("reward {}", text(&frame["pool"])),
        "end_of_turn" => format!("end {}", text(&frame["step"])),
        _ => kind,
    }
}

/// The stack as everybody sees it.
fn stack(state: &State) -> Vec<Value> {
    let stacks = [Viewer::Spectator, Viewer::Seat(seat(0))].map(|viewer| json!(state.view(viewer).stack));
    assert_eq!(stacks[0], stacks[1]);
    stacks[0].as_array().unwrap().clone()
}

fn written(state: &State) -> String {
    stack(state).iter().map(entry).collect::<Vec<_>>().join(" > ")
}

/// The entry on top after the moves, which must have led to this stack and told of it by an event.
fn top(mut desk: Desk, moves: &str, expected: &str) -> Value {
    let events = desk.play(moves);
    let stack = stack(&desk.state);
    assert_eq!(written(&desk.state), expected, "{moves}");
    assert!(matches!(desk.state.status(), Status::ToAct(seats) if seats.first() == Some(seat(0))), "{moves}");
    if let Some(event) = events.last() {
        let event = serde_json::to_value(event).unwrap();
        assert_eq!((&event["type"], &event["stack"]), (&json!("henge_decision_due"), &json!(stack)), "{moves}");
    }
    stack.last().unwrap().clone()
}

/// A stack on which these entries lie on those of a turn.
fn turn(entries: &str) -> String {
    format!("end goal > track > {entries}")
}

/// Seat 0 one step before an income, with a card that keeps decisions open.
fn desk() -> Desk {
    Desk::new("hhh").pawn(4).hand(0, "L07").chits(Pool::A, "A09")
}

/// Seat 0 at the Luck track after an income, with this number of steps done.
fn at_track(steps: u8, tile_of_a: &str, tile_of_b: &str) -> Desk {
    let mut desk = desk().luck_deck("L08").chits(Pool::A, tile_of_a).chits(Pool::B, tile_of_b);
    desk.person(0).luck_steps = steps;
    desk.play("rondel 1 income; income; done");
    desk
}

/// Seat 0 one step before a druid, with this number placed.
fn druids(placed: usize) -> Desk {
    let rows = ["0".repeat(placed.min(5)), "0".repeat(placed.saturating_sub(5))];
    desk().pawn(1).coins(0, 20).druids(3, &rows[0]).druids(4, &rows[1])
}

#[test]
fn the_pawns_move_tells_what_cards_add() {
    let frame = json!({"type": "move", "free_steps": 0, "double_transport": false});
    assert_eq!(top(desk(), "", &turn("move")), frame);
    let frame = json!({"type": "move", "free_steps": 3, "double_transport": true});
    assert_eq!(top(desk().hand(0, "L19"), "luck L19", &turn("move")), frame);
}

#[test]
fn a_main_action_tells_its_limits_and_what_cards_add() {
    let plain = |action: &str, units: u8, limit: Option<u8>| {
        json!({
            "action": action, "is_sub_action": false, "units": units, "limit": limit, "discount": 0, "adjacent": 0, "remote": 0,
            "storage": 0, "start": 0, "unit_victory_points": 0, "as_carved": 0, "any_level": false,
        })
    };
    let with = |mut act: Value, changes: Value| {
        act.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        act
    };
    let carving = || desk().pawn(2).holds(0, "S01", 0, false);
    let rows: [(Desk, &str, &str, Value); 8] = [
        (desk(), "rondel 1 income", "act income 0/1", plain("income", 0, Some(1))),
        (desk().pawn(2), "rondel 1 luck", "act luck 0/1", plain("luck", 0, Some(1))),
        (desk().pawn(7).holds(0, "S15", 0, false), "rondel 1 arrive", "act arrive 0/1", plain("arrive", 0, Some(1))),
        (
            desk().pawn(20).quarry("S01 S02 S03 S05").level(0, Privilege::Stone, 1).hand(0, "L27 L29"),
            "rondel 1 quarry; luck L27; quarry 1; luck L29",
            "act quarry 1/3",
            with(plain("quarry", 1, Some(3)), json!({"discount": 2, "storage": 1, "start": 4})),
        ),
        (
            carving().hand(0, "L31 L33"),
            "rondel 1 carve; luck L31; luck L33",
            "act carve 0/null",
            with(plain("carve", 0, None), json!({"discount": 3, "unit_victory_points": 3})),
        ),
        (
            druids(0).level(0, Privilege::Druid, 2).hand(0, "L34 L38"),
            "rondel 1 druid; luck L34; luck L38; druid 1",
            "act druid 1/3",
            with(plain("druid", 1, Some(3)), json!({"discount": 4, "adjacent": 1, "remote": 1})),
        ),
        (
            druids(0).level(0, Privilege::Druid, 2),
            "rondel 1 druid; druid 2",
            "act druid 1/2",
            plain("druid", 1, Some(2)),
        ),
        (
            desk().pawn(1).delivered(0, "S08", false).hand(0, "L42 L45 L49"),
            "rondel 1 install; luck L42; luck L45; luck L49",
            "act install 0/null",
            with(
                plain("install", 0, None),
                json!({"adjacent": 2, "unit_victory_points": 2, "as_carved": 1, "any_level": true}),
            ),
        ),
    ];
    for (desk, moves, expected, act) in rows {
        assert_eq!(top(desk, moves, &turn(expected)), with(act, json!({"type": "action"})), "{moves}");
    }
}

#[test]
fn a_sub_action_tells_its_limits_and_what_asked_for_it() {
    let sub = |action: &str, limit: u8, discount: u8, reach: u8| {
        json!({
            "type": "action", "action": action, "is_sub_action": true, "units": 0, "limit": limit, "discount": discount,
            "adjacent": reach, "remote": reach, "storage": 0, "start": 0, "unit_victory_points": 0, "as_carved": 0,
            "any_level": false,
        })
    };
    let gift = |tile: &str| desk().hand(0, "L15").chits(Pool::B, tile).holds(0, "S01", 0, false);
    let rows: [(Desk, &str, String, Value); 7] = [
        (
            desk().hand(0, "L11").holds(0, "S01", 0, false),
            "rondel 1 income; luck L11",
            turn("act income 0/1 > effects luck_card L11 > sub carve 0/1"),
            sub("carve", 1, 4, 0),
        ),
        (
            gift("B08"),
            "rondel 1 income; luck L15; reward B08",
            turn("act income 0/1 > effects luck_card L15 > effects reward B08 > sub druid 0/1"),
            sub("druid", 1, 9, 1),
        ),
        (
            gift("B10"),
            "rondel 1 income; luck L15; reward B10",
            turn("act income 0/1 > effects luck_card L15 > effects reward B10 > sub carve 0/2"),
            sub("carve", 2, 4, 0),
        ),
        (
            gift("B11").quarry("S02 - - -"),
            "rondel 1 income; luck L15; reward B11",
            turn("act income 0/1 > effects luck_card L15 > effects reward B11 > sub quarry 0/1"),
            sub("quarry", 1, 4, 0),
        ),
        (
            gift("B12").delivered(0, "S08", false),
            "rondel 1 income; luck L15; reward B12",
            turn("act income 0/1 > effects luck_card L15 > effects reward B12 > sub install 0/1"),
            sub("install", 1, 0, 1),
        ),
        (
            druids(9).holds(0, "S01", 0, false),
            "rondel 1 druid; druid 1; choose 1",
            turn("act druid 1/1 > effects druid_track 10 > effects druid_track 10 > sub carve 0/1"),
            sub("carve", 1, 4, 0),
        ),
        // The main action has ended.
        (
            at_track(3, "A11", "").holds(0, "S01", 0, false),
            "track L07; reward A11",
            "end goal > effects luck_track 4 > effects reward A11 > sub carve 0/1".to_owned(),
            sub("carve", 1, 3, 0),
        ),
    ];
    for (desk, moves, expected, frame) in rows {
        assert_eq!(top(desk, moves, &expected), frame, "{moves}");
    }
}

#[test]
fn a_choice_tells_its_options_and_what_offers_them() {
    let coins = |n: u8| format!("Gain {n} coins.");
    let rows: [(Desk, &str, &str, Value, [String; 2]); 3] = [
        (
            desk().hand(0, "L16"),
            "rondel 1 income; luck L16",
            "act income 0/1 > effects luck_card L16 > choose luck_card L16",
            json!({"kind": "luck_card", "card": "L16"}),
            [coins(6), "Advance all your uninstalled stones by 4 steps.".to_owned()],
        ),
        (
            desk().hand(0, "L13").chits(Pool::A, "A13"),
            "rondel 1 income; luck L13; reward A13",
            "act income 0/1 > effects luck_card L13 > effects reward A13 > choose reward A13",
            json!({"kind": "reward", "card": "A13"}),
            [coins(5), "Score 3 VP.".to_owned()],
        ),
        (
            druids(9),
            "rondel 1 druid; druid 1",
            "act druid 1/1 > effects druid_track 10 > choose druid_track 10",
            json!({"kind": "druid_track", "step": "druid_track.10"}),
            ["You may carve 1 stone, for 4 coins less.".to_owned(), coins(4)],
        ),
    ];
    for (desk, moves, expected, source, options) in rows {
        let frame = top(desk, moves, &turn(expected));
        assert_eq!((&frame["source"], &frame["options"]), (&source, &json!(options)), "{moves}");
    }
}

#[test]
fn discards_and_drops_tell_how_many_and_what_has_drawn() {
    let level = |desk: Desk| desk.level(0, Privilege::Luck, 1);
    let rows: [(Desk, &str, String, u8); 10] = [
        (level(desk()), "rondel 1 income; income", turn("act income 1/1 > luck_draws 0 > discard 1"), 1),
        (
            desk().level(0, Privilege::Luck, 2),
            "rondel 1 income; income; discard L07",
            turn("act income 1/1 > luck_draws 0 > discard 1"),
            1,
        ),
        // One more draw is to come.
        (level(desk().pawn(2)), "rondel 1 luck; draw", turn("act luck 1/1 > luck_draws 1 > discard 1"), 1),
        (
            level(desk().pawn(2).hand(0, "L24")),
            "rondel 1 luck; luck L24",
            turn("act luck 0/1 > effects luck_card L24 > luck_draws 0 > discard 1"),
            1,
        ),
        (
            level(desk().hand(0, "L13").chits(Pool::A, "A03")),
            "rondel 1 income; luck L13; reward A03",
            turn("act income 0/1 > effects luck_card L13 > effects reward A03 > luck_draws 0 > discard 1"),
            1,
        ),
        (
            level(druids(1)),
            "rondel 1 druid; druid 1",
            turn("act druid 1/1 > effects druid_track 2 > luck_draws 0 > discard 1"),
            1,
        ),
        (
            desk().hand(0, "L09"),
            "rondel 1 income; luck L09",
            turn("act income 0/1 > effects luck_card L09 > bonus_draws 0 > drop 2"),
            2,
        ),
        (
            druids(4),
            "rondel 1 druid; druid 1",
            turn("act druid 1/1 > effects druid_track 5 > bonus_draws 0 > drop 2"),
            2,
        ),
        (
            desk().hand(0, "L15").chits(Pool::B, "B01").level(0, Privilege::Druid, 2),
            "rondel 1 income; luck L15; reward B01; level druid",
            turn(
                "act income 0/1 > effects luck_card L15 > effects reward B01 > effects privilege_end druid > bonus_draws 0 > drop 2",
            ),
            2,
        ),
        (at_track(5, "", ""), "track L07", "end goal > effects luck_track 6 > bonus_draws 0 > drop 2".to_owned(), 2),
    ];
    for (desk, moves, expected, left) in rows {
        let kind = if left == 1 { "discard" } else { "drop" };
        assert_eq!(top(desk, moves, &expected), json!({"type": kind, "left": left}), "{moves}");
    }
}

#[test]
fn a_gain_to_choose_tells_its_pool_and_what_gives_it() {
    let reward = |pool: &str| json!({"type": "reward", "pool": pool});
    let level = json!({"type": "level"});
    let taught = changed("a step of the Luck track that raises a privilege", |json| {
        json["luck_track"][0] = json!([{"do": "level", "which": "any"}]);
    });
    let mut track = Desk::with(&taught, "hhh").pawn(4).hand(0, "L07").luck_deck("L08");
    track.play("rondel 1 income; income; done");
    let rows: [(Desk, &str, String, Value); 9] = [
        (
            desk().hand(0, "L13"),
            "rondel 1 income; luck L13",
            turn("act income 0/1 > effects luck_card L13 > reward A"),
            reward("A"),
        ),
        (
            desk().hand(0, "L15").chits(Pool::B, "B06"),
            "rondel 1 income; luck L15",
            turn("act income 0/1 > effects luck_card L15 > reward B"),
            reward("B"),
        ),
        (druids(2), "rondel 1 druid; druid 1", turn("act druid 1/1 > effects druid_track 3 > reward A"), reward("A")),
        (at_track(7, "", "B06"), "track L07", "end goal > effects luck_track 8 > reward B".to_owned(), reward("B")),
        // A stone has brought the privilege beyond its top.
        (
            desk().level(0, Privilege::Luck, 3).delivered(0, "S03", true),
            "rondel 1 install; install S03@12m",
            turn("act install 1/null > effects privilege_end luck > reward A"),
            reward("A"),
        ),
        (
            desk().hand(0, "L15").chits(Pool::B, "B01").level(0, Privilege::Luck, 3),
            "rondel 1 income; luck L15; reward B01; level luck",
            turn("act income 0/1 > effects luck_card L15 > effects reward B01 > effects privilege_end luck > reward A"),
            reward("A"),
        ),
        (
            desk().hand(0, "L15").chits(Pool::B, "B01"),
            "rondel 1 income; luck L15; reward B01",
            turn("act income 0/1 > effects luck_card L15 > effects reward B01 > level"),
            level.clone(),
        ),
        (druids(6), "rondel 1 druid; druid 1", turn("act druid 1/1 > effects druid_track 7 > level"), level.clone()),
        (track, "track L07", "end goal > effects luck_track 1 > level".to_owned(), level.clone()),
    ];
    for (desk, moves, expected, frame) in rows {
        assert_eq!(top(desk, moves, &expected), frame, "{moves}");
    }
}

#[test]
fn the_track_is_a_decision_of_its_own() {
    assert_eq!(top(desk(), "rondel 1 income; income; done", "end goal > track"), json!({"type": "track"}));
}

#[test]
fn what_goes_on_by_itself_is_told_too() {
    // A person who has no card to play, two Hengebots, and the last round: a stack before each chance step.
    let mut desk = Desk::new("hbb").pawn(2);
    desk.state.trigger = Some(Trigger { round: 0, cause: EndCause::Deck });
    desk.play("rondel 1 luck");
    rehearse(&Henge::default(), &mut desk.state, seat(0), Henge::default().parse("draw").unwrap()).unwrap();
    let mut seen = Vec::new();
    while !matches!(desk.state.status(), Status::Over(_)) {
        if let Status::ToAct(_) = desk.state.status() {
            rehearse(&Henge::default(), &mut desk.state, seat(0), Henge::default().parse("done").unwrap()).unwrap();
        } else {
            seen.push(written(&desk.state));
            Henge::default().resolve(&mut desk.state, &mut desk.dice, &mut Nobody);
        }
    }
    assert_eq!(
        seen,
        [
            "end goal > track > act luck 1/1 > luck_draws 2",
            "end goal > track > act luck 1/1 > luck_draws 1",
            "end quarry",
            "end refill",
            "end quarry > hengebot",
            "end quarry > hengebot",
            "scoring",
        ]
    );
    let mut desk = Desk::new("hbb").pawn(4).hand(0, "L09");
    desk.play("rondel 1 income");
    rehearse(&Henge::default(), &mut desk.state, seat(0), Henge::default().parse("luck L09").unwrap()).unwrap();
    assert_eq!(written(&desk.state), turn("act income 0/1 > effects luck_card L09 > bonus_draws 1"));
}

#[test]
fn before_the_first_turn_the_stage_says_what_is_due() {
    let mut dice = dice(1);
    let (mut state, mut events) = Henge::default().setup(&options("hhb"), people("hhb"), &mut dice);
    settle(&Henge::default(), &mut state, &mut dice, &mut events);
    let due = |state: &State| {
        let view = serde_json::to_value(state.view(Viewer::Spectator)).unwrap();
        assert_eq!(view["stack"], json!([]));
        let still: Vec<bool> =
            [0, 1].map(|place: usize| view["players"][place]["mat"]["has_spring"] == false).into_iter().collect();
        (text(&view["stage"]), still, view["upgrading"].clone())
    };
    assert_eq!(due(&state), ("spring".to_owned(), vec![true, true], Value::Null));
    for (number, left) in [(1, vec![true, false]), (0, vec![false, false])] {
        let chosen = state.legal(seat(number))[0];
        play(&Henge::default(), &mut state, seat(number), chosen, &mut dice).unwrap();
        let expected = if number == 1 { ("spring", Value::Null) } else { ("upgrade", json!(1)) };
        assert_eq!(due(&state), (expected.0.to_owned(), left, expected.1));
    }
    play(&Henge::default(), &mut state, seat(1), Henge::default().parse("upgrade coin").unwrap(), &mut dice).unwrap();
    assert_eq!(due(&state), ("upgrade".to_owned(), vec![false, false], json!(0)));
    play(&Henge::default(), &mut state, seat(0), Henge::default().parse("upgrade luck").unwrap(), &mut dice).unwrap();
    assert_eq!((state.stage, written(&state)), (Stage::Play, turn("move")));
}
