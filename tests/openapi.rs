//! The committed OpenAPI document is the one that this release serves.

use std::path::Path;

use sarsen::games::{GameSettings, Games};
use sarsen::http::document::openapi;

#[test]
fn the_committed_document_is_up_to_date() {
    let made = openapi::document_text(&Games::standard(GameSettings::default())).unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/openapi.json");
    let committed = std::fs::read_to_string(file).unwrap_or_default();
    // Not `assert_eq`: half a megabyte of difference helps nobody.
    assert!(made == committed, "openapi/openapi.json is out of date: cargo run -- openapi > openapi/openapi.json");
}
