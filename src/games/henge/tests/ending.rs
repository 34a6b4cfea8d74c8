//! The end of the game and final scoring: H-43 to H-47, H-58 to H-60, and every form of Bonus card.

use serde_json::json;

use super::super::components::testing::changed;
use super::super::components::{Area, Privilege, Size};
use super::super::events::Event;
use super::super::state::{EndCause, Stage};
use super::desk::{Desk, id};
use super::*;
use sarsen_rules::{Status, Verdict};

/// Returns what an area gives each place, by chair; `None` without a rank.
fn area(desk: &Desk, area: u8, table: &[u8]) -> Vec<Option<(u8, u8)>> {
    let scores = desk.state.scores();
    let of = |chair: &u8| {
        let score = scores.iter().find(|score| u8::from(score.who.chair) == *chair)?;
        let found = score.areas.iter().find(|found| found.area == Area::try_from(area).unwrap())?;
        Some((found.rank, found.points))
    };
    table.iter().map(of).collect()
}

/// Returns what an end-of-game card gives seat 0.
fn points(desk: &Desk, card: &str) -> u16 {
    desk.state.card_score(seat(0), desk.bonus(card).index()).points
}

/// Ends what may be ended, or else the first legal move.
fn idle(desk: &Desk) -> String {
    let legal = desk.legal();
    legal.iter().find(|text| *text == "done").unwrap_or(&legal[0]).clone()
}

#[test]
fn h_43_hengebots_take_ranks_and_score_nothing() {
    // Side 45, area 2: the seventh space has the number 10. Place 2 is a Hengebot.
    let desk = Desk::new("hhbb").druids(2, "222001");
    assert_eq!(desk.state.value_of(Area::ALL[1]), 10);
    // 10 / 2 = 5 for the second, floor(10 / 3) = 3 for the third.
    assert_eq!(area(&desk, 2, &[0, 1]), [Some((2, 5)), Some((3, 3))]);
    assert_eq!(desk.state.scores().len(), 2);
    assert_eq!(desk.state.outcome().standings.len(), 2);
}

#[test]
fn h_44_the_refill_that_takes_the_last_card_triggers_the_end() {
    let mut desk = Desk::new("hhhh").pawn(20).holds(3, "S15", 0, false).quarry("S01 S02 S03 S05");
    desk.state.stone_deck = [desk.stone("S08").index()].into_iter().collect();
    // Seat 0 passes the time, seat 1 makes the hole whose refill empties the deck.
    desk.play("rondel 1 income; income; done; done");
    assert!(desk.state.trigger.is_none());
    desk.state.pawn = super::super::components::Step(19);
    desk.play("rondel 1 quarry; quarry 1");
    let trigger = desk.state.trigger.unwrap();
    assert_eq!((trigger.round, trigger.cause, desk.turn()), (1, EndCause::Deck, 2));
    // The third and the fourth still play, then all is delivered, and four turns follow.
    let mut order = Vec::new();
    while desk.state.stage != Stage::Over {
        if desk.is_at_move() {
            order.push((desk.state.round, desk.turn()));
        }
        let quiet = desk.legal().into_iter().find(|text| text.ends_with("income") || text.ends_with("luck"));
        desk.play(&quiet.unwrap_or_else(|| idle(&desk)));
    }
    assert_eq!(order, [(1, 2), (1, 3), (2, 0), (2, 1), (2, 2), (2, 3)]);
    assert_eq!(desk.person(3).stones[0].at, 5, "delivered");
    assert_eq!(desk.state.outcome().ending, "stone_deck_emptied");
}

#[test]
fn h_45_stones_bought_in_the_last_round_travel() {
    let mut desk = Desk::new("hhh").pawn(20).coins(0, 20).quarry("S01 S02 S03 S05");
    desk.state.trigger = Some(super::super::state::Trigger { round: 1, cause: EndCause::Deck });
    desk.state.round = 2;
    desk.play("rondel 1 quarry; quarry 1");
    assert_eq!(desk.person(0).stones[0].at, 0);
    while desk.state.stage != Stage::Over {
        desk.play(&idle(&desk));
    }
    assert_eq!((desk.person(0).stones[0].at, desk.state.round), (0, 2));
}

#[test]
fn h_46_ties_in_an_area_go_to_the_druid_farthest_along() {
    // Side 45, area 2: the sixth space has the number 9. Two, two and one druids; chair 1 is farthest along.
    let desk = Desk::new("hhhh").druids(2, "01201");
    // 9, floor(9 / 2) = 4, floor(9 / 3) = 3, and nothing without a druid.
    assert_eq!(area(&desk, 2, &[0, 1, 2, 3]), [Some((2, 4)), Some((1, 9)), Some((3, 3)), None]);
    // Ranks beyond the third get nothing: side 45, area 1, fifth space: 7.
    let desk = Desk::new("hhhh").druids(1, "0123");
    assert_eq!(area(&desk, 1, &[0, 1, 2, 3]), [Some((4, 0)), Some((3, 2)), Some((2, 3)), Some((1, 7))]);
    // The side for three, area 4, a full path: the black space has the number 12.
    let desk = Desk::new("hhb").druids(4, "01222");
    assert_eq!(area(&desk, 4, &[0, 1]), [Some((3, 4)), Some((2, 6))]);
}

#[test]
fn h_47_ties_at_the_end_go_by_stones_druids_coins_and_the_later_seat() {
    let ranks = |desk: &Desk| desk.state.scores().iter().map(|score| score.rank).collect::<Vec<_>>();
    let even = || Desk::new("hhh");
    assert_eq!(ranks(&even()), [3, 2, 1]);
    assert_eq!(ranks(&even().coins(0, 13)), [1, 3, 2]);
    // A druid beats coins; the spaces with the number 0 give no points here: area values 3 go to the only druid there.
    let mut druids = even().coins(0, 99).druids(1, "1");
    druids.person(0).victory_points = 3;
    druids.person(2).victory_points = 3;
    assert_eq!(ranks(&druids), [2, 1, 3]);
    // A stone beats a druid: all have 3 points again.
    let mut stones = even().druids(1, "1").built(0, "1a", "S08");
    stones.person(0).victory_points = 3;
    stones.person(2).victory_points = 3;
    assert_eq!(ranks(&stones), [1, 2, 3]);
    let outcome = stones.state.outcome();
    // The later seat also wins on the side for four and five.
    assert_eq!(ranks(&Desk::new("hhhhh")), [5, 4, 3, 2, 1]);
    assert_eq!(ranks(&Desk::new("hhhh").coins(1, 13)), [4, 1, 3, 2]);
    assert_eq!(
        outcome.standings.iter().map(|s| s.verdict).collect::<Vec<_>>(),
        [Verdict::Won, Verdict::Lost, Verdict::Lost]
    );
}

/// Plays quiet moves to the end.
fn quiet_end(desk: &mut Desk) {
    while let Status::ToAct(_) = desk.state.status() {
        let legal = desk.legal();
        let quiet = legal.iter().find(|text| text.ends_with("income") || *text == "done" || text.ends_with(" luck"));
        desk.play(&quiet.unwrap_or(&legal[0]).clone());
    }
}

#[test]
fn h_58_the_round_limit_ends_an_idle_game() {
    let set = changed("a short game", |json| json["params"]["max_rounds"] = json!(3));
    let mut desk = Desk::with(&set, "hhh").quarry("S01 S02 S03 S05").holds(1, "S15", 0, false);
    quiet_end(&mut desk);
    assert_eq!((desk.state.round, desk.state.trigger.unwrap().cause), (4, EndCause::RoundLimit));
    assert_eq!(desk.person(1).stones[0].at, 5, "delivered after round 3");
    assert_eq!(desk.state.outcome().ending, "round_limit");
}

#[test]
fn h_59_hengebots_count_in_a_round() {
    let mut desk = Desk::new("hhb").pawn(4);
    desk.play("rondel 1 income; income; done; done");
    assert_eq!((desk.state.round, desk.turn()), (1, 1));
    let quiet = desk.legal().into_iter().find(|text| text.ends_with("income")).unwrap();
    let events = desk.play(&format!("{quiet}; income; done; done"));
    let bot = events.iter().position(|event| matches!(event, Event::HengebotMoved(_))).unwrap();
    let round = events.iter().position(|event| matches!(event, Event::RoundBegun(_))).unwrap();
    assert!(bot < round);
    assert_eq!((desk.state.round, desk.turn()), (2, 0));
}

#[test]
fn h_60_a_single_person_earns_a_title() {
    let grade = |vp: u16| {
        let mut desk = Desk::new("hbb");
        desk.person(0).victory_points = vp;
        let outcome = desk.state.outcome();
        assert_eq!(outcome.standings[0].verdict, Verdict::Won);
        (desk.state.scores()[0].grade.clone().unwrap(), outcome.figures["grade"])
    };
    assert_eq!(grade(59), ("Gatherer".to_owned(), 1));
    assert_eq!(grade(60), ("Stone Hand".to_owned(), 2));
    assert_eq!(grade(104), ("Druid Friend".to_owned(), 4));
    assert_eq!(grade(120), ("Chief of Chiefs".to_owned(), 6));
    assert_eq!(Desk::new("hhh").state.scores()[0].grade, None);
}

/// Seat 0 has installed three large stones (rondel 6/3, coin 7/5, coin 7/3; cost/track) and two small ones
/// (druid 4/3, luck 4/4), and has druids in areas 1 (two), 2 and 3.
fn estate() -> Desk {
    let desk = Desk::new("hhh").built(0, "1a", "S08").built(0, "1b", "S09").built(0, "3a", "S10");
    let desk = desk.built(0, "51a", "S01").built(0, "51b", "S07");
    desk.druids(1, "010").druids(2, "011").druids(3, "0").druids(4, "11")
}

#[test]
fn end_of_game_cards_score_stones() {
    let desk = estate();
    assert_eq!(points(&desk, "E01"), 3 * 2, "large");
    assert_eq!(points(&desk, "E02"), 2 * 3, "small");
    assert_eq!(points(&desk, "E03"), 5, "all");
    assert_eq!(points(&desk, "E04"), 4, "one rondel icon");
    assert_eq!(points(&desk, "E05"), 2 * 4, "two coin icons");
    assert_eq!(points(&desk, "E06"), 4, "one luck icon");
    assert_eq!(points(&desk, "E07"), 0, "no stone icon");
    assert_eq!(points(&desk, "E08"), 4, "one druid icon");
    assert_eq!(points(&desk, "E09"), 8, "four kinds of icons: 0 1 3 5 8 12");
    assert_eq!(points(&desk, "E10"), 2 * 4, "pairs: the lesser of 3 and 2");
    assert_eq!(points(&desk, "E11"), 3 * 3, "cost at least 6: S08, S09, S10");
    assert_eq!(points(&desk, "E12"), 2 * 2, "track at least 4: S09, S07");
    assert_eq!(points(&desk, "E13"), 3 * 2, "track at most 3: S08, S10, S01");
    let more = desk.built(0, "3b", "S12").built(0, "4a", "S13").built(0, "4b", "S14");
    assert_eq!(points(&more, "E01"), 10, "6 × 2 = 12, at most 10");
    assert_eq!(points(&more, "E09"), 12, "all five kinds");
    assert_eq!(points(&more, "E03"), 8, "8, at most 8");
}

#[test]
fn end_of_game_cards_score_druids() {
    let desk = estate();
    assert_eq!(points(&desk, "E14"), 2 * 2, "two druids in area 1");
    assert_eq!(points(&desk, "E15"), 2, "one in area 2");
    assert_eq!(points(&desk, "E16"), 2, "one in area 3");
    assert_eq!((points(&desk, "E17"), points(&desk, "E18")), (0, 0), "none in areas 4 and 5");
    assert_eq!(points(&desk, "E19"), 3, "three areas: 0 0 1 3 5 8");
    assert_eq!(points(&desk, "E20"), 2 * 3, "first in areas 1 and 3");
    assert_eq!(points(&desk, "E21"), 4, "second in area 2");
    assert_eq!(points(&desk, "E22"), 2, "two druids in area 1 only");
    assert_eq!(points(&desk, "E23"), 4, "four druids");
    // With a Hengebot ahead the rank is lost.
    let behind = estate().druids(1, "02200");
    assert_eq!(points(&behind, "E20"), 2 * 3, "three against two in area 1, alone in area 3");
    assert_eq!(points(&estate().druids(1, "0220"), "E20"), 2 * 3, "two against two, seat 0 is farther along");
    assert_eq!(points(&estate().druids(1, "0022"), "E20"), 3, "two against two, chair 2 is farther along");
}

#[test]
fn end_of_game_cards_score_the_mat() {
    let mut desk = Desk::new("hhh").level(0, Privilege::Coin, 3).level(0, Privilege::Luck, 3);
    desk = desk.level(0, Privilege::Stone, 2).level(0, Privilege::Druid, 1).coins(0, 17).hand(0, "L01 L02 L03");
    desk.person(0).luck_steps = 5;
    desk.person(0).travel_tokens = 2;
    assert_eq!(points(&desk, "E24"), 8, "3 + 3 + 2 + 1 = 9 steps, at most 8");
    assert_eq!(points(&desk, "E25"), 3 * 4, "three tracks at the top");
    assert_eq!(points(&desk, "E26"), 4 * 2, "four tracks raised");
    assert_eq!(points(&desk, "E27"), 8, "floor(17 / 2) = 8");
    assert_eq!(points(&desk.coins(0, 15), "E27"), 7, "floor(15 / 2) = 7");
    let mut desk = Desk::new("hhh").hand(0, "L01 L02 L03");
    desk.person(0).luck_steps = 5;
    desk.person(0).travel_tokens = 2;
    assert_eq!(points(&desk, "E28"), 3 * 2, "three Luck cards");
    assert_eq!(points(&desk, "E29"), 5, "five steps of the Luck track");
    assert_eq!(points(&desk, "E30"), 2 * 3, "two tokens");
}

/// Five players; seat 0 has these stones on uprights of their sizes.
fn standing(stones: &str) -> Desk {
    let mut large = ["1a", "1b", "2a", "2b", "3a", "3b", "4a", "4b", "5a", "5b"].into_iter();
    let mut small = ["12a", "12b", "34a", "34b", "51a", "51b"].into_iter();
    stones.split_whitespace().fold(Desk::new("hhhhh"), |desk, stone| {
        let size = desk.state.equipment.stone(desk.stone(stone)).size;
        let slot = if size == Size::Large { large.next() } else { small.next() };
        desk.built(0, slot.unwrap(), stone)
    })
}

/// Five players; the druids of the areas 1 to 5, each digit a chair.
fn grove(areas: [&str; 5]) -> Desk {
    (1..).zip(areas).fold(Desk::new("hhhhh"), |desk, (area, places)| desk.druids(area, places))
}

#[test]
fn end_of_game_cards_for_stones_have_their_maxima() {
    let of = |card: &str, stones: &str| points(&standing(stones), card);
    assert_eq!((of("E02", "S01 S02 S03"), of("E02", "S01 S02 S03 S04 S05")), (9, 12), "3 × 3; 5 × 3 = 15, at most 12");
    // Icons: 2 × 4 = 8; 3 × 4 = 12; 4 × 4 = 16, at most 12.
    for (card, two, third, fourth) in [
        ("E04", "S05 S06", "S08", "S15"),
        ("E05", "S02 S09", "S10", "S17"),
        ("E06", "S03 S07", "S11", "S12"),
        ("E07", "S04 S13", "S14", "S21"),
        ("E08", "S01 S16", "S20", "S23"),
    ] {
        let (three, four) = (format!("{two} {third}"), format!("{two} {third} {fourth}"));
        assert_eq!((of(card, two), of(card, &three), of(card, &four)), (8, 12, 12), "{card}");
    }
    assert_eq!(of("E10", "S01 S02 S08 S09"), 2 * 4, "two pairs");
    assert_eq!(of("E10", "S01 S02 S03 S04 S08 S09 S10 S11"), 12, "four pairs: 16, at most 12");
    assert_eq!(of("E11", "S08 S09 S10 S11"), 3 * 3, "S11 costs but 5");
    assert_eq!(of("E11", "S08 S09 S10 S12 S13"), 12, "5 × 3 = 15, at most 12");
    assert_eq!(of("E12", "S07 S09 S11 S12"), 4 * 2, "tracks 4 5 5 4");
    assert_eq!(of("E12", "S07 S09 S11 S12 S13 S14"), 10, "6 × 2 = 12, at most 10");
    assert_eq!(of("E13", "S01 S02 S06 S08"), 4 * 2, "tracks 3 3 2 3");
    assert_eq!(of("E13", "S01 S02 S03 S04 S05 S06"), 10, "6 × 2 = 12, at most 10");
}

#[test]
fn end_of_game_cards_for_druids_have_their_maxima() {
    for (card, area) in ["E14", "E15", "E16", "E17", "E18"].into_iter().zip(1..) {
        let of = |places| points(&Desk::new("hhhhh").druids(area, places), card);
        assert_eq!((of("0"), of("010"), of("00000")), (2, 2 * 2, 8), "5 × 2 = 10, at most 8: {card}");
    }
    let one = |areas: usize| grove([0, 1, 2, 3, 4].map(|at| if at < areas { "0" } else { "1" }));
    assert_eq!([0, 1, 2, 3, 4, 5].map(|areas| points(&one(areas), "E19")), [0, 0, 1, 3, 5, 8]);
    assert_eq!([2, 3, 4].map(|areas| points(&one(areas), "E20")), [6, 9, 9], "4 × 3 = 12, at most 9");
    let second = |areas: usize| grove([0, 1, 2, 3, 4].map(|at| if at < areas { "011" } else { "0" }));
    assert_eq!([2, 3, 4].map(|areas| points(&second(areas), "E21")), [8, 12, 12], "4 × 4 = 16, at most 12");
    let two = |areas: usize| grove([0, 1, 2, 3, 4].map(|at| if at < areas { "00" } else { "0" }));
    assert_eq!([3, 4, 5].map(|areas| points(&two(areas), "E22")), [6, 8, 8], "5 × 2 = 10, at most 8");
    assert_eq!([2, 3, 4].map(|areas| points(&two(areas), "E23")), [7, 8, 8], "4 × 2 + 1 = 9 druids, at most 8");
}

#[test]
fn end_of_game_cards_for_the_mat_have_their_maxima() {
    // The tracks end at 3, 3, 3, 2 and 2 steps.
    let level = |levels: [u8; 5]| {
        Privilege::ALL.into_iter().zip(levels).fold(Desk::new("hhhh"), |desk, (which, to)| desk.level(0, which, to))
    };
    assert_eq!(points(&level([3, 3, 1, 0, 0]), "E24"), 7, "3 + 3 + 1");
    assert_eq!(
        (points(&level([3, 3, 0, 1, 0]), "E25"), points(&level([3, 3, 3, 2, 0]), "E25")),
        (8, 12),
        "16, at most 12"
    );
    assert_eq!(
        (points(&level([1, 1, 1, 0, 0]), "E26"), points(&level([1, 1, 1, 1, 1]), "E26")),
        (6, 8),
        "10, at most 8"
    );
    let hand = |cards| points(&Desk::new("hhhh").hand(0, cards), "E28");
    assert_eq!((hand("L01 L02 L03 L04"), hand("L01 L02 L03 L04 L05")), (8, 8), "5 × 2 = 10, at most 8");
    let mut desk = Desk::new("hhhh");
    desk.person(0).luck_steps = 8;
    desk.person(0).travel_tokens = 3;
    assert_eq!((points(&desk, "E29"), points(&desk, "E30")), (8, 3 * 3), "at the maximum");
    desk.person(0).luck_steps = 9;
    desk.person(0).travel_tokens = 4;
    assert_eq!(
        (points(&desk, "E29"), points(&desk, "E30")),
        (8, 9),
        "9 steps of a longer track, at most 8; 4 × 3 = 12, at most 9"
    );
}

#[test]
fn spring_cards_score_their_marks() {
    let spring = |card: &str, marks| Desk::new("hhhhh").spring(0, card, marks).state.scores()[0].total;
    assert_eq!((spring("P01", 0), spring("P01", 1)), (0, 7), "a goal is marked or not");
    assert_eq!((spring("P06", 1), spring("P03", 1)), (8, 6));
    for seven in ["P02", "P04", "P05", "P08", "P09"] {
        assert_eq!((spring(seven, 0), spring(seven, 1)), (0, 7), "{seven}");
    }
    let path = |marks| Desk::new("hhhh").spring(0, "P07", marks).state.scores()[0].total;
    assert_eq!((path(0), path(1)), (0, 7), "not used by five");
    assert_eq!((spring("P13", 0), spring("P13", 1), spring("P13", 2)), (0, 4, 8), "marks × 4");
    assert_eq!(spring("P10", 5), 5, "5 × 1");
    assert_eq!(spring("P11", 3), 9, "3 × 3");
    assert_eq!(spring("P12", 2), 8, "2 × 4");
    assert_eq!(spring("P14", 4), 8, "4 × 2");
}

#[test]
fn spring_goals_count_what_they_say() {
    let met = |desk: &mut Desk| {
        let before = desk.person(0).marks;
        let mut run = Machine::new(&mut desk.state);
        run.test_goal(seat(0));
        before == 0 && desk.person(0).marks == 1
    };
    let goal = |desk: Desk, card: &str| met(&mut desk.spring(0, card, 0));
    let druids = |four: &str| Desk::new("hhh").druids(1, "000").druids(2, "0").druids(3, "0").druids(4, four);
    assert!(goal(druids("0"), "P01") && !goal(druids("1"), "P01"), "druids in four areas");
    assert!(goal(druids(""), "P02") && !goal(druids("").druids(1, "001"), "P02"), "three in one area");
    assert!(goal(Desk::new("hhh").coins(0, 18), "P03") && !goal(Desk::new("hhh").coins(0, 17), "P03"));
    assert!(goal(Desk::new("hhh").hand(0, "L01 L02 L03 L04 L05"), "P04"));
    assert!(!goal(Desk::new("hhh").hand(0, "L01 L02 L03 L04"), "P04"));
    let levels = |coin, luck| Desk::new("hhh").level(0, Privilege::Coin, coin).level(0, Privilege::Luck, luck);
    assert!(goal(levels(3, 2), "P05") && !goal(levels(2, 2), "P05"), "five steps");
    assert!(goal(levels(3, 3), "P06") && !goal(levels(3, 2), "P06"), "two at the top");
    let mut track = Desk::new("hhh");
    track.person(0).luck_steps = 5;
    assert!(goal(track, "P07") && !goal(Desk::new("hhh"), "P07"));
    let yard = |carved| Desk::new("hhh").holds(0, "S01", 0, true).holds(0, "S02", 0, carved);
    assert!(goal(yard(true), "P08") && !goal(yard(false), "P08"));
    assert!(goal(estate(), "P09") && !goal(Desk::new("hhh").built(0, "1a", "S08"), "P09"));
    assert!(!met(&mut Desk::new("hhh").coins(0, 18).spring(0, "P03", 1)), "once marked it stays");
}

#[test]
fn spring_tallies_count_what_they_say() {
    let marks = |card: &str, stone: &str, carved: bool, slot: &str| {
        let desk = Desk::new("hhhhh").built(1, "1a", "S08").built(1, "1b", "S16").built(1, "12a", "S05");
        let mut desk = desk.spring(0, card, 0).delivered(0, stone, carved);
        desk.play(&format!("rondel 1 install; install {stone}@{slot}"));
        desk.person(0).marks
    };
    assert_eq!((marks("P11", "S01", false, "12b"), marks("P11", "S09", true, "1c")), (1, 0), "border slots");
    assert_eq!((marks("P12", "S09", true, "1c"), marks("P12", "S01", false, "12b")), (1, 0), "lintels");
    assert_eq!(marks("P13", "S01", false, "12b"), 0, "monoliths");
    // Area 1 raises rondel and coin.
    assert_eq!((marks("P14", "S02", false, "12b"), marks("P14", "S01", false, "12b")), (1, 0), "level-ups");
    let mut lone = Desk::new("hhh").spring(0, "P13", 0).delivered(0, "S01", true);
    lone.play("rondel 1 install; install S01@51m");
    assert_eq!(lone.person(0).marks, 1);
    // The most marks.
    let mut full = Desk::new("hhh").spring(0, "P13", 2).delivered(0, "S01", true);
    full.play("rondel 1 install; install S01@51m");
    assert_eq!(full.person(0).marks, 2);
}

#[test]
fn a_total_is_play_spring_cards_and_druids() {
    let mut desk = estate().spring(0, "P09", 1).end_of_game_cards(0, "E03 E20");
    desk.person(0).victory_points = 40;
    let scores = desk.state.scores();
    // Druids: area 1 (side 3, two against one, fourth space 7): 7. Area 2 (one against two, fourth space 7): 3.
    // Area 3 (alone, second space 3): 3. Area 4: none.
    let areas: Vec<(u8, u8, u8)> = scores[0].areas.iter().map(|a| (a.area.get(), a.rank, a.points)).collect();
    assert_eq!(areas, [(1, 1, 7), (2, 2, 3), (3, 1, 3)]);
    // Play 40, Spring 7, E03 five stones 5, E20 first in two areas 6, druids 13.
    assert_eq!((scores[0].total, scores[0].stones, scores[0].druids), (40 + 7 + 5 + 6 + 13, 5, 4));
    // Seat 1: area 1 floor(7 / 2) = 3, area 2 first 7, area 4 alone, third space 5.
    assert_eq!(scores[1].total, 3 + 7 + 5);
    assert_eq!(scores.iter().map(|score| score.rank).collect::<Vec<_>>(), [1, 2, 3]);
    let standing = &desk.state.outcome().standings[0];
    assert_eq!((standing.score, standing.figures["druids"], standing.figures["end_of_game"]), (Some(71), 13, 11));
    assert_eq!(scores[0].end_of_game_cards.iter().map(|card| card.card).collect::<Vec<_>>(), [id("E03"), id("E20")]);
}

#[test]
fn a_total_for_four_with_all_its_parts() {
    // Side 45. Play: the stones' points and those of the slots.
    let desk = Desk::new("hhhh").built(0, "1a", "S08").built(0, "1b", "S09").built(0, "1c", "S12");
    let desk = desk.built(0, "23m", "S01").built(1, "12a", "S02").built(1, "2a", "S10").built(2, "5m", "S16");
    let desk = desk.druids(1, "01023").druids(2, "1").druids(3, "2200").druids(4, "0111111").druids(5, "33");
    let desk = desk.spring(0, "P12", 1).spring(1, "P10", 5).spring(2, "P03", 0);
    let mut desk = desk
        .end_of_game_cards(0, "E11 E19 E27")
        .end_of_game_cards(1, "E10 E23")
        .end_of_game_cards(2, "E21")
        .end_of_game_cards(3, "E28");
    desk = desk.coins(0, 11).hand(3, "L01 L02 L03");
    desk.person(0).victory_points = (7 + 10) + (9 + 6) + (4 + 3); // S08, S09 on uprights, S12 on the lintel, S01 on a monolith: 39
    desk.person(1).victory_points = 4 + 8; // S02 and S10 on uprights: 12
    desk.person(2).victory_points = 8 + 3; // S16 on a monolith: 11
    let scores = desk.state.scores();

    // Area 1, sixth space: 9. Seat 0 has two druids: 9. One each: seat 3 is farthest, floor(9 / 2) = 4; then seat 2,
    // floor(9 / 3) = 3; then seat 1, nothing.
    // Area 2, second space: 3. Seat 1 alone: 3.
    // Area 3, fifth space: 8. Two each: seat 0 is farther, 8; seat 2 gets floor(8 / 2) = 4.
    // Area 4, full, black space: 13. Seat 1 has six: 13; seat 0 gets floor(13 / 2) = 6.
    // Area 5, third space: 5. Seat 3 alone: 5.
    let areas = |number: usize| {
        let parts = scores[number].areas.iter().map(|found| (found.area.get(), found.value, found.rank, found.points));
        parts.collect::<Vec<_>>()
    };
    assert_eq!(areas(0), [(1, 9, 1, 9), (3, 8, 1, 8), (4, 13, 2, 6)]);
    assert_eq!(areas(1), [(1, 9, 4, 0), (2, 3, 1, 3), (4, 13, 1, 13)]);
    assert_eq!(areas(2), [(1, 9, 3, 3), (3, 8, 2, 4)]);
    assert_eq!(areas(3), [(1, 9, 2, 4), (5, 5, 1, 5)]);

    // Seat 0: P12, one lintel × 4 = 4. E11, three stones that cost at least 6 (6, 7, 7) × 3 = 9. E19, druids in three
    // areas: 3. E27, floor(11 coins / 2) = 5.
    // Seat 1: P10, five marks × 1 = 5. E10, one pair × 4 = 4. E23, eight druids = 8.
    // Seat 2: P03, not marked. E21, second in area 3 alone, × 4 = 4. Seat 3: E28, three Luck cards × 2 = 6.
    let cards = |number: usize| {
        let score = &scores[number];
        let parts =
            score.spring.iter().chain(&score.end_of_game_cards).map(|card| (card.card, card.count, card.points));
        parts.collect::<Vec<_>>()
    };
    assert_eq!(cards(0), [(id("P12"), 1, 4), (id("E11"), 3, 9), (id("E19"), 3, 3), (id("E27"), 11, 5)]);
    assert_eq!(cards(1), [(id("P10"), 5, 5), (id("E10"), 1, 4), (id("E23"), 8, 8)]);
    assert_eq!(cards(2), [(id("P03"), 0, 0), (id("E21"), 1, 4)]);
    assert_eq!((cards(3), scores[3].spring.is_none()), (vec![(id("E28"), 3, 6)], true));

    assert_eq!(scores[0].total, 39 + 4 + (9 + 3 + 5) + (9 + 8 + 6)); // 83
    assert_eq!(scores[1].total, 12 + 5 + (4 + 8) + (3 + 13)); // 45
    assert_eq!(scores[2].total, 11 + 4 + (3 + 4)); // 22
    assert_eq!(scores[3].total, 6 + (4 + 5)); // 15
    assert_eq!(scores.iter().map(|score| score.rank).collect::<Vec<_>>(), [1, 2, 3, 4]);

    let outcome = desk.state.outcome();
    let figures = |number: usize| {
        let names = [
            "play",
            "spring",
            "end_of_game",
            "druids",
            "stones_installed",
            "druids_placed",
            "coins",
            "end_of_game_cards",
        ];
        names.map(|name| outcome.standings[number].figures[name])
    };
    assert_eq!(figures(0), [39, 4, 17, 23, 4, 5, 11, 3]);
    assert_eq!(figures(1), [12, 5, 12, 16, 2, 8, 12, 2]);
    assert_eq!(figures(2), [11, 0, 4, 7, 1, 3, 12, 1]);
    assert_eq!(figures(3), [0, 0, 6, 9, 0, 3, 12, 1]);
    assert_eq!(outcome.standings.iter().map(|seat| seat.score).collect::<Vec<_>>(), [83, 45, 22, 15].map(Some));
}
