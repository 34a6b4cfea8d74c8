//! `GET /v1/matches/{match_id}/board.svg` and the pictures of earlier versions.

use actix_web::{HttpRequest, HttpResponse, get};
use serde::Deserialize;
use utoipa::IntoParams;

use super::read::{HistoryView, tag};
use crate::http::answer::codes::Code;
use crate::http::answer::drawing::drawing;
use crate::http::answer::etag::{Lasting, digest_of};
use crate::http::answer::problem::Problem;
use crate::http::extract::caller::MaybeCaller;
use crate::http::extract::params::{Path, Query, VersionParam};
use crate::http::extract::picture::{PictureTheme, SpaceList, yes};
use crate::http::service::Shared;
use crate::ids::MatchId;
use crate::matches::ViewedMatch;
use crate::pictures::Ask;
use crate::rules::{Seat, Viewer};

/// How to draw a match.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PictureQuery {
    /// The colours: those that the reader's device prefers, or one of the two.
    #[serde(default)]
    #[param(default = "auto")]
    theme: PictureTheme,
    /// Whose side is down. If left out: the caller's own, or that of seat 0.
    #[param(nullable = false)]
    seat: Option<Seat>,
    /// Whether ids are written on the board.
    #[serde(default = "yes")]
    #[param(default = true)]
    coordinates: bool,
    /// Spaces to point out: up to 20 ids of the board, separated by commas.
    #[param(value_type = Option<String>, nullable = false, example = "29b,5b")]
    highlight: Option<SpaceList>,
    /// Whether to mark what the last move has named.
    #[serde(default)]
    #[param(default = false)]
    last_move: bool,
    /// Whether to mark what the legal moves of the caller's own decision name.
    #[serde(default)]
    #[param(default = false)]
    legal: bool,
    /// The invite code of a private match.
    #[param(nullable = false)]
    invite: Option<String>,
}

/// How to draw an earlier version.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct HistoryPictureQuery {
    /// The colours: those that the reader's device prefers, or one of the two.
    #[serde(default)]
    #[param(default = "auto")]
    theme: PictureTheme,
    /// Whose side is down. If left out: the caller's own, or that of seat 0.
    #[param(nullable = false)]
    seat: Option<Seat>,
    /// Whether ids are written on the board.
    #[serde(default = "yes")]
    #[param(default = true)]
    coordinates: bool,
    /// Spaces to point out: up to 20 ids of the board, separated by commas.
    #[param(value_type = Option<String>, nullable = false, example = "29b,5b")]
    highlight: Option<SpaceList>,
    /// Whether to mark what the last move has named.
    #[serde(default)]
    #[param(default = false)]
    last_move: bool,
    /// Whether to mark what the legal moves of the decision name that the caller then had.
    #[serde(default)]
    #[param(default = false)]
    legal: bool,
    /// Whether to show what the caller could see at the time, or everything.
    #[serde(default)]
    #[param(default = "then")]
    view: HistoryView,
    /// The invite code of a private match.
    #[param(nullable = false)]
    invite: Option<String>,
}

/// What is drawn, and what the entity tag says of it.
struct Wanted {
    ask: Ask,
    legal: bool,
    last_move: bool,
    /// Of everything that was asked for.
    digest: String,
}

impl Wanted {
    fn new(query: &PictureQuery) -> Wanted {
        let PictureQuery { theme, seat, coordinates, highlight, last_move, legal, invite: _ } = query;
        let digest =
            digest_of(format!("{theme:?} {seat:?} {coordinates} {highlight:?} {last_move} {legal}").as_bytes());
        let highlight = highlight.as_ref().map(SpaceList::ids).unwrap_or_default();
        let ask = Ask { theme: (*theme).into(), seat: *seat, coordinates: *coordinates, highlight, ..Ask::default() };
        Wanted { ask, legal: *legal, last_move: *last_move, digest }
    }

    /// Refuses a seat that the match has not.
    fn check(&self, viewed: &ViewedMatch) -> Result<(), Problem> {
        let seats = viewed.live.seat_count();
        match self.ask.seat.is_none_or(|seat| seats.contains(seat)) {
            true => Ok(()),
            false => {
                let detail = format!("`seat`: the seats of this match are 0 to {}", seats.get() - 1);
                Err(Problem::new(Code::InvalidParameter).field("seat").detail(detail))
            }
        }
    }
}

/// See a match
///
/// The match as a picture, for the eyes of the caller: what a viewer may not know is not in it. Each space is an element
/// with the id `space-<id>` and the property `data-space`, whose ids are those of `getBoard`, each open card one with the
/// property `data-card`; so a page that inlines the picture hangs its own handlers on them. It holds no script and fits
/// any size.
#[utoipa::path(
    operation_id = "getMatchPicture",
    tag = "matches",
    params(MatchId, PictureQuery),
    extensions(("x-problems" = json!([Code::MatchNotFound, Code::WrongInvite])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The picture.", content_type = "image/svg+xml", body = String)),
    security((), ("bearer" = []))
)]
#[get("/v1/matches/{match_id}/board.svg")]
pub async fn get_match_picture(
    service: Shared,
    caller: MaybeCaller,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    Query(query): Query<PictureQuery>,
) -> Result<HttpResponse, Problem> {
    let wanted = Wanted::new(&query);
    let viewed = service.matches.read(&caller.reader(query.invite), &id).await?;
    wanted.check(&viewed)?;
    let tag = tag_of(&viewed, viewed.viewer, viewed.insider, &wanted);
    drawing(&request, &tag, Lasting::No, || Ok(viewed.draw(wanted.ask, wanted.legal, wanted.last_move)?))
}

/// See a match at an earlier version
///
/// The picture of the match as it was after the step that made this version, as the caller could see it then; after the
/// end also with everything shown (`view=full`).
#[utoipa::path(
    operation_id = "getMatchVersionPicture",
    tag = "matches",
    params(MatchId, VersionParam, HistoryPictureQuery),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::WrongInvite, Code::VersionNotFound, Code::MatchNotOver
    ])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The picture.", content_type = "image/svg+xml", body = String)),
    security((), ("bearer" = []))
)]
#[get("/v1/matches/{match_id}/history/{version}/board.svg")]
pub async fn get_match_version_picture(
    service: Shared,
    caller: MaybeCaller,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    Path(VersionParam(version)): Path<VersionParam>,
    Query(query): Query<HistoryPictureQuery>,
) -> Result<HttpResponse, Problem> {
    let HistoryPictureQuery { theme, seat, coordinates, highlight, last_move, legal, view, invite } = query;
    let wanted = Wanted::new(&PictureQuery { theme, seat, coordinates, highlight, last_move, legal, invite: None });
    let full = view == HistoryView::Full;
    let reader = caller.reader(invite);
    let viewed = service.matches.read(&reader, &id).await?;
    wanted.check(&viewed)?;
    let (viewer, insider) = (if full { Viewer::Omniscient } else { viewed.viewer }, viewed.insider);
    let over = viewed.live.stored.stage.is_over();
    let then = service.matches.history(&reader, viewed, version, full).await?;
    let tag = tag_of(&then, viewer, insider, &wanted);
    // As for the match itself: until the end an earlier version may come to show more.
    let lasting = if over { Lasting::ButForNames } else { Lasting::No };
    drawing(&request, &tag, lasting, || Ok(then.draw(wanted.ask, wanted.legal, wanted.last_move)?))
}

fn tag_of(viewed: &ViewedMatch, viewer: Viewer, insider: bool, wanted: &Wanted) -> String {
    let what = format_args!("svg.{}", wanted.digest);
    let tag = tag(viewed.live.stored.version, viewed.live.stamp, viewer, insider, what);
    format!("{tag}{}", viewed.names_tag())
}
