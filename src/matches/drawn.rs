//! The picture of a match, as one reader may see it.
//!
//! Invariant: it tells nothing that the reader's view of the match does not.

use super::viewed::ViewedMatch;
use crate::games::{Corrupt, MoveMade, NotDrawn, Sitting};
use crate::pictures::{Ask, Svg};
use crate::rules::Board;

impl ViewedMatch {
    /// Draws the match: names and result are filled in here, the marks of the reader's own legal moves if `legal`,
    /// and those of the last move, as far as the reader may know it, if `last_move`. A
    /// match that has not started is drawn as the board that it will be played on.
    ///
    /// # Errors
    /// [`NotDrawn::NoSuchSpace`] for one to point out that the board has not; what is stored and does not read.
    pub fn draw(&self, ask: Ask, legal: bool, last_move: bool) -> Result<Svg, NotDrawn> {
        let stored = &self.live.stored;
        let name = |player| Some(self.shown(player).name.clone());
        let names = stored.seats.iter().map(|seat| seat.player.as_ref().and_then(name)).collect();
        let seat = ask.seat.or(self.seat());
        let ask = Ask { names, seat, outcome: stored.outcome.clone(), ..ask };
        let legal_of = self.seat().filter(|seat| legal && self.live.decision(*seat).is_some());
        match self.live.state() {
            Some(state) => {
                let shown = if last_move { self.last_move()? } else { None };
                let made = shown.as_ref().and_then(|shown| Some((shown.seat, shown.mv.as_ref()?)));
                let last_move = made.map(|(seat, mv)| MoveMade { seat, json: &mv.json, notation: &mv.notation });
                let (viewer, ended_early) = (self.live.sight_of(self.viewer), self.live.has_ended_early());
                let sitting = Sitting { viewer, legal_of, last_move, ended_early };
                state.draw(&sitting, ask)
            }
            None => self.live.game.draw_empty(&self.board()?, &ask),
        }
    }

    /// The board of the edition that the match's options name.
    fn board(&self) -> Result<Board, Corrupt> {
        let game = &self.live.game;
        let edition = game.edition_of(&self.live.stored.terms.options)?;
        let of_edition = |board: &Board| board.edition.as_ref().map(|edition| &edition.digest) == edition.as_ref();
        Ok(game.boards().into_iter().find(of_edition).unwrap_or_else(|| game.board()))
    }
}
