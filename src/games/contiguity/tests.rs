//! The rulings as tests: a test whose name begins with `co_07` shows the position of CO-07.

use super::*;
use crate::rules::{DiceSeed, play};

fn dice(seed: u8) -> Dice {
    Dice::new(DiceSeed([seed; 32]))
}

#[test]
fn a_random_match_is_played_to_its_end() {
    let mut dice = dice(1);
    let (mut state, _) = Contiguity::setup(&Options::default(), state::TWO, &mut dice);
    assert_eq!(Contiguity::legal_moves(&state, state.actor().unwrap()).moves.len(), 164);
    while let Some(seat) = state.actor() {
        let moves = Contiguity::legal_moves(&state, seat).moves;
        let mv = moves[dice.index(moves.len()).unwrap()];
        play::<Contiguity>(&mut state, seat, mv, &mut dice).unwrap();
    }
    assert!(matches!(state.status(), Status::Over(_)));
}
