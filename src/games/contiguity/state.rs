//! A match of Contiguity between two moves.
//!
//! Invariants: the trail ends in the position; colours have seats exactly once the game is `Playing` or `Over`; bids
//! fall, and there are none without the bidding option.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use strum::{IntoStaticStr, VariantNames};
use utoipa::ToSchema;

use super::moves::BidTurns;
use super::options::Options;
use super::position::{Colour, PIECES, Position};
use super::trail::{Trail, decode_spaces, encode_spaces};
use sarsen_rules::{Outcome, Seat, SeatCount, Seats, Status, Verdict};

/// The ending of a game. More may come: ignore one that you do not know.
///
/// - `connected`: The last mover's pieces are one group.
/// - `bid_missed`: The lowest bidder has used up the turns bid.
/// - `repetition`: A position stood for the third time with the same side to move.
/// - `turn_limit`: The turn limit was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, IntoStaticStr, VariantNames, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schema(as = ContiguityEnding)]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Ending {
    Connected,
    BidMissed,
    Repetition,
    TurnLimit,
}

/// The stage that a match has reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// A bid or a pass is due.
    Bidding,
    /// The lowest bidder chooses the order.
    Choosing,
    /// The move of a piece is due.
    Playing {
        /// The seat that plays white.
        white: Seat,
    },
    /// It is over.
    Over {
        /// The seat that played white.
        white: Seat,
        ending: Ending,
    },
}

/// Everything there is to know.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// As chosen by the creator.
    pub(crate) options: Options,
    /// The stage that the match has reached.
    pub stage: Stage,
    /// The seat that bids first; `None` without bidding.
    pub(crate) opener: Option<Seat>,
    /// The bids in order, alternating from the opener.
    pub(crate) bids: Vec<BidTurns>,
    /// The spaces of the pieces.
    pub position: Position,
    /// The turns so far.
    pub(crate) trail: Trail,
}

/// A standing lowest bid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Contract {
    /// The seat whose bid it is.
    pub(crate) seat: Seat,
    /// The number of turns of their own within which the bidder undertakes to win.
    pub(crate) turns: BidTurns,
}

/// The opponent of `seat`.
pub(crate) fn opponent(seat: Seat) -> Seat {
    seat.next(TWO)
}

/// The number of seats.
#[expect(clippy::unreachable, reason = "the compiler finds that it is not reached")]
pub(crate) const TWO: SeatCount = match SeatCount::new(2) {
    Some(count) => count,
    None => unreachable!(),
};

/// The seats.
#[expect(clippy::unreachable, reason = "the compiler finds that it is not reached")]
pub(crate) const BOTH: [Seat; 2] = match (Seat::new(0), Seat::new(1)) {
    (Some(first), Some(second)) => [first, second],
    _ => unreachable!(),
};

impl State {
    /// A match at its start: with `first` to bid under bidding, or else playing white.
    pub(crate) fn new(options: Options, first: Seat) -> State {
        let (stage, opener) =
            if options.bidding { (Stage::Bidding, Some(first)) } else { (Stage::Playing { white: first }, None) };
        State { options, stage, opener, bids: Vec::new(), position: Position::set_up(), trail: Trail::default() }
    }

    /// Returns who plays white, once that is known.
    pub fn white(&self) -> Option<Seat> {
        match self.stage {
            Stage::Bidding | Stage::Choosing => None,
            Stage::Playing { white } | Stage::Over { white, .. } => Some(white),
        }
    }

    /// The colour whose turn it is or would be.
    pub(crate) fn to_move(&self) -> Colour {
        Colour::to_move(self.trail.len())
    }

    /// The seat that plays `colour`, given white's.
    pub(crate) fn seat_of(white: Seat, colour: Colour) -> Seat {
        if colour == Colour::White { white } else { opponent(white) }
    }

    /// The one seat that has a decision.
    pub(crate) fn actor(&self) -> Option<Seat> {
        match self.stage {
            Stage::Bidding => self.bidder(self.bids.len()),
            Stage::Choosing => self.contract().map(|contract| contract.seat),
            Stage::Playing { white } => Some(State::seat_of(white, self.to_move())),
            Stage::Over { .. } => None,
        }
    }

    /// Returns who makes the bid with this index.
    pub(crate) fn bidder(&self, index: usize) -> Option<Seat> {
        self.opener.map(|opener| if index.is_multiple_of(2) { opener } else { opponent(opener) })
    }

    /// The lowest bid so far.
    pub(crate) fn contract(&self) -> Option<Contract> {
        let turns = *self.bids.last()?;
        Some(Contract { seat: self.bidder(self.bids.len() - 1)?, turns })
    }

    /// The highest bid that may be made now; `None` where 1 has been bid (CO-18, CO-21).
    pub(crate) fn highest_bid(&self) -> Option<BidTurns> {
        let highest = match self.bids.last() {
            Some(last) => last.get() - 1,
            None => BidTurns::MAX.min(u8::try_from(self.options.turn_limit / 2).unwrap_or(BidTurns::MAX)),
        };
        BidTurns::new(highest)
    }

    /// Returns how often the present position has stood with the same side to move; `None` under bidding.
    pub(crate) fn occurrences(&self) -> Option<u8> {
        (!self.options.bidding).then(|| self.trail.occurrences(&self.position))
    }

    /// Returns how the turn just completed ends the game, if it does: the first that holds (CO-14, CO-15, CO-19).
    pub(crate) fn ending(&self, mover: Seat, connected: bool, occurrences: Option<u8>) -> Option<Ending> {
        let turns = self.trail.len();
        let own_turns = turns.div_ceil(2);
        let missed = |contract: Contract| contract.seat == mover && own_turns >= usize::from(contract.turns.get());
        if connected {
            Some(Ending::Connected)
        } else if self.contract().is_some_and(missed) {
            Some(Ending::BidMissed)
        } else if occurrences.is_some_and(|times| times >= 3) {
            Some(Ending::Repetition)
        } else if turns >= usize::from(self.options.turn_limit) {
            Some(Ending::TurnLimit)
        } else {
            None
        }
    }

    /// Returns what happens next.
    pub(crate) fn status(&self) -> Status {
        if let Stage::Over { white, ending } = self.stage {
            let last_mover = State::seat_of(white, self.to_move().other());
            return Status::Over(match ending {
                Ending::Connected => Outcome::won_by(ending.into(), TWO, Seats::one(last_mover)),
                // A bid is missed on the bidder's own turn.
                Ending::BidMissed => Outcome::won_by(ending.into(), TWO, Seats::one(opponent(last_mover))),
                Ending::Repetition | Ending::TurnLimit => Outcome::shared(ending.into(), TWO, Verdict::Drawn),
            });
        }
        Status::ToAct(self.actor().map_or(Seats::EMPTY, Seats::one))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    options: Options,
    stage: Stage,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opener: Option<Seat>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    bids: Vec<BidTurns>,
    white: String,
    red: String,
    trail: String,
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Stored {
            options: self.options,
            stage: self.stage,
            opener: self.opener,
            bids: self.bids.clone(),
            white: encode_spaces(self.position.pieces(Colour::White)),
            red: encode_spaces(self.position.pieces(Colour::Red)),
            trail: self.trail.encode(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<State, D::Error> {
        let stored = Stored::deserialize(deserializer)?;
        let fault = serde::de::Error::custom;
        let (Some(white), Some(red)) = (decode_spaces(&stored.white), decode_spaces(&stored.red)) else {
            return Err(fault("pieces do not decode"));
        };
        let position = Position::of(&white, &red);
        let trail = Trail::decode_steps(&stored.trail).and_then(|steps| Trail::ending_in(&position, steps));
        if [Colour::White, Colour::Red].iter().any(|colour| position.pieces(*colour).count() != PIECES) {
            return Err(fault("each side has six pieces on spaces of their own"));
        }
        let bids_fit = match stored.stage {
            Stage::Bidding => stored.options.bidding,
            Stage::Choosing => !stored.bids.is_empty(),
            Stage::Playing { .. } | Stage::Over { .. } => stored.options.bidding != stored.bids.is_empty(),
        };
        if stored.options.bidding != stored.opener.is_some() || !bids_fit {
            return Err(fault("bids and an opener belong to bidding"));
        }
        Ok(State {
            options: stored.options,
            stage: stored.stage,
            opener: stored.opener,
            bids: stored.bids,
            position,
            trail: trail.ok_or_else(|| fault("the trail does not end in the position"))?,
        })
    }
}
