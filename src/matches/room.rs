//! Room for one more match of a player: how many one may have that have not started, or that bots play in.
//!
//! Invariant: on one instance the matches of a player are made one after the other, so that each is counted before the next.
//! Where lists follow commits a moment later, or on another instance at once, a few more may pass.

use crate::access::is_made_with_bots_by;
use crate::model::refused::CreateRefused;
use crate::room_locks::Room;
use crate::table::live_match::LiveMatch;
use crate::{Matches, Refused, Stage};
use sarsen_base::ids::PlayerId;
use sarsen_store::{ListScope, ListedMatch};

impl Matches {
    /// Refuses a match for which its creator has made too many others; keep the answer until it is committed.
    pub(super) async fn room_for(&self, live: &LiveMatch) -> Result<Room, Refused> {
        let creator = &live.stored.creator.id;
        let room = self.rooms.of(creator).await;
        self.must_have_room(live).await?;
        if let Some(most) = self.retention.bots_per_player.filter(|_| !live.stored.terms.bots.is_empty()) {
            let made = self.made_with_bots_by(creator, most as usize).await?;
            if made >= most as usize {
                return Err(CreateRefused::TooManyWithBots { most }.into());
            }
        }
        Ok(room)
    }

    /// How many matches with bots that are not over the player has made; stops counting at `enough`.
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
