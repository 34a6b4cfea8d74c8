//! Making, reading and dropping a plan of one's own.
//!
//! Invariants: only who holds the seat finds its plan. A plan is kept for the very version that its owner has seen, or not at
//! all; what is sent again is answered as the plan stands by now.

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

/// A plan as it is asked for.
#[derive(Clone)]
pub struct AskedPlan {
    /// The version of the match that its owner has seen.
    pub version: u64,
    /// What it says.
    pub tree: Vec<PlanBranch>,
}

/// How a seat's plan stands.
#[derive(Clone, PartialEq, Eq)]
pub enum PlanStanding {
    /// There is none.
    Nothing,
    /// It is followed.
    Waiting {
        /// The version for which it was made.
        version: u64,
        /// What it says.
        tree: Vec<PlanBranch>,
    },
    /// It is not followed any more.
    Dropped {
        /// The version for which it was made.
        version: u64,
        /// Why.
        reason: PlanDropped,
    },
}

impl Matches {
    /// How the caller's plan stands.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], or that the match is not to be seen.
    pub async fn plan(&self, reader: &Reader, id: &MatchId) -> Result<PlanStanding, Refused> {
        let viewed = self.read(reader, id).await?;
        let seat = viewed.own_seat()?;
        match self.plan_of(&viewed.live, seat).await? {
            Some((_, plan)) => self.standing_of(&viewed.live, seat, plan).await,
            None => Ok(PlanStanding::Nothing),
        }
    }

    /// Makes the caller's plan, in place of the one before. What was asked for is read only when the caller has a seat.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], [`Refused::Unread`], [`PlanRefused::Faulty`], [`Refused::OutOfPlay`],
    /// [`PlanRefused::NotSupported`], [`PlanRefused::Stale`], or that the match is not to be seen.
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
            let plans = self.plans.as_ref().ok_or(PlanUnsupported::Game)?;
            let kept = KeptPlan { seat: seat.number(), stored: plan.encode()? };
            if plans.keep_plan(id, version, live.stamp, kept).await? {
                return Ok(PlanStanding::Waiting { version, tree: plan.tree });
            }
        }
        Err(Refused::Busy)
    }

    /// Drops the caller's plan, if there is one. A move that is being made for it may still be made.
    ///
    /// # Errors
    /// [`Forbidden::NotSeated`], or that the match is not to be seen.
    pub async fn drop_plan(&self, reader: &Reader, id: &MatchId) -> Result<(), Refused> {
        for _ in 0..ATTEMPTS_MAX {
            let viewed = self.read(reader, id).await?;
            let seat = viewed.own_seat()?;
            let Some((found, _)) = self.plan_of(&viewed.live, seat).await? else { return Ok(()) };
            let Some(plans) = &self.plans else { return Ok(()) };
            if plans.replace_plan(id, &found, None).await? {
                return Ok(());
            }
        }
        Err(Refused::Busy)
    }

    /// The plan of whoever holds this seat, as it is kept and as it reads; `None` where there is none, and nobody plays.
    async fn plan_of(&self, live: &LiveMatch, seat: Seat) -> Result<Option<(KeptPlan, StoredPlan)>, Refused> {
        let Some(plans) = self.plans.as_ref().filter(|_| live.stored.stage == Stage::Playing) else { return Ok(None) };
        if live.takes_plans().is_err() {
            return Ok(None);
        }
        let kept = plans.plans(&live.stored.id).await?.into_iter().find(|kept| kept.seat == seat.number());
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
