//! JSON, notation, what is stored, and that events tell a client all it needs.

use serde_json::{Value, json};

use super::*;

#[test]
fn moves_are_written_as_specified() {
    let cases = [
        ("29b-5b", json!({"type": "move", "from": "29b", "to": "5b"})),
        ("bid 12", json!({"type": "bid", "turns": 12})),
        ("pass", json!({"type": "pass"})),
        ("choose first", json!({"type": "choose", "order": "first"})),
        ("choose second", json!({"type": "choose", "order": "second"})),
    ];
    for (notation, json) in cases {
        let mv = Contiguity.parse(notation).unwrap();
        assert_eq!(serde_json::to_value(mv).unwrap(), json);
        assert_eq!(Contiguity.notation(&mv), notation);
    }
    for (text, canonical) in [(" 29B - 5b ", "29b-5b"), ("BID  12", "bid 12"), ("Choose\tFirst", "choose first")] {
        assert_eq!(Contiguity.notation(&Contiguity.parse(text).unwrap()), canonical);
    }
}

#[test]
fn what_is_no_move_is_refused_with_its_field() {
    let fault = |text: &str| {
        let refusal = Contiguity.parse(text).unwrap_err();
        (refusal.code, refusal.rule, refusal.field.unwrap_or("-"))
    };
    assert_eq!(fault("31b-5b"), ("unknown_space", "CO-01", "from"));
    assert_eq!(fault("29b-5e"), ("unknown_space", "CO-01", "to"));
    assert_eq!(fault("29b-5b-6b"), ("unknown_space", "CO-01", "to"));
    assert_eq!(fault("bid 0"), ("bid_out_of_range", "CO-18", "turns"));
    assert_eq!(fault("bid 100"), ("bid_out_of_range", "CO-18", "turns"));
    assert_eq!(fault("bid x"), ("bid_out_of_range", "CO-18", "turns"));
    assert_eq!(fault("choose third"), ("unknown_order", "CO-18", "order"));
    for text in ["", "-", "resign", "bid", "pass pass", "29b5b"] {
        assert!(Contiguity.parse(text).is_err(), "{text}");
    }
    assert_eq!(fault("resign"), ("unknown_notation", "8.1", "-"));
    let wrong = [
        (Some("8.2"), json!({"type": "move", "from": "29b"})),
        (Some("CO-01"), json!({"type": "move", "from": "29b", "to": "31a"})),
        (Some("8.2"), json!({"type": "move", "from": "29b", "to": "5b", "extra": 1})),
        (Some("CO-18"), json!({"type": "bid", "turns": 0})),
        (Some("CO-18"), json!({"type": "bid", "turns": 100})),
        (Some("CO-18"), json!({"type": "bid", "turns": -1})),
        (Some("CO-18"), json!({"type": "bid", "turns": "5"})),
        (Some("CO-18"), json!({"type": "choose", "order": "third"})),
        (Some("8.2"), json!({"type": "choose"})),
        (Some("8.2"), json!({"type": "pass", "extra": null})),
        (None, json!({"type": "fly"})),
        (None, json!({})),
    ];
    for (rule, json) in wrong {
        assert!(serde_json::from_value::<Move>(json.clone()).is_err(), "{json}");
        assert_eq!(Contiguity.malformed_rule(&json), rule, "{json}");
    }
}

#[test]
fn options_have_defaults_and_no_strangers() {
    let read = |json: Value| serde_json::from_value::<Options>(json);
    let default = Options { bidding: false, jump: Jump::Flying, turn_limit: 300 };
    assert_eq!(read(json!({})).unwrap(), default);
    assert_eq!(read(json!({"jump": "short"})).unwrap(), Options { jump: Jump::Short, ..default });
    for wrong in [json!({"jumps": "short"}), json!({"jump": "long"}), json!({"turn_limit": "9"}), json!({"bidding": 1})]
    {
        assert!(read(wrong.clone()).is_err(), "{wrong}");
    }
    // A number is read, for the rule to refuse it.
    for limit in [-1_i64, 19, 2001, 1 << 40] {
        let refusal = read(json!({"turn_limit": limit})).unwrap().check().unwrap_err();
        assert_eq!((refusal.rule, refusal.field), ("CO-15", Some("turn_limit")), "{limit}");
    }
}

#[test]
fn a_state_of_300_turns_is_stored_in_a_kilobyte() {
    let (mut state, mut dice) = (set_up(Options::default()), dice(3));
    while let Some(actor) = state.actor() {
        let moves = Contiguity.legal_moves(&state, actor).moves;
        let mv = moves[dice.index(moves.len()).unwrap()];
        play(&Contiguity, &mut state, actor, mv, &mut dice).unwrap();
    }
    assert_eq!(state.turns(), 300);
    let stored = serde_json::to_string(&state).unwrap();
    assert!(stored.len() < 1024, "{} bytes", stored.len());
}

#[test]
fn stored_states_that_contradict_themselves_are_not_read() {
    let mut state = set_up(Options::default());
    make(&mut state, &["30a-5a", "1a-6a"]);
    let good = serde_json::to_value(&state).unwrap();
    assert_eq!(serde_json::from_value::<State>(good.clone()).unwrap(), state);
    let wrong = [
        ("trail", json!("AAAA")),
        ("trail", json!("!")),
        ("trail", json!("AAA")),
        ("white", json!("____")),
        ("white", json!("AQ")),
        ("white", good["red"].clone()),
        ("opener", json!(0)),
        ("stage", json!("bidding")),
        ("stage", json!("choosing")),
        ("surplus", json!(0)),
    ];
    for (field, value) in wrong {
        let mut bad = good.clone();
        bad[field] = value.clone();
        assert!(serde_json::from_value::<State>(bad).is_err(), "{field} {value}");
    }
}

/// The knowledge of a front end that reads options and events, and no rules.
fn follow(view: &mut ContiguityView, event: &Event) {
    match event {
        Event::DisksSetUp(DisksSetUp { white, red }) => (view.white, view.red) = (white.clone(), red.clone()),
        Event::ColoursDrawn(ColoursDrawn { white, red }) | Event::OrderChosen(OrderChosen { white, red, .. }) => {
            view.phase = Phase::Playing;
            (view.white_seat, view.red_seat) = (Some(*white), Some(*red));
        }
        Event::OpeningBidderDrawn(OpeningBidderDrawn { seat }) => {
            view.phase = Phase::Bidding;
            view.opening_bidder = Some(*seat);
        }
        Event::BidMade(BidMade { seat, turns }) => {
            view.bids.push(ContiguityBid { seat: *seat, turns: *turns });
            view.bid_turns_left = Some(turns.get());
            if turns.get() == 1 {
                view.phase = Phase::Choosing;
            }
        }
        Event::BiddingPassed(_) => view.phase = Phase::Choosing,
        Event::PieceMoved(moved) => {
            let (pieces, groups) = match moved.colour {
                Colour::White => (&mut view.white, &mut view.white_groups),
                Colour::Red => (&mut view.red, &mut view.red_groups),
            };
            pieces.retain(|piece| *piece != moved.from);
            pieces.push(moved.to);
            pieces.sort_unstable();
            *groups = moved.groups;
            (view.turns, view.occurrences) = (moved.turn, moved.occurrences);
            view.moves.push(trail::Step { from: moved.from, to: moved.to });
            if view.bids.last().is_some_and(|bid| bid.seat == moved.seat) {
                view.bid_turns_left = view.bid_turns_left.map(|left| left - 1);
            }
        }
    }
}

#[test]
fn events_alone_give_the_view() {
    for number in 0..40 {
        let options = Options { bidding: number % 2 == 0, turn_limit: 60, ..Options::default() };
        let mut dice = dice(number);
        let (mut state, events) = Contiguity.setup(&options, TWO, &mut dice);
        let mut followed = State::new(options, seat(0)).view();
        (followed.white, followed.red) = (Vec::new(), Vec::new());
        (followed.white_seat, followed.red_seat, followed.opening_bidder) = (None, None, None);
        events.iter().for_each(|event| follow(&mut followed, event));
        assert_eq!(followed, state.view());
        while let Some(actor) = state.actor() {
            let moves = Contiguity.legal_moves(&state, actor).moves;
            let mv = moves[dice.index(moves.len()).unwrap()];
            let played = play(&Contiguity, &mut state, actor, mv, &mut dice).unwrap();
            played.events.iter().for_each(|event| follow(&mut followed, event));
            if let Status::Over(outcome) = state.status() {
                followed.phase = Phase::Over;
                followed.ending = serde_json::from_value(Value::from(&*outcome.ending)).unwrap();
            }
            assert_eq!(followed, state.view());
        }
    }
}
