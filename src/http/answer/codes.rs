//! The closed list of problem codes: what can go wrong, in words that stay.
//!
//! Invariant: a code's name and status never change once released; wording may. Every failure that a client sees
//! carries one of these, and `/problems/{code}` explains it.

use actix_web::http::StatusCode;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};
use utoipa::ToSchema;

macro_rules! codes {
    ($($variant:ident $name:tt $status:literal $title:literal $explanation:literal;)+) => {
        /// The stable name of the problem. Clients branch on this and on nothing else. More may come: ignore one that
        /// you do not know.
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display, EnumString, Serialize, Deserialize,
            ToSchema,
        )]
        #[schema(as = ProblemCode)]
        #[expect(clippy::enum_variant_names, reason = "`WrongCode` is named as on the wire")]
        pub(crate) enum Code {
            $(#[doc = $title] #[serde(rename = $name)] #[strum(serialize = $name)] $variant),+
        }

        impl Code {
            /// Every code, in the order of the documentation.
            pub(crate) const ALL: &[Code] = &[$(Code::$variant),+];

            /// The name on the wire.
            pub(crate) const fn name(self) -> &'static str {
                match self { $(Code::$variant => $name),+ }
            }

            /// The HTTP status that goes with it, as a number.
            pub(crate) const fn status_number(self) -> u16 {
                match self { $(Code::$variant => $status),+ }
            }

            /// A few words for a person.
            pub(crate) const fn title(self) -> &'static str {
                match self { $(Code::$variant => $title),+ }
            }

            /// Returns the meaning of the code and advice on what to do about it.
            pub(crate) const fn explanation(self) -> &'static str {
                match self { $(Code::$variant => $explanation),+ }
            }
        }
    };
}

codes! {
    Unauthenticated "unauthenticated" 401 "Not signed in"
        "The operation needs an access token, and the request carried none. Send `Authorization: Bearer <access token>`; a guest gets one by creating a player.";
    TokenInvalid "token_invalid" 401 "Access token not valid"
        "The access token was not issued by this service: it is malformed, signed by another key or with another algorithm, or meant for another audience. Get a new one; repeating the request does not help.";
    TokenExpired "token_expired" 401 "Access token expired"
        "Access tokens live for minutes. Exchange the refresh token for a new pair and repeat the request. A program's token that has expired is replaced by a new one, which its owner makes.";
    TokenRevoked "token_revoked" 401 "Access token revoked"
        "The session that this access token belongs to was ended, and its refresh token no longer works either; or the program's token was revoked.";
    RefreshTokenInvalid "refresh_token_invalid" 401 "Refresh token not valid"
        "The refresh token is unknown, expired, or belongs to a session that was ended.";
    RefreshTokenReused "refresh_token_reused" 401 "Refresh token used twice"
        "This refresh token is no longer its session's: others have taken its place, and the 30 seconds in which it may be sent twice are over. Somebody else may hold a copy, so the whole session was ended.";
    TicketInvalid "ticket_invalid" 401 "Stream ticket not valid"
        "A stream ticket works once and for a minute. Ask for a new one.";
    OutsideTokenInvalid "outside_token_invalid" 401 "Outside token not valid"
        "The token of the outside issuer does not count here: its form, algorithm, key, signature, issuer, audience or times are not as agreed with the operator. Get a fresh one from the issuer.";
    Forbidden "forbidden" 403 "Not allowed"
        "The caller is known, but is not allowed to do this. The detail says who may.";
    Banned "banned" 403 "Banned"
        "An operator has banned the player. `until` says when the ban ends; without it, only an operator ends it. A ban from playing leaves reading, leaving and resigning.";
    ScopeMissing "scope_missing" 403 "Scope missing"
        "The token lacks the scope that `scope` names, and that the operation names in `x-scopes`. A token of a program has the scopes that it was made with, of `read`, `play`, `create` and `notify`; `account` is for persons in a session, and no token of a program has it. Scopes that begin with `admin:` are for operators' tokens.";
    LinkedRequired "linked_required" 403 "Linked account required"
        "The match needs a player who has linked an account of an outside issuer (`POST /v1/me/identities`), or a bot account of one: its `join` says so, or it is rated and `rated_requires` of `GET /v1/limits` does.";
    RatingOutOfRange "rating_out_of_range" 403 "Rating outside the range"
        "The match takes players with ratings in a range (`join` of the match), and the caller's rating in its category is outside. Who has no rating there counts as 1500.";
    Blocked "blocked" 403 "Not with these players"
        "Somebody with whom the caller would play does not want that. Find another table or other players; it is not said who it was.";
    NotSeated "not_seated" 403 "No seat in this match"
        "Only players who hold a seat in the match may do this.";
    HotseatOnly "hotseat_only" 403 "Not your seat"
        "`as_seat` names a seat that the caller does not hold. One player holds several only where the match was made with `hotseat: true`, or to be handed round.";
    NotInvited "not_invited" 403 "No seat kept for you"
        "No seat of the match is kept for the caller: none was, or it was declined, taken, or kept long enough.";
    ForkSecret "fork_secret" 403 "A fork would tell secrets"
        "The match has not finished, and its game has hidden information or chance during play. Fork it once it has finished; a match that was called off stays closed.";
    HintsOff "hints_off" 403 "No hints in this match"
        "The match gives no hints: its `hints` is false, or its game has no bots here.";
    NotFound "not_found" 404 "Nothing here"
        "There is nothing at this address. The document at `/openapi.json` lists every address.";
    MatchNotFound "match_not_found" 404 "No such match"
        "There is no match with this id, or the caller may not see it: a private match is visible to its seats, to players who are invited, and to holders of its invite code.";
    VersionNotFound "version_not_found" 404 "No such version"
        "The match has not reached this version.";
    GameNotFound "game_not_found" 404 "No such game"
        "This instance offers no game with this id. `GET /v1/games` lists them.";
    EditionNotFound "edition_not_found" 404 "No such edition"
        "The game has no edition of its components with this digest on this instance, or its components have no editions. `GET /v1/games/{game}/glossary` lists the editions.";
    BoardNotFound "board_not_found" 404 "No such board"
        "There is no board with this id. `GET /v1/leaderboards` lists them.";
    RatingNotReady "rating_not_ready" 404 "Not rated yet"
        "The match has ended, and its ratings are being computed. Ask again after a second.";
    PlayerNotFound "player_not_found" 404 "No such player"
        "There is no player with this id.";
    WrongInvite "wrong_invite" 404 "Invite code opens nothing"
        "There is no match with this id that this invite code opens. The answer is the same whether or not the match exists.";
    WrongCode "wrong_code" 404 "Code opens nothing"
        "The pairing code or recovery key opens nothing: it is unknown, used, expired or replaced. Which of these is not said.";
    IssuerNotFound "issuer_not_found" 404 "No such issuer"
        "The operator has listed no outside issuer of this name.";
    PoolNotFound "pool_not_found" 404 "No such pool"
        "There is no pool with this id. `GET /v1/pools` lists them.";
    WebhookNotFound "webhook_not_found" 404 "No such webhook"
        "The caller has no webhook with this id.";
    MethodNotAllowed "method_not_allowed" 405 "Method not allowed"
        "The address exists, but not with this method. The `Allow` header lists those that do.";
    NotAcceptable "not_acceptable" 406 "No acceptable form"
        "The `Accept` or `Accept-Encoding` header leaves no form that this operation can answer in.";
    UnsupportedMediaType "unsupported_media_type" 415 "Body is not plain JSON"
        "Request bodies are JSON in UTF-8 and say so: `Content-Type: application/json`. They are not compressed: no `Content-Encoding` but `identity`.";
    PayloadTooLarge "payload_too_large" 413 "Body too large"
        "The request body is longer than this service accepts. The detail gives the limit in bytes.";
    BodyTooSlow "body_too_slow" 408 "Body not sent in time"
        "The request's body had not arrived whole within the time that a request has. Nothing was done: send the request again, and its body without a pause.";
    BadRequest "bad_request" 400 "Not a usable HTTP request"
        "The request cannot be understood as HTTP, before any of it was looked at.";
    MalformedJson "malformed_json" 400 "Body is not JSON"
        "The request body is missing, is not one JSON value, uses a property twice in one object, or nests too deeply. The detail says where.";
    InvalidRequest "invalid_request" 400 "Body does not fit the schema"
        "The body is JSON, but not what the operation takes: a property is unknown, missing, of the wrong type or out of range. `path` says which. For a key of a push subscription `reason` is the rule: `encoding` (not base64url), `length` (not that of the key), or `point` (not on the curve P-256).";
    InvalidParameter "invalid_parameter" 400 "Parameter not valid"
        "A query parameter or header is unknown, repeated, of the wrong form or out of range.";
    MalformedMove "malformed_move" 422 "Not a move of this game"
        "The move is not of the game's schema, or the notation cannot be read. Nothing was changed.";
    IllegalMove "illegal_move" 422 "Against the rules"
        "The rules do not allow this move now. `rule` names the ruling or section that decides, `reason` is the game's own stable code, and `field` the property at fault. Nothing was changed.";
    StaleDecision "stale_decision" 409 "Decision no longer open"
        "`decision_id` names a decision that has been made or has passed. Read the match and decide again; `version` is its current version.";
    NotYourTurn "not_your_turn" 409 "Not your turn"
        "The caller's seat has no open decision. `version` is the match's current version.";
    OutOfTime "out_of_time" 409 "Time is over"
        "The seat's time for the decision that the move answers has run out, and what follows from that has been done. Read the match; `version` is its current version.";
    MatchOver "match_over" 409 "The match is over"
        "The match has ended. `version` is its last version.";
    MatchNotOver "match_not_over" 409 "The match has not finished"
        "This becomes available when the match has finished; for a match that was called off it never does.";
    ReviewNotPossible "review_not_possible" 409 "Nothing to review"
        "A match is reviewed once it has finished, and only where its game has bots here. A match that was called off is not.";
    MatchNotOpen "match_not_open" 409 "The match has left its opening stage"
        "Seats are taken and left, and matches started and called off, and entropy is given, only before the start.";
    MatchExpired "match_expired" 409 "The match has expired"
        "The match had not started when its time was over. `expires_at` said when. It is called off, and deleted some days later.";
    TooManyOpen "too_many_open" 409 "Too many matches not started"
        "The caller has made as many matches that have not started as one player may have. Call one off, or wait until one starts or expires.";
    AlreadyPlaying "already_playing" 409 "Playing already"
        "The caller sits in a live match that is being played, `match_id`, and a live pool pairs nobody who does. Finish it or resign first.";
    AlreadyMatched "already_matched" 409 "Matched already"
        "The ticket was paired before it was taken back. `match_id` is the match, which has started.";
    LimitReached "limit_reached" 409 "No more of these"
        "The caller has as many of these as one player may have: tokens, bot accounts, identities, contacts, blocks, tickets of pools, webhooks or push subscriptions. `GET /v1/limits` says how many. Delete one first.";
    TooManyWithBots "too_many_with_bots" 409 "Too many matches with bots"
        "The caller has made as many matches with bots that are not over as one player may have. Finish one, resign from one, or call one off.";
    MatchNotPlaying "match_not_playing" 409 "The match is not being played"
        "This is possible only between the start and the end of a match.";
    SeatTaken "seat_taken" 409 "Seat taken"
        "Somebody else holds the seat that was asked for.";
    SeatReserved "seat_reserved" 409 "Seat kept for somebody else"
        "The seat is kept for another player. `reserved_for` says for whom; take another seat, or wait whether the player declines.";
    RematchOff "rematch_off" 409 "No rematch"
        "The match was made with `rematch: false`. Make a new match instead.";
    SeatsOpen "seats_open" 409 "Seats still open"
        "A match starts when every seat is held.";
    NoSuchSeat "no_such_seat" 409 "No such seat"
        "The match has fewer seats than that; seats are numbered from 0.";
    MatchFull "match_full" 409 "No seat left"
        "Every seat of the match is held, or kept for another player.";
    AlreadySeated "already_seated" 409 "Already seated"
        "The caller holds a seat in this match, and nobody holds two.";
    AlreadyResigned "already_resigned" 409 "Seat has resigned"
        "The seat has left the match; others play on.";
    DrawOffered "draw_offered" 409 "A draw is on offer"
        "A draw is on offer already, or the seat has offered one since its last move. Accept or decline it, or wait.";
    NoDrawOffer "no_draw_offer" 409 "No draw offered"
        "There is no offer of a draw to accept or decline.";
    DrawNotSupported "draw_not_supported" 409 "This game has no agreed draws"
        "Draws cannot be agreed in this game; `draws` in its description says so.";
    UndoOff "undo_off" 409 "Nothing to undo that way"
        "The match's `undo` does not allow this, or the caller has undone 20 times in it, which is as often as anybody may who does not hold every seat.";
    UndoBarrier "undo_barrier" 409 "Cannot be undone"
        "Something between that version and the present one cannot be undone, or not by the caller alone. `barrier_version` is the newest such step, which can be gone back to but not behind; `reason` is `chance` (it had a part in it), `revealed` (somebody was shown what was hidden), `other_seat` (it is not a move of the caller's own turn) or `turn_passed` (the turn is over). The last two a takeback may get over. `version` is the match's current version.";
    TakebackOffered "takeback_offered" 409 "A takeback is on offer"
        "A takeback is on offer already, or the seat has offered one since its last turn. Accept or decline it, or wait.";
    NoTakebackOffer "no_takeback_offer" 409 "No takeback offered"
        "There is no offer of a takeback to accept or decline; it lapses with any move.";
    PlanNotSupported "plan_not_supported" 409 "No moves can be planned"
        "Moves are planned in games without hidden information and without chance during play, in matches of several players without a live clock, and for turns to come: not while it is the caller's turn. The detail says what stands in the way.";
    StaleVersion "stale_version" 409 "The match has moved on"
        "The request is for a version of the match that is not the present one any more. Read the match, and ask again if it still makes sense; `version` is its current version.";
    ClaimTooEarly "claim_too_early" 409 "Too early to claim"
        "The seat to act still has time. `retry_after_seconds` says how long.";
    ClaimNotPossible "claim_not_possible" 409 "Nothing to claim"
        "The seat is the caller's own, has nothing to decide, or may take all the time it wants; or the match has a clock, by which the service goes itself.";
    NoClock "no_clock" 409 "No clock"
        "The match has no clock, or the seat has none: bots have none.";
    ClockFixed "clock_fixed" 409 "The clock cannot be changed"
        "The caller may not change this clock: nobody gives time to themselves, nor more than 20 times between two moves of their own, nor any in a rated match.";
    NotSubstituted "not_substituted" 409 "Nobody plays for you"
        "No bot plays for the caller: there is nothing to come back to.";
    BackupRunning "backup_running" 409 "A backup is being made"
        "One backup is made at a time. Wait until it is done.";
    BackupElsewhere "backup_elsewhere" 409 "Backups are made elsewhere"
        "The service keeps its matches on Redis, whose own means make backups: its snapshots and its append-only file. The command `sarsen export` works there too.";
    ReplayRunning "replay_running" 409 "A replay is running"
        "Deliveries of this webhook are being ordered again. Wait until that is done, which takes seconds.";
    IdentityTaken "identity_taken" 409 "Linked to another player"
        "The account is linked to another player. Sign in by it as that player and unlink it there; players are never merged.";
    Conflict "conflict" 409 "Changed by somebody else"
        "Somebody else changed the same thing at the same moment, and this request lost. Read it again and retry.";
    InvalidOptions "invalid_options" 422 "Options not possible"
        "The options do not fit the game, each other, or the number of seats. `rule`, `reason` and `field` say why.";
    InvalidClock "invalid_clock" 422 "Clock not possible"
        "The clock is out of its bounds, or does not fit the match. `field` names the property at fault.";
    NotRateable "not_rateable" 422 "Match cannot be rated"
        "A part of the request does not go with `rated: true`. `reason` says what: `game`, `options`, `clock`, `undo`, `hints`, `hotseat`, `bots`, `seats` or `private`.";
    InvalidPlan "invalid_plan" 422 "Plan not possible"
        "The plan names a move that is none of the game or needs no turn, has two branches side by side for the same moves, or is out of its bounds. `path` names the place at fault.";
    UrlNotAllowed "url_not_allowed" 422 "URL not allowed"
        "The service does not send to this URL. `reason` is the rule: `malformed` (no absolute URL), `length` (more than 2,048 bytes), `scheme` (not https), `user_info` (a name or a password in it), `host` (none), `port` (0 or empty), or `address` (not one that everybody can reach).";
    PositionInvalid "position_invalid" 422 "Position does not open"
        "The position was not sealed by this service, or has been changed, or was sealed with a token key or for rules that the service has no more. Positions live as long as their key; set up or imagine a new one.";
    ImpossibleView "impossible_view" 422 "No state shows this view"
        "The JSON is no view of the game, or contradicts itself, or shows a state in which nobody has to decide though the game is not over. The view of a position or of a match is one as it is answered, for the seat that it was answered to.";
    AnswerTooLarge "answer_too_large" 422 "Answer too large"
        "The answer would have more than 8 MiB. Ask for fewer positions at once, or for fewer views and legal moves.";
    InvalidName "invalid_name" 422 "Name not possible"
        "Names and texts are limited in length and in the characters they may have. The detail says what is wrong.";
    IdempotencyKeyInvalid "idempotency_key_invalid" 400 "Idempotency key not valid"
        "An `Idempotency-Key` is 1 to 255 printable ASCII characters, with no space at either end.";
    IdempotencyKeyReused "idempotency_key_reused" 422 "Idempotency key used for another request"
        "The same key came with another request before: another body, or another operation. A key belongs to one request and its repetitions.";
    RateLimited "rate_limited" 429 "Too many requests"
        "The caller has used up its allowance. `Retry-After` and `retry_after_seconds` say when there is more.";
    TooManyConnections "too_many_connections" 429 "Too many connections"
        "The caller's address has more connections open than an instance allows, so this one is closed. Use connections for several requests, or close some. `Retry-After` and `retry_after_seconds` say when to try again.";
    TooManyStreams "too_many_streams" 429 "Too many streams"
        "The caller's address has more streams open than an instance allows, and none of them is the caller's. (Where it is the player who has too many, the player's oldest is closed instead.) Close one, or follow all matches with the one stream of `/v1/me/events`. `Retry-After` and `retry_after_seconds` say when to try again.";
    RequestTimeout "request_timeout" 503 "Took too long"
        "The service gave up on the request. It may or may not have taken effect: repeat it with the same `Idempotency-Key`, or read first.";
    Busy "busy" 503 "Too much work waiting"
        "More of this work is waiting than the instance takes on. Nothing was done: repeat the request after `Retry-After`.";
    StoreUnavailable "store_unavailable" 503 "Store unavailable"
        "The service cannot reach its store just now. What was asked may or may not have happened: repeat it with the same `Idempotency-Key`, or read first. `Retry-After` says when.";
    IssuerUnavailable "issuer_unavailable" 503 "Issuer unavailable"
        "The keys of the outside issuer cannot be had just now, so its tokens cannot be checked. Sessions go on. Repeat the request after `Retry-After`.";
    ComponentsMissing "components_missing" 503 "Components are not here"
        "The match is played with components, a component set of Henge, that this instance does not have. Nothing of the match is lost: it goes on once the operator has given them back. Repeating the request at once does not help.";
    Internal "internal" 500 "Fault of the service"
        "Something went wrong inside the service. The operator finds it in the log under `instance`.";
}

impl Code {
    /// The HTTP status that goes with the code.
    pub(crate) fn status(self) -> StatusCode {
        StatusCode::from_u16(self.status_number()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The code that says best what a status of another origin means.
    pub(crate) fn of_status(status: StatusCode) -> Code {
        match status.as_u16() {
            401 => Code::Unauthenticated,
            403 => Code::Forbidden,
            404 => Code::NotFound,
            405 => Code::MethodNotAllowed,
            406 => Code::NotAcceptable,
            413 => Code::PayloadTooLarge,
            415 => Code::UnsupportedMediaType,
            429 => Code::RateLimited,
            400..=499 => Code::BadRequest,
            _ => Code::Internal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_round_trip_as_json() {
        for &code in Code::ALL {
            assert_eq!(code.name().parse::<Code>(), Ok(code));
            assert_eq!(serde_json::to_value(code).unwrap(), code.name());
        }
    }

    #[test]
    fn the_schema_lists_the_names_on_the_wire() {
        // A name as a `literal` fragment would be invisible to the schema's derive; `tt` is not.
        let schema = serde_json::to_value(<Code as utoipa::PartialSchema>::schema()).unwrap();
        let names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(schema["enum"], serde_json::json!(names));
    }

    #[test]
    fn every_code_has_an_error_status_and_says_something() {
        for &code in Code::ALL {
            assert!((400..=599).contains(&code.status_number()), "{code}");
            assert!(!code.title().is_empty() && code.explanation().ends_with('.'), "{code}");
        }
    }
}
