//! Boards of results: the best score of a player alone, the longest streak of wins of a set of players.
//!
//! Invariants:
//! - They are categories like those of ratings, with a log and a fold. The best result stands where others have a rating.
//! - A match is counted once when it starts and once when it ends, in whatever order that is told.
//! - The row of several players has a digest of their ids for its player. Each of them has an entry too, which is on no board
//!   and names the rows, so that whoever leaves is found in all of them.

use aws_lc_rs::digest;

use super::category::{Category, CategoryKind, of_month};
use super::contention::{ATTEMPTS, busy};
use super::entry::{Entry, Recorded, StoredRating, encode};
use super::formula::Rating;
use super::rater::Ratings;
use sarsen_base::ids::PlayerId;
use sarsen_matches::board_match::BoardMatch;
use sarsen_store::StoreError;

impl Ratings {
    /// Notes a start or an end on the board of all times and on that of the month, unless that was done before.
    ///
    /// # Errors
    /// If the store is away or damaged; handing it in again does the rest.
    pub async fn record(&self, found: &BoardMatch) -> Result<(), StoreError> {
        self.record_on(&found.board, found).await?;
        match of_month(&found.board, found.started_at, self.now()) {
            Some(month) => self.record_on(&month, found).await,
            None => Ok(()),
        }
    }

    async fn record_on(&self, board: &str, told: &BoardMatch) -> Result<(), StoreError> {
        let BoardMatch { match_id, players, ended, .. } = told;
        let rows = rows_of(players);
        for _ in 0..ATTEMPTS {
            let found = self.store.ratings(board, &rows, Some(match_id)).await?;
            let starts = match found.entry {
                None => true,
                Some(place) => match self.entry(board, place).await? {
                    Entry::Result(Recorded { ended: None, .. }) if ended.is_some() => false,
                    _ => return Ok(()),
                },
            };
            let stored = found.stored.iter().map(|stored| stored.as_deref().map(StoredRating::decode).transpose());
            let stored: Vec<Option<StoredRating>> = stored.collect::<Result<_, _>>()?;
            let before = stored[0].as_ref().map_or_else(Rating::of_no_result, |row| row.rating);
            let (match_id, players) = (match_id.clone(), players.clone());
            let recorded = Recorded { match_id: match_id.clone(), players, starts, ended: *ended, before };
            let known = |row: &PlayerId| rows.iter().position(|known| known == row).and_then(|at| stored[at].clone());
            let changed = record(&recorded, found.length, known);
            let puts = changed.into_iter().map(|(row, stored)| self.put(board, row, &stored));
            let puts = puts.collect::<Result<_, _>>()?;
            let entry = vec![(encode(&Entry::Result(recorded))?, Some(match_id))];
            if self.store.change_ratings(board, found.length, entry, puts).await? {
                return Ok(());
            }
        }
        Err(busy())
    }

    /// The rows of a player on a board of results or in a category of ratings: the player's own entry last.
    pub(super) async fn rows_with(&self, category: &str, player: &PlayerId) -> Result<Vec<PlayerId>, StoreError> {
        let together = Category::read(category)
            .is_some_and(|category| matches!(category.kind, CategoryKind::Results { together: true, .. }));
        let own = if together { self.rating(category, player).await? } else { None };
        let mut rows = own.and_then(|own| own.tally).map(|tally| tally.players).unwrap_or_default();
        rows.push(player.clone());
        Ok(rows)
    }

    /// Removes the boards of the months of this board that are long past. Returns true if there are others.
    pub(super) async fn drop_months(&self, board: &str) -> Result<bool, StoreError> {
        let mut left = false;
        for category in self.store.rating_categories().await?.iter().filter_map(|name| Category::read(name)) {
            if !category.is_month_of(board) {
                continue;
            }
            if category.is_kept(self.now()) {
                left = true;
            } else {
                self.store.remove_category(&category.name).await?;
            }
        }
        Ok(left)
    }
}

/// The row of these players.
pub(super) fn row_of(players: &[PlayerId]) -> PlayerId {
    if let [alone] = players {
        return alone.clone();
    }
    let mut hash = digest::Context::new(&digest::SHA256);
    players.iter().for_each(|player| hash.update(player.as_str().as_bytes()));
    let mut number = [0; 16];
    number.copy_from_slice(&hash.finish().as_ref()[..16]);
    PlayerId::from_number(u128::from_be_bytes(number))
}

/// The row of these players, and the entries of each where they are several.
fn rows_of(players: &[PlayerId]) -> Vec<PlayerId> {
    let own: &[PlayerId] = if players.len() == 1 { &[] } else { players };
    std::iter::once(row_of(players)).chain(own.iter().cloned()).collect()
}

/// What an entry of the log makes of the rows that it is of, as the entry at `place`.
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
    let mut tally = stored.tally.take().unwrap_or_default();
    if *starts {
        tally.attempts += 1;
        // A match that is given up breaks the streak without ever ending.
        tally.held = std::mem::take(&mut tally.streak);
    }
    if let Some(end) = ended {
        let held = std::mem::take(&mut tally.held);
        tally.wins += u32::from(end.won);
        tally.streak = if end.won { tally.streak + held + 1 } else { 0 };
        let result = if players.len() == 1 { i64::from(end.score) } else { i64::from(tally.streak) };
        stored.rating.played += 1;
        if result > stored.rating.rating {
            (stored.rating.rating, stored.rating.at) = (result, Some(end.at));
        }
    }
    stored.tally = Some(tally);
    let mut changed = vec![(row.clone(), stored)];
    for player in &rows[1..] {
        let mut own = known(player).unwrap_or_else(|| StoredRating::of_results(Vec::new(), place));
        let tally = own.tally.get_or_insert_default();
        if !tally.players.contains(row) {
            tally.players.push(row.clone());
            own.entry = place;
            changed.push((player.clone(), own));
        }
    }
    changed
}
