//! Boards of results: the best score of a player alone, the longest streak of wins of a set of players.
//!
//! Invariants:
//! - They are categories like those of ratings, with a log and a fold. The best result takes the place of the rating.
//! - A match is counted once when it starts and once when it ends, in any order of the two reports.

use super::category::{Category, CategoryKind, of_month};
use super::contention::{ATTEMPTS, busy};
use super::counting::{record, rows_of};
use super::entry::{Entry, Recorded, ResultCounts, StoredRating};
use super::formula::Rating;
use super::rater::Ratings;
use sarsen_base::ids::PlayerId;
use sarsen_matches::board_match::BoardMatch;
use sarsen_store::StoreError;

/// The result of a player, or of a set of players to whom the player belongs, on a board of results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerResult {
    /// The name of the board.
    pub board: String,
    /// The best result, in the place of a rating.
    pub best: Rating,
    /// The count of matches.
    pub counts: ResultCounts,
}

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
            let entry = vec![(Entry::Result(recorded).encode()?, Some(match_id))];
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
        let mut rows = own.and_then(|own| own.counts).map(|counts| counts.players).unwrap_or_default();
        rows.push(player.clone());
        Ok(rows)
    }

    /// The results of a player, alone and together with others.
    ///
    /// # Errors
    /// If the store is away or damaged.
    pub async fn results_of(&self, player: &PlayerId) -> Result<Vec<PlayerResult>, StoreError> {
        let mut all = Vec::new();
        for board in self.store.rating_categories().await?.iter().filter_map(|name| Category::read(name)) {
            let CategoryKind::Results { together, .. } = board.kind else { continue };
            let mut rows = self.rows_with(&board.name, player).await?;
            if together {
                // The entry of one who plays together with others only names their rows.
                rows.pop();
            }
            for row in rows {
                let stored = self.rating(&board.name, &row).await?;
                let counted = stored.and_then(|stored| Some((stored.rating, stored.counts?)));
                let board = board.name.clone();
                all.extend(counted.map(|(best, counts)| PlayerResult { board, best, counts }));
            }
        }
        Ok(all)
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
