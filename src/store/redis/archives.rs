//! Archives: a value beside the match in place of the list.

use async_trait::async_trait;

use super::link::{command, read};
use super::script::ARCHIVE;
use super::{RedisStore, due};
use crate::archives::{pack, unpack};
use crate::keys::Shard;
use crate::{Archived, Archives, Due, Result, Stamp};
use sarsen_base::ids::MatchId;

#[async_trait]
impl Archives for RedisStore {
    async fn is_archived(&self, id: &MatchId) -> Result<bool> {
        let look = command("EXISTS", self.shared.keys.archive(id));
        read(self.shared.link.send_again_if_lost(&look).await?)
    }

    async fn archive_match(
        &self,
        id: &MatchId,
        expected: u64,
        expected_stamp: Stamp,
        entries: &[Vec<u8>],
        due: Due,
    ) -> Result<Archived> {
        let keys = &self.shared.keys;
        let of = [keys.the_match(id), keys.log(id), keys.archive(id), keys.due(Shard::of(id))];
        let mut call = ARCHIVE.on(&of);
        call.arg(expected).arg(expected_stamp.to_string()).arg(pack(entries)?);
        call.arg(due::argument(due)).arg(id.as_str());
        Ok(match read(self.shared.link.keep_once(call).await?)? {
            1 => Archived::Yes,
            2 => Archived::Already,
            _ => Archived::Conflict,
        })
    }
}

impl RedisStore {
    /// The log of a match that is archived; empty where there is none.
    pub(super) async fn archived(&self, id: &MatchId) -> Result<Vec<Vec<u8>>> {
        let get = command("GET", self.shared.keys.archive(id));
        let packed: Option<Vec<u8>> = read(self.shared.link.send_again_if_lost(&get).await?)?;
        packed.map_or_else(|| Ok(Vec::new()), |packed| unpack(&packed))
    }
}
