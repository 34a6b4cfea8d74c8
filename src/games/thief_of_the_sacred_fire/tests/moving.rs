//! The thief's moves: reach, guards, capture, refusals.

use super::*;

#[test]
fn th_18_points_left_over_are_lost() {
    let mut state = scene("1a", 3);
    let events = make(&mut state, &["go 1c"]);
    let Event::Moved(moved) = &events[0] else { panic!("{events:?}") };
    assert_eq!((moved.cost, moved.points_left), (2, 1));
    assert_eq!(state.points(), figures::points(state.dealt[5].0));
    assert_eq!(thief(&mut state).progress, 0);
}

#[test]
fn th_19_without_points_the_thief_stays() {
    let state = scene("1a", 0);
    assert_eq!(ThiefOfTheSacredFire.legal_moves(&state, seat()).moves, [mv("stay")]);
    assert_eq!(refusal(&state, "go 1b"), ("no_points", "TH-19", "to"));
}

#[test]
fn th_20_five_points_beside_the_trilithon_take_the_fire_at_once() {
    let mut state = scene("N7", 5);
    let events = act(&mut state, "go T1");
    assert_eq!(events[1], Event::FireTaken(ThiefFireTaken { trilithon: space("T1"), spent: 4 }));
    assert!(thief(&mut state).has_fire);
    assert_eq!(state.capstones, [None; 5]);
}

#[test]
fn th_20_who_finishes_the_capture_walks_on_with_the_rest() {
    let mut state = scene("T1", 5);
    thief(&mut state).progress = 2;
    let three_away: Vec<String> = Reach::new(space("T1"), 3, &state.druids).targets().map(|s| s.to_string()).collect();
    assert_eq!(targets(&state, "take"), three_away);
    let events = act(&mut state, "take 7c");
    let Event::Moved(moved) = &events[1] else { panic!("{events:?}") };
    assert_eq!(events[0], Event::FireTaken(ThiefFireTaken { trilithon: space("T1"), spent: 2 }));
    assert_eq!((moved.cost, moved.points_left, moved.progress_lost), (2, 1, 0));
    let Thief { at, has_fire, progress, .. } = *thief(&mut state);
    assert_eq!((at, has_fire, progress), (space("7c"), true, 0));
}

#[test]
fn th_20_a_capture_over_several_turns() {
    let mut state = scene("N6", 3);
    let events = act(&mut state, "go T1");
    assert_eq!(
        events[1],
        Event::CaptureAdvanced(ThiefCaptureAdvanced { trilithon: space("T1"), spent: 2, progress: 2 })
    );
    state = State { thief: state.thief, ..scene("T1", 0) };
    assert_eq!(act(&mut state, "stay")[1..], act(&mut scene("30a", 0), "stay")[1..], "nothing to spend");
    assert_eq!(state.thief.unwrap().progress, 2);
    state = State { thief: state.thief, ..scene("T1", 1) };
    act(&mut state, "stay");
    assert_eq!(state.thief.unwrap().progress, 3);
    state = State { thief: state.thief, ..scene("T1", 1) };
    assert!(targets(&state, "take").is_empty(), "no point would be left to go on");
    act(&mut state, "stay");
    assert_eq!((state.thief.unwrap().progress, state.thief.unwrap().has_fire), (0, true));
}

#[test]
fn th_20_and_th_21_turn_by_turn_the_capture_is_begun_given_up_and_finished() {
    let mut state = before_dealing(
        "N7",
        "D6 D12 D18 D24 D30 N3 \
         N6 N12 N18 N24 N30 N1 \
         D1 D7 D13 D19 D25 N2 \
         N7 N13 N19 N25 D2 N4 \
         D8 D14 D20 D26 N8 D5 \
         N14 N20 N26 D9 N9 D3",
    );
    settle(&ThiefOfTheSacredFire, &mut state, &mut dice(0), &mut Vec::new());
    let mut played = |text: &str| {
        let events = make(&mut state, &[text]);
        assert_eq!(losses(&events), "");
        let Thief { at, progress, has_fire, .. } = *thief(&mut state);
        (at.to_string(), progress, has_fire)
    };
    assert_eq!(played("go T1"), ("T1".to_owned(), 2, false), "two of three points are left on arriving");
    assert_eq!(played("stay"), ("T1".to_owned(), 3, false));
    assert_eq!(played("go N6"), ("N6".to_owned(), 0, false), "left too early");
    assert_eq!(played("go T1"), ("T1".to_owned(), 3, false));
    assert_eq!(played("take 8c"), ("8c".to_owned(), 0, true), "one point for the capture, three for the way");
    assert_eq!((state.turn, state.capstones), (7, [None; 5]));
}

#[test]
fn th_20_surplus_points_are_lost_to_those_who_stay() {
    let mut state = scene("T1", 5);
    thief(&mut state).progress = 3;
    let events = act(&mut state, "stay");
    assert_eq!(events[1], Event::FireTaken(ThiefFireTaken { trilithon: space("T1"), spent: 1 }));
    assert_eq!(thief(&mut state).at, space("T1"));
}

#[test]
fn th_21_leaving_loses_the_progress() {
    let mut state = scene("T1", 2);
    thief(&mut state).progress = 3;
    let events = act(&mut state, "go N6");
    let Event::Moved(moved) = &events[0] else { panic!("{events:?}") };
    assert_eq!((moved.progress_lost, thief(&mut state).progress), (3, 0));
    state = State { thief: state.thief, ..scene("N6", 4) };
    act(&mut state, "go T1");
    assert_eq!((thief(&mut state).progress, thief(&mut state).has_fire), (3, false));
}

#[test]
fn th_22_who_stays_spends_all_that_helps() {
    let mut state = scene("T1", 2);
    act(&mut state, "stay");
    assert_eq!(thief(&mut state).progress, 2);
    assert_eq!(refusal(&scene("T1", 2), "go T1"), ("same_space", "TH-22", "to"));
}

#[test]
fn th_23_other_trilithons_are_of_no_use() {
    let mut state = scene("T2", 4);
    let events = act(&mut state, "stay");
    assert!(!events.iter().any(|e| matches!(e, Event::CaptureAdvanced(_) | Event::FireTaken(_))));
    assert_eq!(thief(&mut state).progress, 0);
    assert_eq!(refusal(&scene("T2", 5), "take 11c"), ("not_at_the_fire", "TH-23", "type"));
    let mut state = scene("T2", 0);
    put(&mut state, Druid::Blue, "N10");
    put(&mut state, Druid::Green, "D9");
    put(&mut state, Druid::White, "B7");
    assert_eq!(losses(&act(&mut state, "stay")), "white -3, blue -2");
}

#[test]
fn th_29_no_way_leads_onto_or_past_a_druid() {
    let guarded = |points| {
        let mut state = scene("N8", points);
        put(&mut state, Druid::Blue, "D8");
        state
    };
    assert!(!targets(&guarded(2), "go").contains(&"N9".to_owned()));
    assert!(targets(&guarded(3), "go").contains(&"N9".to_owned()));
    assert!(!targets(&guarded(3), "go").contains(&"D8".to_owned()));
    assert_eq!(refusal(&guarded(3), "go D8"), ("druid_there", "TH-29", "to"));
    assert_eq!(refusal(&guarded(2), "go N9"), ("way_guarded", "TH-29", "to"));
    let mut state = guarded(3);
    let Event::Moved(moved) = &act(&mut state, "go N9")[0] else { panic!() };
    assert_eq!((&moved.steps, moved.cost), (&spaces("8c 9c N9"), 3));

    let mut state = scene("N6", 2);
    put(&mut state, Druid::Blue, "D6");
    assert!(targets(&state, "go").contains(&"N7".to_owned()), "over T1");
    let Event::Moved(moved) = &act(&mut state, "go N7")[0] else { panic!() };
    assert_eq!(moved.steps, spaces("T1 N7"));
}

#[test]
fn th_29_the_high_druid_blocks_the_bluestones() {
    let mut state = scene("B4", 5);
    put(&mut state, Druid::White, "B5");
    assert!(!targets(&state, "go").contains(&"B6".to_owned()));
    assert_eq!(refusal(&state, "go B6"), ("way_guarded", "TH-29", "to"));
}

#[test]
fn what_is_out_of_reach_or_out_of_turn_is_refused_with_its_rule() {
    let state = scene("1a", 3);
    assert_eq!(refusal(&state, "go 3c"), ("out_of_reach", "5.2", "to"));
    assert_eq!(refusal(&state, "go 2a"), ("out_of_reach", "5.2", "to"));
    assert_eq!(refusal(&state, "go 1a"), ("same_space", "TH-22", "to"));
    assert_eq!(refusal(&state, "start 1a"), ("start_chosen", "TH-01", "type"));
    assert_eq!(refusal(&state, "take 1b"), ("not_at_the_fire", "5.5", "type"));
    let (fresh, ..) = created(1);
    for text in ["start 15a", "start 1b", "start T1"] {
        assert_eq!(refusal(&fresh, text), ("not_a_start", "TH-01", "space"));
    }
    for text in ["stay", "go 1b", "take 1b"] {
        assert_eq!(refusal(&fresh, text), ("start_open", "TH-01", "type"));
    }
}

#[test]
fn th_20_taking_needs_points_for_the_capture_and_a_step() {
    let take = |points, progress, to: &str| {
        let mut state = scene("T1", points);
        thief(&mut state).progress = progress;
        ThiefOfTheSacredFire.check(&state, seat(), &mv(&format!("take {to}"))).map_err(|why| (why.code, why.rule))
    };
    assert_eq!(take(4, 0, "N6"), Err(("too_few_points", "5.5")), "nothing left for a step");
    assert_eq!(take(3, 0, "N6"), Err(("too_few_points", "TH-20")), "no progress");
    assert_eq!(take(0, 3, "N6"), Err(("too_few_points", "TH-20")), "no points");
    assert_eq!(take(5, 0, "N6"), Ok(()));
    assert_eq!(take(5, 0, "6c"), Err(("out_of_reach", "5.2")));
    assert_eq!(take(5, 1, "6c"), Ok(()));
    assert_eq!(take(5, 1, "T1"), Err(("same_space", "TH-22")));
    assert_eq!(refusal(&with_fire("T1", 5), "take N6"), ("fire_already_taken", "5.4", "type"));
}
