//! `GET /v1/limits`: what this service allows, so that a client need not find out by being refused.

use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::etag::CachedAnswer;
use crate::edge::long_poll::{HEARTBEAT, WAIT_MAX};
use crate::events::query::{LIMIT_MAX, PAGE_LIMIT, STREAM_WAIT_MAX};
use crate::extract::body::LONG_BODY;
use crate::matches::bulk::BULK_MAX;
use crate::matches::list::{MATCHES_OF_A_PAGE, MATCHES_OF_A_PAGE_MAX};
use crate::matches::moves::NOTATION_MAX;
use crate::notifications::GRACE_SECONDS_MAX;
use crate::sandbox::forms::{POSITIONS_MAX, STEPS_MAX};
use crate::service::Shared;
use crate::settings::ServerConfig;
use sarsen_accounts::auth::ACCESS_TOKEN_SECONDS;
use sarsen_accounts::players::{AccountBounds, Allowance, Allowances, SESSION_SECONDS, TICKET_SECONDS};
use sarsen_matches::model::clock::CLOCK_GRACE_MILLIS;
use sarsen_matches::model::table_terms::TAGS_MAX;
use sarsen_service::notifications::{
    DELIVERIES_KEPT, DELIVERY_DAYS, REPLAYED_DAYS, SUBSCRIPTIONS_MAX, WEBHOOKS_OF_OPERATORS_MAX, WEBHOOKS_OF_PLAYER_MAX,
};
use sarsen_service::outbound::URL_MAX;
use sarsen_service::pools::TICKETS_MAX;
use sarsen_service::ratings::COUNTED_A_DAY;

pub(crate) fn routes(config: &mut ServiceConfig) {
    config.service(get_limits);
}

/// A rate limit: a burst, and the rate at which it refills.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AllowanceLimit)]
pub(crate) struct AllowanceBody {
    /// The burst: the number of times at once.
    #[schema(minimum = 1)]
    burst: u32,
    /// The number of times that come back each minute.
    #[schema(minimum = 1)]
    per_minute: u32,
}

impl From<Allowance> for AllowanceBody {
    fn from(allowance: Allowance) -> AllowanceBody {
        AllowanceBody { burst: allowance.burst, per_minute: allowance.per_minute }
    }
}

/// The rate limits; beyond them the answer is 429 `rate_limited`. Null means no limit.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AllowanceLimits {
    /// Guests made from one address.
    #[schema(required)]
    guests: Option<AllowanceBody>,
    /// Changes made by one player.
    #[schema(required)]
    writes: Option<AllowanceBody>,
    /// Changes made by one program with its token.
    #[schema(required)]
    program_writes: Option<AllowanceBody>,
    /// Reads by one player or program, or without a token by one address, of each instance.
    #[schema(required)]
    reads: Option<AllowanceBody>,
    /// Steps in the sandbox by one player, of each instance. Each new or imagined position counts as one.
    #[schema(required)]
    sandbox: Option<AllowanceBody>,
    /// Hints for one player.
    #[schema(required)]
    hints: Option<AllowanceBody>,
    /// Invites that are looked at or taken up from one address, or taken up by one program; and, of each instance, wrong
    /// ones from one address that come with other requests.
    #[schema(required)]
    invites: Option<AllowanceBody>,
    /// Public matches made from one address, or by one program.
    #[schema(required)]
    tables: Option<AllowanceBody>,
    /// Wrong pairing codes and recovery keys from one address, of each instance.
    #[schema(required)]
    codes: Option<AllowanceBody>,
    /// Outside tokens from one address that do not count, of each instance.
    #[schema(required)]
    exchanges: Option<AllowanceBody>,
}

/// The number of items on a page.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PageSize {
    /// If `limit` is left out.
    #[schema(minimum = 1)]
    usual: u32,
    /// At most.
    #[schema(minimum = 1)]
    most: u32,
}

/// The limits of this service. More properties may come.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Limits {
    /// The rate limits.
    allowances: AllowanceLimits,
    /// The longest request body, in bytes; a longer one is 413 `payload_too_large`.
    body_bytes: u64,
    /// The longest request body of the sandbox, in bytes.
    sandbox_body_bytes: u64,
    /// The most steps of one request of the sandbox.
    #[schema(minimum = 1)]
    sandbox_steps: u32,
    /// The most positions that one request of the sandbox can set up, imagine or come to in playouts.
    #[schema(minimum = 1)]
    sandbox_positions: u32,
    /// The most characters of a move in notation.
    notation_characters: u32,
    /// Connections of one address, of each instance; null for any number. Behind the operator's proxies they bound them.
    #[schema(required)]
    connections_per_address: Option<u32>,
    /// Streams of one address, of each instance; null for any number.
    #[schema(required)]
    streams_per_address: Option<u32>,
    /// Streams of one player, of each instance; null for any number. One more closes the player's oldest.
    #[schema(required)]
    streams_per_player: Option<u32>,
    /// Matches that have not started which one player may have made and sit in; null for any number.
    #[schema(required)]
    open_matches_per_player: Option<u32>,
    /// Matches with bots that are not over which one player may have made; null for any number.
    #[schema(required)]
    bot_matches_per_player: Option<u32>,
    /// Matches that have not started which one player may have made for others, without a seat of their own; null for any
    /// number.
    #[schema(required)]
    hosted_matches_per_player: Option<u32>,
    /// Tokens of programs that one player or bot account may have.
    #[schema(minimum = 1)]
    tokens_per_player: u32,
    /// The longest life of a program's token, in seconds.
    program_token_seconds: u32,
    /// Bot accounts that one player may have.
    #[schema(minimum = 1)]
    bot_accounts_per_player: u32,
    /// Contacts that one player may have, and as many blocks.
    #[schema(minimum = 1)]
    contacts_per_player: u32,
    /// Reports that one player may make in 24 hours.
    #[schema(minimum = 1)]
    reports_per_day: u32,
    /// Reports that the service keeps; one more takes the place of the oldest that is closed.
    reports_kept: u32,
    /// Finished matches in which the caller sat, the newest, whose players are recent opponents.
    opponent_matches: u32,
    /// Matches of one `createMatches`.
    #[schema(minimum = 1)]
    matches_of_a_batch: u32,
    /// Tags of one match.
    #[schema(minimum = 1)]
    tags_per_match: u32,
    /// Pools in which one player may wait.
    #[schema(minimum = 1)]
    tickets_per_player: u32,
    /// Webhooks that one player may have.
    #[schema(minimum = 1)]
    webhooks_per_player: u32,
    /// Webhooks that the operators may have together.
    #[schema(minimum = 1)]
    webhooks_of_operators: u32,
    /// The longest URL of a webhook or of a push subscription, in bytes.
    webhook_url_bytes: u32,
    /// The longest time for which a webhook's secret signs beside the next one, in seconds.
    webhook_grace_seconds: u32,
    /// Deliveries that are kept for one owner of webhooks. Then new ones take the place of the oldest to the webhook that has
    /// most.
    #[schema(minimum = 1)]
    deliveries_kept: u32,
    /// The days for which a delivery is kept.
    #[schema(minimum = 1)]
    delivery_days: u32,
    /// The days of which deliveries can be replayed.
    #[schema(minimum = 1)]
    replay_days: u32,
    /// Push subscriptions that one player may have.
    #[schema(minimum = 1)]
    push_subscriptions_per_player: u32,
    /// The players who may play rated matches: `linked`, those who have linked an account of an outside issuer and their bot
    /// accounts, or `any`.
    #[schema(value_type = String, examples("linked"))]
    rated_requires: &'static str,
    /// Rated matches among the same players that count on a day (UTC); a further one is `counted: false`.
    #[schema(minimum = 1)]
    counted_matches_per_day: u32,
    /// Reviews of matches that one player may order in 24 hours; null for any number.
    #[schema(required)]
    reviews_per_day: Option<u32>,
    /// The number of matches on a page of `/v1/matches`.
    match_page: PageSize,
    /// The number of events on a page.
    event_page: PageSize,
    /// The longest wait for a page of events, or for a change of a match, in seconds.
    page_wait_seconds: u32,
    /// The longest wait that can be asked of a stream, in seconds.
    stream_wait_seconds: u32,
    /// The longest silence of a stream, in seconds: then a comment, or an empty line, shows that it lives.
    stream_silence_seconds: u32,
    /// The longest time that any request may take, in seconds, not counting the time that it waits on purpose.
    request_seconds: u32,
    /// The grace period of a clock, in milliseconds: a move that is received at most this much later than the deadline
    /// is in time.
    clock_grace_milliseconds: i64,
    /// The lifetime of an access token, in seconds.
    access_token_seconds: u32,
    /// The lifetime of a session that is not refreshed, in seconds.
    session_seconds: u32,
    /// Sessions of one player; one more ends the one that was not used for longest.
    sessions_per_player: u32,
    /// Linked identities of one player.
    identities_per_player: u32,
    /// The longest life of a pairing code, in seconds.
    pairing_code_seconds: u32,
    /// The longest token of an outside issuer, in bytes.
    outside_token_bytes: u32,
    /// The lifetime of a stream ticket, in seconds.
    ticket_seconds: u32,
    /// The time from one change of a player's name to the next, in seconds.
    name_change_seconds: u32,
    /// After how many days a finished match is deleted; null for never.
    #[schema(required)]
    finished_match_days: Option<u32>,
    /// After how many days an idle guest is deleted, whom nobody can be any more; null for never.
    #[schema(required)]
    idle_guest_days: Option<u32>,
}

/// The limits as they are answered: written once.
pub(crate) struct KnownLimits(CachedAnswer);

impl KnownLimits {
    /// Those that these settings make.
    ///
    /// # Errors
    /// If they have no JSON form.
    pub(crate) fn of(config: &ServerConfig, service: &Shared) -> Result<KnownLimits, serde_json::Error> {
        CachedAnswer::json(&Limits::of(config, service)).map(KnownLimits)
    }
}

impl Limits {
    fn of(config: &ServerConfig, service: &Shared) -> Limits {
        let Allowances { guests, writes, program_writes, reads, sandbox, hints, invites, tables, codes, exchanges } =
            service.allowances.allowances();
        let retention = service.matches.keeps();
        let AccountBounds {
            sessions_per_player,
            identities_per_player,
            tokens_per_player,
            program_token_seconds,
            bot_accounts_per_player,
            contacts_per_player,
            opponent_matches,
            reports_per_day,
            reports_kept,
            name_change_seconds,
            pairing_code_seconds,
            outside_token_bytes,
        } = service.players.bounds();
        let body = |allowance: Option<Allowance>| allowance.map(AllowanceBody::from);
        Limits {
            allowances: AllowanceLimits {
                guests: body(guests),
                writes: body(writes),
                program_writes: body(program_writes),
                reads: body(reads),
                sandbox: body(sandbox),
                hints: body(hints),
                invites: body(invites),
                tables: body(tables),
                codes: body(codes),
                exchanges: body(exchanges),
            },
            body_bytes: config.body_limit as u64,
            sandbox_body_bytes: config.body_limit.max(LONG_BODY) as u64,
            sandbox_steps: STEPS_MAX as u32,
            sandbox_positions: POSITIONS_MAX,
            notation_characters: NOTATION_MAX as u32,
            connections_per_address: config.quotas.connections_per_address.filter(|_| config.trusted_proxies == 0),
            streams_per_address: config.quotas.streams_per_address,
            streams_per_player: config.quotas.streams_per_player,
            open_matches_per_player: retention.open_per_player,
            bot_matches_per_player: retention.bots_per_player,
            hosted_matches_per_player: retention.hosted_per_player,
            tokens_per_player,
            program_token_seconds,
            bot_accounts_per_player,
            contacts_per_player,
            reports_per_day,
            reports_kept,
            opponent_matches,
            matches_of_a_batch: BULK_MAX as u32,
            tags_per_match: TAGS_MAX as u32,
            tickets_per_player: TICKETS_MAX as u32,
            webhooks_per_player: WEBHOOKS_OF_PLAYER_MAX as u32,
            webhooks_of_operators: WEBHOOKS_OF_OPERATORS_MAX as u32,
            webhook_url_bytes: URL_MAX as u32,
            webhook_grace_seconds: GRACE_SECONDS_MAX,
            deliveries_kept: DELIVERIES_KEPT as u32,
            delivery_days: DELIVERY_DAYS,
            replay_days: REPLAYED_DAYS,
            push_subscriptions_per_player: SUBSCRIPTIONS_MAX as u32,
            rated_requires: if service.rated_requires_link { "linked" } else { "any" },
            counted_matches_per_day: COUNTED_A_DAY.into(),
            reviews_per_day: retention.reviews_per_day,
            match_page: PageSize { usual: MATCHES_OF_A_PAGE, most: MATCHES_OF_A_PAGE_MAX },
            event_page: PageSize { usual: PAGE_LIMIT, most: LIMIT_MAX },
            page_wait_seconds: WAIT_MAX,
            stream_wait_seconds: STREAM_WAIT_MAX,
            stream_silence_seconds: whole_seconds(HEARTBEAT),
            request_seconds: whole_seconds(config.request_timeout),
            clock_grace_milliseconds: CLOCK_GRACE_MILLIS,
            access_token_seconds: ACCESS_TOKEN_SECONDS,
            session_seconds: SESSION_SECONDS,
            sessions_per_player,
            identities_per_player,
            pairing_code_seconds,
            outside_token_bytes,
            ticket_seconds: TICKET_SECONDS,
            name_change_seconds,
            finished_match_days: retention.expire_finished_days,
            idle_guest_days: service.idle_guest_days,
        }
    }
}

fn whole_seconds(time: Duration) -> u32 {
    u32::try_from(time.as_secs()).unwrap_or(u32::MAX)
}

/// Read what is allowed
///
/// Returns the limits of this service, as its operator has set them: how often, how large, how long and how many.
#[utoipa::path(
    operation_id = "getLimits",
    tag = "service",
    security(()),
    extensions(("x-problems" = json!([])), ("x-cached" = json!(true))),
    responses((
        status = 200, description = "The limits.", body = Limits,
        example = json!({
            "allowances": {
                "guests": {"burst": 20, "per_minute": 5}, "writes": {"burst": 120, "per_minute": 120},
                "program_writes": {"burst": 200, "per_minute": 600},
                "reads": {"burst": 1200, "per_minute": 1200}, "sandbox": {"burst": 60000, "per_minute": 60000},
                "hints": {"burst": 10, "per_minute": 10}, "invites": {"burst": 30, "per_minute": 30},
                "tables": {"burst": 30, "per_minute": 30}, "codes": {"burst": 10, "per_minute": 10},
                "exchanges": {"burst": 20, "per_minute": 20}
            },
            "body_bytes": 65536, "sandbox_body_bytes": 1048576, "sandbox_steps": 256, "sandbox_positions": 64,
            "notation_characters": 1000, "connections_per_address": 256,
            "streams_per_address": 64, "streams_per_player": 16, "open_matches_per_player": 10,
            "bot_matches_per_player": 20,
            "hosted_matches_per_player": 100, "tokens_per_player": 20, "program_token_seconds": 31536000,
            "bot_accounts_per_player": 10, "contacts_per_player": 500, "reports_per_day": 10,
            "reports_kept": 10000, "opponent_matches": 100,
            "matches_of_a_batch": 100, "tags_per_match": 8, "tickets_per_player": 3,
            "webhooks_per_player": 5, "webhooks_of_operators": 20, "webhook_url_bytes": 2048,
            "webhook_grace_seconds": 604800, "deliveries_kept": 1000, "delivery_days": 4, "replay_days": 3,
            "push_subscriptions_per_player": 10,
            "counted_matches_per_day": 10, "reviews_per_day": 10, "rated_requires": "any",
            "match_page": {"usual": 20, "most": 100}, "event_page": {"usual": 100, "most": 1000},
            "page_wait_seconds": 30, "stream_wait_seconds": 86400, "stream_silence_seconds": 15,
            "request_seconds": 30, "clock_grace_milliseconds": 1000, "access_token_seconds": 900, "session_seconds": 7776000,
            "sessions_per_player": 100, "identities_per_player": 20, "pairing_code_seconds": 600,
            "outside_token_bytes": 8192, "ticket_seconds": 60,
            "name_change_seconds": 86400,
            "finished_match_days": null, "idle_guest_days": 180
        })
    ))
)]
#[get("/v1/limits")]
pub(crate) async fn get_limits(limits: web::Data<KnownLimits>, request: HttpRequest) -> HttpResponse {
    limits.0.respond(&request)
}
