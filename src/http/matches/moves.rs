//! `POST /v1/matches/{match_id}/moves`: make a move.

use actix_web::{HttpRequest, HttpResponse, post};
use serde::Deserialize;
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::body::move_result;
use super::types::{AnswerForms, LegalMovesForm, MoveResult};
use crate::answer::codes::Code;
use crate::answer::json::json;
use crate::answer::problem::Problem;
use crate::answer::shapes::Move;
use crate::extract::as_seat::seat_fingerprint;
use crate::extract::body::RawBody;
use crate::extract::caller::Playing;
use crate::extract::idempotency::{Nulls, idempotency, mark_replayed};
use crate::extract::params::{Path, Query};
use crate::service::Shared;
use sarsen_base::ids::MatchId;
use sarsen_games::MoveInput;
use sarsen_matches::play::{DecisionId, MoveRequest};
use sarsen_matches::{Reader, Unread};
use sarsen_rules::Seat;

/// The most characters of a move in notation.
pub(crate) const NOTATION_MAX: usize = 1000;

/// A move.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MakeMove {
    /// The decision that the move answers, as in `decision.id` of the match. Moves that need no turn (signals) carry
    /// none, all others do.
    #[serde(default)]
    #[schema(examples("17.0"), pattern = "^(0|[1-9][0-9]{0,15})\\.[0-4]$")]
    decision_id: Option<String>,
    /// The move as an object; exactly one of `move` and `notation` is given.
    #[serde(default)]
    #[schema(value_type = Option<Move>)]
    r#move: Option<Value>,
    /// The move in the game's notation.
    #[serde(default)]
    #[schema(examples("29b-5b"), min_length = 1, max_length = 1000)]
    notation: Option<String>,
}

impl MakeMove {
    fn request(self) -> Result<MoveRequest, Problem> {
        let invalid = |field: &str, detail: &str| {
            Problem::new(Code::InvalidRequest).path(field.to_owned()).detail(detail.to_owned())
        };
        let decision = self.decision_id.map(|id| id.parse::<DecisionId>()).transpose();
        let decision = decision.map_err(|wrong| invalid("decision_id", wrong))?;
        let mv = match (self.r#move, self.notation) {
            (Some(json), None) => MoveInput::Json(json),
            (None, Some(text)) if (1..=NOTATION_MAX).contains(&text.chars().count()) => MoveInput::Notation(text),
            (None, Some(_)) => return Err(invalid("notation", "a notation has 1 to 1000 characters")),
            _ => return Err(invalid(".", "exactly one of `move` and `notation` is given")),
        };
        Ok(MoveRequest { decision, mv })
    }
}

/// The options of a move.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct MoveQuery {
    /// The form of the caller's next legal moves.
    #[serde(default)]
    #[param(default = "full")]
    legal_moves: LegalMovesForm,
    /// Adds words that can be read aloud to moves, events and legal moves.
    #[serde(default)]
    #[param(default = false)]
    text: bool,
    /// As which of the caller's seats, where the caller holds several; the lowest if left out.
    #[param(nullable = false)]
    as_seat: Option<Seat>,
    /// Judge the move and show what it would do up to the first random event, without making it.
    #[serde(default)]
    #[param(default = false)]
    dry_run: bool,
}

/// Make a move
///
/// Give the move as an object (`move`) or in the game's notation (`notation`), and name the decision it answers. With
/// `dry_run=true` the move is judged and shown up to the first random event, and nothing is stored; an idempotency key is
/// then ignored.
#[utoipa::path(
    operation_id = "makeMove",
    tag = "play",
    params(
        Path::<MatchId>,
        MoveQuery
    ),
    request_body = MakeMove,
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::Forbidden, Code::HotseatOnly, Code::Conflict, Code::MatchNotPlaying,
        Code::MatchOver, Code::OutOfTime, Code::NotYourTurn, Code::StaleDecision, Code::MalformedMove, Code::IllegalMove
    ])), ("x-idempotent" = json!(true))),
    responses(
        (status = 200, description = "The result that the move would have.", body = MoveResult),
        (status = 201, description = "The move was made.", body = MoveResult)
    ),
    security(("bearer" = ["play"]))
)]
#[post("/v1/matches/{match_id}/moves")]
pub(crate) async fn make_move(
    service: Shared,
    caller: Playing,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    Query(query): Query<MoveQuery>,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let read = body.decode::<MakeMove>().and_then(MakeMove::request).map_err(Unread::new);
    let once = idempotency(&request, &["makeMove", &seat_fingerprint(query.as_seat)], body.bytes(), Nulls::AreNothing)?;
    let reader = Reader::from(&*caller).sitting(query.as_seat);
    let forms = AnswerForms { legal_moves: query.legal_moves, text: query.text };
    if query.dry_run {
        let moved = service.matches.rehearse(reader, &id, read).await?;
        return Ok(json(&mut HttpResponse::Ok(), move_result(&moved, forms, true)?));
    }
    let moved = service.matches.play(reader, &id, once.as_ref(), read).await?;
    let mut answer = HttpResponse::Created();
    mark_replayed(&mut answer, moved.replayed);
    Ok(json(&mut answer, move_result(&moved, forms, false)?))
}
