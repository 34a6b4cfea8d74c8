//! `POST /v1/stream-tickets`: a way in for event sources, which cannot send headers.

use actix_web::{HttpResponse, post};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::problem::Problem;
use crate::extract::caller::Writer;
use crate::service::Shared;
use sarsen_accounts::players::TICKET_SECONDS;

pub(crate) fn routes(config: &mut ServiceConfig) {
    config.service(create_stream_ticket);
}

/// A stream ticket.
#[derive(Serialize, ToSchema)]
pub(crate) struct StreamTicket {
    /// To be sent once as `?ticket=` when following events.
    #[schema(examples("t_kq3v9cZx2dQe0n1S4mB7rg"))]
    pub(crate) ticket: String,
    /// The lifetime of the ticket, in seconds.
    #[schema(minimum = 1, maximum = 60)]
    pub(crate) expires_in_seconds: u32,
}

/// Get a stream ticket
///
/// For browsers: an `EventSource` cannot send an access token, so it sends a ticket as `?ticket=`. A ticket works once,
/// for a minute, and only to follow events. So when its connection is lost, an `EventSource` that reconnects by itself
/// is refused with `ticket_invalid`: get a new ticket and open a new `EventSource` with the last event's id as `after`.
/// An `Idempotency-Key` is ignored, because a ticket is a secret that is not stored.
#[utoipa::path(
    operation_id = "createStreamTicket",
    tag = "events",
    extensions(("x-problems" = json!([]))),
    responses((status = 201, description = "A ticket.", body = StreamTicket)),
    security(("bearer" = ["read"]))
)]
#[post("/v1/stream-tickets")]
pub(crate) async fn create_stream_ticket(service: Shared, Writer(caller): Writer) -> Result<HttpResponse, Problem> {
    let ticket = service.tickets.make(&caller).await?;
    Ok(HttpResponse::Created().json(StreamTicket { ticket: ticket.expose(), expires_in_seconds: TICKET_SECONDS }))
}
