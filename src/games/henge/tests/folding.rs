//! A client that sees only the first view and the events can rebuild every later view.

use super::super::view::HengeView;
use super::*;
use crate::rules::{Status, Viewer, play, settle};

#[path = "../../../../tests/support/follow/henge.rs"]
mod client;
use client::follow;

#[test]
fn every_view_follows_from_the_first_and_the_events() {
    for (number, table) in ["hbb", "hbh", "hhh", "hhbb", "hhhh", "hhhhh"].into_iter().enumerate() {
        let (mut dice, mut choice) = (dice(40 + number as u8), super::dice(60 + number as u8));
        let (mut state, mut events) = Henge::setup(&options(table), people(table), &mut dice);
        settle::<Henge>(&mut state, &mut dice, &mut events);
        let viewers: Vec<Viewer> = state.count().seats().map(Viewer::Seat).chain([Viewer::Spectator]).collect();
        let mut seen: Vec<HengeView> = viewers.iter().map(|viewer| state.view(*viewer)).collect();
        while let Status::ToAct(seats) = state.status() {
            let acting: Vec<Seat> = seats.iter().collect();
            let actor = acting[choice.index(acting.len()).unwrap()];
            let moves = state.legal(actor);
            let mv = moves[choice.index(moves.len()).unwrap()];
            let played = play::<Henge>(&mut state, actor, mv, &mut dice).unwrap();
            for (viewer, view) in viewers.iter().zip(&mut seen) {
                for event in &played.events {
                    follow(view, &Henge::redact(event, *viewer).unwrap(), *viewer);
                }
                assert_eq!(view, &state.view(*viewer), "{table} {viewer:?} after {mv:?}: {:?}", played.events);
            }
        }
        assert!(seen.iter().all(|view| view.scores.is_some()), "{table} does not end");
    }
}
