//! The inventory: scans of keys on every master, then a read of each thing by its key. A restore is one script on keys
//! of one slot; lists follow through the outbox, as after a commit.

use std::collections::HashMap;

use async_trait::async_trait;
use redis::Cmd;

use super::client::{command, command_with, read};
use super::list_index::{Target, project};
use super::listing::{decode_listing, encode_listing};
use super::lists::{is_of, places};
use super::matches::{half, notice, parse_stamp, replay, replay_field, replay_key, replay_text};
use super::outbox::Task;
use super::script::{LIST_SESSION, PUT_PLAYER, PUT_SESSION, RELIST, RESTORE_INBOX, RESTORE_MATCH};
use super::{RedisStore, due, players};
use crate::keys::{KnownKey, Shard};
use crate::{
    Damage, Due, Inbox, Inventory, InventoryPage, KeptSession, ListScope, Listing, PageStart, PlayerStore, Restored,
    Result, Revised, StoreError, StrayEntry, WholeMatch,
};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId, SessionId};

/// The number of log entries, or entries of a list, that are read in one trip.
const PAGE: usize = 500;
/// The maximum number of reads of a match that is replaced or deleted meanwhile.
const ATTEMPTS: usize = 5;

/// The fields of a session: revision or `revoked`, end, stored session.
type Kept = (Option<String>, Option<i64>, Option<Vec<u8>>);

#[async_trait]
impl Inventory for RedisStore {
    async fn match_ids(&self, from: Option<&PageStart>) -> Result<InventoryPage<MatchId>> {
        let (keys, next) = self.shared.scan(&self.shared.keys.every_match(), from).await?;
        let id = |key: &String| key.rsplit_once(':').and_then(|(_, id)| id.parse().ok());
        Ok(InventoryPage { items: keys.iter().filter_map(id).collect(), next, damage: Vec::new() })
    }

    async fn listings(&self, from: Option<&PageStart>) -> Result<InventoryPage<(MatchId, Listing)>> {
        let InventoryPage { items: ids, next, damage } = self.match_ids(from).await?;
        let noted = self.noted(&ids).await?;
        let items = ids.into_iter().zip(noted).filter_map(|(id, listing)| Some((id, listing?))).collect();
        Ok(InventoryPage { items, next, damage })
    }

    async fn player_ids(&self, from: Option<&PageStart>) -> Result<InventoryPage<PlayerId>> {
        let (keys, next) = self.shared.scan(&self.shared.keys.every_player(), from).await?;
        let items = keys.iter().filter_map(|key| owner(key)?.parse().ok()).collect();
        Ok(InventoryPage { items, next, damage: Vec::new() })
    }

    async fn whole_match(&self, id: &MatchId) -> Result<Option<WholeMatch>> {
        for _ in 0..ATTEMPTS {
            let Some(mut whole) = self.record(id).await? else { return Ok(None) };
            // A log only grows: its first entries are those of the version that was read. One more is asked for, which
            // exists only if the match has moved on.
            while (whole.entries.len() as u64) <= whole.version {
                let first = whole.entries.len();
                let mut range = command("LRANGE", self.shared.keys.log(id));
                range.arg(first).arg(whole.version.min((first + PAGE - 1) as u64));
                let entries: Vec<Vec<u8>> = self.shared.client.ask(&range).await?;
                if entries.is_empty() {
                    // The match may have been archived just now.
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
                // The log is damaged, which the caller judges.
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

    async fn kept_sessions(&self, player: &PlayerId) -> Result<InventoryPage<KeptSession>> {
        let now = self.shared.now();
        let ids = players::named(&self.shared, player, now).await?;
        let gets: Vec<Cmd> =
            ids.iter().map(|id| command_with("HMGET", self.shared.keys.session(id), ("n", "e", "r"))).collect();
        let mut kept = InventoryPage { items: Vec::new(), next: None, damage: Vec::new() };
        for (id, answer) in ids.into_iter().zip(self.shared.client.read_each_once::<Kept>(gets).await?) {
            match answer.map(|fields| session(&id, player, fields)) {
                Ok(Ok(Some(session))) if session.expires > now => kept.items.push(session),
                Ok(Ok(_)) => {}
                Ok(Err(Half)) => {
                    kept.damage.push(Damage::of(id, "is a session of which a part is missing or unreadable"))
                }
                Err(StoreError::Corrupt(what)) => kept.damage.push(Damage::of(id, format!("is no session: {what}"))),
                Err(away) => return Err(away),
            }
        }
        Ok(kept)
    }

    async fn missing_from(&self, id: &MatchId, listing: &Listing) -> Result<Vec<String>> {
        let mut faults = Vec::new();
        let get = command_with("HGET", self.shared.keys.the_match(id), "l");
        let noted: Option<String> = self.shared.client.ask(&get).await?;
        if noted.as_deref().and_then(|noted| decode_listing(noted).ok()).as_ref() != Some(listing) {
            faults.push("it is noted as listed otherwise".to_owned());
        }
        let lists = places(&self.shared.keys, listing);
        let looks = lists.iter().map(|(key, _)| command_with("ZSCORE", key.clone(), id.as_str()));
        let found = self.shared.client.read_each_once::<Option<f64>>(looks.collect()).await?;
        for ((_, scope), answer) in lists.iter().zip(found) {
            let missing = match answer {
                Ok(score) => score.is_none(),
                Err(StoreError::Corrupt(_)) => true,
                Err(away) => return Err(away),
            };
            if missing {
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
            match self.strays_of(key, &mut items).await {
                // A key that is no list is reported by its type.
                Ok(()) | Err(StoreError::Corrupt(_)) => {}
                Err(away) => return Err(away),
            }
        }
        Ok(InventoryPage { items, next, damage: Vec::new() })
    }

    async fn damaged(&self, from: Option<&PageStart>) -> Result<InventoryPage<Damage>> {
        let (keys, next) = self.shared.scan(&self.shared.keys.all(), from).await?;
        let known: Vec<_> = keys.iter().filter_map(|key| Some((key, self.shared.keys.known(key)?))).collect();
        let looks = known.iter().map(|(key, _)| command("TYPE", (*key).clone()));
        let types = self.shared.client.read_each_once::<String>(looks.collect()).await?;
        let mut items = Vec::new();
        for ((key, KnownKey { name, holds, names }), found) in known.into_iter().zip(types) {
            let found = found?;
            if found == "none" {
                // The key was deleted meanwhile.
            } else if found != holds {
                items.push(Damage::of(name, format!("has a key that holds a {found} where a {holds} belongs")));
            } else if let Some(names) = names {
                match self.strangers(key, holds, names).await? {
                    0 => {}
                    strangers => {
                        items.push(Damage::of(name, format!("has a key with entries that name nothing: {strangers}")))
                    }
                }
            }
        }
        Ok(InventoryPage { items, next, damage: Vec::new() })
    }

    async fn caught_up(&self) -> Result<bool> {
        let looks = Shard::all().map(|shard| command("LLEN", self.shared.keys.outbox(shard)));
        let lengths = self.shared.client.send_all_once(looks.collect()).await?;
        Ok(lengths.into_iter().map(read).collect::<Result<Vec<u64>>>()?.iter().all(|length| *length == 0))
    }

    async fn restore_match(&self, whole: WholeMatch) -> Result<Restored> {
        let WholeMatch { id, version, stamp, stored, listing, due, entries, replays } = whole;
        let (keys, shard) = (&self.shared.keys, Shard::of(&id));
        let task = Task::head(&id, version, true, "").unwrap_or_default();
        let mut call = RESTORE_MATCH.on(&[
            &keys.the_match(&id),
            &keys.log(&id),
            &keys.outbox(shard),
            &keys.due(shard),
            &keys.deleted(&id),
            &keys.archive(&id),
        ]);
        call.arg(version).arg(stored).arg(stamp.to_string());
        call.arg(listing.as_ref().map(encode_listing).transpose()?.unwrap_or_default());
        call.arg(task).arg(keys.live()).arg(notice(&id, version));
        call.arg(due::argument(due.map_or(Due::Remove, Due::At))).arg(id.as_str()).arg(replays.len());
        for (key, replay) in &replays {
            call.arg(replay_field(key)).arg(replay_text(replay));
        }
        for entry in &entries {
            call.arg(entry.as_slice());
        }
        let restored = outcome(self.shared.client.keep_once(call).await?)?;
        if restored == Restored::Written {
            self.shared.outbox.mark(shard);
        }
        Ok(restored)
    }

    async fn restore_player(&self, id: &PlayerId, player: Revised) -> Result<Restored> {
        let before = self.player(id).await?;
        match &before {
            Some(before) if *before == player => return Ok(Restored::Same),
            Some(before) if before.revision >= player.revision => return Ok(Restored::Kept),
            _ => {}
        }
        let expected = before.map_or(0, |before| before.revision);
        let put = PUT_PLAYER.call(&[self.shared.keys.player(id)], (expected, player.revision, player.stored));
        let written: bool = self.shared.client.keep(put).await?;
        // Another writer was quicker, with a later revision.
        Ok(if written { Restored::Written } else { Restored::Kept })
    }

    async fn restore_session(&self, session: KeptSession) -> Result<Restored> {
        let KeptSession { id, player, revision, stored, expires } = session;
        let Timestamp(now) = self.shared.now();
        let before = self.session(&id).await?;
        match &before {
            _ if expires.0 <= now => return Ok(Restored::Kept),
            Some(before) if before.revision == revision && before.stored == stored => return Ok(Restored::Same),
            Some(before) if before.revision >= revision => return Ok(Restored::Kept),
            _ => {}
        }
        let expected = before.map_or(0, |before| before.revision);
        let list = LIST_SESSION.call(&[&self.shared.keys.sessions(&player)], (id.as_str(), expires.0, now));
        let put = PUT_SESSION.call(&[&self.shared.keys.session(&id)], (expected, revision, stored, expires.0, now));
        let mut answers = self.shared.client.keep_all_once(vec![list, put]).await?;
        // A revoked session has no revision.
        let written = answers.pop().map_or(Ok(false), read)?;
        Ok(if written { Restored::Written } else { Restored::Kept })
    }

    async fn restore_revocation(&self, id: &SessionId, until: Timestamp) -> Result<()> {
        // The session's player is unknown here; the set of a player's sessions may name too many.
        players::revoke(&self.shared, id, until, None).await
    }

    async fn restore_inbox(&self, player: &PlayerId, inbox: Inbox) -> Result<Restored> {
        let mut call = RESTORE_INBOX.on(&[self.shared.keys.inbox(player)]);
        call.arg(inbox.newest).arg(self.shared.keys.live()).arg(player.as_str());
        for kept in &inbox.notices {
            call.arg(notice(&kept.match_id, kept.version));
        }
        outcome(self.shared.client.keep_once(call).await?)
    }

    async fn relist(&self, id: &MatchId, version: u64, listing: &Listing) -> Result<bool> {
        let call = RELIST.call(&[self.shared.keys.the_match(id)], (version, encode_listing(listing)?));
        let before: Option<String> = self.shared.client.keep(call).await?;
        let Some(before) = before else { return Ok(false) };
        let before = decode_listing(&before).into_iter().collect();
        if project(&self.shared, vec![Target { before, ..Target::unknown(id.clone()) }]).await?.contains(id) {
            return Ok(true);
        }
        Err(StoreError::Unavailable(format!("the lists of {id} were not all written").into()))
    }

    async fn unlist(&self, stray: &StrayEntry) -> Result<()> {
        let key = self.shared.keys.list(&stray.scope, stray.stage, &stray.game);
        self.shared.client.keep_once(command_with("ZREM", key, stray.id.as_str())).await?;
        // The entry may have become right a moment ago.
        project(&self.shared, vec![Target::unknown(stray.id.clone())]).await.map(drop)
    }
}

/// The error of a session of which a part is missing.
struct Half;

/// Reads a session from these fields; `None` if it is over.
fn session(id: &SessionId, player: &PlayerId, (revision, expires, stored): Kept) -> Result<Option<KeptSession>, Half> {
    let revision = match revision.as_deref() {
        None if expires.is_none() && stored.is_none() => return Ok(None),
        Some("revoked") => return Ok(None),
        revision => revision.and_then(|revision| revision.parse().ok()).ok_or(Half)?,
    };
    let (expires, stored) = (Timestamp(expires.ok_or(Half)?), stored.ok_or(Half)?);
    Ok(Some(KeptSession { id: id.clone(), player: player.clone(), revision, stored, expires }))
}

/// Returns the part of a key between its braces.
fn owner(key: &str) -> Option<&str> {
    key.split_once('{')?.1.split_once('}').map(|(owner, _)| owner)
}

impl RedisStore {
    /// Returns a match without its log.
    async fn record(&self, id: &MatchId) -> Result<Option<WholeMatch>> {
        let get = command("HGETALL", self.shared.keys.the_match(id));
        let mut fields: HashMap<String, Vec<u8>> = self.shared.client.ask(&get).await?;
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
        let look = command_with("ZSCORE", self.shared.keys.due(Shard::of(id)), id.as_str());
        // This read comes a moment after the others: where they do not fit, the caller reads again.
        let due: Option<f64> = self.shared.client.ask(&look).await?;
        let due = due.map(|at| Timestamp(at as i64));
        let (id, entries) = (id.clone(), Vec::new());
        Ok(Some(WholeMatch { id, version, stamp, stored, listing, due, entries, replays }))
    }

    /// Returns the noted listing of each of these matches.
    async fn noted(&self, ids: &[MatchId]) -> Result<Vec<Option<Listing>>> {
        let gets = ids.iter().map(|id| command_with("HGET", self.shared.keys.the_match(id), "l"));
        let found = self.shared.client.read_each_once::<Option<String>>(gets.collect()).await?;
        let listing = |noted: Result<Option<String>>| match noted {
            Ok(noted) => Ok(noted.and_then(|noted| decode_listing(&noted).ok())),
            // Treated as no listing; the damage is reported with its match.
            Err(StoreError::Corrupt(_)) => Ok(None),
            Err(away) => Err(away),
        };
        found.into_iter().map(listing).collect()
    }

    /// Returns the number of entries of a sorted set or a list that are not valid names.
    async fn strangers(&self, key: &str, holds: &str, names: fn(&str) -> bool) -> Result<usize> {
        let (mut strangers, mut first) = (0, 0);
        loop {
            let mut range = command(if holds == "list" { "LRANGE" } else { "ZRANGE" }, key.to_owned());
            range.arg(first).arg(first + PAGE - 1);
            let page: Vec<Vec<u8>> = self.shared.client.ask(&range).await?;
            let stranger = |name: &&Vec<u8>| !std::str::from_utf8(name).is_ok_and(names);
            strangers += page.iter().filter(stranger).count();
            first += PAGE;
            if page.len() < PAGE {
                return Ok(strangers);
            }
        }
    }

    /// Adds the stray entries of one list.
    async fn strays_of(&self, key: &str, strays: &mut Vec<StrayEntry>) -> Result<()> {
        let Some((scope, stage, game)) = self.shared.keys.list_of(key) else { return Ok(()) };
        let mut above = "-".to_owned();
        loop {
            let range = command_with("ZRANGEBYLEX", key.to_owned(), (&above, "+", "LIMIT", 0, PAGE));
            let names: Vec<String> = self.shared.client.ask(&range).await?;
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

fn outcome(answer: redis::Value) -> Result<Restored> {
    match read::<u8>(answer)? {
        1 => Ok(Restored::Written),
        2 => Ok(Restored::Same),
        _ => Ok(Restored::Kept),
    }
}
