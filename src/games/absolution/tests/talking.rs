//! Signals (AB-36), and what everyone remembers.

use super::*;
use crate::stonehenge::Colour;

fn day_2() -> State {
    position(Phase::Day, 2, &["D7 D9", "D8", "D10"], "D1 D3 D4")
}

#[test]
fn ab_36_signals_need_no_turn_and_change_nothing() {
    let mut state = day_2();
    let before = state.clone();
    let events = make_by(&mut state, seat(2), "wish 14 blue");
    assert_eq!(
        events,
        [Event::WishTold(WishTold {
            seat: seat(2),
            numbers: numbers(&[14]),
            colours: vec![WishColour::Blue],
            signals_left: 9,
        })]
    );
    make_by(&mut state, seat(0), "ready night 30 fair");
    assert_eq!((actor(&state), legal(&state)), (seat(0), legal(&before)));
    for player in &mut state.players {
        player.talk = Talk::default();
    }
    assert_eq!(state, before);
    assert!(!legal(&state).iter().any(|text| text.starts_with("wish") || text.starts_with("ready")));
    assert!(!Absolution.needs_turn(&Absolution.parse("wish 3").unwrap()));
}

#[test]
fn ab_36_no_card_can_be_named() {
    for text in
        ["wish D14", "wish n14", "wish TB", "wish 0", "wish 31", "wish black", "wish any", "wish -1", "wish 1.5"]
    {
        let refusal = Absolution.parse(text).unwrap_err();
        assert_eq!((refusal.code, refusal.rule), ("unknown_wish", "AB-36"), "{text}");
    }
    for text in ["ready day 0 great", "ready dusk 2 great", "ready day 2 superb", "ready day D2 great"] {
        let refusal = Absolution.parse(text).unwrap_err();
        assert_eq!((refusal.code, refusal.rule), ("unknown_readiness", "6.3"), "{text}");
    }
    for text in ["wish 14 14", "wish blue 3 BLUE"] {
        let refusal = Absolution.parse(text).unwrap_err();
        assert_eq!((refusal.code, refusal.rule), ("named_twice", "6.2"), "{text}");
    }
    for json in [
        r#"{"type":"wish","numbers":["D14"],"colours":[]}"#,
        r#"{"type":"wish","numbers":[31],"colours":[]}"#,
        r#"{"type":"wish","numbers":[3,3],"colours":[]}"#,
        r#"{"type":"wish","numbers":[3],"colours":["black"]}"#,
        r#"{"type":"wish","numbers":[3],"colours":["red","red"]}"#,
        r#"{"type":"wish","numbers":[3],"colours":[],"text":"D14"}"#,
        r#"{"type":"ready","phase":"day","number":0,"word":"great"}"#,
        r#"{"type":"ready","phase":"day","number":2,"word":"I hold a 2"}"#,
    ] {
        assert!(serde_json::from_str::<Move>(json).is_err(), "{json}");
    }
}

#[test]
fn ab_36_a_wish_is_for_one_to_five_things() {
    let state = day_2();
    for text in ["wish", "wish 1 2 3 4 5 6", "wish 1 2 3 4 blue red"] {
        assert_eq!(refusal(&state, text), ("one_to_five_wishes", "6.2", "-"), "{text}");
    }
    for text in ["wish 30", "wish red", "wish 1 2 3 4 5", "wish white blue green yellow red"] {
        assert_eq!(Absolution.check(&state, seat(1), &Absolution.parse(text).unwrap()), Ok(()), "{text}");
    }
}

#[test]
fn ab_36_readiness_is_for_turns_that_are_not_over() {
    let state = day_2();
    assert_eq!(refusal(&state, "ready day 1 great"), ("turn_over", "AB-36", "number"));
    for text in ["ready day 2 great", "ready day 30 poor", "ready night 1 fair"] {
        assert_eq!(Absolution.check(&state, seat(1), &Absolution.parse(text).unwrap()), Ok(()), "{text}");
    }
    let state = position(Phase::Night, 3, &["", ""], "D1 D2");
    assert_eq!(refusal(&state, "ready day 30 great"), ("turn_over", "AB-36", "number"));
    assert_eq!(refusal(&state, "ready night 2 great"), ("turn_over", "AB-36", "number"));
}

#[test]
fn ab_36_ten_signals_a_seat_in_the_vote_and_in_each_turn() {
    let (mut state, _) = start(Options::default(), 2, &mut dice(4));
    let ten = |state: &mut State| {
        for signal in 0..10 {
            make_by(state, seat(1), ["wish 14 blue", "ready night 1 great"][signal % 2]);
        }
        for text in ["wish 14", "ready night 1 great"] {
            assert_eq!(refusal_to(state, seat(1), text), ("too_many_signals", "AB-36", "-"));
        }
        assert_eq!(Absolution.view(state, Viewer::Spectator).seats[1].signals_left, 0);
        assert!(Absolution.check(state, seat(0), &Absolution.parse("wish 14").unwrap()).is_ok());
    };
    ten(&mut state);
    make(&mut state, &["nominate 0", "nominate 1"]);
    assert_eq!(refusal_to(&state, seat(1), "wish 14").0, "too_many_signals", "two rounds are one vote");
    make(&mut state, &["nominate 0", "nominate 0"]);
    ten(&mut state);
    let give = hand(&state, 0).iter().next().unwrap();
    let take = state.field.iter().next().unwrap();
    make(&mut state, &[&format!("exchange {give} {take}")]);
    assert_eq!(refusal_to(&state, seat(1), "wish 14").0, "too_many_signals", "still the same turn");
    make(&mut state, &["pass"]);
    ten(&mut state);
}

#[test]
fn ab_36_what_was_said_stands_while_it_matters() {
    let mut state = day_2();
    make_by(&mut state, seat(0), "wish 14");
    make_by(&mut state, seat(1), "wish 3");
    make_by(&mut state, seat(1), "wish 4 red");
    make_by(&mut state, seat(2), "ready day 3 poor");
    make_by(&mut state, seat(2), "ready day 3 great");
    make_by(&mut state, seat(2), "ready day 2 fair");
    let said = |state: &State, number: usize| Absolution.view(state, Viewer::Spectator).seats[number].clone();
    let wish = |state: &State, number: usize| said(state, number).wish.map(|wish| wish.numbers);
    let ready = |state: &State| -> Vec<(u8, Word)> {
        said(state, 2).ready.iter().map(|ready| (ready.number.get(), ready.word)).collect()
    };
    assert_eq!((wish(&state, 0), wish(&state, 1)), (Some(numbers(&[14])), Some(numbers(&[4]))));
    assert_eq!(ready(&state), vec![(2, Word::Fair), (3, Word::Great)]);
    make(&mut state, &["pass"]);
    assert_eq!((wish(&state, 0), wish(&state, 1)), (None, Some(numbers(&[4]))), "seat 0 has had its turn");
    assert_eq!(ready(&state), vec![(3, Word::Great)]);
    make(&mut state, &["pass"]);
    assert_eq!((wish(&state, 1), said(&state, 2).ready.len()), (None, 0));
    // As the rules say it (6.5): until a turn of its own is over, which is the present one where it speaks in that.
    make_by(&mut state, seat(2), "wish 5");
    make_by(&mut state, seat(0), "wish 6");
    make(&mut state, &["pass"]);
    assert_eq!((wish(&state, 2), wish(&state, 0)), (None, Some(numbers(&[6]))));
}

#[test]
fn ab_36_nothing_is_said_after_the_end() {
    let mut state = position(Phase::Night, 30, &["", ""], "D1 D2");
    make(&mut state, &["pass"]);
    assert_eq!(refusal_to(&state, seat(0), "wish 14"), ("match_over", "5.4", "-"));
}

#[test]
fn ab_36_the_vocabulary_is_the_types() {
    let signal = |kind: &str| talk::SIGNALS.iter().find(|signal| signal.kind == kind).unwrap();
    let words = |kind: &str, field: &str| {
        signal(kind).values.iter().find(|values| values.field == field).unwrap().words.to_vec()
    };
    let as_json = |text: &str| serde_json::Value::from(text);
    let colours = Colour::PIECES.map(|colour| colour.to_string());
    assert_eq!(words("wish", "colours"), colours);
    assert!(colours.iter().all(|text| serde_json::from_value::<WishColour>(as_json(text)).is_ok()));
    assert_eq!(words("ready", "word"), ["great", "fair", "poor"]);
    assert!(words("ready", "word").iter().all(|text| serde_json::from_value::<Word>(as_json(text)).is_ok()));
    assert_eq!(words("ready", "phase"), ["day", "night"]);
    assert!(words("ready", "phase").iter().all(|text| serde_json::from_value::<Phase>(as_json(text)).is_ok()));
    assert!(talk::SIGNALS.iter().all(|signal| signal.limit == 10));
}

#[test]
fn cards_taken_from_the_field_are_remembered_until_they_leave_the_hand() {
    let mut state = position(Phase::Day, 9, &["D7 D8", "D11", "D12"], "D9 D3 D4");
    make(&mut state, &["exchange D7 D9", "pass"]);
    let others = [Viewer::Seat(seat(1)), Viewer::Spectator];
    for viewer in others {
        let view = Absolution.view(&state, viewer);
        assert_eq!((view.seats[0].hand, view.seats[0].taken), (None, cards("D9")));
        for seed in 0..20 {
            let imagined = Absolution.imagine(&view, viewer, &mut dice(seed));
            assert!(hand(&imagined, 0).contains(card("D9")) && hand(&imagined, 0).len() == 2);
        }
    }
    // Seat 1 takes D7, which seat 0 gave, and plays it with nothing known left.
    make(&mut state, &["exchange D11 D7", "pass", "pass"]);
    assert_eq!(state.players[1].taken, cards("D7"));
    // Seat 0 gives D9 back.
    make(&mut state, &["exchange D9 D3", "pass"]);
    assert_eq!((state.players[0].taken, state.field), (cards("D3"), cards("D9 D11 D4")));
    let mut state = position(Phase::Day, 9, &["D7 D8", "D11"], "D9 D3");
    make(&mut state, &["exchange D7 D9", "play D9"]);
    assert_eq!(state.players[0].taken, CardSet::EMPTY, "played");
}
