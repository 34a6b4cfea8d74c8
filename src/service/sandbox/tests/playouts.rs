//! Playouts, in every game: they end as matches do, are paid for move by move, and follow from their seed.

use std::convert::Infallible;

use super::*;
use crate::sandbox::playout::{NotPlayedOut, PlayedOut, PlayoutMeans, PlayoutOrder};
use sarsen_games::bots::{Bots, Level};

fn order(positions: Vec<String>, count: usize) -> PlayoutOrder {
    PlayoutOrder { positions, count, moves: LONGEST, level: None, seed: Some(DiceSeed([3; 32])) }
}

/// The ends of the playouts, and the number of steps that were paid for.
fn ends(sandbox: &Sandbox, order: &PlayoutOrder) -> (Vec<Result<PlayedOut, NotPlayedOut>>, u32) {
    let (mut ends, mut paid) = (Vec::new(), 0);
    let mut pay = |steps| {
        paid += steps;
        Ok::<(), Infallible>(())
    };
    let mut means = PlayoutMeans { pay: &mut pay, is_over: &|| false };
    let taken = sandbox.play_out(order, &mut means, &mut |end| {
        ends.push(end);
        Ok(())
    });
    taken.unwrap();
    (ends, paid)
}

fn states(ends: &[Result<PlayedOut, NotPlayedOut>]) -> Vec<String> {
    ends.iter().map(|end| end.as_ref().unwrap().position.state.store().unwrap().get().to_owned()).collect()
}

#[test]
fn each_game_is_played_to_its_end_by_lot_and_paid_for_by_the_move() {
    let sandbox = sandbox(1);
    for game in games().ids() {
        let start = sandbox.seal(&first(&sandbox, game, None, DiceSeed([1; 32])).position).unwrap();
        let (played, paid) = ends(&sandbox, &order(vec![start.clone()], 2));
        assert_eq!(played.len(), 2, "{game}");
        for end in &played {
            let end = end.as_ref().unwrap();
            assert!(matches!(end.position.state.status(), Status::Over(_)) && end.moves > 0, "{game}");
        }
        let moves: usize = played.iter().map(|end| end.as_ref().unwrap().moves).sum();
        assert_eq!(moves, paid as usize, "{game}");
        let found = states(&played);
        assert_ne!(found[0], found[1], "{game}: each has a seed of its own");
        assert_eq!(found, states(&ends(&sandbox, &order(vec![start.clone()], 2)).0), "{game}");
        // The end is where nothing more is played.
        let over = sandbox.seal(&played[0].as_ref().unwrap().position).unwrap();
        let (again, paid) = ends(&sandbox, &order(vec![over], 1));
        assert_eq!((again[0].as_ref().unwrap().moves, paid), (0, 0), "{game}");
        let (short, paid) = ends(&sandbox, &PlayoutOrder { moves: 1, ..order(vec![start], 1) });
        assert_eq!((short[0].as_ref().unwrap().moves, paid), (1, 1), "{game}");
    }
}

#[test]
fn bots_play_on_and_a_search_costs_more_than_a_step() {
    let sandbox = sandbox(1).with_bots(Bots::standard(GameSettings::default()));
    let start = sandbox.seal(&first(&sandbox, "contiguity", None, DiceSeed([1; 32])).position).unwrap();
    let by = |level, moves| PlayoutOrder { moves, level: Some(level), ..order(vec![start.clone()], 1) };
    let (easy, paid) = ends(&sandbox, &by(Level::Easy, 3));
    assert_eq!((easy[0].as_ref().unwrap().moves, paid), (3, 3));
    let (medium, paid) = ends(&sandbox, &by(Level::Medium, 1));
    assert!(medium[0].as_ref().unwrap().moves == 1 && paid > 50, "{paid}");
    let refused = ends(&sandbox, &order(vec!["sp1.nonsense".to_owned(), start.clone()], 2)).0;
    assert!(matches!(refused[..], [Err(NotPlayedOut::PositionInvalid), Ok(_), Ok(_)]));
    let botless = super::sandbox(1);
    let nobody = ends(&botless, &by(Level::Easy, 1)).0;
    assert!(matches!(nobody[..], [Err(NotPlayedOut::NoBots)]));
}

#[test]
fn what_cannot_be_paid_for_is_not_played() {
    let sandbox = sandbox(1);
    let start = sandbox.seal(&first(&sandbox, "contiguity", None, DiceSeed([1; 32])).position).unwrap();
    let mut left = 5;
    let mut pay = |steps| {
        left = i32::checked_sub(left, steps as i32).filter(|left| *left >= 0).ok_or("no more")?;
        Ok(())
    };
    let mut means = PlayoutMeans { pay: &mut pay, is_over: &|| false };
    assert_eq!(sandbox.play_out(&order(vec![start], 1), &mut means, &mut |_| Ok(())), Err("no more"));
}
