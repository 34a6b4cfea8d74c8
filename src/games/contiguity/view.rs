//! The view of one viewer: everything, for nothing is hidden. The view therefore gives back the very state.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Contiguity;
use super::events::Event;
use super::lines::Jump;
use super::moves::{BidTurns, Move};
use super::options::Options;
use super::position::{Colour, Position};
use super::state::{Ending, Stage, State, opponent};
use super::trail::{Step, Trail};
use crate::stonehenge::Space;
use sarsen_rules::{Dice, Seat, Secrets, Viewer};

/// The step that the match is waiting for.
///
/// - `bidding`: A bid or a pass.
/// - `choosing`: The lowest bidder's choice of order.
/// - `playing`: A move of a piece.
/// - `over`: Nothing: the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ContiguityPhase)]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Phase {
    Bidding,
    Choosing,
    Playing,
    Over,
}

/// A bid that was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ContiguityBid {
    /// The seat that made the bid.
    pub(crate) seat: Seat,
    /// The number of turns of their own within which the bidder undertakes to win.
    #[schema(value_type = i64, minimum = 1, maximum = 99)]
    pub(crate) turns: BidTurns,
}

/// A match of Contiguity as anyone sees it. Lists of spaces are in board order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ContiguityView {
    /// The step that the match is waiting for.
    pub(crate) phase: Phase,
    /// The ending of the game; null until it has ended.
    #[schema(required)]
    pub(crate) ending: Option<Ending>,
    /// The spaces of the white pieces.
    #[schema(min_items = 6, max_items = 6)]
    pub(crate) white: Vec<Space>,
    /// The spaces of the red pieces.
    #[schema(min_items = 6, max_items = 6)]
    pub(crate) red: Vec<Space>,
    /// The seat that plays white and moves first; null until it is known.
    #[schema(required)]
    pub white_seat: Option<Seat>,
    /// The seat that plays red; null until it is known.
    #[schema(required)]
    pub(crate) red_seat: Option<Seat>,
    /// Into how many groups the white pieces fall.
    #[schema(minimum = 1, maximum = 6)]
    pub(crate) white_groups: u8,
    /// Into how many groups the red pieces fall.
    #[schema(minimum = 1, maximum = 6)]
    pub(crate) red_groups: u8,
    /// The number of turns played by both players together.
    #[schema(maximum = 2000)]
    pub(crate) turns: u16,
    /// After this many turns an undecided game is a draw.
    #[schema(minimum = 20, maximum = 2000)]
    pub(crate) turn_limit: u16,
    /// The number of times that this position has now occurred with the same side to move; the third occurrence is
    /// a draw. Null with bidding, where repetition does not count.
    #[schema(required, minimum = 1, maximum = 3)]
    pub(crate) occurrences: Option<u8>,
    /// The jumps that are allowed.
    pub(crate) jump: Jump,
    /// True if the players bid first.
    pub(crate) bidding: bool,
    /// The seat that bids first; null without bidding.
    #[schema(required)]
    pub(crate) opening_bidder: Option<Seat>,
    /// The bids in order; the last is the one that counts.
    pub(crate) bids: Vec<ContiguityBid>,
    /// The turns of their own that the lowest bidder has left to win in; null before the first bid.
    #[schema(required, maximum = 99)]
    pub(crate) bid_turns_left: Option<u8>,
    /// Every turn so far, white's and red's alternating, oldest first.
    pub(crate) moves: Vec<Step>,
}

impl State {
    /// The view, which is the same for everyone.
    pub(crate) fn view(&self) -> ContiguityView {
        let (phase, ending) = match self.stage {
            Stage::Bidding => (Phase::Bidding, None),
            Stage::Choosing => (Phase::Choosing, None),
            Stage::Playing { .. } => (Phase::Playing, None),
            Stage::Over { ending, .. } => (Phase::Over, Some(ending)),
        };
        let bid = |(index, turns): (usize, &BidTurns)| Some(ContiguityBid { seat: self.bidder(index)?, turns: *turns });
        ContiguityView {
            phase,
            ending,
            white: self.position.pieces(Colour::White).collect(),
            red: self.position.pieces(Colour::Red).collect(),
            white_seat: self.white(),
            red_seat: self.white().map(opponent),
            white_groups: self.position.groups(Colour::White),
            red_groups: self.position.groups(Colour::Red),
            turns: self.turns(),
            turn_limit: self.options.turn_limit,
            occurrences: self.occurrences(),
            jump: self.options.jump,
            bidding: self.options.bidding,
            opening_bidder: self.opener,
            bids: self.bids.iter().enumerate().filter_map(bid).collect(),
            bid_turns_left: self.bid_turns_left(),
            moves: self.trail.steps().collect(),
        }
    }

    /// Returns how many turns have been played, both players' together.
    pub(crate) fn turns(&self) -> u16 {
        u16::try_from(self.trail.len()).unwrap_or(u16::MAX)
    }

    fn bid_turns_left(&self) -> Option<u8> {
        let contract = self.contract()?;
        let made = match self.white() {
            Some(white) if white == contract.seat => self.trail.len().div_ceil(2),
            Some(_) => self.trail.len() / 2,
            None => 0,
        };
        Some(contract.turns.get().saturating_sub(u8::try_from(made).unwrap_or(u8::MAX)))
    }
}

impl ContiguityView {
    fn phase_fits(&self) -> bool {
        // White moves first, so the turns tell who has moved last.
        let own_groups = if self.turns.is_multiple_of(2) { self.red_groups } else { self.white_groups };
        let thrice = self.occurrences == Some(3);
        let missed = self.bid_turns_left == Some(0);
        match (self.phase, self.ending) {
            (Phase::Bidding | Phase::Choosing, None) => self.moves.is_empty(),
            (Phase::Playing, None) => {
                let open = self.white_groups > 1 && self.red_groups > 1 && self.turns < self.turn_limit;
                open && !thrice && !missed
            }
            (Phase::Over, Some(ending)) => {
                let ended = match ending {
                    Ending::Connected => own_groups == 1,
                    Ending::BidMissed => missed,
                    Ending::Repetition => thrice,
                    Ending::TurnLimit => self.turns == self.turn_limit,
                };
                ended && self.turns > 0
            }
            _ => false,
        }
    }
}

impl Secrets for Contiguity {
    type View = ContiguityView;

    fn view(&self, state: &State, _viewer: Viewer) -> ContiguityView {
        state.view()
    }

    fn redact(&self, event: &Event, _viewer: Viewer) -> Option<Event> {
        Some(event.clone())
    }

    fn moves_are_open(&self) -> bool {
        true
    }

    fn ended(&self, view: ContiguityView) -> ContiguityView {
        ContiguityView { phase: Phase::Over, ..view }
    }

    /// The state that `view` was taken of.
    fn imagine(&self, view: &ContiguityView, _viewer: Viewer, _dice: &mut Dice) -> State {
        let white = view.white_seat;
        let stage = match (view.phase, white, view.ending) {
            (Phase::Over, Some(white), Some(ending)) => Stage::Over { white, ending },
            (Phase::Playing | Phase::Over, Some(white), _) => Stage::Playing { white },
            (Phase::Choosing, ..) => Stage::Choosing,
            _ => Stage::Bidding,
        };
        let position = Position::of(&view.white, &view.red);
        State {
            options: Options { bidding: view.bidding, jump: view.jump, turn_limit: view.turn_limit },
            stage,
            opener: view.opening_bidder,
            bids: view.bids.iter().map(|bid| bid.turns).collect(),
            position,
            trail: Trail::ending_in(&position, view.moves.clone()).unwrap_or_default(),
        }
    }

    /// Returns whether it tells of a game that is just where it says: for views that a client made up. The pieces may stand
    /// anywhere, so that any position can be played on from.
    fn is_plausible(&self, view: &ContiguityView) -> bool {
        let options = Options { bidding: view.bidding, jump: view.jump, turn_limit: view.turn_limit };
        let highest = u8::try_from(view.turn_limit / 2).unwrap_or(u8::MAX);
        let falls = view.bids.windows(2).all(|two| two[1].turns < two[0].turns)
            && view.bids.first().is_none_or(|first| first.turns.get() <= highest);
        options.check().is_ok() && falls && view.moves.len() <= usize::from(view.turn_limit) && view.phase_fits()
    }

    /// Nothing is hidden.
    fn reveals(&self, _state: &State, _seat: Seat, mv: &Move) -> bool {
        match mv {
            Move::Move(_) | Move::Bid(_) | Move::Pass(_) | Move::Choose(_) => false,
        }
    }
}
