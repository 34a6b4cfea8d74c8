//! Refusals tell what is missing, with the section or ruling that asks for it.

use serde_json::json;

use super::super::set::Privilege;
use super::super::set::testing::changed;
use super::super::state::Built;
use super::desk::Desk;

#[test]
fn a_stop_for_quarry_is_refused_for_storage_stones_or_coins() {
    // Step 1 shows quarry, one step ahead of step 20; two stones can be stored.
    let desk = || Desk::new("hhh").pawn(20).quarry("S01 S02 S03 S05");
    let full = || desk().holds(0, "S15", 0, false).holds(0, "S12", 0, false);
    assert_eq!(full().refusal("rondel 1 quarry"), ("storage_full", "H-23"));
    assert_eq!(full().coins(0, 0).refusal("rondel 1 quarry"), ("storage_full", "H-23"), "the first obstacle");
    assert_eq!(full().quarry("- - - -").refusal("travel 1 quarry"), ("storage_full", "H-23"));
    assert_eq!(desk().quarry("- - - -").refusal("rondel 1 quarry"), ("quarry_empty", "H-12"));
    assert_eq!(desk().coins(0, 3).refusal("rondel 1 quarry"), ("action_not_possible", "H-9"));
    // The mover's own cards are counted: one of them makes room, and then coins are missing.
    assert_eq!(full().coins(0, 0).hand(0, "L27").refusal("rondel 1 quarry"), ("action_not_possible", "H-9"));
    assert_eq!(full().hand(1, "L27").refusal("rondel 1 quarry"), ("storage_full", "H-23"), "a rival's are not");
}

#[test]
fn a_stop_for_carve_is_refused_for_stones_or_coins() {
    let desk = || Desk::new("hhh").pawn(2);
    assert_eq!(desk().refusal("rondel 1 carve"), ("nothing_to_carve", "H-25"));
    assert_eq!(desk().holds(0, "S01", 0, true).refusal("rondel 1 carve"), ("nothing_to_carve", "H-25"));
    let plain = || desk().holds(0, "S01", 0, true).holds(0, "S02", 0, false);
    assert_eq!(plain().coins(0, 3).refusal("rondel 1 carve"), ("action_not_possible", "H-9"));
    assert!(plain().coins(0, 4).allows("rondel 1 carve"));
}

#[test]
fn a_stop_for_druid_is_refused_for_druids_spaces_or_coins() {
    let none = Desk::new("hhhh").coins(0, 50).druids(2, "000000").druids(3, "000000");
    assert_eq!(none.refusal("rondel 1 druid"), ("no_druids_left", "H-28"));
    // Seven druids close the path of the local area; with the next level the neighbours are in reach.
    let full = || Desk::new("hhhh").druids(1, "1122331");
    assert_eq!(full().coins(0, 20).refusal("rondel 1 druid"), ("path_full", "H-28"));
    let wide = || full().level(0, Privilege::Druid, 1);
    assert_eq!(wide().coins(0, 0).refusal("rondel 1 druid"), ("action_not_possible", "H-9"));
    assert!(wide().coins(0, 20).allows("rondel 1 druid"));
}

#[test]
fn a_stop_for_install_is_refused_for_stones_or_slots() {
    assert_eq!(Desk::new("hhh").refusal("rondel 1 install"), ("nothing_delivered", "4.7"));
    let travelling = Desk::new("hhh").holds(0, "S15", 4, false);
    assert_eq!(travelling.refusal("rondel 1 install"), ("nothing_delivered", "4.7"));
    // Everything in area 1 is built.
    let mut desk = Desk::new("hhhh").delivered(0, "S08", false);
    let dummy = desk.stone("S09");
    let local = super::super::set::Area::ALL[0];
    let slots: Vec<_> = desk.state.rules.side.all().filter(|(_, row)| row.touches(local)).collect();
    for (slot, _) in slots {
        desk.state.slots[slot.index()] = Some(Built { place: 1, stone: dummy });
    }
    assert_eq!(desk.refusal("rondel 1 install"), ("nothing_fits", "4.7"));
    assert!(desk.hand(0, "L42").allows("rondel 1 install"), "a card reaches farther");
}

#[test]
fn what_a_unit_costs_is_refused_by_its_action() {
    // Druids: the space that the first has left free costs more than nothing.
    let mut desk = Desk::new("hhh").coins(0, 1).level(0, Privilege::Druid, 2).hand(0, "L07");
    desk.play("rondel 1 druid; druid 1");
    desk.person(0).coins = 0;
    assert_eq!(desk.refusal("druid 1"), ("cannot_afford", "H-26"));
    let mut desk = Desk::new("hhh").pawn(2).coins(0, 4).holds(0, "S01", 0, false).holds(0, "S02", 0, false);
    desk = desk.hand(0, "L07");
    desk.play("rondel 1 carve; carve S01");
    assert_eq!(desk.refusal("carve S02"), ("cannot_afford", "4.5"));
}

#[test]
fn reach_is_refused_by_its_action() {
    let mut desk = Desk::new("hhhh").coins(0, 20).delivered(0, "S08", false).hand(0, "L07");
    desk.play("rondel 1 install");
    assert_eq!(desk.refusal("install S08@3a"), ("out_of_reach", "H-67"));
    let mut desk = Desk::new("hhhh").coins(0, 20).hand(0, "L07");
    desk.play("rondel 1 druid");
    assert_eq!(desk.refusal("druid 3"), ("out_of_reach", "H-27"));
}

#[test]
fn what_is_done_once_cannot_be_done_again() {
    let again = |pawn: u8, moves: &str, unit: &str| {
        let mut desk = Desk::new("hhh").pawn(pawn).holds(0, "S15", 0, false).hand(0, "L07").luck_deck("L08 L09");
        desk.play(moves);
        desk.refusal(unit)
    };
    assert_eq!(again(4, "rondel 1 income; income", "income"), ("limit_reached", "4.4"));
    assert_eq!(again(2, "rondel 1 luck; draw", "draw"), ("limit_reached", "4.4"));
    assert_eq!(again(7, "rondel 1 arrive; arrive", "arrive"), ("limit_reached", "4.4"));
}

#[test]
fn h_34_a_card_that_is_not_for_sub_actions_is_refused_in_one_of_the_main_action() {
    let set = changed("a card with a druid", |json| {
        json["luck"][0]["effects"] =
            json!([{"do": "sub", "action": "druid", "limit": 1, "discount": 0, "reach": "local"}]);
    });
    let mut desk = Desk::with(set, "hhh").pawn(4).hand(0, "L01 L07");
    desk.play("rondel 1 income; luck L01");
    assert_eq!(desk.refusal("luck L07"), ("window_closed", "H-34"));
}
