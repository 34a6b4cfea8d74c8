//! `sarsen migrate`: everything from one store to another.

use super::terminal::Terminal;
use super::{CommandError, import, place, say};
use crate::config::StorePlace;
use sarsen_service::transfer::migrate;

/// Carries everything over.
///
/// # Errors
/// If the two are one store, or one of them cannot be used.
pub fn migrate(from: StorePlace, to: StorePlace) -> Result<(), CommandError> {
    if from.is(&to) {
        return Err("--from and --to name the same store".into());
    }
    place::run(async {
        let source = place::open(from).await?;
        let target = place::open_or_make(to).await?;
        let migrated = migrate::migrate(&*source, &*target, &mut Terminal::new()).await;
        source.close().await;
        target.close().await;
        let (tally, carried) = migrated?;
        say(&format!(
            "{} players, {} sessions, {} inboxes and {} matches were carried over.",
            tally.players, tally.sessions, tally.inboxes, tally.matches
        ));
        import::tell(carried)
    })
}
