//! Player statuses, and deletions of players under way.
//!
//! Invariant: a status is in `statuses` and, under its revision, in `status_order`, or in neither.

use async_trait::async_trait;
use redb::ReadableTable;

use super::Embedded;
use super::database::{Outcome, Snapshot};
use super::group::Group;
use super::layout::{DELETIONS, DELETIONS_QUIET, STATUS_ORDER, STATUSES};
use crate::{Deletion, Live, PlayerStatusStore, Result, Revised};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;

#[async_trait]
impl PlayerStatusStore for Embedded {
    async fn status(&self, player: &PlayerId) -> Result<Option<Revised>> {
        self.read(|transaction| read(transaction, player.number()))
    }

    async fn put_status(
        &self,
        player: &PlayerId,
        expected: u64,
        stored: Vec<u8>,
        deleting: bool,
    ) -> Result<Option<u64>> {
        let player = player.clone();
        self.write(move |group| put(group, player, expected, &stored, deleting)).await
    }

    async fn statuses_after(&self, after: u64, limit: usize) -> Result<Vec<(PlayerId, Revised)>> {
        self.read_many(limit, move |transaction| read_after(transaction, after, limit)).await
    }

    async fn deletions(&self, limit: usize) -> Result<Vec<Deletion>> {
        // Reads the whole table, regardless of the limit.
        self.read_many(usize::MAX, move |transaction| waiting(transaction, limit)).await
    }

    async fn put_off(&self, found: &Deletion, look_at: Timestamp, quiet_since: Timestamp) -> Result<bool> {
        let found = found.clone();
        self.write(move |group| {
            if !stands(group, &found)? {
                return Ok(false);
            }
            let player = found.player.number();
            group.tables.deletions.insert(player, look_at.0)?;
            group.tables.deletions_quiet.insert(player, quiet_since.0)?;
            Ok(true)
        })
        .await
    }

    async fn end_deletion(&self, found: &Deletion) -> Result<bool> {
        let found = found.clone();
        self.write(move |group| {
            if !stands(group, &found)? {
                return Ok(false);
            }
            let player = found.player.number();
            group.tables.deletions.remove(player)?;
            group.tables.deletions_quiet.remove(player)?;
            Ok(true)
        })
        .await
    }
}

/// Returns true if the deletion is still as found.
fn stands(group: &mut Group<'_>, found: &Deletion) -> Outcome<bool> {
    let look_at = group.tables.deletions.get(found.player.number())?.map(|look_at| look_at.value());
    if look_at == Some(found.look_at.0) { Ok(true) } else { group.unchanged(false) }
}

fn put(group: &mut Group<'_>, player: PlayerId, expected: u64, stored: &[u8], deleting: bool) -> Outcome<Option<u64>> {
    let number = player.number();
    let tables = &mut group.tables;
    let found = tables.statuses.get(number)?.map_or(0, |status| status.value().0);
    if found != expected {
        return group.unchanged(None);
    }
    let revision = tables.status_order.last()?.map_or(0, |(newest, _)| newest.value()).saturating_add(1);
    tables.status_order.remove(found)?;
    tables.status_order.insert(revision, number)?;
    tables.statuses.insert(number, (revision, stored))?;
    let waits = tables.deletions.get(number)?.is_some();
    if deleting && !waits {
        tables.deletions.insert(number, group.now.0)?;
    }
    group.live.push(Live::Marked(player, revision));
    Ok(Some(revision))
}

fn read(transaction: &Snapshot, player: u128) -> Outcome<Option<Revised>> {
    let found = transaction.open_table(STATUSES)?.get(player)?;
    Ok(found.map(|status| {
        let (revision, stored) = status.value();
        Revised { stored: stored.to_vec(), revision }
    }))
}

fn read_after(transaction: &Snapshot, after: u64, limit: usize) -> Outcome<Vec<(PlayerId, Revised)>> {
    let Some(first) = after.checked_add(1) else { return Ok(Vec::new()) };
    let statuses = transaction.open_table(STATUSES)?;
    let mut found = Vec::new();
    for entry in transaction.open_table(STATUS_ORDER)?.range(first..)?.take(limit) {
        let player = entry?.1.value();
        if let Some(status) = statuses.get(player)? {
            let (revision, stored) = status.value();
            found.push((PlayerId::from_number(player), Revised { stored: stored.to_vec(), revision }));
        }
    }
    Ok(found)
}

fn waiting(transaction: &Snapshot, limit: usize) -> Outcome<Vec<Deletion>> {
    let mut waiting = Vec::new();
    for entry in transaction.open_table(DELETIONS)?.iter()? {
        let (player, look_at) = entry?;
        waiting.push((look_at.value(), player.value()));
    }
    waiting.sort_unstable();
    waiting.truncate(limit);
    let quiet = transaction.open_table(DELETIONS_QUIET)?;
    let mut found = Vec::with_capacity(waiting.len());
    for (look_at, player) in waiting {
        let quiet_since = quiet.get(player)?.map_or(look_at, |since| since.value());
        let (look_at, quiet_since) = (Timestamp(look_at), Timestamp(quiet_since));
        found.push(Deletion { player: PlayerId::from_number(player), look_at, quiet_since });
    }
    Ok(found)
}
