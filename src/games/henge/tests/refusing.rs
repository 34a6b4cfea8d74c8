//! Refusals tell what is missing, with the section or ruling that asks for it.

use serde_json::json;

use super::super::components::Privilege;
use super::super::components::testing::changed;
use super::super::state::{Built, Stage};
use super::desk::Desk;
use super::*;
use sarsen_rules::{play, settle};

#[test]
fn a_stop_for_quarry_is_refused_for_storage_stones_or_coins() {
    // Step 1 shows quarry, one step ahead of step 20; two stones can be stored.
    let desk = || Desk::new("hhh").pawn(20).quarry("S01 S02 S03 S05");
    let full = || desk().holds(0, "S15", 0, false).holds(0, "S12", 0, false);
    assert_eq!(full().refusal("rondel 1 quarry"), ("storage_full", "H-23"));
    assert_eq!(full().coins(0, 0).refusal("rondel 1 quarry"), ("storage_full", "H-23"), "the first obstacle");
    assert_eq!(full().quarry("- - - -").refusal("travel 1 quarry"), ("storage_full", "H-23"));
    assert_eq!(desk().quarry("- - - -").refusal("rondel 1 quarry"), ("quarry_empty", "H-12"));
    assert_eq!(desk().coins(0, 3).refusal("rondel 1 quarry"), ("cannot_afford", "H-09"));
    // The mover's own cards are counted: one of them makes room, and then coins are missing.
    assert_eq!(full().coins(0, 0).hand(0, "L27").refusal("rondel 1 quarry"), ("cannot_afford", "H-09"));
    assert_eq!(full().hand(1, "L27").refusal("rondel 1 quarry"), ("storage_full", "H-23"), "a rival's are not");
}

#[test]
fn a_stop_for_carve_is_refused_for_stones_or_coins() {
    let desk = || Desk::new("hhh").pawn(2);
    assert_eq!(desk().refusal("rondel 1 carve"), ("nothing_to_carve", "H-25"));
    assert_eq!(desk().holds(0, "S01", 0, true).refusal("rondel 1 carve"), ("nothing_to_carve", "4.5"));
    let plain = || desk().holds(0, "S01", 0, true).holds(0, "S02", 0, false);
    assert_eq!(plain().coins(0, 3).refusal("rondel 1 carve"), ("cannot_afford", "H-09"));
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
    assert_eq!(wide().coins(0, 0).refusal("rondel 1 druid"), ("cannot_afford", "H-09"));
    assert!(wide().coins(0, 20).allows("rondel 1 druid"));
}

#[test]
fn a_stop_for_install_is_refused_for_stones_or_slots() {
    assert_eq!(Desk::new("hhh").refusal("rondel 1 install"), ("nothing_delivered", "4.7"));
    let travelling = Desk::new("hhh").holds(0, "S15", 4, false);
    assert_eq!(travelling.refusal("rondel 1 install"), ("nothing_delivered", "4.7"));
}

/// Seat 0 of four before the install step of area 1, all slots there built but these.
fn slots_left(left: &[&str]) -> Desk {
    slots_left_of("hhhh", left)
}

/// The same at another table.
fn slots_left_of(table: &str, left: &[&str]) -> Desk {
    let mut desk = Desk::new(table);
    let (dummy, local) = (desk.stone("S09"), super::super::components::Area::ALL[0]);
    let side = desk.state.equipment.side();
    for (slot, _) in side.all().filter(|(_, row)| row.touches(local) && !left.contains(&row.id.as_str())) {
        desk.state.slots[slot.index()] = Some(Built { chair: chair(1), stone: dummy });
    }
    desk
}

#[test]
fn a_stop_for_install_is_refused_for_the_reason_of_what_fits_best() {
    let stop = "rondel 1 install";
    let taken = || slots_left(&[]).delivered(0, "S08", false);
    assert_eq!(taken().refusal(stop), ("no_empty_slot", "4.7"));
    assert_eq!(taken().hand(1, "L42").refusal(stop), ("no_empty_slot", "4.7"), "a rival's card makes no difference");
    assert!(taken().hand(0, "L42").allows(stop), "the mover's reaches farther");

    // The side of four players has no exception (H-32), and 12a is small.
    let size = || slots_left(&["12a"]).delivered(0, "S08", false);
    assert_eq!(size().refusal(stop), ("wrong_size", "4.7"));
    assert!(size().delivered(0, "S01", false).allows(stop));
    assert_eq!(
        size().holds(0, "S01", 0, true).refusal(stop),
        ("wrong_size", "4.7"),
        "what is on its way does not count"
    );

    // 12c is a small lintel.
    let carving = || slots_left(&["12c"]).delivered(0, "S08", true);
    assert_eq!(carving().refusal(stop), ("wrong_size", "4.7"));
    let carving = || carving().delivered(0, "S01", false);
    assert_eq!(carving().refusal(stop), ("not_carved", "4.7"));
    assert_eq!(carving().hand(1, "L45").refusal(stop), ("not_carved", "4.7"), "a rival's card makes no difference");
    assert!(carving().hand(0, "L45").allows(stop), "the mover's does");

    // H-31: where an upright is missing, it can be built.
    assert!(slots_left(&["1b", "1c"]).delivered(0, "S08", true).allows(stop));
}

#[test]
fn a_stop_for_install_is_out_of_reach_where_the_area_has_no_slot() {
    let set = changed("an area without slots", |json| {
        for slot in json["boards"]["3"]["slots"].as_array_mut().unwrap() {
            if let Some(area) = slot["areas"].as_array_mut().filter(|areas| areas.contains(&json!(2))) {
                area.retain(|area| *area != json!(2));
            }
        }
    });
    // Steps 5 and 7 of area 2 show install.
    let desk = || Desk::with(&set, "hhh").pawn(4).delivered(0, "S08", false);
    assert_eq!(desk().refusal("rondel 1 install"), ("out_of_reach", "4.7"));
    assert!(desk().hand(0, "L42").allows("rondel 1 install"), "a card reaches farther");
}

#[test]
fn h_32_a_stop_cites_the_ruling_where_size_is_ignored_and_carving_is_not() {
    // Every slot that takes small stones is taken, so size is ignored; of the slots of area 1 only the lintel is empty.
    let mut desk = Desk::new("hhh").delivered(0, "S05", false);
    let dummy = desk.stone("S09");
    for (slot, row) in desk.state.equipment.side().all() {
        if row.size.takes(super::super::components::Size::Small) || ["1a", "1b"].contains(&row.id.as_str()) {
            desk.state.slots[slot.index()] = Some(Built { chair: chair(1), stone: dummy });
        }
    }
    assert_eq!(desk.refusal("rondel 1 install"), ("not_carved", "H-32"));
    // A stone of the slot's own size is asked for by the section.
    assert_eq!(desk.delivered(0, "S08", false).refusal("rondel 1 install"), ("not_carved", "4.7"));
}

#[test]
fn h_32_size_is_asked_for_by_the_ruling_where_the_side_has_the_exception() {
    // A small slot is empty in another area, so that the exception is off.
    let mut desk = slots_left_of("hhh", &["1a"]).delivered(0, "S01", false);
    assert_eq!(desk.refusal("rondel 1 install"), ("wrong_size", "H-32"));
    desk = desk.delivered(0, "S08", false);
    desk.play("rondel 1 install");
    assert_eq!(desk.refusal("install S01@1a"), ("wrong_size", "H-32"));
    // The other side has none: its slots take their size, and that is all.
    let mut desk = slots_left(&["1a"]).delivered(0, "S01", false);
    assert_eq!(desk.refusal("rondel 1 install"), ("wrong_size", "4.7"));
    desk = desk.delivered(0, "S08", false);
    desk.play("rondel 1 install");
    assert_eq!(desk.refusal("install S01@1a"), ("wrong_size", "4.7"));
}

#[test]
fn a_slot_is_refused_for_being_built_for_its_size_for_carving_or_for_its_uprights() {
    let mut desk = slots_left(&["1a", "1b", "1c", "12a", "12b", "12c"]).hand(0, "L07");
    desk =
        desk.delivered(0, "S08", true).delivered(0, "S10", false).delivered(0, "S01", false).holds(0, "S15", 0, true);
    desk.play("rondel 1 install");
    let detail = |text: &str| {
        let refusal = desk.state.check(desk.actor(), &Henge::default().parse(text).unwrap()).unwrap_err();
        (refusal.code, refusal.rule, refusal.field.unwrap())
    };
    assert_eq!(detail("install S08@1c"), ("uprights_missing", "4.7", "slot"));
    assert_eq!(detail("install S10@1c"), ("not_carved", "4.7", "slot"));
    assert_eq!(detail("install S01@1c"), ("wrong_size", "4.7", "slot"));
    assert_eq!(detail("install S10@51a"), ("slot_taken", "4.7", "slot"));
    assert_eq!(detail("install S10@3a"), ("out_of_reach", "4.7", "slot"));
    assert_eq!(detail("install S10@9z"), ("unknown_slot", "4.7", "slot"));
    assert_eq!(detail("install S15@1a"), ("in_transit", "4.7", "stone"));
    assert_eq!(detail("install S02@1a"), ("not_your_stone", "4.7", "stone"));
}

#[test]
fn h_57_the_limit_and_the_reach_of_a_sub_action_are_those_of_its_effect() {
    let set = changed("cards with sub-actions", |json| {
        let sub = |action: &str| json!([{"do": "sub", "action": action, "limit": 1, "discount": 9, "reach": "local"}]);
        json["luck"][0]["effects"] = sub("druid");
        json["luck"][1]["effects"] = sub("install");
    });
    let mut desk = Desk::with(&set, "hhhh").pawn(4).level(0, Privilege::Druid, 2).hand(0, "L01 L02 L07");
    desk = desk.delivered(0, "S01", false).delivered(0, "S02", false);
    desk.play("rondel 1 income; luck L01");
    assert_eq!(desk.refusal("druid 1"), ("out_of_reach", "H-57"), "the level would reach farther");
    desk.play("druid 2");
    assert_eq!(desk.refusal("druid 2"), ("limit_reached", "H-57"), "the level would give another");
    desk.play("done; luck L02");
    assert_eq!(desk.refusal("install S01@34a"), ("out_of_reach", "H-57"));
    desk.play("install S01@12a");
    assert_eq!(desk.refusal("install S02@12b"), ("limit_reached", "H-57"));
}

#[test]
fn the_limit_of_a_main_action_is_that_of_its_level() {
    let mut desk = Desk::new("hhhh").coins(0, 20).hand(0, "L07");
    desk.play("rondel 1 druid; druid 1");
    assert_eq!(desk.refusal("druid 1"), ("limit_reached", "H-27"));
    let mut desk = Desk::new("hhh").pawn(20).coins(0, 20).quarry("S01 S02 S03 S05").hand(0, "L07");
    desk.play("rondel 1 quarry; quarry 1");
    assert_eq!(desk.refusal("quarry 2"), ("limit_reached", "4.5"));
    // A level that is gained in the action would allow more, but comes too late for it (H-42).
    desk.person(0).levels[Privilege::Stone.index()] = 1;
    assert_eq!(desk.refusal("quarry 2"), ("limit_reached", "H-42"));
}

#[test]
fn a_quarry_position_is_refused_for_being_empty_or_not_there() {
    let mut desk = Desk::new("hhh").pawn(20).coins(0, 20).quarry("S01 - S03 S05");
    desk.play("rondel 1 quarry");
    assert_eq!(desk.refusal("quarry 2"), ("empty_position", "H-12"));
    assert_eq!(desk.refusal("quarry 5"), ("no_such_position", "4.5"));
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
fn before_the_first_turn_only_what_is_due_and_on_offer_may_be_taken() {
    let mut dice = dice(1);
    let (mut state, mut events) = Henge::default().setup(&options("hhh"), people("hhh"), &mut dice);
    settle(&Henge::default(), &mut state, &mut dice, &mut events);
    let refusal = |state: &State, actor: Seat, text: &str| {
        let refusal = state.check(actor, &Henge::default().parse(text).unwrap()).unwrap_err();
        (refusal.code, refusal.rule)
    };
    // A card that a rival is offered, one that there is not, and another decision (H-08).
    let rivals = Henge::default().notation(&state.legal(seat(1))[0]);
    assert_eq!(refusal(&state, seat(0), &rivals), ("not_offered", "2.2"));
    assert_eq!(refusal(&state, seat(0), "spring P99"), ("not_offered", "2.2"));
    assert_eq!(refusal(&state, seat(0), "upgrade coin"), ("spring_due", "H-08"));
    for number in 0..3 {
        let chosen = state.legal(seat(number))[0];
        play(&Henge::default(), &mut state, seat(number), chosen, &mut dice).unwrap();
        assert_eq!(number == 2, state.stage != Stage::Spring);
    }
    // The last one takes the first upgrade.
    assert_eq!(refusal(&state, seat(2), "income"), ("upgrade_due", "2.2"));
    assert_eq!(refusal(&state, seat(2), &rivals), ("upgrade_due", "2.2"));
    assert_eq!(refusal(&state, seat(0), "upgrade coin"), ("not_your_turn", "3.1"));
    play(&Henge::default(), &mut state, seat(2), Henge::default().parse("upgrade coin").unwrap(), &mut dice).unwrap();
    assert_eq!(refusal(&state, seat(1), "upgrade coin"), ("upgrade_gone", "H-11"));
}

#[test]
fn h_38_only_bonus_cards_that_are_held_can_be_dropped() {
    let mut desk =
        Desk::new("hhh").pawn(4).hand(0, "L09").spring(0, "P01", 0).spring(1, "P02", 0).end_of_game_cards(1, "E01");
    desk.play("rondel 1 income; luck L09");
    for card in ["P02", "E01", "P03", "E99"] {
        assert_eq!(desk.refusal(&format!("drop {card}")), ("not_held", "H-38"), "{card}");
    }
    desk.play("drop P01");
    assert_eq!(desk.refusal("drop P01"), ("not_held", "H-38"), "it has been dropped");
}

#[test]
fn h_36_a_card_for_the_track_is_refused_only_if_it_is_not_in_hand() {
    let before = |steps: u8| {
        let mut desk = Desk::new("hhh").pawn(4).hand(0, "L07").hand(1, "L08");
        desk.person(0).luck_steps = steps;
        desk.play("rondel 1 income; income; done");
        desk
    };
    let room = before(7);
    assert!(room.allows("track L07"));
    assert_eq!(room.refusal("track L08"), ("not_in_hand", "4.8"));
    // With a full track there is no such decision: the turn has ended.
    let full = before(8);
    assert_eq!((full.turn(), full.refusal("track L08")), (1, ("other_decision_due", "3.1")));
}

#[test]
fn reach_is_refused_by_its_action() {
    let mut desk = Desk::new("hhhh").coins(0, 20).delivered(0, "S08", false).hand(0, "L07");
    desk.play("rondel 1 install");
    assert_eq!(desk.refusal("install S08@3a"), ("out_of_reach", "4.7"));
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
    let mut desk = Desk::with(&set, "hhh").pawn(4).hand(0, "L01 L07");
    desk.play("rondel 1 income; luck L01");
    assert_eq!(desk.refusal("luck L07"), ("window_closed", "H-34"));
}
