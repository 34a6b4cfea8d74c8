//! JSON, notation, and what is stored.

use serde_json::{Value, json};

use super::*;

#[test]
fn moves_are_written_as_specified() {
    let cases = [
        ("place N7", json!({"type": "place", "pit": "N7"})),
        ("reverse TW", json!({"type": "reverse", "trilithon": "TW"})),
        ("roll D5 N11 stop", json!({"type": "roll", "trilithons": [], "cards": ["D5", "N11"], "ending": "stop"})),
        (
            "roll TW D5 N11 fall",
            json!({"type": "roll", "trilithons": ["TW"], "cards": ["D5", "N11"], "ending": "fall"}),
        ),
    ];
    for (notation, json) in cases {
        let mv = SacrificeRoulette.parse(notation).unwrap();
        assert_eq!(serde_json::to_value(mv).unwrap(), json);
        assert_eq!(serde_json::from_value::<Move>(json).unwrap(), mv);
        assert_eq!(SacrificeRoulette.notation(&mv), notation);
    }
    for (text, canonical) in [
        (" Place  n7 ", "place N7"),
        ("REVERSE tw", "reverse TW"),
        ("roll n11 tb d5 TW Fall", "roll TW TB D5 N11 fall"),
        ("roll d11 n11 match", "roll N11 D11 match"),
    ] {
        assert_eq!(SacrificeRoulette.notation(&SacrificeRoulette.parse(text).unwrap()), canonical);
    }
    let any_order = json!({"type": "roll", "ending": "stop", "trilithons": ["TR", "TW"], "cards": ["N11", "D5"]});
    let mv = serde_json::from_value::<Move>(any_order).unwrap();
    assert_eq!(SacrificeRoulette.notation(&mv), "roll TW TR D5 N11 stop");
}

#[test]
fn what_is_no_move_is_refused_with_its_field() {
    let fault = |text: &str| {
        let refusal = SacrificeRoulette.parse(text).unwrap_err();
        (refusal.code, refusal.rule, refusal.field.unwrap_or("-"))
    };
    assert_eq!(fault("place N31"), ("unknown_pit", "1.2", "pit"));
    assert_eq!(fault("place TW"), ("unknown_pit", "1.2", "pit"));
    assert_eq!(fault("reverse D5"), ("not_a_trilithon", "SR-32", "trilithon"));
    assert_eq!(fault("reverse TK"), ("unknown_card", "1.3", "trilithon"));
    assert_eq!(fault("roll D5"), ("unknown_ending", "3.4", "ending"));
    assert_eq!(fault("roll D5 crash"), ("unknown_ending", "3.4", "ending"));
    assert_eq!(fault("roll D5 X stop"), ("unknown_card", "1.3", "cards"));
    assert_eq!(fault("roll D5 d5 stop"), ("named_twice", "SR-15", "cards"));
    for text in ["", "roll", "place", "pass", "reverse", "reverse TW TB", "place N7 N8", "roll\u{0}"] {
        assert!(SacrificeRoulette.parse(text).is_err(), "{text}");
    }
    assert_eq!(fault("pass"), ("unknown_notation", "9.1", "-"));
    let wrong = [
        (Some("9.2"), json!({"type": "roll", "cards": ["D5"], "ending": "stop"})),
        (Some("9.2"), json!({"type": "roll", "trilithons": ["D5"], "cards": ["D5"], "ending": "stop"})),
        (Some("9.2"), json!({"type": "roll", "trilithons": [], "cards": ["TW"], "ending": "stop"})),
        (Some("SR-15"), json!({"type": "roll", "trilithons": [], "cards": ["D5", "D5"], "ending": "stop"})),
        (Some("1.3"), json!({"type": "roll", "trilithons": [], "cards": ["d5"], "ending": "stop"})),
        (Some("1.3"), json!({"type": "roll", "trilithons": [], "cards": "D5", "ending": "stop"})),
        (Some("3.4"), json!({"type": "roll", "trilithons": [], "cards": ["D5"], "ending": "Stop"})),
        (Some("9.2"), json!({"type": "roll", "trilithons": [], "cards": ["D5"], "ending": "stop", "order": ["D5"]})),
        (Some("SR-32"), json!({"type": "reverse", "trilithon": "D5"})),
        (Some("9.2"), json!({"type": "reverse"})),
        (Some("1.2"), json!({"type": "place", "pit": "TW"})),
        (Some("9.2"), json!({"type": "place", "pit": "N7", "extra": 1})),
        (None, json!({"type": "pass"})),
        (None, json!({})),
    ];
    for (rule, json) in wrong {
        assert!(serde_json::from_value::<Move>(json.clone()).is_err(), "{json}");
        assert_eq!(SacrificeRoulette.malformed_rule(&json), rule, "{json}");
    }
}

#[test]
fn there_are_no_options() {
    assert!(serde_json::from_value::<Options>(json!({})).is_ok());
    assert!(serde_json::from_value::<Options>(json!({"hand": 6})).is_err());
}

#[test]
fn stored_states_that_contradict_themselves_are_not_read() {
    let mut state = Table { marker: Some("TR"), ..Table::new(3, 3, "N11 D17 D1 D2 D4") }.state();
    make(&mut state, &["roll N11 D17 stop"]);
    let good = serde_json::to_value(&state).unwrap();
    assert_eq!(serde_json::from_value::<State>(good.clone()).unwrap(), state);
    let wrong: [(&str, Value); 13] = [
        ("deck", json!("")),
        ("deck", json!("AAA")),
        ("discards", good["deck"].clone()),
        ("marker", json!("TW")),
        ("marker", Value::Null),
        ("boulder", json!(31)),
        ("boulder", Value::Null),
        ("pits", json!(".".repeat(60))),
        ("pits", json!(".".repeat(59))),
        ("pits", json!("K".repeat(60))),
        ("players", json!([])),
        ("stage", json!({"turn": 4})),
        ("surplus", json!(0)),
    ];
    for (field, value) in wrong {
        let mut bad = good.clone();
        bad[field] = value.clone();
        assert!(serde_json::from_value::<State>(bad).is_err(), "{field} {value}");
    }
    for (field, value) in [("hand", json!("")), ("known", good["deck"].clone()), ("taken", json!([255, 0, 0, 0, 0]))] {
        let mut bad = good.clone();
        bad["players"][0][field] = value.clone();
        assert!(serde_json::from_value::<State>(bad).is_err(), "{field} {value}");
    }
}
