//! Players, boards and set-up: H-01 to H-08, H-11, H-64.

use super::super::components::{BonusDeck, Privilege, Size, SlotSize};
use super::super::state::Stage;
use super::desk::{Desk, id};
use super::*;
use sarsen_rules::{Rulebook, Status, Viewer, play, settle};

fn set_up(table: &str, number: u8) -> (State, Vec<Event>) {
    Henge::default().setup(&options(table), people(table), &mut dice(number))
}

fn refused(table: &str) -> (&'static str, &'static str) {
    let refusal = Henge::default().check_options(&options(table), people(table)).unwrap_err();
    (refusal.code, refusal.rule)
}

#[test]
fn h_01_one_to_five_people_and_three_to_five_players() {
    assert_eq!(Henge::default().check_options(&options("hbb"), people("hbb")), Ok(()));
    assert_eq!(refused("hb"), ("table_size", "H-01"));
    assert!(Seating::try_from("hhhhhb".to_owned()).is_err());
    let refusal = Henge::default().check_options(&options("hbb"), people("hh")).unwrap_err();
    assert_eq!((refusal.code, refusal.rule), ("table_seats_differ", "2.1"));
    for seats in 1..=5 {
        let count = SeatCount::new(seats).unwrap();
        assert_eq!(Henge::default().check_options(&options(""), count), Ok(()));
        assert_eq!(Henge::default().setup(&options(""), count, &mut dice(1)).0.equipment.total, seats.max(3));
    }
}

#[test]
fn h_02_the_board_side_goes_by_all_players() {
    assert_eq!(set_up("hhb", 1).0.equipment.side().key, "3");
    assert_eq!(set_up("hhbb", 1).0.equipment.side().key, "45");
}

#[test]
fn h_03_count_marks_say_with_which_totals_a_card_is_used() {
    let state = set_up("hhhh", 1).0;
    let spring = state.equipment.bonus_in_use(BonusDeck::Spring);
    let index = |card: &str| state.equipment.set().find_bonus(&id(card)).unwrap().index();
    assert!(spring.contains(index("P07")), "3/4 stays");
    assert!(!spring.contains(index("P14")), "5 goes");
}

#[test]
fn h_04_hengebots_own_no_cards() {
    for number in 0..10 {
        let state = set_up("hbb", number).0;
        let is_starter = |index: &usize| state.equipment.set().stones[*index].starter_area.is_some();
        let in_deck = state.stone_deck.iter().filter(is_starter).count();
        let in_quarry = state.quarry.iter().flatten().filter(|stone| is_starter(&stone.index())).count();
        assert_eq!((state.people.len(), state.person(seat(0)).stones.len(), in_deck + in_quarry), (1, 1, 4));
    }
}

#[test]
fn h_05_a_person_starts() {
    assert_eq!(refused("bhh"), ("first_place_not_a_person", "H-05"));
    for number in 0..10 {
        let state = set_up("hhh", number).0;
        let starter = state.equipment.stone(state.person(seat(0)).stones[0].stone);
        assert_eq!(Some(state.local()), starter.starter_area);
    }
}

#[test]
fn h_06_the_pawn_begins_on_the_first_step_of_the_area_and_must_leave_it() {
    for number in 0..10 {
        let state = set_up("hhh", number).0;
        assert!([1, 5, 9, 13, 17].contains(&state.pawn.number()));
    }
    // Step 9 shows income; from there it is a full lap away: 20 steps, 2 free.
    let desk = Desk::new("hhh").pawn(9).coins(0, 18);
    assert!(desk.allows("rondel 20 income") && desk.allows("travel 20 income"));
    assert!(!Desk::new("hhh").pawn(9).coins(0, 17).allows("rondel 20 income"));
}

#[test]
fn h_07_there_are_ten_tokens() {
    let mut desk = Desk::new("hhh").hand(0, "L05");
    assert_eq!(desk.state.travel_supply, 7);
    desk.play("travel 4 income");
    assert_eq!((desk.person(0).travel_tokens, desk.state.travel_supply), (0, 8));
    desk.state.travel_supply = 0;
    desk.play("luck L05");
    assert_eq!((desk.person(0).travel_tokens, desk.person(0).coins), (0, 13));
}

#[test]
fn h_08_spring_cards_are_chosen_at_once_and_in_secret() {
    let (mut state, _) = set_up("hhh", 3);
    let mut dice = dice(3);
    let Status::ToAct(seats) = state.status() else { panic!() };
    assert_eq!(seats.len(), 3);
    let choose = |state: &mut State, number: u8, dice: &mut Dice| {
        let mv = state.legal(seat(number))[0];
        (mv, play(&Henge::default(), state, seat(number), mv, dice).unwrap().events)
    };
    let (mv, events) = choose(&mut state, 0, &mut dice);
    let mat = state.view(Viewer::Seat(seat(1))).players[0].mat.clone().unwrap();
    assert_eq!((mat.has_spring, mat.spring, mat.offer), (true, None, None));
    assert!(state.view(Viewer::Seat(seat(0))).players[0].mat.clone().unwrap().spring.is_some());
    assert_eq!(Henge::default().redact_move(&mv, seat(0), Viewer::Seat(seat(1))), None);
    for event in &events {
        let text = serde_json::to_string(&Henge::default().redact(event, Viewer::Seat(seat(1)))).unwrap();
        let Move::Spring(chosen) = mv else { panic!() };
        assert!(!text.contains(chosen.card.as_str()), "{text}");
    }
    choose(&mut state, 2, &mut dice);
    let (_, events) = choose(&mut state, 1, &mut dice);
    assert_eq!(events.iter().filter(|event| matches!(event, Event::SpringRevealed(_))).count(), 3);
    assert!(state.view(Viewer::Spectator).players.iter().all(|player| player.mat.as_ref().unwrap().spring.is_some()));
    assert_eq!(state.stage, Stage::Upgrade { seat: seat(2) });
}

#[test]
fn h_11_a_first_upgrade_goes_once_and_hengebots_take_none() {
    let (mut state, mut events) = set_up("hbhh", 1);
    let mut dice = dice(1);
    settle(&Henge::default(), &mut state, &mut dice, &mut events);
    for number in 0..3 {
        let mv = state.legal(seat(number))[0];
        play(&Henge::default(), &mut state, seat(number), mv, &mut dice).unwrap();
    }
    assert_eq!((state.stage, state.legal(seat(2)).len()), (Stage::Upgrade { seat: seat(2) }, 5));
    play(&Henge::default(), &mut state, seat(2), Henge::default().parse("upgrade coin").unwrap(), &mut dice).unwrap();
    assert_eq!(state.stage, Stage::Upgrade { seat: seat(1) });
    let refusal = state.check(seat(1), &Henge::default().parse("upgrade coin").unwrap()).unwrap_err();
    assert_eq!((refusal.code, refusal.rule), ("upgrade_gone", "H-11"));
    play(&Henge::default(), &mut state, seat(1), Henge::default().parse("upgrade luck").unwrap(), &mut dice).unwrap();
    play(&Henge::default(), &mut state, seat(0), Henge::default().parse("upgrade druid").unwrap(), &mut dice).unwrap();
    let levels = |number| state.person(seat(number)).level(Privilege::Coin);
    assert_eq!((levels(0), levels(1), levels(2), state.upgrades.len()), (0, 0, 1, 0));
    assert_eq!((state.stage, state.round, state.turn), (Stage::Play, 1, Chair::FIRST));
}

#[test]
fn h_64_every_slot_can_be_filled_with_five_players() {
    let state = set_up("hhhhh", 1).0;
    let stones = |size| {
        state.equipment.stones_in_use().iter().filter(|at| state.equipment.set().stones[*at].size == size).count()
    };
    let slots = |size| state.equipment.side().slots.iter().filter(|slot| slot.size == size).count();
    assert_eq!(stones(Size::Large), slots(SlotSize::Large));
    assert_eq!(stones(Size::Small), slots(SlotSize::Small));
    assert_eq!(state.equipment.side().slots.len(), 29);
}

#[test]
fn every_point_has_its_ruling() {
    let rules = Rulebook::read(Henge::INFO.rules);
    let ids: Vec<&str> = rules.rulings().iter().map(|ruling| ruling.id).collect();
    let expected: Vec<String> = (1..=67).map(|number| format!("H-{number:02}")).collect();
    assert_eq!(ids, expected);
}

#[test]
fn a_set_is_left_out_or_named() {
    let henge = Henge::default();
    let read = |options: serde_json::Value| henge.options(&options);
    let left_out = read(serde_json::json!({})).unwrap();
    let named = serde_json::json!({"set": serde_json::to_value(&left_out).unwrap()["set"]});
    assert_eq!(read(named).unwrap(), left_out);
    assert_eq!(read(serde_json::json!({"set": null})).unwrap_err().path, "set");
}
