//! `sarsen export`: everything of a store into a directory.

use std::path::Path;

use super::terminal::Terminal;
use super::{CommandError, place, say};
use crate::config::StorePlace;
use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_rules::phrases::counted;
use sarsen_service::transfer::export;

/// Writes the export.
///
/// # Errors
/// If the store or the directory cannot be used, or something had to be left out.
pub(super) fn export(from: StorePlace, out: &Path, since: Option<Timestamp>) -> Result<(), CommandError> {
    place::run(async {
        let store = place::open(from).await?;
        let exported = export::export(&*store, out, since, &Ambient::system(), &mut Terminal::new()).await;
        store.close().await;
        let exported = exported?;
        let tally = exported.tally;
        say(&format!(
            "{} holds {}, {}, {} and {}; keep it secret.",
            out.display(),
            counted(tally.players, "player", "players"),
            counted(tally.sessions, "session", "sessions"),
            counted(tally.inboxes, "inbox", "inboxes"),
            counted(tally.matches, "match", "matches")
        ));
        match exported.left_out {
            0 => Ok(()),
            left_out => Err(format!("left out, because damaged: {}", counted(left_out, "thing", "things")).into()),
        }
    })
}
