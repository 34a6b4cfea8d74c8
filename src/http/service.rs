//! What handlers work with.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::cached::CachedJson;
use super::games::Catalogue;
use super::openapi::{self, DocumentError};
use super::routes::RouteTable;
use crate::ambient::Ambient;
use crate::games::Games;
use crate::store::Store;
use crate::telemetry::Metrics;

/// The running service: one for all workers. Handlers take `web::Data<Service>`.
pub struct Service {
    /// The games on offer.
    pub games: Arc<Games>,
    /// What outlives a request.
    pub store: Arc<dyn Store>,
    /// Clock and entropy.
    pub ambient: Ambient,
    /// The counters.
    pub metrics: Metrics,
    /// Cancelled when the service stops: streams and long polls end then, and say that the client may resume.
    pub stopping: CancellationToken,
    /// The answers of the games resource.
    pub catalogue: Catalogue,
    /// The OpenAPI document as served.
    pub document: CachedJson,
    /// Paths and methods.
    pub routes: Arc<RouteTable>,
}

/// Why a service could not be put together.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The document is not sound.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// A fixed answer has no JSON form.
    #[error("an answer that is made at start-up cannot be written")]
    Json(#[from] serde_json::Error),
}

impl Service {
    /// Puts the service together, and writes once what never changes.
    ///
    /// # Errors
    /// If the document or a fixed answer cannot be made.
    pub fn new(games: Arc<Games>, store: Arc<dyn Store>, ambient: Ambient) -> Result<Service, ServiceError> {
        let document = openapi::document()?;
        let ids: Vec<&str> = document
            .paths
            .paths
            .values()
            .flat_map(openapi::operations)
            .filter_map(|(_, operation)| operation.operation_id.as_deref())
            .collect();
        Ok(Service {
            catalogue: Catalogue::of(&games)?,
            metrics: Metrics::new(ids),
            routes: Arc::new(RouteTable::of(&document)),
            document: CachedJson::new(&document)?,
            stopping: CancellationToken::new(),
            games,
            store,
            ambient,
        })
    }
}
