//! `POST /v1/matches/bulk`: make many matches at once, such as those of a round of a tournament.

use actix_web::{HttpRequest, HttpResponse, post};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::create::{CreateMatch, NULLS, NewMatchFields, make};
use super::types::Match;
use crate::answer::codes::Code;
use crate::answer::json::json;
use crate::answer::problem::{Problem, ProblemBody};
use crate::extract::body::{LongBody, decode};
use crate::extract::caller::Playing;
use crate::extract::idempotency::{idempotency, mark_replayed};
use crate::service::Shared;
use sarsen_matches::ViewedMatch;

/// The most matches of one request.
pub(crate) const BULK_MAX: usize = 100;

/// Matches to make.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchBatch {
    /// The matches, each as `createMatch` takes it.
    #[schema(value_type = Vec<CreateMatch>, min_items = 1, max_items = 100)]
    items: Vec<Value>,
}

/// A match of a batch: it was made, or was refused.
#[derive(Serialize, ToSchema)]
#[schema(as = BatchItem)]
pub(crate) struct BatchItemBody<'a> {
    /// The match; null where it was refused.
    #[schema(required)]
    r#match: Option<Match<'a>>,
    /// The problem; null where the match was made.
    #[schema(required)]
    problem: Option<&'a ProblemBody>,
}

impl<'a> BatchItemBody<'a> {
    /// Returns the item of one match: the match as it was made, or the problem that prevented it.
    pub(crate) fn of(made: &'a Result<ViewedMatch, Problem>) -> BatchItemBody<'a> {
        match made {
            Ok(viewed) => BatchItemBody { r#match: Some(Match::of(viewed)), problem: None },
            Err(problem) => BatchItemBody { r#match: None, problem: Some(problem.body()) },
        }
    }
}

/// The matches of a batch.
#[derive(Serialize, ToSchema)]
pub(crate) struct BatchResult<'a> {
    /// The outcome of each match, in the order of the request.
    pub(crate) items: Vec<BatchItemBody<'a>>,
}

/// Create many matches
///
/// Makes up to 100 matches, each as `createMatch` does: one that is refused does not keep the others from being made, and
/// answers with its problem. One idempotency key counts for the whole batch: sent again, the request makes only what it has
/// not made before. The body may have 1 MiB.
#[utoipa::path(
    operation_id = "createMatches",
    tag = "matches",
    request_body = MatchBatch,
    extensions(("x-problems" = json!([Code::PlayerNotFound])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The matches and problems.", body = BatchResult)),
    security(("bearer" = ["create"]))
)]
#[post("/v1/matches/bulk")]
pub(crate) async fn create_matches(
    service: Shared,
    caller: Playing,
    request: HttpRequest,
    LongBody(body): LongBody,
) -> Result<HttpResponse, Problem> {
    let once = idempotency(&request, &["createMatches"], body.bytes(), NULLS)?;
    let MatchBatch { items } = body.decode()?;
    if !(1..=BULK_MAX).contains(&items.len()) {
        let detail = format!("a batch has 1 to {BULK_MAX} matches");
        return Err(Problem::new(Code::InvalidRequest).path("items").detail(detail));
    }
    let mut made: Vec<Result<ViewedMatch, Problem>> = Vec::with_capacity(items.len());
    let mut replayed = true;
    for (number, item) in items.iter().enumerate() {
        let once = once.as_ref().map(|once| once.part(number));
        let asked = decode::<NewMatchFields>(item.to_string().as_bytes());
        let answered = make(&service, &caller, &request, asked, once.as_ref()).await;
        if let Err(problem) = &answered
            && problem.code() == Code::IdempotencyKeyReused
        {
            return Err(problem.clone());
        }
        replayed &= answered.as_ref().is_ok_and(|answered| answered.replayed);
        made.push(answered.map(|answered| answered.viewed));
    }
    let body = serde_json::to_vec(&BatchResult { items: made.iter().map(BatchItemBody::of).collect() });
    let mut answer = HttpResponse::Ok();
    mark_replayed(&mut answer, replayed);
    Ok(json(&mut answer, body.map_err(Problem::internal)?))
}
