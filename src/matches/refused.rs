//! Why a match did not do what was asked.
//!
//! Invariant: each variant is one stable problem code for clients; what only operators may know stays in the source.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::games::{Corrupt, MalformedMove, OptionsError, PlayError};
use crate::rules::Refusal;
use crate::store::StoreError;

/// Why a match did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// No such match, or none that the caller may see.
    #[error("no such match")]
    MatchNotFound,
    /// An invite code was given, and there is no match that it opens.
    #[error("no match that this invite code opens")]
    WrongInvite,
    /// No such game.
    #[error("no such game")]
    GameNotFound,
    /// The game cannot be played by so many.
    #[error("this game has {min} to {max} seats")]
    SeatCount {
        /// The fewest seats.
        min: u8,
        /// The most seats.
        max: u8,
    },
    /// The options are not of the game's schema or do not fit.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The caller has no seat.
    #[error("you have no seat in this match")]
    NotSeated,
    /// Only the creator may do this.
    #[error("only the creator of the match may do this")]
    NotCreator,
    /// The match has no such seat.
    #[error("this match has no such seat")]
    NoSuchSeat,
    /// Somebody sits there.
    #[error("this seat is taken")]
    SeatTaken,
    /// No seat is free.
    #[error("every seat is taken")]
    MatchFull,
    /// The caller has a seat already.
    #[error("you have a seat in this match already")]
    AlreadySeated,
    /// Seats are free, so it cannot start.
    #[error("not every seat is taken")]
    SeatsOpen,
    /// Only possible before the start.
    #[error("the match is no longer open")]
    NotOpen,
    /// The match has not started.
    #[error("the match has not started")]
    NotPlaying,
    /// The match has ended, at this version.
    #[error("the match is over")]
    MatchOver(u64),
    /// The match has not ended.
    #[error("the match is not over yet")]
    NotOver,
    /// The seat is not to act, at this version.
    #[error("it is not your turn")]
    NotYourTurn(u64),
    /// The decision named is not the seat's open one, at this version.
    #[error("this decision is no longer open")]
    StaleDecision(u64),
    /// A move of a turn came without the decision it answers.
    #[error("a move of a turn names its decision_id")]
    DecisionMissing,
    /// A move that needs no turn came with a decision.
    #[error("a move that needs no turn names no decision_id")]
    DecisionNotAccepted,
    /// The request itself cannot be read.
    #[error(transparent)]
    Unread(#[from] Unread),
    /// The move cannot be read.
    #[error(transparent)]
    MalformedMove(MalformedMove),
    /// The rules refuse the move.
    #[error(transparent)]
    Illegal(Refusal),
    /// The idempotency key was used for another request.
    #[error("this idempotency key was used for another request")]
    KeyReused,
    /// The seat has resigned.
    #[error("this seat has resigned")]
    AlreadyResigned,
    /// Nobody can claim against their own seat.
    #[error("this is your own seat")]
    OwnSeat,
    /// The seat claimed against is not to act.
    #[error("this seat is not to act")]
    NotToAct,
    /// The seat claimed against still has time.
    #[error("this seat still has time")]
    ClaimTooEarly {
        /// How long, rounded up; `None` where it has for ever.
        retry_after_seconds: Option<u64>,
    },
    /// The game knows no agreed draws.
    #[error("this game knows no agreed draws")]
    NoDraws,
    /// A draw is on offer already, or the seat has offered one since its last move.
    #[error("a draw is on offer already, or you have offered one since your last move")]
    DrawOnOffer,
    /// No draw is on offer to this seat.
    #[error("no draw is on offer to you")]
    NoDrawOffer,
    /// The match has not reached this version.
    #[error("the match has not reached this version")]
    NoSuchVersion,
    /// Everything is shown only after the end.
    #[error("everything is shown only after the end")]
    FullTooEarly,
    /// Seats have been taken and left too often.
    #[error("too much has changed in this match before its start; it can only be started or called off")]
    TooManyChanges,
    /// Others kept changing the match while this was tried.
    #[error("the match is too busy")]
    Busy,
    /// A stored value cannot be read or written.
    #[error("a stored value cannot be read")]
    Unreadable(#[source] Box<dyn Error + Send + Sync>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a request could not be read: whatever its reader said, which comes back when it is asked for and not before.
/// So a caller reads first, and the order in which a request is judged stays the match's.
#[derive(Clone, Debug)]
pub struct Unread(pub Arc<dyn Error + Send + Sync>);

impl Unread {
    /// What the reader said.
    pub fn new(said: impl Error + Send + Sync + 'static) -> Unread {
        Unread(Arc::new(said))
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the request cannot be read")
    }
}

impl Error for Unread {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

impl Refused {
    pub(super) fn unreadable(source: impl Error + Send + Sync + 'static) -> Refused {
        Refused::Unreadable(Box::new(source))
    }

    pub(super) fn stuck() -> Refused {
        Refused::Unreadable("the game is neither over nor waiting for a present player".into())
    }
}

impl From<Corrupt> for Refused {
    fn from(corrupt: Corrupt) -> Refused {
        Refused::unreadable(corrupt)
    }
}

impl From<PlayError> for Refused {
    fn from(error: PlayError) -> Refused {
        match error {
            PlayError::Refused(refusal) => Refused::Illegal(refusal),
            PlayError::Corrupt(corrupt) => corrupt.into(),
        }
    }
}
