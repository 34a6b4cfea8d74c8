//! Ratings: list, hashes and sorted set of a category, in one slot. A place on the board is a score, whose equals a sorted
//! set keeps in the order of players.

use async_trait::async_trait;
use redis::Cmd;

use super::RedisStore;
use super::client::{command, command_with};
use super::script::{CHANGE_RATINGS, RATINGS, REPLACE_RATINGS};
use crate::ratings::STAGED_SECONDS;
use crate::{BoardPlace, FoundRatings, PutRating, RatingEntry, RatingStore, Result, StoreError};
use sarsen_base::ids::{MatchId, PlayerId};

/// The number of ratings that are written at once where all are replaced.
const AT_ONCE: usize = 500;

#[async_trait]
impl RatingStore for RedisStore {
    async fn rating_categories(&self) -> Result<Vec<String>> {
        let get = command("SMEMBERS", self.shared.keys.rating_categories());
        let mut found: Vec<String> = self.shared.client.ask(&get).await?;
        found.sort_unstable();
        Ok(found)
    }

    async fn ratings(&self, category: &str, players: &[PlayerId], of: Option<&MatchId>) -> Result<FoundRatings> {
        let mut call = RATINGS.on(&["log", "done", "p"].map(|part| self.shared.keys.ratings(category, part)));
        call.arg(of.map_or("", MatchId::as_str));
        for player in players {
            call.arg(player.as_str());
        }
        let (length, entry, stored) = self.shared.client.ask(&call).await?;
        Ok(FoundRatings { length, entry, stored })
    }

    async fn change_ratings(
        &self,
        category: &str,
        length: u64,
        entries: Vec<RatingEntry>,
        ratings: Vec<PutRating>,
    ) -> Result<bool> {
        let keys = &self.shared.keys;
        if length == 0 && !entries.is_empty() {
            self.shared.client.keep_once(command_with("SADD", keys.rating_categories(), category)).await?;
        }
        let mut call = CHANGE_RATINGS.on(&["log", "done", "p", "board"].map(|part| keys.ratings(category, part)));
        call.arg(length).arg(entries.len());
        for (entry, of) in entries {
            call.arg(entry).arg(of.as_ref().map_or("", MatchId::as_str));
        }
        for PutRating { player, stored, key } in ratings {
            // No stored value is empty.
            call.arg(player.as_str()).arg(stored.unwrap_or_default());
            call.arg(key.map(|key| key.to_string()).unwrap_or_default());
        }
        self.shared.client.keep(call).await
    }

    async fn rating_log(&self, category: &str, from: u64, limit: usize) -> Result<Vec<Vec<u8>>> {
        let Some(last) = (from + limit as u64).checked_sub(1).filter(|_| limit > 0) else { return Ok(Vec::new()) };
        self.shared.client.ask(&command_with("LRANGE", self.shared.keys.ratings(category, "log"), (from, last))).await
    }

    async fn stage_ratings(&self, category: &str, generation: i64, ratings: Vec<PutRating>) -> Result<()> {
        let [new, new_board] = self.staged(category, generation);
        for some in ratings.chunks(AT_ONCE) {
            let writes = [("HSET", &new), ("HDEL", &new), ("ZADD", &new_board), ("ZREM", &new_board)];
            let mut writes = writes.map(|(name, key)| (command(name, key.clone()), false));
            for PutRating { player, stored, key } in some {
                let (put, place) = (usize::from(stored.is_none()), 2 + usize::from(key.is_none()));
                if let Some(key) = key {
                    writes[place].0.arg(*key);
                }
                for write in [put, place] {
                    writes[write].0.arg(player.as_str());
                    writes[write].1 = true;
                }
                if let Some(stored) = stored {
                    writes[put].0.arg(stored.as_slice());
                }
            }
            for (write, _) in writes.into_iter().filter(|(_, any)| *any) {
                self.shared.client.keep_before_another(write).await?;
            }
        }
        for key in [new, new_board] {
            let expire = command_with("EXPIRE", key, STAGED_SECONDS);
            self.shared.client.keep_before_another(expire).await?;
        }
        Ok(())
    }

    async fn replace_ratings(&self, category: &str, length: u64, generation: i64, ratings: usize) -> Result<bool> {
        let [log, present, board] = ["log", "p", "board"].map(|part| self.shared.keys.ratings(category, part));
        let [new, new_board] = self.staged(category, generation);
        self.shared.client.keep(REPLACE_RATINGS.call(&[log, present, board, new, new_board], (length, ratings))).await
    }

    async fn remove_category(&self, category: &str) -> Result<()> {
        let keys = &self.shared.keys;
        let mut remove = Cmd::new();
        remove.arg("UNLINK").arg(&["log", "done", "p", "board"].map(|part| keys.ratings(category, part)));
        self.shared.client.keep_once(remove).await?;
        self.shared.client.keep_once(command_with("SREM", keys.rating_categories(), category)).await?;
        Ok(())
    }

    async fn board(
        &self,
        category: &str,
        from: Option<&BoardPlace>,
        backwards: bool,
        limit: usize,
    ) -> Result<Vec<BoardPlace>> {
        let (mut found, mut offset) = (Vec::new(), 0);
        while found.len() < limit {
            let page = self.places(category, from.map(|(key, _)| *key), backwards, offset, limit + 1).await?;
            let (read, short) = (page.len(), page.len() <= limit);
            // Those at the same key come in the order of players.
            let beyond =
                |place: &BoardPlace| from.is_none_or(|from| if backwards { place < from } else { place > from });
            found.extend(page.into_iter().filter(beyond));
            offset += read;
            if short {
                break;
            }
        }
        found.truncate(limit);
        Ok(found)
    }

    async fn board_count(&self, category: &str, below: i64) -> Result<u64> {
        let count = command_with("ZCOUNT", self.shared.keys.ratings(category, "board"), ("-inf", format!("({below}")));
        self.shared.client.ask(&count).await
    }
}

impl RedisStore {
    /// The keys of a generation of ratings and board.
    fn staged(&self, category: &str, generation: i64) -> [String; 2] {
        ["p", "board"].map(|part| self.shared.keys.ratings(category, &format!("2:{part}:{generation}")))
    }

    /// Reads places from a key on, itself included.
    async fn places(
        &self,
        category: &str,
        from: Option<i64>,
        backwards: bool,
        offset: usize,
        limit: usize,
    ) -> Result<Vec<BoardPlace>> {
        let (name, first, last) =
            if backwards { ("ZREVRANGEBYSCORE", "+inf", "-inf") } else { ("ZRANGEBYSCORE", "-inf", "+inf") };
        let mut range: Cmd = command(name, self.shared.keys.ratings(category, "board"));
        range.arg(from.map_or_else(|| first.to_owned(), |key| key.to_string())).arg(last);
        range.arg("WITHSCORES").arg("LIMIT").arg(offset).arg(limit);
        let found: Vec<(String, f64)> = self.shared.client.ask(&range).await?;
        let place = |(player, key): (String, f64)| {
            let player = player.parse().map_err(|_| StoreError::Corrupt("a board has an entry of nobody".to_owned()));
            Ok((key as i64, player?))
        };
        found.into_iter().map(place).collect()
    }
}
