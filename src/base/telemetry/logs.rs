//! The log of the process, on standard error.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use super::caught;

/// The format of log lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum LogFormat {
    /// For people.
    Human,
    /// One JSON object a line.
    Json,
}

/// The directive for the HTTP library's lines about single connections. Strangers cause all of them, and they are
/// logged as errors.
const OF_CONNECTIONS: &str = "actix_http::h1::dispatcher=off";

/// Returns the filter as written. If it does not name the HTTP library, that library's lines about connections are left
/// out.
fn env_filter(filter: &str) -> Result<EnvFilter, Box<dyn std::error::Error + Send + Sync>> {
    let written = EnvFilter::try_new(filter)?;
    Ok(if filter.contains("actix_http") { written } else { written.add_directive(OF_CONNECTIONS.parse()?) })
}

/// Starts logging to standard error, for the rest of the process; panics are logged too.
///
/// The target of a line is the module that wrote it, such as `sarsen_http::edge`. A filter names a beginning of targets, so
/// `sarsen=debug` holds for every crate.
///
/// # Errors
/// If the filter cannot be read, or logging has been started before.
pub fn start_logging(format: LogFormat, filter: &str) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let builder = tracing_subscriber::fmt().with_env_filter(env_filter(filter)?).with_writer(std::io::stderr);
    let builder = builder.with_ansi(std::io::stderr().is_terminal());
    match format {
        LogFormat::Human => builder.try_init()?,
        LogFormat::Json => builder.json().with_span_list(false).flatten_event(true).try_init()?,
    }
    std::panic::set_hook(Box::new(|panic| {
        if caught::note(panic) {
            return;
        }
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let message = panic.payload_as_str().unwrap_or("no message");
        tracing::error!(place, message, "panicked");
    }));
    Ok(())
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[test]
    fn a_filter_for_sarsen_holds_for_every_crate() {
        let filter = env_filter("warn,sarsen=debug,sarsen_store=error").unwrap();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(filter), || {
            assert!(tracing::enabled!(target: "sarsen::commands", tracing::Level::DEBUG));
            assert!(tracing::enabled!(target: "sarsen_http::edge", tracing::Level::DEBUG));
            assert!(!tracing::enabled!(target: "sarsen_store::redis", tracing::Level::WARN));
            assert!(!tracing::enabled!(target: "actix_http", tracing::Level::INFO));
            assert!(tracing::enabled!(target: "actix_http::service", tracing::Level::ERROR));
            assert!(!tracing::enabled!(target: "actix_http::h1::dispatcher", tracing::Level::ERROR));
        });
        let asked = env_filter("warn,actix_http=debug").unwrap();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(asked), || {
            assert!(tracing::enabled!(target: "actix_http::h1::dispatcher", tracing::Level::DEBUG));
        });
    }
}
