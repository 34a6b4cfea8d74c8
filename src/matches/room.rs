//! Limits on the matches of a player: those that have not started, and those that bots play in.
//!
//! Invariant: one instance makes the matches of a player one after the other, so each is counted before the next. Where
//! lists follow commits a moment later, or on another instance at the same time, a few more may pass.

use crate::access::is_made_with_bots_by;
use crate::model::refused::CreateRefused;
use crate::model::seated::Seated;
use crate::room_locks::Room;
use crate::table::live_match::LiveMatch;
use crate::{Matches, Refused, Stage};
use sarsen_base::ids::PlayerId;
use sarsen_store::{ListScope, ListedMatch};

impl Matches {
    /// Refuses a match for which its creator has made too many others; keep the answer until it is committed.
    pub(super) async fn room_for(&self, live: &LiveMatch) -> Result<Option<Room>, Refused> {
        let Some(Seated { id: creator, .. }) = &live.stored.creator else { return Ok(None) };
        let room = self.rooms.of(creator).await;
        self.must_have_room(live).await?;
        if let Some(most) = self.retention.bots_per_player.filter(|_| !live.stored.terms.bots.is_empty()) {
            let made = self.made_with_bots_by(creator, most as usize).await?;
            if made >= most as usize {
                return Err(CreateRefused::TooManyWithBots { most }.into());
            }
        }
        Ok(Some(room))
    }

    /// Counts the matches with bots that the player has made and that are not over; stops at `enough`.
    async fn made_with_bots_by(&self, player: &PlayerId, enough: usize) -> Result<usize, Refused> {
        let mut made = 0;
        for stage in [Stage::Playing, Stage::Open] {
            let count = |page: &[ListedMatch]| {
                made += page.iter().filter(|listed| is_made_with_bots_by(&listed.stored, player)).count();
                made < enough
            };
            self.look_through(ListScope::Player(player.clone()), stage, count).await?;
        }
        Ok(made)
    }
}
