//! `POST /v1/stream-tickets`: a way in for event sources, which cannot send headers.
//!
//! Invariants: a ticket works once, within [`TICKET_SECONDS`], and only where events are followed; it carries its
//! session, so a revoked session's ticket opens nothing. Query strings are never logged.

use actix_web::{HttpResponse, post};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::auth::Principal;
use crate::http::answer::codes::Code;
use crate::http::answer::problem::Problem;
use crate::http::extract::caller::Writer;
use crate::http::service::{Service, Shared};
use crate::ids::{PlayerId, SessionId};
use utoipa_actix_web::service_config::ServiceConfig;

/// Mounts the resource.
pub fn routes(config: &mut ServiceConfig) {
    config.service(create_stream_ticket);
}

/// How long a ticket can be used, in seconds.
const TICKET_SECONDS: u32 = 60;

/// A stream ticket.
#[derive(Serialize, ToSchema)]
pub struct StreamTicket {
    /// To be sent once as `?ticket=` when following events.
    #[schema(examples("t_kq3v9cZx2dQe0n1S4mB7rg"))]
    ticket: String,
    /// How long it can be used.
    #[schema(value_type = i64, minimum = 1, maximum = 60)]
    expires_in_seconds: u32,
}

/// Whom a ticket lets in.
#[derive(Serialize, Deserialize)]
struct Bearer {
    player: PlayerId,
    session: SessionId,
}

/// Get a stream ticket
///
/// For browsers: an `EventSource` cannot send an access token, so it sends a ticket as `?ticket=`. A ticket works once,
/// for a minute, and only to follow events. So when its connection is lost, an `EventSource` that connects again by
/// itself is refused with `ticket_invalid`: take a new ticket, and open a new one with the last event's id as `after`.
#[utoipa::path(
    operation_id = "createStreamTicket",
    tag = "events",
    responses((status = 201, description = "A ticket.", body = StreamTicket)),
    security(("bearer" = []))
)]
#[post("/v1/stream-tickets")]
pub async fn create_stream_ticket(service: Shared, Writer(caller): Writer) -> Result<HttpResponse, Problem> {
    let ticket = format!("t_{}", BASE64_URL_SAFE_NO_PAD.encode(service.ambient.bytes::<16>()));
    let bearer = Bearer { player: caller.player, session: caller.session };
    let value = serde_json::to_vec(&bearer).map_err(Problem::internal)?;
    service.store.put_ticket(&key(&ticket), value, TICKET_SECONDS).await?;
    Ok(HttpResponse::Created().json(StreamTicket { ticket, expires_in_seconds: TICKET_SECONDS }))
}

/// The ticket in a query string.
pub fn in_query(query: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Given {
        ticket: Option<String>,
    }
    actix_web::web::Query::<Given>::from_query(query).ok()?.into_inner().ticket
}

/// Uses a ticket up.
///
/// # Errors
/// `ticket_invalid`, `token_revoked`, or that the store is away.
pub async fn redeem(service: &Service, ticket: &str) -> Result<Principal, Problem> {
    let plain = ticket.len() <= 64 && ticket.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if !plain {
        return Err(Code::TicketInvalid.into());
    }
    let value = service.store.take_ticket(&key(ticket)).await?.ok_or(Code::TicketInvalid)?;
    let Bearer { player, session } = serde_json::from_slice(&value).map_err(Problem::internal)?;
    if service.revocations.is_revoked(&session) {
        return Err(Code::TokenRevoked.into());
    }
    Ok(Principal { player, session })
}

fn key(ticket: &str) -> String {
    format!("ticket:{ticket}")
}
