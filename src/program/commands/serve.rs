//! `sarsen serve`: the service, from its settings to its end by a signal.

use std::error::Error;
use std::fs;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::{CommandError, say};
use crate::app;
use crate::config::{Settings, StoreSettings};
use sarsen_base::telemetry;
use sarsen_games::Games;
use sarsen_store::redis::RedisMode;

/// The file descriptors that the store, the log, and the threads need, with room to spare.
const DESCRIPTORS_KEPT: u64 = 256;
/// With fewer connections than this the operator should know.
const FEW_CONNECTIONS: usize = 1024;

/// Serves until told to stop.
pub(super) fn serve(mut settings: Settings, games: Games) -> Result<(), CommandError> {
    telemetry::start_logging(settings.log_format, &settings.log_filter)?;
    settings.server.connections_max = Some(room_for_connections(raise_descriptor_limit()));
    runtime(&settings.store).enable_all().build()?.block_on(until_told_to_stop(settings, games))
}

/// Returns the builder of the runtime for everything beside the requests; these run on a thread a core, each with a
/// runtime of its own.
fn runtime(store: &StoreSettings) -> Builder {
    match store {
        // The workers' connections to the nodes live here too.
        StoreSettings::Redis(config) if config.mode == RedisMode::Cluster => Builder::new_multi_thread(),
        // All of it waits most of the time, and on one thread it wakes no other.
        StoreSettings::Redis(_) | StoreSettings::Embedded => Builder::new_current_thread(),
    }
}

/// Lets the process have as many file descriptors as it may, and answers how many that are.
fn raise_descriptor_limit() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    let (Err(error), Some(current)) = (setrlimit(Resource::Nofile, raised), limit.current) else {
        return limit.maximum.unwrap_or(u64::MAX);
    };
    let error: &dyn Error = &error;
    tracing::warn!(error, current, "the limit of file descriptors stays as it is");
    current
}

/// Returns the number of connections that leaves the rest of the process enough file descriptors.
fn room_for_connections(descriptors: u64) -> usize {
    let kept = DESCRIPTORS_KEPT.min(descriptors / 2);
    let room = usize::try_from(descriptors - kept).unwrap_or(usize::MAX);
    if room < FEW_CONNECTIONS {
        tracing::warn!(descriptors, connections = room, "few file descriptors: raise the hard limit (ulimit -Hn)");
    }
    room.max(1)
}

async fn until_told_to_stop(settings: Settings, games: Games) -> Result<(), CommandError> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let public_url = settings.public_url.clone();
    let shows_playground = settings.server.shows_playground();
    let redis = match &settings.store {
        StoreSettings::Embedded => None,
        StoreSettings::Redis(config) => Some(format!("Redis, under keys that start with {:?}", config.prefix)),
    };
    let data_dir = settings.data_dir.clone();
    let running = app::start(settings, games).await?;
    let base = public_url.unwrap_or_else(|| format!("http://{}", running.addr));
    let place = match redis {
        Some(place) => place,
        None => fs::canonicalize(&data_dir)?.display().to_string(),
    };
    say(&format!("Sarsen {} serves at {base}", env!("CARGO_PKG_VERSION")));
    say(&format!("  documentation  {base}/docs/"));
    if shows_playground {
        say(&format!("  playground     {base}/playground/"));
    }
    say(&format!("  data           {place}"));
    if let Some(metrics) = running.metrics_addr {
        say(&format!("  metrics        http://{metrics}/metrics"));
    }

    let mut told = async || {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    };
    told().await;
    tracing::info!("stopping; told once more, it hurries");
    let hurry = CancellationToken::new();
    let again = async {
        told().await;
        tracing::info!("told to stop once more: hurrying");
        hurry.cancel();
        std::future::pending().await
    };
    let stopped = tokio::select! {
        stopped = running.stop_unless_hurried(&hurry) => stopped,
        () = again => Ok(()),
    };
    tracing::info!("stopped");
    Ok(stopped?)
}
