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

#[test]
fn contiguity_keeps_the_laws() {
    let options = |bidding, jump, turn_limit| Options { bidding, jump, turn_limit };
    crate::games::laws::laws::<Contiguity>(&crate::rules::conformance::Plan {
        options: vec![
            options(false, Jump::Flying, 20),
            options(false, Jump::Short, 40),
            options(true, Jump::Flying, 24),
            options(true, Jump::Short, 198),
        ],
        seats: vec![2],
        matches: 2000,
        longest: 300,
        conserved,
        further: |_, _| vec![Move::Pass(Pass {})],
    });
}

/// Six pieces a side on different spaces, whatever happens, and a trail as long as the turns.
fn conserved(state: &State) {
    for colour in [Colour::White, Colour::Red] {
        assert_eq!(state.position.pieces(colour).count(), position::PIECES);
        assert!(state.position.pieces(colour).all(|space| !state.position.has(colour.other(), space)));
    }
    assert!(state.bids.is_sorted_by(|earlier, later| earlier > later));
    assert!(state.turns() <= state.options.turn_limit);
}
