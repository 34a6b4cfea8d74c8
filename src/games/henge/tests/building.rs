//! Quarry, Carve, Druid and Install: H-12, H-23 to H-33, H-40 to H-42, H-67.

use serde_json::json;

use super::super::components::Privilege;
use super::super::components::testing::changed;
use super::chair;
use super::desk::Desk;

#[test]
fn h_12_quarry_holes_stay_until_the_end_of_the_turn() {
    let mut desk = Desk::new("hhh").pawn(20).coins(0, 20).level(0, Privilege::Stone, 1).quarry("S01 S02 S03 S05");
    desk.play("rondel 1 quarry; quarry 2; quarry 3");
    // Nothing is left to do, and the hand is empty: the turn has ended and the holes are filled.
    assert_eq!(desk.turn(), 1);
    assert!(desk.state.quarry.iter().all(Option::is_some));
    let mut desk = Desk::new("hhh").pawn(20).coins(0, 20).level(0, Privilege::Stone, 1).quarry("S01 S02 S03 S05");
    desk = desk.hand(0, "L07");
    desk.play("rondel 1 quarry; quarry 2");
    assert_eq!(desk.refusal("quarry 2"), ("empty_position", "H-12"));
    desk.play("quarry 3");
    let holes: Vec<bool> = desk.state.quarry.iter().map(Option::is_none).collect();
    assert_eq!(holes, [false, true, true, false]);
    desk.play("done; done");
    assert!(desk.state.quarry.iter().all(Option::is_some));
    // After the deck is empty they stay.
    let mut desk = Desk::new("hhh").pawn(20).coins(0, 20).quarry("S01 S02 S03 S05");
    desk.state.stone_deck = Default::default();
    desk.play("rondel 1 quarry; quarry 1");
    assert!(desk.state.quarry[0].is_none() && desk.turn() == 1);
}

#[test]
fn h_23_only_stones_in_transit_take_storage() {
    let stocked = |desk: Desk| {
        desk.pawn(20)
            .quarry("S01 S02 S03 S05")
            .holds(0, "S15", 0, false)
            .delivered(0, "S16", false)
            .delivered(0, "S14", false)
    };
    assert!(stocked(Desk::new("hhh")).allows("rondel 1 quarry"));
    let full = || stocked(Desk::new("hhh")).holds(0, "S12", 0, false);
    assert!(!full().allows("rondel 1 quarry"));
    // The walk to step 1 passes a border and would deliver a stone one step from the end.
    assert!(stocked(Desk::new("hhh")).holds(0, "S12", 3, false).allows("rondel 1 quarry"));
    let mut desk = full().hand(0, "L27 L25");
    desk.play("rondel 1 quarry; luck L25");
    assert_eq!(desk.refusal("quarry 1"), ("storage_full", "H-23"));
    desk.play("luck L27; quarry 1");
    let strict = changed("strict storage", |json| json["params"]["storage_counts"] = json!("uninstalled"));
    assert!(!stocked(Desk::with(&strict, "hhh")).allows("rondel 1 quarry"));
}

#[test]
fn h_24_stones_are_bought_one_by_one_with_coins_in_hand() {
    let mut desk = Desk::new("hhh").pawn(20).coins(0, 7).level(0, Privilege::Stone, 1).quarry("S01 S02 S13 S19");
    desk = desk.hand(0, "L07");
    desk.play("rondel 1 quarry");
    assert_eq!(desk.legal(), ["quarry 1", "quarry 2", "luck L07"]);
    assert_eq!(desk.refusal("done"), ("unit_due", "3.3"));
    desk.play("quarry 1");
    assert_eq!((desk.person(0).coins, desk.refusal("quarry 2")), (3, ("cannot_afford", "H-24")));
}

#[test]
fn h_25_any_uninstalled_stone_may_be_carved() {
    let mut desk = Desk::new("hhh").pawn(2).coins(0, 8).holds(0, "S01", 0, false).delivered(0, "S02", false);
    desk = desk.hand(0, "L07");
    desk.play("rondel 1 carve; carve S01");
    assert_eq!(desk.refusal("carve S01"), ("already_carved", "4.5"));
    assert_eq!(desk.refusal("carve S09"), ("not_your_stone", "4.5"));
    desk.play("carve S02");
    assert!(desk.person(0).stones.iter().all(|held| held.carved) && desk.person(0).coins == 0);
}

#[test]
fn h_26_a_druid_is_paid_placed_and_brings_its_benefit_before_the_next() {
    // The second space of area 1 costs 2, and so does the third; the first druid of a player gives 2 coins.
    let mut desk = Desk::new("hhh").coins(0, 2).level(0, Privilege::Druid, 2).druids(1, "1");
    desk.play("rondel 1 druid; druid 1");
    assert_eq!(desk.person(0).coins, 2);
    desk.play("druid 1");
    assert_eq!((desk.person(0).coins, desk.state.placed(chair(0))), (0, 2));
}

#[test]
fn h_27_the_second_number_bounds_druids_in_adjacent_areas() {
    let mut desk = Desk::new("hhh").coins(0, 20).level(0, Privilege::Druid, 2);
    desk.play("rondel 1 druid; druid 2");
    assert_eq!(desk.legal(), ["druid 1", "done"]);
    assert_eq!(desk.refusal("druid 2"), ("out_of_reach", "H-27"));
    let mut desk = Desk::new("hhh").coins(0, 20).level(0, Privilege::Druid, 1);
    desk.play("rondel 1 druid");
    assert_eq!(desk.legal(), ["druid 1", "druid 2", "druid 5"]);
}

#[test]
fn h_28_a_full_path_or_no_druids_is_no_target() {
    // Eight spaces, the last one black: seven druids close the path.
    let desk = Desk::new("hhhh").coins(0, 20).druids(1, "1122331");
    assert!(
        !desk.allows("rondel 1 druid") && Desk::new("hhhh").coins(0, 20).druids(1, "112233").allows("rondel 1 druid")
    );
    let none = Desk::new("hhhh").coins(0, 50).druids(2, "000000").druids(3, "000000");
    assert_eq!((none.state.druids_left(chair(0)), none.allows("rondel 1 druid")), (0, false));
}

#[test]
fn h_29_a_stone_is_finished_before_the_next() {
    let mut desk = Desk::new("hhh").level(0, Privilege::Coin, 3).coins(0, 0);
    desk = desk.delivered(0, "S09", false).delivered(0, "S08", false);
    desk.play("rondel 1 install; install S09@1a");
    assert_eq!((desk.person(0).coins, desk.person(0).stones.len()), (5, 1));
    assert!(desk.allows("install S08@1b"));
}

#[test]
fn h_30_a_border_slot_levels_up_by_the_area_of_the_pawn() {
    // Area 2 shows luck and stone, area 1 rondel and coin; slot 12a lies in both.
    let mut desk = Desk::new("hhhh").pawn(4).delivered(0, "S03", false).delivered(0, "S02", false);
    desk.play("rondel 1 install; install S03@12a");
    assert_eq!(desk.person(0).level(Privilege::Luck), 1);
    desk.play("install S02@12b");
    assert_eq!(desk.person(0).level(Privilege::Coin), 0);
    // A stone that a card lets reach another area goes by the pawn's area too.
    let mut desk = Desk::new("hhhh").pawn(4).delivered(0, "S13", false).delivered(0, "S09", false).hand(0, "L42");
    desk.play("rondel 1 install; luck L42; install S13@1a");
    assert_eq!(desk.person(0).level(Privilege::Stone), 1);
    desk.play("install S09@1b");
    assert_eq!(desk.person(0).level(Privilege::Coin), 0);
}

#[test]
fn h_31_anyones_uprights_carry_a_lintel() {
    let mut desk = Desk::new("hhh").built(1, "1a", "S08").delivered(0, "S09", true).delivered(0, "S10", false);
    desk.play("rondel 1 install");
    assert_eq!(desk.refusal("install S09@1c"), ("uprights_missing", "4.7"));
    assert_eq!(desk.refusal("install S10@1c"), ("not_carved", "4.7"));
    assert_eq!(desk.refusal("install S09@1a"), ("slot_taken", "4.7"));
    assert_eq!(desk.refusal("install S09@51a"), ("wrong_size", "H-32"));
    desk.play("install S10@1b; install S09@1c");
    // 8 for S10, 10 + 6 for S09 on the lintel.
    assert_eq!(desk.person(0).victory_points, 24);
}

#[test]
fn h_32_size_is_ignored_when_no_empty_slot_anywhere_takes_it() {
    let small_slots = ["51a", "51b", "23a", "23b", "23c", "12m", "23m", "34m", "45m", "51m"];
    let stones = ["S01", "S02", "S03", "S04", "S06", "S08", "S09", "S10", "S11", "S12"];
    let mut desk = Desk::new("hhh").delivered(0, "S05", false);
    for (slot, stone) in small_slots.into_iter().zip(stones) {
        desk = desk.built(1, slot, stone);
    }
    // Only the small lintel 51c is empty; the stone is not carved, but the slot is there.
    assert!(!desk.allows("rondel 1 install"));
    let mut desk = desk.built(1, "51c", "S07");
    desk.play("rondel 1 install");
    assert_eq!(desk.listed("install"), ["install S05@1a", "install S05@1b"]);
    // Carving and uprights are still needed, and the ruling says so.
    let mut desk = desk.built(1, "1a", "S13");
    assert_eq!(desk.refusal("install S05@1c"), ("not_carved", "H-32"));
    desk.person(0).stones[0].carved = true;
    assert_eq!(desk.refusal("install S05@1c"), ("uprights_missing", "H-32"));
    let mut desk = desk.built(1, "1b", "S14");
    assert!(desk.allows("install S05@1c"));
    desk.person(0).stones[0].carved = false;
    assert_eq!(desk.refusal("install S05@1c"), ("not_carved", "H-32"));
    // The other side has no exception.
    let mut other = Desk::new("hhhh").delivered(0, "S05", false);
    let slots: Vec<_> = other
        .state
        .equipment
        .side()
        .all()
        .filter(|(_, row)| row.size == super::super::components::SlotSize::Small)
        .collect();
    let dummy = other.stone("S08");
    for (slot, _) in slots {
        other.state.slots[slot.index()] = Some(super::super::state::Built { chair: chair(1), stone: dummy });
    }
    assert!(!other.allows("rondel 1 install"));
}

#[test]
fn h_33_a_carved_stone_on_a_plain_upright_scores_its_card_only() {
    let mut desk = Desk::new("hhh").delivered(0, "S08", true);
    desk.play("rondel 1 install; install S08@1a");
    assert_eq!(desk.person(0).victory_points, 7);
}

#[test]
fn h_40_goals_are_tested_at_the_end_of_the_turn() {
    let mut desk = Desk::new("hhh").pawn(20).coins(0, 18).spring(0, "P03", 0).quarry("S19 S02 S03 S05");
    desk.play("rondel 1 quarry; quarry 1");
    assert_eq!((desk.person(0).coins, desk.person(0).marks, desk.turn()), (10, 0, 1));
    let mut desk = Desk::new("hhh").pawn(4).coins(0, 11).spring(0, "P03", 0).luck_deck("");
    desk.play("rondel 1 income; income");
    assert_eq!((desk.person(0).coins, desk.person(0).marks, desk.turn()), (18, 1, 1));
    // The druids of one action make one mark, those of a sub-action another.
    let mut desk = Desk::new("hhh").coins(0, 20).level(0, Privilege::Druid, 2).spring(0, "P10", 0);
    desk = desk.hand(0, "L15 L07").chits(super::super::components::Pool::B, "B08");
    desk.play("rondel 1 druid; druid 1; druid 1");
    assert_eq!(desk.person(0).marks, 1);
    desk.play("luck L15; reward B08; druid 3");
    assert_eq!(desk.person(0).marks, 2);
}

#[test]
fn h_41_stone_and_slot_score_at_once() {
    let mut desk = Desk::new("hhh").delivered(0, "S01", true);
    desk.play("rondel 1 install; install S01@12m");
    assert_eq!(desk.person(0).victory_points, 4 + 3);
}

#[test]
fn h_42_number_and_reach_are_fixed_when_the_action_begins() {
    let set = changed("a druid that teaches", |json| {
        json["druid_track"][0] = json!([{"do": "level", "which": "druid"}]);
    });
    let mut desk = Desk::with(&set, "hhh").coins(0, 20).level(0, Privilege::Druid, 1).hand(0, "L07");
    desk.play("rondel 1 druid; druid 1");
    assert_eq!((desk.person(0).level(Privilege::Druid), desk.legal()), (2, vec!["luck L07".into(), "done".into()]));
    assert_eq!(desk.refusal("druid 1"), ("limit_reached", "H-42"));
    // Storage is read when it is used: a Stone level gained by a chit counts at once.
    let mut desk = Desk::new("hhh").pawn(20).coins(0, 20).level(0, Privilege::Stone, 1).quarry("S01 S02 S03 S05");
    desk = desk.holds(0, "S15", 0, false).hand(0, "L15").chits(super::super::components::Pool::B, "B01");
    desk.play("rondel 1 quarry; quarry 1");
    assert_eq!(desk.refusal("quarry 2"), ("storage_full", "H-23"));
    desk.play("luck L15; reward B01; level stone; quarry 2");
}

#[test]
fn h_67_a_border_slot_uses_an_adjacent_allowance_first() {
    let set = changed("a card for both", |json| {
        json["luck"][41]["effects"] = json!([
            {"do": "mod", "what": "reach_adjacent", "n": 1}, {"do": "mod", "what": "reach_remote", "n": 1}
        ]);
    });
    let mut desk = Desk::with(&set, "hhhh").delivered(0, "S01", true).delivered(0, "S02", false).hand(0, "L42");
    desk.play("rondel 1 install; luck L42; install S01@23m");
    let Some(super::super::state::Frame::Action(act)) = desk.state.top() else { panic!() };
    assert_eq!((act.adjacent, act.remote), (0, 1));
    // A slot that touches the local area uses none.
    desk.play("install S02@12a");
    assert_eq!((desk.turn(), desk.person(0).stones.len()), (1, 0));
}
