//! The committed OpenAPI document is the one that this release serves, and compatible with that of the newest tag.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test stops at the first thing that is wrong")]

mod compatible;

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
