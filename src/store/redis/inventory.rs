//! The inventory: scans of keys on every master, and each thing read by its key.

use std::collections::HashMap;

use async_trait::async_trait;
use redis::{Cmd, Value};

use super::link::{command, read};
use super::listing::decode_listing;
use super::lists::{is_of, places};
use super::matches::{half, parse_stamp, replay, replay_key};
use super::{RedisStore, sessions};
use crate::keys::Shard;
use crate::{
    Inventory, InventoryPage, KeptSession, ListScope, Listing, PageStart, Result, StoreError, StrayEntry, WholeMatch,
};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};

/// How many log entries, or entries of a list, are read in one trip.
const PAGE: usize = 500;
/// How often a match is read again that was replaced or deleted while it was read.
const ATTEMPTS: usize = 5;

/// A session as it is kept: revision or `revoked`, end, what is stored.
type Kept = (Option<String>, Option<i64>, Option<Vec<u8>>);

#[async_trait]
impl Inventory for RedisStore {
    async fn match_ids(&self, from: Option<&PageStart>) -> Result<InventoryPage<MatchId>> {
        let (keys, next) = self.shared.scan(&self.shared.keys.every_match(), from).await?;
        let id = |key: &String| key.rsplit_once(':').and_then(|(_, id)| id.parse().ok());
        Ok(InventoryPage { items: keys.iter().filter_map(id).collect(), next })
    }

    async fn listings(&self, from: Option<&PageStart>) -> Result<InventoryPage<(MatchId, Listing)>> {
        let InventoryPage { items: ids, next } = self.match_ids(from).await?;
        let noted = self.noted(&ids).await?;
        let items = ids.into_iter().zip(noted).filter_map(|(id, listing)| Some((id, listing?))).collect();
        Ok(InventoryPage { items, next })
    }

    async fn player_ids(&self, from: Option<&PageStart>) -> Result<InventoryPage<PlayerId>> {
        let (keys, next) = self.shared.scan(&self.shared.keys.every_player(), from).await?;
        Ok(InventoryPage { items: keys.iter().filter_map(|key| owner(key)?.parse().ok()).collect(), next })
    }

    async fn whole_match(&self, id: &MatchId) -> Result<Option<WholeMatch>> {
        for _ in 0..ATTEMPTS {
            let Some(mut whole) = self.record(id).await? else { return Ok(None) };
            // A log only grows: its first entries are those of the version that was read. One more is asked for, which
            // is there only if the match has moved on.
            while (whole.entries.len() as u64) <= whole.version {
                let first = whole.entries.len();
                let mut range = command("LRANGE", self.shared.keys.log(id));
                range.arg(first).arg(whole.version.min((first + PAGE - 1) as u64));
                let entries: Vec<Vec<u8>> = read(self.shared.link.send_again_if_lost(&range).await?)?;
                if entries.is_empty() {
                    // It may be archived, perhaps only just.
                    if (first as u64) < whole.version {
                        let archived = self.archived(id).await?;
                        whole.entries = if archived.is_empty() { whole.entries } else { archived };
                    }
                    break;
                }
                whole.entries.extend(entries);
            }
            if whole.entries.len() as u64 == whole.version {
                return Ok(Some(whole));
            }
            match self.record(id).await? {
                // Its log is damaged, which is for others to judge.
                Some(now) if now.version == whole.version && now.stored == whole.stored => return Ok(Some(whole)),
                Some(now) if now.version > whole.version && whole.entries.len() as u64 > whole.version => {
                    whole.entries.truncate(whole.version as usize);
                    return Ok(Some(whole));
                }
                _ => {}
            }
        }
        Err(StoreError::Unavailable(format!("{id} does not stand still").into()))
    }

    async fn kept_sessions(&self, player: &PlayerId) -> Result<Vec<KeptSession>> {
        let now = self.shared.now();
        let ids = sessions::named(&self.shared, player, now).await?;
        let gets = ids.iter().map(|id| {
            let mut get = command("HMGET", self.shared.keys.session(id));
            get.arg("n").arg("e").arg("r");
            get
        });
        let mut kept = Vec::new();
        for (id, answer) in ids.iter().zip(self.shared.link.send_all_once(gets.collect()).await?) {
            let (revision, expires, stored): Kept = read(answer)?;
            let revision = revision.and_then(|revision| revision.parse().ok());
            let (Some(revision), Some(expires), Some(stored)) = (revision, expires, stored) else { continue };
            if expires > now.0 {
                let expires = Timestamp(expires);
                kept.push(KeptSession { id: id.clone(), player: player.clone(), revision, stored, expires });
            }
        }
        Ok(kept)
    }

    async fn missing_from(&self, id: &MatchId, listing: &Listing) -> Result<Vec<String>> {
        let mut faults = Vec::new();
        let noted: Option<String> = {
            let mut get = command("HGET", self.shared.keys.the_match(id));
            get.arg("l");
            read(self.shared.link.send_again_if_lost(&get).await?)?
        };
        if noted.as_deref().and_then(|noted| decode_listing(noted).ok()).as_ref() != Some(listing) {
            faults.push("it is noted as listed otherwise".to_owned());
        }
        let lists = places(&self.shared.keys, listing);
        let looks = lists.iter().map(|(key, _)| {
            let mut score = command("ZSCORE", key.clone());
            score.arg(id.as_str());
            score
        });
        let found = self.shared.link.send_all_once(looks.collect()).await?;
        for ((_, scope), answer) in lists.iter().zip(found) {
            if matches!(answer, Value::Nil) {
                let whose = match scope {
                    ListScope::Public => "the public list".to_owned(),
                    ListScope::Player(player) => format!("the list of {player}"),
                };
                let (stage, game) = (listing.stage.name(), &listing.game);
                faults.push(format!("it is missing from {whose} of {stage} matches of {game}"));
            }
        }
        Ok(faults)
    }

    async fn strays(&self, from: Option<&PageStart>) -> Result<InventoryPage<StrayEntry>> {
        let (keys, next) = self.shared.scan(&self.shared.keys.every_list(), from).await?;
        let mut items = Vec::new();
        for key in &keys {
            self.strays_of(key, &mut items).await?;
        }
        Ok(InventoryPage { items, next })
    }

    async fn caught_up(&self) -> Result<bool> {
        let looks = Shard::all().map(|shard| command("LLEN", self.shared.keys.outbox(shard)));
        let lengths = self.shared.link.send_all_once(looks.collect()).await?;
        Ok(lengths.into_iter().map(read).collect::<Result<Vec<u64>>>()?.iter().all(|length| *length == 0))
    }
}

/// What stands between the braces of a key.
fn owner(key: &str) -> Option<&str> {
    key.split_once('{')?.1.split_once('}').map(|(owner, _)| owner)
}

impl RedisStore {
    /// A match without its log.
    async fn record(&self, id: &MatchId) -> Result<Option<WholeMatch>> {
        let get = command("HGETALL", self.shared.keys.the_match(id));
        let mut fields: HashMap<String, Vec<u8>> = read(self.shared.link.send_again_if_lost(&get).await?)?;
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).map_err(|_| half(id));
        let (version, stamp, stored) = match (fields.remove("v"), fields.remove("s"), fields.remove("r")) {
            (None, None, None) => return Ok(None),
            (Some(version), Some(stamp), Some(stored)) => (text(version)?, parse_stamp(&text(stamp)?)?, stored),
            _ => return Err(half(id)),
        };
        let version = version.parse::<u64>().map_err(|_| half(id))?;
        let listing = fields.remove("l").map(text).transpose()?.and_then(|listing| decode_listing(&listing).ok());
        let mut replays = Vec::new();
        for (field, value) in fields {
            if let Some(key) = replay_key(&field) {
                replays.push((key, replay(&text(value)?)?));
            }
        }
        let mut look = command("ZSCORE", self.shared.keys.due(Shard::of(id)));
        look.arg(id.as_str());
        // Read a moment later than the rest: where the two do not fit, whoever compares looks again.
        let due: Option<f64> = read(self.shared.link.send_again_if_lost(&look).await?)?;
        let due = due.map(|at| Timestamp(at as i64));
        let (id, entries) = (id.clone(), Vec::new());
        Ok(Some(WholeMatch { id, version, stamp, stored, listing, due, entries, replays }))
    }

    /// Where each of these matches is noted as listed.
    async fn noted(&self, ids: &[MatchId]) -> Result<Vec<Option<Listing>>> {
        let gets = ids.iter().map(|id| {
            let mut get: Cmd = command("HGET", self.shared.keys.the_match(id));
            get.arg("l");
            get
        });
        let found = self.shared.link.send_all_once(gets.collect()).await?;
        let listing = |noted: Option<String>| noted.and_then(|noted| decode_listing(&noted).ok());
        found.into_iter().map(|noted| Ok(listing(read(noted)?))).collect()
    }

    /// Looks through one list.
    async fn strays_of(&self, key: &str, strays: &mut Vec<StrayEntry>) -> Result<()> {
        let Some((scope, stage, game)) = self.shared.keys.list_of(key) else { return Ok(()) };
        let mut above = "-".to_owned();
        loop {
            let mut range = command("ZRANGEBYLEX", key.to_owned());
            range.arg(&above).arg("+").arg("LIMIT").arg(0).arg(PAGE);
            let names: Vec<String> = read(self.shared.link.send_again_if_lost(&range).await?)?;
            let ids: Vec<MatchId> = names.iter().filter_map(|name| name.parse().ok()).collect();
            for (id, listing) in ids.iter().zip(self.noted(&ids).await?) {
                let belongs =
                    |listing: &Listing| is_of(listing, &scope) && (listing.stage, &listing.game) == (stage, &game);
                if !listing.as_ref().is_some_and(belongs) {
                    strays.push(StrayEntry { scope: scope.clone(), stage, game: game.clone(), id: id.clone() });
                }
            }
            match names.last() {
                Some(last) if names.len() == PAGE => above = format!("({last}"),
                _ => return Ok(()),
            }
        }
    }
}
