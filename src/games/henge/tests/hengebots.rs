//! Hengebots: H-48 to H-55.

use super::super::components::Area;
use super::super::components::testing::changed;
use super::super::events::Event;
use super::desk::Desk;
use super::*;

/// Seat 0 stays quiet and the Hengebot on chair 1 takes its turn from step `from`; answers its events.
fn bot_turn(desk: &mut Desk, from: u8) -> Vec<Event> {
    desk.state.stack.clear();
    desk.state.turn = chair(1);
    desk.state.pawn = super::super::components::Step(from - 1);
    desk.state.stack = vec![
        super::super::state::Frame::EndOfTurn { step: super::super::state::EndStep::Quarry },
        super::super::state::Frame::Hengebot,
    ];
    let mut events = Vec::new();
    Henge::default().resolve(&mut desk.state, &mut desk.dice, &mut events);
    sarsen_rules::settle(&Henge::default(), &mut desk.state, &mut desk.dice, &mut events);
    events
}

fn has(events: &[Event], wanted: fn(&Event) -> bool) -> bool {
    events.iter().any(wanted)
}

fn druid(event: &Event) -> bool {
    matches!(event, Event::HengebotDruidPlaced(_))
}

fn nothing(event: &Event) -> bool {
    matches!(event, Event::HengebotDidNothing(_))
}

/// Stone, position and slot that the Hengebot chose.
fn installed(events: &[Event]) -> Option<(String, u8, String)> {
    events.iter().find_map(|event| match event {
        Event::HengebotStoneInstalled(built) => Some((built.stone.to_string(), built.position, built.slot.to_string())),
        _ => None,
    })
}

#[test]
fn h_48_a_hengebot_moves_at_least_one_step() {
    // Steps 2 and 4 show druid.
    let mut desk = Desk::new("hbh").bot_card("H01").holds(0, "S15", 0, false);
    let events = bot_turn(&mut desk, 2);
    assert_eq!(desk.state.pawn.number(), 4);
    assert!(has(&events, druid) && desk.state.paths[0] == [chair(1)]);
    // No stone moves, not even over a border.
    let mut desk = Desk::new("hbh").bot_card("H01").holds(0, "S15", 0, false);
    bot_turn(&mut desk, 4);
    assert_eq!((desk.state.pawn.number(), desk.person(0).stones[0].at), (6, 0));
}

#[test]
fn h_49_the_first_printed_icon_with_an_effect() {
    // Step 2 shows druid and install, card H27 install and druid.
    let mut desk = Desk::new("hbh").bot_card("H27");
    assert!(has(&bot_turn(&mut desk, 1), druid));
    let mut desk = Desk::new("hbh").bot_card("H27").quarry("S08 - - -");
    assert!(installed(&bot_turn(&mut desk, 1)).is_some());
}

#[test]
fn h_50_arriving_on_carve_flips_the_token_up_and_installing_flips_it_down() {
    // Step 16 shows druid and carve.
    let mut desk = Desk::new("hbh").bot_card("H01");
    assert!(has(&bot_turn(&mut desk, 15), druid));
    assert!(desk.state.bots.carve_token_up[1]);
    let mut desk = desk.bot_card("H08").quarry("S08 S09 S10 S11");
    assert!(installed(&bot_turn(&mut desk, 20)).is_some());
    assert!(!desk.state.bots.carve_token_up[1]);
}

#[test]
fn h_51_a_hengebot_places_a_local_druid_for_nothing() {
    let mut desk = Desk::new("hbh").bot_card("H01").druids(1, "00000");
    let events = bot_turn(&mut desk, 1);
    assert!(has(&events, nothing) && !has(&events, druid));
    // Free, and without the benefit of a track.
    let mut desk = Desk::new("hbh").bot_card("H01").druids(1, "0000");
    let events = bot_turn(&mut desk, 1);
    assert!(has(&events, druid) && !has(&events, |event| matches!(event, Event::CoinsGained(_))));
    // None left.
    let mut desk = Desk::new("hbh").bot_card("H01");
    for area in [2, 3] {
        desk = desk.druids(area, "111111");
    }
    assert!(has(&bot_turn(&mut desk, 1), nothing));
}

#[test]
fn h_52_the_most_valuable_slot_that_can_be_filled() {
    let ready = |up: bool| {
        let mut desk = Desk::new("hbhh").bot_card("H08").built(0, "2a", "S08").built(0, "2b", "S09");
        desk.state.bots.carve_token_up[1] = up;
        desk
    };
    // Step 5 lies in area 2, where the large lintel 2c and the small monolith 23m are open.
    let small = "S01 S02 S03 S05";
    assert_eq!(installed(&bot_turn(&mut ready(true).quarry(small), 4)), Some(("S01".into(), 1, "23m".into())));
    let mixed = "S01 S02 S10 S05";
    assert_eq!(installed(&bot_turn(&mut ready(true).quarry(mixed), 4)), Some(("S10".into(), 3, "2c".into())));
    // The token down: the lowest position that fits a plain slot.
    assert_eq!(installed(&bot_turn(&mut ready(false).quarry(mixed), 4)), Some(("S01".into(), 1, "12a".into())));
    let large_first = "S10 S01 S02 S05";
    assert_eq!(installed(&bot_turn(&mut ready(false).quarry(large_first), 4)), Some(("S01".into(), 2, "12a".into())));
    // The token up but nothing for carved stones: as with the token down.
    let done = ready(true).built(0, "2c", "S12").built(0, "23m", "S04").built(0, "2m", "S13").quarry(small);
    assert_eq!(installed(&bot_turn(&mut { done }, 4)), Some(("S01".into(), 1, "12a".into())));
}

#[test]
fn h_52_points_come_before_the_order_of_the_file() {
    // The slots in reverse order: monoliths before lintels, small lintels before large ones.
    let set = changed("slots in reverse order", |json| {
        json["boards"]["45"]["slots"].as_array_mut().unwrap().reverse();
    });
    let uprights = [("1a", "S08"), ("1b", "S09"), ("12a", "S03"), ("12b", "S04"), ("51a", "S06"), ("51b", "S07")];
    let ready = |quarry: &str, uprights: &[(&str, &str)]| {
        let mut desk = Desk::with(&set, "hbhh").bot_card("H08").quarry(quarry);
        for (slot, stone) in uprights {
            desk = desk.built(0, slot, stone);
        }
        desk.state.bots.carve_token_up[1] = true;
        desk
    };
    // Step 2 lies in area 1 with the lintels 1c, 12c and 51c.
    let mixed = "S01 S02 S10 S05";
    assert_eq!(installed(&bot_turn(&mut ready(mixed, &uprights), 1)), Some(("S10".into(), 3, "1c".into())));
    // Two lintels with the same points: the first in the file, which is the last of the reference.
    let small = "S01 S02 S05 -";
    assert_eq!(installed(&bot_turn(&mut ready(small, &uprights), 1)), Some(("S01".into(), 1, "51c".into())));
    // Step 5 lies in area 2 with the lintel 2c and the monoliths 2m and 23m.
    let pair = [("2a", "S08"), ("2b", "S09")];
    assert_eq!(installed(&bot_turn(&mut ready(mixed, &pair), 4)), Some(("S10".into(), 3, "2c".into())));
}

#[test]
fn h_53_border_slots_yes_but_no_size_exception() {
    let small_slots = ["51a", "51b", "51c", "23a", "23b", "23c", "12m", "23m", "34m", "45m", "51m"];
    let stones = ["S08", "S09", "S10", "S11", "S12", "S13", "S14", "S15", "S16", "S06", "S07"];
    let mut desk = Desk::new("hbh").bot_card("H08").quarry("S01 S02 S03 S05");
    for (slot, stone) in small_slots.into_iter().zip(stones) {
        desk = desk.built(0, slot, stone);
    }
    assert!(has(&bot_turn(&mut desk, 1), nothing));
    let mut desk = Desk::new("hbh").bot_card("H08").quarry("S01 S02 S03 S05");
    assert_eq!(installed(&bot_turn(&mut desk, 1)), Some(("S01".into(), 1, "51a".into())));
}

#[test]
fn h_54_a_hengebots_stone_card_leaves_the_game() {
    let mut desk = Desk::new("hbh").bot_card("H08").quarry("S01 S02 S03 S05");
    bot_turn(&mut desk, 1);
    let stone = desk.stone("S01");
    assert!(desk.state.slots.iter().flatten().any(|built| built.stone == stone && u8::from(built.chair) == 1));
    assert!(desk.state.people.iter().all(|person| person.installed.is_empty() && person.stones.is_empty()));
    assert!(!desk.state.quarry.contains(&Some(stone)) && !desk.state.stone_deck.contains(stone.index()));
    assert_eq!(desk.state.card_score(seat(0), desk.bonus("E03").index()).points, 0);
}

#[test]
fn h_55_other_icons_do_nothing_and_the_deck_comes_round() {
    let mut desk = Desk::new("hbh").bot_card("H22");
    assert!(has(&bot_turn(&mut desk, 5), nothing));
    assert_eq!((desk.state.pawn.number(), desk.state.bots.deck.len(), desk.state.bots.discards.len()), (6, 0, 30));
    // The 31st turn draws from the shuffled discards.
    let events = bot_turn(&mut desk, 6);
    assert!(has(&events, |event| matches!(event, Event::DeckReshuffled(_))));
    assert_eq!((desk.state.bots.deck.len(), desk.state.bots.discards.len()), (29, 1));
    assert!(desk.state.druids_on(Area::ALL[0]) <= 1);
}
