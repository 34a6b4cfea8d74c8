//! `GET /v1/matches/{match_id}/board.svg` and the pictures of earlier versions.

use actix_web::{HttpRequest, HttpResponse, get};
use serde::Deserialize;
use utoipa::IntoParams;

use super::read::{HistoryView, lasting, tag, unchanged_version};
use crate::answer::codes::Code;
use crate::answer::drawing::drawing;
use crate::answer::etag::{Lasting, digest_of};
use crate::answer::problem::Problem;
use crate::extract::caller::MaybeCaller;
use crate::extract::params::{Path, Query, VersionParam};
use crate::extract::picture::{SpaceList, yes};
use crate::service::Shared;
use sarsen_base::ids::MatchId;
use sarsen_games::pictures::{Ask, DrawnPart, Layout, Theme};
use sarsen_matches::{Reader, ViewedMatch};
use sarsen_rules::{Seat, Viewer};

/// The query of a picture, with the parameters in `more`. An unknown parameter is refused, so one query cannot hold the
/// other.
macro_rules! picture_query {
    ($(#[doc = $about:literal])+ $name:ident { $($more:tt)* }) => {
        $(#[doc = $about])+
        #[derive(Debug, Deserialize, IntoParams)]
        #[serde(deny_unknown_fields)]
        #[into_params(parameter_in = Query)]
        pub(crate) struct $name {
            /// The colours: those that the reader's device prefers, or one of the two.
            #[serde(default)]
            #[param(default = "auto")]
            theme: Theme,
            /// The arrangement, by the room that the picture has.
            #[serde(default)]
            #[param(default = "wide")]
            layout: Layout,
            /// The only part to draw. If left out: all of them.
            #[param(nullable = false)]
            part: Option<DrawnPart>,
            /// The seat whose side is down. If left out: the caller's own seat, or seat 0.
            #[param(nullable = false)]
            seat: Option<Seat>,
            /// Writes ids on the board. A narrow picture has no room for them.
            #[serde(default = "yes")]
            #[param(default = true)]
            coordinates: bool,
            /// Spaces to point out: up to 20 ids of the board, separated by commas.
            #[param(value_type = Option<String>, nullable = false, example = "29b,5b")]
            highlight: Option<SpaceList>,
            /// Marks the spaces that the last move has named.
            #[serde(default)]
            #[param(default = false)]
            last_move: bool,
            /// Marks the spaces that the legal moves of the caller's decision at that version name. Where such a move
            /// goes from one space to another, only the first is marked: `from` marks the second.
            #[serde(default)]
            #[param(default = false)]
            legal: bool,
            /// Points out this space and marks those that the legal moves which begin with it also name: where the
            /// piece on it can go.
            #[param(nullable = false, example = "29b")]
            from: Option<String>,
            /// As which of the caller's seats, where the caller holds several; the lowest if left out.
            #[param(nullable = false)]
            as_seat: Option<Seat>,
            /// The invite code of a private match.
            #[param(nullable = false)]
            invite: Option<String>,
            $($more)*
        }

        impl $name {
            fn wanted(&self) -> Wanted {
                let $name { theme, layout, part, seat, coordinates, highlight, last_move, legal, from, .. } = self;
                let form = format!("{theme:?} {layout:?} {part:?} {seat:?} {coordinates}");
                let asked = format!("{form} {highlight:?} {last_move} {legal} {from:?}");
                let ask = Ask {
                    theme: *theme,
                    layout: *layout,
                    part: *part,
                    seat: *seat,
                    coordinates: *coordinates,
                    highlight: highlight.as_ref().map(SpaceList::ids).unwrap_or_default(),
                    from: from.clone(),
                    ..Ask::default()
                };
                let legal = *legal || from.is_some();
                Wanted { ask, legal, last_move: *last_move, digest: digest_of(asked.as_bytes()) }
            }
        }
    };
}

picture_query! {
    /// The drawing options of a match.
    PictureQuery {}
}

picture_query! {
    /// The drawing options of an earlier version.
    HistoryPictureQuery {
        /// The extent of the view: what the caller could see at the time, or everything.
        #[serde(default)]
        #[param(default = "then")]
        view: HistoryView,
    }
}

/// The content of the picture, and its part of the entity tag.
struct Wanted {
    ask: Ask,
    legal: bool,
    last_move: bool,
    /// Of everything that was asked for.
    digest: String,
}

impl Wanted {
    /// The part of the entity tag for this picture.
    fn in_tag(&self) -> String {
        format!("svg.{}", self.digest)
    }

    /// The match to draw. A seat that it has not is refused.
    async fn read(&self, service: &Shared, reader: &Reader, id: &MatchId) -> Result<ViewedMatch, Problem> {
        let viewed = service.matches.read(reader, id).await?;
        let seats = viewed.live.seat_count();
        match self.ask.seat.is_none_or(|seat| seats.contains(seat)) {
            true => Ok(viewed),
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
/// any size; its smallest text is 9 pixels high on 360 pixels with `layout=narrow`, and on 1280 otherwise.
#[utoipa::path(
    operation_id = "getMatchPicture",
    tag = "matches",
    params(Path::<MatchId>, PictureQuery),
    extensions(("x-problems" = json!([Code::MatchNotFound, Code::WrongInvite, Code::HotseatOnly])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The picture.", content_type = "image/svg+xml", body = String)),
    security((), ("bearer" = ["read"]))
)]
#[get("/v1/matches/{match_id}/board.svg")]
pub(crate) async fn get_match_picture(
    service: Shared,
    caller: MaybeCaller,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    Query(query): Query<PictureQuery>,
) -> Result<HttpResponse, Problem> {
    let wanted = query.wanted();
    let viewed = wanted.read(&service, &caller.reader(query.invite).sitting(query.as_seat), &id).await?;
    let (stored, form) = (&viewed.live.stored, wanted.in_tag());
    let tag = tag(&request, stored.version, viewed.live.stamp, viewed.viewer, viewed.insider, &form);
    let tag = format!("{tag}{}", viewed.names_tag());
    drawing(&request, &tag, Lasting::No, || Ok(viewed.draw(wanted.ask, wanted.legal, wanted.last_move)?))
}

/// See a match at an earlier version
///
/// The picture of the match as it was after the step that made this version, as the caller could see it then; after the
/// end also with everything shown (`view=full`).
#[utoipa::path(
    operation_id = "getMatchVersionPicture",
    tag = "matches",
    params(Path::<MatchId>, Path::<VersionParam>, HistoryPictureQuery),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::WrongInvite, Code::HotseatOnly, Code::VersionNotFound, Code::MatchNotOver
    ])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The picture.", content_type = "image/svg+xml", body = String)),
    security((), ("bearer" = ["read"]))
)]
#[get("/v1/matches/{match_id}/history/{version}/board.svg")]
pub(crate) async fn get_match_version_picture(
    service: Shared,
    caller: MaybeCaller,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    Path(VersionParam(version)): Path<VersionParam>,
    Query(query): Query<HistoryPictureQuery>,
) -> Result<HttpResponse, Problem> {
    let (wanted, full) = (query.wanted(), query.view == HistoryView::Full);
    let reader = caller.reader(query.invite).sitting(query.as_seat);
    let viewed = wanted.read(&service, &reader, &id).await?;
    let (viewer, insider) = (if full { Viewer::Omniscient } else { viewed.viewer }, viewed.insider);
    let (lasting, what) = (lasting(&viewed), wanted.in_tag());
    let tag = |stamp| tag(&request, version, stamp, viewer, insider, &what);
    if let Some(unchanged) = unchanged_version(&service, &request, &viewed, version, tag).await? {
        return Ok(unchanged);
    }
    let then = service.matches.history(&reader, viewed, version, full).await?;
    let tag = format!("{}{}", tag(then.live.stamp), then.names_tag());
    drawing(&request, &tag, lasting, || Ok(then.draw(wanted.ask, wanted.legal, wanted.last_move)?))
}
