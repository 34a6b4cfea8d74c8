//! Ratings: a table each for ratings, log, matches and board, in the order of categories. A generation that is not the present
//! one is in memory.

use std::collections::HashMap;
use std::sync::PoisonError;

use async_trait::async_trait;
use redb::ReadableTable;

use super::Embedded;
use super::database::Outcome;
use super::group::Group;
use super::layout::{BOARD, RATED, RATING_LOG, RATINGS};
use crate::ratings::STAGED_SECONDS;
use crate::{BoardPlace, FoundRatings, PutRating, RatingEntry, RatingStore, Result};
use sarsen_base::ids::{MatchId, PlayerId};

/// Generations of ratings that have not taken the place of the present ones, by category and the moment of their beginning.
pub(super) type StagedRatings = HashMap<(String, i64), HashMap<PlayerId, PutRating>>;

/// The last entry of a category's log is before this one.
const END: u64 = u64::MAX;

#[async_trait]
impl RatingStore for Embedded {
    async fn rating_categories(&self) -> Result<Vec<String>> {
        self.read_many(usize::MAX, |file| {
            let log = file.open_table(RATING_LOG)?;
            let mut found: Vec<String> = Vec::new();
            while let Some(entry) = match found.last() {
                Some(last) => log.range((last.as_str(), END)..)?.next(),
                None => log.iter()?.next(),
            } {
                found.push(entry?.0.value().0.to_owned());
            }
            Ok(found)
        })
        .await
    }

    async fn ratings(&self, category: &str, players: &[PlayerId], of: Option<&MatchId>) -> Result<FoundRatings> {
        self.read(|file| {
            let length = length(&file.open_table(RATING_LOG)?, category)?;
            let rated = file.open_table(RATED)?;
            let entry = of.map(|id| rated.get((category, id.number()))).transpose()?.flatten();
            let table = file.open_table(RATINGS)?;
            let stored = players.iter().map(|player| {
                let found = table.get((category, player.number()))?;
                Ok(found.map(|found| found.value().1.to_vec()))
            });
            Ok(FoundRatings {
                length,
                entry: entry.map(|entry| entry.value()),
                stored: stored.collect::<Outcome<_>>()?,
            })
        })
    }

    async fn change_ratings(
        &self,
        category: &str,
        length: u64,
        entries: Vec<RatingEntry>,
        ratings: Vec<PutRating>,
    ) -> Result<bool> {
        let category = category.to_owned();
        self.write(move |group| {
            if !is_at(group, &category, length)? {
                return Ok(false);
            }
            for (place, (entry, of)) in (length..).zip(&entries) {
                group.tables.rating_log.insert((category.as_str(), place), entry.as_slice())?;
                if let Some(id) = of {
                    group.tables.rated.insert((category.as_str(), id.number()), place)?;
                }
            }
            ratings.iter().try_for_each(|rating| put(group, &category, rating)).map(|()| true)
        })
        .await
    }

    async fn rating_log(&self, category: &str, from: u64, limit: usize) -> Result<Vec<Vec<u8>>> {
        let category = category.to_owned();
        self.read_many(limit, move |file| {
            let log = file.open_table(RATING_LOG)?;
            let entries = log.range((category.as_str(), from)..(category.as_str(), END))?.take(limit);
            entries.map(|entry| Ok(entry?.1.value().to_vec())).collect()
        })
        .await
    }

    async fn stage_ratings(&self, category: &str, generation: i64, ratings: Vec<PutRating>) -> Result<()> {
        let oldest = self.ambient.now().0 - i64::from(STAGED_SECONDS) * 1000;
        let mut staged = self.staged.lock().unwrap_or_else(PoisonError::into_inner);
        staged.retain(|(_, begun), _| *begun > oldest);
        let of = staged.entry((category.to_owned(), generation)).or_default();
        of.extend(ratings.into_iter().map(|rating| (rating.player.clone(), rating)));
        Ok(())
    }

    async fn replace_ratings(&self, category: &str, length: u64, generation: i64, ratings: usize) -> Result<bool> {
        let name = (category.to_owned(), generation);
        let staged = self.staged.lock().unwrap_or_else(PoisonError::into_inner).get(&name).cloned();
        let (staged, category) = (staged.unwrap_or_default(), name.0.clone());
        let replaced = self.write(move |group| {
            let present = staged.values().filter(|rating| rating.stored.is_some()).count();
            if !is_at(group, &category, length)? || present != ratings {
                return Ok(false);
            }
            let of = category.as_str();
            clear(group, of)?;
            staged.values().try_for_each(|rating| put(group, of, rating)).map(|()| true)
        });
        let replaced = replaced.await?;
        if replaced {
            self.staged.lock().unwrap_or_else(PoisonError::into_inner).remove(&name);
        }
        Ok(replaced)
    }

    async fn remove_category(&self, category: &str) -> Result<()> {
        let category = category.to_owned();
        self.write(move |group| {
            let of = category.as_str();
            clear(group, of)?;
            group.tables.rated.retain_in((of, 0)..=(of, u128::MAX), |_, _| false)?;
            Ok(group.tables.rating_log.retain_in((of, 0)..=(of, END), |_, _| false)?)
        })
        .await
    }

    async fn board(
        &self,
        category: &str,
        from: Option<&BoardPlace>,
        backwards: bool,
        limit: usize,
    ) -> Result<Vec<BoardPlace>> {
        let (category, from) = (category.to_owned(), from.map(|(key, player)| (*key, player.number())));
        self.read_many(limit, move |file| {
            let (board, of) = (file.open_table(BOARD)?, category.as_str());
            let (key, player) = from.unwrap_or((if backwards { i64::MAX } else { i64::MIN }, 0));
            let place = |key: redb::AccessGuard<'_, (&str, i64, u128)>| (key.value().1, key.value().2);
            let places: Vec<Outcome<(i64, u128)>> = if backwards {
                let before = board.range((of, i64::MIN, 0)..(of, key, player))?.rev();
                before.take(limit).map(|entry| Ok(place(entry?.0))).collect()
            } else {
                let after = board.range((of, key, player)..=(of, i64::MAX, u128::MAX))?;
                let after = after.map(|entry| Ok(place(entry?.0)));
                after.filter(|found: &Outcome<_>| found.as_ref().ok() != from.as_ref()).take(limit).collect()
            };
            places.into_iter().map(|found| found.map(|(key, number)| (key, PlayerId::from_number(number)))).collect()
        })
        .await
    }

    async fn board_count(&self, category: &str, below: i64) -> Result<u64> {
        let category = category.to_owned();
        self.read_many(usize::MAX, move |file| {
            let of = category.as_str();
            Ok(file.open_table(BOARD)?.range((of, i64::MIN, 0)..(of, below, 0))?.count() as u64)
        })
        .await
    }
}

/// The length of a category's log.
fn length(log: &impl ReadableTable<(&'static str, u64), &'static [u8]>, category: &str) -> Outcome<u64> {
    let last = log.range((category, 0)..(category, END))?.next_back().transpose()?;
    Ok(last.map_or(0, |(key, _)| key.value().1 + 1))
}

/// Returns true if the log has this length.
fn is_at(group: &mut Group<'_>, category: &str, expected: u64) -> Outcome<bool> {
    let at = length(&group.tables.rating_log, category)? == expected;
    group.idle += usize::from(!at);
    Ok(at)
}

/// Removes all ratings of a category and its board.
fn clear(group: &mut Group<'_>, of: &str) -> Outcome<()> {
    group.tables.ratings.retain_in((of, 0)..=(of, u128::MAX), |_, _| false)?;
    Ok(group.tables.board.retain_in((of, i64::MIN, 0)..=(of, i64::MAX, u128::MAX), |_, ()| false)?)
}

/// Writes a rating, and moves its player on the board.
fn put(group: &mut Group<'_>, category: &str, PutRating { player, stored, key }: &PutRating) -> Outcome<()> {
    let (tables, number) = (&mut group.tables, player.number());
    let before = match stored {
        Some(stored) => tables.ratings.insert((category, number), (*key, stored.as_slice()))?,
        None => tables.ratings.remove((category, number))?,
    };
    let before = before.and_then(|before| before.value().0);
    if let Some(before) = before {
        tables.board.remove((category, before, number))?;
    }
    if let Some(key) = key {
        tables.board.insert((category, *key, number), ())?;
    }
    Ok(())
}
