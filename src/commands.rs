//! What the program does: serve, print the document, verify a record.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::signal::unix::{SignalKind, signal};

use crate::app;
use crate::config::{Settings, StoreSettings};
use crate::games::Games;
use crate::http::document::openapi;
use crate::matches::export::{self, MatchExport};
use crate::telemetry;

/// What the store, the log, and the threads need, with room to spare.
const DESCRIPTORS_KEPT: u64 = 256;
/// With fewer connections than this the operator should know.
const FEW_CONNECTIONS: usize = 1024;

/// Why the program did not do what it was told to.
pub type CommandError = Box<dyn Error + Send + Sync>;

/// Prints the OpenAPI document.
///
/// # Errors
/// If there is none, or nobody takes it.
pub fn print_document(games: &Games) -> Result<(), CommandError> {
    Ok(io::stdout().write_all(openapi::document_text(games)?.as_bytes())?)
}

/// Replays the record of a finished match; `published` is the commitment that its service published before.
///
/// # Errors
/// If the file is no record, or something in it does not agree.
pub fn verify(games: &Games, path: &Path, published: Option<&str>) -> Result<(), CommandError> {
    let text = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let record: MatchExport = serde_json::from_slice(&text)
        .map_err(|error| format!("{} is no record of a match: {error}", path.display()))?;
    let verified = export::verify(games, &record).map_err(|found| format!("it does not agree: {found}"))?;
    if published.is_some_and(|published| !published.eq_ignore_ascii_case(&verified.commitment)) {
        return Err(format!("it does not agree: the record's commitment is {}", verified.commitment).into());
    }
    say(&format!(
        "{} of {}: seed, {} words of dice, {} moves in {} steps and the result ({}) agree.",
        verified.match_id, verified.game, verified.dice_words, verified.moves, verified.steps, verified.ending
    ));
    if published.is_none() {
        say(&format!("Its commitment, to be compared with the one published before: {}", verified.commitment));
    }
    Ok(())
}

/// Serves until told to stop.
///
/// # Errors
/// If the service cannot be started, or failed.
pub fn serve(mut settings: Settings, games: Games) -> Result<(), CommandError> {
    telemetry::start_logging(settings.log_format, &settings.log_filter)?;
    settings.server.connections_max = Some(room_for_connections(raise_descriptor_limit()));
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(until_told_to_stop(settings, games))
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

/// How many connections leave the rest of the process enough file descriptors.
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
    say(&format!("  data           {place}"));

    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    tracing::info!("stopping");
    let stopped = running.stop().await;
    tracing::info!("stopped");
    Ok(stopped?)
}

/// Prints a line for people. That nobody listens any more is no reason to stop.
fn say(line: &str) {
    let _nobody_listens = writeln!(io::stdout(), "{line}");
}

/// The failure with what led to it, in one sentence.
pub fn chain(failure: &dyn Error) -> String {
    let mut sentence = failure.to_string();
    let mut cause = failure.source();
    while let Some(source) = cause {
        sentence = format!("{sentence}: {source}");
        cause = source.source();
    }
    sentence
}
