//! Flags for the components of games.

use std::path::PathBuf;

use clap::Args;

/// The component sets of the games, where the program's own can be replaced.
#[derive(Args, Clone, Debug, Default)]
pub struct ComponentFlags {
    /// Files of component sets for Henge, separated by commas (so no commas in a file's name): new matches get the first,
    /// or the reference set if none is named, unless their creator asks for another that is here. All instances and later
    /// starts need the sets of the matches they are to read.
    #[arg(long, env = "SARSEN_HENGE_COMPONENTS", value_name = "FILES", value_delimiter = ',', value_parser = file)]
    pub henge_components: Vec<PathBuf>,
}

/// A file of a list of them.
fn file(text: &str) -> Result<PathBuf, &'static str> {
    match text.trim() {
        "" => Err("a file's name is empty"),
        name => Ok(PathBuf::from(name)),
    }
}
