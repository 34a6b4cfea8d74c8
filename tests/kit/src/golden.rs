//! Golden playthroughs: whole matches as text in `tests/golden/<game>/`, reviewed as they change.
//!
//! `SARSEN_GOLDEN=write cargo test --lib golden` rewrites them.

use std::path::Path;

use crate::environment::GOLDEN;

/// Compares a playthrough with the recorded one of this name, or records it.
pub fn compare(game: &str, name: &str, played: &str) {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("golden");
    compare_file(&golden.join(game).join(name).with_extension("txt"), played);
}

/// Compares a text with a file, or records it there.
pub fn compare_file(path: &Path, played: &str) {
    if GOLDEN.text().is_some_and(|what| what == "write") {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, played).unwrap();
    }
    let recorded = std::fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let differs = recorded.lines().zip(played.lines()).position(|(old, new)| old != new);
    assert!(recorded == played, "{}: another course from line {:?} on", path.display(), differs.map(|line| line + 1));
}
