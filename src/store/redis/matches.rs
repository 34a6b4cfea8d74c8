//! Matches: one trip to load, one script to commit.

use async_trait::async_trait;
use redis::Cmd;

use super::client::{command, read};
use super::commit_effects::CommitEffects;
use super::listing::encode_listing;
use super::outbox::Task;
use super::script::{COMMIT, DELETE};
use super::{RedisStore, Shared, due, lists};
use crate::archives::stretch;
use crate::keys::Shard;
use crate::{
    Commit, Committed, DELETED_REMEMBERED, ListQuery, ListedMatch, LoadedMatch, MatchStore, Replay, ReplayKey, Result,
    Stamp, StampedVersion, StoreError,
};
use sarsen_base::ids::MatchId;

/// About how many bytes a commit's script is told beside its keys, the match and the entry.
const ROOM: usize = 512;

/// The field of the match that keeps what a key has committed.
pub(super) fn replay_field(key: &ReplayKey) -> String {
    format!("k{}|{}", key.player, key.key)
}

/// The key of such a field, if it is one.
pub(super) fn replay_key(field: &str) -> Option<ReplayKey> {
    let (player, key) = field.strip_prefix('k')?.split_once('|')?;
    Some(ReplayKey { player: player.parse().ok()?, key: key.to_owned() })
}

/// What such a field keeps.
pub(super) fn replay_text(replay: &Replay) -> String {
    format!("{}:{}", replay.version, replay.fingerprint)
}

/// Reads what such a field keeps.
pub(super) fn replay(text: &str) -> Result<Replay> {
    let parts = text.split_once(':').and_then(|(version, fingerprint)| Some((version.parse().ok()?, fingerprint)));
    match parts {
        Some((version, fingerprint)) => Ok(Replay { version, fingerprint: fingerprint.to_owned() }),
        None => Err(StoreError::Corrupt("what an idempotency key committed is unreadable".to_owned())),
    }
}

/// What is said of a version of a match: in live messages and in inboxes.
pub(super) fn notice(id: &MatchId, version: u64) -> String {
    [id.as_str(), ":", &version.to_string()].concat()
}

/// A stamp as the match's hash keeps it.
pub(super) fn parse_stamp(kept: &str) -> Result<Stamp> {
    kept.parse().map_err(|_| StoreError::Corrupt("a stamp is unreadable".to_owned()))
}

/// A match of which some fields are missing.
pub(super) fn half(id: &MatchId) -> StoreError {
    StoreError::Corrupt(format!("half of match {id}"))
}

/// The call that makes the commit.
fn committing(shared: &Shared, commit: &Commit) -> Result<Cmd> {
    let Commit { id, expected, expected_stamp, stamp, stored, entry, .. } = commit;
    let Commit { listing, listed, replay, notify, due, .. } = commit;
    let version = expected + 1;
    let effects = CommitEffects::of(shared, id, version, notify, listing.as_ref(), listed.as_ref())?;
    let keys = &shared.keys;
    let of_match = keys.of_match(id);
    let shard = of_match.shard;
    let touched = [of_match.the_match(), of_match.log(), keys.outbox(shard), keys.due(shard)];
    // What is seldom touched stands at the end, and is named only where it is: each key takes the server's time.
    let deleted = (*expected == 0).then(|| of_match.deleted());
    let touched = touched.iter().chain(effects.keys()).chain(&deleted);
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
        let mut get = command("HMGET", self.shared.keys.the_match(id));
        get.arg("v").arg("s");
        let (version, stamp): (Option<u64>, Option<String>) = read(self.shared.client.send_again_if_lost(&get).await?)?;
        match (version, stamp) {
            (Some(version), Some(stamp)) => Ok(Some(StampedVersion { version, stamp: parse_stamp(&stamp)? })),
            (None, None) => Ok(None),
            _ => Err(half(id)),
        }
    }

    async fn commit(&self, commit: Commit) -> Result<Committed> {
        let call = committing(&self.shared, &commit)?;
        match read(self.shared.client.keep_once(call).await?)? {
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
        let happened: bool = read(self.shared.client.keep_once(call).await?)?;
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
        let mut range = Cmd::new();
        range.arg("LRANGE").arg(self.shared.keys.log(id)).arg(first).arg(first.saturating_add(count - 1));
        let entries: Vec<Vec<u8>> = read(self.shared.client.send_again_if_lost(&range).await?)?;
        if entries.is_empty() {
            return Ok(stretch(self.archived(id).await?, after, limit));
        }
        Ok(entries)
    }

    async fn list_matches(&self, query: &ListQuery) -> Result<Vec<ListedMatch>> {
        lists::list(&self.shared, query).await
    }

    async fn list_ids(&self, query: &ListQuery) -> Result<Vec<MatchId>> {
        lists::list_ids(&self.shared, query).await
    }
}
