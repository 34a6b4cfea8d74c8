//! JSON, notation, and what is stored.

use serde_json::{Value, json};

use super::*;

#[test]
fn moves_are_written_as_specified() {
    let cases = [
        ("start 30a", json!({"type": "start", "space": "30a"})),
        ("go 6c", json!({"type": "go", "to": "6c"})),
        ("stay", json!({"type": "stay"})),
        ("take 7c", json!({"type": "take", "to": "7c"})),
    ];
    for (notation, json) in cases {
        assert_eq!(serde_json::to_value(mv(notation)).unwrap(), json);
        assert_eq!(serde_json::from_value::<Move>(json).unwrap(), mv(notation));
        assert_eq!(ThiefOfTheSacredFire.notation(&mv(notation)), notation);
    }
    for (text, canonical) in [(" GO  6C ", "go 6c"), ("go d30", "go D30"), ("Take t1", "take T1"), ("STAY", "stay")] {
        assert_eq!(ThiefOfTheSacredFire.notation(&mv(text)), canonical);
    }
}

#[test]
fn what_is_no_move_is_refused_with_its_field() {
    let fault = |text: &str| {
        let refusal = ThiefOfTheSacredFire.parse(text).unwrap_err();
        (refusal.code, refusal.rule, refusal.field.unwrap_or("-"))
    };
    assert_eq!(fault("start 31a"), ("unknown_space", "1.1", "space"));
    assert_eq!(fault("go 6d"), ("unknown_space", "1.1", "to"));
    assert_eq!(fault("take B20"), ("unknown_space", "1.1", "to"));
    for text in ["", "go", "stay 6c", "go 6c 7c", "take", "start", "resign"] {
        assert_eq!(fault(text), ("unknown_notation", "10.1", "-"), "{text}");
    }
    let wrong = [
        (Some("10.2"), json!({"type": "go"})),
        (Some("1.1"), json!({"type": "go", "to": "6d"})),
        (Some("TH-17"), json!({"type": "go", "to": "altar"})),
        (Some("1.1"), json!({"type": "go", "to": "6C"})),
        (Some("1.1"), json!({"type": "go", "to": 6})),
        (Some("10.2"), json!({"type": "go", "to": "6c", "extra": 1})),
        (Some("10.2"), json!({"type": "stay", "to": "6c"})),
        (Some("10.2"), json!({"type": "start", "to": "30a"})),
        (None, json!({"type": "fly"})),
        (None, json!({})),
    ];
    for (rule, json) in wrong {
        assert!(serde_json::from_value::<Move>(json.clone()).is_err(), "{json}");
        assert_eq!(ThiefOfTheSacredFire.malformed_rule(&json), rule, "{json}");
    }
    let error = serde_json::from_value::<Move>(json!({"type": "go", "to": "altar"})).unwrap_err();
    assert!(error.to_string().contains("TH-17"), "{error}");
}

#[test]
fn options_have_a_default_bounds_and_no_strangers() {
    let read = |json: Value| serde_json::from_value::<Options>(json);
    assert_eq!(read(json!({})).unwrap(), Options { turn_limit: 200 });
    for (turn_limit, accepted) in [(-1, false), (19, false), (20, true), (1000, true), (1001, false)] {
        let options = read(json!({"turn_limit": turn_limit})).unwrap();
        assert_eq!(ThiefOfTheSacredFire.check_options(&options, ONE).is_ok(), accepted);
    }
    for wrong in [json!({"limit": 20}), json!({"turn_limit": "20"}), json!({"seed": 1})] {
        assert!(read(wrong.clone()).is_err(), "{wrong}");
    }
}

#[test]
fn a_state_is_stored_in_little_space() {
    let mut most = 0;
    for seed in 0..20 {
        let (mut state, _, mut dice) = created(seed);
        while state.ending().is_none() {
            most = most.max(serde_json::to_string(&state).unwrap().len());
            let moves = ThiefOfTheSacredFire.legal_moves(&state, seat()).moves;
            let mv = moves[dice.index(moves.len()).unwrap()];
            play(&ThiefOfTheSacredFire, &mut state, seat(), mv, &mut dice).unwrap();
        }
    }
    assert!(most < 440, "{most} bytes");
}

#[test]
fn stored_states_that_contradict_themselves_are_not_read() {
    let good = serde_json::to_value(scene("T1", 3)).unwrap();
    assert_eq!(serde_json::from_value::<State>(good.clone()).unwrap(), scene("T1", 3));
    let wrong = [
        ("d", json!(["B5", "N17", "N17", "N27", "D28"])),
        ("d", json!(["N5", "N17", "D18", "N27", "D28"])),
        ("d", json!(["B19", "N17", "D18", "N27", "D28"])),
        ("d", json!(["B5", "B6", "D18", "N27", "D28"])),
        ("a", json!([9, 11, 10, 10, 10])),
        ("th", json!(null)),
        ("th", json!(["2a", "T1", 0, false])),
        ("th", json!(["1a", "T1", 4, false])),
        ("th", json!(["1a", "T2", 1, false])),
        ("f", json!(["6c", "white"])),
        ("f", json!(null)),
        ("st", json!("dealing")),
        ("st", json!("choosing_start")),
        ("de", json!([])),
        ("de", json!([["D6", "thief"]])),
        ("p", json!("BQ")),
        ("p", json!("Pg")),
        ("t", json!(0)),
        ("t", json!(201)),
        ("surplus", json!(0)),
    ];
    for (field, value) in wrong {
        let mut bad = good.clone();
        assert!(field == "surplus" || bad.get(field).is_some(), "{field} is stored");
        bad[field] = value.clone();
        assert!(serde_json::from_value::<State>(bad).is_err(), "{field} {value}");
    }
}

#[test]
fn the_deck_shows_in_no_view_before_the_end_but_its_cards_can_be_counted() {
    let (mut state, _, mut dice) = created(4);
    for viewer in [Viewer::Seat(seat()), Viewer::Spectator] {
        assert_eq!(state.view(viewer).deck, None);
    }
    play(&ThiefOfTheSacredFire, &mut state, seat(), mv("start 30a"), &mut dice).unwrap();
    let mut other = state.clone();
    let mut reversed = state.pile.cards().to_vec();
    reversed.reverse();
    other.pile = Pile::in_order(reversed).unwrap();
    assert_eq!(state.view(Viewer::Seat(seat())), other.view(Viewer::Seat(seat())));
    assert_ne!(state.view(Viewer::Omniscient), other.view(Viewer::Omniscient));
    let view = state.view(Viewer::Spectator);
    let open: CardSet = view.cards.iter().map(|dealt| dealt.card).collect();
    let unseen = Card::numbers().collect::<CardSet>().minus(open).minus(view.discarded);
    assert_eq!((unseen, unseen.len()), (state.pile.set(), usize::from(view.deck_size)));
}
