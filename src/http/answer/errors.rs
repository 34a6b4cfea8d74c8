//! From the errors of the use cases to the problems that a client sees: what makes a handler's `?` work.

use std::time::Duration;

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use sarsen_accounts::auth::TokenError;
use sarsen_accounts::outside::OutsideError;
use sarsen_accounts::people::{PeopleRefused, Shut};
use sarsen_accounts::player_status::Barred;
use sarsen_accounts::players::{CodeError, PlayersError, StoreError, TicketError};
use sarsen_accounts::programs::ProgramRefused;
use sarsen_games::{MalformedMove, OptionsError};
use sarsen_matches::model::clock::InvalidClock;
use sarsen_matches::model::refused::{
    ClaimRefused, ClockRefused, CreateRefused, DrawRefused, Forbidden, HintRefused, MoveRefused, OutOfPlay,
    PlanRefused, ReadRefused, Refused, RematchRefused, ReviewRefused, SeatRefused, UndoRefused, Unread,
};
use sarsen_matches::plans::FaultyPlan;
use sarsen_rules::MalformedOptions;
use sarsen_service::admin::NotSteered;
use sarsen_service::notifications::NotificationRefused;

/// The time that a client should wait for an unavailable store, in seconds.
const STORE_RETRY_SECONDS: u64 = 2;

/// The time that a client should wait who has made too many reports or reviews in a day, in seconds.
const DAILY_RETRY_SECONDS: u64 = 3600;

/// Whole seconds after which so much time has passed, at least one.
pub(crate) fn begun_seconds(time: Duration) -> u64 {
    time.as_secs_f64().ceil().max(1.0) as u64
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Problem {
        let detail = refused.to_string();
        let problem: Problem = match refused {
            Refused::Read(ReadRefused::MatchNotFound) => Code::MatchNotFound.into(),
            Refused::Read(ReadRefused::WrongInvite) => Code::WrongInvite.into(),
            Refused::Read(ReadRefused::NoSuchVersion) => Code::VersionNotFound.into(),
            Refused::Read(ReadRefused::FullTooEarly | ReadRefused::NotOver) => Code::MatchNotOver.into(),
            Refused::Forbidden(Forbidden::NotSeated) => Code::NotSeated.into(),
            Refused::Forbidden(Forbidden::HotseatOnly) => Code::HotseatOnly.into(),
            Refused::Forbidden(Forbidden::NotInvited) => Code::NotInvited.into(),
            Refused::Forbidden(Forbidden::ForkSecret) => Code::ForkSecret.into(),
            Refused::Forbidden(
                Forbidden::NotCreator
                | Forbidden::SentAway
                | Forbidden::NotSentAway
                | Forbidden::NoPrograms
                | Forbidden::OtherKind
                | Forbidden::RatedSeat
                | Forbidden::NotOffered
                | Forbidden::NotOrganiser
                | Forbidden::AnalysisAlone,
            ) => Code::Forbidden.into(),
            Refused::Rematch(RematchRefused::Off) => Code::RematchOff.into(),
            Refused::Unread(Unread(said)) => {
                return said.downcast_ref::<Problem>().cloned().unwrap_or_else(|| Problem::internal(said));
            }
            Refused::Create(refused) => return create_problem(refused),
            Refused::Seat(refused) => match refused {
                SeatRefused::NoSuchSeat => Code::NoSuchSeat,
                SeatRefused::SeatTaken => Code::SeatTaken,
                SeatRefused::SeatReserved => Code::SeatReserved,
                SeatRefused::MatchFull => Code::MatchFull,
                SeatRefused::AlreadySeated => Code::AlreadySeated,
                SeatRefused::SeatsOpen => Code::SeatsOpen,
                SeatRefused::NotOpen => Code::MatchNotOpen,
                SeatRefused::Expired => Code::MatchExpired,
                SeatRefused::TooManyChanges | SeatRefused::OthersCame => Code::Conflict,
            }
            .into(),
            Refused::OutOfPlay(OutOfPlay::NotStarted) => Code::MatchNotPlaying.into(),
            Refused::OutOfPlay(OutOfPlay::MatchOver(version)) => Problem::new(Code::MatchOver).version(version),
            Refused::OutOfPlay(OutOfPlay::Resigned) => Code::AlreadyResigned.into(),
            Refused::Move(refused) => match refused {
                MoveRefused::Malformed(malformed) => return malformed_move(malformed),
                MoveRefused::DecisionMissing | MoveRefused::DecisionNotAccepted => {
                    Problem::new(Code::MalformedMove).field("decision_id")
                }
                MoveRefused::OutOfTime(version) => Problem::new(Code::OutOfTime).version(version),
                MoveRefused::NotYourTurn(version) => Problem::new(Code::NotYourTurn).version(version),
                MoveRefused::StaleDecision(version) => Problem::new(Code::StaleDecision).version(version),
                MoveRefused::Illegal(refusal) => return Problem::new(Code::IllegalMove).refusal(&refusal),
            },
            Refused::Claim(ClaimRefused::TooEarly { retry_after_seconds: Some(seconds) }) => {
                Problem::new(Code::ClaimTooEarly).retry_after_seconds(seconds)
            }
            Refused::Claim(_) => Code::ClaimNotPossible.into(),
            Refused::Clock(ClockRefused::NoClock) => Code::NoClock.into(),
            Refused::Clock(
                ClockRefused::OwnClock
                | ClockRefused::GivenEnough
                | ClockRefused::TooMuchGiven { .. }
                | ClockRefused::Rated,
            ) => Code::ClockFixed.into(),
            Refused::Clock(ClockRefused::NotSubstituted) => Code::NotSubstituted.into(),
            Refused::Ruling(_) => Problem::new(Code::InvalidRequest).path("outcome.ranks"),
            Refused::Draw(DrawRefused::NoDraws) => Code::DrawNotSupported.into(),
            Refused::Draw(DrawRefused::DrawOnOffer) => Code::DrawOffered.into(),
            Refused::Draw(DrawRefused::NoDrawOffer) => Code::NoDrawOffer.into(),
            Refused::Hint(HintRefused::Off) => Code::HintsOff.into(),
            Refused::Hint(HintRefused::Busy { retry_after }) => {
                Problem::new(Code::Busy).retry_after_seconds(begun_seconds(retry_after))
            }
            Refused::Review(ReviewRefused::NotPossible) => Code::ReviewNotPossible.into(),
            Refused::Review(ReviewRefused::OrderedEnough(_)) => {
                Problem::new(Code::RateLimited).retry_after_seconds(DAILY_RETRY_SECONDS)
            }
            Refused::Undo(UndoRefused::Off | UndoRefused::UsedUp) => Code::UndoOff.into(),
            Refused::Undo(UndoRefused::Barrier { present, barrier }) => {
                Problem::new(Code::UndoBarrier).version(present).barrier(barrier.version, barrier.reason.into())
            }
            Refused::Undo(UndoRefused::TakebackOnOffer) => Code::TakebackOffered.into(),
            Refused::Undo(UndoRefused::NoTakebackOffer) => Code::NoTakebackOffer.into(),
            Refused::Plan(PlanRefused::Faulty(FaultyPlan { path, .. })) => Problem::new(Code::InvalidPlan).path(path),
            Refused::Plan(PlanRefused::NotSupported(_)) => Code::PlanNotSupported.into(),
            Refused::Plan(PlanRefused::Stale(version)) => Problem::new(Code::StaleVersion).version(version),
            Refused::KeyReused => Code::IdempotencyKeyReused.into(),
            Refused::Busy => Code::Conflict.into(),
            Refused::Unreadable(unreadable) if unreadable.lacks_components() => {
                return Problem::new(Code::ComponentsMissing).cause(unreadable);
            }
            Refused::Unreadable(unreadable) => return Problem::internal(unreadable),
            Refused::Store(error) => return error.into(),
        };
        problem.detail(detail)
    }
}

/// The problem of a move that cannot be read.
pub(crate) fn malformed_move(MalformedMove { detail, field, refusal }: MalformedMove) -> Problem {
    let problem = Problem::new(Code::MalformedMove).detail(detail);
    let problem = refusal.iter().fold(problem, |problem, refusal| problem.refusal(refusal));
    field.into_iter().fold(problem, Problem::field)
}

/// The problem of options that a game refuses.
pub(crate) fn refused_options(refused: OptionsError) -> Problem {
    let detail = refused.to_string();
    match refused {
        OptionsError::Malformed(MalformedOptions { path, .. }) => {
            let path = if path == "." { "options".to_owned() } else { format!("options.{path}") };
            Problem::new(Code::InvalidOptions).path(path).detail(detail)
        }
        OptionsError::Refused(refusal) => Problem::new(Code::InvalidOptions).refusal(&refusal),
    }
}

fn create_problem(refused: CreateRefused) -> Problem {
    let detail = refused.to_string();
    let problem: Problem = match refused {
        CreateRefused::GameNotFound { .. } => Problem::new(Code::GameNotFound).field("game"),
        CreateRefused::NoBots
        | CreateRefused::SeatedTwice(_)
        | CreateRefused::InvitedTwice(_)
        | CreateRefused::NoPrograms => Problem::new(Code::InvalidRequest).path("places"),
        CreateRefused::Clock(InvalidClock { field, .. }) => Problem::new(Code::InvalidClock).field(field),
        CreateRefused::NotRateable(reason) => Problem::new(Code::NotRateable).reason(reason.into()),
        CreateRefused::TooManyWithBots { .. } => Code::TooManyWithBots.into(),
        CreateRefused::TooManyOpen { .. } => Code::TooManyOpen.into(),
        CreateRefused::SeatCount { .. } => Problem::new(Code::InvalidOptions).field("seats"),
        CreateRefused::Options(refused) => return refused_options(refused),
    };
    problem.detail(detail)
}

impl From<PlayersError> for Problem {
    fn from(error: PlayersError) -> Problem {
        let detail = error.to_string();
        match error {
            PlayersError::RefreshTokenInvalid => Problem::new(Code::RefreshTokenInvalid),
            PlayersError::RefreshTokenReused => Problem::new(Code::RefreshTokenReused),
            PlayersError::RefreshContended => Problem::new(Code::Conflict).detail(detail),
            PlayersError::Banned(until) => Barred::Banned(until).into(),
            PlayersError::RenamedLately { milliseconds } => {
                let seconds = milliseconds.unsigned_abs().div_ceil(1000);
                Problem::new(Code::RateLimited).retry_after_seconds(seconds).detail(detail)
            }
            PlayersError::NamedByOperator => Problem::new(Code::Forbidden).detail(detail),
            PlayersError::Store(error) => error.into(),
            other => Problem::internal(other),
        }
    }
}

impl From<CodeError> for Problem {
    fn from(error: CodeError) -> Problem {
        match error {
            CodeError::Wrong => Code::WrongCode.into(),
            CodeError::KeyReused => Code::IdempotencyKeyReused.into(),
            CodeError::Players(error) => error.into(),
        }
    }
}

impl From<OutsideError> for Problem {
    fn from(error: OutsideError) -> Problem {
        match error {
            OutsideError::IssuerNotFound => Problem::new(Code::IssuerNotFound).field("issuer"),
            OutsideError::Invalid(_) => Problem::new(Code::OutsideTokenInvalid).cause(error),
            OutsideError::Unavailable { retry_after_seconds } => {
                Problem::new(Code::IssuerUnavailable).retry_after_seconds(retry_after_seconds)
            }
            OutsideError::Taken => Code::IdentityTaken.into(),
            OutsideError::TooMany => Code::LimitReached.into(),
            OutsideError::Players(error) => error.into(),
        }
    }
}

impl From<Barred> for Problem {
    fn from(barred: Barred) -> Problem {
        match barred {
            Barred::Gone => Code::TokenRevoked.into(),
            Barred::Banned(Some(until)) => Problem::new(Code::Banned).until(until),
            Barred::Banned(None) => Code::Banned.into(),
        }
    }
}

impl From<NotSteered> for Problem {
    fn from(refused: NotSteered) -> Problem {
        match refused {
            NotSteered::PlayerNotFound => Code::PlayerNotFound.into(),
            NotSteered::Players(error) => error.into(),
            NotSteered::Programs(refused) => refused.into(),
            NotSteered::People(refused) => refused.into(),
            NotSteered::Store(error) => error.into(),
        }
    }
}

impl From<ProgramRefused> for Problem {
    fn from(refused: ProgramRefused) -> Problem {
        let detail = refused.to_string();
        match refused {
            ProgramRefused::Invalid => Code::TokenInvalid.into(),
            ProgramRefused::Expired => Code::TokenExpired.into(),
            ProgramRefused::Revoked => Code::TokenRevoked.into(),
            ProgramRefused::NoSuchBot => Code::PlayerNotFound.into(),
            ProgramRefused::Full(_) => Problem::new(Code::LimitReached).detail(detail),
            ProgramRefused::Players(error) => error.into(),
            ProgramRefused::Store(error) => error.into(),
        }
    }
}

impl From<PeopleRefused> for Problem {
    fn from(refused: PeopleRefused) -> Problem {
        let detail = refused.to_string();
        match refused {
            PeopleRefused::PlayerNotFound => Code::PlayerNotFound.into(),
            PeopleRefused::Oneself => Problem::new(Code::Forbidden).detail(detail),
            PeopleRefused::Full(_) => Problem::new(Code::LimitReached).detail(detail),
            PeopleRefused::ReportedEnough(_) => {
                Problem::new(Code::RateLimited).retry_after_seconds(DAILY_RETRY_SECONDS).detail(detail)
            }
            PeopleRefused::ReportNotFound => Code::NotFound.into(),
            PeopleRefused::Players(error) => error.into(),
            PeopleRefused::Store(error) => error.into(),
        }
    }
}

impl From<NotificationRefused> for Problem {
    fn from(refused: NotificationRefused) -> Problem {
        let detail = refused.to_string();
        match refused {
            NotificationRefused::NotFound => Code::WebhookNotFound.into(),
            NotificationRefused::NoSuchSubscription | NotificationRefused::NoSuchDelivery => Code::NotFound.into(),
            NotificationRefused::PushOff => Problem::new(Code::NotFound).detail(detail),
            NotificationRefused::Url(fault) => Problem::new(Code::UrlNotAllowed).reason(fault.name()).detail(detail),
            NotificationRefused::Key { name, fault } => {
                Problem::new(Code::InvalidRequest).path(format!("keys.{name}")).reason(fault.word()).detail(detail)
            }
            NotificationRefused::ReplayRunning => Problem::new(Code::ReplayRunning).detail(detail),
            NotificationRefused::TooLongAgo => Problem::new(Code::InvalidRequest).path("since").detail(detail),
            NotificationRefused::Full(_) => Problem::new(Code::LimitReached).detail(detail),
            NotificationRefused::Store(error) => error.into(),
        }
    }
}

impl From<Shut> for Problem {
    fn from(shut: Shut) -> Problem {
        match shut {
            Shut::ByOther => Code::Blocked.into(),
            Shut::ByAsker => Problem::new(Code::Forbidden).detail("you have blocked somebody whom you would play with"),
        }
    }
}

impl From<TicketError> for Problem {
    fn from(error: TicketError) -> Problem {
        match error {
            TicketError::Invalid => Code::TicketInvalid.into(),
            TicketError::Revoked => Code::TokenRevoked.into(),
            TicketError::Store(error) => error.into(),
        }
    }
}

impl From<TokenError> for Problem {
    fn from(error: TokenError) -> Problem {
        match error {
            TokenError::Invalid(_) => Problem::new(Code::TokenInvalid).cause(error),
            TokenError::Expired => Code::TokenExpired.into(),
            TokenError::Revoked => Code::TokenRevoked.into(),
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        match error {
            StoreError::Unavailable(_) => {
                Problem::new(Code::StoreUnavailable).retry_after_seconds(STORE_RETRY_SECONDS).cause(error)
            }
            StoreError::Corrupt(_) => Problem::internal(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_is_away_says_when_to_retry_and_not_why() {
        let problem = Problem::from(StoreError::Unavailable("10.0.0.7 refused".into()));
        assert_eq!(problem.cause_chain().unwrap(), "the store is unavailable: 10.0.0.7 refused");
        assert_eq!((problem.code(), problem.body().retry_after_seconds), (Code::StoreUnavailable, Some(2)));
        assert!(!serde_json::to_string(problem.body()).unwrap().contains("10.0.0.7"));
    }
}
