//! From why a match did not do what was asked to the problem that a client sees.

use crate::games::OptionsError;
use crate::http::answer::codes::Code;
use crate::http::answer::problem::Problem;
use crate::matches::{Refused, Unread};
use crate::players::PlayersError;
use crate::rules::MalformedOptions;

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

/// The problem that a client sees.
pub fn player_problem(error: PlayersError) -> Problem {
    let detail = error.to_string();
    match error {
        PlayersError::RefreshTokenInvalid => Problem::new(Code::RefreshTokenInvalid),
        PlayersError::RefreshTokenReused => Problem::new(Code::RefreshTokenReused),
        PlayersError::RefreshContended => Problem::new(Code::Conflict).detail(detail),
        PlayersError::Store(error) => error.into(),
        other => Problem::internal(other),
    }
}
