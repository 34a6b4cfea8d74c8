//! The audit, a stream: its ids are places, and old entries go as new ones come.

use async_trait::async_trait;

use super::RedisStore;
use super::client::{command, command_with};
use crate::{Audit, AuditPlace, Restored, Result, StoreError};

/// The one field of an entry.
const FIELD: &str = "e";

/// An entry as the server returns it: its id, and its fields with their values.
type Entry = (String, Vec<(String, Vec<u8>)>);

fn place(id: &str) -> Result<AuditPlace> {
    id.parse().map_err(|_| StoreError::Corrupt("the audit has an entry without a place".to_owned()))
}

#[async_trait]
impl Audit for RedisStore {
    async fn append_audit(&self, entry: Vec<u8>, keep_seconds: u32) -> Result<AuditPlace> {
        let oldest = (self.shared.now().0 - i64::from(keep_seconds) * 1000).max(0);
        let add = command_with("XADD", self.shared.keys.audit(), ("MINID", oldest, "*", FIELD, entry));
        let id: String = self.shared.client.keep(add).await?;
        place(&id)
    }

    async fn restore_audit(&self, place: AuditPlace, entry: Vec<u8>) -> Result<Restored> {
        if let Some((newest, _)) = self.audit(None, 1).await?.first()
            && *newest >= place
        {
            let there = self.audit(Some(place.next()), 1).await?;
            return Ok(if there == [(place, entry)] { Restored::Same } else { Restored::Kept });
        }
        let add = command_with("XADD", self.shared.keys.audit(), (place.to_string(), FIELD, entry));
        self.shared.client.keep_once(add).await?;
        Ok(Restored::Written)
    }

    async fn audit(&self, before: Option<AuditPlace>, limit: usize) -> Result<Vec<(AuditPlace, Vec<u8>)>> {
        if before == Some(AuditPlace { millis: 0, number: 0 }) {
            // There is no place before it, and the server answers an error.
            return Ok(Vec::new());
        }
        let mut range = command("XREVRANGE", self.shared.keys.audit());
        range.arg(before.map_or_else(|| "+".to_owned(), |before| format!("({before}"))).arg("-");
        range.arg("COUNT").arg(limit);
        let entries: Vec<Entry> = self.shared.client.ask(&range).await?;
        let entries = entries.into_iter().map(|(id, fields)| {
            let entry = fields.into_iter().next().map(|(_, entry)| entry).unwrap_or_default();
            Ok((place(&id)?, entry))
        });
        entries.collect()
    }
}
