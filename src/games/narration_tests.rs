//! Sentences of all games with the numbers that need care: none, one, and more; and lists of one and of several.

use super::{GameSettings, Games, MoveInput};
use sarsen_rules::{Dice, DiceSeed, SeatCount, Status};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

/// The words of an event of this game.
fn event(game: &str, event: Value) -> String {
    let games = Games::standard(GameSettings::default());
    let game = games.newest(game).unwrap();
    let options = game.options(&Value::Null, SeatCount::new(game.info().min_seats).unwrap()).unwrap();
    game.event_text(&to_raw_value(&event).unwrap(), &options).unwrap_or_else(|error| panic!("{event}: {error}"))
}

/// The words of a move of this game.
fn order(game: &str, mv: Value) -> String {
    let games = Games::standard(GameSettings::default());
    let game = games.newest(game).unwrap();
    assert!(game.read_move(&MoveInput::Json(mv.clone())).is_ok(), "{mv}");
    let options: Box<RawValue> = game.options(&Value::Null, SeatCount::new(game.info().min_seats).unwrap()).unwrap();
    game.move_text(&to_raw_value(&mv).unwrap(), &options).unwrap()
}

#[test]
fn absolution_counts_cards_and_pairs() {
    let drawn = |count: u8, pile: u8| {
        let drawn = json!({"type": "replacements_drawn", "seat": 1, "count": count, "cards": null, "pile_size": pile});
        event("absolution", drawn)
    };
    assert_eq!(drawn(0, 0), "Seat 1 draws no cards. The pile is empty.");
    assert_eq!(drawn(1, 1), "Seat 1 draws 1 card. The pile has 1 card left.");
    assert_eq!(drawn(2, 5), "Seat 1 draws 2 cards. The pile has 5 cards left.");
    let ended = |inner: u8| {
        let hands = json!([[], []]);
        let outer = 25 - inner;
        let ended = json!({"type": "absolution_ended", "ending": "too_few_pairs", "inner_pairs": inner,
            "outer_pairs": outer, "hands": hands, "pile": []});
        event("absolution", ended)
    };
    let endings = [0, 1, 2, 5].map(ended);
    assert_eq!(endings[0], "The Druid lives, but the inner ring has no pairs.");
    assert_eq!(endings[1], "The Druid lives, but the inner ring has only 1 pair.");
    assert_eq!(endings[3], "The Druid lives, but the inner ring has only 5 pairs.");
    let told =
        json!({"type": "readiness_told", "seat": 1, "phase": "day", "number": 1, "word": "fair", "signals_left": 9});
    assert_eq!(event("absolution", told), "Seat 1 calls its hand fair for Day 1.");
    let wish = json!({"type": "wish", "numbers": [14], "colours": ["blue", "red"]});
    assert_eq!(order("absolution", wish), "Wish for 14, blue and red.");
}

#[test]
fn sacrifice_roulette_counts_what_is_left_to_place() {
    let placed = |left: u8| {
        event("sacrifice_roulette", json!({"type": "sacrifice_placed", "seat": 0, "pit": "D7", "to_place": left}))
    };
    assert_eq!(placed(0), "Seat 0 places a sacrifice in the day pit of 7.");
    assert_eq!(placed(1), "Seat 0 places a sacrifice in the day pit of 7; one more to place.");
    assert_eq!(placed(2), "Seat 0 places a sacrifice in the day pit of 7; 2 more to place.");
    let fell = |card: Value| {
        event("sacrifice_roulette", json!({"type": "boulder_fell", "seat": 0, "boulder": 24, "card": card, "falls": 1}))
    };
    assert_eq!(fell(json!("N6")), "Night 6 makes the boulder fall on 24.");
    assert_eq!(fell(Value::Null), "The card matches, so the boulder falls on 24.");
    let played = |cards: Value, discarded: Value| {
        let played = json!({"type": "roulette_trilithons_played", "seat": 0, "cards": cards, "direction": "clockwise",
            "marker": null, "discarded": discarded, "known": []});
        event("sacrifice_roulette", played)
    };
    assert_eq!(played(json!(["TB"]), json!([])), "Seat 0 plays the blue trilithon: the boulder now rolls clockwise.");
    assert_eq!(
        played(json!(["TW", "TB"]), json!(["TW", "TB"])),
        "Seat 0 plays the white trilithon and the blue trilithon: they cancel each other out, and the boulder still \
         rolls clockwise."
    );
    let roll = |trilithons: Value, cards: Value, ending: &str| {
        let roll = json!({"type": "roll", "trilithons": trilithons, "cards": cards, "ending": ending});
        order("sacrifice_roulette", roll)
    };
    assert_eq!(roll(json!([]), json!(["D5"]), "stop"), "Roll the boulder with day 5 and let it stop.");
    assert_eq!(
        roll(json!(["TW"]), json!(["D5", "N11", "N17"]), "fall"),
        "Reverse the boulder with the white trilithon. Play day 5, night 11 and night 17: all but one roll the boulder, \
         then that one makes it fall."
    );
}

#[test]
fn the_thief_counts_disks_and_points() {
    let lost = |left: u8| {
        let lost = json!({"type": "alertness_lost", "detection": "first", "druid": "red", "reason": "near", "range": 2,
            "lost": 1, "left": left});
        event("thief_of_the_sacred_fire", lost)
    };
    assert_eq!(lost(0), "The red druid loses 1 disk because the thief is near, and has none left.");
    assert_eq!(lost(1), "The red druid loses 1 disk because the thief is near, and has 1 left.");
    let moved = |left: u8| {
        let moved = json!({"type": "thief_moved", "from": "7c", "steps": ["8c"], "to": "8c", "cost": 1,
            "points_left": left, "progress_lost": 0});
        event("thief_of_the_sacred_fire", moved)
    };
    assert_eq!(moved(0), "The thief goes from 7c to 8c for 1 point and has none left.");
    assert_eq!(moved(2), "The thief goes from 7c to 8c for 1 point and has 2 left.");
}

#[test]
fn henge_tells_alternatives_in_their_own_words_and_no_price_of_nothing() {
    let who = |mut event: Value| {
        let object = event.as_object_mut().unwrap();
        object.insert("chair".into(), json!(0));
        object.insert("seat".into(), json!(0));
        event
    };
    let chosen = |option: u8, source: Value| {
        event("henge", who(json!({"type": "option_chosen", "option": option, "source": source})))
    };
    let card = json!({"kind": "luck_card", "card": "L16"});
    assert_eq!(chosen(1, card.clone()), "Seat 0 chooses from the Luck card Crossroads: Gain 6 coins.");
    assert!(chosen(2, card.clone()).ends_with(": Advance all your uninstalled stones by 4 steps."), "{card}");
    assert!(chosen(1, json!({"kind": "luck_card", "card": "L15"})).ends_with(": Alternative 1."), "it has no choice");
    let made = |option: u8, effect: Value| {
        let games = Games::standard(GameSettings::default());
        let game = games.newest("henge").unwrap();
        let options = game.options(&Value::Null, SeatCount::new(1).unwrap()).unwrap();
        let (mv, effect) = (json!({"type": "choose", "option": option}), to_raw_value(&effect).unwrap());
        game.made_text(&to_raw_value(&mv).unwrap(), Some(&effect), &options).unwrap()
    };
    let effect = |option: u8| who(json!({"type": "option_chosen", "option": option, "source": card}));
    assert_eq!(made(1, effect(1)), "Gain 6 coins.");
    assert_eq!(made(2, effect(2)), "Advance all your uninstalled stones by 4 steps.");
    assert_eq!(order("henge", json!({"type": "choose", "option": 1})), "Choose alternative 1.");
    let placed = |price: u16| event("henge", who(json!({"type": "druid_placed", "area": "area.1", "price": price})));
    assert!(placed(0).ends_with(" at Hawthorn."), "{}", placed(0));
    assert!(placed(1).ends_with(" at Hawthorn for 1 coin."), "{}", placed(1));
    let refilled = |left: u8| {
        let stones = json!([{"position": "quarry.1", "stone": "S05"}]);
        event("henge", json!({"type": "quarry_refilled", "stones": stones, "left": left}))
    };
    assert!(refilled(0).ends_with("; the stone deck is now empty."), "{}", refilled(0));
    assert!(refilled(1).ends_with("; 1 stone remains in the stone deck."), "{}", refilled(1));
    assert!(refilled(5).ends_with("; 5 stones remain in the stone deck."), "{}", refilled(5));
}

#[test]
fn every_decision_of_a_set_up_is_a_sentence() {
    for game in Games::standard(GameSettings::default()).iter() {
        let seats = SeatCount::new(game.info().min_seats).unwrap();
        let options = game.options(&Value::Null, seats).unwrap();
        let mut dice = Dice::new(DiceSeed([1; 32]));
        let state = game.setup(&options, seats, &mut dice).unwrap().state;
        let Status::ToAct(acting) = state.status() else { panic!("{} asks nobody", game.info().id) };
        let text = state.prompt(acting.first().unwrap()).text;
        assert!(text.ends_with('.') && text.starts_with(char::is_uppercase), "{}: {text}", game.info().id);
    }
}
