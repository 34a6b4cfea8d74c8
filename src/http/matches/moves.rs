//! `POST /v1/matches/{match_id}/moves`: make a move.

use actix_web::http::header::HeaderName;
use actix_web::{HttpRequest, HttpResponse, post};
use aws_lc_rs::digest::{SHA256, digest};
use serde::Deserialize;
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::types::{LegalMovesForm, MoveResult};
use crate::games::MoveInput;
use crate::http::answer::codes::Code;
use crate::http::answer::json::json;
use crate::http::answer::problem::Problem;
use crate::http::answer::shapes::Move;
use crate::http::extract::body::RawBody;
use crate::http::extract::caller::Writer;
use crate::http::extract::params::{Path, Query};
use crate::http::service::Shared;
use crate::ids::MatchId;
use crate::matches::Unread;
use crate::matches::play::{DecisionId, Idempotency, MoveRequest};

/// The most characters of a move in notation.
const NOTATION_MAX: usize = 1000;

/// A move.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMove {
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

impl NewMove {
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

/// How to make a move.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MoveQuery {
    /// How to list the caller's next legal moves.
    #[serde(default)]
    #[param(inline, default = "full")]
    legal_moves: LegalMovesForm,
    /// Judge the move and show what it would do up to the first random event, without making it.
    #[serde(default)]
    #[param(default = false)]
    dry_run: bool,
}

/// The header that carries the idempotency key.
const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// The header that marks an answer that was given before.
const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Make a move
///
/// Give the move as an object (`move`) or in the game's notation (`notation`), and name the decision it answers. With
/// an `Idempotency-Key`, repeating the same request is safe: it is applied once, and the first answer is given again
/// with `Idempotent-Replayed: true`. With `dry_run=true` the move is judged and shown up to the first random event,
/// and nothing is stored.
#[utoipa::path(
    operation_id = "makeMove",
    tag = "play",
    params(
        MatchId,
        MoveQuery,
        ("Idempotency-Key" = Option<String>, Header, nullable = false, min_length = 1, max_length = 255,
            pattern = "^[!-~]([ -~]*[!-~])?$",
            description = "Any text of printable ASCII characters that is unique to this request and its repetitions.")
    ),
    request_body = NewMove,
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::Conflict, Code::MatchNotPlaying, Code::MatchOver,
        Code::NotYourTurn, Code::StaleDecision, Code::MalformedMove, Code::IllegalMove,
        Code::IdempotencyKeyInvalid, Code::IdempotencyKeyReused
    ]))),
    responses(
        (status = 200, description = "What the move would do.", body = MoveResult),
        (status = 201, description = "The move was made.", body = MoveResult, headers(
            ("Idempotent-Replayed" = String, description = "`true` where the move had been made before.")
        ))
    ),
    security(("bearer" = []))
)]
#[post("/v1/matches/{match_id}/moves")]
pub async fn make_move(
    service: Shared,
    caller: Writer,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    Query(query): Query<MoveQuery>,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let read = body.decode::<NewMove>().and_then(NewMove::request).map_err(Unread::new);
    let idempotency = idempotency(&request, &body)?;
    if query.dry_run {
        let moved = service.matches.rehearse(&caller.player, &id, read).await?;
        let result = MoveResult::of(&moved, query.legal_moves, true)?;
        return Ok(HttpResponse::Ok().json(result));
    }
    let moved = service.matches.play(&caller.player, &id, idempotency.as_ref(), read).await?;
    let mut answer = HttpResponse::Created();
    if moved.replayed {
        answer.insert_header((IDEMPOTENT_REPLAYED, "true"));
    }
    json(&mut answer, &MoveResult::of(&moved, query.legal_moves, false)?)
}

fn idempotency(request: &HttpRequest, body: &RawBody) -> Result<Option<Idempotency>, Problem> {
    let mut given = request.headers().get_all(IDEMPOTENCY_KEY);
    let Some(key) = given.next() else { return Ok(None) };
    let key = key.to_str().ok().filter(|key| (1..=255).contains(&key.len()));
    match (key, given.next()) {
        (Some(key), None) if key.bytes().all(|byte| (0x20..0x7f).contains(&byte)) => Ok(Some(Idempotency {
            key: key.to_owned(),
            fingerprint: hex::encode(&digest(&SHA256, body.bytes()).as_ref()[..16]),
        })),
        _ => Err(Code::IdempotencyKeyInvalid.into()),
    }
}
