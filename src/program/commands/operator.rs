//! Asking a running service for what only operators may ask for.
//!
//! Invariant: the token is read from a file or from the environment, never from an argument, and is never said again.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use super::CommandError;
use super::request::{Request, send};

/// The problem with which a service refuses a request.
#[derive(Deserialize)]
struct Told {
    code: String,
    title: String,
    #[serde(default)]
    detail: Option<String>,
}

/// The token, from the file or else from the environment; `scope` is what it has to allow.
pub(super) fn token(file: Option<&Path>, scope: &str) -> Result<String, CommandError> {
    let text = match file {
        Some(file) => Some(fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?),
        None => crate::config::admin_token(),
    };
    let token = text.map(|text| text.trim().to_owned()).filter(|token| !token.is_empty());
    let token = token
        .ok_or_else(|| format!("--url needs a token with the scope {scope}, in --token-file or SARSEN_ADMIN_TOKEN"))?;
    if token.bytes().any(|byte| !byte.is_ascii_graphic()) {
        return Err("the token is not one line of visible characters".into());
    }
    Ok(token)
}

/// The body of the answer, which must have this status.
pub(super) fn ask(request: &Request<'_>, status: u16, within: Duration) -> Result<Vec<u8>, CommandError> {
    let answer = send(request, within)?;
    if answer.status == status {
        return Ok(answer.body);
    }
    let why = serde_json::from_slice::<Told>(&answer.body).map_or_else(
        |_| "no more".to_owned(),
        |Told { code, title, detail }| match detail {
            Some(detail) => format!("{title} ({code}): {detail}"),
            None => format!("{title} ({code})"),
        },
    );
    Err(format!("{} answered {}: {why}", request.url, answer.status).into())
}
