//! The counts of a board of results, as they follow from its log.
//!
//! Invariant: the row of several players has a digest of their ids for its player. Each of them has an entry too, which is on
//! no board and names the rows, so that a player who leaves is found in all of them.

use super::entry::{Recorded, StoredRating};
use sarsen_base::ids::{PlayerId, hashed_number};

/// The row of these players.
pub(super) fn row_of(players: &[PlayerId]) -> PlayerId {
    if let [alone] = players {
        return alone.clone();
    }
    let players: Vec<&[u8]> = players.iter().map(|player| player.as_str().as_bytes()).collect();
    PlayerId::from_number(hashed_number(&players))
}

/// The row of these players, and the entries of each where they are several.
pub(super) fn rows_of(players: &[PlayerId]) -> Vec<PlayerId> {
    let own: &[PlayerId] = if players.len() == 1 { &[] } else { players };
    std::iter::once(row_of(players)).chain(own.iter().cloned()).collect()
}

/// Returns the rows that an entry of the log changes, with their new contents; `place` is the entry's place.
pub(super) fn record(
    recorded: &Recorded,
    place: u64,
    known: impl Fn(&PlayerId) -> Option<StoredRating>,
) -> Vec<(PlayerId, StoredRating)> {
    let Recorded { players, starts, ended, .. } = recorded;
    let rows = rows_of(players);
    let row = &rows[0];
    let mut stored = known(row).unwrap_or_else(|| StoredRating::of_results(players.clone(), place));
    stored.entry = place;
    let mut counts = stored.counts.take().unwrap_or_default();
    if *starts {
        counts.attempts += 1;
        // A match that is given up breaks the streak without ever ending.
        counts.held = std::mem::take(&mut counts.streak);
    }
    if let Some(end) = ended {
        let held = std::mem::take(&mut counts.held);
        counts.wins += u32::from(end.won);
        counts.streak = if end.won { counts.streak + held + 1 } else { 0 };
        let result = if players.len() == 1 { i64::from(end.score) } else { i64::from(counts.streak) };
        stored.rating.played += 1;
        if result > stored.rating.rating {
            (stored.rating.rating, stored.rating.at) = (result, Some(end.at));
        }
    }
    stored.counts = Some(counts);
    let mut changed = vec![(row.clone(), stored)];
    for player in &rows[1..] {
        let mut own = known(player).unwrap_or_else(|| StoredRating::of_results(Vec::new(), place));
        let counts = own.counts.get_or_insert_default();
        if !counts.players.contains(row) {
            counts.players.push(row.clone());
            own.entry = place;
            changed.push((player.clone(), own));
        }
    }
    changed
}
