//! Pictures of games of whichever kind.
//!
//! Invariant: a picture is drawn from the caller's view and the caller's own legal moves alone.

use serde_json::value::RawValue;

use super::json::{Corrupt, corrupt};
use crate::pictures::{Ask, MarkedMove, Picture, Svg, Touched};
use sarsen_rules::{Board, Seat, Viewer};

/// A move as a picture is to show it: who made it, as JSON, and in notation. The viewer may know all of it.
#[derive(Clone, Copy, Debug)]
pub struct MoveMade<'a> {
    /// The seat that made it.
    pub seat: Seat,
    /// The move, tagged by `type`.
    pub json: &'a RawValue,
    /// The same in notation.
    pub notation: &'a str,
}

/// The material of a picture besides the state.
pub struct Sitting<'a> {
    /// The viewer.
    pub viewer: Viewer,
    /// The seat whose legal moves are marked; only ever that of the one who looks.
    pub legal_of: Option<Seat>,
    /// The last move, if it is marked.
    pub last_move: Option<MoveMade<'a>>,
    /// True if the match was given up or called off, so that nothing is due any more.
    pub ended_early: bool,
}

/// The reason why nothing was drawn.
#[derive(Debug, thiserror::Error)]
pub enum NotDrawn {
    /// The board has no space of this id, which this parameter names.
    #[error("{0}: the board has no space {1:?}")]
    NoSuchSpace(&'static str, String),
    /// The last move does not read.
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
}

/// Refuses to point out what is not there.
fn check(board: &Board, ask: &Ask) -> Result<(), NotDrawn> {
    let named = ask.highlight.iter().map(|id| ("highlight", id)).chain(ask.from.iter().map(|id| ("from", id)));
    let mut missing = named.filter(|(_, id)| !board.places.iter().any(|place| place.id == **id));
    missing.next().map_or(Ok(()), |(field, id)| Err(NotDrawn::NoSuchSpace(field, id.clone())))
}

/// The empty board of an edition.
pub(super) fn draw_empty<G: Picture>(game: &G, board: &Board, ask: &Ask) -> Result<Svg, NotDrawn> {
    check(board, ask)?;
    Ok(game.draw_empty(board, ask))
}

/// The picture of `state` as the one who looks may know it.
pub(super) fn drawn<G: Picture>(
    game: &G,
    state: &G::State,
    sitting: &Sitting<'_>,
    mut ask: Ask,
) -> Result<Svg, NotDrawn> {
    let view = game.view(state, sitting.viewer);
    let view = if sitting.ended_early { game.ended(view) } else { view };
    let board = game.board_of(&view);
    check(&board, &ask)?;
    if let Some(seat) = sitting.legal_of {
        let moves = game.legal_moves(state, seat).moves;
        ask.legal = match ask.from.as_ref().map(Touched::space) {
            None => moves.iter().flat_map(|mv| game.touched_first(&view, mv)).collect(),
            Some(from) => {
                let begun = moves.iter().filter(|mv| game.touched_first(&view, mv).contains(&from));
                begun.flat_map(|mv| game.touched(&view, mv)).filter(|touched| *touched != from).collect()
            }
        };
    }
    if let Some(made) = &sitting.last_move {
        let mv: G::Move = serde_json::from_str(made.json.get()).map_err(corrupt::<G, _>("move"))?;
        let touched: Vec<Touched> = game.touched_last(&view, &mv);
        ask.last_move = Some(MarkedMove { seat: made.seat, notation: made.notation.to_owned(), touched });
    }
    Ok(game.draw(&view, &board, &ask))
}
