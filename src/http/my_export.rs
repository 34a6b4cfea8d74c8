//! `GET /v1/me/export`: everything that is kept of the caller.

use actix_web::{HttpResponse, get};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::codes::Code;
use crate::answer::moment::Moment;
use crate::answer::problem::Problem;
use crate::devices::SessionBody;
use crate::extract::caller::Caller;
use crate::identities::IdentityBody;
use crate::notifications::{PushSubscriptionBody, WebhookBody};
use crate::players::PlayerBody;
use crate::pools::PoolTicketBody;
use crate::programs::ProgramTokenBody;
use crate::ratings::PlayerRating;
use crate::service::Shared;
use sarsen_accounts::people::{Relation, Report, ReportQuery};
use sarsen_base::ids::{MatchId, PlayerId, ReportId};
use sarsen_service::notifications::ItemOwner;
use sarsen_service::ratings::PlayerResult;

pub(crate) fn routes(config: &mut ServiceConfig) {
    config.service(export_me);
}

/// A result of the caller, alone or together with others, on a board of results.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PlayerResult)]
pub(crate) struct PlayerResultBody {
    /// The board.
    #[schema(examples("henge.solo.default"))]
    board: String,
    /// Those who have played together, the caller among them.
    #[schema(value_type = Vec<String>)]
    player_ids: Vec<PlayerId>,
    /// Alone the best score, together the most wins in a row.
    score: i64,
    /// The number of matches that are over.
    played: u32,
    /// The number of matches that were won.
    wins: u32,
    /// The number of matches that were started.
    attempts: u32,
}

impl From<PlayerResult> for PlayerResultBody {
    fn from(PlayerResult { board, best, counts }: PlayerResult) -> PlayerResultBody {
        let (score, played) = (best.rating, best.played);
        let (player_ids, wins, attempts) = (counts.players, counts.wins, counts.attempts);
        PlayerResultBody { board, player_ids, score, played, wins, attempts }
    }
}

/// A bot account of the caller.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OwnBotAccount {
    /// The player that it is.
    player: PlayerBody,
    /// Its tokens, without their secrets.
    tokens: Vec<ProgramTokenBody>,
}

/// A report that the caller made.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OwnReport {
    /// Its id.
    #[schema(value_type = String, examples("c_0190163d8694739ea2a3c9f1e7d1a666"))]
    id: ReportId,
    /// The player whom it is about.
    #[schema(value_type = String)]
    player_id: PlayerId,
    /// The match that it is about; null for none.
    #[schema(value_type = Option<String>, required)]
    match_id: Option<MatchId>,
    /// The reason in the caller's words.
    reason: String,
    /// The time at which it was made.
    #[schema(value_type = String, format = "date-time")]
    created_at: Moment,
}

impl From<(ReportId, Report)> for OwnReport {
    fn from((id, report): (ReportId, Report)) -> OwnReport {
        let Report { player, match_id, reason, at, .. } = report;
        OwnReport { id, player_id: player, match_id, reason, created_at: Moment(at) }
    }
}

/// All data that the service keeps about the caller.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MyExport {
    /// The player.
    pub(crate) player: PlayerBody,
    /// The sessions that have not ended, without their secrets.
    pub(crate) sessions: Vec<SessionBody>,
    /// The accounts at outside issuers that are linked to the player.
    pub(crate) identities: Vec<IdentityBody>,
    /// The time at which the caller's recovery key was made; null without one.
    #[schema(value_type = Option<String>, required, format = "date-time")]
    pub(crate) recovery_key_created_at: Option<Moment>,
    /// The tokens of the caller's programs, without their secrets.
    pub(crate) tokens: Vec<ProgramTokenBody>,
    /// The caller's bot accounts.
    pub(crate) bots: Vec<OwnBotAccount>,
    /// The caller's webhooks, without their secrets.
    pub(crate) webhooks: Vec<WebhookBody>,
    /// The caller's push subscriptions, without their keys.
    pub(crate) push_subscriptions: Vec<PushSubscriptionBody>,
    /// The caller's contacts.
    #[schema(value_type = Vec<String>)]
    pub(crate) contact_ids: Vec<PlayerId>,
    /// The players whom the caller blocks.
    #[schema(value_type = Vec<String>)]
    pub(crate) blocked_ids: Vec<PlayerId>,
    /// The reports that the caller made of other players and that the service still keeps, newest first.
    pub(crate) reports: Vec<OwnReport>,
    /// The tickets of the caller in pools, those whose matches may not be over included.
    pub(crate) tickets: Vec<PoolTicketBody>,
    /// The caller's ratings; the history of each can be read at its own address.
    pub(crate) ratings: Vec<PlayerRating>,
    /// The caller's results on boards of results.
    pub(crate) results: Vec<PlayerResultBody>,
    /// The matches that the caller made or sits in, newest first: each can be read at its own address, and those that have
    /// finished have a record.
    #[schema(value_type = Vec<String>)]
    pub(crate) match_ids: Vec<MatchId>,
}

/// Export what is kept of me
///
/// The player, sessions and tokens without their secrets, linked identities, the time of the recovery key, bot
/// accounts, webhooks, push subscriptions, contacts, blocked players, reports made, tickets in pools, ratings, results
/// on boards, and the ids of all matches.
#[utoipa::path(
    operation_id = "exportMe",
    tag = "players",
    extensions(("x-problems" = json!([Code::PlayerNotFound]))),
    responses((status = 200, description = "The kept data.", body = MyExport)),
    security(("bearer" = ["account"]))
)]
#[get("/v1/me/export")]
pub(crate) async fn export_me(service: Shared, Caller(caller): Caller) -> Result<HttpResponse, Problem> {
    let player = service.known_player(&caller.player).await?;
    let sessions = service
        .players
        .sessions_of(&caller.player)
        .await?
        .into_iter()
        .map(|session| SessionBody::of(session, &caller.session));
    let identities = service.outside.identities(&caller.player).await?.into_iter().map(IdentityBody::from).collect();
    let tokens = service.programs.tokens_of(&caller.player).await?;
    let mut bots = Vec::new();
    for player in service.programs.bots_of(&caller.player).await? {
        let tokens = service.programs.tokens_of(&player.id).await?.into_iter().map(ProgramTokenBody::from).collect();
        bots.push(OwnBotAccount { player: player.into(), tokens });
    }
    let made = ReportQuery { by: Some(caller.player.clone()), limit: usize::MAX, ..ReportQuery::default() };
    let reports = service.people.reports(&made).await?.items;
    let webhooks = service.notifications.webhooks(&ItemOwner::Player(caller.player.clone())).await?;
    let subscriptions = service.notifications.subscriptions(&caller.player).await?;
    let tickets = service.pools.kept_of(&caller.player).await?;
    let ratings = service.ratings.of_player(&caller.player).await?;
    let results = service.ratings.results_of(&caller.player).await?;
    Ok(HttpResponse::Ok().json(MyExport {
        player: player.into(),
        sessions: sessions.collect(),
        identities,
        recovery_key_created_at: service.players.recovery_key_made_at(&caller.player).await?.map(Moment),
        tokens: tokens.into_iter().map(ProgramTokenBody::from).collect(),
        bots,
        webhooks: webhooks.into_iter().map(WebhookBody::from).collect(),
        push_subscriptions: subscriptions.into_iter().map(PushSubscriptionBody::from).collect(),
        contact_ids: service.people.ids(&caller.player, Relation::Contact).await?,
        blocked_ids: service.people.ids(&caller.player, Relation::Block).await?,
        reports: reports.into_iter().map(OwnReport::from).collect(),
        tickets: tickets.into_iter().map(|(pool, ticket)| PoolTicketBody::of(&pool, ticket)).collect(),
        ratings: ratings.into_iter().map(|(category, rating)| PlayerRating::of(category, &rating)).collect(),
        results: results.into_iter().map(PlayerResultBody::from).collect(),
        match_ids: service.matches.ids_of(&caller.player, None).await?,
    }))
}
