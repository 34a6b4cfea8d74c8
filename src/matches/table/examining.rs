//! Examining a match as it is kept: whether its record is what its log makes.
//!
//! Invariant: faults quote nothing that is stored, since that has secrets in it. Deliberately missing: any repair.
//! Record and log are both the truth, and nobody here can know which of the two is wrong.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::model::stored::StoredMatch;
use crate::model::unreadable::Unreadable;
use crate::table::earlier::Earlier;
use crate::table::live_match::LiveMatch;
use crate::table::log_codec::Logged;
use crate::table::replay::replay;
use sarsen_base::ambient::Timestamp;
use sarsen_games::Games;
use sarsen_rules::phrases::counted;
use sarsen_store::{Listing, WholeMatch};

/// The result of an examination.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Examined {
    /// The lists on which the match belongs, if its record can be read.
    pub listing: Option<Listing>,
    /// The time at which it has to be looked at; the rules of an instance may add to it.
    pub due: Option<Timestamp>,
    /// The faults, a sentence each. None if record and log agree.
    pub faults: Vec<String>,
}

/// The time at which a stored match last changed; `None` if this release cannot read it.
pub fn changed_at(stored: &[u8]) -> Option<Timestamp> {
    StoredMatch::decode(stored).ok().map(|stored| stored.updated_at)
}

/// Takes all steps of the match's log again, by its game and the rules it was made with, and compares.
pub fn examine(games: &Games, whole: &WholeMatch) -> Examined {
    let mut found = Examined::default();
    match LiveMatch::open(games, &whole.stored) {
        Ok(present) => {
            found.listing = Some(present.listing());
            found.due = present.due_by_itself();
            found.about_numbers(whole, &present);
            if let Err(fault) = check_replay(whole, present) {
                found.faults.push(fault);
            }
        }
        Err(unreadable) => found.faults.push(format!("its record cannot be read: {}", because(&unreadable))),
    }
    found
}

pub(crate) fn because(unreadable: &Unreadable) -> String {
    let mut sentence = unreadable.to_string();
    let mut cause = std::error::Error::source(unreadable);
    while let Some(source) = cause {
        sentence = format!("{sentence}: {source}");
        cause = source.source();
    }
    sentence
}

impl Examined {
    /// Names and numbers that stand beside the record.
    fn about_numbers(&mut self, whole: &WholeMatch, present: &LiveMatch) {
        if present.stored.id != whole.id {
            self.faults.push("its record is that of another match".to_owned());
        }
        if present.stored.version != whole.version {
            let recorded = present.stored.version;
            self.faults.push(format!("it is kept at version {}, its record is of version {recorded}", whole.version));
        }
        if whole.entries.len() as u64 != whole.version {
            let entries = counted(whole.entries.len() as u64, "entry", "entries");
            let versions = counted(whole.version, "version", "versions");
            self.faults.push(format!("its log has {entries} for {versions}"));
        }
        for (_, replay) in whole.replays.iter().filter(|(_, replay)| !(1..=whole.version).contains(&replay.version)) {
            self.faults.push(format!("an idempotency key of it names version {}, which it has not", replay.version));
        }
    }
}

/// Makes the match again from its log.
fn check_replay(whole: &WholeMatch, mut present: LiveMatch) -> Result<(), String> {
    let log: Vec<_> =
        (1..).zip(&whole.entries).map(|(version, bytes)| (version, Logged::decode(bytes, version, &present))).collect();
    let (mut made, mut earlier) = (None, Earlier::for_log(log.iter().filter_map(|(_, read)| read.as_ref().ok())));
    for (version, read) in log {
        let entry = read.map_err(|unreadable| {
            format!("the log entry of version {version} cannot be read: {}", because(&unreadable))
        })?;
        if entry.version != version {
            return Err(format!("where version {version} belongs, its log has version {}", entry.version));
        }
        let last = version == whole.version;
        if last && entry.stamp != whole.stamp {
            return Err(format!("its record is stamped otherwise than the log entry of version {version}"));
        }
        let (replayed, _) = replay(&present, made, &entry, &mut earlier)
            .map_err(|fault| format!("version {version} cannot be made again from its log: {}", because(&fault)))?;
        made = Some(replayed);
    }
    let mut made = made.ok_or("its log is empty")?;
    let unwritable = |fault: Unreadable| format!("it cannot be written: {}", because(&fault));
    let (kept, made) = (present.encode().map_err(unwritable)?, made.encode().map_err(unwritable)?);
    if kept == made {
        return Ok(());
    }
    let read = |bytes: &[u8]| serde_json::from_slice::<Map<String, Value>>(bytes).unwrap_or_default();
    let (kept, made) = (read(&kept), read(&made));
    let names: BTreeSet<&String> = kept.keys().chain(made.keys()).collect();
    let other: Vec<&str> =
        names.into_iter().filter(|name| kept.get(*name) != made.get(*name)).map(String::as_str).collect();
    if other.is_empty() {
        return Ok(());
    }
    Err(format!("its record is not what its log makes: they differ in {}", other.join(", ")))
}
