//! `POST /v1/matches/{match_id}/fork`: try out alone how a match could have gone on.

use actix_web::{HttpRequest, HttpResponse, post};
use serde::Deserialize;
use utoipa::ToSchema;

use super::commands::Version;
use super::seats::created;
use super::types::MatchView;
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::extract::body::RawBody;
use crate::extract::caller::Playing;
use crate::extract::idempotency::{Nulls, idempotency};
use crate::extract::params::Path;
use crate::service::Shared;
use sarsen_base::ids::MatchId;
use sarsen_matches::Unread;

/// From where to go on.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ForkRequest {
    /// The version with whose position the fork begins.
    #[schema(value_type = i64, minimum = 1, maximum = 4294967295_i64, examples(17))]
    version: Version,
}

/// Fork a match
///
/// Makes a match that begins with the position that this one had at a version, to try out how it could have gone on:
/// private, without a clock, and the caller's alone, who sits on every seat (`as_seat`) and whom nobody joins. It
/// goes by the same rules and options, has a seed of its own, and says `analysis` and `forked_from`. Moves of all
/// seats are undone freely, back to where chance had a part. There are no bots; hints there are if the match before
/// has finished.
///
/// Everybody who may read a finished match can fork it, including its hidden hands and piles, which its record shows.
/// An unfinished match can be forked only where its game hides nothing and leaves nothing to chance during play. The
/// players at the table do not learn of it. A position in which nothing is left to decide cannot be played on; one of a
/// match that was given up can. An idempotency key counts for 24 hours.
#[utoipa::path(
    operation_id = "forkMatch",
    tag = "matches",
    params(Path::<MatchId>),
    request_body = ForkRequest,
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::ForkSecret, Code::VersionNotFound, Code::MatchNotPlaying, Code::MatchOver,
        Code::PlayerNotFound, Code::Conflict
    ])), ("x-idempotent" = json!(true))),
    responses((status = 201, description = "The fork.", body = MatchView, headers(
        ("Location" = String, description = "Address of the match.")
    ))),
    security(("bearer" = ["create"]))
)]
#[post("/v1/matches/{match_id}/fork")]
pub(crate) async fn fork_match(
    service: Shared,
    caller: Playing,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let version = body.decode::<ForkRequest>().map(|asked| asked.version.get().into()).map_err(Unread::new);
    // Keys belong to the player, not to a match.
    let once = idempotency(&request, &["forkMatch", id.as_str()], body.bytes(), Nulls::AreNothing)?;
    let creator = service.seated(&caller).await?;
    created(service.matches.fork(creator, &id, version, once.as_ref()).await)
}
