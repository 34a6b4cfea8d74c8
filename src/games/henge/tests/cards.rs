//! Luck and Bonus cards, chits, the guard: H-10, H-13, H-19 to H-22, H-34 to H-39, H-57, H-61, H-63, H-65.

use serde_json::json;

use super::super::components::testing::changed;
use super::super::components::{Pool, Privilege};
use super::desk::Desk;
use super::*;
use sarsen_rules::Viewer;

#[test]
fn h_10_a_card_that_the_action_needs_may_not_be_spent_in_a_sub_action() {
    let set = changed("a card with a druid", |json| {
        json["luck"][0]["effects"] =
            json!([{"do": "sub", "action": "druid", "limit": 1, "discount": 0, "reach": "local"}]);
    });
    let mut desk = Desk::with(&set, "hhh").coins(0, 0).hand(0, "L01 L40");
    desk.play("rondel 1 druid; luck L01");
    assert_eq!(desk.legal(), ["done"]);
    assert_eq!(desk.refusal("luck L40"), ("needed_for_action", "H-10"));
    desk.play("done; luck L40; druid 1");
    // With a coin at hand the card is free; and the benefit of the first druid helps to pay for the second.
    let mut desk = Desk::with(&set, "hhh").coins(0, 1).hand(0, "L01 L40");
    desk.play("rondel 1 druid; luck L01");
    assert!(desk.allows("luck L40") && desk.allows("druid 1"));
}

#[test]
fn h_10_what_effects_still_pending_give_counts() {
    let mut desk = Desk::new("hhh").coins(0, 0).level(0, Privilege::Luck, 1).hand(0, "L13").chits(Pool::A, "A03");
    desk = desk.luck_deck("L01 L07");
    assert!(desk.allows("rondel 1 druid"));
    desk.play("rondel 1 druid; luck L13; reward A03");
    // The coins of the chit and of the card are still to come: those of L01 are not needed.
    assert_eq!(desk.legal(), ["discard L01", "discard L07"]);
}

#[test]
fn h_10_coins_for_each_count_in_hand_and_pending() {
    // One area with a druid: 4 coins, which is what carving costs.
    let coins = json!({"do": "coins_per", "count": {"what": "areas_with", "n": 1}, "n": 4});
    let set = changed("coins for each area", |json| {
        json["luck"][0]["when"] = json!(["carve"]);
        json["luck"][0]["effects"] = json!([coins]);
        json["luck"][8]["effects"] = json!([{"do": "luck", "n": 1}]);
        json["luck"][9]["effects"] = json!([{"do": "luck", "n": 1}, coins]);
    });
    let desk = |money: u16| {
        let desk = Desk::with(&set, "hhh").pawn(2).coins(0, money).level(0, Privilege::Luck, 1).druids(4, "0");
        desk.holds(0, "S01", 0, false)
    };
    assert!(desk(0).hand(0, "L01").allows("rondel 1 carve"));
    assert!(!desk(0).druids(4, "").hand(0, "L01").allows("rondel 1 carve"));
    // In the hand it is needed.
    let mut held = desk(0).hand(0, "L01 L09").luck_deck("L07 L08");
    held.play("rondel 1 carve; luck L09");
    assert_eq!(held.legal(), ["discard L07", "discard L08"]);
    // Pending, it lets go of a discount that would otherwise be needed.
    let mut pending = desk(1).hand(0, "L10 L31").luck_deck("L07 L08");
    pending.play("rondel 1 carve; luck L10");
    assert_eq!(pending.legal(), ["discard L07", "discard L08", "discard L31"]);
}

#[test]
fn h_10_while_the_action_is_possible_a_sub_action_whose_options_would_all_end_that_is_passed_over() {
    let set = changed("a card with a druid that brings no coins", |json| {
        json["luck"][0]["effects"] =
            json!([{"do": "sub", "action": "druid", "limit": 1, "discount": 0, "reach": "local"}]);
        json["druid_track"][0] = json!([{"do": "vp", "n": 1}]);
    });
    // The only coin is needed for the druid of the action, and no card is left.
    let mut desk = Desk::with(&set, "hhh").coins(0, 1).hand(0, "L01");
    desk.play("rondel 1 druid; luck L01");
    assert_eq!(desk.legal(), ["druid 1"]);
    desk.play("druid 1");
    assert_eq!((desk.state.placed(chair(0)), desk.turn()), (1, 1));
}

#[test]
fn h_10_while_the_action_is_not_possible_a_sub_action_none_of_whose_options_mends_that_is_free() {
    // The card makes carving cheaper only after its druid, and pending changes are not counted on (4.3): in between
    // carving is not possible, whatever the druid costs.
    let desk = |name: &str, discount: u16| {
        let set = changed(name, |json| {
            json["luck"][0]["when"] = json!(["carve"]);
            json["luck"][0]["effects"] = json!([
                {"do": "sub", "action": "druid", "limit": 1, "discount": 0, "reach": "local"},
                {"do": "mod", "what": "discount", "n": discount},
            ]);
            json["druid_track"][0] = json!([{"do": "vp", "n": 1}]);
        });
        let mut desk = Desk::with(&set, "hhh").pawn(2).coins(0, 3).holds(0, "S01", 0, false).hand(0, "L01");
        desk.play("rondel 1 carve; luck L01");
        assert_eq!(desk.legal(), ["druid 1", "done"]);
        desk.play("druid 1");
        desk
    };
    let mut enough = desk("a druid, then a large discount", 4);
    assert_eq!(enough.legal(), ["carve S01"]);
    enough.play("carve S01");
    // With no unit, no playable card and nothing possible the main action offers `done`.
    let mut short = desk("a druid, then a small discount", 1);
    assert_eq!((short.person(0).coins, short.legal()), (2, vec!["done".to_owned()]));
    short.play("done");
    assert_eq!(short.turn(), 1);
}

#[test]
fn h_10_while_the_action_is_not_possible_an_option_that_mends_that_withholds_the_others() {
    // Carving costs 4 coins, and the discount is pending. The first druid brings 2: the local one costs 1, those in
    // adjacent areas 2.
    let set = changed("a druid in adjacent areas too, then a discount", |json| {
        json["luck"][0]["when"] = json!(["carve"]);
        json["luck"][0]["effects"] = json!([
            {"do": "sub", "action": "druid", "limit": 1, "discount": 0, "reach": "adjacent"},
            {"do": "mod", "what": "discount", "n": 4},
        ]);
    });
    let desk = |coins: u16| {
        let desk = Desk::with(&set, "hhh").pawn(2).coins(0, coins).druids(2, "1").druids(5, "1");
        let mut desk = desk.holds(0, "S01", 0, false).hand(0, "L01");
        desk.play("rondel 1 carve; luck L01");
        desk
    };
    let mut mends = desk(3);
    assert_eq!(mends.legal(), ["druid 1", "done"]);
    assert_eq!(mends.refusal("druid 2"), ("needed_for_action", "H-10"));
    mends.play("druid 1");
    assert_eq!((mends.person(0).coins, mends.legal()), (4, vec!["carve S01".to_owned()]));
    // With a coin less none of them mends it, with a coin more two leave it possible.
    assert_eq!(desk(2).legal(), ["druid 1", "druid 2", "druid 5", "done"]);
    assert_eq!(desk(4).legal(), ["druid 1", "druid 2", "druid 5", "done"]);
    // A card for sub-actions that brings coins mends it as well.
    let set = changed("a druid, then a discount, and a card with a coin for sub-actions", |json| {
        json["luck"][0]["when"] = json!(["carve"]);
        json["luck"][0]["effects"] = json!([
            {"do": "sub", "action": "druid", "limit": 1, "discount": 0, "reach": "local"},
            {"do": "mod", "what": "discount", "n": 4},
        ]);
        json["luck"][39]["effects"] = json!([{"do": "coins", "n": 1}]);
        json["druid_track"][0] = json!([{"do": "vp", "n": 1}]);
    });
    let mut desk = Desk::with(&set, "hhh").pawn(2).coins(0, 3).holds(0, "S01", 0, false).hand(0, "L01 L40");
    desk.play("rondel 1 carve; luck L01");
    assert_eq!(desk.legal(), ["luck L40", "done"]);
    assert_eq!(desk.refusal("druid 1"), ("needed_for_action", "H-10"));
    // Now carving is possible, and the druid would end that.
    desk.play("luck L40");
    assert_eq!((desk.person(0).coins, desk.legal()), (4, vec!["carve S01".to_owned()]));
}

#[test]
fn h_10_a_needed_card_may_not_be_discarded() {
    // Carving costs 4, Sharp Flint makes that 1; Elder's Tale and what is drawn are not needed.
    let tale = changed("a card that draws", |json| json["luck"][8]["effects"] = json!([{"do": "luck", "n": 1}]));
    let mut desk = Desk::with(&tale, "hhh").pawn(2).coins(0, 1).level(0, Privilege::Luck, 1).holds(0, "S01", 0, false);
    desk = desk.hand(0, "L09 L31").luck_deck("L01 L07");
    desk.play("rondel 1 carve; luck L09");
    // L01 gives 5 coins, so one of L01 and L31 must stay; one discard may take either.
    assert_eq!(desk.legal(), ["discard L01", "discard L07", "discard L31"]);
    let mut desk = Desk::with(&tale, "hhh").pawn(2).coins(0, 1).level(0, Privilege::Luck, 1).holds(0, "S01", 0, false);
    desk = desk.hand(0, "L09 L31").luck_deck("L07 L08");
    desk.play("rondel 1 carve; luck L09");
    assert_eq!(desk.legal(), ["discard L07", "discard L08"]);
    assert_eq!(desk.refusal("discard L31"), ("needed_for_action", "H-10"));
    // Of two discards the first must leave the second a card to spare.
    let mut desk = Desk::with(&tale, "hhh").pawn(2).coins(0, 1).level(0, Privilege::Luck, 2).holds(0, "S01", 0, false);
    desk = desk.hand(0, "L09 L31").luck_deck("L01 L02 L32");
    desk.play("rondel 1 carve; luck L09");
    assert_eq!(desk.legal().len(), 4);
    desk.play("discard L31; discard L01");
    assert!(desk.allows("luck L02") && desk.allows("luck L32"));
    // Without L01 the three others would give just enough, but another of them must go: it has to stay.
    let mut desk = Desk::with(&tale, "hhh").pawn(2).coins(0, 1).level(0, Privilege::Luck, 2).holds(0, "S01", 0, false);
    desk = desk.hand(0, "L01 L09").luck_deck("L05 L06 L13");
    desk.play("rondel 1 carve; luck L09");
    assert_eq!(desk.legal(), ["discard L05", "discard L06", "discard L13"]);
    assert_eq!(desk.refusal("discard L01"), ("needed_for_action", "H-10"));
}

#[test]
fn h_13_chits_are_refilled_at_the_end_of_the_turn() {
    let mut desk = Desk::new("hhh").pawn(4).hand(0, "L13 L14 L07").chits(Pool::A, "A05 A09 A13");
    desk.play("rondel 1 income; luck L13");
    assert_eq!(desk.legal().len(), 3);
    desk.play("reward A09; luck L14");
    assert_eq!(desk.legal(), ["reward A05", "reward A13"]);
    assert_eq!(desk.refusal("reward A09"), ("not_face_up", "1.2"));
    desk.play("reward A05; income; done; done");
    // The stack was empty, so the used ones come back.
    assert_eq!((desk.state.pool(Pool::A).face_up.len(), desk.state.pool(Pool::A).used.len()), (3, 0));
}

#[test]
fn h_19_the_luck_action_draws_twice_with_a_discard_each() {
    let mut desk = Desk::new("hhh").level(0, Privilege::Luck, 1);
    desk.play("rondel 2 luck; draw");
    assert_eq!((desk.person(0).hand.len(), desk.listed("discard").len()), (2, 2));
    let first = desk.legal()[0].clone();
    desk.play(&first);
    assert_eq!((desk.person(0).hand.len(), desk.listed("discard").len()), (3, 3));
    let second = desk.legal()[0].clone();
    desk.play(&second);
    assert_eq!(desk.person(0).hand.len(), 2);
}

#[test]
fn h_20_income_gives_coins_then_a_draw_then_its_discard() {
    let mut desk = Desk::new("hhh").pawn(4).level(0, Privilege::Luck, 1).hand(0, "L01");
    let events = desk.play("rondel 1 income; income");
    let place = |wanted: fn(&Event) -> bool| events.iter().position(wanted).unwrap();
    assert!(place(|e| matches!(e, Event::CoinsGained(_))) < place(|e| matches!(e, Event::LuckCardsDrawn(_))));
    assert!(desk.listed("luck").is_empty());
    assert_eq!(desk.refusal("luck L01"), ("window_closed", "H-34"));
    let discard = desk.legal().into_iter().find(|text| text != "discard L01").unwrap();
    desk.play(&discard);
    assert!(desk.allows("luck L01"));
}

#[test]
fn h_21_a_short_deck_keeps_the_gain() {
    let mut desk = Desk::new("hhh").pawn(4).level(0, Privilege::Luck, 2).luck_deck("L09");
    desk.play("rondel 1 income; income");
    assert_eq!((desk.person(0).hand.len(), desk.listed("discard").len()), (1, 0));
    let mut desk = Desk::new("hhh").pawn(4).level(0, Privilege::Luck, 2).luck_deck("L09 L10");
    desk.play("rondel 1 income; income");
    assert_eq!((desk.person(0).hand.len(), desk.listed("discard").len()), (2, 2));
}

#[test]
fn h_22_cards_of_this_turn_are_not_shuffled_back() {
    let mut desk = Desk::new("hhh").pawn(4).hand(0, "L07 L08").luck_deck("");
    desk.play("rondel 1 income; luck L07; income");
    assert_eq!((desk.person(0).hand.len(), desk.state.luck.spent.len()), (1, 1));
    desk.play("done; done");
    assert_eq!((desk.state.luck.discards.len(), desk.state.luck.spent.len()), (1, 0));
}

#[test]
fn h_34_cards_are_played_in_the_own_main_action_at_any_time() {
    let mut desk = Desk::new("hhh").pawn(1).level(0, Privilege::Druid, 2).hand(0, "L40 L25").hand(1, "L41");
    desk.play("rondel 1 druid; druid 1");
    assert!(desk.allows("luck L40") && desk.allows("druid 2") && desk.allows("done"));
    assert_eq!(desk.refusal("luck L25"), ("window_closed", "H-34"));
    assert_eq!(desk.refusal("luck L41"), ("not_in_hand", "4.8"));
    assert!(desk.state.legal(seat(1)).is_empty());
    let refusal = desk.state.check(seat(1), &Henge::default().parse("luck L41").unwrap()).unwrap_err();
    assert_eq!(refusal.code, "not_your_turn");
}

#[test]
fn h_35_after_the_track_nothing_can_be_played() {
    let mut desk = Desk::new("hhh").pawn(4).hand(0, "L01 L07");
    desk.play("rondel 1 income; income; done");
    assert_eq!(desk.refusal("luck L01"), ("window_closed", "H-35"));
    desk.play("track L07");
    assert_eq!((desk.turn(), desk.person(0).luck_steps), (1, 1));
}

#[test]
fn h_36_no_card_is_played_in_a_sub_action_of_the_track_and_a_full_track_takes_none() {
    let set = changed("a track with a druid", |json| {
        json["luck_track"][0] = json!([{"do": "sub", "action": "druid", "limit": 1, "discount": 0, "reach": "local"}]);
    });
    let mut desk = Desk::with(&set, "hhh").pawn(4).hand(0, "L40 L07").luck_deck("L08");
    desk.play("rondel 1 income; income; done; track L07");
    assert_eq!(desk.legal(), ["druid 2", "done"]);
    assert_eq!(desk.refusal("luck L40"), ("window_closed", "H-36"));
    let mut desk = Desk::new("hhh").pawn(4).hand(0, "L07");
    desk.person(0).luck_steps = 8;
    desk.play("rondel 1 income; income; done");
    assert_eq!(desk.turn(), 1);
}

#[test]
fn h_38_two_of_all_bonus_cards_are_dropped() {
    let bonus = || Desk::new("hhh").pawn(4).hand(0, "L09").spring(0, "P01", 0);
    let mut desk = bonus();
    desk.play("rondel 1 income; luck L09");
    assert_eq!((desk.person(0).end_of_game_cards.len(), desk.legal().len()), (3, 4));
    assert!(desk.allows("drop P01"));
    let first = desk.legal()[1].clone();
    desk.play(&first);
    let second = desk.legal()[1].clone();
    desk.play(&second);
    assert_eq!((desk.person(0).end_of_game_cards.len(), desk.person(0).spring.is_some()), (1, true));
    // Two cards are left: both are drawn, one is dropped.
    let mut desk = bonus();
    desk.state.end_of_game_deck = [desk.bonus("E01").index(), desk.bonus("E02").index()].into_iter().collect();
    desk.play("rondel 1 income; luck L09; drop E01");
    assert_eq!((desk.person(0).end_of_game_cards.len(), desk.allows("income")), (1, true));
}

#[test]
fn h_39_a_dropped_spring_card_leaves_the_game() {
    let mut desk = Desk::new("hhh").pawn(4).hand(0, "L09").spring(0, "P01", 3);
    let events = desk.play("rondel 1 income; luck L09; drop P01");
    let everyone = [Viewer::Seat(seat(0)), Viewer::Seat(seat(1)), Viewer::Spectator];
    let dropped = events.iter().find(|event| matches!(event, Event::BonusCardDropped(_))).unwrap();
    let seen = everyone.map(|viewer| serde_json::to_value(Henge::default().redact(dropped, viewer).unwrap()).unwrap());
    assert!(seen.iter().all(|seen| seen["card"] == "P01" && seen["deck"] == "spring"), "shown to all: {seen:?}");
    assert_eq!((desk.person(0).spring, desk.person(0).marks, desk.state.spring_dropped.len()), (None, 0, 1));
    let second = desk.legal()[0].clone();
    let events = desk.play(&second);
    let dropped = events.iter().find(|event| matches!(event, Event::BonusCardDropped(_))).unwrap();
    let seen = everyone.map(|viewer| serde_json::to_value(Henge::default().redact(dropped, viewer).unwrap()).unwrap());
    assert_eq!(seen[0]["card"], second.trim_start_matches("drop "), "the owner knows the card");
    assert!(
        seen[1..].iter().all(|seen| seen["card"].is_null() && seen["deck"] == "end_of_game"),
        "face down: {seen:?}"
    );
    // The drops come back when the deck is empty; the Spring card does not.
    desk.state.end_of_game_deck = Default::default();
    let mut desk = desk.hand(0, "L10");
    desk.play("luck L10");
    let spring = desk.bonus("P01").index();
    assert!(!desk.person(0).end_of_game_cards.contains(spring) && !desk.state.end_of_game_deck.contains(spring));
    assert_eq!(desk.person(0).end_of_game_cards.len() + desk.person(0).dropped.len(), 3);
}

#[test]
fn h_57_a_sub_action_may_be_left_undone() {
    let chisel = || Desk::new("hhh").pawn(4).coins(0, 0).holds(0, "S01", 0, false).chits(Pool::A, "A11");
    let mut desk = chisel().hand(0, "L13 L07");
    desk.person(0).coins = 0;
    desk.play("rondel 1 income; luck L13; reward A11");
    // The chit's discount of 3 leaves 1 coin to pay; the card's coin comes only afterwards.
    assert_eq!(desk.legal(), ["done"]);
    assert_eq!(desk.refusal("carve S01"), ("cannot_afford", "H-57"));
    desk.play("done");
    assert_eq!((desk.person(0).coins, desk.allows("income")), (1, true));
    // With an empty hand the decision is passed over.
    let mut desk = chisel().hand(0, "L13");
    desk.play("rondel 1 income; luck L13; reward A11");
    assert_eq!((desk.person(0).coins, desk.legal()), (1, vec!["income".to_owned()]));
}

#[test]
fn h_61_a_gain_cannot_be_refused() {
    let mut desk = Desk::new("hhh").pawn(4).hand(0, "L15 L16").chits(Pool::B, "B01");
    desk.play("rondel 1 income; luck L15");
    assert_eq!(desk.legal(), ["reward B01"]);
    assert_eq!(desk.refusal("done"), ("not_optional", "H-61"));
    desk.play("reward B01");
    assert_eq!((desk.legal().len(), desk.refusal("done")), (5, ("not_optional", "H-61")));
    desk.play("level coin; luck L16");
    assert_eq!(
        (desk.legal(), desk.refusal("choose 3")),
        (vec!["choose 1".into(), "choose 2".into()], ("no_such_option", "1.2"))
    );
    // No chit in the pool: the decision is passed over.
    let mut desk = Desk::new("hhh").pawn(4).hand(0, "L15").chits(Pool::B, "");
    desk.play("rondel 1 income; luck L15");
    assert!(desk.allows("income"));
}

#[test]
fn h_63_a_card_does_not_act_backwards() {
    let mut desk = Desk::new("hhh").pawn(2).holds(0, "S01", 0, false).holds(0, "S02", 0, false).hand(0, "L33");
    desk.play("rondel 1 carve; carve S01");
    assert_eq!(desk.person(0).victory_points, 0);
    desk.play("luck L33; carve S02");
    assert_eq!(desk.person(0).victory_points, 3);
}

#[test]
fn h_65_discarded_luck_cards_are_shown() {
    let mut desk = Desk::new("hhh").pawn(4).level(0, Privilege::Luck, 1).hand(0, "L07");
    desk.play("rondel 1 income; income");
    let events = desk.play("discard L07");
    let discard = events.iter().find(|event| matches!(event, Event::LuckCardDiscarded(_))).unwrap();
    assert_eq!(Henge::default().redact(discard, Viewer::Spectator).as_ref(), Some(discard));
    assert_eq!(desk.state.view(Viewer::Spectator).luck_spent.len(), 1);
}

#[test]
fn h_37_a_privilege_at_the_top_gives_its_end_benefit_every_time() {
    let mut desk = Desk::new("hhh").pawn(1).level(0, Privilege::Coin, 3).coins(0, 0);
    desk = desk.delivered(0, "S09", false).delivered(0, "S10", false);
    desk.play("rondel 1 install; install S09@1a");
    assert_eq!((desk.person(0).coins, desk.person(0).level(Privilege::Coin)), (5, 3));
    desk.play("install S10@1b");
    assert_eq!(desk.person(0).coins, 10);
}

#[test]
fn cards_offered_or_drawn_are_shown_to_their_owner_only() {
    fn check(event: &Event, owner: Seat) {
        let whole = serde_json::to_value(event).unwrap();
        let count = whole["count"].as_u64().unwrap();
        assert!(count > 0 && whole["cards"].as_array().unwrap().len() as u64 == count, "{whole}");
        let others = [0, 1, 2].map(seat).into_iter().filter(|other| *other != owner).map(Viewer::Seat);
        for viewer in others.chain([Viewer::Spectator]) {
            let seen = serde_json::to_value(Henge::default().redact(event, viewer).unwrap()).unwrap();
            let mut expected = whole.clone();
            expected["cards"] = serde_json::Value::Null;
            assert_eq!(seen, expected, "{viewer:?}");
        }
        assert_eq!(Henge::default().redact(event, Viewer::Seat(owner)).as_ref(), Some(event));
    }
    let mut dice = dice(1);
    let (mut state, mut events) = Henge::default().setup(&options("hhh"), people("hhh"), &mut dice);
    sarsen_rules::settle(&Henge::default(), &mut state, &mut dice, &mut events);
    let offers: Vec<_> = events.iter().filter(|event| matches!(event, Event::SpringOffered(_))).collect();
    assert_eq!(offers.len(), 3);
    offers.into_iter().zip([0, 1, 2]).for_each(|(offer, owner)| check(offer, seat(owner)));
    let mut desk = Desk::new("hhh").pawn(4).level(0, Privilege::Luck, 2).hand(0, "L09");
    let events = desk.play("rondel 1 income; luck L09");
    check(events.iter().find(|event| matches!(event, Event::EndOfGameCardsDrawn(_))).unwrap(), seat(0));
    let mut desk = Desk::new("hhh").pawn(4).level(0, Privilege::Luck, 2);
    let events = desk.play("rondel 1 income; income");
    check(events.iter().find(|event| matches!(event, Event::LuckCardsDrawn(_))).unwrap(), seat(0));
}
