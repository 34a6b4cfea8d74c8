//! Players to be beaten, written without any evaluator.

use sarsen::games::contiguity::{Colour, Contiguity, Move, State};
use sarsen::rules::{Dice, DiceSeed, Rules, Seat, Secrets, SilentWalk, Status, Viewer};

use super::arena::Player;

/// Contiguity by connection distance: wins where it can, lets no win in one stand if that can be helped, and else makes
/// the move after which its pieces lie nearest together and the other's farthest apart; equals by lot.
pub fn distance() -> Player<Contiguity> {
    Player::new(|game: &Contiguity, state, seat, seed| {
        let mut dice = Dice::new(DiceSeed(seed));
        let mut moves = game.legal_moves(state, seat).moves;
        dice.shuffle(&mut moves);
        let after = |mv: &Move| {
            let mut walk = SilentWalk::new(game, state.clone());
            walk.play(seat, *mv, &mut Dice::new(DiceSeed([0; 32]))).unwrap();
            walk.state().clone()
        };
        let own =
            if game.view(state, Viewer::Spectator).white_seat == Some(seat) { Colour::White } else { Colour::Red };
        let mut rated: Vec<(i32, Move)> = moves.into_iter().map(|mv| (rating(&after(&mv), own), mv)).collect();
        rated.sort_by_key(|(rating, _)| std::cmp::Reverse(*rating));
        let safe = rated.iter().find(|(rating, mv)| *rating >= WIN || !lets_a_win_stand(game, &after(mv)));
        safe.unwrap_or(&rated[0]).1
    })
}

const WIN: i32 = 1000;

fn rating(state: &State, own: Colour) -> i32 {
    if state.position.groups(own) == 1 {
        return WIN;
    }
    2 * apart(state, own.other()) - 3 * apart(state, own)
}

/// The length of the shortest tree that joins the pieces of a colour, counted in spaces between them.
fn apart(state: &State, colour: Colour) -> i32 {
    let mut left: Vec<(i32, i32)> =
        state.position.pieces(colour).map(|space| (space.column().into(), space.row().into())).collect();
    let mut joined: Vec<(i32, i32)> = left.pop().into_iter().collect();
    let mut length = 0;
    while !left.is_empty() {
        let gap = |one: (i32, i32), other: (i32, i32)| {
            let columns = (one.0 - other.0).abs();
            columns.min(30 - columns) + (one.1 - other.1).abs() - 1
        };
        let nearest = |piece: (i32, i32)| joined.iter().map(|other| gap(piece, *other)).min().unwrap();
        let next = (0..left.len()).min_by_key(|index| nearest(left[*index])).unwrap();
        length += nearest(left[next]);
        joined.push(left.swap_remove(next));
    }
    length
}

fn lets_a_win_stand(game: &Contiguity, state: &State) -> bool {
    let Status::ToAct(acting) = game.status(state) else { return false };
    let seat: Seat = acting.first().unwrap();
    let white = game.view(state, Viewer::Spectator).white_seat == Some(seat);
    let other = if white { Colour::White } else { Colour::Red };
    game.legal_moves(state, seat).moves.iter().any(|mv| {
        let Move::Move(mv) = mv else { return false };
        let mut position = state.position;
        position.shift(other, mv.from, mv.to);
        position.groups(other) == 1
    })
}
