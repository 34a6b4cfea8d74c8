//! Golden playthroughs: whole matches as text. People review the text files in `tests/golden/<game>/`, which hold the
//! first lines of a few of them. Every playthrough is compared, to its last line, with the digests in
//! `tests/golden/<game>/digests`: a line a playthrough, a digest for each 100 lines of its text.
//!
//! `SARSEN_GOLDEN=write cargo test --workspace --lib golden` rewrites digests and text files. `SARSEN_GOLDEN=text` compares as usual
//! and writes every text, whole, to `target/golden/<game>/`: run it before and after a change, and compare the files.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::environment::GOLDEN;

/// So many lines of a playthrough are for people to read.
const READABLE: usize = 300;

/// So many lines share a digest.
const LINES: usize = 100;

/// FNV-1a of 64 bits: it guards against mistakes, and needs no other crate.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The name and the digests of a playthrough, in one line.
fn digests(name: &str, lines: &[&str]) -> String {
    let mut digests = name.to_owned();
    for chunk in lines.chunks(LINES) {
        write!(digests, " {:016x}", digest(&chunk.concat())).unwrap();
    }
    digests
}

/// Compares a playthrough with what is recorded under this name, or records it. A text file that is there is kept up to
/// date; delete it to have the digests alone, create it empty to have one.
pub fn compare(game: &str, name: &str, played: &str) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("golden").join(game);
    let (path, readable) = (tests.join("digests"), tests.join(name).with_extension("txt"));
    let whole = tests.join("../../../target/golden").join(game).join(name).with_extension("txt");
    let lines: Vec<&str> = played.split_inclusive('\n').collect();
    let (found, beginning) = (digests(name, &lines), lines[..lines.len().min(READABLE)].concat());
    let mut recorded: Vec<String> = fs::read_to_string(&path).unwrap_or_default().lines().map(str::to_owned).collect();
    let is_of_it = |line: &String| line.split(' ').next() == Some(name);
    let write_whole = || {
        fs::create_dir_all(whole.parent().unwrap()).unwrap();
        fs::write(&whole, played).unwrap();
    };
    match GOLDEN.text().as_deref() {
        Some("write") => {
            recorded.retain(|line| !is_of_it(line));
            recorded.push(found.clone());
            recorded.sort_unstable();
            fs::write(&path, recorded.join("\n") + "\n").unwrap();
            if readable.exists() {
                fs::write(&readable, &beginning).unwrap();
            }
        }
        Some("text") => write_whole(),
        _ => {}
    }
    let expected = recorded.iter().find(|line| is_of_it(line)).map_or("", String::as_str);
    let is_as_read = !readable.exists() || fs::read_to_string(&readable).unwrap() == beginning;
    if found != expected || !is_as_read {
        write_whole();
        let same = found.split(' ').zip(expected.split(' ')).skip(1).take_while(|(new, old)| new == old).count();
        panic!(
            "{game}/{name}: another course within {LINES} lines from line {} on, or in its text file. Its text is in {}; \
             `SARSEN_GOLDEN=text` writes the same file at the commit before, `SARSEN_GOLDEN=write` accepts the change. \
             Changed rules need another version: see CONTRIBUTING",
            same * LINES + 1,
            whole.display(),
        );
    }
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
