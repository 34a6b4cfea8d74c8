//! `GET /v1/games/{game}/glossary`: what a game's components are and do.

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Serialize;
use utoipa::ToSchema;

use super::Catalogue;
use crate::http::answer::codes::Code;
use crate::http::answer::problem::Problem;
use crate::http::extract::params::{GameParam, Path};
use crate::rules::Glossary;

/// A game's components in words.
#[derive(Serialize, ToSchema)]
pub struct GlossaryList {
    /// One glossary for each edition that matches may use; empty for games that name nothing but places.
    pub items: Vec<Glossary>,
    /// Always null: the list has one page.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// Read a game's glossary
///
/// What its cards, tiles and tracks are and do, in words, for each edition of the components that matches may have.
#[utoipa::path(
    operation_id = "getGlossary",
    tag = "games",
    params(GameParam),
    security(()),
    extensions(("x-problems" = json!([Code::GameNotFound])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The glossary.", body = GlossaryList))
)]
#[get("/v1/games/{game}/glossary")]
pub async fn get_glossary(
    game: Path<GameParam>,
    catalogue: web::Data<Catalogue>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    Ok(catalogue.find(&game.0.0)?.glossary.respond(&request))
}
