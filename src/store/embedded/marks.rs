//! Marks.
//!
//! Invariant: a mark is in `marks` and, under its revision, in `mark_order`, or in neither.

use async_trait::async_trait;
use redb::{ReadTransaction, ReadableTable};

use super::Embedded;
use super::database::Outcome;
use super::group::Group;
use super::layout::{LEAVING, MARK_ORDER, MARKS};
use crate::ambient::Timestamp;
use crate::ids::PlayerId;
use crate::store::{Live, PlayerMarks, Result, Revised};

#[async_trait]
impl PlayerMarks for Embedded {
    async fn mark(&self, player: &PlayerId) -> Result<Option<Revised>> {
        self.read(|transaction| read(transaction, player.number()))
    }

    async fn put_mark(&self, player: &PlayerId, expected: u64, stored: Vec<u8>, leaving: bool) -> Result<Option<u64>> {
        let player = player.clone();
        self.write(move |group| put(group, player, expected, &stored, leaving)).await
    }

    async fn marks_after(&self, after: u64, limit: usize) -> Result<Vec<(PlayerId, Revised)>> {
        self.read_many(limit, move |transaction| read_after(transaction, after, limit)).await
    }

    async fn leaving(&self, limit: usize) -> Result<Vec<(PlayerId, Timestamp)>> {
        self.read(|transaction| waiting(transaction, limit))
    }

    async fn seen_off(&self, player: &PlayerId) -> Result<()> {
        let player = player.number();
        self.write(move |group| {
            if group.tables.leaving.remove(player)?.is_none() {
                group.idle += 1;
            }
            Ok(())
        })
        .await
    }
}

fn put(group: &mut Group<'_>, player: PlayerId, expected: u64, stored: &[u8], leaving: bool) -> Outcome<Option<u64>> {
    let number = player.number();
    let tables = &mut group.tables;
    let found = tables.marks.get(number)?.map_or(0, |mark| mark.value().0);
    if found != expected {
        group.idle += 1;
        return Ok(None);
    }
    let revision = tables.mark_order.last()?.map_or(0, |(newest, _)| newest.value()).saturating_add(1);
    tables.mark_order.remove(found)?;
    tables.mark_order.insert(revision, number)?;
    tables.marks.insert(number, (revision, stored))?;
    let waits = tables.leaving.get(number)?.is_some();
    if leaving && !waits {
        tables.leaving.insert(number, group.now.0)?;
    }
    group.live.push(Live::Marked(player, revision));
    Ok(Some(revision))
}

fn read(transaction: &ReadTransaction, player: u128) -> Outcome<Option<Revised>> {
    let found = transaction.open_table(MARKS)?.get(player)?;
    Ok(found.map(|mark| {
        let (revision, stored) = mark.value();
        Revised { stored: stored.to_vec(), revision }
    }))
}

fn read_after(transaction: &ReadTransaction, after: u64, limit: usize) -> Outcome<Vec<(PlayerId, Revised)>> {
    let Some(first) = after.checked_add(1) else { return Ok(Vec::new()) };
    let marks = transaction.open_table(MARKS)?;
    let mut found = Vec::new();
    for entry in transaction.open_table(MARK_ORDER)?.range(first..)?.take(limit) {
        let player = entry?.1.value();
        if let Some(mark) = marks.get(player)? {
            let (revision, stored) = mark.value();
            found.push((PlayerId::from_number(player), Revised { stored: stored.to_vec(), revision }));
        }
    }
    Ok(found)
}

fn waiting(transaction: &ReadTransaction, limit: usize) -> Outcome<Vec<(PlayerId, Timestamp)>> {
    let mut waiting = Vec::new();
    for entry in transaction.open_table(LEAVING)?.iter()? {
        let (player, since) = entry?;
        waiting.push((since.value(), player.value()));
    }
    waiting.sort_unstable();
    Ok(waiting
        .into_iter()
        .take(limit)
        .map(|(since, player)| (PlayerId::from_number(player), Timestamp(since)))
        .collect())
}
