//! Matches: commit, load, log, delete.

use async_trait::async_trait;
use redb::ReadableTable;

use super::database::{Outcome, Snapshot};
use super::expiry::{self, Kind};
use super::group::Group;
use super::layout::{ARCHIVES, MATCHES, REPLAYS};
use super::{Embedded, archives, checkpoints, due, inboxes, jobs, lists, log, plans};
use crate::archives::pack;
use crate::{
    Archived, Checkpoint, Commit, Committed, DELETED_REMEMBERED, Due, Inbox, KeptPlan, ListQuery, ListedMatch, Live,
    LoadedMatch, MatchStore, Replay, ReplayKey, Result, Stamp, StampedVersion,
};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};

#[async_trait]
impl MatchStore for Embedded {
    async fn load_match(&self, id: &MatchId, key: Option<&ReplayKey>) -> Result<Option<LoadedMatch>> {
        self.read(|transaction| load(transaction, id, key))
    }

    async fn standing(&self, id: &MatchId) -> Result<Option<StampedVersion>> {
        self.read(|transaction| {
            let Some(found) = transaction.open_table(MATCHES)?.get(id.number())? else { return Ok(None) };
            let (version, stamp, _) = found.value();
            Ok(Some(StampedVersion { version, stamp: Stamp::from_number(stamp) }))
        })
    }

    async fn commit(&self, commit: Commit) -> Result<Committed> {
        self.write(move |group| step(group, &commit)).await
    }

    async fn delete_match(&self, id: &MatchId, expected: u64, expected_stamp: Stamp) -> Result<Committed> {
        let id = id.clone();
        self.write(move |group| delete(group, &id, expected, expected_stamp)).await
    }

    async fn settle(&self, _: &MatchId) -> Result<()> {
        // Every readable version is on the disk.
        Ok(())
    }

    async fn log(&self, id: &MatchId, after: u64, limit: usize) -> Result<Vec<Vec<u8>>> {
        let id = id.clone();
        self.read_many(limit, move |transaction| log::read(transaction, &id, after, limit)).await
    }

    async fn list_matches(&self, query: &ListQuery) -> Result<Vec<ListedMatch>> {
        let query = query.clone();
        self.read_many(query.limit, move |transaction| lists::list(transaction, &query)).await
    }

    async fn list_ids(&self, query: &ListQuery) -> Result<Vec<MatchId>> {
        let query = query.clone();
        self.read_many(query.limit, move |transaction| lists::list_ids(transaction, &query)).await
    }

    async fn checkpoint(&self, id: &MatchId, at_most: u64) -> Result<Option<Checkpoint>> {
        self.read(|transaction| checkpoints::newest(transaction, id.number(), at_most))
    }

    async fn leave_checkpoint(&self, id: &MatchId, checkpoint: &Checkpoint) -> Result<()> {
        let (id, left) = (id.number(), checkpoint.clone());
        self.write(move |group| {
            if group.tables.matches.get(id)?.is_none() {
                return group.unchanged(());
            }
            let value = (left.stamp.number(), left.state.as_slice());
            group.tables.checkpoints.insert((id, left.version), value)?;
            Ok(())
        })
        .await
    }

    async fn is_archived(&self, id: &MatchId) -> Result<bool> {
        self.read(|transaction| Ok(transaction.open_table(ARCHIVES)?.get(id.number())?.is_some()))
    }

    async fn archive_match(
        &self,
        id: &MatchId,
        expected: u64,
        expected_stamp: Stamp,
        entries: &[Vec<u8>],
        due: Due,
    ) -> Result<Archived> {
        let (id, packed) = (id.number(), pack(entries)?);
        self.write(move |group| archives::archive(group, id, expected, expected_stamp, &packed, due)).await
    }

    async fn inbox(&self, player: &PlayerId, after: u64, limit: usize) -> Result<Inbox> {
        let player = player.clone();
        self.read_many(limit, move |transaction| inboxes::read(transaction, &player, after, limit)).await
    }

    async fn plans(&self, id: &MatchId) -> Result<Vec<KeptPlan>> {
        self.read(|transaction| plans::kept(transaction, id.number()))
    }

    async fn keep_plan(&self, id: &MatchId, expected: u64, expected_stamp: Stamp, plan: KeptPlan) -> Result<bool> {
        let id = id.number();
        self.write(move |group| {
            if !group.is_at(id, expected, Some(expected_stamp))? {
                return group.unchanged(false);
            }
            group.tables.plans.insert((id, plan.seat), plan.stored.as_slice())?;
            Ok(true)
        })
        .await
    }

    async fn replace_plan(&self, id: &MatchId, found: &KeptPlan, by: Option<Vec<u8>>) -> Result<bool> {
        let (id, found) = (id.number(), found.clone());
        self.write(move |group| {
            let at = (id, found.seat);
            let stands = group.tables.plans.get(at)?.is_some_and(|held| held.value() == found.stored);
            if !stands {
                return group.unchanged(false);
            }
            match by {
                Some(stored) => drop(group.tables.plans.insert(at, stored.as_slice())?),
                None => drop(group.tables.plans.remove(at)?),
            }
            Ok(true)
        })
        .await
    }
}

/// Commits one step. Checks before it writes, so a conflict leaves nothing behind.
pub(super) fn step(group: &mut Group<'_>, commit: &Commit) -> Outcome<Committed> {
    let id = commit.id.number();
    if let Some((key, _)) = &commit.replay
        && group.tables.replays.get((id, key.player.number(), key.key.as_str()))?.is_some()
    {
        return group.unchanged(Committed::Repeated);
    }
    let deleted = commit.expected == 0 && group.tables.deleted.get(id)?.is_some();
    if deleted || !group.is_at(id, commit.expected, commit.expected_stamp)? {
        return group.unchanged(Committed::Conflict);
    }
    let tables = &mut group.tables;
    let version = commit.expected.saturating_add(1);
    tables.matches.insert(id, (version, commit.stamp.number(), commit.stored.as_slice()))?;
    log::push(tables, id, version, &commit.entry)?;
    if let Some((key, replay)) = &commit.replay {
        let value = (replay.version, replay.fingerprint.as_str());
        tables.replays.insert((id, key.player.number(), key.key.as_str()), value)?;
    }
    if let Some(listing) = &commit.listing {
        lists::put(tables, id, listing)?;
    }
    group.live.push(Live::Match(commit.id.clone(), version));
    for (at, player) in commit.notify.iter().enumerate() {
        if !commit.notify[..at].contains(player) {
            inboxes::push(tables, player.number(), id, version)?;
            group.live.push(Live::Inbox(player.clone()));
        }
    }
    if plans::are_kept(&group.tables, id)? {
        due::at_once(&mut group.tables, id, group.now)?;
    } else {
        due::set(&mut group.tables, id, commit.due)?;
    }
    jobs::order(&mut group.tables, &commit.jobs)?;
    Ok(Committed::Yes)
}

/// Deletes a match. Checks before it writes, so a conflict leaves nothing behind.
fn delete(group: &mut Group<'_>, id: &MatchId, expected: u64, expected_stamp: Stamp) -> Outcome<Committed> {
    let number = id.number();
    if !group.is_at(number, expected, Some(expected_stamp))? {
        return group.unchanged(Committed::Conflict);
    }
    let now = group.now;
    let tables = &mut group.tables;
    tables.matches.remove(number)?;
    log::remove(tables, number)?;
    tables.archives.remove(number)?;
    tables.checkpoints.retain_in((number, 0)..=(number, u64::MAX), |_, _| false)?;
    // No player and no key is above the upper bound of the range.
    let after = number.saturating_add(1);
    tables.replays.retain_in((number, 0, "")..(after, 0, ""), |_, _| false)?;
    lists::remove(tables, number)?;
    due::set(tables, number, Due::Remove)?;
    tables.plans.retain_in((number, 0)..=(number, u8::MAX), |_, _| false)?;
    let until = Timestamp(now.0.saturating_add(DELETED_REMEMBERED.as_millis() as i64));
    tables.deleted.insert(number, until.0)?;
    expiry::note(tables, until, Kind::Deleted, &number.to_be_bytes())?;
    group.live.push(Live::Match(id.clone(), expected));
    Ok(Committed::Yes)
}

fn load(transaction: &Snapshot, id: &MatchId, key: Option<&ReplayKey>) -> Outcome<Option<LoadedMatch>> {
    let Some(found) = transaction.open_table(MATCHES)?.get(id.number())? else { return Ok(None) };
    let (version, stamp, stored) = found.value();
    let replay = match key {
        Some(key) => {
            transaction.open_table(REPLAYS)?.get((id.number(), key.player.number(), key.key.as_str()))?.map(|replay| {
                let (version, fingerprint) = replay.value();
                Replay { version, fingerprint: fingerprint.to_owned() }
            })
        }
        None => None,
    };
    Ok(Some(LoadedMatch { stored: stored.to_vec(), version, stamp: Stamp::from_number(stamp), replay }))
}
