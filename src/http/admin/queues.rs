//! `GET /v1/admin/queues`: how much waits to be done.

use actix_web::{HttpResponse, get};
use serde::Serialize;
use utoipa::ToSchema;

use crate::answer::moment::Moment;
use crate::answer::problem::Problem;
use crate::extract::operator::{Admin, Read};
use crate::service::Shared;
use sarsen_service::admin::{Call, QueueStanding};

/// A queue.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct QueueBody {
    /// Its name: `outbox`, what commits left to do for lists and inboxes; `due`, matches in which something is due, now or
    /// later; `notify`, news of which deliveries are to be made, and reminders of later; `deliver`, notifications to be sent,
    /// or sent again later; `rate`, matches to be rated, and what is done with boards at night; `review`, reviews that are
    /// ordered or made; `deletions`, players who are being deleted, of whom 1000 at most are counted.
    #[schema(examples("outbox"))]
    pub(crate) name: &'static str,
    /// The number of entries in the queue.
    #[schema(minimum = 0)]
    pub(crate) length: u64,
    /// Since when the first of them waits, or, of what is due later, the moment of the first; null where that is not known.
    #[schema(value_type = Option<String>, required, format = "date-time")]
    pub(crate) oldest_at: Option<Moment>,
}

/// All queues.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct QueueList {
    /// The queues. A later release may have more.
    pub(crate) items: Vec<QueueBody>,
}

/// Look at the queues
///
/// Returns the amount of work that waits to be done without a request, and since when it waits. An entry that stays and
/// grows old is not being done.
#[utoipa::path(
    operation_id = "listQueues",
    tag = "admin",
    extensions(("x-problems" = json!([]))),
    responses((status = 200, description = "The queues.", body = QueueList)),
    security(("operator" = ["admin:read"]))
)]
#[get("/v1/admin/queues")]
pub(crate) async fn list_queues(service: Shared, operator: Admin<Read>) -> Result<HttpResponse, Problem> {
    let audited = service.admin.audit.record(&operator, Call::of("listQueues")).await?;
    let queues = service.admin.queues(&audited).await?;
    let body = |QueueStanding { name, length, oldest }| QueueBody { name, length, oldest_at: oldest.map(Moment) };
    Ok(HttpResponse::Ok().json(QueueList { items: queues.into_iter().map(body).collect() }))
}
