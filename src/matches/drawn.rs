//! The picture of a match, as one reader may see it.
//!
//! Invariant: it tells nothing that the reader's view of the match does not.

use crate::table::live_match::LiveMatch;
use crate::viewed::ViewedMatch;
use sarsen_games::pictures::{Ask, PictureText, Svg};
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
        let name = |player| Some(self.shown(player).name.to_owned());
        let names = self.live.stored.seats.iter().map(|seat| seat.player.as_ref().and_then(name)).collect();
        self.draw_under(names, ask, legal, last_move)
    }

    /// The match in words, in which players are called by their seats. `None` before the start.
    ///
    /// # Errors
    /// A state that does not read.
    pub fn words(&self) -> Result<Option<PictureText>, NotDrawn> {
        let begun = self.live.state().is_some();
        let draw = || self.draw_under(Vec::new(), Ask::default(), false, false).map(Svg::into_picture_text);
        begun.then(draw).transpose()
    }

    /// The position as lines of text, where the game has such a drawing and the match has begun.
    pub fn draw_plain(&self) -> Option<String> {
        self.live.state()?.draw_plain(self.live.effective_viewer(self.viewer))
    }

    /// Draws the match with these names of the players by seat.
    fn draw_under(&self, names: Vec<Option<String>>, ask: Ask, legal: bool, last_move: bool) -> Result<Svg, NotDrawn> {
        let seat = ask.seat.or(self.seat());
        let ask = Ask { names, seat, outcome: self.live.stored.outcome.clone(), ..ask };
        let legal_of = self.seat().filter(|seat| legal && self.live.asks_player(*seat).is_some());
        match self.live.state() {
            Some(state) => {
                let shown = if last_move { self.last_move()? } else { None };
                let made = shown.as_ref().and_then(|shown| Some((shown.seat, shown.mv.as_ref()?)));
                let last_move = made.map(|(seat, mv)| MoveMade { seat, json: &mv.json, notation: &mv.notation });
                let (viewer, ended_early) = (self.live.effective_viewer(self.viewer), self.live.has_ended_early());
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
