//! Examining what is kept beside a match: its plans and checkpoints, and the steps that a player was notified of.
//!
//! Invariant: faults quote nothing that is stored, as in `table::examining`.

use std::collections::BTreeSet;

use crate::exclusive::ExclusiveStart;
use crate::log_replay::checkpointed;
use crate::plans::StoredPlan;
use crate::table::earlier::Earlier;
use crate::table::examining::because;
use crate::table::live_match::LiveMatch;
use crate::table::log_codec::Logged;
use crate::table::replay::replay;
use sarsen_base::ids::PlayerId;
use sarsen_games::Games;
use sarsen_store::{Checkpoint, KeptPlan, WholeMatch, Work};

/// The fault of a plan, in a sentence; `None` if the plan can be read.
pub fn plan_fault(kept: &KeptPlan) -> Option<String> {
    let unreadable = StoredPlan::decode(&kept.stored).err()?;
    Some(format!("the plan of its seat {} cannot be read: {}", kept.seat, because(&unreadable)))
}

/// The fault of a checkpoint, in a sentence. `None` if it can be read, or the match itself cannot.
pub fn checkpoint_fault(games: &Games, whole: &WholeMatch, found: &Checkpoint) -> Option<String> {
    let present = LiveMatch::open(games, &whole.stored).ok()?;
    let unreadable = checkpointed(&present, found).err()?;
    Some(format!("its checkpoint of version {} cannot be read: {}", found.version, because(&unreadable)))
}

/// Returns true if the body of a job that calls off other matches can be read.
pub fn is_readable_start(body: &[u8]) -> bool {
    ExclusiveStart::of_body(body).is_ok()
}

/// The versions of a match of whose steps the player was told: those before or after which they were at the table. Of a log
/// that cannot be read, as far as it can.
pub fn notices_of(games: &Games, whole: &WholeMatch, player: &PlayerId) -> BTreeSet<u64> {
    let mut told = BTreeSet::new();
    let Ok(present) = LiveMatch::open(games, &whole.stored) else { return told };
    let numbered = (1..=whole.version).zip(&whole.entries);
    let log: Vec<Logged> =
        numbered.map_while(|(version, bytes)| Logged::decode(bytes, version, &present).ok()).collect();
    let (mut made, mut earlier): (Option<LiveMatch>, _) = (None, Earlier::for_log(&log));
    for entry in &log {
        let is_there = |live: &LiveMatch| live.people().contains(player);
        let before = made.as_ref().is_some_and(is_there);
        let Ok((replayed, _)) = replay(&present, made, entry, &mut earlier) else { return told };
        if before || is_there(&replayed) {
            told.insert(entry.version);
        }
        made = Some(replayed);
    }
    told
}
