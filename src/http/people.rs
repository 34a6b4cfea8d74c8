//! People who know each other: contacts, recent opponents, blocks, and reports to the operators.

use actix_web::{HttpResponse, delete, get, post, put};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::codes::Code;
use crate::answer::moment::Moment;
use crate::answer::problem::Problem;
use crate::extract::body::JsonBody;
use crate::extract::caller::{Caller, Writer};
use crate::extract::params::{PageLimit, Path, Query};
use crate::players::PlayerBody;
use crate::service::{Service, Shared};
use sarsen_accounts::people::{REPORT_TEXT_MAX, Related, Relation};
use sarsen_base::ids::{MatchId, PlayerId, ReportId};
use sarsen_base::text;
use sarsen_matches::lists::MatchFilter;
use sarsen_matches::model::seated::PlayerRef;
use sarsen_matches::{Reader, Stage, ViewedMatch};

pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .service(list_contacts)
        .service(add_contact)
        .service(remove_contact)
        .service(list_blocks)
        .service(block_player)
        .service(unblock_player)
        .service(list_opponents)
        .service(report_player);
}

/// Another player on a list of the caller.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RelatedPlayer)]
pub(crate) struct RelatedBody {
    /// The player as anybody sees them.
    player: PlayerBody,
    /// The time since which they are on the list.
    #[schema(value_type = String, format = "date-time")]
    since: Moment,
}

impl From<Related> for RelatedBody {
    fn from(Related { player, since }: Related) -> RelatedBody {
        RelatedBody { player: player.into(), since: Moment(since) }
    }
}

/// A page of players on a list of the caller.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RelatedPlayerPage {
    /// The players, in the order of their ids. Those who have left for good are left out, so a page may be short while more
    /// follow.
    items: Vec<RelatedBody>,
    /// The cursor of the next page; null at the end.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// The page of a list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct RelationQuery {
    /// The most players on the page.
    #[serde(default)]
    #[param(value_type = u32, minimum = 1, maximum = 100, default = 50)]
    limit: PageLimit<50, 100>,
    /// The place to continue from: the `next_cursor` of the page before.
    #[serde(default)]
    #[param(nullable = false, pattern = "^p_[0-9a-f]{32}$")]
    cursor: Option<String>,
}

async fn page(
    service: &Service,
    of: &PlayerId,
    relation: Relation,
    query: RelationQuery,
) -> Result<HttpResponse, Problem> {
    let after = query.cursor.map(|cursor| cursor.parse()).transpose().map_err(|_| {
        Problem::new(Code::InvalidParameter).field("cursor").detail("this is no cursor of a page of players")
    })?;
    let page = service.people.page(of, relation, after.as_ref(), query.limit.get()).await?;
    let items = page.items.into_iter().map(RelatedBody::from).collect();
    Ok(HttpResponse::Ok().json(RelatedPlayerPage { items, next_cursor: page.next.map(String::from) }))
}

async fn put(service: &Service, of: &PlayerId, relation: Relation, other: &PlayerId) -> Result<HttpResponse, Problem> {
    let related = service.people.put(of, relation, other).await?;
    Ok(HttpResponse::Ok().json(RelatedBody::from(related)))
}

async fn remove(
    service: &Service,
    of: &PlayerId,
    relation: Relation,
    other: &PlayerId,
) -> Result<HttpResponse, Problem> {
    service.people.remove(of, relation, other).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// List my contacts
///
/// Players whom the caller wants to find again. The list is one-sided, and nobody else sees it.
#[utoipa::path(
    operation_id = "listContacts",
    tag = "players",
    params(RelationQuery),
    extensions(("x-problems" = json!([]))),
    responses((status = 200, description = "A page of contacts.", body = RelatedPlayerPage)),
    security(("bearer" = ["read"]))
)]
#[get("/v1/me/contacts")]
pub(crate) async fn list_contacts(
    service: Shared,
    Caller(caller): Caller,
    Query(query): Query<RelationQuery>,
) -> Result<HttpResponse, Problem> {
    page(&service, &caller.player, Relation::Contact, query).await
}

/// Add a contact
///
/// The player is not told.
#[utoipa::path(
    operation_id = "addContact",
    tag = "players",
    params(Path::<PlayerId>),
    extensions(("x-problems" = json!([Code::PlayerNotFound, Code::Forbidden, Code::LimitReached]))),
    responses((status = 200, description = "The contact.", body = RelatedBody)),
    security(("bearer" = ["account"]))
)]
#[put("/v1/me/contacts/{player_id}")]
pub(crate) async fn add_contact(
    service: Shared,
    Writer(caller): Writer,
    Path(other): Path<PlayerId>,
) -> Result<HttpResponse, Problem> {
    put(&service, &caller.player, Relation::Contact, &other).await
}

/// Remove a contact
///
/// Does nothing where the player is none.
#[utoipa::path(
    operation_id = "removeContact",
    tag = "players",
    params(Path::<PlayerId>),
    extensions(("x-problems" = json!([Code::PlayerNotFound]))),
    responses((status = 204, description = "The player is no contact.")),
    security(("bearer" = ["account"]))
)]
#[delete("/v1/me/contacts/{player_id}")]
pub(crate) async fn remove_contact(
    service: Shared,
    Writer(caller): Writer,
    Path(other): Path<PlayerId>,
) -> Result<HttpResponse, Problem> {
    remove(&service, &caller.player, Relation::Contact, &other).await
}

/// List whom I block
///
/// Nobody else sees the list.
#[utoipa::path(
    operation_id = "listBlocks",
    tag = "players",
    params(RelationQuery),
    extensions(("x-problems" = json!([]))),
    responses((status = 200, description = "A page of blocked players.", body = RelatedPlayerPage)),
    security(("bearer" = ["read"]))
)]
#[get("/v1/me/blocks")]
pub(crate) async fn list_blocks(
    service: Shared,
    Caller(caller): Caller,
    Query(query): Query<RelationQuery>,
) -> Result<HttpResponse, Problem> {
    page(&service, &caller.player, Relation::Block, query).await
}

/// Block a player
///
/// The player cannot invite the caller, nor take a seat in an open match in which the caller sits or which the caller has
/// made: 403 `blocked`, which does not say who. Nor can the caller take a seat beside the player. Matches that are being
/// played go on, and their rematches are possible. The player is not told.
#[utoipa::path(
    operation_id = "blockPlayer",
    tag = "players",
    params(Path::<PlayerId>),
    extensions(("x-problems" = json!([Code::PlayerNotFound, Code::Forbidden, Code::LimitReached]))),
    responses((status = 200, description = "The blocked player.", body = RelatedBody)),
    security(("bearer" = ["account"]))
)]
#[put("/v1/me/blocks/{player_id}")]
pub(crate) async fn block_player(
    service: Shared,
    Writer(caller): Writer,
    Path(other): Path<PlayerId>,
) -> Result<HttpResponse, Problem> {
    put(&service, &caller.player, Relation::Block, &other).await
}

/// Unblock a player
///
/// Does nothing where the player is not blocked.
#[utoipa::path(
    operation_id = "unblockPlayer",
    tag = "players",
    params(Path::<PlayerId>),
    extensions(("x-problems" = json!([Code::PlayerNotFound]))),
    responses((status = 204, description = "The player is not blocked.")),
    security(("bearer" = ["account"]))
)]
#[delete("/v1/me/blocks/{player_id}")]
pub(crate) async fn unblock_player(
    service: Shared,
    Writer(caller): Writer,
    Path(other): Path<PlayerId>,
) -> Result<HttpResponse, Problem> {
    remove(&service, &caller.player, Relation::Block, &other).await
}

/// A player with whom the caller has played.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Opponent)]
pub(crate) struct OpponentBody<'a> {
    /// The player.
    player: PlayerRef<'a>,
    /// The newest finished match of both.
    #[schema(value_type = String)]
    match_id: &'a MatchId,
}

/// The players with whom the caller has played lately.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OpponentList<'a> {
    /// The players, those of the newest match first.
    items: Vec<OpponentBody<'a>>,
    /// Always null: the list has one page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// List recent opponents
///
/// The players of the 100 newest finished matches in which the caller sat, each once. Those who have left for good are
/// left out.
#[utoipa::path(
    operation_id = "listOpponents",
    tag = "players",
    extensions(("x-problems" = json!([]))),
    responses((status = 200, description = "The players.", body = OpponentList)),
    security(("bearer" = ["read"]))
)]
#[get("/v1/me/opponents")]
pub(crate) async fn list_opponents(service: Shared, Caller(caller): Caller) -> Result<HttpResponse, Problem> {
    let limit = service.players.bounds().opponent_matches as usize;
    let (player, stage) = (Some(caller.player.clone()), Some(Stage::Finished));
    let filter = MatchFilter { player, stage, limit, ..MatchFilter::default() };
    // A creator who never sat in a match has no opponents there.
    let sat = async |viewed: &ViewedMatch| Ok::<_, Problem>(viewed.seat().is_some());
    let page = service.matches.list_where(&Reader::player(caller.player.clone()), &filter, sat).await?;
    let mut known = vec![&caller.player];
    let mut items = Vec::new();
    for viewed in &page.items {
        let stored = &viewed.live.stored;
        for seated in stored.seats.iter().filter_map(|seat| seat.player.as_ref()) {
            if !known.contains(&&seated.id) && !service.statuses.is_gone(&seated.id) {
                known.push(&seated.id);
                items.push(OpponentBody { player: viewed.shown(seated), match_id: &stored.id });
            }
        }
    }
    Ok(HttpResponse::Ok().json(OpponentList { items, next_cursor: None }))
}

/// A report of a player.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayerReport {
    /// The caller's reason, for the operators.
    #[schema(min_length = 1, max_length = 500, examples("insults after the match"))]
    reason: String,
    /// The match that it is about, which the caller can see; null for none.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^m_[0-9a-f]{32}$")]
    match_id: Option<MatchId>,
}

/// A report that was made.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MadeReport {
    /// Its id.
    #[schema(value_type = String, examples("c_0190163d8694739ea2a3c9f1e7d1a666"))]
    id: ReportId,
}

/// Report a player
///
/// To the operators of the service; the player is not told. A player may make ten reports in 24 hours, unless the operator
/// has set another number. An `Idempotency-Key` is ignored: a report that is made twice counts twice.
#[utoipa::path(
    operation_id = "reportPlayer",
    tag = "players",
    params(Path::<PlayerId>),
    request_body = PlayerReport,
    extensions(("x-problems" = json!([Code::PlayerNotFound, Code::MatchNotFound, Code::Forbidden]))),
    responses((status = 201, description = "The report.", body = MadeReport)),
    security(("bearer" = ["account"]))
)]
#[post("/v1/players/{player_id}/report")]
pub(crate) async fn report_player(
    service: Shared,
    Writer(caller): Writer,
    Path(player): Path<PlayerId>,
    JsonBody(body): JsonBody<PlayerReport>,
) -> Result<HttpResponse, Problem> {
    let reason = report_text("reason", &body.reason)?;
    let reported = service.people.other(&caller.player, &player).await?;
    if let Some(id) = &body.match_id {
        service.matches.read(&Reader::player(caller.player.clone()), id).await?;
    }
    let id = service.people.report(&caller.player, reported, body.match_id, reason).await?;
    Ok(HttpResponse::Created().json(MadeReport { id }))
}

/// Reads the words of a report or of its answer.
///
/// # Errors
/// `invalid_request`, with the property's path.
pub(crate) fn report_text(path: &'static str, given: &str) -> Result<String, Problem> {
    let wrong = |detail: String| Problem::new(Code::InvalidRequest).path(path).detail(detail);
    let cleaned = text::clean(given, 500).map_err(|error| wrong(error.to_string()))?;
    if cleaned.len() > REPORT_TEXT_MAX {
        Err(wrong(format!("it is longer than {REPORT_TEXT_MAX} bytes")))
    } else {
        Ok(cleaned)
    }
}
