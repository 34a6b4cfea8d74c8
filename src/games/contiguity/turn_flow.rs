//! The turn flow of a match: the set-up, and what each accepted move brings about, told by events.

use super::events::{
    BidMade, BiddingPassed, ColoursDrawn, DisksSetUp, Event, OpeningBidderDrawn, OrderChosen, PieceMoved,
};
use super::lines::{self, Direction, Kind};
use super::moves::{Bid, ChooseOrder, Move, MovePiece, TurnOrder};
use super::options::Options;
use super::position::Colour;
use super::state::{BOTH, Stage, State, TWO, opponent};
use super::{Contiguity, legal, trail};
use crate::common::Pass;
use sarsen_rules::{Audience, Dice, Legal, MalformedOptions, Refusal, Rules, Seat, SeatCount, Status, read_options};
use serde_json::value::RawValue;

/// The pieces in their places, and either who plays white or who bids first.
pub(crate) fn set_up(options: Options, dice: &mut Dice) -> (State, Vec<Event>) {
    let first = BOTH[usize::from(dice.below(2) == 1)];
    let state = State::new(options, first);
    let set_up = Event::DisksSetUp(DisksSetUp {
        white: state.position.pieces(Colour::White).collect(),
        red: state.position.pieces(Colour::Red).collect(),
    });
    let drawn = if options.bidding {
        Event::OpeningBidderDrawn(OpeningBidderDrawn { seat: first })
    } else {
        Event::ColoursDrawn(ColoursDrawn { white: first, red: opponent(first) })
    };
    (state, vec![set_up, drawn])
}

/// Moves the piece and sees whether the match is over; answers how often the position has stood.
fn shift_piece(state: &mut State, seat: Seat, MovePiece { from, to }: MovePiece) -> Option<u8> {
    let colour = state.to_move();
    state.trail.push(&state.position, trail::Step { from, to });
    state.position.shift(colour, from, to);
    let (connected, occurrences) = (state.position.is_connected(colour), state.occurrences());
    if let (Some(ending), Some(white)) = (state.ending(seat, connected, occurrences), state.white()) {
        state.stage = Stage::Over { white, ending };
    }
    occurrences
}

fn move_piece(state: &mut State, seat: Seat, mv: MovePiece) -> PieceMoved {
    let MovePiece { from, to } = mv;
    let colour = state.to_move();
    let route = lines::route(&state.position, from, to, state.options.jump);
    let occurrences = shift_piece(state, seat, mv);
    PieceMoved {
        seat,
        colour,
        from,
        to,
        kind: route.map_or(Kind::Slide, |route| route.kind),
        direction: route.map_or(Direction::Clockwise, |route| route.direction),
        jumped: route.and_then(|route| route.jumped),
        turn: state.turns(),
        groups: state.position.groups(colour),
        occurrences,
    }
}

impl Rules for Contiguity {
    type Options = Options;
    type Move = Move;
    type Event = Event;
    type State = State;

    fn options(&self, json: &serde_json::Value) -> Result<Options, MalformedOptions> {
        read_options(json)
    }

    fn check_options(&self, options: &Options, _seats: SeatCount) -> Result<(), Refusal> {
        options.check()
    }

    fn setup(&self, options: &Options, _seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
        set_up(*options, dice)
    }

    fn load(&self, state: &RawValue) -> Result<State, serde_json::Error> {
        serde_json::from_str(state.get())
    }

    fn has_options(&self, state: &State, options: &Options) -> bool {
        state.options == *options
    }

    fn seat_count(&self, _state: &State) -> SeatCount {
        TWO
    }

    fn status(&self, state: &State) -> Status {
        state.status()
    }

    fn check(&self, state: &State, seat: Seat, mv: &Move) -> Result<(), Refusal> {
        legal::check(state, seat, mv)
    }

    fn apply(&self, state: &mut State, mv: &Legal<Move>, events: &mut impl Audience<Event>) {
        let seat = mv.seat();
        match *mv.mv() {
            Move::Move(mv) if events.listens() => {
                let moved = move_piece(state, seat, mv);
                events.tell(|| Event::PieceMoved(moved));
            }
            Move::Move(mv) => drop(shift_piece(state, seat, mv)),
            Move::Bid(Bid { turns }) => {
                state.bids.push(turns);
                if state.highest_bid().is_none() {
                    state.stage = Stage::Choosing;
                }
                events.tell(|| Event::BidMade(BidMade { seat, turns }));
            }
            Move::Pass(Pass {}) => {
                state.stage = Stage::Choosing;
                events.tell(|| Event::BiddingPassed(BiddingPassed { seat }));
            }
            Move::Choose(ChooseOrder { order }) => {
                let white = if order == TurnOrder::First { seat } else { opponent(seat) };
                state.stage = Stage::Playing { white };
                events.tell(|| Event::OrderChosen(OrderChosen { seat, order, white, red: opponent(white) }));
            }
        }
    }

    fn resolve(&self, _state: &mut State, _dice: &mut Dice, _events: &mut impl Audience<Event>) {}

    fn legal_moves_into(&self, state: &State, seat: Seat, moves: &mut Vec<Move>) -> bool {
        legal::moves_into(state, seat, moves);
        true
    }
}
