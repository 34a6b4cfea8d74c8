//! Export: everything of a store into a directory.

use std::path::Path;

use super::files::{make_directory, seal};
use super::format::{FORMAT, Manifest};
use super::sink::Files;
use super::walk::walk;
use super::{Amounts, TransferError, Witness};
use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_store::Store;

/// The contents of an export, and its omissions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exported {
    /// Counts of the things that it has seen.
    pub tally: Amounts,
    /// The number of things that it had to leave out, because they are damaged.
    pub left_out: u64,
}

/// Writes everything into `directory`, which is made, or empty; with `since` only the matches that have changed from then
/// on. A service may work on the store meanwhile.
///
/// # Errors
/// If the directory or the store cannot be used. What was written by then has no manifest and will not be imported.
pub async fn export(
    store: &dyn Store,
    directory: &Path,
    since: Option<Timestamp>,
    ambient: &Ambient,
    witness: &mut dyn Witness,
) -> Result<Exported, TransferError> {
    make_directory(directory)?;
    let mut files = Files::create(directory)?;
    let began_at = ambient.now().rfc3339();
    let tally = walk(store, since, &mut files, witness).await?;
    let left_out = files.left_out;
    let release = env!("CARGO_PKG_VERSION").to_owned();
    let since = since.map(Timestamp::rfc3339);
    seal(directory, &Manifest { format: FORMAT, release, began_at, since, files: files.finish()? })?;
    Ok(Exported { tally, left_out })
}
