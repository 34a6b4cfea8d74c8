//! JSON, notation, what is stored.

use serde_json::{Value, json};

use super::*;

#[test]
fn moves_are_written_as_specified() {
    let cases = [
        ("nominate 2", json!({"type": "nominate", "seat": 2})),
        ("exchange D7 N12", json!({"type": "exchange", "give": "D7", "take": "N12"})),
        ("play D6 TB", json!({"type": "play", "cards": ["D6", "TB"]})),
        ("play N30", json!({"type": "play", "cards": ["N30"]})),
        ("pass", json!({"type": "pass"})),
        ("wish 14 blue", json!({"type": "wish", "numbers": [14], "colours": ["blue"]})),
        ("wish red", json!({"type": "wish", "numbers": [], "colours": ["red"]})),
        ("ready day 2 great", json!({"type": "ready", "phase": "day", "number": 2, "word": "great"})),
        ("ready night 30 poor", json!({"type": "ready", "phase": "night", "number": 30, "word": "poor"})),
    ];
    for (notation, json) in cases {
        let mv = Absolution.parse(notation).unwrap();
        assert_eq!(serde_json::to_value(&mv).unwrap(), json);
        assert_eq!(serde_json::from_value::<Move>(json).unwrap(), mv);
        assert_eq!(Absolution.notation(&mv), notation);
    }
}

#[test]
fn reading_forgives_case_blanks_and_order() {
    let cases = [
        (" PLAY  tb d6 ", "play D6 TB"),
        ("play D15 n15", "play N15 D15"),
        ("Exchange\tn7 Ty", "exchange N7 TY"),
        ("wish red 14 Blue 3", "wish 3 14 blue red"),
        ("Ready DAY 2 Great", "ready day 2 great"),
    ];
    for (text, canonical) in cases {
        assert_eq!(Absolution.notation(&Absolution.parse(text).unwrap()), canonical);
    }
    let read = |json: Value| serde_json::from_value::<Move>(json).unwrap();
    assert_eq!(read(json!({"type": "play", "cards": ["TB", "D6"]})), Absolution.parse("play D6 TB").unwrap());
    let wish = json!({"type": "wish", "numbers": [14, 3], "colours": ["red", "blue"]});
    assert_eq!(read(wish), Absolution.parse("wish 3 14 blue red").unwrap());
}

#[test]
fn what_is_no_move_is_refused_with_its_field() {
    let fault = |text: &str| {
        let refusal = Absolution.parse(text).unwrap_err();
        (refusal.code, refusal.rule, refusal.field.unwrap_or("-"))
    };
    assert_eq!(fault("nominate 5"), ("no_such_seat", "AB-01", "seat"));
    assert_eq!(fault("nominate x"), ("no_such_seat", "AB-01", "seat"));
    assert_eq!(fault("exchange D31 D1"), ("unknown_card", "1.5", "give"));
    assert_eq!(fault("exchange D1 TK"), ("unknown_card", "1.5", "take"));
    assert_eq!(fault("play 7"), ("unknown_card", "1.5", "cards"));
    assert_eq!(fault("play D7 d7"), ("named_twice", "AB-12", "cards"));
    for text in
        ["", "-", "nominate", "nominate 1 2", "exchange D1", "exchange D1 D2 D3", "pass D1", "ready day 2", "draw"]
    {
        assert_eq!(fault(text), ("unknown_notation", "9.1", "-"), "{text}");
    }
    let wrong = [
        (Some("AB-01"), json!({"type": "nominate", "seat": 5})),
        (Some("AB-01"), json!({"type": "nominate", "seat": -1})),
        (Some("AB-01"), json!({"type": "nominate", "seat": "2"})),
        (Some("9.2"), json!({"type": "exchange", "give": "D7"})),
        (Some("1.5"), json!({"type": "exchange", "give": "d7", "take": "D1"})),
        (Some("AB-12"), json!({"type": "play", "cards": ["D6", "D6"]})),
        (Some("1.5"), json!({"type": "play", "cards": ["D31"]})),
        (Some("1.5"), json!({"type": "play", "cards": "D6"})),
        (Some("9.2"), json!({"type": "play", "cards": ["D6"], "extra": 1})),
        (Some("9.2"), json!({"type": "pass", "extra": null})),
        (Some("6.3"), json!({"type": "ready", "phase": "day", "number": 2.0, "word": "great"})),
        (Some("AB-36"), json!({"type": "wish", "numbers": ["D3"], "colours": []})),
        (Some("6.2"), json!({"type": "wish", "numbers": [3, 3], "colours": []})),
        (Some("9.2"), json!({"type": "wish", "numbers": [3]})),
        (None, json!({"type": "draw"})),
        (None, json!({})),
    ];
    for (rule, json) in wrong {
        assert!(serde_json::from_value::<Move>(json.clone()).is_err(), "{json}");
        assert_eq!(Absolution.malformed_rule(&json), rule, "{json}");
    }
}

#[test]
fn options_have_defaults_and_no_strangers() {
    let read = |json: Value| serde_json::from_value::<Options>(json);
    assert_eq!(read(json!({})).unwrap(), Options { first_player: FirstPlayer::Vote, first_seat: None });
    let named = Options { first_player: FirstPlayer::Seat, first_seat: Some(seat(3)) };
    assert_eq!(read(json!({"first_player": "seat", "first_seat": 3})).unwrap(), named);
    for wrong in [json!({"first": 1}), json!({"first_player": "host"}), json!({"first_seat": 5})] {
        assert!(read(wrong.clone()).is_err(), "{wrong}");
    }
}

#[test]
fn the_druid_stands_on_a_bluestone_or_the_altar() {
    for text in ["B1", "B9", "B19", "altar"] {
        assert_eq!(text.parse::<Druid>().unwrap().to_string(), text);
    }
    for wrong in ["B0", "B20", "b1", "Altar", "1", ""] {
        assert!(serde_json::from_value::<Druid>(wrong.into()).is_err(), "{wrong}");
    }
}

#[test]
fn the_druids_way_is_on_the_board() {
    let board = Absolution.board();
    let way: Vec<String> = Druid::way().map(|druid| druid.to_string()).collect();
    assert_eq!((way.len(), way[0].as_str(), way[18].as_str(), way[19].as_str()), (20, "B1", "B19", "altar"));
    for (from, to) in way.iter().zip(&way[1..]) {
        assert!(board.edges.iter().any(|edge| (&edge.from, &edge.to) == (from, to)), "{from} to {to}");
    }
}

#[test]
fn stored_states_that_contradict_themselves_are_not_read() {
    let mut state = position(Phase::Day, 9, &["D7 D8", "D11"], "D9 D3");
    make(&mut state, &["exchange D7 D9"]);
    let good = serde_json::to_value(&state).unwrap();
    assert_eq!(serde_json::from_value::<State>(good.clone()).unwrap(), state);
    let wrong = [
        ("pile", json!("AAAA")),
        ("pile", good["field"].clone()),
        ("field", json!("")),
        ("discards", good["field"].clone()),
        ("players", json!([])),
        ("players", json!([good["players"][1], good["players"][0], good["players"][0]])),
        ("first", json!(2)),
        ("first", json!(null)),
        ("step", json!("voting")),
        ("turn", json!(60)),
        ("druid", json!("B20")),
        ("days_out", json!([6])),
        ("trilithons", json!([5])),
        ("votes", json!([[0]])),
        ("surplus", json!(0)),
    ];
    for (field, value) in wrong {
        let mut bad = good.clone();
        bad[field] = value.clone();
        assert!(serde_json::from_value::<State>(bad).is_err(), "{field} {value}");
    }
    let mut untaken = good;
    untaken["players"][1]["taken"] = untaken["players"][0]["taken"].clone();
    assert!(serde_json::from_value::<State>(untaken).is_err(), "seat 1 does not hold what it took");
}
