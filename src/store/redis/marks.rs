//! Marks, all in one slot: a hash of them, their order, and who is to be seen off.

use async_trait::async_trait;

use super::RedisStore;
use super::link::{command, read};
use super::script::{MARKS_AFTER, PUT_MARK};
use crate::ambient::Timestamp;
use crate::ids::PlayerId;
use crate::store::{PlayerMarks, Result, Revised, StoreError};

/// Reads `<revision> <what is stored>`.
fn unpack(value: &[u8]) -> Result<Revised> {
    let parts = value.iter().position(|byte| *byte == b' ').map(|space| value.split_at(space));
    let revision = |digits: &[u8]| std::str::from_utf8(digits).ok()?.parse().ok();
    parts
        .and_then(|(digits, stored)| Some(Revised { revision: revision(digits)?, stored: stored.get(1..)?.to_vec() }))
        .ok_or_else(|| StoreError::Corrupt("a mark has no revision".to_owned()))
}

#[async_trait]
impl PlayerMarks for RedisStore {
    async fn mark(&self, player: &PlayerId) -> Result<Option<Revised>> {
        let mut get = command("HGET", self.shared.keys.marks());
        get.arg(player.as_str());
        let value: Option<Vec<u8>> = read(self.shared.link.send_again_if_lost(&get).await?)?;
        value.as_deref().map(unpack).transpose()
    }

    async fn put_mark(&self, player: &PlayerId, expected: u64, stored: Vec<u8>, leaving: bool) -> Result<Option<u64>> {
        let keys = &self.shared.keys;
        let mut put = PUT_MARK.on(&[keys.marks(), keys.order_of_marks(), keys.leaving()]);
        let since = if leaving { self.shared.now().0.to_string() } else { String::new() };
        put.arg(player.as_str()).arg(expected).arg(stored).arg(since).arg(keys.live());
        let revision: u64 = read(self.shared.link.keep_once(put).await?)?;
        Ok((revision > 0).then_some(revision))
    }

    async fn marks_after(&self, after: u64, limit: usize) -> Result<Vec<(PlayerId, Revised)>> {
        let keys = &self.shared.keys;
        let mut call = MARKS_AFTER.on(&[keys.marks(), keys.order_of_marks()]);
        call.arg(after).arg(limit);
        let pairs: Vec<(String, Vec<u8>)> = read(self.shared.link.send_again_if_lost(&call).await?)?;
        let marks = pairs.into_iter().filter_map(|(name, value)| Some((name.parse().ok()?, unpack(&value))));
        marks.map(|(player, mark)| Ok((player, mark?))).collect()
    }

    async fn leaving(&self, limit: usize) -> Result<Vec<(PlayerId, Timestamp)>> {
        let mut range = command("ZRANGE", self.shared.keys.leaving());
        range.arg(0).arg(limit.saturating_sub(1)).arg("WITHSCORES");
        // As pairs, whichever form the protocol gives them.
        let pairs: Vec<(String, f64)> = read(self.shared.link.send_again_if_lost(&range).await?)?;
        Ok(pairs.into_iter().filter_map(|(name, since)| Some((name.parse().ok()?, Timestamp(since as i64)))).collect())
    }

    async fn seen_off(&self, player: &PlayerId) -> Result<()> {
        let mut remove = command("ZREM", self.shared.keys.leaving());
        remove.arg(player.as_str());
        self.shared.link.keep_once(remove).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_with_its_revision() {
        for stored in [&b"{}"[..], b"", b" ", b"1 2"] {
            let value = [b"17 ", stored].concat();
            assert_eq!(unpack(&value).unwrap(), Revised { revision: 17, stored: stored.to_vec() });
        }
        for wrong in [&b""[..], b"17", b"x {}", b" {}"] {
            assert!(unpack(wrong).is_err());
        }
    }
}
