//! `GET /v1/matches`: find matches.

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::body::match_page;
use super::brief::{BriefMatch, MatchFields};
use super::types::Match;
use crate::answer::codes::Code;
use crate::answer::etag;
use crate::answer::problem::Problem;
use crate::edge::address::address_mark;
use crate::extract::caller::MaybeCaller;
use crate::extract::params::{PageLimit, Query};
use crate::games::CatalogueAnswers;
use crate::service::{CallerStanding, Shared};
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_matches::lists::MatchFilter;
use sarsen_matches::model::clock::Speed;
use sarsen_matches::model::table_terms::is_tag;
use sarsen_matches::{Stage, ViewedMatch};

/// The number of matches on a page if nothing else is asked for.
pub(crate) const MATCHES_OF_A_PAGE: u32 = 20;
/// The most matches of a page.
pub(crate) const MATCHES_OF_A_PAGE_MAX: u32 = 100;

/// The matches to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct MatchListQuery {
    /// Only matches at this stage.
    #[param(nullable = false)]
    status: Option<Stage>,
    /// Only matches of this game.
    #[param(nullable = false, example = "contiguity")]
    game: Option<String>,
    /// Only matches that the caller made, sits in or is invited to, private ones too. Needs a token.
    #[serde(default)]
    #[param(default = false)]
    mine: bool,
    /// Only matches in which the caller has a decision to make that somebody else waits for, so none that they play alone on
    /// every seat (`hotseat`, and with it each `analysis`); no other `status` than `playing` goes with it. Needs a token.
    #[serde(default)]
    #[param(default = false)]
    my_turn: bool,
    /// Only matches in which a seat is kept for the caller; no other `status` than `open` goes with it, nor `my_turn`. Needs
    /// a token.
    #[serde(default)]
    #[param(default = false)]
    invited: bool,
    /// Only matches that this player made, sits in or is invited to: of those, whichever the caller may see. Not with
    /// `mine`, `my_turn` or `invited`.
    #[param(value_type = Option<String>, nullable = false, pattern = "^p_[0-9a-f]{32}$",
        example = "p_0190163d8694739ea2a3c9f1e7d1a222")]
    player: Option<PlayerId>,
    /// Only matches with this label. With `player` the organiser's matches are looked through, a page at a time.
    #[param(nullable = false, pattern = "^[a-z0-9-]{1,32}$", example = "spring-cup")]
    tag: Option<String>,
    /// Only matches of this speed; one without a `clock` counts as `correspondence`.
    #[param(nullable = false)]
    speed: Option<Speed>,
    /// Only matches that are rated, or only those that are not.
    #[param(nullable = false)]
    rated: Option<bool>,
    /// Only matches that the caller could join: not their own, with a seat that is kept for nobody else, on terms that they
    /// meet (`join`), and nobody there blocks them; no other `status` than `open` goes with it.
    #[serde(default)]
    #[param(default = false)]
    joinable: bool,
    /// The order. `deadline` answers with one page without a cursor.
    #[serde(default)]
    #[param(default = "newest")]
    sort: MatchOrder,
    /// The amount that is said of each match.
    #[serde(default)]
    #[param(default = "full")]
    fields: MatchFields,
    /// At most this many.
    #[serde(default)]
    #[param(value_type = i64, minimum = 1, maximum = 100, default = 20)]
    limit: PageLimit<MATCHES_OF_A_PAGE, MATCHES_OF_A_PAGE_MAX>,
    /// The place to continue from: the `next_cursor` of the page before.
    #[param(nullable = false, pattern = "^m_[0-9a-f]{32}$")]
    cursor: Option<String>,
}

/// The order of a list of matches.
///
/// - `newest`: The newest first.
/// - `deadline`: Of the 1000 newest, those first that are called off the soonest unless they start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MatchOrder {
    #[default]
    Newest,
    Deadline,
}

/// A page of matches.
#[derive(Debug, ToSchema)]
#[cfg_attr(test, derive(serde::Serialize))]
#[schema(as = MatchPage)]
pub struct MatchPageBody<'a> {
    /// The matches, newest first. A page may be short, even empty, while more follow. Of public matches that wait for
    /// players a page has the newest three from one address, beside the caller's own and all from the caller's address; the
    /// next appear as those start. With `status=open` the first of each person on a page comes before anybody's second. With
    /// `tag` all are there.
    pub items: Vec<Match<'a>>,
    /// The same in brief, with `fields=brief`; `items` is empty then.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[schema(required = false, nullable = false)]
    pub brief: Option<Vec<BriefMatch<'a>>>,
    /// The cursor of the next page; null at the end.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// List matches
///
/// Public matches, newest first, or with `mine` the caller's own; with `player` those of one player that the caller may
/// see. Among the public ones a match that has not started is listed while it has a free seat; players who sit there,
/// have made it or are invited find it in any case.
#[utoipa::path(
    operation_id = "listMatches",
    tag = "matches",
    params(MatchListQuery),
    extensions(("x-problems" = json!([Code::Unauthenticated, Code::GameNotFound])), ("x-cached" = json!(true))),
    responses((status = 200, description = "A page of matches.", body = MatchPageBody)),
    security((), ("bearer" = ["read"]))
)]
#[get("/v1/matches")]
pub(crate) async fn list_matches(
    service: Shared,
    catalogue: web::Data<CatalogueAnswers>,
    caller: MaybeCaller,
    request: HttpRequest,
    Query(query): Query<MatchListQuery>,
) -> Result<HttpResponse, Problem> {
    let principal = caller.0.clone();
    let reader = caller.reader(None);
    let mine = match (query.mine || query.my_turn || query.invited, &reader.player) {
        (true, None) => return Err(Code::Unauthenticated.into()),
        (true, Some(player)) => Some(player.clone()),
        (false, _) => None,
    };
    if query.player.is_some() && mine.is_some() {
        let problem = Problem::new(Code::InvalidParameter).field("player");
        return Err(problem.detail("`player` goes with none of `mine`, `my_turn` and `invited`"));
    }
    if query.my_turn && query.status.is_some_and(|status| status != Stage::Playing) {
        let problem = Problem::new(Code::InvalidParameter).field("status");
        return Err(problem.detail("only matches that are being played wait for a turn"));
    }
    if query.invited && (query.my_turn || query.status.is_some_and(|status| status != Stage::Open)) {
        let problem = Problem::new(Code::InvalidParameter).field("invited");
        return Err(problem.detail("seats are kept only in matches that have not started"));
    }
    if query.joinable && (query.my_turn || query.status.is_some_and(|status| status != Stage::Open)) {
        let problem = Problem::new(Code::InvalidParameter).field("joinable");
        return Err(problem.detail("only a match that has not started can be joined"));
    }
    if query.tag.as_ref().is_some_and(|tag| !is_tag(tag)) {
        return Err(Problem::new(Code::InvalidParameter).field("tag").detail("this is no tag of matches"));
    }
    if query.sort == MatchOrder::Deadline && query.cursor.is_some() {
        let problem = Problem::new(Code::InvalidParameter).field("cursor");
        return Err(problem.detail("the order by `deadline` has one page"));
    }
    if let Some(game) = &query.game {
        catalogue.find(game)?;
    }
    let cursor = query.cursor.map(|cursor| cursor.parse::<MatchId>()).transpose().map_err(|_| {
        Problem::new(Code::InvalidParameter).field("cursor").detail("this is no cursor of a page of matches")
    })?;
    let filter = MatchFilter {
        player: mine.or(query.player),
        my_turn: query.my_turn,
        invited: query.invited,
        stage: query.status,
        game: query.game,
        tag: query.tag,
        speed: query.speed,
        rated: query.rated,
        joinable: query.joinable,
        by_deadline: query.sort == MatchOrder::Deadline,
        before: cursor,
        near: Some(address_mark(&request)),
        limit: query.limit.get(),
    };
    let page = match principal.filter(|_| query.joinable) {
        Some(caller) => {
            let mut standing = CallerStanding::default();
            let suits = async |viewed: &ViewedMatch| {
                Ok::<_, Problem>(service.barred(&caller, &viewed.live, &mut standing).await?.is_none())
            };
            service.matches.list_where(&reader, &filter, suits).await?
        }
        None => service.matches.list(&reader, &filter).await?,
    };
    Ok(etag::answer_with(&request, match_page(&page.items, page.next.map(String::from), query.fields)?))
}
