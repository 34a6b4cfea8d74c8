//! The audit.

use async_trait::async_trait;
use redb::ReadableTable;

use super::Embedded;
use super::database::{Outcome, Snapshot};
use super::group::Group;
use super::layout::AUDIT;
use crate::{Audit, AuditPlace, Restored, Result};

/// The maximum number of expired entries that one append removes, so that no group waits long.
const DROPPED: usize = 64;

#[async_trait]
impl Audit for Embedded {
    async fn append_audit(&self, entry: Vec<u8>, keep_seconds: u32) -> Result<AuditPlace> {
        self.write(move |group| append(group, &entry, keep_seconds)).await
    }

    async fn restore_audit(&self, place: AuditPlace, entry: Vec<u8>) -> Result<Restored> {
        self.write(move |group| restore(group, place, &entry)).await
    }

    async fn audit(&self, before: Option<AuditPlace>, limit: usize) -> Result<Vec<(AuditPlace, Vec<u8>)>> {
        self.read_many(limit, move |transaction| newest(transaction, before, limit)).await
    }
}

fn append(group: &mut Group<'_>, entry: &[u8], keep_seconds: u32) -> Outcome<AuditPlace> {
    let now = u64::try_from(group.now.0).unwrap_or_default();
    let audit = &mut group.tables.audit;
    let last = audit.last()?.map(|(place, _)| place.value());
    let (millis, number) = match last {
        Some((millis, number)) if millis >= now => (millis, number.saturating_add(1)),
        _ => (now, 0),
    };
    audit.insert((millis, number), entry)?;
    let oldest = now.saturating_sub(u64::from(keep_seconds) * 1000);
    for _ in 0..DROPPED {
        match audit.first()? {
            Some((place, _)) if place.value().0 < oldest => {}
            _ => break,
        }
        audit.pop_first()?;
    }
    Ok(AuditPlace { millis, number })
}

fn restore(group: &mut Group<'_>, AuditPlace { millis, number }: AuditPlace, entry: &[u8]) -> Outcome<Restored> {
    let audit = &mut group.tables.audit;
    if let Some(there) = audit.get((millis, number))? {
        return Ok(if there.value() == entry { Restored::Same } else { Restored::Kept });
    }
    audit.insert((millis, number), entry)?;
    Ok(Restored::Written)
}

fn newest(transaction: &Snapshot, before: Option<AuditPlace>, limit: usize) -> Outcome<Vec<(AuditPlace, Vec<u8>)>> {
    let audit = transaction.open_table(AUDIT)?;
    let end = before.map_or((u64::MAX, u64::MAX), |before| (before.millis, before.number));
    let mut entries = Vec::new();
    for entry in audit.range((0, 0)..end)?.rev().take(limit) {
        let (place, entry) = entry?;
        let (millis, number) = place.value();
        entries.push((AuditPlace { millis, number }, entry.value().to_vec()));
    }
    Ok(entries)
}
