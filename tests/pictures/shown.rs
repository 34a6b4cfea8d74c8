//! The pictures that the README shows, in `openapi/pictures`: made again here and compared.
//!
//! `SARSEN_GOLDEN=write cargo test --test pictures shown` rewrites them.

use std::path::Path;

use sarsen::pictures::Ask;
use sarsen::rules::{Seat, Viewer};
use serde_json::Value;
use test_kit::environment::GOLDEN;

use crate::pictures::games;
use crate::pictures::matches::Table;

/// Game, seats, moves.
const SHOWN: [(&str, u8, usize); 3] = [("contiguity", 2, 14), ("absolution", 3, 38), ("henge", 3, 60)];

#[test]
fn the_pictures_that_are_shown_are_those_of_this_release() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/pictures");
    let names = ["Ann", "Ben", "Cat"].map(|name| Some(name.to_owned())).to_vec();
    let games = games();
    for (id, seats, moves) in SHOWN {
        let game = games.newest(id).unwrap();
        let table = Table::new(&**game, &Value::Null, seats, 3).steps(moves);
        let ask = Ask { names: names.clone(), ..Ask::default() };
        let drawn = table.drawn(Viewer::Seat(Seat::new(0).unwrap()), ask).into_text();
        let path = folder.join(id).with_extension("svg");
        if GOLDEN.text().is_some_and(|what| what == "write") {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &drawn).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == drawn, "{} is out of date: SARSEN_GOLDEN=write rewrites it", path.display());
    }
}
