//! Endings and scores.

use super::state::score;
use super::*;
use sarsen_rules::Outcome;

fn outcome(state: &State) -> Outcome {
    let Status::Over(outcome) = state.status() else { panic!("it goes on") };
    outcome
}

#[test]
fn th_42_only_the_chosen_start_is_home() {
    let mut state = with_fire("1b", 1);
    act(&mut state, "go 1a");
    assert_eq!((state.stage, state.ending()), (Stage::Dealing, None));
    let mut state = with_fire("1b", 1);
    thief(&mut state).start = space("1a");
    act(&mut state, "go 1a");
    assert_eq!(state.ending(), Some(Ending::FireHome));
    let mut state = scene("30b", 1);
    act(&mut state, "go 30a");
    assert_eq!(state.ending(), None, "without the fire");
}

#[test]
fn th_42_arriving_wins_before_the_second_detection() {
    // A pile is already empty: in a second detection that would be the end.
    let mut state = with_fire("30b", 1);
    state.alertness[1] = 0;
    let events = act(&mut state, "go 30a");
    assert_eq!(state.ending(), Some(Ending::FireHome));
    assert!(!events.iter().any(|event| matches!(event, Event::Caught(_))));
}

#[test]
fn th_43_arriving_is_enough() {
    let mut state = with_fire("30b", 1);
    state.turn = 12;
    state.alertness = [3, 10, 8, 1, 10];
    let events = make(&mut state, &["go 30a"]);
    assert!(events.contains(&Event::FireBroughtHome(ThiefFireBroughtHome { space: space("30a"), turn: 12 })));
    let outcome = outcome(&state);
    assert_eq!((&*outcome.ending, outcome.standings[0].verdict), ("fire_home", Verdict::Won));
    assert_eq!(outcome.standings[0].score, Some((1001 - 12) * 100 + 32));
    let figures: Vec<(&str, i64)> = outcome.figures.iter().map(|(name, figure)| (&**name, *figure)).collect();
    let expected = [
        ("disks", 32),
        ("disks_blue", 10),
        ("disks_green", 8),
        ("disks_red", 10),
        ("disks_white", 3),
        ("disks_yellow", 1),
        ("turns", 12),
    ];
    assert_eq!(figures, expected);
}

#[test]
fn th_48_darkness_is_safe_for_ten_turns_until_dawn() {
    let (mut state, _, mut dice) = created(11);
    state.options.turn_limit = 20;
    play(&ThiefOfTheSacredFire, &mut state, seat(), mv("start 1a"), &mut dice).unwrap();
    for turn in 1..=20 {
        assert_eq!((state.turn, state.alertness.iter().sum::<u8>(), state.ending()), (turn, 49, None));
        let events = play(&ThiefOfTheSacredFire, &mut state, seat(), mv("stay"), &mut dice).unwrap().events;
        assert_eq!(losses(&events), "");
    }
    let outcome = outcome(&state);
    assert_eq!((&*outcome.ending, outcome.standings[0].verdict), ("dawn", Verdict::Lost));
    assert_eq!((outcome.standings[0].score, outcome.figures["turns"]), (Some(0), 20));
}

#[test]
fn th_48_a_game_decided_in_the_last_turn_is_not_lost_to_the_dawn() {
    let mut state = with_fire("30b", 1);
    (state.turn, state.options.turn_limit) = (20, 20);
    make(&mut state, &["go 30a"]);
    assert_eq!(state.stage, Stage::Over(Ending::FireHome));
    let mut state = scene("D7", 0);
    (state.turn, state.options.turn_limit, state.alertness[1]) = (20, 20, 2);
    put(&mut state, Druid::Blue, "N7");
    make(&mut state, &["stay"]);
    assert_eq!(state.stage, Stage::Over(Ending::Caught));
    assert_eq!(outcome(&state).standings[0].score, Some(0));
}

#[test]
fn th_49_the_theft_changes_no_pile() {
    let mut state = scene("T1", 4);
    let before = (state.alertness, state.druids, state.outbound);
    act(&mut state, "stay");
    assert!(thief(&mut state).has_fire);
    assert_eq!((state.alertness, state.druids, state.outbound), before);
}

#[test]
fn th_50_with_the_fire_on_the_trilithon_the_game_goes_on() {
    let mut state = with_fire("T1", 4);
    let events = act(&mut state, "stay");
    assert!(!events.iter().any(|e| matches!(e, Event::CaptureAdvanced(_) | Event::FireTaken(_))));
    assert_eq!((state.ending(), thief(&mut state).has_fire), (None, true));
}

#[test]
fn after_the_end_nothing_is_to_decide_and_the_deck_is_open() {
    let mut state = with_fire("30b", 1);
    let hidden = state.view(Viewer::Seat(seat()));
    assert_eq!((hidden.deck, hidden.deck_size), (None, 54));
    let events = make(&mut state, &["go 30a"]);
    let Some(Event::DeckRevealed(revealed)) = events.last() else { panic!("{events:?}") };
    let view = state.view(Viewer::Spectator);
    assert_eq!(view.deck.as_ref(), Some(&revealed.cards));
    assert_eq!(revealed.cards.first(), state.pile.cards().last(), "the next card first");
    assert!(ThiefOfTheSacredFire.legal_moves(&state, seat()).moves.is_empty());
    for text in ["stay", "go 30b", "start 30a", "take 30b"] {
        assert_eq!(refusal(&state, text), ("nothing_to_decide", "7.2", "-"));
    }
}

#[test]
fn a_dry_run_of_the_last_move_does_not_show_the_deck() {
    let mut state = with_fire("30b", 1);
    let events = act(&mut state, "go 30a");
    assert!(!events.iter().any(|event| matches!(event, Event::DeckRevealed(_))));
    assert_eq!((state.status(), state.view(Viewer::Seat(seat())).deck), (Status::Chance, None));
}

#[test]
fn fewer_turns_count_more_than_any_disks_and_every_win_more_than_a_loss() {
    assert!(score(10, 0) > score(11, 49));
    assert!(score(10, 12) > score(10, 11));
    assert_eq!((score(1, 49), score(1000, 0)), (100_049, 100));
}
