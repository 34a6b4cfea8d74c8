//! `sarsen check`: whether everything that a store keeps agrees with itself.

use super::terminal::Terminal;
use super::{CommandError, place, say};
use crate::config::StorePlace;
use sarsen_games::Games;
use sarsen_rules::phrases::{counted, how_many};
use sarsen_service::transfer::check;

/// Examines the store.
///
/// # Errors
/// If a fault is left, or the store cannot be used.
pub(super) fn check(at: StorePlace, games: &Games, fix: bool) -> Result<(), CommandError> {
    place::run(async {
        let store = place::open(at).await?;
        let checked = check::check(&*store, games, fix, &mut Terminal::new()).await;
        store.close().await;
        let checked = checked?;
        say(&format!(
            "{}, {}, {} and {}: {}, {} repaired.",
            counted(checked.matches, "match", "matches"),
            counted(checked.players, "player", "players"),
            counted(checked.sessions, "session", "sessions"),
            counted(checked.inboxes, "inbox", "inboxes"),
            counted(checked.faults, "fault", "faults"),
            how_many(checked.repaired)
        ));
        if checked.notices_of_gone_matches > 0 {
            say(&format!("Notices of deleted matches: {}.", checked.notices_of_gone_matches));
        }
        match checked.faults - checked.repaired {
            0 => Ok(()),
            left => Err(format!("{} left", counted(left, "fault", "faults")).into()),
        }
    })
}
