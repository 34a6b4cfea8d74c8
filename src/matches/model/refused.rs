//! Refusals: one small error for each group of operations, and [`Refused`], the whole.
//!
//! Invariants: each variant of a small error is one stable problem code for clients; details for operators alone stay
//! in the source. No error is borrowed: an error that no request can cause is [`Unreadable`] for every caller.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use crate::model::adjudication::ImpossibleRuling;
use crate::model::clock::{GIFTS_MAX, InvalidClock};
use crate::model::plan::{FaultyPlan, PlanUnsupported};
use crate::model::rating::NotRateable;
use crate::model::track::{Barrier, BarrierReason, UNDO_MAX};
pub(crate) use crate::model::unreadable::Unreadable;
use sarsen_base::ids::PlayerId;
use sarsen_games::{Corrupt, MalformedMove, OptionsError, PlayError};
use sarsen_rules::phrases::counted;
use sarsen_rules::{Refusal, Seat};
use sarsen_store::StoreError;

/// The refusal of an operation on a match.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// It is not shown.
    #[error(transparent)]
    Read(#[from] ReadRefused),
    /// It is not for the caller to do this.
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    /// The request itself cannot be read.
    #[error(transparent)]
    Unread(#[from] Unread),
    /// It is not made.
    #[error(transparent)]
    Create(#[from] CreateRefused),
    /// The operation before the start is not possible.
    #[error(transparent)]
    Seat(#[from] SeatRefused),
    /// The match or the seat is not in play.
    #[error(transparent)]
    OutOfPlay(#[from] OutOfPlay),
    /// The move is not made.
    #[error(transparent)]
    Move(#[from] MoveRefused),
    /// The claim is not granted.
    #[error(transparent)]
    Claim(#[from] ClaimRefused),
    /// A draw is not offered, accepted or declined.
    #[error(transparent)]
    Draw(#[from] DrawRefused),
    /// There is no hint.
    #[error(transparent)]
    Hint(#[from] HintRefused),
    /// Nothing is reviewed.
    #[error(transparent)]
    Review(#[from] ReviewRefused),
    /// Nothing is undone, or a takeback is not offered, accepted or declined.
    #[error(transparent)]
    Undo(#[from] UndoRefused),
    /// No plan is made.
    #[error(transparent)]
    Plan(#[from] PlanRefused),
    /// Nothing follows the match.
    #[error(transparent)]
    Rematch(#[from] RematchRefused),
    /// A clock is not changed.
    #[error(transparent)]
    Clock(#[from] ClockRefused),
    /// The match cannot end as its organiser says.
    #[error(transparent)]
    Ruling(#[from] ImpossibleRuling),
    /// The idempotency key was used for another request.
    #[error("this idempotency key was used for another request")]
    KeyReused,
    /// Others kept changing the match while this was tried.
    #[error("the match is too busy")]
    Busy,
    /// Stored data, or a game, is not what it must be.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The refusal to show a match, or one of its versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadRefused {
    /// No such match, or none that the caller may see.
    #[error("no such match")]
    MatchNotFound,
    /// An invite code was given, and there is no match that it opens.
    #[error("no match that this invite code opens")]
    WrongInvite,
    /// The match has not reached this version.
    #[error("the match has not reached this version")]
    NoSuchVersion,
    /// Everything is shown only after the end.
    #[error("everything is shown only after the end")]
    FullTooEarly,
    /// There is no record of a match before its end.
    #[error("the match is not over yet")]
    NotOver,
}

/// The refusal of an operation that the caller is not allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Forbidden {
    /// The caller has no seat.
    #[error("you have no seat in this match")]
    NotSeated,
    /// Only the creator may do this.
    #[error("only the creator of the match may do this")]
    NotCreator,
    /// The caller does not hold the seat as which they would look or move.
    #[error("you do not hold this seat: only in a hotseat match one player holds several")]
    HotseatOnly,
    /// The seat is not the caller's to give away.
    #[error(
        "you can give away your own seat; that of somebody who has let their time pass, only a creator who has never sat \
         at this table"
    )]
    NotOffered,
    /// The match is not the creator's to settle.
    #[error("an organiser settles matches that are not rated, have tags, and at which the organiser has never sat")]
    NotOrganiser,
    /// A fork would tell something that is hidden, or what chance is going to bring.
    #[error("a match of this game can be forked once it has finished: until then a fork would tell what is hidden")]
    ForkSecret,
    /// A fork is nobody's but its maker's.
    #[error("this match is an analysis, which belongs to its creator alone")]
    AnalysisAlone,
    /// No seat is kept for the caller.
    #[error("no seat of this match is reserved for you")]
    NotInvited,
    /// The creator has sent the caller away.
    #[error("the creator of the match has sent you away")]
    SentAway,
    /// The match takes no bot accounts, and no person plays there by the token of a program.
    #[error("this match takes no bot accounts and no programs: its `programs` is `refuse`")]
    NoPrograms,
    /// A rated match is of persons or of bot accounts, and the player is not of its kind.
    #[error("this rated match is of players of the other kind: persons and bot accounts are not rated together")]
    OtherKind,
    /// Nobody takes over a seat of a rated match.
    #[error("this match is rated, so its seats are not handed on")]
    RatedSeat,
    /// Nobody is sent away from there: a bot that was given a seat keeps it, and one's own is left.
    #[error("only another player can be sent away: a bot keeps its seat, and you leave your own")]
    NotSentAway,
}

/// The refusal to create a match.
#[derive(Debug, thiserror::Error)]
pub enum CreateRefused {
    /// No such game.
    #[error("there is no such game here; there are {}", here.join(", "))]
    GameNotFound {
        /// The ids of those that there are.
        here: Vec<&'static str>,
    },
    /// The game cannot be played by this many.
    #[error("{}", seats_of(*min, *max))]
    SeatCount {
        /// The fewest seats.
        min: u8,
        /// The most seats.
        max: u8,
    },
    /// The options are not of the game's schema or do not fit.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A bot is asked for, and the game has none here.
    #[error("this game has no bots here")]
    NoBots,
    /// Two are to sit on one seat: of bots, invited players and the creator.
    #[error("seat {0} is given twice, or is your own, which `seat` names")]
    SeatedTwice(Seat),
    /// Somebody is invited twice, or the creator is.
    #[error("{0} is invited twice, or is you, whose seat `seat` names")]
    InvitedTwice(PlayerId),
    /// A seat is for a bot account, where none may sit.
    #[error("`programs` is `refuse`, and a seat is for a bot account or a program")]
    NoPrograms,
    /// The clock is out of bounds, or does not fit the match.
    #[error(transparent)]
    Clock(#[from] InvalidClock),
    /// The match cannot be rated.
    #[error(transparent)]
    NotRateable(#[from] NotRateable),
    /// The player has made as many matches with bots that are not over as one may have.
    #[error("you have made {} with bots that are not over, and nobody may have more", matches(*most))]
    TooManyWithBots {
        /// The most that one player may have.
        most: u32,
    },
    /// The player has made as many matches that have not started as one may have, with a seat of their own or without.
    #[error("you have made {}{} that have not started, and nobody may have more", matches(*most), for_others(*seated))]
    TooManyOpen {
        /// The most that one player may have.
        most: u32,
        /// True if it counts the matches in which the player sits, false if those made for others.
        seated: bool,
    },
}

fn matches(number: u32) -> String {
    counted(number, "match", "matches")
}

fn for_others(seated: bool) -> &'static str {
    if seated { "" } else { " for others" }
}

fn seats_of(min: u8, max: u8) -> String {
    match (min, max) {
        (min, max) if min == max => {
            format!("`seats` has to be {min}: this game is for {}", counted(min, "player", "players"))
        }
        (min, max) => format!("`seats` has to be an integer from {min} to {max}: this game is for so many players"),
    }
}

/// The refusal to take or leave a seat, to give it entropy, or to start or call off a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SeatRefused {
    /// The match has no such seat.
    #[error("this match has no such seat")]
    NoSuchSeat,
    /// Somebody sits there.
    #[error("this seat is taken")]
    SeatTaken,
    /// The seat is kept for somebody else.
    #[error("this seat is reserved for somebody else")]
    SeatReserved,
    /// No seat is free.
    #[error("every seat is taken")]
    MatchFull,
    /// The player has a seat already.
    #[error("this player has a seat in this match already")]
    AlreadySeated,
    /// Seats are free, so it cannot start.
    #[error("not every seat is taken")]
    SeatsOpen,
    /// Only possible before the start.
    #[error("the match is no longer open")]
    NotOpen,
    /// The match has waited too long for its start.
    #[error("the match has expired: its time to start is over")]
    Expired,
    /// Somebody has come with whom the player was not compared: that comes first.
    #[error("somebody else has sat down at the same moment")]
    OthersCame,
    /// Seats have been taken and left too often.
    #[error("too much has changed in this match before its start; it can only be started or called off")]
    TooManyChanges,
}

/// The refusal of an action of a seat that is not in play, or in a match that is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OutOfPlay {
    /// The match has not started.
    #[error("the match has not started")]
    NotStarted,
    /// The match has ended, at this version.
    #[error("the match is over")]
    MatchOver(u64),
    /// The seat has resigned.
    #[error("this seat has resigned")]
    Resigned,
}

/// The refusal of a move.
#[derive(Debug, thiserror::Error)]
pub enum MoveRefused {
    /// The move cannot be read.
    #[error(transparent)]
    Malformed(MalformedMove),
    /// A move of a turn came without the decision it answers.
    #[error("a move of a turn must name its `decision_id`")]
    DecisionMissing,
    /// A move that needs no turn came with a decision.
    #[error("a move that needs no turn must not name a `decision_id`")]
    DecisionNotAccepted,
    /// The seat's time for the decision is over, at this version.
    #[error("your time for this decision has run out")]
    OutOfTime(u64),
    /// The seat is not to act, at this version.
    #[error("it is not your turn")]
    NotYourTurn(u64),
    /// The decision named is not the seat's open one, at this version.
    #[error("this decision is no longer open")]
    StaleDecision(u64),
    /// The rules refuse the move.
    #[error(transparent)]
    Illegal(Refusal),
}

/// The refusal of a claim against a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClaimRefused {
    /// Nobody can claim against their own seat.
    #[error("this is your own seat")]
    OwnSeat,
    /// The seat is not to act.
    #[error("this seat is not to act")]
    NotToAct,
    /// The match has a clock, by which the service goes itself.
    #[error("this match has a clock, so nobody needs to claim")]
    Clock,
    /// The seat still has time.
    #[error("this seat still has time")]
    TooEarly {
        /// The time left in seconds, rounded up; `None` where the seat has for ever.
        retry_after_seconds: Option<u64>,
    },
}

/// The refusal to offer, accept or decline a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DrawRefused {
    /// The game has no agreed draws.
    #[error("this game has no agreed draws")]
    NoDraws,
    /// A draw is on offer already, or the seat has offered one since its last turn.
    #[error("a draw is on offer already, or you have offered one since your last turn")]
    DrawOnOffer,
    /// No draw is on offer to this seat.
    #[error("no draw is on offer to you")]
    NoDrawOffer,
}

/// The refusal of a rematch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RematchRefused {
    /// Its creator has said so.
    #[error("the creator of this match has ruled out a rematch")]
    Off,
}

/// The refusal of a plan.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlanRefused {
    /// It is none.
    #[error(transparent)]
    Faulty(FaultyPlan),
    /// Nobody plans ahead here, or not now.
    #[error(transparent)]
    NotSupported(PlanUnsupported),
    /// The match has moved on, to this version.
    #[error("the match has moved on since the version that the plan is for")]
    Stale(u64),
}

/// The refusal to change a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClockRefused {
    /// The match has no clock, or the seat has none.
    #[error("there is no clock: the match has none, or a bot holds the seat")]
    NoClock,
    /// Nobody gives time to themselves.
    #[error("you cannot give time to yourself")]
    OwnClock,
    /// Nobody gives time for ever.
    #[error("you have given time {GIFTS_MAX} times since your last move, which is as often as you may")]
    GivenEnough,
    /// Nobody gives a seat of a live match more than this.
    #[error(
        "in a live match a seat can be given only so much before its next turn is over; {} can still be given",
        counted(left.unsigned_abs(), "second", "seconds")
    )]
    TooMuchGiven {
        /// The time that can still be given, in seconds.
        left: i64,
    },
    /// Nobody gives time in a rated match.
    #[error("this match is rated, so nobody gives time in it")]
    Rated,
    /// No bot plays for the player.
    #[error("no bot plays for you")]
    NotSubstituted,
}

/// The refusal of a hint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HintRefused {
    /// The match, or its game, gives none.
    #[error("this match gives no hints")]
    Off,
    /// Too much is thought about already.
    #[error("too much is being thought about: the hint does not come in time")]
    Busy {
        /// The time after which there is about room for one.
        retry_after: Duration,
    },
}

/// The refusal of a review.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReviewRefused {
    /// The match has not ended as games end, or its game has no bots here.
    #[error("only a match of a game with bots is reviewed, and only once it is over and had begun")]
    NotPossible,
    /// The player has ordered as many as one may in a day.
    #[error("you have ordered {0} reviews in 24 hours, and nobody may order more")]
    OrderedEnough(u32),
}

/// The refusal to undo moves, or to offer, accept or decline a takeback.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UndoRefused {
    /// The match has no undo of this kind.
    #[error("this match has none: `undo` of the match says what can be undone in it")]
    Off,
    /// The seat has used all that it has in a match.
    #[error("you have undone {} times in this match, and nobody may more often", UNDO_MAX)]
    UsedUp,
    /// A step in between cannot be undone, or not by the caller alone.
    #[error("{}", behind(*barrier))]
    Barrier {
        /// The match's version.
        present: u64,
        /// The newest step that blocks the undo.
        barrier: Barrier,
    },
    /// A takeback is on offer already, or the seat has offered one since its last turn.
    #[error("a takeback is on offer already, or you have offered one since your last turn")]
    TakebackOnOffer,
    /// No takeback is on offer to this seat.
    #[error("no takeback is on offer to you")]
    NoTakebackOffer,
}

fn behind(Barrier { version, reason }: Barrier) -> String {
    match reason {
        BarrierReason::Chance => format!("chance had a part in version {version}, which cannot be undone"),
        BarrierReason::Revealed => format!("version {version} has shown what was hidden, and cannot be undone"),
        BarrierReason::OtherSeat => format!("version {version} is not a move of your own in your present turn"),
        BarrierReason::TurnPassed => format!("with version {version} your turn has passed"),
    }
}

/// The error of a request that could not be read. It is returned when the match asks for the request and not before. So
/// a caller reads first, and the order in which the match judges a request stays the same.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the request cannot be read")]
pub struct Unread(#[source] pub Arc<dyn Error + Send + Sync>);

impl Unread {
    /// Wraps the error of the reader.
    pub fn new(said: impl Error + Send + Sync + 'static) -> Unread {
        Unread(Arc::new(said))
    }
}

impl From<PlanUnsupported> for Refused {
    fn from(unsupported: PlanUnsupported) -> Refused {
        PlanRefused::NotSupported(unsupported).into()
    }
}

impl From<Corrupt> for Refused {
    fn from(corrupt: Corrupt) -> Refused {
        Unreadable::from(corrupt).into()
    }
}

impl From<PlayError> for Refused {
    fn from(error: PlayError) -> Refused {
        match error {
            PlayError::Refused(refusal) => MoveRefused::Illegal(refusal).into(),
            PlayError::Corrupt(corrupt) => corrupt.into(),
        }
    }
}
