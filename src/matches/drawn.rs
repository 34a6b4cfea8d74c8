//! The picture of a match, as one reader may see it.
//!
//! Invariant: it tells nothing that the reader's view of the match does not.

use crate::table::live_match::LiveMatch;
use crate::viewed::ViewedMatch;
use sarsen_games::pictures::{Ask, Svg};
use sarsen_games::{Corrupt, MoveMade, NotDrawn, Sitting};
use sarsen_rules::Board;

impl ViewedMatch {
    /// Draws the match: names and result are filled in here, the marks of the reader's own legal moves if `legal`,
    /// and those of the last move, as far as the reader may know it, if `last_move`. A
    /// match that has not started is drawn as the board that it will be played on.
    ///
    /// # Errors
    /// [`NotDrawn::NoSuchSpace`] for one to point out that the board has not; what is stored and does not read.
    pub fn draw(&self, ask: Ask, legal: bool, last_move: bool) -> Result<Svg, NotDrawn> {
        let stored = &self.live.stored;
        let name = |player| Some(self.shown(player).name.to_owned());
        let names = stored.seats.iter().map(|seat| seat.player.as_ref().and_then(name)).collect();
        let seat = ask.seat.or(self.seat());
        let ask = Ask { names, seat, outcome: stored.outcome.clone(), ..ask };
        let legal_of = self.seat().filter(|seat| legal && self.live.asks_player(*seat).is_some());
        match self.live.state() {
            Some(state) => {
                let shown = if last_move { self.last_move()? } else { None };
                let made = shown.as_ref().and_then(|shown| Some((shown.seat, shown.mv.as_ref()?)));
                let last_move = made.map(|(seat, mv)| MoveMade { seat, json: &mv.json, notation: &mv.notation });
                let (viewer, ended_early) = (self.live.sight_of(self.viewer), self.live.has_ended_early());
                let sitting = Sitting { viewer, legal_of, last_move, ended_early };
                state.draw(&sitting, ask)
            }
            None => self.live.game.draw_empty(&self.live.board()?, &ask),
        }
    }
}

impl LiveMatch {
    /// The board that the match will be played on.
    fn board(&self) -> Result<Board, Corrupt> {
        self.game.board_for(&self.stored.terms.options, self.seat_count())
    }
}
