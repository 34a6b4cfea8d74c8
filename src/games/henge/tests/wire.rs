//! Moves as JSON and text, refusals, sizes.

use serde_json::{Value, json};

use super::super::components::Privilege;
use super::super::components::testing::{changed, sets};
use super::super::state::{Act, BotPiles, Built, Chits, LuckPiles, Person, Trigger};
use super::desk::Desk;
use super::*;
use sarsen_rules::{Status, Viewer, play, settle};

#[test]
fn moves_are_written_as_specified() {
    let written = [
        ("spring P01", json!({"type": "spring", "card": "P01"})),
        ("upgrade coin", json!({"type": "upgrade", "privilege": "coin"})),
        ("rondel 3 druid", json!({"type": "rondel", "steps": 3, "action": "druid"})),
        ("travel 9 install", json!({"type": "travel", "steps": 9, "action": "install"})),
        ("luck L17", json!({"type": "luck", "card": "L17"})),
        ("income", json!({"type": "income"})),
        ("draw", json!({"type": "draw"})),
        ("arrive", json!({"type": "arrive"})),
        ("quarry 2", json!({"type": "quarry", "position": "quarry.2"})),
        ("carve S04", json!({"type": "carve", "stone": "S04"})),
        ("druid 3", json!({"type": "druid", "area": "area.3"})),
        ("install S08@1a", json!({"type": "install", "stone": "S08", "slot": "1a"})),
        ("done", json!({"type": "done"})),
        ("discard L09", json!({"type": "discard", "card": "L09"})),
        ("drop E05", json!({"type": "drop", "card": "E05"})),
        ("reward A03", json!({"type": "reward", "tile": "A03"})),
        ("level luck", json!({"type": "level", "privilege": "luck"})),
        ("choose 1", json!({"type": "choose", "option": 1})),
        ("track L09", json!({"type": "track", "card": "L09"})),
    ];
    for (text, value) in written {
        let mv = Henge::default().parse(text).unwrap();
        assert_eq!((Henge::default().notation(&mv), serde_json::to_value(mv).unwrap()), (text.to_owned(), value));
    }
    assert_eq!(Henge::default().parse(" INSTALL  s08 @ 1A "), Henge::default().parse("install S08@1a"));
}

#[test]
fn what_is_no_move_is_refused() {
    let code = |text: &str| Henge::default().parse(text).unwrap_err().code;
    assert_eq!(code(""), "unknown_notation");
    assert_eq!(Henge::default().parse("").unwrap_err().rule, "8.1");
    assert_eq!(code("rondel"), "unknown_notation");
    assert_eq!(code("rondel 0 druid"), "number_out_of_range");
    assert_eq!(code("rondel 3 dance"), "unknown_action");
    assert_eq!(code("druid 6"), "unknown_area");
    assert_eq!(code("upgrade speed"), "unknown_privilege");
    assert_eq!(code("luck L0123456789abcdef"), "unknown_id");
    assert_eq!(Henge::default().parse("druid 6").unwrap_err().rule, "8.3");
    assert_eq!(Henge::default().malformed_rule(&json!({"type": "druid", "area": 6})), Some("8.2"));
    for json in [
        json!({"type": "rondel", "steps": 100, "action": "druid"}),
        json!({"type": "quarry", "position": 0}),
        json!({"type": "quarry", "position": "quarry.0"}),
        json!({"type": "quarry", "position": "step.1"}),
        json!({"type": "druid", "area": "area.6"}),
        json!({"type": "druid", "area": 6}),
        json!({"type": "luck", "card": ""}),
        json!({"type": "luck", "card": "L01", "extra": 1}),
        json!({"type": "dance"}),
    ] {
        assert!(serde_json::from_value::<Move>(json.clone()).is_err(), "{json}");
    }
}

/// Section 8.3.
#[test]
fn numbers_places_and_ids_have_the_bounds_of_8_3() {
    let reads = |json: Value| serde_json::from_value::<Move>(json).is_ok();
    let id = |letters: usize| "S-_4".repeat(5)[..letters].to_owned();
    for (number, is_one) in [(0, false), (1, true), (99, true), (100, false)] {
        let walk = json!({"type": "rondel", "steps": number, "action": "druid"});
        let travel =
            json!({"type": "rondel", "steps": 1, "action": "druid", "to": format!("step.{number}"), "price": 0});
        let quarry = json!({"type": "quarry", "position": format!("quarry.{number}")});
        for json in [walk, travel, quarry, json!({"type": "choose", "option": number})] {
            assert_eq!(reads(json.clone()), is_one, "{json}");
        }
    }
    for (area, is_one) in [(0, false), (1, true), (5, true), (6, false)] {
        assert_eq!(reads(json!({"type": "druid", "area": format!("area.{area}")})), is_one, "{area}");
    }
    for (length, is_one) in [(0, false), (1, true), (16, true), (17, false)] {
        assert_eq!(reads(json!({"type": "carve", "stone": id(length)})), is_one, "{length}");
    }
    assert!(!reads(json!({"type": "carve", "stone": "S 4"})) && !reads(json!({"type": "carve", "stone": "É4"})));
    for privilege in ["rondel", "coin", "luck", "stone", "druid"] {
        assert!(reads(json!({"type": "level", "privilege": privilege})), "{privilege}");
    }
    for action in ["income", "luck", "quarry", "carve", "druid", "install", "arrive"] {
        assert!(reads(json!({"type": "rondel", "steps": 1, "action": action})), "{action}");
    }
}

/// Only text is forgiving; an id in another case is an id of something else.
#[test]
fn ids_of_json_moves_are_exact() {
    let refusal = |desk: &Desk, json: Value| {
        let mv: Move = serde_json::from_value(json).unwrap();
        let refusal = desk.state.check(desk.actor(), &mv).unwrap_err();
        (refusal.code, refusal.rule)
    };
    let mut desk = Desk::new("hhh").pawn(2).coins(0, 8).holds(0, "S01", 0, false).hand(0, "L01 L07");
    desk.play("rondel 1 carve");
    assert!(desk.allows("carve S01"));
    assert_eq!(Henge::default().parse("carve s01"), Henge::default().parse("carve S01"));
    assert_eq!(refusal(&desk, json!({"type": "carve", "stone": "s01"})), ("not_your_stone", "4.5"));
    assert_eq!(refusal(&desk, json!({"type": "luck", "card": "l01"})), ("not_in_hand", "4.8"));
    desk.play("carve S01; done");
    assert_eq!(refusal(&desk, json!({"type": "track", "card": "l07"})), ("not_in_hand", "4.8"));
    let mut desk = Desk::new("hhh").delivered(0, "S08", false);
    desk.play("rondel 1 install");
    assert_eq!(refusal(&desk, json!({"type": "install", "stone": "S08", "slot": "1A"})), ("unknown_slot", "4.7"));
    assert_eq!(refusal(&desk, json!({"type": "install", "stone": "s08", "slot": "1a"})), ("not_your_stone", "4.7"));
    let mut desk = Desk::new("hhh").pawn(4).level(0, Privilege::Luck, 1).hand(0, "L01");
    desk.play("rondel 1 income; income");
    assert_eq!(refusal(&desk, json!({"type": "discard", "card": "l01"})), ("not_in_hand", "4.8"));
}

/// Ids are read by their kind and, where one is spelled so, as they stand.
#[test]
fn notation_reads_back_what_it_writes() {
    let capitals = changed("a card in capitals", |json| json["luck"][50]["id"] = json!("RAVEN"));
    let set = changed("a slot called as a stone", |json| {
        let slots = json["boards"]["45"]["slots"].as_array_mut().unwrap();
        slots.iter_mut().find(|slot| slot["id"] == "45m").unwrap()["id"] = json!("s01");
        json["luck"][50]["id"] = json!("raven");
    });
    let mut desk = Desk::with(&set, "hhhh").pawn(19).delivered(0, "S01", true).hand(0, "raven");
    desk.play("rondel 1 install");
    assert!(desk.allows("install S01@s01"));
    let game = Henge::new(sets(&[&set, &capitals]));
    for mv in desk.state.legal(desk.actor()) {
        assert_eq!(game.parse(&game.notation(&mv)), Ok(mv));
    }
    let read = |text: &str| game.notation(&game.parse(text).unwrap());
    assert_eq!(read("install s01@S01"), "install S01@s01", "no other stone, no other slot");
    // The other set has a card that differs in case; each text is the card that is spelled so.
    for text in ["luck raven", "luck RAVEN", "discard raven", "track RAVEN"] {
        assert_eq!(read(text), text);
    }
    assert_eq!(read("luck Raven"), "luck raven");
    let plain = Henge::default();
    assert_eq!(plain.notation(&plain.parse("luck Raven").unwrap()), "luck Raven", "a game knows its own sets only");
}

#[test]
fn a_move_of_another_decision_is_refused() {
    let desk = Desk::new("hhh").hand(0, "L01 L17");
    assert_eq!(desk.refusal("druid 1"), ("other_decision_due", "3.1"));
    assert_eq!(desk.refusal("spring P01"), ("other_decision_due", "3.1"));
    assert_eq!(desk.refusal("luck L01"), ("window_closed", "H-34"));
    assert_eq!(desk.refusal("done"), ("not_optional", "3.3"));
    let mut desk = Desk::new("hhh").pawn(4).hand(0, "L07");
    desk.play("rondel 1 income");
    assert_eq!(desk.refusal("druid 1"), ("other_decision_due", "3.1"));
    desk.play("income");
    assert_eq!(desk.refusal("income"), ("limit_reached", "4.4"));
    desk.play("done");
    assert_eq!(desk.refusal("track L99"), ("not_in_hand", "4.8"));
}

/// The aims are 16 KB for a stored state and 32 KB for a view with its legal moves.
#[test]
fn states_and_views_stay_small() {
    let (mut dice, mut choice) = (dice(7), super::dice(8));
    let (mut state, mut events) = Henge::default().setup(&options("hhhhh"), people("hhhhh"), &mut dice);
    settle(&Henge::default(), &mut state, &mut dice, &mut events);
    let (mut largest_state, mut largest_view) = (0, 0);
    while let Status::ToAct(seats) = state.status() {
        let actor = seats.first().unwrap();
        let moves = state.legal(actor);
        let view = serde_json::to_vec(&state.view(Viewer::Seat(actor))).unwrap();
        largest_view = largest_view.max(view.len() + serde_json::to_vec(&moves).unwrap().len());
        largest_state = largest_state.max(serde_json::to_vec(&state).unwrap().len());
        let mv = moves[choice.index(moves.len()).unwrap()];
        play(&Henge::default(), &mut state, actor, mv, &mut dice).unwrap();
    }
    eprintln!("largest state {largest_state} bytes, largest view with legal moves {largest_view} bytes");
    assert!(largest_state < 8 << 10 && largest_view < 24 << 10, "{largest_state} and {largest_view} bytes");
}

#[test]
fn a_stored_state_that_does_not_fit_its_set_is_refused() {
    let state = Desk::new("hbh").built(1, "1a", "S08").holds(0, "S01", 0, false).state;
    let load = |stored: &Value| Henge::default().load(&serde_json::value::to_raw_value(stored).unwrap());
    let stored = serde_json::to_value(&state).unwrap();
    assert_eq!(load(&stored).unwrap(), state);
    let changes: [(&str, Value); 7] = [
        ("/c", json!([0, null])),
        ("/t", json!(3)),
        ("/pw", json!(20)),
        ("/s/0/1", json!(29)),
        ("/pa/0", json!([0, 0, 0, 0, 0, 0])),
        ("/p/0/5", json!(1u64 << 51)),
        ("/e/0/digest", json!("0000000000000000")),
    ];
    for (path, value) in changes {
        let mut changed = stored.clone();
        *changed.pointer_mut(path).unwrap() = value;
        assert!(load(&changed).is_err(), "{path}");
    }
}

/// The fields are stored by place, in this order: both values name the same fields.
fn stands_by_place<T>(by_place: Value, by_name: Value)
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let read: T = serde_json::from_value(by_place.clone()).unwrap();
    assert_eq!(read, serde_json::from_value(by_name).unwrap());
    assert_eq!(serde_json::to_value(&read).unwrap(), by_place);
}

#[test]
fn what_is_stored_by_place_stays_in_its_place() {
    stands_by_place::<Act>(
        json!(["luck", true, 1, 2, 3, 4, 5, 6, 7, 8, 9, false]),
        json!({"a": "luck", "s": true, "u": 1, "l": 2, "d": 3, "n": 4, "r": 5, "g": 6, "t": 7, "v": 8, "c": 9, "i": false}),
    );
    stands_by_place::<Person>(
        json!([1, 2, 3, [4, 5, 6, 7, 8], 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, [[19, 20, true]], [21]]),
        json!({
            "coins": 1, "travel_tokens": 2, "victory_points": 3, "levels": [4, 5, 6, 7, 8], "luck_steps": 9, "hand": 10,
            "offer": 11, "spring": 12, "marks": 13, "refused": 14, "end_of_game_cards": 15, "dropped": 16, "returned": 17,
            "end_of_game_drawn": 18, "stones": [{"s": 19, "a": 20, "c": true}], "installed": [21],
        }),
    );
    stands_by_place::<LuckPiles>(json!([1, [2], [3], 4]), json!({"deck": 1, "discards": [2], "spent": [3], "held": 4}));
    stands_by_place::<Chits>(json!([1, [2], [3]]), json!({"stack": 1, "face_up": [2], "used": [3]}));
    stands_by_place::<BotPiles>(json!([1, [2], [true]]), json!({"deck": 1, "discards": [2], "carve_token_up": [true]}));
    stands_by_place::<Built>(json!([1, 2]), json!({"p": 1, "s": 2}));
    stands_by_place::<Trigger>(json!([1, "deck"]), json!({"round": 1, "cause": "deck"}));
}
