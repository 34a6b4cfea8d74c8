//! Opening the store that a tool works on.
//!
//! Invariant: a store that a tool reads must exist; asking for a missing one makes none.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use super::CommandError;
use crate::app;
use crate::config::{StorePlace, StoreSettings};
use sarsen_base::ambient::Ambient;
use sarsen_base::telemetry::{self, LogFormat};
use sarsen_store::Store;
use sarsen_store::embedded::Embedded;

/// A tool moves more at a time than a request does.
const REDIS_PATIENCE: Duration = Duration::from_secs(20);

/// Runs a tool's work; what the store has to say besides goes to standard error.
pub(super) fn run<T>(work: impl Future<Output = Result<T, CommandError>>) -> Result<T, CommandError> {
    telemetry::start_logging(LogFormat::Human, "warn")?;
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?.block_on(work)
}

/// Opens a store that is there.
pub(super) async fn open(place: StorePlace) -> Result<Arc<dyn Store>, CommandError> {
    if matches!(place.store, StoreSettings::Embedded) && !Embedded::is_in(&place.data_dir) {
        let directory = place.data_dir.display();
        return Err(format!("{directory} holds no store; --data-dir (SARSEN_DATA_DIR) names the directory").into());
    }
    open_or_make(place).await
}

/// Opens a store, which is made if it is not there.
pub(super) async fn open_or_make(place: StorePlace) -> Result<Arc<dyn Store>, CommandError> {
    let StorePlace { mut store, data_dir } = place;
    if let StoreSettings::Redis(config) = &mut store {
        config.response_timeout = config.response_timeout.max(REDIS_PATIENCE);
    }
    Ok(app::open_store(&store, &data_dir, &Ambient::system()).await?)
}
