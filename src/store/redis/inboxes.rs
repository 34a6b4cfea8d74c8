//! Players' inboxes, fed by the commits themselves or by the worker (`following.rs`).
//!
//! They are of two kinds. Earlier releases know sorted sets, of `<match>:<version>` by number. Where only this release and
//! later ones are, and everything is on one server, an inbox is made as a list instead: in front how many notices were
//! dropped, and then the members in order. It takes a quarter of the memory, and a commit adds to it in one step. Whoever
//! adds to an inbox or reads it does so whatever its kind is.
//!
//! A notice that is there already is not added again: the outbox looks for it first, through the whole of a list, and a
//! commit, which has just made the version, to a sorted set alone. Deliberately missing: more than that where a failover
//! has lost a version that is noted here and another step has made it again. The notice names the match and the version
//! only, so it stands for the new step too, which a list may then name twice. Whoever listens is told to read; a follower
//! whose cursor stands at that notice then finds by its stamp that another step is behind it. A follower who has read on to
//! later notices is told of the new step only by the next one of the match, or by the match itself.

use async_trait::async_trait;
use redis::Cmd;

use super::link::read;
use super::script::{INBOX, KEEP_INBOX};
use super::{ListsKept, RedisStore, Shared};
use crate::ids::{MatchId, PlayerId};
use crate::store::{Inbox, Inboxes, Notice, Result, StoreError};

impl Shared {
    /// As what an inbox is made: the name that Redis has for the kind.
    pub(super) fn inbox_kind(&self) -> &'static str {
        if self.lists == ListsKept::Narrow && self.link.is_one_place() { "list" } else { "zset" }
    }

    /// Keeps the inbox of this key as it would be made, with its numbers. It answers whether it was of the other kind.
    pub(super) fn keep_inbox(&self, key: &str) -> Cmd {
        let mut call = KEEP_INBOX.on(&[key]);
        call.arg(self.inbox_kind());
        call
    }
}

#[async_trait]
impl Inboxes for RedisStore {
    async fn inbox(&self, player: &PlayerId, after: u64, limit: usize) -> Result<Inbox> {
        let mut call = INBOX.on(&[&self.shared.keys.inbox(player)]);
        call.arg(after).arg(limit);
        let answer: Vec<String> = read(self.shared.link.send_again_if_lost(&call).await?)?;
        let unreadable = || StoreError::Corrupt(format!("the inbox of {player}"));
        let mut parts = answer.iter();
        let newest = parts.next().and_then(|newest| newest.parse().ok()).ok_or_else(unreadable)?;
        let mut notices = Vec::with_capacity(limit.min(answer.len() / 2));
        while let (Some(member), Some(number)) = (parts.next(), parts.next()) {
            let (name, version) = member.split_once(':').ok_or_else(unreadable)?;
            let match_id: MatchId = name.parse().map_err(|_| unreadable())?;
            let version = version.parse().map_err(|_| unreadable())?;
            notices.push(Notice { number: number.parse().map_err(|_| unreadable())?, match_id, version });
        }
        Ok(Inbox { notices, newest })
    }
}
