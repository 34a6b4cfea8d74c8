//! The files of `deploy/`, and the words of a text.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use serde_json::Value;

/// A file or folder of `deploy/`.
pub fn deploy(inner: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(inner)
}

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The documents of a YAML file.
pub fn yaml(path: &Path) -> Vec<Value> {
    let text = read(path);
    let documents = serde_norway::Deserializer::from_str(&text).map(Value::deserialize);
    documents.collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All that the program says of its settings.
pub fn help() -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_sarsen")).args(["serve", "--help"]).env_clear().output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    // Lines end where they are full.
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The environment variables that a text names.
pub fn variables(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_ascii_uppercase() && !c.is_ascii_digit() && c != '_');
    words.filter(|word| word.starts_with("SARSEN_")).collect()
}

/// Returns true if the program has a setting of this variable.
pub fn is_setting(help: &str, variable: &str) -> bool {
    help.contains(&format!("[env: {variable}=")) || help.contains(&format!("[env: {variable}]"))
}
