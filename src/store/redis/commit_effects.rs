//! The effects of a commit beyond its match: its place on lists, and its notices in inboxes.
//!
//! On one server, where all keys live together, the commit's script writes them itself. It leaves them to the outbox
//! where earlier tasks wait there, and where the match's listing is not the one that the caller expects. In a cluster
//! they live elsewhere, and everything goes through the outbox.

use redis::Cmd;

use super::listing::encode_listing;
use super::lists::places;
use super::outbox::{Task, each_once, told};
use super::{Shared, subscriptions};
use crate::{INBOX_KEPT, Listing, Result};
use sarsen_base::ids::{MatchId, PlayerId};

/// The effects of one commit.
#[derive(Default)]
pub(super) struct CommitEffects {
    /// The task for the outbox, should the effects be left to it; empty if there are none.
    task: String,
    /// The key of the subscriptions, inboxes, lists to be on, and lists to be off; empty where they live elsewhere.
    keys: Vec<String>,
    /// The bucket of each inbox in the subscriptions.
    inboxes: Vec<String>,
    on: usize,
    off: usize,
    /// The players of the inboxes.
    told: String,
    /// The earlier listing of the match, by the caller's knowledge.
    before: String,
}

impl CommitEffects {
    /// Returns the effects of a step that makes this version, notifies these players and gives the match a new
    /// `listing` in place of `before`, if the caller knows that.
    pub(super) fn of(
        shared: &Shared,
        id: &MatchId,
        version: u64,
        notify: &[PlayerId],
        listing: Option<&Listing>,
        before: Option<&Listing>,
    ) -> Result<CommitEffects> {
        let players = each_once(notify);
        let told = told(&players);
        let task = Task::head(id, version, listing.is_some(), &told).unwrap_or_default();
        if !shared.client.is_one_place() {
            return Ok(CommitEffects { task, ..CommitEffects::default() });
        }
        let keys = &shared.keys;
        let lists_of = |listing: &Listing| places(keys, listing).into_iter().map(|(key, _)| key).collect::<Vec<_>>();
        let on = listing.map(lists_of).unwrap_or_default();
        let mut off = listing.and(before).map(lists_of).unwrap_or_default();
        off.retain(|key| !on.contains(key));
        Ok(CommitEffects {
            task,
            inboxes: players.iter().map(|player| subscriptions::of_inbox(player)).collect(),
            on: on.len(),
            off: off.len(),
            keys: std::iter::once(keys.heard())
                .chain(players.iter().map(|player| keys.inbox(player)))
                .chain(on)
                .chain(off)
                .collect(),
            told,
            before: before.map(encode_listing).transpose()?.unwrap_or_default(),
        })
    }

    /// Returns the keys that the script writes itself.
    pub(super) fn keys(&self) -> &[String] {
        &self.keys
    }

    /// Adds the script's arguments about the effects.
    pub(super) fn tell(&self, call: &mut Cmd, id: &MatchId) {
        call.arg(&self.task);
        if self.keys.is_empty() {
            call.arg("");
        } else {
            call.arg(self.inboxes.len()).arg(&self.told).arg(INBOX_KEPT);
            call.arg(subscriptions::of_match(id)).arg(&self.inboxes);
        }
    }

    /// Adds the script's arguments about the lists among the keys.
    pub(super) fn tell_lists(&self, call: &mut Cmd) {
        call.arg(&self.before).arg(self.on).arg(self.off);
    }
}
