//! The program: read the settings, put the service together, run it until told to stop.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use sarsen::ambient::Ambient;
use sarsen::auth::SigningKeys;
use sarsen::config::{Command, CommandLine, ComponentFlags, Settings, StoreSettings};
use sarsen::games::{GameSettings, Games, henge};
use sarsen::http::app;
use sarsen::http::document::openapi;
use sarsen::http::service::{Service, ServiceParts};
use sarsen::matches::export::{self, MatchExport};
use sarsen::store::Store;
use sarsen::store::embedded::Embedded;
use sarsen::store::redis::RedisStore;
use sarsen::telemetry;

/// A request makes and frees many small blocks on several threads at once, which this allocator does in less time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Failure = Box<dyn Error + Send + Sync>;

/// The exit code for settings that cannot be, as the command line's parser has it.
const WRONG_SETTINGS: u8 = 2;

fn main() -> ExitCode {
    let line = CommandLine::parse();
    let flags = match line.command {
        Some(Command::Openapi) => return report(print_document()),
        Some(Command::Verify { record, commitment, components }) => {
            return with_games(&components, |games| verify(&games, &record, commitment.as_deref()));
        }
        Some(Command::Serve(flags)) => *flags,
        None => line.flags,
    };
    match flags.settings() {
        Ok(settings) => with_games(&settings.components.clone(), |games| run(settings, games)),
        Err(wrong) => {
            eprintln!("error: {wrong}");
            ExitCode::from(WRONG_SETTINGS)
        }
    }
}

fn report(outcome: Result<(), Failure>) -> ExitCode {
    let Err(failure) = outcome else { return ExitCode::SUCCESS };
    eprintln!("error: {}", chain(&*failure));
    ExitCode::FAILURE
}

/// Does something with the games, which are made with what the operator has named. If that cannot be used, every fault of
/// every file is told, and nothing is done.
fn with_games(components: &ComponentFlags, act: impl FnOnce(Games) -> Result<(), Failure>) -> ExitCode {
    let mut sets = henge::ComponentSets::default();
    let mut refused = false;
    for path in &components.henge_components {
        let file = path.display().to_string();
        let read = match fs::read_to_string(path) {
            Ok(text) => sets.read(&file, &text).map_err(|faults| faults.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(faults) = read {
            refused = true;
            let faults = faults.replace('\n', "\n  ");
            eprintln!("error: --henge-components (SARSEN_HENGE_COMPONENTS) {file} cannot be used:\n  {faults}");
        }
    }
    if refused {
        return ExitCode::from(WRONG_SETTINGS);
    }
    report(act(Games::standard(GameSettings { henge_components: sets })))
}

/// The failure with what led to it, in one sentence.
fn chain(failure: &dyn Error) -> String {
    let mut sentence = failure.to_string();
    let mut cause = failure.source();
    while let Some(source) = cause {
        sentence = format!("{sentence}: {source}");
        cause = source.source();
    }
    sentence
}

fn print_document() -> Result<(), Failure> {
    Ok(io::stdout().write_all(openapi::document_text()?.as_bytes())?)
}

fn verify(games: &Games, path: &Path, published: Option<&str>) -> Result<(), Failure> {
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

/// Prints a line for people. That nobody listens any more is no reason to stop.
fn say(line: &str) {
    let _nobody_listens = writeln!(io::stdout(), "{line}");
}

fn run(settings: Settings, games: Games) -> Result<(), Failure> {
    telemetry::start_logging(settings.log_format, &settings.log_filter)?;
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(settings, games))
}

async fn serve(settings: Settings, games: Games) -> Result<(), Failure> {
    let ambient = Ambient::system();
    let (store, keys, place): (Arc<dyn Store>, SigningKeys, String) = match (settings.store, settings.token_keys) {
        (StoreSettings::Embedded, keys) => {
            // The store makes the directory, private to its owner, and keeps other processes out.
            let store = Embedded::open(&settings.data_dir, ambient.clone())
                .map_err(|error| format!("--data-dir (SARSEN_DATA_DIR): {}", chain(&error)))?;
            let keys = match keys {
                Some(keys) => keys,
                None => SigningKeys::load_or_create(&settings.data_dir, &ambient)?,
            };
            let place = fs::canonicalize(&settings.data_dir)?.display().to_string();
            (Arc::new(store), keys, place)
        }
        (StoreSettings::Redis(config), Some(keys)) => {
            let place = format!("Redis, under keys that start with {:?}", config.prefix);
            let store = RedisStore::connect(config, ambient.clone())
                .await
                .map_err(|error| format!("--redis-url (SARSEN_REDIS_URL): {}", chain(&error)))?;
            (Arc::new(store), keys, place)
        }
        (StoreSettings::Redis(_), None) => return Err("with Redis the token keys must be given".into()),
    };
    let parts = ServiceParts {
        games,
        store: store.clone(),
        ambient,
        keys,
        scope: settings.token_scope,
        allowances: settings.allowances,
    };
    let service = Arc::new(Service::start(parts).await?);
    let mut interrupt = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())?;
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    let listen = settings.server.listen;
    let server =
        app::start(settings.server, service).map_err(|error| format!("--listen (SARSEN_LISTEN) {listen}: {error}"))?;
    let base = settings.public_url.unwrap_or_else(|| format!("http://{}", server.addr));
    say(&format!("Sarsen {} serves at {base}", env!("CARGO_PKG_VERSION")));
    say(&format!("  documentation  {base}/docs/"));
    say(&format!("  data           {place}"));

    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    tracing::info!("stopping");
    let stopped = server.stop().await;
    store.close().await;
    tracing::info!("stopped");
    Ok(stopped?)
}
