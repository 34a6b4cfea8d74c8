//! The only door through which a move is applied.

use super::dice::Dice;
use super::game::{Game, Status};
use super::legal::Legal;
use super::refusal::Refusal;
use super::seat::Seat;

/// The effects of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct Played<M, E> {
    /// The move as made.
    pub mv: M,
    /// Everything that happened, in order, unredacted.
    pub events: Vec<E>,
    /// True if a chance step was carried out, with the dice or with results that they have settled before.
    pub chance: bool,
}

/// The effects of a rehearsed move up to the first chance step.
#[derive(Clone, PartialEq, Debug)]
pub struct Rehearsed<M, E> {
    /// The move as it would be made.
    pub mv: M,
    /// The events up to the first chance step, unredacted.
    pub events: Vec<E>,
    /// True if a chance step would follow.
    pub chance_pending: bool,
}

/// Checks `mv`, makes it, and carries out the chance steps that follow.
///
/// # Errors
/// The rules' refusal; the state is then unchanged.
pub fn play<G: Game>(
    game: &G,
    state: &mut G::State,
    seat: Seat,
    mv: G::Move,
    dice: &mut Dice,
) -> Result<Played<G::Move, G::Event>, Refusal> {
    game.check(state, seat, &mv)?;
    let legal = Legal::accepted(seat, mv);
    let mut events = Vec::new();
    game.apply(state, &legal, &mut events);
    let chance = matches!(game.status(state), Status::Chance);
    settle(game, state, dice, &mut events);
    Ok(Played { mv: legal.into_move(), events, chance })
}

/// Checks `mv` and makes it, but stops before the first chance step: nothing random or hidden can show.
///
/// # Errors
/// The rules' refusal; the state is then unchanged.
pub fn rehearse<G: Game>(
    game: &G,
    state: &mut G::State,
    seat: Seat,
    mv: G::Move,
) -> Result<Rehearsed<G::Move, G::Event>, Refusal> {
    game.check(state, seat, &mv)?;
    let legal = Legal::accepted(seat, mv);
    let mut events = Vec::new();
    game.apply(state, &legal, &mut events);
    let chance_pending = matches!(game.status(state), Status::Chance);
    Ok(Rehearsed { mv: legal.into_move(), events, chance_pending })
}

/// Carries out every chance step that is due.
pub fn settle<G: Game>(game: &G, state: &mut G::State, dice: &mut Dice, events: &mut Vec<G::Event>) {
    while matches!(game.status(state), Status::Chance) {
        game.resolve(state, dice, events);
    }
}
