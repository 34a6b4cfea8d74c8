//! Players' inboxes, fed by the commits themselves or by the worker (`commit_effects.rs`).
//!
//! An inbox is a list: in front how many notices were dropped, and then the members in order. So the number of a notice
//! follows from its place.
//!
//! The outbox adds no notice that is there already; a commit, which has just made the version, does not look.
//! Deliberately missing: more than that where a failover has lost a version that is noted here and another step has
//! made it again. The notice names the match and the version only, so it stands for the new step too, which a list may
//! then name twice. Whoever listens is told to read; a follower whose cursor stands at that notice then finds by its
//! stamp that another step is behind it. A follower who has read on to later notices is told of the new step only by
//! the next one of the match, or by the match itself.

use async_trait::async_trait;

use super::RedisStore;
use super::client::read;
use super::script::INBOX;
use crate::{Inbox, Inboxes, Notice, Result, StoreError};
use sarsen_base::ids::{MatchId, PlayerId};

#[async_trait]
impl Inboxes for RedisStore {
    async fn inbox(&self, player: &PlayerId, after: u64, limit: usize) -> Result<Inbox> {
        let mut call = INBOX.on(&[&self.shared.keys.inbox(player)]);
        call.arg(after).arg(limit);
        let answer: Vec<String> = read(self.shared.client.send_again_if_lost(&call).await?)?;
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
