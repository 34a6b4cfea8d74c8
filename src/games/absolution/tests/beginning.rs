//! The set-up and who begins.

use super::*;

fn vote(seats: u8) -> State {
    start(Options::default(), seats, &mut dice(1)).0
}

/// Everyone nominates, in seat order.
fn nominate(state: &mut State, nominees: &[u8]) {
    for (voter, nominee) in nominees.iter().enumerate() {
        make_by(state, seat(voter as u8), &format!("nominate {nominee}"));
    }
}

#[test]
fn cards_are_dealt_by_the_number_of_seats() {
    for (seats, hand, pile) in [(2, 9, 45), (3, 6, 44), (4, 4, 45), (5, 3, 45)] {
        let state = vote(seats);
        assert!(state.players.iter().all(|player| player.hand.len() == hand));
        assert_eq!((state.field.len(), state.pile.len()), (usize::from(seats), pile));
        assert_eq!((state.druid.to_string().as_str(), state.inner_pairs(), state.outer_pairs()), ("B1", 25, 0));
        conserved(&state);
    }
}

#[test]
fn ab_01_the_seat_that_all_name_begins() {
    let mut state = vote(3);
    nominate(&mut state, &[2, 2, 2]);
    assert_eq!((state.first, state.on_turn(), state.turn), (Some(seat(2)), Some(seat(2)), Turn::FIRST));
    make(&mut state, &["pass"]);
    assert_eq!(state.on_turn(), Some(seat(0)), "then clockwise");
}

#[test]
fn ab_01_after_two_rounds_the_most_nominated_begins() {
    let mut state = vote(3);
    nominate(&mut state, &[0, 0, 1]);
    assert_eq!((state.first, state.votes.len()), (None, 2), "no majority in the first round");
    nominate(&mut state, &[0, 0, 1]);
    assert_eq!(state.first, Some(seat(0)));

    let mut state = vote(3);
    nominate(&mut state, &[0, 0, 1]);
    nominate(&mut state, &[2, 1, 2]);
    assert_eq!(state.first, Some(seat(2)), "only the second round counts");
}

#[test]
fn ab_01_the_lowest_among_equals_begins() {
    let mut state = vote(3);
    nominate(&mut state, &[0, 1, 2]);
    nominate(&mut state, &[0, 1, 2]);
    assert_eq!(state.first, Some(seat(0)));

    let mut state = vote(5);
    nominate(&mut state, &[0, 1, 2, 3, 4]);
    nominate(&mut state, &[3, 4, 3, 4, 0]);
    assert_eq!(state.first, Some(seat(3)));
}

#[test]
fn ab_01_seats_nominate_in_any_order_and_openly() {
    let mut state = vote(4);
    let Status::ToAct(seats) = Absolution.status(&state) else { panic!("over") };
    assert_eq!(seats, Seats::all(count(4)));
    let events = make_by(&mut state, seat(2), "nominate 1");
    assert_eq!(events, [Event::Nominated(StarterNominated { seat: seat(2), nominee: seat(1), round: 1 })]);
    let nominations = vec![Nomination { seat: seat(2), nominee: seat(1) }];
    for viewer in [Viewer::Seat(seat(0)), Viewer::Spectator] {
        assert_eq!(Absolution.view(&state, viewer).votes, [Round { nominations: nominations.clone() }]);
        assert_eq!(Absolution.redact(&events[0], viewer).as_ref(), Some(&events[0]));
    }
    let Status::ToAct(seats) = Absolution.status(&state) else { panic!("over") };
    assert_eq!(seats, Seats::all(count(4)).minus(Seats::one(seat(2))));
}

#[test]
fn ab_01_what_the_vote_refuses() {
    let mut state = vote(3);
    assert_eq!(refusal(&state, "nominate 3"), ("no_such_seat", "AB-01", "seat"));
    assert_eq!(refusal(&state, "pass"), ("vote_open", "AB-01", "type"));
    assert_eq!(refusal(&state, "play D1"), ("vote_open", "AB-01", "type"));
    assert_eq!(refusal(&state, "exchange D1 D2"), ("vote_open", "AB-01", "type"));
    make_by(&mut state, seat(0), "nominate 0");
    assert_eq!(refusal_to(&state, seat(0), "nominate 1"), ("already_nominated", "AB-01", "-"));
    assert!(Absolution.reveals(&state, seat(0), &Absolution.parse("nominate 0").unwrap()), "no undo goes behind it");
    make_by(&mut state, seat(1), "nominate 0");
    make_by(&mut state, seat(2), "nominate 0");
    assert_eq!(refusal(&state, "nominate 1"), ("vote_over", "AB-01", "type"));
}

#[test]
fn ab_01_the_first_seat_may_be_drawn_or_named() {
    let random = Options { first_player: FirstPlayer::Random, first_seat: None };
    let drawn: Vec<u8> = (0..200).map(|seed| start(random, 4, &mut dice(seed)).0.first.unwrap().number()).collect();
    for seat in 0..4 {
        let times = drawn.iter().filter(|drawn| **drawn == seat).count();
        assert!((25..=75).contains(&times), "seat {seat} begins {times} times of 200");
    }
    let named = Options { first_player: FirstPlayer::Seat, first_seat: Some(seat(2)) };
    let (state, events) = start(named, 4, &mut dice(3));
    assert_eq!((state.on_turn(), state.votes.len()), (Some(seat(2)), 0));
    assert!(events.contains(&Event::StarterFound(StarterFound { seat: seat(2), by: FirstPlayer::Seat })));
}

#[test]
fn ab_01_options_fit_each_other_and_the_seats() {
    let check = |first_player, first_seat: Option<u8>, seats| {
        let options = Options { first_player, first_seat: first_seat.map(seat) };
        Absolution.check_options(&options, count(seats)).map_err(|refusal| (refusal.code, refusal.rule))
    };
    assert_eq!(check(FirstPlayer::Vote, None, 2), Ok(()));
    assert_eq!(check(FirstPlayer::Random, None, 2), Ok(()));
    assert_eq!(check(FirstPlayer::Seat, Some(4), 5), Ok(()));
    assert_eq!(check(FirstPlayer::Seat, Some(4), 4), Err(("no_such_seat", "8")));
    assert_eq!(check(FirstPlayer::Seat, None, 4), Err(("first_seat_missing", "AB-01")));
    assert_eq!(check(FirstPlayer::Vote, Some(0), 4), Err(("first_seat_unused", "8")));
    assert_eq!(check(FirstPlayer::Random, Some(0), 4), Err(("first_seat_unused", "8")));
}

#[test]
fn ab_02_the_field_is_seen_before_the_vote() {
    let state = vote(4);
    for viewer in [Viewer::Seat(seat(0)), Viewer::Spectator] {
        let view = Absolution.view(&state, viewer);
        assert_eq!((view.step, view.turn, view.field.len()), (Step::Voting, None, 4));
    }
}

#[test]
fn ab_03_the_turn_goes_on_clockwise_into_the_night() {
    let options = Options { first_player: FirstPlayer::Seat, first_seat: Some(seat(0)) };
    let mut state = start(options, 4, &mut dice(2)).0;
    state.turn = Turn::of(Phase::Day, number(30));
    assert_eq!(state.on_turn(), Some(seat(1)));
    make(&mut state, &["pass"]);
    assert_eq!((state.turn, state.on_turn()), (Turn::of(Phase::Night, number(1)), Some(seat(2))));
}
