//! Matches that wait for a player: their counts, for a badge, and a turn.

use crate::access::Access;
use crate::{Matches, Refused, Stage};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_rules::Seat;
use sarsen_store::{ListScope, ListedMatch, StoreError};

/// The most matches of one stage that are looked at, newest first.
pub(crate) const COUNTED_MAX: usize = 1000;

/// The most matches that are looked at for the badge of a push message, newest first.
pub(crate) const BADGE_MAX: usize = 100;

/// The numbers of matches that wait for a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Waiting {
    /// Matches in which the player has a decision to make.
    pub my_turn: u32,
    /// Matches in which a seat is kept for the player.
    pub invites: u32,
    /// Matches that the player made or sits in and that have not started.
    pub open: u32,
}

/// A turn of a seat that goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenTurn {
    /// The player who has the seat.
    pub player: PlayerId,
    /// The version that opened its decision. A turn may have several, one after another.
    pub version: u64,
    /// The time at which it began, where a clock runs.
    pub began_at: Option<Timestamp>,
    /// Its deadline, where a clock runs.
    pub deadline_at: Option<Timestamp>,
}

impl Matches {
    /// The turn of a seat, if a person has one.
    ///
    /// # Errors
    /// If the match cannot be read, or the store is away.
    pub async fn open_turn(&self, id: &MatchId, seat: Seat) -> Result<Option<OpenTurn>, Refused> {
        let Some(loaded) = self.store.load_match(id, None).await? else { return Ok(None) };
        let live = self.opened(id, &loaded)?;
        let open = live.decision(seat).filter(|_| !live.is_taken_over(seat)).zip(live.holder(seat));
        let began_at = live.turn_began(seat);
        Ok(open.map(|(open, holder)| OpenTurn {
            player: holder.id.clone(),
            version: open.version,
            began_at,
            deadline_at: live.deadline(seat),
        }))
    }

    /// Returns true if a match is there.
    ///
    /// # Errors
    /// Only those of the store.
    pub async fn is_kept(&self, id: &MatchId) -> Result<bool, StoreError> {
        Ok(self.store.load_match(id, None).await?.is_some())
    }

    /// Counts the matches that wait for a player, among the newest [`COUNTED_MAX`] of theirs of each stage. Matches
    /// that this release cannot read do not count.
    ///
    /// # Errors
    /// Only those of the store.
    pub async fn waiting_for(&self, player: &PlayerId) -> Result<Waiting, Refused> {
        let mut waiting = Waiting::default();
        for stage in [Stage::Playing, Stage::Open] {
            self.count_waiting(player, stage, COUNTED_MAX, &mut waiting).await?;
        }
        Ok(waiting)
    }

    /// The number of matches in which a player has a decision to make, among the newest [`BADGE_MAX`] that are played.
    ///
    /// # Errors
    /// Only those of the store.
    pub async fn turns_of(&self, player: &PlayerId) -> Result<u32, Refused> {
        let mut waiting = Waiting::default();
        self.count_waiting(player, Stage::Playing, BADGE_MAX, &mut waiting).await?;
        Ok(waiting.my_turn)
    }

    async fn count_waiting(
        &self,
        player: &PlayerId,
        stage: Stage,
        most: usize,
        waiting: &mut Waiting,
    ) -> Result<(), Refused> {
        let mut looked_at = 0;
        let count = |page: &[ListedMatch]| {
            let known = page.iter().filter_map(|listed| Access::of(&listed.stored));
            known.filter(|access| access.is_known(&self.games)).for_each(|access| waiting.count(&access, player));
            looked_at += page.len();
            looked_at < most
        };
        self.look_through(ListScope::Player(player.clone()), stage, count).await
    }
}

impl Waiting {
    fn count(&mut self, access: &Access, player: &PlayerId) {
        match access.stage() {
            Stage::Playing => self.my_turn += u32::from(access.is_to_act(player)),
            Stage::Open if access.is_invited(player) => self.invites += 1,
            Stage::Open => self.open += 1,
            Stage::Finished | Stage::Aborted => {}
        }
    }
}
