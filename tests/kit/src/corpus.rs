//! The corpora of the fuzz targets: files in `tests/fuzz/corpus/<target>`.

use std::fs;
use std::path::Path;

/// Gives every file of a target's corpus to its function, and names each one, so that a failure shows which it was.
pub fn each(target: &str, function: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("fuzz").join("corpus").join(target);
    let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    for file in files {
        eprintln!("{}", file.display());
        function(&fs::read(file).unwrap());
    }
}
