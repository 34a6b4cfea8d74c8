//! The rondel: H-09, H-14 to H-18, H-56, H-62, H-66.

use super::super::components::testing::changed;
use super::super::components::{Action, Area, Privilege};
use super::desk::Desk;
use sarsen_rules::{Notation, Seat};

#[test]
fn h_09_a_luck_card_in_hand_may_make_a_stop_legal() {
    // Step 3 shows carve, one step ahead of step 2; carving costs 4.
    let desk = || Desk::new("hhh").pawn(2).coins(0, 3).holds(0, "S01", 0, false);
    assert!(desk().hand(0, "L31").allows("rondel 1 carve"));
    assert!(!desk().allows("rondel 1 carve"));
    assert_eq!(desk().refusal("rondel 1 carve"), ("cannot_afford", "H-09"));
    // What a choice or a draw might give is not counted: Crossroads may give 6 coins.
    assert!(!desk().hand(0, "L16").allows("rondel 1 carve"));
    // Coins that the card gives by itself are.
    assert!(desk().hand(0, "L05").allows("rondel 1 carve"));
    // A rival's hand does not help.
    assert!(!desk().hand(1, "L31").allows("rondel 1 carve"));
}

#[test]
fn h_14_one_step_to_a_full_lap_and_bribes_are_paid_before() {
    let desk = Desk::new("hhh").pawn(16).coins(0, 1);
    let mut steps: Vec<u8> =
        desk.listed("rondel ").iter().map(|text| text.split(' ').nth(1).unwrap().parse().unwrap()).collect();
    steps.dedup();
    assert_eq!(steps, [1, 2, 3]);
    assert_eq!(desk.refusal("rondel 4 druid"), ("cannot_afford", "H-14"));
    assert_eq!(Desk::new("hhh").coins(0, 99).refusal("rondel 21 druid"), ("too_far", "H-14"));
    // The bribe for the third step eats the coin that the druid there would cost.
    assert_eq!(Desk::new("hhh").coins(0, 1).refusal("rondel 3 druid"), ("cannot_afford", "H-09"));
    assert!(Desk::new("hhh").coins(0, 2).allows("rondel 3 druid"));
    let mut desk = Desk::new("hhh").coins(0, 5).pawn(1);
    desk.play("rondel 4 income");
    assert_eq!(desk.person(0).coins, 5 - 2);
}

#[test]
fn h_14_h_15_a_walk_or_a_travel_is_accepted_exactly_where_it_is_listed() {
    let mut free = Desk::new("hhh").pawn(18).coins(0, 1).level(0, Privilege::Rondel, 1).hand(0, "L19");
    free.play("luck L19");
    let mut elsewhere = Desk::new("hhh").coins(0, 9);
    elsewhere.play("rondel 1 druid");
    let desks = [
        Desk::new("hhh").coins(0, 0),
        Desk::new("hhh").coins(0, 3).pawn(2).holds(0, "S01", 0, false).hand(0, "L31"),
        Desk::new("hhh").coins(0, 99).pawn(8).holds(0, "S01", 2, false).quarry("S01 S02 S03 S05"),
        free,
        elsewhere,
    ];
    for mut desk in desks {
        for tokens in [0, 1] {
            desk.person(0).travel_tokens = tokens;
            for seat in (0..3).map(Seat::new).map(Option::unwrap) {
                let listed = desk.state.legal(seat);
                let every = |kind| (1..=99).flat_map(move |steps| Action::ALL.map(|action| (kind, steps, action)));
                for (kind, steps, action) in every("rondel").chain(every("travel")) {
                    let mv = desk.game.parse(&format!("{kind} {steps} {}", action.into_str())).unwrap();
                    assert_eq!(desk.state.check(seat, &mv).is_ok(), listed.contains(&mv), "{seat}: {mv:?}");
                }
            }
        }
    }
}

#[test]
fn h_15_a_token_moves_any_distance_without_transport() {
    let mut desk = Desk::new("hhh").pawn(1).coins(0, 0).holds(0, "S15", 0, false);
    desk.play("travel 10 income");
    assert_eq!((desk.person(0).stones[0].at, desk.state.pawn.number()), (0, 11));
    assert_eq!(desk.person(0).travel_tokens, 0);
    let mut bare = Desk::new("hhh");
    bare.person(0).travel_tokens = 0;
    assert_eq!(bare.refusal("travel 3 druid"), ("no_token", "4.1"));
    assert_eq!(Desk::new("hhh").refusal("travel 21 druid"), ("too_far", "H-15"));
}

#[test]
fn h_16_own_stones_advance_for_each_border_left_behind() {
    // Step 4 is the last of area 1, step 5 the first of area 2.
    let mut desk = Desk::new("hhh").pawn(4).holds(0, "S15", 0, false).holds(1, "S16", 0, false);
    desk.play("rondel 1 income");
    assert_eq!((desk.person(0).stones[0].at, desk.person(1).stones[0].at), (1, 0));
    let mut desk = Desk::new("hhh").pawn(1).holds(0, "S15", 0, false);
    desk.play("rondel 2 luck");
    assert_eq!(desk.person(0).stones[0].at, 0);
}

#[test]
fn h_17_one_of_two_actions_is_named_with_the_move() {
    // Step 10 shows install and quarry.
    let desk = Desk::new("hhh").pawn(9).quarry("S01 S02 S03 S05").holds(0, "S15", 0, false);
    assert_eq!(desk.listed("rondel 1 "), ["rondel 1 quarry"]);
    assert_eq!(desk.refusal("rondel 1 income"), ("action_not_there", "H-17"));
}

#[test]
fn h_18_arrive_needs_a_stone_in_transit_on_arrival() {
    // Step 8 shows arrive, in the same area as step 7; step 12 lies one border ahead of step 8.
    assert!(!Desk::new("hhh").pawn(7).delivered(0, "S01", false).allows("rondel 1 arrive"));
    assert_eq!(
        Desk::new("hhh").pawn(7).delivered(0, "S01", false).refusal("rondel 1 arrive"),
        ("nothing_in_transit", "H-18")
    );
    assert!(Desk::new("hhh").pawn(7).holds(0, "S01", 2, false).allows("rondel 1 arrive"));
    // The walk over the border delivers the last stone itself.
    assert!(!Desk::new("hhh").pawn(8).holds(0, "S01", 2, false).allows("rondel 4 arrive"));
    assert!(Desk::new("hhh").pawn(8).holds(0, "S01", 2, false).allows("travel 4 arrive"));
    // A Luck card that delivers it afterwards leaves the action possible.
    let mut desk = Desk::new("hhh").pawn(7).holds(0, "S01", 2, false).hand(0, "L03");
    desk.play("rondel 1 arrive; luck L03; arrive");
    assert_eq!(desk.person(0).stones[0].at, 3);
}

#[test]
fn h_56_two_areas_are_adjacent_and_two_remote() {
    let [one, two, three, four, five] = Area::ALL;
    assert!(one.is_adjacent(two) && one.is_adjacent(five) && one.is_remote(three) && one.is_remote(four));
}

#[test]
fn h_62_a_card_for_walking_is_wasted_on_a_token() {
    let mut desk = Desk::new("hhh").pawn(4).holds(0, "S15", 0, false).hand(0, "L19");
    desk.play("luck L19; travel 1 income");
    assert_eq!(desk.person(0).stones[0].at, 0);
}

#[test]
fn h_66_double_transport_does_not_add_up() {
    let set = changed("two double cards", |json| json["luck"][16]["effects"] = json["luck"][18]["effects"].clone());
    let mut desk = Desk::with(&set, "hhh").pawn(4).holds(0, "S15", 0, false).hand(0, "L17 L19");
    desk.play("luck L17; luck L19; rondel 1 income");
    assert_eq!(desk.person(0).stones[0].at, 2);
}

#[test]
fn free_steps_of_a_card_add_to_those_of_the_privilege() {
    // Four steps are free, seven with the card; step 5 lies seven steps ahead of step 18.
    let mut desk = Desk::new("hhh").pawn(18).coins(0, 0).level(0, Privilege::Rondel, 1).hand(0, "L19");
    assert!(!desk.allows("rondel 7 income") && desk.allows("luck L19"));
    desk.play("luck L19");
    assert!(desk.allows("rondel 7 income"));
    assert_eq!(desk.refusal("rondel 8 druid"), ("cannot_afford", "H-14"));
}
