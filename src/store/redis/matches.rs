//! Matches: one trip to load, one script to commit.
//!
//! Beside a match lie its plans (a hash by seat; a field of the match says that there is one), its checkpoints (a
//! sorted set by version) and, in place of the log, its archive. An inbox is a list: first the number of dropped
//! notices, then the members in order, so the place of a notice is its number. Commits or the outbox worker fill it
//! (`commit_effects.rs`); only the worker checks whether a notice is there already.
//!
//! A second notice for a version that a failover has lost and another step has made again is deliberately not
//! guaranteed. The notice names match and version, so it serves the new step too, and a list may name it twice. A
//! follower whose cursor is at that notice finds the other step by its stamp. A follower beyond it learns of it with
//! the next step of the match, or from the match itself.

use std::collections::BTreeMap;

use async_trait::async_trait;
use redis::Cmd;

use super::client::{command, command_with, read};
use super::commit_effects::CommitEffects;
use super::listing::encode_listing;
use super::outbox::Task;
use super::script::{ARCHIVE, CHECKPOINT, COMMIT, DELETE, INBOX, KEEP_PLAN, REPLACE_PLAN};
use super::{RedisStore, Shared, due, jobs, lists};
use crate::archives::{pack, stretch, unpack};
use crate::keys::Shard;
use crate::{
    Archived, Checkpoint, Commit, Committed, DELETED_REMEMBERED, Due, Inbox, KeptPlan, ListQuery, ListedMatch,
    LoadedMatch, MatchStore, Notice, Replay, ReplayKey, Result, Stamp, StampedVersion, StoreError,
};
use sarsen_base::ids::{MatchId, PlayerId};

/// The time that plans of a match are kept after the last was made, in seconds: 400 days.
const PLANS_KEPT_SECONDS: u32 = 400 * 24 * 60 * 60;
/// The time that checkpoints of a match are kept after the last was left, in seconds: a week.
const CHECKPOINTS_KEPT_SECONDS: u32 = 7 * 24 * 60 * 60;
/// The approximate size of a commit's arguments beside its keys, the match and the entry, in bytes.
const ROOM: usize = 512;

/// Returns the field of the match that holds the replay of a key.
pub(super) fn replay_field(key: &ReplayKey) -> String {
    format!("k{}|{}", key.player, key.key)
}

/// Returns the key of such a field, if it is one.
pub(super) fn replay_key(field: &str) -> Option<ReplayKey> {
    let (player, key) = field.strip_prefix('k')?.split_once('|')?;
    Some(ReplayKey { player: player.parse().ok()?, key: key.to_owned() })
}

/// Returns a replay as stored in such a field.
pub(super) fn replay_text(replay: &Replay) -> String {
    format!("{}:{}", replay.version, replay.fingerprint)
}

/// Reads a replay from such a field.
pub(super) fn replay(text: &str) -> Result<Replay> {
    let parts = text.split_once(':').and_then(|(version, fingerprint)| Some((version.parse().ok()?, fingerprint)));
    match parts {
        Some((version, fingerprint)) => Ok(Replay { version, fingerprint: fingerprint.to_owned() }),
        None => Err(StoreError::Corrupt("what an idempotency key committed is unreadable".to_owned())),
    }
}

/// Returns the text of a version of a match, in live messages and in inboxes.
pub(super) fn notice(id: &MatchId, version: u64) -> String {
    [id.as_str(), ":", &version.to_string()].concat()
}

/// Reads a stamp from the match's hash.
pub(super) fn parse_stamp(kept: &str) -> Result<Stamp> {
    kept.parse().map_err(|_| StoreError::Corrupt("a stamp is unreadable".to_owned()))
}

/// Returns the error of a match of which some fields are missing.
pub(super) fn half(id: &MatchId) -> StoreError {
    StoreError::Corrupt(format!("half of match {id}"))
}

/// Makes the call of a commit.
fn committing(shared: &Shared, commit: &Commit) -> Result<Cmd> {
    let Commit { id, expected, expected_stamp, stamp, stored, entry, .. } = commit;
    let Commit { listing, listed, replay, notify, due, jobs, .. } = commit;
    let version = expected + 1;
    let effects = CommitEffects::of(shared, id, version, notify, listing.as_ref(), listed.as_ref())?;
    let keys = &shared.keys;
    let of_match = keys.of_match(id);
    let shard = of_match.shard;
    let touched = [of_match.the_match(), of_match.log(), keys.outbox(shard), keys.due(shard)];
    // Rarely used keys come last, and only where they are needed: each key costs the server time.
    let deleted = (*expected == 0).then(|| of_match.deleted());
    let of_jobs = jobs::keys(keys, shard, jobs);
    let touched = touched.iter().chain(effects.keys()).chain(&deleted).chain(&of_jobs);
    let touched: Vec<&str> = touched.map(String::as_str).collect();
    let mut call = COMMIT.on_with_room(&touched, stored.len() + entry.len() + ROOM);
    call.arg(expected).arg(version).arg(stored).arg(entry);
    call.arg(expected_stamp.map(|stamp| stamp.to_string()).unwrap_or_default()).arg(stamp.to_string());
    call.arg(due::argument(*due)).arg(id.as_str()).arg(keys.live()).arg(notice(id, version));
    effects.tell(&mut call, id);
    if let Some(listing) = listing {
        call.arg("l").arg(encode_listing(listing)?);
        effects.tell_lists(&mut call);
    }
    if let Some((key, replay)) = replay {
        call.arg("k").arg(replay_field(key)).arg(replay_text(replay));
    }
    jobs::tell(&mut call, jobs);
    Ok(call)
}

#[async_trait]
impl MatchStore for RedisStore {
    async fn load_match(&self, id: &MatchId, key: Option<&ReplayKey>) -> Result<Option<LoadedMatch>> {
        let mut get = Cmd::new();
        get.arg("HMGET").arg(self.shared.keys.the_match(id)).arg("v").arg("s").arg("r");
        if let Some(key) = key {
            get.arg(replay_field(key));
        }
        let answer = self.shared.client.send_again_if_lost(&get).await?;
        type Fields = (Option<u64>, Option<String>, Option<Vec<u8>>, Option<String>);
        let (version, stamp, stored, known): Fields = match key {
            Some(_) => read(answer)?,
            None => {
                let (version, stamp, stored) = read(answer)?;
                (version, stamp, stored, None)
            }
        };
        match (version, stamp, stored) {
            (Some(version), Some(stamp), Some(stored)) => {
                let replay = known.as_deref().map(replay).transpose()?;
                Ok(Some(LoadedMatch { stored, version, stamp: parse_stamp(&stamp)?, replay }))
            }
            (None, None, None) => Ok(None),
            _ => Err(half(id)),
        }
    }

    async fn standing(&self, id: &MatchId) -> Result<Option<StampedVersion>> {
        let get = command_with("HMGET", self.shared.keys.the_match(id), ("v", "s"));
        let (version, stamp): (Option<u64>, Option<String>) = self.shared.client.ask(&get).await?;
        match (version, stamp) {
            (Some(version), Some(stamp)) => Ok(Some(StampedVersion { version, stamp: parse_stamp(&stamp)? })),
            (None, None) => Ok(None),
            _ => Err(half(id)),
        }
    }

    async fn commit(&self, commit: Commit) -> Result<Committed> {
        let call = committing(&self.shared, &commit)?;
        match self.shared.client.keep(call).await? {
            1 => {}
            3 => self.shared.outbox.mark(Shard::of(&commit.id)),
            2 => return Ok(Committed::Repeated),
            _ => return Ok(Committed::Conflict),
        }
        Ok(Committed::Yes)
    }

    async fn delete_match(&self, id: &MatchId, expected: u64, expected_stamp: Stamp) -> Result<Committed> {
        let (keys, shard) = (&self.shared.keys, Shard::of(id));
        let mut call = DELETE.on(&[
            keys.the_match(id),
            keys.log(id),
            keys.outbox(shard),
            keys.due(shard),
            keys.deleted(id),
            keys.checkpoints(id),
            keys.archive(id),
            keys.plans(id),
        ]);
        call.arg(expected).arg(expected_stamp.to_string()).arg(id.as_str());
        call.arg(Task::head(id, expected, true, "").unwrap_or_default());
        call.arg(DELETED_REMEMBERED.as_secs()).arg(keys.live()).arg(notice(id, expected));
        let happened: bool = self.shared.client.keep(call).await?;
        if happened {
            self.shared.outbox.mark(shard);
        }
        Ok(if happened { Committed::Yes } else { Committed::Conflict })
    }

    async fn settle(&self, id: &MatchId) -> Result<()> {
        self.shared.client.settle(self.shared.keys.settled(Shard::of(id))).await
    }

    async fn log(&self, id: &MatchId, after: u64, limit: usize) -> Result<Vec<Vec<u8>>> {
        let (first, count) = (i64::try_from(after), i64::try_from(limit));
        let (Ok(first), Ok(count @ 1..)) = (first, count) else { return Ok(Vec::new()) };
        let range = command_with("LRANGE", self.shared.keys.log(id), (first, first.saturating_add(count - 1)));
        let entries: Vec<Vec<u8>> = self.shared.client.ask(&range).await?;
        if entries.is_empty() {
            return Ok(stretch(self.archived(id).await?, after, limit));
        }
        Ok(entries)
    }

    async fn list_matches(&self, query: &ListQuery) -> Result<Vec<ListedMatch>> {
        lists::list(&self.shared, query).await
    }

    async fn list_ids(&self, query: &ListQuery) -> Result<Vec<MatchId>> {
        lists::list(&self.shared, query).await
    }

    async fn checkpoint(&self, id: &MatchId, at_most: u64) -> Result<Option<Checkpoint>> {
        let mut range = command("ZREVRANGEBYSCORE", self.shared.keys.checkpoints(id));
        range.arg(at_most).arg(0).arg("WITHSCORES").arg("LIMIT").arg(0).arg(1);
        let found: Vec<(Vec<u8>, f64)> = self.shared.client.ask(&range).await?;
        let Some((kept, version)) = found.into_iter().next() else { return Ok(None) };
        let Some((stamp, state)) = kept.split_first_chunk() else {
            return Err(StoreError::Corrupt(format!("half a checkpoint of match {id}")));
        };
        let stamp = Stamp::from_number(u64::from_be_bytes(*stamp));
        Ok(Some(Checkpoint { version: version as u64, stamp, state: state.to_vec() }))
    }

    async fn leave_checkpoint(&self, id: &MatchId, checkpoint: &Checkpoint) -> Result<()> {
        let Checkpoint { version, stamp, state } = checkpoint;
        let call = CHECKPOINT.call(
            &[self.shared.keys.the_match(id), self.shared.keys.checkpoints(id)],
            (*version, [&stamp.number().to_be_bytes(), state.as_slice()].concat(), CHECKPOINTS_KEPT_SECONDS),
        );
        self.shared.client.send_once(&call).await.map(drop)
    }

    async fn is_archived(&self, id: &MatchId) -> Result<bool> {
        self.shared.client.ask(&command("EXISTS", self.shared.keys.archive(id))).await
    }

    async fn archive_match(
        &self,
        id: &MatchId,
        expected: u64,
        expected_stamp: Stamp,
        entries: &[Vec<u8>],
        due: Due,
    ) -> Result<Archived> {
        let keys = &self.shared.keys;
        let of = [keys.the_match(id), keys.log(id), keys.archive(id), keys.due(Shard::of(id))];
        let mut call = ARCHIVE.on(&of);
        call.arg(expected).arg(expected_stamp.to_string()).arg(pack(entries)?);
        call.arg(due::argument(due)).arg(id.as_str());
        Ok(match self.shared.client.keep(call).await? {
            1 => Archived::Yes,
            2 => Archived::Already,
            _ => Archived::Conflict,
        })
    }

    async fn inbox(&self, player: &PlayerId, after: u64, limit: usize) -> Result<Inbox> {
        let call = INBOX.call(&[&self.shared.keys.inbox(player)], (after, limit));
        let answer: Vec<String> = self.shared.client.ask(&call).await?;
        let unreadable = || StoreError::Corrupt(format!("the inbox of {player}"));
        let mut parts = answer.iter();
        let newest = parts.next().and_then(|newest| newest.parse().ok()).ok_or_else(unreadable)?;
        let mut notices = Vec::with_capacity(limit.min(answer.len() / 2));
        while let (Some(member), Some(number)) = (parts.next(), parts.next()) {
            let (name, version) = member.split_once(':').ok_or_else(unreadable)?;
            let match_id: MatchId = name.parse().map_err(|_| unreadable())?;
            let version = version.parse().map_err(|_| unreadable())?;
            notices.push(Notice { number: number.parse().map_err(|_| unreadable())?, match_id, version });
        }
        Ok(Inbox { notices, newest })
    }

    async fn plans(&self, id: &MatchId) -> Result<Vec<KeptPlan>> {
        let get = command("HGETALL", self.shared.keys.plans(id));
        let kept: BTreeMap<u8, Vec<u8>> = self.shared.client.ask(&get).await?;
        Ok(kept.into_iter().map(|(seat, stored)| KeptPlan { seat, stored }).collect())
    }

    async fn keep_plan(&self, id: &MatchId, expected: u64, expected_stamp: Stamp, plan: KeptPlan) -> Result<bool> {
        let mut call = KEEP_PLAN.on(&[self.shared.keys.the_match(id), self.shared.keys.plans(id)]);
        call.arg(expected).arg(expected_stamp.to_string()).arg(plan.seat).arg(plan.stored).arg(PLANS_KEPT_SECONDS);
        self.shared.client.keep(call).await
    }

    async fn replace_plan(&self, id: &MatchId, found: &KeptPlan, by: Option<Vec<u8>>) -> Result<bool> {
        let mut call = REPLACE_PLAN.on(&[self.shared.keys.the_match(id), self.shared.keys.plans(id)]);
        call.arg(found.seat).arg(found.stored.as_slice()).arg(by.unwrap_or_default());
        self.shared.client.keep(call).await
    }
}

impl RedisStore {
    /// Returns the log of an archived match; empty where there is none.
    pub(super) async fn archived(&self, id: &MatchId) -> Result<Vec<Vec<u8>>> {
        let packed: Option<Vec<u8>> = self.shared.client.ask(&command("GET", self.shared.keys.archive(id))).await?;
        packed.map_or_else(|| Ok(Vec::new()), |packed| unpack(&packed))
    }
}
