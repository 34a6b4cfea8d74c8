//! A client that sees only the first view and the events can rebuild every later view.

use super::super::components::Id;
use super::super::seen::HengeView;
use super::*;
use crate::rules::{Status, Viewer, play, settle};

#[path = "../../../../tests/support/follow/henge.rs"]
mod client;
use client::follow;

#[test]
fn every_view_follows_from_the_first_and_the_events() {
    for (number, table) in ["hbb", "hbh", "hhh", "hhbb", "hhhh", "hhhhh"].into_iter().enumerate() {
        let (mut dice, mut choice) = (dice(40 + number as u8), super::dice(60 + number as u8));
        let (mut state, mut events) = Henge::default().setup(&options(table), people(table), &mut dice);
        settle(&Henge::default(), &mut state, &mut dice, &mut events);
        let viewers: Vec<Viewer> = state.count().seats().map(Viewer::Seat).chain([Viewer::Spectator]).collect();
        let mut seen: Vec<HengeView> = viewers.iter().map(|viewer| state.view(*viewer)).collect();
        while let Status::ToAct(seats) = state.status() {
            let acting: Vec<Seat> = seats.iter().collect();
            let actor = acting[choice.index(acting.len()).unwrap()];
            let moves = state.legal(actor);
            let mv = moves[choice.index(moves.len()).unwrap()];
            let played = play(&Henge::default(), &mut state, actor, mv, &mut dice).unwrap();
            for (viewer, view) in viewers.iter().zip(&mut seen) {
                for event in &played.events {
                    follow(view, &Henge::default().redact(event, *viewer).unwrap(), *viewer);
                }
                assert_eq!(view, &state.view(*viewer), "{table} {viewer:?} after {mv:?}: {:?}", played.events);
            }
        }
        assert!(seen.iter().all(|view| view.scores.is_some()), "{table} does not end");
    }
}

/// With two people the other hand is known when the Luck discards are shuffled, and so is it in what is imagined.
#[test]
fn a_reshuffle_is_remembered() {
    use super::desk::Desk;

    let mut desk = Desk::new("hhb").pawn(4).hand(0, "L01 L07").hand(1, "L02 L08").luck_deck("");
    let seen = ["L01", "L07", "L02", "L08"].map(|card| desk.luck(card));
    let all = (0..51).map(super::super::components::LuckCard);
    desk.state.luck.discards = all.filter(|card| !seen.contains(card)).collect();
    desk.play("rondel 1 income; income");
    let view = desk.state.view(Viewer::Seat(seat(0)));
    assert_eq!(view.luck_held.iter().map(Id::as_str).collect::<Vec<_>>(), ["L01", "L02", "L07", "L08"]);
    let mat = view.players[1].mat.as_ref().unwrap();
    assert_eq!((mat.hand_count, mat.held_count, &mat.hand), (2, 2, &None));
    for number in 0..8 {
        let imagined = Henge::default().imagine(&view, Viewer::Seat(seat(0)), &mut dice(number));
        assert_eq!(imagined.person(seat(1)).hand, desk.state.person(seat(1)).hand);
    }
    // A card that is played is no longer held.
    desk.play("luck L07");
    assert_eq!(desk.state.view(Viewer::Spectator).luck_held.len(), 3);
}

/// Own drops that came back into the deck are not among what others have held ever since.
#[test]
fn own_drops_are_remembered_when_they_return_to_the_deck() {
    use super::desk::Desk;

    let mut desk = Desk::new("hhb").end_of_game_cards(1, "E05");
    let returned = ["E01", "E02"].map(|card| desk.bonus(card).index());
    desk.person(0).returned = returned.into_iter().collect();
    let view = desk.state.view(Viewer::Seat(seat(0)));
    let others_view = desk.state.view(Viewer::Seat(seat(1)));
    assert_eq!(others_view.players[0].mat.as_ref().unwrap().returned, None);
    let dealt = |view: &HengeView| {
        let mut dice = dice(5);
        let mut dealt =
            || Henge::default().imagine(view, Viewer::Seat(seat(0)), &mut dice).person(seat(1)).end_of_game_cards;
        (0..200).flat_map(|_| dealt().iter().collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    assert!(dealt(&view).iter().all(|card| !returned.contains(card)));
    // A card drawn since may be one of them.
    desk.person(1).end_of_game_drawn = 1;
    assert!(dealt(&desk.state.view(Viewer::Seat(seat(0)))).iter().any(|card| returned.contains(card)));
}
