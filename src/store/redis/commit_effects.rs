//! The effects of a commit beyond its match: its place on lists, and its notices in inboxes.
//!
//! Where they live together with the match, on one server, the commit's script writes them itself. It leaves them to the
//! outbox where something waits there already, which came before, and where the match is listed otherwise than the caller
//! takes it to be. In a cluster they live elsewhere, and everything goes through the outbox.

use redis::Cmd;

use super::listing::encode_listing;
use super::lists::places;
use super::outbox::{Task, each_once, told};
use super::{Shared, subscriptions};
use crate::{INBOX_KEPT, Listing, Result};
use sarsen_base::ids::{MatchId, PlayerId};

/// What follows one commit.
#[derive(Default)]
pub(super) struct CommitEffects {
    /// What the outbox is to say where it is left to it; empty if nothing follows.
    task: String,
    /// What is heard, inboxes, lists to be on, and lists to be off; none where they live elsewhere.
    keys: Vec<String>,
    /// The bucket of each inbox in what is heard.
    inboxes: Vec<String>,
    on: usize,
    off: usize,
    /// Whose inboxes they are.
    told: String,
    /// As what the caller takes the match to be listed before.
    before: String,
}

impl CommitEffects {
    /// What follows a step that makes this version, notifies these players and lists the match anew, which was listed
    /// `before`, if that is given.
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

    /// The keys that the script writes itself.
    pub(super) fn keys(&self) -> &[String] {
        &self.keys
    }

    /// Adds what the script is told of what follows.
    pub(super) fn tell(&self, call: &mut Cmd, id: &MatchId) {
        call.arg(&self.task);
        if self.keys.is_empty() {
            call.arg("");
        } else {
            call.arg(self.inboxes.len()).arg(&self.told).arg(INBOX_KEPT);
            call.arg(subscriptions::of_match(id)).arg(&self.inboxes);
        }
    }

    /// Adds what it is told of the lists among the keys.
    pub(super) fn tell_lists(&self, call: &mut Cmd) {
        call.arg(&self.before).arg(self.on).arg(self.off);
    }
}
