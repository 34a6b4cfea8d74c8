//! Detection of the thief, and its cost.

use super::detection::sightings;
use super::*;

/// Returns what a thief there costs, with only these druids near (one of whom may be the High Druid, white).
fn cost(at: &str, druids: &[(Druid, &str)]) -> String {
    let mut state = scene(at, 0);
    druids.iter().for_each(|(druid, stone)| put(&mut state, *druid, stone));
    losses(&act(&mut state, "stay"))
}

use Druid::{Blue, Green, White};

#[test]
fn ranges_of_inner_druids_are_those_of_the_table() {
    // Range 1 and 2 of a night and a day stone away from any path, and on one.
    let seen = |from: &str, disks: u8| {
        let druids = [space("B5"), space(from), space("D18"), space("N19"), space("N20")];
        let costs = |at: &Space| {
            let mut found = sightings(&druids, White, *at).filter(|sighting| sighting.druid == Blue);
            found.next().map(|sighting| sighting.disks)
        };
        Space::all().filter(|at| costs(at) == Some(disks)).collect::<Vec<Space>>()
    };
    assert_eq!(seen("N3", 2), spaces("3c D2 D3"));
    assert_eq!(seen("N3", 1), spaces("3b 2c 4c N2 N4"));
    assert_eq!(seen("D3", 2), spaces("3c N3 N4"));
    assert_eq!(seen("D3", 1), spaces("3b 2c 4c D2 D4"));
    assert_eq!(seen("D3", 0), spaces("D3"));
    assert_eq!(seen("N7", 2), spaces("7c D6 D7 T1"));
    assert_eq!(seen("N7", 1), spaces("7b 6c 8c N6 N8 B1 B2 B3"));
}

#[test]
fn darkness_is_always_safe() {
    for (at, druid) in (1..=30).flat_map(|n| [(n, format!("N{n}")), (n, format!("D{n}"))]) {
        assert_eq!(cost(&format!("{at}a"), &[(Blue, &druid)]), "");
    }
}

#[test]
fn th_32_range_goes_round_corners() {
    assert_eq!(cost("7c", &[(Blue, "N8")]), "blue -1");
}

#[test]
fn th_33_neighbours_are_at_range_1() {
    assert_eq!(cost("D7", &[(Blue, "N7")]), "blue -2");
}

#[test]
fn th_34_range_goes_through_trilithons() {
    assert_eq!(cost("B1", &[(Blue, "D6"), (White, "B9")]), "blue -1");
    assert_eq!(cost("D7", &[(Blue, "N6")]), "blue -1");
}

#[test]
fn th_35_on_a_trilithon_only_its_own_rule_counts() {
    assert_eq!(cost("T1", &[(Blue, "N8")]), "");
    assert_eq!(cost("T1", &[(Blue, "D7")]), "blue -2");
    assert_eq!(cost("T1", &[(White, "B3")]), "white -3");
    assert_eq!(cost("T1", &[(White, "B4")]), "", "one step from the view, but not in it");
}

#[test]
fn th_36_the_high_druid_sees_the_path_of_the_trilithon_that_he_looks_at() {
    assert_eq!(cost("D7", &[(White, "B4")]), "");
    assert_eq!(cost("D7", &[(White, "B3")]), "white -3");
    assert_eq!(cost("N10", &[(White, "B3")]), "");
    assert_eq!(cost("7c", &[(White, "B3")]), "", "beside the path");
}

#[test]
fn th_37_a_path_stone_is_always_at_range_2_of_him() {
    assert_eq!(cost("N6", &[(White, "B1")]), "white -3");
    for stone in ["N6", "D6", "N7", "D7"] {
        for blue in ["B1", "B2", "B3"] {
            assert_eq!((range(space(blue), space(stone)), cost(stone, &[(White, blue)])), (2, "white -3".to_owned()));
        }
    }
}

#[test]
fn th_38_between_bluestones_range_is_along_the_row() {
    let costs: Vec<String> = ["B7", "B8", "B9", "B10", "B11"].map(|high| cost("B6", &[(White, high)])).to_vec();
    assert_eq!(costs, ["white -3", "white -3", "white -2", "white -1", ""]);
    assert_eq!(cost("B2", &[(White, "B6")]), "white -1");
    for (from, to) in (1..=19).flat_map(|from| (1..=19u8).map(move |to| (from, to))) {
        // Beyond sight a way round the mouth of the horseshoe may be shorter.
        assert_eq!(range(Space::bluestone(from), Space::bluestone(to)).min(5), u8::abs_diff(from, to).min(5));
    }
}

#[test]
fn th_39_each_druid_loses_from_its_own_pile() {
    assert_eq!(cost("7c", &[(Blue, "N7"), (Green, "D7")]), "blue -2, green -2");
}

#[test]
fn th_40_a_pile_is_emptied_by_more_than_it_has() {
    let mut state = scene("D7", 0);
    put(&mut state, Blue, "N7");
    state.alertness[1] = 1;
    let events = act(&mut state, "stay");
    assert_eq!((losses(&events), state.alertness[1]), ("blue -1".to_owned(), 0));
    assert_eq!(state.ending(), Some(Ending::Caught));
}

#[test]
fn th_41_caught_when_a_pile_is_empty() {
    for (before, ending) in [(2, Some(Ending::Caught)), (3, None)] {
        let mut state = scene("D7", 0);
        put(&mut state, Blue, "N7");
        state.alertness[1] = before;
        let events = act(&mut state, "stay");
        assert_eq!(state.ending(), ending);
        let caught = ThiefCaught { detection: Detection::Second, met: vec![], alarmed: vec![Blue], turn: 1 };
        assert_eq!(events.contains(&Event::Caught(caught)), ending.is_some());
    }
}

#[test]
fn th_41_all_disks_are_removed_before_it_is_seen_who_is_caught() {
    // Blue ends on the thief's stone; green, two stones on, still loses its disk.
    let mut state = before_dealing("N7", "D4 D12 D18 D24 D30 N6");
    put(&mut state, Blue, "N5");
    put(&mut state, Green, "N8");
    let mut events = Vec::new();
    settle(&ThiefOfTheSacredFire, &mut state, &mut dice(0), &mut events);
    assert_eq!(losses(&events), "green -1");
    let caught = ThiefCaught { detection: Detection::First, met: vec![Blue], alarmed: vec![], turn: 2 };
    assert_eq!(events[events.len() - 2], Event::Caught(caught));
    assert_eq!(state.stage, Stage::Over(Ending::Caught));
    assert_eq!(state.alertness[1], 10, "range 0 removes none");
}

#[test]
fn the_high_druid_meets_the_thief_on_a_bluestone() {
    let mut state = before_dealing("B6", "D6 D12 D18 D24 D1 N6");
    let mut events = Vec::new();
    settle(&ThiefOfTheSacredFire, &mut state, &mut dice(0), &mut events);
    let caught = ThiefCaught { detection: Detection::First, met: vec![White], alarmed: vec![], turn: 2 };
    assert!(events.contains(&Event::Caught(caught)), "{events:?}");
}
