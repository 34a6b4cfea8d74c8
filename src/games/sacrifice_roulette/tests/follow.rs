//! Events tell a client all it needs: each viewer's view is put together from the events that the viewer is shown.

use super::*;

#[path = "../../../../tests/support/follow/sacrifice_roulette.rs"]
mod client;
use client::{follow, nothing};

#[test]
fn events_alone_give_each_viewer_its_view() {
    for number in 0..60 {
        let count = 2 + (number % 4) as u8;
        let (mut dice, mut choice) = (dice(number), dice(1000 + number));
        let viewers: Vec<Viewer> = seats(count).seats().map(Viewer::Seat).chain([Viewer::Spectator]).collect();
        let mut followed: Vec<SacrificeRouletteView> =
            viewers.iter().map(|viewer| nothing(&Options {}, seats(count), *viewer)).collect();
        let (mut state, mut events) = SacrificeRoulette.setup(&Options {}, seats(count), &mut dice);
        settle(&SacrificeRoulette, &mut state, &mut dice, &mut events);
        loop {
            for (viewer, view) in viewers.iter().zip(&mut followed) {
                let shown = events.iter().filter_map(|event| SacrificeRoulette.redact(event, *viewer));
                shown.for_each(|event| follow(view, &event));
                assert_eq!(*view, SacrificeRoulette.view(&state, *viewer), "{viewer:?}");
            }
            let Some(actor) = state.actor() else { break };
            let moves = SacrificeRoulette.legal_moves(&state, actor).moves;
            let mv = moves[choice.index(moves.len()).unwrap()];
            events = play(&SacrificeRoulette, &mut state, actor, mv, &mut dice).unwrap().events;
        }
    }
}

/// Cards drawn into a hand are told to nobody else, and neither view nor event lays open the deck before the end.
#[test]
fn nobody_is_told_of_other_hands() {
    for number in 0..12 {
        let count = 2 + (number % 4) as u8;
        let (mut dice, mut choice) = (dice(3000 + number), dice(4000 + number));
        let (mut state, mut events) = SacrificeRoulette.setup(&Options {}, seats(count), &mut dice);
        settle(&SacrificeRoulette, &mut state, &mut dice, &mut events);
        while let Some(actor) = state.actor() {
            for viewer in seats(count).seats().map(Viewer::Seat).chain([Viewer::Spectator]) {
                let view = SacrificeRoulette.view(&state, viewer);
                let shown = |seat: Seat| view.players[seat.index()].hand.is_some();
                assert!(view.deck.is_none() && seats(count).seats().all(|seat| shown(seat) == viewer.may_see(seat)));
                for event in events.iter().filter_map(|event| SacrificeRoulette.redact(event, viewer)) {
                    match event {
                        Event::HandsDealt(dealt) => {
                            assert!(dealt.hands.iter().all(|hand| hand.cards.is_some() == viewer.may_see(hand.seat)));
                        }
                        Event::CardsDrawn(drawn) => assert_eq!(drawn.cards.is_some(), viewer.may_see(drawn.seat)),
                        Event::CardsRevealed(_) => panic!("revealed before the end"),
                        _ => {}
                    }
                }
            }
            let moves = SacrificeRoulette.legal_moves(&state, actor).moves;
            let mv = moves[choice.index(moves.len()).unwrap()];
            events = play(&SacrificeRoulette, &mut state, actor, mv, &mut dice).unwrap().events;
        }
    }
}

/// A `reverse` too, which random play hardly ever meets.
#[test]
fn events_alone_tell_what_a_reverse_gives_away() {
    let mut state = Table::new(3, 3, "TW TB TG TY TR").state();
    let mut view = state.view(Viewer::Spectator);
    for event in make(&mut state, &["reverse TY"]) {
        follow(&mut view, &SacrificeRoulette.redact(&event, Viewer::Spectator).unwrap());
    }
    assert_eq!(view, state.view(Viewer::Spectator));
    assert_eq!(view.players[0].known, cards("TW TB TG TR"));
}
