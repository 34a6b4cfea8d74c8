//! Claims: who thinks about a match for its bots, so that instances share that work.
//!
//! Invariant: at most one claim stands for a match, and none for longer than it was last asked for; so whoever dies is
//! replaced soon. It saves work and decides nothing: what comes of the thinking is committed or not like any step.

use async_trait::async_trait;

use super::Result;
use sarsen_base::ids::MatchId;

/// Keeps claims to matches.
#[async_trait]
pub trait MatchClaims: Send + Sync + 'static {
    /// Claims the match for `who` (a short ASCII text) for so many milliseconds from now on, also where `who` holds it
    /// already. `None` if that is so now; else for how many milliseconds, at least 1, somebody else has it at most.
    async fn claim_match(&self, id: &MatchId, who: &str, millis: u32) -> Result<Option<u64>>;

    /// Gives the match back, if `who` has it.
    async fn release_match(&self, id: &MatchId, who: &str) -> Result<()>;
}
