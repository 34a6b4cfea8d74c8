//! `sarsen import`: what an export holds, into a store.

use std::path::Path;

use super::terminal::Terminal;
use super::{CommandError, place, say};
use crate::config::StorePlace;
use sarsen_rules::phrases::counted;
use sarsen_service::transfer::import;
use sarsen_service::transfer::sink::Carried;

/// Imports the directory.
///
/// # Errors
/// If it is no whole export, the store has something newer, or one of them cannot be used.
pub(super) fn import(to: StorePlace, directory: &Path) -> Result<(), CommandError> {
    // Before a store is made for nothing.
    import::is_export(directory)?;
    place::run(async {
        let store = place::open_or_make(to).await?;
        let imported = import::import(&*store, directory, &mut Terminal::new()).await;
        store.close().await;
        tell(imported?)
    })
}

/// Tells what has become of what was carried.
pub(super) fn tell(carried: Carried) -> Result<(), CommandError> {
    let Carried { written, same, kept, refused } = carried;
    say(&format!("{written} things are written, {same} were there already, {kept} were left as they are."));
    match refused {
        0 => Ok(()),
        refused => {
            let things = counted(refused, "thing", "things");
            Err(format!("not written, because the store has others: {things}").into())
        }
    }
}
