//! Plans: moves that a player settles in advance, for the case that others move as expected.
//!
//! A plan is a tree. Each branch says for which moves of the others it is, until its owner's turn comes (`when`), what its
//! owner then plays (`then`), and how it goes on (`next`). When the turn has come, the service plays the moves one by one,
//! each a step like any other that says so (`planned`) and takes none of the owner's time.
//!
//! Invariants:
//! - Nobody but its owner can find out that there is a plan before it plays. It is stored beside the match
//!   ([`sarsen_store::KeptPlan`]). No step, event, view, entity tag or sequence number depends on it, and requests of
//!   others are answered without a look at it. Nothing of it is logged.
//! - The progress of a plan is computed from the log, every time ([`course`]). The store keeps only the branches that
//!   its owner asked for, and at the end the reason why it was dropped. So each move is one atomic commit. Two
//!   instances that play the same plan make one move and one conflict. An instance that dies between two moves loses
//!   and repeats none.
//! - Anything that differs from the plan drops it: a move that its owner makes, moves of the others, an undo.
//!
//! Plans exist only in games where nothing is hidden and nothing is left to chance during play
//! ([`sarsen_rules::GameInfo::open_information`]). In others the moves to come cannot be named in advance, and the
//! moves of a plan would show what its owner has foreseen. Matches with a live clock have no plans either: their
//! players sit at the table, and an automatic answer in no time would save its owner clock time.

mod asking;
mod course;
mod following;
mod kept;
pub(crate) mod tree;

pub use crate::model::plan::FaultyPlan;
pub(crate) use crate::model::plan::PlanUnsupported;
pub use asking::{AskedPlan, PlanStanding};
pub use course::PlanDropped;
pub(crate) use kept::StoredPlan;
pub use tree::PlanBranch;

use crate::model::clock::Speed;
use crate::table::live_match::LiveMatch;

impl LiveMatch {
    /// Refuses where nobody can ever plan ahead.
    pub(super) fn takes_plans(&self) -> Result<(), PlanUnsupported> {
        let terms = &self.stored.terms;
        if !self.game.info().open_information() {
            return Err(PlanUnsupported::Game);
        }
        if terms.table.hotseat || self.stored.seats.len() < 2 {
            return Err(PlanUnsupported::Alone);
        }
        if terms.clock.is_some_and(|clock| clock.speed() == Speed::Live) {
            return Err(PlanUnsupported::Live);
        }
        Ok(())
    }
}
