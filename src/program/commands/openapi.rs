//! `sarsen openapi`: the document, as it is committed in `openapi/openapi.json`.

use std::io::{self, Write};

use super::CommandError;
use sarsen_games::Games;
use sarsen_http::document::openapi;

/// Prints the OpenAPI document.
pub(super) fn print_document(games: &Games) -> Result<(), CommandError> {
    Ok(io::stdout().write_all(openapi::document_text(games)?.as_bytes())?)
}
