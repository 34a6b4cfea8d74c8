//! Words of the effects and scores (1.2, 1.3) that the rulings do not show, those that the reference set lacks included.

use serde_json::{Value, json};

use super::super::components::testing::changed;
use super::super::components::{Action, Components, Pool, Privilege};
use super::super::state::{Act, Frame};
use super::desk::Desk;
use super::*;

/// The reference with other effects on the first Luck card.
fn first_card(name: &str, effects: Value) -> Components {
    changed(name, |json| json["luck"][0]["effects"] = effects)
}

/// The reference with another score on the tenth Spring card.
fn tally(name: &str, event: Value) -> Components {
    changed(name, |json| json["bonus"][9]["score"] = json!({"tally": event, "vp": 1, "max_marks": 8}))
}

/// Seat 0 in its income with the first Luck card of the set in hand.
fn income(set: &Components) -> Desk {
    let mut desk = Desk::with(set, "hhhh").pawn(4).hand(0, "L01");
    desk.play("rondel 1 income");
    desk
}

#[test]
fn transport_to_the_end_delivers_all() {
    let set = first_card("transport to the end", json!([{"do": "transport", "n": "end"}]));
    let mut desk = income(&set).holds(0, "S15", 1, false).holds(0, "S23", 0, false);
    desk.play("luck L01");
    assert_eq!(desk.person(0).stones.iter().map(|held| held.at).collect::<Vec<_>>(), [5, 6]);
}

#[test]
fn a_named_level_needs_no_choice() {
    let set = first_card("a stone level", json!([{"do": "level", "which": "stone"}, {"do": "vp", "n": 1}]));
    let mut desk = income(&set);
    desk.play("luck L01");
    assert_eq!((desk.person(0).level(Privilege::Stone), desk.person(0).victory_points), (1, 1));
    // At the top: 3 VP.
    let mut desk = income(&set).level(0, Privilege::Stone, 2);
    desk.play("luck L01");
    assert_eq!((desk.person(0).level(Privilege::Stone), desk.person(0).victory_points), (2, 3 + 1));
}

#[test]
fn amounts_for_each_are_bounded() {
    let set = first_card(
        "amounts for each",
        json!([
            {"do": "coins_per", "count": {"what": "druids"}, "n": 3, "max": 7},
            {"do": "vp_per", "count": {"what": "installed", "size": "large"}, "n": 2}
        ]),
    );
    let mut desk = income(&set).druids(3, "000").built(0, "1a", "S08").built(0, "1b", "S09").coins(0, 0);
    desk.play("luck L01");
    assert_eq!((desk.person(0).coins, desk.person(0).victory_points), (7, 4));
}

#[test]
fn sub_actions_reach_as_far_as_they_say() {
    let reach = |name: &str, reach: &str| {
        let effects = json!([{"do": "sub", "action": "druid", "limit": 2, "discount": 9, "reach": reach}]);
        let mut desk = income(&first_card(name, effects));
        desk.play("luck L01");
        desk
    };
    assert_eq!(reach("a local druid", "local").legal(), ["druid 2", "done"]);
    assert_eq!(reach("a druid nearby", "adjacent").legal(), ["druid 1", "druid 2", "druid 3", "done"]);
    let mut desk = reach("a druid anywhere", "any");
    assert_eq!(desk.listed("druid").len(), 5);
    desk.play("druid 4; druid 5");
    // Two units were the limit; the second druid drew a Luck card, so the player must say that the sub-action ends.
    assert_eq!((desk.state.placed(chair(0)), desk.legal()), (2, vec!["done".to_owned()]));
}

#[test]
fn a_card_may_have_several_windows() {
    let set = changed("several windows", |json| {
        json["luck"][24]["when"] = json!(["quarry", "carve"]);
    });
    let mut desk = Desk::with(&set, "hhh").pawn(2).coins(0, 1).holds(0, "S01", 0, false).hand(0, "L25");
    desk.play("rondel 1 carve; luck L25; carve S01");
    assert_eq!(desk.person(0).coins, 0);
}

#[test]
fn bought_stones_may_start_along_their_track() {
    let mut desk = Desk::new("hhh").pawn(20).coins(0, 30).level(0, Privilege::Stone, 1).quarry("S15 S06 S03 S05");
    desk = desk.hand(0, "L29");
    desk.play("rondel 1 quarry; luck L29; quarry 1; quarry 2");
    // Four steps of five; and at most to the end, which is two steps away.
    let at: Vec<u8> = desk.person(0).stones.iter().map(|held| held.at).collect();
    assert_eq!(at, [4, 2]);
}

#[test]
fn cards_add_units_and_reach_for_druids() {
    let mut desk = Desk::new("hhhh").coins(0, 20).hand(0, "L34 L36 L38");
    desk.play("rondel 1 druid");
    assert_eq!(desk.listed("druid"), ["druid 1"]);
    desk.play("luck L36");
    assert_eq!(desk.listed("druid"), ["druid 1", "druid 2", "druid 5"]);
    desk.play("luck L38");
    assert_eq!(desk.listed("druid").len(), 5);
    // The limit is still one; Novice makes it two.
    desk.play("luck L34; druid 3");
    assert_eq!(desk.listed("druid"), ["druid 1", "druid 2", "druid 5"]);
    desk.play("druid 5");
    assert!(desk.listed("druid").is_empty());
    assert_eq!(desk.person(0).coins, 20 + 2, "discounts of 7, a benefit of 2");
}

#[test]
fn an_uncarved_stone_may_pass_for_carved_once() {
    let mut desk = Desk::new("hhhh").delivered(0, "S01", false).delivered(0, "S02", false).pawn(12).hand(0, "L45");
    desk.play("rondel 1 install; luck L45");
    assert!(desk.allows("install S01@34m") && desk.allows("install S02@45m"));
    desk.play("install S01@34m");
    assert_eq!((desk.person(0).victory_points, desk.refusal("install S02@45m")), (4 + 3, ("not_carved", "4.7")));
}

#[test]
fn every_stone_may_level_up_its_own_icon() {
    let mut desk = Desk::new("hhh").delivered(0, "S13", false).hand(0, "L49 L44");
    desk.play("rondel 1 install; luck L49; luck L44; install S13@3a");
    // 11 of the card and 1 for each of the two Luck cards.
    assert_eq!((desk.person(0).level(Privilege::Stone), desk.person(0).victory_points), (1, 13));
}

#[test]
fn tallies_of_every_event() {
    let marks = |set: Components, moves: &str| {
        let mut desk = Desk::with(&set, "hhhh").coins(0, 30).level(0, Privilege::Druid, 2).spring(0, "P10", 0);
        desk = desk.quarry("S01 S02 S03 S05").holds(0, "S15", 0, false).hand(0, "L07");
        desk.play(moves);
        desk.person(0).marks
    };
    let any = tally("each druid", json!({"event": "druid"}));
    assert_eq!(marks(any, "rondel 1 druid; druid 1; druid 5"), 2);
    let five = tally("each druid in area 5", json!({"event": "druid", "area": 5}));
    assert_eq!(marks(five, "rondel 1 druid; druid 1; druid 5"), 1);
    let quarry = tally("each purchase", json!({"event": "quarry"}));
    assert_eq!(marks(quarry, "rondel 5 quarry; quarry 1"), 1);
    let carve = tally("each carving", json!({"event": "carve"}));
    assert_eq!(marks(carve, "rondel 2 carve; carve S15"), 1);
    let track = tally("each step of the track", json!({"event": "track"}));
    assert_eq!(marks(track, "rondel 4 income; income; done; track L07"), 1);
    let plain = tally("inner slots", json!({"event": "install", "border": false, "level_up": false}));
    let mut desk = Desk::with(&plain, "hhhh").spring(0, "P10", 0).delivered(0, "S13", false).delivered(0, "S08", false);
    desk.play("rondel 1 install; install S13@1a");
    assert_eq!(desk.person(0).marks, 1);
    desk.play("install S08@1b");
    assert_eq!(desk.person(0).marks, 1, "this one levels up");
}

#[test]
fn points_for_units_count_in_every_action() {
    let vp = |at: usize, card: &str, pawn: u8, moves: &str| {
        let set = changed(&format!("points for {card}"), |json| {
            json["luck"][at]["effects"] = json!([{"do": "mod", "what": "unit_vp", "n": 5}]);
        });
        let mut desk = Desk::with(&set, "hhh").pawn(pawn).coins(0, 30).quarry("S01 S02 S03 S05").hand(0, card);
        desk.play(moves);
        desk.person(0).victory_points
    };
    assert_eq!(vp(24, "L25", 20, "rondel 1 quarry; luck L25; quarry 1"), 5);
    assert_eq!(vp(33, "L34", 1, "rondel 1 druid; luck L34; druid 1"), 5);
}

#[test]
fn an_action_that_has_become_impossible_can_be_ended() {
    let mut desk = Desk::new("hhh").coins(0, 0).hand(0, "L25");
    desk.state.stack.pop();
    desk.state.stack.push(Frame::Action(Act::new(Action::Druid, false, Some(1))));
    assert_eq!(desk.legal(), ["done"]);
}

#[test]
fn if_everything_would_be_withheld_nothing_is() {
    let mut desk = Desk::new("hhh").coins(0, 0).hand(0, "L25 L07");
    desk.state.stack.pop();
    desk.state.stack.push(Frame::Action(Act::new(Action::Druid, false, Some(1))));
    desk.state.stack.push(Frame::Discard { left: 1 });
    assert_eq!(desk.legal(), ["discard L07", "discard L25"]);
}

#[test]
fn chits_come_from_both_pools() {
    let mut desk = income(&reference()).chits(Pool::A, "A13").chits(Pool::B, "B12").hand(0, "L13 L15");
    desk = desk.delivered(0, "S13", false);
    desk.play("luck L13; reward A13; choose 2");
    assert_eq!(desk.person(0).victory_points, 3);
    desk.play("luck L15; reward B12; install S13@5a; done");
    // 11 for the stone, and 2 of the chit afterwards; any area may be reached.
    assert_eq!(desk.person(0).victory_points, 3 + 11 + 2);
}
