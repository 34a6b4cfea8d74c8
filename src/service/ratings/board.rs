//! Boards: players in the order of their ratings, in pages that fit each other.
//!
//! Invariants:
//! - Ranks are those of competitions: equals share one, and the next is as many further as they are. Of equals the first is
//!   who was there first. Only exactly equal ratings, to 1/100 of a point, are equals.
//! - Pages of one walk show the board of one moment: the cursor has the length of the log when the first was read.
//!   Changes since then are found at the end of the log, and undone. So no player is left out or doubled, even if
//!   matches are rated meanwhile, or another instance reads the next page.
//! - Who is banned or has not played for 90 days is left out when a board is read, and counts in the ranks of others.

use std::collections::HashMap;

use super::board_key::{first_of, is_shown, key_of, played_at, rating_of};
use super::category::{Category, MORE, SOLO, SPEEDS, TOGETHER, TWO, has_two_seats, of_month};
use super::contention::{ATTEMPTS, busy};
use super::counting::row_of;
use super::entry::{Entry, ResultCounts, StoredRating};
use super::formula::Rating;
use super::rater::Ratings;
use sarsen_base::ids::PlayerId;
use sarsen_rules::Mode;
use sarsen_store::{BoardPlace, StoreError};

/// The number of entries of the log after which a walk has to begin again.
const CHANGES_MAX: usize = 1000;

/// A place in a walk through a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardCursor {
    /// The length of the log when the walk began.
    pub length: u64,
    /// The place of the last row.
    pub last: BoardPlace,
    /// The number of rows so far, with those that were left out.
    pub passed: u64,
    /// The rank of the last row.
    pub rank: u64,
}

/// A row of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardRow {
    /// The rank, from 1.
    pub rank: u64,
    /// The player, or those who have played together.
    pub players: Vec<PlayerId>,
    /// The rating; on a board of results the best result instead, unscaled.
    pub rating: Rating,
    /// The count of matches on a board of results.
    pub counts: Option<ResultCounts>,
}

/// A page of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardPage {
    /// The rows.
    pub rows: Vec<BoardRow>,
    /// The beginning of the next page; `None` after the last.
    pub next: Option<BoardCursor>,
}

/// A walk took so long that the board of its beginning cannot be told any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the board has changed too much since the first page")]
pub struct StaleCursor;

impl Ratings {
    /// A page of a board.
    ///
    /// # Errors
    /// If the store is away or damaged; [`StaleCursor`] where the walk has to begin again.
    pub async fn board(
        &self,
        category: &str,
        cursor: Option<&BoardCursor>,
        limit: usize,
    ) -> Result<Result<BoardPage, StaleCursor>, StoreError> {
        let began = match cursor {
            Some(cursor) => cursor.length,
            None => self.store.ratings(category, &[], None).await?.length,
        };
        let after = cursor.map(|cursor| &cursor.last);
        let (mut places, mut ended): (Vec<BoardPlace>, bool) = (Vec::new(), false);
        let mut from = after.cloned();
        let before = loop {
            while !ended && places.len() <= limit {
                let page = self.store.board(category, from.as_ref(), false, limit + 1).await?;
                ended = page.len() <= limit;
                from = page.last().cloned().or(from);
                places.extend(page);
            }
            // Read after the places, so that it has every change that has moved one of them.
            let Some(before) = self.before_changes(category, began).await? else { return Ok(Err(StaleCursor)) };
            places.retain(|(_, player)| !before.contains_key(player));
            if ended || places.len() > limit {
                break before;
            }
        };
        // Behind the last place that was read there may be more.
        let bound = if ended { None } else { places.last().cloned() };
        let two_seats = has_two_seats(category);
        let shown = before.into_iter().filter(|(_, rating)| !rating.is_provisional(two_seats) && rating.at.is_some());
        let back = shown.map(|(player, rating)| (key_of(&rating), player));
        let fits = |place: &BoardPlace| {
            after.is_none_or(|after| place > after) && bound.as_ref().is_none_or(|bound| place < bound)
        };
        places.extend(back.filter(fits));
        places.sort_unstable();
        let more = places.len() > limit;
        places.truncate(limit);
        let (mut passed, mut rank) = cursor.map_or((0, 0), |cursor| (cursor.passed, cursor.rank));
        let mut level = after.map(|(key, _)| first_of(*key));
        let ranked = places.iter().map(|(key, _)| {
            passed += 1;
            if level.replace(first_of(*key)) != Some(first_of(*key)) {
                rank = passed;
            }
            rank
        });
        let ranks: Vec<u64> = ranked.collect();
        let next =
            places.last().filter(|_| more).map(|last| BoardCursor { length: began, last: last.clone(), passed, rank });
        Ok(Ok(BoardPage { rows: self.rows(category, places, ranks).await?, next }))
    }

    /// The ratings, at that length of the log, of all players whose rating has changed since; `None` if these are too
    /// many. A player who had none then has the rating with which everybody begins.
    async fn before_changes(
        &self,
        category: &str,
        length: u64,
    ) -> Result<Option<HashMap<PlayerId, Rating>>, StoreError> {
        let entries = self.store.rating_log(category, length, CHANGES_MAX + 1).await?;
        if entries.len() > CHANGES_MAX {
            return Ok(None);
        }
        let mut before = HashMap::new();
        for entry in entries {
            match Entry::decode(&entry)? {
                Entry::Match(rated) => {
                    for player in rated.seats.into_iter().filter(|player| player.after.is_some()) {
                        before.entry(player.seat.player).or_insert(player.before);
                    }
                }
                Entry::Result(recorded) => {
                    before.entry(row_of(&recorded.players)).or_insert(recorded.before);
                }
                Entry::Unranked { player, before: rating, .. } => drop(before.entry(player).or_insert(rating)),
                // All ratings may be others then.
                Entry::Annulled { .. } => return Ok(None),
            }
        }
        Ok(Some(before))
    }

    /// Takes those off a board who have not played for 90 days, until they play again, or removes the boards of months long
    /// past of a board of results. Returns true if anybody or any is left.
    ///
    /// # Errors
    /// If the store is away or damaged.
    pub(crate) async fn sweep(&self, category: &str) -> Result<bool, StoreError> {
        if !Category::read(category).is_some_and(|category| category.is_rated()) {
            return self.drop_months(category).await;
        }
        let (mut from, mut left) = (None, false);
        loop {
            let places = self.store.board(category, from.as_ref(), false, CHANGES_MAX).await?;
            let Some(last) = places.last() else { return Ok(left) };
            from = Some(last.clone());
            for (key, player) in places {
                if is_shown(played_at(key), self.now()) {
                    left = true;
                } else {
                    self.take_off(category, player).await?;
                }
            }
        }
    }

    async fn take_off(&self, category: &str, player: PlayerId) -> Result<(), StoreError> {
        for _ in 0..ATTEMPTS {
            let found = self.store.ratings(category, std::slice::from_ref(&player), None).await?;
            let Some(stored) = found.stored.into_iter().flatten().next() else { return Ok(()) };
            let put = self.put(category, player.clone(), &StoredRating::decode(&stored)?)?;
            if self.store.change_ratings(category, found.length, Vec::new(), vec![put]).await? {
                return Ok(());
            }
        }
        Err(busy())
    }

    /// The rows of those who are shown.
    async fn rows(
        &self,
        category: &str,
        places: Vec<BoardPlace>,
        ranks: Vec<u64>,
    ) -> Result<Vec<BoardRow>, StoreError> {
        let now = self.now();
        let players: Vec<PlayerId> = places.iter().map(|(_, player)| player.clone()).collect();
        let found = self.store.ratings(category, &players, None).await?.stored;
        let mut rows = Vec::with_capacity(places.len());
        for (((key, player), rank), stored) in places.into_iter().zip(ranks).zip(found) {
            let Some(stored) = stored.as_deref().map(StoredRating::decode).transpose()? else { continue };
            // As it stood at the beginning of the walk.
            let rating = Rating { rating: rating_of(key), ..stored.rating };
            let shown = stored.counts.is_some() || is_shown(played_at(key), now);
            let players = stored.counts.as_ref().map_or_else(|| vec![player], |counts| counts.players.clone());
            if shown && players.iter().all(|player| self.known.barred_from_play(player, now).is_none()) {
                rows.push(BoardRow { rank, players, rating, counts: stored.counts });
            }
        }
        Ok(rows)
    }

    /// The row of a player with those around, as many on both sides; `None` for who is not on the board. Of several sets of
    /// players that they belong to, it is the best.
    ///
    /// # Errors
    /// If the store is away or damaged.
    pub async fn around(
        &self,
        category: &str,
        player: &PlayerId,
        around: usize,
    ) -> Result<Option<Vec<BoardRow>>, StoreError> {
        let names = self.rows_with(category, player).await?;
        let (found, two_seats) = (self.store.ratings(category, &names, None).await?.stored, has_two_seats(category));
        let mut own: Option<BoardPlace> = None;
        for (name, stored) in names.into_iter().zip(found) {
            let stored = stored.as_deref().map(StoredRating::decode).transpose()?;
            let place =
                stored.filter(|stored| stored.is_listed(two_seats)).map(|stored| (key_of(&stored.rating), name));
            own = own.into_iter().chain(place).min();
        }
        let Some(own) = own else { return Ok(None) };
        let mut places = self.store.board(category, Some(&own), true, around).await?;
        places.reverse();
        places.push(own);
        places.extend(self.store.board(category, places.last(), false, around).await?);
        let (mut ranks, mut level) = (Vec::with_capacity(places.len()), None);
        for (key, _) in &places {
            let first = first_of(*key);
            let rank = match level {
                Some((same, rank)) if same == first => rank,
                _ => self.store.board_count(category, first).await? + 1,
            };
            level = Some((first, rank));
            ranks.push(rank);
        }
        let rows = self.rows(category, places, ranks).await?;
        Ok(rows.iter().any(|row| row.players.contains(player)).then_some(rows))
    }
}

impl Ratings {
    /// The categories of the games on offer, and any others that have a log, in the order of their names.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn categories(&self) -> Result<Vec<Category>, StoreError> {
        let (mut names, now) = (self.store.rating_categories().await?, self.now());
        for game in self.games.iter() {
            let info = game.info();
            let rated = info.mode == Mode::Competitive;
            for (seats, fits) in [(TWO, rated && info.min_seats <= 2), (MORE, rated && info.max_seats > 2)] {
                names.extend(SPEEDS.iter().filter(|_| fits).map(|speed| format!("{}.{seats}.{speed}", info.id)));
            }
            let together = info.mode == Mode::Cooperative && info.max_seats > 1;
            for (kind, fits) in [(SOLO, info.min_seats == 1), (TOGETHER, together)] {
                for (options, _) in game.ranked_options().into_iter().filter(|_| fits) {
                    let board = format!("{}.{kind}.{options}", info.id);
                    names.extend(of_month(&board, now, now).into_iter().chain([board]));
                }
            }
        }
        let all = names.iter().filter_map(|name| Category::read(name));
        let mut all: Vec<Category> = all.filter(|category| category.is_kept(now)).collect();
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    /// The category of this name, if there is one.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn category(&self, name: &str) -> Result<Option<Category>, StoreError> {
        Ok(self.categories().await?.into_iter().find(|category| category.name == name))
    }
}
