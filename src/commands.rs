//! What the program does: serve, print the document, verify a record.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tokio::signal::unix::{SignalKind, signal};

use crate::app;
use crate::config::{Settings, StoreSettings};
use crate::games::Games;
use crate::http::document::openapi;
use crate::matches::export::{self, MatchExport};
use crate::telemetry;

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
pub fn serve(settings: Settings, games: Games) -> Result<(), CommandError> {
    telemetry::start_logging(settings.log_format, &settings.log_filter)?;
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(until_told_to_stop(settings, games))
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
