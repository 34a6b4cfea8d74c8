//! Matches that players leave: from a random turn on only `Rules::absent_move` is played for some or all seats, as the
//! service does. The match ends all the same.

use super::plan::{Plan, seeds};
use crate::{Dice, Game, Seat, Seats, Status, play, settle};

/// Plays one such match to its end.
pub(super) fn one_match<G: Game>(plan: &Plan<G>, number: u32) {
    let game = &*plan.game;
    let (options, count) = plan.table(number);
    let (seed, mut choice) = seeds(number);
    let mut dice = Dice::new(seed);
    let (mut state, mut events) = game.setup(options, count, &mut dice);
    settle(game, &mut state, &mut dice, &mut events);

    // Mostly early, for nobody knows how long this match would be; at least one seat leaves.
    let most = 1 << choice.below(8);
    let left_at = choice.below(most) as usize;
    let first_to_leave = choice.below(u32::from(count.get()));
    let leaving: Seats =
        count.seats().filter(|seat| u32::from(seat.number()) == first_to_leave || choice.below(2) == 0).collect();

    for length in 0.. {
        let Status::ToAct(acting) = game.status(&state) else { break };
        assert!(length <= plan.longest, "match {number} does not end once {leaving:?} have left after {left_at} moves");
        let absent = acting.iter().find(|seat| length >= left_at && leaving.contains(*seat));
        let (seat, mv) = match absent {
            Some(seat) => (seat, absent_move(game, &state, seat, &mut dice)),
            None => {
                let seats: Vec<Seat> = acting.iter().collect();
                let seat = seats[choice.index(seats.len()).unwrap()];
                let mut moves = game.legal_moves(&state, seat).moves;
                (seat, moves.swap_remove(choice.index(moves.len()).unwrap()))
            }
        };
        play(game, &mut state, seat, mv, &mut dice).unwrap();
    }
    assert!(matches!(game.status(&state), Status::Over(_)));
}

/// The move made for a seat that is to act: it answers the open decision.
pub(super) fn absent_move<G: Game>(game: &G, state: &G::State, seat: Seat, dice: &mut Dice) -> G::Move {
    let mv = game.absent_move(state, seat, dice).unwrap_or_else(|| panic!("no move is made for absent seat {seat}"));
    assert!(game.needs_turn(&mv), "{mv:?} is made for absent seat {seat}, but closes no decision");
    assert_eq!(game.check(state, seat, &mv), Ok(()));
    mv
}
