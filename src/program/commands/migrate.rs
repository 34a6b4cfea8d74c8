//! `sarsen migrate`: everything from one store to another.

use super::terminal::Terminal;
use super::{CommandError, import, place, say};
use crate::config::StorePlace;
use sarsen_rules::phrases::counted;
use sarsen_service::transfer::migrate;

/// Carries everything over.
pub(super) fn migrate(from: StorePlace, to: StorePlace) -> Result<(), CommandError> {
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
            "Carried over: {}, {}, {} and {}.",
            counted(tally.players, "player", "players"),
            counted(tally.sessions, "session", "sessions"),
            counted(tally.inboxes, "inbox", "inboxes"),
            counted(tally.matches, "match", "matches")
        ));
        import::tell(carried)
    })
}
