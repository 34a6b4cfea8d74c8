//! Names as they are shown: a match is stored with the names that its players had when they sat down, and is shown with
//! those of the statuses.
//!
//! Invariant: a status changes nothing that is stored, and nothing that is computed from what is stored. Only a player
//! who sits down after it is stored with the name that it gave.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

use aws_lc_rs::digest;

use crate::export::MatchExport;
use crate::model::events::{LifeEvent, PlayerInvited, PlayerJoined, PlayerSubstituted, StoredEvent};
use crate::model::log::{Action, Cause, LogEntry};
use crate::model::seated::Seated;
use crate::model::terms::Creation;
use crate::table::live_match::LiveMatch;
use sarsen_accounts::player_status::KnownStatuses;
use sarsen_base::ids::PlayerId;

/// The length of the digest of names in a tag, in bytes.
const TAG_BYTES: usize = 6;

/// A player and the name that is shown of them in place of the stored one.
pub(super) type ShownName = (PlayerId, String);

impl LiveMatch {
    /// Those at the table who are shown under another name.
    pub(super) fn renamed(&self, statuses: &KnownStatuses) -> Vec<ShownName> {
        if statuses.is_empty() {
            return Vec::new();
        }
        let marked = |id| statuses.name_of(&id).map(|name| (id, name));
        self.people().into_iter().filter_map(marked).collect()
    }
}

/// The part of an entity tag that names add. Every reader who may see the tag may see the names.
pub(super) fn names_tag(renamed: &[ShownName]) -> String {
    if renamed.is_empty() {
        return String::new();
    }
    let mut names = String::new();
    for (id, name) in renamed {
        // Writing to a `String` cannot fail.
        let _ = write!(names, "{id}{name}\0");
    }
    let hash = digest::digest(&digest::SHA256, names.as_bytes());
    format!(".{}", hex::encode(&hash.as_ref()[..TAG_BYTES]))
}

/// The names of one moment, for an answer that shows several.
pub(super) type NamesNow = HashMap<PlayerId, String>;

impl LogEntry {
    /// Everybody whom it names, as often as it does.
    fn seated(&mut self) -> impl Iterator<Item = &mut Seated> {
        let (one, invited) = match &mut self.cause {
            Cause::Creation(creation) => {
                let Creation { creator, terms, .. } = &mut **creation;
                let invited = !terms.table.reserved.is_empty();
                (creator.as_mut(), invited.then(|| &mut Arc::make_mut(terms).table.reserved))
            }
            Cause::Action(
                Action::Join { player, .. }
                | Action::JoinByInvite { player, .. }
                | Action::Substitute { player, .. }
                | Action::Reserve { player, .. },
            ) => (Some(player), None),
            Cause::Action(_) => (None, None),
        };
        let told = self.events.iter_mut().flat_map(|event| {
            let (one, other) = match event {
                StoredEvent::Life(
                    LifeEvent::PlayerJoined(PlayerJoined { player, .. })
                    | LifeEvent::PlayerInvited(PlayerInvited { player, .. }),
                ) => (Some(player), None),
                StoredEvent::Life(LifeEvent::PlayerSubstituted(PlayerSubstituted { from, to, .. })) => {
                    (Some(from), Some(to))
                }
                _ => (None, None),
            };
            one.into_iter().chain(other)
        });
        let invited = invited.into_iter().flatten().map(|reserved| &mut reserved.player);
        one.into_iter().chain(invited).chain(told)
    }
}

/// The names that are shown now of everybody whom these entries of a log name.
pub(super) fn names_now(entries: &mut [LogEntry], statuses: &KnownStatuses) -> NamesNow {
    statuses.names_of(entries.iter_mut().flat_map(LogEntry::seated).map(|seated| &seated.id))
}

/// Shows somebody under the name of that moment.
pub(super) fn rename(seated: &mut Seated, names: &NamesNow) {
    if let Some(name) = names.get(&seated.id) {
        seated.name.clone_from(name);
    }
}

/// An entry of the log with the names that are shown.
pub(super) fn with_names(mut entry: LogEntry, statuses: &KnownStatuses) -> LogEntry {
    let names = names_now(std::slice::from_mut(&mut entry), statuses);
    with_names_of_then(entry, &names)
}

/// An entry of the log with the names of that moment.
pub(super) fn with_names_of_then(mut entry: LogEntry, names: &NamesNow) -> LogEntry {
    if !names.is_empty() {
        entry.seated().for_each(|seated| rename(seated, names));
    }
    entry
}

/// Everybody whom a record names and who is shown under another name, for its tag.
pub(super) fn renamed_in(record: &MatchExport, names: &NamesNow) -> Vec<ShownName> {
    let joined = record.steps.iter().filter_map(|step| step.player.as_ref());
    let invited = record.reserved.iter().map(|reserved| &reserved.player);
    let paired = record.paired.iter().map(|paired| &paired.player);
    let mut renamed: Vec<ShownName> = Vec::new();
    for Seated { id, .. } in record.created_by.iter().chain(invited).chain(paired).chain(joined) {
        let known = renamed.iter().any(|(known, _)| known == id);
        if let Some(name) = names.get(id).filter(|_| !known) {
            renamed.push((id.clone(), name.clone()));
        }
    }
    renamed
}
