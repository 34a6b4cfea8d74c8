//! `POST /v1/stream-tickets`: a way in for event sources, which cannot send headers.
//!
//! Invariant: a ticket is taken only where events are followed. Query strings are never logged.

use actix_web::{HttpResponse, post};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::auth::Principal;
use crate::http::answer::codes::Code;
use crate::http::answer::problem::Problem;
use crate::http::extract::caller::Writer;
use crate::http::service::{Service, Shared};
use crate::players::{TICKET_SECONDS, Ticket, TicketError};
use utoipa_actix_web::service_config::ServiceConfig;

/// Mounts the resource.
pub fn routes(config: &mut ServiceConfig) {
    config.service(create_stream_ticket);
}

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
    let ticket = service.tickets.make(&caller).await?;
    Ok(HttpResponse::Created().json(StreamTicket { ticket: ticket.expose(), expires_in_seconds: TICKET_SECONDS }))
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
    let ticket: Ticket = ticket.parse().map_err(|_| Code::TicketInvalid)?;
    service.tickets.redeem(&ticket).await.map_err(|error| match error {
        TicketError::Invalid => Code::TicketInvalid.into(),
        TicketError::Revoked => Code::TokenRevoked.into(),
        TicketError::Store(error) => error.into(),
    })
}
