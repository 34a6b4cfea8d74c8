//! The problem codes of the operations on players, matches and events.
//!
//! Small resources say theirs in the handler (`x-problems`); here they stand side by side, because many operations
//! share them. What follows from an operation's declaration (a body, a token, a query) is not repeated.

use crate::http::answer::codes::Code;

/// The codes of an operation's own, by its id; `None` for an operation that is not listed here.
pub fn problems(operation: &str) -> Option<Vec<Code>> {
    use Code::*;
    let read = [MatchNotFound, WrongInvite];
    let change = [MatchNotFound, NotSeated, Conflict];
    let draw = [MatchNotPlaying, MatchOver, AlreadyResigned, DrawNotSupported];
    let codes = match operation {
        "createPlayer" => vec![InvalidName, RateLimited, StoreUnavailable],
        "refreshTokens" => vec![RefreshTokenInvalid, RefreshTokenReused, Conflict, StoreUnavailable],
        "revokeTokens" | "createStreamTicket" => vec![],
        "getMe" => vec![PlayerNotFound],
        "getPlayer" => vec![PlayerNotFound, StoreUnavailable],
        "createMatch" => vec![GameNotFound, InvalidOptions, NoSuchSeat, PlayerNotFound],
        "listMatches" => vec![Unauthenticated, GameNotFound],
        "getMatch" => read.to_vec(),
        "getMatchVersion" => [&read[..], &[VersionNotFound, MatchNotOver]].concat(),
        "exportMatch" => [&read[..], &[MatchNotOver]].concat(),
        "joinMatch" => {
            let seats = [MatchNotOpen, MatchFull, SeatTaken, NoSuchSeat, AlreadySeated, PlayerNotFound, Conflict];
            [&read[..], &seats].concat()
        }
        "leaveMatch" | "giveEntropy" => [&change[..], &[MatchNotOpen]].concat(),
        "startMatch" => vec![MatchNotFound, Forbidden, MatchNotOpen, SeatsOpen, Conflict],
        "abortMatch" => vec![MatchNotFound, Forbidden, MatchNotOpen, Conflict],
        "resignMatch" => [&change[..], &[MatchNotPlaying, MatchOver, AlreadyResigned]].concat(),
        "claimAbsence" => {
            let claim = [MatchNotPlaying, MatchOver, AlreadyResigned, ClaimNotPossible, ClaimTooEarly, NoSuchSeat];
            [&change[..], &claim].concat()
        }
        "offerDraw" => [&change[..], &draw, &[DrawOffered]].concat(),
        "acceptDraw" | "declineDraw" => [&change[..], &draw, &[NoDrawOffer]].concat(),
        "makeMove" => {
            let turn = [MatchNotPlaying, MatchOver, NotYourTurn, StaleDecision, MalformedMove, IllegalMove];
            [&change[..], &turn, &[IdempotencyKeyInvalid, IdempotencyKeyReused]].concat()
        }
        "listMatchEvents" => [&read[..], &[TicketInvalid, NotAcceptable]].concat(),
        "listMyEvents" => vec![TicketInvalid, NotAcceptable],
        _ => return None,
    };
    Some(codes)
}
