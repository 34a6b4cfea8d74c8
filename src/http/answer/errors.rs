//! From the errors of the use cases to the problems that a client sees: what makes a handler's `?` work.

use crate::auth::TokenError;
use crate::games::OptionsError;
use crate::http::answer::codes::Code;
use crate::http::answer::problem::Problem;
use crate::matches::{Refused, Unread};
use crate::players::{PlayersError, StoreError, TicketError};
use crate::rules::MalformedOptions;

/// How long a client should wait for a store that is away, in seconds.
const STORE_RETRY_SECONDS: u64 = 2;

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Problem {
        let detail = refused.to_string();
        let code = match refused {
            Refused::MatchNotFound => Code::MatchNotFound,
            Refused::WrongInvite => Code::WrongInvite,
            Refused::GameNotFound => Code::GameNotFound,
            Refused::SeatCount { .. } => return Problem::new(Code::InvalidOptions).field("seats").detail(detail),
            Refused::Options(OptionsError::Malformed(MalformedOptions { path, .. })) => {
                let path = if path == "." { "options".to_owned() } else { format!("options.{path}") };
                return Problem::new(Code::InvalidOptions).path(path).detail(detail);
            }
            Refused::Options(OptionsError::Refused(refusal)) => {
                return Problem::new(Code::InvalidOptions).refusal(&refusal);
            }
            Refused::NotSeated => Code::NotSeated,
            Refused::NotCreator => Code::Forbidden,
            Refused::NoSuchSeat => Code::NoSuchSeat,
            Refused::SeatTaken => Code::SeatTaken,
            Refused::MatchFull => Code::MatchFull,
            Refused::AlreadySeated => Code::AlreadySeated,
            Refused::SeatsOpen => Code::SeatsOpen,
            Refused::NotOpen => Code::MatchNotOpen,
            Refused::NotPlaying => Code::MatchNotPlaying,
            Refused::MatchOver(version) => return Problem::new(Code::MatchOver).version(version).detail(detail),
            Refused::NotOver => Code::MatchNotOver,
            Refused::NotYourTurn(version) => return Problem::new(Code::NotYourTurn).version(version).detail(detail),
            Refused::StaleDecision(version) => {
                return Problem::new(Code::StaleDecision).version(version).detail(detail);
            }
            Refused::DecisionMissing | Refused::DecisionNotAccepted => {
                return Problem::new(Code::MalformedMove).field("decision_id").detail(detail);
            }
            Refused::Unread(Unread(said)) => {
                return match said.downcast_ref::<Problem>() {
                    Some(problem) => problem.clone(),
                    None => Problem::internal(said),
                };
            }
            Refused::MalformedMove(malformed) => {
                let problem = Problem::new(Code::MalformedMove);
                return match &malformed.refusal {
                    Some(refusal) => problem.refusal(refusal),
                    None => problem.detail(malformed.detail),
                };
            }
            Refused::Illegal(refusal) => return Problem::new(Code::IllegalMove).refusal(&refusal),
            Refused::KeyReused => Code::IdempotencyKeyReused,
            Refused::AlreadyResigned => Code::AlreadyResigned,
            Refused::OwnSeat | Refused::NotToAct => Code::ClaimNotPossible,
            Refused::ClaimTooEarly { retry_after_seconds: Some(seconds) } => {
                return Problem::new(Code::ClaimTooEarly).retry_after_seconds(seconds).detail(detail);
            }
            Refused::ClaimTooEarly { retry_after_seconds: None } => Code::ClaimNotPossible,
            Refused::NoDraws => Code::DrawNotSupported,
            Refused::DrawOnOffer => Code::DrawOffered,
            Refused::NoDrawOffer => Code::NoDrawOffer,
            Refused::NoSuchVersion => Code::VersionNotFound,
            Refused::FullTooEarly => Code::MatchNotOver,
            Refused::Busy | Refused::TooManyChanges => Code::Conflict,
            Refused::Unreadable(cause) => return Problem::internal(cause),
            Refused::Store(error) => return error.into(),
        };
        Problem::new(code).detail(detail)
    }
}

impl From<PlayersError> for Problem {
    fn from(error: PlayersError) -> Problem {
        let detail = error.to_string();
        match error {
            PlayersError::RefreshTokenInvalid => Problem::new(Code::RefreshTokenInvalid),
            PlayersError::RefreshTokenReused => Problem::new(Code::RefreshTokenReused),
            PlayersError::RefreshContended => Problem::new(Code::Conflict).detail(detail),
            PlayersError::Store(error) => error.into(),
            other => Problem::internal(other),
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
