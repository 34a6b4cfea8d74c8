//! Contiguity by Rich Hutnik: two players, six pieces each, first to connect them all. Nothing is hidden.
//!
//! Invariant: [`Contiguity`] follows its rules (`rules.md`), which its refusals cite.

mod lines;
mod moves;
mod notation;
mod options;
mod position;
mod state;
#[cfg(test)]
mod tests;
mod trail;
mod view;
mod written;

pub use lines::{Direction, Jump, Kind};
pub use moves::{
    Bid, BidMade, BidTurns, BiddingPassed, ChooseOrder, ColoursDrawn, DisksSetUp, Event, Move, MovePiece,
    OpeningBidderDrawn, OrderChosen, PieceMoved, TurnOrder,
};
pub use options::Options;
pub use position::{Colour, Position};
pub use state::{Ending, State};
pub use view::{ContiguityBid, ContiguityView, Phase};

use serde_json::value::RawValue;
use strum::VariantNames;

use lines::Reach;
use state::{BOTH, Stage, opponent};

use crate::games::common::Pass;
use crate::games::stonehenge::printed_board;
use crate::rules::{
    Board, Chance, Dice, Game, GameInfo, Legal, LegalMoves, MalformedOptions, Mode, Refusal, Seat, SeatCount, Status,
    Viewer, read_options,
};

/// The game.
pub struct Contiguity;

/// More than any side can have: six pieces with 29 spaces in their row and 3 in their column.
const MOST_MOVES: usize = position::PIECES * 32;

impl Game for Contiguity {
    const INFO: GameInfo = GameInfo {
        id: "contiguity",
        title: "Contiguity",
        designer: "Rich Hutnik",
        min_seats: 2,
        max_seats: 2,
        mode: Mode::Competitive,
        hidden_information: false,
        chance: Chance::SetUp,
        draws: true,
        rules_version: 1,
        state_version: 1,
        notation: notation::NOTATION,
        summary: include_str!("summary.md"),
        rules: include_str!("rules.md"),
        endings: <Ending as VariantNames>::VARIANTS,
    };

    type Options = Options;
    type Move = Move;
    type Event = Event;
    type View = ContiguityView;
    type State = State;

    fn options(&self, json: &serde_json::Value) -> Result<Options, MalformedOptions> {
        read_options(json)
    }

    fn check_options(&self, options: &Options, _seats: SeatCount) -> Result<(), Refusal> {
        options.check()
    }

    fn setup(&self, options: &Options, _seats: SeatCount, dice: &mut Dice) -> (State, Vec<Event>) {
        let first = BOTH[usize::from(dice.below(2) == 1)];
        let state = State::new(*options, first);
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

    fn load(&self, state: &RawValue) -> Result<State, serde_json::Error> {
        serde_json::from_str(state.get())
    }

    fn status(&self, state: &State) -> Status {
        state.status()
    }

    fn legal_moves(&self, state: &State, seat: Seat) -> LegalMoves<Move> {
        if state.actor() != Some(seat) {
            return LegalMoves::none();
        }
        LegalMoves::all(match state.stage {
            Stage::Bidding => bids(state),
            Stage::Choosing => {
                [TurnOrder::First, TurnOrder::Second].map(|order| Move::Choose(ChooseOrder { order })).to_vec()
            }
            Stage::Playing { .. } => piece_moves(&state.position, state.to_move(), state.options.jump),
            Stage::Over { .. } => Vec::new(),
        })
    }

    fn check(&self, state: &State, seat: Seat, mv: &Move) -> Result<(), Refusal> {
        if state.actor() != Some(seat) {
            return Err(not_your_turn(state.stage));
        }
        match (state.stage, mv) {
            (Stage::Playing { .. }, Move::Move(mv)) => check_piece_move(state, *mv),
            (Stage::Bidding, Move::Bid(bid)) => check_bid(state, *bid),
            (Stage::Bidding, Move::Pass(Pass {})) if state.bids.is_empty() => {
                Err(Refusal::new("opening_pass", "CO-18", Some("type"), "the opening bid cannot be passed"))
            }
            (Stage::Bidding, Move::Pass(Pass {})) | (Stage::Choosing, Move::Choose(_)) => Ok(()),
            (Stage::Bidding, _) => Err(Refusal::new("bidding_open", "CO-18", Some("type"), "a bid or a pass is due")),
            (Stage::Choosing, _) => {
                Err(Refusal::new("order_open", "CO-18", Some("type"), "the lowest bidder first chooses the order"))
            }
            (_, Move::Pass(Pass {})) => {
                Err(Refusal::new("no_passing", "CO-12", Some("type"), "a turn cannot be passed"))
            }
            _ => Err(Refusal::new("no_bidding", "CO-18", Some("type"), "a piece is to be moved")),
        }
    }

    fn apply(&self, state: &mut State, mv: &Legal<Move>) -> Vec<Event> {
        let seat = mv.seat();
        vec![match *mv.mv() {
            Move::Move(mv) => Event::PieceMoved(move_piece(state, seat, mv)),
            Move::Bid(Bid { turns }) => {
                state.bids.push(turns);
                if state.highest_bid().is_none() {
                    state.stage = Stage::Choosing;
                }
                Event::BidMade(BidMade { seat, turns })
            }
            Move::Pass(Pass {}) => {
                state.stage = Stage::Choosing;
                Event::BiddingPassed(BiddingPassed { seat })
            }
            Move::Choose(ChooseOrder { order }) => {
                let white = if order == TurnOrder::First { seat } else { opponent(seat) };
                state.stage = Stage::Playing { white };
                Event::OrderChosen(OrderChosen { seat, order, white, red: opponent(white) })
            }
        }]
    }

    fn resolve(&self, _state: &mut State, _dice: &mut Dice) -> Vec<Event> {
        Vec::new()
    }

    fn view(&self, state: &State, _viewer: Viewer) -> ContiguityView {
        state.view()
    }

    fn redact(&self, event: &Event, _viewer: Viewer) -> Option<Event> {
        Some(event.clone())
    }

    fn redact_move(&self, mv: &Move, _by: Seat, _viewer: Viewer) -> Option<Move> {
        Some(*mv)
    }

    fn imagine(&self, view: &ContiguityView, _viewer: Viewer, _dice: &mut Dice) -> State {
        State::seen(view)
    }

    fn notation(&self, mv: &Move) -> String {
        notation::write(mv)
    }

    fn parse(&self, text: &str) -> Result<Move, Refusal> {
        notation::read(text)
    }

    fn written(&self, mv: &Move) -> Option<&'static RawValue> {
        match mv {
            Move::Move(mv) => written::piece_move(*mv),
            Move::Bid(_) | Move::Pass(_) | Move::Choose(_) => None,
        }
    }

    fn malformed_rule(&self, json: &serde_json::Value) -> Option<&'static str> {
        notation::malformed_rule(json)
    }

    fn board(&self) -> Board {
        printed_board()
    }
}

/// From the highest bid down, then the pass.
fn bids(state: &State) -> Vec<Move> {
    let highest = state.highest_bid().map_or(0, BidTurns::get);
    let bids = (1..=highest).rev().filter_map(BidTurns::new).map(|turns| Move::Bid(Bid { turns }));
    let pass = (!state.bids.is_empty()).then_some(Move::Pass(Pass {}));
    bids.chain(pass).collect()
}

/// By starting space, then by target, both in board order.
fn piece_moves(position: &Position, colour: Colour, jump: Jump) -> Vec<Move> {
    let occupied = position.rows();
    let mut moves = Vec::with_capacity(MOST_MOVES);
    for from in position.pieces(colour) {
        Reach::new(&occupied, from, jump).for_each(|to| moves.push(Move::Move(MovePiece { from, to })));
    }
    moves
}

/// Whose turn it is follows from what is due.
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

/// Why a move that is not legal is not.
fn refuse_piece_move(position: &Position, colour: Colour, mv: MovePiece, jump: Jump) -> Refusal {
    let MovePiece { from, to } = mv;
    if position.is_empty(from) {
        return Refusal::new("empty_space", "CO-05", Some("from"), format!("no piece stands on {from}"));
    }
    if !position.has(colour, from) {
        return Refusal::new("not_your_piece", "CO-05", Some("from"), format!("the piece on {from} is the opponent's"));
    }
    if from == to {
        return Refusal::new("same_space", "CO-06", Some("to"), "a piece may not end where it started");
    }
    if !position.is_empty(to) {
        return Refusal::new("occupied", "CO-05", Some("to"), format!("a piece stands on {to}"));
    }
    match (lines::in_the_way(position, from, to), jump) {
        (None, _) => Refusal::new(
            "not_in_line",
            "CO-05",
            Some("to"),
            format!("{to} is neither in the row nor the column of {from}"),
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

fn move_piece(state: &mut State, seat: Seat, MovePiece { from, to }: MovePiece) -> PieceMoved {
    let colour = state.to_move();
    let route = lines::route(&state.position, from, to, state.options.jump);
    state.trail.push(&state.position, trail::Step { from, to });
    state.position.shift(colour, from, to);
    let groups = state.position.groups(colour);
    let occurrences = state.occurrences();
    if let (Some(ending), Some(white)) = (state.ending(seat, groups, occurrences), state.white()) {
        state.stage = Stage::Over { white, ending };
    }
    PieceMoved {
        seat,
        colour,
        from,
        to,
        kind: route.map_or(Kind::Slide, |route| route.kind),
        direction: route.map_or(Direction::Clockwise, |route| route.direction),
        jumped: route.and_then(|route| route.jumped),
        turn: state.turns(),
        groups,
        occurrences,
    }
}
