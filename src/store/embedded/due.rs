//! The due index: by moment, and by match, so that the entry of a match is found.
//!
//! Invariant: each entry of `due` has one in `due_of` and the other way round.

use async_trait::async_trait;
use redb::{ReadableTable, ReadableTableMetadata};

use super::Embedded;
use super::database::{Outcome, Snapshot};
use super::group::Group;
use super::layout::{DUE, Tables};
use crate::{Backlog, Due, DueMatch, QueueSize, Result, Schedule};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;

#[async_trait]
impl Schedule for Embedded {
    async fn due_matches(&self, limit: usize) -> Result<Vec<DueMatch>> {
        let now = self.ambient.now();
        self.read_many(limit, move |transaction| read(transaction, now, limit)).await
    }

    async fn move_due(&self, found: &DueMatch, to: Option<Timestamp>) -> Result<bool> {
        let (id, from) = (found.id.number(), found.at);
        self.write(move |group| {
            if standing(&group.tables, id)? != Some(millis(from)) {
                return group.unchanged(false);
            }
            set(&mut group.tables, id, to.map_or(Due::Remove, Due::At)).map(|()| true)
        })
        .await
    }

    async fn note_due(&self, entries: &[DueMatch]) -> Result<u64> {
        let entries: Vec<(u128, Timestamp)> = entries.iter().map(|entry| (entry.id.number(), entry.at)).collect();
        self.write(move |group| note(group, &entries)).await
    }

    async fn backlog(&self) -> Result<Backlog> {
        self.read(|transaction| {
            let due = transaction.open_table(DUE)?;
            let oldest = due.first()?.map(|(key, _)| moment(key.value().0));
            // Lists and notices change with the commit itself, so the outbox is empty.
            Ok(Backlog { outbox: QueueSize::default(), due: QueueSize { length: due.len()?, oldest } })
        })
    }

    async fn claim_match(&self, id: &MatchId, who: &str, millis: u32) -> Result<Option<u64>> {
        Ok(self.leases.claim(id, who, millis, self.ambient.now()))
    }

    async fn release_match(&self, id: &MatchId, who: &str) -> Result<()> {
        self.leases.release(id, who);
        Ok(())
    }
}

/// Returns a moment as stored: none is before 1970.
pub(super) fn millis(moment: Timestamp) -> u64 {
    u64::try_from(moment.0).unwrap_or(0)
}

pub(super) fn moment(millis: u64) -> Timestamp {
    Timestamp(i64::try_from(millis).unwrap_or(i64::MAX))
}

/// Returns the moment of the match's entry.
fn standing(tables: &Tables<'_>, id: u128) -> Outcome<Option<u64>> {
    Ok(tables.due_of.get(id)?.map(|at| at.value()))
}

/// Changes the match's entry as a commit asks.
pub(super) fn set(tables: &mut Tables<'_>, id: u128, due: Due) -> Outcome<()> {
    let to = match due {
        Due::Leave => return Ok(()),
        Due::Remove => None,
        Due::At(moment) => Some(millis(moment)),
    };
    let from = match to {
        Some(to) => tables.due_of.insert(id, to)?.map(|from| from.value()),
        None => tables.due_of.remove(id)?.map(|from| from.value()),
    };
    if let Some(from) = from {
        tables.due.remove((from, id))?;
    }
    if let Some(to) = to {
        tables.due.insert((to, id), ())?;
    }
    Ok(())
}

/// Makes the match due now. An entry at this very moment is moved on by a millisecond: an instance that found the old
/// entry and works on the older match does not move the new one.
pub(super) fn at_once(tables: &mut Tables<'_>, id: u128, now: Timestamp) -> Outcome<()> {
    let stands_there = standing(tables, id)? == Some(millis(now));
    set(tables, id, Due::At(Timestamp(now.0.saturating_add(i64::from(stands_there)))))
}

fn note(group: &mut Group<'_>, entries: &[(u128, Timestamp)]) -> Outcome<u64> {
    let mut noted = 0;
    for &(id, at) in entries {
        if standing(&group.tables, id)?.is_none() {
            set(&mut group.tables, id, Due::At(at))?;
            noted += 1;
        }
    }
    if noted == 0 {
        group.idle += 1;
    }
    Ok(noted)
}

fn read(transaction: &Snapshot, now: Timestamp, limit: usize) -> Outcome<Vec<DueMatch>> {
    let due = transaction.open_table(DUE)?;
    let entries = due.range((0, 0)..=(millis(now), u128::MAX))?;
    let found = entries.take(limit).map(|entry| {
        let (key, _) = entry?;
        let (at, id) = key.value();
        Ok(DueMatch { id: MatchId::from_number(id), at: moment(at) })
    });
    found.collect()
}
