//! `sarsen ratings`: ratings and boards, computed again from their logs.

use super::{CommandError, place, say};
use crate::config::StorePlace;
use sarsen_accounts::player_status::{KnownStatuses, feed};
use sarsen_rules::phrases::counted;
use sarsen_service::ratings::Refold;

/// Computes the ratings of all categories again, or of one.
pub(super) fn rebuild(at: StorePlace, only: Option<&str>) -> Result<(), CommandError> {
    place::run(async {
        let store = place::open(at).await?;
        let known = KnownStatuses::default();
        feed::read(&*store, &known).await?;
        let refold = Refold { store: &*store, known: &known, now: store.now() };
        let done = refold.rebuild_all(only).await;
        store.close().await;
        let done = done?;
        if let (Some(only), true) = (only, done.is_empty()) {
            return Err(format!("nothing is rated in the category {only:?}").into());
        }
        for (category, rebuilt) in done {
            let players = counted(rebuilt.players as u64, "player", "players");
            say(&format!("{category}: {players}, from {}.", counted(rebuilt.entries, "entry", "entries")));
        }
        Ok(())
    })
}
