//! `POST /v1/admin/backup`: a copy of the embedded store while it serves.

use std::time::Duration;

use actix_web::{HttpResponse, post};
use serde::Serialize;
use utoipa::ToSchema;

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::edge::deadline::Deadline;
use crate::extract::operator::{Admin, Operate};
use crate::service::Shared;
use sarsen_service::admin::{BackupError, Call};

/// How long a backup may take beyond what a request may.
const LONG: Duration = Duration::from_secs(3600);

/// A backup that was made.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Backup)]
pub(crate) struct BackupBody {
    /// The file's name, in the directory `backups` of the data directory.
    #[schema(examples("sarsen-20261122T135900123Z.redb"))]
    pub(crate) name: String,
    /// Its size, in bytes.
    #[schema(minimum = 0, examples(1_048_576))]
    pub(crate) bytes: u64,
}

impl From<BackupError> for Problem {
    fn from(error: BackupError) -> Problem {
        match error {
            BackupError::Running => Code::BackupRunning.into(),
            BackupError::Elsewhere => Code::BackupElsewhere.into(),
            BackupError::Store(error) => error.into(),
            error @ BackupError::File { .. } => {
                tracing::error!(error = &error as &dyn std::error::Error, "a backup cannot be made");
                Code::StoreUnavailable.into()
            }
        }
    }
}

/// Back up the store
///
/// Copies everything that was acknowledged before, at one moment, into a file in the directory `backups` of the data
/// directory, while the service goes on; the newest two are kept. It is answered when the file is whole and on the disk,
/// which takes some seconds for each gigabyte. One backup is made at a time, and it is made to its end even if nobody waits
/// for the answer. With Redis this is refused: Redis has its own means. An `Idempotency-Key` is ignored.
#[utoipa::path(
    operation_id = "backUp",
    tag = "admin",
    extensions(("x-problems" = json!(["backup_running", "backup_elsewhere"]))),
    responses((status = 201, description = "The backup is made.", body = BackupBody)),
    security(("operator" = ["admin:operate"]))
)]
#[post("/v1/admin/backup")]
pub(crate) async fn back_up(
    service: Shared,
    operator: Admin<Operate>,
    deadline: Deadline,
) -> Result<HttpResponse, Problem> {
    let audited = service.admin.audit.record(&operator, Call::of("backUp")).await?;
    deadline.extend(LONG);
    let made = service.admin.back_up(&audited).await?;
    Ok(HttpResponse::Created().json(BackupBody { name: made.name, bytes: made.bytes }))
}
