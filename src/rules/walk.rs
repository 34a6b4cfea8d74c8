//! A walk through a game without events: for searches, which visit millions of states.
//!
//! Invariant: the list that [`SilentWalk::list`] makes is that of the present state, since every change of the state
//! empties it; so [`SilentWalk::take`] needs no check, and makes none.

use super::audience::Nobody;
use super::dice::Dice;
use super::game::{Game, Status};
use super::legal::Legal;
use super::refusal::Refusal;
use super::seat::{Seat, Seats};

/// A state that is played on, with room for lists of moves.
pub struct SilentWalk<'g, G: Game> {
    game: &'g G,
    state: G::State,
    listed: Vec<G::Move>,
    lister: Option<Seat>,
}

impl<'g, G: Game> SilentWalk<'g, G> {
    /// A walk from `state` on.
    pub fn new(game: &'g G, state: G::State) -> SilentWalk<'g, G> {
        SilentWalk { game, state, listed: Vec::new(), lister: None }
    }

    /// Returns the present state.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The seats that have a decision; `None` once the match is over.
    pub fn to_act(&self) -> Option<Seats> {
        match self.game.status(&self.state) {
            Status::ToAct(seats) => Some(seats),
            Status::Chance => Some(Seats::EMPTY),
            Status::Over(_) => None,
        }
    }

    /// The legal moves of `seat`, as the game lists them.
    pub fn list(&mut self, seat: Seat) -> &[G::Move] {
        self.game.legal_moves_into(&self.state, seat, &mut self.listed);
        self.lister = Some(seat);
        &self.listed
    }

    /// Makes move `index` of the last list and carries out the chance steps that follow; false, with nothing done, if
    /// there is no such move.
    pub fn take(&mut self, index: usize, dice: &mut Dice) -> bool {
        let Some(seat) = self.lister.take() else { return false };
        if index >= self.listed.len() {
            return false;
        }
        let mv = self.listed.swap_remove(index);
        self.make(seat, mv, dice);
        true
    }

    /// Makes `mv` if it is legal, and carries out the chance steps that follow.
    ///
    /// # Errors
    /// The rules' refusal; the state is then unchanged.
    pub fn play(&mut self, seat: Seat, mv: G::Move, dice: &mut Dice) -> Result<(), Refusal> {
        self.game.check(&self.state, seat, &mv)?;
        self.lister = None;
        self.make(seat, mv, dice);
        Ok(())
    }

    fn make(&mut self, seat: Seat, mv: G::Move, dice: &mut Dice) {
        self.game.apply(&mut self.state, &Legal::accepted(seat, mv), &mut Nobody);
        while matches!(self.game.status(&self.state), Status::Chance) {
            self.game.resolve(&mut self.state, dice, &mut Nobody);
        }
    }
}
