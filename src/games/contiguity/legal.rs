//! Legal moves, and refusals of the others.

use super::lines::{self, Jump, Reach};
use super::moves::{Bid, BidTurns, ChooseOrder, Move, MovePiece, TurnOrder};
use super::position::{Colour, PIECES, Position};
use super::state::{Stage, State};
use crate::common::Pass;
use sarsen_rules::{Refusal, Seat};

/// More than any side can have: six pieces with 29 spaces in their row and 3 in their column.
pub(crate) const MOST_MOVES: usize = PIECES * 32;

/// The buffer in which a list is written before it is copied as a whole.
const PLACES: [Move; MOST_MOVES] = [Move::Pass(Pass {}); MOST_MOVES];

/// The moves of `seat`'s open decision.
pub(crate) fn moves_into(state: &State, seat: Seat, into: &mut Vec<Move>) {
    into.clear();
    match state.stage {
        _ if state.actor() != Some(seat) => {}
        Stage::Bidding => into.extend(bids(state)),
        Stage::Choosing => {
            into.extend([TurnOrder::First, TurnOrder::Second].map(|order| Move::Choose(ChooseOrder { order })));
        }
        Stage::Playing { .. } => piece_moves_into(&state.position, state.to_move(), state.options.jump, into),
        Stage::Over { .. } => {}
    }
}

/// Returns whether `seat` may make the move, and if not, which rule decides.
pub(crate) fn check(state: &State, seat: Seat, mv: &Move) -> Result<(), Refusal> {
    if state.actor() != Some(seat) {
        return Err(not_your_turn(state.stage));
    }
    match (state.stage, mv) {
        (Stage::Playing { .. }, Move::Move(mv)) => check_piece_move(state, *mv),
        (Stage::Bidding, Move::Bid(bid)) => check_bid(state, *bid),
        (Stage::Bidding, Move::Pass(Pass {})) if state.bids.is_empty() => {
            Err(Refusal::new("opening_pass", "CO-18", Some("type"), "the opening bidder cannot pass"))
        }
        (Stage::Bidding, Move::Pass(Pass {})) | (Stage::Choosing, Move::Choose(_)) => Ok(()),
        (Stage::Bidding, _) => Err(Refusal::new("bidding_open", "CO-18", Some("type"), "a bid or a pass is due")),
        (Stage::Choosing, _) => {
            Err(Refusal::new("order_open", "CO-18", Some("type"), "the lowest bidder has to choose the order first"))
        }
        (_, Move::Pass(Pass {})) => Err(Refusal::new("no_passing", "CO-12", Some("type"), "a turn cannot be passed")),
        _ => Err(Refusal::new("no_bidding", "CO-18", Some("type"), "the bidding is over: move a piece")),
    }
}

/// From the highest bid down, then the pass.
fn bids(state: &State) -> impl Iterator<Item = Move> {
    let highest = state.highest_bid().map_or(0, BidTurns::get);
    let bids = (1..=highest).rev().filter_map(BidTurns::new).map(|turns| Move::Bid(Bid { turns }));
    let pass = (!state.bids.is_empty()).then_some(Move::Pass(Pass {}));
    bids.chain(pass)
}

/// By starting space, then by target, both in board order.
pub(crate) fn piece_moves(position: &Position, colour: Colour, jump: Jump) -> Vec<Move> {
    let mut moves = Vec::new();
    piece_moves_into(position, colour, jump, &mut moves);
    moves
}

/// The same behind what is in `moves`.
fn piece_moves_into(position: &Position, colour: Colour, jump: Jump, moves: &mut Vec<Move>) {
    let occupied = position.rows();
    let (mut places, mut written) = (PLACES, 0);
    for from in position.pieces(colour) {
        let left = places.get_mut(written..).unwrap_or_default();
        written += Reach::new(&occupied, from, jump).write(left, |to| Move::Move(MovePiece { from, to }));
    }
    moves.extend_from_slice(places.get(..written).unwrap_or_default());
}

/// The rule that decides whose turn it is, by the stage.
fn not_your_turn(stage: Stage) -> Refusal {
    let rule = match stage {
        Stage::Bidding | Stage::Choosing => "CO-18",
        Stage::Playing { .. } => "3.1",
        Stage::Over { .. } => "4",
    };
    Refusal::new("not_your_turn", rule, None, "this seat has nothing to decide now")
}

fn check_bid(state: &State, bid: Bid) -> Result<(), Refusal> {
    if state.highest_bid().is_some_and(|highest| bid.turns <= highest) {
        return Ok(());
    }
    Err(if state.bids.is_empty() {
        Refusal::new("bid_too_high", "CO-18", Some("turns"), "the opening bid is at most half the turn limit")
    } else {
        Refusal::new("bid_not_lower", "CO-21", Some("turns"), "a bid must be lower than the last one")
    })
}

fn check_piece_move(state: &State, MovePiece { from, to }: MovePiece) -> Result<(), Refusal> {
    let (position, jump) = (&state.position, state.options.jump);
    if position.has(state.to_move(), from) && Reach::new(&position.rows(), from, jump).contains(to) {
        return Ok(());
    }
    Err(refuse_piece_move(position, state.to_move(), MovePiece { from, to }, jump))
}

/// The refusal of an illegal move.
fn refuse_piece_move(position: &Position, colour: Colour, mv: MovePiece, jump: Jump) -> Refusal {
    let MovePiece { from, to } = mv;
    if position.is_empty(from) {
        return Refusal::new("empty_space", "CO-05", Some("from"), format!("no piece stands on {from}"));
    }
    if !position.has(colour, from) {
        return Refusal::new("not_your_piece", "CO-05", Some("from"), format!("the piece on {from} is the opponent's"));
    }
    if from == to {
        return Refusal::new("same_space", "CO-06", Some("to"), "a piece cannot end where it started");
    }
    if !position.is_empty(to) {
        return Refusal::new("occupied", "CO-05", Some("to"), format!("a piece stands on {to}"));
    }
    match (lines::in_the_way(position, from, to), jump) {
        (None, _) => Refusal::new(
            "not_in_line",
            "CO-05",
            Some("to"),
            format!("{to} is in neither the row nor the number of {from}"),
        ),
        (Some(1), Jump::Short) => Refusal::new(
            "blocked",
            "CO-07",
            Some("to"),
            "a short jump goes over an adjacent piece to the space right behind it",
        ),
        _ => {
            Refusal::new("blocked", "CO-08", Some("to"), format!("more than one piece stands between {from} and {to}"))
        }
    }
}
