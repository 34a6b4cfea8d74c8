//! Moves, events and decisions in words for people.
//!
//! Invariant: the text of a move or an event is made from that move or event alone, so it tells a listener no more than the
//! JSON tells a reader.

use super::Contiguity;
use super::events::{
    BidMade, BiddingPassed, ColoursDrawn, DisksSetUp, Event, OpeningBidderDrawn, OrderChosen, PieceMoved,
};
use super::lines::Kind;
use super::moves::{Bid, ChooseOrder, Move, MovePiece, TurnOrder};
use super::options::Options;
use super::position::Colour;
use super::state::{Stage, State};
use crate::stonehenge::Space;
use sarsen_rules::phrases::{counted, listed};
use sarsen_rules::{Prompt, PromptSource, Seat, Words};

impl Words for Contiguity {
    fn prompt(&self, state: &State, _seat: Seat) -> Prompt {
        let colour = if state.to_move() == Colour::White { "white" } else { "red" };
        match state.stage {
            Stage::Bidding => match state.highest_bid() {
                Some(most) if state.bids.is_empty() => {
                    let most = most.get();
                    Prompt::of("bid", format!("Open the bidding: promise to win within 1 to {most} turns of your own."))
                }
                Some(most) => {
                    let most = counted(most.get(), "turn", "turns");
                    Prompt::of("bid", format!("Bid lower, at most {most} of your own, or pass."))
                }
                None => Prompt::of("bid", "Pass: no lower bid is possible."),
            },
            Stage::Choosing => {
                Prompt::of("order", "Your bid is the lowest: choose to move first with white or second with red.")
            }
            Stage::Playing { .. } | Stage::Over { .. } => {
                Prompt::of("move", format!("Move one of your {colour} pieces.")).by(PromptSource::entry("disk", colour))
            }
        }
    }

    fn move_text(&self, mv: &Move, _options: &Options) -> String {
        match mv {
            Move::Move(MovePiece { from, to }) => format!("Move from {from} to {to}."),
            Move::Bid(Bid { turns }) => format!("Bid {}.", counted(turns.get(), "turn", "turns")),
            Move::Pass(_) => "Pass.".to_owned(),
            Move::Choose(ChooseOrder { order: chosen }) => format!("Choose to {}.", order(*chosen)),
        }
    }

    fn event_text(&self, event: &Event, _options: &Options) -> String {
        match event {
            Event::DisksSetUp(DisksSetUp { white, red }) => {
                format!("The disks are set up: white on {}; red on {}.", spaces(white), spaces(red))
            }
            Event::ColoursDrawn(ColoursDrawn { white, red }) => {
                format!("The colours are drawn: seat {white} plays white and moves first, seat {red} plays red.")
            }
            Event::OpeningBidderDrawn(OpeningBidderDrawn { seat }) => {
                format!("Seat {seat} is drawn to open the bidding.")
            }
            Event::BidMade(BidMade { seat, turns }) => {
                format!("Seat {seat} bids {}.", counted(turns.get(), "turn", "turns"))
            }
            Event::BiddingPassed(BiddingPassed { seat }) => format!("Seat {seat} passes, which ends the bidding."),
            Event::OrderChosen(OrderChosen { seat, order: chosen, white, red }) => {
                let chosen = order(*chosen);
                format!("Seat {seat} chooses to {chosen}: seat {white} plays white, seat {red} plays red.")
            }
            Event::PieceMoved(PieceMoved { colour: of, from, to, kind, jumped, turn, groups, .. }) => {
                let verb = match kind {
                    Kind::Slide => "slides",
                    Kind::Jump => "jumps",
                };
                let over = jumped.map(|space| format!(" over {space}")).unwrap_or_default();
                let left = match groups {
                    1 => "all its pieces are connected".to_owned(),
                    groups => format!("its pieces form {groups} groups"),
                };
                format!("Turn {turn}: {} {verb} from {from}{over} to {to}; {left}.", of)
            }
        }
    }
}

fn order(order: TurnOrder) -> &'static str {
    match order {
        TurnOrder::First => "move first, with white",
        TurnOrder::Second => "move second, with red",
    }
}

fn spaces(spaces: &[Space]) -> String {
    listed(&spaces.iter().map(Space::to_string).collect::<Vec<_>>())
}
