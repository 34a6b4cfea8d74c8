//! Making, reading and dropping a plan of one's own.
//!
//! Invariants: only the holder of a seat finds its plan. A plan is kept for the very version that its owner has seen,
//! or not at all. A repeated request gets the present status of the plan.

use super::PlanUnsupported;
use super::course::{PlanCourse, PlanDropped};
use super::kept::StoredPlan;
use super::tree::{PlanBranch, PlanTree};
use crate::model::refused::{Forbidden, PlanRefused};
use crate::table::live_match::LiveMatch;
use crate::{ATTEMPTS_MAX, Matches, Reader, Refused, Stage, Unread};
use sarsen_base::ids::MatchId;
use sarsen_rules::Seat;
use sarsen_store::KeptPlan;
use sarsen_store::upgrade::Formed;

/// A plan as it is asked for.
#[derive(Clone)]
pub struct AskedPlan {
    /// The version of the match that its owner has seen.
    pub version: u64,
    /// The branches of the plan.
    pub tree: Vec<PlanBranch>,
}

/// The status of a seat's plan.
#[derive(Clone, PartialEq, Eq)]
pub enum PlanStanding {
    /// There is none.
    Nothing,
    /// It is followed.
    Waiting {
        /// The version for which it was made.
        version: u64,
        /// The branches of the plan.
        tree: Vec<PlanBranch>,
    },
    /// It is not followed any more.
    Dropped {
        /// The version for which it was made.
        version: u64,
        /// The reason why it was dropped.
        reason: PlanDropped,
    },
}

impl Matches {
    /// Returns the status of the caller's plan.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], and those of [`Matches::read`].
    pub async fn plan(&self, reader: &Reader, id: &MatchId) -> Result<PlanStanding, Refused> {
        let viewed = self.read(reader, id).await?;
        let seat = viewed.seat().ok_or(Forbidden::NotSeated)?;
        match self.plan_of(&viewed.live, seat).await? {
            Some((_, plan)) => self.standing_of(&viewed.live, seat, plan).await,
            None => Ok(PlanStanding::Nothing),
        }
    }

    /// Makes the caller's plan, in place of the one before. The request is read only when the caller has a seat.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], [`Refused::Unread`], [`PlanRefused::Faulty`], [`Refused::OutOfPlay`],
    /// [`PlanRefused::NotSupported`], [`PlanRefused::Stale`], and those of [`Matches::read`].
    pub async fn make_plan(
        &self,
        reader: &Reader,
        id: &MatchId,
        asked: Result<AskedPlan, Unread>,
    ) -> Result<PlanStanding, Refused> {
        for _ in 0..ATTEMPTS_MAX {
            let (viewed, _) = self.load_for(reader, id, None).await?;
            let live = &viewed.live;
            let seat = viewed.own_seat()?;
            let AskedPlan { version, tree } = asked.clone()?;
            let tree = PlanTree::read(tree, &*live.game).map_err(PlanRefused::Faulty)?;
            live.must_be_in_play(seat)?;
            live.takes_plans()?;
            let player = reader.player.clone().ok_or(Forbidden::NotSeated)?;
            let plan = StoredPlan { version, ..StoredPlan::new(player, live, tree) };
            if let Some((_, kept)) = self.plan_of(live, seat).await?
                && (kept.version, &kept.tree) == (plan.version, &plan.tree)
            {
                return self.standing_of(live, seat, kept).await;
            }
            if version != live.stored.version {
                return Err(PlanRefused::Stale(live.stored.version).into());
            }
            if live.decision(seat).is_some() {
                return Err(PlanUnsupported::OwnTurn.into());
            }
            let kept = KeptPlan { seat: seat.number(), stored: plan.encode()? };
            if self.store.keep_plan(id, version, live.stamp, kept).await? {
                return Ok(PlanStanding::Waiting { version, tree: plan.tree });
            }
        }
        Err(Refused::Busy)
    }

    /// Drops the caller's plan, if there is one. A move that is being made for it may still be made.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], and those of [`Matches::read`].
    pub async fn drop_plan(&self, reader: &Reader, id: &MatchId) -> Result<(), Refused> {
        for _ in 0..ATTEMPTS_MAX {
            let viewed = self.read(reader, id).await?;
            let seat = viewed.own_seat()?;
            let Some((found, _)) = self.plan_of(&viewed.live, seat).await? else { return Ok(()) };
            if self.store.replace_plan(id, &found, None).await? {
                return Ok(());
            }
        }
        Err(Refused::Busy)
    }

    /// The plan of the holder of this seat, as it is kept and as it reads; `None` where there is none, or nobody plays.
    async fn plan_of(&self, live: &LiveMatch, seat: Seat) -> Result<Option<(KeptPlan, StoredPlan)>, Refused> {
        if live.stored.stage != Stage::Playing || live.takes_plans().is_err() {
            return Ok(None);
        }
        let kept = self.store.plans(&live.stored.id).await?.into_iter().find(|kept| kept.seat == seat.number());
        let Some(kept) = kept else { return Ok(None) };
        let plan = StoredPlan::decode(&kept.stored)?;
        Ok(live.follows(seat, &plan).then_some((kept, plan)))
    }

    async fn standing_of(&self, live: &LiveMatch, seat: Seat, plan: StoredPlan) -> Result<PlanStanding, Refused> {
        let version = plan.version;
        match self.course_of(live, seat, &plan).await? {
            PlanCourse::Dropped(reason) => return Ok(PlanStanding::Dropped { version, reason }),
            PlanCourse::Plays(_) | PlanCourse::Waits => {}
        }
        Ok(PlanStanding::Waiting { version, tree: plan.tree })
    }
}
