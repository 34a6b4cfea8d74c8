//! `sarsen check`: whether everything that a store keeps agrees with itself.

use super::terminal::Terminal;
use super::{CommandError, place, say};
use crate::config::StorePlace;
use sarsen_games::Games;
use sarsen_service::transfer::check;

/// Examines the store.
///
/// # Errors
/// If a fault is left, or the store cannot be used.
pub fn check(at: StorePlace, games: &Games, fix: bool) -> Result<(), CommandError> {
    place::run(async {
        let store = place::open(at).await?;
        let checked = check::check(&*store, games, fix, &mut Terminal::new()).await;
        store.close().await;
        let checked = checked?;
        say(&format!(
            "{} matches, {} players, {} sessions and {} inboxes: {} faults, {} repaired.",
            checked.matches, checked.players, checked.sessions, checked.inboxes, checked.faults, checked.repaired
        ));
        if checked.notices_of_gone_matches > 0 {
            say(&format!("{} notices name matches that were deleted.", checked.notices_of_gone_matches));
        }
        match checked.faults - checked.repaired {
            0 => Ok(()),
            left => Err(format!("{left} faults are left").into()),
        }
    })
}
