//! Player statuses, all in one slot: a hash of them, their order, and the deletions of players under way.

use async_trait::async_trait;

use super::RedisStore;
use super::client::{command, command_with};
use super::script::{PUT_OFF, PUT_STATUS, STATUSES_AFTER};
use crate::{Deletion, PlayerStatusStore, Result, Revised, StoreError};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;

/// Reads `<revision> <stored status>`.
fn unpack(value: &[u8]) -> Result<Revised> {
    let parts = value.iter().position(|byte| *byte == b' ').map(|space| value.split_at(space));
    let revision = |digits: &[u8]| std::str::from_utf8(digits).ok()?.parse().ok();
    parts
        .and_then(|(digits, stored)| Some(Revised { revision: revision(digits)?, stored: stored.get(1..)?.to_vec() }))
        .ok_or_else(|| StoreError::Corrupt("a status has no revision".to_owned()))
}

#[async_trait]
impl PlayerStatusStore for RedisStore {
    async fn status(&self, player: &PlayerId) -> Result<Option<Revised>> {
        let get = command_with("HGET", self.shared.keys.statuses("of"), player.as_str());
        let value: Option<Vec<u8>> = self.shared.client.ask(&get).await?;
        value.as_deref().map(unpack).transpose()
    }

    async fn put_status(
        &self,
        player: &PlayerId,
        expected: u64,
        stored: Vec<u8>,
        deleting: bool,
    ) -> Result<Option<u64>> {
        let keys = &self.shared.keys;
        let mut put = PUT_STATUS.on(&[keys.statuses("of"), keys.statuses("order"), keys.statuses("deletions")]);
        let since = if deleting { self.shared.now().0.to_string() } else { String::new() };
        put.arg(player.as_str()).arg(expected).arg(stored).arg(since).arg(keys.live());
        let revision: u64 = self.shared.client.keep(put).await?;
        Ok((revision > 0).then_some(revision))
    }

    async fn statuses_after(&self, after: u64, limit: usize) -> Result<Vec<(PlayerId, Revised)>> {
        let keys = &self.shared.keys;
        let call = STATUSES_AFTER.call(&[keys.statuses("of"), keys.statuses("order")], (after, limit));
        let pairs: Vec<(String, Vec<u8>)> = self.shared.client.ask(&call).await?;
        let statuses = pairs.into_iter().filter_map(|(name, value)| Some((name.parse().ok()?, unpack(&value))));
        statuses.map(|(player, status)| Ok((player, status?))).collect()
    }

    async fn deletions(&self, limit: usize) -> Result<Vec<Deletion>> {
        let keys = &self.shared.keys;
        let range = command_with("ZRANGE", keys.statuses("deletions"), (0, limit.saturating_sub(1), "WITHSCORES"));
        // Read as pairs, in whichever form the protocol gives them.
        let pairs: Vec<(String, f64)> = self.shared.client.ask(&range).await?;
        let mut found = Vec::with_capacity(pairs.len());
        for (name, score) in pairs {
            if let Ok(player) = name.parse() {
                let look_at = Timestamp(score as i64);
                found.push(Deletion { player, look_at, quiet_since: look_at });
            }
        }
        if found.is_empty() {
            return Ok(found);
        }
        let mut get = command("HMGET", keys.statuses("quiet"));
        for deletion in &found {
            get.arg(deletion.player.as_str());
        }
        let quiet: Vec<Option<i64>> = self.shared.client.ask(&get).await?;
        for (deletion, since) in found.iter_mut().zip(quiet) {
            deletion.quiet_since = since.map_or(deletion.look_at, Timestamp);
        }
        Ok(found)
    }

    async fn put_off(&self, found: &Deletion, look_at: Timestamp, quiet_since: Timestamp) -> Result<bool> {
        self.move_look(found, Some((look_at, quiet_since))).await
    }

    async fn end_deletion(&self, found: &Deletion) -> Result<bool> {
        self.move_look(found, None).await
    }
}

impl RedisStore {
    /// Moves the check of a deletion to another moment, or ends the deletion.
    async fn move_look(&self, found: &Deletion, to: Option<(Timestamp, Timestamp)>) -> Result<bool> {
        let keys = &self.shared.keys;
        let mut put = PUT_OFF.on(&[keys.statuses("deletions"), keys.statuses("quiet")]);
        put.arg(found.player.as_str()).arg(found.look_at.0);
        if let Some((look_at, quiet_since)) = to {
            put.arg(look_at.0).arg(quiet_since.0);
        }
        let moved: u8 = self.shared.client.keep(put).await?;
        Ok(moved == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_read_with_its_revision() {
        for stored in [&b"{}"[..], b"", b" ", b"1 2"] {
            let value = [b"17 ", stored].concat();
            assert_eq!(unpack(&value).unwrap(), Revised { revision: 17, stored: stored.to_vec() });
        }
        for wrong in [&b""[..], b"17", b"x {}", b" {}"] {
            assert!(unpack(wrong).is_err());
        }
    }
}
