//! Players' inboxes.
//!
//! Invariant: an inbox holds its newest [`INBOX_KEPT`] notices, numbered without gaps.

use async_trait::async_trait;
use redb::{ReadTransaction, ReadableTable};

use super::Embedded;
use super::database::Outcome;
use super::layout::{INBOX, Tables};
use crate::ids::{MatchId, PlayerId};
use crate::store::{INBOX_KEPT, Inbox, Inboxes, Notice, Result};

#[async_trait]
impl Inboxes for Embedded {
    async fn inbox(&self, player: &PlayerId, after: u64, limit: usize) -> Result<Inbox> {
        let player = player.clone();
        self.read_many(limit, move |transaction| read(transaction, &player, after, limit)).await
    }
}

/// Adds a notice, and drops the one that has become too old.
pub(super) fn push(tables: &mut Tables<'_>, player: u128, id: u128, version: u64) -> Outcome<()> {
    let number = newest(&tables.inbox, player)? + 1;
    tables.inbox.insert((player, number), (id, version))?;
    if let Some(old) = number.checked_sub(INBOX_KEPT) {
        tables.inbox.remove((player, old))?;
    }
    Ok(())
}

fn read(transaction: &ReadTransaction, player: &PlayerId, after: u64, limit: usize) -> Outcome<Inbox> {
    let player = player.number();
    let inbox = transaction.open_table(INBOX)?;
    let newest = newest(&inbox, player)?;
    if after >= newest {
        return Ok(Inbox { notices: Vec::new(), newest });
    }
    let notices = inbox.range((player, after + 1)..=(player, newest))?.take(limit).map(|entry| {
        let (key, value) = entry?;
        let (match_id, version) = value.value();
        Ok(Notice { number: key.value().1, match_id: MatchId::from_number(match_id), version })
    });
    Ok(Inbox { notices: notices.collect::<Outcome<_>>()?, newest })
}

fn newest(inbox: &impl ReadableTable<(u128, u64), (u128, u64)>, player: u128) -> Outcome<u64> {
    let last = inbox.range((player, 0)..=(player, u64::MAX))?.next_back().transpose()?;
    Ok(last.map_or(0, |(key, _)| key.value().1))
}
