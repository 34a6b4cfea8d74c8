//! Plans: moves that a player settles in advance, for the case that others move as expected.
//!
//! A plan is a tree. Each branch says for which moves of the others it is, until its owner's turn comes (`when`), what its
//! owner then plays (`then`), and how it goes on (`next`). When the turn has come, the service plays the moves one by one,
//! each a step like any other that says so (`planned`) and takes none of the owner's time.
//!
//! Invariants:
//! - Nobody but its owner can find out that there is a plan before it plays. It stands beside the match
//!   ([`sarsen_store::KeptPlan`]): no step, event, view, entity tag or sequence number knows of it, and what the others are
//!   answered is made without looking for it. Nothing of it is logged.
//! - How far a plan has come is found in the log, every time ([`course`]); what is kept of it is what its owner has asked
//!   for, and at the end why it was dropped. So each move is one atomic commit, two instances that play the same plan end
//!   in one move and one conflict, and an instance that dies between two moves has lost none and doubles none.
//! - Whatever happens otherwise than planned drops it: a move that its owner makes, moves of the others, an undo.
//!
//! Only games are planned in which nothing is hidden and nothing is left to chance during play
//! ([`sarsen_rules::GameInfo::open_information`]): in others the moves to come cannot be named in advance, and what a plan
//! does would tell what its owner has foreseen of them. And not by a live clock: whoever plays by one sits at the table, and
//! a machine that answers in no time would be their clock's.

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
