//! Names as they are shown: a match is stored with the names that its players had when they sat down, and is shown with
//! those of the marks.
//!
//! Invariant: nothing that is stored, and nothing that is computed from what is stored, has a name of a mark in it.

use std::fmt::Write;

use aws_lc_rs::digest;

use super::events::{LifeEvent, PlayerJoined, StoredEvent};
use super::export::MatchExport;
use super::live_match::LiveMatch;
use super::log::{Action, Cause, LogEntry};
use super::terms::Seated;
use crate::marks::KnownMarks;

/// How much of the digest of names goes into a tag, in bytes.
const TAG_BYTES: usize = 6;

impl LiveMatch {
    /// Those at the table who are shown under another name.
    pub(super) fn renamed(&self, marks: &KnownMarks) -> Vec<Seated> {
        if marks.is_empty() {
            return Vec::new();
        }
        let marked = |id| marks.name_of(&id).map(|name| Seated { id, name });
        self.people().into_iter().filter_map(marked).collect()
    }
}

/// What names add to an entity tag: whoever may see the tag may see the names.
pub(super) fn names_tag(renamed: &[Seated]) -> String {
    if renamed.is_empty() {
        return String::new();
    }
    let mut names = String::new();
    for Seated { id, name } in renamed {
        // A text takes whatever is written.
        let _ = write!(names, "{id}{name}\0");
    }
    let hash = digest::digest(&digest::SHA256, names.as_bytes());
    format!(".{}", hex::encode(&hash.as_ref()[..TAG_BYTES]))
}

fn rename(seated: &mut Seated, marks: &KnownMarks) {
    if let Some(name) = marks.name_of(&seated.id) {
        seated.name = name;
    }
}

/// An entry of the log with the names that are shown.
pub(super) fn with_names(mut entry: LogEntry, marks: &KnownMarks) -> LogEntry {
    if marks.is_empty() {
        return entry;
    }
    match &mut entry.cause {
        Cause::Creation(creation) => rename(&mut creation.creator, marks),
        Cause::Action(Action::Join { player, .. }) => rename(player, marks),
        Cause::Action(_) => {}
    }
    for event in &mut entry.events {
        if let StoredEvent::Life(LifeEvent::PlayerJoined(PlayerJoined { player, .. })) = event {
            rename(player, marks);
        }
    }
    entry
}

/// Everybody whom a record names and who is shown under another name, for its tag.
pub(super) fn renamed_in(record: &MatchExport, marks: &KnownMarks) -> Vec<Seated> {
    if marks.is_empty() {
        return Vec::new();
    }
    let joined = record.steps.iter().filter_map(|step| step.player.as_ref());
    let mut renamed: Vec<Seated> = Vec::new();
    for Seated { id, .. } in std::iter::once(&record.created_by).chain(joined) {
        let known = renamed.iter().any(|known| known.id == *id);
        if let Some(name) = marks.name_of(id).filter(|_| !known) {
            renamed.push(Seated { id: id.clone(), name });
        }
    }
    renamed
}
