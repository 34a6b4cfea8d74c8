//! Tickets: values that are kept until they are taken.

use async_trait::async_trait;
use redb::ReadableTable;

use super::Embedded;
use super::database::Outcome;
use super::expiry::{self, Kind};
use super::group::Group;
use super::layout::TICKETS;
use crate::{Result, Tickets};

#[async_trait]
impl Tickets for Embedded {
    async fn put_ticket(&self, key: &str, value: Vec<u8>, seconds: u32) -> Result<()> {
        let key = key.to_owned();
        self.write(move |group| put(group, &key, &value, seconds)).await
    }

    async fn read_ticket(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let now = self.ambient.now();
        self.read(|transaction| {
            let kept = transaction.open_table(TICKETS)?.get(key)?;
            Ok(kept.and_then(|kept| {
                let (end, value) = kept.value();
                (end > now.0).then(|| value.to_vec())
            }))
        })
    }

    async fn take_ticket(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let key = key.to_owned();
        self.write(move |group| take(group, &key)).await
    }
}

fn put(group: &mut Group<'_>, key: &str, value: &[u8], seconds: u32) -> Outcome<()> {
    let end = group.now.plus_seconds(seconds);
    group.tables.tickets.insert(key, (end.0, value))?;
    expiry::note(&mut group.tables, end, Kind::Ticket, key.as_bytes())
}

fn take(group: &mut Group<'_>, key: &str) -> Outcome<Option<Vec<u8>>> {
    if group.tables.tickets.get(key)?.is_none() {
        group.idle += 1;
        return Ok(None);
    }
    let taken = group.tables.tickets.remove(key)?;
    Ok(taken.and_then(|kept| {
        let (end, value) = kept.value();
        (end > group.now.0).then(|| value.to_vec())
    }))
}
