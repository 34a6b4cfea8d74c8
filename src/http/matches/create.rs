//! `POST /v1/matches`: make a match.

use actix_web::{HttpResponse, http::header, post};

use super::{MatchView, match_problem};
use crate::http::body::JsonBody;
use crate::http::caller::Writer;
use crate::http::problem::Problem;
use crate::http::service::Shared;
use crate::http::unions::{CreateMatchUnion, NewMatchBody};
use crate::matches::NewMatch;

/// Make a match
///
/// The caller becomes its creator and, unless `seat` is null, takes a seat. A public match is listed for everyone; a
/// private one is seen only by its seats, its creator and holders of its `invite_code`. The answer's `commitment`
/// fixes the server's part of the dice before anyone else has contributed.
#[utoipa::path(
    operation_id = "createMatch",
    tag = "matches",
    request_body = CreateMatchUnion,
    responses((status = 201, description = "The match.", body = MatchView, headers(
        ("Location" = String, description = "Address of the match.")
    ))),
    security(("bearer" = []))
)]
#[post("/matches")]
pub async fn create_match(
    service: Shared,
    caller: Writer,
    JsonBody(body): JsonBody<NewMatchBody>,
) -> Result<HttpResponse, Problem> {
    let creator = service.seated(&caller).await?;
    let seen = service.matches.create(creator, NewMatch::from(body)).await.map_err(match_problem)?;
    let view = MatchView::of(&seen, Default::default()).map_err(match_problem)?;
    let location = format!("/v1/matches/{}", view.r#match.id);
    Ok(HttpResponse::Created().insert_header((header::LOCATION, location)).json(view))
}
