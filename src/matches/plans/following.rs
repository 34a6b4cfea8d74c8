//! Following plans: the part of due work that makes the moves of plans, and puts away those that are over.
//!
//! Invariant: a move of a plan is judged and committed on the very match on which the plan was found to make it.

use super::course::{PlanCourse, PlanDropped, PlanFollower};
use super::kept::StoredPlan;
use crate::feed::redacted::show_move;
use crate::model::events::{BotTookOver, LifeEvent, StoredEvent};
use crate::model::log::LogEntry;
use crate::model::refused::{MoveRefused, Unreadable};
use crate::table::live_match::LiveMatch;
use crate::{Matches, Refused, Stage};
use sarsen_base::telemetry::CountedMove;
use sarsen_games::MoveInput;
use sarsen_rules::{Seat, Viewer};
use sarsen_store::KeptPlan;
use sarsen_store::upgrade::Formed;

impl LiveMatch {
    /// Returns true if the owner of the plan still plays on this seat.
    pub(super) fn follows(&self, seat: Seat, plan: &StoredPlan) -> bool {
        self.stored.stage == Stage::Playing
            && self.is_held_by(seat, &plan.player)
            && self.stored.seats.get(seat.index()).is_some_and(|stored| !stored.resigned)
    }
}

impl Matches {
    /// Makes the next move of a plan, if one is due, and removes plans that are over. Returns `Some(false)` if others
    /// were quicker, and `None` if no move is due.
    pub(crate) async fn follow_plans(&self, live: &LiveMatch) -> Result<Option<bool>, Refused> {
        if live.takes_plans().is_err() {
            return Ok(None);
        }
        for kept in self.store.plans(&live.stored.id).await? {
            // One of a newer release is that release's to follow.
            let Ok(plan) = StoredPlan::decode(&kept.stored) else { continue };
            let Some(seat) = Seat::new(kept.seat).filter(|seat| live.follows(*seat, &plan)) else {
                self.store.replace_plan(&live.stored.id, &kept, None).await?;
                continue;
            };
            let reason = match self.course_of(live, seat, &plan).await? {
                PlanCourse::Waits => continue,
                // Its player's time is over, and the clock will say so.
                PlanCourse::Plays(_) if live.is_late(seat, self.now()) => continue,
                PlanCourse::Dropped(reason) => reason,
                PlanCourse::Plays(notation) => match self.play_planned(live, seat, notation).await? {
                    Some(made) => return Ok(Some(made)),
                    None => PlanDropped::IllegalMove,
                },
            };
            self.note_dropped(live, &kept, &plan, reason).await?;
        }
        Ok(None)
    }

    /// Leaves of a plan only why it was dropped, unless that is so already.
    async fn note_dropped(
        &self,
        live: &LiveMatch,
        kept: &KeptPlan,
        plan: &StoredPlan,
        reason: PlanDropped,
    ) -> Result<(), Refused> {
        if plan.dropped.is_none() {
            // If it is another by now, that one is followed at the next look.
            self.store.replace_plan(&live.stored.id, kept, Some(plan.left_of(reason).encode()?)).await?;
        }
        Ok(())
    }

    /// Makes a move for a plan; answers whether it was made, or others were quicker. `None` if it is against the rules.
    async fn play_planned(&self, before: &LiveMatch, seat: Seat, notation: &str) -> Result<Option<bool>, Refused> {
        let Ok(mv) = before.game.read_move(&MoveInput::Notation(notation.to_owned())) else { return Ok(None) };
        let mut live = before.duplicate();
        let entry = match live.play_planned(seat, mv, before.moment(self.now())) {
            Ok(entry) => entry,
            Err(Refused::Move(MoveRefused::Illegal(_))) => return Ok(None),
            Err(other) => return Err(other),
        };
        let made = self.commit(live, entry, Some(before), None).await?.is_some();
        if made {
            self.counts.moved(before.game.info().id, CountedMove::Committed);
        }
        Ok(Some(made))
    }

    /// The progress of a seat's plan in a match.
    pub(super) async fn course_of<'p>(
        &self,
        live: &LiveMatch,
        seat: Seat,
        plan: &'p StoredPlan,
    ) -> Result<PlanCourse<'p>, Refused> {
        if let Some(reason) = plan.dropped {
            return Ok(PlanCourse::Dropped(reason));
        }
        let present = live.stored.version;
        if present <= plan.version {
            // A failover may have undone what the plan was made for, or put another step in its place.
            let same = present < plan.version || live.stamp == plan.stamp;
            return Ok(if same { PlanCourse::Waits } else { PlanCourse::Dropped(PlanDropped::Undone) });
        }
        let mut follower = PlanFollower::new(seat, &plan.tree);
        let mut telling = self.telling(live);
        let mut after = plan.version.saturating_sub(1);
        while after < present {
            let page = telling.page_of_log(after, present).await?;
            for entry in &page {
                if entry.version > plan.version {
                    hear(&mut follower, live, seat, entry)?;
                } else if entry.stamp != plan.stamp {
                    follower.hear_end(PlanDropped::Undone);
                }
            }
            after += page.len() as u64;
        }
        Ok(follower.course(live.asks_player(seat).is_some()))
    }
}

/// Tells the follower of a plan of `owner` what has happened in a step.
fn hear(follower: &mut PlanFollower<'_>, live: &LiveMatch, owner: Seat, entry: &LogEntry) -> Result<(), Unreadable> {
    for event in &entry.events {
        match event {
            StoredEvent::Move { seat, mv, notation, planned, .. } => {
                let shown = show_move(&*live.game, *seat, mv, notation, Viewer::Omniscient)?;
                let shown = shown.ok_or_else(Unreadable::logged_move)?;
                follower.hear_move(*seat, &shown.notation, *planned);
            }
            StoredEvent::Life(LifeEvent::MoveUndone(_)) => follower.hear_end(PlanDropped::Undone),
            StoredEvent::Life(LifeEvent::BotTookOver(BotTookOver { seat, .. })) if *seat == owner => {
                follower.hear_end(PlanDropped::BotTookOver);
            }
            _ => {}
        }
    }
    Ok(())
}
