//! A client that knows the options and its own seat and reads the events meant for it has at each moment the view that
//! is served: nothing in a view needs anything else.

use super::*;

#[path = "../../../../tests/support/follow/absolution.rs"]
mod client;
use client::{follow, nothing};

fn viewers(seats: SeatCount) -> Vec<Viewer> {
    seats.seats().map(Viewer::Seat).chain([Viewer::Spectator]).collect()
}

#[test]
fn events_alone_give_the_view() {
    let mut endings = std::collections::HashSet::new();
    for game in 0..100u8 {
        let options = all_options()[usize::from(game) % 3];
        let mut dice = dice(game);
        let (mut state, events) = start(options, 2 + game % 4, &mut dice);
        let seats = state.seats();
        let mut followed: Vec<(Viewer, AbsolutionView)> =
            viewers(seats).into_iter().map(|viewer| (viewer, nothing(&options, seats, viewer))).collect();
        let tell = |followed: &mut Vec<(Viewer, AbsolutionView)>, events: &[Event], state: &State| {
            for (viewer, view) in followed {
                events.iter().filter_map(|event| Absolution.redact(event, *viewer)).for_each(|event| {
                    follow(view, &event);
                });
                assert_eq!(*view, Absolution.view(state, *viewer), "{viewer:?} after {events:?}");
            }
        };
        tell(&mut followed, &events, &state);
        while let Status::ToAct(acting) = Absolution.status(&state) {
            let (seat, mv) = choose(&state, acting, &mut dice);
            let Ok(played) = play(&Absolution, &mut state, seat, mv, &mut dice) else { continue };
            tell(&mut followed, &played.events, &state);
        }
        endings.insert(state.ending().map(<&str>::from));
    }
    assert_eq!(endings.len(), 3, "{endings:?}");
}

/// A move of a seat to act, mostly a match if there is one, or some signal.
fn choose(state: &State, acting: Seats, dice: &mut Dice) -> (Seat, Move) {
    if dice.below(4) == 0 {
        let texts =
            ["wish 14 blue", "wish 3 red white", "ready night 4 poor", "ready day 9 great", "ready night 4 fair"];
        let seat = seat(dice.below(u32::from(state.seats().get())) as u8);
        return (seat, Absolution.parse(texts[dice.index(texts.len()).unwrap()]).unwrap());
    }
    let seats: Vec<Seat> = acting.iter().collect();
    let seat = seats[dice.index(seats.len()).unwrap()];
    let player = if dice.below(8) == 0 { players::random } else { players::matcher };
    (seat, player(state, seat, dice))
}

#[test]
fn what_another_seat_holds_shows_in_no_event_and_no_view() {
    let mut dice = dice(9);
    let (mut state, events) = start(Options::default(), 3, &mut dice);
    let shown = |event: &Event, viewer| match Absolution.redact(event, viewer) {
        Some(Event::HandDealt(OpeningHandDealt { cards, .. }) | Event::Drawn(ReplacementsDrawn { cards, .. })) => {
            Some(cards.is_some())
        }
        _ => None,
    };
    let dealt: Vec<bool> = events.iter().filter_map(|event| shown(event, Viewer::Seat(seat(1)))).collect();
    assert_eq!(dealt, [false, true, false]);
    assert!(events.iter().filter_map(|event| shown(event, Viewer::Spectator)).all(|shown| !shown));
    while let Status::ToAct(acting) = Absolution.status(&state) {
        let view = Absolution.view(&state, Viewer::Seat(seat(1)));
        let hands: Vec<bool> = view.seats.iter().map(|seat| seat.hand.is_some()).collect();
        assert_eq!((hands, view.pile), (vec![false, true, false], None));
        let actor = acting.first().unwrap();
        let mv = Absolution.legal_moves(&state, actor).moves.swap_remove(0);
        for event in play(&Absolution, &mut state, actor, mv, &mut dice).unwrap().events {
            assert_ne!(shown(&event, Viewer::Seat(seat(1))), Some(actor != seat(1)));
        }
    }
}

#[test]
fn what_is_imagined_is_a_fair_deal() {
    // Seat 1 took D9. Its other card is any that seat 0 cannot see, each as likely as the others.
    let mut state = position(Phase::Day, 9, &["D11", "D7 D8"], "D9 D3");
    make(&mut state, &["pass", "exchange D7 D9", "pass"]);
    let view = Absolution.view(&state, Viewer::Seat(seat(0)));
    let mut times = std::collections::HashMap::new();
    let mut dice = dice(3);
    for _ in 0..12_000 {
        let imagined = Absolution.imagine(&view, Viewer::Seat(seat(0)), &mut dice);
        conserved(&imagined);
        let other = hand(&imagined, 1).without(cards("D9"));
        *times.entry(other).or_insert(0) += 1;
    }
    // 65 less D11, D9, D7 and D3: 61 cards, 197 times each, standard deviation 14.
    assert_eq!(times.len(), 61);
    assert!(times.values().all(|times| (127..=267).contains(times)), "{times:?}");
}
